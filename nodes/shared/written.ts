import type { IExecuteFunctions } from 'n8n-workflow';
import { omit } from 'lodash';
import { createHash } from 'node:crypto';

import type { Failure } from './failures';
import { hasHappened } from './record';
import type { GatewayRequest } from './request';

/** What became of a write that must not be sent again: the gateway's answer, or a failure of unknown outcome. */
export type Remembered =
	/** `execution`: the ID of the execution that got it; "Retry" makes another one. */
	{ body: unknown; execution?: string } | { failure: Failure };

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
 * execution; the node's context survives both, so what has been written, or may have been, isn't sent twice. Calls of a
 * tool by an AI agent share the context, and may be under way at once.
 *
 * When n8n itself is killed, the context is lost. That a run had begun to write stands in n8n's database then, and
 * "Retry" sends nothing.
 */
export class Written {
	/** The store's keys of this run, by item and endpoint. */
	private readonly keys = new Map<string, string>();

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly store: Record<string, Remembered>,
		/** What the run is known by when it is tried again. */
		private readonly run: number | 'tool',
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
		// Of a tool, n8n counts each call, some agents each try, as a run of its own.
		return new Written(context, store, isTool(context) ? 'tool' : runIndex, stopped);
	}

	/**
	 * To be called before a request is sent.
	 * @returns what became of it in an earlier try: then it must not be sent again. Else its fate counts as unknown until
	 * its result is noted.
	 */
	begin(item: number, request: GatewayRequest): Remembered | undefined {
		if (this.stopped) return { failure: STOPPED };
		const key = this.key(item, request);
		if (this.store[key]) return this.store[key];
		this.store[key] = { failure: INTERRUPTED };
		return undefined;
	}

	/** Notes that it was carried out, and the gateway's answer. */
	done(item: number, request: GatewayRequest, body: unknown): void {
		this.store[this.key(item, request)] = { body, execution: this.context.getExecutionId() };
	}

	/** Notes a failure. Only what was certainly not carried out may be sent again. */
	failed(item: number, request: GatewayRequest, failure: Failure): void {
		const key = this.key(item, request);
		if (failure.fate === 'unknown') this.store[key] = { failure };
		else delete this.store[key];
	}

	/** Forgets the run: to be called when all of it has succeeded and no further try follows. */
	forget(): void {
		for (const key of this.keys.values()) delete this.store[key];
		if (Object.keys(this.store).length === 0) delete this.context.getContext('node')[KEY];
	}

	/** An item may have several requests, each to another endpoint. */
	private key(item: number, { endpoint }: GatewayRequest): string {
		const own = `${this.run}/${item}/${endpoint}`;
		const key = this.keys.get(own) ?? `${own}/${this.fingerprint(item)}`;
		this.keys.set(own, key);
		return key;
	}

	/**
	 * Tells the input item from others. Not the request: with `$now` or a random number in an expression it would be
	 * another one each time, and the same entry would be booked again.
	 */
	private fingerprint(item: number): string {
		const { json, binary = {} } = this.context.getInputData()[item];
		// Which the agent's model numbers anew when it calls again.
		const given = isTool(this.context) ? omit(json, 'toolCallId') : json;
		const files = Object.values(binary).map(({ id, data }) => id ?? data);
		return createHash('sha256')
			.update(JSON.stringify([given, files]))
			.digest('base64');
	}
}

/** Whether an AI agent calls the node. n8n's agents do that in two ways; only in the older one the context says so. */
export const isTool = (context: IExecuteFunctions): boolean =>
	(context.isToolExecution?.() ?? false) || context.getNode().rewireOutputLogTo === 'ai_tool';

/** Whether an earlier try of this run had begun to write. Puts down that this one does. */
async function hasBegun(context: IExecuteFunctions, runIndex: number): Promise<boolean> {
	// Retries keep it; they have an ID of their own. Older versions of n8n have no such thing.
	const started = context.getExecutionContext?.()?.establishedAt;
	if (started === undefined) return false;
	// Where n8n can't put it down (a workflow that isn't saved), the context has to do.
	return await hasHappened(context, `writes ${started}/${runIndex}`).catch(() => false);
}
