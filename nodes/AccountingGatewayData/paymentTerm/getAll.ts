import { defineOperation } from '../../shared/operation';
import { explainFixedCompany, yearParameters, yearQuery } from '../parameters';

/** `listPaymentTerms` */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many payment terms',
	description:
		'List the payment terms of a fiscal year (Zahlungsbedingungen), always of the default company of the connection',
	kind: 'read',
	endpoint: 'GET /v2/acct-rewe-read/zahlungsbedingungen',
	sendsSource: true,
	parameters: yearParameters({ takesCompany: false }),
	request: (values, options) => ({ query: yearQuery(values, options) }),
	explain: explainFixedCompany,
});
