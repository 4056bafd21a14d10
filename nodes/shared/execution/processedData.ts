import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { serialize } from './concurrency';

/** n8n keeps a node's entries in one row and rewrites it for each new entry; it drops the oldest ones. */
const OPTIONS = { mode: 'entries' as const, maxEntries: 2_000 };

/** A process that has read the row writes it within this time. */
const SETTLED_MS = 250;

/**
 * n8n reads and writes a row in two steps. Running them one at a time keeps entries of this process from overwriting
 * each other.
 */
const inTurn = serialize();

/** Why n8n couldn't record something since it last could; each cause is logged once. */
const causes = new Set<string>();

/**
 * Marks something as processed by this node, in n8n's database.
 * @param identity of what is processed
 * @param former how version 0.1.0 recorded the same
 * @returns whether it was marked before; false if n8n can't say (a workflow that isn't saved, a database that fails),
 * which is logged
 */
export async function markProcessed(
	context: IExecuteFunctions,
	identity: string,
	former?: string,
): Promise<boolean> {
	// n8n has one row for all nodes with the same ID, which occur in workflows that were written or merged by hand.
	const entries = [JSON.stringify([context.getNode().name, identity]), ...(former ? [former] : [])];
	const record = async () =>
		await inTurn(async () => await context.helpers.checkProcessedAndRecord(entries, 'node', OPTIONS));
	try {
		// The very first entry fails if another process creates the row at the same time; then the row exists.
		const { processed } = await record().catch(record);
		causes.clear();
		if (processed.length > 0) return true;
		// Runs in the background.
		void ensureMarked(record).catch((error: Error) => logOnce(context, error));
	} catch (error) {
		logOnce(context, error as Error);
	}
	return false;
}

/**
 * Makes sure that an entry stays. In queue mode another process may have read the row before the entry was there and
 * written it afterwards. Then the entry is gone, and checking for it adds it again.
 */
async function ensureMarked(record: () => Promise<{ processed: unknown[] }>): Promise<void> {
	do await sleep(SETTLED_MS);
	while ((await record()).processed.length === 0);
}

function logOnce(context: IExecuteFunctions, { message }: Error): void {
	if (causes.has(message)) return;
	causes.add(message);
	context.logger.warn(
		`n8n could not record what this node has processed: ${message}. A repetition may not be recognised.`,
		{ workflowId: context.getWorkflow().id, node: context.getNode().name },
	);
}
