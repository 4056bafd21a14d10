/** What a spreadsheet shows of a number depends on the format of its cell. */

import { CURRENCIES, dayOfSerial, isEuro, serialOf } from '../../../shared/values';

/** Days from Excel's first day to the first one of its older date system, which some workbooks of Macs have. */
export const DAYS_TO_1904 = serialOf('1904-01-01');
const DAY_SECONDS = 86_400;

/**
 * The day of a number of days, with its time if it has one; the number itself where it is none of the years 2000 to 2099, such as a
 * time without a day.
 * @param offset days from Excel's first day to that of the file's date system
 */
export function dayOf(serial: number, offset = 0): string | number {
	const seconds = Math.round((serial + offset) * DAY_SECONDS);
	const day = dayOfSerial(Math.floor(seconds / DAY_SECONDS));
	const rest = seconds % DAY_SECONDS;
	if (day === undefined) return serial + offset;
	return rest === 0
		? day
		: `${day}T${new Date(rest * 1000).toISOString().slice('YYYY-MM-DDT'.length, -'.000Z'.length)}`;
}

/** A date as XML has it: the day, with the time if that isn't midnight. Any other text is left as it is. */
export function dayOfIso(text: string): string {
	const { day, time } =
		/^(?<day>\d{4}-\d{2}-\d{2})(?:T(?<time>\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?)?$/.exec(text)?.groups ?? {};
	if (!day) return text;
	return time === undefined || /^00:00(?::00)?$/.test(time) ? day : `${day}T${time}`;
}

/** What a percent cell shows: 0.19 is `19 %`. */
export const percentOf = (value: number): string => `${Number((value * 100).toPrecision(12))} %`;

/**
 * A currency is shown behind the number, or before it; euros are like no currency. A code is that of a format which shows another
 * number than the cell has.
 */
export type NumberFormat = 'date' | 'percent' | { currency: string } | { code: string } | undefined;

/** Numbers of formats that every program knows (ECMA-376, 18.8.30). */
const DATES: Array<[first: number, last: number]> = [
	[14, 22],
	[27, 36],
	[45, 47],
	[50, 58],
];
const PERCENTS = [9, 10];

/** @param code of a format that the file defines itself; empty for the others */
export function formatOf(id: number, code = ''): NumberFormat {
	if (code === '') {
		if (PERCENTS.includes(id)) return 'percent';
		return DATES.some(([first, last]) => id >= first && id <= last) ? 'date' : undefined;
	}
	const read = code.slice(0, MAX_FORMAT_CODE);
	// The part for positive numbers, without what is only shown: quoted or escaped characters, colors, languages.
	const [shown] = read.replace(/"[^"]*"|\\.|\[[^[\]]*\]|[_*]./g, '').split(';');
	if (shown.includes('%')) return 'percent';
	// "General", or German "Standard" in its place, has other letters.
	const isDate = /^[dmyhsap年月日時分秒\s.,:/0-]+$/i.test(shown) && /[dmyh]/i.test(shown);
	if (isDate) return 'date';
	if (isMisleading(read, shown)) return { code: read.slice(0, MAX_CODE_SHOWN) };
	const currency = currencyIn(read);
	return currency === undefined ? undefined : { currency };
}

/** Characters of a format that are read, and that are put behind a number. */
const MAX_FORMAT_CODE = 1000;
const MAX_CODE_SHOWN = 40;

/**
 * Whether a format shows another number than the cell has: in thousands (`#,##0.00,`), with a separator that only looks like one
 * (`0","00` shows 1250 as 12,50), or with a minus for what is positive.
 */
function isMisleading(code: string, shown: string): boolean {
	const positive = /^(?:"[^"]*"|\\.|[^;"\\])*/.exec(code.replace(/\[[^[\]]*\]|[_*]./g, ''))?.[0] ?? '';
	return (
		/[0#?],+(?![0#?,])/.test(shown) ||
		/[0#?](?:"[.,]"|\\[.,])[0#?]/.test(positive) ||
		/^\s*-|-\s*$/.test(positive.replace(/["\\]/g, ''))
	);
}

/** The currency that a format shows: `[$CHF-807]`, `"USD"`, `$`. In words of a language (`Fr.`, `kr`), it isn't known. */
function currencyIn(code: string): string | undefined {
	const [positive] = code.split(';');
	const texts = positive.matchAll(
		/"(?<quoted>[^"]*)"|\[\$(?<said>[^\]-]*)(?:-[^\]]*)?\]|(?<symbol>\p{Sc})/gu,
	);
	return [...texts]
		.map(({ groups }) => (groups?.quoted ?? groups?.said ?? groups?.symbol ?? '').trim())
		.find((text) => !isEuro(text) && (/^\p{Sc}$/u.test(text) || CURRENCIES.has(text)));
}

/** A double holds 15 digits for certain. */
const SURE_DIGITS = 15;

/** What a cell shows of its number. @param offset days from Excel's first day to that of the file's date system */
export function shownAs(format: NumberFormat, value: number, offset: number): string | number {
	if (format === 'date') return dayOf(value, offset);
	if (format === 'percent') return percentOf(value);
	if (!format) return value;
	return `${Number(value.toPrecision(SURE_DIGITS))} ${'code' in format ? format.code : format.currency}`;
}
