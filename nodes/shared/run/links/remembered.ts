import type { Journal } from '../journal/journal';
import type { Link } from '../task';

/** Sends nothing that an earlier attempt of the execution has sent, or may have sent, and nothing once the run has ended. */
export const remembered =
	(journal: Journal, next: Link): Link =>
	async (write) => {
		const { stop } = write;
		// Nothing may be awaited before the request is recorded, because the same tool call may arrive at the same time.
		const earlier = journal.recall(write);
		if (earlier) return await earlier;
		if (stop !== undefined) return { kind: 'notSent', reason: stop };
		journal.begin(write);
		return await journal.end(write, next(write));
	};
