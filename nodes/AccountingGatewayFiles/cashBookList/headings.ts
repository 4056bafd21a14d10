/** Which column of a list holds what, by its heading. */
import { cutLine } from '../../shared/errors';
import type { Cell, Row } from '../formats/table';
import { isEuro, plainText } from '../../shared/values';
import type { Bilingual, Language } from '../../shared/values';

/** What a column can hold, by the gateway's own names; an amount may stand in two columns instead of one with a movement. */
export const COLUMNS = {
	transaktionsdatum: {
		name: { en: 'Date', de: 'Datum' },
		headings: 'datum buchungsdatum belegdatum transaktionsdatum date bookingdate transactiondate',
	},
	bewegung: {
		name: { en: 'Movement', de: 'Vorgang' },
		headings: 'vorgang bewegung einnahmeausgabe movement incomeexpense',
	},
	betrag: {
		name: { en: 'Amount', de: 'Betrag' },
		headings: 'betrag brutto bruttobetrag betragbrutto amount grossamount',
	},
	einnahme: {
		name: { en: 'Income', de: 'Einnahme' },
		headings: 'einnahme einnahmen einzahlung einzahlungen income',
	},
	ausgabe: {
		name: { en: 'Expense', de: 'Ausgabe' },
		headings: 'ausgabe ausgaben auszahlung auszahlungen expense expenses',
	},
	waehrung: { name: { en: 'Currency', de: 'Währung' }, headings: 'waehrung currency' },
	steuersatz: {
		name: { en: 'Tax Rate', de: 'Steuersatz' },
		// "MwSt" alone may be an amount of tax.
		headings:
			'steuersatz steuersatz% ustsatz ustsatz% mwstsatz mwstsatz% umsatzsteuersatz mehrwertsteuersatz steuer% ust% mwst% taxrate taxrate% vatrate vatrate% tax% vat%',
	},
	belegtext: {
		name: { en: 'Text', de: 'Text' },
		headings:
			'text buchungstext belegtext beschreibung bezeichnung verwendungszweck geschaeftsvorfall description bookingtext purpose',
	},
	gegenkonto: {
		name: { en: 'Account', de: 'Konto' },
		headings: 'konto gegenkonto sachkonto account contraaccount',
	},
	belegnummer: {
		name: { en: 'Transaction No.', de: 'Belegnummer' },
		headings: 'belegnummer transactionno transactionnumber',
	},
	// These numbers may come again, such as a supplier's, or one that starts at 1 each month: nothing is recognized by them.
	belegNummer: {
		name: { en: 'Receipt No.', de: 'Beleg-Nr.' },
		headings: 'belegnr belegfeld rechnungsnummer rechnungsnr receiptno receiptnumber invoiceno invoicenumber',
	},
} satisfies Record<string, { name: Bilingual; headings: string }>;

export type Column = keyof typeof COLUMNS;
const COLUMN_NAMES = Object.keys(COLUMNS) as Column[];

/** Rows that are searched for the headings: a title may stand above them. */
const MAX_SEARCHED_ROWS = 30;
const MAX_HEADING = 40;
/** Headings that a sentence lists. */
const MAX_FOUND = 20;

/** Where a list's columns are. */
export interface Headings {
	row: Row;
	/** The place of each column, from 0. */
	places: Partial<Record<Column, number>>;
}

/**
 * Finds the headings in the first rows.
 * @param own headings by column, instead of those that are known
 * @returns why there are none: what was found, and what is needed
 */
export function headingsIn(
	rows: readonly Row[],
	own: Partial<Record<Column, string>>,
): Headings | { problem: Bilingual } {
	const words = Object.fromEntries(
		COLUMN_NAMES.map((name) => [
			name,
			own[name] === undefined ? COLUMNS[name].headings.split(' ') : [lettersOf(own[name])],
		]),
	) as Record<Column, string[]>;
	let best: { row: Row; columns: Array<Column | undefined>; count: number } | undefined;
	for (const row of rows.slice(0, MAX_SEARCHED_ROWS)) {
		const columns = row.cells.map((cell) => {
			const heading = typeof cell === 'string' ? lettersOf(cell) : '';
			return heading === '' ? undefined : COLUMN_NAMES.find((name) => words[name].includes(heading));
		});
		const count = new Set(columns.filter(Boolean)).size;
		if (count > (best?.count ?? 0)) best = { row, columns, count };
		const missing = missingIn(columns);
		if (missing.length > 0) continue;
		const places: Headings['places'] = {};
		for (const [place, column] of columns.entries()) {
			if (!column) continue;
			if (places[column] !== undefined && columnsOf(columns).includes(column))
				return { problem: twice(column, row.cells[places[column]], row.cells[place]) };
			places[column] ??= place;
		}
		return { row, places: placesOf(places) };
	}
	return { problem: notFound(best?.row ?? rows[0], missingIn(best?.columns ?? []), own) };
}

type Found = ReadonlyArray<Column | undefined>;

const hasBoth = (found: Found) => found.includes('einnahme') && found.includes('ausgabe');

/** The columns that count: where there are two for the amount, the movement is a text, if there is no other one. */
const columnsOf = (found: Found): Column[] =>
	COLUMN_NAMES.filter((name) => found.includes(name)).filter((name) =>
		hasBoth(found)
			? name !== 'betrag' && (name !== 'bewegung' || !found.includes('belegtext'))
			: name !== 'einnahme' && name !== 'ausgabe',
	);

function placesOf({
	betrag,
	bewegung,
	einnahme,
	ausgabe,
	...others
}: Headings['places']): Headings['places'] {
	if (einnahme === undefined || ausgabe === undefined) return { betrag, bewegung, ...others };
	return others.belegtext === undefined
		? { belegtext: bewegung, einnahme, ausgabe, ...others }
		: { bewegung, einnahme, ausgabe, ...others };
}

function missingIn(found: Found): Column[] {
	const amount: Column[] = hasBoth(found) ? [] : ['bewegung', 'betrag'];
	const text: Column[] = hasBoth(found) && found.includes('bewegung') ? [] : ['belegtext'];
	return (['transaktionsdatum', ...amount, ...text, 'steuersatz'] as Column[]).filter(
		(name) => !found.includes(name),
	);
}

/** Whether a row repeats the heading of the days, as each page of a list does. */
export const mayRepeat = ({ cells }: Row, { row, places }: Headings): boolean =>
	cells.includes(row.cells[places.transaktionsdatum!]);

/** A heading without what only explains it: `Betrag (EUR)`, `Betrag in €`, `Beleg-Nr.`. */
function lettersOf(heading: string): string {
	const text = plainText(heading, 10 * MAX_HEADING);
	const letters = text
		.split(/[^a-z]+/)
		.filter((word) => !['', 'in'].includes(word) && !isEuro(word))
		.join('');
	// "Betrag ($)" isn't "Betrag".
	const [currency] = /(?!€)\p{Sc}/u.exec(text) ?? [];
	if (letters !== '' && currency !== undefined) return `${letters}${currency}`;
	if (letters === '' || !text.includes('%')) return letters;
	// "MwSt 19 %" is a column of amounts.
	return `${letters}%${text.replace(/\D/g, '')}`;
}

/** A heading in a sentence; empty if it is no text. */
export const headingName = (cell: Cell | undefined): string =>
	typeof cell === 'string' ? cutLine(cell, MAX_HEADING).trim() : '';

const twice = (column: Column, first: Cell, second: Cell): Bilingual => ({
	en: `Two columns can be the ${COLUMNS[column].name.en}: "${headingName(first)}" and "${headingName(second)}". Rename one of them in the list, or give the heading of the right one.`,
	de: `Zwei Spalten kommen für ${COLUMNS[column].name.de} in Frage: „${headingName(first)}“ und „${headingName(second)}“. Benennen Sie eine davon in der Liste um.`,
});

function notFound(row: Row | undefined, missing: Column[], own: Partial<Record<Column, string>>): Bilingual {
	const found = (row?.cells ?? []).map(headingName).filter(Boolean).slice(0, MAX_FOUND);
	const names = (language: Language) =>
		missing.map((name) => headingName(own[name]) || COLUMNS[name].name[language]).join(', ');
	const instead = missing.includes('betrag') || missing.includes('bewegung');
	return {
		en: `The headings weren't found in the first rows. Needed: Date, Text, Tax Rate, and Movement with Amount or Income and Expense, in English or German. ${found.length > 0 ? `Found: ${found.join(', ')}` : 'Nothing was found'}. Missing: ${names('en')}${instead ? ' (or Income and Expense)' : ''}.`,
		de: `Die Überschriften wurden in den ersten Zeilen nicht gefunden. Gebraucht werden Datum, Text, Steuersatz sowie Vorgang und Betrag oder Einnahme und Ausgabe. ${found.length > 0 ? `Gefunden: ${found.join(', ')}` : 'Gefunden wurde keine'}. Es fehlt: ${names('de')}${instead ? ' (oder Einnahme und Ausgabe)' : ''}.`,
	};
}
