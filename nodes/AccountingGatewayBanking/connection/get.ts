import { defineOperation } from '../../shared/operation';
import { bankingId } from '../parameters';

/** `getBankConnection` */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get connection',
	description:
		'Get one bank connection, e.g. to see when its consent expires or what went wrong (Bankverbindung)',
	kind: 'read',
	endpoint: 'GET /v2/banking/connections/{id}',
	parameters: {
		id: bankingId(
			'Connection ID',
			'The bank connection (ID, Bankverbindung)',
			'From where the bank was connected, usually the web application of the service: no operation lists bank connections',
		),
	},
	request: ({ id }) => ({ path: { id } }),
});
