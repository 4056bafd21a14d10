import { CsvError, delimiterOf, recordsIn } from '../csv';
import { dayOfSerial } from '../../../shared/values';
import type { Turn } from '../../../shared/values';
import { Rows, cellText, tooLong } from './table';
import type { Table } from './table';
import { TABLE_LIMITS } from './limits';

/** What Excel calls the separator of a file, in a line of its own before all others. */
const SEPARATOR_LINE = /^"?sep=(?<separator>[^\r\n"])"?(?:\r\n?|\n|$)/i;

/** Reads a table of text (CSV, tabs). Throws `TableError`. */
export async function readDelimited(text: string, turn: Turn): Promise<Table> {
	const said = SEPARATOR_LINE.exec(text);
	const body = text.slice(said?.[0].length ?? 0);
	const lines = body
		.slice(0, TABLE_LIMITS.searchedText)
		.split(/\r\n?|\n/, TABLE_LIMITS.searchedLines)
		.join('\n');
	const table = new Rows();
	let number = 0;
	try {
		for (const fields of recordsIn(body, said?.groups?.separator ?? delimiterOf(lines), TABLE_LIMITS.cell)) {
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
