import type { Item } from '../../shared/item';
import { recordsOf, rowsOf } from '../../shared/operation';
import type { Operation } from '../../shared/operation';
import { additionalFields, outputOption } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';
import { accountId } from '../fields';

const OUTPUTS = ['days', 'transactions'] as const;

const asTransactions = (item: Item) => item.options.choice('output', OUTPUTS) === 'transactions';

/** Row 19 of the specification's endpoint table, and its rule 6. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many balances',
	description:
		'List the daily balances of a bank account, or its transactions with the balances of their day (Tagessalden, Kontoauszug)',
	kind: 'read',
	fields: [
		accountId,
		additionalFields(
			{
				displayName: 'From Date',
				name: 'from_date',
				type: 'dateTime',
				typeOptions: { dateOnly: true },
				default: '',
				description: 'First day (from_date, von)',
			},
			{
				displayName: 'Include Transactions',
				name: 'include_transactions',
				type: 'boolean',
				default: true,
				description:
					'Whether each day comes with its transactions, which takes longer (include_transactions, mit Umsätzen). They always are included when the option Output is Transactions.',
			},
			{
				displayName: 'To Date',
				name: 'to_date',
				type: 'dateTime',
				typeOptions: { dateOnly: true },
				default: '',
				description: 'Last day (to_date, bis)',
			},
		),
	],
	options: [
		outputOption([
			['days', 'Days', 'One item per day'],
			['transactions', 'Transactions', 'One item per transaction (Umsatz), with the balances of its day'],
		]),
	],
	request(item) {
		const { additional } = item;
		const from_date = additional.date('from_date');
		const to_date = additional.date('to_date');
		// Both are YYYY-MM-DD, so the order of texts is that of days.
		if (from_date !== undefined && to_date !== undefined && from_date > to_date) {
			additional.refuse('from_date', from_date, `must not be after to_date, which is ${to_date}`);
		}
		const include_transactions = additional.flag('include_transactions');
		return gatewayRequest('GET /v2/banking/balances', {
			query: {
				account_id: item.text('account_id', { required: true }),
				from_date,
				to_date,
				include_transactions: asTransactions(item) || include_transactions,
			},
		});
	},
	records(body, item) {
		const days = recordsOf(body);
		return asTransactions(item) ? rowsOf(days, 'transactions') : days;
	},
};
