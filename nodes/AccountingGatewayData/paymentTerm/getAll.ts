import { defineRead } from '../../shared/operation';
import { explainFixedCompany, yearParameters, yearQuery } from '../parameters';
import { SHOWN, strangeEntries, verifyList } from '../../shared/gateway/verify';
import type { RecordKind } from '../../shared/gateway/verify';

const PAYMENT_TERMS: RecordKind = {
	name: 'payment terms',
	fields: { id: SHOWN, bezeichnung: SHOWN, faelligkeitsart: SHOWN },
};

/** `listPaymentTerms` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many payment terms',
	description:
		'List the payment terms of a fiscal year (Zahlungsbedingungen), always of the default company of the connection',
	endpoint: 'GET /v2/acct-rewe-read/zahlungsbedingungen',
	parameters: yearParameters({ takesCompany: false }),
	request: (values) => ({ query: yearQuery(values) }),
	columns: [
		'id',
		'bezeichnung',
		'nettoFrist',
		'skontoFrist1',
		'skontoSatz1',
		'skontoFrist2',
		'skontoSatz2',
		'faelligkeitsart',
	],
	companyOf: () => undefined,
	explain: explainFixedCompany,
	verifyResponse: (answer) => verifyList(answer, PAYMENT_TERMS),
	omissions: (answer) => [strangeEntries(answer, PAYMENT_TERMS)],
});
