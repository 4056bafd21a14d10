/** Makes spreadsheets as Excel and LibreOffice store them, with what a list can have wrong. */
import { zip } from './cashExport.mjs';

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A cell of an Excel sheet: a text, a number, or XML of one's own. */
export type Cell = string | number | { xml: string };

/** A sheet's rows by their numbers, which need not be all. */
export type Sheet = Record<number, Cell[]>;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (targets: Array<[type: string, target: string]>) =>
	`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
		.map(
			([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
		)
		.join('')}</Relationships>`;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const cellXml = (cell: Cell, reference: string) => {
	if (typeof cell === 'object') return cell.xml.replace('<c', `<c r="${reference}"`);
	return typeof cell === 'number'
		? `<c r="${reference}"><v>${cell}</v></c>`
		: `<c r="${reference}" t="inlineStr"><is><t>${xml(cell)}</t></is></c>`;
};
export const sheetXml = (rows: Sheet): string =>
	`<worksheet xmlns="${MAIN}"><sheetData>${Object.entries(rows)
		.map(
			([row, cells]) =>
				`<row r="${row}">${cells.map((cell, i) => cellXml(cell, `${letters[i]}${row}`)).join('')}</row>`,
		)
		.join('')}</sheetData></worksheet>`;

/** A date cell, by its days. */
export const dated = (days: number): Cell => ({ xml: `<c s="1"><v>${days}</v></c>` });

/** An Excel workbook. */
export function xlsx(
	sheet: Sheet | string,
	{
		date1904 = '',
		strings,
		more = {},
	}: { date1904?: string; strings?: string; more?: Record<string, string> } = {},
): Buffer {
	const parts = {
		'[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
		'_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
		'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${date1904 && ` date1904="${date1904}"`}/><sheets><sheet name="Kasse" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		'xl/_rels/workbook.xml.rels': relations([
			['worksheet', 'worksheets/sheet1.xml'],
			['styles', '/xl/styles.xml'],
			['sharedStrings', 'sharedStrings.xml'],
		]),
		'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy;@"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>`,
		'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings ?? ''}</sst>`,
		'xl/worksheets/sheet1.xml': typeof sheet === 'string' ? sheet : sheetXml(sheet),
		...more,
	};
	return zip(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, Buffer.from(part)])));
}

/** An OpenDocument spreadsheet. @param rows XML of the rows of its only sheet, with LibreOffice's prefixes */
export const ods = (rows: string, { before = '', styles = '' } = {}): Buffer =>
	zip({
		mimetype: Buffer.from('application/vnd.oasis.opendocument.spreadsheet'),
		'styles.xml': Buffer.from(
			`<office:document-styles xmlns:office="o" xmlns:style="s" xmlns:number="n"><office:styles>${styles}</office:styles></office:document-styles>`,
		),
		'content.xml': Buffer.from(
			`<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:calcext="c"><office:body><office:spreadsheet>${before}<table:table table:name="Kasse">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`,
		),
	});

/** A row of an OpenDocument sheet, of texts or XML of one's own. @param of attributes of the row, and of each text's cell */
export const odsRow = (cells: Array<string | { xml: string }>, of: { row?: string; cell?: string } = {}) =>
	`<table:table-row ${of.row ?? ''}>${cells
		.map((cell) =>
			typeof cell === 'string'
				? `<table:table-cell ${of.cell ?? ''} office:value-type="string"><text:p>${cell}</text:p></table:table-cell>`
				: cell.xml,
		)
		.join('')}</table:table-row>`;

/** A row of a page's table. @param attributes of the row */
export const htmlRow = (cells: string[], attributes = '') =>
	`<tr${attributes}>${cells.map((cell) => `<td>${cell}`).join('')}`;

/** A row of the XML of Excel 2003. @param of attributes of the row, and of each cell */
export const row2003 = (cells: string[], of: { row?: string; cell?: string } = {}) =>
	`<Row ${of.row ?? ''}>${cells.map((cell) => `<Cell ${of.cell ?? ''}><Data ss:Type="String">${cell}</Data></Cell>`).join('')}</Row>`;

/** The XML of Excel 2003. @param rows XML of the rows of its only sheet */
export const excel2003 = (rows: string, before = '') =>
	`<?xml version="1.0"?><Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">${before}<Worksheet ss:Name="Kasse"><Table>${rows}</Table></Worksheet></Workbook>`;

const record = (type: number, ...parts: Array<Buffer | number[]>): Buffer => {
	const data = Buffer.concat(parts.map((part) => Buffer.from(part)));
	const head = Buffer.alloc(4);
	head.writeUInt16LE(type, 0);
	head.writeUInt16LE(data.length, 2);
	return Buffer.concat([head, data]);
};
const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);

/**
 * A workbook of Excel 97 to 2003 whose sheet has shared texts, one in each cell of its first row.
 * @param texts the record with them, and those that continue it, without the counts at their beginning
 */
export const xls = (count: number, ...texts: Buffer[]): Buffer =>
	workbook(
		count,
		texts,
		Array.from({ length: count }, (_, i) => record(0x00fd, u16(0, i, 0), u32(i))),
	);

/**
 * The same with rows of texts and of numbers as Excel stores most of them: in four bytes, given as such. Of a text, a part may be struck
 * out.
 * @param hidden numbers of rows, from 0
 * @param isStruck whether all cells are struck out
 * @param hiddenColumns places of columns, from 0
 */
export function xlsOf(
	rows: Array<Array<string | { rk: number } | { struck: string }>>,
	hidden: number[] = [],
	isStruck = false,
	hiddenColumns: number[] = [],
): Buffer {
	const texts = rows.flat().filter((cell) => typeof cell === 'string' || 'struck' in cell);
	const cells = rows.flatMap((row, y) =>
		row.map((cell, x) =>
			typeof cell === 'string' || 'struck' in cell
				? record(0x00fd, u16(y, x, 0), u32(texts.indexOf(cell)))
				: record(0x027e, u16(y, x, 0), u32(cell.rk)),
		),
	);
	const stored = texts.map((cell) => {
		const text = typeof cell === 'string' ? cell : cell.struck;
		const wide = Buffer.from(text, 'utf16le');
		// One run, from the second character on, of the first font.
		const [flags, run] =
			typeof cell === 'string'
				? [[1], []]
				: [
						[9, 1, 0],
						[1, 0, 0, 0],
					];
		return Buffer.concat([u16(text.length), Buffer.from(flags), wide, Buffer.from(run)]);
	});
	const heights = hidden.map((y) => record(0x0208, u16(y, 0, 5, 0, 0, 0, 0x0120, 0)));
	const widths = hiddenColumns.map((x) => record(0x007d, u16(x, x, 0, 0, 1, 0)));
	const hasStruck = isStruck ? 'cells' : texts.some((cell) => typeof cell !== 'string') ? 'texts' : undefined;
	return workbook(texts.length, [Buffer.concat(stored)], [...widths, ...heights, ...cells], hasStruck);
}

/** @param struck whether a font that strikes out is that of all cells, or of parts of texts */
function workbook(count: number, texts: Buffer[], cells: Buffer[], struck?: 'cells' | 'texts'): Buffer {
	const begin = (kind: number) => record(0x0809, u16(0x0600, kind, 0, 0), u32(0, 0));
	const end = record(0x000a);
	const [first, ...continued] = texts;
	const strings = [
		record(0x00fc, u32(count, count), first),
		...continued.map((text) => record(0x003c, text)),
	];
	const sheetAt = (at: number) => record(0x0085, u32(at), [0, 0, 5, 0], Buffer.from('Kasse'));
	const font = record(0x0031, u16(200, 8, 0, 0, 0, 0, 0));
	// The first formatting uses the first font.
	const formats = struck === undefined ? [] : struck === 'texts' ? [font] : [font, record(0x00e0, u16(0, 0))];
	const book = Buffer.concat([begin(5), ...formats, sheetAt(0), ...strings, end]);
	const globals = Buffer.concat([begin(5), ...formats, sheetAt(book.length), ...strings, end]);
	return compound('Workbook', Buffer.concat([globals, begin(16), ...cells, end]));
}

/** A compound file with one stream, of 60 KB at most. */
export function compound(name: string, content: Buffer): Buffer {
	const size = Math.ceil(Math.max(content.length, 4096) / 512) * 512;
	const sectors = size / 512;
	const header = Buffer.alloc(512, 0xff);
	Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
	header.fill(0, 8, 76);
	Buffer.concat([u16(0x3e, 3, 0xfffe, 9, 6)]).copy(header, 24);
	u32(1, 1, 0, 4096, 0xfffffffe, 0, 0xfffffffe, 0, 0).copy(header, 44);
	const table = Array.from({ length: 128 }, (_, i) => (i < sectors + 1 ? i + 1 : 0xfffffffe));
	const directory = Buffer.alloc(512);
	const entry = (at: number, title: string, kind: number, start: number, bytes: number) => {
		directory.write(title, at, 'utf16le');
		directory.writeUInt16LE(2 * title.length + 2, at + 64);
		directory.writeUInt8(kind, at + 66);
		directory.writeUInt32LE(start, at + 116);
		directory.writeUInt32LE(bytes, at + 120);
	};
	entry(0, 'Root Entry', 5, 0xfffffffe, 0);
	entry(128, name, 2, 2, size);
	const padded = Buffer.concat([content, Buffer.alloc(size - content.length)]);
	return Buffer.concat([header, u32(0xfffffffd, 0xfffffffe, ...table.slice(2)), directory, padded]);
}
