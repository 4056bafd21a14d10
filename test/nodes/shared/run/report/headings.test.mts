import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayBanking } from '../../../../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js';
import { AccountingGatewayData } from '../../../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { useGateway } from '../../../../support/useSandbox.mjs';

const gateway = useGateway({ now: new Date('2026-11-20T09:00:00Z') });

const run = async (resource: string, parameters: INodeParameters) => {
	const isBalance = resource === 'balance';
	const of: INodeParameters = isBalance
		? { account_id: 'acc-giro' }
		: {
				connectionId: gateway.connectionId(resource === 'taxKey' ? 'rewe' : 'rewe-read'),
				geschaeftsjahrStartDatum: '2026-01-01',
			};
	const node = isBalance ? new AccountingGatewayBanking() : new AccountingGatewayData();
	const { json, error } = await gateway.run(node, { resource, operation: 'getAll', ...of, ...parameters });
	expect(error).toBeUndefined();
	expect(json.length).toBeGreaterThan(0);
	return json;
};
const options = { germanHeadings: true };

describe('German headings', () => {
	it('name the columns of a trial balance as accountants do', async () => {
		const [row] = await run('trialBalance', { options });
		expect(Object.keys(row)).toEqual(['Konto', 'Bezeichnung', 'EB-Wert', 'Soll', 'Haben', 'Saldo']);
	});

	it.each<[string, INodeParameters]>([
		['account', {}],
		['balance', { output: 'days', additionalFields: { include_transactions: true } }],
		['balance', { output: 'transactions' }],
		['company', {}],
		['fiscalYear', {}],
		['journalBooking', { output: 'bookings' }],
		['journalBooking', { output: 'lines' }],
		['openItem', { output: 'accounts' }],
		['openItem', { output: 'aging' }],
		['openItem', { output: 'report' }],
		['openItem', { output: 'rows' }],
		['paymentTerm', {}],
		['taxKey', {}],
		['trialBalance', { asOf: 'period', bisPeriode: 10 }],
		['trialBalance', { output: 'periods' }],
	])('of %s %j stand above all columns, each with its value', async (resource, parameters) => {
		const plain = await run(resource, parameters);
		const german = await run(resource, { ...parameters, options });
		expect(german.map(Object.values)).toEqual(plain.map(Object.values));
		// A dot would be a path for n8n.
		for (const heading of Object.keys(german[0])) expect(heading).toMatch(/^[A-ZÄÖÜ0-9][^.]*$/);
	});

	it('leave an answer alone that is not simplified', async () => {
		expect(await run('company', { simple: false, options })).toEqual(await run('company', { simple: false }));
	});
});
