import { connectionId, connectionQuery } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';

/** Row 5 of the specification's endpoint table. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many tax keys',
	description: 'List the tax keys with their rates (Steuerschlüssel, BU-Schlüssel)',
	kind: 'read',
	quelle: true,
	fields: [connectionId('Rewe')],
	request: (item) => gatewayRequest('GET /v2/acct-rewe/steuersaetze', { query: connectionQuery(item) }),
};
