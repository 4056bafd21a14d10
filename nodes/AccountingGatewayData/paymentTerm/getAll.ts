import { defineRead } from '../../shared/operation';
import { germanHeadings } from '../../shared/form';
import { explainFixedCompany } from '../exportSubscription';
import { ofDefaultCompany, yearQuery } from '../parameters';
import { PRESENT, listOf } from '../../shared/answer';
import { both } from '../../shared/values';

const PAYMENT_TERMS = listOf({
	name: both('payment terms', 'der Zahlungsbedingungen'),
	fields: { id: PRESENT, bezeichnung: PRESENT, faelligkeitsart: PRESENT },
});

/** `listPaymentTerms` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many payment terms',
	description:
		'List the payment terms of a fiscal year (Zahlungsbedingungen), always of the default company of the connection',
	endpoint: 'GET /v2/acct-rewe-read/zahlungsbedingungen',
	parameters: ofDefaultCompany,
	options: { germanHeadings },
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
	readFrom: () => ({}),
	explain: explainFixedCompany,
	expects: PAYMENT_TERMS,
});
