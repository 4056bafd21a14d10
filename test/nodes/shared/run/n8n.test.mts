/** Older versions of n8n, made from the current one by taking away what they lack. See also `npm run versions`. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { NODE_VERSION, OLDEST_N8N } from '../../../../nodes/shared/run/n8n.js';
import { takeAway } from '../../../../host/engine.mjs';
import { toolOf } from '../../../../host/harness.mjs';
import { TriggerWorkflow } from '../../../../host/triggerHarness.mjs';
import { loadNode, simpleEntry } from '../../../../host/workflows.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const entry = (own = {}) => simpleEntry(gateway.connectionId('duo'), own);

describe('an n8n that can’t tell a retry from a first run', () => {
	const TOO_OLD = `needs n8n ${OLDEST_N8N} or newer`;

	it('books nothing', async () => {
		takeAway('getExecutionContext');
		const { error } = await gateway.run(node, entry());
		expect(error?.message).toContain(TOO_OLD);
		expect(error?.description).toBe('Nothing was sent. Update n8n.');
		await expect(toolOf({ node, parameters: entry(), credential: gateway.credential })({})).rejects.toThrow(
			TOO_OLD,
		);
		expect(await gateway.requests()).toEqual([]);
	});

	it('registers no trigger', async () => {
		takeAway('getExecutionContext');
		const { credential } = gateway;
		const trigger = new TriggerWorkflow(new AccountingGatewayBankingTrigger(), {
			credential,
			workflowId: 'old',
		});
		await expect(trigger.create()).rejects.toThrow(TOO_OLD);
		expect(await gateway.requests()).toEqual([]);
	});
});

describe('a node that a later version of the package has saved', () => {
	const settings = { typeVersion: 2 };
	const TOO_NEW = 'This node has version 2, but the installed package only supports version 1';

	it('sends nothing', async () => {
		const { error } = await gateway.run(node, entry(), { settings });
		expect(error?.message).toBe(TOO_NEW);
		expect(error?.description).toContain('Nothing was sent');
		expect(await gateway.requests()).toEqual([]);
	});

	it('is one with a version that no node of this package has', async () => {
		const names = [
			'Delivery',
			'Data',
			'Files',
			'Mobility',
			'Banking',
			'BankingTrigger',
			'TransactionTrigger',
		];
		const nodes = await Promise.all(names.map(async (name) => await loadNode(`AccountingGateway${name}`)));
		expect(nodes.map(({ description: { version } }) => version)).toEqual(names.map(() => NODE_VERSION));
	});
});

it('recognizes a tool where n8n has no function that says so', async () => {
	takeAway('isToolExecution');
	await gateway.fault({ operationId: 'createCashBookEntry', kind: 'drop', point: 'after-handler' });
	const call = toolOf({
		node,
		parameters: entry({ belegnummer: '={{ "K-" + $now.toMillis() }}' }),
		credential: gateway.credential,
	});
	for (let i = 0; i < 2; i++) await expect(call({ text: 'a' })).rejects.toThrow('is unknown');
	expect(await gateway.list('entries')).toHaveLength(1);
});

it('marks failed items in a way that older versions send to the error output, and keeps what they carry', async () => {
	let output: INodeExecutionData[] = [];
	const watched = new AccountingGatewayDelivery();
	watched.execute = async function (this: IExecuteFunctions) {
		const all = await node.execute.call(this);
		output = [...all[0]];
		return all;
	};
	const items = [{ json: { no: 'K-11' } }, { json: { no: 'K ä' } }];
	const { errors } = await gateway.run(watched, entry({ belegnummer: '={{ $json.no }}' }), {
		items,
		settings: { onError: 'continueErrorOutput' },
	});
	expect(output.map(({ error }) => error?.message)).toEqual([undefined, expect.stringContaining('"K ä"')]);
	// n8n copies a failed item, and replaces the JSON of one that has an error then.
	expect({ ...output[1] }).not.toHaveProperty('error');
	expect(errors).toEqual([{ no: 'K ä', error: output[1].json.error, details: output[1].json.details }]);
});
