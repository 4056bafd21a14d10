/**
 * The API key goes to the gateway, in one header, and nowhere else, whatever the gateway answers and however it
 * encodes the key.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import escape from 'lodash/escape.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runNode, searchList } from '../../host/harness.mjs';
import { IS_THOROUGH } from '../../scripts/base/extent.mjs';
import { exampleItem, exampleParameters } from '../conformance/examples.mjs';
import { type Action, actions, sample, sampleOf } from '../conformance/operations.mjs';
import { type Answer, API_KEY, example, type Recorded, useRecorder } from '../conformance/recorder.mjs';
import { testCredential as tested } from '../support/testCredential.mjs';

const recorder = useRecorder();

/** Characters that JSON, HTML and URLs each encode differently. */
const AWKWARD_KEY = 'canary+/=&<\'">\\5f0c1d9e';
const KEYS = [API_KEY, AWKWARD_KEY];

/** What the node does after an error. */
const ON_ERROR = ['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const;
type OnError = (typeof ON_ERROR)[number];
/** Each key with each way to continue. */
const WAYS = KEYS.flatMap((key) => ON_ERROR.map((onError) => ({ key, onError })));
/** The ways to answer an operation: all in a thorough run; otherwise one, rotating over six operations. */
const waysOf = (action: Action, answer: string) =>
	IS_THOROUGH
		? WAYS
		: [WAYS[(actions.indexOf(action) + ANSWERS.findIndex(([name]) => name === answer)) % WAYS.length]];

/** All encodings of a key that a reader would recognize. */
const spellings = (key: string) => [
	key,
	JSON.stringify(key).slice(1, -1),
	escape(key),
	encodeURIComponent(key),
];

/** JSON as written by PHP and by .NET. */
const php = (json: string) => json.replaceAll('/', '\\/');
const dotNet = (json: string) =>
	json.replace(/[+&<>']/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const error = (key: string) =>
	JSON.stringify({ error: { message: `The key ${key} may not do this`, [key]: key } });
/** A successful answer with the key in every string. */
const good = (request: Recorded, key: string) =>
	JSON.stringify(example(request).body, (_, value: unknown) =>
		typeof value === 'string' ? `${value} ${key}` : value,
	);

const HTML = { 'content-type': 'text/html' };

/** Answers of a gateway that repeats the key. A long `Retry-After` keeps reads from waiting. */
const ANSWERS: Array<[string, (request: Recorded, key: string) => Answer]> = [
	...[400, 401, 402, 403, 404, 409, 413, 422, 429, 500, 502].map(
		(status): [string, (request: Recorded, key: string) => Answer] => [
			`${status}`,
			(_, key) => ({ status, headers: { 'retry-after': '3600' }, body: error(key) }),
		],
	),
	['an error as PHP writes it', (_, key) => ({ status: 422, body: php(error(key)) })],
	['an error as .NET writes it', (_, key) => ({ status: 422, body: dotNet(error(key)) })],
	['an error in plain text', (_, key) => ({ status: 400, body: `Key ${key}` })],
	['an address in an error', (_, key) => ({ status: 400, body: `See /keys?key=${encodeURIComponent(key)}` })],
	['a web page', (_, key) => ({ status: 403, headers: HTML, body: `<html><h1>${escape(key)}</h1></html>` })],
	[
		'a web page as a success',
		(_, key) => ({ headers: HTML, body: `<html><title>${escape(key)}</title></html>` }),
	],
	['broken JSON', (_, key) => ({ body: `${error(key)}}` })],
	['a redirect', (_, key) => ({ status: 302, headers: { location: `/v2?key=${encodeURIComponent(key)}` } })],
	['a success', (request, key) => ({ body: good(request, key) })],
	['a success as PHP writes it', (request, key) => ({ body: php(good(request, key)) })],
	['a success as .NET writes it', (request, key) => ({ body: dotNet(good(request, key)) })],
];

/** Everything that n8n stores and reports about a run. */
async function tracesOf(action: Action, key: string, onError: OnError): Promise<string> {
	const { run, error, hints } = await runNode({
		node: action.node,
		parameters: { ...exampleParameters(action), simple: onError !== 'continueRegularOutput' },
		items: [exampleItem(action)],
		credential: { ...recorder.credential, apiKey: key },
		settings: { onError },
	});
	return JSON.stringify([run, error, error?.stack, error?.message, error?.description, error?.cause, hints]);
}

const testCredential = async (apiKey = API_KEY) => await tested({ ...recorder.credential, apiKey });

function expectNoKey(text: string, key: string): void {
	const found = spellings(key).find((spelling) => text.includes(spelling));
	expect(
		found && text.slice(Math.max(0, text.indexOf(found) - 200), text.indexOf(found) + 200),
	).toBeUndefined();
}

describe.each(actions)('$operation.action', (action) => {
	it.each(sampleOf(ANSWERS, action))(
		'keeps the key to itself when the gateway repeats it: %s',
		async (name, answer) => {
			for (const { key, onError } of waysOf(action, name)) {
				recorder.answer = (request) => answer(request, key);
				expectNoKey(await tracesOf(action, key, onError), key);
			}
		},
	);

	it('sends the key in its header only', async () => {
		await tracesOf(action, API_KEY, 'stopWorkflow');
		expect(recorder.requests.length).toBeGreaterThan(0);
		for (const { url, text, headers } of recorder.requests) {
			expect(headers['x-api-key']).toBe(API_KEY);
			expect(JSON.stringify([url, text, { ...headers, 'x-api-key': '' }])).not.toContain(API_KEY);
		}
	});
});

describe('a redirect to another host', () => {
	let visits = 0;
	const elsewhere = createServer((_, response) => {
		visits++;
		response.end('{}');
	});
	beforeAll(async () => await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve)));
	afterAll(() => void elsewhere.close());

	it.each([301, 302, 303, 307, 308])('is not followed (%d)', async (status) => {
		const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
		recorder.answer = () => ({ status, headers: { location } });
		for (const action of sample) await tracesOf(action, API_KEY, 'stopWorkflow');
		await testCredential();
		expect(visits, 'requests to the other host').toBe(0);
	});
});

describe('lists to choose from', () => {
	const nodes = [...new Set(actions.map(({ node }) => node))];
	const lists = nodes.flatMap((node) =>
		Object.keys(node.methods?.listSearch ?? {}).map((method) => ({ node, method })),
	);
	const parameters = {
		connectionId: '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11',
		geschaeftsjahrStartDatum: '2026-01-01',
	};

	it.each(lists)('$method of $node.description.displayName keeps the key to itself', async (list) => {
		for (const key of KEYS) {
			recorder.answer = () => ({ status: 422, body: error(key) });
			const credential = { ...recorder.credential, apiKey: key };
			const failed = await searchList({ ...list, credential, parameters }).catch(
				(reason: Error & { description?: string }) => reason,
			);
			expect(failed).toBeInstanceOf(Error);
			const { message, stack, description } = failed as Error & { description?: string };
			expectNoKey(JSON.stringify([failed, message, stack, description]), key);
		}
	});
});

describe('the credential test', () => {
	it.each(ANSWERS)('keeps the key to itself: %s', async (_answer, answer) => {
		for (const key of KEYS) {
			recorder.answer = (recorded) => answer(recorded, key);
			expectNoKey(JSON.stringify(await testCredential(key)), key);
		}
	});
});
