/**
 * The sandbox refuses what breaks the contract: with a JSON error that names the field, and without a trace. It fails at
 * no other request, and its own answers conform.
 */
import fc from 'fast-check';
import at from 'lodash/fp/get.js';
import set from 'lodash/fp/set.js';
import unset from 'lodash/fp/unset.js';
import { describe, expect, it } from 'vitest';
import { type Json, judge, operations as all } from '../../api/contract.mjs';
import { partOf, shareOf } from '../../scripts/base/extent.mjs';
import { judgeAnswer, type TestRequest, useSandbox } from './client.mjs';

const client = useSandbox({ bodyLimit: 1024 * 1024 });
const operations = all.filter(({ id }) => id !== 'paymentUpdate');
const withBody = operations.filter(({ schemas }) => schemas.has('body'));
const withQuery = operations.filter(({ parameters }) => parameters.some((one) => one.in === 'query'));
const withConnection = operations.filter(({ parameters }) =>
	parameters.some(({ name }) => name === 'connectionId'),
);

/** Sends a request and expects a refusal that names a field and changes nothing. */
async function expectRefusal(id: string, request: TestRequest, status = 400): Promise<string> {
	const before = client.sandbox.store.snapshot();
	const answer = await client.send(request);
	expect([answer.status, answer.data]).toEqual([
		status,
		{ error: expect.objectContaining({ message: expect.any(String), field: expect.stringMatching(/[^]/) }) },
	]);
	expect(answer.headers['content-type']).toMatch('application/json');
	expect(judgeAnswer(id, answer)).toEqual([]);
	expect(client.sandbox.store.snapshot()).toEqual(before);
	return answer.data.error.field;
}

/** Sends a request and expects a refusal if it breaks the contract, and no failure otherwise. */
async function expectCorrectAnswer(id: string, request: TestRequest): Promise<void> {
	if (judged(request).length) return void (await expectRefusal(id, request));
	const before = client.sandbox.store.snapshot();
	const answer = await client.send(request);
	expect(answer.status).toBeLessThan(500);
	expect(judgeAnswer(id, answer)).toEqual([]);
	if (answer.status >= 400) expect(client.sandbox.store.snapshot()).toEqual(before);
}

const judged = ({ method, path, query, body }: TestRequest) =>
	judge({ method, url: `${path}?${new URLSearchParams(query)}`, body });

/** The paths of all values within a body. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
	if (typeof value !== 'object' || value === null) return [path];
	return [path, ...Object.keys(value).flatMap((key) => pathsOf((value as Json)[key], [...path, key]))];
}

describe.each(operations)('the sandbox’s $id', ({ id, method, parameters }) => {
	it('has an example request that conforms', async () => {
		expect(judged(client.request(id))).toEqual([]);
		await expectCorrectAnswer(id, client.request(id));
	});

	it('needs a valid API key', async () => {
		const request = client.request(id);
		for (const key of ['', 'sandbox-demo', 'sandbox-demo-key, sandbox-demo-key']) {
			const { status, data } = await client.send(request, key);
			expect([status, data.error.field]).toEqual([401, 'x-api-key']);
		}
	});

	it('refuses an unknown query parameter', async () => {
		const request = client.request(id);
		expect(await expectRefusal(id, { ...request, query: { ...request.query, unbekannt: '1' } })).toBe(
			'unbekannt',
		);
	});

	it('answers other methods with 405', async () => {
		const request = { ...client.request(id), method: method === 'PUT' ? 'POST' : 'PUT' };
		const { status, data, headers } = await client.send(request);
		expect([status, data.error.field, headers.allow]).toEqual([405, 'method', method]);
		expect((await client.http.head(request.path)).status).toBe(405);
		expect((await client.send({ ...request, method: 'PROPFIND' })).status).toBe(405);
	});

	it('is not found under a longer path', async () => {
		const { status, data } = await client.http.request({ method, url: `${client.request(id).path}/x/y` });
		expect([status, data.error.field]).toEqual([404, 'path']);
	});

	it.each(parameters.filter((one) => one.in === 'query'))(
		'checks the query parameter $name',
		async (parameter) => {
			const { name, required } = parameter;
			const request = client.request(id);
			if (required)
				expect(await expectRefusal(id, { ...request, query: unset(name, request.query) })).toBe(name);
			const twice = {
				...request,
				path: `${request.path}?${name}=a&${name}=b`,
				query: unset(name, request.query),
			};
			expect(await expectRefusal(id, twice)).toBe(name);
		},
	);
});

describe.each(withConnection)('the connection of the sandbox’s $id', ({ id, path }) => {
	it("knows only the account's own connections", async () => {
		const request = client.request(id);
		const query = { ...request.query, connectionId: client.sandbox.store.idFor('?') };
		expect(await expectRefusal(id, { ...request, query }, 404)).toBe('connectionId');
	});

	// The companies belong to no module: they take any connection.
	const modules = path.startsWith('/v2/acct/')
		? []
		: ([path.startsWith('/v2/acct-duo/') ? 'rewe' : 'duo'] as const);
	it.each(modules)('is not one of %s', async (module) => {
		const request = client.request(id);
		const query = { ...request.query, connectionId: client.connectionId(module) };
		expect(await expectRefusal(id, { ...request, query }, 403)).toBe('connectionId');
	});
});

describe.each(withBody)('the body of the sandbox’s $id', ({ id }) => {
	it('is needed, and has to be an object', async () => {
		for (const body of [undefined, null, [], 'text', 7]) {
			expect(await expectRefusal(id, { ...client.request(id), body })).toBe('body');
		}
	});

	it('has to be JSON', async () => {
		const { path, method, query } = client.request(id);
		const send = (data: string | Buffer, type: string) =>
			client.http.request({ method, url: path, params: query, data, headers: { 'content-type': type } });
		for (const text of ['', '{', '{"a":1,}', "{'a':1}", '{}{}', '\u0000', '['.repeat(100_000)]) {
			const { status, data } = await send(Buffer.from(text), 'application/json');
			expect([status, data.error.field]).toEqual([400, 'body']);
		}
		const latin1 = Buffer.from('{"name":"Bäcker"}', 'latin1');
		expect((await send(latin1, 'application/json')).data.error.field).toBe('body');
		for (const type of [
			'text/plain',
			'application/x-www-form-urlencoded',
			'multipart/form-data; boundary=x',
		]) {
			const { status, data } = await send('{}', type);
			expect([status, data.error.field]).toEqual([415, 'content-type']);
		}
	});

	it('may not be larger than the limit', async () => {
		const request = client.request(id);
		expect(await expectRefusal(id, { ...request, body: { x: 'x'.repeat(1024 * 1024) } }, 413)).toBe('body');
	});
});

describe('every violation of the contract is refused by the sandbox, naming its field,', () => {
	it.each(withBody)('in the body of $id', async ({ id }) => {
		const request = client.request(id);
		const others = [null, true, 0, -1, 1.5, '', 'x', [], {}, [null], 'x'.repeat(100), { x: 1 }];
		let refused = 0;
		const example = request.body as Json;
		for (const [i, path] of pathsOf(example).slice(1).entries()) {
			const nearly = ['T', /:00$/, /^/].map((what) => String(at(path, example)).replace(what, ' '));
			const values = [...others, ...nearly, `urn:uuid:${at(path, example)}`];
			const bodies = [unset(path, example), ...values.map((other) => set(path, other, example))];
			const parent = path.slice(0, -1);
			bodies.push(set([...parent, 'unbekannt'], 1, example));
			for (const body of partOf(bodies, i, 4)) {
				const [violation] = judged({ ...request, body });
				if (!violation) continue;
				refused++;
				const field = await expectRefusal(id, { ...request, body });
				// Violations read `/belegzeilen/0/betrag must be number`; any of them may be the one that is named.
				const named = judged({ ...request, body }).map((text) => text.split(' ')[0].slice(1));
				expect(named.map((name) => name || 'body')).toContain(field);
			}
		}
		if (id !== 'setWebhookUrl') expect(refused).toBeGreaterThan(pathsOf(example).length);
	});
});

describe('the sandbox answers random requests as the contract says,', () => {
	it.each(withBody)('with any value at any place of the body of $id', async ({ id }) => {
		const request = client.request(id);
		const example = request.body as Json;
		const places = pathsOf(example).slice(1);
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue(), fc.string(), async (path, value, key) => {
				const changed = set(path, value, example);
				const body = key ? { ...changed, [key]: value } : changed;
				await expectCorrectAnswer(id, { ...request, body });
			}),
			{ numRuns: shareOf(200) },
		);
	});

	it.each(withQuery)('with any query of $id', async ({ id, parameters }) => {
		const request = client.request(id);
		const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
		await fc.assert(
			fc.asyncProperty(
				fc.dictionary(
					fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'grapheme' })),
					fc.string({ unit: 'grapheme' }),
				),
				async (query) => {
					const changed = { ...request, query: { ...request.query, ...query } };
					await expectCorrectAnswer(id, changed);
				},
			),
			{ numRuns: shareOf(50) },
		);
	});

	it('with any path', async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
				const { status, data } = await client.http.get(`/v2/${encodeURIComponent(text)}`);
				expect([status, data.error.field]).toEqual([404, 'path']);
			}),
		);
		const { status, data } = await client.http.get('/v2/%zz');
		expect([status, data.error.field]).toEqual([400, 'path']);
	});
});

it.each(withBody)(
	'the sandbox refuses a number too large for JavaScript in the body of $id',
	async ({ id }) => {
		const { method, path, query, body } = client.request(id);
		const before = client.sandbox.store.snapshot();
		const headers = { 'content-type': 'application/json' };
		for (const place of pathsOf(body).filter((one) => typeof at(one, body) === 'number')) {
			const data = JSON.stringify(set(place, '∞', body as Json)).replace('"∞"', '1e400');
			const answer = await client.http.request({ method, url: path, params: query, data, headers });
			expect([answer.status, answer.data.error.field]).toEqual([400, place.join('/')]);
		}
		expect(client.sandbox.store.snapshot()).toEqual(before);
	},
);

it.each(['%', '%zz', '50%', '%ff', 'a%C3%28'])(
	'the sandbox refuses the query quelle=%s, which is not encoded',
	async (text) => {
		const { path, query } = client.request('listCashBooks');
		const { status, data } = await client.http.get(`${path}?${new URLSearchParams(query)}&quelle=${text}`);
		expect([status, data.error.field]).toEqual([400, 'query']);
	},
);

it('the sandbox refuses a body that is compressed', async () => {
	const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
	const { status, data } = await client.http.post('/v2/mobility/customers', '{"name":"x"}', { headers });
	expect([status, data.error.field]).toEqual([415, 'content-encoding']);
});

it('the sandbox refuses a body where the contract has none', async () => {
	const request = { ...client.request('listCashBooks'), body: { x: 1 } };
	expect(await expectRefusal('listCashBooks', request)).toBe('body');
});
