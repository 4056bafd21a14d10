import type { IDataObject } from 'n8n-workflow';

import { defineRead } from '../../shared/operation';
import { germanHeadings, output } from '../../shared/form';
import { flat, isEmptyList, recordsOf, rowsOf, warningAbout } from '../../shared/answer';
import { explainCompany } from '../exportSubscription';
import { ofCompany, yearQuery } from '../parameters';
import { BOOKINGS } from './journal';

const LINE_COLUMNS = [
	'bookingNumber',
	'kontonummer',
	'buchungstext',
	'umsatz',
	'waehrung',
	'sollHabenKennzeichen',
	'buSchluessel',
	'kost1',
	'kost2',
	'id',
];
const BOOKING_COLUMNS = ['buchungstext', 'waehrung', 'sollHabenKennzeichen', 'buchungszeilen', 'id'];

/** Bookings that can't become rows. */
function withoutLines(answer: unknown): string | undefined {
	const numbers = recordsOf(answer).flatMap(({ buchungszeilen, buchungstext }, i) =>
		isEmptyList(buchungszeilen) ? [`no. ${i + 1} (${String(buchungstext)})`] : [],
	);
	return warningAbout(numbers, 'bookings without lines have no row (Output "Bookings" has them):');
}

/** The lines of all bookings, one after another: a year has so many that lists of them would fill the memory. */
function* linesIn(answer: unknown): Generator<IDataObject> {
	for (const [i, booking] of recordsOf(answer).entries()) {
		// A booking's `id` can be null; the number shows which lines belong together.
		const lines = rowsOf([{ bookingNumber: i + 1, ...booking }], 'buchungszeilen');
		for (const line of lines) yield flat(line, ['kostenstellen']);
	}
}

/** `listJournalBookings` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many journal bookings',
	description: 'List the bookings of a fiscal year (Buchungsdaten, Journal)',
	endpoint: 'GET /v2/acct-rewe-read/buchungsdaten',
	parameters: {
		...ofCompany,
		output: output([
			['lines', 'Lines', 'One item per line (Buchungszeile), with the fields of its booking'],
			['bookings', 'Bookings', 'One item per booking, with its lines'],
		]),
	},
	options: { germanHeadings },
	request: (values) => ({ query: { ...yearQuery(values), companyId: values.companyId } }),
	companyOf: ({ companyId }) => companyId,
	explain: explainCompany,
	answer: BOOKINGS,
	omissions: (answer, { output }) => [output === 'bookings' ? undefined : withoutLines(answer)],
	columns: ({ output }) => (output === 'bookings' ? BOOKING_COLUMNS : LINE_COLUMNS),
	records: (answer, { output }) => (output === 'bookings' ? recordsOf(answer) : linesIn(answer)),
});
