import { defineRead } from '../../shared/operation';
import { germanHeadings } from '../../shared/form';
import { explainFixedCompany } from '../exportSubscription';
import { ofDefaultCompany, yearQuery } from '../parameters';
import { PRESENT, listOf } from '../../shared/answer';
import { both } from '../../shared/values';

const CHART_OF_ACCOUNTS = listOf({
	name: both('accounts', 'der Konten'),
	fields: { kontonummer: PRESENT, kontobeschriftung: PRESENT },
});

/** `listAccounts` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get chart of accounts (Kontenplan)',
	description:
		'List the ledger and subledger accounts of a fiscal year (Kontenplan), always of the default company of the connection',
	endpoint: 'GET /v2/acct-rewe-read/kontenplan',
	parameters: ofDefaultCompany,
	options: { germanHeadings },
	request: (values) => ({ query: yearQuery(values) }),
	readFrom: () => ({}),
	explain: explainFixedCompany,
	expects: CHART_OF_ACCOUNTS,
	columns: ['kontonummer', 'kontobeschriftung'],
});
