import type { Failure } from '../../errors/failure';
import { recordKey } from '../numbers';
import { failed } from '../task';
import type { Link, Outcome } from '../task';

/** Sends a record that may occur several times in the run only once, unless it was refused. */
export const oncePerRun = (next: Link): Link => {
	const outcomes = new Map<string, Outcome>();
	return async (write) => {
		const { identity } = write.task;
		const key = identity?.repeats ? recordKey(identity) : undefined;
		if (key === undefined) return await next(write);
		const first = outcomes.get(key);
		if (first?.kind === 'existed') return first;
		if (first?.kind === 'done') return { kind: 'existed', value: first.value };
		if (first?.kind === 'failed' && first.failure.outcome === 'unknown') return sameUnknown(first.failure);
		const outcome = await next(write);
		outcomes.set(key, outcome);
		return outcome;
	};
};

/** What is known of the first one, and what to do about it, holds for both. */
const sameUnknown = (first: Failure) =>
	failed({ ...first, message: 'The same record was sent just before, and its outcome is unknown' });
