import { connectionId, connectionQuery } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';

/** Row 6 of the specification's endpoint table. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many companies',
	description: 'List the client companies of a connection and their active services (Mandanten)',
	kind: 'read',
	quelle: true,
	fields: [connectionId('ReweRead')],
	request: (item) => gatewayRequest('GET /v2/acct/companies', { query: connectionQuery(item) }),
};
