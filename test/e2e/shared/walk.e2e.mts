/** Once through the package on a real n8n. `npm run versions` repeats it on other versions of n8n. */
import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { PACKAGE } from '../../../host/package.mjs';
import { itemsOf } from '../../../demo/examples.mjs';
import { TriggerRig } from '../../support/triggerRig.mjs';
import { connectionOf, nodeOf, simpleEntry } from '../../../host/workflows.mjs';

let rig: TriggerRig;

beforeAll(async () => {
	rig = await TriggerRig.join({ sandbox: { now: new Date('2026-03-02T09:00:00Z') } });
});
afterAll(async () => await rig?.stop());

const test = async (apiKey: string) => {
	const data = { apiKey, baseUrl: rig.sandbox.url, accountingProvider: 'acct' };
	return await rig.client.testCredential({ ...rig.credential, type: 'accountingGatewayApi', data });
};

/** Runs a node of the package between one that makes an item with a file, and two that take its output and its errors. */
async function run(name: string, node: string, parameters: INodeParameters) {
	const workflowId = await rig.client.importWorkflow({
		name: `Walk: ${name}`,
		nodes: [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
			// Not by code, which needs a task runner beside n8n's image.
			nodeOf(
				'Both',
				'n8n-nodes-base.set',
				{ mode: 'raw', jsonOutput: '{ "text": ["Bon 1", "Bon 2"] }', options: {} },
				{ typeVersion: 3.4 },
			),
			nodeOf('Texts', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'text', options: {} }),
			nodeOf(
				'File',
				'n8n-nodes-base.convertToFile',
				{ operation: 'toText', sourceProperty: 'text', options: { fileName: 'Bon.txt' } },
				{ typeVersion: 1.1 },
			),
			nodeOf('Node', `${PACKAGE}.${node}`, parameters, {
				credentials: rig.credentials,
				onError: 'continueErrorOutput',
			}),
			nodeOf('Output', 'n8n-nodes-base.noOp'),
			nodeOf('Errors', 'n8n-nodes-base.noOp'),
		],
		connections: Object.fromEntries(
			Object.entries({
				Start: ['Both'],
				Both: ['Texts'],
				Texts: ['File'],
				File: ['Node'],
				Node: ['Output', 'Errors'],
			}).map(([from, to]) => [from, { main: to.map((next) => [{ node: next, type: 'main', index: 0 }]) }]),
		),
	});
	const execution = await rig.client.run(workflowId);
	expect(execution.status, JSON.stringify(execution.data.resultData.error)).toBe('success');
	return {
		output: itemsOf(execution, 'Output'),
		errors: itemsOf(execution, 'Errors'),
		hints: execution.data.resultData.runData.Node[0].hints?.map(({ message }) => message),
	};
}

it('n8n tests the credential, and says what is wrong with it', async () => {
	expect(await test(rig.sandbox.apiKey)).toMatchObject({ status: 'OK' });
	expect(await test('wrong')).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('The gateway rejected the API key') as string,
	});
});

it('a booking arrives at the gateway with its file; one that breaks a rule goes to the error output', async () => {
	const parameters = simpleEntry(connectionOf(rig.sandbox, 'duo'), {
		belegnummer: '={{ ["K-11", "K ä"][$itemIndex] }}',
		additionalFields: { belegbilder: 'data' },
	});
	const { output, errors, hints } = await run('booking', 'accountingGatewayDelivery', parameters);
	expect({ output, errors }).toMatchObject({
		output: [{ belegnummer: 'K-11', betrag: 10 }],
		errors: [{ error: expect.stringContaining('"K ä"') as string, details: { outcome: 'invalid' } }],
	});
	expect(hints).toEqual([expect.stringContaining('Credit balance: ')]);
	expect(rig.sandbox.store.list('entries')).toMatchObject([
		{
			fields: { belegnummer: 'K-11' },
			quelle: 'Walk: booking',
			belegbilder: [{ dateiname: 'Bon.txt', size: 5 }],
		},
	]);
});

it('a report comes out of the node as rows', async () => {
	const { output } = await run('report', 'accountingGatewayData', {
		resource: 'trialBalance',
		operation: 'getAll',
		connectionId: connectionOf(rig.sandbox, 'rewe-read'),
		geschaeftsjahrStartDatum: { __rl: true, mode: 'day', value: '' },
	});
	expect(output).toContainEqual(
		expect.objectContaining({ kontonummer: '1000', saldoSigned: expect.any(Number) as number }),
	);
});

it('the payment trigger registers its URL, and an event starts its workflow', async () => {
	const id = await rig.addWorkflow('Walk: trigger');
	await rig.publish(id);
	const payment = rig.pay('authorizing');
	const [execution] = await rig.executionsEnded(id, 1);
	expect(await rig.startedWith(execution.id)).toEqual([
		expect.objectContaining({
			event: 'payment_update',
			quelle: 'Walk: trigger',
			data: expect.objectContaining({ payment_id: payment }) as object,
		}),
	]);
	await rig.unpublish(id);
});
