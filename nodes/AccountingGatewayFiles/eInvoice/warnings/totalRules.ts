/** What the amounts of an invoice add up to, and what it says (EN 16931-1, BR-CO-10 to BR-CO-17). */
import { filter, map } from 'lodash';

import { both, sum } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import { countedLines } from '../invoice';
import type { EInvoice } from '../invoice';
import { sumOf } from '../values';
import { isExtended } from './rule';
import type { Broken, Rule } from './rule';
import { ASK, moneyIn, rateText } from './wording';

/** To the cent as CEN's rules round (XPath's `round`): half a cent up. */
export const rounded = (amount: number): number =>
	// Without the digits that binary fractions get wrong.
	Math.floor(Number((amount * 100).toPrecision(15)) + 0.5) / 100;

/** Says what an amount should be, unless it is, or the difference is below the tolerance (or, in EXTENDED, no more than it). */
export function compare(
	{ currency }: Pick<EInvoice, 'currency'>,
	what: Bilingual,
	computed: number,
	name: Bilingual,
	stated: number,
	isWithin: (difference: number) => boolean = (difference) => difference === 0,
): Broken[] {
	if (isWithin(Math.abs(sum([computed, -stated])))) return [];
	const money = moneyIn(currency);
	const [is, given] = [money(computed), money(stated)];
	return [
		{
			is: both(
				`the amounts don't add up: ${what.en} is ${is.en}, but ${name.en} is given as ${given.en}`,
				`Die Beträge passen nicht zusammen: ${what.de} ergibt ${is.de}, angegeben ist ${name.de} mit ${given.de}`,
			),
		},
	];
}

/** EXTENDED allows a cent for each amount that was rounded by itself; EN 16931 none. */
export const aCentEach =
	(invoice: EInvoice, amounts: number) =>
	(difference: number): boolean =>
		difference <= (isExtended(invoice) ? rounded(0.01 * amounts) : 0);

const lineAmounts = (invoice: EInvoice): Array<number | null> => map(countedLines(invoice), 'netAmount');
const areAllLines = ({ lines, lineCount }: EInvoice): boolean => lines.length === lineCount;
const amountsIn = (invoice: EInvoice): number => countedLines(invoice).length + invoice.allowances.length;

/** Allowances or charges of the invoice as a whole (BR-CO-11, -12). */
function ofAllowances(invoice: EInvoice, isCharge: boolean): Broken[] {
	const some = filter(invoice.allowances, { isCharge });
	const total = isCharge ? invoice.chargeTotal : invoice.allowanceTotal;
	const computed = some.length === 0 ? 0 : sumOf(map(some, 'amount'));
	if (computed === null || (total === null && some.length === 0)) return [];
	const what = isCharge ? AMOUNT_NAMES.charges : AMOUNT_NAMES.allowances;
	return compare(
		invoice,
		what,
		rounded(computed),
		AMOUNT_NAMES.their,
		total ?? 0,
		aCentEach(invoice, some.length),
	);
}

/** The tax on an amount, rounded half away from zero, as the rules do by taking amounts without their sign. */
export const taxOn = (base: number, rate: number): number =>
	Math.sign(base) * rounded(Number(((Math.abs(base) * rate) / 100).toPrecision(15)));

/** Whether the tax of a rate is as far from it as BR-S-09 doesn't allow. */
export const isTaxOff = (base: number, rate: number, tax: number): boolean =>
	taxDifference(base, rate, tax) >= 1;
const taxDifference = (base: number, rate: number, tax: number) => Math.abs(sum([taxOn(base, rate), -tax]));

export const taxDiffers = (invoice: EInvoice, base: number, rate: number, tax: number): Broken[] => {
	const { en, de } = moneyIn(invoice.currency)(base);
	return compare(
		invoice,
		both(`${rate} % of ${en}`, `${rateText(rate)} % von ${de}`),
		taxOn(base, rate),
		AMOUNT_NAMES.thatTax,
		tax,
	);
};

export const TOTAL_RULES: Rule[] = [
	{
		id: 'BR-CO-10',
		extended: 'BR-FXEXT-CO-10',
		broken: (invoice) => {
			const { lineTotal } = invoice;
			const computed = areAllLines(invoice) ? sumOf(lineAmounts(invoice)) : null;
			return lineTotal === null || computed === null
				? []
				: compare(
						invoice,
						AMOUNT_NAMES.lines,
						rounded(computed),
						AMOUNT_NAMES.lineTotal,
						lineTotal,
						aCentEach(invoice, lineAmounts(invoice).length),
					);
		},
		then: ASK,
	},
	{
		id: 'BR-CO-11',
		extended: 'BR-FXEXT-CO-11',
		broken: (invoice) => ofAllowances(invoice, false),
		then: ASK,
	},
	{ id: 'BR-CO-12', extended: 'BR-FXEXT-CO-12', broken: (invoice) => ofAllowances(invoice, true), then: ASK },
	{
		id: 'BR-CO-13',
		extended: 'BR-FXEXT-CO-13',
		broken: (invoice) => {
			const { lineTotal, allowanceTotal, chargeTotal, netAmount } = invoice;
			if (lineTotal === null || netAmount === null) return [];
			const computed = sum([lineTotal, 0 - (allowanceTotal ?? 0), chargeTotal ?? 0]);
			return compare(
				invoice,
				AMOUNT_NAMES.lessAllowances,
				rounded(computed),
				AMOUNT_NAMES.net,
				netAmount,
				aCentEach(invoice, amountsIn(invoice)),
			);
		},
		then: ASK,
	},
	{
		id: 'BR-CO-14',
		broken: (invoice) => {
			const { taxAmount, taxes } = invoice;
			const computed = sumOf(map(taxes, 'amount'));
			return taxAmount === null || computed === null
				? []
				: compare(invoice, AMOUNT_NAMES.taxes, rounded(computed), AMOUNT_NAMES.tax, taxAmount);
		},
		then: ASK,
	},
	{
		id: 'BR-CO-15',
		extended: 'BR-FXEXT-CO-15',
		broken: (invoice) => {
			const { netAmount, taxAmount, grossAmount } = invoice;
			return netAmount === null || grossAmount === null
				? []
				: compare(
						invoice,
						taxAmount === null ? AMOUNT_NAMES.netWithoutTax : AMOUNT_NAMES.netAndTax,
						rounded(sum([netAmount, taxAmount ?? 0])),
						AMOUNT_NAMES.gross,
						grossAmount,
						aCentEach(invoice, amountsIn(invoice)),
					);
		},
		then: ASK,
	},
	{
		id: 'BR-CO-16',
		extended: 'BR-FXEXT-CO-16',
		broken: (invoice) => {
			const { grossAmount, prepaidAmount, roundingAmount, thirdPartyAmount, payableAmount } = invoice;
			// The profile MINIMUM doesn't say what was paid in advance.
			if (grossAmount === null || payableAmount === null || invoice.profile?.endsWith(':minimum')) return [];
			const parts = [grossAmount, -(prepaidAmount ?? 0), roundingAmount ?? 0, thirdPartyAmount ?? 0];
			return compare(invoice, AMOUNT_NAMES.rest, rounded(sum(parts)), AMOUNT_NAMES.payable, payableAmount);
		},
		then: ASK,
	},
	{
		id: 'BR-CO-17',
		extended: null,
		broken: (invoice) =>
			invoice.taxes.flatMap(({ rate, base, amount }) =>
				rate !== null &&
				base !== null &&
				amount !== null &&
				taxDifference(base, rate, amount) >= 1 &&
				// In CII, CEN's rule takes a difference of 1.00, too.
				(invoice.syntax === 'UBL' || taxDifference(base, rate, amount) > 1)
					? taxDiffers(invoice, base, rate, amount)
					: [],
			),
		then: ASK,
	},
];

const AMOUNT_NAMES = {
	lines: both('the sum of the lines', 'die Summe der Positionen'),
	lineTotal: both('the total of the lines', 'die Summe aller Positionen'),
	allowances: both('the sum of the allowances', 'die Summe der Nachlässe'),
	charges: both('the sum of the charges', 'die Summe der Zuschläge'),
	their: both('their total', 'deren Gesamtbetrag'),
	lessAllowances: both(
		'the total of the lines, less allowances, with charges,',
		'die Summe der Positionen abzüglich Nachlässe und zuzüglich Zuschläge',
	),
	net: both('the total without tax', 'der Gesamtbetrag netto'),
	netAndTax: both('net plus tax', 'netto zuzüglich Steuer'),
	netWithoutTax: both('net (no total of the tax is given)', 'netto (ohne Gesamtbetrag der Steuer)'),
	gross: both('the total with tax', 'der Gesamtbetrag brutto'),
	taxes: both('the sum of the taxes', 'die Summe der Steuerbeträge'),
	tax: both('the tax', 'die Steuer'),
	thatTax: both('that tax', 'diese Steuer'),
	rest: both('what is left to pay', 'was noch zu zahlen ist,'),
	payable: both('the amount to pay', 'der Zahlbetrag'),
};
