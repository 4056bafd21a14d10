import { recordKey } from '../numbers';
import type { Link, Outcome } from '../task';

/** Sends a record that may occur several times in the run only once, unless it was refused. */
export const oncePerRun = (next: Link): Link => {
	const outcomes = new Map<string, Outcome>();
	return async (write) => {
		const { identity } = write.task;
		const key = identity?.repeats ? recordKey(identity) : undefined;
		if (key === undefined) return await next(write);
		const first = outcomes.get(key);
		const isUnknown = first?.kind === 'failed' && first.failure.outcome === 'unknown';
		if (isUnknown || first?.kind === 'existed') return first;
		if (first?.kind === 'done') return { kind: 'existed', value: first.value };
		const outcome = await next(write);
		outcomes.set(key, outcome);
		return outcome;
	};
};
