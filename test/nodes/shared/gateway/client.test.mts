import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { FaultInput } from '../../../../sandbox/admin/faults.mjs';
import { skipPauses } from '../../../support/pauses.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const connections: INodeParameters = { resource: 'connection', operation: 'getAll', module: 'duo' };
const calls = async () => (await gateway.requests()).length;

describe('reads of the gateway', () => {
	const transient: Array<[string, FaultInput]> = [
		['429', { kind: 'status', status: 429 }],
		['502', { kind: 'status', status: 502 }],
		['503', { kind: 'status', status: 503 }],
		['504', { kind: 'status', status: 504 }],
		['a broken connection', { kind: 'drop' }],
	];
	it.each(transient)('are repeated after %s', async (_what, fault) => {
		const pauses = skipPauses();
		await gateway.fault({ ...fault, times: 2 });
		const { error } = await gateway.run(node, connections);
		expect(error).toBeUndefined();
		expect(await calls()).toBe(3);
		expect(pauses()).toEqual([0.5, 1]);
	});

	it('wait as long as Retry-After says', async () => {
		await gateway.fault({ kind: 'status', status: 429, headers: { 'retry-after': '1' } });
		const started = Date.now();
		await gateway.run(node, connections);
		expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
	});

	it('give up when the gateway asks for too long a wait, and say so', async () => {
		await gateway.fault({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
		const { error } = await gateway.run(node, connections);
		expect(error?.description).toContain('wait 3600 seconds');
		expect(await calls()).toBe(1);
	});

	it('give up in the end', async () => {
		const pauses = skipPauses();
		await gateway.fault({ kind: 'status', status: 503, times: null });
		const { error } = await gateway.run(node, connections);
		expect(error?.message).toContain('HTTP 503');
		expect(await calls()).toBe(4);
		expect(pauses()).toEqual([0.5, 1, 2]);
	});

	it.each([400, 401, 402, 403, 404, 409, 413, 422, 500])('are not repeated after %d', async (status) => {
		await gateway.fault({ kind: 'status', status, times: null, body: { message: 'Nein, nie.' } });
		const { error } = await gateway.run(node, connections);
		expect(error?.message).toContain(`(HTTP ${status})`);
		expect(`${error?.message} ${error?.description}`).toContain('“Nein, nie.”');
		expect(await calls()).toBe(1);
	});

	it('stop waiting when the execution is canceled', async () => {
		await gateway.fault({ kind: 'status', status: 503, headers: { 'retry-after': '50' }, times: null });
		const started = Date.now();
		const cancel = expect.poll(calls).toBe(1);
		const { run } = await gateway.run(node, connections, { cancel });
		expect(run.status).toBe('canceled');
		// It would have waited for 50 seconds.
		expect(Date.now() - started).toBeLessThan(20_000);
		expect(await calls()).toBe(1);
	});
});

describe('each kind of failure to reach the gateway has its own message:', () => {
	const message = async (overrides: object = {}, fault?: FaultInput) => {
		skipPauses();
		if (fault) await gateway.fault({ ...fault, times: null });
		const { error } = await gateway.run(node, connections, {
			credential: { ...gateway.credential, ...overrides },
		});
		return error?.message;
	};

	it('a redirect, which is not followed', async () => {
		let visits = 0;
		const elsewhere = createServer((_request, response) => {
			visits++;
			response.end('{}');
		}).listen(0);
		const { port } = elsewhere.address() as AddressInfo;
		expect(await message({}, { kind: 'redirect', location: `http://127.0.0.1:${port}/` })).toContain(
			'redirect',
		);
		expect(visits).toBe(0);
		elsewhere.close();
	});

	it('plain http behind https', async () => {
		expect(await message({ baseUrl: gateway.sandbox.url.replace('http:', 'https:') })).toContain(
			'secure connection (TLS)',
		);
	});
});

it('an error shows everything that the gateway says, even what looks like HTML', async () => {
	const message = `${'a long text, '.repeat(12)}must be <consultant>-<client>`;
	await gateway.fault({ kind: 'status', status: 422, body: { message } });
	const { error } = await gateway.run(node, connections);
	expect(error?.description).toContain('must be &lt;consultant&gt;-&lt;client&gt;');
});
