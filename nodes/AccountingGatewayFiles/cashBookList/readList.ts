/** A cash list → its rows, as "Cash Book Entry: Create" takes them, or why none of them comes out. */
import type { IDataObject } from 'n8n-workflow';
import { compact, fromPairs, map, sum } from 'lodash';

import type { InputFile } from '../../shared/parameters';
import { bilingual, both, centsOf, dayIn, listed, plainLine } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { OddCell, TABLE_TOO_LARGE } from '../formats/table/table';
import { readTable } from '../formats/table/read';
import type { Cell, Table } from '../formats/table/table';
import { headingName, headingsIn, placeOf } from './headings';
import type { Headings, Own } from './headings';
import { counts, prove } from './proof';
import type { Given, Proven } from './proof';
import { isNamed, labelOf, money, quotable, readRows, textIn } from './rows';
import type { ListRow } from './rows';
import { TABLE_LIMITS } from '../formats/table/limits';

/** What a person has chosen and typed; amounts in euros. */
interface Typed {
	datei: InputFile[];
	provedBy: 'balances' | 'total';
	kassenbestandVorher?: number;
	kassenbestandNachher?: number;
	listTotal?: number;
	additionalFields: Own & {
		kassenname?: string;
		sheet?: string;
		year?: string;
		onlyColumn?: string;
		onlyValue?: string;
	};
}

/** @param empty the record of a list that can't be read, with all its fields */
export async function readList(
	values: Typed,
	{
		bytesOf,
		simple,
		empty,
	}: { bytesOf: (file: InputFile) => Promise<Buffer>; simple: boolean; empty: IDataObject },
): Promise<IDataObject[]> {
	const {
		datei: [file],
		additionalFields: { kassenname, sheet, year, onlyColumn, onlyValue, ...own },
	} = values;
	const { sha256 = null, bytes } = file.content;
	const nothing =
		(summary: Bilingual) =>
		(problem: Bilingual, ...warnings: Array<Bilingual | undefined>): IDataObject[] => [
			{ ...empty, summary, warnings: compact(warnings), problem, sha256 },
		];
	const [unread, unproved] = [nothing(NOTHING_READ), nothing(NOT_PROVED)];
	const table =
		bytes > TABLE_LIMITS.bytes
			? { problem: TABLE_TOO_LARGE }
			: await readTable(await bytesOf(file), file.name, sheet);
	if ('problem' in table) return unread(table.problem);
	const headings = headingsIn(table.rows, own);
	if ('problem' in headings) return unread(headings.problem, sheetsOf(table));
	const missing = compact([...Object.values(own), onlyColumn]).find((one) => placeOf(headings, one) === -1);
	if (missing !== undefined) return unread(noColumn(missing), sheetsOf(table));
	const only = onlyColumn === undefined ? undefined : placeOf(headings, onlyColumn);
	const isLeftOut = (cells: readonly Cell[]) => only !== undefined && !isSame(cells[only], onlyValue ?? '');
	const list = await readRows(table, headings, { year, isLeftOut });
	if ('problem' in list) return unread(list.problem, sheetsOf(table));
	const stranger = list.rows.find((row) => counts(row) && isOther(row.cashBook, kassenname));
	if (stranger) return unproved(otherCashBook(stranger, kassenname ?? ''), sheetsOf(table));
	const given = givenIn(values);
	const isSaid = list.direction === 'said' || (own.einnahme ?? own.ausgabe) !== undefined;
	// A list of expenses shows them without a minus, and so does its sum; who types a minus says that more went out.
	const isTyped = list.direction === 'shown' && 'total' in given && given.total < 0;
	if ('total' in given && !isSaid && !isTyped) return unproved(NO_DIRECTION, sheetsOf(table));
	const proven = prove(list.rows, given);
	const entries = new Set('problem' in proven ? [] : map(proven.entries, 'number'));
	const warnings = [
		names(
			SKIPPED,
			list.rows.filter(
				'problem' in proven
					? (row) => row.amount !== undefined && !counts(row)
					: (row) => !entries.has(row.number) && isNamed(row),
			),
		),
		names(leftOut(headings, only, onlyValue), list.leftOut.filter(isNamed)),
		columnsOf(headings, list.places),
		sheetsOf(table),
	];
	if ('problem' in proven) return unproved(proven.problem, ...warnings);
	if (entries.size === 0) return unread(NO_ROWS, ...warnings);
	return proven.entries.map((row, i) => ({
		...itemOf(row),
		...(i === 0 ? proofOf(proven) : { proof: null, proved: null }),
		warnings: i === 0 ? compact(warnings) : [],
		problem: problemOf(row),
		sha256,
		...(!simple && { cells: byHeading(headings, row.cells) }),
	}));
}

/** What a person has typed, in cents. */
function givenIn({ provedBy, kassenbestandVorher = 0, kassenbestandNachher, listTotal = 0 }: Typed): Given {
	if (provedBy === 'total') return { total: centsOf(listTotal) };
	const after = kassenbestandNachher === undefined ? undefined : centsOf(kassenbestandNachher);
	return { before: centsOf(kassenbestandVorher), after };
}

const NOTHING_READ = both('Nothing was read', 'Nichts gelesen');
const NOT_PROVED = both('Not proved', 'Nicht bewiesen');
const NO_ROWS = both(
	'No row below the headings moves cash: none has a day and an amount, or the column of balances shows that none does.',
	'Keine Zeile unter den Überschriften bewegt die Kasse: Keine hat Tag und Betrag, oder der Bestand in der Liste bleibt gleich.',
);
const NO_DIRECTION = both(
	'Nothing says whether these amounts are income or expenses, as signs, debit and credit can mean either: give the column’s heading as that of the Income or of the Expense (Additional Fields).',
	'Nichts sagt, ob diese Beträge Einnahmen oder Ausgaben sind, denn Vorzeichen, Soll und Haben können beides bedeuten: Geben Sie die Überschrift der Spalte als die der Einnahme oder der Ausgabe an (Additional Fields, Heading of Income oder Expense).',
);
const noColumn = (said: string): Bilingual =>
	both(`The list has no column "${said}".`, `Die Liste hat keine Spalte „${said}“.`);

/** Compares what a cell says with what a person has typed. */
const isSame = (cell: Cell | undefined, value: string): boolean =>
	plainLine(textIn(cell) ?? '', MAX_COMPARED).trim() === plainLine(value, MAX_COMPARED).trim();
const MAX_COMPARED = 200;

/** Whether a row is of another cash book than the chosen one. */
const isOther = (named: string | null, chosen?: string): boolean =>
	named !== null && chosen !== undefined && !isSame(named, chosen);

function otherCashBook(row: ListRow, chosen: string): Bilingual {
	const [one, named] = [labelOf(row), quotable(row.cashBook ?? '')];
	return both(
		`Row ${one.en} is of the cash book "${named}", chosen is "${quotable(chosen)}".`,
		`Zeile ${one.de} gehört zum Kassenbuch „${named}“, gewählt ist „${quotable(chosen)}“.`,
	);
}

const SKIPPED = both(
	'Skipped, as no cash was moved, or day or amount are missing',
	'Übersprungen, weil keine Kasse bewegt wurde oder Tag oder Betrag fehlen',
);

function leftOut({ row }: Headings, only = 0, value = ''): Bilingual {
	const heading = headingName(row.cells[only]);
	return both(`Left out, as ${heading} isn't ${value}`, `Weggelassen, weil ${heading} nicht ${value} ist`);
}

/** Rows that a sentence lists. */
const MAX_NAMED_ROWS = 50;

function names({ en, de }: Bilingual, rows: readonly ListRow[]): Bilingual | undefined {
	if (rows.length === 0) return undefined;
	const labels = rows.map(labelOf);
	return both(
		`${en}: ${listed(map(labels, 'en'), 'en', MAX_NAMED_ROWS)}.`,
		`${de}: ${listed(map(labels, 'de'), 'de', MAX_NAMED_ROWS)}.`,
	);
}

/** Names the columns of which nothing is read, because one of them may only be called otherwise. */
function columnsOf({ row: { cells } }: Headings, places: object): Bilingual | undefined {
	const read = Object.values(places) as unknown[];
	const unread = cells.map(headingName).filter((name, i) => name !== '' && !read.includes(i));
	if (unread.length === 0) return undefined;
	return both(
		`Columns that aren't read: ${listed(unread)}.`,
		`Nicht gelesene Spalten: ${listed(unread, 'de')}.`,
	);
}

/** Names the sheet, if the file has several. */
function sheetsOf({ sheet = '', otherSheets: others }: Table): Bilingual | undefined {
	if (others.length === 0) return undefined;
	return both(
		`The sheet "${sheet}" is read; not read: ${listed(others)}.`,
		`Gelesen wird das Tabellenblatt „${sheet}“, nicht gelesen: ${listed(others, 'de')}.`,
	);
}

function problemOf({ problems }: ListRow): Bilingual | null {
	return problems.length === 0 ? null : both(map(problems, 'en').join(' '), map(problems, 'de').join(' '));
}

/** What "Cash Book Entry: Create" takes; where there is a problem, without an amount. */
function itemOf(row: ListRow): IDataObject {
	const { number, day, amount = 0, rate, text, account, receipt, cashBook, problems } = row;
	const isBookable = problems.length === 0;
	return {
		row: number,
		summary: bilingual((language) =>
			[money(language, Math.abs(amount)), quotable(text ?? ''), day === undefined ? '' : dayIn(language, day)]
				.filter(Boolean)
				.join(' · '),
		),
		transaktionsdatum: day ?? null,
		bewegung: isBookable ? (amount > 0 ? 'EINNAHME' : 'AUSGABE') : null,
		betrag: isBookable ? Math.abs(amount) / 100 : null,
		steuersatz: rate ?? null,
		belegtext: text,
		gegenkonto: account,
		belegNummer: receipt,
		kassenname: cashBook,
	};
}

/** What was proved, in numbers and in a sentence. */
function proofOf({ entries, before, after }: Proven): IDataObject {
	const amounts = entries.map(({ amount = 0 }) => amount);
	const income = sum(amounts.filter((one) => one > 0));
	const expense = Math.abs(sum(amounts.filter((one) => one < 0)));
	const inEuros = (cents?: number) => (cents === undefined ? null : cents / 100);
	const rows = entries.length;
	return {
		proof: {
			rows,
			income: income / 100,
			expense: expense / 100,
			cashBefore: inEuros(before),
			cashAfter: inEuros(after),
		},
		proved: bilingual((language) => {
			const [came, went] = [income, expense].map((cents) => money(language, cents));
			const cash = [before, after].flatMap((cents) => (cents === undefined ? [] : money(language, cents)));
			const balance =
				cash.length === 0 ? '' : `, ${language === 'en' ? 'balance' : 'Bestand'} ${cash.join(' → ')}`;
			return language === 'en'
				? `${rows} ${rows === 1 ? 'row' : 'rows'}, income ${came}, expenses ${went}${balance}.`
				: `${rows} ${rows === 1 ? 'Zeile' : 'Zeilen'}, Einnahmen ${came}, Ausgaben ${went}${balance}.`;
		}),
	};
}

/** All cells of a row by their headings, for columns that have no field. */
const byHeading = ({ row: { cells: headings } }: Headings, cells: readonly Cell[]): IDataObject =>
	fromPairs(
		headings.flatMap((heading, i) => {
			const cell = cells[i] ?? '';
			return headingName(heading) === ''
				? []
				: [[headingName(heading), cell instanceof OddCell ? cell.text : cell]];
		}),
	);
