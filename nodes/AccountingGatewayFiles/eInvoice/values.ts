import { uniq } from 'lodash';
import { DateTime } from 'luxon';
import type { DurationLike } from 'luxon';

import { cut, cutLine } from '../../shared/errors';
import { numberIn, sum } from '../../shared/values';
import { INVOICE_LIMITS } from './limits';
import type { CashDiscount, Unreadable } from './invoice';
import type { XmlElement } from './xml';

/** `xs:decimal`. */
const DECIMAL = /^[+-]?(?:(?<whole>\d+)(?:\.\d*)?|\.\d+)$/;
/** A double holds 15 decimal digits for certain: of a whole part, no more may be lost; of decimals, some programs write more. */
const MAX_DIGITS = 15;

/** Formats of UNTDID 2379 that begin with the day: by itself, or with a time. Without a format, it is an ISO date. */
const FORMATS = ['', '102', '203', '204', '205', '303'];
/** The day counts as written, in whatever zone. */
const DAY =
	/^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)(?:T?\d[\d:.]*)?(?:Z|[+-]\d\d:?\d\d)?$/;
/** The length of a day without time and dashes, which can't be mistaken in any format. */
const DAY_LENGTH = 8;

/** What values are called in a warning, in English and in German, and in EN 16931. */
const VALUES = {
	'the total with tax': { de: 'der Gesamtbetrag brutto', term: 'BT-112' },
	'the total without tax': { de: 'der Gesamtbetrag netto', term: 'BT-109' },
	'the sum of the lines': { de: 'die Summe der Positionen', term: 'BT-106' },
	'the sum of the allowances': { de: 'die Summe der Nachlässe', term: 'BT-107' },
	'the sum of the charges': { de: 'die Summe der Zuschläge', term: 'BT-108' },
	'an allowance or charge': { de: 'ein Nachlass oder Zuschlag', term: 'BG-20, BG-21' },
	'what was paid in advance': { de: 'der bereits gezahlte Betrag', term: 'BT-113' },
	'the rounding': { de: 'die Rundung', term: 'BT-114' },
	'the amount to pay': { de: 'der Zahlbetrag', term: 'BT-115' },
	'an amount that is collected for others': {
		de: 'ein für andere eingezogener Betrag',
		term: 'BG-DEX-09, BT-179',
	},
	'the tax': { de: 'die Steuer', term: 'BR-CO-15' },
	'the tax in the accounting currency': { de: 'die Steuer in Buchungswährung', term: 'BT-111' },
	'a tax rate': { de: 'ein Steuersatz', term: 'BT-119' },
	'the taxable amount': { de: 'die Bemessungsgrundlage', term: 'BT-116' },
	'the amount of a tax': { de: 'ein Steuerbetrag', term: 'BT-117' },
	'the invoice date': { de: 'das Rechnungsdatum', term: 'BT-2' },
	'the due date': { de: 'das Fälligkeitsdatum', term: 'BT-9' },
	'the delivery date': { de: 'das Lieferdatum', term: 'BT-72' },
	'the delivery period': { de: 'der Leistungszeitraum', term: 'BG-14' },
	'an amount of a line': { de: 'ein Betrag einer Position', term: 'BG-25' },
	'an instalment': { de: 'ein Teilbetrag der Zahlung', term: 'BT-9' },
	'the cash discount': { de: 'das Skonto', term: 'BT-20' },
};
export type Value = keyof typeof VALUES;

const LANGUAGES = ['en', 'de'] as const;

/** Reads the values of one invoice, and collects what can't be read. */
export class ValueReader {
	readonly unreadable: Unreadable[] = [];

	/** @param currency of the invoice: amounts in another one, for the tax office, are left out */
	constructor(private readonly currency: string | null) {}

	/** Whether an amount is in the currency of the invoice, as it is unless it names another one. */
	isOwn(amount: XmlElement | undefined): boolean {
		const own = amount?.attributes.currencyID?.trim();
		return !own || !this.currency || own === this.currency;
	}

	/** The tax in the currency that the seller accounts for it in; none if the invoice names no such currency. */
	taxIn(currency: string | null, taxes: XmlElement[]): number | null {
		const tax = taxes.find((one) => one.attributes.currencyID?.trim() === currency);
		return this.amount(tax, 'the tax in the accounting currency');
	}

	/** The first of these elements that is in the currency of the invoice. */
	total(elements: XmlElement[], what: Value): number | null {
		const own = elements.filter((one) => this.isOwn(one));
		const [element] = own;
		if (!element && elements.length > 0) {
			const other = elements[0].attributes.currencyID ?? '';
			const currency = shortened(this.currency ?? '');
			this.unreadable.push({
				term: VALUES[what].term,
				en: `${what} is in ${shortened(other)}, but the invoice's currency is ${currency}`,
				de: `${VALUES[what].de} ist in ${shortened(other)} angegeben, die Rechnung aber in ${currency}`,
			});
		}
		const amounts = own.map((one) => this.amount(one, what));
		this.checkSame(amounts, what);
		return amounts[0] ?? null;
	}

	/** Tells that a value is given more than once, and not the same. */
	checkSame(amounts: Array<number | null>, what: Value): void {
		const given = uniq(amounts).filter((amount) => amount !== null);
		if (given.length < 2) return;
		const [en, de] = LANGUAGES.map((language) =>
			given
				.slice(0, 3)
				.map((amount) => numberIn(language, amount, 2))
				.join(language === 'en' ? ' and as ' : ' und mit '),
		);
		this.unreadable.push({
			term: VALUES[what].term,
			en: `${what} is given as ${en}`,
			de: `${VALUES[what].de} ist mit ${de} angegeben`,
		});
	}

	/** @param what names it in a warning */
	amount(element: XmlElement | undefined, what: Value): number | null {
		const text = element?.text.trim();
		if (!text) return null;
		const decimal = DECIMAL.exec(text);
		const whole = decimal?.groups?.whole?.replace(/^0+/, '') ?? '';
		// Up to 15 digits, this changes nothing.
		if (decimal && whole.length <= MAX_DIGITS) return Number(Number(text).toPrecision(MAX_DIGITS)) + 0;
		this.unreadable.push({
			term: VALUES[what].term,
			en: `${what} is "${shortened(text)}", which isn't an amount`,
			de: `${VALUES[what].de} ist „${shortened(text)}“, das ist kein Betrag`,
		});
		return null;
	}

	/** A day as CII gives it: a text with a format, or a date. */
	ciiDate(element: XmlElement | undefined, what: Value): string | null {
		const value = element?.children[0] ?? element;
		return this.date(value?.text, what, value?.attributes.format);
	}

	date(given: string | null | undefined, what: Value, format = ''): string | null {
		const text = given?.trim();
		if (!text) return null;
		const { year, month, day } = DAY.exec(text)?.groups ?? {};
		const iso = `${year}-${month}-${day}`;
		const isKnown = FORMATS.includes(format) || text.length === DAY_LENGTH;
		if (isKnown && DateTime.fromISO(iso).isValid) return iso;
		this.unreadable.push({
			term: VALUES[what].term,
			en: `${what} is "${shortened(text)}", which isn't a date`,
			de: `${VALUES[what].de} ist „${shortened(text)}“, das ist kein Datum`,
		});
		return null;
	}
}

/** Those that differ from the first one. */
export const othersOf = (texts: string[]): string[] => uniq(texts).slice(1, INVOICE_LIMITS.list);

/** `xs:boolean`. */
export const isTrue = (text: string | null): boolean => text === 'true' || text === '1';

export const sumOf = (amounts: Array<number | null>): number | null =>
	amounts.length === 0 || amounts.includes(null) ? null : sum(amounts.map(Number));

/** At most 40 characters: a sender writes it, a person reads it. */
export function shortened(text: string): string {
	const line = cutLine(text, 41);
	return line.length > 40 ? `${cut(line, 39)}…` : line;
}

/** Cash discounts in the words of XRechnung: `#SKONTO#TAGE=14#PROZENT=2.00#BASISBETRAG=100.00#`. */
const SKONTO =
	/#SKONTO#TAGE=(?<days>\d{1,4})#PROZENT=(?<percent>\d{1,3}(?:\.\d{1,4})?)#(?:BASISBETRAG=(?<base>-?\d{1,12}(?:\.\d{1,4})?)#)?/g;

/** @param terms the seller's words about payment */
export const cashDiscountsIn = (terms: string | null, issueDate: string | null): CashDiscount[] =>
	[...(terms ?? '').matchAll(SKONTO)].map(({ groups: { days, percent, base } = {} }) => ({
		days: Number(days),
		until: dayAfter(issueDate, { days: Number(days) }),
		percent: Number(percent),
		amount: null,
		base: base === undefined ? null : Number(base),
	}));

export const dayAfter = (day: string | null, time: DurationLike): string | null =>
	day === null ? null : DateTime.fromISO(day).plus(time).toISODate();

/** UNTDID 4461: direct debits; 59 is the SEPA's. */
const DIRECT_DEBIT = ['49', '59'];
/** Whether the seller collects the amount: where there are several means of payment, the buyer chooses. */
export const isDirectDebit = (means: Array<string | null>): boolean =>
	means.length > 0 && means.every((code) => DIRECT_DEBIT.includes(code ?? ''));
