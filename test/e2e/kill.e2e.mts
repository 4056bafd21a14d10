/**
 * A real n8n is killed while it books, started again, and the execution retried as the editor's button does: what n8n
 * makes of it, and that no booking arrives twice.
 */
import axios from 'axios';
import type { IDataObject, INode } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultInput } from '../../sandbox/admin/faults.mjs';
import type { Execution, WorkflowFile } from '../../host/client.mjs';
import { PACKAGE } from '../../host/package.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';
import { Rig } from '../support/rig.mjs';
import { connectionOf, nodeOf, simpleEntry, to } from '../../host/workflows.mjs';
import { jsonAs } from '../../host/partial.mjs';

let rig: Rig;

beforeAll(async () => {
	rig = await Rig.start({ env: { N8N_RUNNERS_MODE: 'internal' } });
});
afterAll(async () => await rig?.stop());

/** A webhook that makes four items, and a node that books them one after another. */
function workflow(path: string, saveExecutionProgress: boolean, book: Partial<INode> = {}): WorkflowFile {
	const { name = 'Book' } = book;
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
				name,
				`${PACKAGE}.accountingGatewayDelivery`,
				simpleEntry(connectionOf(rig.sandbox, 'duo'), {
					// Another one each time: the gateway's own check for duplicates must not be what saves the day.
					belegnummer: '={{ "K-1" + $json.i + "-" + Math.random().toString(36).slice(2) }}',
					belegtext: path,
				}),
				{ credentials: rig.credentials, ...book },
			),
		],
		connections: { Webhook: to('Items'), Items: to(name) },
	};
}

/** A webhook that books four advanced entries, which the node remembers; the same ones at each call. */
function file(path: string): WorkflowFile {
	const { nodes, ...rest } = workflow(path, false);
	const [webhook, items, book] = nodes;
	const { connectionId, kassenname, waehrung, transaktionsdatum } = book.parameters;
	const betrag = '={{ $json.i + 1 }}';
	const parameters = {
		resource: 'cashBookEntry',
		operation: 'createAdvanced',
		...{ connectionId, kassenname, waehrung, transaktionsdatum, betrag },
		belegzeilen: { belegzeile: [{ betrag, belegtext: path }] },
		options: { alreadyBooked: true },
	};
	return { ...rest, nodes: [webhook, items, { ...book, parameters, onError: 'continueErrorOutput' }] };
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

interface Entry {
	fields: { belegnummer: string; belegtext: string };
}

/** What a workflow has booked. */
const booked = (path: string) =>
	(rig.sandbox.store.list('entries') as Entry[])
		.filter(({ fields }) => fields.belegtext === path)
		.map(({ fields }) => fields.belegnummer.slice(0, 'K-10'.length));

type BookingFault = Extract<FaultInput, { kind: 'hang' | 'status' }>;

/** Has a fault strike at a workflow's bookings, after so many of them. */
const strike = (path: string, fault: BookingFault) =>
	rig.sandbox.faults.add({
		...fault,
		operationId: path === 'file' ? 'createAdvancedCashBookEntry' : 'createCashBookEntry',
		contains: path,
	});

/** Imports and publishes a workflow, and calls its webhook. */
async function begin(file: WorkflowFile, fault?: BookingFault): Promise<string> {
	const path = file.name;
	const id = await rig.client.importWorkflow(file);
	await rig.publishWebhook(id, `webhook/${path}`);
	if (fault) strike(path, fault);
	await axios.post(`${rig.n8nUrl}/webhook/${path}`, {});
	return id;
}

/** The workflow's execution; n8n lists it as soon as it is over. */
async function lastExecution(workflowId: string): Promise<Execution> {
	const [{ id }] = await rig.executionsEnded(workflowId, 1);
	return await rig.client.execution(id);
}

const errorOf = ({ data }: Execution) => jsonAs<IDataObject>(data.resultData.error);

describe('after n8n was killed while it booked, the node', () => {
	/** The workflows that wait for an answer when n8n is killed, and what has arrived of each. */
	const KILLED = [
		{ path: 'before', progress: false, point: 'before-handler' as const, arrived: ['K-10'] },
		{ path: 'after', progress: true, point: 'after-handler' as const, arrived: ['K-10', 'K-11'] },
		...[false, true].map((progress) => ({
			path: `loop-${progress}`,
			progress,
			point: 'after-handler' as const,
			arrived: ['K-10', 'K-11', 'K-12'],
			isLoop: true,
		})),
	];
	/** What a person has done to the node before the execution is retried with the workflow as it is then. */
	const EDITED = { path: 'edited', book: { name: 'Renamed', id: 'pasted' }, arrived: ['K-10', 'K-11'] };
	const ids: Record<string, string> = {};

	beforeAll(async () => {
		for (const { path, progress, point, ...one } of KILLED) {
			const file = ('isLoop' in one ? loop : workflow)(path, progress);
			ids[path] = await begin(file, { kind: 'hang', point, after: 'isLoop' in one ? 2 : 1 });
		}
		const answered = { kind: 'hang', point: 'after-handler', after: 1 } as const;
		ids[EDITED.path] = await begin(workflow(EDITED.path, false), answered);
		ids.file = await begin(file('file'), { kind: 'hang', point: 'after-handler', after: 2 });
		const areHeld = () =>
			rig.sandbox.log.entries.filter(({ faults }) => faults.length > 0).length === KILLED.length + 2;
		await waitFor(areHeld);
		for (const { path, arrived } of [...KILLED, EDITED]) expect(booked(path), path).toEqual(arrived);
		await rig.restart('kill');
	});

	it('books nothing again of a file that is read again, and reports the entry in flight once', async () => {
		const split = () =>
			(rig.sandbox.store.list('entries') as Array<{ fields: { betrag: number; belegzeilen?: object[] } }>)
				.filter(({ fields }) => fields.belegzeilen)
				.map(({ fields }) => fields.betrag);
		expect(split()).toEqual([1, 2, 3]);
		await waitFor(async () => await rig.hasWebhook('webhook/file'));
		/** @returns the amounts that are done, and those that are unknown */
		const read = async (count: number) => {
			await axios.post(`${rig.n8nUrl}/webhook/file`, {});
			const [{ id }] = await rig.executionsEnded(ids.file, count);
			const { data } = await rig.client.execution(id);
			const [done, failed] = data.resultData.runData.Book[0].data!.main;
			return [done, failed].map((items) =>
				(items ?? []).map(({ json }) => json.betrag ?? Number(json.i) + 1),
			);
		};
		expect(await read(2)).toEqual([[1, 2, 4], [3]]);
		expect(await read(3)).toEqual([[1, 2, 3, 4], []]);
		expect(split()).toEqual([1, 2, 3, 4]);
	});

	it.each(KILLED)(
		'says on Retry that the outcome is unknown, and sends nothing again: $path, saveExecutionProgress: $progress',
		async ({ path, arrived, ...one }) => {
			const crashed = await lastExecution(ids[path]);
			expect(crashed.status).toBe('crashed');
			// The editor offers both: with the workflow as it was, and as it is now. The second retries the first's retry.
			const first = await rig.client.retry(crashed.id);
			const second = await rig.client.retry(first.id, { withCurrentWorkflow: true });
			for (const retried of [first, second]) {
				expect(retried.status).toBe('error');
				expect(errorOf(retried).message).toContain('n8n was stopped while this execution was writing');
				if (!('isLoop' in one)) expect(errorOf(retried).description).toContain('Unknown: items 1–4.');
			}
			expect(booked(path)).toEqual(arrived);
		},
	);

	it('sends nothing again on Retry where it has been renamed and pasted meanwhile', async () => {
		const { path, book, arrived } = EDITED;
		const crashed = await lastExecution(ids[path]);
		await rig.client.api.put(`workflows/${ids[path]}`, workflow(path, false, book));
		for (let retry = 0; retry < 2; retry++) {
			const retried = await rig.client.retry(crashed.id, { withCurrentWorkflow: true });
			expect(retried.status).toBe('error');
			expect(errorOf(retried).message).toContain('n8n was stopped while this execution was writing');
		}
		expect(booked(path)).toEqual(arrived);
	});
});

describe.each([false, true])('a loop, with saveExecutionProgress: %s', (progress) => {
	it('continues on Retry where a later node failed', async () => {
		const path = `loop-failed-${progress}`;
		const workflowId = await begin(loop(path, progress, 1));
		const failed = await lastExecution(workflowId);
		expect(failed.status).toBe('error');
		expect(booked(path)).toEqual(['K-10', 'K-11']);
		await rig.client.api.put(`workflows/${workflowId}`, loop(path, progress));
		const retried = await rig.client.retry(failed.id, { withCurrentWorkflow: true });
		expect(retried.status).toBe('success');
		expect(booked(path)).toEqual(['K-10', 'K-11', 'K-12', 'K-13']);

		const again = await rig.client.retry(failed.id, { withCurrentWorkflow: true });
		expect(errorOf(again).message).toContain('or the execution was retried before');
		expect(booked(path)).toEqual(['K-10', 'K-11', 'K-12', 'K-13']);
	});
});

it('a Retry sends nothing again from an execution whose retry failed as well', async () => {
	const refuse = { kind: 'status', status: 422, after: 1 } as const;
	const workflowId = await begin(workflow('refused-twice', false), refuse);
	const first = await lastExecution(workflowId);
	strike('refused-twice', refuse);
	const second = await rig.client.retry(first.id);
	expect([first.status, second.status]).toEqual(['error', 'error']);
	expect(booked('refused-twice')).toEqual(['K-10', 'K-11']);

	const again = await rig.client.retry(first.id);
	expect(errorOf(again).message).toContain('or the execution was retried before');
	expect(errorOf(again).description).toContain('Unknown: items 1–4.');
	expect(booked('refused-twice')).toEqual(['K-10', 'K-11']);

	expect((await rig.client.retry(second.id)).status).toBe('success');
	expect(booked('refused-twice')).toEqual(['K-10', 'K-11', 'K-12', 'K-13']);
});

it('a Retry continues by a node that was pasted again, once, where an execution failed while n8n was alive', async () => {
	const path = 'refused-pasted';
	const workflowId = await begin(workflow(path, false), { kind: 'status', status: 422, after: 2 });
	const failed = await lastExecution(workflowId);
	await rig.client.api.put(`workflows/${workflowId}`, workflow(path, false, { id: 'pasted' }));
	expect((await rig.client.retry(failed.id, { withCurrentWorkflow: true })).status).toBe('success');
	expect(booked(path)).toEqual(['K-10', 'K-11', 'K-12', 'K-13']);

	await rig.client.api.put(`workflows/${workflowId}`, workflow(path, false, { id: 'pasted again' }));
	const again = await rig.client.retry(failed.id, { withCurrentWorkflow: true });
	expect(errorOf(again).message).toContain('or the execution was retried before');
	expect(booked(path)).toEqual(['K-10', 'K-11', 'K-12', 'K-13']);
});
