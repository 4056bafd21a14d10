/**
 * What keeps an accountant from booking an e-invoice as it is. Sources: EN 16931-1 (the rules' names are its own, in the
 * artifacts of CEN/TC 434), UStG, UStDV, and the letter of the German Ministry of Finance (BMF) of October 15, 2025.
 */
import { compact, filter, groupBy, map, round, uniq, uniqBy } from 'lodash';
import { DateTime } from 'luxon';

import { dayIn, isWrongIban, numberIn, sum } from '../../values';
import type { Bilingual } from '../../values';
import type { EInvoice, Kind, Line, Tax } from './invoice';
import { isGerman, withoutDetails } from './law';
import { shortened, sumOf } from './values';

/** What the tax office calls an error in what an e-invoice says; it is one nevertheless. */
const RULE: Bilingual = {
	en: 'Business-rule error (Geschäftsregelfehler)',
	de: 'Geschäftsregelfehler',
};
/** Profiles of Factur-X that contain too little: in Germany, the PDF is then the invoice. */
const INCOMPLETE_PROFILE = /:(?<profile>minimum|basicwl)$/;
/** The rules of EN 16931 let the calculated tax differ from rate times base by less than this. */
const RATE_TOLERANCE = 1;

/** The most warnings about one invoice; nobody would read more. */
const MAX_WARNINGS = 20;

/** What a person should know before the invoice is booked: what is missing, and what doesn't add up. */
export function warningsAbout(invoice: EInvoice, unreadable: Bilingual[]): Bilingual[] {
	const incomplete = INCOMPLETE_PROFILE.exec(invoice.profile ?? '')?.groups?.profile;
	const isWhole = invoice.syntax !== 'CII' || !incomplete;
	const warnings = uniqBy(
		[
			...unreadable.map(({ en, de }) => ({
				en: `${RULE.en}: in the invoice, ${en}. Check it yourself.`,
				de: `${RULE.de}: In der Rechnung stimmt etwas nicht: ${de}. Bitte selbst prüfen.`,
			})),
			...missing(invoice),
			...aboutItsKind(invoice),
			...(isWhole ? [...taxProblems(invoice), ...withoutDetails(invoice)] : [onlyPdfCounts(incomplete!)]),
			...differences(invoice),
			...aboutPayment(invoice),
			...aboutDays(invoice),
		],
		'en',
	);
	const more = warnings.length - MAX_WARNINGS;
	return more > 0
		? [
				...warnings.slice(0, MAX_WARNINGS),
				{ en: `There are ${more} more warnings.`, de: `Es gibt ${more} weitere Warnungen.` },
			]
		: warnings;
}

const onlyPdfCounts = (profile: string): Bilingual => {
	const name = profile === 'minimum' ? 'MINIMUM' : 'BASIC WL';
	return {
		en: `The XML has the profile ${name}, which in Germany isn't an invoice by itself: the PDF counts.`,
		de: `Das XML hat das Profil ${name} und ist in Deutschland für sich allein keine Rechnung: Es gilt das PDF.`,
	};
};

const REQUIRED = [
	['number', { en: 'invoice number', de: 'Rechnungsnummer' }],
	['issueDate', { en: 'invoice date', de: 'Rechnungsdatum' }],
	['currency', { en: 'currency', de: 'Währung' }],
	['grossAmount', { en: 'total with tax', de: 'Gesamtbetrag brutto' }],
	['netAmount', { en: 'total without tax', de: 'Gesamtbetrag netto' }],
] as const;

function missing(invoice: EInvoice): Bilingual[] {
	const what: Bilingual[] = REQUIRED.filter(([field]) => invoice[field] === null).map(([, text]) => text);
	if (invoice.seller.name === null) what.push({ en: "seller's name", de: 'Name des Verkäufers' });
	if (invoice.buyer.name === null) what.push({ en: "buyer's name", de: 'Name des Käufers' });
	if (what.length === 0) return [];
	return [
		{
			en: `${RULE.en}: missing or unreadable in the invoice: ${listed(what, 'en')}. Check it yourself.`,
			de: `${RULE.de}: In der Rechnung fehlt oder ist nicht lesbar: ${listed(what, 'de')}. Bitte selbst prüfen.`,
		},
	];
}

const listed = (texts: Bilingual[], language: keyof Bilingual) =>
	texts.map(({ [language]: text }) => text).join(', ');

/** Compares what the invoice adds up to with what it says (BR-CO-10 to BR-CO-17). */
function differences({ currency, ...invoice }: EInvoice): Bilingual[] {
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
		compare('BR-CO-10', WORDS.lines, ofLines, WORDS.lineTotal, lineTotal);
	for (const [rule, isCharge, total, what, name] of [
		['BR-CO-11', false, allowanceTotal, WORDS.allowances, WORDS.allowanceTotal],
		['BR-CO-12', true, chargeTotal, WORDS.charges, WORDS.chargeTotal],
	] as const) {
		const computed = sumOf(map(filter(allowances, { isCharge }), 'amount'));
		if (total !== null && computed !== null && computed !== total) compare(rule, what, computed, name, total);
	}
	if (lineTotal !== null && net !== null) {
		const computed = sum([lineTotal, 0 - (allowanceTotal ?? 0), chargeTotal ?? 0]);
		if (computed !== net) compare('BR-CO-13', WORDS.lessAllowances, computed, WORDS.net, net);
	}
	const ofBases = sumOf(map(taxes, 'base'));
	// A tax without a category is none of EN 16931: its base may be in others, too.
	const areVat = taxes.every(({ category }) => category !== null);
	if (net !== null && areVat && ofBases !== null && ofBases !== net)
		compare('BR-…-08', WORDS.bases, ofBases, WORDS.net, net);
	for (const { key, category, computed, base } of basesByRate({ ...invoice, taxes })) {
		const difference = Math.abs(sum([computed, -base]));
		if (difference === 0 || (TAXED.includes(category) && difference < RATE_TOLERANCE)) continue;
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
		compare('BR-CO-15', WORDS.netAndTax, withTax, WORDS.gross, gross);
	const ofTaxes = sumOf(map(taxes, 'amount'));
	if (tax !== null && ofTaxes !== null && ofTaxes !== tax)
		compare('BR-CO-14', WORDS.taxes, ofTaxes, WORDS.tax, tax);
	for (const { rate, base, amount } of taxes) {
		if (rate === null || base === null || amount === null) continue;
		const computed = taxOf(base, rate);
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
			compare('BR-CO-16', WORDS.rest, computed, WORDS.payable, payable);
	}
	return warnings;
}

/** The tax on an amount, rounded half away from zero. */
function taxOf(base: number, rate: number): number {
	// Without the digits that binary fractions get wrong.
	const exact = Number(((Math.abs(base) * rate) / 100).toPrecision(15));
	return Math.sign(base) * round(exact, 2);
}

type Rated = Pick<Tax, 'category' | 'rate'>;
/** A category without tax has one taxable amount, whatever rates its lines have. */
const keyOf = ({ category, rate }: Rated) =>
	`${TAXED.includes(category ?? '') ? (rate ?? 0) : 0} % (${shortened(category ?? '')})`;

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
	const byKey = groupBy(parts, keyOf);
	return Object.entries(groupBy(taxes, keyOf)).map(([key, some]) => ({
		key,
		category: some[0].category ?? '',
		computed: sum((byKey[key] ?? []).map(({ amount }) => Number(amount))),
		base: sum(some.map(({ base }) => Number(base))),
	}));
}

const WORDS = {
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

const moneyIn =
	(currency: string | null) =>
	(amount: number): Bilingual => {
		const code = currency ? ` ${shortened(currency)}` : '';
		const en = amount.toFixed(Math.max(2, decimalsOf(amount)));
		return { en: en + code, de: numberIn('de', amount, 2) + code };
	};
const decimalsOf = (amount: number) => String(amount).split('.')[1]?.length ?? 0;
const rateText = (rate: number) => String(rate).replace('.', ',');

/** UNTDID 5305: what the categories are; IC is what ZUGFeRD 1 calls K. */
const CATEGORIES: Record<string, Bilingual> = {
	S: { en: 'taxed', de: 'steuerpflichtig' },
	AE: { en: 'reverse charge (§ 13b UStG)', de: 'Steuerschuldnerschaft des Leistungsempfängers, § 13b UStG' },
	K: { en: 'a supply within the EU', de: 'innergemeinschaftliche Lieferung' },
	IC: { en: 'a supply within the EU', de: 'innergemeinschaftliche Lieferung' },
	E: { en: 'exempt from tax', de: 'steuerfrei' },
	G: { en: 'an export', de: 'Ausfuhr' },
	Z: { en: 'a rate of 0 %', de: 'Steuersatz 0 %' },
	O: { en: 'outside the scope of VAT', de: 'nicht steuerbar' },
	B: { en: 'taxed in Italy, paid by the buyer', de: 'Italien: Steuer zahlt der Käufer' },
	L: { en: 'taxed on the Canary Islands', de: 'Kanarische Inseln' },
	M: { en: 'taxed in Ceuta and Melilla', de: 'Ceuta und Melilla' },
};
/** Those for which the buyer owes the tax. */
const OWED_BY_BUYER = ['AE', 'K', 'IC'];
/** Those with tax. */
const TAXED = ['S', 'B', 'L', 'M'];
/** These need a reason in words or a code (BR-AE-10, BR-E-10, …), and what of the law asks for it, too. */
const EXEMPTION: Bilingual = { en: ', § 14 (4) no. 8 UStG', de: ', § 14 Abs. 4 Nr. 8 UStG' };
const WITH_REASON: Record<string, Bilingual> = {
	AE: { en: ', § 14a (5) UStG', de: ', § 14a Abs. 5 UStG' },
	K: EXEMPTION,
	IC: EXEMPTION,
	E: EXEMPTION,
	G: EXEMPTION,
	O: { en: '', de: '' },
};

/** A line, allowance or charge; each has a rule of its own. */
type Part = Pick<Line, 'category' | 'rate'> & { place: 0 | 1 | 2 };

/** What the tax categories of EN 16931 forbid. */
function taxProblems(invoice: EInvoice): Bilingual[] {
	const { taxes, currency } = invoice;
	const money = moneyIn(currency);
	const warnings: Bilingual[] = [];
	const broken = (en: string, de: string) =>
		warnings.push({ en: `${RULE.en}: ${en}`, de: `${RULE.de}: ${de}` });
	if (taxes.length === 0)
		broken(
			'it has no breakdown of the tax by rate (BR-CO-18). Ask for a corrected invoice.',
			'Die Aufschlüsselung der Steuer nach Sätzen fehlt (BR-CO-18). Bitte eine berichtigte Rechnung anfordern.',
		);
	// Taxed where there must be none.
	const shown = taxes.filter(({ category, rate, amount }) => hasNoTax(category) && (rate || amount));
	for (const [category, some] of Object.entries(groupBy(shown, 'category'))) {
		const { en, de } = CATEGORIES[category];
		const tax = money(sum(some.map(({ amount }) => amount ?? 0)));
		const rates = compact(some.map(({ rate }) => rate)).map((rate) => `${rateText(rate)} %`);
		const rate = rates.length > 0 ? rates.join(', ') : '';
		const [owed, geschuldet] = isGerman(invoice)
			? [
					" The seller owes the tax that is shown (§ 14c (1) UStG), and it can't be deducted: ask for a corrected invoice.",
					' Die ausgewiesene Steuer schuldet der Verkäufer nach § 14c Abs. 1 UStG, sie ist nicht als Vorsteuer abziehbar: Bitte eine berichtigte Rechnung anfordern.',
				]
			: [
					" It can't be deducted: ask for a corrected invoice.",
					' Sie ist nicht als Vorsteuer abziehbar: Bitte eine berichtigte Rechnung anfordern.',
				];
		broken(
			`category ${category} is ${en}, but tax is shown (${[rate.replaceAll(',', '.'), tax.en].filter(Boolean).join(', ')}; BR-${ruleOf(category)}-05, -09).${owed}`,
			`Kategorie ${category} heißt ${de}, trotzdem ist Steuer ausgewiesen (${[rate, tax.de].filter(Boolean).join(', ')}; BR-${ruleOf(category)}-05, -09).${geschuldet}`,
		);
	}
	const parts: Part[] = [
		...invoice.lines.map((one) => ({ ...one, place: 0 as const })),
		...invoice.allowances.map((one) => ({ ...one, place: one.isCharge ? (2 as const) : (1 as const) })),
	];
	const odd = parts.filter(
		({ category, rate }) => hasNoTax(category) && rate && !shown.some((one) => one.category === category),
	);
	for (const category of categoriesOf(odd)) {
		const rules = rulesOf(category, odd, 5);
		broken(
			`lines of category ${named(category, 'en')} have a tax rate (${rules}). Ask the sender what is meant.`,
			`Positionen der Kategorie ${named(category, 'de')} haben einen Steuersatz (${rules}). Beim Absender nachfragen, was gemeint ist.`,
		);
	}
	const isZero = ({ category, rate }: Rated) => category === 'S' && rate !== null && rate <= 0;
	const zero = [...taxes, ...parts].find(isZero);
	if (zero) {
		const rules = rulesOf('S', parts.filter(isZero), 5) || 'BR-S-05';
		broken(
			`category S (taxed) has a rate of ${zero.rate} % (${rules}): it doesn’t say why there is no tax. Ask for a corrected invoice.`,
			`Kategorie S (steuerpflichtig) hat den Steuersatz ${rateText(zero.rate!)} % (${rules}): Warum keine Steuer anfällt, steht nicht da. Bitte eine berichtigte Rechnung anfordern.`,
		);
	}
	const listedCategories = categoriesOf(taxes);
	const unlisted = categoriesOf(parts).filter((one) => isCategory(one) && !listedCategories.includes(one));
	if (taxes.length > 0 && unlisted.length > 0) {
		const list = unlisted.map((one) => `${one} (BR-${ruleOf(one)}-01)`).join(', ');
		broken(
			`lines have a tax category that the breakdown lacks: ${list}. Ask the sender.`,
			`Positionen haben eine Steuerkategorie, die in der Aufschlüsselung fehlt: ${list}. Beim Absender nachfragen.`,
		);
	}
	const all = categoriesOf([...taxes, ...parts]);
	const unknown = all.filter((one) => !isCategory(one));
	if (unknown.length > 0)
		broken(
			`the tax category ${unknown.map(shortened).join(', ')} doesn’t exist (BR-CL-17). Ask the sender.`,
			`Die Steuerkategorie ${unknown.map(shortened).join(', ')} gibt es nicht (BR-CL-17). Beim Absender nachfragen.`,
		);
	for (const category of categoriesOf(
		taxes.filter((one) => Object.hasOwn(WITH_REASON, one.category ?? '') && !one.exemptionReason),
	)) {
		const { [category]: law } = WITH_REASON;
		broken(
			`category ${named(category, 'en')} gives no reason (BR-${ruleOf(category)}-10${law.en}). Ask for a corrected invoice.`,
			`Zur Kategorie ${named(category, 'de')} fehlt der Grund (BR-${ruleOf(category)}-10${law.de}). Bitte eine berichtigte Rechnung anfordern.`,
		);
	}
	for (const category of categoriesOf(taxes.filter((one) => isTaxed(one) && one.exemptionReason)))
		broken(
			`category ${named(category, 'en')} gives a reason why there is no tax (BR-${ruleOf(category)}-10). Ask the sender which is right.`,
			`Zur Kategorie ${named(category, 'de')} steht ein Grund, warum keine Steuer anfällt (BR-${ruleOf(category)}-10). Beim Absender nachfragen, was gilt.`,
		);
	if (all.includes('O') && all.length > 1)
		broken(
			'category O (outside the scope of VAT) stands beside other categories (BR-O-11 to -14). Check what is taxed.',
			'Die Kategorie O (nicht steuerbar) steht neben anderen (BR-O-11 bis -14). Prüfen, was zu versteuern ist.',
		);
	warnings.push(...aboutIds(invoice, parts));
	const owed = taxes.filter((one) => OWED_BY_BUYER.includes(one.category ?? '') && !one.amount);
	if (owed.length > 0)
		warnings.push({
			en: 'The buyer owes tax that is not in the amounts (Steuerschuldnerschaft des Leistungsempfängers, innergemeinschaftlicher Erwerb).',
			de: 'Der Käufer schuldet Steuer, die nicht in den Beträgen steckt (Steuerschuldnerschaft des Leistungsempfängers, innergemeinschaftlicher Erwerb).',
		});
	return warnings;
}

const IDS = {
	sellerVatId: { en: "the seller's VAT ID", de: 'die USt-IdNr. des Verkäufers' },
	buyerVatId: { en: "the buyer's VAT ID", de: 'die USt-IdNr. des Käufers' },
	representative: { en: "his tax representative's VAT ID", de: 'die USt-IdNr. seines Fiskalvertreters' },
	sellerId: { en: "the seller's VAT ID or tax number", de: 'USt-IdNr. oder Steuernummer des Verkäufers' },
	buyerId: { en: "the buyer's VAT ID or register number", de: 'USt-IdNr. oder Registernummer des Käufers' },
};

/** VAT IDs that a category asks for, or excludes (BR-AE-02 to -04 and the like). What a German seller's tax needs, the law tells. */
function aboutIds(invoice: EInvoice, parts: Part[]): Bilingual[] {
	const { seller, buyer, taxRepresentativeVatId: representative } = invoice;
	const vatId = seller.vatId ?? representative;
	const isToldByLaw = (category: string) => isGerman(invoice) && TAXED.includes(category);
	const said = (ids: Array<keyof typeof IDS | false>, language: keyof Bilingual) =>
		compact(ids)
			.map((id) => IDS[id][language])
			.join(', ');
	return categoriesOf(parts).flatMap((category) => {
		const rules = rulesOf(category, parts, 2);
		if (category === 'O') {
			const there: Array<keyof typeof IDS | false> = [
				seller.vatId !== null && 'sellerVatId',
				representative !== null && 'representative',
				buyer.vatId !== null && 'buyerVatId',
			];
			return there.some(Boolean)
				? {
						en: `${RULE.en}: category O (outside the scope of VAT) excludes VAT IDs, but there is ${said(there, 'en')} (${rules}). Ask the sender which category is right.`,
						de: `${RULE.de}: Die Kategorie O (nicht steuerbar) schließt USt-IdNrn. aus, es gibt aber ${said(there, 'de')} (${rules}). Beim Absender nachfragen, welche Kategorie stimmt.`,
					}
				: [];
		}
		const isWithinEu = ruleOf(category) === 'IC';
		const needsVatId = isWithinEu || category === 'G';
		const lacking: Array<keyof typeof IDS | false> = [
			needsVatId && vatId === null && 'sellerVatId',
			!needsVatId && !isToldByLaw(category) && (vatId ?? seller.taxNumber) === null && 'sellerId',
			isWithinEu && buyer.vatId === null && 'buyerVatId',
			category === 'AE' && buyer.vatId === null && buyer.ids.length === 0 && 'buyerId',
		];
		if (!isCategory(category) || !lacking.some(Boolean)) return [];
		const [en, de] = isWithinEu ? [', § 14a (3) UStG', ', § 14a Abs. 3 UStG'] : ['', ''];
		return {
			en: `${RULE.en}: category ${named(category, 'en')} asks for ${said(lacking, 'en')} (${rules}${en}). Ask for a corrected invoice.`,
			de: `${RULE.de}: Zur Kategorie ${named(category, 'de')} fehlt ${said(lacking, 'de')} (${rules}${de}). Bitte eine berichtigte Rechnung anfordern.`,
		};
	});
}

const isCategory = (category: string) => Object.hasOwn(CATEGORIES, category);
const isTaxed = ({ category }: Pick<Tax, 'category'>) => TAXED.includes(category ?? '');
const hasNoTax = (category: string | null) =>
	category !== null && isCategory(category) && !TAXED.includes(category);
const named = (category: string, language: keyof Bilingual) =>
	`${category} (${CATEGORIES[category][language]})`;
/** How the names of the rules call a category, where they don't use its code. */
const RULE_NAMES: Record<string, string> = { K: 'IC', L: 'AF', M: 'AG' };
const ruleOf = (category: string) =>
	Object.hasOwn(RULE_NAMES, category) ? RULE_NAMES[category] : shortened(category);
/** The rules of a category for lines, allowances and charges, of which the first has this number: `BR-AE-05, -07`. */
function rulesOf(category: string, parts: Part[], first: number): string {
	const places = map(filter(parts, { category }), 'place');
	const numbers = [0, 1, 2]
		.filter((place) => places.some((one) => one === place))
		.map((place) => `-0${first + place}`);
	return numbers.length > 0 ? `BR-${ruleOf(category)}${numbers.join(', ')}` : '';
}
const categoriesOf = (some: Array<Pick<Tax, 'category'>>): string[] => uniq(compact(map(some, 'category')));

const KINDS: Partial<Record<Kind, Bilingual>> = {
	correction: {
		en: 'This is a corrected invoice (Rechnungskorrektur, 384), and no credit note: it replaces or changes an earlier one, which may be booked already.',
		de: 'Das ist eine Rechnungskorrektur (384), keine Gutschrift: Sie ersetzt oder ändert eine frühere Rechnung, die vielleicht schon gebucht ist.',
	},
	selfBilled: {
		en: 'This is a self-billed invoice (Gutschrift im Sinne des UStG): the buyer wrote it, and it is the seller who earns the amount.',
		de: 'Das ist eine Gutschrift im Sinne des UStG (389): Der Käufer hat sie ausgestellt, den Betrag bekommt der Verkäufer.',
	},
	prepayment: {
		en: 'This is a prepayment invoice (Anzahlungsrechnung, 386): book it as a payment on account; the final invoice deducts it.',
		de: 'Das ist eine Anzahlungsrechnung (386): als geleistete Anzahlung buchen; die Schlussrechnung zieht sie ab.',
	},
	partial: {
		en: 'This is a partial invoice (Abschlagsrechnung, 326 or 875): book it as a payment on account, unless the part is accepted; the final invoice deducts it.',
		de: 'Das ist eine Abschlags- oder Teilrechnung (326, 875): als geleistete Anzahlung buchen, solange der Teil nicht abgenommen ist; die Schlussrechnung zieht sie ab.',
	},
	final: {
		en: 'This is a final invoice (Schlussrechnung, 876 or 877): prepayments and their tax must be deducted in it, and may be booked already.',
		de: 'Das ist eine (Teil-)Schlussrechnung (876, 877): Anzahlungen und deren Steuer müssen darin abgesetzt sein und sind vielleicht schon gebucht.',
	},
};
/** UNTDID 1001: types that need a word of their own. */
const TYPES = new Map<string, Bilingual>(
	Object.entries({
		261: {
			en: 'The buyer wrote this credit note (self-billed credit note, 261).',
			de: 'Diese Gutschrift hat der Käufer ausgestellt (261).',
		},
		325: {
			en: 'This is a proforma invoice (Proformarechnung): it is not booked; the invoice itself is.',
			de: 'Das ist eine Proformarechnung (325): Sie wird nicht gebucht, gebucht wird die Rechnung selbst.',
		},
		393: {
			en: 'This invoice was sold to a factor (factored invoice, 393): pay only the factor.',
			de: 'Diese Rechnung ist an einen Factor verkauft (393): Nur an den Factor zahlen.',
		},
		751: {
			en: 'This is information for accounting (751), and not an invoice by itself: the tax office takes no input tax from it.',
			de: 'Das ist nur eine Buchungsinformation (751) und für sich allein keine Rechnung: Sie berechtigt nicht zum Vorsteuerabzug.',
		},
	}),
);

function aboutItsKind({ kind, typeCode, grossAmount, currency, ...invoice }: EInvoice): Bilingual[] {
	const money = moneyIn(currency);
	const gross = grossAmount ?? 0;
	const type = TYPES.get(typeCode ?? '');
	const warnings = compact([KINDS[kind], type]);
	if (kind === 'other' && !type)
		warnings.push({
			en: `Its type (${shortened(typeCode ?? 'none')}) is unusual for an invoice: look at it before you book it.`,
			de: `Die Rechnungsart (${shortened(typeCode ?? 'keine')}) ist ungewöhnlich: Vor dem Buchen ansehen.`,
		});
	if (kind === 'creditNote' && gross >= 0)
		warnings.push({
			en: 'This is a credit note (kaufmännische Gutschrift, Rechnungskorrektur): its amounts are positive, but reduce what is owed.',
			de: 'Das ist eine kaufmännische Gutschrift (Rechnungskorrektur): Ihre Beträge sind positiv, mindern aber die Schuld.',
		});
	if (kind === 'creditNote' && gross < 0) {
		const { en, de } = money(-gross);
		warnings.push({
			en: `This is a credit note (kaufmännische Gutschrift, Rechnungskorrektur) with negative amounts: by the standard, it means that the buyer owes ${en} more, but most programs that write it mean that the seller owes this amount. Ask which way the money goes.`,
			de: `Das ist eine kaufmännische Gutschrift (Rechnungskorrektur) mit negativen Beträgen: Nach der Norm schuldet dann der Käufer ${de} mehr, die meisten Programme meinen aber, dass der Verkäufer diesen Betrag schuldet. Nachfragen, in welche Richtung das Geld fließt.`,
		});
	}
	if (kind !== 'creditNote' && gross < 0)
		warnings.push({
			en: 'The total is negative: the seller owes you this amount, although it is no credit note.',
			de: 'Der Gesamtbetrag ist negativ: Der Verkäufer schuldet diesen Betrag, obwohl es keine Gutschrift ist.',
		});
	if (invoice.prepaidAmount) {
		const { en, de } = money(invoice.prepaidAmount);
		warnings.push({
			en: `${en} of the total with tax is paid already, and may be booked already, with its input tax.`,
			de: `${de} des Gesamtbetrags sind schon gezahlt und vielleicht schon gebucht, samt Vorsteuer.`,
		});
	}
	return warnings;
}

/** A name as people write it differently. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function aboutPayment({ seller, payeeName, iban, dueDates }: EInvoice): Bilingual[] {
	const warnings: Bilingual[] = [];
	if (payeeName !== null && plain(payeeName) !== plain(seller.name ?? ''))
		warnings.push({
			en: `The money goes to somebody else than the seller: ${shortened(payeeName)}. Make sure that this is right before you pay.`,
			de: `Zahlungsempfänger ist nicht der Verkäufer, sondern ${shortened(payeeName)}. Vor der Zahlung prüfen, ob das stimmt.`,
		});
	if (iban !== null && isWrongIban(iban))
		warnings.push({
			en: "The IBAN's check digits are wrong: don't pay to it, and ask the seller at a number that you know.",
			de: 'Die Prüfziffern der IBAN sind falsch: Nicht dorthin zahlen und den Verkäufer unter einer bekannten Nummer fragen.',
		});
	if (dueDates.length > 1)
		warnings.push({
			en: `It is due on several days: ${dueDates.slice(0, 5).join(', ')}. Ask the seller how much is due on which.`,
			de: `Es gibt mehrere Fälligkeiten: ${dueDates
				.slice(0, 5)
				.map((day) => dayIn('de', day))
				.join(', ')}. Prüfen, welcher Betrag wann fällig ist.`,
		});
	return warnings;
}

function aboutDays({ issueDate, dueDate }: EInvoice): Bilingual[] {
	const warnings: Bilingual[] = [];
	// A day later, it is tomorrow somewhere.
	if (issueDate !== null && issueDate > DateTime.utc().plus({ days: 1 }).toISODate())
		warnings.push({
			en: `It is issued in the future: ${issueDate}. Check the day before you book it.`,
			de: `Das Rechnungsdatum liegt in der Zukunft: ${dayIn('de', issueDate)}. Vor dem Buchen prüfen.`,
		});
	if (issueDate !== null && dueDate !== null && dueDate < issueDate)
		warnings.push({
			en: `It is due (${dueDate}) before it was issued (${issueDate}). Check both days.`,
			de: `Sie ist fällig (${dayIn('de', dueDate)}), bevor sie ausgestellt ist (${dayIn('de', issueDate)}). Beide Tage prüfen.`,
		});
	return warnings;
}
