import omit from 'lodash/omit.js';
import { DateTime } from 'luxon';
import type { components } from '../../api/gateway.js';
import { ApiError } from '../http/apiError.mjs';
import type { Slice, Store } from '../store.mjs';
import { type Customers, organizationOf } from './customers.mjs';
import { type Product, PRODUCTS } from './products.mjs';

type Ticket = components['schemas']['Ticket'];
type TicketRequest = components['schemas']['TicketRequest'];
type Settings = Record<string, unknown>;
type AllSettings = Record<'tariff_settings' | 'identification_medium', Settings>;

/** A ticket with its account. Before its activation, it has no status. */
type StoredTicket = Omit<Ticket, 'status'> & { account: string; status: Ticket['status'] | null };

/** The answer for a new ticket that must still be activated. */
type PartialTicket = Pick<Ticket, 'id' | 'coupon_id'>;

export const TRANSITIONS = ['cancel', 'expire', 'renew'] as const;

const ZONE = 'Europe/Berlin';

/** All tickets and their states. */
export class Tickets {
	readonly #tickets: Slice<StoredTicket[]>;

	constructor(
		private readonly store: Store,
		private readonly customers: Customers,
	) {
		this.#tickets = store.addSlice('tickets', () => []);
		store.addList('tickets', () => this.#tickets.value);
	}

	/** Sells a ticket to an account; some products return a partial ticket. */
	create(account: string, request: TicketRequest): Ticket | PartialTicket {
		const { product_id, customer_id, tariff_settings = {}, identification_medium = {} } = request;
		const product = PRODUCTS.find(({ id }) => id === product_id);
		if (!product) {
			throw new ApiError(422, `There is no ticket product "${product_id}".`, 'product_id', 'unknown');
		}
		const customer = customer_id === undefined ? undefined : this.customers.find(account, customer_id);
		if (customer_id !== undefined && !customer) {
			throw new ApiError(422, `There is no customer ${customer_id}.`, 'customer_id', 'unknown');
		}
		const settings = { tariff_settings, identification_medium };
		checkSettings(product, settings);
		const ticket = this.#make(product, account, customer?.id ?? null, settings);
		if (!product.partial) this.#activate(ticket);
		this.#tickets.value.push(ticket);
		return product.partial ? { id: ticket.id, coupon_id: ticket.coupon_id } : withoutAccount(ticket);
	}

	/** Activates an account's partial ticket. */
	activate(account: string, id: string, body: { coupon_id: string; tariff_settings?: Settings }): Ticket {
		const ticket = this.#tickets.value.find((one) => one.account === account && one.id === id.toLowerCase());
		if (!ticket) throw new ApiError(404, `There is no ticket ${id}.`, 'id', 'unknown');
		if (ticket.status !== null) {
			throw new ApiError(409, `The ticket ${ticket.id} is already ${ticket.status}.`, 'id', ticket.status);
		}
		if (body.coupon_id !== ticket.coupon_id) {
			const message = `The coupon "${body.coupon_id}" is not that of this ticket.`;
			throw new ApiError(422, message, 'coupon_id', 'mismatch');
		}
		const tariff_settings = { ...ticket.tariff_settings, ...body.tariff_settings };
		const product = PRODUCTS.find((one) => one.id === ticket.product_id)!;
		const { identification_medium = {} } = ticket.metadata.ticket as Partial<AllSettings>;
		checkSettings(product, { tariff_settings, identification_medium });
		Object.assign(ticket, { tariff_settings });
		this.#activate(ticket);
		return withoutAccount(ticket);
	}

	/** Cancels, expires or renews a ticket. The contract doesn't say what causes this in a real gateway. */
	transition(id: string, transition: (typeof TRANSITIONS)[number]): StoredTicket {
		const ticket = this.#tickets.value.find((one) => one.id === id);
		if (!ticket) throw new ApiError(404, `There is no ticket ${id}.`, 'id');
		if (ticket.status !== 'active' || (transition === 'renew' && !ticket.is_subscription)) {
			const state = ticket.status ?? 'not activated yet';
			const which = transition === 'renew' ? 'an active subscription' : 'an active ticket';
			throw new ApiError(409, `Only ${which} can ${transition}; this ticket is ${state}.`);
		}
		if (transition === 'renew') renew(ticket);
		else ticket.status = transition === 'cancel' ? 'cancelled' : 'expired';
		ticket.updated_at = this.store.now().toISOString();
		this.store.events.emit('change');
		return ticket;
	}

	/** Creates a ticket that isn't activated yet. */
	#make(
		product: Product,
		account: string,
		customer_id: string | null,
		{ tariff_settings, identification_medium }: AllSettings,
	): StoredTicket {
		const { store } = this;
		const number = String(store.nextNumber('coupon')).padStart(6, '0');
		const now = store.now().toISOString();
		return {
			account,
			id: store.nextId('ticket'),
			organization_id: organizationOf(store, account),
			customer_id,
			product_id: product.id,
			product_name: product.name,
			ticket_type: product.ticket_type,
			is_subscription: product.ticket_type === 'subscription',
			coupon_id: `CPN-${number}`,
			ticket_id: null,
			subscription_id: null,
			order_id: `O-${number}`,
			status: null,
			renewal_status: null,
			current_cycle: 0,
			tariff_settings,
			valid_from: null,
			valid_until: null,
			price_in_cents: product.price_in_cents,
			metadata: {
				order: { number: `O-${number}`, ordered_at: now },
				ticket: { identification_medium },
				product: { id: product.id, name: product.name },
				billable_item_id: `BI-${number}`,
			},
			invoice_id: null,
			created_at: now,
			updated_at: now,
		};
	}

	/** Makes a ticket valid from today: a day ticket for the day, all others to the end of the month. */
	#activate(ticket: StoredTicket): void {
		const now = DateTime.fromJSDate(this.store.now(), { zone: ZONE });
		const number = ticket.coupon_id.slice('CPN-'.length);
		Object.assign(ticket, {
			status: 'active',
			ticket_id: `T-${number}`,
			subscription_id: ticket.is_subscription ? `S-${number}` : null,
			renewal_status: ticket.is_subscription ? 'pending' : null,
			current_cycle: 1,
			valid_from: now.startOf('day').toISO({ suppressMilliseconds: true }),
			valid_until: endOf(now, ticket.ticket_type === 'day' ? 'day' : 'month'),
			updated_at: this.store.now().toISOString(),
		} satisfies Partial<StoredTicket>);
	}
}

/** Refuses a ticket if a setting required by its product is wrong or missing. */
function checkSettings({ name, needs }: Product, given: AllSettings): void {
	if (!needs) return;
	const { object, key, pattern, rule } = needs;
	const value = given[object][key];
	if (typeof value === 'string' && pattern.test(value)) return;
	throw new ApiError(
		422,
		`"${name}" needs ${rule} in "${object}".`,
		`${object}/${key}`,
		value === undefined ? 'required' : 'pattern',
	);
}

/** Extends a subscription to the end of its next month. */
function renew(ticket: StoredTicket): void {
	const next = DateTime.fromISO(ticket.valid_until!, { zone: ZONE }).plus({ seconds: 1 });
	ticket.renewal_status = 'renewed';
	ticket.current_cycle++;
	ticket.valid_until = endOf(next, 'month');
}

const endOf = (time: DateTime, unit: 'day' | 'month') =>
	time.endOf(unit).startOf('second').toISO({ suppressMilliseconds: true });

const withoutAccount = (ticket: StoredTicket) => omit(ticket, 'account') as Ticket;
