/** Every operation of the mobility and the banking node in one run of a real n8n. */
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Execution } from '../../../host/client.mjs';
import { PACKAGE } from '../../../host/package.mjs';
import { itemsOf } from '../../../scripts/start/examples.mjs';
import { Rig } from '../../support/rig.mjs';

let rig: Rig;
let execution: Execution;

/** The workflow's nodes, one after the other; each runs once, whatever the one before emits. */
const STEPS: Array<[name: string, type: string, parameters: INodeParameters]> = [
	['Start', 'n8n-nodes-base.manualTrigger', {}],
	['Products', `${PACKAGE}.accountingGatewayMobility`, { resource: 'product', operation: 'getAll' }],
	[
		'Customer',
		`${PACKAGE}.accountingGatewayMobility`,
		{ resource: 'customer', operation: 'create', name: 'Bäckerei Sonnenschein GmbH' },
	],
	[
		'Partial ticket',
		`${PACKAGE}.accountingGatewayMobility`,
		{
			resource: 'ticket',
			operation: 'create',
			product_id: { __rl: true, mode: 'list', value: 'regio-handyticket' },
			additionalFields: {
				customer_id: '={{ $json.id }}',
				identification_medium: '={{ ({ phone_number: "+491701234567" }) }}',
			},
		},
	],
	[
		'Activated ticket',
		`${PACKAGE}.accountingGatewayMobility`,
		{
			resource: 'ticket',
			operation: 'activate',
			ticket_id: '={{ $json.id }}',
			coupon_id: '={{ $json.coupon_id }}',
		},
	],
	[
		'Ticket in one step',
		`${PACKAGE}.accountingGatewayMobility`,
		{
			resource: 'ticket',
			operation: 'create',
			product_id: 'deutschlandticket-job',
			additionalFields: { customer_id: '={{ $("Customer").item.json.id }}', postal_code: '01067' },
			options: { activate: true },
		},
	],
	[
		'Balances',
		`${PACKAGE}.accountingGatewayBanking`,
		{
			resource: 'balance',
			operation: 'getAll',
			account_id: 'acc-giro',
			additionalFields: { from_date: '2026-02-27', to_date: '={{ DateTime.fromISO("2026-03-01") }}' },
			output: 'transactions',
		},
	],
	[
		'Transaction',
		`${PACKAGE}.accountingGatewayBanking`,
		{ resource: 'transaction', operation: 'get', id: '={{ $json.id }}', account_id: 'acc-giro' },
	],
	[
		'Payment',
		`${PACKAGE}.accountingGatewayBanking`,
		{ resource: 'payment', operation: 'get', id: 'pay-2', api: 'openbanking' },
	],
	[
		'Connection',
		`${PACKAGE}.accountingGatewayBanking`,
		{ resource: 'connection', operation: 'get', id: 'conn-sparkasse' },
	],
	[
		'Webhook URL',
		`${PACKAGE}.accountingGatewayBanking`,
		{
			resource: 'webhook',
			operation: 'setUrl',
			url: 'http://localhost:5678/webhook/x',
			options: { allowPrivateUrl: true },
		},
	],
];

beforeAll(async () => {
	rig = await Rig.join({ sandbox: { now: new Date('2026-03-02T09:00:00Z') } });
	const nodes = STEPS.map(
		([name, type, parameters], i): INode => ({
			id: `node-${i}`,
			name,
			type,
			typeVersion: 1,
			position: [i * 200, 0],
			parameters,
			executeOnce: true,
			...(type.startsWith(PACKAGE) && { credentials: rig.credentials }),
		}),
	);
	const connections: IConnections = {};
	for (const [i, [name]] of STEPS.slice(1).entries()) {
		connections[STEPS[i][0]] = { main: [[{ node: name, type: 'main', index: 0 }]] };
	}
	const workflowId = await rig.client.importWorkflow({ name: 'Tickets and banking', nodes, connections });
	execution = await rig.client.run(workflowId);
});

afterAll(async () => await rig?.stop());

const all = (node: string) => itemsOf(execution, node);
const first = (node: string) => all(node)[0];

describe('one run', () => {
	it('succeeds', () => {
		expect(execution.data.resultData.error).toBeUndefined();
		expect(execution.status).toBe('success');
	});

	it('sells tickets to a customer', () => {
		expect(all('Products')).toHaveLength(4);
		expect(first('Partial ticket')).toMatchObject({ coupon_id: 'CPN-000001', activation_required: true });
		expect(first('Activated ticket')).toMatchObject({ coupon_id: 'CPN-000001', status: 'active' });
		expect(first('Ticket in one step')).toMatchObject({ coupon_id: 'CPN-000002', status: 'active' });
		const { id } = first('Customer');
		expect(rig.sandbox.store.list('tickets')).toEqual([
			expect.objectContaining({ customer_id: id, status: 'active' }),
			expect.objectContaining({
				customer_id: id,
				status: 'active',
				tariff_settings: { postal_code: '01067' },
			}),
		]);
	});

	it('reads the bank account', () => {
		const [row] = all('Balances');
		expect(row).toMatchObject({ made_on: '2026-02-27', currency_code: 'EUR' });
		expect(first('Transaction')).toMatchObject({ id: row.id, amount: row.amount });
		expect(first('Payment')).toMatchObject({ id: 'pay-2', amount: '24.90' });
		expect(first('Connection')).toMatchObject({ id: 'conn-sparkasse', status: 'active' });
	});

	it('sets the webhook URL', () => {
		expect(first('Webhook URL')).toEqual({ success: true });
		expect(rig.sandbox.store.list('webhooks')).toEqual([
			{ account: 'demo', url: 'http://localhost:5678/webhook/x' },
		]);
	});
});
