import map from 'lodash/map.js';
import uniq from 'lodash/uniq.js';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayMobility } from '../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { useGateway } from '../../support/useSandbox.mjs';
import { type RunOptions, searchList } from '../../../host/harness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayMobility();

const customer = (overrides: INodeParameters = {}): INodeParameters => ({
	resource: 'customer',
	operation: 'create',
	name: 'Bäckerei Sonnenschein GmbH',
	...overrides,
});
const run = async (parameters: INodeParameters, options?: Partial<RunOptions>) =>
	await gateway.run(node, parameters, options);

describe('Customer: Create', () => {
	it('creates a customer with its address', async () => {
		const address = { street: 'Hauptstraße 7', postal_code: '01067', city: 'Dresden' };
		const { main, error } = await run(customer({ additionalFields: address }));
		expect(error).toBeUndefined();
		expect(main[0]).toEqual([
			{
				json: expect.objectContaining({ name: 'Bäckerei Sonnenschein GmbH', ...address }),
				pairedItem: { item: 0 },
			},
		]);
		expect((await gateway.list('customers'))[0]).toMatchObject({
			name: 'Bäckerei Sonnenschein GmbH',
			address_lines: address,
		});
	});

	it.each([[null], [{}], [[]]])('shows the ID of one that has %j under data', async (data) => {
		await gateway.fault({ kind: 'alter', set: { data } });
		const { json, error } = await run(customer());
		expect(error).toBeUndefined();
		expect(json).toEqual([expect.objectContaining({ id: expect.any(String) })]);
	});
});

describe('Product: Get Many', () => {
	it('gives one item per product', async () => {
		const { json, main } = await run({ resource: 'product', operation: 'getAll' });
		expect(json.map(({ id }) => id)).toEqual([
			'deutschlandticket',
			'deutschlandticket-job',
			'regio-handyticket',
			'tagesticket-plus',
		]);
		expect(uniq(map(main[0], 'pairedItem.item'))).toEqual([0]);
	});
});

it.each(['product_name', 'productName'])('A product with a %s reads by it in the list', async (field) => {
	const body = [{ id: 'x1', [field]: 'Ticket nach X' }];
	await gateway.fault({ kind: 'status', status: 200, body, operationId: 'listTicketProducts' });
	const { credential } = gateway;
	const { results } = await searchList({ node, credential, method: 'searchTicketProducts' });
	expect(results).toEqual([{ name: 'Ticket nach X', value: 'x1' }]);
});
