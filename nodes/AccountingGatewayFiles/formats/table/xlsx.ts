import { sortBy, sortedIndexBy } from 'lodash';

import { dayOfSerial } from '../../../shared/values';
import { OddCell, Rows, cellText, unreadable, serialOf, tooLarge } from './table';
import { DAYS_TO_1904, builtIn, formatOf } from './numberFormat';
import type { NumberFormat } from './numberFormat';
import { STOP } from './parts';
import type { Parts } from './parts';
import { isSheet, named } from './sheets';
import type { Cell, Row, Table } from './table';
import { TABLE_LIMITS } from './limits';

/** Reads an Excel workbook (Office Open XML, ECMA-376). Throws `TableError`. */
export async function readXlsx(parts: Parts, wanted = ''): Promise<Table> {
	const workbook = (await relations(parts, '')).find(ofType('officeDocument'))?.path;
	if (workbook === undefined) throw unreadable();
	const related = await relations(parts, workbook);
	const { sheets, shownFirst, offset } = await readWorkbook(parts, workbook);
	const index = wanted === '' ? shownFirst : sheets.findIndex(({ name }) => isSheet(name, wanted));
	const visible = sheets.filter(({ isHidden }, i) => !isHidden || i === index);
	const names = named(
		visible.map(({ name }) => name),
		visible.indexOf(sheets[index]),
		wanted,
	);
	const path = related.find(({ id }) => id === sheets[index].id)?.path ?? '';
	if (!parts.has(path)) throw unreadable();
	const formats = await readFormats(parts, related.find(ofType('styles'))?.path);
	const strings = await readStrings(parts, related.find(ofType('sharedStrings'))?.path);
	const rows = await readSheet(parts, path, { strings, formats, offset });
	return { rows, ...names, dayOf: (serial) => dayOfSerial(serial + offset) };
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
			if (found.length > TABLE_LIMITS.sheets) throw tooLarge();
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

const isOn = (value = ''): boolean => /^(?:1|true)$/.test(value);

async function readWorkbook(parts: Parts, path: string) {
	const sheets: Array<{ name: string; id: string; isHidden: boolean }> = [];
	let [offset, active] = [0, 0];
	await parts.parse(path, {
		open(name, { date1904, activeTab = '0', name: title = '', state = '', id = '' }) {
			if (name === 'workbookPr' && isOn(date1904)) offset = DAYS_TO_1904;
			if (name === 'workbookView') active ||= Number(activeTab);
			if (name !== 'sheet') return;
			if (sheets.length === TABLE_LIMITS.sheets) throw tooLarge();
			sheets.push({ name: title, isHidden: /hidden/i.test(state), id });
		},
	});
	const isShown = sheets[active]?.isHidden === false;
	return { sheets, offset, shownFirst: isShown ? active : sheets.findIndex(({ isHidden }) => !isHidden) };
}

/** The format of each style that cells refer to by its number. */
async function readFormats(parts: Parts, path = ''): Promise<NumberFormat[]> {
	const codes = new Map<number, string>();
	const read = new Map<string, NumberFormat>();
	const formats: NumberFormat[] = [];
	let isInCells = false;
	await parts.parse(path, {
		open(name, { numFmtId = '0', formatCode = '' }) {
			if (codes.size + formats.length > TABLE_LIMITS.formats) throw tooLarge();
			if (name === 'numFmt') codes.set(Number(numFmtId), formatCode.slice(0, TABLE_LIMITS.formatCode));
			if (name === 'cellXfs') isInCells = true;
			if (name !== 'xf' || !isInCells) return;
			const code = codes.get(Number(numFmtId)) ?? builtIn(Number(numFmtId));
			const format = read.get(code) ?? formatOf(code);
			read.set(code, format);
			formats.push(format);
		},
		close(name) {
			return name === 'cellXfs' ? STOP : undefined;
		},
	});
	return formats;
}

/** The texts that cells refer to by their number. */
async function readStrings(parts: Parts, path = ''): Promise<string[]> {
	const strings: string[] = [];
	let [text, isIn] = ['', false];
	await parts.parse(path, {
		open: (name) => void (isIn = name === 't'),
		text: (part) => void (text += isIn ? part : ''),
		close(name) {
			isIn = false;
			if (name !== 'si') return;
			strings.push(unescaped(text));
			text = '';
		},
	});
	return strings;
}

/** Characters that XML can't hold, or that it changes, are written by their number: `_x000D_`. */
const unescaped = (text: string): string =>
	cellText(
		text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
	);

interface Workbook {
	strings: readonly string[];
	formats: readonly NumberFormat[];
	/** Days from Excel's first day to that of the workbook. */
	offset: number;
}

/** A cell while it is read. */
interface Open {
	column: number;
	type: string;
	format?: NumberFormat;
	/** What stands in `v`: a number, or the number of a text; undefined without one. */
	value?: string;
	/** Its own text, in runs of different formats. */
	inline: string;
	isFormula: boolean;
}

async function readSheet(parts: Parts, path: string, workbook: Workbook): Promise<Rows['rows']> {
	const rows = new Rows();
	let [number, column, element] = [0, 0, ''];
	let cells: Cell[] = [];
	let cell: Open | undefined;
	/** Once all cells are read. */
	let merged: Merged | undefined;
	await parts.parse(path, {
		open(name, { r: reference = '', t: type = 'n', s: style = '0', ref = '' }) {
			element = name;
			if (merged) {
				if (name === 'mergeCell') merged.empty(ref);
			} else if (name === 'row') {
				number = reference === '' ? number + 1 : Number(reference);
				if (!(number > 0)) throw unreadable();
				[cells, column] = [[], 0];
			} else if (name === 'c') {
				column = reference === '' ? column + 1 : columnOf(reference);
				cell = { column, type, format: workbook.formats[Number(style)], inline: '', isFormula: false };
			} else if (cell && name === 'f') cell.isFormula = true;
			else if (cell && name === 'v') cell.value = '';
		},
		text(part) {
			if (cell && element === 'v') cell.value += part;
			else if (cell && element === 't') cell.inline += part;
		},
		close(name) {
			element = '';
			if (name === 'c' && cell) {
				if (cell.column <= TABLE_LIMITS.columns) cells[cell.column - 1] = valueOf(cell, workbook);
				cell = undefined;
			} else if (name === 'row' && !merged) rows.add(number, cells);
			else if (name === 'sheetData') merged ??= new Merged(rows.rows);
			return name === 'mergeCells' ? STOP : undefined;
		},
	});
	return merged?.left ?? rows.rows;
}

/** Empties the cells that merged ones cover: a workbook keeps what they held, and nobody sees it. */
class Merged {
	/** By number; sorted once something is merged. */
	private rows?: Row[];
	/** Rows and cells that were visited. Merged cells don't overlap, so a list visits each once. */
	private visited = 0;

	constructor(private readonly all: Row[]) {}

	/** @param ref what is merged: `D2:E3` */
	empty(ref: string): void {
		const [first, last = first] = ref.split(':');
		const [left, right] = [columnOf(first), columnOf(last)];
		const [top, bottom] = [first, last].map((one) => Number(one.replace(/\D/g, '')));
		this.rows ??= sortBy(this.all, 'number');
		let i = sortedIndexBy<{ number: number }>(this.rows, { number: top }, 'number');
		for (this.visit(); i < this.rows.length && this.rows[i].number <= bottom; i++) {
			const { number, cells } = this.rows[i];
			this.visit();
			for (let column = left; column <= Math.min(right, cells.length); column++) {
				this.visit();
				if (number > top || column > left) cells[column - 1] = '';
			}
		}
	}

	/** The rows, without those that are empty now. */
	get left(): Row[] {
		if (!this.rows) return this.all;
		const rows = new Rows();
		for (const { number, cells } of this.all) rows.add(number, cells);
		return rows.rows;
	}

	private visit(): void {
		if (++this.visited > TABLE_LIMITS.cells) throw tooLarge();
	}
}

/** The column of a cell, from 1: 28 of `AB7`. */
function columnOf(reference: string): number {
	const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(reference)?.[1];
	if (!letters) throw unreadable();
	return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function valueOf({ type, format, value, inline, isFormula }: Open, { strings, offset }: Workbook): Cell {
	if (type === 'inlineStr') return unescaped(inline);
	// Programs that write a formula without its result leave that to Excel; of a text, it may be empty.
	if (value === undefined || (value === '' && type !== 'str')) return isFormula ? new OddCell('') : '';
	const shown = (number: number): Cell => (format ? format(number, offset) : number);
	switch (type) {
		case 's':
			if (strings[Number(value)] === undefined) throw unreadable();
			return strings[Number(value)];
		case 'n': {
			const number = value.trim() === '' ? NaN : Number(value);
			return Number.isNaN(number) ? cellText(value) : shown(number);
		}
		case 'd': {
			const serial = serialOf(/^\d{4}-\d\d-\d\dT/.test(value) ? `${value.replace(/Z$/, '')}Z` : value);
			return Number.isNaN(serial) ? cellText(value) : shown(serial - offset);
		}
		case 'e':
			return new OddCell(value);
		case 'b':
			return value === '1' ? 'TRUE' : 'FALSE';
		default:
			return unescaped(value);
	}
}
