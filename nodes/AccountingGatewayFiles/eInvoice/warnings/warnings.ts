/**
 * What keeps an accountant from booking an e-invoice as it is. Sources: EN 16931-1 (the rules' names are its own, in the
 * artifacts of CEN/TC 434), UStG, UStDV, and the letter of the German Ministry of Finance (BMF) of October 15, 2025.
 */
import { compact, map } from 'lodash';
import { DateTime } from 'luxon';

import { both, dayIn, isWrongIban, listed } from '../../../shared/values';
import type { Bilingual, Language } from '../../../shared/values';
import { isTaxed } from '../categories';
import type { EInvoice, Kind, Unreadable } from '../invoice';
import { shortened, sumOf } from '../values';
import { isCentEach } from './categoryRules';
import {
	foreignTax,
	isNumberTold,
	missingDetails,
	otherYear,
	owedByBuyer,
	strangeRates,
	wrongTax,
} from './law';
import { isExtended, judge } from './rule';
import { RULES } from './rules';
import { isTaxOff, taxOn } from './totalRules';
import { CHECK, moneyIn, sentencesOf } from './wording';
import type { Finding } from './wording';
import { INVOICE_LIMITS } from '../limits';

/** Profiles of Factur-X that contain too little: in Germany, the PDF is then the invoice. */
const INCOMPLETE_PROFILE = /:(?<profile>minimum|basicwl)$/;

/** What a person should know before the invoice is booked: what is missing, and what doesn't add up. */
export function warningsAbout(invoice: EInvoice, unreadable: Unreadable[]): Bilingual[] {
	const incomplete = INCOMPLETE_PROFILE.exec(invoice.profile ?? '')?.groups?.profile;
	const isWhole = invoice.syntax !== 'CII' || !incomplete;
	const warnings = sentencesOf([
		...unreadable.map(({ term, en, de }) => ({
			rules: [term],
			is: both(`in the invoice, ${en}`, `In der Rechnung stimmt etwas nicht: ${de}`),
			then: CHECK,
		})),
		...judge(RULES.required, invoice),
		...aboutItsKind(invoice),
		...(isWhole ? aboutTax(invoice) : [onlyPdfCounts(incomplete)]),
		...judge(RULES.totals, invoice),
		...aboutPayment(invoice),
		...aboutDays(invoice),
	]);
	const more = warnings.length - INVOICE_LIMITS.warnings;
	return more > 0
		? [
				...warnings.slice(0, INVOICE_LIMITS.warnings),
				{ en: `There are ${more} more warnings.`, de: `Es gibt ${more} weitere Warnungen.` },
			]
		: warnings;
}

/** Of a German seller, the law says that the number is missing, and whether it must be there (BR-S-02 to -04 and the like). */
const IS_SELLER_NUMBER = /^BR-[SZE]-0[234]$/;

function aboutTax(invoice: EInvoice): Finding[] {
	const isTold = ({ rules = [] }: Finding) =>
		isNumberTold(invoice) && rules.every((id) => IS_SELLER_NUMBER.test(id));
	return [
		...judge(RULES.categories, invoice).filter((one) => !isTold(one)),
		...owedByBuyer(invoice),
		...foreignTax(invoice),
		...missingDetails(invoice),
		...strangeRates(invoice),
		...invoice.taxes.flatMap((tax) => inaccurate(invoice, tax)),
	];
}

/** Tax that no rule of EN 16931 finds wrong, but an accountant does. EXTENDED has a rule for it (BR-FXEXT-S-09). */
function inaccurate(
	invoice: EInvoice,
	{ category, rate, base, amount }: EInvoice['taxes'][number],
): Finding[] {
	if (rate === null || base === null || amount === null || !isTaxed({ category }) || isExtended(invoice))
		return [];
	const isFine = isTaxOff(base, rate, amount) || isCentEach(invoice, { rate, base, amount });
	return isFine ? [] : [wrongTax(invoice, { rate, base, amount }, taxOn(base, rate))];
}

const onlyPdfCounts = (profile: string): Finding => {
	const name = profile === 'minimum' ? 'MINIMUM' : 'BASIC WL';
	return {
		source: '§ 14 Abs. 1 Satz 3 UStG; BMF 15.10.2024',
		is: both(
			`the XML has the profile ${name}, which in Germany isn't an invoice by itself: the PDF counts`,
			`Das XML hat das Profil ${name} und ist in Deutschland für sich allein keine Rechnung: Es gilt das PDF`,
		),
	};
};

const KINDS: Partial<Record<Kind, Finding>> = {
	correction: {
		source: '§ 31 Abs. 5 UStDV',
		is: both(
			'this is a corrected invoice (Rechnungskorrektur, 384), and no credit note: it replaces or changes an earlier one, which may be booked already',
			'Das ist eine Rechnungskorrektur (384), keine Gutschrift: Sie ersetzt oder ändert eine frühere Rechnung, die vielleicht schon gebucht ist',
		),
	},
	selfBilled: {
		source: '§ 14 Abs. 2 Satz 5 UStG',
		is: both(
			'this is a self-billed invoice (Gutschrift im Sinne des UStG): the buyer wrote it, and it is the seller who earns the amount',
			'Das ist eine Gutschrift im Sinne des UStG (389): Der Käufer hat sie ausgestellt, den Betrag bekommt der Verkäufer',
		),
	},
	prepayment: {
		source: '§ 15 Abs. 1 Nr. 1 Satz 3 UStG',
		is: both(
			'this is a prepayment invoice (Anzahlungsrechnung, 386): book it as a payment on account; the final invoice deducts it',
			'Das ist eine Anzahlungsrechnung (386): als geleistete Anzahlung buchen; die Schlussrechnung zieht sie ab',
		),
	},
	partial: {
		source: '§ 15 Abs. 1 Nr. 1 Satz 3 UStG',
		is: both(
			'this is a partial invoice (Abschlagsrechnung, 326 or 875): book it as a payment on account, unless the part is accepted; the final invoice deducts it',
			'Das ist eine Abschlags- oder Teilrechnung (326, 875): als geleistete Anzahlung buchen, solange der Teil nicht abgenommen ist; die Schlussrechnung zieht sie ab',
		),
	},
	final: {
		source: '§ 14 Abs. 5 Satz 2 UStG',
		is: both(
			'this is a final invoice (Schlussrechnung, 876 or 877): prepayments and their tax must be deducted in it, and may be booked already',
			'Das ist eine (Teil-)Schlussrechnung (876, 877): Anzahlungen und deren Steuer müssen darin abgesetzt sein und sind vielleicht schon gebucht',
		),
	},
};
/** UNTDID 1001: types that need a word of their own. */
const TYPES = new Map<string, Finding>(
	Object.entries({
		261: {
			source: '§ 14 Abs. 2 Satz 5 UStG',
			is: both(
				'the buyer wrote this credit note (self-billed credit note, 261)',
				'Diese Gutschrift hat der Käufer ausgestellt (261)',
			),
		},
		325: {
			source: 'BT-3',
			is: both(
				'this is a proforma invoice (Proformarechnung): it is not booked; the invoice itself is',
				'Das ist eine Proformarechnung (325): Sie wird nicht gebucht, gebucht wird die Rechnung selbst',
			),
		},
		393: {
			source: 'BT-3',
			is: both(
				'this invoice was sold to a factor (factored invoice, 393): pay only the factor',
				'Diese Rechnung ist an einen Factor verkauft (393): Nur an den Factor zahlen',
			),
		},
		751: {
			source: '§ 14 Abs. 1, § 15 Abs. 1 Nr. 1 UStG',
			is: both(
				'this is information for accounting (751), and not an invoice by itself: the tax office takes no input tax from it',
				'Das ist nur eine Buchungsinformation (751) und für sich allein keine Rechnung: Sie berechtigt nicht zum Vorsteuerabzug',
			),
		},
	}),
);

function aboutItsKind({ kind, typeCode, grossAmount, currency, ...invoice }: EInvoice): Finding[] {
	const money = moneyIn(currency);
	const gross = grossAmount ?? 0;
	const type = TYPES.get(typeCode ?? '');
	const findings = compact([KINDS[kind], type]);
	if (kind === 'other' && !type)
		findings.push({
			source: 'BT-3',
			is: both(
				`its type (${shortened(typeCode ?? 'none')}) is unusual for an invoice: look at it before you book it`,
				`Die Rechnungsart (${shortened(typeCode ?? 'keine')}) ist ungewöhnlich: Vor dem Buchen ansehen`,
			),
		});
	if (kind === 'creditNote' && gross >= 0)
		findings.push({
			source: '§ 17 Abs. 1 UStG',
			is: both(
				'this is a credit note (kaufmännische Gutschrift, Rechnungskorrektur): its amounts are positive, but reduce what is owed',
				'Das ist eine kaufmännische Gutschrift (Rechnungskorrektur): Ihre Beträge sind positiv, mindern aber die Schuld',
			),
		});
	if (kind === 'creditNote' && gross < 0) {
		const { en, de } = money(-gross);
		findings.push({
			source: 'BT-3, BT-112',
			is: both(
				`this is a credit note (kaufmännische Gutschrift, Rechnungskorrektur) with negative amounts: by the standard, it means that the buyer owes ${en} more, but most programs that write it mean that the seller owes this amount`,
				`Das ist eine kaufmännische Gutschrift (Rechnungskorrektur) mit negativen Beträgen: Nach der Norm schuldet dann der Käufer ${de} mehr, die meisten Programme meinen aber, dass der Verkäufer diesen Betrag schuldet`,
			),
			then: both('Ask which way the money goes.', 'Nachfragen, in welche Richtung das Geld fließt.'),
		});
	}
	if (kind !== 'creditNote' && gross < 0)
		findings.push({
			source: 'BT-112',
			is: both(
				'the total is negative: the seller owes you this amount, although it is no credit note',
				'Der Gesamtbetrag ist negativ: Der Verkäufer schuldet diesen Betrag, obwohl es keine Gutschrift ist',
			),
		});
	if (invoice.prepaidAmount) {
		const { en, de } = money(invoice.prepaidAmount);
		findings.push({
			source: 'BT-113',
			is: both(
				`${en} of the total with tax is paid already, and may be booked already, with its input tax`,
				`${de} des Gesamtbetrags sind schon gezahlt und vielleicht schon gebucht, samt Vorsteuer`,
			),
		});
	}
	return findings;
}

/** A name as people write it differently. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function aboutPayment(invoice: EInvoice): Finding[] {
	const { seller, payeeName, iban, otherIbans, directDebit } = invoice;
	const findings: Finding[] = [];
	if (directDebit) {
		const { mandate, iban: account } = directDebit;
		const details = compact([
			mandate !== null && both(`mandate ${shortened(mandate)}`, `Mandat ${shortened(mandate)}`),
			account !== null && both(`from account ${shortened(account)}`, `vom Konto ${shortened(account)}`),
		]);
		const said = (language: keyof Bilingual) =>
			details.length > 0 ? ` (${details.map((one) => one[language]).join(', ')})` : '';
		findings.push({
			source: 'BT-81, BT-89',
			is: both(
				`the seller collects the amount by direct debit${said('en')}: don't transfer it`,
				`Der Betrag wird abgebucht${said('de')}: nicht überweisen`,
			),
		});
	}
	if (payeeName !== null && plain(payeeName) !== plain(seller.name ?? ''))
		findings.push({
			source: 'BT-59',
			is: both(
				`the money goes to somebody else than the seller: ${shortened(payeeName)}`,
				`Zahlungsempfänger ist nicht der Verkäufer, sondern ${shortened(payeeName)}`,
			),
			then: both('Make sure that this is right before you pay.', 'Vor der Zahlung prüfen, ob das stimmt.'),
		});
	for (const wrong of compact([iban, ...otherIbans]).filter(isWrongIban)) {
		const shown = shortened(wrong);
		findings.push({
			source: 'BT-84, ISO 13616',
			is: both(
				`the check digits of the IBAN ${shown} are wrong`,
				`Die Prüfziffern der IBAN ${shown} sind falsch`,
			),
			then: both(
				"Don't pay to it, and ask the seller at a number that you know.",
				'Nicht dorthin zahlen und den Verkäufer unter einer bekannten Nummer fragen.',
			),
		});
	}
	return [...findings, ...aboutDueDates(invoice)];
}

/** Several days for payment; of instalments, with the amount of each, which must be the whole together. */
function aboutDueDates({ dueDates, instalments, payableAmount, currency }: EInvoice): Finding[] {
	const money = moneyIn(currency);
	const inAll = sumOf(map(instalments, 'amount'));
	const isWhole = inAll !== null && payableAmount !== null && Math.abs(inAll - payableAmount) < 0.005;
	if (dueDates.length < 2 && (instalments.length === 0 || isWhole)) return [];
	const [whole, sum] = [payableAmount ?? NaN, inAll ?? NaN].map(money);
	const days = (language: Language) =>
		instalments.length > 0
			? instalments.map(({ dueDate, amount }) => {
					const part = amount === null ? '?' : money(amount)[language];
					return dueDate === null ? part : `${part} ${ON[language]} ${dayIn(language, dueDate)}`;
				})
			: dueDates.map((day) => dayIn(language, day));
	const then =
		inAll === null || payableAmount === null
			? both('Ask the seller how much is due on which.', 'Prüfen, welcher Betrag wann fällig ist.')
			: isWhole
				? both('Pay each part on its day.', 'Jeden Teilbetrag zu seinem Tag zahlen.')
				: both(
						`That is ${sum.en} of ${whole.en}: ask the seller when the rest is due.`,
						`Das sind ${sum.de} von ${whole.de}: beim Verkäufer fragen, wann der Rest fällig ist.`,
					);
	return [
		{
			source: 'BT-9',
			is: both(
				`it is due on several days: ${listed(days('en'), 'en', MAX_DUE_DATES)}`,
				`Es gibt mehrere Fälligkeiten: ${listed(days('de'), 'de', MAX_DUE_DATES)}`,
			),
			then,
		},
	];
}

const ON = both('on', 'am');
const MAX_DUE_DATES = 5;

function aboutDays(invoice: EInvoice): Finding[] {
	const { issueDate, dueDate } = invoice;
	const findings = otherYear(invoice);
	// A day later, it is tomorrow somewhere.
	if (issueDate !== null && issueDate > DateTime.utc().plus({ days: 1 }).toISODate())
		findings.push({
			source: '§ 14 Abs. 4 Nr. 3 UStG',
			is: both(
				`it is issued in the future: ${issueDate}`,
				`Das Rechnungsdatum liegt in der Zukunft: ${dayIn('de', issueDate)}`,
			),
			then: both('Check the day before you book it.', 'Vor dem Buchen prüfen.'),
		});
	if (issueDate !== null && dueDate !== null && dueDate < issueDate)
		findings.push({
			source: 'BT-9',
			is: both(
				`it is due (${dueDate}) before it was issued (${issueDate})`,
				`Sie ist fällig (${dayIn('de', dueDate)}), bevor sie ausgestellt ist (${dayIn('de', issueDate)})`,
			),
			then: both('Check both days.', 'Beide Tage prüfen.'),
		});
	return findings;
}
