/** The example that books the closings of a cash register, by its own expressions: what is booked, refused and told. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { Big } from 'big.js';
import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readExamples, WORKFLOWS } from '../../scripts/start/examples.mjs';
import { fieldsOf } from '../support/exampleNode.mjs';

const EXAMPLE = 'cash-register-export';

const KEY = { Z_KASSE_ID: 'KASSE-1', Z_ERSTELLUNG: '2026-11-16T18:42:10+01:00', Z_NR: '311' };

/** The rows of a closing: sales of 119.00 at 19 % and 10.70 at 7 %, 29.70 of them by card, 100.00 in the drawer before. */
const ROWS = {
	closing: { TAXONOMIE_VERSION: '2.3', Z_BUCHUNGSTAG: '' },
	register: { KASSE_BASISWAEH_CODE: 'EUR' },
	rates: [
		{ UST_SCHLUESSEL: '1', UST_SATZ: '19,00' },
		{ UST_SCHLUESSEL: '2', UST_SATZ: '7,00' },
		{ UST_SCHLUESSEL: '5', UST_SATZ: '0,00' },
	],
	cases: [
		['Anfangsbestand', '5', '100,00000'],
		['Umsatz', '1', '119,00000'],
		['Umsatz', '2', '10,70000'],
	],
	payments: [
		['Bar', '200,00'],
		['ECKarte', '29,70'],
	],
	cash: [['EUR', '200,00']],
};

type Changes = Partial<Omit<typeof ROWS, 'closing'>> & { closing?: IDataObject; key?: Partial<typeof KEY>; more?: IDataObject };

function rowsOf(changes: Changes = {}): IDataObject[] {
	const { closing, register, rates, cases, payments, cash, more = {} } = { ...ROWS, ...changes };
	return [
		closing,
		register,
		...rates,
		...cases.map(([GV_TYP, UST_SCHLUESSEL, Z_UMS_BRUTTO]) => ({
			GV_TYP,
			GV_NAME: '',
			AGENTUR_ID: '0',
			UST_SCHLUESSEL,
			Z_UMS_BRUTTO,
			...more,
		})),
		...payments.map(([ZAHLART_TYP, Z_ZAHLART_BETRAG]) => ({ ZAHLART_TYP, ZAHLART_NAME: '', Z_ZAHLART_BETRAG })),
		...cash.map(([ZAHLART_WAEH, ZAHLART_BETRAG_WAEH]) => ({ ZAHLART_WAEH, ZAHLART_BETRAG_WAEH })),
	].map((row) => ({ ...KEY, ...changes.key, ...row }));
}

interface Entry extends IDataObject {
	number: number;
	day: string;
	belegzeilen: Array<{ betrag: number; prozent: number; gegenkonto: string; belegtext: string; belegNummer: string }>;
	cashAtEnd: number;
	problem: string;
	remark: string;
}

/** The entries that the example makes of the rows of all tables, in their order. */
async function entriesOf(rows: IDataObject[], chart = 'SKR03'): Promise<Entry[]> {
	const given = await fieldsOf(EXAMPLE, 'Accounts', {});
	const parsed = Object.fromEntries(
		Object.entries(given).map(([name, value]) => [
			name,
			typeof value === 'string' && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value,
		]),
	);
	const accounts = { ...parsed, kontenrahmen: chart } as IDataObject;
	const { closings } = (await fieldsOf(EXAMPLE, 'Closings', { outputs: { Rows: rows } })) as { closings: IDataObject[] };
	const outputs = { Accounts: [accounts], Closings: [{ closings }] };
	const entries: Entry[] = [];
	for (const json of closings) entries.push((await fieldsOf(EXAMPLE, 'Entry', { json, outputs })) as Entry);
	return entries;
}
const entryOf = async (changes: Changes = {}, chart?: string) => (await entriesOf(rowsOf(changes), chart))[0];
const linesOf = ({ belegzeilen }: Entry) => belegzeilen.map(({ betrag, prozent, gegenkonto }) => [betrag, prozent, gegenkonto]);

describe('a closing', () => {
	it('becomes lines by business case and rate; cards go out again; the opening balance is no line', async () => {
		const entry = await entryOf();
		expect(linesOf(entry)).toEqual([
			[119, 19, '8400'],
			[10.7, 7, '8300'],
			[-29.7, 0, '1361'],
		]);
		expect(entry).toMatchObject({ number: 311, day: KEY.Z_ERSTELLUNG, cashAtEnd: 200, problem: '', remark: '' });
		expect(entry.belegzeilen[0]).toMatchObject({ belegtext: 'Z 311 Umsatz', belegNummer: 'Z-311' });
	});

	it('has the accounts of SKR04', async () => {
		expect((await entryOf({}, 'SKR04')).belegzeilen.map(({ gegenkonto }) => gegenkonto)).toEqual(['4400', '4300', '1461']);
	});

	it('is booked on the day that it names', async () => {
		expect((await entryOf({ closing: { ...ROWS.closing, Z_BUCHUNGSTAG: '2026-11-15' } })).day).toBe('2026-11-15');
	});

	it('may have decimal points, and groups', async () => {
		const cases = [
			['Anfangsbestand', '5', '100.00000'],
			['Umsatz', '1', '1119.00000'],
			['Umsatz', '2', '10.70000'],
		];
		const payments = [
			['Bar', '1.200,00'],
			['ECKarte', '29.70'],
		];
		const rates = ROWS.rates.map((row) => ({ ...row, UST_SATZ: row.UST_SATZ.replace(',', '.') }));
		const entry = await entryOf({ rates, cases, payments, cash: [['EUR', '1,200.00']] });
		expect(entry).toMatchObject({ problem: '', remark: '', cashAtEnd: 1200 });
		expect(linesOf(entry)[0]).toEqual([1119, 19, '8400']);
	});

	it('may leave the opening balance out of the payments', async () => {
		const payments = [
			['Bar', '100,00'],
			['ECKarte', '29,70'],
		];
		const entry = await entryOf({ payments, cash: [['EUR', '100,00']] });
		expect(entry).toMatchObject({ problem: '', remark: '', cashAtEnd: 200 });
	});

	it('books tips, vouchers, cash to the bank and a difference to accounts of their own', async () => {
		const cases = [
			...ROWS.cases,
			['TrinkgeldAN', '5', '-5,00'],
			['TrinkgeldAG', '1', '2,00'],
			['MehrzweckgutscheinKauf', '5', '50,00'],
			['Geldtransit', '5', '-100,00'],
			['DifferenzSollIst', '5', '-3,20'],
		];
		const payments = [
			['Bar', '143,80'],
			['ECKarte', '29,70'],
		];
		const entry = await entryOf({ cases, payments, cash: [['EUR', '143,80']] });
		expect(linesOf(entry).slice(2, 7)).toEqual([
			[-5, 0, '1590'],
			[2, 19, '8400'],
			[50, 0, '1700'],
			[-100, 0, '1360'],
			[-3.2, 0, '2309'],
		]);
		expect(entry.problem).toBe('');
		expect(entry.remark).toBe('Kassendifferenz -3,20 EUR: gezählt 143,80 EUR, errechnet 147,00 EUR.');
	});

	it('books too much in the drawer to the account for it', async () => {
		const cases = [...ROWS.cases, ['DifferenzSollIst', '5', '0,50']];
		const payments = [
			['Bar', '200,50'],
			['ECKarte', '29,70'],
		];
		expect(linesOf(await entryOf({ cases, payments, cash: [['EUR', '200,50']] }))[2]).toEqual([0.5, 0, '2709']);
	});
});

describe('a closing isn’t booked', () => {
	it.each<[string, Changes, RegExp]>([
		['whose sums differ', { payments: [['Bar', '199,99']] }, /Geschäftsvorfälle ergeben 229,70 EUR, die Zahlungen 199,99 EUR/],
		[
			'with a business case that has no account',
			{ cases: [...ROWS.cases, ['Auszahlung', '5', '-18,90']] },
			/Für Auszahlung ist bei „Accounts“ kein Konto/,
		],
		['with an unknown means of payment', { payments: [...ROWS.payments, ['Muscheln', '1,00']] }, /Für Muscheln .*kein Konto/],
		['with an amount of three decimals', { cash: [['EUR', '1.234']] }, /Ein Betrag ist nicht lesbar/],
		['with no amount', { payments: [['Bar', '']] }, /Ein Betrag ist nicht lesbar/],
		['with an unknown tax key', { cases: [['Umsatz', '9', '119,00']] }, /UST_SCHLUESSEL 9/],
		['with amounts for third parties', { more: { AGENTUR_ID: '3' } }, /für Rechnung Dritter/],
		['with cash in another currency', { cash: [...ROWS.cash, ['CHF', '20,00']] }, /anderen Währung/],
		['of a register without cash book', { key: { Z_KASSE_ID: 'KASSE-9' } }, /Für die Kasse KASSE-9 .*kein Kassenbuch/],
		['without business cases', { cases: [] }, /fehlen/],
	])('%s', async (_, changes, problem) => {
		expect((await entryOf(changes)).problem).toMatch(problem);
	});

	it('that is there twice', async () => {
		const [one, other] = await entriesOf([...rowsOf(), ...rowsOf()]);
		for (const { problem } of [one, other]) expect(problem).toContain('kommt mehrmals vor');
	});

	it('where the archive has none: somebody is told', async () => {
		const [entry] = await entriesOf([]);
		expect(entry.problem).toContain('keinen Kassenabschluss');
	});
});

describe('what the closing before says', () => {
	const next = (Z_NR: string, opening: string) =>
		rowsOf({
			key: { Z_NR, Z_ERSTELLUNG: `2026-11-${Z_NR}` },
			cases: [
				['Anfangsbestand', '5', opening],
				['Umsatz', '1', '10,00'],
			],
			payments: [['Bar', `${Number(opening.replace(',', '.')) + 10},00`.replace('.', ',').replace(/,(\d+),00$/, ',$1')]],
			cash: [],
		});

	it('nothing, where its number and cash go on; numbers are no text', async () => {
		const entries = await entriesOf([...next('1000', '210,00'), ...next('999', '200,00')]);
		expect(entries.map(({ number, remark }) => [number, remark])).toEqual([
			[999, ''],
			[1000, ''],
		]);
	});

	it('that numbers are missing', async () => {
		const entries = await entriesOf([...rowsOf(), ...next('313', '10,00'), ...next('316', '10,00')]);
		expect(entries.map(({ remark }) => remark)).toEqual([
			'',
			'Davor fehlt die Nummer 312.',
			'Davor fehlen die Nummern 314 bis 315.',
		]);
		expect(entries.map(({ problem }) => problem)).toEqual(['', '', '']);
	});

	it('that the drawer had something else over night', async () => {
		const [, { remark }] = await entriesOf([...rowsOf(), ...next('312', '150,00')]);
		expect(remark).toBe('Der Anfangsbestand ist 150,00 EUR, der Abschluss davor endete mit 200,00 EUR.');
	});
});

/** The tables of the sample, unpacked here: header and rows of each. */
async function sampleTables(): Promise<Record<string, Array<Record<string, string>>>> {
	const folder = join(WORKFLOWS, EXAMPLE);
	const [file] = (await readdir(folder)).filter((name) => name.endsWith('.zip'));
	const zip = await readFile(join(folder, file));
	const tables: Array<[string, Array<Record<string, string>>]> = [];
	// Local headers, one after another: signature, sizes, name, content.
	for (let at = 0; zip.toString('latin1', at, at + 4) === 'PK\x03\x04'; ) {
		const [packed, nameLength] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26)];
		const start = at + 30 + nameLength;
		const name = zip.toString('utf8', at + 30, start);
		const text = inflateRawSync(zip.subarray(start, start + packed)).toString();
		if (name.endsWith('.csv')) tables.push([name, parse(text, { bom: true, columns: true, delimiter: ';' })]);
		at = start + packed;
	}
	return Object.fromEntries(tables);
}

it('the sample’s entries are what came into the drawer, closing by closing', async () => {
	const tables = await sampleTables();
	const { expected } = (await readExamples()).find(({ name }) => name === EXAMPLE)!;
	const amount = (text: string) => new Big(text.replace(',', '.'));
	const closings = tables['cashpointclosing.csv'].map(({ Z_NR, Z_SE_BARZAHLUNGEN }) => {
		const cases = tables['businesscases.csv'].filter((row) => row.Z_NR === Z_NR);
		const opening = cases.find(({ GV_TYP }) => GV_TYP === 'Anfangsbestand')!;
		const cash = amount(Z_SE_BARZAHLUNGEN).minus(amount(opening.Z_UMS_BRUTTO)).toNumber();
		return { number: Z_NR, cash, types: cases.map(({ GV_TYP }) => GV_TYP) };
	});
	expect(closings.map(({ number }) => number)).toEqual(['311', '312', '313', '315', '316']);
	expect(closings.flatMap(({ types }) => types)).toEqual(
		expect.arrayContaining(['DifferenzSollIst', 'TrinkgeldAN', 'TrinkgeldAG', 'MehrzweckgutscheinKauf', 'Geldtransit']),
	);
	const booked = closings.filter(({ types }) => !types.includes('Auszahlung'));
	const entries = expected!.arrives.entries as Array<{ fields: { betrag: number; belegzeilen: Array<{ betrag: number }> } }>;
	expect(entries.map(({ fields }) => fields.betrag)).toEqual(booked.map(({ cash }) => cash));
	for (const { fields } of entries) {
		const sum = fields.belegzeilen.reduce((total, { betrag }) => total.plus(betrag), new Big(0));
		expect(sum.toNumber()).toBe(fields.betrag);
	}
});
