import type { FastifyInstance } from 'fastify';
import { DateTime } from 'luxon';
import { z } from 'zod';
import { ApiError } from '../http/apiError.mjs';
import type { Handlers } from '../http/handlers.mjs';
import type { Account } from '../seed.mjs';
import type { Store } from '../store.mjs';
import type { Bank, BookInput, TransferInput } from './bank.mjs';
import type { BankAccount } from './bankAccounts.mjs';
import type { loadSchema, PaymentInput, Payments } from './payments.mjs';
import { deliverySettingsSchema, type Webhooks } from './webhooks.mjs';

interface BankingServices {
	bank: Bank;
	payments: Payments;
	webhooks: Webhooks;
}

/** Number of days listed without `from_date`; the contract doesn't specify it. */
const DEFAULT_DAYS = 30;

/** Handlers of the operations that read bank accounts and payments or set the webhook URL. */
export function bankingHandlers({ bank, payments, webhooks }: BankingServices) {
	function bankAccount({ id: owner }: Account, id: string): BankAccount {
		const account = bank.account(owner, id);
		if (!account) throw new ApiError(404, `There is no bank account "${id}".`, 'account_id', 'unknown');
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
				throw new ApiError(404, message, 'id', 'unknown');
			}
			return { body: { data: transaction } };
		},

		getPayment: ({ account, params, query: { api = 'partner' } }) => {
			const payment = payments.find(account.id, api, params.id);
			if (!payment) {
				throw new ApiError(404, `There is no payment "${params.id}" of the api "${api}".`, 'id', 'unknown');
			}
			return { body: { data: payment } };
		},

		listBalances: ({ account, query }) => {
			const of = bankAccount(account, query.account_id);
			const { to_date = bank.today, include_transactions } = query;
			const from_date = query.from_date ?? daysBefore(to_date, DEFAULT_DAYS - 1);
			// A `from_date` alone may lie ahead, as `to_date` may: those days are not there yet.
			if (query.to_date && from_date > to_date) {
				const message = `"from_date" ${from_date} is after "to_date" ${to_date}.`;
				throw new ApiError(422, message, 'from_date', 'order');
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
				throw new ApiError(404, `There is no bank connection "${params.id}".`, 'id', 'unknown');
			}
			return { body: { data: connection } };
		},

		setWebhookUrl: ({ account, body }) => {
			webhooks.setUrl(account.id, urlIn(body));
			return { body: {} };
		},
	} satisfies Partial<Handlers>;
}

const daysBefore = (date: string, days: number) =>
	DateTime.fromISO(date, { zone: 'utc' }).minus({ days }).toISODate()!;

/**
 * Reads the URL from the body, whose shape the contract leaves open: from the field `url` or, if the body has
 * only one field, from that field.
 */
function urlIn(body: Record<string, unknown>): string {
	const [field, ...others] = 'url' in body ? ['url'] : Object.keys(body);
	if (!field || others.length) {
		throw new ApiError(422, 'The body holds no "url".', 'url', 'required');
	}
	const url = body[field];
	const { protocol } = typeof url === 'string' && URL.canParse(url) ? new URL(url) : { protocol: '' };
	if (!['http:', 'https:'].includes(protocol)) {
		throw new ApiError(422, `"${field}" has to be a web address.`, field, 'format');
	}
	return url as string;
}

const eventSchema = z.object({ account: z.string().default('demo'), event: z.record(z.unknown()) }).strict();

/**
 * Adds the banking part of the control API below `/sandbox`:
 * `POST payments` creates a payment; `POST payments/:id/:transition` moves it to a status; `POST payments/:id/repeat`
 * delivers its last event again; `POST transactions` makes a movement on a bank account; `POST transactions/:id/book` books
 * a pending one; `POST load` creates many events; `POST events` delivers any JSON as an event;
 * `GET` and `POST delivery-settings`.
 */
export function addBankingControls(
	app: FastifyInstance,
	store: Store,
	{ bank, payments, webhooks }: BankingServices,
): void {
	app.post('/transactions', ({ body }) => bank.transfer((body ?? {}) as TransferInput));
	app.post<{ Params: { id: string } }>('/transactions/:id/book', ({ params, body }) =>
		bank.book(params.id, (body ?? {}) as BookInput),
	);
	app.post('/payments', ({ body }) => payments.create((body ?? {}) as PaymentInput));
	app.post<{ Params: { id: string; transition: string } }>(
		'/payments/:id/:transition',
		({ params }) => payments.move(params.id, params.transition).payment,
	);
	app.post<{ Params: { id: string } }>('/payments/:id/repeat', ({ params }) => ({
		delivers: payments.repeat(params.id) !== undefined,
	}));
	app.post('/load', async ({ body }) => await payments.load(body as z.input<typeof loadSchema>));
	app.post('/events', ({ body }) => {
		const { account, event } = eventSchema.parse(body ?? {});
		if (!store.accounts.some(({ id }) => id === account)) {
			throw new ApiError(404, `There is no account "${account}".`, 'account');
		}
		return { delivers: webhooks.deliver(account, event) !== undefined };
	});
	app.get('/delivery-settings', () => webhooks.settings);
	app.post(
		'/delivery-settings',
		({ body }) => (webhooks.settings = deliverySettingsSchema.parse(body ?? {})),
	);
}
