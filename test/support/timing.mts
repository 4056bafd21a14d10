/** Time in tests: what they measure. */
import { readFileSync } from 'node:fs';

import type { LoggedRequest } from '../../sandbox/http/requestLog.mjs';

/** Milliseconds that the known work takes where nothing else runs, on the machines that the limits of tests were set on. */
const ALONE_MS = 95;
const KNOWN = JSON.stringify(
	Array.from({ length: 20_000 }, (_, n) => ({ id: `RE-${n}`, lines: [{ account: n, amount: n + 0.19 }] })),
);

/** Work in large memory, as reading an answer is: text becomes objects, and each is looked up. */
function knownWork(): void {
	for (let time = 0; time < 10; time++) lookedUp();
}

function lookedUp(): void {
	const byId = new Map(
		(JSON.parse(KNOWN) as Array<{ id: string; lines: object[] }>).map((one) => [one.id, one]),
	);
	let lines = 0;
	for (const id of byId.keys()) lines += byId.get(id)!.lines.length;
	if (lines !== byId.size) throw new Error('The known work isn’t what it was.');
}

/** A reading of the machine's speed is good for this long. */
const GOOD_FOR_MS = 2_000;
let reading = { at: -Infinity, share: 1 };

/**
 * How much of the processor time is a piece of work's own, from 1: programs beside it empty the processor's caches, and the same work
 * takes more. A known piece of work tells how much more.
 */
function ownShare(): number {
	if (performance.now() - reading.at < GOOD_FOR_MS) return reading.share;
	// The lesser of two: the first one may compile what it needs.
	const tries = [1, 2].map(() => {
		const begun = threadTime();
		knownWork();
		return threadTime() - begun;
	});
	reading = { at: performance.now(), share: Math.min(1, ALONE_MS / Math.min(...tries)) };
	return reading.share;
}

/** Milliseconds of processor time that this process has taken. */
function processTime(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/**
 * Milliseconds of processor time that this process takes for something, on a machine that does nothing else. Unlike the clock, it
 * doesn't count time used by other programs.
 */
export function processorTime(work: () => Promise<unknown>): Promise<number>;
export function processorTime(work: () => unknown): number;
export function processorTime(work: () => unknown): number | Promise<number> {
	const share = ownShare();
	const begun = processTime();
	const taken = () => {
		const time = processTime() - begun;
		return (time * (share + ownShare())) / 2;
	};
	const result = work();
	return result instanceof Promise ? result.then(taken) : taken();
}

/**
 * Milliseconds of processor time of this thread. That of the process includes threads that collect garbage beside it, which
 * block nothing. Where the system doesn't tell (Linux does), it is the whole process's.
 */
function threadTime(): number {
	try {
		return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;
	} catch {
		return processTime();
	}
}

/**
 * What something results in, for how many milliseconds at a time nothing else could be done, how many of processor time
 * and how much memory it took; times are those on a machine that does nothing else.
 */
export async function watched<T>(
	action: () => Promise<T>,
): Promise<{ result: T; blocked: number; processor: number; memory: number }> {
	const share = ownShare();
	const begun = processTime();
	const before = process.memoryUsage.rss();
	let [blocked, last, lastTime, peak] = [0, performance.now(), threadTime(), before];
	const tick = () => {
		// Where the machine is busy with other programs, processor time is less than what has passed.
		blocked = Math.max(blocked, Math.min(performance.now() - last, threadTime() - lastTime));
		peak = Math.max(peak, process.memoryUsage.rss());
		[last, lastTime] = [performance.now(), threadTime()];
	};
	const ticks = setInterval(tick, 5);
	try {
		const result = await action();
		tick();
		const processor = processTime() - begun;
		const own = (share + ownShare()) / 2;
		return { result, blocked: blocked * own, processor: processor * own, memory: (peak - before) / 1e6 };
	} finally {
		clearInterval(ticks);
	}
}

/** An answer arrives before the log records its end, and the log rounds. */
const BLUR_MS = 10;

/** The maximum number of requests in flight. */
export function mostAtOnce(requests: LoggedRequest[]): number {
	const moments = requests.flatMap(({ at, durationMs = 0 }) => {
		const began = Date.parse(at);
		return [
			{ time: began, change: 1 },
			{ time: began + Math.max(0, durationMs - BLUR_MS), change: -1 },
		];
	});
	moments.sort((a, b) => a.time - b.time || a.change - b.change);
	let [now, most] = [0, 0];
	for (const { change } of moments) most = Math.max(most, (now += change));
	return most;
}
