import { defineRead } from '../../shared/operation';
import { openListOf, recordsOfList } from '../../shared/answer';
import { both } from '../../shared/values';

/** The names under which a product may carry its ID. */
export const PRODUCT_IDS = ['product_id', 'productId', 'id'];

/** `listTicketProducts`, whose IDs are the `product_id` of a ticket. */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many products',
	description: 'List the ticket products that can be bought (Ticketprodukte)',
	endpoint: 'GET /v2/mobility/products',
	parameters: {},
	request: () => ({}),
	expects: openListOf(both('products', 'der Produkte')),
	records: recordsOfList(...PRODUCT_IDS),
});
