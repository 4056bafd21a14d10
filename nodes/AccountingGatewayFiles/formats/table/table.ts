import { DAY_MS } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import { TABLE_LIMITS } from './limits';

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

/** Why a file can't be read. */
export class TableError extends Error {
	constructor(readonly said: Bilingual) {
		super(said.en);
	}
}

/** Of another format, with a password, or damaged: what is to be done is the same. */
export const unreadable = () =>
	new TableError({
		en: 'The file can\'t be read. Only .xlsx, .ods and text (.csv) can, without a password: open the file in Excel or LibreOffice, choose Save As, "Excel Workbook (*.xlsx)", and send that file.',
		de: 'Die Datei lässt sich nicht lesen. Das geht nur mit .xlsx, .ods und Text (.csv), ohne Kennwort: Öffnen Sie die Datei in Excel oder LibreOffice, wählen Sie „Speichern unter“, „Excel-Arbeitsmappe (*.xlsx)“, und senden Sie diese Datei.',
	});

export const TABLE_TOO_LARGE: Bilingual = {
	en: `The file is larger than any cash list (at most ${TABLE_LIMITS.bytes / 1e6} MB, ${TABLE_LIMITS.rows} rows): send a shorter period, in a file of its own.`,
	de: `Die Datei ist größer als jede Kassenliste (höchstens ${TABLE_LIMITS.bytes / 1e6} MB, ${TABLE_LIMITS.rows} Zeilen): Senden Sie einen kürzeren Zeitraum in einer eigenen Datei.`,
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
		if (number > TABLE_LIMITS.row) throw tooLarge();
		let length = Math.min(cells.length, TABLE_LIMITS.columns);
		while (length > 0 && (cells[length - 1] ?? '') === '') length--;
		if (length === 0) return;
		this.cells += length;
		if (this.rows.length === TABLE_LIMITS.rows || this.cells > TABLE_LIMITS.cells) throw tooLarge();
		// Spreadsheets leave out empty cells.
		const kept = Array.from({ length }, (_, i) => cells[i] ?? '');
		for (const cell of kept) {
			if (typeof cell !== 'string') continue;
			if (cell.length > TABLE_LIMITS.cell) throw tooLong(number);
			this.characters += cell.length;
		}
		if (this.characters > TABLE_LIMITS.text) throw tooLarge();
		this.rows.push({ number, cells: kept });
	}
}

/** A text of a cell: trimmed, its lines ended in one way, whichever program has written it. */
export const cellText = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

/** A spreadsheet's serial number of a day, `YYYY-MM-DD`; `NaN` for what is none. */
export const serialOf = (day: string): number => (Date.parse(day) - Date.parse('1899-12-30')) / DAY_MS;
