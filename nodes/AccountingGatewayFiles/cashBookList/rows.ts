/** What the rows below the headings say: day, amount, balance. No word in a row decides whether it is a movement. */
import { partition } from 'lodash';

import { cutLine } from '../../shared/errors';
import {
	DAY_MS,
	Turn,
	allRates,
	bilingual,
	both,
	centsOf,
	dayIn,
	isEuro,
	numberIn,
	parseAmount,
	parseRate,
	plainText,
	taxRatesOn,
} from '../../shared/values';
import { OddCell } from '../formats/table/table';
import type { Bilingual, Language, Rule } from '../../shared/values';
import type { Cell, Row, Table } from '../formats/table/table';
import { MAX_CELL_QUOTE, dayOfCell } from './days';
import { COLUMNS, ambiguous, headingName, isDebitOrCredit } from './headings';
import type { Column, Headings } from './headings';

/** A row below the headings. */
export interface ListRow {
	/** Its row in the file. */
	number: number;
	cells: readonly Cell[];
	/** `2026-11-20`, with the time if it has one; undefined where the cell holds no day that can be used. */
	day?: string;
	/** Whether the cell of the day holds anything like a day, and whether that has no year. */
	isDated: boolean;
	isYearless: boolean;
	/** Signed, in cents; undefined without an amount. */
	amount?: number;
	/** The balance after it, in cents. */
	balance?: number;
	/** Why its amount or balance can't be read. */
	unreadable?: Bilingual;
	/** Why the row can't be booked, though its amount is clear. */
	problems: Bilingual[];
	rate?: number;
	text: string | null;
	account: string | null;
	receipt: string | null;
	/** The cash book that it is of, if the list says so. */
	cashBook: string | null;
}

export const quotable = (text: string) => cutLine(text, MAX_CELL_QUOTE).trim();

export const textIn = (cell: Cell | undefined): string | null => {
	const text = cell instanceof OddCell ? cell.text : String(cell ?? '');
	return text === '' ? null : text;
};
const isDigital = (cell: Cell | undefined): boolean =>
	/\d/.test(textIn(cell) ?? '') || cell instanceof OddCell;

/** `20.11.2026, Putzmittel, 1003`: the row, for a person who looks for it. */
export const labelOf = ({ day, cells, text, receipt, number }: ListRow): Bilingual =>
	bilingual((language) => {
		const date = day === undefined ? '' : dayIn(language, day);
		const said = quotable(text ?? cells.map(textIn).find((one) => one !== null && /\p{L}/u.test(one)) ?? '');
		const names = [date, said, quotable(receipt ?? '')].filter(Boolean).join(', ');
		return names === '' ? String(number) : `${number} (${names})`;
	});

/** Whether a row is worth a name where it is skipped: templates have a balance in each row to their end. */
export const isNamed = ({ amount, unreadable, text }: ListRow): boolean =>
	amount !== undefined || unreadable !== undefined || text !== null;

export const money = (language: Language, cents: number): string =>
	numberIn(language, cents / 100, 2).replace('-', '\u2212');

/** What movements are called. */
const INCOME = 'einnahme einnahmen einzahlung eingang zugang e income'.split(' ');
const EXPENSE = 'ausgabe ausgaben auszahlung ausgang abgang a expense'.split(' ');
/** Of a debit, money comes into the cash; in a list that isn't the cash's, it may be an expense. */
const DEBIT = ['soll', 's', '+'];
const CREDIT = ['haben', 'h', '-'];
const DEBIT_OR_CREDIT = new Set([...DEBIT, ...CREDIT]);

const wordIn = (cell: Cell | undefined): string =>
	typeof cell === 'string' ? plainText(cell, MAX_CELL_QUOTE).trim() : '';
function movementIn(cell: Cell | undefined): 1 | -1 | undefined {
	const word = wordIn(cell);
	if (INCOME.includes(word) || DEBIT.includes(word)) return 1;
	return EXPENSE.includes(word) || CREDIT.includes(word) ? -1 : undefined;
}

interface Options {
	/** Completes days without a year. */
	year?: string;
	/** Whether a person leaves a row out. */
	isLeftOut(cells: readonly Cell[]): boolean;
}

interface Columns {
	places: Partial<Record<Column, number>>;
	/** Whether the column of the rates is called as one of amounts of tax may be. */
	mayBeTax: boolean;
	/** Whether amounts that have a movement carry its sign as well. */
	isSigned: boolean;
	/** Whether headings or movements say which amounts are income and which are expenses, or only signs, debit and credit do. */
	direction?: 'said' | 'shown';
}

interface List extends Columns {
	rows: ListRow[];
	/** Those that a person leaves out. */
	leftOut: ListRow[];
}

/** Reads the rows below the headings, or says why none of them can be read. */
export async function readRows(
	{ rows, dayOf }: Table,
	headings: Headings,
	{ year, isLeftOut }: Options,
): Promise<List | { problem: Bilingual }> {
	const [out, kept] = partition(
		rows.filter(({ number }) => number > headings.row.number),
		({ cells }) => isLeftOut(cells),
	);
	const dayAt = (cell: Cell | undefined) => dayOfCell(cell ?? '', year, dayOf).day;
	const columns = columnsOf(kept, headings, dayAt);
	if ('problem' in columns) return columns;
	const turn = new Turn();
	const list: List = { ...columns, rows: [], leftOut: [] };
	for (const [from, to] of [
		[kept, list.rows],
		[out, list.leftOut],
	] as const) {
		for (const row of from) {
			await turn.yield();
			const one = readRow(row, columns, year, dayOf);
			if (year === undefined && one.isYearless && one.amount !== undefined)
				return { problem: withoutYear(labelOf(one)) };
			to.push(one);
		}
	}
	const turned = year === undefined ? undefined : turnOfYear(list.rows);
	return turned ? { problem: turned } : list;
}

/** Days between two rows, beyond which it is rather another year than the typed one. */
const MAX_DAYS_BETWEEN = 300;

/** Where one year can't complete all days: 31.12. and 02.01. */
function turnOfYear(rows: readonly ListRow[]): Bilingual | undefined {
	const dated = rows.filter(({ day, amount }) => day !== undefined && amount !== undefined);
	const at = dated.findIndex((row, i) => {
		const before = dated[i - 1] ?? row;
		const days = Math.abs(Date.parse(row.day!) - Date.parse(before.day!)) / DAY_MS;
		return (row.isYearless || before.isYearless) && days > MAX_DAYS_BETWEEN;
	});
	if (at === -1) return undefined;
	const [one, other] = [dated[at - 1], dated[at]].map(labelOf);
	return both(
		`Between row ${one.en} and row ${other.en}, the year changes: write the days of the list with their year.`,
		`Zwischen Zeile ${one.de} und Zeile ${other.de} wechselt das Jahr: Schreiben Sie die Tage der Liste mit dem Jahr.`,
	);
}

const withoutYear = ({ en, de }: Bilingual): Bilingual =>
	both(
		`The day in row ${en} has no year: give the Year (Additional Fields).`,
		`Der Tag in Zeile ${de} hat kein Jahr: Geben Sie das Jahr an (Additional Fields, Year).`,
	);

/** Decides by all cells of a column what its heading leaves open. */
function columnsOf(
	rows: readonly Row[],
	{ row, places: found }: Headings,
	dayAt: (cell: Cell | undefined) => string | undefined,
): Columns | { problem: Bilingual } {
	const places = Object.fromEntries(
		Object.entries(found).map(([name, [first]]) => [name, first]),
	) as Columns['places'];
	const amountPlaces = [places.betrag, places.einnahme, places.ausgabe].filter(
		(place) => place !== undefined,
	);
	const withAmount = rows.filter(({ cells }) => amountPlaces.some((place) => isDigital(cells[place])));
	const movements = found.bewegung.filter((place) =>
		withAmount.some(({ cells }) => movementIn(cells[place])),
	);
	if (places.betrag !== undefined && movements.length > 1) return ambiguous('bewegung', row, movements);
	const [movement] = places.betrag === undefined ? [] : movements;
	// An account that is the same throughout, beside another one, may be that of the cash.
	const [accounts = 0, ...others] = found.gegenkonto.map(
		(place) => new Set(withAmount.flatMap(({ cells }) => textIn(cells[place]) ?? [])).size,
	);
	if (accounts === 1 && others.some((one) => one > 0)) return ambiguous('gegenkonto', row, found.gegenkonto);
	const noRates = found.steuer.map((place) =>
		noRateIn(
			withAmount.map(({ number, cells }) => ({
				number,
				cell: cells[place],
				amounts: amountPlaces.map((one) => amountIn(cells[one]).cents ?? 0),
				day: dayAt(cells[places.transaktionsdatum ?? -1]),
			})),
		),
	);
	const rate = places.steuersatz ?? found.steuer[noRates.indexOf(undefined)];
	if (rate === undefined) return amountsOfTax(headingName(row.cells[found.steuer[0]]), noRates[0]!);
	const text = places.belegtext ?? found.bewegung.find((place) => place !== movement);
	const isSigned =
		movement !== undefined &&
		withAmount.every(({ cells }) => {
			const [{ cents = 0 }, said] = [amountIn(cells[places.betrag!]), movementIn(cells[movement])];
			return cents === 0 || said === undefined || Math.sign(cents) === said;
		});
	const hasSign = ({ cells }: Row) => {
		const cell = cells[places.betrag!];
		return (amountIn(cell).cents ?? 0) < 0 || (typeof cell === 'string' && cell.startsWith('+'));
	};
	const isSaid =
		places.betrag === undefined
			? !amountPlaces.some((place) => isDebitOrCredit(row.cells[place]))
			: movement !== undefined &&
				!withAmount.some(({ cells }) => DEBIT_OR_CREDIT.has(wordIn(cells[movement])));
	const isShown = places.betrag === undefined || movement !== undefined || withAmount.some(hasSign);
	return {
		places: { ...places, bewegung: movement, steuersatz: rate, steuer: undefined, belegtext: text },
		mayBeTax: places.steuersatz === undefined,
		isSigned,
		direction: isSaid ? 'said' : isShown ? 'shown' : undefined,
	};
}

/** A cell of a column that holds rates or amounts of tax, and the amounts of its row. */
interface TaxCell {
	number: number;
	cell: Cell | undefined;
	amounts: number[];
	day?: string;
}

/** The cell by which a column holds no rates: the tax of its row, or any, if none is a rate. */
function noRateIn(cells: TaxCell[]): TaxCell | undefined {
	const filled = cells.filter(({ cell }) => textIn(cell) !== null);
	return filled.find(isTax) ?? (filled.some(({ cell, day }) => isRate(cell, day)) ? undefined : filled[0]);
}

const amountsOfTax = (heading: string, one: TaxCell): { problem: Bilingual } => {
	const said = quotable(textIn(one.cell) ?? '');
	return {
		problem: both(
			`The column "${heading}" holds ${isTax(one) ? 'amounts of tax, ' : ''}no rates (row ${one.number}: "${said}"). Needed is a column with the rates, such as 19, 7 or 0 (Tax Rate); if these are rates, give this one (Additional Fields, Heading of Tax Rate).`,
			`Die Spalte „${heading}“ enthält ${isTax(one) ? 'Steuerbeträge, ' : ''}keine Sätze (Zeile ${one.number}: „${said}“). Gebraucht wird eine Spalte mit den Sätzen, etwa 19, 7 oder 0 (Steuersatz); sind es doch Sätze, geben Sie diese an (Additional Fields, Heading of Tax Rate).`,
		),
	};
};

const ratesOn = (day = LATEST) => taxRatesOn(day) ?? taxRatesOn(LATEST)!;

function isRate(cell: Cell | undefined, day?: string): boolean {
	const parsed = parseRate(cell);
	return 'value' in parsed && allRates(ratesOn(day)).includes(parsed.value);
}

/** Whether a cell is the tax of its row at another rate than it would be itself, or has more decimals than a rate. */
function isTax({ cell, amounts, day }: TaxCell): boolean {
	const { cents: tax = 0 } = amountIn(cell);
	if (tax < 0 || tax > MAX_RATE || (tax > 100 && tax % 10 !== 0)) return true;
	const { standard, reduced } = ratesOn(day);
	return [standard, reduced].some(
		(rate) =>
			tax !== 0 &&
			tax !== rate * 100 &&
			amounts.some((cents) => Math.round((Math.abs(cents) * rate) / (100 + rate)) === tax),
	);
}

/** In hundredths of a percent. */
const MAX_RATE = 100_00;

/** After all days of which the rates are known. */
const LATEST = '9999';

interface Amount {
	cents?: number;
	/** Why the cell can't be read. */
	rule?: Rule;
	/** What it shows, if that isn't what it holds. */
	odd?: string;
}

/** Above it, cents aren't exact. */
const MAX_AMOUNT = 1e12;

/** An amount in a cell. One without a digit is none: nothing, or a dash, as accountants write and Excel shows it. */
function amountIn(cell: Cell | undefined): Amount {
	if (!isDigital(cell)) return {};
	if (cell instanceof OddCell) {
		if (cell.value === undefined)
			return { rule: both('has no result in the file', 'hat in der Datei kein Ergebnis') };
		return { ...amountIn(cell.value), odd: cell.text };
	}
	if (typeof cell === 'string' && cell.length > MAX_CELL_QUOTE)
		return { rule: both('is too long', 'ist zu lang') };
	const parsed = parseAmount(cell, 'EUR');
	if ('rule' in parsed) return parsed;
	if (Math.abs(parsed.value) > MAX_AMOUNT) return { rule: both('is too large', 'ist zu groß') };
	return { cents: centsOf(parsed.value) };
}

function readRow(
	row: Row,
	{ places, mayBeTax, isSigned }: Columns,
	year: string | undefined,
	dayOf: Table['dayOf'],
): ListRow {
	const cell = (column: Column) => (places[column] === undefined ? '' : (row.cells[places[column]] ?? ''));
	const said = (column: Column) => quotable(textIn(cell(column)) ?? '');
	const problems: Bilingual[] = [];
	let unreadable: Bilingual | undefined;
	const centsIn = (column: Column): number | undefined => {
		const { cents, rule, odd } = amountIn(cell(column));
		const { en, de } = COLUMNS[column].name;
		if (rule) unreadable ??= both(`${en} "${said(column)}" ${rule.en}`, `${de} „${said(column)}“ ${rule.de}`);
		if (odd !== undefined && cents !== undefined)
			problems.push(shownOtherwise({ en, de }, said(column), cents));
		return cents;
	};
	const [amount, income, expense] = [centsIn('betrag'), centsIn('einnahme'), centsIn('ausgabe')];
	const balance = centsIn('kassenbestand');
	const movement = movementIn(cell('bewegung'));
	if (places.bewegung !== undefined && amount && movement === undefined)
		unreadable ??= both(
			`"${said('bewegung')}" is neither income nor expense`,
			`„${said('bewegung')}“ ist weder Einnahme noch Ausgabe`,
		);
	const hasAmount = amount !== undefined || income !== undefined || expense !== undefined;
	if (hasAmount && said('waehrung') !== '' && !isEuro(said('waehrung')))
		unreadable ??= both(`the currency is ${said('waehrung')}`, `die Währung ist ${said('waehrung')}`);
	if (income && expense) problems.push(BOTH_WAYS);
	const unsigned = movement !== undefined && !isSigned ? [amount] : [income, expense];
	if (unsigned.some((one) => one !== undefined && one < 0)) problems.push(NEGATIVE);
	const own = movement === undefined || isSigned ? amount : movement * (amount ?? 0);
	const { day, isYearless } = dayOfCell(cell('transaktionsdatum'), year, dayOf);
	if (day === undefined) problems.push(noDay(said('transaktionsdatum')));
	const rateCell = cell('steuersatz');
	const rate = rateCell instanceof OddCell ? { rule: NOT_ALL_SHOWN } : parseRate(rateCell);
	if ('rule' in rate) problems.push(both(`The tax rate ${rate.rule.en}.`, `Der Steuersatz ${rate.rule.de}.`));
	else if (mayBeTax && !isRate(rateCell, day)) problems.push(noRateOf(said('steuersatz')));
	const textOf = (column: Column): string | null => {
		const { en, de } = COLUMNS[column].name;
		if (cell(column) instanceof OddCell)
			problems.push(both(`${en} ${NOT_ALL_SHOWN.en}.`, `${de} ${NOT_ALL_SHOWN.de}.`));
		return textIn(cell(column));
	};
	return {
		number: row.number,
		cells: row.cells,
		day,
		isDated: isDigital(cell('transaktionsdatum')),
		isYearless,
		...(hasAmount && { amount: own ?? (income ?? 0) - (expense ?? 0) }),
		balance,
		unreadable,
		problems,
		...('value' in rate && { rate: rate.value }),
		text: textOf('belegtext'),
		account: textOf('gegenkonto'),
		receipt: textOf('belegNummer'),
		cashBook: textOf('kassenname'),
	};
}

const NOT_ALL_SHOWN = both(
	"isn't all that its cell holds: let the cell show all of it",
	'ist nicht alles, was die Zelle enthält: Sie muss alles zeigen',
);
const noRateOf = (said: string): Bilingual =>
	both(
		`"${said}" is no tax rate of this day. If it is right, give this column as that of the tax rate (Additional Fields, Heading of Tax Rate).`,
		`„${said}“ ist kein Steuersatz dieses Tages. Wenn er stimmt, geben Sie diese Spalte als die des Steuersatzes an (Additional Fields, Heading of Tax Rate).`,
	);
const BOTH_WAYS = both(
	'It is income and expense at once: book both by hand.',
	'Sie ist Einnahme und Ausgabe zugleich: Bitte beide von Hand buchen.',
);
const NEGATIVE = both(
	'Its amount is negative, which takes back another entry: book it by hand.',
	'Ihr Betrag ist negativ, nimmt also einen anderen Eintrag zurück: Bitte von Hand buchen.',
);
const noDay = (said: string): Bilingual =>
	said === ''
		? both('The day is missing.', 'Der Tag fehlt.')
		: both(
				`The day "${said}" can't be used: write it like 20.11.2026.`,
				`Der Tag „${said}“ ist nicht verwendbar: Schreiben Sie ihn wie 20.11.2026.`,
			);
const shownOtherwise = (column: Bilingual, said: string, cents: number): Bilingual =>
	both(
		`${column.en} shows "${said}", but holds ${money('en', cents)}: let the cell show all of it.`,
		`${column.de} zeigt „${said}“, enthält aber ${money('de', cents)}: Die Zelle muss alles zeigen.`,
	);
