import type { IExecuteFunctions } from 'n8n-workflow';
import { chunk, compact, once, sumBy, uniq } from 'lodash';

import { workflowTitle } from '../../../errors';
import type { OnDay } from '../../../operation';
import { MOST_REMEMBERED, ProcessedRow } from '../../../processedData';
import { both, serialize } from '../../../values';
import type { Language } from '../../../values';

/**
 * The most records that are recorded in one batch, because n8n rewrites the whole row for each batch. If n8n is killed,
 * at most one batch of each sequence that is being sent stays open.
 */
const MOST_IN_BATCH = 20;
/** A run of up to this many records records each one separately. */
const BATCHES = 50;
/** How many times at most a run checks that its marks stay while other processes write theirs. */
const CHECKS = 10;
/** How many records are looked up or forgotten at once, because n8n compares each with the whole row. */
const RECORDS_AT_ONCE = 500;

/** The marks of records in flight, of which there are four batches at most. */
const IN_FLIGHT = 4 * 2 * MOST_IN_BATCH;

/**
 * What is known about a record. `open`: sending it was begun, but its outcome wasn't recorded; `incomplete`: the
 * gateway or the accounting system refused it, but it may be there, or a part of it; `onOtherDay`: the same moment was
 * sent with another day, as the workflow had another time zone.
 */
export type Known = Became | 'onOtherDay';
/** What a record that was begun is afterwards. */
export type Became = 'new' | 'written' | 'open' | 'incomplete';

/** Thrown if the memory has no room for the run's records: then none of them may be sent. */
export class MemoryFull extends Error {
	/** @param held how many records are remembered @param added how many the run would add */
	constructor(
		readonly held: number,
		readonly added: number,
	) {
		super(`The node's memory holds ${held} of at most ${MOST_REMEMBERED} records`);
	}
}

/**
 * Remembers in n8n's database which records a node has written, for records that the gateway doesn't recognize by a
 * number. n8n can tell whether a mark exists only by adding it, so a record has two marks:
 *
 * | marks                | state      | when                                                             |
 * | -------------------- | ---------- | ---------------------------------------------------------------- |
 * | none                 | new        | not sent, or certainly not carried out                           |
 * | `written` and `open` | open       | added before it is sent; stays if n8n is killed or it is unknown |
 * | `written`            | written    | once it is confirmed                                             |
 * | `open`               | incomplete | once it is refused, but may be there, or a part of it            |
 *
 * A record whose day depends on the workflow's time zone has one more, with the moment and the day, as long as it isn't new.
 * A new one of which there is a mark with another day is reported once, like an open one.
 *
 * To look a record up adds what it lacks, so it is "open" until that is removed again, never "written". An open record is
 * reported once and then counts as written, because someone was told to check it. Only a run that is still active and
 * stops before sending the record takes that back, by removing both marks.
 *
 * Nothing makes room for what comes later, unless all records of a run are ones that may be sent again.
 */
export class NodeMemory {
	private readonly known = new Map<string, Known>();
	/** Records that this run has begun and that have no outcome yet. */
	private readonly begun = new Set<string>();
	/** Marks to be removed with the next batch. */
	private readonly toForget: string[] = [];
	/** Records that this run has written, may have written, or that are incomplete. */
	private readonly ended: Record<'written' | 'open' | 'incomplete', string[]> = {
		written: [],
		open: [],
		incomplete: [],
	};
	private readonly row: ProcessedRow<'memory' | 'forgettingMemory'>;
	private readonly batchSize: number;
	private readonly inTurn = serialize();
	private readonly room = once(async () => await this.checkRoom());

	/** @param mayForget whether the oldest records may make room, because all of the run's records may be sent again */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly language: Language,
		/** Identify the records of the run, those of each sequence in the order in which they are sent. */
		private readonly sequences: ReadonlyArray<readonly string[]>,
		private readonly mayForget: boolean,
		/** The days of records, where they depend on the workflow's time zone. */
		private readonly days: ReadonlyMap<string, OnDay> = new Map(),
	) {
		this.row = new ProcessedRow(context, mayForget ? 'forgettingMemory' : 'memory');
		this.batchSize = Math.min(MOST_IN_BATCH, Math.ceil(sumBy(sequences, 'length') / BATCHES));
	}

	/**
	 * Call this before a record is sent, to record it as begun. Rejects if n8n can't say whether it was written before, or
	 * if the memory has no room for the run.
	 * @param mayRepeat whether to send it again if its outcome is unknown
	 */
	async begin(record: string, mayRepeat = false): Promise<Known> {
		await this.inTurn(async () => {
			await this.room();
			if (!this.known.has(record)) await this.markBatchFrom(record);
		});
		const known = this.known.get(record)!;
		if (known !== 'open' && known !== 'onOtherDay') return known;
		this.begun.delete(record);
		if (mayRepeat) {
			// Both of its marks are there already.
			this.known.set(record, 'new');
			this.begun.add(record);
			return 'new';
		}
		this.toForget.push(openMark(record));
		return known;
	}

	/** Records the outcome of a record that was begun. A record that certainly wasn't written is new again. */
	end(record: string, became: Became): void {
		this.begun.delete(record);
		if (became === 'new' || became === 'written') this.toForget.push(openMark(record));
		if (became === 'new' || became === 'incomplete') this.toForget.push(writtenMark(record));
		if (became === 'new') {
			this.toForget.push(...this.dayOf(record));
			// If the same record comes again in this run, it is recorded again.
			this.known.delete(record);
			return;
		}
		this.known.set(record, became);
		this.ended[became].push(record);
	}

	/** Call this when nothing more is sent. Removes the marks of records that were recorded in advance but not sent. */
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
	 * Throws if what the node remembers has another format, or if there is no room for the records of the run that the node
	 * doesn't know yet.
	 */
	private async checkRoom(): Promise<void> {
		const held = await this.row.open();
		if (held === 0) this.sayEmpty();
		const records = uniq(this.sequences.flat());
		if (this.mayForget) return;
		const places = (some: readonly string[]) => sumBy(some, (one) => 1 + this.dayOf(one).length);
		if (held + places(records) + IN_FLIGHT <= MOST_REMEMBERED) return;
		let added = 0;
		for (const piece of chunk(records, RECORDS_AT_ONCE)) {
			const before = await this.lookUp(piece);
			for (const record of piece) {
				const known = this.stateIn(record, before);
				if (known !== 'new' && known !== 'onOtherDay') this.known.set(record, known);
				else added += places([record]);
				// What looking has added goes again.
				this.toForget.push(...this.marksOf(record).filter((mark) => !before.has(mark)));
			}
			await this.forget();
		}
		if (added > 0 && held + added + IN_FLIGHT > MOST_REMEMBERED) throw new MemoryFull(held, added);
	}

	private sayEmpty(): void {
		const message = EMPTY_MEMORY[this.language];
		this.context.addExecutionHints?.({ type: 'info', location: 'outputPane', message });
	}

	private async lookUp(records: readonly string[]): Promise<ReadonlySet<string>> {
		const marks = records.flatMap((one) => this.marksOf(one));
		return new Set(await this.row.add(marks));
	}

	private marksOf(record: string): string[] {
		return [writtenMark(record), openMark(record), ...this.dayOf(record), ...this.otherDaysOf(record)];
	}

	/** The mark of a record's moment and day, if it has one. */
	private dayOf(record: string): string[] {
		return compact([this.days.get(record)?.sent]).map(dayMark);
	}

	/** Those of its moment and each other day. */
	private otherDaysOf(record: string): string[] {
		return (this.days.get(record)?.others ?? []).map(dayMark);
	}

	/** @param before the marks that were there before the record was looked up */
	private stateIn(record: string, before: ReadonlySet<string>): Known {
		if (before.has(openMark(record))) return before.has(writtenMark(record)) ? 'open' : 'incomplete';
		if (before.has(writtenMark(record))) return 'written';
		return this.otherDaysOf(record).some((other) => before.has(other)) ? 'onOtherDay' : 'new';
	}

	/**
	 * Records marks again until they stay. Another process may have read n8n's row before a mark was added or removed
	 * and write the row afterwards, so they are looked for a moment later; while it settles its own marks, it may do so
	 * again.
	 */
	private async settle(): Promise<void> {
		const { written, open, incomplete } = this.ended;
		const kept = [
			...[...written, ...open].map(writtenMark),
			...[...open, ...incomplete].map(openMark),
			...[...written, ...open, ...incomplete].flatMap((one) => this.dayOf(one)),
		]
			// Where the oldest may be forgotten, adding them again would push out newer ones.
			.slice(-MOST_REMEMBERED);
		const forgetEnded = async () => {
			this.toForget.push(...written.map(openMark), ...incomplete.map(writtenMark));
			await this.forget();
		};
		await forgetEnded();
		if (kept.length === 0) return;
		for (let check = 1; check <= CHECKS; check++) {
			await this.row.settled();
			await forgetEnded();
			const found = await this.row.add(kept);
			if (found.length === kept.length) return;
		}
	}

	private async markBatchFrom(record: string): Promise<void> {
		await this.forget();
		const sequence = this.sequences.find((one) => one.includes(record)) ?? [];
		const start = sequence.indexOf(record);
		const batch = sequence.slice(start, start + this.batchSize).filter((one) => !this.known.has(one));
		const before = await this.lookUp(batch);
		for (const one of batch) this.learn(one, this.stateIn(one, before), before);
	}

	private learn(record: string, known: Known, before: ReadonlySet<string>): void {
		this.known.set(record, known);
		if (known === 'new' || known === 'onOtherDay') this.begun.add(record);
		// Only a new record keeps what looking for its days has added, and of these its own.
		const days = [...this.otherDaysOf(record), ...(known === 'new' ? [] : this.dayOf(record))];
		this.toForget.push(...days.filter((day) => !before.has(day)));
		// Looking for the other mark has added it.
		if (known === 'written') this.toForget.push(openMark(record));
		if (known === 'incomplete') this.toForget.push(writtenMark(record));
	}

	private async forget(): Promise<void> {
		while (this.toForget.length > 0) {
			const marks = this.toForget.slice(0, 2 * RECORDS_AT_ONCE);
			await this.row.remove(marks);
			// Records of other cash books may have ended meanwhile.
			this.toForget.splice(0, marks.length);
		}
	}
}

/** Below the output of a first run; also of the first one after n8n was moved, when everything would be written again. */
const EMPTY_MEMORY = both(
	'This node’s memory was empty. After its first run, that is as it should be; but if this node has run elsewhere (n8n was moved, the workflow was imported or the node was pasted), its memory stayed there, and what it has written before may now be there twice.',
	'Das Gedächtnis dieses Nodes war leer. Nach seinem ersten Lauf ist das richtig; lief er aber schon anderswo (n8n ist umgezogen, der Workflow wurde importiert oder der Node eingefügt), blieb sein Gedächtnis dort, und was er früher geschrieben hat, ist jetzt vielleicht doppelt da.',
);

const writtenMark = (record: string) => `written ${record}`;
const openMark = (record: string) => `open ${record}`;
const dayMark = (moment: string) => `at ${moment}`;
