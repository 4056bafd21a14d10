import { defineOperation } from '../../shared/operation';
import { recordsOf, withColumns } from '../../shared/transport/records';
import { explainFixedCompany, yearParameters, yearQuery } from '../parameters';

/** `listAccounts` */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get chart of accounts (Kontenplan)',
	description:
		'List the ledger and person accounts of a fiscal year (Kontenplan), always of the default company of the connection',
	kind: 'read',
	endpoint: 'GET /v2/acct-rewe-read/kontenplan',
	sendsSource: true,
	parameters: yearParameters({ takesCompany: false }),
	request: (values, options) => ({ query: yearQuery(values, options) }),
	explain: explainFixedCompany,
	records: (answer) =>
		recordsOf(answer).map((account) => withColumns(account, ['kontonummer', 'kontobeschriftung'])),
});
