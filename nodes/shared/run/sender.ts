import type { IExecuteFunctions } from 'n8n-workflow';

import { CHECK_FIRST } from '../errors/failure';
import type { Failure } from '../errors/failure';
import { saysFailure } from '../errors/saysFailure';
import { unexpectedResponse } from '../errors/unexpectedResponse';
import type { Completion, Operation } from '../operation';
import type { GatewayClient } from '../transport/client';
import { CREDITS_FIELD, untouched } from '../transport/records';
import { isWrite } from '../transport/request';
import type { GatewayRequest } from '../transport/request';
import { Throttle } from '../transport/throttle';
import { simplified } from './fields';
import type { Request, Task } from './check';
import { creditsIn } from './credits';
import type { Credits } from './credits';
import { named } from './journal/journal';
import type { Remembered, Write, WriteJournal } from './journal/journal';
import type { TaskResult } from './result';

/** n8n recognises a canceled execution by this word in the error. */
export const CANCELED = 'The execution was canceled';

const SAME_UNKNOWN: Failure = {
	outcome: 'unknown',
	message: 'The same record was sent just before, and its outcome is unknown',
	description: CHECK_FIRST,
	transient: false,
};

export const notSent = (message: string): Failure => ({
	outcome: 'notSent',
	message,
	description: '',
	transient: false,
});

/** The answer to a request, or why there is none. */
export type Exchange = { body: unknown } | { failure: Failure };

/** Sends the requests of one run, each once. */
export class Sender {
	/** Of a run that reads. */
	private readonly throttle?: Throttle;
	/** The results of records that may occur again. */
	private readonly recurrences = new Map<string, TaskResult>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly client: GatewayClient,
		private readonly credits: Credits,
		/** The most requests that may be under way at once. */
		private readonly atMost: number,
		/** Of a run that writes. */
		private readonly journal?: WriteJournal,
	) {
		if (!journal) this.throttle = new Throttle(atMost);
	}

	/** How many requests may be under way at once now: of reads, as many as the gateway bears. */
	get atOnce(): number {
		return this.throttle?.atOnce ?? this.atMost;
	}

	/** Whether the execution was canceled. */
	get canceled(): boolean {
		return this.context.getExecutionCancelSignal?.()?.aborted ?? false;
	}

	/** Whether an earlier attempt has carried the item out, so that nothing would be sent for it. */
	remembers(task: Task): boolean {
		const earlier = this.recall(task);
		return earlier !== undefined && 'body' in earlier;
	}

	/**
	 * Sends an item's request and, if the answer asks for one, a second request that completes it.
	 * @param stop why nothing may be sent any more; the result of an earlier attempt is returned all the same
	 */
	async send(task: Task, stop?: string): Promise<TaskResult> {
		const { recurring } = task;
		if (recurring === undefined) return await this.sendRecord(task, stop);
		const first = this.recurrences.get(recurring);
		const result = (first && this.recurrence(task, first)) ?? (await this.sendRecord(task, stop));
		this.recurrences.set(recurring, result);
		return result;
	}

	/** The result for a record that occurred before in this run; `undefined` if it must be sent. */
	private recurrence(task: Task, first: TaskResult): TaskResult | undefined {
		const { existing } = this.operation;
		if (first.kind === 'done' && existing) {
			const records = first.records.map((record) => existing(task.request, record));
			return { kind: 'done', records, warnings: [...task.notes] };
		}
		const isUnknown = first.kind === 'failed' && first.failure.outcome === 'unknown';
		return isUnknown ? { kind: 'failed', failure: named(SAME_UNKNOWN, task.label) } : undefined;
	}

	private async sendRecord(task: Task, stop?: string): Promise<TaskResult> {
		const { operation } = this;
		const { label } = task;
		if (stop !== undefined && !this.recall(task)) return { kind: 'skipped', reason: stop };
		const first = await this.exchange(
			task,
			task.request,
			(body) => operation.verifyResponse?.(body, task.request),
			{ ...identityOf(task), stop },
		);
		if ('failure' in first) return { kind: 'failed', failure: first.failure };
		try {
			const completion = operation.complete?.(first.body, task.values, task.options);
			if (completion) return await this.complete(task, completion, stop);
			const rejection = operation.rejection?.(first.body);
			return rejection === undefined
				? this.done(first.body, task)
				: { kind: 'failed', failure: named(rejected(rejection), label) };
		} catch (error) {
			const failure = unexpectedResponse(this.journal !== undefined, { error: error as Error });
			return { kind: 'failed', failure: named(failure, label) };
		}
	}

	private async complete(task: Task, completion: Completion, stopped?: string): Promise<TaskResult> {
		const { request, verifyResponse } = completion;
		if ('problem' in request) {
			return { kind: 'failed', failure: incomplete(completion, notSent(request.problem)) };
		}
		const stop = this.canceled ? CANCELED : stopped;
		const second = await this.exchange(task, request as Request, verifyResponse, { stop });
		return 'failure' in second
			? { kind: 'failed', failure: incomplete(completion, second.failure) }
			: this.done(second.body, task);
	}

	/**
	 * Sends one request, unless an earlier attempt has sent it.
	 * @param more identity of the record, unless the request completes another one's; `stop` as above
	 */
	private async exchange(
		{ item, part, options, recurring }: Task,
		request: Request,
		verify: (body: unknown) => string | undefined,
		{ stop, ...identity }: Identity & { stop?: string } = {},
	): Promise<Exchange> {
		const { journal } = this;
		if (!journal) {
			const answer = await this.post(request, options.timeout);
			const failure = 'body' in answer ? unconfirmed(answer.body, request, verify) : undefined;
			return failure ? { failure } : answer;
		}
		const write = this.writeOf({ item, part }, request, identity);
		if (stop !== undefined) return this.noted(journal.recall(write)) ?? { failure: notSent(stop) };
		return this.noted(
			await journal.once(write, async () => {
				const answer = await this.post(request, options.timeout, recurring !== undefined);
				const failure = 'failure' in answer ? answer.failure : unconfirmed(answer.body, request, verify);
				return failure ? { failure: named(failure, identity.label) } : answer;
			}),
		);
	}

	/** Notes the balance that an earlier answer names. */
	private noted<R extends Remembered | undefined>(remembered: R): R {
		// The account may have been topped up before a "Retry", but not within one execution.
		const isOfThis =
			remembered && 'body' in remembered && remembered.execution === this.context.getExecutionId();
		if (isOfThis) this.credits.note(creditsIn(remembered.body));
		return remembered;
	}

	private recall(task: Task): Remembered | undefined {
		return this.journal?.recall(this.writeOf(task, task.request, identityOf(task)));
	}

	/**
	 * Sends a request, at the pace of the run, and notes the balance that its answer names.
	 * @param mayExist whether the gateway may already have the record
	 */
	async post(request: GatewayRequest, timeout?: number, mayExist = false): Promise<Exchange> {
		const result = await this.client.send(request, timeout, this.throttle);
		const existing = mayExist && !result.ok && result.failure.exists;
		if (existing) return { body: this.operation.existing?.(request as Request) };
		if (!result.ok) return { failure: result.failure };
		this.credits.note(creditsIn(result.body));
		return { body: result.body };
	}

	private writeOf({ item, part }: Pick<Task, 'item' | 'part'>, request: Request, identity: Identity): Write {
		return {
			item,
			part,
			endpoint: request.endpoint,
			destination: this.client.destination(request),
			...identity,
		};
	}

	private done(body: unknown, task: Task): TaskResult {
		const { values, options, simple, notes } = task;
		const { kind, warning, omissions } = this.operation;
		const made = simple ? simplified(this.operation, body, task) : untouched(body);
		// A success without content still gives an item, so that the workflow goes on.
		const records = made.length === 0 && kind === 'write' ? [{ success: true }] : made;
		const balance = creditsIn(body);
		if (balance !== undefined && options.includeCredits) {
			for (const record of records) record[CREDITS_FIELD] = balance;
		}
		const omitted = simple ? (omissions?.(body, values) ?? []) : [];
		const warnings = [...notes, warning?.(body), ...omitted].filter((text) => text !== undefined);
		return { kind: 'done', records, warnings };
	}
}

/** What a record is recognised and looked up by. */
type Identity = Pick<Write, 'label' | 'unique'>;

const identityOf = ({ label, unique }: Task): Identity => ({
	label,
	unique: unique && JSON.stringify(unique),
});

/** A write counts as carried out, and a read as answered, only if the answer is about its record. */
function unconfirmed(
	body: unknown,
	request: Request,
	verify: (body: unknown) => string | undefined,
): Failure | undefined {
	const writes = isWrite(request);
	try {
		const problem = saysFailure(body) ?? (request.anyAnswer ? undefined : verify(body));
		return problem === undefined ? undefined : unexpectedResponse(writes, { problem });
	} catch {
		return unexpectedResponse(writes);
	}
}

/** The gateway accepted the record, but the accounting system refused it. */
const rejected = (rejection: string): Failure => ({
	outcome: 'incomplete',
	message: `The gateway has it, but ${rejection}`,
	description:
		'Look it up in the accounting system and correct it there: sent again, it would be there twice. A retry sends it no more.',
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
