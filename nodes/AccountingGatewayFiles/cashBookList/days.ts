import { isDatevDay } from '../../shared/values';
import type { Cell, Table } from '../formats/table';

const ISO_DAY = /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)(?:[T ](?<h>\d\d):(?<min>\d\d)(?::(?<s>\d\d))?)?$/;
const GERMAN =
	/^(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{4})(?:,? (?<h>\d{1,2}):(?<min>\d\d)(?::(?<s>\d\d))?)?$/;
/** `20.11.`, or DATEV's `2011`. */
const YEARLESS = /^(?:(?<d>\d{1,2})\.(?<m>\d{1,2})\.?|(?<day>\d{1,2})(?<month>\d\d))$/;

/**
 * The day in a cell, with the time if it has one: `2026-11-20`, `2026-11-20T14:05:00`.
 * @param year completes a day that has none
 * @param dayOf the day of a whole number, in the file's date system
 */
export function dayOfCell(
	cell: Cell,
	year: string | undefined,
	dayOf: Table['dayOf'],
): { day?: string; isYearless: boolean } {
	if (typeof cell === 'object') return { isYearless: false };
	const text = String(cell).trim().slice(0, 'DD.MM.YYYY, HH:MM:SS '.length);
	// In five digits, DATEV's 40126 is 4 January 2026, and a spreadsheet's a day of 2009.
	if (/^\d{5}$/.test(text))
		return { day: isDatevDay(text) ? undefined : dayOf(Number(text)), isYearless: false };
	const full = (ISO_DAY.exec(text) ?? GERMAN.exec(text))?.groups;
	if (full) return { day: dayWith(full), isYearless: false };
	const short = YEARLESS.exec(text)?.groups;
	if (!short) return { isYearless: false };
	if (year === undefined) return { isYearless: true };
	return { day: dayWith({ y: year, m: short.m ?? short.month, d: short.d ?? short.day }), isYearless: false };
}

/** A day of the calendar, or undefined; midnight is a day without a time. */
function dayWith({
	y,
	m,
	d,
	h = '00',
	min = '00',
	s = '00',
}: Record<string, string | undefined>): string | undefined {
	const time = `${h.padStart(2, '0')}:${min}:${s}`;
	const at = new Date(`${y}-${m?.padStart(2, '0')}-${d?.padStart(2, '0')}T${time}Z`);
	// 31 November would be 1 December.
	if (Number.isNaN(at.getTime()) || at.getUTCDate() !== Number(d)) return undefined;
	const text = at.toISOString();
	return time === '00:00:00'
		? text.slice(0, 'YYYY-MM-DD'.length)
		: text.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}
