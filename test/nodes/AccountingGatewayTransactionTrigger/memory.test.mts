/** Cases that a bank doesn't make in a test of a few days. */
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';

import {
	firstDay,
	type Memory,
	MOST_AT_ONCE,
	remember,
	type Wanted,
} from '../../../nodes/AccountingGatewayTransactionTrigger/memory.js';
import { transactionsIn } from '../../../nodes/AccountingGatewayTransactionTrigger/transactions.js';

const WANTED: Wanted = { filter: { direction: 'all' }, includePending: false, lookbackDays: 7 };

/** A bank by days, and a trigger that polls it. */
class Polls {
	memory?: Memory;
	readonly asked: string[] = [];
	process = 'one';

	constructor(
		private readonly bank: Record<string, string[]>,
		public wanted = WANTED,
	) {}

	poll(today: string): string[] {
		const now = { today, process: this.process };
		const from = firstDay(this.memory, this.wanted, now);
		this.asked.push(from);
		// All of it: a gateway may ignore `from_date`.
		const days = Object.entries(this.bank).map(([date, ids]) => ({
			date,
			transactions: ids.map((id) => ({ id, amount: 1 })),
		}));
		const { all } = transactionsIn({ data: days }, today);
		const { fresh, memory } = remember(this.memory, all, from, this.wanted, now);
		this.memory = JSON.parse(JSON.stringify(memory)) as Memory;
		return fresh.map(({ transaction }) => transaction.id as string);
	}
}

const many = (day: string, count: number) => Array.from({ length: count }, (_, i) => `${day} ${i}`);

describe('more than one execution takes', () => {
	it('comes with the next polls, each once, oldest first, after a gap as well', () => {
		const bank: Record<string, string[]> = {};
		const polls = new Polls(bank);
		polls.poll('2026-03-01');
		bank['2026-03-02'] = many('a', MOST_AT_ONCE + 200);
		bank['2026-03-20'] = many('b', MOST_AT_ONCE);
		const emitted = ['2026-03-20', '2026-03-20', '2026-03-21', '2026-03-21'].map((day) => polls.poll(day));
		expect(emitted.map(({ length }) => length)).toEqual([MOST_AT_ONCE, MOST_AT_ONCE, 200, 0]);
		expect(emitted.flat()).toEqual([...bank['2026-03-02'], ...bank['2026-03-20']]);
	});

	it('comes once from before the publication, too, with a start date', () => {
		const bank = { '2025-12-01': many('a', 2 * MOST_AT_ONCE + 1), '2026-03-01': ['b'] };
		const polls = new Polls(bank);
		expect(polls.poll('2026-03-01')).toEqual([]);
		polls.wanted = { ...WANTED, startDate: '2025-12-01' };
		const emitted = [1, 2, 3, 4].map(() => polls.poll('2026-03-01'));
		expect(emitted.map(({ length }) => length)).toEqual([MOST_AT_ONCE, MOST_AT_ONCE, 2, 0]);
		expect(new Set(emitted.flat()).size).toBe(2 * MOST_AT_ONCE + 2);
		// What is that old is forgotten, as it isn't read again.
		expect(JSON.stringify(polls.memory).length).toBeLessThan(500);
		expect(polls.asked).toEqual(['2026-02-22', '2025-12-01', '2025-12-01', '2025-12-01', '2026-02-22']);
	});
});

it('a booking that the bank moves to another day is the same one', () => {
	const bank: Record<string, string[]> = {};
	const polls = new Polls(bank);
	polls.poll('2026-03-01');
	bank['2026-03-01'] = ['a'];
	expect(polls.poll('2026-03-01')).toEqual(['a']);
	delete bank['2026-03-01'];
	for (const day of ['2026-03-20', '2026-03-21']) expect(polls.poll(day)).toEqual([]);
	bank['2026-03-21'] = ['a'];
	expect(polls.poll('2026-03-22')).toEqual([]);
});

describe('a gateway that gets nothing for weeks, as the consent of the bank has expired', () => {
	const silent = (days: number) => {
		const bank: Record<string, string[]> = {};
		const polls = new Polls(bank);
		polls.poll('2025-11-01');
		bank['2025-11-08'] = ['before'];
		expect(polls.poll('2025-11-08')).toEqual(['before']);
		const day = (n: number) => DateTime.fromISO('2025-11-08').plus({ days: n }).toISODate()!;
		for (let n = 1; n <= days; n++) expect(polls.poll(day(n))).toEqual([]);
		return { bank, polls, day };
	};

	it('lists all of it afterwards: nothing is lost', () => {
		const { bank, polls, day } = silent(60);
		for (const n of [1, 30, 59]) bank[day(n)] = [`paid on day ${n}`];
		expect(polls.poll(day(61))).toEqual(['paid on day 1', 'paid on day 30', 'paid on day 59']);
		expect(polls.poll(day(62))).toEqual([]);
		expect(polls.asked.at(-1)).toBe(day(59 - 7));
	});

	it('is read for 90 days from the latest transaction on, and no longer', () => {
		const { polls, day } = silent(200);
		expect(polls.asked.at(-1)).toBe(day(199 - 90 - 7));
	});
});

it('what a gateway lists although it was not asked for starts nothing from before, and what is new', () => {
	const bank: Record<string, string[]> = { '2026-01-01': ['old'] };
	const polls = new Polls(bank);
	polls.poll('2026-03-01');
	bank['2026-01-02'] = ['older than a week'];
	for (const day of ['2026-03-02', '2026-05-01', '2026-05-02']) expect(polls.poll(day)).toEqual([]);
	bank['2026-04-20'] = ['late'];
	expect(polls.poll('2026-05-02')).toEqual(['late']);
	for (const day of ['2026-05-03', '2026-09-01', '2026-09-02']) expect(polls.poll(day)).toEqual([]);
});

it('a clock that was years ahead for a while does not stop it', () => {
	const bank: Record<string, string[]> = {};
	const polls = new Polls(bank);
	for (const day of ['2026-03-01', '2031-01-01', '2031-01-02']) polls.poll(day);
	bank['2026-03-02'] = ['a'];
	expect(polls.poll('2026-03-02')).toEqual(['a']);
});

it('after a kill, all that was emitted last comes again, from the day from which it was read', () => {
	const bank: Record<string, string[]> = {};
	const polls = new Polls(bank);
	polls.poll('2026-03-01');
	bank['2026-03-02'] = ['a'];
	bank['2026-03-20'] = ['b'];
	expect(polls.poll('2026-03-20')).toEqual(['a', 'b']);
	polls.process = 'two';
	expect(polls.poll('2026-03-28')).toEqual(['a', 'b']);
	polls.process = 'three';
	expect(polls.poll('2026-03-28')).toEqual([]);
});
