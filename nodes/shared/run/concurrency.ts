import { sortedIndexBy } from 'lodash';

/** A task that is running or waiting to run. */
interface Turn<T> {
	task: T;
	/** Place in the order in which the tasks were given. */
	place: number;
	/** The next one with its ordering key, which waits until this one has ended. */
	next?: Turn<T>;
}

export interface Limits<T> {
	/** How many tasks may be in flight at once, at least 1; asked whenever one could start. */
	atOnce: () => number;
	/** Tasks with the same ordering key run one after another. */
	keyOf?: (task: T) => string | undefined;
}

/**
 * Runs tasks, a limited number at a time. They start in the given order, except that a task waits while another one
 * with its ordering key is in flight. Once all have ended, throws the first error.
 * @param tasks is emptied, so that each task's memory is freed once it has ended
 */
export async function forEachLimited<T>(
	tasks: T[],
	work: (task: T, place: number) => Promise<void>,
	{ atOnce, keyOf }: Limits<T>,
): Promise<void> {
	// Taken from the end: removing the first element of a long array would move all the others.
	const rest = tasks.splice(0).reverse();
	const count = rest.length;
	/** The latest task of each ordering key that has one in flight. */
	const last = new Map<string, Turn<T>>();
	/** Tasks that no longer have to wait for their ordering key, in order. */
	const released: Array<Turn<T>> = [];
	const errors: unknown[] = [];
	let running = 0;

	const takeNext = (): Turn<T> | undefined => {
		if (released.length > 0) return released.shift();
		while (rest.length > 0) {
			const turn: Turn<T> = { place: count - rest.length, task: rest.pop() as T };
			const key = keyOf?.(turn.task);
			if (key === undefined) return turn;
			const before = last.get(key);
			last.set(key, turn);
			if (!before) return turn;
			before.next = turn;
		}
		return undefined;
	};
	const release = ({ task, next }: Turn<T>) => {
		const key = keyOf?.(task);
		if (next) released.splice(sortedIndexBy(released, next, 'place'), 0, next);
		else if (key !== undefined) last.delete(key);
	};
	await new Promise<void>((resolve) => {
		const run = async (turn: Turn<T>) => {
			try {
				await work(turn.task, turn.place);
			} catch (error) {
				errors.push(error);
			}
			running--;
			release(turn);
			startNext();
		};
		const startNext = () => {
			while (running < atOnce()) {
				const turn = takeNext();
				if (!turn) break;
				running++;
				void run(turn);
			}
			if (running === 0) resolve();
		};
		startNext();
	});
	if (errors.length > 0) throw errors[0];
}

/** Runs a task after those that were given before it have ended, and resolves to its result. */
type RunInTurn = <T>(task: () => Promise<T>) => Promise<T>;

/** Runs tasks one at a time, in the order in which they are given. */
export function serialize(): RunInTurn {
	let last: Promise<unknown> = Promise.resolve();
	return async (task) => {
		const result = last.then(task);
		last = result.catch(() => undefined);
		return await result;
	};
}
