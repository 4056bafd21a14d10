import type { Item } from '../shared/item';
import { connectionQuery } from '../shared/locators';

/** The query parameters of a report of one fiscal year. */
export const fiscalYearQuery = (item: Item) => ({
	...connectionQuery(item),
	geschaeftsjahrStartDatum: item.date('geschaeftsjahrStartDatum', { required: true }),
});
