/**
 * Malformed requests to every operation (malformed.mts). Those that break the contract get a JSON error and change
 * nothing; the others don't fail.
 *
 * What breaks the contract is decided by the independent judge. Thousands of cases, more with PROOF_RUNS;
 * PROOF_SEED repeats a run.
 */
import { request as send } from 'node:http';
import { json } from 'node:stream/consumers';
import fc from 'fast-check';
import escapeRegExp from 'lodash/escapeRegExp.js';
import { describe, expect, it } from 'vitest';
import { SECOND_KEY } from '../../sandbox/seed.mjs';
import { judge, operations as all, validator } from '../support/contract.mjs';
import { RUNS } from '../support/seed.mjs';
import { useSandbox } from './client.mjs';
import { BODY_LIMIT, malformed, type Wire } from './malformed.mjs';

/** Requests for each operation. */
const REQUESTS = Math.ceil(RUNS / 4);
const TIMEOUT = 30_000 + REQUESTS * 50;

const client = useSandbox({ bodyLimit: BODY_LIMIT });
const operations = all.filter(({ id }) => id !== 'paymentUpdate');

/** Why a request has to be refused, or nothing. */
function fault({ method, url, headers, body }: Wire): string | undefined {
	if (![client.sandbox.apiKey, SECOND_KEY].includes(headers['x-api-key'])) return 'its key is not valid';
	const read = body.length ? readJson(body) : undefined;
	const [violation] = judge({ method, url, body: read });
	if (violation || !body.length) return violation;
	if (!/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) return 'it is of another type';
	if (headers['content-encoding']) return 'it is compressed';
	return body.length > BODY_LIMIT ? 'its body is too large' : undefined;
}

/** The value of a JSON text in UTF-8; a text that conforms nowhere for anything else. */
function readJson(body: Buffer): unknown {
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
	} catch {
		return 'no JSON';
	}
}

interface Reply {
	status: number;
	type: string | undefined;
	data: unknown;
}

const exchange = async ({ method, url, headers, body }: Wire): Promise<Reply> =>
	await new Promise((resolve, reject) => {
		const { hostname, port } = new URL(client.sandbox.url);
		const length = { 'content-length': String(body.length) };
		// No connection is kept: a refusal may end it.
		const agent = false;
		send({ agent, hostname, port, method, path: url, headers: { ...headers, ...length } }, (message) => {
			const { statusCode, headers: answered } = message;
			json(message).then(
				(data) => resolve({ status: statusCode!, type: answered['content-type'], data }),
				reject,
			);
		})
			.on('error', reject)
			.end(body);
	});

const show = ({ method, url, headers, body }: Wire) =>
	`${method} ${url}\n${JSON.stringify(headers)}\n${body.toString('latin1').slice(0, 2000)}`;
const state = () => JSON.stringify(client.sandbox.store.snapshot());

const seen = new Map<number, number>();

describe.each(operations)('$id', (operation) => {
	const { id, path, schemas } = operation;
	const pattern = new RegExp(`^${escapeRegExp(path).replace(/\\{\w+\\}/g, '[^/]+')}$`);

	it(
		'accepts what conforms, refuses the rest without a trace, and never fails',
		async () => {
			await fc.assert(
				fc.asyncProperty(malformed(operation, client), async (request) => {
					const before = state();
					const { status, type, data } = await exchange(request);
					seen.set(status, (seen.get(status) ?? 0) + 1);
					const what = `${show(request)}\n${status} ${JSON.stringify(data).slice(0, 500)}`;
					expect(type, what).toMatch(/^application\/json/);
					expect(status, what).toBeLessThan(500);
					const reason = fault(request);
					if (reason) expect(status, `${what}\nalthough: ${reason}`).toBeGreaterThanOrEqual(400);
					// A malformed path may be another operation's.
					if (pattern.test(request.url.split('?', 1)[0])) {
						expect(validator(id, `${Math.floor(status / 100)}XX` as '2XX')(data), what).toEqual([]);
					}
					if (status < 400) return void renew(request);
					expect(data, what).toMatchObject({ error: { message: expect.stringMatching(/[^]/) } });
					if (status !== 402)
						expect(data, what).toMatchObject({ error: { field: expect.stringMatching(/[^]/) } });
					expect(state(), what).toBe(before);
				}),
				{ numRuns: schemas.has('body') ? REQUESTS * 2 : REQUESTS },
			);
		},
		TIMEOUT,
	);
});

/** Undoes what a good request has done; books are only computed anew where they have changed. */
function renew({ method }: Wire): void {
	const { store } = client.sandbox;
	if (method === 'GET') for (const account of store.accounts) account.credits = 1000;
	else store.reset();
}

it('saw every kind of answer', () => {
	expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 413, 415, 422]));
});
