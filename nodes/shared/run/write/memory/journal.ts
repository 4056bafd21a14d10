import type { IExecuteFunctions } from 'n8n-workflow';
import { memoize, once } from 'lodash';

import { isCertainlyNotDone } from '../../outcomes';
import type { GatewayClient } from '../../../gateway';
import { identityKey, numberOf } from '../../recordIdentity';
import { failed, withLabel } from '../../task';
import type { Outcome, Task, Write } from '../../task';
import { EARLIER_ATTEMPT } from '../notWritten';
import { isOutOfDate } from './attempts';
import { fingerprint, fingerprintOfAll, journalIn, sentByNode, itemsSent, runOf } from './stored';
import type { Sent, StoredJournal, SentByNode } from './stored';

/** Tool calls in flight in this process, by what the node has sent and their keys. */
const inFlight = new WeakMap<SentByNode, Map<string, Promise<Outcome>>>();

/**
 * Remembers what a run has sent. n8n's "Retry On Fail" runs the whole node again, and so does "Retry" of a failed
 * execution; the execution's data survives both, so what was sent, or may have been, isn't sent twice. An AI agent's
 * tool calls share the data and can run at the same time. With data that may be out of date, nothing is sent.
 */
export class Journal {
	/** This run's keys among what was sent. */
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
		private readonly sent: SentByNode,
		/** Identifies the run on a retry. */
		private readonly run: number | 'tool',
		private readonly client: Pick<GatewayClient, 'destination'>,
		private readonly tasks: readonly Task[],
	) {
		this.calls = inFlight.get(sent) ?? new Map<string, Promise<Outcome>>();
		inFlight.set(sent, this.calls);
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
		const sent = sentByNode(context, stored);
		// Whoever uses "Retry" has read that parts of it may be there; n8n's "Retry On Fail" asks nobody.
		for (const [key, { outcome, execution }] of Object.entries(sent.results))
			if (isRefusedInPart(outcome) && execution !== context.getExecutionId()) delete sent.results[key];
		return new Journal(context, stored, sent, run, client, tasks);
	}

	/** The outcome of all items, if nobody can tell anymore what an earlier attempt has sent. */
	get outcomeOfAll() {
		return this.stored.stopped ? EARLIER_ATTEMPT.stopped : this.sent.lost && EARLIER_ATTEMPT.toolGone;
	}

	/**
	 * The outcome of a request that an earlier attempt sent, if it must not be sent again. A tool call that is identical
	 * to one in flight waits for that one's outcome.
	 */
	recall(write: Write): Outcome | Promise<Outcome> | undefined {
		const { outcomeOfAll } = this;
		if (outcomeOfAll) return withLabel(outcomeOfAll, write.task.label);
		const keys = this.keysOf(write.task);
		for (const key of keys) this.keys.add(key);
		const running = this.calls.get(keys[0]);
		if (!running) return this.earlier(keys, write);
		return running.then((outcome) => (outcome.kind === 'done' ? { ...outcome, isOfOther: true } : outcome));
	}

	/** Records that a request is about to be sent, so that its outcome is unknown. */
	begin(write: Write): void {
		this.note(write, withLabel(EARLIER_ATTEMPT.interrupted, write.task.label));
	}

	/** Records the outcome of a request that was begun. Until then, an identical tool call waits for it. */
	async end(write: Write, sending: Promise<Outcome>): Promise<Outcome> {
		const [key] = this.keysOf(write.task);
		const call = sending.then((outcome) => withLabel(outcome, write.task.label));
		this.calls.set(key, call);
		try {
			const outcome = await call;
			this.note(write, outcome);
			return outcome;
		} finally {
			this.calls.delete(key);
		}
	}

	/** Forgets the run. Call this when all of its requests have succeeded and no other attempt follows. */
	clear(): void {
		for (const key of this.keys) {
			// A retried agent calls its tool again, even after a success.
			const isKept = this.run === 'tool' && this.sent.results[key]?.as.sent !== undefined;
			if (!isKept) delete this.sent.results[key];
		}
	}

	/** Records an outcome. A request that was certainly not carried out may be sent again, so nothing of it stays. */
	private note(write: Write, outcome: Outcome): void {
		const isUndone = outcome.kind === 'failed' && isCertainlyNotDone(outcome.failure);
		const sent: Sent = {
			outcome,
			fingerprint: this.fingerprintOf(write),
			destination: this.client.destination(write.request),
			as: { label: write.task.label, sent: numberOf(write.task.identity) },
			record: identityKey(write.task.identity),
			...(isRefusedInPart(outcome) && { execution: this.context.getExecutionId() }),
		};
		for (const key of this.keysOf(write.task)) {
			if (isUndone) delete this.sent.results[key];
			else this.sent.results[key] = sent;
		}
	}

	/**
	 * What keeps a request from being sent, by what an earlier attempt has left of its items:
	 *
	 * | left                                                          | outcome                                         |
	 * | ------------------------------------------------------------- | ----------------------------------------------- |
	 * | nothing                                                       | none: it is sent                                |
	 * | nothing but another part of an item                           | `changed`                                       |
	 * | a request with another fingerprint: data, items or endpoint  | `changed`                                       |
	 * | a failure: what was certainly not carried out leaves nothing  | the same, told as one of before                 |
	 * | of a tool, a record with another number                       | none: another call                              |
	 * | a success at another gateway or connection                    | `elsewhere`                                     |
	 * | `done`, whatever number the item has now                      | the earlier answer: the item has its record     |
	 * | `existed`, and has the same number                            | the same                                        |
	 * | `existed`, and has another number, given by a person          | none: the new number was never sent             |
	 * | `existed`, and has another number or content by itself        | `changed`                                       |
	 */
	private earlier(keys: string[], write: Write): Outcome | undefined {
		const found = keys.flatMap((key) => this.sent.results[key] ?? []);
		if (found.length === 0)
			return write.task.items.some((item) => this.changed().has(item)) ? EARLIER_ATTEMPT.changed : undefined;
		const fingerprintNow = this.fingerprintOf(write);
		// One of several items may have been sent alone, or together with others.
		const changed = found.find((one) => one.fingerprint !== fingerprintNow);
		if (changed) return asSent(withLabel(EARLIER_ATTEMPT.changed, changed.as.label), changed);
		const [first] = found;
		const { outcome, destination, as, record } = first;
		if (outcome.kind === 'failed') return asSent(EARLIER_ATTEMPT.again(outcome.failure), first);
		const recordNow = identityKey(write.task.identity);
		const hasOtherNumber = recordNow !== undefined && recordNow !== record;
		if (hasOtherNumber && this.run === 'tool') return undefined;
		if (destination !== this.client.destination(write.request))
			return asSent(withLabel(EARLIER_ATTEMPT.elsewhere(destination), as.label), first);
		if (!hasOtherNumber || outcome.kind !== 'existed') return outcome;
		return hasNumberOfItsOwn(write) ? undefined : asSent(withLabel(EARLIER_ATTEMPT.changed, as.label), first);
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

const isRefusedInPart = (outcome: Outcome) => outcome.kind === 'failed' && outcome.failure.partial === true;

/**
 * Whether a person has given the record a number, so that another one means another record. What follows from the
 * content changes by itself, as with `$today`.
 */
const hasNumberOfItsOwn = ({ task: { identity } }: Write) => identity?.kind === 'given';

const asSent = (outcome: Outcome, { as }: Sent): Outcome =>
	outcome.kind === 'failed' ? failed({ ...outcome.failure, sentAs: as }) : outcome;
