/** The tables of a DSFinV-K export that matter here, with their official names and columns (Anhang E, versions 2.0 to 2.4). */
import type { Turn } from '../turn';
import { CsvError, CsvReader } from './csv';
import type { Source } from './zip';

/** The columns that all tables begin with. */
const KEY = ['Z_KASSE_ID', 'Z_ERSTELLUNG', 'Z_NR'];

interface Table {
	/** As file name without ending, in lowercase without separators: the official one, and the German one that some registers use. */
	names: readonly string[];
	/** In the order of the description, for tables without a header. */
	columns: readonly string[];
}

const TABLES = {
	closings: {
		names: ['cashpointclosing', 'stammabschluss'],
		columns: [
			...KEY,
			...[
				'Z_BUCHUNGSTAG',
				'TAXONOMIE_VERSION',
				'Z_START_ID',
				'Z_ENDE_ID',
				'NAME',
				'STRASSE',
				'PLZ',
				'ORT',
				'LAND',
			],
			...['STNR', 'USTID', 'Z_SE_ZAHLUNGEN', 'Z_SE_BARZAHLUNGEN'],
		],
	},
	registers: {
		names: ['cashregister', 'stammkassen'],
		columns: [
			...KEY,
			...['KASSE_BRAND', 'KASSE_MODELL', 'KASSE_SERIENNR', 'KASSE_SW_BRAND', 'KASSE_SW_VERSION'],
			...['KASSE_BASISWAEH_CODE', 'KEINE_UST_ZUORDNUNG'],
		],
	},
	rates: { names: ['vat', 'stammust'], columns: [...KEY, 'UST_SCHLUESSEL', 'UST_SATZ', 'UST_BESCHR'] },
	cases: {
		names: ['businesscases', 'zgvtyp'],
		columns: [
			...KEY,
			'GV_TYP',
			'GV_NAME',
			'AGENTUR_ID',
			'UST_SCHLUESSEL',
			'Z_UMS_BRUTTO',
			'Z_UMS_NETTO',
			'Z_UST',
		],
	},
	payments: {
		names: ['payment', 'zzahlart'],
		columns: [...KEY, 'ZAHLART_TYP', 'ZAHLART_NAME', 'Z_ZAHLART_BETRAG'],
	},
	cash: {
		names: ['cashpercurrency', 'zwaehrungen'],
		columns: [...KEY, 'ZAHLART_WAEH', 'ZAHLART_BETRAG_WAEH'],
	},
	receipts: {
		names: ['transactions', 'bonkopf'],
		columns: [
			...KEY,
			...['BON_ID', 'BON_NR', 'BON_TYP', 'BON_NAME', 'TERMINAL_ID', 'BON_STORNO', 'BON_START', 'BON_ENDE'],
			...[
				'BEDIENER_ID',
				'BEDIENER_NAME',
				'UMS_BRUTTO',
				'KUNDE_NAME',
				'KUNDE_ID',
				'KUNDE_TYP',
				'KUNDE_STRASSE',
			],
			...['KUNDE_PLZ', 'KUNDE_ORT', 'KUNDE_LAND', 'KUNDE_USTID', 'BON_NOTIZ'],
		],
	},
} satisfies Record<string, Table>;

export type TableName = keyof typeof TABLES;

/** Reading order: rows belong to closings, which come first; the largest table comes last. */
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** A row by its columns, trimmed; empty where the table has none of that name. */
export type Row = (column: string) => string;

/** Why an export can't be read: a sentence for people. */
export class ExportError extends Error {}

/** @returns which table a file is, if it is one */
export function tableOf({ name }: Pick<Source, 'name'>): TableName | undefined {
	const plain = /(?:^|[\\/])(?<base>[^\\/]+)\.(?:csv|txt)$/i.exec(name)?.groups?.base.toLowerCase();
	const letters = plain?.replace(/[^a-z]/g, '');
	return TABLE_NAMES.find((table) => TABLES[table].names.some((one) => one === letters));
}

/** How much of an export may still be read, so that nobody can make the node read without end. */
export interface Budget {
	bytes: number;
	rows: number;
}

/** Rows that are kept between two looks at the clock. */
const ROWS = 100;

/** Reads a table row by row. Throws `ExportError`, or `ZipError` if it can't be unpacked. */
export async function readTable(
	table: TableName,
	file: Source,
	budget: Budget,
	turn: Turn,
	onRow: (row: Row) => void,
): Promise<void> {
	// Rows count only once the whole table is known to be in this encoding.
	const rows: Row[] = [];
	const keep = table === 'receipts' ? onRow : (row: Row) => void rows.push(row);
	const isUtf8 = await readAs('utf-8', table, file, budget, turn, keep).then(
		() => true,
		(error: unknown) => {
			if (error instanceof TypeError) return false;
			throw error;
		},
	);
	if (!isUtf8) {
		rows.length = 0;
		await readAs('windows-1252', table, file, budget, turn, keep);
	}
	for (const [i, row] of rows.entries()) {
		if (i % ROWS === 0) await turn.yield();
		onRow(row);
	}
}

async function readAs(
	encoding: string,
	table: TableName,
	file: Source,
	budget: Budget,
	turn: Turn,
	onRow: (row: Row) => void,
): Promise<void> {
	let index: Map<string, number> | undefined;
	let width = 0;
	let line = 0;
	const csv = new CsvReader((fields) => {
		line++;
		if (!index) {
			const header = headerIn(fields);
			const columns = header ?? TABLES[table].columns;
			index = new Map(columns.map((name, i) => [name, i]));
			width = columns.length;
			if (header) return;
		}
		// Some registers end each line with a delimiter.
		const isWhole =
			fields.length === width ||
			(fields.length > width && fields.slice(width).every((field) => field === ''));
		if (!isWhole) throw new CsvError(`line ${line} has ${fields.length} columns instead of ${width}`);
		if (--budget.rows < 0) throw new ExportError('The export has too many rows: export a shorter period.');
		const columns = index;
		onRow((column) => fields[columns.get(column) ?? -1] ?? '');
	});
	await feed(csv, encoding, file, budget, turn).catch((error: unknown) => {
		throw error instanceof CsvError
			? new ExportError(`The table ${file.name} is damaged: ${error.message}. Export it again.`)
			: error;
	});
}

async function feed(
	csv: CsvReader,
	encoding: string,
	file: Source,
	budget: Budget,
	turn: Turn,
): Promise<void> {
	let decoder: InstanceType<typeof TextDecoder> | undefined;
	for await (const piece of file.open()) {
		budget.bytes -= piece.length;
		if (budget.bytes < 0) throw new ExportError('The export is too large: export a shorter period.');
		const isWide = piece[0] === 0xff && piece[1] === 0xfe;
		decoder ??= new TextDecoder(isWide ? 'utf-16le' : encoding, { fatal: true });
		csv.write(decoder.decode(piece, { stream: true }));
		await turn.yield();
	}
	csv.write(decoder?.decode() ?? '');
	csv.end();
}

/** The columns, if the record is a header. */
function headerIn(fields: string[]): string[] | undefined {
	const names = fields.map((field) => field.toUpperCase());
	if (!names.includes('Z_NR')) return undefined;
	while (names.at(-1) === '') names.pop();
	return names;
}
