import type { Resource } from '../shared/operation';
import { getAll as getBalances } from './balance/getAll';
import { get as getConnection } from './connection/get';
import { get as getPayment } from './payment/get';
import { get as getTransaction } from './transaction/get';
import { setUrl } from './webhook/setUrl';

/** What the node offers, in the order of its lists. */
export const resources: Resource[] = [
	{ value: 'balance', name: 'Balance (Kontostand)', operations: [getBalances] },
	{ value: 'connection', name: 'Connection (Bankverbindung)', operations: [getConnection] },
	{ value: 'payment', name: 'Payment (Zahlung)', operations: [getPayment] },
	{ value: 'transaction', name: 'Transaction (Umsatz)', operations: [getTransaction] },
	{ value: 'webhook', name: 'Webhook', operations: [setUrl] },
];
