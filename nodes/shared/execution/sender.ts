import type { IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../errors/failure';
import { saysFailure } from '../errors/saysFailure';
import { unexpectedResponse } from '../errors/unexpectedResponse';
import type { Completion, Operation } from '../operation';
import type { GatewayClient } from '../transport/client';
import { CREDITS_FIELD, recordsOf, untouched } from '../transport/records';
import type { Request, Task } from './check';
import { creditsIn } from './credits';
import type { Credits } from './credits';
import { named } from './journal';
import type { Write, WriteJournal } from './journal';
import type { TaskResult } from './result';

/** n8n recognises a canceled execution by this word in the error. */
export const CANCELED = 'The execution was canceled';

export const notSent = (message: string): Failure => ({
	outcome: 'notSent',
	message,
	description: '',
	transient: false,
});

type Exchange = { body: unknown } | { failure: Failure };

/** Sends the requests of one run, each once. */
export class Sender {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly client: GatewayClient,
		private readonly credits: Credits,
		/** Of a run that writes. */
		private readonly journal?: WriteJournal,
	) {}

	/** Whether the execution was canceled. */
	get canceled(): boolean {
		return this.context.getExecutionCancelSignal?.()?.aborted ?? false;
	}

	/** Whether an earlier attempt has carried the item out, so that nothing would be sent for it. */
	remembers(task: Task): boolean {
		return this.journal?.remembers(this.writeOf(task, task.request)) ?? false;
	}

	/** Sends an item's request and, if the answer asks for one, a second request that completes it. Doesn't throw. */
	async send(task: Task): Promise<TaskResult> {
		const { operation } = this;
		const { label } = task;
		const first = await this.exchange(task, task.request, label, (body) =>
			operation.verifyResponse?.(body, task.request),
		);
		if ('failure' in first) return { kind: 'failed', failure: first.failure };
		try {
			const completion = operation.complete?.(first.body, task.values, task.options);
			if (completion) return await this.complete(task, completion);
			const rejection = operation.rejection?.(first.body);
			return rejection === undefined
				? this.done(first.body, task)
				: { kind: 'failed', failure: named(rejected(rejection), label) };
		} catch (error) {
			const failure = unexpectedResponse(this.journal !== undefined, { error: error as Error });
			return { kind: 'failed', failure: named(failure, label) };
		}
	}

	private async complete(task: Task, completion: Completion): Promise<TaskResult> {
		const { request, verifyResponse } = completion;
		const second = this.canceled
			? { failure: notSent(CANCELED) }
			: await this.exchange(task, request as Request, undefined, verifyResponse);
		return 'failure' in second
			? { kind: 'failed', failure: incomplete(completion, second.failure) }
			: this.done(second.body, task);
	}

	/** Sends one request, unless an earlier attempt has sent it. */
	private async exchange(
		task: Task,
		request: Request,
		label: string | undefined,
		verify: (body: unknown) => string | undefined,
	): Promise<Exchange> {
		const { client, journal } = this;
		const write = this.writeOf(task, request, label);
		const earlier = journal?.begin(write);
		if (earlier) {
			// The account may have been topped up before a "Retry", but not within one execution.
			const isOfThis = 'body' in earlier && earlier.execution === this.context.getExecutionId();
			if (isOfThis) this.credits.note(creditsIn(earlier.body));
			return earlier;
		}
		const result = await client.send(request, task.options.timeout);
		if (result.ok) this.credits.note(creditsIn(result.body));
		const failure = result.ok ? this.unconfirmed(result.body, request, verify) : result.failure;
		if (failure) {
			const failed = named(failure, label);
			journal?.fail(write, failed);
			return { failure: failed };
		}
		const { body } = result as { body: unknown };
		journal?.complete(write, body);
		return { body };
	}

	private writeOf({ item, part }: Task, request: Request, label?: string): Write {
		const unique = this.journal && JSON.stringify(this.operation.unique?.(request));
		const { endpoint } = request;
		return { item, part, endpoint, destination: this.client.destination(request), label, unique };
	}

	/**
	 * A write counts as carried out only if the answer confirms it. Answers to reads are interpreted by the operation.
	 */
	private unconfirmed(
		body: unknown,
		{ anyAnswer }: Request,
		verify: (body: unknown) => string | undefined,
	): Failure | undefined {
		if (!this.journal) return undefined;
		const problem = saysFailure(body) ?? (anyAnswer ? undefined : verify(body));
		return problem === undefined ? undefined : unexpectedResponse(true, { problem });
	}

	private done(body: unknown, { values, options, simple, notes }: Task): TaskResult {
		const { kind, records: recordsFrom = recordsOf, warning } = this.operation;
		const made = simple ? recordsFrom(body, values, options) : untouched(body);
		// A success without content still gives an item, so that the workflow goes on.
		const records = made.length === 0 && kind === 'write' ? [{ success: true }] : made;
		const balance = creditsIn(body);
		if (balance !== undefined && options.includeCredits) {
			for (const record of records) record[CREDITS_FIELD] = balance;
		}
		const warnings = [...notes, warning?.(body)].filter((text) => text !== undefined);
		return { kind: 'done', records, warnings };
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
