import { connectionId, geschaeftsjahrStartDatum } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';
import { fiscalYearQuery } from '../fields';

/** Row 13 of the specification's endpoint table. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many accounts',
	description: 'List the ledger and person accounts of a fiscal year (Kontenplan)',
	kind: 'read',
	quelle: true,
	fields: [connectionId('ReweRead'), geschaeftsjahrStartDatum],
	request: (item) => gatewayRequest('GET /v2/acct-rewe-read/kontenplan', { query: fiscalYearQuery(item) }),
};
