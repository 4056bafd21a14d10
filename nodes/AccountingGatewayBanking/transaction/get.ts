import { defineRead } from '../../shared/operation';
import { oneOf, recordsOf } from '../../shared/answer';
import { account_id, bankingId } from '../parameters';
import { TRANSACTION, TRANSACTION_COLUMNS, transactionRow } from './row';

/** `getTransaction` */
export const get = defineRead({
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Get one transaction of a bank account (Umsatz, Buchung auf dem Bankkonto)',
	endpoint: 'GET /v2/banking/transactions/{id}',
	parameters: {
		id: bankingId(
			'Transaction ID',
			'The transaction (ID, Umsatz-ID)',
			'The id in the output of "Get many balances" with Output: Transactions',
		),
		account_id,
	},
	request: ({ id, account_id }) => ({ path: { id }, query: { account_id } }),
	expects: oneOf(TRANSACTION),
	mustAgree: ({ path: { id }, query: { account_id } }) => ({ id, account_id }),
	columns: TRANSACTION_COLUMNS,
	records: (answer) => recordsOf(answer).map(transactionRow),
});
