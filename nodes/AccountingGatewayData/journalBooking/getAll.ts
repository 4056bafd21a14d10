import { companyId, connectionId, geschaeftsjahrStartDatum } from '../../shared/locators';
import { recordsOf, rowsOf } from '../../shared/operation';
import type { Operation } from '../../shared/operation';
import { additionalFields, outputOption } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';
import { fiscalYearQuery } from '../fields';

const OUTPUTS = ['bookings', 'lines'] as const;

/** Row 9 of the specification's endpoint table. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many journal bookings',
	description: 'List the bookings of a fiscal year (Buchungsdaten, Journal)',
	kind: 'read',
	quelle: true,
	fields: [connectionId('ReweRead'), geschaeftsjahrStartDatum, additionalFields(companyId)],
	options: [
		outputOption([
			['bookings', 'Bookings', 'One item per booking, with its lines'],
			['lines', 'Lines', 'One item per line (Buchungszeile), with the fields of its booking'],
		]),
	],
	request: (item) => {
		item.options.choice('output', OUTPUTS);
		return gatewayRequest('GET /v2/acct-rewe-read/buchungsdaten', {
			query: { ...fiscalYearQuery(item), companyId: item.additional.companyId('companyId') },
		});
	},
	records(body, item) {
		const bookings = recordsOf(body);
		if (item.options.raw('output') !== 'lines') return bookings;
		// A booking's `id` can be null; without its number nobody could tell which lines belong together.
		const numbered = bookings.map((booking, i) => ({ bookingNumber: i + 1, ...booking }));
		return rowsOf(numbered, 'buchungszeilen');
	},
};
