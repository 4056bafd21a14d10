import { CHECK_FIRST, NOT_AGAIN, sentences } from '../../errors/failure';
import type { Failure } from '../../errors/failure';
import { recordKey } from '../numbers';
import { failed, named } from '../task';
import type { Link, Outcome } from '../task';

/** Sends a record that may occur several times in the run only once, unless it was refused. */
export const oncePerRun = (next: Link): Link => {
	const outcomes = new Map<string, Outcome>();
	return async (write) => {
		const { identity, label } = write.task;
		const key = identity?.repeats ? recordKey(identity) : undefined;
		if (key === undefined) return await next(write);
		const first = outcomes.get(key);
		if (first?.kind === 'existed') return first;
		if (first?.kind === 'done') return { kind: 'existed', value: first.value };
		if (first?.kind === 'failed' && first.failure.outcome === 'unknown')
			return named(sameUnknown(first.failure), label);
		const outcome = await next(write);
		outcomes.set(key, outcome);
		return outcome;
	};
};

/** @param kept whether the node remembers the first one */
const sameUnknown = ({ kept }: Failure) =>
	failed({
		outcome: 'unknown',
		message: 'It is the same record as one before, whose outcome is unknown',
		description: sentences(CHECK_FIRST, kept && NOT_AGAIN),
		kept,
	});
