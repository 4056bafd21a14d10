/** A trial balance beside the one of the month before, or of the same month a year before. */
import round from 'lodash/round.js';
import sum from 'lodash/sum.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { balanceOf, locator, useDataNode } from '../../../support/dataNode.mjs';

const data = useDataNode();
const { gateway } = data;

const YEAR = { geschaeftsjahrStartDatum: locator('2026-01-01', 'value'), asOf: 'period', bisPeriode: 10 };
const run = async (changes: INodeParameters) => await data.run('trialBalance', { ...YEAR, ...changes });
const account = (kontonummer: string, opening: number, movements: Record<number, number>) =>
	balanceOf(kontonummer, opening, movements, round(sum([opening, ...Object.values(movements)]), 2));
/** The gateway answers with these trial balances, by fiscal year. */
const answers = async (years: Record<string, IDataObject[]>) => {
	for (const [contains, accounts] of Object.entries(years))
		await data.answers({ data: accounts }, { operationId: 'listTrialBalance', contains });
};
const comparedIn = ({ json }: { json: IDataObject[] }) =>
	json.map(({ kontonummer, saldoSigned, saldoBefore, movement, movementBefore, change }) =>
		movement === undefined
			? [kontonummer, saldoSigned, saldoBefore, change]
			: [kontonummer, saldoSigned, saldoBefore, movement, movementBefore, change],
	);

const NOW = [account('1200', 100, { 1: 50, 2: -20 }), account('8400', 0, { 1: -10.1, 2: -0.2 })];
const BEFORE = [
	account('1200', 40, { 1: 30, 12: 30 }),
	account('8400', 0, { 1: -7 }),
	account('4120', 0, { 1: 5 }),
	// Nothing on it by then: no row.
	account('4130', 0, { 11: 5, 12: -5 }),
];

describe('A trial balance compared with', () => {
	// Balance, balance before; movement, movement before; change: of 8400 and 4120, the month against the month.
	it.each<[string, INodeParameters, unknown[][]]>([
		[
			'the month before',
			{ compareWith: 'monthBefore', bisPeriode: 2 },
			[
				['1200', 130, 150, -20, 50, -20],
				['8400', -10.3, -10.1, -0.2, -10.1, 9.9],
			],
		],
		[
			'the month before January: the opening balance, and December',
			{ compareWith: 'monthBefore', bisPeriode: 1 },
			[
				['1200', 150, 100, 50, 30, 50],
				['8400', -10.1, 0, -10.1, 0, -10.1],
			],
		],
		[
			'the year before, with accounts that only that one has',
			{ compareWith: 'yearBefore', bisPeriode: 1 },
			[
				['1200', 150, 70, 50, 30, 80],
				['8400', -10.1, -7, -10.1, -7, -3.1],
				['4120', 0, 5, 0, 5, -5],
			],
		],
		[
			'the year before, where the balance was 0 again',
			{ compareWith: 'yearBefore', bisPeriode: 12 },
			[
				['1200', 130, 100, 0, 30, 30],
				['8400', -10.3, -7, 0, 0, 0],
				['4120', 0, 5, 0, 0, 0],
				['4130', 0, 0, 0, -5, 5],
			],
		],
		[
			'the end of the year before',
			{ compareWith: 'yearBefore', asOf: 'yearEnd' },
			[
				['1200', 130, 100, 30],
				['8400', -10.3, -7, -3.3],
				['4120', 0, 5, -5],
			],
		],
	])('%s', async (_, parameters, expected) => {
		await answers({ '2026-01-01': NOW, '2025-01-01': BEFORE });
		const result = await run(parameters);
		expect(result.error).toBeUndefined();
		expect(comparedIn(result)).toEqual(expected);
		expect(Object.keys(result.json[0]).at(-1)).toBe('change');
		expect(Object.keys(result.json[0]).length).toBeLessThanOrEqual(10);
	});

	it.each([
		['monthBefore', { bisPeriode: 9 }],
		['yearBefore', { geschaeftsjahrStartDatum: locator('2025-01-01', 'value') }],
	])('%s has the balances that this one has by itself', async (compareWith, before) => {
		const { json } = await run({ compareWith });
		const earlier = new Map((await run(before)).json.map((row) => [row.kontonummer, row.saldoSigned]));
		expect(json.length).toBeGreaterThan(20);
		for (const row of json)
			expect(row.saldoBefore, row.kontonummer as string).toBe(earlier.get(row.kontonummer) ?? 0);
	});

	/** A company in its first year. */
	const onlyYear = async (chart: string) => {
		await data.answers({ data: [{ id: 1, startDatum: '2026-01-01' }] }, { operationId: 'listFiscalYears' });
		const year = { id: '1', kontenrahmen: chart, kontonummernLaenge: 4 };
		await data.answers({ data: year }, { operationId: 'getFiscalYear' });
		await answers({ '2026-01-01': NOW });
	};

	it.each([
		['yearBefore', [null, 50, null, null], [null, -10.1, null, null]],
		['monthBefore', [100, 50, null, 50], [0, -10.1, null, null]],
	])(
		'%s says that there is no year before, and costs no request for one',
		async (compareWith, bank, sales) => {
			await onlyYear('SKR03');
			const result = await run({ compareWith, bisPeriode: 1 });
			expect(comparedIn(result)).toEqual([
				['1200', 150, ...bank],
				['8400', -10.1, ...sales],
			]);
			expect(result.hints.map(({ message }) => message).join()).toContain('no fiscal year before');
			expect(await gateway.requests()).toHaveLength(3);
		},
	);

	it('a month says nothing of the change where the books have a chart that it doesn’t know', async () => {
		await onlyYear('SKR49');
		const result = await run({ compareWith: 'monthBefore', bisPeriode: 2 });
		expect(comparedIn(result)).toEqual([
			['1200', 130, 150, -20, 50, null],
			['8400', -10.3, -10.1, -0.2, -10.1, null],
		]);
		expect(result.hints.map(({ message }) => message).join()).toContain('has the chart "SKR49"');
	});

	const values = { compareWith: 'yearBefore', bisPeriode: 1 };
	/** Neither movements nor balances give the balance of the year. */
	const unclear = (one: string) => balanceOf(one, 0, { 1: 100 }, 777);

	it('a year before that doesn’t tell the balances of some accounts names them', async () => {
		const years = { '2026-01-01': NOW, '2025-01-01': [BEFORE[0], unclear('8400'), unclear('4120')] };
		await answers(years);
		const some = await run(values);
		expect(some.error).toBeUndefined();
		expect(comparedIn(some)).toEqual([
			['1200', 150, 70, 50, 30, 80],
			['8400', -10.1, null, -10.1, null, null],
			['4120', 0, null, 0, null, null],
		]);
		expect(some.hints.map(({ message }) => message).join()).toMatch(/had before aren't known.*: 8400, 4120/);
		await answers(years);
		expect((await run({ ...values, output: 'reviewText' })).json).toMatchObject([
			{ text: { de: expect.stringMatching(/verändert haben, ist nicht bekannt: 8400, 4120$/m) as string } },
		]);
	});

	it('a year before that tells no balance at all fails nothing: this year’s are there', async () => {
		await answers({ '2026-01-01': NOW, '2025-01-01': ['1200', '8400'].map(unclear) });
		expect(comparedIn(await run(values))).toEqual([
			['1200', 150, null, 50, null, null],
			['8400', -10.1, null, -10.1, null, null],
		]);
	});

	it('asks for nothing else unless it is wanted, and for a month where it needs one', async () => {
		const { json } = await run({});
		expect(Object.keys(json[0])).not.toContain('change');
		expect(await gateway.requests()).toHaveLength(1);
		const { error } = await run({ compareWith: 'monthBefore', asOf: 'yearEnd' });
		expect(error?.message).toContain('Compare With (compareWith) "monthBefore" needs a month');
	});
});

it.each(['2025-01-01', '2026-01-01'])('A 403 for the year from %s is explained', async (contains) => {
	await gateway.fault({ kind: 'status', status: 403, operationId: 'listTrialBalance', contains });
	const { error } = await run({ compareWith: 'yearBefore' });
	expect(error?.message).toContain(
		'The default company of this connection probably has no export subscription',
	);
	expect(error?.description).toContain('This request takes no companyId');
});
