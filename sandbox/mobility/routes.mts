import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Handlers } from '../http/handlers.mjs';
import type { Customers } from './customers.mjs';
import { PRODUCTS } from './products.mjs';
import { type Tickets, TRANSITIONS } from './tickets.mjs';

interface MobilityServices {
	customers: Customers;
	tickets: Tickets;
}

/** Handlers of the operations that sell tickets and create customers. */
export function mobilityHandlers({ customers, tickets }: MobilityServices) {
	return {
		listTicketProducts: () => ({ body: { data: PRODUCTS.map(({ id, name }) => ({ id, name })) } }),
		createTicket: ({ account, body }) => ({ body: tickets.create(account.id, body) }),
		activateTicket: ({ account, params, body }) => ({ body: tickets.activate(account.id, params.id, body) }),
		createCustomer: ({ account, body: { name, ...address } }) => ({
			body: customers.create(account.id, name, address),
		}),
	} satisfies Partial<Handlers>;
}

const transitionSchema = z.enum(TRANSITIONS);

/** Adds `POST /sandbox/tickets/:id/:transition`. */
export function addMobilityControls(app: FastifyInstance, { tickets }: MobilityServices): void {
	app.post<{ Params: { id: string; transition: string } }>('/tickets/:id/:transition', ({ params }) =>
		tickets.transition(params.id, transitionSchema.parse(params.transition, { path: ['transition'] })),
	);
}
