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
	it.each<[string, FaultInput]>([
		['503', { kind: 'status', status: 503 }],
		['a broken connection', { kind: 'drop' }],
	])('are repeated after %s', async (_what, fault) => {
		const pauses = skipPauses();
		await gateway.fault({ ...fault, times: 2 });
		const { error } = await gateway.run(node, connections);
		expect(error).toBeUndefined();
		expect(await calls()).toBe(3);
		expect(pauses()).toEqual([0.5, 1]);
	});

	it.each([400, 401, 402, 403, 404, 409, 413, 422, 500])('are not repeated after %d', async (status) => {
		await gateway.fault({ kind: 'status', status, times: null, body: { message: 'Nein, nie.' } });
		const { error } = await gateway.run(node, connections);
		expect(error?.message).toContain(`(HTTP ${status})`);
		expect(`${error?.message} ${error?.description}`).toContain('“Nein, nie.”');
		expect(await calls()).toBe(1);
	});

	it.each([
		[100, true],
		[101, false],
	])('take an answer nested %i levels deep: %s', async (levels, isTaken) => {
		const list = `[{"id":"a","name":"b","more":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}]`;
		await gateway.fault({ kind: 'status', status: 200, body: list });
		const { error } = await gateway.run(node, { ...connections, simple: false });
		expect(error?.message ?? 'taken').toContain(isTaken ? 'taken' : 'nested more than 100 levels deep');
	});

	it('stop waiting when the execution is canceled', async () => {
		await gateway.fault({ kind: 'status', status: 503, headers: { 'retry-after': '50' }, times: null });
		const started = Date.now();
		const cancel = expect.poll(calls).toBe(1);
		const { run } = await gateway.run(node, connections, { cancel });
		expect(run.status).toBe('canceled');
		// It would have waited for 50 seconds, of which a busy machine may take some.
		expect(Date.now() - started).toBeLessThan(45_000);
		expect(await calls()).toBe(1);
	});
});

// A vault behind n8n's external secrets is asked each time, and may hold another key meanwhile.
it('A run reads its credential twice, however many requests it sends', async () => {
	let reads = 0;
	const credential = Object.defineProperty({ ...gateway.credential }, 'apiKey', {
		enumerable: true,
		get: () => (reads++, gateway.credential.apiKey),
	});
	const items = ['duo', 'rewe', 'rewe-read'].map((module) => ({ json: { module } }));
	const parameters = { ...connections, module: '={{ $json.module }}' };
	const { error } = await gateway.run(node, parameters, { credential, items });
	expect(error).toBeUndefined();
	// Once for all requests, and once to see that it is the same for all items.
	expect([await calls(), reads], 'requests, and reads of the credential').toEqual([3, 2]);
});

it('plain http behind https has a message of its own', async () => {
	skipPauses();
	const credential = { ...gateway.credential, baseUrl: gateway.sandbox.url.replace('http:', 'https:') };
	const { error } = await gateway.run(node, connections, { credential });
	expect(error?.message).toContain('secure connection (TLS)');
});
