import type { FastifyRequest } from 'fastify';
import { keepLast } from '../store.mjs';
import type { OperationId } from './handlers.mjs';

/** One request that reached the sandbox. */
export interface LoggedRequest {
	/** 1, 2, 3 … since the sandbox started or was reset. */
	nr: number;
	/** Machine time, ISO. */
	at: string;
	method: string;
	/** Path without the query. */
	path: string;
	query: unknown;
	/** Headers without the API key and other credentials. */
	headers: Record<string, unknown>;
	operationId?: OperationId;
	/** The account whose key was sent, if the key is valid. */
	account?: string;
	/** The body, shortened. */
	body?: unknown;
	/** The faults that struck the request, as `<kind> <point>`. */
	faults: string[];
	/** Why the request was refused. */
	error?: string;
	/** The rule that the request violated, in the answer's own word: `duplicate`. */
	errorCode?: string;
	/** HTTP status of the answer; null until it is sent, and if the connection breaks before that. */
	status: number | null;
	/** Credits that the call used. */
	credits: number;
	/** Set when the request has ended. */
	durationMs?: number;
}

const SECRET_HEADERS = ['x-api-key', 'authorization', 'proxy-authorization', 'cookie'];
/** Maximum number of characters per string, and of values per body, in the log. */
const MAX_LENGTH = 200;
const MAX_VALUES = 1000;

/** The latest requests, newest last. */
export class RequestLog {
	#entries: LoggedRequest[] = [];
	#count = 0;

	/** @param size how many requests are kept */
	constructor(private readonly size: number) {}

	/** Adds a request that has just arrived. */
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
		keepLast(this.#entries, entry, this.size);
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

/** Copies a value, truncating long strings (mostly files) and long lists. */
export function summarize(value: unknown): unknown {
	let left = MAX_VALUES;
	const copy = (part: unknown): unknown => {
		if (left-- <= 0) return '…';
		if (typeof part === 'string' && part.length > MAX_LENGTH) {
			return `${part.slice(0, MAX_LENGTH)}… (${part.length} characters)`;
		}
		if (part === null || typeof part !== 'object') return part;
		if (Array.isArray(part)) return part.slice(0, left + 1).map(copy);
		const members = Object.entries(part).slice(0, left + 1);
		return Object.fromEntries(members.map(([key, member]) => [key.slice(0, MAX_LENGTH), copy(member)]));
	};
	return copy(value);
}
