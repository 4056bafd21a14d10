import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { useGateway } from '../../support/useSandbox.mjs';
import { searchList } from '../../support/harness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const run = async (parameters: INodeParameters, count = 1) =>
	await gateway.run(node, parameters, { items: Array.from({ length: count }, () => ({})) });
const search = async (method: string, parameters?: INodeParameters, filter?: string) =>
	(await searchList({ node, credential: gateway.credential, method, parameters, filter })).results;

describe('An operation that lists', () => {
	it('cash books puts out one item for each', async () => {
		const { json, main } = await run({
			resource: 'cashBook',
			operation: 'getAll',
			connectionId: gateway.connectionId('duo'),
		});
		expect(json.map(({ bezeichnung }) => bezeichnung)).toEqual(['Hauptkasse', 'Kasse Filiale Süd']);
		expect(main[0].every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
	});

	it.each([
		['getAllDuo', 'duo', '/v2/acct-duo/belegtypen'],
		['getAllRewe', 'rewe', '/v2/acct-rewe/belegtypen'],
	] as const)('document types asks their module: %s', async (operation, module, path) => {
		const { json } = await run({
			resource: 'documentType',
			operation,
			connectionId: gateway.connectionId(module),
		});
		expect(json.length).toBeGreaterThan(1);
		expect(json.every(({ belegtyp }) => typeof belegtyp === 'string')).toBe(true);
		expect(await gateway.requests()).toMatchObject([{ path, query: { quelle: 'Test workflow' } }]);
	});

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

	it('connections refuses another module', async () => {
		const { error } = await run({ resource: 'connection', operation: 'getAll', module: '={{ "lodas" }}' });
		expect(error?.message).toContain('Module (module) "lodas" must be duo, rewe or rewe-read');
	});

	it("cash books reads a bare array, and connections puts the provider's name into the path", async () => {
		await gateway.variant({ lists: 'bare' });
		const { json } = await run({
			resource: 'cashBook',
			operation: 'getAll',
			connectionId: gateway.connectionId('duo'),
		});
		expect(json).toHaveLength(2);
		const other = await gateway.run(
			node,
			{ resource: 'connection', operation: 'getAll', module: 'rewe-read' },
			{ credential: { ...gateway.credential, accountingProvider: 'zahlwerk' } },
		);
		expect(other.error?.message).toContain('HTTP 404');
		expect((await gateway.requests()).at(-1)).toMatchObject({ path: '/v2/zahlwerk-rewe-read/connections' });
	});
});

describe('A list to choose from', () => {
	it('has connections by name', async () => {
		const results = await search('searchDuoConnections');
		expect(results).toEqual([{ name: 'Bäckerei Sonnenschein – duo', value: gateway.connectionId('duo') }]);
	});

	it('has cash books by bezeichnung, filtered', async () => {
		const parameters = { connectionId: gateway.connectionId('duo') };
		expect(await search('searchCashBooks', parameters)).toHaveLength(2);
		expect(await search('searchCashBooks', parameters, 'SÜD')).toEqual([
			{ name: 'Kasse Filiale Süd', value: 'Kasse Filiale Süd' },
		]);
	});

	it.each([
		['searchDuoDocumentTypes', 'duo'],
		['searchReweDocumentTypes', 'rewe'],
	] as const)('has document types of one module: %s', async (method, module) => {
		const results = await search(method, { connectionId: gateway.connectionId(module) });
		expect(results.length).toBeGreaterThan(1);
		expect(await gateway.requests()).toMatchObject([{ path: `/v2/acct-${module}/belegtypen` }]);
	});
});

describe('An operation that does not exist', () => {
	it.each([
		['cashBook', '__CUSTOM_API_CALL__'],
		['__CUSTOM_API_CALL__', 'getAll'],
	])('%s %s gets a clear error', async (resource, operation) => {
		const { error } = await run({ resource, operation });
		expect(error?.message).toContain('has no operation');
		expect(error?.description).toContain('HTTP Request');
	});
});
