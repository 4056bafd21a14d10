import { connectionId, connectionQuery, locator } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';

/** Row 8 of the specification's endpoint table. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get fiscal year',
	description:
		'Get a fiscal year with first and last day, length of account numbers and chart of accounts (Geschäftsjahr)',
	kind: 'read',
	quelle: true,
	fields: [
		connectionId('ReweRead'),
		locator({
			name: 'geschaeftsjahrId',
			displayName: 'Fiscal Year',
			description: 'The fiscal year (geschaeftsjahrId, Geschäftsjahr)',
			list: 'searchFiscalYearIds',
			placeholder: 'e.g. 20260101',
			required: true,
		}),
	],
	request: (item) =>
		gatewayRequest('GET /v2/acct-rewe-read/geschaeftsjahre/{geschaeftsjahrId}', {
			path: { geschaeftsjahrId: item.pathId('geschaeftsjahrId') },
			query: connectionQuery(item),
		}),
};
