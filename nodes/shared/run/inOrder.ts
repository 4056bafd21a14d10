import { times } from 'lodash';

export interface Limits<T> {
	/** How many tasks may be in flight at once, at least 1. */
	atOnce: number;
	/** Tasks with the same ordering key run one after another. */
	keyOf?: (task: T) => string | undefined;
}

/**
 * Works on all tasks, a limited number at a time, and returns the results in the same order. Tasks with the same
 * ordering key are a sequence; the sequences, and the tasks without a key, start in the order of their first tasks.
 * Rejects with the first error, but only after all have ended: n8n may retry the run at once.
 */
export async function inOrder<T, R>(
	tasks: readonly T[],
	work: (task: T) => Promise<R>,
	{ atOnce, keyOf }: Limits<T>,
): Promise<R[]> {
	const results: R[] = [];
	const errors: unknown[] = [];
	/** The tasks' places, by ordering key or, without one, by the place itself. */
	const sequences = new Map<string | number, number[]>();
	for (const [place, task] of tasks.entries()) {
		const key = keyOf?.(task) ?? place;
		const sequence = sequences.get(key);
		if (sequence) sequence.push(place);
		else sequences.set(key, [place]);
	}
	const upcoming = sequences.values();
	await Promise.all(
		times(atOnce, async () => {
			for (const sequence of upcoming) {
				for (const place of sequence) {
					try {
						results[place] = await work(tasks[place]);
					} catch (error) {
						errors.push(error);
					}
				}
			}
		}),
	);
	if (errors.length > 0) throw errors[0];
	return results;
}
