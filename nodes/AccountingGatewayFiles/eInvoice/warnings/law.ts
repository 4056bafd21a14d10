/** What German law asks of an invoice, and what it says about the tax in it. */
import { compact, difference, map, uniq } from 'lodash';

import { allRates, both, dayIn, sum, taxRatesOn } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import { INTRA_COMMUNITY, REVERSE_CHARGE } from '../categories';
import type { EInvoice, Party, Period } from '../invoice';
import { moneyIn, ratesText, rateText } from './wording';
import type { Finding } from './wording';

/** Up to this total, § 33 UStDV asks for less, unless the buyer owes the tax: its sentence 3 excludes §§ 6a and 13b UStG. */
const SMALL_AMOUNT = 250;
const IN_SMALL: readonly Detail[] = ['sellerAddress', 'goods'];
/** Kinds whose delivery may still be to come, or that change an earlier invoice, which has its day. */
const WITHOUT_DELIVERY = ['prepayment', 'partial', 'creditNote', 'correction'];
const DETAILS = {
	sellerAddress: both("seller's address (no. 1)", 'Anschrift des Verkäufers (Nr. 1)'),
	buyerAddress: both("buyer's address (no. 1)", 'Anschrift des Käufers (Nr. 1)'),
	taxNumber: both(
		"seller's tax number or VAT ID (no. 2)",
		'Steuernummer oder USt-IdNr. des Verkäufers (Nr. 2)',
	),
	goods: both('what was delivered (no. 5)', 'Bezeichnung der Leistung (Nr. 5)'),
	delivery: both(
		'day or period of the delivery (no. 6, BT-72 to BT-74)',
		'Zeitpunkt oder Zeitraum der Leistung (Nr. 6, BT-72 bis BT-74)',
	),
};
type Detail = keyof typeof DETAILS;

/** A full address has a place; the street may be a post-office box, which the standard has no field for. */
const hasAddress = ({ city, postalCode, street }: Party) =>
	city !== null && (postalCode !== null || street !== null);

/** Whether § 14 UStG holds for an invoice: for those of German sellers, and where nothing says that it is another. */
export function isGerman({ seller }: EInvoice): boolean {
	const country = seller.country?.toUpperCase() ?? seller.vatId?.slice(0, 2).toUpperCase();
	return country === undefined || country === 'DE';
}

const isOwed = ({ taxes }: EInvoice, categories: string[]): boolean =>
	taxes.some((one) => categories.includes(one.category ?? '') && !one.amount);

const showsTax = ({ taxAmount, taxes }: EInvoice): boolean =>
	[taxAmount, ...map(taxes, 'amount')].some(Boolean);

const hasDay = ({ from, to }: Period) => from !== null || to !== null;

/**
 * Only the input tax that an invoice shows depends on them (§ 15 (1) no. 1 UStG), not the one that the buyer owes (nos. 3 and 4).
 * @returns one sentence that names what is missing; its number, day, and the names of seller and buyer are told by the rules
 */
export function missingDetails(invoice: EInvoice): Finding[] {
	const { seller, buyer, taxRepresentativeVatId, deliveryDate, period, lines, taxes } = invoice;
	if (!isGerman(invoice) || !showsTax(invoice)) return [];
	const hasDelivery = deliveryDate !== null || hasDay(period) || lines.some((line) => hasDay(line.period));
	const all: Array<Detail | false> = [
		!hasAddress(seller) && 'sellerAddress',
		!hasAddress(buyer) && 'buyerAddress',
		(seller.vatId ?? seller.taxNumber ?? taxRepresentativeVatId) === null && 'taxNumber',
		!lines.some(({ name, description }) => name ?? description) && 'goods',
		!hasDelivery && !WITHOUT_DELIVERY.includes(invoice.kind) && 'delivery',
	];
	const isSmall =
		Math.abs(invoice.grossAmount ?? Infinity) <= SMALL_AMOUNT &&
		!taxes.some(({ category }) => [...REVERSE_CHARGE, ...INTRA_COMMUNITY].includes(category ?? ''));
	const missing = compact(all).filter((detail) => !isSmall || IN_SMALL.includes(detail));
	if (missing.length === 0) return [];
	const named = (language: keyof Bilingual) => missing.map((detail) => DETAILS[detail][language]).join(', ');
	return [
		{
			source: `${isSmall ? '§ 33 UStDV' : '§ 14 Abs. 4 UStG'}; BMF 15.10.2025, Rz. 35a`,
			is: both(
				`it lacks what the input tax (Vorsteuer) depends on: ${named('en')}`,
				`Es fehlt, wovon der Vorsteuerabzug abhängt: ${named('de')}`,
			),
			then: both(
				'If no text of the invoice has it, ask for a corrected one.',
				'Steht es auch in keinem Text der Rechnung, bitte eine berichtigte Rechnung anfordern.',
			),
		},
	];
}

/** Whether the law says already that the seller's number is missing, so that BR-S-02 and the like needn't. */
export const isNumberTold = (invoice: EInvoice): boolean => isGerman(invoice) && showsTax(invoice);

/** Tax that isn't in the invoice's amounts. */
export const owedByBuyer = (invoice: EInvoice): Finding[] =>
	compact([
		isOwed(invoice, REVERSE_CHARGE) && {
			source: '§ 13b UStG',
			is: both(
				'the buyer owes tax that is not in the amounts: reverse charge (Steuerschuldnerschaft des Leistungsempfängers)',
				'Der Käufer schuldet Steuer, die nicht in den Beträgen steckt: Steuerschuldnerschaft des Leistungsempfängers',
			),
		},
		isOwed(invoice, INTRA_COMMUNITY) && {
			source: '§ 1a UStG',
			is: both(
				'the buyer owes tax that is not in the amounts: intra-community acquisition (innergemeinschaftlicher Erwerb)',
				'Der Käufer schuldet Steuer, die nicht in den Beträgen steckt: innergemeinschaftlicher Erwerb',
			),
		},
	]);

/** The country whose tax an invoice shows: that of the VAT ID under which the seller pays it, or else the seller's own. */
function taxCountry({ seller, taxRepresentativeVatId }: EInvoice): string | undefined {
	const vatId = taxRepresentativeVatId ?? seller.vatId ?? '';
	return (/^[A-Z]{2}/i.exec(vatId)?.[0] ?? seller.country)?.toUpperCase();
}

/** A tax office's number, in the forms of the Länder or in the one of 13 digits for all; or a German VAT ID. */
const GERMAN_NUMBER = /^(?:\d{10,11}|\d{4}0\d{8}|DE\d{9})$/;
const isGermanNumber = (number: string | null) => GERMAN_NUMBER.test(number?.replace(/[\s/]/g, '') ?? '');

const theirTax = (country: string): Finding => ({
	source: '§ 15 Abs. 1 Nr. 1, § 18g UStG',
	is: both(
		`the tax is of another country (${country}): it can't be deducted in Germany`,
		`Die ausgewiesene Steuer ist ausländisch (${country}): Sie ist in Deutschland nicht als Vorsteuer abziehbar`,
	),
	then: both(
		'Book it gross; that country may refund it (refund procedure, Vorsteuer-Vergütungsverfahren; within the EU, the application goes to the BZSt).',
		'Brutto buchen; erstattet wird sie allenfalls dort (Vorsteuer-Vergütungsverfahren, in der EU über das BZSt).',
	),
});
const unclearTax = (country: string): Finding => ({
	source: '§ 14 Abs. 4 Nr. 2, § 15 Abs. 1 Nr. 1 UStG',
	is: both(
		`whether the tax is German or of another country (${country}) is not clear from the invoice`,
		`Ob die ausgewiesene Steuer deutsche oder ausländische (${country}) ist, geht aus der Rechnung nicht hervor`,
	),
	then: both(
		`Check whose it is: only German tax can be deducted; above ${SMALL_AMOUNT} EUR, the invoice needs a German tax number or VAT ID for it.`,
		`Bitte prüfen, welcher Staat sie erhebt: Als Vorsteuer abziehbar ist nur deutsche; über ${SMALL_AMOUNT} EUR braucht die Rechnung dafür eine deutsche Steuernummer oder USt-IdNr.`,
	),
});

/** Tax of another country, which isn't deductible in Germany: a business abroad may be registered here, which its rates and numbers tell. */
export function foreignTax(invoice: EInvoice): Finding[] {
	const { kind, seller } = invoice;
	const country = taxCountry(invoice);
	const isTheirs = country !== undefined && country !== 'DE';
	if (!isTheirs || !showsTax(invoice) || kind === 'selfBilled') return [];
	const { rates, strange } = ratesIn(invoice);
	const isHere = [seller.vatId, seller.taxNumber].some(isGermanNumber);
	if (isHere && strange.length === 0) return [];
	const isUnclear = rates.length > 0 && strange.length < (isHere ? rates.length : 1);
	return [isUnclear ? unclearTax(country) : theirTax(country)];
}

/** The days of the delivery: of the invoice as a whole, and of its lines. */
const daysOf = ({ deliveryDate, period, lines }: EInvoice) => ({
	own: compact([deliveryDate, period.from, period.to]),
	ofLines: compact(lines.flatMap((line) => [line.period.from, line.period.to])),
});

/** The days whose rates hold; if none of the delivery is given, the invoice's. */
function taxDays(invoice: EInvoice): string[] {
	const { own, ofLines } = daysOf(invoice);
	return [own, ofLines, compact([invoice.issueDate])].find(({ length }) => length > 0) ?? [];
}

/** The rates of what is taxed, and those of them that Germany doesn't have in the days of the delivery. */
function ratesIn(invoice: EInvoice): { rates: number[]; strange: number[] } {
	const onDays = compact(taxDays(invoice).map(taxRatesOn));
	const known = onDays.flatMap(allRates);
	const rates = uniq(compact(invoice.taxes.filter((one) => one.category === 'S').map(({ rate }) => rate)));
	return { rates, strange: onDays.length > 0 ? difference(rates, known) : [] };
}

/** Rates of German tax that Germany doesn't have. */
export function strangeRates(invoice: EInvoice): Finding[] {
	const country = taxCountry(invoice);
	if (country !== undefined && country !== 'DE') return [];
	const strange = ratesText(ratesIn(invoice).strange);
	if (strange.en === '') return [];
	return [
		{
			source: '§ 12, § 24 UStG',
			is: both(
				`Germany has no such tax rate at that time: ${strange.en}`,
				`Diesen Steuersatz gibt es in Deutschland zu dieser Zeit nicht: ${strange.de}`,
			),
			then: both('Ask for a corrected invoice.', 'Bitte eine berichtigte Rechnung anfordern.'),
		},
	];
}

/** Tax that differs from its rate: what is too much isn't deductible, what is too little was never shown. */
export function wrongTax(
	invoice: EInvoice,
	{ rate, base, amount }: { rate: number; base: number; amount: number },
	right: number,
): Finding {
	const money = moneyIn(invoice.currency);
	const [of, is, given] = [money(base), money(right), money(amount)];
	const isTooMuch = Math.abs(amount) > Math.abs(right);
	const difference = money(Math.abs(sum([right, -amount])));
	return {
		source: isTooMuch ? '§ 14c Abs. 1, § 15 Abs. 1 Nr. 1 UStG' : '§ 14 Abs. 4 Nr. 8 UStG',
		is: both(
			`the tax differs by more than a cent for each line: ${rate} % of ${of.en} is ${is.en}, but it is given as ${given.en}`,
			`Die Steuer weicht um mehr als einen Cent je Position ab: ${rateText(rate)} % von ${of.de} sind ${is.de}, angegeben sind ${given.de}`,
		),
		then: isTooMuch
			? both(
					`${difference.en} of it isn't deductible. Ask for a corrected invoice.`,
					`Davon sind ${difference.de} nicht als Vorsteuer abziehbar. Bitte eine berichtigte Rechnung anfordern.`,
				)
			: both(
					'Only what is shown is deductible. Ask for a corrected invoice.',
					'Abziehbar ist nur, was ausgewiesen ist. Bitte eine berichtigte Rechnung anfordern.',
				),
	};
}

/** Kinds of which the year of the delivery says nothing yet: the money comes before it. */
const BEFORE_DELIVERY = ['prepayment', 'partial'];

/** A delivery of another year than the invoice belongs into the books of its own, and so does a line of one. */
export function otherYear(invoice: EInvoice): Finding[] {
	const { issueDate, kind } = invoice;
	const { own, ofLines } = daysOf(invoice);
	const days = [...own, ...ofLines].sort();
	const year = issueDate?.slice(0, 4);
	if (BEFORE_DELIVERY.includes(kind) || !days.some((day) => year !== undefined && day.slice(0, 4) !== year))
		return [];
	const ends = uniq([days[0], days[days.length - 1]]);
	const when = both(
		ends.map((day) => dayIn('en', day)).join(' to '),
		ends.map((day) => dayIn('de', day)).join(' bis '),
	);
	return [
		{
			source: '§ 250, § 252 Abs. 1 Nr. 5 HGB',
			is: both(
				`the delivery (${when.en}) is, at least in part, in another year than the invoice of ${issueDate}`,
				`Die Leistung (${when.de}) liegt ganz oder zum Teil in einem anderen Jahr als die Rechnung vom ${dayIn('de', issueDate!)}`,
			),
			then: both(
				'Book the expense in the year of the delivery (accrual, Abgrenzung).',
				'Aufwand dem Jahr der Leistung zuordnen (Abgrenzung).',
			),
		},
	];
}
