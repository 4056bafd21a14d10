import { setTimeout as sleep } from 'node:timers/promises';
import countBy from 'lodash/countBy.js';
import omit from 'lodash/omit.js';
import { z } from 'zod';
import type { components } from '../../api/gateway.js';
import { BANK_ACCOUNTS, type BankAccount } from './bankAccounts.mjs';
import { ApiError } from '../http/apiError.mjs';
import type { Slice, Store } from '../store.mjs';
import type { Delivery, Webhooks } from './webhooks.mjs';

type Schemas = components['schemas'];
export type Payment = Schemas['Payment'];
type Status = Payment['status'];
type Event = Schemas['PaymentUpdate'];

/**
 * The statuses that can follow each status. The contract leaves open which statuses lead to `failed` and `rejected`:
 * here, every status that isn't final.
 */
const TRANSITIONS: Record<Status, readonly Status[]> = {
	initiated_info_required: ['authorizing', 'failed', 'rejected'],
	authorizing: ['processing', 'failed', 'rejected'],
	processing: ['settled', 'failed', 'rejected'],
	settled: [],
	failed: [],
	rejected: [],
};

/** The bank's own status codes (ISO 20022). A settled instant transfer has `ACCC` instead. */
const RAW_STATUS: Record<Status, string | null> = {
	initiated_info_required: null,
	authorizing: 'RCVD',
	processing: 'ACSP',
	settled: 'ACSC',
	failed: 'CANC',
	rejected: 'RJCT',
};

/** Credits that a payment costs when it settles. */
const CREDITS = 3;

/** The control API's input for a new payment; every field is optional. */
const paymentSchema = z
	.object({
		id: z.string().min(1).max(500).optional(),
		/** The paying bank account. It determines the payment's owner and its api (`partner` or `openbanking`). */
		bank_account: z.string().default('acc-giro'),
		status: z.enum(['initiated_info_required', 'authorizing']).default('initiated_info_required'),
		template_identifier: z.enum(['SEPA', 'SEPA_INSTANT']).default('SEPA'),
		payment_attributes: z
			.object({
				amount: z.string().regex(/^\d{1,9}\.\d{2}$/),
				description: z.string(),
				creditor_name: z.string(),
				creditor_iban: z.string(),
				creditor_bic: z.string(),
				end_to_end_id: z.string(),
				customer_ip_address: z.string(),
			})
			.partial()
			.strict()
			.default({}),
		custom_fields: z.record(z.unknown()).default({}),
	})
	.strict();
export type PaymentInput = z.input<typeof paymentSchema>;

/** Number of events, and events per second. */
export const loadSchema = z
	.object({
		events: z.number().int().min(1).max(10_000),
		perSecond: z.number().min(0.1).max(500),
		bank_account: z.string().default('acc-giro'),
	})
	.strict();

interface StoredPayment {
	/** The gateway account that owns the payment. */
	account: string;
	api: 'partner' | 'openbanking';
	payment: Payment;
	/** The last event about the payment. */
	event: Event | null;
}

/** A payment as the control API and the page show it. */
type PaymentView = Payment & Pick<StoredPayment, 'account' | 'api'> & { transitions: readonly Status[] };

/** All payments and their states. */
export class Payments {
	/** Delay until reading a payment returns its new status, in milliseconds of machine time. */
	lagMs = 0;

	readonly #payments: Slice<StoredPayment[]>;
	/** Payments' previous states by ID, oldest first; kept only while reads still return them. */
	readonly #past = new Map<string, Array<{ until: number; payment: Payment }>>();

	constructor(
		private readonly store: Store,
		private readonly webhooks: Webhooks,
	) {
		this.#payments = store.addSlice('payments', () => this.#seed());
		store.events.on('reset', () => this.#past.clear());
		store.addList('payments', () => this.#payments.value.map(view));
	}

	/** An account's payment. Only the api that it was created for can find it. */
	find(account: string, api: StoredPayment['api'], id: string): Payment | undefined {
		const stored = this.#payments.value.find(
			(one) => one.payment.id === id && one.account === account && one.api === api,
		);
		const seen = performance.now() - this.lagMs;
		const past = this.#past.get(id)?.find(({ until }) => until > seen);
		return stored && (past ?? stored).payment;
	}

	/** The settled payments of a bank account. */
	settledFrom({ iban }: BankAccount): Payment[] {
		return this.#payments.value
			.map(({ payment }) => payment)
			.filter(
				({ status, payment_attributes }) => status === 'settled' && payment_attributes.debtor_iban === iban,
			);
	}

	create(input: PaymentInput): PaymentView {
		const parsed = paymentSchema.parse(input);
		const { id } = parsed;
		if (this.#payments.value.some(({ payment }) => payment.id === id)) {
			throw new ApiError(409, `The payment ${id} already exists.`, 'id', 'duplicate');
		}
		const stored = this.#make(parsed);
		this.#payments.value.push(stored);
		this.store.events.emit('change');
		return view(stored);
	}

	/**
	 * Moves a payment to its next status and delivers the event.
	 * @returns `delivery` settles once the delivery is over; it is undefined if nothing is delivered
	 */
	move(id: string, status: string): { payment: PaymentView; delivery?: Promise<Delivery> } {
		const stored = this.#get(id);
		const { payment, account } = stored;
		const to = TRANSITIONS[payment.status].find((one) => one === status);
		if (!to) {
			const possible = TRANSITIONS[payment.status].join(', ') || 'nothing, this is final';
			throw new ApiError(409, `The payment is ${payment.status}; it can become: ${possible}.`, 'transition');
		}
		if (this.lagMs > 0) {
			const before = { until: performance.now(), payment: structuredClone(payment) };
			this.#past.set(id, [...(this.#past.get(id) ?? []), before]);
		}
		const now = this.store.now().toISOString();
		Object.assign(payment, {
			status: to,
			raw_provider_status: rawStatus(to, payment.template_identifier),
			updated_at: now,
		} satisfies Partial<Payment>);
		if (to === 'settled') {
			const payer = this.store.accounts.find((one) => one.id === account)!;
			payer.credits = Math.max(0, payer.credits - CREDITS);
		}
		if (to !== 'initiated_info_required') stored.event = eventOf(payment, to, now);
		this.store.events.emit('change');
		return { payment: view(stored), delivery: this.#deliver(stored) };
	}

	/** Delivers a payment's last event again, unchanged. */
	repeat(id: string): Promise<Delivery> | undefined {
		const stored = this.#get(id);
		if (!stored.event) throw new ApiError(409, 'There has been no event about this payment yet.', 'id');
		return this.#deliver(stored);
	}

	/**
	 * Generates events at a steady rate by moving many payments to `authorizing`, then `processing`, then `settled`.
	 * @returns the number of deliveries by their final state, once all have ended
	 */
	async load(input: z.input<typeof loadSchema>): Promise<Partial<Record<Delivery['state'], number>>> {
		const { events, perSecond, bank_account } = loadSchema.parse(input);
		const steps: Status[] = ['authorizing', 'processing', 'settled'];
		const payments = Array.from({ length: Math.ceil(events / steps.length) }, () =>
			this.create({ bank_account }),
		);
		const deliveries: Array<Promise<Delivery>> = [];
		const start = performance.now();
		for (let i = 0; i < events; i++) {
			await sleep(start + (i * 1000) / perSecond - performance.now());
			const { id } = payments[i % payments.length];
			const { delivery } = this.move(id, steps[Math.floor(i / payments.length)]);
			if (delivery) deliveries.push(delivery);
		}
		return countBy(await Promise.all(deliveries), 'state');
	}

	#get(id: string): StoredPayment {
		const stored = this.#payments.value.find(({ payment }) => payment.id === id);
		if (!stored) throw new ApiError(404, `There is no payment ${id}.`, 'id');
		return stored;
	}

	#deliver({ account, event }: StoredPayment): Promise<Delivery> | undefined {
		return event ? this.webhooks.deliver(account, event) : undefined;
	}

	#make(input: Omit<z.output<typeof paymentSchema>, 'status'> & { status: Status }): StoredPayment {
		const { status, bank_account, template_identifier, payment_attributes, custom_fields } = input;
		const payer = BANK_ACCOUNTS.find((one) => one.id === bank_account);
		if (!payer) throw new ApiError(422, `There is no bank account "${bank_account}".`, 'bank_account');
		const { account, api, provider_code, provider_name } = payer.connection;
		const id = input.id ?? this.store.nextId('payment');
		const now = this.store.now().toISOString();
		const payment: Payment = {
			id,
			provider_code,
			provider_name,
			created_at: now,
			updated_at: now,
			refresh_interval: 10,
			refresh_timeout: 600,
			status,
			raw_provider_status: rawStatus(status, template_identifier),
			template_identifier,
			payment_attributes: {
				amount: '119.00',
				debtor_iban: payer.iban,
				description: 'Rechnung RE-1007',
				creditor_iban: 'DE02300209000106531065',
				creditor_name: 'Papier Schmidt OHG',
				creditor_bic: 'CMCIDEDDXXX',
				currency_code: 'EUR',
				end_to_end_id: 'E2E-1007',
				// An address reserved for documentation (RFC 5737).
				customer_ip_address: '192.0.2.10',
				...payment_attributes,
			},
			last_attempt: { id: this.store.idFor(`attempt/${id}`), custom_fields },
		};
		return { account, api, payment, event: null };
	}

	/** The initial payments. */
	#seed(): StoredPayment[] {
		const payment = (
			id: string,
			bank_account: string,
			status: Status,
			attributes: PaymentInput['payment_attributes'],
		) =>
			this.#make({
				...paymentSchema.parse({ bank_account, payment_attributes: attributes }),
				id,
				status,
			});
		return [
			payment('pay-1', 'acc-giro', 'processing', {}),
			payment('pay-2', 'acc-wallet', 'initiated_info_required', {
				amount: '24.90',
				description: 'Bestellung 20117',
				creditor_name: 'Verpackung Online GmbH',
				end_to_end_id: 'E2E-20117',
			}),
			payment('pay-3', 'acc-giro', 'settled', {
				amount: '480.00',
				description: 'Wartung Backofen 2026-114',
				creditor_name: 'Ofenbau Huber e. K.',
				end_to_end_id: 'E2E-2026-114',
			}),
			// Pays an open item in the demo company's books.
			payment('pay-4', 'acc-giro', 'processing', {
				amount: '1244.99',
				description: 'Rechnung 70006/240066',
				creditor_name: 'Backtechnik Schreiber e. K.',
				end_to_end_id: 'E2E-240066',
			}),
		];
	}
}

const view = ({ account, api, payment }: StoredPayment): PaymentView => ({
	...payment,
	account,
	api,
	transitions: TRANSITIONS[payment.status],
});

const rawStatus = (status: Status, template: Payment['template_identifier']) =>
	status === 'settled' && template === 'SEPA_INSTANT' ? 'ACCC' : RAW_STATUS[status];

function eventOf(payment: Payment, status: Event['data']['status'], received_at: string): Event {
	const { raw_provider_status, template_identifier, last_attempt } = payment;
	const { custom_fields } = last_attempt;
	return {
		event: 'payment_update',
		data: {
			payment_id: payment.id,
			status,
			raw_provider_status,
			template_identifier,
			payment_attributes: omit(payment.payment_attributes, 'creditor_bic'),
			...(Object.keys(custom_fields).length ? { custom_fields } : {}),
		},
		received_at,
	};
}
