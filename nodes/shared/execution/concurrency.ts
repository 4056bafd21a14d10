import { sortedIndexBy } from 'lodash';

/**
 * Runs a task as soon as it may start, and resolves to its result.
 * @param sequence tasks that name the same one run one after another, in the order in which they are given
 */
export type RunLimited = <T>(task: () => Promise<T>, sequence?: string) => Promise<T>;

/** A task that waits for its turn. */
interface Waiting {
	/** Place in the order in which the tasks were given. */
	place: number;
	start: () => void;
}

/**
 * Limits how many tasks run at once; the others wait and start in the order in which they were given, but for those whose
 * sequence has one under way. A task frees its place whether it succeeds or fails.
 * @param limit how many tasks may run at once; a function is called whenever a task could start, and must return at
 * least 1
 */
export function limitConcurrency(limit: number | (() => number)): RunLimited {
	/** In order: those that may start as soon as there is room. */
	const ready: Waiting[] = [];
	/** Those behind another one of their sequence, by the sequence. */
	const behind = new Map<string, Waiting[]>();
	let given = 0;
	let running = 0;
	const startNext = () => {
		while (ready.length > 0 && running < (typeof limit === 'number' ? limit : limit())) {
			running++;
			ready.shift()?.start();
		}
	};
	const queue = (waiting: Waiting, sequence?: string) => {
		const others = sequence === undefined ? undefined : behind.get(sequence);
		if (others) return void others.push(waiting);
		if (sequence !== undefined) behind.set(sequence, []);
		ready.push(waiting);
		startNext();
	};
	/** Lets the next one of a sequence come to its place among those that are ready. */
	const release = (sequence: string) => {
		const next = behind.get(sequence)?.shift();
		if (next) ready.splice(sortedIndexBy(ready, next, 'place'), 0, next);
		else behind.delete(sequence);
	};
	return async (task, sequence) => {
		await new Promise<void>((start) => queue({ place: given++, start }, sequence));
		try {
			return await task();
		} finally {
			running--;
			if (sequence !== undefined) release(sequence);
			startNext();
		}
	};
}

/** Runs tasks one at a time, in the order in which they are given. */
export const serialize = (): RunLimited => limitConcurrency(1);
