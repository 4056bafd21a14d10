/**
 * A gateway that accepts and records everything: not the sandbox, so that requests are checked only against the
 * contract.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import isPlainObject from 'lodash/isPlainObject.js';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import { type Call, callOf, exampleAnswer, type Json } from '../../api/contract.mjs';
import { initBinaryData } from '../../host/fileStore.mjs';

export const API_KEY = 'canary-5f0c1d9e-never-to-be-seen';

/** A request as received. */
export interface Recorded {
	method: string;
	/** Path and query. */
	url: string;
	headers: IncomingMessage['headers'];
	/** The body as text; empty where there was none. */
	text: string;
	/** Its operation; undefined if the contract has none. */
	call?: Call;
}

export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	/** Sent as JSON; a string is sent as is. */
	body?: unknown;
}

export interface Recorder {
	/** Without a slash at the end. */
	url: string;
	requests: Recorded[];
	/** The answer. Reset before each test to the default: see `example`. */
	answer: (request: Recorded) => Answer;
	/** Data of the credential `accountingGatewayApi`; the provider's name may be another one. */
	credential: { apiKey: string; baseUrl: string; accountingProvider: string };
}

/** A successful answer based on the contract's example, about the record sent or requested. */
export function example({ call, text: sent }: Recorded): Answer {
	if (!call) return { status: 404 };
	const shown = exampleAnswer(call.operation.id);
	if (!isPlainObject(shown)) return { body: shown ?? '' };
	const { bewegung, ...record } = (sent === '' ? {} : JSON.parse(sent)) as Json;
	// An expense comes back with a minus.
	const betrag = bewegung === 'AUSGABE' ? -(record.betrag as number) : record.betrag;
	const { geschaeftsjahrId, ...path } = call.path;
	const asked = {
		...Object.fromEntries(call.query),
		...path,
		...(geschaeftsjahrId !== undefined && { id: geschaeftsjahrId }),
		...record,
		...(record.belegId !== undefined && { id: record.belegId }),
		...(sent !== '' && { betrag, bewegung }),
	};
	return { body: about(shown, asked) };
}

/** An answer with the values sent or requested, wherever it has their fields. */
function about(shown: unknown, asked: Json): unknown {
	if (Array.isArray(shown)) return shown.map((entry) => about(entry, asked));
	if (!isPlainObject(shown)) return shown;
	const known = Object.entries(shown as Json).map(([name, value]) => [
		name,
		asked[name] === undefined ? about(value, asked) : asked[name],
	]);
	return Object.fromEntries(known) as Json;
}

/** Starts a recorder for the tests of a file and empties it before each. */
export function useRecorder(): Recorder {
	const recorder = { requests: [] as Recorded[], answer: example } as Recorder;
	const server = createServer(
		{ maxHeaderSize: 2 ** 20 },
		(request, response) => void record(recorder, request, response),
	);
	beforeAll(async () => {
		await initBinaryData();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		recorder.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	beforeEach(() => {
		recorder.credential = { apiKey: API_KEY, baseUrl: recorder.url, accountingProvider: 'acct' };
		recorder.requests = [];
		recorder.answer = example;
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});
	return recorder;
}

async function record(recorder: Recorder, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { method = '', url = '', headers } = request;
	const inContract = url.replace(`/v2/${recorder.credential.accountingProvider}`, '/v2/acct');
	const call = callOf({ method, url: inContract });
	const recorded: Recorded = { method, url, headers, text: await text(request), call };
	recorder.requests.push(recorded);
	const { status = 200, headers: own, body } = recorder.answer(recorded);
	response.writeHead(status, { 'content-type': 'application/json', ...own });
	response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
