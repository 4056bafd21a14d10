import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { clamp, uniq, without } from 'lodash';

import { workflowTitle } from '../errors';
import { serialize } from '../values';

/** A row in n8n's database: n8n keeps one for each node (by its ID), and one for the workflow. */
interface Place {
	scope: 'node' | 'workflow';
	/** n8n rewrites the row for each new mark, and drops the oldest ones beyond this number. */
	maxEntries: number;
}

/**
 * The first mark of each row that only our nodes write: it says in which format the others are. n8n stores nothing but the
 * hashes of marks, so what has another format can't be read, and would look as if nothing had ever been written.
 */
const FORMAT_MARK = 'accounting gateway, format 1';

/** Thrown if a row has marks, but not that of this format: nobody knows what they say. */
export class OtherFormat extends Error {
	constructor() {
		super('n8n’s record of this node was written by another version of the package');
	}
}

interface Row extends Place {
	/**
	 * What happens if n8n can't say what is there (a workflow that isn't saved, a database that fails): `reject`, so that
	 * the caller does nothing, or `goOn` without knowing, with a line in n8n's log.
	 */
	onError: 'reject' | 'goOn';
	/** The errors after which n8n is asked once more. */
	askAgainAfter: RegExp;
	/** Whether this process makes sure, a moment later, that marks stay. */
	isKept?: true;
	/** Whether its caller opens the row before it adds marks; otherwise, each addition does. */
	isOpened?: true;
	/** Whether old marks make room for new ones, so that that of the format has to be added again. */
	forgets?: true;
	/** Whether a row of another format gets the format's mark once that was said, so that only what comes first has to be decided. */
	adopts?: true;
	/** The row that is used while n8n refuses this one. */
	instead?: Place;
	storedAs?(node: INode, mark: string): string;
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
		adopts: true,
		// Nodes with the same ID, and so the same row, occur in workflows that were written or merged by hand.
		storedAs: ({ name }, mark) => JSON.stringify([name, mark]),
	},
	/**
	 * What a node has written, with two marks for each record in flight or looked up at once. These must never push out
	 * what is remembered: a record whose mark was dropped would be written again. So there is more room than the node
	 * uses, because it stops when its memory is full. It looks after its marks itself.
	 */
	memory: {
		scope: 'node',
		maxEntries: MOST_REMEMBERED + 10_000,
		onError: 'reject',
		askAgainAfter: ANY,
		isOpened: true,
	},
	/** The same for a node whose oldest records may be forgotten. */
	forgettingMemory: {
		scope: 'node',
		maxEntries: MOST_REMEMBERED + 160,
		onError: 'reject',
		askAgainAfter: ANY,
		isOpened: true,
		forgets: true,
	},
	/**
	 * The executions that have started to write: without n8n's answer, the execution's own data tells what was sent. The row
	 * is shared with n8n's "Remove Duplicates" nodes of that scope. It keeps as many marks as theirs do by default, so
	 * that these nodes don't lose marks any sooner; and it has no mark of the format, because a row that holds theirs alone is no other format:
	 * what a mark says never changes. Where such a node keeps the largest value in it, it takes no marks;
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

export class ProcessedRow<Name extends RowName> {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly name: Name,
	) {}

	/**
	 * Opens a row of a memory, before marks are added to it.
	 * @returns the number of its marks
	 * @throws OtherFormat
	 */
	async open(): Promise<number> {
		const { held } = await addMarked(this.context, this.name, ROWS[this.name], []);
		return held;
	}

	/**
	 * Adds marks: n8n can tell which ones there are only by adding them.
	 * @returns those that were there before
	 * @throws OtherFormat
	 */
	async add(
		marks: readonly string[],
		{ isKept = (ROWS[this.name] as Row).isKept === true } = {},
	): Promise<Said<Name, string[]>> {
		const { context, name } = this;
		return await ask(context, name, async (place) => {
			const { storedAs = (_node, mark) => mark, isOpened, forgets }: Row = ROWS[name];
			const stored = new Map(marks.map((mark) => [storedAs(context.getNode(), mark), mark]));
			const all = [...stored.keys()];
			const isMarked = place.scope === 'node' && !isOpened;
			const { processed } = isMarked
				? await addMarked(context, name, place, all)
				: await add(context, name, place, forgets ? [...all, FORMAT_MARK] : all);
			if (isKept) keep(context, name, place, isMarked ? [FORMAT_MARK, ...all] : all);
			return processed.flatMap((mark) => stored.get(mark) ?? []);
		});
	}

	async remove(marks: readonly string[]): Promise<void> {
		await ask(this.context, this.name, async ({ scope }) => {
			await inTurn(async () => await remove(this.context, scope, marks));
		});
	}

	/** Waits until a process that has read the row before now has written it. */
	async settled(): Promise<void> {
		await settled(this.context, this.name);
	}
}

const remove = async (context: IExecuteFunctions, scope: Place['scope'], marks: readonly string[]) =>
	await context.helpers.removeProcessed([...marks], scope, { mode: 'entries' });

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
		const said = await question(place).then(
			(answer) => ({ answer }),
			(error: Error) => {
				if (error instanceof OtherFormat) throw error;
				logOnce(context, error);
				return undefined;
			},
		);
		if (!said) continue;
		if (place === row) causes.clear();
		return said.answer;
	}
	return undefined as Said<Name, T>;
}

/**
 * n8n reads and writes a row in two steps. Running them one at a time keeps marks of this process from overwriting
 * each other.
 */
const inTurn = serialize();

type Added = Record<'new' | 'processed', string[]>;

/** @returns which of the marks were there before, and which weren't */
const add = async (...given: Parameters<typeof record>): Promise<Added> =>
	await inTurn(async () => await record(...given));

/**
 * Adds marks to a row that is known by that of its format.
 * @returns also how many the row had before
 * @throws OtherFormat if it has others, but no mark
 */
async function addMarked(
	context: IExecuteFunctions,
	name: RowName,
	place: Place,
	marks: readonly string[],
): Promise<Added & { held: number }> {
	// No other run of this process may take the format's mark for good that is removed again.
	return await inTurn(async () => {
		const { scope } = place;
		const count = await context.helpers.getProcessedDataCount(scope, { mode: 'entries' });
		const said = await record(context, name, place, [FORMAT_MARK, ...marks]);
		if (count > 0 && said.new.includes(FORMAT_MARK)) {
			const { adopts }: Row = ROWS[name];
			await remove(context, scope, adopts ? without(said.new, FORMAT_MARK) : said.new);
			throw new OtherFormat();
		}
		return { ...said, held: Math.max(count - 1, 0) };
	});
}

async function record(
	context: IExecuteFunctions,
	name: RowName,
	{ scope, maxEntries }: Place,
	marks: string[],
): Promise<Added> {
	const once = async () => {
		const begun = performance.now();
		const said = await context.helpers.checkProcessedAndRecord(marks, scope, {
			mode: 'entries',
			maxEntries,
		});
		tookMs.set(keyOf(context, name), performance.now() - begun);
		return said as Added;
	};
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

async function settled(context: IExecuteFunctions, name: RowName): Promise<void> {
	const took = tookMs.get(keyOf(context, name)) ?? 0;
	await sleep(clamp(TIMES_AS_LONG * took, SETTLED_MS, SETTLED_AT_LAST_MS));
}

/** The marks that this process has just added and will add once more, by row and node. */
const added = new Map<string, string[]>();

/**
 * Adds marks once more a moment later, in the background. In queue mode, another process may have read the row before
 * they were added and written the row afterwards: then they are gone. Marks that arrive meanwhile are added together.
 */
function keep(context: IExecuteFunctions, name: RowName, place: Place, marks: string[]): void {
	if (marks.length === 0) return;
	const key = keyOf(context, place.scope);
	const waiting = added.get(key);
	if (waiting) return void waiting.push(...marks);
	added.set(key, [...marks]);
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
