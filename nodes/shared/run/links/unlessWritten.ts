import { isCertainlyNotDone, NOT_AGAIN, sentences, unsent } from '../../errors/failure';
import type { Failure } from '../../errors/failure';
import type { WrittenBefore } from '../journal/writtenBefore';
import { failed } from '../task';
import type { Link, Outcome } from '../task';

/** Skips a record that the node remembers, by its content, from an earlier run. */
export const unlessWritten =
	(earlier: WrittenBefore, next: Link): Link =>
	async (write) => {
		const { content } = write.task.identity ?? {};
		if (content === undefined) return await next(write);
		let known: Awaited<ReturnType<WrittenBefore['begin']>>;
		try {
			known = await earlier.begin(content);
		} catch (error) {
			return failed(unremembered(error as Error));
		}
		if (known === 'written') return { kind: 'existed' };
		if (known !== 'new') return OPEN;
		// It stays open if a defect in the node hides the outcome.
		let became: ReturnType<typeof becameOf> = 'open';
		try {
			const outcome = await next(write);
			became = becameOf(outcome);
			return outcome.kind === 'failed' && became === 'open' ? kept(outcome.failure) : outcome;
		} finally {
			earlier.end(content, became);
		}
	};

/** The failure of a record that another run reports once more, and then counts as written. */
const kept = (failure: Failure) =>
	failed({
		...failure,
		kept: true,
		description: sentences(failure.description, NOT_AGAIN),
	});

/** What to remember about an outcome. A record that the accounting system refused wasn't written. */
function becameOf(outcome: Outcome) {
	if (outcome.kind === 'done' || outcome.kind === 'existed') return 'written';
	if (outcome.kind !== 'failed') return 'open';
	return isCertainlyNotDone(outcome.failure) || outcome.failure.outcome === 'incomplete' ? 'new' : 'open';
}

/**
 * The failure of a record whose outcome is unknown, because an earlier run was stopped or its answer was lost. Reported
 * once, so that someone looks the record up.
 */
const OPEN = failed({
	outcome: 'unknown',
	message:
		'Whether it was carried out is unknown: an earlier run ended before the outcome was known, or another run is sending it now',
	description:
		'Make sure that no other run of this workflow is still active, then look it up in the accounting system. If it is missing, enter it there: from now on, this node treats it as done, unless another run stopped before sending it.',
	kept: true,
});

const unremembered = ({ message }: Error) =>
	unsent(
		`Not sent, because n8n couldn't look up what this node has already sent: ${message}`,
		"If the workflow is new, save it. Otherwise, n8n's database has a problem: see n8n's log.",
	);
