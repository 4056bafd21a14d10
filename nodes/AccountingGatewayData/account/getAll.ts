import { defineOperation } from '../../shared/operation';
import { explainFixedCompany, yearParameters, yearQuery } from '../parameters';
import { SHOWN, strangeEntries, verifyList } from '../../shared/transport/verify';
import type { RecordKind } from '../../shared/transport/verify';

const ACCOUNTS: RecordKind = {
	name: 'accounts',
	fields: { kontonummer: SHOWN, kontobeschriftung: SHOWN },
};

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
	verifyResponse: (answer) => verifyList(answer, ACCOUNTS),
	omissions: (answer) => [strangeEntries(answer, ACCOUNTS)],
	columns: ['kontonummer', 'kontobeschriftung'],
});
