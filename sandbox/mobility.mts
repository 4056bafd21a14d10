import type { FastifyInstance } from 'fastify';
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { components } from '../nodes/shared/contract.js';
import { type Handlers, Refusal } from './handlers.mjs';
import type { World } from './world.mjs';

type Schemas = components['schemas'];
type Settings = Record<string, unknown>;

/** A ticket product. What the gateway's own products look like is "not shown"; these are made up. */
interface Product {
	id: string;
	name: string;
	ticket_type: 'subscription' | 'month' | 'day';
	price_in_cents: number;
	/** The setting that it needs: in which object, under which key, what it must look like. */
	needs?: { object: 'tariff_settings' | 'identification_medium'; key: string; pattern: RegExp; rule: string };
	/** Creating it answers partially: it has to be activated. */
	partial: boolean;
}

const POSTAL_CODE: Product['needs'] = {
	object: 'tariff_settings',
	key: 'postal_code',
	pattern: /^\d{5}$/,
	rule: 'a German postal code of 5 digits',
};
const PHONE_NUMBER: Product['needs'] = {
	object: 'identification_medium',
	key: 'phone_number',
	pattern: /^\+\d{6,15}$/,
	rule: 'a phone number like +491701234567',
};

const PRODUCTS: readonly Product[] = [
	{
		id: 'deutschlandticket',
		name: 'Deutschland-Ticket',
		ticket_type: 'subscription',
		price_in_cents: 6300,
		needs: POSTAL_CODE,
		partial: false,
	},
	{
		id: 'deutschlandticket-job',
		name: 'Deutschland-Ticket Job',
		ticket_type: 'subscription',
		price_in_cents: 5985,
		needs: POSTAL_CODE,
		partial: true,
	},
	{
		id: 'regio-handyticket',
		name: 'RegioTicket Franken (Handy)',
		ticket_type: 'month',
		price_in_cents: 8940,
		needs: PHONE_NUMBER,
		partial: true,
	},
	{
		id: 'tagesticket-plus',
		name: 'TagesTicket Plus',
		ticket_type: 'day',
		price_in_cents: 1430,
		partial: false,
	},
];

const ZONE = 'Europe/Berlin';

/** A ticket with the account that it belongs to. Before its activation it has no status. */
type StoredTicket = Omit<Schemas['Ticket'], 'status'> & {
	account: string;
	status: Schemas['Ticket']['status'] | null;
};
type StoredCustomer = Schemas['Customer'] & { account: string };

/** The operations that sell tickets and create customers. */
export function mobilityHandlers(world: World): Handlers {
	const tickets = world.slice<StoredTicket[]>('tickets', () => []);
	const customers = world.slice<StoredCustomer[]>('customers', () => []);
	world.list('tickets', () => tickets.value);
	world.list('customers', () => customers.value);

	return {
		listTicketProducts: () => ({
			body: { data: PRODUCTS.map(({ id, name }) => ({ id, name })) },
		}),

		createTicket: ({ account, body }) => {
			const { product_id, customer_id, tariff_settings = {}, identification_medium = {} } = body;
			const product = PRODUCTS.find(({ id }) => id === product_id);
			if (!product) {
				throw new Refusal(422, `There is no ticket product "${product_id}".`, 'product_id', 'unknown');
			}
			const customer =
				customer_id === undefined
					? undefined
					: customers.value.find((one) => one.account === account.id && one.id === customer_id.toLowerCase());
			if (customer_id !== undefined && !customer) {
				throw new Refusal(422, `There is no customer ${customer_id}.`, 'customer_id', 'unknown');
			}
			// A tariff setting that is missing now may still come with the activation, where there is one.
			const mayMiss = product.partial && product.needs?.object === 'tariff_settings';
			checkSettings(product, { tariff_settings, identification_medium }, mayMiss);
			const ticket = newTicket(world, product, account.id, customer?.id ?? null, {
				tariff_settings,
				identification_medium,
			});
			if (!product.partial) activate(world, ticket);
			tickets.value.push(ticket);
			return {
				body: product.partial ? { id: ticket.id, coupon_id: ticket.coupon_id } : withoutAccount(ticket),
			};
		},

		activateTicket: ({ account, params, body }) => {
			const ticket = tickets.value.find(
				(one) => one.account === account.id && one.id === params.id.toLowerCase(),
			);
			if (!ticket) throw new Refusal(404, `There is no ticket ${params.id}.`, 'id', 'unknown');
			if (ticket.status !== null) {
				throw new Refusal(409, `The ticket ${ticket.id} is ${ticket.status} already.`, 'id', ticket.status);
			}
			if (body.coupon_id !== ticket.coupon_id) {
				throw new Refusal(
					422,
					`The coupon "${body.coupon_id}" is not that of this ticket.`,
					'coupon_id',
					'mismatch',
				);
			}
			const tariff_settings = { ...ticket.tariff_settings, ...body.tariff_settings };
			const product = PRODUCTS.find(({ id }) => id === ticket.product_id)!;
			const { identification_medium = {} } = ticket.metadata.ticket as { identification_medium?: Settings };
			checkSettings(product, { tariff_settings, identification_medium }, false);
			activate(world, Object.assign(ticket, { tariff_settings }));
			return { body: withoutAccount(ticket) };
		},

		createCustomer: ({ account, body }) => {
			const { name, ...address_lines } = body;
			if (name.trim() === '') throw new Refusal(422, 'The name is empty.', 'name', 'empty');
			const now = world.now().toISOString();
			const customer = {
				id: world.id('customer'),
				organization_id: organization(world, account.id),
				provider_customer_id: `C-${String(world.count('provider-customer')).padStart(6, '0')}`,
				name,
				address_lines,
				created_at: now,
				updated_at: now,
			};
			customers.value.push({ ...customer, account: account.id });
			return { body: customer };
		},
	};
}

/** Refuses a ticket whose product needs a setting that is wrong or, unless `mayMiss`, missing. */
function checkSettings(
	{ name, needs }: Product,
	given: Record<'tariff_settings' | 'identification_medium', Settings>,
	mayMiss: boolean,
): void {
	if (!needs) return;
	const { object, key, pattern, rule } = needs;
	const value = given[object][key];
	if (value === undefined && mayMiss) return;
	if (typeof value === 'string' && pattern.test(value)) return;
	throw new Refusal(
		422,
		`"${name}" needs ${rule} in "${object}".`,
		`${object}/${key}`,
		value === undefined ? 'required' : 'pattern',
	);
}

/** A ticket that awaits its activation. */
function newTicket(
	world: World,
	product: Product,
	account: string,
	customer_id: string | null,
	{ tariff_settings, identification_medium }: Record<'tariff_settings' | 'identification_medium', Settings>,
): StoredTicket {
	const number = String(world.count('coupon')).padStart(6, '0');
	const now = world.now().toISOString();
	return {
		account,
		id: world.id('ticket'),
		organization_id: organization(world, account),
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
function activate(world: World, ticket: StoredTicket): void {
	const now = DateTime.fromJSDate(world.now(), { zone: ZONE });
	const number = ticket.coupon_id.slice('CPN-'.length);
	Object.assign(ticket, {
		status: 'active',
		ticket_id: `T-${number}`,
		subscription_id: ticket.is_subscription ? `S-${number}` : null,
		renewal_status: ticket.is_subscription ? 'pending' : null,
		current_cycle: 1,
		valid_from: now.startOf('day').toISO({ suppressMilliseconds: true }),
		valid_until: endOf(now, ticket.ticket_type === 'day' ? 'day' : 'month'),
		updated_at: world.now().toISOString(),
	} satisfies Partial<StoredTicket>);
}

const endOf = (time: DateTime, unit: 'day' | 'month') =>
	time.endOf(unit).startOf('second').toISO({ suppressMilliseconds: true });

const organization = (world: World, account: string) => world.fixedId(`organization/${account}`);

const withoutAccount = ({ account: _account, ...ticket }: StoredTicket) => ticket;

const transitionSchema = z.enum(['cancel', 'expire', 'renew']);

/**
 * Adds `POST /sandbox/tickets/:id/:transition` with `cancel`, `expire` or `renew`. What causes these in a real gateway
 * is "not shown".
 */
export function mobilityControls(app: FastifyInstance, world: World): void {
	app.post<{ Params: { id: string; transition: string } }>('/tickets/:id/:transition', ({ params }) => {
		const transition = transitionSchema.parse(params.transition, { path: ['transition'] });
		const ticket = (world.listed('tickets') as StoredTicket[]).find(({ id }) => id === params.id);
		if (!ticket) throw new Refusal(404, `There is no ticket ${params.id}.`, 'id');
		if (ticket.status !== 'active' || (transition === 'renew' && !ticket.is_subscription)) {
			const state = ticket.status ?? 'not activated yet';
			throw new Refusal(
				409,
				`Only an active ticket can ${transition}, a subscription at that; it is ${state}.`,
			);
		}
		if (transition === 'renew') renew(ticket);
		else ticket.status = transition === 'cancel' ? 'cancelled' : 'expired';
		ticket.updated_at = world.now().toISOString();
		world.events.emit('change');
		return ticket;
	});
}

/** Goes on to the subscription's next month. */
function renew(ticket: StoredTicket): void {
	const next = DateTime.fromISO(ticket.valid_until!, { zone: ZONE }).plus({ seconds: 1 });
	ticket.renewal_status = 'renewed';
	ticket.current_cycle++;
	ticket.valid_until = endOf(next, 'month');
}
