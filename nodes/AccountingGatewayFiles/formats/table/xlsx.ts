import { DAYS_TO_1904, dayOf, dayOfIso, formatOf, shownAs } from './numberFormat';
import type { NumberFormat } from './numberFormat';
import { STOP } from './parts';
import type { Parts } from './parts';
import { chosenSheet } from './sheets';
import type { Sheet } from './sheets';
import { CellError, cellText, damaged, MAX_COLUMNS, Rows, tooLarge } from './table';
import type { Cell, Table } from './table';

/** Texts that cells share, formats of cells, and sheets: many times what lists have. */
const MAX_STRINGS = 500_000;
const MAX_FORMATS = 100_000;
const MAX_WORKBOOK_SHEETS = 5_000;

/** Reads an Excel workbook (Office Open XML, ECMA-376). Throws `TableError`. */
export async function readXlsx(parts: Parts, wanted?: string): Promise<Table> {
	const workbook = (await relations(parts, '')).find(ofType('officeDocument'))?.path;
	if (workbook === undefined) throw damaged();
	const related = await relations(parts, workbook);
	const { sheets, offset } = await readWorkbook(parts, workbook);
	if (sheets.length === 0) throw damaged();
	const { sheet, others } = chosenSheet(sheets, wanted);
	const path = related.find(({ id }) => id === sheet.id)?.path ?? '';
	if (!parts.has(path)) throw damaged();
	const { formats, struckOut } = await readFormats(parts, related.find(ofType('styles'))?.path);
	const texts = await readStrings(parts, related.find(ofType('sharedStrings'))?.path);
	const rows = await readSheet(parts, path, { ...texts, formats, struckOut, offset });
	return { ...rows.table, otherSheets: others, dayOf: (serial) => dayOf(serial, offset) };
}

interface Relation {
	id: string;
	type: string;
	/** The part's name in the archive. */
	path: string;
}

/** Types end with the same word in both variants of the standard. */
const ofType =
	(word: string) =>
	({ type }: Relation): boolean =>
		type.endsWith(`/${word}`);

/** What a part refers to. @param path of the part; empty for the archive itself */
async function relations(parts: Parts, path: string): Promise<Relation[]> {
	const folder = path.slice(0, path.lastIndexOf('/') + 1);
	const found: Relation[] = [];
	await parts.parse(`${folder}_rels/${path.slice(folder.length)}.rels`, {
		open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
			if (name !== 'Relationship') return;
			if (found.length === MAX_WORKBOOK_SHEETS) throw tooLarge();
			const isAbsolute = target.startsWith('/');
			found.push({
				id,
				type,
				path: isAbsolute ? target.slice(1) : `${folder}${target.replace(/^\.\//, '')}`,
			});
		},
	});
	return found;
}

/** A truth value of XML Schema. */
const isOn = (value = ''): boolean => /^(?:1|true)$/.test(value);

async function readWorkbook(parts: Parts, path: string) {
	const sheets: Array<Sheet & { id: string }> = [];
	let offset = 0;
	await parts.parse(path, {
		open(name, { date1904, name: title = '', state, id = '' }) {
			if (name === 'workbookPr' && isOn(date1904)) offset = DAYS_TO_1904;
			if (name !== 'sheet') return;
			if (sheets.length === MAX_WORKBOOK_SHEETS) throw tooLarge();
			sheets.push({ name: title, isHidden: /hidden/i.test(state ?? ''), id });
		},
	});
	return { sheets, offset };
}

/** The format of each style that cells refer to by its number, and those styles that strike out. */
async function readFormats(parts: Parts, path = ''): Promise<Pick<Workbook, 'formats' | 'struckOut'>> {
	const codes = new Map<number, string>();
	const formats: NumberFormat[] = [];
	const struckOut = new Set<number>();
	const struckFonts = new Set<number>();
	let fonts = 0;
	let isInCells = false;
	await parts.parse(path, {
		open(name, { numFmtId = '0', formatCode, fontId = '0', val = '1' }) {
			if (codes.size + formats.length + fonts > MAX_FORMATS) throw tooLarge();
			if (name === 'font') fonts++;
			if (name === 'strike' && isOn(val)) struckFonts.add(fonts - 1);
			if (name === 'xf' && isInCells && struckFonts.has(Number(fontId))) struckOut.add(formats.length);
			if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '');
			if (name === 'cellXfs') isInCells = true;
			if (name === 'xf' && isInCells) formats.push(formatOf(Number(numFmtId), codes.get(Number(numFmtId))));
		},
		close(name) {
			return name === 'cellXfs' ? STOP : undefined;
		},
	});
	return { formats, struckOut };
}

/** The texts that cells refer to by their number. */
async function readStrings(parts: Parts, path = ''): Promise<Pick<Workbook, 'strings' | 'struckStrings'>> {
	const strings: string[] = [];
	const struckStrings = new Set<string>();
	const text = new Text();
	await parts.parse(path, {
		open: (name, { val }) => text.open(name, val),
		text: (part) => text.add(part),
		close(name) {
			text.close(name);
			if (name !== 'si') return;
			if (strings.length === MAX_STRINGS) throw tooLarge();
			if (text.isStruck) struckStrings.add(String(strings.length));
			strings.push(text.take());
		},
	});
	return { strings, struckStrings };
}

/** A text in runs of different formats, without its reading aids (phonetic runs). */
class Text {
	/** Whether a run is struck out. */
	isStruck = false;
	private text = '';
	private isIn = false;
	private isAid = false;

	open(name: string, val = '1'): void {
		if (name === 'rPh') this.isAid = true;
		if (name === 'strike' && isOn(val)) this.isStruck = true;
		// 12 with a raised 50 isn't 1250.
		if (name === 'vertAlign' && val !== 'baseline') this.text += ' ';
		if (name === 't') this.isIn = !this.isAid;
	}

	add(part: string): void {
		if (this.isIn) this.text += part;
	}

	close(name: string): void {
		if (name === 'rPh') this.isAid = false;
		if (name === 't') this.isIn = false;
	}

	take(): string {
		const { text } = this;
		[this.text, this.isStruck] = ['', false];
		return unescaped(text);
	}
}

/** Characters that XML can't hold, or that it changes, are written by their number: `_x000D_`. */
const unescaped = (text: string): string =>
	cellText(
		text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
	);

interface Workbook {
	strings: readonly string[];
	/** The numbers of texts that are struck out, or a part of them. */
	struckStrings: ReadonlySet<string>;
	formats: readonly NumberFormat[];
	/** The styles of cells that are struck out. */
	struckOut: ReadonlySet<number>;
	/** Days from Excel's first day to that of the workbook. */
	offset: number;
}

/** A cell while it is read. */
interface Open {
	column: number;
	type: string;
	format: NumberFormat;
	/** What stands in `v`: a number, or the number of a text; undefined without one. */
	value?: string;
	isFormula: boolean;
}

async function readSheet(parts: Parts, path: string, workbook: Workbook): Promise<Rows> {
	const rows = new Rows();
	const text = new Text();
	let [number, column, isInValue, isHidden] = [0, 0, false, false];
	let cells: Cell[] = [];
	let struck: number[] = [];
	let cell: Open | undefined;
	await parts.parse(path, {
		open(name, { r: reference = '', t: type = 'n', s: style = '0', hidden = '', val, min, max }) {
			if (name === 'col' && isOn(hidden)) rows.hideColumns(Number(min) - 1, Number(max) - Number(min) + 1);
			else if (name === 'row') {
				number = reference === '' ? number + 1 : Number(reference);
				if (!(number > 0)) throw damaged();
				[cells, struck, column, isHidden] = [[], [], 0, isOn(hidden)];
			} else if (name === 'c') {
				column = reference === '' ? column + 1 : columnOf(reference);
				if (workbook.struckOut.has(Number(style)) && column <= MAX_COLUMNS) struck.push(column - 1);
				cell = { column, type, format: workbook.formats[Number(style)], isFormula: false };
			} else if (cell && name === 'f') cell.isFormula = true;
			else if (cell && name === 'v') [cell.value, isInValue] = ['', true];
			else text.open(name, val);
		},
		text(part) {
			if (cell && isInValue) cell.value += part;
			else if (cell) text.add(part);
		},
		close(name) {
			if (name === 'v') isInValue = false;
			else if (name === 'c' && cell) {
				const isStruck = text.isStruck || (cell.type === 's' && workbook.struckStrings.has(cell.value ?? ''));
				if (isStruck && cell.column <= MAX_COLUMNS) struck.push(cell.column - 1);
				const inline = text.take();
				if (cell.column <= MAX_COLUMNS) cells[cell.column - 1] = valueOf(cell, inline, workbook);
				cell = undefined;
			} else if (name === 'row') rows.add(number, cells, { isHidden, struck });
			else text.close(name);
			return name === 'sheetData' ? STOP : undefined;
		},
	});
	return rows;
}

/** The number of a cell's column: 28 for `AB7`. */
function columnOf(reference: string): number {
	const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
	if (!letters) throw damaged();
	return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function valueOf(
	{ type, format, value, isFormula }: Open,
	inline: string,
	{ strings, offset }: Workbook,
): Cell {
	if (type === 'inlineStr') return inline;
	// Programs that write a formula without its result leave that to Excel; of a text, it may be empty.
	if (value === undefined || (value === '' && type !== 'str')) return isFormula ? new CellError('') : '';
	switch (type) {
		case 's':
			if (strings[Number(value)] === undefined) throw damaged();
			return strings[Number(value)];
		case 'n': {
			const number = value.trim() === '' ? NaN : Number(value);
			return Number.isNaN(number) ? cellText(value) : shownAs(format, number, offset);
		}
		case 'd':
			return dayOfIso(value);
		case 'e':
			return new CellError(value);
		case 'b':
			return value === '1' ? 'TRUE' : 'FALSE';
		default:
			return unescaped(value);
	}
}
