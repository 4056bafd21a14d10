/** Time in tests: what they measure. */
import type { LoggedRequest } from '../sandbox/http/requestLog.mjs';

/**
 * Milliseconds of processor time that this process takes for something. Unlike the clock, it doesn't count time used
 * by other programs.
 */
export function processorTime(work: () => Promise<unknown>): Promise<number>;
export function processorTime(work: () => unknown): number;
export function processorTime(work: () => unknown): number | Promise<number> {
	const begun = process.cpuUsage();
	const taken = () => {
		const { user, system } = process.cpuUsage(begun);
		return (user + system) / 1000;
	};
	const result = work();
	return result instanceof Promise ? result.then(taken) : taken();
}

/**
 * What something results in, for how many milliseconds at a time nothing else could be done, how many of processor time
 * and how much memory it took.
 */
export async function watched<T>(
	action: () => Promise<T>,
): Promise<{ result: T; blocked: number; processor: number; memory: number }> {
	const begun = process.cpuUsage();
	const before = process.memoryUsage.rss();
	let [blocked, last, lastUsage, peak] = [0, performance.now(), process.cpuUsage(), before];
	const tick = () => {
		// Where the machine is busy with other programs, processor time is less than what has passed.
		const { user, system } = process.cpuUsage(lastUsage);
		blocked = Math.max(blocked, Math.min(performance.now() - last, (user + system) / 1000));
		peak = Math.max(peak, process.memoryUsage.rss());
		[last, lastUsage] = [performance.now(), process.cpuUsage()];
	};
	const ticks = setInterval(tick, 5);
	try {
		const result = await action();
		tick();
		const { user, system } = process.cpuUsage(begun);
		return { result, blocked, processor: (user + system) / 1000, memory: (peak - before) / 1e6 };
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
