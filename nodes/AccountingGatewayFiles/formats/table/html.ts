import type { Turn } from '../../../shared/values';
import { typed } from './delimited';
import { dayOf } from './numberFormat';
import { MAX_CELL, MAX_COLUMNS, Rows, tooLong } from './table';
import type { Table } from './table';

/** What a web program's "Excel" often is: a page with a table, named .xls. */
export const isHtmlTable = (text: string): boolean => /^\s*</.test(text) && /<table[\s>]/i.test(text);

/** A comment, a tag, or a declaration. A tag ends at the first `>` outside of quotes; all lengths are bounded, so none takes long. */
const TAG =
	/<!--[^]*?(?:-->|$)|<(?<end>\/?)(?<name>[a-z][a-z\d:]{0,40})(?<attributes>(?:[^<>"']|"[^"]{0,2000}"|'[^']{0,2000}'){0,4000})>|<[!?][^<>]{0,1000}>/gi;
const MAX_SPAN = 1_000;

/**
 * Reads all rows of a page's tables, one after another. A table in a cell is a part of its text. What a cell over several rows or
 * columns holds is in the first one, as in a spreadsheet. Throws `TableError`.
 */
export async function readHtml(text: string, turn: Turn): Promise<Table> {
	const page = new Page();
	let last = 0;
	for (const { 0: tag, index, groups } of text.matchAll(TAG)) {
		await turn.yield();
		page.text(text.slice(last, index));
		last = index + tag.length;
		if (groups?.name) page.tag(groups.name.toLowerCase(), groups.end === '/', groups.attributes);
	}
	page.end();
	return { ...page.rows.table, otherSheets: [], dayOf };
}

class Page {
	readonly rows = new Rows();

	private depth = 0;
	/** Columns that the page has described. */
	private columns = 0;
	private number = 0;
	private cells?: string[];
	/** The places of cells in which something is struck out, and whether the whole row is. */
	private struck: number[] = [];
	private isStruck = false;
	private isHidden = false;
	private cell?: { text: string; column: number };
	/** How many more rows the cells of each column take. */
	private readonly spans: number[] = [];
	/** An element in a cell that a browser doesn't show, with those of its name in it. */
	private unseen?: { name: string; depth: number };
	/** The element with a program or a style, whose content isn't text. */
	private hidden?: string;

	text(text: string): void {
		if (!this.cell || this.hidden || this.unseen) return;
		this.cell.text += text;
		if (this.cell.text.length > 2 * MAX_CELL) throw tooLong(this.number);
	}

	tag(name: string, isEnd: boolean, attributes: string): void {
		const isLine = STRUCK.test(name) || (LINE_THROUGH.test(attributes) && !PARTS_OF_TABLE.test(name));
		if (isLine && !isEnd && !this.hidden) this.strike();
		if (this.hidden) {
			if (isEnd && name === this.hidden) this.hidden = undefined;
		} else if (name === 'script' || name === 'style') {
			if (!isEnd) this.hidden = name;
		} else if (this.isUnseen(name, isEnd, attributes)) {
			return;
		} else if (name === 'table') {
			this.depth = Math.max(0, this.depth + (isEnd ? -1 : 1));
			if (this.depth === (isEnd ? 0 : 1)) this.end();
			if (this.depth === 1 && !isEnd) this.columns = 0;
		} else if (this.depth > 1) {
			this.text(' ');
		} else if (name === 'col') {
			const count = spanIn(attributes, SPAN);
			if (COLLAPSED.test(attributes)) this.rows.hideColumns(this.columns, count);
			this.columns += count;
		} else if (name === 'tr') {
			this.end();
			if (isEnd) return;
			this.number++;
			this.cells = [];
			this.struck = [];
			this.isStruck = LINE_THROUGH.test(attributes);
			this.isHidden = NOT_SHOWN.test(attributes);
		} else if (name === 'td' || name === 'th') {
			this.endCell();
			// A browser moves the next one into the place of a cell that it leaves out.
			if (isEnd || NOT_LAID_OUT.test(attributes)) return;
			this.beginCell(attributes);
			if (NOT_SHOWN.test(attributes)) this.unseen = { name, depth: 1 };
		} else if (LINE_ELEMENTS.test(name)) this.text(BREAK);
		// 12 with a raised 50 isn't 1250.
		else if (/^su[bp]$/.test(name)) this.text(' ');
	}

	private strike(): void {
		const { cell, struck } = this;
		if (cell && struck.at(-1) !== cell.column) struck.push(cell.column);
	}

	/** Whether a tag is part of what a browser doesn't show, such as a sort key: that ends with its element, or with the cell. */
	private isUnseen(name: string, isEnd: boolean, attributes: string): boolean {
		if (PARTS_OF_TABLE.test(name)) this.unseen = undefined;
		else if (this.unseen?.name === name) this.unseen.depth += isEnd ? -1 : 1;
		else if (!this.unseen && this.cell && !isEnd && NOT_SHOWN.test(attributes) && !VOID.test(name))
			this.unseen = { name, depth: 1 };
		if (!this.unseen) return false;
		if (this.unseen.depth === 0) this.unseen = undefined;
		return true;
	}

	/** Ends a row. */
	end(): void {
		this.endCell();
		if (!this.cells) return;
		this.rows.add(this.number, this.cells, { isHidden: this.isHidden, struck: this.struck });
		for (let i = this.cells.length; i < this.spans.length; i++) this.spans[i]--;
		this.cells = undefined;
	}

	private beginCell(attributes: string): void {
		if (!this.cells) return;
		const { cells, spans } = this;
		let column = cells.length;
		while (spans[column] > 0) spans[column++]--;
		const [across, down] = [spanIn(attributes, COLSPAN), spanIn(attributes, ROWSPAN)];
		for (let i = column; i < Math.min(column + across, MAX_COLUMNS); i++) {
			cells[i] = '';
			spans[i] = down - 1;
		}
		this.cell = { text: '', column };
		if (this.isStruck || LINE_THROUGH.test(attributes)) this.strike();
	}

	private endCell(): void {
		const { cell, cells } = this;
		this.cell = undefined;
		if (cell && cells && cell.column < MAX_COLUMNS) cells[cell.column] = plain(cell.text);
	}
}

const STRUCK = /^(?:s|strike|del)$/;
const LINE_THROUGH = /line-through/i;
const NOT_LAID_OUT = /display\s*:\s*none|\shidden(?=[\s=/]|$)/i;
const NOT_SHOWN = new RegExp(`${NOT_LAID_OUT.source}|visibility\\s*:\\s*hidden`, 'i');
/** Elements that begin and end a line. */
const LINE_ELEMENTS = /^(?:br|p|div|li|ul|ol|dl|dt|dd|h[1-6]|pre|section|article|blockquote)$/;
const PARTS_OF_TABLE = /^(?:table|tbody|tfoot|thead|tr|td|th)$/;
/** Elements without an end. */
const VOID = /^(?:br|col|hr|img|input|wbr)$/;
const COLLAPSED = new RegExp(`${NOT_LAID_OUT.source}|visibility\\s*:\\s*collapse`, 'i');
const SPAN = /(?<![a-z])span\s*=\s*["']?(\d{1,5})/i;
const COLSPAN = /colspan\s*=\s*["']?(\d{1,5})/i;
const ROWSPAN = /rowspan\s*=\s*["']?(\d{1,5})/i;
const spanIn = (attributes: string, span: RegExp): number =>
	Math.min(Math.max(Number(span.exec(attributes)?.[1] ?? 1), 1), MAX_SPAN);

/** Stands for a line break until the white space around it is gone; a `<` in a text is always written as an entity. */
const BREAK = '<br>';

/** The text of a cell, as a browser shows it. */
const plain = (html: string): string =>
	typed(
		html
			.replace(/[\t\n\f\r ]+/g, ' ')
			.replaceAll(BREAK, '\n')
			.replace(
				/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
				(entity, decimal: string, hex: string, name: string) => {
					if (name) return ENTITIES.get(name) ?? entity;
					const code = decimal ? Number(decimal) : parseInt(hex, 16);
					return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
				},
			)
			.replace(/\u00a0/g, ' '),
	);

/** The names of HTML for U+00A0 to U+00FF, in this order (HTML 4.01, 24.2.1). */
const LATIN_1 =
	'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const ENTITIES = new Map([
	...LATIN_1.split(' ').map((name, i): [string, string] => [name, String.fromCharCode(0xa0 + i)]),
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
	['euro', '€'],
	['ndash', '–'],
	['mdash', '—'],
]);
