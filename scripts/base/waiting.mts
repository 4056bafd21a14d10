/** Waiting for another process, and for one's turn. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long tests and examples wait for n8n, in milliseconds. They don’t test n8n’s speed: what passes on an idle machine must not
 * fail on a busy one.
 */
export const PATIENCE_MS = 90_000;

/** What was waited for didn't happen in time. */
export class TimedOut extends Error {}

/** In milliseconds. */
interface WaitOptions {
	/** Between two tries. */
	interval?: number;
	timeout?: number;
	/** The error when it didn't happen in time. */
	message?: () => string;
}

/** Tries until the result is true or any other value, and returns it. */
export async function waitFor<Value>(
	attempt: () => Value | Promise<Value>,
	{ interval = 20, timeout = PATIENCE_MS, message }: WaitOptions = {},
): Promise<Exclude<Value, false | undefined>> {
	const end = performance.now() + timeout;
	for (;;) {
		const value = await attempt();
		if (value) return value as Exclude<Value, false | undefined>;
		if (performance.now() > end)
			throw new TimedOut(message?.() ?? `It didn’t happen in ${timeout / 1000} seconds: ${String(attempt)}`);
		await sleep(interval);
	}
}

/**
 * Waits until a value is the same in two consecutive readings.
 * @param isEnough for a value that must be reached first
 */
export async function settled<Value>(
	read: () => Value | Promise<Value>,
	interval: number,
	isEnough: (value: Value) => boolean = () => true,
): Promise<void> {
	let before: Value | undefined;
	const isSettled = async () => {
		const now = await read();
		const isSame = now === before;
		before = now;
		return isSame && isEnough(now);
	};
	await waitFor(isSettled, { interval });
}

/** Runs at most this number of calls at once; the others wait for their turn. */
export function atMost(count: number): <Result>(call: () => Promise<Result>) => Promise<Result> {
	const waiting: Array<() => void> = [];
	let free = count;
	return async (call) => {
		if (free > 0) free--;
		else await new Promise<void>((resume) => waiting.push(resume));
		try {
			return await call();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else free++;
		}
	};
}
