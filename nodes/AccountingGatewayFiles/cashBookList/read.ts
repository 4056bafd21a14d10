import type { IDataObject } from 'n8n-workflow';
import { fromPairs, map, mapValues } from 'lodash';

import { defineLocal } from '../../shared/operation';
import { additionalFields, files, splitByFile, text } from '../../shared/parameters';
import { CellError, MAX_TABLE_BYTES, TABLE_TOO_LARGE, readTable } from '../formats/table';
import type { Cell, Table } from '../formats/table';
import { Turn, both, listed } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { labelOfFiles } from '../labelOfFiles';
import { entriesIn } from './entries';
import type { Found, Skipped } from './entries';
import { headingName, headingsIn } from './headings';
import type { Headings } from './headings';
import { DOUBLED } from './rowProblems';
import { taxAmountsIn } from './taxAmounts';

const heading = (column: string, german: string) =>
	text({
		displayName: `Heading of ${column}`,
		description: `The heading of the column in the list (${german}), if it is another one than those that the node knows`,
		placeholder: `e.g. ${german}`,
		max: 100,
	});

/** Reads the file and sends nothing. */
export const read = defineLocal({
	value: 'read',
	name: 'Read (Kassenliste)',
	action: 'Read cash book list',
	description:
		'Read a list of cash income and expenses (Kassenliste, Kassenbuch) from an Excel, OpenDocument or CSV file: one item for each row, ready for "Cash Book Entry: Create". Finds the headings below a title, skips sums and empty rows. Sends nothing and needs no credential.',
	parameters: {
		datei: files({
			displayName: 'Input Data Field Name',
			description:
				'The list (datei, Datei): .xlsx, .xls, .ods, CSV, text with tabs, or a web page with a table',
			ending: '.xlsx',
			required: true,
			mayBeEmpty: true,
			untaken: both('not read', 'Nicht gelesen'),
		}),
		additionalFields: additionalFields({
			gegenkonto: heading('Account', 'Konto'),
			betrag: heading('Amount', 'Betrag'),
			transaktionsdatum: heading('Date', 'Datum'),
			ausgabe: heading('Expense', 'Ausgabe'),
			einnahme: heading('Income', 'Einnahme'),
			bewegung: heading('Movement', 'Vorgang'),
			belegNummer: heading('Receipt No.', 'Beleg-Nr.'),
			steuersatz: heading('Tax Rate', 'Steuersatz'),
			belegtext: heading('Text', 'Text'),
			belegnummer: heading('Transaction No.', 'Belegnummer'),
			sheet: text({
				displayName: 'Sheet',
				description: 'Name of the sheet to read (Tabellenblatt); when empty, the first one that is shown',
				placeholder: 'e.g. November',
				max: 100,
			}),
		}),
	},
	example: {
		row: 5,
		summary: { en: '12,50 · Blumen · 20.11.2026', de: '12,50 · Blumen · 20.11.2026' },
		transaktionsdatum: '2026-11-20',
		bewegung: 'AUSGABE',
		betrag: '12,50',
		steuersatz: '19',
		belegtext: 'Blumen',
		gegenkonto: '4930',
		belegnummer: 'L-2026-0001',
		belegNummer: 'RE-4711',
		warnings: [
			{
				en: 'Skipped: 1 row without an amount, or with a sum: 34 (Summe).',
				de: 'Übersprungen: 1 Zeile ohne Betrag oder mit einer Summe: 34 (Summe).',
			},
		],
		problem: DOUBLED,
		sha256: 'cafe1d5a11c0ffee5eed0ddba11deca1cafe1d5a11c0ffee5eed0ddba11deca1',
	},
	split: splitByFile,
	label: labelOfFiles,
	warnings: (records) =>
		records.flatMap(({ row, problem, warnings }) => [
			...(warnings as Bilingual[]),
			...(problem ? [inRow(row as number | null, problem as Bilingual)] : []),
		]),
	async make({ datei: [file], additionalFields: { sheet, ...own } }, { bytesOf, simple }) {
		const { sha256 = null, bytes } = file.content;
		const table =
			bytes > MAX_TABLE_BYTES ? { problem: TABLE_TOO_LARGE } : await readTable(await bytesOf(file), sheet);
		if ('problem' in table) return [unread(table.problem, sha256)];
		const headings = headingsIn(table.rows, own);
		if ('problem' in headings) return [unread(headings.problem, sha256)];
		const { entries, skipped } = await entriesIn(table, headings, own, new Turn());
		const hidden = entries.filter(({ isHidden }) => isHidden);
		const warnings = [
			notEntries(skipped),
			unseen(hidden),
			unseenColumns(table, headings),
			notRead(headings),
			otherSheets(table),
		].filter((one) => one !== undefined);
		const problem = entries.length === 0 ? NO_ROWS : taxAmountsIn(map(entries, 'entry'), headings);
		if (problem) return [{ ...unread(problem, sha256), warnings }];
		return entries.map(({ entry: { problem, ...entry }, cells }, i) => ({
			...entry,
			warnings: i === 0 ? warnings : [],
			problem,
			sha256,
			...(!simple && { cells: byHeading(headings, cells) }),
		}));
	},
});

const inRow = (row: number | null, { en, de }: Bilingual): Bilingual =>
	row === null ? { en, de } : both(`row ${row}: ${en}`, `Zeile ${row}: ${de}`);

const NO_ROWS: Bilingual = {
	en: 'There is no row with an amount below the headings.',
	de: 'Unter den Überschriften steht keine Zeile mit einem Betrag.',
};

/** The record for a file that can't be read: nothing to book, and the reason. */
const unread = (problem: Bilingual, sha256: string | null): IDataObject => ({
	...mapValues(read.example, () => null),
	warnings: [],
	problem,
	sha256,
});

/** `9 (Anfangsbestand)`, `12–31`, `34 (Summe)` */
function rangesOf(skipped: Skipped[]): string[] {
	const ranges: Array<{ first: Skipped; last: number }> = [];
	for (const one of skipped) {
		const before = ranges.at(-1);
		if (before && before.last === one.row - 1) before.last = one.row;
		else ranges.push({ first: one, last: one.row });
	}
	return ranges.map(({ first: { row, text }, last }) =>
		row === last ? `${row}${text && ` (${text})`}` : `${row}–${last}`,
	);
}

function notEntries(skipped: Skipped[]): Bilingual | undefined {
	const { length } = skipped;
	if (length === 0) return undefined;
	const ranges = rangesOf(skipped);
	return {
		en: `Skipped: ${length} ${length === 1 ? 'row' : 'rows'} without an amount, or with a sum: ${listed(ranges)}.`,
		de: `Übersprungen: ${length} ${length === 1 ? 'Zeile' : 'Zeilen'} ohne Betrag oder mit einer Summe: ${listed(ranges, 'de')}.`,
	};
}

/** Names rows that are read, though a person who opens the file doesn't see them. */
function unseen(hidden: Found[]): Bilingual | undefined {
	const { length } = hidden;
	if (length === 0) return undefined;
	const ranges = rangesOf(hidden.map(({ entry: { row } }) => ({ row, text: '' })));
	return {
		en: `Hidden or filtered out in the file, but read: ${length} ${length === 1 ? 'row' : 'rows'}: ${listed(ranges)}.`,
		de: `In der Datei ausgeblendet oder herausgefiltert, aber gelesen: ${length} ${length === 1 ? 'Zeile' : 'Zeilen'}: ${listed(ranges, 'de')}.`,
	};
}

/** Names what is read from columns that a person who opens the file doesn't see. */
function unseenColumns({ hiddenColumns }: Table, { row, places }: Headings): Bilingual | undefined {
	const names = Object.values(places).flatMap((place) =>
		place !== undefined && hiddenColumns?.has(place) ? [headingName(row.cells[place])] : [],
	);
	if (names.length === 0) return undefined;
	return {
		en: `Columns that are hidden in the file, but read: ${listed(names)}.`,
		de: `In der Datei ausgeblendete, aber gelesene Spalten: ${listed(names, 'de')}.`,
	};
}

/** Names the columns of which nothing is read, because one of them may only be called otherwise. */
function notRead({ row: { cells }, places }: Headings): Bilingual | undefined {
	const read = Object.values(places);
	const names = cells.flatMap((cell, i) =>
		read.includes(i) || headingName(cell) === '' ? [] : [headingName(cell)],
	);
	if (names.length === 0) return undefined;
	return {
		en: `Columns that aren't read: ${listed(names)}.`,
		de: `Nicht gelesene Spalten: ${listed(names, 'de')}.`,
	};
}

function otherSheets({ otherSheets: names }: Table): Bilingual | undefined {
	if (names.length === 0) return undefined;
	return {
		en: `Sheets that aren't read: ${listed(names)}.`,
		de: `Nicht gelesene Tabellenblätter: ${listed(names, 'de')}.`,
	};
}

/** All cells of a row by their headings, for columns that have no field. */
const byHeading = ({ row: { cells: headings } }: Headings, cells: readonly Cell[]): IDataObject =>
	fromPairs(
		headings.flatMap((heading, i) => {
			const cell = cells[i] ?? '';
			return headingName(heading) === ''
				? []
				: [[headingName(heading), cell instanceof CellError ? cell.text : cell]];
		}),
	);
