/** What the amounts of an invoice add up to, and what it says (EN 16931-1, BR-CO-10 to BR-CO-17). */
import { filter, groupBy, map, round } from 'lodash';

import { sum } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import type { EInvoice, Tax } from '../invoice';
import { shortened, sumOf } from '../values';
import { isTaxed, ruleOf } from '../categories';
import { moneyIn, rateText, RULE } from './wording';

/** The rules of EN 16931 let the calculated tax differ from rate times base by less than this. */
const RATE_TOLERANCE = 1;

/** Compares what the invoice adds up to with what it says (BR-CO-10 to BR-CO-17). */
export function differences({ currency, ...invoice }: EInvoice): Bilingual[] {
	const { grossAmount: gross, netAmount: net, taxAmount: tax, payableAmount: payable, taxes } = invoice;
	const rounding = invoice.roundingAmount ?? 0;
	const money = moneyIn(currency);
	const warnings: Bilingual[] = [];
	const compare = (rule: string, what: Bilingual, computed: number, name: Bilingual, stated: number) => {
		const [is, given] = [money(computed), money(stated)];
		warnings.push({
			en: `${RULE.en}: the amounts don't add up (${rule}): ${what.en} is ${is.en}, but ${name.en} is given as ${given.en}. Ask the sender before you book it.`,
			de: `${RULE.de}: Die Beträge passen nicht zusammen (${rule}): ${what.de} ergibt ${is.de}, angegeben ist ${name.de} mit ${given.de}. Vor dem Buchen beim Absender nachfragen.`,
		});
	};
	const { lineTotal, lines, allowanceTotal, chargeTotal, allowances } = invoice;
	const ofLines = lines.length === invoice.lineCount ? sumOf(map(lines, 'netAmount')) : null;
	if (lineTotal !== null && ofLines !== null && ofLines !== lineTotal)
		compare('BR-CO-10', AMOUNT_NAMES.lines, ofLines, AMOUNT_NAMES.lineTotal, lineTotal);
	for (const [rule, isCharge, total, what, name] of [
		['BR-CO-11', false, allowanceTotal, AMOUNT_NAMES.allowances, AMOUNT_NAMES.allowanceTotal],
		['BR-CO-12', true, chargeTotal, AMOUNT_NAMES.charges, AMOUNT_NAMES.chargeTotal],
	] as const) {
		const computed = sumOf(map(filter(allowances, { isCharge }), 'amount'));
		if (total !== null && computed !== null && computed !== total) compare(rule, what, computed, name, total);
	}
	if (lineTotal !== null && net !== null) {
		const computed = sum([lineTotal, 0 - (allowanceTotal ?? 0), chargeTotal ?? 0]);
		if (computed !== net) compare('BR-CO-13', AMOUNT_NAMES.lessAllowances, computed, AMOUNT_NAMES.net, net);
	}
	const ofBases = sumOf(map(taxes, 'base'));
	// A tax without a category is none of EN 16931: its base may be in others, too.
	const areVat = taxes.every(({ category }) => category !== null);
	if (net !== null && areVat && ofBases !== null && ofBases !== net)
		compare('BR-…-08', AMOUNT_NAMES.bases, ofBases, AMOUNT_NAMES.net, net);
	for (const { key, category, computed, base } of basesByRate(invoice)) {
		const difference = Math.abs(sum([computed, -base]));
		if (difference === 0 || (isTaxed({ category }) && difference < RATE_TOLERANCE)) continue;
		const [en, de] = [`at ${key}`, `mit ${key.replace('.', ',')}`];
		compare(
			`BR-${ruleOf(category)}-08`,
			{ en: `the sum of the lines ${en}`, de: `die Summe der Positionen ${de}` },
			computed,
			{ en: 'their taxable amount', de: 'deren Bemessungsgrundlage' },
			base,
		);
	}
	// CII may leave out the total of the tax, but not the taxes.
	const stated = tax === null ? taxes.map(({ amount }) => amount ?? 0) : [tax];
	const withTax = net === null ? null : sum([net, ...stated]);
	// Some invoices include the rounding in the total with tax.
	const hasRounding = withTax !== null && rounding !== 0 && sum([withTax, rounding]) === gross;
	if (gross !== null && withTax !== null && withTax !== gross && !hasRounding)
		compare('BR-CO-15', AMOUNT_NAMES.netAndTax, withTax, AMOUNT_NAMES.gross, gross);
	const ofTaxes = sumOf(map(taxes, 'amount'));
	if (tax !== null && ofTaxes !== null && ofTaxes !== tax)
		compare('BR-CO-14', AMOUNT_NAMES.taxes, ofTaxes, AMOUNT_NAMES.tax, tax);
	for (const { rate, base, amount } of taxes) {
		if (rate === null || base === null || amount === null) continue;
		const computed = taxOn(base, rate);
		if (Math.abs(sum([computed, -amount])) >= RATE_TOLERANCE) {
			const { en, de } = money(base);
			compare(
				'BR-CO-17',
				{ en: `${rate} % of ${en}`, de: `${rateText(rate)} % von ${de}` },
				computed,
				{ en: 'that tax', de: 'diese Steuer' },
				amount,
			);
		}
	}
	// The profile Minimum doesn't say what was paid in advance.
	if (gross !== null && payable !== null && !invoice.profile?.endsWith(':minimum')) {
		const rest = sum([gross, -(invoice.prepaidAmount ?? 0), invoice.thirdPartyAmount ?? 0]);
		const computed = sum([rest, rounding]);
		if (computed !== payable && !(hasRounding && rest === payable))
			compare('BR-CO-16', AMOUNT_NAMES.rest, computed, AMOUNT_NAMES.payable, payable);
	}
	return warnings;
}

/** The tax on an amount, rounded half away from zero. */
function taxOn(base: number, rate: number): number {
	// Without the digits that binary fractions get wrong.
	const exact = Number(((Math.abs(base) * rate) / 100).toPrecision(15));
	return Math.sign(base) * round(exact, 2);
}

type Rated = Pick<Tax, 'category' | 'rate'>;
/** A category without tax has one taxable amount, whatever rates its lines have. */
const rateKey = ({ category, rate }: Rated) =>
	`${isTaxed({ category }) ? (rate ?? 0) : 0} % (${shortened(category ?? '')})`;

/** What lines, allowances and charges of a rate add up to, and its taxable amount (BR-S-08 and the like); none, if one isn't known. */
function basesByRate({
	taxes,
	lines,
	lineCount,
	allowances,
}: Pick<EInvoice, 'taxes' | 'lines' | 'lineCount' | 'allowances'>) {
	const parts = [
		...lines.map((one) => ({ ...one, amount: one.netAmount })),
		...allowances.map((one) => ({ ...one, amount: one.amount && (one.isCharge ? one.amount : -one.amount) })),
	];
	const isKnown =
		parts.every(({ category, amount }) => category !== null && amount !== null) &&
		taxes.every(({ category, base }) => category !== null && base !== null);
	if (!isKnown || lines.length === 0 || lines.length < lineCount) return [];
	const byKey = groupBy(parts, rateKey);
	return Object.entries(groupBy(taxes, rateKey)).map(([key, some]) => ({
		key,
		category: some[0].category ?? '',
		computed: sum((byKey[key] ?? []).map(({ amount }) => Number(amount))),
		base: sum(some.map(({ base }) => Number(base))),
	}));
}

const AMOUNT_NAMES = {
	lines: { en: 'the sum of the lines', de: 'die Summe der Positionen' },
	lineTotal: { en: 'the total of the lines', de: 'die Summe aller Positionen' },
	allowances: { en: 'the sum of the allowances', de: 'die Summe der Nachlässe' },
	allowanceTotal: { en: 'their total', de: 'deren Gesamtbetrag' },
	charges: { en: 'the sum of the charges', de: 'die Summe der Zuschläge' },
	chargeTotal: { en: 'their total', de: 'deren Gesamtbetrag' },
	lessAllowances: {
		en: 'the total of the lines, less allowances, with charges,',
		de: 'die Summe der Positionen abzüglich Nachlässe und zuzüglich Zuschläge',
	},
	bases: { en: 'the sum of the taxable amounts', de: 'die Summe der Bemessungsgrundlagen' },
	net: { en: 'the total without tax', de: 'der Gesamtbetrag netto' },
	netAndTax: { en: 'net plus tax', de: 'netto zuzüglich Steuer' },
	gross: { en: 'the total with tax', de: 'der Gesamtbetrag brutto' },
	taxes: { en: 'the sum of the taxes', de: 'die Summe der Steuerbeträge' },
	tax: { en: 'the tax', de: 'die Steuer' },
	rest: { en: 'what is left to pay', de: 'was noch zu zahlen ist,' },
	payable: { en: 'the amount to pay', de: 'der Zahlbetrag' },
};
