/** The sandbox as its own tests use it: over HTTP, with requests made from the contract's examples. */
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.mjs';
import type { Module } from '../../sandbox/seed.mjs';
import { at, type Json, operation, resolve, validator } from '../../api/contract.mjs';
import { connectionOf } from '../../host/workflows.mjs';

/** A request that can be sent as it is, or changed first. */
export interface TestRequest {
	method: string;
	path: string;
	query: Record<string, string>;
	/** Sent as JSON. */
	body?: unknown;
}

export interface Client {
	sandbox: Sandbox;
	/** The gateway, with the demo account's key. Every status is an answer. */
	http: AxiosInstance;
	/** The control API: `/sandbox`. */
	control: AxiosInstance;
	connectionId(module: Module): string;
	/** A conforming request, made from the contract's examples. */
	request<Body extends Json>(operationId: string, body?: Body): TestRequest;
	send(request: TestRequest, key?: string): Promise<AxiosResponse>;
	/** Sends a conforming request with another body. */
	post(operationId: string, body?: Json): Promise<AxiosResponse>;
	/** Expects a refusal of this status that names this field and leaves the state untouched. @returns its message */
	refuses(send: () => Promise<AxiosResponse>, status: number, field: string): Promise<string>;
	/** A list of the control API. */
	list<T = Json>(name: string): Promise<T[]>;
}

/** Starts a sandbox for the tests of a file, with its clock stopped, and resets it before each. */
export function useSandbox(options: SandboxOptions = {}): Client {
	const client = {} as Client;
	beforeAll(async () => {
		const sandbox = await startSandbox({ now: new Date('2026-03-02T09:00:00Z'), ...options });
		const every = { validateStatus: () => true, maxRedirects: 0, maxBodyLength: Infinity };
		const http = axios.create({ ...every, baseURL: sandbox.url, headers: { 'x-api-key': sandbox.apiKey } });
		const control = axios.create({ ...every, baseURL: `${sandbox.url}/sandbox` });
		const connectionId = (module: Module) => connectionOf(sandbox, module);
		const send = ({ method, path, query, body }: TestRequest, key = sandbox.apiKey) => {
			// Not left to axios, which drops names like `prototype`.
			const url = `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`;
			const data = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
			// Without it, axios would declare an absent body as a form.
			const headers = { 'x-api-key': key, ...(method !== 'GET' && { 'content-type': 'application/json' }) };
			return http.request({ method, url, data, headers });
		};
		Object.assign(client, {
			sandbox,
			http,
			control,
			connectionId,
			request: (id, body) => ({ ...example(id, connectionId), ...(body && { body }) }),
			send,
			post: async (id, body) => await send(client.request(id, body)),
			refuses: async (send, status, field) => {
				const before = sandbox.store.snapshot();
				const answer = await send();
				expect([answer.status, answer.data.error.field]).toEqual([status, field]);
				expect(sandbox.store.snapshot()).toEqual(before);
				return answer.data.error.message;
			},
			list: async (name) => (await control.get(name)).data,
		} satisfies Client);
	});
	beforeEach(async () => void (await client.control.post('reset')));
	afterAll(async () => await client.sandbox?.close());
	return client;
}

/** A request with the values that the contract shows as examples. */
function example(id: string, connectionId: (module: Module) => string): TestRequest {
	const { method, path, parameters, schemas } = operation(id);
	const module = (/^\/v2\/acct-(duo|rewe-read|rewe)\//.exec(path)?.[1] ?? 'rewe-read') as Module;
	const valueOf = (name: string, schema: string) => {
		if (name === 'connectionId') return connectionId(module);
		const { format } = at(resolve(schema));
		const shown = at(schema.replace(/\/schema$/, '')).example as string | undefined;
		return shown ?? (format === 'uuid' ? '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11' : 'abc-1');
	};
	const required = parameters.filter((parameter) => parameter.required);
	const params = Object.fromEntries(required.map(({ name, schema }) => [name, valueOf(name, schema)]));
	const query = required.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
	const body = schemas.get('body');
	return {
		method,
		path: path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(params[name])),
		query: Object.fromEntries(query.map((name) => [name, params[name]])),
		body: body ? structuredClone(at(body.replace(/\/schema$/, '/example'))) : undefined,
	};
}

/** The contract's violations in an answer's body; empty when it conforms. */
export const judgeAnswer = (id: string, { status, data }: AxiosResponse): string[] =>
	validator(id, `${Math.floor(status / 100)}XX`)(data);
