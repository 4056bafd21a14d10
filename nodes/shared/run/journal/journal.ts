import { replaceCircularReferences } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { omit } from 'lodash';
import { createHash } from 'node:crypto';

import { CHECK_FIRST, isCertainlyNotDone } from '../../errors/failure';
import type { Failure } from '../../errors/failure';
import { isFile } from '../../parameters/inputItem';
import { itemsOf } from '../result';
import { isOutOfDate } from './attempts';
import type { Attempts } from './attempts';

/** A write that is about to be sent, and what identifies it. */
export interface Write {
	/** Index of the input item. */
	item: number;
	/** The indexes of all items, if it is made from several. */
	combined?: readonly number[];
	/** Which of several requests of the item it is. */
	part?: { name: string; index: number };
	endpoint: string;
	/** Where it goes: the gateway and the connection. */
	destination: string;
	/** Names the record, e.g. `belegnummer K-17`. */
	label?: string;
	/** A value that must be unique, e.g. the `belegnummer` within its cash book. */
	unique?: string;
}

/** The result of a write that must not be sent again: the gateway's answer, or a failure. */
export type Remembered =
	/** `execution`: the ID of the execution that got it; "Retry" makes another one. */
	{ body: unknown; execution?: string } | { failure: Failure };

type Entry = Remembered &
	Pick<Write, 'destination' | 'label' | 'unique'> & {
		/** Identifies the input item, or all that it is made of. */
		fingerprint: string;
		/** Name of the part. */
		part?: string;
	};

/**
 * What all nodes that write keep in an execution's data. It is kept together so that a renamed node finds its part.
 * "Retry" starts with a copy of it.
 */
interface Memory extends Attempts {
	/** No node may send anything more. */
	stopped?: true;
	/** By their names. */
	nodes: Record<string, NodeMemory>;
}

interface NodeMemory {
	/** The node's ID. */
	id: string;
	/** What a tool has sent can no longer be found, so it may send nothing. */
	lost?: true;
	results: Record<string, Entry>;
}

const KEY = 'accountingGatewayWritten';

const unknownOutcome = (message: string, description = CHECK_FIRST): Failure => ({
	outcome: 'unknown',
	message,
	description,
	transient: false,
});

const INTERRUPTED = unknownOutcome('The node was interrupted while this request was in flight');

const STOPPED = unknownOutcome(
	'n8n was stopped while this execution was writing, or the execution was retried before',
	'The outcome for this item is unknown, so it was not sent again: check the newest retry, if there is one, and the accounting system. Send what is missing in a new execution.',
);

const LOST = unknownOutcome(
	'An earlier attempt of this execution sent something through a tool that no longer exists: it was renamed and pasted again, or removed',
	'Its outcome is unknown, so nothing was sent: check the accounting system. Send what is missing in a new execution.',
);

const CHANGED = unknownOutcome(
	'An earlier attempt of this execution sent something for this item, but the item has changed since then',
);

/** @param there where it was sent */
const elsewhere = (there: string): Failure => ({
	outcome: 'notSent',
	message: 'An earlier attempt of this execution sent this item to another gateway or connection',
	description: `It went to ${there}, and a retry never sends to a second destination. Start a new execution to send it to this one.`,
	transient: false,
});

/** Adds the label of the record to a failure. */
export const named = (failure: Failure, label?: string): Failure =>
	label ? { ...failure, description: `${label}: ${failure.description}` } : failure;

/** Tool calls in flight in this process, by the node's memory and their keys. */
const inFlight = new WeakMap<NodeMemory, Map<string, Promise<Remembered>>>();

/**
 * Remembers what a run has sent. n8n's "Retry On Fail" runs the whole node again, and so does "Retry" of a failed
 * execution; the execution's context survives both, so what was sent, or may have been, isn't sent twice. An AI agent's
 * tool calls share the context and can run at the same time.
 *
 * The context that "Retry" starts with may be out of date: n8n was killed, or the execution was retried before. Then
 * nothing is sent, see `isOutOfDate`.
 */
export class WriteJournal {
	/** The memory's keys of this run. */
	private readonly keys = new Set<string>();
	private readonly fingerprints = new Map<number, string>();

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: Memory,
		private readonly own: NodeMemory,
		/** Identifies the run on a retry. */
		private readonly run: number | 'tool',
	) {}

	/** Call this before the first request is sent. */
	static async open(context: IExecuteFunctions): Promise<WriteJournal> {
		const memory = (context.getContext('flow')[KEY] ??= { tries: 0, nodes: {} }) as Memory;
		// For a tool, n8n counts each call (some agents: each attempt) as a separate run.
		const run = isTool(context) ? 'tool' : (context.getWorkflowDataProxy(0).$runIndex as number);
		if (await isOutOfDate(context, memory, { node: context.getNode().name, run })) memory.stopped = true;
		return new WriteJournal(context, memory, memoryOf(context, memory), run);
	}

	/**
	 * Another execution has started to write from the same state, or the node isn't the one that wrote: the results are unknown
	 * here, and nothing may be sent.
	 */
	get stopped(): boolean {
		return this.memory.stopped ?? this.own.lost ?? false;
	}

	/**
	 * Sends a request unless an earlier attempt has. A tool call identical to one in flight waits for that one's
	 * result.
	 * @param send gives the answer to the request if it confirms the record, otherwise the failure
	 */
	async once(write: Write, send: () => Promise<Remembered>): Promise<Remembered> {
		const calls = inFlight.get(this.own) ?? new Map<string, Promise<Remembered>>();
		inFlight.set(this.own, calls);
		const [key] = this.keysOf(write);
		const equal = calls.get(key) ?? this.begin(write);
		if (equal) return await equal;
		const call = this.record(write, send);
		calls.set(key, call);
		try {
			return await call;
		} finally {
			calls.delete(key);
		}
	}

	private async record(write: Write, send: () => Promise<Remembered>): Promise<Remembered> {
		const result = await send();
		if ('failure' in result) this.fail(write, result.failure);
		else this.complete(write, result.body);
		// The next part of the same item needs it again.
		if (!write.part) for (const item of itemsOf(write)) this.fingerprints.delete(item);
		return result;
	}

	/**
	 * Call this before a request is sent: it marks the request as started.
	 * @returns its result in an earlier attempt, if any: then it must not be sent again. Otherwise its outcome counts
	 * as unknown until its result is recorded.
	 */
	begin(write: Write): Remembered | undefined {
		const earlier = this.recall(write);
		if (!earlier) this.note(write, { failure: named(INTERRUPTED, write.label) });
		return earlier;
	}

	/** Its result in an earlier attempt, if it must not be sent again. */
	recall(write: Write): Remembered | undefined {
		if (this.stopped) return { failure: named(this.memory.stopped ? STOPPED : LOST, write.label) };
		const keys = this.keysOf(write);
		for (const key of keys) this.keys.add(key);
		return this.earlier(keys, write);
	}

	/** Records that it was carried out, with the gateway's answer. */
	complete(write: Write, body: unknown): void {
		this.note(write, { body, execution: this.context.getExecutionId() });
	}

	/** Records a failure. Only what was certainly not carried out may be sent again. */
	fail(write: Write, failure: Failure): void {
		if (isCertainlyNotDone(failure)) {
			for (const key of this.keysOf(write)) delete this.own.results[key];
		} else {
			this.note(write, { failure });
		}
	}

	/** Forgets the run. Call this when all of it has succeeded and no other attempt follows. */
	clear(): void {
		for (const key of this.keys) {
			// A retried agent calls its tool again, even after a success.
			const isRecognized = this.run === 'tool' && this.own.results[key]?.unique !== undefined;
			if (!isRecognized) delete this.own.results[key];
		}
	}

	private note(write: Write, result: Remembered): void {
		const { destination, label, unique } = write;
		const fingerprint = this.fingerprintOf(write);
		const part = write.part?.name;
		// Without a spread, which takes more memory: there may be very many.
		const entry: Entry =
			'failure' in result
				? { failure: result.failure, fingerprint, part, destination, label }
				: { body: result.body, execution: result.execution, fingerprint, part, destination, label };
		if (this.run === 'tool') entry.unique = unique;
		for (const key of this.keysOf(write)) this.own.results[key] = entry;
	}

	private earlier(keys: string[], write: Write): Remembered | undefined {
		const entries = keys.flatMap((key) => this.own.results[key] ?? []);
		if (entries.length === 0) return undefined;
		const fingerprint = this.fingerprintOf(write);
		// One of several items may have been sent alone, or with others.
		const changed = entries.find((entry) => entry.fingerprint !== fingerprint);
		if (changed) return { failure: named(CHANGED, changed.label) };
		const [entry] = entries;
		if ('failure' in entry) return entry;
		// A tool call with another unique value is another write.
		if (this.run === 'tool' && entry.unique !== write.unique) return undefined;
		const { destination, label } = entry;
		return destination === write.destination ? entry : { failure: named(elsewhere(destination), label) };
	}

	/** Each item of a write has its key, so that it is found whatever it is combined with on a retry. */
	private keysOf(write: Write): string[] {
		const { endpoint, part } = write;
		return itemsOf(write).map((item) => this.key({ item, endpoint, part }));
	}

	/**
	 * What identifies a write on a retry: run, item and endpoint. These are the same for all calls of a tool, so
	 * calls are distinguished by their fingerprints, and the parts of an item by their names. The first part has the
	 * key of the item as a whole, so that it is still found if the item had only one part before.
	 */
	private key({ item, endpoint, part }: Pick<Write, 'item' | 'endpoint' | 'part'>): string {
		const key = `${this.run}/${item}/${endpoint}`;
		const whole = this.run === 'tool' ? `${key}/${this.fingerprint(item)}` : key;
		if (!part) return whole;
		const own = `${whole}/${part.name}`;
		const { results } = this.own;
		const holder = results[whole]?.part;
		const isFree = holder === undefined && part.index === 0 && !(own in results);
		return isFree || holder === part.name ? whole : own;
	}

	/** Identifies all items of a write. */
	private fingerprintOf({ item, combined }: Write): string {
		if (!combined) return this.fingerprint(item);
		const all = combined.map((one) => this.fingerprint(one)).join(' ');
		return createHash('sha256').update(all).digest('base64url');
	}

	/**
	 * Identifies the input item. It doesn't include the request: with `$now` or a random number in an expression that
	 * would differ each time, and the same entry would be booked again. Nor the IDs of files: n8n renames those of a
	 * webhook or form when it stores the execution.
	 */
	private fingerprint(item: number): string {
		const known = this.fingerprints.get(item);
		if (known) return known;
		const { json, binary = {} } = this.context.getInputData()[item];
		// The agent's model gives each call a new ID.
		const given = this.run === 'tool' ? omit(json, 'toolCallId') : json;
		// n8n's function takes arrays, too; its type doesn't say so.
		const pair = [given, binary] as unknown as IDataObject;
		const text = JSON.stringify(replaceCircularReferences(pair), (_, value: unknown) =>
			isFile(value) && value.id !== undefined ? omit(value, 'id') : value,
		);
		const fingerprint = createHash('sha256').update(text).digest('base64url');
		this.fingerprints.set(item, fingerprint);
		return fingerprint;
	}
}

/** What this node has written in the execution, under its current name or an earlier one. */
function memoryOf(context: IExecuteFunctions, { nodes }: Memory): NodeMemory {
	const { name, id } = context.getNode();
	if (nodes[name]) return nodes[name];
	// The engine itself finds a node by its name, but tools by their connections.
	const isRenamed = context.getMode() === 'retry' && isTool(context);
	const gone = isRenamed ? Object.keys(nodes).filter((former) => !isInWorkflow(context, former)) : [];
	const former = gone.find((candidate) => nodes[candidate].id === id);
	const lost = gone.some((candidate) => Object.keys(nodes[candidate].results).length > 0);
	nodes[name] = former === undefined ? { id, ...(lost && { lost }), results: {} } : nodes[former];
	if (former !== undefined) delete nodes[former];
	return nodes[name];
}

function isInWorkflow(context: IExecuteFunctions, node: string): boolean {
	try {
		// Throws for one that isn't.
		return Boolean(context.getWorkflowDataProxy(0).$node[node]);
	} catch {
		return false;
	}
}

/** Whether an AI agent calls the node. n8n's agents do that in two ways; only the older one sets it in the context. */
export function isTool(context: IExecuteFunctions): boolean {
	// Older versions of n8n have no function that says it.
	const { connectionType } = context as { connectionType?: string };
	const isContextOfTool = context.isToolExecution?.() ?? connectionType === 'ai_tool';
	return isContextOfTool || context.getNode().rewireOutputLogTo === 'ai_tool';
}
