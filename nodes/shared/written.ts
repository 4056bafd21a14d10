import type { IExecuteFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import type { Failure } from './failures';
import { hasHappened } from './record';
import type { GatewayRequest } from './request';

/** What became of a write that must not be sent again: the gateway's answer, or a failure of unknown outcome. */
type Remembered = { item: string } & ({ body: unknown } | { failure: Failure });

const KEY = 'accountingGatewayWritten';

const INTERRUPTED: Failure = {
	fate: 'unknown',
	message: 'The node was interrupted while this request was under way',
	description:
		'Whether it was carried out is unknown: check that in the accounting system before you send it again.',
	transient: false,
};

const STOPPED: Failure = {
	fate: 'unknown',
	message: 'n8n was stopped while an earlier try of this execution was writing',
	description:
		'What became of this item then is unknown, so it was not sent again: check that in the accounting system. What is missing there can be sent by a new execution.',
	transient: false,
};

/**
 * Remembers what a run has written. n8n's "Retry On Fail" runs the whole node again, and so does "Retry" of a failed
 * execution; the node's context survives both, so what has been written, or may have been, isn't sent twice.
 *
 * When n8n itself is killed, the context is lost. That a run had begun to write stands in n8n's database then, and
 * "Retry" sends nothing.
 */
export class Written {
	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly store: Record<string, Remembered>,
		private readonly runIndex: number,
		/** An earlier try has begun to write, and what it remembered is lost: nothing may be sent. */
		readonly stopped: boolean,
	) {}

	/** To be called before the first request is sent. */
	static async open(context: IExecuteFunctions): Promise<Written> {
		const memory = context.getContext('node');
		const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
		const begun = await hasBegun(context, runIndex);
		// Executions that begin in the same millisecond can't be told apart; only one that is retried has begun before.
		const stopped = begun && context.getMode() === 'retry' && !(KEY in memory);
		// The memory isn't begun anew then: a retry of the retry has to notice, too.
		const store = stopped ? {} : ((memory[KEY] ??= {}) as Record<string, Remembered>);
		return new Written(context, store, runIndex, stopped);
	}

	/**
	 * To be called before a request is sent.
	 * @returns what became of it in an earlier try: then it must not be sent again. Else its fate counts as unknown until
	 * its result is noted.
	 */
	begin(item: number, request: GatewayRequest): { body: unknown } | { failure: Failure } | undefined {
		if (this.stopped) return { failure: STOPPED };
		const key = this.key(item, request);
		const remembered = this.store[key];
		const hash = this.fingerprint(item);
		if (remembered?.item === hash) return remembered;
		this.store[key] = { item: hash, failure: INTERRUPTED };
		return undefined;
	}

	/** Notes that it was carried out, and the gateway's answer. */
	done(item: number, request: GatewayRequest, body: unknown): void {
		const key = this.key(item, request);
		this.store[key] = { item: this.store[key].item, body };
	}

	/** Notes a failure. Only what was certainly not carried out may be sent again. */
	failed(item: number, request: GatewayRequest, failure: Failure): void {
		const key = this.key(item, request);
		if (failure.fate === 'unknown') this.store[key] = { item: this.store[key].item, failure };
		else delete this.store[key];
	}

	/** Forgets everything: to be called when the whole run has succeeded and no further try follows. */
	forget(): void {
		delete this.context.getContext('node')[KEY];
	}

	/** An item may have several requests, each to another endpoint. */
	private key(item: number, { endpoint }: GatewayRequest): string {
		return `${this.runIndex}/${item}/${endpoint}`;
	}

	/**
	 * Tells the input item from others. Not the request: with `$now` or a random number in an expression it would be
	 * another one each time, and the same entry would be booked again.
	 */
	private fingerprint(item: number): string {
		const { json, binary = {} } = this.context.getInputData()[item];
		const files = Object.values(binary).map(({ id, data }) => id ?? data);
		return createHash('sha256')
			.update(JSON.stringify([json, files]))
			.digest('base64');
	}
}

/** Whether an earlier try of this run had begun to write. Puts down that this one does. */
async function hasBegun(context: IExecuteFunctions, runIndex: number): Promise<boolean> {
	// Retries keep it; they have an ID of their own. Older versions of n8n have no such thing.
	const started = context.getExecutionContext?.()?.establishedAt;
	if (started === undefined) return false;
	// Where n8n can't put it down (a workflow that isn't saved), the context has to do.
	return await hasHappened(context, `writes ${started}/${runIndex}`).catch(() => false);
}
