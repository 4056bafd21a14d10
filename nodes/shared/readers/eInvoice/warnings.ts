/**
 * What keeps an accountant from booking an e-invoice as it is. Sources: EN 16931-1 (the rules' names are its own, in the
 * artifacts of CEN/TC 434), UStG, UStDV, and the letter of the German Ministry of Finance (BMF) of October 15, 2025.
 */
import { compact, filter, groupBy, map, uniqBy } from 'lodash';
import { DateTime } from 'luxon';

import { dayIn, isWrongIban, numberIn, sum } from '../../values';
import type { Bilingual } from '../../values';
import type { EInvoice, Kind, Tax } from './invoice';
import { withoutDetails } from './law';
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
				de: `${RULE.de}: In der Rechnung ist etwas nicht lesbar: ${de}. Bitte selbst prüfen.`,
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
	const compare = (what: Bilingual, computed: number, name: Bilingual, stated: number) => {
		const [is, given] = [money(computed), money(stated)];
		warnings.push({
			en: `${RULE.en}: the amounts don't add up: ${what.en} is ${is.en}, but ${name.en} is given as ${given.en}. Ask the sender before you book it.`,
			de: `${RULE.de}: Die Beträge passen nicht zusammen: ${what.de} ergibt ${is.de}, angegeben ist ${name.de} mit ${given.de}. Vor dem Buchen beim Absender nachfragen.`,
		});
	};
	const { lineTotal, lines, allowanceTotal, chargeTotal, allowances } = invoice;
	const ofLines = lines.length === invoice.lineCount ? sumOf(map(lines, 'netAmount')) : null;
	if (lineTotal !== null && ofLines !== null && ofLines !== lineTotal)
		compare(WORDS.lines, ofLines, WORDS.lineTotal, lineTotal);
	for (const [isCharge, total, what, name] of [
		[false, allowanceTotal, WORDS.allowances, WORDS.allowanceTotal],
		[true, chargeTotal, WORDS.charges, WORDS.chargeTotal],
	] as const) {
		const computed = sumOf(map(filter(allowances, { isCharge }), 'amount'));
		if (total !== null && computed !== null && computed !== total) compare(what, computed, name, total);
	}
	if (lineTotal !== null && net !== null) {
		const computed = sum([lineTotal, 0 - (allowanceTotal ?? 0), chargeTotal ?? 0]);
		if (computed !== net) compare(WORDS.lessAllowances, computed, WORDS.net, net);
	}
	const ofBases = sumOf(map(taxes, 'base'));
	// A tax without a category is none of EN 16931: its base may be in others, too.
	const areVat = taxes.every(({ category }) => category !== null);
	if (net !== null && areVat && ofBases !== null && ofBases !== net)
		compare(WORDS.bases, ofBases, WORDS.net, net);
	for (const { key, computed, base } of basesByRate({ ...invoice, taxes })) {
		if (Math.abs(computed - base) < RATE_TOLERANCE) continue;
		const [en, de] = [`at ${key}`, `mit ${key.replace('.', ',')}`];
		compare(
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
		compare(WORDS.netAndTax, withTax, WORDS.gross, gross);
	const ofTaxes = sumOf(map(taxes, 'amount'));
	if (tax !== null && ofTaxes !== null && ofTaxes !== tax) compare(WORDS.taxes, ofTaxes, WORDS.tax, tax);
	for (const { rate, base, amount } of taxes) {
		if (rate === null || base === null || amount === null) continue;
		const computed = Number(((base * rate) / 100).toFixed(2));
		if (Math.abs(computed - amount) >= RATE_TOLERANCE) {
			const { en, de } = money(base);
			compare(
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
			compare(WORDS.rest, computed, WORDS.payable, payable);
	}
	return warnings;
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
	const isKnown = [...parts, ...taxes].every(({ category, amount }) => category !== null && amount !== null);
	if (!isKnown || lines.length === 0 || lines.length < lineCount || taxes.some(({ base }) => base === null))
		return [];
	const byKey = groupBy(parts, keyOf);
	return Object.entries(groupBy(taxes, keyOf)).map(([key, some]) => ({
		key,
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

/** UNTDID 5305: the categories without tax, and what they are; IC is what ZUGFeRD 1 calls K. */
const WITHOUT_TAX: Record<string, Bilingual> = {
	AE: { en: 'reverse charge (§ 13b UStG)', de: 'Steuerschuldnerschaft des Leistungsempfängers, § 13b UStG' },
	K: { en: 'a supply within the EU', de: 'innergemeinschaftliche Lieferung' },
	IC: { en: 'a supply within the EU', de: 'innergemeinschaftliche Lieferung' },
	E: { en: 'exempt from tax', de: 'steuerfrei' },
	G: { en: 'an export', de: 'Ausfuhr' },
	Z: { en: 'a rate of 0 %', de: 'Steuersatz 0 %' },
	O: { en: 'outside the scope of VAT', de: 'nicht steuerbar' },
};
/** Those for which the buyer owes the tax. */
const OWED_BY_BUYER = ['AE', 'K', 'IC'];
/** Those with tax: standard, split payment in Italy, and the taxes of the Canary Islands, Ceuta and Melilla. */
const TAXED = ['S', 'B', 'L', 'M'];
/** These need a reason in words or a code (BR-AE-10, BR-E-10, …); § 14 (4) no. 8 UStG asks for it, too. */
const WITH_REASON = ['AE', 'K', 'IC', 'E', 'G', 'O'];

/** What the tax categories of EN 16931 forbid. */
function taxProblems({ taxes, lines, allowances, currency, ...invoice }: EInvoice): Bilingual[] {
	const money = moneyIn(currency);
	const warnings: Bilingual[] = [];
	const broken = (en: string, de: string) =>
		warnings.push({ en: `${RULE.en}: ${en}`, de: `${RULE.de}: ${de}` });
	if (taxes.length === 0 && invoice.grossAmount !== null)
		broken(
			'it has no breakdown of the tax by rate (BR-CO-18). Ask for a corrected invoice.',
			'Die Aufschlüsselung der Steuer nach Sätzen fehlt (BR-CO-18). Bitte eine berichtigte Rechnung anfordern.',
		);
	// Taxed where there must be none.
	const shown = taxes.filter(({ category, rate, amount }) => hasNoTax(category) && (rate || amount));
	for (const [category, some] of Object.entries(groupBy(shown, 'category'))) {
		const { en, de } = WITHOUT_TAX[category];
		const tax = money(sum(some.map(({ amount }) => amount ?? 0)));
		const rates = compact(some.map(({ rate }) => rate)).map((rate) => `${rateText(rate)} %`);
		const rate = rates.length > 0 ? rates.join(', ') : '';
		broken(
			`category ${category} is ${en}, but tax is shown (${[rate.replaceAll(',', '.'), tax.en].filter(Boolean).join(', ')}; BR-${ruleOf(category)}-05, -09). The seller owes the tax that is shown (§ 14c (1) UStG), and it can't be deducted: ask for a corrected invoice.`,
			`Kategorie ${category} heißt ${de}, trotzdem ist Steuer ausgewiesen (${[rate, tax.de].filter(Boolean).join(', ')}; BR-${ruleOf(category)}-05, -09). Die ausgewiesene Steuer schuldet der Verkäufer nach § 14c Abs. 1 UStG, sie ist nicht als Vorsteuer abziehbar: Bitte eine berichtigte Rechnung anfordern.`,
		);
	}
	const parts = [...lines, ...allowances];
	const odd = parts.filter(
		({ category, rate }) => hasNoTax(category) && rate && !shown.some((one) => one.category === category),
	);
	for (const category of categoriesOf(odd))
		broken(
			`lines of category ${category} (${WITHOUT_TAX[category].en}) have a tax rate (BR-${ruleOf(category)}-05). Ask the sender what is meant.`,
			`Positionen der Kategorie ${category} (${WITHOUT_TAX[category].de}) haben einen Steuersatz (BR-${ruleOf(category)}-05). Beim Absender nachfragen, was gemeint ist.`,
		);
	const zero = [...taxes, ...parts].find(
		({ category, rate }) => category === 'S' && rate !== null && rate <= 0,
	);
	if (zero)
		broken(
			`category S (taxed) has a rate of ${zero.rate} % (BR-S-05): it doesn’t say why there is no tax. Ask for a corrected invoice.`,
			`Kategorie S (steuerpflichtig) hat den Steuersatz ${rateText(zero.rate!)} % (BR-S-05): Warum keine Steuer anfällt, steht nicht da. Bitte eine berichtigte Rechnung anfordern.`,
		);
	const listedCategories = categoriesOf(taxes);
	const unlisted = categoriesOf(parts).filter((one) => !listedCategories.includes(one));
	if (taxes.length > 0 && unlisted.length > 0)
		broken(
			`lines have a tax category that the breakdown lacks: ${unlisted.map(shortened).join(', ')} (BR-…-01). Ask the sender.`,
			`Positionen haben eine Steuerkategorie, die in der Aufschlüsselung fehlt: ${unlisted.map(shortened).join(', ')} (BR-…-01). Beim Absender nachfragen.`,
		);
	const unknown = categoriesOf([...taxes, ...parts]).filter((one) => !hasNoTax(one) && !TAXED.includes(one));
	if (unknown.length > 0)
		broken(
			`the tax category ${unknown.map(shortened).join(', ')} doesn’t exist (BR-CL-17). Ask the sender.`,
			`Die Steuerkategorie ${unknown.map(shortened).join(', ')} gibt es nicht (BR-CL-17). Beim Absender nachfragen.`,
		);
	for (const category of categoriesOf(
		taxes.filter((one) => WITH_REASON.includes(one.category ?? '') && !one.exemptionReason),
	))
		broken(
			`category ${category} (${WITHOUT_TAX[category].en}) gives no reason (BR-${ruleOf(category)}-10, § 14 (4) no. 8 UStG). Ask for a corrected invoice.`,
			`Zur Kategorie ${category} (${WITHOUT_TAX[category].de}) fehlt der Grund (BR-${ruleOf(category)}-10, § 14 Abs. 4 Nr. 8 UStG). Bitte eine berichtigte Rechnung anfordern.`,
		);
	const owed = taxes.filter((one) => OWED_BY_BUYER.includes(one.category ?? '') && !one.amount);
	if (owed.length > 0)
		warnings.push({
			en: 'The buyer owes tax that is not in the amounts (Steuerschuldnerschaft des Leistungsempfängers, innergemeinschaftlicher Erwerb).',
			de: 'Der Käufer schuldet Steuer, die nicht in den Beträgen steckt (Steuerschuldnerschaft des Leistungsempfängers, innergemeinschaftlicher Erwerb).',
		});
	return warnings;
}

const hasNoTax = (category: string | null) => category !== null && Object.hasOwn(WITHOUT_TAX, category);
/** How the names of the rules call a category. */
const ruleOf = (category: string) => (category === 'K' ? 'IC' : category);
const categoriesOf = (some: Array<Pick<Tax, 'category'>>): string[] => [
	...new Set(compact(some.map(({ category }) => category))),
];

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
			en: `${en} of the total with tax is paid already, and may be booked already.`,
			de: `${de} des Gesamtbetrags sind schon gezahlt und vielleicht schon gebucht.`,
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
