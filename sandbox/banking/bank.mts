import { createHash } from 'node:crypto';
import groupBy from 'lodash/groupBy.js';
import memoize from 'lodash/memoize.js';
import omit from 'lodash/omit.js';
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { components } from '../../api/gateway.js';
import { BANK_ACCOUNTS, BANK_CONNECTIONS, type BankAccount, type Routine } from './bankAccounts.mjs';
import { ApiError } from '../http/apiError.mjs';
import type { Payment } from './payments.mjs';
import type { Slice, Store } from '../store.mjs';

type Schemas = components['schemas'];
type Transaction = Schemas['BankTransaction'];
type Parsed = Transaction['description_parsed'];

/** The first day with balances and transactions. */
const OPENING_DAY = '2025-01-01';
const ZONE = 'Europe/Berlin';

/** What the control API accepts for a bank transaction; booked now unless specified otherwise. */
const transferSchema = z
	.object({
		id: z.string().min(1).max(500).optional(),
		bank_account: z.string().default('acc-giro'),
		/** In euros; positive for incoming transactions. */
		amount: z.number().refine((euros) => euros !== 0 && Math.abs(euros) < 1e9, 'has to be an amount'),
		/** Payer or payee. */
		partner: z.string().default('Café Lindenhof OHG'),
		text: z.string().default('Zahlung'),
		status: z.enum(['posted', 'pending']).default('posted'),
		duplicated: z.boolean().default(false),
		/** The booking day, which may be earlier because banks book late. */
		made_on: z.string().date().optional(),
	})
	.strict();
export type TransferInput = z.input<typeof transferSchema>;

/** What the control API accepts to book a pending transaction: its ID once booked, as some banks assign a new one. */
const bookSchema = transferSchema.pick({ id: true });
export type BookInput = z.input<typeof bookSchema>;

interface Transfer extends Required<Omit<z.output<typeof transferSchema>, 'made_on'>> {
	/** When the transaction is booked and reaches the gateway. */
	at: string;
	created_at: string;
}

interface Movement {
	/** Signed; 0 while the transaction is pending. */
	cents: number;
	transaction: Transaction;
}

/** The event that causes a bank transaction. */
interface Cause {
	/** Name from which the transaction's ID is derived. */
	name: string;
	/** The gateway's payment that caused it, or empty. */
	payment_id: string;
	at: DateTime;
	cents: number;
	currency: string;
	/** Payer or payee. */
	partner: string;
	text: string;
	category: string;
	endToEndId: string;
	/** Parts of the remittance text other than `svwz`. */
	parsed: Partial<Parsed>;
}

/** Balances of a day, with its transactions. */
export type Day = Required<Schemas['DailyBalance']>;

/**
 * The bank accounts. Their transactions follow from the seed, the day and the settled payments, so they need no
 * state. A day's routine transactions are booked at the end of the day, a payment when it settles.
 */
export class Bank {
	/** The routine transactions of an account on a day, cached because they never change. */
	readonly #routine = memoize(
		(account: BankAccount, _date: string, day: DateTime) =>
			account.routines
				.filter(({ on }) => on(day))
				.map((routine) => this.#movement(account, this.#causeOf(account, routine, day))),
		(account, date) => `${account.id} ${date}`,
	);

	/** The transactions created through the control API, on any account. */
	readonly #transfers: Slice<Transfer[]>;

	constructor(private readonly store: Store) {
		this.#transfers = store.addSlice<Transfer[]>('transfers', () => []);
		store.addList('transactions', () => this.#transfers.value);
		// No operation of the gateway lists bank accounts, so the control API shows their IDs.
		store.addList('bank-accounts', () =>
			BANK_ACCOUNTS.map(({ routines: _routines, connection, ...account }) => ({
				...account,
				account: connection.account,
				connection_id: connection.id,
				api: connection.api,
			})),
		);
	}

	/** The bank account with this ID, if it belongs to the gateway account `owner`. */
	account(owner: string, id: string): BankAccount | undefined {
		return BANK_ACCOUNTS.find((one) => one.id === id && one.connection.account === owner);
	}

	/** The bank connection with this ID, if it belongs to the gateway account `owner`. */
	connection(owner: string, id: string): Schemas['BankConnection'] | undefined {
		const connection = BANK_CONNECTIONS.find((one) => one.id === id && one.account === owner);
		if (!connection) return undefined;
		const { account, ...rest } = omit(connection, 'api');
		const now = this.#now;
		const created = DateTime.fromISO(`${OPENING_DAY}T08:00:00`, { zone: ZONE });
		const refreshed = now.startOf('hour');
		// The consent is renewed every half year.
		const consents = Math.floor(now.diff(created, 'months').months / 6) + 1;
		return {
			...rest,
			country_code: 'DE',
			status: 'active',
			owner_user_id: this.store.idFor(`user/${account}`),
			automatic_refresh: true,
			next_refresh_possible_at: iso(refreshed.plus({ hours: 1 })),
			created_at: iso(created),
			updated_at: iso(refreshed),
			display_name: null,
			logo_url: `https://gateway.example/logos/${rest.provider_code}.svg`,
			consent_expires_at: iso(created.plus({ months: 6 * consents })),
			error_class: null,
			error_message: null,
		};
	}

	/** Creates a bank transaction. */
	transfer(input: TransferInput): Transfer {
		const { made_on, ...rest } = transferSchema.parse(input);
		if (!BANK_ACCOUNTS.some(({ id }) => id === rest.bank_account)) {
			throw new ApiError(404, `There is no bank account "${rest.bank_account}".`, 'bank_account');
		}
		const id = rest.id ?? this.store.nextId('transfer');
		this.#checkIsNew(id);
		const now = this.#now;
		const at = made_on ? DateTime.fromISO(`${made_on}T12:00:00`, { zone: ZONE }) : now;
		const transfer = { ...rest, id, at: iso(at), created_at: iso(now) };
		this.#transfers.value.push(transfer);
		this.store.events.emit('change');
		return transfer;
	}

	/** Books a pending transaction. */
	book(id: string, input: BookInput): Transfer {
		const { id: newId = id } = bookSchema.parse(input);
		const transfer = this.#transfers.value.find((one) => one.id === id && one.status === 'pending');
		if (!transfer) throw new ApiError(404, `There is no pending transaction "${id}".`, 'id');
		if (newId !== id) this.#checkIsNew(newId);
		Object.assign(transfer, { id: newId, status: 'posted', at: iso(this.#now) });
		this.store.events.emit('change');
		return transfer;
	}

	#checkIsNew(id: string): void {
		if (this.#transfers.value.some((one) => one.id === id)) {
			throw new ApiError(409, `The transaction "${id}" already exists.`, 'id');
		}
	}

	/** Today's date at the bank. */
	get today(): string {
		return this.#now.toISODate();
	}

	/**
	 * An account's days from its opening to today, oldest first.
	 * @param settled the account's settled payments
	 */
	days(account: BankAccount, settled: readonly Payment[]): Day[] {
		const { today } = this;
		const transfers = this.#transfers.value.filter(({ bank_account }) => bank_account === account.id);
		const paid = groupBy(
			[
				...settled.map((payment) => this.#movement(account, causeOf(payment))),
				...transfers.map((transfer) => this.#transferred(account, transfer)),
			],
			({ transaction }) => transaction.made_on,
		);
		const days: Day[] = [];
		let balance = account.opening;
		for (const [date, day] of calendarUntil(today)) {
			const routine = date < today ? this.#routine(account, date, day) : [];
			const movements = [...routine, ...(paid[date] ?? [])].sort(byTime);
			const sod = balance;
			const transactions = movements.map(({ cents, transaction }) => {
				balance += cents;
				const extra = { ...transaction.extra, account_balance_snapshot: balance / 100 };
				return { ...transaction, extra };
			});
			const cash_in = movements.reduce((sum, { cents }) => sum + Math.max(cents, 0), 0);
			const delta = balance - sod;
			days.push({
				date,
				sod: sod / 100,
				eod: balance / 100,
				cash_in: cash_in / 100,
				cash_out: (delta - cash_in) / 100,
				delta: delta / 100,
				transactions,
			});
		}
		return days;
	}

	get #now(): DateTime<true> {
		return DateTime.fromJSDate(this.store.now(), { zone: ZONE }) as DateTime<true>;
	}

	#causeOf(account: BankAccount, routine: Routine, day: DateTime): Cause {
		const [least, most] = routine.cents;
		const [hour, minute] = routine.time.split(':').map(Number);
		const name = `${account.id}/${day.toISODate()}/${routine.category}`;
		const random =
			createHash('sha256').update(`${this.store.seed}/${name}`).digest().readUInt32BE() / 2 ** 32;
		const nr = day.toFormat('yyLLdd');
		return {
			name,
			payment_id: '',
			at: day.set({ hour, minute }),
			cents: least + Math.floor(random * (most - least + 1)),
			currency: 'EUR',
			partner: routine.partner,
			text: routine.text.replace('{month}', day.toFormat('LL/yyyy')).replace('{nr}', nr),
			category: routine.category,
			endToEndId: routine.parsed?.mref ? `E2E-${nr}` : 'NOTPROVIDED',
			parsed: routine.parsed ?? {},
		};
	}

	#transferred(account: BankAccount, transfer: Transfer): Movement {
		const { id, amount, partner, text, status, duplicated, at, created_at } = transfer;
		const { cents, transaction } = this.#movement(account, {
			name: `transfer/${id}`,
			payment_id: '',
			at: DateTime.fromISO(at, { zone: ZONE }),
			cents: Math.round(amount * 100),
			currency: 'EUR',
			partner,
			text,
			category: 'transfer',
			endToEndId: 'NOTPROVIDED',
			parsed: {},
		});
		// Booked later than created, if it was pending; or on a day before, if the bank booked late.
		const updated_at = at > created_at ? at : created_at;
		return {
			cents: status === 'pending' ? 0 : cents,
			transaction: { ...transaction, id, status, duplicated, created_at, updated_at },
		};
	}

	#movement(account: BankAccount, cause: Cause): Movement {
		const { name, payment_id, at, cents, currency, partner, text, category, endToEndId, parsed } = cause;
		const out = cents < 0;
		const made_on = at.toISODate()!;
		const transaction: Transaction = {
			id: this.store.idFor(`transaction/${name}`),
			account_id: account.id,
			payment_id,
			duplicated: false,
			mode: 'normal',
			status: 'posted',
			made_on,
			amount: cents / 100,
			currency_code: currency,
			description: text,
			description_parsed: {
				cred: null,
				mref: null,
				kref: null,
				debt: null,
				svwz: text,
				abwa: null,
				abwe: null,
				bic: null,
				oamt: null,
				coam: null,
				purp: null,
				...parsed,
			},
			category,
			extra: {
				time: at.toFormat('HH:mm:ss'),
				payee: out ? partner : account.holder,
				payer: out ? account.holder : partner,
				additional: parsed.mref ? 'SEPA-Lastschrift' : out ? 'SEPA-Überweisung' : 'SEPA-Gutschrift',
				posting_date: made_on,
				end_to_end_id: endToEndId,
				payee_information: out ? '' : account.iban,
				payer_information: out ? account.iban : '',
				categorization_confidence: 0.97,
			},
			created_at: iso(at),
			updated_at: iso(at),
		};
		return { cents, transaction };
	}
}

/** Days since the opening, cached because date arithmetic would take most of the time of an answer. */
const calendar: Array<[date: string, day: DateTime]> = [];

/** The days from the opening to this one. */
function calendarUntil(today: string): typeof calendar {
	let next = calendar.at(-1)?.[1].plus({ days: 1 }) ?? DateTime.fromISO(OPENING_DAY, { zone: ZONE });
	for (let date = next.toISODate()!; date <= today; next = next.plus({ days: 1 }), date = next.toISODate()!) {
		calendar.push([date, next]);
	}
	return calendar.filter(([date]) => date <= today);
}

function causeOf({ id, updated_at, payment_attributes }: Payment): Cause {
	const { amount, currency_code, description, creditor_name, creditor_bic, end_to_end_id } =
		payment_attributes;
	return {
		name: `payment/${id}`,
		payment_id: id,
		// A settled payment no longer changes.
		at: DateTime.fromISO(updated_at, { zone: ZONE }),
		cents: -Math.round(Number(amount) * 100),
		currency: currency_code,
		partner: creditor_name,
		text: description,
		category: 'transfer',
		endToEndId: end_to_end_id,
		parsed: { bic: creditor_bic ?? null },
	};
}

const byTime = (a: Movement, b: Movement) => (a.transaction.created_at < b.transaction.created_at ? -1 : 1);

const iso = (time: DateTime) => time.toUTC().toISO({ suppressMilliseconds: true })!;
