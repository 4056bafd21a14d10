/**
 * A real n8n is killed while it books, started again, and the execution retried as the editor's button does: what n8n
 * makes of it, and that no booking arrives twice.
 */
import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import pWaitFor from 'p-wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultInput } from '../../sandbox/admin/faults.mjs';
import type { Execution, WorkflowFile } from '../../host/client.mjs';
import { PACKAGE } from '../../host/package.mjs';
import { PATIENCE_MS } from '../support/patience.mjs';
import { Rig } from '../support/rig.mjs';
import { simpleEntry } from '../support/simpleEntry.mjs';
import { connectionOf, nodeOf } from '../support/workflows.mjs';

let rig: Rig;

beforeAll(async () => {
	rig = await Rig.start();
});
beforeEach(async () => {
	await axios.post(`${rig.sandbox.url}/sandbox/reset`);
});
afterAll(async () => await rig?.stop());

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
				simpleEntry(connectionOf(rig.sandbox, 'duo'), {
					// Another one each time: the gateway's own check for duplicates must not be what saves the day.
					belegnummer: '={{ "K-" + $json.i + "-" + Math.random().toString(36).slice(2) }}',
				}),
				{ credentials: rig.credentials },
			),
		],
		connections: { Webhook: to('Items'), Items: to('Book') },
	};
}

/** The same with a loop that books one item in each pass, and a node after it that fails at an item. */
function loop(path: string, saveExecutionProgress: boolean, failsAt?: number): WorkflowFile {
	const { nodes, connections, ...rest } = workflow(path, saveExecutionProgress);
	const jsCode = `if ($('Loop').item.json.i === ${failsAt ?? -1}) throw new Error('Not this one'); return $input.all();`;
	return {
		...rest,
		nodes: [
			...nodes,
			nodeOf('Loop', 'n8n-nodes-base.splitInBatches', { batchSize: 1 }, { typeVersion: 3 }),
			nodeOf('Check', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 }),
		],
		connections: {
			...connections,
			Items: to('Loop'),
			Loop: { main: [[], to('Book').main[0]] },
			Book: to('Check'),
			Check: to('Loop'),
		},
	};
}

const booked = () =>
	(rig.sandbox.store.list('entries') as Array<{ fields: { belegnummer: string } }>).map(({ fields }) =>
		fields.belegnummer.slice(0, 'K-0'.length),
	);

/** Imports and publishes the workflow, and calls its webhook. */
async function begin(path: string, saveExecutionProgress: boolean, fault: FaultInput): Promise<string> {
	return await call(workflow(path, saveExecutionProgress), fault);
}

async function call(file: WorkflowFile, fault?: FaultInput): Promise<string> {
	const path = file.name;
	const id = await rig.client.importWorkflow(file);
	await rig.publishWebhook(id, `webhook/${path}`);
	if (fault) rig.sandbox.faults.add(fault);
	await axios.post(`${rig.n8nUrl}/webhook/${path}`, {});
	return id;
}

/** The workflow's execution; n8n lists it as soon as it is over. */
async function lastExecution(workflowId: string): Promise<Execution> {
	const [{ id }] = await rig.executionsEnded(workflowId, 1);
	return await rig.client.execution(id);
}

const errorOf = ({ data }: Execution) => data.resultData.error as unknown as IDataObject;

describe.each([false, true])('killed while it books, with saveExecutionProgress: %s', (progress) => {
	it.each(['before-handler', 'after-handler'] as const)(
		'says that the outcome is unknown and sends nothing again, %s',
		async (point) => {
			const path = `kill-${progress}-${point}`;
			const fault: FaultInput = { kind: 'hang', operationId: 'createCashBookEntry', point, after: 1 };
			const workflowId = await begin(path, progress, fault);
			await pWaitFor(() => rig.sandbox.log.entries.some(({ faults }) => faults.length > 0), {
				timeout: PATIENCE_MS,
			});
			const before = booked();
			expect(before).toEqual(point === 'after-handler' ? ['K-0', 'K-1'] : ['K-0']);

			await rig.restart('kill');

			const crashed = await lastExecution(workflowId);
			expect(crashed.status).toBe('crashed');
			// The editor offers both: with the workflow as it was, and as it is now. The second retries the first's retry.
			const first = await rig.client.retry(crashed.id);
			const second = await rig.client.retry(first.id, { withCurrentWorkflow: true });
			for (const retried of [first, second]) {
				expect(retried.status).toBe('error');
				expect(errorOf(retried).message).toContain('n8n was stopped while this execution was writing');
				expect(errorOf(retried).description).toContain('Unknown: items 1–4.');
			}
			expect(booked()).toEqual(before);
		},
	);
});

describe.each([false, true])('a loop, with saveExecutionProgress: %s', (progress) => {
	it('sends nothing again when killed', async () => {
		const fault: FaultInput = {
			kind: 'hang',
			operationId: 'createCashBookEntry',
			point: 'after-handler',
			after: 2,
		};
		const workflowId = await call(loop(`loop-killed-${progress}`, progress), fault);
		await pWaitFor(() => rig.sandbox.log.entries.some(({ faults }) => faults.length > 0), {
			timeout: PATIENCE_MS,
		});
		await rig.restart('kill');
		const crashed = await lastExecution(workflowId);
		expect(crashed.status).toBe('crashed');
		const first = await rig.client.retry(crashed.id);
		const second = await rig.client.retry(first.id);
		for (const retried of [first, second]) {
			expect(retried.status).toBe('error');
			expect(errorOf(retried).message).toContain('n8n was stopped while this execution was writing');
		}
		expect(booked()).toEqual(['K-0', 'K-1', 'K-2']);
	});

	it('continues where a later node failed', async () => {
		const path = `loop-failed-${progress}`;
		const workflowId = await call(loop(path, progress, 1));
		const failed = await lastExecution(workflowId);
		expect(failed.status).toBe('error');
		expect(booked()).toEqual(['K-0', 'K-1']);
		await rig.client.api.put(`workflows/${workflowId}`, loop(path, progress));
		const retried = await rig.client.retry(failed.id, { withCurrentWorkflow: true });
		expect(retried.status).toBe('success');
		expect(booked()).toEqual(['K-0', 'K-1', 'K-2', 'K-3']);

		const again = await rig.client.retry(failed.id, { withCurrentWorkflow: true });
		expect(errorOf(again).message).toContain('or the execution was retried before');
		expect(booked()).toEqual(['K-0', 'K-1', 'K-2', 'K-3']);
	});
});

it('continues where an execution failed while n8n was alive', async () => {
	const fault: FaultInput = { kind: 'status', status: 422, operationId: 'createCashBookEntry', after: 2 };
	const workflowId = await begin('refused', false, fault);
	const failed = await lastExecution(workflowId);
	expect(failed.status).toBe('error');
	expect(errorOf(failed).description).toContain('Carried out: items 1–2. Refused: item 3. Not sent: item 4.');
	expect((await rig.client.retry(failed.id)).status).toBe('success');
	expect(booked()).toEqual(['K-0', 'K-1', 'K-2', 'K-3']);
});

it('sends nothing again from an execution whose retry failed as well', async () => {
	const refuse: FaultInput = { kind: 'status', status: 422, operationId: 'createCashBookEntry', after: 1 };
	const workflowId = await begin('refused-twice', false, refuse);
	const first = await lastExecution(workflowId);
	rig.sandbox.faults.add(refuse);
	const second = await rig.client.retry(first.id);
	expect([first.status, second.status]).toEqual(['error', 'error']);
	expect(booked()).toEqual(['K-0', 'K-1']);

	const again = await rig.client.retry(first.id);
	expect(errorOf(again).message).toContain('or the execution was retried before');
	expect(errorOf(again).description).toContain('Unknown: items 1–4.');
	expect(booked()).toEqual(['K-0', 'K-1']);

	expect((await rig.client.retry(second.id)).status).toBe('success');
	expect(booked()).toEqual(['K-0', 'K-1', 'K-2', 'K-3']);
});
