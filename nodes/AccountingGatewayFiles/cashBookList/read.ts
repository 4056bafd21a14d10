import type { IDataObject } from 'n8n-workflow';
import { compact, fromPairs, map, mapValues, sum } from 'lodash';

import { defineLocal } from '../../shared/operation';
import {
	additionalFields,
	amount,
	choice,
	files,
	shownFor,
	splitByFile,
	text,
} from '../../shared/parameters';
import { bilingual, both, centsOf, dayIn, listed, plainLine } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { MAX_TABLE_BYTES, OddCell, TABLE_TOO_LARGE, readTable } from '../formats/table';
import type { Cell, Table } from '../formats/table';
import { labelOfFiles } from '../labelOfFiles';
import { headingName, headingsIn, placeOf } from './headings';
import type { Headings } from './headings';
import { prove } from './proof';
import type { Given, Proven } from './proof';
import { isNamed, labelOf, money, quotable, readRows, textIn } from './rows';
import type { ListRow } from './rows';

const heading = (column: string, german: string) =>
	text({
		displayName: `Heading of ${column}`,
		description: `The heading of the column in the list (${german}), if it is another one than those that the node knows`,
		placeholder: `e.g. ${german}`,
		max: 100,
	});

const balance = { max: 1e9, mayBeZero: true, decisive: true } as const;

/** Reads the file and sends nothing. */
export const read = defineLocal({
	value: 'read',
	name: 'Read (Kassenliste)',
	action: 'Read cash book list',
	description:
		'Read a list of cash income and expenses (Kassenliste, Kassenbuch) from an Excel (.xlsx), OpenDocument or CSV file: one item for each row, ready for "Cash Book Entry: Create". The list proves itself: the balance before plus its rows must be the balance after, or nothing of it comes out. Sends nothing and needs no credential.',
	parameters: {
		datei: files({
			displayName: 'Input Data Field Name',
			description: 'The list (datei, Datei): .xlsx, .ods, CSV or text with tabs',
			ending: '.xlsx',
			required: true,
			mayBeEmpty: true,
			untaken: both('not read', 'Nicht gelesen'),
		}),
		provedBy: choice({
			displayName: 'Proved By',
			description:
				'What the rows must add up to (provedBy, Nachweis): cash balances, or the total of a list that isn’t a cash book',
			choices: [
				{
					name: 'Cash Balances',
					value: 'balances',
					description: 'The balance before plus the rows is each balance in the list, or the one after',
				},
				{ name: 'Total', value: 'total', description: 'For a list of expenses and the like' },
			],
			required: true,
		}),
		kassenbestandVorher: shownFor(
			'provedBy',
			['balances'],
			amount({
				...balance,
				displayName: 'Cash Balance Before',
				description:
					'Cash balance before the oldest row (kassenbestandVorher, Bestand davor). It alone tells an opening balance from an income.',
				placeholder: 'e.g. 1.050,00',
				min: 0,
				negative: both('is negative, which cash never is', 'ist negativ, was eine Kasse nie ist'),
				required: true,
			}),
		),
		kassenbestandNachher: shownFor(
			'provedBy',
			['balances'],
			amount({
				...balance,
				displayName: 'Cash Balance After',
				description:
					'Cash that was counted after the newest row (kassenbestandNachher, Bestand danach); may be empty if the list has a column of balances',
				placeholder: 'e.g. 1.205,40',
			}),
		),
		listTotal: shownFor(
			'provedBy',
			['total'],
			amount({
				...balance,
				displayName: 'Total',
				description:
					'Income less expenses of all rows, as you or the list have added them up (listTotal, Summe der Liste); negative if more went out',
				placeholder: 'e.g. -270,00',
				required: true,
			}),
		),
		additionalFields: additionalFields({
			gegenkonto: heading('Account', 'Konto'),
			betrag: heading('Amount', 'Betrag'),
			kassenbestand: heading('Balance', 'Bestand'),
			transaktionsdatum: heading('Date', 'Datum'),
			ausgabe: heading('Expense', 'Ausgabe'),
			einnahme: heading('Income', 'Einnahme'),
			bewegung: heading('Movement', 'Vorgang'),
			belegNummer: heading('Receipt No.', 'Beleg-Nr.'),
			steuersatz: heading('Tax Rate', 'Steuersatz'),
			belegtext: heading('Text', 'Text'),
			onlyColumn: text({
				displayName: 'Only Rows Where: Heading',
				description:
					'The heading of a column by which rows are left out (onlyColumn, Nur Zeilen mit: Überschrift), such as Zahlungsart',
				placeholder: 'e.g. Zahlungsart',
				max: 100,
			}),
			onlyValue: text({
				displayName: 'Only Rows Where: Value',
				description:
					'What the cell in that column says (onlyValue, Nur Zeilen mit: Wert); rows that say something else are left out, and named',
				placeholder: 'e.g. Bar',
				max: 100,
			}),
			sheet: text({
				displayName: 'Sheet',
				description:
					'Name of the sheet to read (sheet, Tabellenblatt); when empty, the one that the file opens on',
				placeholder: 'e.g. November',
				max: 100,
			}),
			year: text({
				displayName: 'Year',
				description: 'Completes days without a year (year, Jahr), as DATEV writes them: 2011 is 20 November',
				placeholder: 'e.g. 2026',
				pattern: /^20\d\d$/,
				rule: both('must be a year like 2026', 'muss ein Jahr wie 2026 sein'),
			}),
		}),
	},
	example: {
		row: 5,
		summary: { en: '12.50 · Blumen · 2026-11-20', de: '12,50 · Blumen · 20.11.2026' },
		transaktionsdatum: '2026-11-20',
		bewegung: 'AUSGABE',
		betrag: 12.5,
		steuersatz: 19,
		belegtext: 'Blumen',
		gegenkonto: '4930',
		belegNummer: 'RE-4711',
		proof: { rows: 1, income: 0, expense: 12.5, cashBefore: 100, cashAfter: 87.5 },
		proved: both(
			'1 row, income 0.00, expenses 12.50, balance 100.00 → 87.50.',
			'1 Zeile, Einnahmen 0,00, Ausgaben 12,50, Bestand 100,00 → 87,50.',
		),
		warnings: [both('Skipped: 34 (Summe).', 'Übersprungen: 34 (Summe).')],
		problem: both('The day is missing.', 'Der Tag fehlt.'),
		sha256: 'cafe1d5a11c0ffee5eed0ddba11deca1cafe1d5a11c0ffee5eed0ddba11deca1',
	},
	check({ kassenbestandVorher, kassenbestandNachher, listTotal, additionalFields: fields }, addIssue) {
		for (const [name, value = 0] of Object.entries({ kassenbestandVorher, kassenbestandNachher, listTotal }))
			if (Math.abs(value * 100 - centsOf(value)) > 1e-6)
				addIssue(name, value, both('has more than two decimals', 'hat mehr als zwei Nachkommastellen'));
		const { onlyColumn, onlyValue } = fields ?? {};
		if ((onlyColumn === undefined) === (onlyValue === undefined)) return;
		const missing = onlyColumn === undefined ? 'onlyColumn' : 'onlyValue';
		addIssue(
			`additionalFields.${missing}`,
			'',
			both('is required: a heading and a value', 'ist nötig: eine Überschrift und ein Wert'),
		);
	},
	split: splitByFile,
	label: labelOfFiles,
	warnings: (records) =>
		records.flatMap(({ row, problem, warnings }) => [
			...(warnings as Bilingual[]),
			...(problem ? [inRow(row as number | null, problem as Bilingual)] : []),
		]),
	async make(values, { bytesOf, simple }) {
		const {
			datei: [file],
			additionalFields: { sheet, year, onlyColumn, onlyValue, ...own },
		} = values;
		const { sha256 = null, bytes } = file.content;
		const unread = (problem: Bilingual, ...warnings: Array<Bilingual | undefined>): IDataObject[] => [
			{ ...mapValues(read.example, () => null), warnings: compact(warnings), problem, sha256 },
		];
		const table =
			bytes > MAX_TABLE_BYTES
				? { problem: TABLE_TOO_LARGE }
				: await readTable(await bytesOf(file), file.name, sheet);
		if ('problem' in table) return unread(table.problem);
		const headings = headingsIn(table.rows, own);
		if ('problem' in headings) return unread(headings.problem, sheetsOf(table));
		const only = onlyColumn === undefined ? undefined : placeOf(headings, onlyColumn);
		if (only === -1) return unread(noColumn(onlyColumn ?? ''), sheetsOf(table));
		const isLeftOut = (cells: readonly Cell[]) => only !== undefined && !isSame(cells[only], onlyValue ?? '');
		const list = await readRows(table, headings, { year, isLeftOut });
		if ('problem' in list) return unread(list.problem, sheetsOf(table));
		const given = givenIn(values);
		if ('total' in given && !list.hasDirection) return unread(NO_DIRECTION, sheetsOf(table));
		const proven = prove(list.rows, given);
		const entries = new Set('problem' in proven ? [] : map(proven.entries, 'number'));
		const warnings = [
			names(
				SKIPPED,
				list.rows.filter((row) => !entries.has(row.number) && isNamed(row)),
			),
			names(leftOut(headings, only, onlyValue), list.leftOut.filter(isNamed)),
			columnsOf(headings, list.places),
			sheetsOf(table),
		];
		if ('problem' in proven) return unread(proven.problem, ...warnings.slice(1));
		if (entries.size === 0) return unread(NO_ROWS, ...warnings);
		return proven.entries.map((row, i) => ({
			...itemOf(row),
			...(i === 0 ? proofOf(proven) : { proof: null, proved: null }),
			warnings: i === 0 ? compact(warnings) : [],
			problem: problemOf(row),
			sha256,
			...(!simple && { cells: byHeading(headings, row.cells) }),
		}));
	},
});

/** What a person has typed, in cents. */
function givenIn({ provedBy, kassenbestandVorher = 0, kassenbestandNachher, listTotal = 0 }: Typed): Given {
	if (provedBy === 'total') return { total: centsOf(listTotal) };
	const after = kassenbestandNachher === undefined ? undefined : centsOf(kassenbestandNachher);
	return { before: centsOf(kassenbestandVorher), after };
}

interface Typed {
	provedBy: 'balances' | 'total';
	kassenbestandVorher?: number;
	kassenbestandNachher?: number;
	listTotal?: number;
}

const inRow = (row: number | null, { en, de }: Bilingual): Bilingual =>
	row === null ? { en, de } : both(`row ${row}: ${en}`, `Zeile ${row}: ${de}`);

const NO_ROWS = both(
	'No row below the headings moves cash: none has a day and an amount, or the column of balances shows that none does.',
	'Keine Zeile unter den Überschriften bewegt die Kasse: Keine hat Tag und Betrag, oder der Bestand in der Liste bleibt gleich.',
);
const NO_DIRECTION = both(
	'Nothing says whether these amounts are income or expenses: give the column’s heading as that of the Income or of the Expense (Additional Fields).',
	'Nichts sagt, ob diese Beträge Einnahmen oder Ausgaben sind: Geben Sie die Überschrift der Spalte als die der Einnahme oder der Ausgabe an (Additional Fields, Heading of Income oder Expense).',
);
const noColumn = (said: string): Bilingual =>
	both(`The list has no column "${said}".`, `Die Liste hat keine Spalte „${said}“.`);

/** Compares what a cell says with what a person has typed. */
const isSame = (cell: Cell | undefined, value: string): boolean =>
	plainLine(textIn(cell) ?? '', MAX_COMPARED).trim() === plainLine(value, MAX_COMPARED).trim();
const MAX_COMPARED = 200;

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
	const { number, day, amount = 0, rate, text, account, receipt, problems } = row;
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
