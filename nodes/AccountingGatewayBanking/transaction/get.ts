import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';
import { accountId } from '../fields';

/** Row 17 of the specification's endpoint table. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Get one transaction of a bank account (Umsatz, Buchung auf dem Bankkonto)',
	kind: 'read',
	fields: [
		{
			displayName: 'Transaction ID',
			name: 'id',
			type: 'string',
			default: '',
			required: true,
			description: 'The transaction (ID, Umsatz-ID)',
		},
		accountId,
	],
	request: (item) =>
		gatewayRequest('GET /v2/banking/transactions/{id}', {
			path: { id: item.pathId('id') },
			query: { account_id: item.text('account_id', { required: true }) },
		}),
};
