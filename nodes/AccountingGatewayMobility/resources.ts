import type { Resource } from '../shared/operation';
import { create as createCustomer } from './customer/create';
import { getAll as getProducts } from './product/getAll';
import { activate } from './ticket/activate';
import { create as createTicket } from './ticket/create';

/** What the node offers, in the order of its lists. */
export const resources: Resource[] = [
	{ value: 'customer', name: 'Customer (Kunde)', operations: [createCustomer] },
	{ value: 'product', name: 'Product (Produkt)', operations: [getProducts] },
	{ value: 'ticket', name: 'Ticket', operations: [createTicket, activate] },
];
