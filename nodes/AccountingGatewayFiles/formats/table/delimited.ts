import { CsvError, delimiterOf, recordsIn } from '../../formats';
import type { Turn } from '../../../shared/values';
import { dayOf } from './numberFormat';
import { MAX_CELL, Rows, cellText, swallowed, tooLong } from './table';
import type { Table } from './table';

/** What Excel calls the separator of a file, in a line of its own before all others. */
const SEPARATOR_LINE = /^"?sep=(?<separator>[^\r\n"])"?(?:\r\n?|\n|$)/i;
/** Lines and characters that are searched for the separator: a title may stand above the headings. */
const MAX_SEARCHED_LINES = 50;
const MAX_SEARCHED_TEXT = 20_000;

/** Reads a table of text (CSV, tabs). Throws `TableError`. */
export async function readDelimited(text: string, turn: Turn): Promise<Table> {
	const said = SEPARATOR_LINE.exec(text);
	const body = text.slice(said?.[0].length ?? 0);
	const lines = body
		.slice(0, MAX_SEARCHED_TEXT)
		.split(/\r\n?|\n/, MAX_SEARCHED_LINES)
		.join('\n');
	const separator = said?.groups?.separator ?? delimiterOf(lines);
	const rows = new Rows();
	let number = 0;
	try {
		for (const fields of recordsIn(body, separator, MAX_CELL)) {
			number++;
			await turn.yield();
			if (fields.some((field, i) => swallows(field, separator, i === 0))) throw swallowed(number);
			rows.add(number, fields.map(typed), { width: fields.length });
		}
	} catch (error) {
		throw error instanceof CsvError ? tooLong(number + 1) : error;
	}
	return { ...rows.table, separator, otherSheets: [], dayOf };
}

/**
 * Whether a text in quotes holds the rows that follow, because the mark that should end it is missing, and one of a later row ends
 * it: its last line begins another row. A text of several lines has a comma in them, too, but a row has a digit before it.
 */
function swallows(field: string, separator: string, isFirst: boolean): boolean {
	const lines = field.split(/\r\n?|\n/);
	if (lines.length === 1) return false;
	if (isFirst) return field.includes(separator);
	const last = lines[lines.length - 1];
	const before = last.slice(0, Math.max(last.lastIndexOf(separator), 0));
	return separator === ',' ? /\d/.test(before) : last.includes(separator);
}

/** Some programs write `="0815"`, so that Excel takes a number for a text. */
export const typed = (field: string): string =>
	cellText(/^="(?<text>[^"]*)"$/.exec(field)?.groups?.text ?? field);
