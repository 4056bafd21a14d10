import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../shared/item';

/** The optional fields of an operation. */
export const additionalFields = (...options: INodeProperties[]): INodeProperties => ({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options,
});

/** The query parameters that every operation of the accounting areas has. */
export const connectionQuery = (item: Item) => ({
	connectionId: item.uuid('connectionId', { required: true }),
	quelle: item.quelle,
});

/** The query parameters of a report of one fiscal year. */
export const fiscalYearQuery = (item: Item) => ({
	...connectionQuery(item),
	geschaeftsjahrStartDatum: item.date('geschaeftsjahrStartDatum', { required: true }),
});
