/**
 * A real n8n is killed while it books, started again, and the execution retried as the editor's button does: what n8n
 * makes of it, and that no booking arrives twice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import pWaitFor from 'p-wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultInput } from '../../sandbox/faults.mjs';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { storeCredential } from '../../scripts/demo.mjs';
import { type Execution, type N8nClient, signIn, type WorkflowFile } from '../../scripts/host/client.mjs';
import { type N8n, startN8n } from '../../scripts/host/n8n.mjs';
import { installPackage, PACKAGE, packPackage } from '../../scripts/host/package.mjs';
import { simpleEntry } from '../support/simpleEntry.mjs';
import { connectionOf, nodeOf } from '../support/workflows.mjs';

let userFolder: string;
let sandbox: Sandbox;
let n8n: N8n;
let client: N8nClient;
let credentialId: string;

beforeAll(async () => {
	userFolder = await mkdtemp(join(tmpdir(), 'n8n-kill-'));
	await installPackage(await packPackage(userFolder), userFolder);
	sandbox = await startSandbox();
	n8n = await startN8n({ userFolder });
	client = await signIn(n8n.url);
	credentialId = await storeCredential(client, sandbox);
});

beforeEach(async () => {
	await axios.post(`${sandbox.url}/sandbox/reset`);
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	await rm(userFolder, { recursive: true, force: true });
});

const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });

/** A webhook that makes four items, and a node that books them one after another. */
function workflow(path: string, saveExecutionProgress: boolean): WorkflowFile {
	return {
		name: path,
		settings: { saveExecutionProgress },
		nodes: [
			nodeOf('Webhook', 'n8n-nodes-base.webhook', { path, httpMethod: 'POST' }, { webhookId: path }),
			nodeOf(
				'Items',
				'n8n-nodes-base.code',
				{ jsCode: 'return [0, 1, 2, 3].map((i) => ({ json: { i, at: Date.now() } }))' },
				{ typeVersion: 2 },
			),
			nodeOf(
				'Book',
				`${PACKAGE}.accountingGatewayDelivery`,
				simpleEntry(connectionOf(sandbox, 'duo'), {
					// Another one each time: the gateway's own check for duplicates must not be what saves the day.
					belegnummer: '={{ "K-" + $json.i + "-" + Math.random().toString(36).slice(2) }}',
				}),
				{ credentials: { accountingGatewayApi: { id: credentialId, name: 'Gateway' } } },
			),
		],
		connections: { Webhook: to('Items'), Items: to('Book') },
	};
}

const booked = () =>
	(sandbox.world.listed('entries') as Array<{ fields: { belegnummer: string } }>).map(({ fields }) =>
		fields.belegnummer.slice(0, 'K-0'.length),
	);

/** Imports and publishes the workflow, and calls its webhook. */
async function begin(path: string, saveExecutionProgress: boolean, fault: FaultInput): Promise<string> {
	const id = await client.importWorkflow(workflow(path, saveExecutionProgress));
	await client.activate(id);
	sandbox.faults.add(fault);
	const call = async () =>
		(await axios.post(`${n8n.url}/webhook/${path}`, {}, { validateStatus: () => true })).status;
	await pWaitFor(async () => (await call()) === 200, { interval: 500, timeout: 30_000 });
	return id;
}

/** The workflow's execution; n8n lists it as soon as it is over. */
async function lastExecution(workflowId: string): Promise<Execution> {
	const id = await pWaitFor(
		async () => {
			const { data } = await client.api.get('executions', { params: { workflowId, limit: 1 } });
			return data.data.length > 0 && pWaitFor.resolveWith(data.data[0].id as string);
		},
		{ interval: 200, timeout: 30_000 },
	);
	return await client.execution(id);
}

/** The button "Retry" of an execution. */
async function retry({ id }: Execution, loadWorkflow: boolean): Promise<Execution> {
	const { data } = await client.rest.post(`executions/${id}/retry`, { loadWorkflow });
	return await client.execution(data.data.id);
}

const errorOf = ({ data }: Execution) => data.resultData.error as unknown as IDataObject;

describe.each([false, true])('killed while it books, with saveExecutionProgress: %s', (progress) => {
	it.each(['before-handler', 'after-handler'] as const)(
		'tells that the outcome is unknown and sends nothing again, %s',
		async (point) => {
			const path = `kill-${progress}-${point}`;
			const fault: FaultInput = { kind: 'hang', operationId: 'createCashBookEntry', point, after: 1 };
			const workflowId = await begin(path, progress, fault);
			await pWaitFor(() => sandbox.log.entries.some(({ faults }) => faults.length > 0), { timeout: 30_000 });
			const before = booked();
			expect(before).toEqual(point === 'after-handler' ? ['K-0', 'K-1'] : ['K-0']);

			await n8n.kill();
			await n8n.start();
			client = await signIn(n8n.url);

			const crashed = await lastExecution(workflowId);
			expect(crashed.status).toBe('crashed');
			// The editor offers both: with the workflow as it was, and as it is now. The second retries the first's retry.
			const first = await retry(crashed, false);
			const second = await retry(first, true);
			for (const retried of [first, second]) {
				expect(retried.status).toBe('error');
				expect(errorOf(retried).message).toContain('n8n was stopped while this execution was writing');
				expect(errorOf(retried).description).toContain('Unknown: items 0–3.');
			}
			expect(booked()).toEqual(before);
		},
	);
});

it('goes on where an execution failed, when n8n lives', async () => {
	const fault: FaultInput = { kind: 'status', status: 422, operationId: 'createCashBookEntry', after: 2 };
	const workflowId = await begin('refused', false, fault);
	const failed = await lastExecution(workflowId);
	expect(failed.status).toBe('error');
	expect(errorOf(failed).description).toContain('Carried out: items 0–1. Refused: item 2. Not sent: item 3.');
	expect((await retry(failed, false)).status).toBe('success');
	expect(booked()).toEqual(['K-0', 'K-1', 'K-2', 'K-3']);
});

it('sends nothing again from an execution whose retry has failed, too', async () => {
	const refuse: FaultInput = { kind: 'status', status: 422, operationId: 'createCashBookEntry', after: 1 };
	const workflowId = await begin('refused-twice', false, refuse);
	const first = await lastExecution(workflowId);
	sandbox.faults.add(refuse);
	const second = await retry(first, false);
	expect([first.status, second.status]).toEqual(['error', 'error']);
	expect(booked()).toEqual(['K-0', 'K-1']);

	const again = await retry(first, false);
	expect(errorOf(again).message).toContain('or the execution was retried before');
	expect(errorOf(again).description).toContain('Unknown: items 0–3.');
	expect(booked()).toEqual(['K-0', 'K-1']);

	expect((await retry(second, false)).status).toBe('success');
	expect(booked()).toEqual(['K-0', 'K-1', 'K-2', 'K-3']);
});
