import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { workflowTitle } from '../../errors/logText';
import { serialize } from '../concurrency';

/** What an entry belongs to: n8n keeps a row for each node (by its ID), and one for the workflow. */
type Scope = 'node' | 'workflow';

/**
 * n8n rewrites a row for each new entry and drops the oldest ones. The workflow's row is shared with n8n's nodes "Remove
 * Duplicates" of that scope: it keeps as much as they do by default, so that they don't lose entries any sooner.
 */
const MAX_ENTRIES: Record<Scope, number> = { node: 2_000, workflow: 10_000 };

/** A process that has read the row writes it within this time. */
export const SETTLED_MS = 250;

/**
 * n8n reads and writes a row in two steps. Running them one at a time keeps entries of this process from overwriting
 * each other.
 */
const inTurn = serialize();

/** Why n8n has failed to record something since its last success; each cause is logged once. */
const causes = new Set<string>();

/**
 * Marks things as processed by this node, in n8n's database.
 * @param identities of what is processed
 * @returns those that were marked before; none if n8n can't say (a workflow that isn't saved, a database that fails),
 * which is logged
 */
export async function markProcessed(context: IExecuteFunctions, identities: string[]): Promise<string[]> {
	// n8n has one row for all nodes with the same ID, which occur in workflows that were written or merged by hand.
	const name = context.getNode().name;
	const byEntry = new Map(identities.map((identity) => [JSON.stringify([name, identity]), identity]));
	try {
		const { processed, new: added } = await record(context, [...byEntry.keys()], 'node');
		causes.clear();
		if (added.length > 0) keepMarked(context, added, 'node');
		return processed.map((entry) => byEntry.get(entry)!);
	} catch (error) {
		logOnce(context, error as Error);
		return [];
	}
}

/**
 * Marks entries as processed by the workflow, whichever of its nodes asks.
 * @param isKept whether to make sure, in the background, that they stay
 * @returns those that were marked before; `undefined` as above
 */
export async function markInWorkflow(
	context: IExecuteFunctions,
	entries: string[],
	isKept = false,
): Promise<string[] | undefined> {
	let scope: Scope = 'workflow';
	try {
		const { processed } = await record(context, entries, scope).catch(async (error: Error) => {
			if (!OTHER_MODE.test(error.message)) throw error;
			logOnce(context, error);
			scope = 'node';
			return await record(context, entries, scope);
		});
		if (scope === 'workflow') causes.clear();
		if (isKept) keepMarked(context, entries, scope);
		return processed;
	} catch (error) {
		logOnce(context, error as Error);
		return undefined;
	}
}

/**
 * Records entries for this node.
 * @param maxEntries how many the node keeps; the oldest ones are dropped
 * @returns those that were there before; rejects if n8n can't say
 */
export const recordInNode = async (
	context: IExecuteFunctions,
	entries: string[],
	maxEntries: number,
): Promise<string[]> => (await record(context, entries, 'node', maxEntries)).processed;

/** Removes entries of this node. */
export async function forgetInNode(context: IExecuteFunctions, entries: string[]): Promise<void> {
	await inTurn(async () => await context.helpers.removeProcessed(entries, 'node', { mode: 'entries' }));
}

/**
 * n8n's error where a "Remove Duplicates" node keeps the largest value in the workflow's row, which then takes no
 * entries.
 */
const OTHER_MODE = /incompatible/i;

/** @returns which of the entries were there before, and which weren't */
async function record(
	context: IExecuteFunctions,
	entries: string[],
	scope: Scope,
	maxEntries = MAX_ENTRIES[scope],
): Promise<Record<'new' | 'processed', string[]>> {
	const options = { mode: 'entries' as const, maxEntries };
	const once = async () =>
		(await inTurn(
			async () => await context.helpers.checkProcessedAndRecord(entries, scope, options),
		)) as Record<'new' | 'processed', string[]>;
	// The very first entry fails if another process creates the row at the same time; then the row exists.
	return await once().catch(once);
}

/** What this process has written recently, by row. */
const recent = new Map<string, string[]>();

/**
 * Makes sure, in the background, that entries stay. In queue mode another process may have read the row before an entry
 * was there and written it afterwards. Then the entry is gone, and checking for it adds it again. Entries that arrive
 * meanwhile are checked together.
 */
function keepMarked(context: IExecuteFunctions, entries: string[], scope: Scope): void {
	const row = `${context.getWorkflow().id}/${scope === 'node' ? context.getNode().id : ''}`;
	const waiting = recent.get(row);
	if (waiting) return void waiting.push(...entries);
	const written = [...entries];
	recent.set(row, written);
	void checkUntilSettled(context, row, written, scope).catch((error: Error) => logOnce(context, error));
}

/** @param waiting entries of the row; others may be added while this runs */
async function checkUntilSettled(
	context: IExecuteFunctions,
	row: string,
	waiting: string[],
	scope: Scope,
): Promise<void> {
	try {
		while (waiting.length > 0) {
			const written = waiting.splice(0);
			await sleep(SETTLED_MS);
			const { new: lost } = await record(context, written, scope);
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
		`n8n could not record what a node of ${workflowTitle(context)} has processed: ${message}. A repetition may not be recognized.`,
		{ workflowId: context.getWorkflow().id, node: context.getNode().name },
	);
}
