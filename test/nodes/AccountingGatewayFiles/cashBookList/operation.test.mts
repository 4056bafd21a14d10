/** Lists of cash income and expenses, as offices export them: what comes out for each row, and what the cash book gets of it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayFiles } from '../../../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { readTable } from '../../../../nodes/AccountingGatewayFiles/formats/table/index.js';
import type { Bilingual } from '../../../../nodes/shared/values/index.js';
import { zip } from '../../../support/cashExport.mjs';
import { runNode } from '../../../../tools/harness.mjs';
import { bookingOfList, readList } from '../../../support/cashList.mjs';
import {
	compound,
	dated,
	excel2003,
	htmlRow,
	ods,
	odsRow,
	row2003,
	sheetXml,
	xls,
	xlsOf,
	xlsx,
} from '../../../support/spreadsheets.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayFiles();
const delivery = new AccountingGatewayDelivery();

interface Listed extends IDataObject {
	row: number | null;
	transaktionsdatum: string | null;
	bewegung: string | null;
	betrag: string | number | null;
	steuersatz: string | number | null;
	belegtext: string | null;
	warnings: Bilingual[];
	problem: Bilingual | null;
}

const HEAD = 'Datum;Vorgang;Text;Betrag;Steuersatz;Konto;Belegnummer';
const HEADINGS = HEAD.split(';');

async function read(
	content: Buffer | string,
	fileName = 'Liste',
	own: INodeParameters = {},
): Promise<Listed[]> {
	const { main, error } = await readList(content, fileName, own);
	expect(error).toBeUndefined();
	return (main[0] ?? []).map(({ json }) => json as Listed);
}
const sample = async (name: string) => await readFile(path.join(import.meta.dirname, 'lists', name));
const readSample = async (name: string, own?: INodeParameters) => await read(await sample(name), name, own);
/** What the cash book gets of a row; nothing of a sentence. */
const rowOf = ({ row, transaktionsdatum, bewegung, betrag, steuersatz, belegtext }: Listed) =>
	[row, transaktionsdatum, bewegung, betrag, steuersatz, belegtext].join(' | ');
const problemOf = ([{ problem }]: Listed[]) => problem?.en;
const page = (...rows: string[]) => `<table>${htmlRow(HEADINGS)}${rows.join('')}</table>`;

/** Books what came out, as the example does. */
async function book(content: Buffer, timezone = 'Europe/Berlin'): Promise<IDataObject[]> {
	const items = (await read(content)).map((json) => ({ json }));
	const { main, error } = await gateway.run(delivery, bookingOfList(gateway.connectionId('duo')), {
		items,
		workflowSettings: { timezone },
	});
	expect(error).toBeUndefined();
	return (main[0] ?? []).map(({ json }) => json);
}

describe('A list from an office', () => {
	const SAMPLES: Record<string, [rows: string[], warnings?: RegExp]> = {
		'kassenliste-html-as.xls': [
			[
				'2 | 20.11.2026 | Einnahme | 1.250,40 | 7 | Backwaren außer Haus',
				'3 | 20.11.2026 | Ausgabe | 19,00 | 0 | Briefmarken',
				'4 | 21.11.2026 | Ausgabe | 2,50 | 19 | Parkgebühr',
			],
		],
		'kassenliste-csv-as.xls': [
			['2 | 20.11.2026 | Ausgabe | 12,50 | 19 | Blumen', '3 | 21.11.2026 | Einnahme | 125,00 | 7 | Torte'],
		],
		'kassenliste-datetime-cell.xlsx': [['2 | 2026-11-20T14:05:00 | Ausgabe | 12.5 | 19 | Blumen']],
		'kassenliste-title-above.xlsx': [
			['5 | 2026-11-20 | Ausgabe | 12.5 | 19 | Blumen', '6 | 2026-11-21 | Einnahme | 25 | 7 | Strauß'],
		],
		'kassenliste-empty-rows.csv': [
			['2 | 20.11.2026 | Ausgabe | 12,50 | 19 | Blumen', '3 | x | Ausgabe | 12,50 | 19 | falsch'],
			/^Skipped: 1 row without an amount, or with a sum: 34 \(Summe\)\.$/,
		],
		'kassenliste-sep.csv': [['2 | 20.11.2026 | Ausgabe | 12,50 | 19 | Blumen']],
		'kassenliste-utf8-without-bom.csv': [['2 | 20.11.2026 | Ausgabe | 12,50 | 19 | Brötchen']],
		'kassenliste.ods': [['2 | 2026-11-20 | Ausgabe | 19 | 0 | Briefmarken']],
		'kassenliste-same-as-ods.xlsx': [['2 | 2026-11-20 | Ausgabe | 19 | 0 | Briefmarken']],
		// Of Python's openpyxl: the date system of 1904, percent cells, a formula without its result, sheets behind it.
		'openpyxl.xlsx': [
			[
				'5 | 2026-11-20 | EINNAHME | 1250.4 | 7 % | Verkauf & Strauß',
				'6 | 2026-11-20T14:05:00 | AUSGABE | 12.5 | 19 % | Blumen\nfür den Laden',
				'7 | 2026-11-21 |  |  | 19 % | Formel',
			],
			/^Skipped: 2 rows .*: 4 \(Anfangsbestand\), 8 \(Summe\)\. Columns that aren't read: Bestand\. Sheets that aren't read: Dezember\.$/,
		],
		// Of Excel 97 to 2003, as SheetJS writes it.
		'biff8-shared.xls': [
			[
				'4 | 2026-11-20 | Einnahme | 1250.4 | 7 % | Verkauf & Strauß',
				'5 | 2026-11-20T14:05:00 | Ausgabe | 19,00 | 19 | Blumen\nfür den Laden',
				'6 | 2026-11-21 | Ausgabe | -2 | 0 | Porto 日本',
			],
			/^Skipped: 1 row .*: 7 \(Summe\)\. Sheets that aren't read: Zweites\.$/,
		],
		// The XML of Excel 2003, as SheetJS writes it.
		'spreadsheetml.xls': [
			[
				'4 | 2026-11-20 | Einnahme | 1250.4 | 7 % | Verkauf & Strauß',
				'5 | 2026-11-20T14:05:00 | Ausgabe | 19,00 | 19 | Blumen\nfür den Laden',
				'6 | 2026-11-21 | Ausgabe | -2 | 0 | Porto 日本',
			],
			/^Skipped: 1 row .*: 7 \(Summe\)\. Sheets that aren't read: Zweites\.$/,
		],
		// Of xlsxwriter: in English, with results of formulas, one of which failed.
		'xlsxwriter.xlsx': [
			['3 | 2026-11-20 | Income | 10.7 | 10.5 % | Bread', '4 | 2026-11-21 |  |  | 19 | #DIV/0!'],
			/^Skipped: 1 row .*: 5\.$/,
		],
	};
	it.each(Object.entries(SAMPLES))('%s', async (name, [rows, warnings = /^$/]) => {
		const content = await sample(name);
		const listed = await readSample(name);
		expect(listed.map(rowOf)).toEqual(rows);
		expect(listed[0].warnings.map(({ en }) => en).join(' ')).toMatch(warnings);
		expect(new Set(listed.map(({ sha256 }) => sha256))).toEqual(
			new Set([createHash('sha256').update(content).digest('hex')]),
		);
	});

	it('may have its rows on another sheet, and columns that only its office knows', async () => {
		const december = await readSample('openpyxl.xlsx', { additionalFields: { sheet: ' dezember' } });
		expect(december.map(rowOf)).toEqual(['2 | 2026-12-01 | Einnahme | 30 | 7 | Kranz']);
		expect(problemOf(await readSample('openpyxl.xlsx', { additionalFields: { sheet: 'Mai' } }))).toBe(
			'The file has no sheet "Mai". It has: November, Dezember.',
		);
		const content = 'Wann;Vorgang;Wofür;Betrag;Steuersatz;Filiale\n20.11.2026;Ausgabe;Blumen;12,50;19;Süd';
		const [row] = await read(content, 'a.csv', {
			simple: false,
			additionalFields: { transaktionsdatum: 'wann', belegtext: 'Wofür' },
		});
		expect(row).toMatchObject({
			transaktionsdatum: '20.11.2026',
			belegtext: 'Blumen',
			cells: { Filiale: 'Süd' },
		});
	});

	const row = '20.11.2026;Ausgabe;Brötchen – 5 €;12,50;19;;';
	const windows1252 = (text: string) =>
		Buffer.from(text.replaceAll('–', '\x96').replaceAll('€', '\x80'), 'latin1');
	it.each<[string, Buffer]>([
		['UTF-8', Buffer.from(`${HEAD}\n${row}`)],
		['UTF-8 with a byte order mark', Buffer.from(`\ufeff${HEAD}\r\n${row}\r\n`)],
		['Windows-1252', windows1252(`${HEAD}\r\n${row}`)],
		['UTF-16, little-endian', Buffer.from(`\ufeff${HEAD}\r\n${row}`, 'utf16le')],
		['UTF-16, big-endian', Buffer.from(`\ufeff${HEAD}\r\n${row}`, 'utf16le').swap16()],
		['tabs', Buffer.from(`${HEAD}\n${row}`.replaceAll(';', '\t'))],
		['sep=| in quotes', Buffer.from(`"sep=|"\r${HEAD}\r${row}`.replaceAll(';', '|'))],
		['sep=#', Buffer.from(`sep=#\r\n${HEAD}\r\n${row}`.replaceAll(';', '#'))],
		['sep=^', Buffer.from(`sep=^\r\n${HEAD}\r\n${row}`.replaceAll(';', '^'))],
		['sep=]', Buffer.from(`sep=]\r\n${HEAD}\r\n${row}`.replaceAll(';', ']'))],
		['sep=\\', Buffer.from(`sep=\\\r\n${HEAD}\r\n${row}`.replaceAll(';', '\\'))],
		['commas', Buffer.from(`${HEAD}\n${row.replace('12,50', '"12,50"')}`.replaceAll(';', ','))],
		// A decimal comma in the row, too: each character is there twelve times.
		['as many commas as semicolons', Buffer.from(`Kasse${',x'.repeat(11)}\n${HEAD}\n${row}`)],
		['a title with commas above', Buffer.from(`Kasse, Laden, November, 2026, alles\n\n${HEAD}\n${row}`)],
		[
			'texts that Excel should not read as numbers',
			Buffer.from(`${HEAD}\n${row.replace('12,50', '"=""12,50"""')}`),
		],
		[
			'HTML of another kind',
			Buffer.from(
				`<!-- <table> --><meta charset=utf-8><TABLE><tr><th colspan=7>K&auml;sse</th>${htmlRow(HEADINGS)}${htmlRow(
					row.split(';').map((cell) => `\n <b>${cell}</b>&nbsp;`),
				).replaceAll('<td>', "<td style='a>b'>")}</TABLE>`
					.replaceAll('€', '&euro;')
					.replaceAll('–', '&#8211;')
					.replaceAll('ö', '&ouml;'),
			),
		],
	])('is the same in %s', async (_, content) => {
		const [{ transaktionsdatum, bewegung, betrag, belegtext }, ...others] = await read(content, 'Liste.xls');
		expect([transaktionsdatum, bewegung, betrag, belegtext, others.length]).toEqual([
			'20.11.2026',
			'Ausgabe',
			'12,50',
			'Brötchen – 5 €',
			0,
		]);
	});
});

it('A page’s text is what a browser shows, whatever its entities are called', async () => {
	const text = '&valueOf;&toString; &nbsp; &amp;lt; &Ouml;&#x41;&#0; &shy';
	const [{ belegtext }] = await read(
		page(htmlRow(['20.11.2026', 'Ausgabe', text, '12,50', '19'])),
		'Liste.xls',
	);
	expect(belegtext).toBe('&valueOf;&toString;   &lt; ÖA&#0; &shy');
});

describe('What is booked', () => {
	it.each(['UTC', 'Asia/Tokyo', 'America/New_York', 'Europe/Berlin'])(
		'is the cell’s day at noon, or its time, with process and workflow in %s',
		async (zone) => {
			vi.stubEnv('TZ', zone);
			// The .ods and the .xlsx are the same list.
			for (const name of [
				'kassenliste.ods',
				'kassenliste-same-as-ods.xlsx',
				'kassenliste-datetime-cell.xlsx',
			])
				await book(await sample(name), zone);
			const entries = await gateway.list<{ fields: { transaktionsdatum: string } }>('entries');
			expect(entries.map(({ fields }) => fields.transaktionsdatum.slice(0, 16))).toEqual([
				'2026-11-20T12:00',
				'2026-11-20T14:05',
			]);
		},
	);

	it('is the same entry from CSV and Excel, also with a line break in a cell', async () => {
		await book(await sample('kassenliste-line-break.xlsx'));
		expect(await book(await sample('kassenliste-line-break.csv'))).toMatchObject([{ alreadyExisted: true }]);
		expect(await gateway.list('entries')).toMatchObject([
			{ fields: { belegtext: 'Blumen für den Laden', betrag: 12.5 } },
		]);
	});

	it('has the exact amounts, accounts and numbers of typed cells', async () => {
		const strings =
			'<si><r><t>Tor</t></r><r><t xml:space="preserve">te </t></r><rPh sb="0"><t>x</t></rPh></si>';
		const cells = (betrag: string) => [
			dated(46346),
			'Ausgabe',
			{ xml: '<c t="s"><v>0</v></c>' },
			{ xml: `<c><v>${betrag}</v></c>` },
		];
		const content = xlsx(
			{
				1: HEADINGS,
				2: [...cells('1250.4'), { xml: '<c s="2"><v>7.0000000000000007E-2</v></c>' }, 8300, 'L-1'],
				3: [...cells('0.30000000000000004'), 19, '0815', 4711],
			},
			{ strings },
		);
		await book(content);
		const entries = await gateway.list<{ fields: IDataObject }>('entries');
		expect(entries.map(({ fields }) => fields)).toMatchObject([
			{ belegtext: 'Torte', betrag: 1250.4, steuersatz: 7, gegenkonto: '8300', belegnummer: 'L-1' },
			{ betrag: 0.3, steuersatz: 19, gegenkonto: '0815', belegnummer: '4711' },
		]);
	});
});

describe('A row', () => {
	const of = async (...rows: string[]) => await read([HEAD, ...rows].join('\n'));

	it('of the 1904 date system is the day that it shows, also where its cell is no date cell', async () => {
		const cells = ['Ausgabe', 'Blumen', 12.5, 19];
		const rows = { 1: HEADINGS, 2: [dated(44884), ...cells], 3: [44884.5, ...cells] };
		// Both are "true" of XML Schema; the other one is Excel's own date system.
		const daysIn = async (date1904: string) =>
			(await read(xlsx(rows, { date1904 }))).map(({ transaktionsdatum }) => transaktionsdatum);
		expect(await daysIn('1')).toEqual(['2026-11-20', '2026-11-20T12:00:00']);
		expect(await daysIn('true')).toEqual(['2026-11-20', '2026-11-20T12:00:00']);
		expect(await daysIn('0')).toEqual(['2022-11-19', '2022-11-19T12:00:00']);
		const before =
			'<table:calculation-settings><table:null-date table:date-value="1904-01-01"/></table:calculation-settings>';
		const number = { xml: '<table:table-cell office:value-type="float" office:value="44884"/>' };
		const content = odsRow(HEADINGS) + odsRow([number, 'Ausgabe', 'Blumen', '12,50', '19']);
		expect(await read(ods(content, { before }))).toMatchObject([
			{ transaktionsdatum: '2026-11-20', betrag: '12,50' },
		]);
	});

	it('of Excel’s XML may leave out rows and cells, and have a comment', async () => {
		const cell = (text: string, more = '', after = '') =>
			`<Cell${more}><Data ss:Type="String">${text}</Data>${after}</Cell>`;
		const date = '<Cell><Data ss:Type="DateTime">2026-11-20T00:00:00.000</Data></Cell>';
		const note = '<Comment><ss:Data>Notiz</ss:Data></Comment>';
		const content = `<?xml version="1.0" encoding="ISO-8859-1"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Kasse"><Table>
			<Row>${cell('Kasse', ' ss:MergeAcross="1"')}${cell('rechts')}</Row>
			<Row ss:Index="4">${HEADINGS.map((name) => cell(name)).join('')}</Row>
			<Row>${date}${cell('Ausgabe')}${cell('Töpfe', '', note)}${cell('12,50')}${cell('19')}${cell('L-1', ' ss:Index="7"')}</Row>
			<Row>${date}${cell('Ausgabe')}${cell('x')}<Cell ss:Formula="=1"/>${cell('19')}</Row></Table></Worksheet></Workbook>`;
		const listed = await read(Buffer.from(content, 'latin1'), 'Liste.xls');
		expect(listed.map(rowOf)).toEqual([
			'5 | 2026-11-20 | Ausgabe | 12,50 | 19 | Töpfe',
			'6 | 2026-11-20 |  |  | 19 | x',
		]);
		expect(listed[0]).toMatchObject({ belegnummer: 'L-1', gegenkonto: null });
		expect(listed[1].problem?.en).toContain('formula without a result');
	});

	it('keeps its columns beside cells over several rows or columns', async () => {
		const rows = page(
			'<tr><td rowspan=2>20.11.2026<td rowspan=2>Ausgabe<td>Blumen<td>1,00<td>19',
			'<tr><td>Porto<td>2,00<td>0<tr><td>21.11.2026<td>Ausgabe<td colspan=1>Tee<td>3,00<td>7',
		);
		expect((await read(rows, 'Liste.xls')).map(rowOf)).toEqual([
			'2 | 20.11.2026 | Ausgabe | 1,00 | 19 | Blumen',
			'3 |  |  | 2,00 | 0 | Porto',
			'4 | 21.11.2026 | Ausgabe | 3,00 | 7 | Tee',
		]);
		const merged = row2003(HEADINGS).replace('<Cell', '<Cell ss:MergeAcross="1"');
		const below = row2003(['20.11.2026', '', 'Ausgabe', 'Blumen', '1,00', '19']);
		expect((await read(excel2003(merged + below), 'Liste.xls')).map(rowOf)).toEqual([
			'2 | 20.11.2026 | Ausgabe | 1,00 | 19 | Blumen',
		]);
	});

	it('has the amounts that Excel 97 stores in four bytes: whole, as hundredths, and as half of a double', async () => {
		const rk = (amount: { rk: number }) => ['20.11.2026', 'Ausgabe', 'Blumen', amount, { rk: (19 << 2) | 2 }];
		const content = xlsOf([
			HEADINGS.slice(0, 5),
			rk({ rk: (12 << 2) | 2 }),
			rk({ rk: (1250 << 2) | 3 }),
			// 12.5 is 0x4029000000000000, and 1250.5 hundredths are 12.505.
			rk({ rk: 0x40290000 }),
			rk({ rk: 0x40938a00 | 1 }),
		]);
		expect((await read(content)).map(({ betrag, steuersatz }) => [betrag, steuersatz])).toEqual([
			[12, 19],
			[12.5, 19],
			[12.5, 19],
			[12.505, 19],
		]);
	});

	it('has the text of a formula as Excel shows it, and a moment to the second', async () => {
		const text = { xml: '<c t="str"><f>A1</f><v>Blumen_x000D_\nrot_x005F_x</v></c>' };
		// 14:05:00 as a fraction of a day, which binary numbers only come close to.
		const content = xlsx({ 1: HEADINGS, 2: [dated(46346.58680555555), 'Ausgabe', text, 12.5, 19] });
		expect((await read(content)).map(rowOf)).toEqual([
			'2 | 2026-11-20T14:05:00 | Ausgabe | 12.5 | 19 | Blumen\nrot_x',
		]);
	});

	it('is named by its number in the file, whatever stands between', async () => {
		const listed = await of(
			'',
			';;;;;;',
			'20.11.2026;Ausgabe;"zwei\r\nZeilen";1,00;19;;',
			'21.11.2026;Ausgabe;x;1,00;19',
		);
		expect(listed.map(({ row }) => row)).toEqual([4, 5]);
		expect(listed[0].belegtext).toBe('zwei\nZeilen');
		const empty =
			'<table:table-row table:number-rows-repeated="1000"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>';
		const note = '<office:annotation><text:p>Notiz</text:p></office:annotation><text:p>';
		const flowers = odsRow(['20.11.2026', 'Ausgabe', 'Blumen<text:s text:c="2"/>rot', '12,50', '19']);
		const rows = (odsRow(HEADINGS) + empty + flowers).replaceAll('<text:p>', note);
		expect(await read(ods(rows + empty.replace('1000', '1047574')))).toMatchObject([
			{ row: 1002, belegtext: 'Blumen  rot', betrag: '12,50' },
		]);
	});

	it('has income or expense in a column of its own; a dash or zero is neither', async () => {
		const content = [
			'Datum;Beleg-Nr.;Vorgang;Einnahmen (EUR);Ausgaben in €;MwSt (%);Saldo',
			'20.11.2026;1;Verkauf;"1.250,40 €"; -   € ;7;1.250,40',
			'20.11.2026;2;Porto;0,00;19,00;0;1.231,40',
			'21.11.2026;3;beides;1,00;2,00;19;0',
			'21.11.2026;4;nichts;-;0;19;0',
			';;;;;;0',
			';;Summe;1.250,40;19,00;;',
		].join('\n');
		const listed = await read(content);
		expect(listed.map(rowOf)).toEqual([
			'2 | 20.11.2026 | EINNAHME | 1.250,40 € | 7 | Verkauf',
			'3 | 20.11.2026 | AUSGABE | 19,00 | 0 | Porto',
			'4 | 21.11.2026 |  |  | 19 | beides',
		]);
		expect(listed[0]).toMatchObject({ belegnummer: null, belegNummer: '1' });
		expect(listed[0].warnings.map(({ de }) => de)).toEqual([
			'Übersprungen: 2 Zeilen ohne Betrag oder mit einer Summe: 5 (nichts), 7 (Summe).',
			'Nicht gelesene Spalten: Saldo.',
		]);
		expect(listed[2].problem).toEqual({
			en: 'The row has an income and an expense: make two rows of it.',
			de: 'Die Zeile hat eine Einnahme und eine Ausgabe: Machen Sie zwei Zeilen daraus.',
		});
	});

	it.each([
		['Einnahme', 'Ausgabe'],
		['Einnahmen', 'Ausgaben'],
		['Einzahlung', 'Auszahlung'],
		['EINZAHLUNGEN', 'AUSZAHLUNGEN'],
		['Income', 'Expense'],
		['Income', 'Expenses'],
	])('brings money in by the column %s, and out by %s, whichever stands first', async (income, expense) => {
		const list = (...columns: string[]) =>
			`Datum;Text;Steuersatz;${columns.join(';')}\n20.11.2026;Torte;7;12,50;\n20.11.2026;Porto;0;;19,00`;
		const movements = async (...columns: string[]) =>
			(await read(list(...columns))).map(({ bewegung, betrag }) => [bewegung, betrag]);
		expect(await movements(income, expense)).toEqual([
			['EINNAHME', '12,50'],
			['AUSGABE', '19,00'],
		]);
		expect(await movements(expense, income)).toEqual([
			['AUSGABE', '12,50'],
			['EINNAHME', '19,00'],
		]);
	});

	describe('in another currency says so, and is refused where euros are booked:', () => {
		const amounts = async (content: Buffer | string) => (await read(content)).map(({ betrag }) => betrag);

		it('in the format of its cell', async () => {
			const codes = [
				'[$CHF-807] #,##0.00',
				'0.00 "USD"',
				'"$"0.00',
				'_-* 0.00\\ "€"_-',
				'0.00 [$EUR]',
				'[$-407]0.00',
			];
			const formats = codes.map(
				(code, i) => `<numFmt numFmtId="${170 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
			);
			const cells = codes.map((_, i) => `<xf numFmtId="${170 + i}"/>`);
			const styles = `<styleSheet><numFmts>${formats.join('')}</numFmts><cellXfs><xf/>${cells.join('')}</cellXfs></styleSheet>`;
			const amount = (_: string, i: number) => ({ xml: `<c s="${i + 1}"><v>12.5</v></c>` });
			const rows = codes.map((code, i) => ['20.11.2026', 'Ausgabe', 'x', amount(code, i), 19]);
			const content = xlsx(Object.fromEntries([HEADINGS, ...rows].map((row, i) => [i + 1, row])), {
				more: { 'xl/styles.xml': styles },
			});
			expect(await amounts(content)).toEqual(['12.5 CHF', '12.5 USD', '12.5 $', 12.5, 12.5, 12.5]);
		});

		it('in a cell of OpenDocument', async () => {
			const row = (currency: string) => {
				const amount = `<table:table-cell office:value-type="currency" office:currency="${currency}" office:value="12.5"/>`;
				return odsRow(['20.11.2026', 'Ausgabe', 'x', { xml: amount }, '19']);
			};
			const content = ods(odsRow(HEADINGS) + row('CHF') + row('EUR'));
			expect(await amounts(content)).toEqual(['12.5 CHF', 12.5]);
		});

		it('in a column of its own', async () => {
			const rows = ['12,50;CHF', '12,50 CHF;CHF', '12,50;€', '12,50 €;EUR', '12,50;Euro', '12,50;'];
			const content = ['Datum;Vorgang;Text;Steuersatz;Betrag;Währung'];
			content.push(...rows.map((row) => `20.11.2026;Ausgabe;x;19;${row}`));
			expect(await amounts(content.join('\n'))).toEqual([
				'12,50 CHF',
				'12,50 CHF',
				'12,50',
				'12,50 €',
				'12,50',
				'12,50',
			]);
		});
	});

	it('has no amount in a column for income or expense with zero, whatever stands around it', async () => {
		const zeros = ['€ 0,00', 'CHF 0.00', 'EUR -', '0,00 CHF', '-'];
		const content = zeros.map((zero) => `20.11.2026;x;${zero};12,50;19`);
		const listed = await read(['Datum;Text;Einnahme;Ausgabe;Steuersatz', ...content].join('\n'));
		expect(listed.map(({ bewegung, betrag }) => [bewegung, betrag])).toEqual(
			zeros.map(() => ['AUSGABE', '12,50']),
		);
		const noise = ['20.11.2026', 'x', 5.684e-14, 12.5, 19];
		expect(
			await read(xlsx({ 1: ['Datum', 'Text', 'Einnahme', 'Ausgabe', 'Steuersatz'], 2: noise })),
		).toMatchObject([{ bewegung: 'AUSGABE', betrag: 12.5 }]);
	});

	it('of another page or table is read by the headings above it', async () => {
		const listed = await of(
			'20.11.2026;Ausgabe;x;12,50;19;;',
			'Übertrag;;;12,50;;;',
			HEAD,
			'21.11.2026;Ausgabe;y;7,00;19;;',
			'Datum;Vorgang;Text;Steuersatz;Betrag;Konto;Belegnummer',
			'22.11.2026;Ausgabe;z;7;19,00;;',
		);
		expect(listed.map(rowOf)).toEqual([
			'2 | 20.11.2026 | Ausgabe | 12,50 | 19 | x',
			'5 | 21.11.2026 | Ausgabe | 7,00 | 19 | y',
			'7 | 22.11.2026 | Ausgabe | 19,00 | 7 | z',
		]);
		expect(listed[0].warnings[0].en).toMatch(/: 3 \(Übertrag\)\.$/);
	});

	it('that nobody sees is read, and named', async () => {
		const row = ['20.11.2026', 'Ausgabe', 'x', '12,50', '19'];
		const ofExcel = xlsx(sheetXml({ 1: HEADINGS, 2: row }).replace('<row r="2"', '<row r="2" hidden="1"'));
		const ofExcel97 = xlsOf([HEADINGS, row], [1]);
		const ofLibreOffice = ods(odsRow(HEADINGS) + odsRow(row, { row: 'table:visibility="filter"' }));
		const ofPages = ['style="display: none"', 'hidden'].map((how) => page(htmlRow(row, ` ${how}`)));
		for (const content of [ofExcel, ofExcel97, ofLibreOffice, ...ofPages]) {
			const [{ betrag, warnings }, ...others] = await read(content, 'Liste.xls');
			expect([betrag, others.length, warnings[0].de]).toEqual([
				'12,50',
				0,
				'In der Datei ausgeblendet oder herausgefiltert, aber gelesen: 1 Zeile: 2.',
			]);
		}
	});

	it('has columns that nobody sees: what is read of them is named', async () => {
		const ROW = ['20.11.2026', 'Ausgabe', 'x', '12,50', '19'];
		const col = (places: string, hidden = '1') => `<col ${places} width="9" hidden="${hidden}"/>`;
		const ofExcel = xlsx(
			sheetXml({ 1: HEADINGS, 2: ROW }).replace(
				'<sheetData>',
				`<cols>${col('min="1" max="2"', '0')}${col('min="4" max="5"')}${col('min="9" max="16384"')}</cols><sheetData>`,
			),
		);
		const column = (times: number, visibility = '') =>
			`<table:table-column table:number-columns-repeated="${times}"${visibility}/>`;
		const ofLibreOffice = ods(
			`${column(3)}${column(2, ' table:visibility="collapse"')}${column(1000, ' table:visibility="visible"')}${odsRow(HEADINGS)}${odsRow(ROW)}`,
		);
		const ofExcel97 = xlsOf([HEADINGS, ROW], [], false, [3, 4]);
		const columns = '<Column ss:Span="1"/><Column/><Column ss:Hidden="1" ss:Span="1"/><Column/>';
		const ofExcel2003 = excel2003(columns + row2003(HEADINGS) + row2003(ROW));
		const ofPage = `<table><colgroup><col span=3><col width=0 style='display:none;mso-width-alt:0'><col style="visibility: collapse"><col></colgroup>${htmlRow(HEADINGS)}${htmlRow(ROW)}</table>`;
		for (const content of [ofExcel, ofLibreOffice, ofExcel97, ofExcel2003, ofPage]) {
			const [{ betrag, warnings }] = await read(content, 'Liste.xls');
			expect([betrag, ...warnings.map(({ de }) => de)]).toEqual([
				'12,50',
				'In der Datei ausgeblendete, aber gelesene Spalten: Betrag, Steuersatz.',
			]);
		}
	});

	it('of a sheet that is hidden is none of the list', async () => {
		const sheet = (name: string, style: string, amount: string) =>
			`<table:table table:name="${name}" table:style-name="${style}">${odsRow(HEADINGS)}${odsRow(['20.11.2026', 'Ausgabe', 'x', amount, '19'])}</table:table>`;
		const style = (name: string, display: boolean) =>
			`<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${display}"/></style:style>`;
		const content = `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s"><office:automatic-styles>${style('a', false)}${style('b', true)}</office:automatic-styles><office:body><office:spreadsheet>${sheet('Alt', 'a', '99,00')}${sheet('Neu', 'b', '12,50')}</office:spreadsheet></office:body></office:document-content>`;
		const file = zip({ 'content.xml': Buffer.from(content) });
		const listed = await read(file);
		expect(listed.map(rowOf)).toEqual(['2 | 20.11.2026 | Ausgabe | 12,50 | 19 | x']);
		expect(listed[0].warnings.map(({ en }) => en).join()).not.toContain('Sheets');
		const named = await read(file, 'a.ods', { additionalFields: { sheet: 'Alt' } });
		expect(named.map(({ betrag }) => betrag)).toEqual(['99,00']);
	});

	it('of a page has what a browser shows, without its sort keys', async () => {
		const key = (text: string) => `<span style="Display: none"><span>20</span>${text}</span>`;
		const cells = [`${key('261120')}20.11.2026`, 'Ausgabe', 'x<p hidden>y', `${key('00')}12,50`, '<i>19</i>'];
		expect((await read(page(htmlRow(cells)), 'Liste.xls')).map(rowOf)).toEqual([
			'2 | 20.11.2026 | Ausgabe | 12,50 | 19 | x',
		]);
	});
});

it('A text of Excel 97 may go on in another record, in wider characters', async () => {
	const wide = (text: string) => Buffer.from(text, 'utf16le');
	const narrow = (text: string) => Buffer.from(text, 'latin1');
	const length = (text: string) => Buffer.from([text.length, 0]);
	const texts = [...HEADINGS.slice(0, 5), '20.11.2026'];
	const plain = texts.map((text) => Buffer.concat([length(text), Buffer.from([0]), narrow(text)]));
	const split = 'Brötchen – teuer';
	// With two runs of another font, of four bytes each.
	const rich = Buffer.concat([length(split), Buffer.from([8, 2, 0]), narrow('Bröt')]);
	const rest = Buffer.concat([Buffer.from([1]), wide(split.slice(4)), Buffer.alloc(8, 1)]);
	const read = await readTable(
		xls(
			8,
			Buffer.concat([...plain, rich]),
			rest,
			Buffer.concat([length('x'), Buffer.from([0]), narrow('x')]),
		),
	);
	expect(read).toMatchObject({ rows: [{ number: 1, cells: [...texts, split, 'x'] }] });
});

describe('A file that can’t be read says why, in both languages', () => {
	const other = (parts: Record<string, string>) =>
		zip(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])));
	const UNREADABLE: Record<string, [content: Buffer | string, said: RegExp]> = {
		'other headings': [
			'Konto;Soll;Haben\n1000;1;2',
			/Found: Konto, Soll, Haben\. Missing: Date, Movement, Amount, Text, Tax Rate \(or Income and Expense\)/,
		],
		'one heading missing': [
			`${HEAD.replace('Steuersatz', 'MwSt')}\n20.11.2026;Ausgabe;x;1;19`,
			/Found: Datum, .*MwSt.*Missing: Tax Rate\.$/,
		],
		'two columns for the same': [
			`${HEAD};Brutto\n20.11.2026;Ausgabe;x;1;19;;;1`,
			/Two columns can be the Amount: "Betrag" and "Brutto"/,
		],
		'an amount of tax instead of a rate': [
			'Datum;Vorgang;Text;Betrag;MwSt 19 %\n20.11.2026;Ausgabe;x;11,90;1,90',
			/Missing: Tax Rate\.$/,
		],
		nothing: ['', /headings weren't found.*Nothing was found/],
		'no rows': [HEAD, /no row with an amount/],
		'a PDF': ['%PDF-1.7', /no list/],
		'a picture': [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10]), /no list/],
		'another ZIP': [other({ 'a.txt': 'x' }), /no list/],
		'a Word file': [other({ '[Content_Types].xml': '<a/>', 'word/document.xml': '<a/>' }), /damaged/],
		'a damaged Excel file': [xlsx({ 1: HEADINGS }).subarray(0, 900), /damaged/],
		'an Excel file with a password': [
			compound('EncryptedPackage', Buffer.alloc(5000)),
			/protected by a password/,
		],
		'a sheet that ends early': [xlsx(sheetXml({ 1: HEADINGS }).slice(0, 300)), /damaged/],
		'a quotation mark that only the one of the next row closes': [
			`${HEAD}\n20.11.2026;Ausgabe;"Blumen;12,50;19;;\n21.11.2026;Ausgabe;"Porto";1,00;19;;`,
			/^In row 2,/,
		],
		'a quotation mark that is never closed': [
			`${HEAD}\n20.11.2026;Ausgabe;"Blumen;12,50;19;;\n${'x\n'.repeat(20_000)}`,
			/^In row 2,/,
		],
	};
	it.each(Object.entries(UNREADABLE))('%s', async (_, [content, said]) => {
		const [only, ...others] = await read(content);
		expect(others).toEqual([]);
		expect(only).toMatchObject({
			row: null,
			betrag: null,
			problem: { en: expect.stringMatching(said) as string },
		});
		expect(only.problem!.de).not.toBe(only.problem!.en);
	});

	it('an Excel file of 95', async () => {
		expect(problemOf(await readSample('biff5.xls'))).toMatch(/Excel 95 or older/);
	});

	it('and the other files of the run are read', async () => {
		const parameters = { resource: 'cashBookList', operation: 'read' };
		const good = `${HEAD}\n20.11.2026;Ausgabe;Blumen;12,50;19;;`;
		const files = {
			a: { fileName: 'a.xlsx', content: Buffer.from('PK') },
			b: { fileName: 'b.csv', content: Buffer.from(good) },
		};
		const { main, error, hints } = await runNode({ node, parameters, items: [{ files }] });
		expect(error).toBeUndefined();
		expect(main[0]?.map(({ json }) => json.row)).toEqual([null, 2]);
		expect(hints.map(({ message }) => message).join()).toMatch(/file a\.xlsx: The headings/);
	});
});

it('A row is summed up with its day as people write it, whether the cell holds a date or a text', async () => {
	const rows = ['2026-11-20;a;1,00;Ausgabe;19', '21.11.2026;b;1,00;Ausgabe;19'];
	const listed = await read(['Datum;Text;Betrag;Vorgang;Steuersatz', ...rows].join('\n'));
	expect(listed.map(({ summary }) => (summary as { de: string }).de)).toEqual([
		'1,00 · a · 20.11.2026',
		'1,00 · b · 21.11.2026',
	]);
});
