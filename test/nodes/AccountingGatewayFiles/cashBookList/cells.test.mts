/** What the cells of a file hold: a cell is what it shows, in whatever format it is stored. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { zip } from '../../../support/cashExport.mjs';
import { bookingOfList, readList } from '../../../support/cashList.mjs';
import type { Listed } from '../../../support/cashList.mjs';
import { dated, ods, odsRow, sheetXml, xlsx } from '../../../support/spreadsheets.mjs';
import type { Cell } from '../../../support/spreadsheets.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway({ now: new Date('2026-11-28T09:00:00Z') });

const HEADINGS = ['Datum', 'Text', 'Betrag', 'Steuersatz', 'Konto'];
const DAY = 46346;
const read = async (content: Buffer | string, own: INodeParameters, name = 'Liste'): Promise<Listed[]> => {
	const { main, error } = await readList(content, own, name);
	expect(error).toBeUndefined();
	return main[0].map(({ json }) => json as Listed);
};
const from = (before: number, after: number, additionalFields: INodeParameters = {}): INodeParameters => ({
	kassenbestandVorher: String(before),
	kassenbestandNachher: String(after),
	additionalFields,
});

describe('A cell of an Excel workbook is what it shows:', () => {
	/** A list of one row, whose cell at `place` holds a number in a format. */
	const readCell = async (place: number, value: number, format: string, after = 100.5) => {
		const cells: Cell[] = [dated(DAY), 'A', 0.5, 19, '8400'];
		cells[place] = { xml: `<c s="3"><v>${value}</v></c>` };
		return await read(xlsx({ 1: HEADINGS, 2: cells }, { formats: [format] }), from(100, after));
	};

	it.each([
		['dd.mm.yyyy', DAY + 0.5, '2026-11-20'],
		['dd.mm.yy hh:mm', DAY + 0.586805555, '2026-11-20T14:05:00'],
		['d. mmmm yyyy', DAY, '2026-11-20'],
		['[$-407]dddd, d. mmm yyyy', DAY, '2026-11-20'],
		['General', DAY, '2026-11-20'],
		['mmm yy', DAY, null],
		['hh:mm', DAY + 0.5, null],
	])('the day in the format %s', async (format, value, day) => {
		const [{ transaktionsdatum, problem }] = await readCell(0, value, format);
		expect([transaktionsdatum, problem === null]).toEqual([day, day !== null]);
	});

	it('a day without its year, which a person completes', async () => {
		const book = xlsx(
			{ 1: HEADINGS, 2: [{ xml: `<c s="3"><v>${DAY}</v></c>` }, 'A', 0.5, 19] },
			{ formats: ['dd.mm.'] },
		);
		expect((await read(book, from(0, 0.5)))[0].problem?.de).toContain('hat kein Jahr');
		expect((await read(book, from(0, 0.5, { year: '2026' })))[0].transaktionsdatum).toBe('2026-11-20');
	});

	it.each(['General', '0.00', '0.0'])(
		'the number 20.1 in the format %s is no day: 20.10 was typed where the point is the decimal separator',
		async (format) => {
			const book = xlsx(
				{ 1: HEADINGS, 2: [{ xml: '<c s="3"><v>20.1</v></c>' }, 'A', 0.5, 19] },
				{ formats: [format] },
			);
			const [{ transaktionsdatum, problem }] = await read(book, from(0, 0.5, { year: '2026' }));
			expect([transaktionsdatum, problem?.de]).toEqual([
				null,
				expect.stringMatching(
					/^Der Tag „20\.10?“ ist nicht verwendbar: Schreiben Sie ihn wie 20\.11\.2026\.$/,
				),
			]);
		},
	);

	it.each([
		['0000', 420, '0420'],
		['0', 8400, '8400'],
		['#,##0', 8400, '8400'],
		['General', 8400, '8400'],
	])('the account in the format %s', async (format, value, account) => {
		expect((await readCell(4, value, format))[0].gegenkonto).toBe(account);
	});

	it.each([
		['"RE-"0000', 17],
		['"RE"0000', 17],
		['"2026/"000', 17],
		['2026\\-000', 17],
		['mmm yy', DAY],
	])(
		'an account of which the format %s shows more than the number is a problem of its row',
		async (format, value) => {
			const [{ betrag, problem }] = await readCell(4, value, format);
			expect([betrag, problem?.de]).toEqual([
				null,
				'Konto ist nicht alles, was die Zelle enthält: Sie muss alles zeigen.',
			]);
		},
	);

	it('and one that the file’s program couldn’t look up is, too', async () => {
		const book = xlsx({ 1: HEADINGS, 2: [dated(DAY), 'A', 0.5, 19, { xml: '<c t="e"><v>#N/A</v></c>' }] });
		expect((await read(book, from(0, 0.5)))[0]).toMatchObject({
			betrag: null,
			problem: { de: expect.stringContaining('Konto') as string },
		});
	});

	it.each([
		['0%', 0.19, 19],
		['0.0%', 0.078, 7.8],
		['0%', 0.078, null],
		['0.00', 7, 7],
		['General', 0.19, null],
	])('the rate in the format %s of %d', async (format, value, rate) => {
		expect((await readCell(3, value, format))[0]).toMatchObject({
			steuersatz: rate,
			...(rate !== null && { problem: null }),
		});
	});

	it.each([
		['0.00', 12.4, 12.4],
		['#,##0.00 "€"', 1234.5, 1234.5],
		['_-* #,##0.00 [$€-407]_-;-* #,##0.00 [$€-407]_-;_-* "-"?? [$€-407]_-;_-@_-', -12.4, -12.4],
		['#,##0.00;[Red]-#,##0.00', -12.4, -12.4],
		// Excel writes parentheses of its own formats so.
		['_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', -3.25, -3.25],
		['_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', 3.25, 3.25],
		['_([$€-2]\\ * #,##0.00_);_([$€-2]\\ * \\(#,##0.00\\)', -3.25, -3.25],
		['#,##0.00_);\\(#,##0.00\\)', -3.25, -3.25],
		['#,##0.00\\ "€"_);\\(#,##0.00\\ "€"\\)', -3.25, -3.25],
		['#,##0.00 "(€)"', 3.25, 3.25],
		['0.00', 0.1 + 0.2, 0.3],
		['General', 12.4, 12.4],
	])('the amount in the format %s of %d', async (format, value, amount) => {
		const [{ betrag, bewegung }] = await readCell(2, value, format, Math.round((100 + value) * 100) / 100);
		expect([betrag, bewegung]).toEqual([Math.abs(amount), amount > 0 ? 'EINNAHME' : 'AUSGABE']);
	});

	it.each([
		['0', 12.4, 'Betrag zeigt „12“, enthält aber 12,40'],
		['0.0', 12.45, 'Betrag zeigt „12.4'],
		['#,##0.00,', 1240, 'enthält aber 1.240,00'],
		['0","00', 1240, 'enthält aber 1.240,00'],
		['0.00;[Red]0.00', -12.4, 'Betrag zeigt „12.40“, enthält aber −12,40'],
		['"-"0.00', 12.4, 'enthält aber 12,40'],
		['"-"0.00;"-"0.00', 12.4, 'enthält aber 12,40'],
		['\\(0.00\\)', 12.4, 'enthält aber 12,40'],
		['\\(0.00\\)', -12.4, 'enthält aber −12,40'],
		['0.00;0.00 "(€)"', -12.4, 'Betrag zeigt „12.40“, enthält aber −12,40'],
		['0.00E+00', 12.4, 'enthält aber 12,40'],
	])(
		'an amount that it shows otherwise is a problem of its row: %s of %d',
		async (format, value, problem) => {
			const listed = await readCell(2, value, format, Math.round((100 + value) * 100) / 100);
			expect(listed).toMatchObject([{ row: 2, betrag: null, bewegung: null }]);
			expect(listed[0].problem?.de).toContain(problem);
		},
	);

	it.each([
		['another currency', '#,##0.00 [$CHF-807]', 12.4, /ist in CHF/],
		['a dash for nothing', '0.00;-0.00;"-"', 0, /^Keine Zeile/],
		['nothing at all', ';;;', 12.4, /^Keine Zeile/],
	])('%s', async (_, format, value, problem) => {
		const [{ row, problem: said }] = await readCell(2, value, format, 100);
		expect([row, said?.de]).toEqual([null, expect.stringMatching(problem)]);
	});

	it('what merged cells cover is nothing: an amount, a rate, an account', async () => {
		const sheet = sheetXml({
			1: HEADINGS,
			2: [dated(DAY), 'A', 10, 19, '8400'],
			3: [dated(DAY), 'B', 20, 7, '8300'],
			4: [dated(DAY), 'C', 30, 7, '8300'],
		});
		const merged = (...refs: string[]) =>
			xlsx(
				sheet.replace(
					'</sheetData>',
					`</sheetData><sheetProtection sheet="1"/><mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells><pageMargins/>`,
				),
			);
		const said = (listed: Listed[]) =>
			listed.map(({ row, betrag, steuersatz, gegenkonto }) => [row, betrag, steuersatz, gegenkonto]);
		expect(said(await read(merged('C2:C3'), from(0, 40)))).toEqual([
			[2, 10, 19, '8400'],
			[4, 30, 7, '8300'],
		]);
		const listed = await read(merged('D2:D3', 'E2:E3', 'G1:XFD3', 'A9:Z1048576'), from(0, 60));
		expect(said(listed)).toEqual([
			[2, 10, 19, '8400'],
			[3, null, null, null],
			[4, 30, 7, '8300'],
		]);
		expect(listed[1].problem?.de).toBe('Der Steuersatz ist leer, was nicht als 0 zählt.');
		expect((await read(merged('D2'), from(0, 60)))[0].steuersatz).toBe(19);
	});

	it('a formula without a result stops the list, and so does one that failed', async () => {
		for (const xml of ['<c><f>A1</f></c>', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>']) {
			const [{ problem }] = await read(xlsx({ 1: HEADINGS, 2: [dated(DAY), 'A', { xml }, 19] }), from(0, 10));
			expect(problem?.de).toMatch(
				/^Zeile 2 \(20\.11\.2026, A\): Betrag „.*“ hat in der Datei kein Ergebnis\.$/,
			);
		}
	});

	it('the day in the date system of 1904', async () => {
		const book = xlsx({ 1: HEADINGS, 2: [dated(DAY - 1462), 'A', 10, 19] }, { date1904: '1' });
		expect((await read(book, from(0, 10)))[0].transaktionsdatum).toBe('2026-11-20');
	});
});

describe('A cell of an OpenDocument sheet is what it shows:', () => {
	const cell = (attributes: string, text: string) => ({
		xml: `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`,
	});
	const amount = (value: number, text: string) =>
		cell(`office:value-type="float" office:value="${value}"`, text);
	const date = (value: string, text: string) =>
		cell(`office:value-type="date" office:date-value="${value}"`, text);
	const readRow = async (row: Array<string | { xml: string }>, after: number, own: INodeParameters = {}) =>
		await read(ods(odsRow(HEADINGS) + odsRow(row)), from(100, after, own));

	it.each([
		[amount(12.4, '12,40'), 12.4],
		[amount(1234.5, '1.234,50 €'), 1234.5],
		[amount(1234.5, '1,234.50'), 1234.5],
		[amount(12.4, ''), 12.4],
		[amount(12.4, '12'), null],
		[amount(1250, '12,50'), null],
		[amount(5, '-5'), null],
	])('the amount %o', async (one, shown) => {
		const value = Number(/office:value="([^"]*)"/.exec(one.xml)![1]);
		const [{ betrag, problem }] = await readRow(
			[date('2026-11-20', '20.11.26'), 'A', one, '19'],
			100 + value,
		);
		expect([betrag, problem === null]).toEqual([shown, shown !== null]);
	});

	it.each([
		[date('2026-11-20T14:05:00', '20.11.26'), '2026-11-20'],
		[date('2026-11-20T14:05:00', '20.11.2026 14:05'), '2026-11-20T14:05:00'],
		[date('2026-11-26', '26.11.26'), '2026-11-26'],
		[date('2026-11-20', 'Nov 26'), null],
	])('the day %o', async (one, day) => {
		const [{ transaktionsdatum }] = await readRow([one, 'A', amount(5, '5'), '19'], 105);
		expect(transaktionsdatum).toBe(day);
	});

	it('an account of four digits and a rate in percent', async () => {
		const rate = cell('office:value-type="percentage" office:value="0.07"', '7 %');
		const [row] = await readRow(
			[date('2026-11-20', '20.11.26'), 'A', amount(5, '5,00'), rate, amount(420, '0420')],
			105,
		);
		expect(row).toMatchObject({ steuersatz: 7, gegenkonto: '0420' });
	});

	it('a number with letters in its format', async () => {
		const cells = [date('2026-11-20', '20.11.26'), 'A', amount(5, '5,00 EUR'), '19', amount(17, 'RE 0017')];
		expect((await readRow(cells, 105))[0]).toMatchObject({ betrag: 5, gegenkonto: 'RE 0017', problem: null });
	});

	it('what merged cells cover is nothing', async () => {
		const covered = (attributes: string) => ({
			xml: amount(7, '7')
				.xml.replace(/table-cell/g, 'covered-table-cell')
				.replace(' ', ` ${attributes} `),
		});
		const day = date('2026-11-20', '20.11.26');
		const book = ods(
			odsRow(HEADINGS) +
				odsRow([day, 'A', amount(10, '10'), amount(19, '19'), '8400']) +
				odsRow([day, 'B', amount(20, '20'), covered(''), '8300']) +
				odsRow([day, covered('table:number-columns-repeated="3"'), '8300']),
		);
		const listed = await read(book, from(0, 30));
		expect(listed.map(({ steuersatz, gegenkonto }) => [steuersatz, gegenkonto])).toEqual([
			[19, '8400'],
			[null, '8300'],
		]);
	});

	it('the sheet is the one that the file opens on, or the one that is named', async () => {
		const table = (name: string, value: number) =>
			`<table:table table:name="${name}">${odsRow(HEADINGS)}${odsRow([date('2026-11-20', '20.11.26'), name, amount(value, `${value}`), '19'])}</table:table>`;
		const content = `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x">${table('Oktober', 5)}${table('November', 7)}</office:document-content>`;
		const settings = `<office:document-settings xmlns:office="o" xmlns:config="c"><config:config-item config:name="ActiveTable">November</config:config-item></office:document-settings>`;
		const book = zip({ 'content.xml': Buffer.from(content), 'settings.xml': Buffer.from(settings) });
		const [active] = await read(book, from(0, 7));
		expect(active.belegtext).toBe('November');
		expect(active.warnings.at(-1)?.de).toBe(
			'Gelesen wird das Tabellenblatt „November“, nicht gelesen: Oktober.',
		);
		expect((await read(book, from(0, 5, { sheet: 'oktober' })))[0].belegtext).toBe('Oktober');
		expect((await read(book, from(0, 5, { sheet: 'Mai' })))[0].problem?.de).toBe(
			'Die Datei hat kein Tabellenblatt „Mai“. Sie hat: Oktober, November.',
		);
	});
});

it.each([
	['20.1', null],
	['20.1.', '2026-01-20'],
	['20.01', '2026-01-20'],
	['20.10', '2026-10-20'],
	['2.3', null],
	['2010', '2026-10-20'],
])('The day %s of a text is %s', async (day, expected) => {
	const [row] = await read(`${HEADINGS.join(';')}\n${day};A;0,50;19;`, from(0, 0.5, { year: '2026' }));
	expect([row.transaktionsdatum, row.problem === null]).toEqual([expected, expected !== null]);
});

describe('Another format is refused by name, with the way to save it as .xlsx:', () => {
	const sample = async (name: string) => await readFile(path.join(import.meta.dirname, 'lists', name));
	const HTML = '<html><table><tr><td>Datum</td></tr></table>';
	it.each<[name: string, content: () => Promise<Buffer> | Buffer]>([
		['kassenliste-csv-as.xls', async () => await sample('kassenliste-csv-as.xls')],
		['kassenliste-html-as.xls', async () => await sample('kassenliste-html-as.xls')],
		['a web page', () => Buffer.from(HTML)],
		['XML', () => Buffer.from('<?xml version="1.0"?><Workbook/>')],
		['a workbook of Excel 97, or one with a password', () => Buffer.from('d0cf11e0a1b11ae1', 'hex')],
		[
			'a binary workbook',
			() => zip({ '[Content_Types].xml': Buffer.from('x'), 'xl/workbook.bin': Buffer.from('x') }),
		],
		['a PDF', () => Buffer.from('%PDF-1.7')],
		['a ZIP', () => zip({ 'a.txt': Buffer.from('x') })],
	])('%s', async (name, content) => {
		const [{ row, problem }] = await read(await content(), from(0, 10), name);
		expect(row).toBeNull();
		expect(problem?.de).toMatch(
			/^Die Datei lässt sich nicht lesen. Das geht nur mit \.xlsx, \.ods und Text.*„Speichern unter“, „Excel-Arbeitsmappe \(\*\.xlsx\)“/,
		);
		expect(problem?.en).toMatch(/Save As, "Excel Workbook \(\*\.xlsx\)"/);
	});
});

it('The same list has the same made numbers, whatever the format', async () => {
	const csv = `${HEADINGS.join(';')}\n20.11.2026;A;-12,50;19;0420\n20.11.2026;A;-12,50;19;0420`;
	const row: Cell[] = [
		dated(DAY + 0.6),
		'A',
		{ xml: '<c s="4"><v>-12.5</v></c>' },
		{ xml: '<c s="5"><v>0.19</v></c>' },
		{ xml: '<c s="3"><v>420</v></c>' },
	];
	const book = xlsx({ 1: HEADINGS, 2: row, 3: row }, { formats: ['0000', '0.00', '0%'] });
	const numbers = async (content: Buffer | string) => {
		const items = (await read(content, from(100, 75))).map((json) => ({ json }));
		const { main, error } = await gateway.run(
			new AccountingGatewayDelivery(),
			bookingOfList(gateway.connectionId('duo')),
			{ items },
		);
		expect(error).toBeUndefined();
		return main[0].map(({ json }) => [json.belegnummer, json.alreadyExisted]);
	};
	const first = await numbers(csv);
	expect(first.map(([, existed]) => existed)).toEqual([false, false]);
	expect(new Set(first.map(([number]) => number)).size).toBe(2);
	expect(await numbers(book)).toEqual(first.map(([number]) => [number, true]));
});
