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

/** An Excel workbook. @param formats codes of the styles from the fourth one on */
export function xlsx(
	sheet: Sheet | string,
	{
		date1904 = '',
		strings,
		formats = [],
		more = {},
	}: { date1904?: string; strings?: string; formats?: string[]; more?: Record<string, string> } = {},
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
		'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy;@"/>${formats.map((code, i) => `<numFmt numFmtId="${165 + i}" formatCode="${xml(code)}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/>${formats.map((_, i) => `<xf numFmtId="${165 + i}"/>`).join('')}</cellXfs></styleSheet>`,
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
