import { defineRead } from '../../shared/operation';
import { explainFixedCompany, yearParameters, yearQuery } from '../parameters';
import { SHOWN, strangeEntries, verifyList } from '../../shared/gateway/verify';
import type { RecordKind } from '../../shared/gateway/verify';

const ACCOUNTS: RecordKind = {
	name: 'accounts',
	fields: { kontonummer: SHOWN, kontobeschriftung: SHOWN },
};

/** `listAccounts` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get chart of accounts (Kontenplan)',
	description:
		'List the ledger and subledger accounts of a fiscal year (Kontenplan), always of the default company of the connection',
	endpoint: 'GET /v2/acct-rewe-read/kontenplan',
	parameters: yearParameters({ takesCompany: false }),
	request: (values) => ({ query: yearQuery(values) }),
	companyOf: () => undefined,
	explain: explainFixedCompany,
	verifyResponse: (answer) => verifyList(answer, ACCOUNTS),
	omissions: (answer) => [strangeEntries(answer, ACCOUNTS)],
	columns: ['kontonummer', 'kontobeschriftung'],
});
