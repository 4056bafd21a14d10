/** No setting of the transaction trigger is without effect, whatever the direction and with the gateway's untouched transactions. */
import axios from 'axios';
import type { IDataObject, INodeParameters, INodeProperties, NodeParameterValueType } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { AccountingGatewayTransactionTrigger } from '../../../nodes/AccountingGatewayTransactionTrigger/AccountingGatewayTransactionTrigger.node.js';
import { withValue } from '../../conformance/settings.mjs';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import { PolledWorkflow } from '../../../host/pollHarness.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayTransactionTrigger();

const NOW = new Date('2026-03-10T09:00:00Z');
beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date'] });
	vi.setSystemTime(NOW);
});
afterEach(() => void vi.useRealTimers());

const OTHER: Record<string, NodeParameterValueType> = {
	account_id: 'acc-wallet',
	minAmount: '50',
	text: 'Miete',
	simple: false,
	includeDuplicated: true,
	includePending: true,
	lookbackDays: 30,
	startDate: '2026-03-01',
};

const fields = node.description.properties.flatMap((property) =>
	property.type === 'collection'
		? (property.options as INodeProperties[]).map((one) => ({ path: `options.${one.name}`, property: one }))
		: [{ path: property.name, property }],
);

/** Money that comes and goes. */
const transfer = async (amount: number, more: IDataObject = {}) =>
	await axios.post(`${gateway.sandbox.url}/sandbox/transactions`, { amount, ...more });

/** What the first poll and one after some transactions start, and what they ask for. */
async function effect(parameters: INodeParameters): Promise<string> {
	await fetch(`${gateway.sandbox.url}/sandbox/reset`, { method: 'POST' });
	gateway.sandbox.store.setNow(NOW);
	new FakeDatabase().install();
	const workflow = new PolledWorkflow(node, { credential: gateway.credential, parameters, workflowId: 'e' });
	await transfer(1, { made_on: '2026-03-05' });
	const first = await workflow.activate();
	for (const sign of [1, -1]) {
		await transfer(sign * 119, { text: 'Miete' });
		await transfer(sign * 7, { text: 'Porto' });
		await transfer(sign * 12, { duplicated: true });
		await transfer(sign * 13, { status: 'pending' });
	}
	const second = await workflow.poll();
	const asked = (await gateway.requests()).map(({ query }) => query);
	return JSON.stringify([first, second, asked]).replace(/"(id|[a-z]+_at|time)":"[^"]*"/g, '');
}

it.each(
	['all', 'incoming', 'outgoing'].flatMap((direction) =>
		[true, false].map((simple) => ({ direction, simple })),
	),
)('With %j', async (form) => {
	const without: string[] = [];
	const base = { account_id: 'acc-giro', ...form };
	const before = await effect(base);
	expect(await effect(base), 'the same again').toBe(before);
	for (const { path, property } of fields) {
		const { name, type } = property;
		if (type === 'notice') continue;
		const choice = form.direction === 'all' ? 'incoming' : 'all';
		const value = name === 'direction' ? choice : name === 'simple' ? !form.simple : OTHER[name];
		expect(value, `a value of ${path}`).toBeDefined();
		if ((await effect(withValue(base, path, value))) === before) without.push(path);
	}
	expect(without).toEqual([]);
});
