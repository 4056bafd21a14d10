import { defineOperation } from '../../shared/operation';
import { companyId } from '../../shared/parameters/accounting';
import { additionalFields } from '../../shared/parameters/collection';
import { output } from '../../shared/parameters/options';
import { flat, recordsOf, rowsOf, withColumns } from '../../shared/transport/records';
import { explainCompany, yearParameters, yearQuery } from '../parameters';

const LINE_COLUMNS = [
	'bookingNumber',
	'id',
	'buchungstext',
	'waehrung',
	'sollHabenKennzeichen',
	'kontonummer',
	'umsatz',
	'buSchluessel',
	'kost1',
	'kost2',
];

/** `listJournalBookings` */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many journal bookings',
	description: 'List the bookings of a fiscal year (Buchungsdaten, Journal)',
	kind: 'read',
	endpoint: 'GET /v2/acct-rewe-read/buchungsdaten',
	sendsSource: true,
	parameters: {
		...yearParameters({ takesCompany: true }),
		output: output([
			['bookings', 'Bookings', 'One item per booking, with its lines'],
			['lines', 'Lines', 'One item per line (Buchungszeile), with the fields of its booking'],
		]),
		additionalFields: additionalFields({ companyId }),
	},
	request: (values, options) => ({
		query: { ...yearQuery(values, options), companyId: values.additionalFields.companyId },
	}),
	explain: explainCompany,
	records(answer, { output }) {
		const bookings = recordsOf(answer);
		if (output !== 'lines') return bookings;
		// A booking's `id` can be null; the number shows which lines belong together.
		const numbered = bookings.map((booking, i) => ({ bookingNumber: i + 1, ...booking }));
		return rowsOf(numbered, 'buchungszeilen').map((line) =>
			withColumns(flat(line, ['kostenstellen']), LINE_COLUMNS),
		);
	},
});
