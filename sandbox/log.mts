import type { FastifyRequest } from 'fastify';
import type { OperationId } from './handlers.mjs';

/** One request that reached the sandbox. */
export interface LoggedRequest {
	/** 1, 2, 3 … since the sandbox started or was reset. */
	nr: number;
	/** Machine time, ISO. */
	at: string;
	method: string;
	/** Without the query. */
	path: string;
	query: unknown;
	/** Without the API key and anything else that authorizes. */
	headers: Record<string, unknown>;
	operationId?: OperationId;
	/** The account whose key was sent, when it was a valid one. */
	account?: string;
	/** The body with long texts shortened. */
	body?: unknown;
	/** The faults that struck, as `<kind> <point>`. */
	faults: string[];
	/** Why the request was refused. */
	error?: string;
	/** HTTP status of the answer; null while there is none, and for good when the connection broke before it. */
	status: number | null;
	/** Credits that the call used. */
	credits: number;
	/** Set when the request is over. */
	durationMs?: number;
}

const SECRET_HEADERS = ['x-api-key', 'authorization', 'proxy-authorization', 'cookie'];
const LONGEST_TEXT = 200;

/** The last requests, newest at the end. */
export class RequestLog {
	#entries: LoggedRequest[] = [];
	#count = 0;

	/** @param size how many requests are kept */
	constructor(private readonly size: number) {}

	/** Begins the record of a request. */
	open(request: FastifyRequest, operationId?: OperationId): LoggedRequest {
		const headers = { ...request.headers } as Record<string, unknown>;
		for (const name of SECRET_HEADERS) delete headers[name];
		const entry: LoggedRequest = {
			nr: ++this.#count,
			at: new Date().toISOString(),
			method: request.method,
			path: request.url.split('?', 1)[0],
			query: request.query,
			headers,
			operationId,
			faults: [],
			status: null,
			credits: 0,
		};
		this.#entries.push(entry);
		if (this.#entries.length > this.size) this.#entries.shift();
		return entry;
	}

	get entries(): readonly LoggedRequest[] {
		return this.#entries;
	}

	clear(): void {
		this.#entries = [];
		this.#count = 0;
	}
}

/** A copy of a value in which long texts (files above all) are shortened. */
export function summary(value: unknown): unknown {
	if (typeof value === 'string' && value.length > LONGEST_TEXT) {
		return `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`;
	}
	if (Array.isArray(value)) return value.map(summary);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, summary(member)]));
}
