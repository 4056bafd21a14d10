import { connectionId, geschaeftsjahrStartDatum } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';
import { fiscalYearQuery } from '../fields';

/** Row 12 of the specification's endpoint table. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many payment terms',
	description: 'List the payment terms of a fiscal year (Zahlungsbedingungen)',
	kind: 'read',
	quelle: true,
	fields: [connectionId('ReweRead'), geschaeftsjahrStartDatum],
	request: (item) =>
		gatewayRequest('GET /v2/acct-rewe-read/zahlungsbedingungen', { query: fiscalYearQuery(item) }),
};
