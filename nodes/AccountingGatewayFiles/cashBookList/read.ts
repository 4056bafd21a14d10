import { mapValues } from 'lodash';

import { defineLocal } from '../../shared/operation';
import {
	additionalFields,
	amount,
	choice,
	files,
	needing,
	shownFor,
	splitByFile,
	text,
} from '../../shared/parameters';
import { both, centsOf } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { labelOfFiles } from '../labelOfFiles';

const heading = (column: string, german: string) =>
	text({
		displayName: `Heading of ${column}`,
		description: `The heading of the column in the list (${german}), if it is another one than those that the node knows`,
		placeholder: `e.g. ${german}`,
		max: 100,
	});

const balance = { max: 1e9, mayBeZero: true, decisive: true } as const;

const EXAMPLE = {
	row: 5,
	summary: { en: '12.50 · Blumen · 2026-11-20', de: '12,50 · Blumen · 20.11.2026' },
	transaktionsdatum: '2026-11-20',
	bewegung: 'AUSGABE',
	betrag: 12.5,
	steuersatz: 19,
	belegtext: 'Blumen',
	gegenkonto: '4930',
	belegNummer: 'RE-4711',
	kassenname: 'Hauptkasse',
	proof: { rows: 1, income: 0, expense: 12.5, cashBefore: 100, cashAfter: 87.5 },
	proved: both(
		'1 row, income 0.00, expenses 12.50, balance 100.00 → 87.50.',
		'1 Zeile, Einnahmen 0,00, Ausgaben 12,50, Bestand 100,00 → 87,50.',
	),
	warnings: [both('Skipped: 34 (Summe).', 'Übersprungen: 34 (Summe).')],
	problem: both('The day is missing.', 'Der Tag fehlt.'),
	sha256: 'cafe1d5a11c0ffee5eed0ddba11deca1cafe1d5a11c0ffee5eed0ddba11deca1',
};

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
			kassenbestand: needing({ '/provedBy': { values: ['balances'] } }, heading('Balance', 'Bestand')),
			kassenname: text({
				displayName: 'Cash Book',
				description:
					'Name of the cash book that the rows go into (kassenname, Kassenbuch). A list whose column Kassenbuch or Kasse names another one is refused.',
				placeholder: 'e.g. Hauptkasse',
				builderHint:
					'The name of the cash book as the node that books the rows has it. Never invent one; leave it empty if unknown.',
				max: 100,
			}),
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
	example: EXAMPLE,
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
		// What reads is loaded when it is used: n8n loads each node at its start.
		const { readList } = await import('./readList.js');
		return await readList(values, { bytesOf, simple, empty: mapValues(EXAMPLE, () => null) });
	},
});

const inRow = (row: number | null, { en, de }: Bilingual): Bilingual =>
	row === null ? { en, de } : both(`row ${row}: ${en}`, `Zeile ${row}: ${de}`);
