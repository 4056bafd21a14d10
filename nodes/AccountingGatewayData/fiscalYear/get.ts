import { defineOperation } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';
import { locator } from '../../shared/parameters/locator';
import { pathId } from '../../shared/parameters/text';
import { explainFixedCompany } from '../parameters';

/** `getFiscalYear` */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get fiscal year',
	description:
		'Get a fiscal year with first and last day, length of account numbers and chart of accounts (Geschäftsjahr), always of the default company of the connection',
	kind: 'read',
	endpoint: 'GET /v2/acct-rewe-read/geschaeftsjahre/{geschaeftsjahrId}',
	sendsSource: true,
	parameters: {
		connectionId: connectionId('ReweRead'),
		geschaeftsjahrId: locator(
			pathId({
				displayName: 'Fiscal Year',
				description: 'The fiscal year (geschaeftsjahrId, Geschäftsjahr)',
				placeholder: 'e.g. 20260101',
				required: true,
			}),
			{ list: 'searchFiscalYearIds', dependsOn: 'connectionId' },
		),
	},
	request: ({ connectionId, geschaeftsjahrId }, { quelle }) => ({
		path: { geschaeftsjahrId },
		query: { connectionId, quelle },
	}),
	explain: explainFixedCompany,
});
