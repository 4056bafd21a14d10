/** Faults strike at their point and as often as asked, and exactly what was booked before stays booked. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AxiosResponse } from 'axios';
import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../sandbox/admin/faults.mjs';
import type { Json } from '../support/contract.mjs';
import { useSandbox } from './client.mjs';

const client = useSandbox();
const ID = 'createCashBookEntry';
const ask = (fault: FaultInput) => client.control.post('faults', fault);

/** Sends an entry and returns its answer, or the code of the error that came instead. */
async function post(belegnummer: string) {
	const request = client.request(ID);
	return await client
		.send({ ...request, body: { ...(request.body as object), belegnummer } })
		.catch((error: { code: string }) => error.code);
}
const arrived = async () =>
	(await client.list('entries')).map(({ fields }) => (fields as { belegnummer: string }).belegnummer);

describe.each([
	['before-body', []],
	['before-handler', []],
	['after-handler', ['1']],
] as const)('a fault of the sandbox %s', (point, booked) => {
	it.each<[string, FaultInput, unknown]>([
		['no answer on a broken connection', { kind: 'drop' }, 'ECONNRESET'],
		[
			'a status with its headers and body',
			{ kind: 'status', status: 429, headers: { 'retry-after': '7' }, body: { message: 'Zu viele' } },
			{ status: 429, headers: { 'retry-after': '7' }, data: { message: 'Zu viele' } },
		],
		['an HTML page', { kind: 'html' }, { status: 502, data: expect.stringContaining('<html>') }],
		[
			'a redirect',
			{ kind: 'redirect', location: 'http://127.0.0.1:9/steal' },
			{ status: 307, headers: { location: 'http://127.0.0.1:9/steal' } },
		],
	])('can give %s', async (_, fault, answer) => {
		await ask({ ...fault, point } as FaultInput);
		const got = await post('1');
		if (typeof answer === 'string') expect(got).toBe(answer);
		else expect(got).toMatchObject(answer as object);
		expect(await arrived()).toEqual(booked);
		expect(await client.list('requests')).toMatchObject([{ faults: [`${fault.kind} ${point}`] }]);
	});

	it('can leave a call unanswered', async () => {
		await ask({ kind: 'hang', point });
		const request = client.request(ID);
		const { path, query } = request;
		const body = { ...(request.body as object), belegnummer: '1' };
		const call = client.http.post(path, body, { params: query, timeout: 150 });
		await expect(call).rejects.toMatchObject({ code: 'ECONNABORTED' });
		expect(await arrived()).toEqual(booked);
	});

	it('can delay the answer and let the call through', async () => {
		await ask({ kind: 'latency', ms: 120, point });
		const started = performance.now();
		expect(await post('1')).toMatchObject({ status: 200 });
		expect(performance.now() - started).toBeGreaterThan(115);
		expect(await arrived()).toEqual(['1']);
	});
});

describe('a fault of the sandbox after the booking:', () => {
	it('an answer can break off in the middle', async () => {
		await ask({ kind: 'cut' });
		expect(await post('1')).toBe('ERR_BAD_RESPONSE');
		expect(await arrived()).toEqual(['1']);
	});

	it('an answer can be broken JSON', async () => {
		await ask({ kind: 'broken-json' });
		const answer = await post('1');
		expect(answer).toMatchObject({
			status: 200,
			headers: { 'content-type': expect.stringContaining('json') },
		});
		expect(() => JSON.parse((answer as { data: string }).data) as unknown).toThrow();
		expect(await arrived()).toEqual(['1']);
	});

	it('an answer can drip', async () => {
		const intervalMs = 20;
		await ask({ kind: 'drip', intervalMs, bytes: 100 });
		const started = performance.now();
		const answer = (await post('1')) as AxiosResponse<Json>;
		const pauses = Math.ceil(JSON.stringify(answer.data).length / 100) - 1;
		expect(pauses).toBeGreaterThan(1);
		// Timers may be early by a millisecond.
		expect(performance.now() - started).toBeGreaterThan(pauses * (intervalMs - 1));
		expect(answer).toMatchObject({ status: 200, data: { belegnummer: '1' } });
		expect(await arrived()).toEqual(['1']);
	});

	it('it strikes only calls that were booked', async () => {
		await ask({ kind: 'drop', point: 'after-handler' });
		expect(await post('not allowed')).toMatchObject({ status: 400 });
		expect(await post('1')).toBe('ECONNRESET');
	});
});

describe('an altered answer of the sandbox', () => {
	/** The answer's text, as numbers may be more than JavaScript can read. */
	const postForText = async (operationId = ID) => {
		const { path, query, body } = client.request(operationId);
		const raw = { params: query, transformResponse: (text: string) => text };
		return (await client.http.post<string>(path, body, raw)).data;
	};

	it('has other values, while what was sent is booked', async () => {
		const set = { belegnummer: 'KB-9', betrag: 1, 'svc.neuesGuthaben': 5, 'data.0.id': null };
		await ask({ kind: 'alter', set });
		expect(await post('1')).toMatchObject({
			status: 200,
			data: { belegnummer: 'KB-9', betrag: 1, svc: { neuesGuthaben: 5 }, data: [{ id: null }] },
		});
		expect(await arrived()).toEqual(['1']);
		expect(await client.list('entries')).toMatchObject([{ fields: { betrag: 23.8 } }]);
	});

	it('lacks fields', async () => {
		await ask({ kind: 'alter', remove: ['id', 'svc.neuesGuthaben'] });
		const { data } = await client.post('uploadDuoDocument');
		expect(data).toEqual({ dateiname: 'rechnung-4711.pdf', svc: {} });
	});

	it('has numbers that JavaScript cannot represent', async () => {
		const numbers = {
			'svc.neuesGuthaben': '1e999',
			betrag: '12345678901234567890',
			steuersatz: '-1234567890123456567.89',
		};
		await ask({ kind: 'alter', numbers });
		const text = await postForText();
		expect(text).toContain('"svc":{"neuesGuthaben":1e999}');
		expect(text).toContain('"betrag":12345678901234567890,');
		expect(text).toContain('"steuersatz":-1234567890123456567.89,');
	});
});

it('a fault of the sandbox before the body strikes while the body is still on its way', async () => {
	await ask({ kind: 'drop', point: 'before-body' });
	const { hostname, port } = new URL(client.sandbox.url);
	const socket = connect(Number(port), hostname);
	const { path } = client.request(ID);
	socket.write(
		`POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${client.sandbox.apiKey}\r\ncontent-length: 9\r\n\r\n{`,
	);
	const [error] = (await once(socket, 'close', {}).catch((reason: unknown) => [reason])) as [unknown];
	expect(error).toMatchObject({ code: 'ECONNRESET' });
});

it('a fault of the sandbox counts: `after` calls pass, then `times` calls are struck', async () => {
	await ask({ kind: 'status', status: 503, after: 1, times: 2 });
	const statuses = [];
	for (const number of ['1', '2', '3', '4'])
		statuses.push(((await post(number)) as { status: number }).status);
	expect(statuses).toEqual([200, 503, 503, 200]);
	expect((await client.control.get('faults')).data).toMatchObject([{ seen: 4, struck: 2 }]);
});

it('a fault of the sandbox strikes until it is deleted when `times` is null', async () => {
	await ask({ kind: 'status', status: 503, times: null });
	for (const number of ['1', '2', '3']) expect(await post(number)).toMatchObject({ status: 503 });
	await client.control.delete('faults');
	expect(await post('1')).toMatchObject({ status: 200 });
});

it('a fault of the sandbox strikes only the operation that it is for', async () => {
	await ask({ kind: 'status', status: 503, operationId: 'listCashBooks' });
	expect(await post('1')).toMatchObject({ status: 200 });
	expect((await client.post('listCashBooks')).status).toBe(503);
});

it('latency and another fault of the sandbox strike together, and two others one after the other', async () => {
	await ask({ kind: 'latency', ms: 100 });
	await ask({ kind: 'status', status: 503 });
	await ask({ kind: 'status', status: 429 });
	const started = performance.now();
	expect(await post('1')).toMatchObject({ status: 503 });
	expect(performance.now() - started).toBeGreaterThan(95);
	expect(await post('1')).toMatchObject({ status: 429 });
	expect(await post('1')).toMatchObject({ status: 200 });
});

it('a fault of the sandbox does not strike calls without a valid key', async () => {
	await ask({ kind: 'drop' });
	expect((await client.send(client.request(ID), 'wrong')).status).toBe(401);
});
