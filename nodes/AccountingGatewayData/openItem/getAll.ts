import type { IDataObject } from 'n8n-workflow';

import { companyId, connectionId, connectionQuery } from '../../shared/locators';
import { recordsOf, rowsOf } from '../../shared/operation';
import type { Operation } from '../../shared/operation';
import { additionalFields, outputOption } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';

const OUTPUTS = ['rows', 'accounts', 'report'] as const;
const FILTERS = ['all', 'creditors', 'debitors'] as const;
const OPENING = ['raw', 'reconcile'] as const;

/** Row 11 of the specification's endpoint table, and its rules 1 to 5. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many open items',
	description: 'Get the open items of debtors and creditors (OPOS, offene Posten)',
	kind: 'read',
	quelle: true,
	fields: [
		connectionId('ReweRead'),
		additionalFields(
			{
				displayName: 'Accounts',
				name: 'filter',
				type: 'options',
				options: [
					{ name: 'All', value: 'all' },
					{ name: 'Creditors', value: 'creditors', description: 'First digit 7 to 9 (Kreditoren)' },
					{ name: 'Debtors', value: 'debitors', description: 'First digit 1 to 6 (Debitoren)' },
				],
				default: 'all',
				description: 'Whose items (filter)',
			},
			companyId,
			{
				displayName: 'Key Date',
				name: 'stichtag',
				type: 'dateTime',
				typeOptions: { dateOnly: true },
				default: '',
				description: 'Only items up to this document date (stichtag, Stichtag); today when left out',
			},
			{
				displayName: 'Opening Balances',
				name: 'eb',
				type: 'options',
				options: [
					{
						name: 'Raw',
						value: 'raw',
						description: 'As regular items, with document number 0',
					},
					{
						name: 'Reconcile',
						value: 'reconcile',
						description: 'Netted against the items; what remains is an item EB-RESIDUAL',
					},
				],
				default: 'reconcile',
				description: 'How opening balances appear (eb, EB-Werte)',
			},
		),
	],
	options: [
		outputOption([
			['rows', 'Rows', 'One item per open item (Posten), with the fields of its account'],
			['accounts', 'Accounts', 'One item per account (Konto), with its open items'],
			['report', 'Report', 'The whole report as one item, with its totals'],
		]),
	],
	request: (item) => {
		const { additional } = item;
		item.options.choice('output', OUTPUTS);
		return gatewayRequest('GET /v2/acct-rewe-read/opos', {
			query: {
				...connectionQuery(item),
				companyId: additional.companyId('companyId'),
				stichtag: additional.date('stichtag'),
				filter: additional.choice('filter', FILTERS),
				eb: additional.choice('eb', OPENING),
			},
		});
	},
	records(body, item) {
		const reports = recordsOf(body);
		const output = item.options.raw('output');
		if (output === 'report') return reports;
		const accounts = rowsOf(
			// The report's totals are none of an account.
			reports.map(({ stichtag, konten }): IDataObject => ({ stichtag, konten })),
			'konten',
		);
		return output === 'accounts' ? accounts : rowsOf(accounts, 'posten');
	},
};
