import { isDatevDay, parseDateTime } from '../../shared/values';
import type { Cell, Table } from '../formats/table/table';

/** `20.11.`, `20.11` or DATEV's `2011`; `20.1` may be a number that was 20.10. */
const YEARLESS = /^(?<day>\d{1,2})(?:\.(?<month>\d{1,2})\.|\.?(?<digits>0[1-9]|1[0-2]))$/;

/** Characters of a cell that may be an amount, a day or a choice, and of a text in a sentence. */
export const MAX_CELL_QUOTE = 40;

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
	if (typeof cell === 'object' || (typeof cell === 'number' && !Number.isInteger(cell)))
		return { isYearless: false };
	const text = String(cell).trim();
	if (text.length > MAX_CELL_QUOTE) return { isYearless: false };
	// In five digits, DATEV's 40126 is 4 January 2026, and a spreadsheet's a day of 2009.
	if (/^\d{5}$/.test(text))
		return { day: isDatevDay(text) ? undefined : dayOf(Number(text)), isYearless: false };
	const short = YEARLESS.exec(text)?.groups;
	if (short && year === undefined) return { isYearless: true };
	const full = short ? `${short.day}.${short.month ?? short.digits}.${year}` : text;
	// Spreadsheets write "20.11.2026, 9:05", too.
	const parsed = parseDateTime(full.replace(/,? (?=\d)/, ' ').replace(/ (?=\d:)/, ' 0'), 'UTC');
	// A time with a zone would be another one in the office.
	const isLocal = 'meant' in parsed && !parsed.meant.endsWith('Z');
	return { day: isLocal ? parsed.meant : undefined, isYearless: short !== undefined };
}
