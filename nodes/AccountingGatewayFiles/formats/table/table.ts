import type { Bilingual } from '../../../shared/values';

/**
 * What a cell shows: a text as it was typed; the exact number of a cell that shows all of it; the day of a date cell, with its time if
 * that is shown (`2026-11-20`, `2026-11-20T14:05`), or without its year if that isn't (`20.11.`); `19 %` of a percent cell.
 */
export type Cell = string | number | OddCell;

/** A cell that shows something else than it holds, such as 12 for 12.4, or that its program couldn't compute. */
export class OddCell {
	/**
	 * @param text as the program shows it, like `#REF!`; empty where the file has a formula without a result
	 * @param value that it holds, if any
	 */
	constructor(
		readonly text: string,
		readonly value?: number,
	) {}
}

export interface Row {
	/** As a spreadsheet counts it, from 1: a line break in a cell makes no new row, and `sep=;` is none. */
	number: number;
	/** Without the empty cells at its end. */
	cells: Cell[];
}

export interface Table {
	/** Without empty ones. */
	rows: Row[];
	/** The sheet that was read, and the file's others that a person sees; nothing of a table of text. */
	sheet?: string;
	otherSheets: string[];
	/** The day of a whole number in a cell without a format, in the file's date system: one of the years 2000 to 2099. */
	dayOf(serial: number): string | undefined;
}

/** The result of reading: a table, or why there is none and what to do. */
export type ReadTable = Table | { problem: Bilingual };

// The limits on what is read from one file, because its sender chooses it. Lists of cash books stay far below them.
export const MAX_TABLE_BYTES = 20_000_000;
/** Bytes of one part of a spreadsheet, and of all parts that are read. */
export const MAX_PART = 32_000_000;
export const MAX_PARTS = 48_000_000;
/** Rows with something in them, their cells, and the rows that are looked at: a spreadsheet has 1,048,576. */
const MAX_ROWS = 50_000;
const MAX_CELLS = 1_000_000;
const MAX_ROW = 1_100_000;
/** Cells of a row that are kept: those to the left. */
export const MAX_COLUMNS = 256;
/** Characters of a cell, which are Excel's limit, and of all cells. */
export const MAX_CELL = 32_767;
export const MAX_TABLE_TEXT = 16_000_000;

/** Why a file can't be read. */
export class TableError extends Error {
	constructor(readonly said: Bilingual) {
		super(said.en);
	}
}

export const damaged = () =>
	new TableError({
		en: "The file is damaged and can't be read: open it, and save it again as .xlsx or .csv.",
		de: 'Die Datei ist beschädigt und lässt sich nicht lesen: Öffnen Sie sie, und speichern Sie sie noch einmal als .xlsx oder .csv.',
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

/** The rows of a table. Each passes `add`, which counts what the table holds. */
export class Rows {
	readonly rows: Row[] = [];
	private cells = 0;
	private characters = 0;

	/** Takes a row, unless it is empty. */
	add(number: number, cells: readonly Cell[]): void {
		if (number > MAX_ROW) throw tooLarge();
		let length = Math.min(cells.length, MAX_COLUMNS);
		while (length > 0 && (cells[length - 1] ?? '') === '') length--;
		if (length === 0) return;
		this.cells += length;
		if (this.rows.length === MAX_ROWS || this.cells > MAX_CELLS) throw tooLarge();
		// Spreadsheets leave out empty cells.
		const kept = Array.from({ length }, (_, i) => cells[i] ?? '');
		for (const cell of kept) {
			if (typeof cell !== 'string') continue;
			if (cell.length > MAX_CELL) throw tooLong(number);
			this.characters += cell.length;
		}
		if (this.characters > MAX_TABLE_TEXT) throw tooLarge();
		this.rows.push({ number, cells: kept });
	}

	/** Empties the cells that merged cells cover: a person sees only the first one's. */
	cover(ranges: ReadonlyArray<readonly [from: Position, to: Position]>): void {
		const rows = new Map(this.rows.map((row) => [row.number, row.cells]));
		let looked = 0;
		for (const [from, to] of ranges) {
			looked += to.row - from.row;
			if (looked > MAX_ROW) throw tooLarge();
			for (let number = from.row; number <= to.row; number++) {
				const first = number === from.row ? from.column : from.column - 1;
				rows.get(number)?.fill('', first, to.column);
			}
		}
	}
}

/** A place in a sheet, from 1. */
export interface Position {
	row: number;
	column: number;
}

/** A text of a cell: trimmed, its lines ended in one way, whichever program has written it. */
export const cellText = (text: string): string => text.replace(/\r\n?/g, '\n').trim();
