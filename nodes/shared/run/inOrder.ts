import { sortedIndex } from 'lodash';

export interface Limits<T> {
	/** How many tasks may be in flight at once, at least 1; called whenever a task could start. */
	atOnce: () => number;
	/** Tasks with the same ordering key run one after another. */
	keyOf?: (task: T) => string | undefined;
}

/**
 * Works on all tasks, a limited number at a time, and returns the results in the same order. The tasks start in the given
 * order, except that one waits while another one with its ordering key is in flight. Rejects with the first error, but only
 * after all have ended: n8n may retry the run at once.
 */
export async function inOrder<T, R>(
	tasks: readonly T[],
	work: (task: T) => Promise<R>,
	{ atOnce, keyOf }: Limits<T>,
): Promise<R[]> {
	const results: R[] = [];
	const errors: unknown[] = [];
	/** By ordering key, the place of the latest task that has had its turn. */
	const latest = new Map<string, number>();
	/** By a task's place, the place of the next one with its key. */
	const following = new Map<number, number>();
	/** The places of tasks that waited for one with their key, in order. */
	const released: number[] = [];
	let upcoming = 0;
	let running = 0;

	const take = (): number | undefined => {
		if (released.length > 0) return released.shift();
		while (upcoming < tasks.length) {
			const place = upcoming++;
			const key = keyOf?.(tasks[place]);
			if (key === undefined) return place;
			const before = latest.get(key);
			latest.set(key, place);
			if (before === undefined) return place;
			following.set(before, place);
		}
		return undefined;
	};
	const end = (place: number) => {
		running--;
		const key = keyOf?.(tasks[place]);
		const next = following.get(place);
		if (next !== undefined) released.splice(sortedIndex(released, next), 0, next);
		else if (key !== undefined) latest.delete(key);
		following.delete(place);
	};
	await new Promise<void>((resolve) => {
		const run = async (place: number) => {
			try {
				results[place] = await work(tasks[place]);
			} catch (error) {
				errors.push(error);
			}
			end(place);
			startNext();
		};
		const startNext = () => {
			for (let place; running < atOnce() && (place = take()) !== undefined; ) {
				running++;
				void run(place);
			}
			if (running === 0) resolve();
		};
		startNext();
	});
	if (errors.length > 0) throw errors[0];
	return results;
}
