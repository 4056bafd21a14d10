import { DateTime } from 'luxon';

import { cut } from '../errors/presentable';
import type { XmlElement } from './xml';

/** `xs:decimal`. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
/** A double holds 15 decimal digits for certain. */
const MAX_DIGITS = 15;

/** UNTDID 2379, as luxon's formats: a day, with or without the time. */
const DATE_FORMATS = new Map([
	['102', 'yyyyMMdd'],
	['203', 'yyyyMMddHHmm'],
	['204', 'yyyyMMddHHmmss'],
	['205', 'yyyyMMddHHmmZZZ'],
	['303', 'yyyyMMddHHmmZZZ'],
]);
/** `xs:date` and `xs:dateTime`, whose day is the day as written, in whatever zone. */
const ISO_DATE = /^(?<day>\d{4}-\d\d-\d\d)(?:T[\d:.]+)?(?:Z|[+-]\d\d:\d\d)?$/;

/** Reads the values of one invoice, and collects what can't be read. */
export class ValueReader {
	/** What is wrong with values: sentences without a capital letter and a period. */
	readonly unreadable: string[] = [];

	/** @param currency of the invoice: amounts in another one, for the tax office, are left out */
	constructor(private readonly currency: string | null) {}

	/** Whether an amount is in the currency of the invoice, as it is unless it names another one. */
	isOwn(amount: XmlElement | undefined): boolean {
		const own = amount?.attributes.get('currencyID')?.trim();
		return !own || !this.currency || own === this.currency;
	}

	/** The first of these elements that is in the currency of the invoice. */
	total(elements: XmlElement[], what: string): number | null {
		const [element] = elements.filter((one) => this.isOwn(one));
		if (!element && elements.length > 0) {
			const other = elements[0].attributes.get('currencyID') ?? '';
			this.unreadable.push(
				`${what} is in ${shortened(other)}, but the invoice's currency is ${this.currency}`,
			);
		}
		return this.amount(element, what);
	}

	/** @param what names it in a warning, e.g. `the total with tax` */
	amount(element: XmlElement | undefined, what: string): number | null {
		const text = element?.text.trim();
		if (!text) return null;
		const digits = text.replace(/\D/g, '').replace(/^0+/, '').length;
		if (DECIMAL.test(text) && digits <= MAX_DIGITS) return Number(text) + 0;
		this.unreadable.push(`${what} is "${shortened(text)}", which isn't an amount`);
		return null;
	}

	/** A day as CII gives it: a text with a format, or a date. */
	ciiDate(element: XmlElement | undefined, what: string): string | null {
		const value = element?.children[0] ?? element;
		return this.date(value, what, value?.attributes.get('format'));
	}

	/** @param format of UNTDID 2379; without one it is an ISO date */
	date(element: XmlElement | undefined, what: string, format?: string): string | null {
		const text = element?.text.trim();
		if (!text) return null;
		const pattern = DATE_FORMATS.get(format ?? '') ?? (/^\d{8}$/.test(text) ? 'yyyyMMdd' : undefined);
		const day = ISO_DATE.exec(text)?.groups?.day;
		const parsed = day
			? DateTime.fromISO(day)
			: DateTime.fromFormat(text, pattern ?? 'yyyy-MM-dd', { setZone: true, locale: 'en' });
		if (parsed.isValid) return parsed.toISODate();
		this.unreadable.push(`${what} is "${shortened(text)}", which isn't a date`);
		return null;
	}
}

/** At most 40 characters: a sender writes it, a person reads it. */
export const shortened = (text: string) => (text.length > 40 ? `${cut(text, 39)}…` : text);
