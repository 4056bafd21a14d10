import range from 'lodash/range.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Failure } from '../../../../nodes/shared/errors/failure.js';
import { PAUSE_PIECE_MS } from '../../../../nodes/shared/gateway/deadline.js';
import type { SendResult } from '../../../../nodes/shared/gateway/request.js';
import { Throttle } from '../../../../nodes/shared/gateway/throttle.js';
import {
	failsNowAndThen,
	type Gateway,
	KINDS,
	MAX,
	ok,
	read,
	READS,
	refusal,
	takesAtOnce,
} from '../../../support/gatewayKinds.mjs';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * The milliseconds that the best fixed concurrency takes (of 1, 2, 4, 8, 16, 32), and those and the refusals of a more
 * elaborate throttle, which remembered the limit that had held. This one may take a fifth longer and be refused twice as
 * often as that.
 */
const MEASURED: Array<[kind: keyof typeof KINDS, best: number, elaborate: number, refusals: number]> = [
	['is quick', 65, 70, 0],
	['is slow', 13_000, 14_000, 0],
	['takes 5 requests a second', 80_000, 83_199, 10],
	['takes 5 requests a second and does not say when again', 80_000, 82_707, 12],
	['takes 50 requests a second', 7650, 10_448, 5],
	['takes 4 requests at once', 5000, 6185, 4],
	['works on 4 requests at once', 5000, 5000, 0],
];

it.each(MEASURED)(
	'a gateway that %s is read in at most 1.4 times the time of the best fixed concurrency, with few refusals',
	async (kind, best, elaborate, refusals) => {
		const adaptive = await read(KINDS[kind](), MAX, new Throttle(MAX));
		expect(adaptive.failed).toBe(0);
		expect(adaptive.most).toBeLessThanOrEqual(MAX);
		expect(adaptive.time).toBeLessThanOrEqual(Math.min(best * 1.4, elaborate * 1.2));
		expect(adaptive.refusals).toBeLessThanOrEqual(refusals * 2);
	},
);

it('a gateway that fails now and then is read in about twice the time of the best fixed concurrency, without loss', async () => {
	const { time, failed, refusals } = await read(KINDS['fails now and then'](), MAX, new Throttle(MAX));
	expect(failed).toBe(0);
	expect(time).toBeLessThan(2.1 * 2000);
	expect(refusals).toBeLessThanOrEqual(16);
});

it('a gateway that answers a fifth concurrent request with an overload, and nothing more, loses no read', async () => {
	expect((await read(takesAtOnce(4, 50), MAX, new Throttle(MAX))).failed).toBe(0);
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

it('a gateway that refuses every third read, however slowly they come, gets at least one for each pause', async () => {
	const gateway = failsNowAndThen(3, 50, refusal(429, 1));
	const { failed, time } = await read(gateway, MAX, new Throttle(MAX));

	expect(failed).toBe(0);
	// Of 600 tries, 200 are followed by a pause.
	expect(time).toBeLessThan(800_000);
});

describe('the throttle', () => {
	const read1 = { ok: true, body: [] } as const;
	const refused = (status: number, seconds?: number) =>
		({ ok: false, failure: { status, retryAfter: seconds } as Failure }) as const;
	/** Asks for a start, and notes when it came. */
	function asked(throttle: Throttle, signal?: AbortSignal) {
		const start: { at?: number; isOver?: boolean; leave: (result: SendResult) => void } = {
			leave: () => undefined,
		};
		void throttle
			.enter(signal)
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

	it.each([400, 404, 500, undefined])('goes on after the failure %s, which is no refusal', async (status) => {
		const throttle = new Throttle(4);
		const [first, ...others] = range(5).map(() => asked(throttle));
		await vi.advanceTimersByTimeAsync(0);
		first.leave({ ok: false, failure: { status } as Failure });
		await vi.advanceTimersByTimeAsync(0);
		expect(others.filter(({ at }) => at === undefined)).toEqual([]);
	});

	it('lets a request wait no longer than its signal says: when its time is up, or the execution canceled', async () => {
		const throttle = new Throttle(1);
		const controller = new AbortController();
		const { signal } = controller;
		const first = asked(throttle);
		const second = asked(throttle, signal);
		const third = asked(throttle);
		await vi.advanceTimersByTimeAsync(0);
		first.leave(refused(429, 50));
		await vi.advanceTimersByTimeAsync(1000);
		expect(second).not.toHaveProperty('isOver');
		controller.abort();
		await vi.advanceTimersByTimeAsync(PAUSE_PIECE_MS);
		expect(second).toMatchObject({ isOver: true });
		expect(asked(throttle, signal)).not.toHaveProperty('at');
		// The others wait on, and none of them has lost its turn.
		await vi.advanceTimersByTimeAsync(50_000);
		expect(third.at).toBeDefined();
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
