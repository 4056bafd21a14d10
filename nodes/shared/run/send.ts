import type { Operation } from '../operation';
import { DEFAULT_CONCURRENCY } from '../parameters/options';
import type { Task } from './check';
import { forEachLimited } from './concurrency';
import type { Credits } from './credits';
import { itemNumber } from './result';
import type { ItemResult, TaskResult } from './result';
import { CANCELED } from './sender';
import type { Sender } from './sender';

/** What can end a run early. */
interface Rules {
	credits: Credits;
	/** Whether a failed item ends the run. */
	stops: boolean;
}

/** How many writes are under way at once. */
const WRITES_AT_ONCE = 4;

/** Sends the checked tasks. Every task gets a result, in the order of the tasks. */
export async function sendAll(tasks: Task[], sender: Sender, rules: Rules): Promise<ItemResult[]> {
	const { credits, stops } = rules;
	const results: ItemResult[] = [];
	let stop: string | undefined;
	const sendNext = async (task: Task): Promise<TaskResult> => {
		if (sender.canceled) stop = CANCELED;
		if (credits.exhausted && !sender.remembers(task)) stop ??= credits.exhaustion;
		let result: TaskResult | undefined;
		try {
			result = await sender.send(task, stop);
			return result;
		} finally {
			// No result means a defect in the node.
			const ends = !result || (result.kind === 'failed' && stops);
			if (ends) stop ??= `Item ${itemNumber(task.item)} failed`;
		}
	};
	// Throws only when no request is running any more: n8n may retry the run at once.
	await forEachLimited(
		tasks,
		async (task, i) => {
			const { item, part, label } = task;
			results[i] = { item, part: part?.name, label, result: await sendNext(task) };
		},
		{ atOnce: () => sender.atOnce, sequenceOf: ({ sequence }) => sequence },
	);
	return results;
}

/** The most requests of a run that may be under way at once. */
export function concurrencyOf(
	{ concurrency = DEFAULT_CONCURRENCY }: Task['options'],
	{ kind }: Operation,
	credits: Credits,
): number {
	// Parallel requests couldn't stop in time when the balance falls below the minimum.
	if (credits.hasMinimum) return 1;
	return kind === 'write' ? WRITES_AT_ONCE : concurrency;
}
