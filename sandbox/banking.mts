import { DateTime } from 'luxon';
import type { Account } from './accounts.mjs';
import { BANK_ACCOUNTS, type BankAccount } from './bankAccounts.mjs';
import { type Handlers, Refusal } from './handlers.mjs';
import type { World } from './world.mjs';

/** How many days are listed when `from_date` is left out; what a gateway does then is "not shown". */
const DEFAULT_DAYS = 30;

/** The operations that read bank accounts and payments, and the one that sets the webhook URL. */
export function bankingHandlers(world: World): Handlers {
	const { bank, payments, webhooks } = world;
	// No operation lists them, so this is where their IDs can be found.
	world.list('bank-accounts', () =>
		BANK_ACCOUNTS.map(({ routines: _routines, connection, ...account }) => ({
			...account,
			account: connection.account,
			connection_id: connection.id,
			api: connection.api,
		})),
	);

	function bankAccount({ id: owner }: Account, id: string): BankAccount {
		const account = bank.account(owner, id);
		if (!account) throw new Refusal(404, `There is no bank account "${id}".`, 'account_id', 'unknown');
		return account;
	}

	return {
		getTransaction: ({ account, params, query }) => {
			const from = bankAccount(account, query.account_id);
			const transaction = bank
				.days(from, payments.settledFrom(from))
				.flatMap(({ transactions }) => transactions)
				.find(({ id }) => id === params.id);
			if (!transaction) {
				const message = `The bank account "${from.id}" has no transaction "${params.id}".`;
				throw new Refusal(404, message, 'id', 'unknown');
			}
			return { body: { data: transaction } };
		},

		getPayment: ({ account, params, query: { api = 'partner' } }) => {
			const payment = payments.find(account.id, api, params.id);
			if (!payment) {
				throw new Refusal(404, `There is no payment "${params.id}" of the api "${api}".`, 'id', 'unknown');
			}
			return { body: { data: payment } };
		},

		listBalances: ({ account, query }) => {
			const of = bankAccount(account, query.account_id);
			const { to_date = bank.today, include_transactions } = query;
			const from_date = query.from_date ?? daysBefore(to_date, DEFAULT_DAYS - 1);
			if (from_date > to_date) {
				const message = `"from_date" ${from_date} is after "to_date" ${to_date}.`;
				throw new Refusal(422, message, 'from_date', 'order');
			}
			const days = bank
				.days(of, payments.settledFrom(of))
				.filter(({ date }) => date >= from_date && date <= to_date);
			const withoutTransactions = days.map(({ transactions: _transactions, ...day }) => day);
			return { body: { data: include_transactions ? days : withoutTransactions } };
		},

		getBankConnection: ({ account, params }) => {
			const connection = bank.connection(account.id, params.id);
			if (!connection) {
				throw new Refusal(404, `There is no bank connection "${params.id}".`, 'id', 'unknown');
			}
			return { body: { data: connection } };
		},

		setWebhookUrl: ({ account, body }) => {
			webhooks.setUrl(account.id, urlIn(body));
			return { body: {} };
		},
	};
}

const daysBefore = (date: string, days: number) =>
	DateTime.fromISO(date, { zone: 'utc' }).minus({ days }).toISODate()!;

/**
 * The URL in the body, whose shape is "not shown": in the field `url` or, when the body has just one field, in that.
 * @returns null to clear it
 */
function urlIn(body: Record<string, unknown>): string | null {
	const [field, ...others] = 'url' in body ? ['url'] : Object.keys(body);
	if (!field || others.length) {
		throw new Refusal(422, 'The body holds no "url".', 'url', 'required');
	}
	const url = body[field];
	if (url === null || url === '') return null;
	const { protocol } = typeof url === 'string' && URL.canParse(url) ? new URL(url) : { protocol: '' };
	if (!['http:', 'https:'].includes(protocol)) {
		throw new Refusal(422, `"${field}" has to be a web address.`, field, 'format');
	}
	return url as string;
}
