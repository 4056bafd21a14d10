import { defineRead } from '../../shared/operation';
import { recordsOfList } from '../../shared/gateway/records';
import { openListOf } from '../../shared/gateway/verify';

/** `listTicketProducts`, whose IDs are the `product_id` of a ticket. */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many products',
	description: 'List the ticket products that can be bought (Ticketprodukte)',
	endpoint: 'GET /v2/mobility/products',
	parameters: {},
	request: () => ({}),
	answer: openListOf('products'),
	records: recordsOfList,
});
