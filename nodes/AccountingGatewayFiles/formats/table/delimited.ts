import { CsvError, delimiterOf, recordsIn } from '../../formats';
import { dayOfSerial } from '../../../shared/values';
import type { Turn } from '../../../shared/values';
import { MAX_CELL, Rows, cellText, tooLong } from './table';
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
	const table = new Rows();
	let number = 0;
	try {
		for (const fields of recordsIn(body, said?.groups?.separator ?? delimiterOf(lines), MAX_CELL)) {
			await turn.yield();
			table.add(++number, fields.map(typed));
		}
	} catch (error) {
		throw error instanceof CsvError ? tooLong(number + 1) : error;
	}
	return { rows: table.rows, otherSheets: [], dayOf: dayOfSerial };
}

/** Some programs write `="0815"`, so that Excel takes a number for a text. */
const typed = (field: string): string => cellText(/^="(?<text>[^"]*)"$/.exec(field)?.groups?.text ?? field);
