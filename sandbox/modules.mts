import type { FastifyInstance } from 'fastify';
import { Ledger } from './accounting/ledger.mjs';
import { accountingHandlers } from './accounting/routes.mjs';
import { Bank } from './banking/bank.mjs';
import { Payments } from './banking/payments.mjs';
import { addBankingControls, bankingHandlers } from './banking/routes.mjs';
import { Webhooks } from './banking/webhooks.mjs';
import { CashBookEntries } from './delivery/cashBookEntries.mjs';
import { Documents } from './delivery/documents.mjs';
import { Files } from './delivery/files.mjs';
import { addDeliveryControls, deliveryHandlers } from './delivery/routes.mjs';
import type { Handlers } from './http/handlers.mjs';
import { Customers } from './mobility/customers.mjs';
import { addMobilityControls, mobilityHandlers } from './mobility/routes.mjs';
import { Tickets } from './mobility/tickets.mjs';
import type { Store } from './store.mjs';

/** The services of all modules, each with its part of the state. */
export type Services = ReturnType<typeof createServices>;

/** Creates the services of all modules on one store. Only this function wires them together. */
export function createServices(store: Store) {
	const files = new Files(store);
	const ledger = new Ledger(store);
	const customers = new Customers(store);
	const webhooks = new Webhooks(store);
	return {
		files,
		ledger,
		entries: new CashBookEntries(store, ledger, files),
		documents: new Documents(store, files),
		customers,
		tickets: new Tickets(store, customers),
		bank: new Bank(store),
		payments: new Payments(store, webhooks),
		webhooks,
	};
}

/** The handlers of all operations. */
export const createHandlers = (store: Store, services: Services): Handlers => ({
	...deliveryHandlers(store, services),
	...accountingHandlers(store, services),
	...mobilityHandlers(services),
	...bankingHandlers(services),
});

/** Adds the modules' routes below `/sandbox`. */
export function addModuleControls(app: FastifyInstance, store: Store, services: Services): void {
	addDeliveryControls(app, services);
	addMobilityControls(app, services);
	addBankingControls(app, store, services);
}
