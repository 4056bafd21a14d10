/** Reading exports of cash registers (DSFinV-K): what comes out for each closing, and what the cash book gains from it. */
import { createHash } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { CLOSING, RATES, tablesOf, zip, zipOf } from '../../support/cashExport.mjs';
import type { ClosingSpec, Dialect } from '../../support/cashExport.mjs';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import { runNode } from '../../support/harness.mjs';
import type { TestFile, TestItem } from '../../support/harness.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

interface Line extends IDataObject {
	betrag: number;
	prozent: number;
	gegenkonto: string;
}

interface Closing extends IDataObject {
	Z_KASSE_ID: string | null;
	Z_NR: number | null;
	betrag: number;
	belegzeilen: Line[];
	warnings: string[];
	problem: string | null;
}

const file = (content: Buffer, fileName = 'Export.zip'): TestFile => ({ content, fileName });
const itemOf = (...contents: Buffer[]): TestItem => ({
	files: Object.fromEntries(contents.map((content, i) => [`data${i}`, file(content, `Export ${i}.zip`)])),
});

async function readItems(items: TestItem[], own: INodeParameters = {}): Promise<Closing[]> {
	const parameters = { resource: 'cashRegisterExport', operation: 'read', ...own };
	const { main, error } = await runNode({ node, parameters, items });
	expect(error).toBeUndefined();
	return (main[0] ?? []).map(({ json }) => json as Closing);
}
const read = async (closings: ClosingSpec[], dialect: Dialect = {}, own: INodeParameters = {}) =>
	await readItems([itemOf(zipOf(closings, dialect))], own);
const linesOf = ({ belegzeilen }: Closing) =>
	belegzeilen.map(({ betrag, prozent, gegenkonto }) => [betrag, prozent, gegenkonto]);

describe('A closing of a cash register', () => {
	it('becomes lines by business case and rate, without the opening balance, and with cards going out again', async () => {
		const content = zipOf([{}]);
		const [closing] = await readItems([itemOf(content)]);
		expect(closing).toMatchObject({
			Z_KASSE_ID: 'KASSE-1',
			Z_NR: 311,
			transaktionsdatum: CLOSING.time,
			waehrung: 'EUR',
			betrag: 100,
			cashAtEnd: 200,
			warnings: [],
			problem: null,
			sha256: createHash('sha256').update(content).digest('hex'),
		});
		expect(linesOf(closing)).toEqual([
			[119, 19, '8400'],
			[10.7, 7, '8300'],
			[-29.7, 0, '1361'],
		]);
		expect(closing.belegzeilen[0]).toMatchObject({ belegNummer: 'Z-311', belegtext: 'Z 311 KASSE-1 Umsatz' });
	});

	it.each<[string, Dialect]>([
		[
			'comma as delimiter, point, quotes, byte order mark',
			{ delimiter: ',', decimal: '.', quotes: true, encoding: 'bom', version: '2.0' },
		],
		['thousands, Windows-1252', { group: '.', encoding: 'latin1', decimals: 2, version: '2.4' }],
		[
			'UTF-16, tabulators, a folder, apostrophes, other line ends',
			{
				encoding: 'utf16le',
				delimiter: '\t',
				newline: '\n',
				folder: 'DSFinV-K/2026/',
				group: "'",
				decimal: '.',
			},
		],
	])('is the same however its register writes: %s', async (_, dialect) => {
		const big: ClosingSpec = {
			cases: [
				['Anfangsbestand', '5', 1100],
				['Umsatz', '1', 1234567.89],
			],
			payments: [['Bar', 1235667.89]],
			cash: [['EUR', 1235667.89]],
		};
		const [closing] = await read([big], dialect);
		expect(closing).toMatchObject({ betrag: 1234567.89, cashAtEnd: 1235667.89, problem: null, warnings: [] });
		expect(linesOf(closing)).toEqual([[1234567.89, 19, '8400']]);
	});

	it('comes from tables that are files themselves, too, and leaves other files alone', async () => {
		const tables = Object.entries(tablesOf([{}])).map(([name, content]) => [name, file(content, name)]);
		const pdf = { fileName: 'Bericht.pdf', content: Buffer.from('%PDF-1.4') };
		const [closing] = await readItems([{ files: { ...Object.fromEntries(tables), pdf } }], {
			kontenrahmen: 'SKR04',
		});
		expect(closing).toMatchObject({ betrag: 100, problem: null });
		expect(linesOf(closing).map(([, , konto]) => konto)).toEqual(['4400', '4300', '1461']);
	});

	it('books tips, vouchers, deposits, cash to the bank and a difference to accounts of their own', async () => {
		const [closing] = await read([
			{
				cases: [
					['Umsatz', '1', 50, 'Speisen'],
					['Pfand', '1', 2.5],
					['PfandRückzahlung', '1', -1.25],
					['TrinkgeldAG', '1', 2],
					['TrinkgeldAN', '5', -5],
					['MehrzweckgutscheinKauf', '5', 25],
					['EinzweckgutscheinEinloesung', '2', -10.7],
					['Geldtransit', '5', -40],
					['DifferenzSollIst', '5', -3.2],
				],
				payments: [
					['Bar', 9.35],
					['Kreditkarte', 10],
				],
				cash: [['EUR', 9.35]],
			},
		]);
		expect(closing.problem).toBeNull();
		expect(linesOf(closing)).toEqual([
			[50, 19, '8400'],
			[2.5, 19, '8400'],
			[-1.25, 19, '8400'],
			[2, 19, '8400'],
			[-5, 0, '1590'],
			[25, 0, '1700'],
			[-10.7, 7, '8300'],
			[-40, 0, '1360'],
			[-3.2, 0, '2309'],
			[-10, 0, '1361'],
		]);
		expect(closing.betrag).toBe(9.35);
		expect(closing.warnings.join()).toContain('-3.20 EUR');
	});

	it('has the accounts that are given, by business case and rate, before those of the chart', async () => {
		const konto = [
			{ vorgang: 'Erloese', gegenkonto: '8000' },
			{ vorgang: 'Umsatz', prozent: '7', gegenkonto: '8301', buSchluessel: '2', kostenstelle1: 'LADEN' },
		];
		const own = { konten: { konto } };
		const [closing] = await read([{}], {}, own);
		expect(linesOf(closing).map(([, , konto]) => konto)).toEqual(['8000', '8301', '1361']);
		expect(closing.belegzeilen[1]).toMatchObject({ buSchluessel: '2', kostenstelle1: 'LADEN' });
		const [alone] = await read([{}], {}, { ...own, kontenrahmen: 'own' });
		expect(alone.problem).toContain('ECKarte');
	});

	it('may leave the opening balance out of its payments, or not record it', async () => {
		const payments: ClosingSpec['payments'] = [
			['Bar', 100],
			['ECKarte', 29.7],
		];
		const [left] = await read([{ payments, cash: [['EUR', 100]] }]);
		expect(left).toMatchObject({ betrag: 100, cashAtEnd: 200, problem: null, warnings: [] });
		const cases: ClosingSpec['cases'] = CLOSING.cases.slice(1) as ClosingSpec['cases'];
		const [none] = await read([{ cases, payments, cash: [['EUR', 100]] }]);
		expect(none).toMatchObject({ betrag: 100, cashAtEnd: null, problem: null, warnings: [] });
		const [counted] = await read([{ cases, payments, cash: [['EUR', 350]] }]);
		expect(counted).toMatchObject({ betrag: 100, cashAtEnd: 350, problem: null, warnings: [] });
	});

	it('with other cash than its business cases leave says so to a person', async () => {
		const [closing] = await read([{ cash: [['EUR', 201]] }]);
		expect(closing).toMatchObject({ betrag: 100, cashAtEnd: 200, problem: null });
		expect(closing.warnings).toEqual(['Its cash is 201.00 EUR, computed 200.00 EUR.']);
	});

	it('with cash in another currency says so to a person', async () => {
		const [closing] = await read([
			{
				cash: [
					['EUR', 180],
					['CHF', 20],
				],
			},
		]);
		expect(closing).toMatchObject({ betrag: 100, problem: null });
		expect(closing.warnings.join()).toContain('20.00 CHF');
	});

	it('has a number that is one only if it is written as one', async () => {
		expect(await read([{ number: '0x137' }])).toMatchObject([{ Z_NR: '0x137', problem: null }]);
	});
});

describe('A closing of a cash register must not be booked', () => {
	const paid = (...payments: ClosingSpec['payments'] & object): ClosingSpec => ({ payments });
	const sold = (type: string, vat: string, agency?: string): ClosingSpec => ({
		cases: [[type, vat, 119, '', agency]],
		payments: [['Bar', 119]],
	});

	it.each<[string, ClosingSpec, string]>([
		['whose business cases and payments differ', paid(['Bar', 199.99], ['ECKarte', 29.7]), '229.69'],
		[
			'with a business case that has no account',
			{ cases: [...CLOSING.cases, ['Auszahlung', '5', 0.01]] as ClosingSpec['cases'] },
			'Auszahlung',
		],
		['with an unknown means of payment', paid(['Bar', 200], ['Muscheln', 29.7]), 'Muscheln'],
		['with a business case as its means of payment', paid(['Bar', 200], ['Umsatz', 29.7]), 'Umsatz'],
		['with another one', paid(['Bar', 200], ['Geldtransit', 29.7]), 'No account is given for Geldtransit'],
		['with a means of payment as its case', sold('ECKarte', '5'), 'No account is given for ECKarte'],
		['with a group of business cases', sold('Erloese', '5'), 'No account is given for Erloese'],
		['with an amount that means two things', paid(['Bar', '1.234'], ['ECKarte', 29.7]), '1.234'],
		['without an amount', paid(['Bar', ''], ['ECKarte', 29.7]), 'Z_ZAHLART_BETRAG'],
		['without payments', paid(), 'payment.csv'],
		['without business cases', { cases: [] }, 'businesscases.csv'],
		['with an unknown tax key', sold('Umsatz', '9'), 'UST_SCHLUESSEL 9'],
		['with a tax rate that the export doesn’t say', { rates: [['2', '7.00']] }, 'UST_SCHLUESSEL 1'],
		['with two rates for a tax key', { rates: [...RATES, ['1', '7.00']] }, 'UST_SCHLUESSEL 1'],
		['without a number', { number: '' }, 'Its number (Z_NR) is missing.'],
		['whose tax rate can’t be determined', sold('Umsatz', '7'), 'UST_SCHLUESSEL 7'],
		[
			'whose tax rate can’t be determined, with a zero before the key',
			{ ...sold('Umsatz', '07'), rates: [['07', '0.00']] },
			'UST_SCHLUESSEL 7',
		],
		['whose only cash is foreign, or isn’t', { currency: '', cash: [['CHF', 200]] }, 'EUR, CHF'],
		['with amounts for third parties', sold('Umsatz', '1', '3'), 'AGENTUR_ID'],
		['with tax on what isn’t taxed', sold('Geldtransit', '1'), '19 %'],
		['with nothing in it', { cases: [], payments: [] }, 'nothing to book'],
		['whose day can’t be read', { day: 'gestern' }, 'gestern'],
		['whose booking day was never set', { day: '1970-01-01' }, '1970-01-01'],
	])('%s', async (_, spec, said) => {
		const [closing] = await read([{ cash: [], ...spec }]);
		expect(closing.problem).toContain(said);
		// "Create Advanced" refuses an entry without lines.
		expect(closing.belegzeilen).toEqual([]);
	});

	it('whose number is in its export twice, because it was split or used again: that is for a person', async () => {
		const [closing, ...others] = await read([{}, { time: '2026-11-17T18:00:00+01:00' }]);
		expect(others).toEqual([]);
		expect(closing).toMatchObject({
			problem: expect.stringMatching(/2026-11-17.*Book it by hand/),
			belegzeilen: [],
		});
	});

	it.each([
		['of one item', null, [itemOf(zipOf([{}]), zipOf([{}], { decimal: '.' }))]],
		['of two items', null, [itemOf(zipOf([{}])), itemOf(zipOf([{}]))]],
		['of which one has a problem', /gestern/, [itemOf(zipOf([{ day: 'gestern' }]), zipOf([{}]))]],
	])('a second time in a run: two exports %s', async (_, problem, items) => {
		const [first, second] = await readItems(items);
		expect(first).toMatchObject({
			betrag: 100,
			problem: problem && expect.stringMatching(problem),
			warnings: [],
		});
		expect(second).toMatchObject({
			problem: expect.stringMatching(/earlier export.*at most.*a problem there.*book the rest by hand/),
			belegzeilen: [],
		});
	});
});

it('Of several registers, gaps and cash overnight are told for each, in the order of their numbers', async () => {
	const next = (register: string, number: number, opening = 200): ClosingSpec => ({
		register,
		number,
		time: `2026-11-${10 + (number % 10)}T20:00:00Z`,
		cases: [
			['Anfangsbestand', '5', opening],
			['Umsatz', '1', 10],
		],
		payments: [['Bar', opening + 10]],
		cash: [],
	});
	const closings = await read([
		next('1', 1000, 210),
		next('01', 1002),
		next('1', 999),
		next('01', 1000),
		next('1', 1001, 150),
		next('1', 1005),
	]);
	expect(closings.map(({ Z_KASSE_ID, Z_NR }) => [Z_KASSE_ID, Z_NR].join(': '))).toEqual([
		'01: 1000',
		'01: 1002',
		'1: 999',
		'1: 1000',
		'1: 1001',
		'1: 1005',
	]);
	expect(closings.map(({ warnings }) => warnings.join())).toEqual([
		'',
		expect.stringMatching(/1001 is missing/),
		'',
		'',
		expect.stringMatching(/150\.00 EUR.*220\.00 EUR/),
		expect.stringMatching(/1002 to 1004 are missing/),
	]);
	expect(closings.map(({ problem }) => problem)).toEqual(Array(6).fill(null));
});

it('A hint about a closing names its register, too', async () => {
	const parameters = { resource: 'cashRegisterExport', operation: 'read' };
	const items = [itemOf(zipOf([{ day: 'gestern' }, { register: 'B', day: 'gestern' }]))];
	const { hints } = await runNode({ node, parameters, items });
	expect(hints.map(({ message }) => message).join()).toMatch(/Z 311 B: .*Z 311 KASSE-1: /);
});

it('Sums of a closing that can’t be read as a whole are told neither about it nor about the next one', async () => {
	const sold = (number: number, opening: number, amount: number | string): ClosingSpec => ({
		number,
		cases: [
			['Anfangsbestand', '5', opening],
			['Umsatz', '1', amount],
			['Umsatz', '2', 10],
		],
		payments: [['Bar', opening + 100]],
		cash: [['EUR', opening + 100]],
	});
	const closings = await read([sold(311, 100, '1.234'), sold(312, 200, 90)]);
	expect(closings).toMatchObject([
		{
			cashAtEnd: null,
			warnings: [],
			problem: expect.stringMatching(/^An amount can't be read.*1\.2340\.$/),
		},
		{ cashAtEnd: 300, warnings: [], problem: null },
	]);
});

describe('A file that is no export of a cash register', () => {
	it.each<[string, Buffer, string]>([
		['a PDF', Buffer.from('%PDF-1.4'), 'no closing'],
		['an empty file', Buffer.alloc(0), 'no closing'],
		['a ZIP of something else', zip({ 'Bon.pdf': Buffer.from('%PDF-1.4') }), 'no closing'],
		['a ZIP that ends too early', zipOf([{}]).subarray(0, -30), 'damaged'],
	])('says so in one item: %s', async (_, content, said) => {
		const closings = await readItems([itemOf(content)]);
		expect(closings).toMatchObject([{ Z_NR: null, belegzeilen: [], problem: expect.stringContaining(said) }]);
	});
});

it('1,000 closings of a cash register are read in three seconds', async () => {
	const content = zipOf(Array.from({ length: 1_000 }, (_, i) => ({ number: i + 1 })));
	const started = process.cpuUsage();
	const closings = await readItems([itemOf(content)]);
	expect(closings).toHaveLength(1_000);
	// Of this process, whatever else the machine does.
	expect(process.cpuUsage(started).user / 1e6).toBeLessThan(3);
});

/** Reads an export and books what has no problem, with the files that come out and what the documentation says to set. */
async function book(closings: ClosingSpec[]) {
	const parameters = { resource: 'cashRegisterExport', operation: 'read' };
	const { main } = await runNode({ node, parameters, items: [itemOf(zipOf(closings))] });
	const entry = {
		resource: 'cashBookEntry',
		operation: 'createAdvanced',
		connectionId: gateway.connectionId('duo'),
		kassenname: 'Hauptkasse',
		betrag: '={{ $json.betrag }}',
		waehrung: '={{ $json.waehrung }}',
		transaktionsdatum: '={{ $json.transaktionsdatum }}',
		belegzeilenFrom: 'json',
		options: { alreadyBooked: true },
	};
	const received = [main[0].filter(({ json }) => json.problem === null)];
	// n8n's record is written in the background, also after a test has ended.
	const workflowId = expect.getState().currentTestName;
	const { error, json } = await gateway.run(node, entry, { received, workflowId });
	expect(error).toBeUndefined();
	const entries = (await gateway.list('entries')).map(({ fields }) => fields as IDataObject);
	return { entries, existed: json.map(({ alreadyExisted }) => alreadyExisted) };
}

it('The cash book gains the cash of each closing that is read and booked', async () => {
	const days: ClosingSpec[] = [
		{ number: 1, day: '2026-11-16' },
		{
			number: 2,
			day: '2026-11-17',
			cases: [
				['Anfangsbestand', '5', 200],
				['Umsatz', '1', 0.1],
				['Umsatz', '2', 0.2],
				['Geldtransit', '5', -150],
			],
			payments: [['Bar', 50.3]],
			cash: [['EUR', 50.3]],
		},
		{ number: 3, day: '2026-11-18', cases: [['Auszahlung', '5', -5]], payments: [['Bar', -5]], cash: [] },
	];
	new FakeDatabase().install();
	const { entries } = await book(days);
	expect(
		entries.map(({ betrag, transaktionsdatum }) => [betrag, (transaktionsdatum as string).slice(0, 10)]),
	).toEqual([
		[100, '2026-11-16'],
		[-149.7, '2026-11-17'],
	]);
});

it('A closing that is in two exports is booked once, without the export as its receipt', async () => {
	new FakeDatabase().install();
	await book([{ number: 311 }]);
	const { entries, existed } = await book([{ number: 311 }, { number: 312 }]);
	expect(existed).toEqual([true, false]);
	expect(entries).toHaveLength(2);
	const requests = await gateway.requests();
	expect(requests.filter(({ body }) => JSON.stringify(body).includes('belegbilder'))).toEqual([]);
});
