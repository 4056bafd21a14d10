import { recordsOfList } from '../../shared/operation';
import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';

/** `GET /v2/mobility/products`, whose IDs are the `product_id` of a ticket. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many products',
	description: 'List the ticket products that can be bought (Ticketprodukte)',
	kind: 'read',
	fields: [],
	request: () => gatewayRequest('GET /v2/mobility/products', {}),
	records: recordsOfList,
};
