/** The tables of a DSFinV-K export that matter here, with their official names (Anhang E, versions 2.0 to 2.4). */
import { oneLine } from '../../shared/errors';
import { CsvError, recordsIn } from '../formats/csv';
import { decoded } from '../formats/text';
import type { Source } from '../formats/zip';
import type { Bilingual, Turn } from '../../shared/values';
import { Unreadable } from './unreadable';
import { EXPORT_LIMITS } from './limits';

/** Names of files without ending, in lowercase without separators. */
const NAMES = {
	closings: 'cashpointclosing',
	registers: 'cashregister',
	rates: 'vat',
	cases: 'businesscases',
	payments: 'payment',
	cash: 'cashpercurrency',
};

export type TableName = keyof typeof NAMES;

/** Reading order: rows belong to closings, which come first. */
export const TABLE_NAMES = Object.keys(NAMES) as TableName[];

/** A row by its columns, each on one line, trimmed; empty where the table has none of that name. */
export type Row = (column: string) => string;

/** @returns which table a file is, if it is one; macOS adds `._` files, which aren't */
export function tableOf({ name }: Pick<Source, 'name'>): TableName | undefined {
	const plain = /(?:^|[\\/])(?<base>[^\\/.][^\\/]*)\.(?:csv|txt)$/i.exec(name)?.groups?.base.toLowerCase();
	const letters = plain?.replace(/[^a-z]/g, '');
	return TABLE_NAMES.find((table) => NAMES[table] === letters);
}

/** How much of an export may still be read, so that nobody can make the node read without end. */
export interface Budget {
	bytes: number;
	rows: number;
	closings: number;
}

/** @param what is too much, without its subject */
export const tooMuch = ({ en, de }: Bilingual): Unreadable =>
	new Unreadable({
		en: `The export ${en}: export a shorter period.`,
		de: `Der Export ${de}: Bitte einen kürzeren Zeitraum exportieren.`,
	});

/** Reads a table row by row. Throws `Unreadable`. */
export async function readRows(
	file: Source,
	budget: Budget,
	turn: Turn,
	onRow: (row: Row) => void,
): Promise<void> {
	budget.bytes -= file.size;
	if (budget.bytes < 0) throw tooMuch({ en: 'is too large', de: 'ist zu groß' });
	const text = await decoded(await file.bytes(), turn);
	const name = file.name.slice(-EXPORT_LIMITS.fileName);
	const damaged = ({ en, de }: Bilingual) =>
		new Unreadable({
			en: `The table ${name} is damaged: ${en}. Export it again.`,
			de: `Die Tabelle ${name} ist beschädigt: ${de}. Bitte erneut exportieren.`,
		});
	let columns: Map<string, number> | undefined;
	let line = 0;
	try {
		for (const fields of recordsIn(text)) {
			line++;
			await turn.yield();
			// A table of empty lines alone takes as long as one of rows.
			if (--budget.rows < 0) throw tooMuch({ en: 'has too many rows', de: 'hat zu viele Zeilen' });
			if (fields.length === 1 && fields[0] === '') continue;
			// Some registers end each line with a delimiter.
			while (fields.length > (columns?.size ?? 0) && fields.at(-1) === '') fields.pop();
			if (!columns) {
				columns = new Map(fields.map((name, i) => [name.toUpperCase(), i]));
				if (!columns.has('Z_NR'))
					throw damaged({
						en: 'its first line has no column Z_NR',
						de: 'ihre erste Zeile hat keine Spalte Z_NR',
					});
				continue;
			}
			if (fields.length !== columns.size)
				throw damaged({
					en: `line ${line} has ${fields.length} columns instead of ${columns.size}`,
					de: `Zeile ${line} hat ${fields.length} statt ${columns.size} Spalten`,
				});
			const index = columns;
			onRow((column) => oneLine(fields[index.get(column) ?? -1] ?? '').trim());
		}
	} catch (error) {
		throw error instanceof CsvError ? damaged(error.reason) : error;
	}
}
