import { companyId, connectionId, connectionQuery } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { additionalFields } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';

/** Row 7 of the specification's endpoint table. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many fiscal years',
	description: 'List the fiscal years of a company with ID and first day (Geschäftsjahre)',
	kind: 'read',
	quelle: true,
	fields: [connectionId('ReweRead'), additionalFields(companyId)],
	request: (item) =>
		gatewayRequest('GET /v2/acct-rewe-read/geschaeftsjahre', {
			query: { ...connectionQuery(item), companyId: item.additional.companyId('companyId') },
		}),
};
