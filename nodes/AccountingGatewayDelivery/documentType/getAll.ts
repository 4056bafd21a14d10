import { connectionId, connectionQuery } from '../../shared/locators';
import { recordsOfList } from '../../shared/operation';
import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';

/** `GET /v2/acct-duo/belegtypen`: what `belegtyp` of an upload to duo can be. */
export const getAllDuo: Operation = {
	value: 'getAllDuo',
	name: 'Get Many (Duo)',
	action: 'Get many document types of duo',
	description: 'List the document types for uploads to the variant duo (Belegtypen)',
	kind: 'read',
	quelle: true,
	fields: [connectionId('Duo')],
	request: (item) =>
		gatewayRequest('GET /v2/acct-duo/belegtypen', {
			query: connectionQuery(item),
		}),
	records: recordsOfList,
};

/** `GET /v2/acct-rewe/belegtypen`: what `belegtyp` of an upload to rewe can be. */
export const getAllRewe: Operation = {
	...getAllDuo,
	value: 'getAllRewe',
	name: 'Get Many (Rewe)',
	action: 'Get many document types of rewe',
	description: 'List the document types for uploads to the variant rewe (Belegtypen)',
	fields: [connectionId('Rewe')],
	request: (item) =>
		gatewayRequest('GET /v2/acct-rewe/belegtypen', {
			query: connectionQuery(item),
		}),
};
