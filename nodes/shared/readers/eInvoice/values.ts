import { DateTime } from 'luxon';

import { cut } from '../../errors';
import type { XmlElement } from './xml';

/** `xs:decimal`. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
/** A double holds 15 decimal digits for certain. */
const MAX_DIGITS = 15;

/** Formats of UNTDID 2379 that begin with the day: by itself, or with a time. Without a format, it is an ISO date. */
const FORMATS = ['', '102', '203', '204', '205', '303'];
/** The day counts as written, in whatever zone. */
const DAY =
	/^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)(?:T?\d[\d:.]*)?(?:Z|[+-]\d\d:?\d\d)?$/;
/** The length of a day without time and dashes, which can't be mistaken in any format. */
const DAY_LENGTH = 8;

/** Reads the values of one invoice, and collects what can't be read. */
export class ValueReader {
	/** What is wrong with values: sentences without a capital letter and a period. */
	readonly unreadable: string[] = [];

	/** @param currency of the invoice: amounts in another one, for the tax office, are left out */
	constructor(private readonly currency: string | null) {}

	/** Whether an amount is in the currency of the invoice, as it is unless it names another one. */
	isOwn(amount: XmlElement | undefined): boolean {
		const own = amount?.attributes.currencyID?.trim();
		return !own || !this.currency || own === this.currency;
	}

	/** The first of these elements that is in the currency of the invoice. */
	total(elements: XmlElement[], what: string): number | null {
		const [element] = elements.filter((one) => this.isOwn(one));
		if (!element && elements.length > 0) {
			const other = elements[0].attributes.currencyID ?? '';
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
		return this.date(value?.text, what, value?.attributes.format);
	}

	date(given: string | null | undefined, what: string, format = ''): string | null {
		const text = given?.trim();
		if (!text) return null;
		const { year, month, day } = DAY.exec(text)?.groups ?? {};
		const iso = `${year}-${month}-${day}`;
		const isKnown = FORMATS.includes(format) || text.length === DAY_LENGTH;
		if (isKnown && DateTime.fromISO(iso).isValid) return iso;
		this.unreadable.push(`${what} is "${shortened(text)}", which isn't a date`);
		return null;
	}
}

/** At most 40 characters: a sender writes it, a person reads it. */
export const shortened = (text: string) => (text.length > 40 ? `${cut(text, 39)}…` : text);
