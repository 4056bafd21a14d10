import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';

/** Row 20 of the specification's endpoint table. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get connection',
	description:
		'Get one bank connection, e.g. to see when its consent expires or what went wrong (Bankverbindung)',
	kind: 'read',
	fields: [
		{
			displayName: 'Connection ID',
			name: 'id',
			type: 'string',
			default: '',
			required: true,
			description: 'The bank connection (ID, Bankverbindung)',
		},
	],
	request: (item) => gatewayRequest('GET /v2/banking/connections/{id}', { path: { id: item.pathId('id') } }),
};
