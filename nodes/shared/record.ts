import type { IExecuteFunctions } from 'n8n-workflow';
import pLimit from 'p-limit';

/** n8n keeps a node's entries in one row, which each new one rewrites. */
const MAX_ENTRIES = 2_000;

/** n8n reads and writes its record in two steps; one at a time, or entries would overwrite each other. */
const oneAtATime = pLimit(1);

/**
 * Whether something has happened in this node before, by n8n's own record in its database, which outlives the process.
 * Records it if not.
 * @param identity of what happens
 */
export async function hasHappened(context: IExecuteFunctions, identity: string): Promise<boolean> {
	const record = async () =>
		await context.helpers.checkProcessedAndRecord([identity], 'node', {
			mode: 'entries',
			maxEntries: MAX_ENTRIES,
		});
	// The first entry of all fails when another process was a moment faster; then it is there.
	const { processed } = await oneAtATime(async () => await record().catch(record));
	return processed.length > 0;
}
