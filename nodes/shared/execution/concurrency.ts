/** Runs a task as soon as it may start, and resolves to its result. */
export type RunLimited = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Limits how many tasks run at once; the others wait and start in the order in which they were given. A task frees
 * its place whether it succeeds or fails.
 * @param limit how many tasks may run at once; a function is called whenever a task could start, and must return at
 * least 1
 */
export function limitConcurrency(limit: number | (() => number)): RunLimited {
	const waiting: Array<() => void> = [];
	let running = 0;
	const startNext = () => {
		while (waiting.length > 0 && running < (typeof limit === 'number' ? limit : limit())) {
			running++;
			waiting.shift()?.();
		}
	};
	return async (task) => {
		await new Promise<void>((start) => {
			waiting.push(start);
			startNext();
		});
		try {
			return await task();
		} finally {
			running--;
			startNext();
		}
	};
}

/** Runs tasks one at a time, in the order in which they are given. */
export const serialize = (): RunLimited => limitConcurrency(1);
