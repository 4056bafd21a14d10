import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';
import { sumBy } from 'lodash';

import { workflowTitle } from '../../../errors';
import { MOST_REMEMBERED, SETTLED_MS, forgetInNode, recordInNode, serialize } from '../../../processedData';

/**
 * The most records that are recorded in one batch, because n8n rewrites the whole row for each batch. If n8n is killed,
 * at most one batch of each sequence that is being sent stays open.
 */
const MOST_IN_BATCH = 20;
/** A run of up to this many records records each one separately. */
const BATCHES = 50;
/** How many times at most a run checks that its entries stay while other processes write theirs. */
const CHECKS = 10;

/** What is known about a record. `open`: sending it was begun, but its outcome wasn't recorded. */
type Known = 'new' | 'written' | 'open';

/**
 * Remembers in n8n's database which records a node has written, for records that the gateway doesn't recognize by a
 * number.
 * A record has two entries. Both are added before the record is sent; the second one is removed when the record is
 * written, and both are removed when it certainly wasn't. So a record with both entries was in flight when n8n was
 * killed, or is in flight in another run. n8n can tell whether an entry exists only by adding it: a second entry added
 * by looking means "open" until it is removed again, never "written". An open record is reported once and then counts
 * as written, because someone was told to check it. Only a run that is still active and stops before sending the record
 * takes that back, by removing both entries.
 */
export class WrittenBefore {
	private readonly known = new Map<string, Known>();
	/** Records that this run has begun and that have no outcome yet. */
	private readonly begun = new Set<string>();
	/** Entries to be removed with the next batch. */
	private readonly toForget: string[] = [];
	/** Records that this run has written, and those that it may have written. */
	private readonly ended: Record<'written' | 'open', string[]> = { written: [], open: [] };
	private readonly batchSize: number;
	private readonly inTurn = serialize();

	constructor(
		private readonly context: IExecuteFunctions,
		/** Identify the records of the run, those of each sequence in the order in which they are sent. */
		private readonly sequences: ReadonlyArray<readonly string[]>,
	) {
		this.batchSize = Math.min(MOST_IN_BATCH, Math.ceil(sumBy(sequences, 'length') / BATCHES));
	}

	/**
	 * Call this before a record is sent, to record it as begun. Rejects if n8n can't say whether it was written before.
	 */
	async begin(record: string): Promise<Known> {
		await this.inTurn(async () => {
			if (!this.known.has(record)) await this.markBatchFrom(record);
		});
		const known = this.known.get(record)!;
		if (known === 'open') this.toForget.push(openMark(record));
		return known;
	}

	/** Records the outcome of a record that was begun. A record that certainly wasn't written is new again. */
	end(record: string, became: Known): void {
		this.begun.delete(record);
		if (became !== 'open') this.toForget.push(openMark(record));
		if (became !== 'new') return void this.ended[became].push(record);
		this.toForget.push(mark(record));
		// If the same record comes again in this run, it is recorded again.
		this.known.delete(record);
	}

	/** Call this when nothing more is sent. Removes the entries of records that were recorded in advance but not sent. */
	async close(): Promise<void> {
		for (const record of this.begun) this.end(record, 'new');
		try {
			await this.inTurn(async () => await this.settle());
		} catch (error) {
			// The records stay open, so that a person checks them.
			this.context.logger.warn(
				`n8n could not record what a node of ${workflowTitle(this.context)} has written: ${(error as Error).message}. The next run will report it as unknown.`,
				{ workflowId: this.context.getWorkflow().id, node: this.context.getNode().name },
			);
		}
	}

	/**
	 * Records entries again until they stay. Another process may have read n8n's row before an entry was added or removed
	 * and written the row afterwards; while it settles its own entries, it may do so again.
	 */
	private async settle(): Promise<void> {
		const { open } = this.ended;
		const written = this.ended.written.slice(-MOST_REMEMBERED);
		// n8n keeps no more: adding older ones again would push out newer ones.
		const kept = [...[...written, ...open].map(mark), ...open.map(openMark)].slice(-MOST_REMEMBERED);
		for (let check = 1; check <= CHECKS; check++) {
			for (const record of written) this.toForget.push(openMark(record));
			await this.forget();
			if (kept.length === 0) return;
			const found = await recordInNode(this.context, kept);
			if (found.length === kept.length) return;
			await sleep(SETTLED_MS);
		}
	}

	private async markBatchFrom(record: string): Promise<void> {
		await this.forget();
		const sequence = this.sequences.find((one) => one.includes(record)) ?? [];
		const start = sequence.indexOf(record);
		const batch = sequence.slice(start, start + this.batchSize).filter((one) => !this.known.has(one));
		const marks = batch.flatMap((one) => [mark(one), openMark(one)]);
		const before = new Set(await recordInNode(this.context, marks));
		for (const one of batch) this.learn(one, before);
	}

	private learn(record: string, before: ReadonlySet<string>): void {
		const known = before.has(openMark(record)) ? 'open' : before.has(mark(record)) ? 'written' : 'new';
		this.known.set(record, known);
		if (known === 'new') this.begun.add(record);
		// Looking for the second entry has added it.
		if (known === 'written') this.toForget.push(openMark(record));
	}

	private async forget(): Promise<void> {
		if (this.toForget.length === 0) return;
		const marks = [...this.toForget];
		await forgetInNode(this.context, marks);
		// Entries of other cash books may have ended meanwhile.
		this.toForget.splice(0, marks.length);
	}
}

const mark = (record: string) => `written ${record}`;
const openMark = (record: string) => `open ${record}`;
