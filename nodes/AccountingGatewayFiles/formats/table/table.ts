import type { Bilingual } from '../../../shared/values';

/**
 * What a cell holds: a text as it was typed; the exact number of a typed cell; the day of a date cell, with its time if it has one
 * (`2026-11-20`, `2026-11-20T14:05:00`), which is no point in time, because spreadsheets know no zones; `19 %` of a percent cell.
 */
export type Cell = string | number | CellError;

/** A cell whose program couldn't compute it. */
export class CellError {
	/** @param text as the program shows it, like `#REF!`; empty where the file holds a formula without a result */
	constructor(readonly text: string) {}
}

export interface Row {
	/** As a spreadsheet counts it, from 1: a line break in a cell makes no new row, and `sep=;` is none. */
	number: number;
	/** Without the empty cells at its end. */
	cells: Cell[];
	/** In a table of text: how many cells its separators make. */
	width?: number;
	/** Whether a person doesn't see it: a filter has left it out, or somebody has hidden it. */
	isHidden?: true;
	/** The places of cells that are struck out, from 0. */
	struck?: number[];
}

export interface Table {
	/** Without empty ones. */
	rows: Row[];
	/** The places of columns that a person doesn't see, from 0. */
	hiddenColumns?: ReadonlySet<number>;
	/** The separator of a table of text. */
	separator?: string;
	/** The names of the file's other sheets that a person sees. */
	otherSheets: string[];
	/**
	 * The day of a number in a cell that isn't formatted as a date, as `Cell` has it, in the file's date system; the number itself
	 * where it isn't a day of the years 2000 to 2099.
	 */
	dayOf(serial: number): string | number;
}

/** The result of reading: a table, or why there is none and what to do. */
export type ReadTable = Table | { problem: Bilingual };

/** The limits on what is read from one file, because its sender chooses it. Lists of cash books stay far below them. */
export const MAX_TABLE_BYTES = 20_000_000;
/** Bytes of one part of a spreadsheet, and of all parts that are read. */
export const MAX_PART = 32_000_000;
export const MAX_PARTS = 48_000_000;
/** Rows with something in them. */
const MAX_ROWS = 50_000;
/** Rows that are looked at, empty ones included; a spreadsheet has 1,048,576. */
const MAX_ROW = 1_100_000;
/** Cells of a row that are kept: those to the left. */
export const MAX_COLUMNS = 256;
/** Characters of a cell; Excel allows 32,767. */
export const MAX_CELL = 32_767;
/** Characters of all cells, and of the texts that cells of a spreadsheet refer to. */
export const MAX_TABLE_TEXT = 16_000_000;

/** Why a file can't be read. */
export class TableError extends Error {
	constructor(readonly said: Bilingual) {
		super(said.en);
	}
}

export const damaged = () =>
	new TableError({
		en: "The file is damaged or protected by a password, and can't be read: open it, and save it again without a password as .xlsx or .csv.",
		de: 'Die Datei ist beschädigt oder mit einem Kennwort geschützt und lässt sich nicht lesen: Öffnen Sie sie, und speichern Sie sie ohne Kennwort noch einmal als .xlsx oder .csv.',
	});

export const passwordOrOlder = () =>
	new TableError({
		en: 'The file is protected by a password, or of Excel 95 or older: open it in Excel, save it without a password as .xlsx, and send that.',
		de: 'Die Datei ist mit einem Kennwort geschützt oder aus Excel 95 oder älter: Öffnen Sie sie in Excel, speichern Sie sie ohne Kennwort als .xlsx, und senden Sie diese.',
	});

export const TABLE_TOO_LARGE: Bilingual = {
	en: `The file is larger than any cash list (at most ${MAX_TABLE_BYTES / 1e6} MB, ${MAX_ROWS} rows): send a shorter period, in a file of its own.`,
	de: `Die Datei ist größer als jede Kassenliste (höchstens ${MAX_TABLE_BYTES / 1e6} MB, ${MAX_ROWS} Zeilen): Senden Sie einen kürzeren Zeitraum in einer eigenen Datei.`,
};

export const tooLarge = () => new TableError(TABLE_TOO_LARGE);

export const tooLong = (row: number) =>
	new TableError({
		en: `In row ${row}, a text is too long, or a quotation mark is never closed: correct the row, and send the file again.`,
		de: `In Zeile ${row} ist ein Text zu lang, oder ein Anführungszeichen wird nie geschlossen: Berichtigen Sie die Zeile, und senden Sie die Datei noch einmal.`,
	});

export const swallowed = (row: number) =>
	new TableError({
		en: `In row ${row}, a quotation mark is closed only by one of a later row, so that the rows between would be a part of its text: correct it, or write the text in one line, and send the file again.`,
		de: `In Zeile ${row} schließt erst das Anführungszeichen einer späteren Zeile den Text, die Zeilen dazwischen gehörten also dazu: Berichtigen Sie es, oder schreiben Sie den Text in eine Zeile, und senden Sie die Datei noch einmal.`,
	});

/** Collects the rows of a table. */
export class Rows {
	private readonly rows: Row[] = [];
	private readonly hiddenColumns = new Set<number>();
	private characters = 0;

	get table(): Pick<Table, 'rows' | 'hiddenColumns'> {
		const { rows, hiddenColumns } = this;
		return { rows, hiddenColumns };
	}

	/** @param first place of the first one, from 0 */
	hideColumns(first: number, count: number): void {
		for (let i = Math.max(first, 0); i < Math.min(first + count, MAX_COLUMNS); i++) this.hiddenColumns.add(i);
	}

	/** Takes a row, unless it is empty. */
	add(
		number: number,
		cells: Cell[],
		{ width, isHidden = false, struck = [] }: { width?: number; isHidden?: boolean; struck?: number[] } = {},
	): void {
		if (number > MAX_ROW) throw tooLarge();
		let { length } = cells;
		while (length > 0 && (cells[length - 1] === '' || cells[length - 1] === undefined)) length--;
		if (length === 0) return;
		if (this.rows.length === MAX_ROWS) throw tooLarge();
		// Spreadsheets leave out empty cells.
		const kept = Array.from({ length: Math.min(length, MAX_COLUMNS) }, (_, i) => cells[i] ?? '');
		for (const cell of kept) {
			if (typeof cell !== 'string') continue;
			if (cell.length > MAX_CELL) throw tooLong(number);
			this.characters += cell.length;
		}
		if (this.characters > MAX_TABLE_TEXT) throw tooLarge();
		this.rows.push({
			number,
			cells: kept,
			...(width !== undefined && { width }),
			...(isHidden && { isHidden }),
			...(struck.length > 0 && { struck }),
		});
	}
}

/** A text of a cell: trimmed, its lines ended in one way, whichever program has written it. */
export const cellText = (text: string): string => text.replace(/\r\n?/g, '\n').trim();
