/** Which column of a list holds what, by its heading. */
import { cutLine } from '../../shared/errors';
import { isEuro, plainText } from '../../shared/values';
import type { Bilingual, Language } from '../../shared/values';
import type { Cell, Row } from '../formats/table/table';

/**
 * What a column can hold, and its headings in letters alone; of several, the first one that the list has counts. The columns that
 * decide about money are in `ALONE`.
 */
export const COLUMNS = {
	transaktionsdatum: {
		name: { en: 'Date', de: 'Datum' },
		headings: 'datum buchungsdatum belegdatum transaktionsdatum tag date bookingdate transactiondate',
	},
	bewegung: {
		name: { en: 'Movement', de: 'Vorgang' },
		headings:
			'vorgang bewegung einnahmeausgabe buchungstyp buchungsart art typ sollhabenkennzeichen sollhaben sh movement incomeexpense type',
	},
	betrag: {
		name: { en: 'Amount', de: 'Betrag' },
		headings:
			'betrag brutto bruttobetrag betragbrutto vorzbetrag umsatz umsatzohnesollhabenkennzeichen amount grossamount',
	},
	einnahme: {
		name: { en: 'Income', de: 'Einnahme' },
		headings: 'einnahme einnahmen einzahlung einzahlungen eingang eingaenge zugang soll income debit',
	},
	ausgabe: {
		name: { en: 'Expense', de: 'Ausgabe' },
		headings:
			'ausgabe ausgaben auszahlung auszahlungen ausgang ausgaenge abgang haben expense expenses credit',
	},
	kassenbestand: {
		name: { en: 'Balance', de: 'Bestand' },
		headings: 'bestand kassenbestand saldo kassensaldo kassenstand balance cashbalance',
	},
	waehrung: { name: { en: 'Currency', de: 'Währung' }, headings: 'waehrung wkz currency' },
	steuersatz: {
		name: { en: 'Tax Rate', de: 'Steuersatz' },
		headings:
			'steuersatz steuersatz% ustsatz ustsatz% mwstsatz mwstsatz% umsatzsteuersatz mehrwertsteuersatz steuer% ust% mwst% taxrate taxrate% vatrate vatrate% tax% vat%',
	},
	/** A rate where its cells are rates, or else an amount of tax. */
	steuer: {
		name: { en: 'Tax', de: 'Steuer' },
		headings: 'mwst ust steuer umsatzsteuer mehrwertsteuer vat tax',
	},
	belegtext: {
		name: { en: 'Text', de: 'Text' },
		headings:
			'buchungstext belegtext text beschreibung bezeichnung verwendungszweck zweck geschaeftsvorfall description bookingtext purpose',
	},
	gegenkonto: {
		name: { en: 'Account', de: 'Konto' },
		headings: 'gegenkonto gegenkontoohnebuschluessel sachkonto konto contraaccount account',
	},
	kassenname: {
		name: { en: 'Cash Book', de: 'Kassenbuch' },
		headings: 'kassenbuch kassenname kasse cashbook',
	},
	belegNummer: {
		name: { en: 'Receipt No.', de: 'Beleg-Nr.' },
		headings:
			'belegnummer belegnr belegfeld belegfeld1 beleg rechnungsnummer rechnungsnr rechnr receiptno receiptnumber invoiceno invoicenumber transactionno',
	},
} satisfies Record<string, { name: Bilingual; headings: string }>;

export type Column = keyof typeof COLUMNS;
const COLUMN_NAMES = Object.keys(COLUMNS) as Column[];
const WORDS = new Map(COLUMN_NAMES.map((name) => [name, COLUMNS[name].headings.split(' ')]));
/** Two columns for one of these are refused. */
const ALONE: Column[] = [
	'transaktionsdatum',
	'betrag',
	'einnahme',
	'ausgabe',
	'kassenbestand',
	'waehrung',
	'steuersatz',
];

/** Headings that a person gives, by column. */
export type Own = Partial<Record<Column, string>>;

/** Rows that are searched for the headings: a title may stand above them. */
const MAX_SEARCHED_ROWS = 30;
const MAX_HEADING = 60;
/** Headings that a sentence lists. */
const MAX_FOUND = 20;

/** Where a list's columns are. */
export interface Headings {
	row: Row;
	/** The places of the columns that may hold it, from 0, the likeliest first. */
	places: Record<Column, number[]>;
}

/** Finds the headings in the first rows, or says what was found, and what is needed. */
export function headingsIn(rows: readonly Row[], own: Own): Headings | { problem: Bilingual } {
	const searched = rows.slice(0, MAX_SEARCHED_ROWS).map((row) => ({ row, places: placesIn(row, own) }));
	const found = searched.find(({ places }) => missingIn(places).length === 0);
	if (!found) return notFound(searched, own);
	const { row, places } = found;
	const amounts = [...places.einnahme, ...places.ausgabe];
	const rivals = [
		...ALONE.map((name) => ({ name, among: places[name] })),
		{ name: 'betrag' as const, among: [...places.betrag, ...(places.betrag.length > 0 ? amounts : [])] },
	].find(({ among }) => among.length > 1);
	return rivals ? ambiguous(rivals.name, row, rivals.among) : found;
}

/** The columns of a row of headings. What a person names is no other column, and the amount is only where they say. */
function placesIn({ cells }: Row, own: Own): Headings['places'] {
	const letters = cells.map(lettersOf);
	const at = (word: string) => letters.flatMap((one, i) => (one !== '' && one === word ? [i] : []));
	const named = Object.values(own).flatMap((heading) => at(lettersOf(heading)));
	const isReplaced = (name: Column) =>
		name === 'betrag'
			? (own.einnahme ?? own.ausgabe) !== undefined
			: own.betrag !== undefined && (name === 'einnahme' || name === 'ausgabe');
	const placesOf = (name: Column): number[] => {
		const heading = own[name];
		if (heading !== undefined) return at(lettersOf(heading));
		if (isReplaced(name)) return [];
		return WORDS.get(name)!
			.flatMap(at)
			.filter((place) => !named.includes(place));
	};
	return Object.fromEntries(COLUMN_NAMES.map((name) => [name, placesOf(name)])) as Headings['places'];
}

function missingIn(places: Headings['places']): Column[] {
	const has = (...names: Column[]) => names.some((name) => places[name].length > 0);
	return [
		...(has('transaktionsdatum') ? [] : ['transaktionsdatum' as const]),
		...(has('betrag', 'einnahme', 'ausgabe') ? [] : ['betrag' as const]),
		...(has('belegtext', 'bewegung') ? [] : ['belegtext' as const]),
		...(has('steuersatz', 'steuer') ? [] : ['steuersatz' as const]),
	];
}

/** A heading without what only explains it: `Betrag (EUR)`, `Betrag in €`, `Beleg-Nr.`. */
function lettersOf(heading: Cell): string {
	if (typeof heading !== 'string') return '';
	const text = plainText(heading, 2 * MAX_HEADING);
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

/** Whether a heading names a side of an account: of that of an expense, the other one than of the cash. */
export const isDebitOrCredit = (heading: Cell | undefined): boolean =>
	['soll', 'haben', 'debit', 'credit'].includes(lettersOf(heading ?? ''));

/** The place of a heading that a person gives, from 0; -1 if the list doesn't have it. */
export const placeOf = ({ row: { cells } }: Headings, heading: string): number =>
	cells.findIndex((cell) => lettersOf(cell) !== '' && lettersOf(cell) === lettersOf(heading));

/** A heading in a sentence; empty if it is no text. */
export const headingName = (cell: Cell | undefined): string =>
	typeof cell === 'string' ? cutLine(cell, MAX_HEADING).trim() : '';

/** Two columns for one thing, of which a person has to name one. */
export function ambiguous(column: Column, { cells }: Row, among: readonly number[]): { problem: Bilingual } {
	const [first, second] = among.map((place) => headingName(cells[place]));
	const { en, de } = COLUMNS[column].name;
	return {
		problem: {
			en: `Two columns can be the ${en}: "${first}" and "${second}". Give the heading of the right one (Additional Fields), or rename the other one in the list.`,
			de: `Zwei Spalten kommen für ${de} in Frage: „${first}“ und „${second}“. Geben Sie die Überschrift der richtigen an (Additional Fields), oder benennen Sie die andere in der Liste um.`,
		},
	};
}

function notFound(searched: Headings[], own: Own): { problem: Bilingual } {
	const count = ({ places }: Headings) => Object.values(places).filter(({ length }) => length > 0).length;
	const best = searched.reduce<Headings | undefined>(
		(most, one) => (count(one) > (most ? count(most) : 0) ? one : most),
		undefined,
	);
	const found = (best ?? searched[0])?.row.cells.map(headingName).filter(Boolean).slice(0, MAX_FOUND) ?? [];
	const missing = best
		? missingIn(best.places)
		: (['transaktionsdatum', 'betrag', 'belegtext', 'steuersatz'] as const);
	const names = (language: Language) =>
		missing.map((name) => headingName(own[name]) || COLUMNS[name].name[language]).join(', ');
	return {
		problem: {
			en: `The headings weren't found in the first rows. Needed: Date, Text, Tax Rate, and Amount or Income and Expense, in English or German. ${found.length > 0 ? `Found: ${found.join(', ')}` : 'Nothing was found'}. Missing: ${names('en')}.`,
			de: `Die Überschriften wurden in den ersten Zeilen nicht gefunden. Gebraucht werden Datum, Text, Steuersatz sowie Betrag oder Einnahme und Ausgabe. ${found.length > 0 ? `Gefunden: ${found.join(', ')}` : 'Gefunden wurde keine'}. Es fehlt: ${names('de')}.`,
		},
	};
}
