import { isEuro, serialOf } from '../../../shared/values';
import { dayOf, dayOfIso, percentOf, shownAs } from './numberFormat';
import type { NumberFormat } from './numberFormat';
import { Styles } from './odsStyles';
import { countIn } from './parts';
import type { Attributes, Parts } from './parts';
import { SheetsInOrder } from './sheets';
import { CellError, MAX_CELL, MAX_COLUMNS, Rows, cellText, tooLong } from './table';
import type { Cell, Table } from './table';

/** Spaces that one element stands for. */
const MAX_SPACES = 100;
const MAX_CURRENCY = 10;
const MAX_SHOWN = 40;

/** Reads an OpenDocument spreadsheet (ISO/IEC 26300). Throws `TableError`. */
export async function readOds(parts: Parts, wanted = ''): Promise<Table> {
	const sheet = new Sheet(wanted);
	// Styles by name, which the content's own may be made of.
	await parts.parse('styles.xml', {
		open: (name, attributes) => sheet.styles.open(name, attributes),
		text: (part) => sheet.styles.text(part),
		close: (name) => sheet.styles.close(name),
	});
	await parts.parse('content.xml', {
		open: (name, attributes) => sheet.open(name, attributes),
		text: (part) => sheet.add(part),
		close: (name) => sheet.close(name),
	});
	const { sheets, rows, offset } = sheet;
	return { ...rows.table, otherSheets: sheets.others(), dayOf: (serial) => dayOf(serial, offset) };
}

/** The sheet that is read, among those of the file. */
class Sheet {
	readonly sheets: SheetsInOrder;
	readonly rows = new Rows();
	/** Days from Excel's first day to that of the file. */
	offset = 0;

	readonly styles = new Styles();
	/** The style of each column's cells that have none of their own. */
	private readonly columnStyles: Array<string | undefined> = [];
	private columns = 0;

	/** How deep tables are nested; a table in a table is a part of its cell. */
	private depth = 0;
	private row = {
		number: 0,
		repeated: 1,
		cells: [] as Cell[],
		width: 0,
		isHidden: false,
		struck: [] as number[],
		style: undefined as string | undefined,
	};
	private cell?: { attributes: Attributes; paragraphs: string[]; length: number; isStruck?: true };
	/** How deep a comment on a cell is, which has paragraphs, too. */
	private aside = 0;

	constructor(wanted: string) {
		this.sheets = new SheetsInOrder(wanted);
	}

	/** Whether what comes belongs to a cell of the sheet, and not to a table in it. */
	private get isRead(): boolean {
		return this.sheets.isHere && this.depth === 1;
	}

	open(name: string, attributes: Attributes): void {
		if (name === 'null-date') this.offset = daysTo(attributes['date-value']);
		if (this.depth === 0) this.styles.open(name, attributes);
		if (name === 'table' && ++this.depth === 1)
			this.sheets.begin(attributes.name ?? '', this.styles.hidesSheet(attributes['style-name']));
		if (!this.isRead) return;
		switch (name) {
			case 'table-column':
				this.addColumns(attributes);
				break;
			case 'table-row': {
				const { number, repeated } = this.row;
				const next = countIn(attributes['number-rows-repeated']);
				const isHidden = isCollapsed(attributes);
				const style = attributes['default-cell-style-name'];
				this.row = {
					number: number + repeated,
					repeated: next,
					cells: [],
					width: 0,
					isHidden,
					struck: [],
					style,
				};
				break;
			}
			case 'table-cell':
			case 'covered-table-cell':
				this.cell = { attributes, paragraphs: [], length: 0 };
				break;
			case 'annotation':
				this.aside++;
				break;
			case 'p':
				if (this.aside === 0) this.cell?.paragraphs.push('');
				break;
			case 'span':
				if (this.cell && this.styles.strikesOut(attributes['style-name'])) this.cell.isStruck = true;
				break;
			case 's':
				this.add(' '.repeat(Math.min(countIn(attributes.c), MAX_SPACES)));
				break;
			case 'tab':
				this.add(' ');
				break;
			case 'line-break':
				this.add('\n');
		}
	}

	add(text: string): void {
		if (this.depth === 0) this.styles.text(text);
		if (!this.isRead || this.aside > 0 || !this.cell) return;
		const { paragraphs } = this.cell;
		if (paragraphs.length > 0) paragraphs[paragraphs.length - 1] += text;
		this.cell.length += text.length;
		if (this.cell.length > MAX_CELL) throw tooLong(this.row.number);
	}

	close(name: string): void {
		if (this.depth === 0) this.styles.close(name);
		if (name === 'table' && --this.depth === 0) this.sheets.end();
		if (!this.isRead) return;
		if (name === 'annotation') this.aside--;
		if (name === 'table-cell' || name === 'covered-table-cell') this.endCell();
		if (name === 'table-row') {
			const { number, repeated, cells, isHidden, struck } = this.row;
			// Empty rows to the sheet's end are one row, repeated.
			for (let i = 0; i < (cells.length > 0 ? repeated : 0); i++)
				this.rows.add(number + i, cells, { isHidden, struck });
		}
	}

	private addColumns(attributes: Attributes): void {
		const times = countIn(attributes['number-columns-repeated']);
		if (isCollapsed(attributes)) this.rows.hideColumns(this.columns, times);
		for (let i = this.columns; i < Math.min(this.columns + times, MAX_COLUMNS); i++)
			this.columnStyles[i] = attributes['default-cell-style-name'];
		this.columns += times;
	}

	private endCell(): void {
		const { attributes = {}, paragraphs = [], isStruck: isInPart } = this.cell ?? {};
		this.cell = undefined;
		const { row } = this;
		const style = attributes['style-name'] ?? row.style ?? this.columnStyles[row.width];
		const text = cellText(paragraphs.join('\n'));
		const value = valueOf(attributes, text, this.styles.misleads(style) ? { code: codeOf(text) } : undefined);
		const times = countIn(attributes['number-columns-repeated']);
		const kept = value === '' ? 0 : Math.min(times, MAX_COLUMNS - row.width);
		const isStruck = isInPart || this.styles.strikesOut(style);
		for (let i = 0; i < kept; i++) {
			row.cells[row.width + i] = value;
			if (isStruck) row.struck.push(row.width + i);
		}
		row.width += times;
	}
}

const isCollapsed = ({ visibility = '' }: Attributes): boolean => /^(?:collapse|filter)$/.test(visibility);

/** What a misleading format shows stands behind the number, so that nobody takes it for one. */
const codeOf = (shown: string): string => shown.slice(0, MAX_SHOWN) || '?';

/** Days from Excel's first day to another one. */
function daysTo(day = ''): number {
	const days = serialOf(day.slice(0, 'YYYY-MM-DD'.length));
	return Number.isInteger(days) ? days : 0;
}

/** Of a cell that says its currency; euros are like none. */
const currencyOf = (currency = ''): NumberFormat =>
	currency === '' || isEuro(currency) ? undefined : { currency: currency.slice(0, MAX_CURRENCY) };

function valueOf(attributes: Attributes, text: string, format?: NumberFormat): Cell {
	const type = attributes['value-type'];
	// Newer programs say that a formula failed; older ones only show it, and give 0.
	const isFailed = attributes['calcext:value-type'] === 'error' || /^(?:#[A-Z]|Err:\d)/.test(text);
	if (attributes.formula !== undefined && (isFailed || (type === undefined && text === '')))
		return new CellError(text);
	const value = Number(attributes.value ?? NaN);
	switch (type) {
		case 'float':
		case 'currency':
			if (Number.isNaN(value)) return text;
			return shownAs(format ?? currencyOf(attributes.currency), value, 0);
		case 'percentage':
			return Number.isNaN(value) ? text : percentOf(value);
		case 'date':
			return dayOfIso(attributes['date-value'] ?? text);
		case 'string':
			return attributes['string-value'] === undefined ? text : cellText(attributes['string-value']);
		default:
			return text;
	}
}
