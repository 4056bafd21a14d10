import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { workflowTitle } from '../../errors/logText';
import { serialize } from '../concurrency';
import { forgetInNode, recordInNode, SETTLED_MS } from './processedData';

/** n8n rewrites all of them for each batch. After n8n was killed, one batch at most is open. */
const MOST_IN_BATCH = 20;
/** A run of up to this many records marks each one separately. */
const BATCHES = 50;
/** How often it is made sure at most that marks stay, while other processes write theirs. */
const CHECKS = 10;

/** What is known of a record. `open`: it was begun, and its outcome wasn't recorded. */
export type Known = 'new' | 'written' | 'open';

/**
 * Remembers in n8n's database which records a node has written, for those that the gateway doesn't recognize by a number.
 *
 * A record has two marks. Both are made before it is sent; the second one is removed when it is written, both are when
 * it certainly wasn't. So a record with both marks was in flight when n8n was killed, or is in flight in another run.
 * n8n can tell whether a mark exists only by making it: a second mark made by looking means "open" until it is removed
 * again, never "written". An open record is reported once, and then counts as written: someone was told to check it. Only a
 * run that is still active and stops before sending it takes that back, by removing its marks.
 */
export class WrittenBefore {
	private readonly known = new Map<string, Known>();
	/** Begun in this run, with no outcome yet. */
	private readonly begun = new Set<string>();
	/** Marks to be removed with the next batch. */
	private readonly toForget: string[] = [];
	/** What was written in this run, and what may have been. */
	private readonly ended: Record<'written' | 'open', string[]> = { written: [], open: [] };
	private readonly batchSize: number;
	private readonly inTurn = serialize();

	/** @param upcoming identify the records of the run, in the order in which they are sent */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly upcoming: readonly string[],
	) {
		this.batchSize = Math.min(MOST_IN_BATCH, Math.ceil(upcoming.length / BATCHES));
	}

	/** Call this before a record is sent: it is marked as begun. Rejects if n8n can't say. */
	async begin(record: string): Promise<Known> {
		await this.inTurn(async () => {
			if (!this.known.has(record)) await this.markBatchFrom(record);
		});
		const known = this.known.get(record) ?? 'open';
		if (known === 'open') this.toForget.push(openMark(record));
		return known;
	}

	/** Records that it was written, so that it isn't written again. */
	written(record: string): void {
		if (!this.begun.delete(record)) return;
		this.toForget.push(openMark(record));
		this.ended.written.push(record);
	}

	/** Records that its outcome is unknown. */
	open(record: string): void {
		if (this.begun.delete(record)) this.ended.open.push(record);
	}

	/** Records that it certainly wasn't written: it may be sent again. */
	notWritten(record: string): void {
		if (this.begun.delete(record)) this.toForget.push(mark(record), openMark(record));
	}

	/** Call this when nothing more is sent. What was marked in advance and not sent wasn't written. */
	async close(): Promise<void> {
		for (const record of this.begun) this.notWritten(record);
		try {
			await this.inTurn(async () => {
				await this.forget();
				await this.settle();
			});
		} catch (error) {
			// The records stay open, so that a person looks.
			this.context.logger.warn(
				`n8n could not record what a node of ${workflowTitle(this.context)} has written: ${(error as Error).message}. The next run will report it as unknown.`,
				{ workflowId: this.context.getWorkflow().id, node: this.context.getNode().name },
			);
		}
	}

	/**
	 * Makes sure that the marks stay. Another process may have read n8n's row before a mark was made or removed, and written
	 * it afterwards: then the mark is gone, or there again. Where one was lost, more may follow.
	 */
	private async settle(): Promise<void> {
		const { written, open } = this.ended;
		const marks = [...written, ...open].map(mark);
		if (marks.length === 0) return;
		const kept = [...marks, ...open.map(openMark)];
		for (let check = 1; check <= CHECKS; check++) {
			const found = await recordInNode(this.context, kept);
			if (found.length === kept.length) return;
			await sleep(SETTLED_MS);
			if (written.length > 0) await forgetInNode(this.context, written.map(openMark));
		}
	}

	private async markBatchFrom(record: string): Promise<void> {
		await this.forget();
		const start = this.upcoming.indexOf(record);
		const batch = this.upcoming.slice(start, start + this.batchSize).filter((one) => !this.known.has(one));
		const marks = batch.flatMap((one) => [mark(one), openMark(one)]);
		const before = new Set(await recordInNode(this.context, marks));
		for (const one of batch) this.note(one, before);
	}

	private note(record: string, before: ReadonlySet<string>): void {
		const known = before.has(openMark(record)) ? 'open' : before.has(mark(record)) ? 'written' : 'new';
		this.known.set(record, known);
		if (known === 'new') this.begun.add(record);
		// It was made by looking.
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
