/** Runs a task as soon as it may start, and gives what the task gives. */
export type RunLimited = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Limits how many tasks run at once; the others wait and start in the order in which they were given. A task that fails
 * makes room like one that succeeds.
 * @param limit how many tasks may run at once; a function is asked anew whenever a task could start, and must give 1 at least
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
