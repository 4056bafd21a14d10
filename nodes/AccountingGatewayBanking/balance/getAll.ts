import { isObjectLike } from 'lodash';

import { defineRead } from '../../shared/operation';
import { additionalFields, date, flag, needing } from '../../shared/parameters';
import { germanHeadings, output } from '../../shared/form';
import { NOISE, PRESENT, isEmptyList, listOf, recordsOf, rowsOf, warningAbout } from '../../shared/answer';
import { both, dayIn, parseNumber } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { account_id } from '../parameters';
import { TRANSACTION, TRANSACTION_COLUMNS, transactionRow } from '../transaction/row';

export const DAYS = listOf({
	name: both('daily balances', 'der Tagessalden'),
	fields: { date: PRESENT, sod: PRESENT, eod: PRESENT, cash_in: PRESENT, cash_out: PRESENT, delta: PRESENT },
	lists: { transactions: { ...TRANSACTION, name: both('transactions', 'der Umsätze') } },
});

/** Whether money moved, by one of a day's sums, which may have floating-point noise. */
function isMoved(sum: unknown): boolean {
	const parsed = parseNumber(sum);
	return 'value' in parsed ? Math.abs(parsed.value) > NOISE : !isObjectLike(sum) && Boolean(Number(sum));
}

/** Days on which money moved, but whose transactions are missing. */
function withoutTransactions(answer: unknown): Bilingual | undefined {
	const days = recordsOf(answer).filter(
		({ transactions, cash_in, cash_out, delta }) =>
			isEmptyList(transactions) && [cash_in, cash_out, delta].some(isMoved),
	);
	return warningAbout(
		days.map(({ date }) => (typeof date === 'string' ? date : '?')),
		both(
			'the balance has changed, but the gateway sent no transactions for',
			'Der Kontostand hat sich geändert, das Gateway hat aber keine Umsätze gesendet für',
		),
	);
}

const OF_DAY = ['date', 'sod', 'eod', 'cash_in', 'cash_out', 'delta'];

/** `listBalances`, which has transactions only on request */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many balances',
	description: 'List the daily balances of a bank account, or its transactions (Tagessalden, Kontoauszug)',
	endpoint: 'GET /v2/banking/balances',
	parameters: {
		account_id,
		output: output([
			['days', 'Days', 'One item per day'],
			['transactions', 'Transactions', 'One item per transaction (Umsatz)'],
		]),
		additionalFields: additionalFields({
			from_date: date({
				displayName: 'From Date',
				description: 'First day (from_date, von). If not added, the gateway decides.',
				default: '={{ $today.minus({ months: 1 }).toISODate() }}',
			}),
			to_date: date({
				displayName: 'To Date',
				description: 'Last day (to_date, bis). If not added, the gateway decides.',
				default: '={{ $today.toISODate() }}',
			}),
			include_transactions: needing(
				{ '/output': { not: ['transactions'] } },
				flag({
					displayName: 'Include Transactions',
					description:
						'Whether to include the transactions of each day, which takes longer (include_transactions, mit Umsätzen)',
					default: true,
				}),
			),
		}),
	},
	options: { germanHeadings },
	check({ additionalFields: { from_date, to_date } = {} }, addIssue) {
		// Both are YYYY-MM-DD, so texts sort like days.
		if (from_date !== undefined && to_date !== undefined && from_date > to_date) {
			const rule = both(
				`must not be after to_date, which is ${to_date}`,
				`darf nicht nach to_date liegen, also nach dem ${dayIn('de', to_date)}`,
			);
			addIssue('from_date', from_date, rule);
		}
	},
	request: ({ account_id, output, additionalFields: { from_date, to_date, include_transactions } }) => ({
		query: {
			account_id,
			from_date,
			to_date,
			include_transactions: output === 'transactions' || include_transactions,
		},
	}),
	expects: DAYS,
	mustAgree: ({ query: { account_id } }) => ({ account_id }),
	omissions: (answer, { output }) => [output === 'transactions' ? withoutTransactions(answer) : undefined],
	columns: ({ output, additionalFields }) =>
		output === 'transactions'
			? TRANSACTION_COLUMNS
			: additionalFields?.include_transactions
				? [...OF_DAY, 'transactions']
				: OF_DAY,
	records(answer, { output }) {
		const days = recordsOf(answer);
		return output === 'transactions' ? rowsOf(days, 'transactions').map(transactionRow) : days;
	},
});
