import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { workflowTitle } from '../errors';

/** A row in n8n's database: n8n keeps one for each node (by its ID), and one for the workflow. */
interface Row {
	scope: 'node' | 'workflow';
	/** n8n rewrites the row for each new entry, and drops the oldest ones beyond this number. */
	maxEntries: number;
}

/** A trigger's row: the events that it has processed. */
const EVENTS: Row = { scope: 'node', maxEntries: 2_000 };

/**
 * The number of records that a node which writes remembers. A row of so many has 1.35 MB; to read and write it takes 34 ms
 * of processor time.
 */
export const MOST_REMEMBERED = 50_000;

/**
 * The row of such a node: the records that it remembers, and two entries for each record in flight or looked up at once.
 * These must never push out what is remembered: a record whose entry was dropped would be written again. So there is more
 * room than the node uses, because it stops when its memory is full.
 */
const WRITES: Row = { scope: 'node', maxEntries: MOST_REMEMBERED + 10_000 };
/** The row of a node whose oldest records may be forgotten. */
const FORGETTING: Row = { scope: 'node', maxEntries: MOST_REMEMBERED + 160 };

/**
 * The workflow's row is shared with n8n's "Remove Duplicates" nodes of that scope. It keeps as many entries as theirs
 * do by default, so that these nodes don't lose entries any sooner.
 */
const WORKFLOW: Row = { scope: 'workflow', maxEntries: 10_000 };

/** Runs tasks one at a time, in the order in which they are given, and resolves to their results. */
export function serialize(): <T>(task: () => Promise<T>) => Promise<T> {
	let last: Promise<unknown> = Promise.resolve();
	return async (task) => {
		const result = last.then(task);
		last = result.catch(() => undefined);
		return await result;
	};
}

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
 * Records things as processed by this node, in n8n's database.
 * @param identities of what is processed
 * @returns those that were recorded before; none if n8n can't say (a workflow that isn't saved, a database that fails),
 * which is logged
 */
export async function markProcessed(context: IExecuteFunctions, identities: string[]): Promise<string[]> {
	// n8n has one row for all nodes with the same ID, which occur in workflows that were written or merged by hand.
	const name = context.getNode().name;
	const byEntry = new Map(identities.map((identity) => [JSON.stringify([name, identity]), identity]));
	try {
		const { processed, new: unknown } = await record(context, [...byEntry.keys()], EVENTS);
		causes.clear();
		keepMarked(context, unknown, EVENTS);
		return processed.map((entry) => byEntry.get(entry)!);
	} catch (error) {
		logOnce(context, error as Error);
		return [];
	}
}

/**
 * Records entries as processed by the workflow, whichever of its nodes asks.
 * @param isKept whether to make sure, in the background, that the entries stay
 * @returns those that were recorded before; `undefined` if n8n can't say
 */
export async function markInWorkflow(
	context: IExecuteFunctions,
	entries: string[],
	isKept: boolean,
): Promise<string[] | undefined> {
	let row = WORKFLOW;
	try {
		const { processed } = await record(context, entries, row).catch(async (error: Error) => {
			// Where a "Remove Duplicates" node keeps the largest value in the workflow's row, it takes no entries.
			logOnce(context, error);
			row = WRITES;
			return await record(context, entries, row);
		});
		if (row === WORKFLOW) causes.clear();
		if (isKept) keepMarked(context, entries, row);
		return processed;
	} catch (error) {
		logOnce(context, error as Error);
		return undefined;
	}
}

/** Whether the workflow has an entry, without leaving one. `false` if n8n can't say. */
export async function isInWorkflow(context: IExecuteFunctions, entry: string): Promise<boolean> {
	const marked = await markInWorkflow(context, [entry], false);
	// n8n can tell only by adding it.
	if (marked?.length === 0)
		await inTurn(async () => await context.helpers.removeProcessed([entry], 'workflow', { mode: 'entries' }));
	return marked?.includes(entry) ?? false;
}

/**
 * Records entries for a node that writes.
 * @param mayForget whether the oldest entries may make room
 * @returns those that were there before; rejects if n8n can't say
 */
export const recordInNode = async (
	context: IExecuteFunctions,
	entries: string[],
	mayForget = false,
): Promise<string[]> => (await record(context, entries, mayForget ? FORGETTING : WRITES)).processed;

/** The number of this node's entries; rejects if n8n can't say. */
export const countInNode = async (context: IExecuteFunctions): Promise<number> =>
	await inTurn(async () => await context.helpers.getProcessedDataCount('node', { mode: 'entries' }));

/** Removes entries of this node. */
export async function forgetInNode(context: IExecuteFunctions, entries: string[]): Promise<void> {
	await inTurn(async () => await context.helpers.removeProcessed(entries, 'node', { mode: 'entries' }));
}

/** The database's error when another process has created the row at the same moment. */
const CONFLICT = /unique|duplicate key/i;

/** @returns which of the entries were there before, and which weren't */
async function record(
	context: IExecuteFunctions,
	entries: string[],
	row: Row,
): Promise<Record<'new' | 'processed', string[]>> {
	const { scope, maxEntries } = row;
	const options = { mode: 'entries' as const, maxEntries };
	const once = async () =>
		(await inTurn(
			async () => await context.helpers.checkProcessedAndRecord(entries, scope, options),
		)) as Record<'new' | 'processed', string[]>;
	return await once().catch(async (error: Error) => {
		// Had n8n recorded an event before it failed, a second try would take it for one that has started the workflow.
		if (row === EVENTS && !CONFLICT.test(error.message)) throw error;
		return await once();
	});
}

/** The entries that this process has just added and will add once more, by row and node. */
const added = new Map<string, string[]>();

/**
 * Adds entries once more a moment later, in the background. In queue mode, another process may have read the row before
 * they were added and written the row afterwards: then they are gone. Entries that arrive meanwhile are added together.
 */
function keepMarked(context: IExecuteFunctions, entries: string[], row: Row): void {
	if (entries.length === 0) return;
	const key = [context.getWorkflow().id, row.scope, context.getNode().id].join();
	const waiting = added.get(key);
	if (waiting) return void waiting.push(...entries);
	added.set(key, [...entries]);
	const addAgain = async () => {
		await sleep(SETTLED_MS);
		const again = added.get(key)!;
		added.delete(key);
		const { new: lost } = await record(context, again, row);
		// Two processes that add at the same moment do so again, but of both, one has nothing lost then.
		keepMarked(context, lost, row);
	};
	void addAgain().catch((error: Error) => logOnce(context, error));
}

function logOnce(context: IExecuteFunctions, { message }: Error): void {
	if (causes.has(message)) return;
	causes.add(message);
	context.logger.warn(
		`n8n could not record what a node of ${workflowTitle(context)} has processed: ${message}. A repetition may not be recognized.`,
		{ workflowId: context.getWorkflow().id, node: context.getNode().name },
	);
}
