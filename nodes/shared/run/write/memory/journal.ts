import type { IExecuteFunctions } from 'n8n-workflow';
import { memoize, once } from 'lodash';

import { CHECK_FIRST, isCertainlyNotDone } from '../../../errors';
import type { GatewayClient } from '../../../gateway';
import { numberSent, recordKey, rememberedContent } from '../../recordIdentity';
import { failed, withLabel } from '../../task';
import type { Outcome, Task, Write } from '../../task';
import { isOutOfDate } from './attempts';
import { fingerprint, fingerprintOfAll, journalIn, entriesOf, itemsSent, runOf } from './stored';
import type { Entry, StoredJournal, NodeEntries } from './stored';

const unknownOutcome = (message: string, german: string, description = CHECK_FIRST) =>
	failed({ outcome: 'unknown', message, german, description });

const INTERRUPTED = unknownOutcome(
	'The node was interrupted while this request was in flight',
	'Der Node wurde unterbrochen, während diese Anfrage lief.',
);

const STOPPED = unknownOutcome(
	'n8n was stopped while this execution was writing, or the execution was retried before, or it began with another version of the package',
	'n8n wurde beim Senden angehalten, oder die Ausführung wurde schon einmal wiederholt oder mit einer anderen Version des Pakets begonnen.',
	'The outcome for this item is unknown, so it was not sent again: check the newest retry, if there is one, and the accounting system (or wherever else it would be). Send what is missing in a new execution.',
);

const TOOL_GONE = unknownOutcome(
	'An earlier attempt of this execution sent something through a tool that no longer exists: it was renamed or removed',
	'Ein früherer Versuch hat etwas durch ein Werkzeug gesendet, das es nicht mehr gibt.',
	'Its outcome is unknown, so nothing was sent: check the accounting system (or wherever else it would be). Send what is missing in a new execution.',
);

export const CHANGED = failed({
	...unknownOutcome(
		'An earlier attempt of this execution sent something for this item, but the item or the node has changed since then',
		'Ein früherer Versuch hat dafür etwas gesendet; seither wurde das Item oder der Node geändert.',
	).failure,
	// What was sent isn't what the node would send now.
	sentAs: {},
});

/** @param there the gateway and connection that the record was sent to */
const elsewhere = (there: string) =>
	unknownOutcome(
		'An earlier attempt of this execution sent this item to another gateway or connection',
		'Ein früherer Versuch hat es an ein anderes Gateway oder eine andere Verbindung gesendet.',
		`It went to ${there}, and a retry never sends to a second destination. If it is missing here, send it in a new execution.`,
	);

/** Tool calls in flight in this process, by the node's entries and their keys. */
const inFlight = new WeakMap<NodeEntries, Map<string, Promise<Outcome>>>();

/**
 * Remembers what a run has sent. n8n's "Retry On Fail" runs the whole node again, and so does "Retry" of a failed
 * execution; the execution's data survives both, so what was sent, or may have been, isn't sent twice. An AI agent's
 * tool calls share the data and can run at the same time. With data that may be out of date, nothing is sent.
 */
export class Journal {
	/** This run's keys among the entries. */
	private readonly keys = new Set<string>();
	private readonly fingerprint = memoize((item: number) => fingerprint(this.context, item));
	private readonly calls: Map<string, Promise<Outcome>>;
	/** The items of which an earlier attempt sent a part that none of the tasks has, such as a file of another name. */
	private readonly changed = once(() =>
		itemsSent(this.context, new Set(this.tasks.flatMap((task) => this.keysOf(task)))),
	);

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly stored: StoredJournal,
		private readonly entries: NodeEntries,
		/** Identifies the run on a retry. */
		private readonly run: number | 'tool',
		private readonly client: Pick<GatewayClient, 'destination'>,
		private readonly tasks: readonly Task[],
	) {
		this.calls = inFlight.get(entries) ?? new Map<string, Promise<Outcome>>();
		inFlight.set(entries, this.calls);
	}

	/** Call this before the first request is sent. @param tasks what is to be sent */
	static async open(
		context: IExecuteFunctions,
		client: Pick<GatewayClient, 'destination'>,
		tasks: readonly Task[],
	): Promise<Journal> {
		const stored = journalIn(context);
		const run = runOf(context);
		if (await isOutOfDate(context, stored, { node: context.getNode().name, run })) stored.stopped = true;
		const entries = entriesOf(context, stored);
		// Whoever uses "Retry" has read that parts of it may be there; n8n's "Retry On Fail" asks nobody.
		for (const [key, { outcome, execution }] of Object.entries(entries.results))
			if (isRefusedInPart(outcome) && execution !== context.getExecutionId()) delete entries.results[key];
		return new Journal(context, stored, entries, run, client, tasks);
	}

	/** The outcome of all items, if nobody can tell anymore what an earlier attempt has sent. */
	get outcomeOfAll() {
		return this.stored.stopped ? STOPPED : this.entries.lost && TOOL_GONE;
	}

	/**
	 * The outcome of a request that an earlier attempt sent, if it must not be sent again. A tool call that is identical
	 * to one in flight waits for that one's outcome.
	 */
	recall(write: Write): Outcome | Promise<Outcome> | undefined {
		const { outcomeOfAll } = this;
		if (outcomeOfAll) return withLabel(outcomeOfAll, write.task.label?.en);
		const keys = this.keysOf(write.task);
		for (const key of keys) this.keys.add(key);
		const running = this.calls.get(keys[0]);
		if (!running) return this.earlier(keys, write);
		return running.then((outcome) => (outcome.kind === 'done' ? { ...outcome, isOfOther: true } : outcome));
	}

	/** Records that a request is about to be sent, so that its outcome is unknown. */
	begin(write: Write): void {
		this.enter(write, withLabel(INTERRUPTED, write.task.label?.en));
	}

	/** Records the outcome of a request that was begun. Until then, an identical tool call waits for it. */
	async end(write: Write, sending: Promise<Outcome>): Promise<Outcome> {
		const [key] = this.keysOf(write.task);
		const call = sending.then((outcome) => withLabel(outcome, write.task.label?.en));
		this.calls.set(key, call);
		try {
			const outcome = await call;
			this.enter(write, outcome);
			return outcome;
		} finally {
			this.calls.delete(key);
		}
	}

	/** Forgets the run. Call this when all of its requests have succeeded and no other attempt follows. */
	clear(): void {
		for (const key of this.keys) {
			// A retried agent calls its tool again, even after a success.
			const isKept = this.run === 'tool' && this.entries.results[key]?.as.sent !== undefined;
			if (!isKept) delete this.entries.results[key];
		}
	}

	/** Records an outcome. A request that was certainly not carried out may be sent again, so its entry is removed. */
	private enter(write: Write, outcome: Outcome): void {
		const isUndone = outcome.kind === 'failed' && isCertainlyNotDone(outcome.failure);
		const entry: Entry = {
			outcome,
			fingerprint: this.fingerprintOf(write),
			destination: this.client.destination(write.request),
			as: { label: write.task.label?.en, sent: numberSent(write.task.identity) },
			record: keyOfRecord(write),
			...(isRefusedInPart(outcome) && { execution: this.context.getExecutionId() }),
		};
		for (const key of this.keysOf(write.task)) {
			if (isUndone) delete this.entries.results[key];
			else this.entries.results[key] = entry;
		}
	}

	/**
	 * What keeps a request from being sent, by what an earlier attempt has left of its items:
	 *
	 * | left                                                          | outcome                                         |
	 * | ------------------------------------------------------------- | ----------------------------------------------- |
	 * | nothing                                                       | none: it is sent                                |
	 * | nothing but another part of an item                           | `CHANGED`                                       |
	 * | an entry with another fingerprint: data, items or endpoint    | `CHANGED`                                       |
	 * | a failure: what was certainly not carried out leaves no entry | the same failure                                |
	 * | of a tool, a record with another number                       | none: another call                              |
	 * | a success at another gateway or connection                    | `elsewhere`                                     |
	 * | `done`, whatever number the item has now                      | the earlier answer: the item has its record     |
	 * | `existed`, and has the same number                            | the same                                        |
	 * | `existed`, and has another number, given by a person          | none: the new number was never sent             |
	 * | `existed`, and has another number or content by itself        | `CHANGED`                                       |
	 */
	private earlier(keys: string[], write: Write): Outcome | undefined {
		const found = keys.flatMap((key) => this.entries.results[key] ?? []);
		if (found.length === 0)
			return write.task.items.some((item) => this.changed().has(item)) ? CHANGED : undefined;
		const fingerprintNow = this.fingerprintOf(write);
		// One of several items may have been sent alone, or together with others.
		const changed = found.find((entry) => entry.fingerprint !== fingerprintNow);
		if (changed) return asSent(withLabel(CHANGED, changed.as.label), changed);
		const [entry] = found;
		const { outcome, destination, as, record } = entry;
		if (outcome.kind === 'failed') return asSent(outcome, entry);
		const recordNow = keyOfRecord(write);
		const hasOtherNumber = recordNow !== undefined && recordNow !== record;
		if (hasOtherNumber && this.run === 'tool') return undefined;
		if (destination !== this.client.destination(write.request))
			return asSent(withLabel(elsewhere(destination), as.label), entry);
		if (!hasOtherNumber || outcome.kind !== 'existed') return outcome;
		return hasNumberOfItsOwn(write) ? undefined : asSent(withLabel(CHANGED, as.label), entry);
	}

	/**
	 * The keys that identify a write on a retry: one for each of its items, so that a retry finds the item whatever it is
	 * combined with. They are the same for all calls of a tool, so calls are distinguished by their fingerprints.
	 */
	private keysOf({ items, fileField }: Task): string[] {
		return items.map((item) =>
			JSON.stringify([this.run, item, this.run === 'tool' && this.fingerprint(item), fileField]),
		);
	}

	/** With the endpoint: an item that was sent must not be sent by another operation, to which the node was switched. */
	private fingerprintOf({ task, request }: Write): string {
		return fingerprintOfAll([request.endpoint, ...task.items.map((item) => this.fingerprint(item))]);
	}
}

/** Whether a record was refused after parts of it may have been carried out. */
const isRefusedInPart = (outcome: Outcome) => outcome.kind === 'failed' && outcome.failure.partial === true;

/** Identifies the record of a write. */
const keyOfRecord = ({ task: { identity } }: Write) => recordKey(identity) ?? rememberedContent(identity);

/**
 * Whether a person has given the record a number, so that another one means another record. What follows from the
 * content changes by itself, as with `$today`.
 */
const hasNumberOfItsOwn = ({ task: { identity } }: Write) => identity?.kind === 'given';

/** Has an outcome name the record as it was sent. */
const asSent = (outcome: Outcome, { as }: Entry): Outcome =>
	outcome.kind === 'failed' ? failed({ ...outcome.failure, sentAs: as }) : outcome;
