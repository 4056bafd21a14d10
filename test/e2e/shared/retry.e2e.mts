/**
 * *Retry* of executions whose items carry files from a webhook or a form, on a real n8n. When n8n stores such an execution,
 * it renames the files' ids, so the items of the retry aren't those that were sent.
 */
import { randomUUID } from 'node:crypto';
import axios from 'axios';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Execution } from '../../../host/client.mjs';
import { PACKAGE } from '../../../host/package.mjs';
import type { FaultInput } from '../../../sandbox/admin/faults.mjs';
import { Rig } from '../../support/rig.mjs';
import { connectionOf, nodeOf, simpleEntry, to, uploadToDuo } from '../../../host/workflows.mjs';
import { jsonAs } from '../../../host/partial.mjs';

let rig: Rig;

beforeAll(async () => {
	rig = await Rig.join();
});
beforeEach(async () => {
	await axios.post(`${rig.sandbox.url}/sandbox/reset`);
});
afterAll(async () => await rig?.stop());

/** Two files under the names `first` and `second`, however they get into n8n. */
const FILES = ['first', 'second'];

interface Source {
	/** The first node of a workflow. */
	trigger: (path: string) => INode;
	/** Where it is served; below n8n's address. */
	endpoint: string;
	/** What the trigger gets a file by, in the request. */
	fieldOf: (index: number) => string;
}

const WEBHOOK: Source = {
	trigger: (path) =>
		nodeOf(
			'Start',
			'n8n-nodes-base.webhook',
			{ path, httpMethod: 'POST' },
			{ typeVersion: 2.1, webhookId: path },
		),
	endpoint: 'webhook',
	fieldOf: (index) => FILES[index],
};

const FORM: Source = {
	trigger: (path) =>
		nodeOf(
			'Start',
			'n8n-nodes-base.formTrigger',
			{
				formTitle: 'Receipts',
				formFields: {
					values: FILES.map((fieldLabel) => ({ fieldLabel, fieldType: 'file', multipleFiles: false })),
				},
				options: { path },
			},
			{ typeVersion: 2.2, webhookId: path },
		),
	endpoint: 'form',
	fieldOf: (index) => `field-${index}`,
};

describe.each([
	['webhook', WEBHOOK],
	['form', FORM],
])('a Retry with files from a %s', (_, { trigger, endpoint, fieldOf }) => {
	/**
	 * Publishes a workflow that gives two files to the node, on one item or each on an item of its own; sends them, and
	 * waits for the end.
	 * @param fault what the gateway does
	 */
	async function run(
		parameters: INodeParameters,
		fault: FaultInput,
		{ oneItemEach = false } = {},
	): Promise<Execution> {
		const path = randomUUID();
		const deliver = nodeOf('Deliver', `${PACKAGE}.accountingGatewayDelivery`, parameters, {
			credentials: rig.credentials,
		});
		const id = await rig.client.importWorkflow({
			name: path,
			nodes: [
				trigger(path),
				nodeOf('Split', 'n8n-nodes-base.splitOut', { fieldToSplitOut: '$binary' }),
				deliver,
			],
			connections: { Start: to(oneItemEach ? 'Split' : 'Deliver'), Split: to('Deliver') },
		});
		await rig.publishWebhook(id, `${endpoint}/${path}`);
		rig.sandbox.faults.add(fault);
		const form = new FormData();
		for (const [i, name] of FILES.entries()) {
			const content = new Blob([`%PDF-1.4 ${name}`], { type: 'application/pdf' });
			form.append(fieldOf(i), content, `${name}.pdf`);
		}
		const { status } = await axios.post(`${rig.n8nUrl}/${endpoint}/${path}`, form);
		expect(status).toBe(200);
		const [{ id: execution }] = await rig.executionsEnded(id, 1);
		return await rig.client.execution(execution);
	}

	const failureOf = ({ data }: Execution) => {
		const { message, description } = jsonAs<IDataObject>(data.resultData.error);
		return `${message as string}\n${description as string}`;
	};

	/** The execution's files as n8n stored them. */
	const storedIds = ({ data }: Execution) =>
		Object.values(data.resultData.runData.Start[0].data!.main[0]![0].binary!).map(({ id }) => id);

	it('doesn’t book again what may have been booked', async () => {
		const lost: FaultInput = { operationId: 'createCashBookEntry', kind: 'drop', point: 'after-handler' };
		const entry = simpleEntry(connectionOf(rig.sandbox, 'duo'), {
			// Another one each time: the gateway's own check for duplicates must not be what saves the day.
			belegnummer: '={{ "K-1" + Math.random().toString(36).slice(2) }}',
			additionalFields: { belegbilder: '*' },
		});
		const failed = await run(entry, lost);
		expect(failed.status).toBe('error');
		expect(failureOf(failed)).toContain('is unknown');
		expect(storedIds(failed)).toHaveLength(2);
		// What makes this test one: the ids that the node saw are no more.
		for (const id of storedIds(failed)) expect(id).toContain(`/executions/${failed.id}/`);

		const booked = rig.sandbox.store.list('entries') as Array<{ belegbilder: Array<{ dateiname: string }> }>;
		expect(booked).toHaveLength(1);
		// The webhook stores both files at once; the one that is stored first comes first.
		const receipts = booked[0].belegbilder.map(({ dateiname }) => dateiname);
		expect(receipts.sort()).toEqual(['first.pdf', 'second.pdf']);
		const retried = await rig.client.retry(failed.id);
		expect(retried.status).toBe('error');
		expect(failureOf(retried)).toContain('is unknown');
		expect(rig.sandbox.store.list('entries')).toHaveLength(1);
	});

	it('uploads only the one of two files that was refused', async () => {
		const refused: FaultInput = { operationId: 'uploadDuoDocument', kind: 'status', status: 422, after: 1 };
		const datei = '={{ Object.keys($binary)[0] }}';
		const upload = uploadToDuo(connectionOf(rig.sandbox, 'duo'), { datei });
		const failed = await run(upload, refused, { oneItemEach: true });
		expect(failureOf(failed)).toContain('Refused: item');
		const names = () =>
			(rig.sandbox.store.list('documents') as Array<{ dateiname: string }>).map(({ dateiname }) => dateiname);
		expect(names()).toHaveLength(1);

		expect((await rig.client.retry(failed.id)).status).toBe('success');
		expect(names().sort()).toEqual(['first.pdf', 'second.pdf']);
	});
});
