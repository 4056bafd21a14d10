import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { useGateway } from '../../support/useSandbox.mjs';
import { searchList } from '../../../host/harness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const run = async (parameters: INodeParameters) => await gateway.run(node, parameters);
const search = async (method: string, parameters: INodeParameters) =>
	(await searchList({ node, credential: gateway.credential, method, parameters })).results;

describe('An operation that lists', () => {
	it.each(['duo', 'rewe', 'rewe-read'] as const)('connections asks their module: %s', async (module) => {
		const { json } = await run({ resource: 'connection', operation: 'getAll', module });
		expect(json.map(({ id }) => id)).toContain(gateway.connectionId(module));
		expect(await gateway.requests()).toMatchObject([{ path: `/v2/acct-${module}/connections` }]);
	});

	it.each([
		{ kassenbuecher: [{ bezeichnung: 'Süd' }, 'Nord'], svc: { neuesGuthaben: 7 } },
		{ data: { kassenbuecher: [{ bezeichnung: 'Süd' }, 'Nord'], anzahl: 2 } },
	])('cash books finds them in another place: %o', async (body) => {
		await gateway.fault({ kind: 'status', status: 200, body, times: 2 });
		const connectionId = gateway.connectionId('duo');
		const { json } = await run({ resource: 'cashBook', operation: 'getAll', connectionId });
		expect(json).toEqual([{ bezeichnung: 'Süd' }, { value: 'Nord' }]);
		const results = await search('searchCashBooks', { connectionId });
		expect(results.map(({ name }) => name)).toEqual(['Nord', 'Süd']);
	});

	it('cash books has the name first, however many fields the gateway has, and connections prefers a UUID', async () => {
		const connectionId = gateway.connectionId('duo');
		const entry = Object.fromEntries([...'abcdefghijk', 'bezeichnung'].map((name) => [name, name]));
		await gateway.fault({
			kind: 'status',
			status: 200,
			body: [{ ...entry, id: 17, uuid: connectionId }],
			times: 2,
		});
		const { json } = await run({ resource: 'cashBook', operation: 'getAll', connectionId });
		expect(Object.keys(json[0])[0]).toBe('bezeichnung');
		expect(await search('searchDuoConnections', {})).toMatchObject([{ value: connectionId }]);
	});
});
