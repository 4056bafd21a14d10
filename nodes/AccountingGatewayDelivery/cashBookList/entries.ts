/** The rows of a list as entries of a cash book. */
import type { IDataObject } from 'n8n-workflow';
import { mapValues } from 'lodash';

import { cutLine } from '../../shared/errors';
import { CellError } from '../../shared/readers/table';
import type { Cell, Row, Table } from '../../shared/readers/table';
import { CURRENCIES, bilingual, both, dayIn, isEuro, numberIn } from '../../shared/values';
import type { Bilingual, Turn } from '../../shared/values';
import { COLUMNS, headingsIn, mayRepeat } from './headings';
import type { Column, Headings } from './headings';

/** What "Cash Book Entry: Create" takes, as a person typed it; where there is a problem, without an amount. */
interface ListedEntry extends IDataObject {
	/** Its row in the file. */
	row: number;
	/** What it says, for a person who looks for it there. */
	summary: Bilingual;
	transaktionsdatum: string | number | null;
	bewegung: string | number | null;
	betrag: string | number | null;
	steuersatz: string | number | null;
	belegtext: string | null;
	gegenkonto: string | null;
	belegnummer: string | null;
	belegNummer: string | null;
	problem: Bilingual | null;
}

export interface Found {
	entry: ListedEntry;
	cells: Cell[];
	isHidden: boolean;
}

/** A row that is no entry. */
export interface Skipped {
	row: number;
	text: string;
}

/** Characters of a text in a sentence. */
const MAX_CELL_QUOTE = 40;
const quotable = (text: string) => cutLine(text, MAX_CELL_QUOTE).trim();

/** No amount: nothing, or a dash, as accountants write and Excel shows it. */
const NO_AMOUNT = /^[-–—\s]*$/;
/** In a column for income or expense, 0 is nothing, too. */
const NO_AMOUNT_OR_ZERO = /^[-–—\s]*(?:0+(?:[.,]0+)?\s*)?$/;
/** A currency before or behind an amount. */
const WITH_CURRENCY = /^\s*(?<before>\p{Sc}|[A-Z]{3})|(?<behind>\p{Sc}|[A-Z]{3})\s*$/u;
/** What is left of a difference that is zero. */
const NEARLY_ZERO = 1e-9;

/** Makes an entry of each row below the headings that has an amount. */
export async function entriesIn(
	{ rows, separator, dayOf }: Table,
	first: Headings,
	own: Parameters<typeof headingsIn>[1],
	turn: Turn,
): Promise<{ entries: Found[]; skipped: Skipped[] }> {
	const entries: Found[] = [];
	const skipped: Skipped[] = [];
	let here = first;
	for (const row of rows) {
		await turn.yield();
		if (row.number <= first.row.number) continue;
		// Each page of a list may have its headings, and a second list others.
		const again = mayRepeat(row, here) ? headingsIn([row], own) : undefined;
		if (again && 'row' in again) {
			here = again;
			continue;
		}
		const { row: headings, places } = here;
		const cells = mapValues(places, (place) => (place === undefined ? '' : (row.cells[place] ?? '')));
		const values = Object.values(cells).filter((cell) => cell !== '');
		// Templates have a balance in each row to their end.
		if (values.length === 0) continue;
		if (isEntry(cells)) {
			const problem =
				shifted(row, headings, separator) ??
				broken(cells) ??
				(isStruckOut(row, places) ? STRUCK_OUT : undefined) ??
				(amountsOf(cells).length > 1 ? DOUBLED : undefined);
			entries.push({
				entry: entryOf(row.number, cells, dayOf, problem),
				cells: row.cells,
				isHidden: row.isHidden === true,
			});
		} else {
			const text = values.find((cell) => typeof cell === 'string' && /\p{L}/u.test(cell));
			skipped.push({ row: row.number, text: quotable((text as string | undefined) ?? '') });
		}
	}
	return { entries, skipped };
}

type Cells = Partial<Record<Column, Cell>>;

function isNothing(cell: Cell | undefined, pattern: RegExp): boolean {
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

const amountsOf = (cells: Cells): Cell[] =>
	cells.einnahme === undefined
		? [cells.betrag ?? ''].filter((cell) => !isNothing(cell, NO_AMOUNT))
		: [cells.einnahme, cells.ausgabe ?? ''].filter((cell) => !isNothing(cell, NO_AMOUNT_OR_ZERO));

/** A row without an amount is none; nor is a sum: it has no day ("Summe" has no digit), no tax rate and no movement. */
const isEntry = (cells: Cells): boolean =>
	amountsOf(cells).length > 0 &&
	([cells.steuersatz, cells.bewegung].some((cell) => (cell ?? '') !== '') ||
		/\d/.test(String(valueIn(cells.transaktionsdatum) ?? '')));

function entryOf(
	row: number,
	cells: Cells,
	dayOf: Table['dayOf'],
	problem: Bilingual | undefined,
): ListedEntry {
	const [amount] = amountsOf(cells);
	const isIncome = cells.einnahme !== undefined && !isNothing(cells.einnahme, NO_AMOUNT_OR_ZERO);
	const movement = cells.einnahme === undefined ? cells.bewegung : isIncome ? 'EINNAHME' : 'AUSGABE';
	const cell = cells.transaktionsdatum;
	const day = valueIn(typeof cell === 'number' ? dayOf(cell) : cell);
	return {
		row,
		summary: summaryOf(cells, day),
		transaktionsdatum: day,
		bewegung: problem ? null : valueIn(movement),
		betrag: problem ? null : inCurrency(valueIn(amount), cells.waehrung),
		steuersatz: valueIn(cells.steuersatz),
		belegtext: textIn(cells.belegtext),
		gegenkonto: textIn(cells.gegenkonto),
		belegnummer: textIn(cells.belegnummer),
		belegNummer: textIn(cells.belegNummer),
		problem: problem ?? null,
	};
}

/** An amount with its currency, unless that is the euro: who books it in another one is told. */
function inCurrency(amount: string | number | null, cell: Cell | undefined): string | number | null {
	const currency = textIn(cell)?.trim() ?? '';
	const isKnown = currency === '' || isEuro(currency);
	return isKnown || String(amount).includes(currency) ? amount : `${amount} ${currency}`;
}

/** The day of a date cell, as the readers give it. */
const ISO_DAY = /^\d{4}-\d\d-\d\d(?:T[\d:.]+)?$/;

/** `15,44 · Putzmittel · 20.11.2026`: numbers and days of a spreadsheet as people write them. */
const summaryOf = (cells: Cells, day: string | number | null): Bilingual =>
	bilingual((language) => {
		const amounts = amountsOf(cells).map((cell) =>
			typeof cell === 'number' ? numberIn(language, cell, 2) : quotable(String(valueIn(cell) ?? '')),
		);
		const text = quotable(textIn(cells.belegtext) ?? '');
		const said = String(day ?? '');
		const date = ISO_DAY.test(said) ? dayIn(language, said) : quotable(said);
		return [amounts.join(' / '), text, date].filter(Boolean).join(' · ');
	});

const valueIn = (cell: Cell | undefined): string | number | null =>
	cell instanceof CellError ? cell.text || null : cell === undefined || cell === '' ? null : cell;

/** A number in a column of texts, such as an account. */
function textIn(cell: Cell | undefined): string | null {
	const value = valueIn(cell);
	return value === null ? null : String(value);
}

/**
 * A separator inside a text or an amount shifts what follows it into other columns. Where the separator is a comma, `12,50` is such an
 * amount, so there, a row may not lack the separators at its end either.
 */
function shifted({ width }: Row, headings: Row, separator?: string): Bilingual | undefined {
	const expected = headings.width;
	if (separator === undefined || width === undefined || expected === undefined) return undefined;
	if (width === expected || (width < expected && separator !== ',')) return undefined;
	return {
		en: `The row has ${width} columns, the headings have ${expected}: a separator (${separator}) stands in a text or an amount, or one is missing. Put such a text in quotation marks.`,
		de: `Die Zeile hat ${width} Spalten, die Überschriften haben ${expected}: Ein Trennzeichen (${separator}) steht in einem Text oder Betrag, oder eines fehlt. Setzen Sie solche Texte in Anführungszeichen.`,
	};
}

function broken(cells: Cells): Bilingual | undefined {
	const [column, error] = Object.entries(cells).find(([, cell]) => cell instanceof CellError) ?? [];
	if (!(error instanceof CellError)) return undefined;
	const { en, de } = COLUMNS[column as Column].name;
	const text = quotable(error.text);
	return text === ''
		? {
				en: `"${en}" is a formula without a result: open the file in Excel, save it, and send it again.`,
				de: `„${de}“ ist eine Formel ohne Ergebnis: Öffnen Sie die Datei in Excel, speichern Sie sie, und senden Sie sie noch einmal.`,
			}
		: {
				en: `"${en}" is an error of the spreadsheet (${text}): correct the cell, and send the file again.`,
				de: `„${de}“ ist ein Fehler der Tabelle (${text}): Berichtigen Sie die Zelle, und senden Sie die Datei noch einmal.`,
			};
}

const isStruckOut = ({ cells, struck = [] }: Row, places: Headings['places']): boolean =>
	struck.some((place) => cells[place] !== '' && Object.values(places).includes(place));

/** A row that an office has canceled, and keeps legible. */
const STRUCK_OUT = both(
	'The row is struck out, or a cell of it: delete the row, or remove the line through it.',
	'Die Zeile oder eine Zelle darin ist durchgestrichen: Löschen Sie die Zeile, oder entfernen Sie den Strich.',
);

/** A row that has both of two amounts. */
export const DOUBLED = both(
	'The row has an income and an expense: make two rows of it.',
	'Die Zeile hat eine Einnahme und eine Ausgabe: Machen Sie zwei Zeilen daraus.',
);
