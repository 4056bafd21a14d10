/** Gateways with a limit of their own, each as a function, and reads of them: for the throttle. */
import range from 'lodash/range.js';
import { vi } from 'vitest';

import { GatewayClient } from '../../nodes/shared/gateway/client.js';
import type { HttpResponse } from '../../nodes/shared/gateway/response.js';
import { gatewayRequest } from '../../nodes/shared/gateway/request.js';
import type { Throttle } from '../../nodes/shared/gateway/throttle.js';
import { atMost } from '../../scripts/base/waiting.mjs';
import { answerOf } from './answers.mjs';

/** The maximum in flight: the default of the option *Concurrency*. */
export const MAX = 32;
export const READS = 400;

/** Answers a request, at once or after some time. @param inFlight number of requests, including this one */
export type Gateway = (inFlight: number) => Promise<HttpResponse> | HttpResponse;

export const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));
export const ok: HttpResponse = { status: 200, headers: {}, answer: await answerOf('[]') };
const NOTHING = await answerOf('{}');
export const refusal = (status: number, retryAfter?: number): HttpResponse => ({
	status,
	headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
	answer: NOTHING,
});

export const after =
	(ms: number): Gateway =>
	async () => (await sleep(ms), ok);

/** Accepts a number of requests in each clock second, and refuses the others. */
export function countsPerSecond(allowed: number, latency: number, retryAfter?: number): Gateway {
	const counts = new Map<number, number>();
	return async () => {
		const second = Math.floor(Date.now() / 1000);
		counts.set(second, (counts.get(second) ?? 0) + 1);
		if (counts.get(second)! > allowed) return refusal(429, retryAfter);
		await sleep(latency);
		return ok;
	};
}

/** Refuses requests beyond a number in flight. */
export const takesAtOnce =
	(allowed: number, latency: number, retryAfter?: number, status = 503): Gateway =>
	async (inFlight) => {
		if (inFlight > allowed) return refusal(status, retryAfter);
		await sleep(latency);
		return ok;
	};

/** Processes a number of requests at once and queues the others. */
export function worksOnAtOnce(workers: number, latency: number): Gateway {
	const run = atMost(workers);
	return async () => await run(async () => (await sleep(latency), ok));
}

/** Refuses every nth request. */
export function failsNowAndThen(every: number, latency: number, refused = refusal(503)): Gateway {
	let count = 0;
	return async () => {
		await sleep(latency);
		return ++count % every === 0 ? refused : ok;
	};
}

export interface Run {
	/** Milliseconds until the last answer. */
	time: number;
	refusals: number;
	/** Reads that failed for good. */
	failed: number;
	/** The maximum number of requests in flight. */
	most: number;
}

/** The part of a throttle that a client uses. */
export type Pace = Pick<Throttle, 'enter' | 'refusal'>;

/**
 * Reads from a gateway in simulated time (`vi.useFakeTimers`): minutes of waiting pass instantly and
 * deterministically.
 * @param throttle of the run; without it, `concurrency` reads are always in flight
 */
export async function read(
	gateway: Gateway,
	concurrency: number,
	throttle?: Pace,
	reads = READS,
): Promise<Run> {
	vi.setSystemTime(0);
	const run: Run = { time: 0, refusals: 0, failed: 0, most: 0 };
	let inFlight = 0;
	const client = new GatewayClient(
		{ apiKey: 'key', baseUrl: 'https://gateway.example.com', accountingProvider: 'acct' },
		async () => {
			run.most = Math.max(run.most, ++inFlight);
			const response = await gateway(inFlight);
			inFlight--;
			if (response.status !== 200) run.refusals++;
			return response;
		},
	);
	const request = gatewayRequest('GET /v2/acct-duo/kassenbuecher', { query: { connectionId: 'c' } });
	const limited = atMost(concurrency);
	const start = performance.now();
	const all = Promise.all(
		range(reads).map(() => limited(() => client.send(request, 3000, throttle as Throttle | undefined))),
	);
	let results: Awaited<typeof all> | undefined;
	void all.then((them) => {
		run.time = performance.now() - start;
		results = them;
	});
	while (!results) await vi.advanceTimersByTimeAsync(1000);
	run.failed = results.filter((result) => !result.ok).length;
	return run;
}

/** Eight kinds of gateway; the names complete "a gateway that …". */
export const KINDS: Record<string, () => Gateway> = {
	'is quick': () => after(5),
	'is slow': () => after(1000),
	'takes 5 requests a second': () => countsPerSecond(5, 50, 1),
	'takes 5 requests a second and does not say when again': () => countsPerSecond(5, 50),
	'takes 50 requests a second': () => countsPerSecond(50, 50, 1),
	'takes 4 requests at once': () => takesAtOnce(4, 50, 1, 429),
	'works on 4 requests at once': () => worksOnAtOnce(4, 50),
	'fails now and then': () => failsNowAndThen(50, 100),
};
