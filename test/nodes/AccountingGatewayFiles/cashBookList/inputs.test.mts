/** Lists from offices and of real programs, made after the files that they have; before → after are what a person types. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readList } from '../../../support/cashList.mjs';
import type { Listed } from '../../../support/cashList.mjs';

const read = async (name: string, own: INodeParameters): Promise<Listed[]> => {
	const { main, error } = await readList(
		await readFile(path.join(import.meta.dirname, 'lists', name)),
		own,
		name,
	);
	expect(error).toBeUndefined();
	return main[0].map(({ json }) => json as Listed);
};
const from = (before: number, after?: number, additionalFields: INodeParameters = {}): INodeParameters => ({
	kassenbestandVorher: String(before),
	...(after !== undefined && { kassenbestandNachher: String(after) }),
	additionalFields,
});
/** `2026-11-20 +119 19% Verkauf 8400 E-1` */
const said = ({ problem, ...one }: Listed) =>
	[
		one.transaktionsdatum,
		problem ? '?' : `${one.bewegung === 'EINNAHME' ? '+' : '-'}${one.betrag}`,
		`${one.steuersatz}%`,
		one.belegtext,
		one.gegenkonto,
		one.belegNummer,
	]
		.filter((part) => part !== null)
		.join(' ');

const BAR = { onlyColumn: 'Zahlungsart', onlyValue: 'Bar' };

describe('A list that is proved comes out: ', () => {
	it.each<[name: string, INodeParameters, rows: string[], warnings?: RegExp]>([
		[
			'02b-vorgang-zahlungsart.csv',
			from(200, 159.5, BAR),
			[
				'2026-11-20 +119 19% Verkauf 1001',
				'2026-11-20 -59.5 19% Papier 1002',
				'2026-11-20 -100 0% Privatentnahme 1004',
			],
			/^Left out, as Zahlungsart isn't Bar: 4 \(2026-11-20, Brot, 1003\)\./,
		],
		[
			'04-datev-kassenbuch.csv',
			from(0, 137.5, { year: '2026' }),
			['2026-11-20 +150 19% Tageslosung 8400 17', '2026-11-20 -12.5 7% Blumen 4930 18'],
		],
		[
			'05-datev-uo-kasse.csv',
			from(0, 137.5),
			['2026-11-20 +150 19% Tageslosung 8400 17', '2026-11-20 -12.5 7% Blumen 4930 18'],
		],
		['08-art-ust.csv', from(0, 59.5), ['2026-11-20 +119 19% Verkauf E-1', '2026-11-20 -59.5 19% Papier A-1']],
		[
			'15b-netto-gesamt.csv',
			from(500, 181.1, { betrag: 'Gesamt' }),
			['2026-11-20 -119 19% Papier', '2026-11-20 -21.4 7% Brot', '2026-11-20 -178.5 19% Stuhl'],
		],
		[
			'16a-oktober.csv',
			from(300, 259.5),
			[
				'2026-10-01 -8 19% Porto 4930 1',
				'2026-10-05 -12.5 19% Blumen 4930 2',
				'2026-10-09 -20 19% Papier 4930 3',
			],
		],
		[
			'16b-november.csv',
			from(259.5, 88.6),
			[
				'2026-11-02 -7.9 19% Putzmittel 4930 1',
				'2026-11-03 -15 19% Kaffee 4930 2',
				'2026-11-09 -99 19% Stuhl 4930 3',
				'2026-11-10 -49 19% Lampe 4930 4',
			],
		],
		[
			'19-signed.csv',
			from(0, 59.5),
			['2026-11-20 +119 19% Verkauf 8400', '2026-11-20 -59.5 19% Papier 4930'],
		],
		[
			'kassenbuch-monatsblaetter.xlsx',
			from(100, 191),
			['2026-11-05 +119 19% Verkauf 1', '2026-11-06 -13.5 7% Blumen 2', '2026-11-07 -14.5 7% Blumen 3'],
			/Skipped.*: 4 \(2026-11-01, Vortrag\), 8 .* The sheet "November" is read; not read: September, Oktober\.$/,
		],
		['kassenliste-datetime-cell.xlsx', from(100, 87.5), ['2026-11-20T14:05:00 -12.5 19% Blumen']],
		['kassenliste-line-break.csv', from(100, 87.5), ['2026-11-20 -12.5 19% Blumen\nfür den Laden']],
		['kassenliste-line-break.xlsx', from(100, 87.5), ['2026-11-20 -12.5 19% Blumen\nfür den Laden']],
		['kassenliste-same-as-ods.xlsx', from(100, 81), ['2026-11-20 -19 0% Briefmarken 4910']],
		['kassenliste.ods', from(100, 81), ['2026-11-20 -19 0% Briefmarken 4910']],
		['kassenliste-sep.csv', from(100, 87.5), ['2026-11-20 -12.5 19% Blumen']],
		[
			'kassenliste-title-above.xlsx',
			from(100, 112.5),
			['2026-11-20 -12.5 19% Blumen', '2026-11-21 +25 7% Strauß'],
		],
		['kassenliste-utf8-without-bom.csv', from(100, 87.5), ['2026-11-20 -12.5 19% Brötchen']],
		[
			'kassenliste-empty-rows.csv',
			from(100, 87.5),
			['2026-11-20 -12.5 19% Blumen'],
			/Skipped.*: 3 \(falsch\), 34 \(Summe\)\./,
		],
		// Of xlsxwriter: in English, with results of formulas, one of which failed.
		[
			'xlsxwriter.xlsx',
			from(0, 7.2),
			['2026-11-20 +10.7 10.5% Bread 0815', '2026-11-21 ? 19% #DIV/0!'],
			/^Skipped.*: 5 \(|^Skipped.*: 5\./,
		],
	])('%s', async (name, own, rows, warnings = /^(?:Columns that aren't read: .*)?$/) => {
		const listed = await read(name, own);
		expect(listed.map(said)).toEqual(rows);
		expect(listed[0].warnings.map(({ en }) => en).join(' ')).toMatch(warnings);
	});
});

describe('A list that isn’t proved doesn’t: ', () => {
	it.each<[name: string, INodeParameters, problem: RegExp]>([
		[
			'02b-vorgang-zahlungsart.csv',
			from(0, -40.5, BAR),
			/^Am Ende des 20\.11\.2026 wären −40,50 in der Kasse/,
		],
		[
			'02b-vorgang-zahlungsart.csv',
			from(200, 159.5),
			/^Die Zeilen ergeben 180,90, gezählt sind 159,50: Differenz 21,40\. Nur Zeile 4 \(20\.11\.2026, Brot, 1003\) hat diesen Betrag\.$/,
		],
		['04-datev-kassenbuch.csv', from(0, 137.5), /hat kein Jahr/],
		[
			'15b-netto-gesamt.csv',
			from(500, 181.1),
			/^Die Zeilen ergeben 230,00, gezählt sind 181,10: Differenz 48,90\.$/,
		],
		['kassenbuch-monatsblaetter.xlsx', from(100), /^Keine Zeile unter den Überschriften bewegt die Kasse/],
		// Of Python's openpyxl, which leaves the results of formulas to Excel.
		[
			'openpyxl.xlsx',
			from(100),
			/^Zeile 5 \(20\.11\.2026, Verkauf & Strauß, 1\): Bestand „“ hat in der Datei kein Ergebnis\.$/,
		],
		[
			'kassenliste-csv-as.xls',
			from(0, 112.5),
			/^Die Datei lässt sich nicht lesen. Das geht nur mit \.xlsx, \.ods und Text/,
		],
		[
			'kassenliste-html-as.xls',
			from(0, 1228.9),
			/^Die Datei lässt sich nicht lesen. Das geht nur mit \.xlsx, \.ods und Text/,
		],
	])('%s, %o', async (name, own, problem) => {
		const listed = await read(name, own);
		expect(listed).toMatchObject([{ row: null, betrag: null, proof: null }]);
		expect(listed[0].problem?.de).toMatch(problem);
	});
});
