/** Balances at the end of a month, whatever a gateway's period values are. */
import axios from 'axios';
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { upToPeriod } from '../../../../nodes/AccountingGatewayData/trialBalance/upToPeriod.js';
import type { RunOptions } from '../../../../host/harness.mjs';
import { amount, balanceOf, locator, useDataNode } from '../../../support/dataNode.mjs';

const { gateway, ...data } = useDataNode();

const run = async (
	{ bisPeriode }: INodeParameters,
	changes: INodeParameters = {},
	options?: Partial<RunOptions>,
) => {
	const geschaeftsjahrStartDatum = locator('2026-01-01', 'value');
	const asOf = bisPeriode === undefined ? { asOf: 'yearEnd' } : { asOf: 'period', bisPeriode };
	return await data.run('trialBalance', { geschaeftsjahrStartDatum, ...asOf, ...changes }, options);
};
/** The gateway answers with these accounts. */
const answers = async (accounts: IDataObject[]) => await data.answers({ data: accounts });

/** All amounts in cents; a list of periods, or one amount of each. */
const account = (
	kontonummer: string,
	opening: number,
	periods: Record<number, number> | Array<[periode: number, cents: number]>,
	closing: number,
): IDataObject => {
	const all = Array.isArray(periods) ? periods : Object.entries(periods);
	const inEuros = all.map(([periode, cents]): [number, number] => [Number(periode), cents / 100]);
	return balanceOf(kontonummer, opening / 100, inEuros, closing / 100);
};
const balanceAt = (period: number, ...accounts: IDataObject[]) =>
	upToPeriod(accounts, period).rows.map(({ saldoSigned }) => saldoSigned);

/** The bookings of an account, month by month, and the two ways in which a gateway may tell of them. */
const accounts = fc
	.record({
		opening: fc.integer({ min: -100_000, max: 100_000 }),
		movements: fc.uniqueArray(
			fc.tuple(fc.integer({ min: 0, max: 13 }), fc.integer({ min: -100_000, max: 100_000 })),
			{ selector: ([period]) => period, maxLength: 14 },
		),
	})
	.map(({ opening, movements }) => {
		const until = (last: number) =>
			movements.reduce((sum, [period, cents]) => sum + (period <= last ? cents : 0), opening);
		const balances = movements.map(([period]): [number, number] => [period, until(period)]);
		const closing = until(Infinity);
		return {
			until,
			moved: account('1000', opening, movements, closing),
			balanced: account('1000', opening, balances, closing),
		};
	});

/** Tells which of the two it is: an opening balance, so that neither is the other. */
const plain = (habit: 'movements' | 'balances') =>
	account('9999', 100, { 1: habit === 'movements' ? 50 : 150 }, 150);

describe('The balances at the end of a period', () => {
	it('are the same, to the cent, of movements and of balances, in any order of the periods', () => {
		fc.assert(
			fc.property(accounts, fc.integer({ min: 1, max: 13 }), ({ until, moved, balanced }, period) => {
				const expected = until(period) / 100 + 0;
				expect(balanceAt(period, moved, plain('movements'))[0]).toBe(expected);
				expect(balanceAt(period, balanced, plain('balances'))[0]).toBe(expected);
			}),
		);
	});

	it('are told account by account', () => {
		const moved = account('1000', 1000, { 1: 200, 2: -300 }, 900);
		const balanced = account('1200', 1000, { 1: 1200, 2: 900 }, 900);
		expect(balanceAt(1, moved, balanced)).toEqual([12, 12]);
	});

	it('have what came up to the period, with the sign of its side: debit positive', () => {
		const { rows } = upToPeriod([account('1000', -1000, { 1: 200, 10: -300, 11: 99 }, -1001)], 10);
		const [row] = rows;
		expect(row).toEqual({
			kontonummer: '1000',
			kontobeschriftung: 'Konto 1000',
			periode: 10,
			ebWertSigned: -10,
			umsatzSoll: null,
			umsatzHaben: null,
			umsatzSigned: -1,
			saldoSigned: -11,
		});
	});

	it('are 0 of an account that has neither an opening balance nor periods', () => {
		expect(balanceAt(2, { ...account('1000', 0, {}, 0), ebWert: null, periodenwerte: null })).toEqual([0]);
	});

	it('bear the noise of a gateway that adds up floating-point numbers', () => {
		const noisy = account('1000', 10, { 1: 20 }, 30);
		(noisy.saldo as IDataObject).betrag = 0.1 + 0.2;
		expect(balanceAt(1, noisy)).toEqual([0.3]);
	});

	describe('of an account whose values fit both', () => {
		/** 1.00 came and went; then 0.30 came. As balances: 1.00, -1.00, 0.30. */
		const transit = account('1360', 0, { 1: 100, 2: -100, 3: 30 }, 30);

		it('are those that both give', () => {
			expect(balanceAt(1, transit)).toEqual([1]);
			expect(balanceAt(3, transit)).toEqual([0.3]);
		});

		it('are told by the other accounts', () => {
			expect(balanceAt(2, transit, plain('movements'))[0]).toBe(0);
			expect(balanceAt(2, transit, plain('balances'))[0]).toBe(-1);
		});

		it('aren’t guessed where the others don’t agree, or don’t tell either', () => {
			expect(() => balanceAt(2, transit)).toThrow(
				"doesn't tell the balance at the end of period 2 of account 1360",
			);
			// The rest of the report comes.
			expect(upToPeriod([transit, plain('movements'), plain('balances')], 2)).toMatchObject({
				rows: [
					{ kontonummer: '1360', ebWertSigned: 0, saldoSigned: null },
					{ saldoSigned: 1.5 },
					{ saldoSigned: 1.5 },
				],
				unclear: ['1360'],
			});
		});
	});

	it('count an opening balance once that is listed as period 0 as well, in movements and in balances', () => {
		for (const [first, second] of [
			[50, -20],
			[150, 130],
		]) {
			const twice = account('1200', 100, { 0: 100, 1: first, 2: second }, 130);
			// Nothing has moved on this one, so it tells nothing about the others.
			const still = account('0420', 70, { 0: 70 }, 70);
			const transit = account('1360', 0, { 0: 0, 1: first, 2: second }, first > 100 ? 130 : 30);
			expect(balanceAt(1, twice, still, transit).slice(0, 2)).toEqual([1.5, 0.7]);
			expect(balanceAt(2, twice, still, transit)).toEqual([1.3, 0.7, first > 100 ? 1.3 : 0.3]);
		}
	});

	it('miss on an account whose periods tell nothing: its row is there, and a warning names it', async () => {
		const odd = { ...account('1590', 0, { 202603: 5 }, 5), kontobeschriftung: 'Durchlaufende Posten' };
		const moved = account('1200', 100, { 1: 50 }, 150);
		await answers([moved, odd]);
		const { json, hints, error } = await run({ bisPeriode: 1 });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ kontonummer: '1200', saldoSigned: 1.5 },
			{ kontonummer: '1590', kontobeschriftung: 'Durchlaufende Posten', saldoSigned: null },
		]);
		expect(hints).toContainEqual(
			expect.objectContaining({
				message: expect.stringMatching(/don’t tell the balance .*: 1590/) as string,
			}),
		);
		await answers([moved, odd]);
		const periods = await run({ bisPeriode: 1 }, { output: 'periods' });
		expect(periods.json).toMatchObject([{ kontonummer: '1200', periode: 1 }]);
		await answers([odd]);
		expect((await run({ bisPeriode: 1 })).error?.message).toContain('of account 1590');
	});

	const good = plain('movements');
	const twiceInPeriod1 = [160, 150].map((cents): [number, number] => [1, cents]);
	it.each<[string, IDataObject]>([
		['has no periods, but another balance than the opening one', account('1200', 100, {}, 150)],
		['differs by a cent', account('1200', 100, { 1: 50 }, 151)],
		['has no balance', { ...good, kontonummer: '1200', saldo: null }],
		[
			'has a value of an unknown side',
			{ ...good, kontonummer: '1200', periodenwerte: [{ periode: 1, saldo: { betrag: 1 } }] },
		],
		[
			'has a period without a number',
			{ ...good, kontonummer: '1200', periodenwerte: [{ periode: '1', saldo: amount(0.5) }] },
		],
		['counts its periods otherwise, as of the calendar', account('1200', 100, { 202601: 50 }, 150)],
		['has no list of periods', { ...good, kontonummer: '1200', periodenwerte: 'none' }],
		['has two balances of a period', account('1200', 100, twiceInPeriod1, 150)],
	])('aren’t guessed of an account that %s', (_what, strange) => {
		expect(upToPeriod([good, strange], 1)).toMatchObject({
			rows: [{ saldoSigned: 1.5 }, { kontonummer: '1200', umsatzSigned: null, saldoSigned: null }],
			unclear: ['1200'],
		});
		expect(() => balanceAt(1, strange)).toThrow(/ of account 1200$/);
	});
});

describe.each(['movements', 'balances'])('A gateway whose period values are %s', (periodValues) => {
	/** The balances of the year when that day was today. */
	async function atTheEndOf(day: string): Promise<Map<unknown, unknown>> {
		await axios.post(`${gateway.sandbox.url}/sandbox/clock`, { now: `${day}T12:00:00Z` });
		const { json } = await run({});
		return new Map(json.map(({ kontonummer, saldoSigned }) => [kontonummer, saldoSigned]));
	}

	it.each([
		[1, '2026-01-31'],
		[12, '2026-11-20'],
	])('gives at the end of period %i what the books had on %s', async (bisPeriode, last) => {
		await gateway.variant({ periodValues });
		const { json, error } = await run({ bisPeriode });
		expect(error).toBeUndefined();
		expect(Object.keys(json[0]).slice(0, 3)).toEqual(['kontonummer', 'kontobeschriftung', 'periode']);
		const then = await atTheEndOf(last);
		expect(json.map(({ kontonummer, saldoSigned }) => [kontonummer, saldoSigned])).toEqual(
			json.map(({ kontonummer }) => [kontonummer, then.get(kontonummer) ?? 0]),
		);
		expect(json.map(({ kontonummer }) => kontonummer)).toEqual(expect.arrayContaining([...then.keys()]));
	});
});

describe('Month (bisPeriode) of a trial balance', () => {
	it('leaves the later periods out of the output Periods, which shows what the gateway says', async () => {
		const { json } = await run({ bisPeriode: 2 }, { output: 'periods' });
		expect(new Set(json.map(({ periode }) => periode))).toEqual(new Set([1, 2]));
		const { json: all } = await run({}, { output: 'periods' });
		expect(json).toEqual(all.filter(({ periode }) => (periode as number) <= 2));
	});

	it('leaves nothing out where periods are counted otherwise', async () => {
		const strange = account('1200', 100, { 202601: 50 }, 150);
		await answers([strange]);
		const { json, error } = await run({ bisPeriode: 2 }, { output: 'periods' });
		expect(json).toEqual([]);
		expect(error?.message).toContain("doesn't tell the balance at the end of period 2 of account 1200");
		await answers([strange]);
		expect((await run({}, { output: 'periods' })).json).toMatchObject([
			{ periode: 202601, saldoSigned: 0.5 },
		]);
	});

	it('names the account and the way on where nothing tells, and leaves the untouched answer alone', async () => {
		const strange = account('1200', 100, { 1: 50 }, 175);
		await answers([strange]);
		const { json, error } = await run({ bisPeriode: 1 });
		expect(json).toEqual([]);
		expect(error?.message).toBe(
			"The gateway's answer isn't what was expected: it doesn't tell the balance at the end of period 1 of account 1200",
		);
		expect(error?.description).toMatch(/^Whether the values .* Output "Periods"/);
		await answers([strange]);
		expect((await run({ bisPeriode: 1 }, { simple: false })).json).toEqual([{ data: [strange] }]);
	});

	it.each([
		['2026-11-20', 10, '2026-01-01'],
		['2026-01-02', 12, '2025-01-01'],
	])('is last month on %s: period %i of the year from %s', async (today, period, start) => {
		await axios.post(`${gateway.sandbox.url}/sandbox/clock`, { now: `${today}T09:00:00Z` });
		vi.useFakeTimers({ now: new Date(`${today}T09:00:00Z`), toFake: ['Date'] });
		try {
			const { json, error } = await run(
				{},
				{ asOf: 'lastMonth', geschaeftsjahrStartDatum: locator('', 'list') },
			);
			expect(error).toBeUndefined();
			expect(new Set(json.map(({ periode }) => periode))).toEqual(new Set([period]));
			expect(((await gateway.requests()).at(-1)!.query as IDataObject).geschaeftsjahrStartDatum).toBe(start);
		} finally {
			vi.useRealTimers();
		}
	});

	it.each([
		['the first of December in', 'Pacific/Kiritimati', '2026-11-30T12:00:00Z', 11],
		['the last of November in', 'Pacific/Pago_Pago', '2026-12-01T08:00:00Z', 10],
	])('is last month where the office is: %s %s', async (_, timezone, now, period) => {
		vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
		try {
			const { json, error } = await run({}, { asOf: 'lastMonth' }, { workflowSettings: { timezone } });
			expect(error).toBeUndefined();
			expect(new Set(json.map(({ periode }) => periode))).toEqual(new Set([period]));
		} finally {
			vi.useRealTimers();
		}
	});

	const YEAR = 'of the fiscal year from 2026-01-01';
	it.each<[INodeParameters, INodeParameters, time: unknown]>([
		[
			{ bisPeriode: 10 },
			{},
			expect.stringContaining(`: balances at the end of period 10 (October) ${YEAR}, without`),
		],
		[{ bisPeriode: 13 }, {}, expect.stringContaining(`: balances at the end of period 13 ${YEAR}`)],
		[{}, {}, ': balances of all that is booked in the fiscal year from 2026-01-01'],
		[{ bisPeriode: 10 }, { output: 'periods' }, `: periods up to 10 ${YEAR}`],
		[{}, { output: 'periods' }, `: periods ${YEAR}`],
		[{ bisPeriode: 10 }, { simple: false }, ''],
	])('the hint says whose they are, and as of when: %o %o', async (asOf, changes, time) => {
		const { message } = (await run(asOf, changes)).hints.at(-1)!;
		const [, said] = /^Read from the connection's default company \([^)]+\)(.*)\. Credit/.exec(message)!;
		expect(said).toEqual(time);
	});

	it('has the turnover of both sides where no later period has a value', () => {
		const moved = { ...account('1000', 0, { 1: 200, 2: -50 }, 150), umsatzSoll: 2, umsatzHaben: 0.5 };
		const sides = (period: number, one: IDataObject = moved) =>
			upToPeriod([one], period).rows.map(({ umsatzSoll, umsatzHaben }) => [umsatzSoll, umsatzHaben]);
		expect(sides(2)).toEqual([[2, 0.5]]);
		expect(sides(1)).toEqual([[null, null]]);
		// In February, 0.50 came and went: the year's turnover isn't January's, although it comes to the same.
		const cancelled = { ...account('1000', 0, { 1: 150, 2: 0 }, 150), umsatzSoll: 2, umsatzHaben: 0.5 };
		expect(sides(1, cancelled)).toEqual([[null, null]]);
		expect(sides(2, cancelled)).toEqual([[2, 0.5]]);
		moved.umsatzSoll = 3;
		expect(sides(2)).toEqual([[null, null]]);
	});

	it.each([
		[2026, 'must be at most 16'],
		['März', 'must be a number'],
	])('refuses %o before anything is sent: %s', async (bisPeriode, rule) => {
		const { error } = await run({ bisPeriode });
		expect(error?.message).toContain('Month (bisPeriode)');
		expect(error?.message).toContain(rule);
		expect(await gateway.requests()).toEqual([]);
	});

	it('is refused where the fiscal year begins in another month: is 3 its third period, or March?', async () => {
		const rule = 'Month (bisPeriode) "3" is ambiguous in a fiscal year that begins on 2025-07-01';
		const given = await run({ bisPeriode: 3 }, { geschaeftsjahrStartDatum: locator('2025-07-01', 'value') });
		expect(given.error?.message).toContain(rule);
		expect(await gateway.requests()).toEqual([]);
		// Found by a day, it is known after the list of years.
		await answers([{ id: '1', startDatum: '2025-07-01' }]);
		const found = await run({ bisPeriode: 3 }, { geschaeftsjahrStartDatum: locator('2026-03-31', 'day') });
		expect(found.error?.message).toContain(rule);
		expect((await gateway.requests()).map(({ path }) => path)).toEqual([
			'/v2/acct-rewe-read/geschaeftsjahre',
		]);
		// Last month has no field of its own.
		await answers([{ id: '1', startDatum: '2025-07-01', endDatum: '2999-06-30' }]);
		const last = await run({}, { asOf: 'lastMonth' });
		expect(last.error?.message).toContain('As Of (asOf) "lastMonth" is ambiguous in a fiscal year');
	});
});
