/** Why a row of a list must not be booked. */
import { once } from 'lodash';
import { Info } from 'luxon';

import { CellError } from '../formats/table';
import type { Row } from '../formats/table';
import { both } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { NO_AMOUNT_OR_ZERO, amountsOf, isIncome, isNothing, quotable, wordsIn } from './cells';
import type { Cells } from './cells';
import { COLUMNS } from './headings';
import type { Column, Headings } from './headings';

/** What keeps a row from being booked, by its own cells. */
export const problemIn = (
	row: Row,
	cells: Cells,
	headings: Headings & Beside,
	separator?: string,
): Bilingual | undefined =>
	shifted(row, headings, separator) ??
	broken(cells) ??
	(isStruckOut(row, headings.places) ? STRUCK_OUT : undefined) ??
	(isCanceled(row, headings) ? CANCELED_ROW : undefined) ??
	(isBalance(wordsIn(cells.belegtext)) ? NO_MOVEMENT : undefined) ??
	(amountsOf(cells).length > 1 ? DOUBLED : undefined) ??
	(isContradictory(cells) ? CONTRADICTORY : undefined) ??
	(separator === ',' && isSplit(row, headings.places) ? SPLIT_THOUSANDS : undefined);

/** What columns that hold nothing of an entry say about it. */
interface Beside {
	/** The column of the cash book; a number there may be the balance. -1 if there is none. */
	cashBook: number;
	/** The columns whose heading is a mark of a canceled row. */
	canceled: ReadonlySet<number>;
	/** The columns that are read. */
	read: ReadonlySet<number | undefined>;
}

export function besideOf({ row, places }: Headings): Beside {
	const words = row.cells.map(wordsIn);
	return {
		cashBook: words.findIndex((one) => CASH_BOOK.includes(one)),
		canceled: new Set([...words.keys()].filter((place) => CANCELED_MARK.test(words[place]))),
		read: new Set(Object.values(places)),
	};
}

const CASH_BOOK = ['kasse', 'kassenbuch', 'kassenname', 'cash book'];

/** The columns that may be empty. */
const OPTIONAL: Column[] = ['waehrung', 'gegenkonto', 'belegnummer', 'belegNummer'];

/**
 * A separator inside a text or an amount, and one that is missing, shifts what follows it into other columns. Only the separators of
 * empty cells at the end may be missing: what the row must have is there, its text is one, and its rate is none like 12,50. Where the
 * separator is a comma, `12,50` is an amount that it splits, so there, none may be missing.
 */
function shifted(
	{ width, cells }: Row,
	{ row, places }: Headings,
	separator?: string,
): Bilingual | undefined {
	const expected = row.width;
	if (separator === undefined || width === undefined || expected === undefined) return undefined;
	const needed = Object.entries(places).filter(([column]) => !OPTIONAL.includes(column as Column));
	const text = String(cells[places.belegtext ?? -1] ?? '');
	const rate = String(cells[places.steuersatz ?? -1] ?? '');
	const isWhole =
		needed.every(([, place]) => (place ?? 0) < width) && /\p{L}/u.test(text) && !/[.,]\d*[1-9]/.test(rate);
	if (width === expected || (width < expected && separator !== ',' && isWhole)) return undefined;
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

/** An opening balance, an amount carried over, a sum: nobody has paid it. */
export const NO_MOVEMENT = both(
	'The text says that this is a balance or a sum, which is no income and no expense: delete the row. If money was paid, write what for.',
	'Dem Text nach ist das ein Bestand, ein Übertrag oder eine Summe, also keine Einnahme und keine Ausgabe: Löschen Sie die Zeile. Wurde wirklich Geld bewegt, schreiben Sie wofür.',
);

/**
 * Whether two cells may be the halves of an amount like `1,250.40`, in a row that lacks a field: a text of digits alone before an amount,
 * or an amount before a rate of three digits.
 */
function isSplit(
	{ cells }: Row,
	{ belegtext, steuersatz, betrag, einnahme, ausgabe }: Headings['places'],
): boolean {
	const half = (place: number | undefined, pattern: RegExp) => pattern.test(String(cells[place ?? -1] ?? ''));
	return [betrag, einnahme, ausgabe].some(
		(place) =>
			place !== undefined &&
			((belegtext === place - 1 && half(belegtext, /^\d{1,3}$/) && half(place, /^\d{3}(?:\.\d+)?$/)) ||
				(steuersatz === place + 1 && half(place, /^\d{1,3}$/) && half(steuersatz, /^\d{3}(?:\.\d+)?$/))),
	);
}

const SPLIT_THOUSANDS = both(
	'The columns are separated by commas, and two cells beside each other may be one amount like 1,250.40: put it in quotation marks, or send the list as .xlsx.',
	'Die Spalten sind durch Kommas getrennt, und zwei Zellen nebeneinander können ein Betrag wie 1,250.40 sein: Setzen Sie ihn in Anführungszeichen, oder senden Sie die Liste als .xlsx.',
);

/** An amount in a table whose commas separate columns. */
export const MAYBE_SPLIT = both(
	'The columns are separated by commas, and no amount has decimals behind a point: 12,50 without quotation marks would be an amount of 12. Write 12.00, or send the list as .xlsx.',
	'Die Spalten sind durch Kommas getrennt, und kein Betrag hat Nachkommastellen hinter einem Punkt: 12,50 ohne Anführungszeichen wäre ein Betrag von 12. Schreiben Sie 12.00, oder senden Sie die Liste als .xlsx.',
);

/** A row that has both of two amounts. */
export const DOUBLED = both(
	'The row has an income and an expense: make two rows of it.',
	'Die Zeile hat eine Einnahme und eine Ausgabe: Machen Sie zwei Zeilen daraus.',
);

/** What marks a row as canceled, alone in a cell of a column that isn't read, such as its status. */
const CANCELED_MARK = /^(?:storno|storniert|geloescht|ungueltig|cancell?ed|voided|deleted)$/;
/** Under such a word as a heading, what says that the row isn't canceled. */
const NOT_SO = ['nein', 'no', 'false', 'falsch', 'n'];

/** Whether a program has canceled a row and kept it in the list. The reversal of another row is an entry like others. */
const isCanceled = ({ cells }: Row, { places, canceled, read }: Headings & Beside): boolean =>
	cells.some((cell, place) => {
		const said = wordsIn(cell);
		if (place === places.belegtext) return /^\W*storniert\b|\bstorniert\W*$/.test(said);
		if (read.has(place)) return false;
		const isSo = !NOT_SO.includes(said) && !isNothing(cell, NO_AMOUNT_OR_ZERO);
		return (canceled.has(place) && isSo) || CANCELED_MARK.test(said);
	});

const CANCELED_ROW = both(
	'The row is marked as canceled: delete it. If it is the reversal of another one, enter it by hand.',
	'Die Zeile ist als storniert gekennzeichnet: Löschen Sie sie. Ist sie selbst das Storno einer anderen, tragen Sie es von Hand ein.',
);

/**
 * Words for what is there, or was added up, at the end of a longer word or alone. A sum by any other word shows by its amount; a balance by
 * any other word is an entry.
 */
const BALANCE_WORD =
	/^(?:\w*(?:bestand|bestaende|saldo)|(?:zwischen|gesamt|wochen|monats|jahres|seiten|end)?summe|(?:saldo|bestands|kassen|monats|jahres)?vortrag|(?:kassen|anfangs|end)?stand|uebertrag|gesamt|ab|eb|balance|subtotal|sum)$/;
/** What no movement begins with, whatever follows: `Anfangsbestand Laden`. */
const BEGINS_WITH_BALANCE =
	/^(?:kassen)?(?:anfangs|eroeffnungs|schluss|end)(?:kassen)?(?:bestand|saldo|stand)\b|^(?:opening|closing) balance\b|^balance (?:brought|carried) forward\b/;
/** What a text may have besides, when it names nothing else: the cash, a page, a time, a currency. */
const BESIDES =
	/^(?:kassen?|bar|de[rs]|vo[mn]|zum|am|aus|seite|blatt|wert|eur|euro|netto|brutto|anfang|ende|(?:vor)?(?:tag|monat|jahr)(?:e?s(?:anfang|ende))?)$/;
/** Made with the first balance: what knows the months of a language takes much memory. */
const monthNames = once(() =>
	['de', 'en'].flatMap((locale) => Info.months('long', { locale }).map((month) => wordsIn(month))),
);

/** Whether a text says nothing but a balance or a sum; dates and numbers may follow. */
function isBalance(text: string): boolean {
	const words = text.split(/[^a-z]+/).filter(Boolean);
	return (
		BEGINS_WITH_BALANCE.test(words.join(' ')) ||
		(words.some((word) => BALANCE_WORD.test(word)) &&
			words.every((word) => BALANCE_WORD.test(word) || BESIDES.test(word) || monthNames().includes(word)))
	);
}

const INCOME = ['einnahme', 'einnahmen', 'income'];
const EXPENSE = ['ausgabe', 'ausgaben', 'expense', 'expenses'];

/** Whether the amount stands in the column for income, and the movement says expense, or the other way round. */
function isContradictory(cells: Cells): boolean {
	if (cells.einnahme === undefined) return false;
	return (isIncome(cells) ? EXPENSE : INCOME).includes(wordsIn(cells.bewegung));
}

const CONTRADICTORY = both(
	'The amount stands in the column for income, and the movement says expense, or the other way round: correct one of them.',
	'Der Betrag steht in der Spalte für Einnahmen, der Vorgang sagt Ausgabe, oder umgekehrt: Berichtigen Sie eins von beiden.',
);

/** @param row of the other headings */
export const belowOther = (row: number): Bilingual =>
	both(
		`It stands below other headings (row ${row}), which lack some that are needed, or say that the amounts are net: send that table as a list of its own, with gross amounts.`,
		`Sie steht unter anderen Überschriften (Zeile ${row}); darin fehlen nötige, oder die Beträge sind netto: Senden Sie diese Tabelle als eigene Liste, mit Bruttobeträgen.`,
	);

export const severalCashBooks = (names: readonly string[]): Bilingual =>
	both(
		`The list has rows of several cash books (${names.join(', ')}): send those of each one as a list of its own.`,
		`Die Liste hat Zeilen mehrerer Kassen (${names.join(', ')}): Senden Sie die jeder Kasse als eigene Liste.`,
	);
