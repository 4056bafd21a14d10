/** What a payment settles, in a line for a person. */
import type { IDataObject } from 'n8n-workflow';

import { excerpt } from '../../shared/errors';
import { amountIn, bilingual, dayIn } from '../../shared/values';
import type { Bilingual, Language } from '../../shared/values';
import type { Payment } from './claim';
import type { Verdict } from './verdict';

/** In front of the invoices. */
const VERDICT_WORDS: Record<Verdict, Bilingual> = {
	settles: { en: 'Settles:', de: 'Gleicht aus:' },
	settlesWithDiscount: { en: 'Settles with cash discount:', de: 'Gleicht mit Skonto aus:' },
	discountTooLate: { en: 'Cash discount after its last day:', de: 'Skontoabzug nach Fristablauf:' },
	partial: { en: 'Part payment of', de: 'Teilzahlung auf' },
	overpaid: { en: 'Overpayment of', de: 'Überzahlung von' },
	probable: { en: 'Probably for', de: 'Vermutlich für' },
	none: { en: 'No matching open item', de: 'Kein passender offener Posten' },
};

/** Where an invoice has no day, nobody can say until when its discount was. */
const DISCOUNT_WITHOUT_DAY: Bilingual = {
	en: 'Cash discount, document date unknown:',
	de: 'Skontoabzug, Belegdatum unbekannt:',
};

/** How the languages write the rest. */
const NOTATION = {
	en: { quotes: '“”', open: 'open', difference: 'difference' },
	de: { quotes: '„“', open: 'offen', difference: 'Differenz' },
};

/** The most UTF-16 units of a text from outside. */
const MAX_FINDING_QUOTE = 150;

interface Paid extends Pick<Payment, 'text' | 'name' | 'day'> {
	amount: number;
	currency: string;
}

/** @param found what the payment settles, as a record */
export const findingOf = (found: IDataObject, payment: Paid): Bilingual =>
	bilingual((language) => lineIn(language, found, payment));

function lineIn(language: Language, found: IDataObject, payment: Paid): string {
	const { quotes, open, difference } = NOTATION[language];
	const money = (amount: unknown, currency = 'EUR') => amountIn(language, Number(amount), currency);
	const quoted = (text: unknown) => {
		const inside = excerpt(text ?? '', MAX_FINDING_QUOTE)
			.replace(/[„“”]/g, ' ')
			.trim();
		return inside === '' ? [] : [quotes[0] + inside + quotes[1]];
	};
	const paid = [
		dayIn(language, payment.day),
		money(payment.amount, payment.currency),
		...quoted(payment.name),
		...quoted(payment.text),
	];
	const isWithoutDay = found.verdict === 'discountTooLate' && found.discountUntil === undefined;
	const words = (isWithoutDay ? DISCOUNT_WITHOUT_DAY : VERDICT_WORDS[found.verdict as Verdict])[language];
	if (found.verdict === 'none') return `${paid.join(', ')}. ${words}.`;
	const invoices = [
		...quoted(found.beleg),
		...quoted(found.bezeichnung),
		`${open} ${money(found.open)}`,
		...(Number(found.difference) === 0 ? [] : [`${difference} ${money(found.difference)}`]),
	];
	return `${paid.join(', ')}. ${words} ${invoices.join(', ')}.`;
}
