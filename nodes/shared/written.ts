import { jsonStringify } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';
import { omit } from 'lodash';
import { createHash } from 'node:crypto';

import { CHECK_FIRST } from './failures';
import type { Failure } from './failures';
import { hasHappened, renew } from './record';
import type { GatewayRequest } from './request';

/** What became of a write that must not be sent again: the gateway's answer, or a failure of unknown outcome. */
export type Remembered =
	/** `execution`: the ID of the execution that got it; "Retry" makes another one. */
	{ body: unknown; execution?: string } | { failure: Failure };

/** What n8n keeps of the node in an execution's data, a copy of which "Retry" begins with. */
interface Memory {
	/** How often the node has begun to write, in this execution and in those that it retries. */
	tries: number;
	/** The execution, and the entry in n8n's record that it began with. */
	execution?: string;
	first?: string;
	/** Nothing may be sent any more. */
	stopped?: true;
	results: Record<string, Remembered>;
}

const KEY = 'accountingGatewayWritten';

/** So many tries later, e.g. in a loop, the entry that an execution began with is renewed in n8n's record. */
const RENEWED_AFTER = 100;

const INTERRUPTED: Failure = {
	fate: 'unknown',
	message: 'The node was interrupted while this request was under way',
	description: CHECK_FIRST,
	transient: false,
};

const STOPPED: Failure = {
	fate: 'unknown',
	message: 'n8n was stopped while this execution was writing, or the execution was retried before',
	description:
		'What became of this item then is unknown here, so it was not sent again: look at the newest retry, where there is one, and check in the accounting system. What is missing there can be sent by a new execution.',
	transient: false,
};

/**
 * Remembers what a run has written. n8n's "Retry On Fail" runs the whole node again, and so does "Retry" of a failed
 * execution; the node's context survives both, so what has been written, or may have been, isn't sent twice. Calls of a
 * tool by an AI agent share the context, and may be under way at once.
 *
 * The context that "Retry" begins with may be out of date: n8n was killed since, or the execution was retried already. Each
 * try puts down in n8n's database from which state it began to write; where another one has done so from the same state,
 * nothing is sent.
 */
export class Written {
	/** The memory's keys of this run, by item and endpoint. */
	private readonly keys = new Map<string, string>();

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: Memory,
		/** What the run is known by when it is tried again. */
		private readonly run: number | 'tool',
	) {}

	/** To be called before the first request is sent. */
	static async open(context: IExecuteFunctions): Promise<Written> {
		const memory = (context.getContext('node')[KEY] ??= { tries: 0, results: {} }) as unknown as Memory;
		const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
		const begun = await hasBegun(context, memory, runIndex);
		// Executions that begin in the same millisecond can't be told apart; only one that is retried has begun before.
		if (begun && context.getMode() === 'retry') memory.stopped = true;
		// Of a tool, n8n counts each call, some agents each try, as a run of its own.
		return new Written(context, memory, isTool(context) ? 'tool' : runIndex);
	}

	/** Others have begun to write from the same state, and what they remember isn't known here: nothing may be sent. */
	get stopped(): boolean {
		return this.memory.stopped ?? false;
	}

	/**
	 * To be called before a request is sent.
	 * @returns what became of it in an earlier try: then it must not be sent again. Else its fate counts as unknown until
	 * its result is noted.
	 */
	begin(item: number, request: GatewayRequest): Remembered | undefined {
		if (this.stopped) return { failure: STOPPED };
		const key = this.key(item, request);
		const { results } = this.memory;
		if (results[key]) return results[key];
		results[key] = { failure: INTERRUPTED };
		return undefined;
	}

	/** Notes that it was carried out, and the gateway's answer. */
	done(item: number, request: GatewayRequest, body: unknown): void {
		this.memory.results[this.key(item, request)] = { body, execution: this.context.getExecutionId() };
	}

	/** Notes a failure. Only what was certainly not carried out may be sent again. */
	failed(item: number, request: GatewayRequest, failure: Failure): void {
		const key = this.key(item, request);
		if (failure.fate === 'unknown') this.memory.results[key] = { failure };
		else delete this.memory.results[key];
	}

	/** Forgets the run: to be called when all of it has succeeded and no further try follows. */
	forget(): void {
		for (const key of this.keys.values()) delete this.memory.results[key];
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
		const given = this.run === 'tool' ? omit(json, 'toolCallId') : json;
		const files = Object.values(binary).map(({ id, data }) => id ?? data);
		return createHash('sha256')
			.update(jsonStringify([given, files], { replaceCircularRefs: true }))
			.digest('base64');
	}
}

/** Whether an AI agent calls the node. n8n's agents do that in two ways; only in the older one the context says so. */
export const isTool = (context: IExecuteFunctions): boolean =>
	(context.isToolExecution?.() ?? false) || context.getNode().rewireOutputLogTo === 'ai_tool';

/** Whether another try has begun to write from the same state. Puts down that this one does. */
async function hasBegun(context: IExecuteFunctions, memory: Memory, runIndex: number): Promise<boolean> {
	// Retries keep it; they have an ID of their own. Older versions of n8n have no such thing.
	const started = context.getExecutionContext?.()?.establishedAt;
	if (started === undefined) return false;
	const entry = `writes ${started}/${runIndex}/${memory.tries++}`;
	if (memory.first === undefined || memory.execution !== context.getExecutionId()) {
		Object.assign(memory, { execution: context.getExecutionId(), first: entry });
	}
	// Where n8n can't put it down (a workflow that isn't saved), the context has to do.
	const begun = await hasHappened(context, entry).catch(() => false);
	if (memory.tries % RENEWED_AFTER === 0) await renew(context, memory.first as string).catch(() => {});
	return begun;
}
