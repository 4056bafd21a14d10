/** Banks that list late, out of order, twice and in steps; they don't do so in a test of a few days. */
import fc from 'fast-check';
import { memoize } from 'lodash';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';

import { transactionsIn } from '../../../nodes/AccountingGatewayTransactionTrigger/transactions.js';
import {
	type Memory,
	MOST_AT_ONCE,
	remember,
	type Wanted,
	windowFrom,
} from '../../../nodes/AccountingGatewayTransactionTrigger/window.js';

const LOOKBACK = 7;
const WANTED: Wanted = { filter: { direction: 'all' }, includePending: false, lookbackDays: LOOKBACK };
/** The day of a test, which begins with the publication. */
const dayOf = memoize((n: number) => DateTime.fromISO('2026-03-01').plus({ days: n }).toISODate()!);

/** The number of a day: the other way round. */
const nrOf = (day: string) => DateTime.fromISO(day).diff(DateTime.fromISO(dayOf(0)), 'days').days;

interface Transaction {
	id: string;
	day: number;
	status?: string;
	amount?: number;
	description?: string;
	duplicated?: boolean;
}

/** A trigger in an n8n that stores its memory with what is emitted. */
class Trigger {
	stored?: Memory;
	memory?: Memory;
	process = 'n8n 0';
	/** What has started the workflow. */
	readonly started: string[] = [];
	/** What polls have emitted; of that, n8n's record lets each start the workflow once. */
	readonly emitted: string[] = [];
	/** The first days of the windows, by number. */
	readonly asked: number[] = [];

	/** @param filtered whether the gateway heeds the day from which it is to list */
	constructor(
		public wanted = WANTED,
		readonly filtered = true,
	) {}

	/** @param killed whether n8n is killed before the execution begins, or before the memory is stored */
	poll(today: number, bank: Transaction[], killed?: 'before execution' | 'before storing'): string[] {
		const from = windowFrom(this.memory, this.wanted, dayOf(today));
		this.asked.push(nrOf(from));
		const body = bank
			.filter(({ day }) => dayOf(day) >= from || !this.filtered)
			.map(({ day, amount = 1, ...transaction }) => ({
				date: dayOf(day),
				transactions: [{ ...transaction, amount }],
			}));
		const { all } = transactionsIn([{ data: body }], dayOf(today));
		const now = { today: dayOf(today), process: this.process };
		const { fresh, memory } = remember(this.memory, all, this.wanted, now);
		this.memory = memory;
		const ids = fresh.map(({ transaction }) => transaction.id as string);
		this.emitted.push(...ids);
		if (killed === 'before storing') return [];
		if (ids.length > 0) this.store();
		if (killed) return [];
		// n8n's record of what has run.
		const news = ids.filter((id) => !this.started.includes(id));
		this.started.push(...news);
		return news;
	}

	/** Starts n8n again, or publishes the workflow with other parameters. */
	restart(wanted = this.wanted): void {
		this.memory = structuredClone(this.stored);
		this.process = `n8n ${Number(this.process.slice(4)) + 1}`;
		this.wanted = wanted;
	}

	/** Publication stores the memory whether or not something was emitted. */
	store(): void {
		this.stored = JSON.parse(JSON.stringify(this.memory)) as Memory;
	}
}

const published = (bank: Transaction[] = [], wanted = WANTED) => {
	const trigger = new Trigger(wanted);
	trigger.poll(0, bank);
	trigger.store();
	return trigger;
};

describe('A transaction that is pending', () => {
	it('starts the workflow when it is booked, though the bank lists it no more for some days in between', () => {
		const trigger = published();
		const daily = (day: number) => ({ id: `daily ${day}`, day });
		const pending = { id: 'a', day: 1, status: 'pending' };
		for (let day = 1; day <= 30; day++) trigger.poll(day, [pending, daily(day)]);
		for (let day = 31; day <= 36; day++) trigger.poll(day, [daily(day)]);
		expect(trigger.poll(37, [{ ...pending, status: 'posted' }, daily(37)])).toEqual(['a', 'daily 37']);
	});

	it('keeps the window open no longer than a week after it is gone, and at most a year', () => {
		// Those that start nothing move the window, too.
		const trigger = published([], { ...WANTED, filter: { direction: 'all', minAmount: 100 } });
		const pending = { id: 'a', day: 1, status: 'pending' };
		const planned = { id: 'planned', day: 1000 };
		const daily = (day: number) => ({ id: `daily ${day}`, day });
		for (let day = 1; day < 100; day++) trigger.poll(day, [pending, daily(day), planned]);
		expect(trigger.asked.at(-1), 'first day of the window').toBeLessThanOrEqual(1);
		for (let day = 100; day < 120; day++) trigger.poll(day, [daily(day)]);
		expect(trigger.asked.at(-1), 'first day of the window').toBeGreaterThan(100);
		const old = { ...pending, id: 'b', day: 120 };
		for (let day = 120; day < 510; day++) trigger.poll(day, [old, daily(day)]);
		expect(trigger.asked.at(-25), 'first day of the window').toBeLessThanOrEqual(120);
		expect(trigger.asked.at(-1), 'first day of the window').toBeGreaterThan(480);
		expect(JSON.stringify(trigger.memory).length).toBeLessThan(4_000);
	});
});

it('A transaction that the filter leaves out while it is pending starts the workflow when it is booked', () => {
	const filter = { direction: 'all' as const, minAmount: 100 };
	const trigger = published([], { ...WANTED, filter, includePending: true });
	for (const amount of [1, 150]) {
		const [pending, booked] = ['pending', 'posted'].map((status) => ({ id: `${amount}`, day: 1, status }));
		const news = [trigger.poll(1, [{ ...pending, amount }]), trigger.poll(2, [{ ...booked, amount: 150 }])];
		expect(news.flat()).toEqual([`${amount}`]);
	}
});

describe('A transaction that the filter left out', () => {
	const filter = { direction: 'all' as const, minAmount: 100, text: 'Miete' };
	const right = { id: 'a', day: 1, amount: 150, description: 'Miete März' };

	it.each<[string, Partial<Transaction>]>([
		['text', { description: '' }],
		['amount', { amount: 0 }],
		['mark as a duplicate', { duplicated: true }],
	])('starts the workflow once when the bank puts its %s right, after a restart as well', (_what, wrong) => {
		const trigger = published([], { ...WANTED, filter });
		expect(trigger.poll(1, [{ ...right, ...wrong }])).toEqual([]);
		trigger.store();
		trigger.restart();
		expect(trigger.poll(2, [{ ...right, ...wrong }])).toEqual([]);
		expect(trigger.poll(3, [right])).toEqual(['a']);
		expect(trigger.poll(4, [right])).toEqual([]);
		// It was right, and the bank changes it: it has started.
		trigger.poll(5, [{ ...right, ...wrong }]);
		expect(trigger.poll(6, [right])).toEqual([]);
	});

	it('isn’t brought back by a changed filter, whatever the bank changes about it, nor by the former filter', () => {
		const trigger = published([], { ...WANTED, filter });
		const small = { ...right, amount: 50 };
		const unlisted = { ...small, id: 'b' };
		trigger.poll(1, [small, unlisted]);
		trigger.store();
		trigger.restart({ ...WANTED, filter: { ...filter, minAmount: 10 } });
		expect(trigger.poll(2, [small])).toEqual([]);
		expect(trigger.poll(3, [{ ...small, description: 'Miete, neu' }, unlisted])).toEqual([]);
		trigger.restart({ ...WANTED, filter });
		expect(trigger.poll(4, [small, right])).toEqual([]);
	});

	it('starts it under a new filter that left it out, too', () => {
		const trigger = published([], { ...WANTED, filter });
		const without = { ...right, description: '' };
		trigger.poll(1, [without]);
		trigger.store();
		trigger.restart({ ...WANTED, filter: { ...filter, minAmount: 10 } });
		expect(trigger.poll(2, [without])).toEqual([]);
		expect(trigger.poll(3, [right])).toEqual(['a']);
	});

	it('stays out if the bank listed it before the publication', () => {
		const trigger = published([{ ...right, amount: 1 }], { ...WANTED, filter });
		expect(trigger.poll(1, [right])).toEqual([]);
	});
});

describe('More transactions than one execution takes', () => {
	const many = (name: string, day: number, count: number, amount = 1) =>
		Array.from({ length: count }, (_, i) => ({ id: `${name} ${i}`, day, amount }));

	it('come with the next polls, each once, oldest first, after a gap as well', () => {
		const trigger = published();
		const bank = [...many('b', 20, MOST_AT_ONCE), ...many('a', 1, MOST_AT_ONCE + 200)];
		const emitted = [20, 20, 21, 21].map((day) => trigger.poll(day, bank));
		expect(emitted.map(({ length }) => length)).toEqual([MOST_AT_ONCE, MOST_AT_ONCE, 200, 0]);
		expect(emitted.flat().slice(0, MOST_AT_ONCE + 200)).toEqual(bank.slice(MOST_AT_ONCE).map(({ id }) => id));
	});

	it('come as well from a start date that is more than a year ago', () => {
		const trigger = new Trigger({ ...WANTED, startDate: dayOf(-700) });
		const bank = [...many('old', -600, MOST_AT_ONCE + 1), { id: 'new', day: 0 }];
		expect([1, 1].map((day) => trigger.poll(day, bank).length)).toEqual([MOST_AT_ONCE, 2]);
	});

	it('don’t let a changed filter bring back what the old one left out', () => {
		const trigger = published([], { ...WANTED, filter: { direction: 'all', minAmount: 100 } });
		const bank = [...many('large', 1, 2 * MOST_AT_ONCE, 150), ...many('small', 2, 10, 50)];
		trigger.restart({ ...WANTED, filter: { direction: 'all', minAmount: 10 } });
		for (let poll = 0; poll < 4; poll++) trigger.poll(3, bank);
		expect(trigger.started).toHaveLength(2 * MOST_AT_ONCE);
		expect(trigger.started.filter((id) => id.startsWith('small'))).toEqual([]);
	});
});

it('After a gap, what the bank imports later and in steps comes, for as long as the gap was', () => {
	const trigger = published([{ id: 'before', day: 0 }]);
	for (let day = 1; day < 30; day++) trigger.poll(day, []);
	const bank: Transaction[] = [{ id: 'newest', day: 30 }];
	expect(trigger.poll(30, bank)).toEqual(['newest']);
	for (const [today, day] of [
		[31, 20],
		[45, 1],
		[66, 15],
	]) {
		const late = { id: `of day ${day}`, day };
		// The window doesn't close in between.
		expect(trigger.poll(today - 1, bank)).toEqual([]);
		bank.push(late, { id: `of day ${today}`, day: today });
		expect(trigger.poll(today, bank)).toEqual([late.id, `of day ${today}`]);
	}
	for (let day = 67; day < 140; day++) trigger.poll(day, [...bank, { id: `daily ${day}`, day }]);
	expect(trigger.asked.at(-1), 'first day of the window').toBeGreaterThan(110);
});

it('A transaction that the bank moves to another day is the same one', () => {
	const trigger = published();
	expect(trigger.poll(1, [{ id: 'a', day: 1 }])).toEqual(['a']);
	for (let day = 2; day < 30; day++) expect(trigger.poll(day, [{ id: `${day}`, day }])).toEqual([`${day}`]);
	expect(trigger.poll(30, [{ id: 'a', day: 30 }])).toEqual([]);
	expect(trigger.emitted.filter((id) => id === 'a')).toEqual(['a']);
});

it('A transaction that is planned for a later day does not hide those before it', () => {
	const bank: Transaction[] = [{ id: 'planned', day: 100 }];
	const trigger = published();
	expect(trigger.poll(1, bank)).toEqual(['planned']);
	for (let day = 2; day < 100; day++) {
		const news = day % 10 === 0 ? [{ id: `${day}`, day }] : [];
		bank.push(...news);
		expect(trigger.poll(day, bank)).toEqual(news.map(({ id }) => id));
	}
});

it('A clock that was years ahead for a while does not stop the transaction trigger', () => {
	const trigger = published();
	for (const day of [2000, 2001]) trigger.poll(day, [{ id: 'a', day: 0 }]);
	expect(trigger.poll(1, [{ id: 'b', day: 1 }])).toEqual(['b']);
});

/** A transaction at a bank that lists it late, perhaps pending at first, moved, or in a gap. */
const transactions = fc.array(
	fc.record({
		day: fc.integer({ min: -20, max: 60 }),
		late: fc.integer({ min: 0, max: 50 }),
		pendingFor: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })),
		moves: fc.integer({ min: 0, max: 3 }),
		/** How many days ahead its day may be. */
		ahead: fc.constantFrom(0, 0, 30),
		amount: fc.constantFrom(50, 150),
		isTwice: fc.boolean(),
	}),
	{ maxLength: 25 },
);
const polls = fc.array(
	fc.record({
		/** What happens on the day: most of the time, a poll. */
		event: fc.oneof(
			{ weight: 8, arbitrary: fc.constant('poll' as const) },
			{
				weight: 4,
				arbitrary: fc.constantFrom('outage', 'restart', 'filter', 'before execution', 'before storing'),
			},
		),
		isReversed: fc.boolean(),
	}),
	{ minLength: 120, maxLength: 120 },
);
const outage = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 40 }));

it('Each transaction that is listed as booked within the window starts the workflow once, whatever the bank does', () => {
	fc.assert(
		fc.property(transactions, polls, outage, outage, fc.boolean(), (all, calendar, silent, off, filtered) => {
			const [silentFrom, silence] = silent;
			/** The bank's consent has expired: the gateway gets nothing. */
			const isSilent = (day: number) => day >= silentFrom && day < silentFrom + silence;
			const at = (today: number) =>
				all.flatMap(({ day, late, pendingFor, moves, ahead, amount, isTwice }, i): Transaction[] => {
					const listedOn = day + late;
					if (today < listedOn) return [];
					// While there is no consent, the gateway shows the state of the last day before.
					const seenOn = isSilent(today) ? silentFrom - 1 : today;
					if (seenOn < listedOn) return [];
					const isPending = seenOn < listedOn + pendingFor;
					const moved = isPending ? day : day + moves;
					const one = {
						id: `t${i}`,
						day: Math.min(moved, seenOn + ahead),
						amount,
						status: isPending ? 'pending' : 'posted',
					};
					return isTwice ? [one, { ...one, status: 'pending' }] : [one];
				});

			const trigger = new Trigger(WANTED, filtered);
			/** The ends of gaps: until when which days stay open, by the promise. */
			const promised: Array<{ from: number; until: number }> = [];
			const must = new Set<string>();
			const mustNot = new Set<string>();
			const judged = new Set<string>();
			const wasPending = new Set<string>();
			let newest: number | undefined;
			let filter = WANTED.filter;
			for (const [i, { event, isReversed }] of calendar.entries()) {
				const isFirst = i === 0;
				// Every third day has two polls.
				const today = Math.floor((i * 3) / 4);
				if (!isFirst && (event === 'outage' || (today >= off[0] && today < off[0] + off[1]))) continue;
				const bank = at(today);
				if (isReversed) bank.reverse();
				const earlier = filter;
				if (event === 'restart') trigger.restart();
				if (event === 'filter') {
					filter = filter.minAmount ? { direction: 'all' } : { direction: 'all', minAmount: 100 };
					trigger.restart({ ...WANTED, filter });
					// What a kill has kept from starting the workflow until now is judged by the new filter, too.
					const { minAmount = 0 } = filter;
					for (const id of must)
						if (!trigger.started.includes(id) && all[Number(id.slice(1))].amount < minAmount) must.delete(id);
				}
				for (const { id, day, status, amount = 0 } of bank) {
					if (judged.has(id)) continue;
					// The first window begins a week before the publication, even if the gateway lists more.
					const isOpen =
						day >= -LOOKBACK &&
						(day >= (newest ?? 0) - LOOKBACK ||
							wasPending.has(id) ||
							promised.some(({ from, until }) => day >= from && today <= until));
					if (status === 'pending') {
						const isBooked = bank.some((one) => one.id === id && one.status === 'posted');
						if (isOpen && !isBooked) wasPending.add(id);
					} else {
						judged.add(id);
						const passes = [earlier, filter].every(({ minAmount = 0 }) => amount >= minAmount);
						if (isFirst || !passes || day < -LOOKBACK) mustNot.add(id);
						else if (isOpen) must.add(id);
					}
				}
				const killed = event === 'before execution' || event === 'before storing' ? event : undefined;
				trigger.poll(today, bank, killed);
				if (isFirst || event === 'filter' || event === 'restart') trigger.store();
				if (killed) trigger.restart();
				const past = bank.map(({ day }) => day).filter((day) => day >= -LOOKBACK && day <= today);
				const now = Math.max(-Infinity, ...past);
				if (newest === undefined) newest = Number.isFinite(now) ? now : 0;
				else if (now > newest) {
					promised.push({ from: newest - LOOKBACK, until: today + (today - newest) + LOOKBACK });
					newest = now;
				}
			}
			// n8n runs on for two days, so that what a kill has left behind comes, too.
			for (const today of [calendar.length, calendar.length]) trigger.poll(today, at(today));
			const { started } = trigger;
			const twice = started.filter((id, i) => started.indexOf(id) < i);
			expect(twice, 'started the workflow twice').toEqual([]);
			const wrongly = started.filter((id) => mustNot.has(id));
			expect(wrongly, 'started it though it was there before, or left out').toEqual([]);
			const lost = [...must].filter((id) => !started.includes(id));
			expect(lost, 'never started the workflow').toEqual([]);
		}),
		// A failure is told in time, even if it isn't the smallest one.
		{ numRuns: 150, interruptAfterTimeLimit: 15_000 },
	);
});
