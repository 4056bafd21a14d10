/** Faults strike at their point and as often as asked, and exactly what was booked before stays booked. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AxiosResponse } from 'axios';
import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../sandbox/admin/faults.mjs';
import type { Json } from '../../api/contract.mjs';
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

it.each([
	['before-body', []],
	['before-handler', []],
	['after-handler', ['1']],
] as const)(
	'a fault of the sandbox %s breaks a connection there, and shows in the log',
	async (point, booked) => {
		await ask({ kind: 'drop', point });
		expect(await post('1')).toBe('ECONNRESET');
		expect(await arrived()).toEqual(booked);
		expect(await client.list('requests')).toMatchObject([{ faults: [`drop ${point}`] }]);
	},
);

describe('a fault of the sandbox after the booking:', () => {
	it('an answer can break off in the middle', async () => {
		await ask({ kind: 'cut' });
		expect(await post('1')).toBe('ERR_BAD_RESPONSE');
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

it('an altered answer of the sandbox has numbers that JavaScript cannot represent', async () => {
	const numbers = { 'svc.neuesGuthaben': '1e999', betrag: '12345678901234567890' };
	await ask({ kind: 'alter', numbers });
	const { path, query, body } = client.request(ID);
	// As text: the numbers may be more than JavaScript can read.
	const raw = { params: query, transformResponse: (text: string) => text };
	const { data: text } = await client.http.post<string>(path, body, raw);
	expect(text).toContain('"svc":{"neuesGuthaben":1e999}');
	expect(text).toContain('"betrag":12345678901234567890,');
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

it.each([
	['writes', [200, 503]],
	['reads', [503, 200]],
] as const)('a fault of the sandbox can be for %s alone', async (calls, expected) => {
	await ask({ kind: 'status', status: 503, calls });
	const read = await client.send(client.request('listDuoConnections'));
	const written = (await post('1')) as AxiosResponse<Json>;
	expect([read.status, written.status]).toEqual(expected);
});

it('a fault of the sandbox does not strike calls without a valid key', async () => {
	await ask({ kind: 'drop' });
	expect((await client.send(client.request(ID), 'wrong')).status).toBe(401);
});
