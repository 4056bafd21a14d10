import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';
import pLimit from 'p-limit';

/** n8n keeps a node's entries in one row, which each new one rewrites; it lets go of the oldest ones. */
const OPTIONS = { mode: 'entries' as const, maxEntries: 2_000 };

/** Within this time a process that has read the record has also written it. */
const SETTLED_MS = 250;

/** n8n reads and writes its record in two steps; one at a time, or entries of this process would overwrite each other. */
const oneAtATime = pLimit(1);

/**
 * Whether something has happened in this node before, by n8n's own record in its database, which outlives the process.
 * Records it if not.
 * @param identity of what happens
 */
export async function hasHappened(context: IExecuteFunctions, identity: string): Promise<boolean> {
	const record = async () => await enter(context, identity);
	// The first entry of all fails when another process was a moment faster; then it is there.
	const { processed } = await oneAtATime(async () => await record().catch(record));
	if (processed.length > 0) return true;
	// Nobody waits for it, and where it fails the entry is as it was.
	void keep(record).catch(() => {});
	return false;
}

/** Makes an entry the newest one, so that others don't push it out. */
export async function renew(context: IExecuteFunctions, identity: string): Promise<void> {
	await oneAtATime(async () => {
		await context.helpers.removeProcessed([identity], 'node', OPTIONS);
		await enter(context, identity);
	});
}

/** Enters what isn't there yet. Returns what was there already. */
const enter = async (context: IExecuteFunctions, identity: string) =>
	await context.helpers.checkProcessedAndRecord([identity], 'node', OPTIONS);

/**
 * Sees to it that an entry stays. In queue mode another process may have read n8n's record before the entry was there and
 * written it afterwards: then the entry is gone, and looking for it enters it again.
 */
async function keep(record: () => Promise<{ processed: unknown[] }>): Promise<void> {
	do await sleep(SETTLED_MS);
	while ((await oneAtATime(record)).processed.length === 0);
}
