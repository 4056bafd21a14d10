/** What a dry run says of customers and tickets, which answers about tickets count, and how products read in the list. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayMobility } from '../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import type { FaultInput } from '../../../sandbox/admin/faults.mjs';
import { type RunOptions, searchList } from '../../support/harness.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayMobility();

const CUSTOMER = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const TICKET = 'c1a7f0de-9a51-4d7c-8d55-0d3a1f2b3c4d';
const OTHER = 'c1a7f0de-9a51-4d7c-8d55-0d3a1f2b3c4e';

const create = (overrides: INodeParameters = {}): INodeParameters => ({
	resource: 'ticket',
	operation: 'create',
	product_id: 'deutschlandticket',
	...overrides,
});
const activate = (overrides: INodeParameters = {}): INodeParameters => ({
	resource: 'ticket',
	operation: 'activate',
	ticket_id: TICKET,
	coupon_id: 'CPN-1',
	...overrides,
});
const run = async (parameters: INodeParameters, options?: Partial<RunOptions>) =>
	await gateway.run(node, parameters, options);

describe('A dry run of the Mobility node says', () => {
	const customer_id = CUSTOMER;
	it.each<[string, INodeParameters]>([
		[
			'Would create the customer Erika Muster',
			{ resource: 'customer', operation: 'create', name: 'Erika Muster' },
		],
		['Would buy the ticket deutschlandticket', create()],
		[
			`Would buy the ticket deutschlandticket for the customer ${CUSTOMER}`,
			create({ additionalFields: { customer_id } }),
		],
		[
			'Would buy the ticket deutschlandticket, and activate it in the same step if the gateway creates it partially',
			create({ options: { activate: true } }),
		],
		[`Would activate the ticket ${TICKET} with the coupon CPN-1`, activate()],
	])('“%s”', async (sentence, parameters) => {
		const options = { ...(parameters.options as INodeParameters), dryRun: true };
		const { json } = await run({ ...parameters, options });
		expect(json[0].summary).toBe(sentence);
	});
});

describe('An answer to the Mobility node', () => {
	const answered = async (
		parameters: INodeParameters,
		operationId: FaultInput['operationId'],
		body: IDataObject,
	) => {
		await gateway.fault({ kind: 'status', status: 200, body, operationId });
		const { error } = await run(parameters);
		return error && `${error.message} ${error.description ?? ''}`;
	};
	const ticket = { id: TICKET, product_id: 'deutschlandticket', status: 'active' };

	it.each<[string, IDataObject, string]>([
		['ticket', { ...ticket, id: OTHER }, OTHER],
		['product', { ...ticket, product_id: 'tagesticket-plus' }, 'tagesticket-plus'],
		['customer', { ...ticket, customer_id: OTHER }, OTHER],
	])('about another %s is none to the activation in the same step', async (_what, body, text) => {
		await gateway.fault({
			kind: 'status',
			status: 201,
			body: { id: TICKET, coupon_id: 'CPN-1' },
			operationId: 'createTicket',
		});
		const buying = create({ additionalFields: { customer_id: CUSTOMER }, options: { activate: true } });
		expect(await answered(buying, 'activateTicket', body)).toContain(text);
	});

	it('without a usable ID lets nobody look for a ticket of that name', async () => {
		await gateway.fault({
			kind: 'status',
			status: 201,
			body: { id: 4711, coupon_id: 'CPN-1' },
			operationId: 'createTicket',
		});
		const { error } = await run(create({ options: { activate: true } }));
		expect(error?.message).toContain("the gateway's answer has no ticket ID");
		expect((await gateway.requests()).map(({ operationId }) => operationId)).toEqual(['createTicket']);
	});
});

it.each(['product_name', 'productName'])('A product with a %s reads by it in the list', async (field) => {
	const body = [{ id: 'x1', [field]: 'Ticket nach X' }];
	await gateway.fault({ kind: 'status', status: 200, body, operationId: 'listTicketProducts' });
	const { results } = await searchList({
		node,
		credential: gateway.credential,
		method: 'searchTicketProducts',
	});
	expect(results).toEqual([{ name: 'Ticket nach X', value: 'x1' }]);
});
