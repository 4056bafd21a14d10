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
	try {
		// The very first entry fails if another process creates the row at the same time; then the row exists.
		const { processed } = await record(context, entries).catch(async () => await record(context, entries));
		causes.clear();
		if (processed.length > 0) return true;
		keepMarked(context, entries);
	} catch (error) {
		logOnce(context, error as Error);
	}
	return false;
}

/** @returns which of the entries were there before, and which weren't */
const record = async (context: IExecuteFunctions, entries: string[]) =>
	(await inTurn(
		async () => await context.helpers.checkProcessedAndRecord(entries, 'node', OPTIONS),
	)) as Record<'new' | 'processed', string[]>;

/** What this process has written lately, by row. */
const recent = new Map<string, string[]>();

/**
 * Makes sure, in the background, that entries stay. In queue mode another process may have read the row before an entry
 * was there and written it afterwards. Then the entry is gone, and checking for it adds it again. What comes meanwhile
 * is checked together.
 */
function keepMarked(context: IExecuteFunctions, entries: string[]): void {
	const row = `${context.getWorkflow().id}/${context.getNode().id}`;
	const waiting = recent.get(row);
	if (waiting) return void waiting.push(...entries);
	recent.set(row, entries);
	void checkUntilSettled(context, row, entries).catch((error: Error) => logOnce(context, error));
}

/** @param waiting entries of the row; others may be added while this runs */
async function checkUntilSettled(context: IExecuteFunctions, row: string, waiting: string[]): Promise<void> {
	try {
		while (waiting.length > 0) {
			const written = waiting.splice(0);
			await sleep(SETTLED_MS);
			const { new: lost } = await record(context, written);
			waiting.push(...lost);
		}
	} finally {
		recent.delete(row);
	}
}

function logOnce(context: IExecuteFunctions, { message }: Error): void {
	if (causes.has(message)) return;
	causes.add(message);
	context.logger.warn(
		`n8n could not record what this node has processed: ${message}. A repetition may not be recognised.`,
		{ workflowId: context.getWorkflow().id, node: context.getNode().name },
	);
}
