import type { Turn } from '../../../shared/values';
import { DAYS_TO_1904, dayOf, dayOfIso, formatOf, shownAs } from './numberFormat';
import type { NumberFormat } from './numberFormat';
import { countIn, parseXml, piecesOfText } from './parts';
import type { Attributes } from './parts';
import { SheetsInOrder } from './sheets';
import { CellError, MAX_CELL, MAX_COLUMNS, Rows, cellText, tooLarge, tooLong } from './table';
import type { Cell, Table } from './table';

/** The XML that Excel 2002 and 2003 write, and web programs name .xls. */
export const isSpreadsheetMl = (text: string): boolean =>
	/^\s*<\?xml/.test(text) && text.slice(0, 10_000).includes('urn:schemas-microsoft-com:office:spreadsheet');

const MAX_STYLES = 100_000;
/** Characters of a style's name. */
const MAX_STYLE_NAME = 255;

/** Reads such XML. Throws `TableError`. */
export async function readSpreadsheetMl(text: string, turn: Turn, wanted = ''): Promise<Table> {
	const workbook = new Workbook(wanted);
	await parseXml(
		// Whatever encoding it declares, the text has been read by its content.
		piecesOfText(text),
		{
			open: (name, attributes) => workbook.open(name, attributes),
			text: (part) => workbook.text(part),
			close: (name) => workbook.close(name),
		},
		turn,
	);
	const { sheets, rows, offset } = workbook;
	return { ...rows.table, otherSheets: sheets.others(), dayOf: (serial) => dayOf(serial, offset) };
}

const nameIn = (name = ''): string => name.slice(0, MAX_STYLE_NAME);

class Workbook {
	readonly sheets: SheetsInOrder;
	readonly rows = new Rows();
	/** Days from Excel's first day to that of the workbook. */
	offset = 0;

	private readonly formats = new Map<string, NumberFormat>();
	private style = '';
	private row = 0;
	private isHidden = false;
	private struck: number[] = [];
	private readonly struckStyles = new Set<string>();
	private column = 0;
	/** Columns that the sheet has described, and the styles of their cells and of a row's that have none of their own. */
	private columns = 0;
	private readonly columnStyles: string[] = [];
	private rowStyle = '';
	private cells: Cell[] = [];
	private cell?: { format: NumberFormat; across: number; isFormula: boolean; type?: string; text: string };

	constructor(wanted: string) {
		this.sheets = new SheetsInOrder(wanted);
	}

	open(name: string, attributes: Attributes): void {
		const { ID = '', Format = '', Index, Name = '', StyleID = '' } = attributes;
		if (name === 'Style') this.beginStyle(nameIn(ID), nameIn(attributes.Parent));
		else if (name === 'NumberFormat') this.addFormat(Format);
		else if (name === 'Font' && attributes.StrikeThrough === '1') this.addStruck();
		else if (name === 'Font' && attributes.StrikeThrough === '0') this.struckStyles.delete(this.style);
		else if (name === 'Date1904') this.offset = DAYS_TO_1904;
		else if (name === 'Worksheet') this.sheets.begin(Name);
		if (!this.sheets.isHere) return;
		if (name === 'Column') {
			const [first, count] = [countIn(Index, this.columns + 1), countIn(attributes.Span, 0) + 1];
			if (attributes.Hidden === '1') this.rows.hideColumns(first - 1, count);
			for (let i = first - 1; i < Math.min(first - 1 + count, MAX_COLUMNS); i++)
				this.columnStyles[i] = nameIn(StyleID);
			this.columns = first - 1 + count;
		} else if (name === 'Row') {
			this.row = countIn(Index, this.row + 1);
			this.rowStyle = nameIn(StyleID);
			[this.cells, this.struck, this.column, this.isHidden] = [[], [], 0, attributes.Hidden === '1'];
		} else if (name === 'Cell') {
			this.column = countIn(Index, this.column + 1);
			const style = nameIn(StyleID) || this.rowStyle || this.columnStyles[this.column - 1] || 'Default';
			const isStruck = this.struckStyles.has(style);
			if (isStruck && this.column <= MAX_COLUMNS) this.struck.push(this.column - 1);
			const across = countIn(attributes.MergeAcross, 0);
			const isFormula = attributes.Formula !== undefined;
			this.cell = { format: this.formats.get(style), across, isFormula, text: '' };
		} else if (name === 'Data' && this.cell) this.cell.type = attributes.Type ?? 'String';
		else if (name === 'S' && this.cell?.type !== undefined) this.struck.push(this.column - 1);
		else if (/^Su[bp]$/.test(name)) this.text(' ');
		else if (name === 'Comment') this.cell = this.endCell();
	}

	text(part: string): void {
		if (this.cell?.type === undefined) return;
		this.cell.text += part;
		if (this.cell.text.length > MAX_CELL) throw tooLong(this.row);
	}

	close(name: string): void {
		if (name === 'Worksheet') this.sheets.end();
		if (!this.sheets.isHere) return;
		if (name === 'Cell') this.cell = this.endCell();
		else if (name === 'Row')
			this.rows.add(this.row, this.cells, { isHidden: this.isHidden, struck: this.struck });
	}

	private beginStyle(name: string, parent: string): void {
		this.style = name;
		if (this.formats.has(parent)) this.setFormat(this.formats.get(parent));
		if (this.struckStyles.has(parent)) this.addStruck();
	}

	private addStruck(): void {
		if (this.struckStyles.size === MAX_STYLES) throw tooLarge();
		this.struckStyles.add(this.style);
	}

	private addFormat(code: string): void {
		// Excel has names for the usual ones.
		const isDate = /^(?:General|Short|Medium|Long) Date$/.test(code);
		this.setFormat(isDate ? 'date' : code === 'Percent' ? 'percent' : formatOf(0, code));
	}

	private setFormat(format: NumberFormat): void {
		if (this.formats.size === MAX_STYLES) throw tooLarge();
		this.formats.set(this.style, format);
	}

	/** What follows the value, such as a comment, is no part of it. */
	private endCell(): undefined {
		if (!this.cell) return undefined;
		if (this.column <= MAX_COLUMNS) this.cells[this.column - 1] = this.valueOf(this.cell);
		this.column += this.cell.across;
		return undefined;
	}

	private valueOf({ type, text, format, isFormula }: NonNullable<Workbook['cell']>): Cell {
		if (type === undefined) return isFormula ? new CellError('') : '';
		if (type === 'Error') return new CellError(text);
		if (type === 'DateTime') return dayOfIso(text);
		const value = Number(text);
		if (type !== 'Number' || text.trim() === '' || Number.isNaN(value)) return cellText(text);
		return shownAs(format, value, this.offset);
	}
}
