import { uniq } from 'lodash';

import { sum } from '../../values';
import type { EInvoice } from './invoice';

/** What the tax office calls an error in what an e-invoice says (BMF, 15 October 2025); it is one nevertheless. */
const RULE = 'Business-rule error (Geschäftsregelfehler)';
/** UNTDID 1001: notes that credit an amount to the buyer. */
export const CREDIT_NOTES = new Set([
	'81',
	'83',
	'261',
	'262',
	'296',
	'308',
	'381',
	'396',
	'420',
	'458',
	'532',
]);
/** UNTDID 1001: invoices that aren't booked like others. */
const KINDS = new Map([
	['325', 'a proforma invoice (Proformarechnung): it is not booked; the invoice itself is.'],
	[
		'384',
		'a corrected invoice (Rechnungskorrektur): it replaces or changes an earlier one, which may be booked already.',
	],
	[
		'389',
		'a self-billed invoice (Gutschrift im Sinne des UStG): the buyer wrote it, and it is the seller who earns the amount.',
	],
]);
/** UNTDID 5305: reverse charge and supply within the EU; IC is what ZUGFeRD 1 calls the latter. */
const OWED_BY_BUYER = ['AE', 'K', 'IC'];
/** Profiles of Factur-X that contain too little: in Germany, the PDF is then the invoice. */
const INCOMPLETE_PROFILE = /:(?<profile>minimum|basicwl)$/;
/** The rules of EN 16931 let the calculated tax differ from rate times base by less than this. */
const RATE_TOLERANCE = 1;

/** The most warnings about one invoice; nobody would read more. */
const MAX_WARNINGS = 20;

/** What a person should know before the invoice is booked: what is missing, and what doesn't add up. */
export function warningsAbout(invoice: EInvoice, unreadable: string[]): string[] {
	const warnings = uniq([
		...unreadable.map((what) => `${RULE}: in the invoice, ${what}. Check it yourself.`),
		...missing(invoice),
		...aboutItsKind(invoice),
		...differences(invoice),
	]);
	const more = warnings.length - MAX_WARNINGS;
	return more > 0 ? [...warnings.slice(0, MAX_WARNINGS), `There are ${more} more warnings.`] : warnings;
}

const REQUIRED = [
	['number', 'invoice number'],
	['issueDate', 'invoice date'],
	['currency', 'currency'],
	['grossAmount', 'total with tax'],
	['netAmount', 'total without tax'],
] as const;

function missing(invoice: EInvoice): string[] {
	const what: string[] = REQUIRED.filter(([field]) => invoice[field] === null).map(([, text]) => text);
	if (invoice.seller.name === null) what.push("seller's name");
	return what.length
		? [`${RULE}: missing or unreadable in the invoice: ${what.join(', ')}. Check it yourself.`]
		: [];
}

function differences({ currency, ...invoice }: EInvoice): string[] {
	const { grossAmount: gross, netAmount: net, taxAmount: tax, payableAmount: payable, taxes } = invoice;
	const rounding = invoice.roundingAmount ?? 0;
	const money = moneyIn(currency);
	const warnings: string[] = [];
	const compare = (what: string, computed: number, stated: number, name: string) =>
		warnings.push(
			`${RULE}: the amounts don't add up: ${what} is ${money(computed)}, but ${name} is given as ${money(stated)}. Ask the sender before you book it.`,
		);
	if (gross !== null && net !== null) {
		// CII may leave out the total of the tax, but not the taxes.
		const stated = taxes.map(({ amount }) => amount ?? 0);
		const computed = sum([net, ...(tax === null ? stated : [tax])]);
		// Some invoices include the rounding in the total with tax.
		if (computed !== gross && sum([computed, rounding]) !== gross) {
			compare('net plus tax', computed, gross, 'the total with tax');
		}
	}
	const amounts = taxes.map(({ amount }) => amount);
	if (tax !== null && taxes.length > 0 && !amounts.includes(null)) {
		const computed = sum(amounts.map(Number));
		if (computed !== tax) compare('the sum of the taxes', computed, tax, 'the tax');
	}
	for (const { rate, base, amount } of taxes) {
		if (rate === null || base === null || amount === null) continue;
		const computed = Number(((base * rate) / 100).toFixed(2));
		if (Math.abs(computed - amount) >= RATE_TOLERANCE) {
			compare(`${rate} % of ${money(base)}`, computed, amount, 'that tax');
		}
	}
	// The profile Minimum doesn't say what was paid in advance.
	if (gross !== null && payable !== null && !invoice.profile?.endsWith(':minimum')) {
		const rest = sum([gross, -(invoice.prepaidAmount ?? 0), invoice.thirdPartyAmount ?? 0]);
		const computed = sum([rest, rounding]);
		if (computed !== payable && rest !== payable) {
			compare('what is left to pay', computed, payable, 'the amount to pay');
		}
	}
	return warnings;
}

const moneyIn = (currency: string | null) => (amount: number) =>
	`${amount.toFixed(Math.max(2, decimalsOf(amount)))}${currency ? ` ${currency}` : ''}`;
const decimalsOf = (amount: number) => String(amount).split('.')[1]?.length ?? 0;

function aboutItsKind({ syntax, profile, typeCode, grossAmount, taxes, ...invoice }: EInvoice): string[] {
	const warnings: string[] = [];
	if (CREDIT_NOTES.has(typeCode ?? '')) {
		const sign =
			(grossAmount ?? 0) < 0
				? 'its amounts are negative, as in the document'
				: 'its amounts are positive, but reduce what is owed';
		warnings.push(`This is a credit note (kaufmännische Gutschrift, Rechnungskorrektur): ${sign}.`);
	}
	const kind = KINDS.get(typeCode ?? '');
	if (kind) warnings.push(`This is ${kind}`);
	if (!CREDIT_NOTES.has(typeCode ?? '') && (grossAmount ?? 0) < 0) {
		warnings.push('The total is negative: the seller owes you this amount, although it is no credit note.');
	}
	if (invoice.prepaidAmount) {
		const paid = moneyIn(invoice.currency)(invoice.prepaidAmount);
		warnings.push(`${paid} of the total with tax is paid already, and may be booked already.`);
	}
	if (taxes.some(({ category }) => OWED_BY_BUYER.includes(category ?? ''))) {
		warnings.push(
			'The buyer owes tax that is not in the amounts (Steuerschuldnerschaft des Leistungsempfängers, innergemeinschaftlicher Erwerb).',
		);
	}
	const incomplete = INCOMPLETE_PROFILE.exec(profile ?? '')?.groups?.profile;
	if (syntax === 'CII' && incomplete) {
		warnings.push(
			`The XML has the profile ${incomplete === 'minimum' ? 'MINIMUM' : 'BASIC WL'}, which in Germany isn't an invoice by itself: the PDF counts.`,
		);
	}
	return warnings;
}
