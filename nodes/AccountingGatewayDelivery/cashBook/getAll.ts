import { connectionId, connectionQuery } from '../../shared/locators';
import { recordsOfList } from '../../shared/operation';
import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';

/** `GET /v2/acct-duo/kassenbuecher`, whose `bezeichnung` is the `kassenname` of an entry. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many cash books',
	description: 'List the cash books of a connection (Kassenbücher)',
	kind: 'read',
	quelle: true,
	fields: [connectionId('Duo')],
	request: (item) =>
		gatewayRequest('GET /v2/acct-duo/kassenbuecher', {
			query: connectionQuery(item),
		}),
	records: recordsOfList,
};
