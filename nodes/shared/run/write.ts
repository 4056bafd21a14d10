import { CHECK_FIRST, isCertainlyNotDone } from '../errors/failure';
import type { Failure } from '../errors/failure';
import { unexpectedResponse } from '../errors/unexpectedResponse';
import type { Completion, WriteOperation } from '../operation';
import type { GatewayRequest } from '../gateway/request';
import { recordOf } from '../gateway/records';
import { done, unconfirmed } from './answer';
import { Balance } from './balance';
import { identifierOf } from './task';
import type { WriteTask } from './task';
import { creditsIn } from './credits';
import { named } from './journal/journal';
import type { Remembered, Write, WriteJournal } from './journal/journal';
import { WrittenBefore } from './journal/writtenBefore';
import type { Known } from './journal/writtenBefore';
import { notSent } from './result';
import type { ItemResult, TaskResult } from './result';
import { CANCELED } from './session';
import type { Session } from './session';
import type { Tally } from './tally';

const SAME_UNKNOWN: Failure = {
	outcome: 'unknown',
	message: 'The same record was sent just before, and its outcome is unknown',
	description: CHECK_FIRST,
	transient: false,
};

/**
 * An earlier run of the node has begun it, and n8n was stopped or the answer was lost; or another run is sending it. This
 * is reported once, to someone who then looks it up.
 */
const OPEN: Failure = {
	outcome: 'unknown',
	message:
		'Whether it was booked is unknown: an earlier run ended without knowing, or another run is sending it now',
	description:
		'Make sure that no other run of this workflow is still active, then look the entry up in the accounting system. If it is missing, enter it there: from now on, this node treats it as booked, unless another run stopped before sending it.',
	transient: false,
};

/** Without its memory, the node can't tell what it has written. */
const unremembered = ({ message }: Error): Failure => ({
	...notSent(`Not sent, because n8n couldn't look up what this node has already booked: ${message}`),
	description: "If the workflow is new, save it. Otherwise, n8n's database has a problem: see n8n's log.",
});

/** What became of a request, now or in an earlier attempt; `reason`: why it wasn't sent. */
type SendOutcome = Remembered | { reason: string };

/** Writes the records of a run, each once. */
export class Writer {
	/** The results of records that may occur again. */
	private readonly recurrences = new Map<string, TaskResult>();
	private readonly balance = new Balance();
	private before?: WrittenBefore;

	constructor(
		private readonly operation: WriteOperation,
		private readonly session: Session,
		private readonly journal: WriteJournal,
		private readonly tally: Tally,
	) {}

	/** Writes several at once, but those with the same ordering key one after another. @param tasks is emptied */
	async writeAll(tasks: WriteTask[]): Promise<ItemResult[]> {
		const remembered = tasks.flatMap((task) => this.recordOf(task) ?? []);
		if (remembered.length > 0) this.before = new WrittenBefore(this.session.context, remembered);
		try {
			const write = async (task: WriteTask) => this.balance.note(task, await this.write(task));
			return await this.session.forEach(tasks, write, {
				atOnce: () => this.session.atMost('write'),
				keyOf: ({ orderingKey }) => orderingKey,
			});
		} finally {
			await this.before?.close();
		}
	}

	/** Identifies a task's record in what the node remembers, if it does: its content, and where it goes. */
	private recordOf({ content, request }: WriteTask): string | undefined {
		return content && `${content} ${this.session.client.destination(request)}`;
	}

	/** Writes a record, unless an earlier attempt, or an earlier task of this run, has. */
	private async write(task: WriteTask): Promise<TaskResult> {
		const { recurring } = task;
		if (recurring === undefined) return await this.writeRecord(task);
		const first = this.recurrences.get(recurring);
		const result = (first && this.recurrence(task, first)) ?? (await this.writeRecord(task));
		this.recurrences.set(recurring, result);
		return result;
	}

	/** The result for a record that occurred before in this run; `undefined` if it must be sent. */
	private recurrence(task: WriteTask, first: TaskResult): TaskResult | undefined {
		const { existing } = this.operation;
		if (first.kind === 'done' && existing) {
			const records = first.records.map((record) => existing(task.request, record));
			this.tally.wrote(task, first.records[0], true);
			return { kind: 'done', records, warnings: [...task.notes] };
		}
		const isUnknown = first.kind === 'failed' && first.failure.outcome === 'unknown';
		return isUnknown ? failedWith(named(SAME_UNKNOWN, task.label)) : undefined;
	}

	/** Sends the record's request and, if the answer asks for one, a second request that completes it. */
	private async writeRecord(task: WriteTask): Promise<TaskResult> {
		const { operation } = this;
		const { request, label, unique } = task;
		const { stop } = this.session;
		const first = await this.send(task, request, stop, {
			verify: (body) => operation.verifyResponse?.(body, request),
			refusal: this.balance.refusal(task),
			identity: { label, unique: unique && identifierOf(unique) },
		});
		if ('reason' in first) return { kind: 'skipped', reason: first.reason };
		if ('failure' in first) return failedWith(first.failure);
		try {
			const more = operation.followUp?.(first.body, task.values, task.options);
			if (!more) return this.done(task, first.body);
			if ('rejection' in more) return failedWith(named(rejected(more.rejection), label));
			return await this.complete(task, more, stop);
		} catch (error) {
			return failedWith(named(unexpectedResponse(true, { error: error as Error }), label));
		}
	}

	/** @param stop why nothing could be sent when the record's first request was due */
	private async complete(task: WriteTask, completion: Completion, stop?: string): Promise<TaskResult> {
		const { request, verifyResponse } = completion;
		if ('problem' in request) return failedWith(incomplete(completion, notSent(request.problem)));
		// A record that was begun is completed, unless the execution is canceled.
		const second = await this.send(task, request, this.session.canceled ? CANCELED : stop, {
			verify: verifyResponse,
		});
		if ('reason' in second) return failedWith(incomplete(completion, notSent(second.reason)));
		return 'failure' in second
			? failedWith(incomplete(completion, second.failure))
			: this.done(task, second.body);
	}

	private done(task: WriteTask, answer: unknown): TaskResult {
		const result = done(this.operation, answer, task);
		this.tally.wrote(task, answer, recordOf(answer).alreadyExisted === true);
		return result;
	}

	/** Sends one request, unless an earlier attempt has. */
	private async send(
		task: WriteTask,
		request: GatewayRequest,
		stop: string | undefined,
		{ verify, identity = {}, refusal }: Sending,
	): Promise<SendOutcome> {
		const { journal, session } = this;
		const { item, combined, part } = task;
		const destination = session.client.destination(request);
		const write: Write = { item, combined, part, endpoint: request.endpoint, destination, ...identity };
		if (stop !== undefined) return this.noted(journal.recall(write)) ?? { reason: stop };
		return this.noted(
			await journal.once(write, async () => {
				const send = async () => (refusal ? { failure: refusal } : await this.sendNow(task, request, verify));
				const result = request === task.request ? await this.sendUnlessWritten(task, send) : await send();
				return 'failure' in result ? { failure: named(result.failure, identity.label) } : result;
			}),
		);
	}

	/** Sends a record, unless the node remembers from an earlier run that it was written or may have been. */
	private async sendUnlessWritten(task: WriteTask, send: () => Promise<Remembered>): Promise<Remembered> {
		const { before } = this;
		const record = this.recordOf(task);
		if (!before || record === undefined) return await send();
		let known: Known;
		try {
			known = await before.begin(record);
		} catch (error) {
			return { failure: unremembered(error as Error) };
		}
		if (known === 'written') return { body: this.operation.existing?.(task.request) };
		if (known === 'open') return { failure: OPEN };
		let result: Remembered | undefined;
		try {
			result = await send();
			return result;
		} finally {
			if (result && 'body' in result) before.written(record);
			else if (result && isCertainlyNotDone(result.failure)) before.notWritten(record);
			// No result means a defect in the node.
			else before.open(record);
		}
	}

	private async sendNow(
		{ mayExist, request: own }: WriteTask,
		request: GatewayRequest,
		verify: (body: unknown) => string | undefined,
	): Promise<Remembered> {
		const answer = await this.session.send(request);
		if (mayExist && !answer.ok && answer.failure.exists) return { body: this.operation.existing?.(own) };
		const failure = answer.ok ? unconfirmed(answer.body, request, verify) : answer.failure;
		return failure ? { failure } : (answer as { body: unknown });
	}

	/** Notes the balance that an earlier answer names. */
	private noted<R extends Remembered | undefined>(remembered: R): R {
		// The account may have been topped up before a "Retry", but not within one execution.
		const isOfThis =
			remembered && 'body' in remembered && remembered.execution === this.session.context.getExecutionId();
		if (isOfThis) this.session.credits.note(creditsIn(remembered.body));
		return remembered;
	}
}

/** What identifies a record, for the node and for people. */
type RecordIdentity = Pick<Write, 'label' | 'unique'>;

/** What is known about a request besides its parts. */
interface Sending {
	/** As in an operation. */
	verify(this: void, body: unknown): string | undefined;
	/** The record's; missing if the request completes a record that was sent before. */
	identity?: RecordIdentity;
	/** Why it must not be sent now, if so. */
	refusal?: Failure;
}

const failedWith = (failure: Failure): TaskResult => ({ kind: 'failed', failure });

/** The gateway accepted the record, but the accounting system refused it. */
const rejected = (rejection: string): Failure => ({
	outcome: 'incomplete',
	message: `The gateway accepted it, but ${rejection}`,
	description:
		'Look it up in the accounting system and correct it there: if you sent it again, it would exist twice. A retry sends nothing.',
	transient: false,
});

/** The failure of a second request. It must report what the first one created. */
const incomplete = ({ created, message, advice }: Completion, failure: Failure): Failure => ({
	...failure,
	outcome: 'incomplete',
	message: `${message}: ${failure.message}`,
	description: [advice, failure.description].filter(Boolean).join(' '),
	created,
});
