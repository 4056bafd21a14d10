import { times } from 'lodash';

export interface Limits<T> {
	/** How many tasks may be in flight at once, at least 1. */
	atOnce: number;
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
	{ atOnce, keyOf = () => undefined }: Limits<T>,
): Promise<R[]> {
	const results: R[] = [];
	const errors: unknown[] = [];
	/** By ordering key, the place of the latest task that has had its turn. */
	const latest = new Map<string, number>();
	/** By a task's place, the place of the next one with its key. */
	const following = new Map<number, number>();
	let upcoming = 0;

	const take = (): number | undefined => {
		while (upcoming < tasks.length) {
			const place = upcoming++;
			const key = keyOf(tasks[place]);
			if (key === undefined) return place;
			const before = latest.get(key);
			latest.set(key, place);
			if (before === undefined) return place;
			following.set(before, place);
		}
		return undefined;
	};
	const takeAfter = (place: number): number | undefined => {
		const next = following.get(place);
		following.delete(place);
		if (next !== undefined) return next;
		latest.delete(keyOf(tasks[place]) ?? '');
		return take();
	};
	await Promise.all(
		times(atOnce, async () => {
			for (let place = take(); place !== undefined; place = takeAfter(place)) {
				try {
					results[place] = await work(tasks[place]);
				} catch (error) {
					errors.push(error);
				}
			}
		}),
	);
	if (errors.length > 0) throw errors[0];
	return results;
}
