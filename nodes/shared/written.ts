import type { IExecuteFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import type { Failure } from './failures';
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

/**
 * Remembers what a run has written. n8n's "Retry On Fail" runs the whole node again, and so does "Retry" of a failed
 * execution; the node's context survives both, so what has been written, or may have been, isn't sent twice.
 */
export class Written {
	private readonly store: Record<string, Remembered>;
	private readonly runIndex: number;

	constructor(private readonly context: IExecuteFunctions) {
		this.store = (context.getContext('node')[KEY] ??= {}) as Record<string, Remembered>;
		this.runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	}

	/**
	 * To be called before a request is sent.
	 * @returns what became of it in an earlier try: then it must not be sent again. Else its fate counts as unknown until
	 * its result is noted.
	 */
	begin(item: number, request: GatewayRequest): Remembered | undefined {
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
