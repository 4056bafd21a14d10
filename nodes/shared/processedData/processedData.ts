import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { clamp, uniq } from 'lodash';

import { workflowTitle } from '../errors';

/** A row in n8n's database: n8n keeps one for each node (by its ID), and one for the workflow. */
interface Place {
	scope: 'node' | 'workflow';
	/** n8n rewrites the row for each new entry, and drops the oldest ones beyond this number. */
	maxEntries: number;
}

interface Row extends Place {
	/**
	 * What happens if n8n can't say what is there (a workflow that isn't saved, a database that fails): `reject`, so that
	 * the caller does nothing, or `goOn` without knowing, with a line in n8n's log.
	 */
	onError: 'reject' | 'goOn';
	/** The errors after which n8n is asked once more. */
	askAgainAfter: RegExp;
	/** Whether this process makes sure, a moment later, that entries stay. */
	isKept?: true;
	/** The row that is used while n8n refuses this one. */
	instead?: Place;
	/** How an entry is stored. */
	entryOf?(node: INode, entry: string): string;
}

/**
 * The number of records that a node which writes remembers. A row of so many has 1.35 MB; to read and write it takes 34 ms
 * of processor time.
 */
export const MOST_REMEMBERED = 50_000;

const ANY = /(?:)/;
/** The database's error when another process has created the row at the same moment. */
const CONFLICT = /unique|duplicate key/i;

/** All that the nodes keep in n8n's processed data. */
const ROWS = {
	/** The events and transactions that a trigger has passed on: a repetition is better than a loss. */
	events: {
		scope: 'node',
		maxEntries: 2_000,
		onError: 'goOn',
		// Had n8n recorded an event before it failed, a second try would take it for one that has started the workflow.
		askAgainAfter: CONFLICT,
		isKept: true,
		// Nodes with the same ID, and so the same row, occur in workflows that were written or merged by hand.
		entryOf: ({ name }, entry) => JSON.stringify([name, entry]),
	},
	/**
	 * What a node has written, with two entries for each record in flight or looked up at once. These must never push out
	 * what is remembered: a record whose entry was dropped would be written again. So there is more room than the node
	 * uses, because it stops when its memory is full. It looks after its entries itself.
	 */
	memory: {
		scope: 'node',
		maxEntries: MOST_REMEMBERED + 10_000,
		onError: 'reject',
		askAgainAfter: ANY,
	},
	/** The same for a node whose oldest records may be forgotten. */
	forgettingMemory: {
		scope: 'node',
		maxEntries: MOST_REMEMBERED + 160,
		onError: 'reject',
		askAgainAfter: ANY,
	},
	/**
	 * The executions that have started to write: without n8n's answer, the execution's own data tells what was sent. The row
	 * is shared with n8n's "Remove Duplicates" nodes of that scope. It keeps as many entries as theirs do by default, so
	 * that these nodes don't lose entries any sooner. Where such a node keeps the largest value in it, it takes no entries;
	 * then the node's own row does, and as many as a node that writes remembers there.
	 */
	attempts: {
		scope: 'workflow',
		maxEntries: 10_000,
		onError: 'goOn',
		askAgainAfter: ANY,
		isKept: true,
		instead: { scope: 'node', maxEntries: MOST_REMEMBERED + 10_000 },
	},
} satisfies Record<string, Row>;

type RowName = keyof typeof ROWS;
/** What n8n says; `undefined` if it can't, where the row goes on. */
type Said<Name extends RowName, T> = (typeof ROWS)[Name]['onError'] extends 'reject' ? T : T | undefined;

/**
 * Adds entries: n8n can tell which ones there are only by adding them.
 * @returns those that were there before
 */
export const addEntries = async <Name extends RowName>(
	context: IExecuteFunctions,
	name: Name,
	entries: readonly string[],
	{ isKept = (ROWS[name] as Row).isKept === true } = {},
): Promise<Said<Name, string[]>> =>
	await ask(context, name, async (place) => {
		const { entryOf = (_node, entry) => entry }: Row = ROWS[name];
		const stored = new Map(entries.map((entry) => [entryOf(context.getNode(), entry), entry]));
		const { processed } = await add(context, name, place, [...stored.keys()]);
		if (isKept) keep(context, name, place, [...stored.keys()]);
		return processed.map((entry) => stored.get(entry)!);
	});

/** Removes entries. A trigger's stay: what has started the workflow has. */
export const removeEntries = async (
	context: IExecuteFunctions,
	name: Exclude<RowName, 'events'>,
	entries: readonly string[],
): Promise<void> =>
	await ask(context, name, async ({ scope }) => {
		await inTurn(async () => await context.helpers.removeProcessed([...entries], scope, { mode: 'entries' }));
	});

/** The number of entries. */
export const countEntries = async <Name extends RowName>(
	context: IExecuteFunctions,
	name: Name,
): Promise<Said<Name, number>> =>
	await ask(context, name, async ({ scope }) =>
		inTurn(async () => await context.helpers.getProcessedDataCount(scope, { mode: 'entries' })),
	);

/** Why n8n has failed since its last success; each cause is logged once. */
const causes = new Set<string>();

/** Asks n8n for a row. All that the nodes know of its processed data goes through here. */
async function ask<Name extends RowName, T>(
	context: IExecuteFunctions,
	name: Name,
	question: (place: Place) => Promise<T>,
): Promise<Said<Name, T>> {
	const row: Row = ROWS[name];
	if (row.onError === 'reject') return await question(row);
	for (const place of row.instead ? [row, row.instead] : [row]) {
		try {
			const answer = await question(place);
			if (place === row) causes.clear();
			return answer;
		} catch (error) {
			logOnce(context, error as Error);
		}
	}
	return undefined as Said<Name, T>;
}

/** Runs tasks one at a time, in the order in which they are given, and resolves to their results. */
export function serialize(): <T>(task: () => Promise<T>) => Promise<T> {
	let last: Promise<unknown> = Promise.resolve();
	return async (task) => {
		const result = last.then(task);
		last = result.catch(() => undefined);
		return await result;
	};
}

/**
 * n8n reads and writes a row in two steps. Running them one at a time keeps entries of this process from overwriting
 * each other.
 */
const inTurn = serialize();

/** @returns which of the entries were there before, and which weren't */
async function add(
	context: IExecuteFunctions,
	name: RowName,
	{ scope, maxEntries }: Place,
	entries: string[],
): Promise<Record<'new' | 'processed', string[]>> {
	const options = { mode: 'entries' as const, maxEntries };
	const once = async () =>
		await inTurn(async () => {
			const begun = performance.now();
			const said = await context.helpers.checkProcessedAndRecord(entries, scope, options);
			tookMs.set(keyOf(context, name), performance.now() - begun);
			return said as Record<'new' | 'processed', string[]>;
		});
	return await once().catch(async (error: Error) => {
		if (!ROWS[name].askAgainAfter.test(error.message)) throw error;
		return await once();
	});
}

/** A process that has read a row writes it within this time, unless the machine or the database is busy. */
export const SETTLED_MS = 250;
/** Where they are, another process takes longer than this one did, but hardly so many times as long. */
const TIMES_AS_LONG = 10;
/** However long n8n took, a run doesn't wait longer for its end. */
const SETTLED_AT_LAST_MS = 10_000;

/** What this process knows a node's row by. */
const keyOf = (context: IExecuteFunctions, row: RowName | Place['scope']) =>
	[context.getWorkflow().id, row, context.getNode().id].join();

/** How long n8n took to read and write a row the last time, in milliseconds. */
const tookMs = new Map<string, number>();

/** Waits until a process that has read the row before now has written it. */
export async function settled(context: IExecuteFunctions, name: RowName): Promise<void> {
	const took = tookMs.get(keyOf(context, name)) ?? 0;
	await sleep(clamp(TIMES_AS_LONG * took, SETTLED_MS, SETTLED_AT_LAST_MS));
}

/** The entries that this process has just added and will add once more, by row and node. */
const added = new Map<string, string[]>();

/**
 * Adds entries once more a moment later, in the background. In queue mode, another process may have read the row before
 * they were added and written the row afterwards: then they are gone. Entries that arrive meanwhile are added together.
 */
function keep(context: IExecuteFunctions, name: RowName, place: Place, entries: string[]): void {
	if (entries.length === 0) return;
	const key = keyOf(context, place.scope);
	const waiting = added.get(key);
	if (waiting) return void waiting.push(...entries);
	added.set(key, [...entries]);
	const addAgain = async () => {
		await settled(context, name);
		const again = uniq(added.get(key));
		added.delete(key);
		const { new: overwritten } = await add(context, name, place, again);
		// Two processes that add at the same moment do so again, but of both, one finds nothing overwritten then.
		keep(context, name, place, overwritten);
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
