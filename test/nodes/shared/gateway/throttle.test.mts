import minBy from 'lodash/minBy.js';
import range from 'lodash/range.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Failure } from '../../../../nodes/shared/errors/failure.js';
import type { SendResult } from '../../../../nodes/shared/gateway/request.js';
import { Throttle } from '../../../../nodes/shared/gateway/throttle.js';
import {
	type Gateway,
	KINDS,
	MAX,
	ok,
	read,
	READS,
	refusal,
	type Run,
	sleep,
	takesAtOnce,
} from '../../../support/gatewayKinds.mjs';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe.each(Object.entries(KINDS))('a gateway that %s', (_what, gateway) => {
	it('is read in at most 1.2 times the time of the best fixed concurrency, with few refusals', async () => {
		const fixed: Run[] = [];
		for (const concurrency of [1, 2, 4, 8, 16, MAX]) fixed.push(await read(gateway(), concurrency));
		const best = minBy(
			fixed.filter(({ failed }) => failed === 0),
			'time',
		)!;
		const adaptive = await read(gateway(), MAX, new Throttle(MAX));
		expect(adaptive.failed).toBe(0);
		expect(adaptive.most).toBeLessThanOrEqual(MAX);
		expect(adaptive.time / best.time).toBeLessThanOrEqual(1.2);
		// A limit can only be found by meeting it now and then.
		expect(adaptive.refusals).toBeLessThanOrEqual(Math.max(best.refusals, READS * 0.045));
	});
});

describe.each<[string, Gateway]>([
	['an overload', takesAtOnce(4, 50, 1)],
	['too many requests', takesAtOnce(4, 50, 1, 429)],
])('a gateway that answers a fifth concurrent request with %s and asks to wait', (_what, gateway) => {
	it('is left alone meanwhile, and loses no read', async () => {
		const { failed, refusals, time } = await read(gateway, MAX, new Throttle(MAX));
		expect(failed).toBe(0);
		expect(refusals).toBeLessThan(READS * 0.05);
		expect(time).toBeLessThan((await read(gateway, 1)).time * 2);
	});
});

describe.each<[string, () => Gateway]>([
	['429 and Retry-After: 1', () => () => refusal(429, 1)],
	['429', () => () => refusal(429)],
	['503', () => () => refusal(503)],
	['503 and Retry-After: 60', () => () => refusal(503, 60)],
])('a gateway that goes on saying %s', (_what, gateway) => {
	it('is not asked for all reads of a run', async () => {
		const { failed, refusals, time } = await read(gateway(), MAX, new Throttle(MAX), 1000);
		expect(failed).toBe(1000);

		expect(refusals).toBeLessThanOrEqual(4 * MAX);
		// Four tries of one read, with three pauses between them, and a few others beside it.
		expect(time).toBeLessThanOrEqual(4.1 * 60_000);
	});
});

it('a gateway whose limit is used up in the middle of a run is not asked for all the rest', async () => {
	let count = 0;
	const gateway: Gateway = () => (++count > 100 ? refusal(429, 1) : ok);
	const { failed, refusals, time } = await read(gateway, MAX, new Throttle(MAX), 1000);

	expect(failed).toBe(900);
	expect(refusals).toBeLessThanOrEqual(200);
	expect(time).toBeLessThanOrEqual(150_000);
});

it('a gateway that takes 100 requests in a minute, and does not say when again, loses few reads', async () => {
	const counts = new Map<number, number>();
	const gateway: Gateway = () => {
		const minute = Math.floor(Date.now() / 60_000);
		counts.set(minute, (counts.get(minute) ?? 0) + 1);
		return counts.get(minute)! > 100 ? refusal(429) : ok;
	};
	const { failed } = await read(gateway, MAX, new Throttle(MAX), 400);

	expect(failed).toBeLessThan(40);
});

describe('the throttle', () => {
	const read1 = { ok: true, body: [] } as const;
	const refused = (status: number, seconds?: number) =>
		({ ok: false, failure: { status, retryAfter: seconds } as Failure }) as const;
	/** Asks for a start, and notes when it came. */
	function asked(throttle: Throttle, tries?: number, signal?: AbortSignal) {
		const start: { at?: number; isOver?: boolean; leave: (result: SendResult) => void } = {
			leave: () => undefined,
		};
		void throttle
			.enter(signal, tries)
			.then((leave) => Object.assign(start, leave ? { at: performance.now(), leave } : { isOver: true }));
		return start;
	}

	it.each([429, 503])('starts no waiting request before the time named with a %i', async (status) => {
		const throttle = new Throttle(2);
		const [first, second, third, fourth] = range(4).map(() => asked(throttle));
		await vi.advanceTimersByTimeAsync(0);
		expect([first, second, third].map(({ at }) => at !== undefined)).toEqual([true, true, false]);
		const now = performance.now();
		first.leave(refused(status, 7));
		second.leave(read1);
		await vi.advanceTimersByTimeAsync(6999);
		expect([third.at, fourth.at]).toEqual([undefined, undefined]);
		await vi.advanceTimersByTimeAsync(1);
		expect(third.at).toBe(now + 7000);
	});

	it.each<[number, number | undefined, number]>([
		[429, undefined, 500],
		[503, undefined, 0],
		[503, 60, 60_000],
		// A read would not wait for so long either.
		[503, 61, 0],
	])('after a %i with Retry-After %s waits for %i ms', async (status, seconds, ms) => {
		const throttle = new Throttle(1);
		const [first, second] = range(2).map(() => asked(throttle));
		await vi.advanceTimersByTimeAsync(0);
		first.leave(refused(status, seconds));
		await vi.advanceTimersByTimeAsync(100_000);
		expect(second.at! - first.at!).toBe(ms);
	});

	it.each([400, 404, 500, undefined])(
		'changes nothing for the failure %s, which is no refusal',
		async (status) => {
			const throttle = new Throttle(4);
			const first = asked(throttle);
			await vi.advanceTimersByTimeAsync(0);
			first.leave({ ok: false, failure: { status } as Failure });
			expect(throttle.atOnce).toBe(4);
		},
	);

	it('waits with one timer, however many requests wait', async () => {
		const throttle = new Throttle(1);
		const [first] = range(100).map(() => asked(throttle));
		await vi.advanceTimersByTimeAsync(0);
		first.leave(refused(503, 7));
		range(100).forEach(() => asked(throttle));
		expect(vi.getTimerCount()).toBe(1);
	});

	/** Starts as many requests as may be in flight; all are answered at the same time. */
	async function round(throttle: Throttle, milliseconds: number, count = throttle.atOnce) {
		const starts = range(count).map(() => asked(throttle));
		await vi.advanceTimersByTimeAsync(milliseconds);
		for (const { leave } of starts) leave(read1);
	}

	it('goes on growing as long as answers are quick, however long the run', async () => {
		const throttle = new Throttle(16);
		await round(throttle, 10);
		const { atOnce } = throttle;
		await vi.advanceTimersByTimeAsync(60_000);
		await round(throttle, 10);
		expect(throttle.atOnce).toBeGreaterThan(atOnce);
	});

	it.each([
		[45, 9],
		[46, 8],
	])('with answers of 10 and then %i ms has %i at once', async (milliseconds, atOnce) => {
		const throttle = new Throttle(16);
		// One request alone does not reach the limit.
		await round(throttle, 10, 1);
		expect(throttle.atOnce).toBe(8);
		await round(throttle, milliseconds);
		expect(throttle.atOnce).toBe(atOnce);
	});

	/** Starts so many, of which the gateway takes the first ones and refuses the others at once. */
	async function overloaded(throttle: Throttle, count: number, taken: number, result: SendResult) {
		const starts = range(count).map(() => asked(throttle));
		await vi.advanceTimersByTimeAsync(0);
		for (const { leave } of starts.slice(taken)) leave(result);
		await vi.advanceTimersByTimeAsync(10);
		for (const { leave } of starts.slice(0, taken)) leave(read1);
	}

	it.each([429, 503])(
		'has as many in flight as were taken when more were refused with a %i',
		async (status) => {
			const throttle = new Throttle(16);
			await overloaded(throttle, 8, 5, refused(status));
			expect(throttle.atOnce).toBe(5);
		},
	);

	it('tries more than were refused after twenty times the pause that it cost, not before', async () => {
		const throttle = new Throttle(16);
		await overloaded(throttle, 8, 5, refused(503, 1));
		await vi.advanceTimersByTimeAsync(19_000);
		await round(throttle, 10);
		expect(throttle.atOnce).toBe(5);
		await vi.advanceTimersByTimeAsync(1000);
		await round(throttle, 10);
		expect(throttle.atOnce).toBeGreaterThan(5);
	});

	it('takes a refusal of one request alone for none of how many there may be', async () => {
		const start = performance.now();
		const gateway = async () => (performance.now() < start + 3000 ? refusal(429, 1) : (await sleep(50), ok));
		const { time } = await read(gateway, MAX, new Throttle(MAX));
		expect(time).toBeLessThan(3000 + (READS / MAX) * 50 * 2);
	});

	/** Like a gateway that counts: it has taken so many in flight before. */
	async function bearing(count: number): Promise<Throttle> {
		const throttle = new Throttle(count);
		await round(throttle, 10);
		await vi.advanceTimersByTimeAsync(290);
		return throttle;
	}

	it.each([
		[429, 1300 / 7],
		[503, 0],
	])(
		'starts as many in a second as were accepted before a %i to no more in flight than it has taken',
		async (status, interval) => {
			const throttle = await bearing(4);
			const [refusedOne, ...accepted] = range(4).map(() => asked(throttle));
			await vi.advanceTimersByTimeAsync(0);
			refusedOne.leave(refused(status, 1));
			for (const { leave } of accepted) leave(read1);
			await vi.advanceTimersByTimeAsync(1000);
			// The first one alone, until it has succeeded.
			await round(throttle, 0, 1);
			const [first, second] = range(2).map(() => asked(throttle));
			await vi.advanceTimersByTimeAsync(2000);
			// A timer waits for whole milliseconds; successes quicken the pace a little.
			expect(Math.abs(second.at! - first.at! - interval)).toBeLessThan(4);
		},
	);

	it('starts one request alone after a 429, and the others when it has succeeded', async () => {
		const throttle = await bearing(8);
		const [refusedOne] = [asked(throttle)];
		await vi.advanceTimersByTimeAsync(0);
		refusedOne.leave(refused(429, 1));
		const starts = range(3).map(() => asked(throttle));
		const begun = () => starts.filter(({ at }) => at !== undefined).length;
		await vi.advanceTimersByTimeAsync(5000);
		expect(begun()).toBe(1);
		starts[0].leave(read1);
		await vi.advanceTimersByTimeAsync(5000);
		expect(begun()).toBe(3);
	});

	it('makes no pause longer than the longest before a retry, however often it is refused', async () => {
		const throttle = new Throttle(1);
		let last = 0;
		let longest = 0;
		for (let i = 0; i < 60; i++) {
			const start = asked(throttle);
			while (start.at === undefined) await vi.advanceTimersByTimeAsync(200);
			if (i > 0) longest = Math.max(longest, start.at - last);
			last = start.at;
			start.leave(i === 0 ? read1 : refused(429, 1));
		}
		expect(longest).toBeGreaterThan(30_000);
		expect(longest).toBeLessThanOrEqual(60_000);
	});

	it('starts a request that was sent before first, of several the one that was sent most often', async () => {
		const throttle = new Throttle(1);
		const first = asked(throttle);
		const others = [asked(throttle), asked(throttle, 1), asked(throttle, 2), asked(throttle, 2)];
		await vi.advanceTimersByTimeAsync(0);
		first.leave(read1);
		await vi.advanceTimersByTimeAsync(0);
		expect(others.map(({ at }) => at !== undefined)).toEqual([false, false, true, false]);
	});

	it('lets a request wait no longer than its signal says: when its time is up, or the execution canceled', async () => {
		const throttle = new Throttle(1);
		const controller = new AbortController();
		const { signal } = controller;
		const first = asked(throttle);
		const second = asked(throttle, 0, signal);
		const third = asked(throttle);
		await vi.advanceTimersByTimeAsync(0);
		first.leave(refused(429, 50));
		await vi.advanceTimersByTimeAsync(1000);
		expect(second).not.toHaveProperty('isOver');
		controller.abort();
		await vi.advanceTimersByTimeAsync(0);
		expect(second).toMatchObject({ isOver: true });
		expect(asked(throttle, 0, signal)).not.toHaveProperty('at');
		// The others wait on, and none of them has lost its turn.
		await vi.advanceTimersByTimeAsync(50_000);
		expect(third.at).toBeDefined();
	});

	it('does not go to the limit if answers get slower with each concurrent request', async () => {
		const { most } = await read(
			async (inFlight) => (await sleep(100 * inFlight), ok),
			MAX,
			new Throttle(MAX),
		);
		expect(most).toBeLessThan(MAX);
	});

	it('halves the concurrency once for all 503 at the same time', async () => {
		const throttle = new Throttle(16);
		const starts = range(60).map(() => asked(throttle));
		const begun = () => starts.filter(({ at }) => at !== undefined);
		for (const inFlight of [8, 16]) {
			await vi.advanceTimersByTimeAsync(0);
			for (const { leave } of begun().slice(-inFlight)) leave(read1);
		}
		await vi.advanceTimersByTimeAsync(0);
		expect(begun()).toHaveLength(8 + 16 + 16);
		for (const { leave } of begun().slice(-16)) leave(refused(503));
		await vi.advanceTimersByTimeAsync(0);
		expect(begun()).toHaveLength(8 + 16 + 16 + 8);
	});
});
