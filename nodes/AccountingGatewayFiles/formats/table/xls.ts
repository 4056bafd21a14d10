import { memoize } from 'lodash';

import type { Turn } from '../../../shared/values';
import type { CompoundFile } from './compound';
import { DAYS_TO_1904, dayOf, formatOf, shownAs } from './numberFormat';
import { chosenSheet } from './sheets';
import {
	CellError,
	cellText,
	damaged,
	MAX_COLUMNS,
	MAX_TABLE_TEXT,
	passwordOrOlder,
	Rows,
	tooLarge,
} from './table';
import type { Cell, Table } from './table';

/** The records of a workbook of Excel 97 to 2003 (BIFF8, [MS-XLS] 2.4) that a list needs. */
const RECORD = {
	formula: 0x0006,
	end: 0x000a,
	dateMode: 0x0022,
	password: 0x002f,
	font: 0x0031,
	continued: 0x003c,
	sheet: 0x0085,
	columns: 0x007d,
	multipleRk: 0x00bd,
	formatting: 0x00e0,
	texts: 0x00fc,
	sharedText: 0x00fd,
	number: 0x0203,
	text: 0x0204,
	error: 0x0205,
	resultText: 0x0207,
	row: 0x0208,
	rk: 0x027e,
	format: 0x041e,
	begin: 0x0809,
};
const BIFF8 = 0x0600;
const UTF_16 = new TextDecoder('utf-16le');

/** What Excel shows of the errors that it stores as numbers. */
const ERRORS = new Map([
	[0x00, '#NULL!'],
	[0x07, '#DIV/0!'],
	[0x0f, '#VALUE!'],
	[0x17, '#REF!'],
	[0x1d, '#NAME?'],
	[0x24, '#NUM!'],
	[0x2a, '#N/A'],
]);

/** Reads an Excel workbook of 97 to 2003. Throws `TableError`, or a `RangeError` where it is damaged. */
export async function readXls(file: CompoundFile, turn: Turn, wanted?: string): Promise<Table> {
	// Excel 5 and 95 have a stream named "Book", newer files with a password one named "EncryptedPackage".
	if (!file.has('Workbook')) throw passwordOrOlder();
	const bytes = file.stream('Workbook');
	const book = await readBook(bytes, turn);
	if (book.sheets.length === 0) throw damaged();
	const { sheet, others } = chosenSheet(book.sheets, wanted);
	const rows = await readSheet(bytes, sheet.at, book, turn);
	return { ...rows.table, otherSheets: others, dayOf: (serial) => dayOf(serial, book.offset) };
}

interface Book {
	sheets: Array<{ name: string; isHidden: boolean; at: number }>;
	strings: string[];
	/** Numbers of formats by the number of a cell's formatting. */
	formatting: number[];
	/** Those that strike out. */
	struckOut: Set<number>;
	/** The texts that are struck out, or a part of them. */
	struckStrings: Set<number>;
	codes: Map<number, string>;
	/** Days from Excel's first day to that of the workbook. */
	offset: number;
}

interface BiffRecord {
	type: number;
	view: DataView;
	/** What follows it in records of their own, because a record has at most 8,224 bytes. */
	continued: DataView[];
}

/** The records from one to the end of its part of the workbook. */
function* recordsFrom(bytes: Uint8Array, start: number): Generator<BiffRecord> {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let at = start;
	const next = (): DataView => {
		const length = view.getUint16(at + 2, true);
		const data = new DataView(bytes.buffer, bytes.byteOffset + at + 4, length);
		at += 4 + length;
		return data;
	};
	while (at + 4 <= bytes.length) {
		const record: BiffRecord = { type: view.getUint16(at, true), view: next(), continued: [] };
		while (at + 4 <= bytes.length && view.getUint16(at, true) === RECORD.continued)
			record.continued.push(next());
		yield record;
		if (record.type === RECORD.end) return;
	}
}

async function readBook(bytes: Uint8Array, turn: Turn): Promise<Book> {
	const book: Book = {
		sheets: [],
		strings: [],
		formatting: [],
		struckOut: new Set(),
		struckStrings: new Set(),
		codes: new Map(),
		offset: 0,
	};
	const isStruckFont: boolean[] = [];
	for (const record of recordsFrom(bytes, 0)) {
		await turn.yield();
		const { type, view } = record;
		switch (type) {
			case RECORD.begin:
				if (view.getUint16(0, true) !== BIFF8) throw passwordOrOlder();
				break;
			case RECORD.password:
				throw passwordOrOlder();
			case RECORD.dateMode:
				book.offset = view.getUint16(0, true) === 1 ? DAYS_TO_1904 : 0;
				break;
			case RECORD.format:
				book.codes.set(view.getUint16(0, true), new Texts(record, 4).next(view.getUint16(2, true)));
				break;
			case RECORD.font:
				isStruckFont.push((view.getUint16(2, true) & 8) !== 0);
				// No font has the number 4.
				if (isStruckFont.length === 4) isStruckFont.push(false);
				break;
			case RECORD.formatting:
				if (isStruckFont[view.getUint16(0, true)]) book.struckOut.add(book.formatting.length);
				book.formatting.push(view.getUint16(2, true));
				break;
			case RECORD.sheet:
				// Charts and macros are sheets, too.
				if (view.getUint8(5) === 0) {
					const name = new Texts(record, 7).next(view.getUint8(6));
					book.sheets.push({ name, isHidden: (view.getUint8(4) & 3) !== 0, at: view.getUint32(0, true) });
				}
				break;
			case RECORD.texts:
				book.strings = await sharedTexts(record, turn, (fonts, text) => {
					if (fonts.some((font) => isStruckFont[font])) book.struckStrings.add(text);
				});
		}
	}
	return book;
}

/** Texts of a record, which may go on in those that continue it. */
class Texts {
	/** The numbers of the fonts that parts of the last text have, if they differ from its cell's. */
	fonts: number[] = [];
	private readonly segments: DataView[];
	private segment = 0;

	/** @param at where the first text begins, behind its length */
	constructor(
		{ view, continued }: BiffRecord,
		private at: number,
	) {
		this.segments = [view, ...continued];
	}

	/** The length that stands before a text. */
	length(): number {
		const view = this.current();
		this.at += 2;
		return view.getUint16(this.at - 2, true);
	}

	/** @param length characters, UTF-16 units */
	next(length: number): string {
		const flags = this.byte();
		// What follows the text: runs of other fonts, and how it is read aloud.
		const runs = flags & 8 ? this.length() : 0;
		const aloud = flags & 4 ? this.length() + 65_536 * this.length() : 0;
		let text = '';
		let isWide = (flags & 1) === 1;
		for (let left = length; left > 0; ) {
			if (this.at >= this.segments[this.segment].byteLength) {
				this.current();
				isWide = (this.byte() & 1) === 1;
			}
			const view = this.segments[this.segment];
			const size = isWide ? 2 : 1;
			const count = Math.min(left, Math.floor((view.byteLength - this.at) / size));
			if (count === 0) throw damaged();
			const bytes = new Uint8Array(view.buffer, view.byteOffset + this.at, count * size);
			// Without a second byte, it is 0: ISO-8859-1.
			text += isWide ? UTF_16.decode(bytes) : String.fromCharCode(...bytes);
			this.at += count * size;
			left -= count;
		}
		this.fonts = [];
		for (let run = 0; run < runs; run++) {
			this.skip(2);
			this.fonts.push(this.byte() + 256 * this.byte());
		}
		this.skip(aloud);
		return cellText(text);
	}

	private byte(): number {
		const view = this.current();
		return view.getUint8(this.at++);
	}

	private skip(bytes: number): void {
		for (let left = bytes; left > 0; ) {
			const here = Math.min(left, this.current().byteLength - this.at);
			this.at += here;
			left -= here;
		}
	}

	/** The segment with the next byte. */
	private current(): DataView {
		while (this.at >= this.segments[this.segment].byteLength) {
			this.segment++;
			this.at = 0;
			if (this.segment === this.segments.length) throw damaged();
		}
		return this.segments[this.segment];
	}
}

/** @param found is told the fonts of a text's parts, and its number */
async function sharedTexts(
	record: BiffRecord,
	turn: Turn,
	found: (fonts: readonly number[], text: number) => void,
): Promise<string[]> {
	const texts = new Texts(record, 8);
	const strings: string[] = [];
	let characters = 0;
	// Each text takes three bytes at least, so their number is bounded by the file's size.
	for (let left = record.view.getUint32(4, true); left > 0; left--) {
		await turn.yield();
		const text = texts.next(texts.length());
		characters += text.length;
		if (characters > MAX_TABLE_TEXT) throw tooLarge();
		found(texts.fonts, strings.length);
		strings.push(text);
	}
	return strings;
}

async function readSheet(bytes: Uint8Array, start: number, book: Book, turn: Turn): Promise<Rows> {
	const rows = new Rows();
	const found = new Map<number, Cell[]>();
	const hidden = new Set<number>();
	const struck = new Map<number, number[]>();
	const note = (row: number, column: number, isStruck: boolean) => {
		if (!isStruck || column >= MAX_COLUMNS) return;
		const places = struck.get(row) ?? [];
		if (places.push(column) === 1) struck.set(row, places);
	};
	const put = (row: number, column: number, cell: Cell) => {
		if (column >= MAX_COLUMNS) return;
		let cells = found.get(row);
		if (!cells) found.set(row, (cells = []));
		cells[column] = cell;
	};
	const formatBy = memoize((id: number) => formatOf(id, book.codes.get(id)));
	const number = (value: number, formatting: number): Cell =>
		shownAs(formatBy(book.formatting[formatting] ?? 0), value, book.offset);
	/** Where the text goes that follows a formula. */
	let result: [row: number, column: number] = [0, 0];
	for (const record of recordsFrom(bytes, start)) {
		await turn.yield();
		const { type, view } = record;
		if (type === RECORD.resultText) put(...result, new Texts(record, 2).next(view.getUint16(0, true)));
		// Among the options of a row: whether its height is zero.
		if (type === RECORD.row && (view.getUint16(12, true) & 0x20) !== 0) hidden.add(view.getUint16(0, true));
		if (type === RECORD.columns && view.byteLength >= 10 && (view.getUint16(8, true) & 1) !== 0) {
			const [first, last] = [0, 2].map((at) => view.getUint16(at, true));
			rows.hideColumns(first, last - first + 1);
		}
		if (!CELLS.includes(type)) continue;
		const [row, column, formatting] = [0, 2, 4].map((at) => view.getUint16(at, true));
		if (type !== RECORD.multipleRk) note(row, column, book.struckOut.has(formatting));
		switch (type) {
			case RECORD.sharedText: {
				const text = view.getUint32(6, true);
				if (book.strings[text] === undefined) throw damaged();
				put(row, column, book.strings[text]);
				note(row, column, book.struckStrings.has(text));
				break;
			}
			case RECORD.text:
				put(row, column, new Texts(record, 8).next(view.getUint16(6, true)));
				break;
			case RECORD.number:
				put(row, column, number(view.getFloat64(6, true), formatting));
				break;
			case RECORD.rk:
				put(row, column, number(rkOf(view, 6), formatting));
				break;
			case RECORD.multipleRk:
				for (let at = 4; at + 6 < view.byteLength; at += 6) {
					const place = column + (at - 4) / 6;
					put(row, place, number(rkOf(view, at + 2), view.getUint16(at, true)));
					note(row, place, book.struckOut.has(view.getUint16(at, true)));
				}
				break;
			case RECORD.error:
				put(row, column, view.getUint8(7) === 0 ? truthOf(view.getUint8(6)) : errorOf(view.getUint8(6)));
				break;
			case RECORD.formula:
				result = [row, column];
				// A number that is none says that the result is something else.
				if (view.getUint16(12, true) !== 0xffff)
					put(row, column, number(view.getFloat64(6, true), formatting));
				else if (view.getUint8(6) === 1) put(row, column, truthOf(view.getUint8(8)));
				else if (view.getUint8(6) === 2) put(row, column, errorOf(view.getUint8(8)));
		}
	}
	for (const row of [...found.keys()].sort((a, b) => a - b))
		rows.add(row + 1, found.get(row)!, { isHidden: hidden.has(row), struck: struck.get(row) });
	return rows;
}

const CELLS = [
	RECORD.sharedText,
	RECORD.text,
	RECORD.number,
	RECORD.rk,
	RECORD.multipleRk,
	RECORD.error,
	RECORD.formula,
];

const truthOf = (value: number): string => (value === 0 ? 'FALSE' : 'TRUE');
const errorOf = (code: number): CellError => new CellError(ERRORS.get(code) ?? '#ERROR!');

/** A number in four bytes: a whole one or the first half of a double, maybe as hundredths ([MS-XLS] 2.5.217). */
function rkOf(view: DataView, at: number): number {
	const bits = view.getInt32(at, true);
	const half = new DataView(new ArrayBuffer(8));
	half.setInt32(4, bits & ~3, true);
	const value = bits & 2 ? bits >> 2 : half.getFloat64(0, true);
	return bits & 1 ? value / 100 : value;
}
