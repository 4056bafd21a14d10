/**
 * What keeps an accountant from booking an e-invoice as it is. Sources: EN 16931-1 (the rules' names are its own, in the
 * artifacts of CEN/TC 434), UStG, UStDV, and the letter of the German Ministry of Finance (BMF) of October 15, 2025.
 */
import { compact, map, uniqBy } from 'lodash';
import { DateTime } from 'luxon';

import { dayIn, isWrongIban } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import type { EInvoice, Kind } from '../invoice';
import { shortened } from '../values';
import { differences } from './amounts';
import { withoutDetails } from './law';
import { taxProblems } from './taxCategories';
import { moneyIn, RULE } from './wording';

/** Profiles of Factur-X that contain too little: in Germany, the PDF is then the invoice. */
const INCOMPLETE_PROFILE = /:(?<profile>minimum|basicwl)$/;

/** The most warnings about one invoice; nobody would read more. */
const MAX_INVOICE_WARNINGS = 20;

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
			...withoutTaxInTaxCurrency(invoice),
			...aboutItsKind(invoice),
			...(isWhole ? [...taxProblems(invoice), ...withoutDetails(invoice)] : [onlyPdfCounts(incomplete)]),
			...differences(invoice),
			...aboutPayment(invoice),
			...aboutDays(invoice),
		],
		'en',
	);
	const more = warnings.length - MAX_INVOICE_WARNINGS;
	return more > 0
		? [
				...warnings.slice(0, MAX_INVOICE_WARNINGS),
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
			en: `${RULE.en}: missing or unreadable in the invoice: ${map(what, 'en').join(', ')}. Check it yourself.`,
			de: `${RULE.de}: In der Rechnung fehlt oder ist nicht lesbar: ${map(what, 'de').join(', ')}. Bitte selbst prüfen.`,
		},
	];
}

/** Where the seller accounts for the tax in another currency, only the tax in that one is what the tax office takes (BR-53). */
function withoutTaxInTaxCurrency({ currency, taxCurrency, taxAmountInTaxCurrency }: EInvoice): Bilingual[] {
	if (taxCurrency === null || taxCurrency === currency || taxAmountInTaxCurrency !== null) return [];
	const code = shortened(taxCurrency);
	return [
		{
			en: `${RULE.en}: the tax in the accounting currency (${code}) is missing or unreadable in the invoice (BR-53). Ask the sender before you book it.`,
			de: `${RULE.de}: In der Rechnung fehlt die Umsatzsteuer in Buchungswährung (${code}) oder ist nicht lesbar (BR-53). Vor dem Buchen beim Absender nachfragen.`,
		},
	];
}

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
