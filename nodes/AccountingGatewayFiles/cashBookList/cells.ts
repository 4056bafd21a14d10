/** What the cells of a row say. */
import { cutLine } from '../../shared/errors';
import { CellError } from '../formats/table';
import type { Cell } from '../formats/table';
import { CURRENCIES, plainText } from '../../shared/values';
import type { Column } from './headings';

/** Characters of a text in a sentence. */
const MAX_CELL_QUOTE = 40;
export const quotable = (text: string) => cutLine(text, MAX_CELL_QUOTE).trim();

/** No amount: nothing, or a dash, as accountants write and Excel shows it. */
export const NO_AMOUNT = /^[-–—\s]*$/;
/** In a column for income or expense, 0 is nothing, too. */
export const NO_AMOUNT_OR_ZERO = /^[-–—\s]*(?:0+(?:[.,]0+)?\s*)?$/;
/** A currency before or behind an amount. */
const WITH_CURRENCY = /^\s*(?<before>\p{Sc}|[A-Z]{3})|(?<behind>\p{Sc}|[A-Z]{3})\s*$/u;
/** What is left of a difference that is zero. */
const NEARLY_ZERO = 1e-9;

export type Cells = Partial<Record<Column, Cell>>;

export function isNothing(cell: Cell | undefined, pattern: RegExp): boolean {
	if (cell instanceof CellError) return false;
	if (typeof cell === 'number' && Math.abs(cell) < NEARLY_ZERO) return pattern.test('0');
	return pattern.test(withoutCurrency(cell ?? ''));
}

function withoutCurrency(cell: string | number): string {
	const text = String(cell);
	const { before, behind } = WITH_CURRENCY.exec(text)?.groups ?? {};
	const name = before ?? behind ?? '';
	return name.length === 1 || CURRENCIES.has(name) ? text.replace(name, '') : text;
}

export const amountsOf = (cells: Cells): Cell[] =>
	cells.einnahme === undefined
		? [cells.betrag ?? ''].filter((cell) => !isNothing(cell, NO_AMOUNT))
		: [cells.einnahme, cells.ausgabe ?? ''].filter((cell) => !isNothing(cell, NO_AMOUNT_OR_ZERO));

/** Where income and expense have a column each: whether the row is an income. */
export const isIncome = (cells: Cells): boolean =>
	cells.einnahme !== undefined && !isNothing(cells.einnahme, NO_AMOUNT_OR_ZERO);

export const valueIn = (cell: Cell | undefined): string | number | null =>
	cell instanceof CellError ? cell.text || null : cell === undefined || cell === '' ? null : cell;

/** A number in a column of texts, such as an account. */
export function textIn(cell: Cell | undefined): string | null {
	const value = valueIn(cell);
	return value === null ? null : String(value);
}

/** Characters of a cell that is compared with words. */
const MAX_WORDS = 200;
/** A text as words are compared with it: in lowercase, without umlauts. */
export const wordsIn = (cell: Cell | undefined): string => plainText(textIn(cell) ?? '', MAX_WORDS).trim();
