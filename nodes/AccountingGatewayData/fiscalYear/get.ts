import { defineRead } from '../../shared/operation';
import { connectionId } from '../../shared/parameters';
import { explainFixedCompany } from '../exportSubscription';
import { READS_DEFAULT_COMPANY } from '../parameters';
import { PRESENT, oneOf, sameText } from '../../shared/answer';
import { geschaeftsjahrId } from './parameters';
import { both } from '../../shared/values';

const FISCAL_YEAR = oneOf({
	name: both('a fiscal year', 'eines Geschäftsjahres'),
	fields: { id: sameText, startDatum: PRESENT, endDatum: PRESENT, kontenrahmen: PRESENT },
});

/** `getFiscalYear` */
export const get = defineRead({
	value: 'get',
	name: 'Get',
	action: 'Get fiscal year',
	description:
		'Get a fiscal year with first and last day, length of account numbers and standard chart (Geschäftsjahr, Kontenrahmen), always of the default company of the connection',
	endpoint: 'GET /v2/acct-rewe-read/geschaeftsjahre/{geschaeftsjahrId}',
	parameters: { connectionId: connectionId('ReweRead', { hint: READS_DEFAULT_COMPANY }), geschaeftsjahrId },
	request: ({ connectionId, geschaeftsjahrId }) => ({
		path: { geschaeftsjahrId },
		query: { connectionId },
	}),
	columns: ['id', 'startDatum', 'endDatum', 'kontenrahmen', 'kontonummernLaenge'],
	readFrom: () => ({}),
	explain: explainFixedCompany,
	expects: FISCAL_YEAR,
	mustAgree: ({ path }) => ({ id: path.geschaeftsjahrId }),
});
