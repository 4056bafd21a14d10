/** What a spreadsheet shows of a number depends on the format of its cell (ECMA-376, 18.8.30 and 18.8.31). */

import { findLast, trim } from 'lodash';

import { CURRENCIES, dayOfSerial, isEuro } from '../../../shared/values';
import { OddCell, serialOf } from './table';
import type { Cell } from './table';
import { TABLE_LIMITS } from './limits';

/** Days from Excel's first day to the first one of its older date system, which some workbooks of Macs have. */
export const DAYS_TO_1904 = serialOf('1904-01-01');
const DAY_SECONDS = 86_400;

/** Formats that every program knows, by the first of their numbers. */
const BUILT_IN: Array<[from: number, code: string]> = [
	[0, 'General'],
	[1, '0'],
	[2, '0.00'],
	[3, '#,##0'],
	[4, '#,##0.00'],
	[5, '#,##0;-#,##0'],
	[7, '#,##0.00;-#,##0.00'],
	[9, '0%'],
	[10, '0.00%'],
	[11, '0.00E+00'],
	[14, 'dd.mm.yyyy'],
	[16, 'd. mmm'],
	[17, 'mmm yy'],
	[18, 'h:mm:ss'],
	[22, 'dd.mm.yyyy h:mm'],
	[37, '#,##0;-#,##0'],
	[39, '#,##0.00;-#,##0.00'],
	[41, '#,##0;-#,##0;"-"'],
	[43, '#,##0.00;-#,##0.00;"-"'],
	[45, 'h:mm:ss'],
	[48, '0.00E+00'],
	[49, '@'],
];
export const builtIn = (id: number): string => findLast(BUILT_IN, ([from]) => id >= from)?.[1] ?? 'General';

/** Shows a number. @param offset days from Excel's first day to that of the file's date system */
export type NumberFormat = (value: number, offset: number) => Cell;

/** What a format consists of: texts that are only shown, a currency, a color or condition, a space, any other character. */
const FORMAT_PART = /"(?<quoted>[^"]*)"?|\\(?<escaped>.)|\[(?<bracket>[^\]]*)\]?|[_*].|(?<plain>.)/gsu;

/** The format for positive numbers, negative ones or zero. */
interface Section {
	/** Places of digits and of parts of a day; `"` for a text between them that looks like a part of a number. */
	places: string;
	/** All that is only shown. */
	said: string;
	/** Both, in their order. */
	shown: string;
	currency?: string;
}

function sectionsOf(code: string): Section[] {
	const sections: Section[] = [{ places: '', said: '', shown: '' }];
	for (const { groups = {} } of code.matchAll(FORMAT_PART)) {
		const { bracket, plain } = groups;
		const section = sections[sections.length - 1];
		// `[$CHF-807]` is a currency in a language.
		const said = bracket?.startsWith('$') ? bracket.slice(1).split('-')[0] : '';
		const text = groups.quoted ?? groups.escaped ?? said;
		const name = text.trim();
		if (plain === ';') sections.push({ places: '', said: '', shown: '' });
		else if (plain !== undefined && /\p{Sc}/u.test(plain))
			section.currency ??= isEuro(plain) ? undefined : plain;
		else if (plain !== undefined) section.places += plain;
		// A condition, or hours beyond a day.
		else if (bracket !== undefined && /^[<>=hms]/i.test(bracket)) section.places += 'E';
		section.said += text;
		section.shown += plain ?? text;
		if (/[\d.,]/.test(text)) section.places += '"';
		if (!isEuro(name) && (/^\p{Sc}$/u.test(name) || CURRENCIES.has(name))) section.currency ??= name;
	}
	return sections;
}

const DIGIT_PLACES = /^(?<whole>[#0?](?:[#0?,]*[#0?])?)?(?:\.(?<decimals>[#0?]*))?(?<percent>%?)$/;
/** A minus, or a parenthesis before the digits. */
const SHOWN_MINUS = /[-\u2212]|^[^#0?]*\(/;
const DAY_PLACES = /^[dmyhs\s.,:/-]*(?:am\/pm|a\/p)?$/i;
/** How far a number may be from what it shows: what floating point adds. */
export const FLOAT_NOISE = 1e-7;

/** Reads a format once for all cells that have it. */
export function formatOf(code: string): NumberFormat {
	const sections = sectionsOf(code);
	return (value, offset) => {
		const own = sections.length > 1 && value < 0 ? 1 : sections.length > 2 && value === 0 ? 2 : 0;
		const section = sections[own];
		const places = section.places.trim();
		if (/^(?:general|standard|@)$/i.test(places)) return value;
		if (DAY_PLACES.test(places.replaceAll('"', '')) && /[dmyhs]/i.test(places))
			return shownDay(places, value + offset);
		const hasMinus = SHOWN_MINUS.test(section.shown);
		const core = trim(places.replace(/[-\u2212+()\s]/g, ''), '"');
		const parts = DIGIT_PLACES.exec(core)?.groups;
		if (!parts) return new OddCell(code.slice(0, TABLE_LIMITS.shown), value);
		const { whole = '', decimals = '', percent } = parts;
		if (core === '' || (value === 0 && !core.includes('0'))) return section.said.trim();
		const number = percent ? value * 100 : value;
		const rounded = number.toFixed(decimals.length);
		// With a section of their own, negative numbers have their minus there.
		const isOtherSign = own < 2 && hasMinus !== (own === 1);
		if (isOtherSign || Math.abs(number - Number(rounded)) > FLOAT_NOISE)
			return new OddCell(isOtherSign ? rounded.replace('-', hasMinus ? '--' : '') : rounded, value);
		if (percent) return `${Number(number.toPrecision(12))} %`;
		if (section.currency !== undefined) return `${rounded} ${section.currency}`;
		// A number such as that of a receipt, of which the format shows a part: RE-0017.
		if (/[\p{L}\d]/u.test(section.said) && !isEuro(section.said.trim()))
			return new OddCell(code.slice(0, TABLE_LIMITS.shown), value);
		const isPadded = decimals === '' && /^00+$/.test(whole) && value >= 0;
		return isPadded ? rounded.padStart(whole.length, '0') : value;
	};
}

/** A day as its format shows it. @param serial days from Excel's first day */
function shownDay(places: string, serial: number): Cell {
	const seconds = Math.round(serial * DAY_SECONDS);
	const day = dayOfSerial(Math.floor(seconds / DAY_SECONDS));
	// Three d's or more are the name of the day of the week.
	const hasDay = /(?:^|[^d])d{1,2}(?!d)/i.test(places);
	if (day === undefined || !hasDay || !/m/i.test(places))
		return new OddCell(places.slice(0, TABLE_LIMITS.shown), serial);
	const time = new Date((seconds % DAY_SECONDS) * 1000).toISOString().slice('YYYY-MM-DDT'.length);
	return dayAsShown(day, {
		hasYear: /y/i.test(places),
		time: /h/i.test(places) ? time.slice(0, /s/i.test(places) ? 8 : 5) : '',
	});
}

/** `2026-11-20`, `2026-11-20T14:05`, or `20.11.` */
export function dayAsShown(day: string, { hasYear, time }: { hasYear: boolean; time: string }): string {
	const [, month, date] = day.split('-');
	if (!hasYear) return `${date}.${month}.`;
	return /^(?:|00:00(?::00)?)$/.test(time) ? day : `${day}T${time}`;
}
