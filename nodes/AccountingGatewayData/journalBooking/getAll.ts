import { defineRead } from '../../shared/operation';
import { germanHeadings, output } from '../../shared/form';
import { additionalFields, locator, ofSimplified, text } from '../../shared/parameters';
import { companyId } from '../company/companyId';
import { accountsOf } from '../account/list';
import { explainCompany } from '../exportSubscription';
import { ofCompany, yearQuery } from '../parameters';
import { BOOKINGS } from './answer';
import { lineProblems, linesIn, wantedBookings } from './lines';

const LINE_COLUMNS = [
	'bookingNumber',
	'kontonummer',
	'buchungstext',
	'umsatz',
	'sollHabenKennzeichen',
	'umsatzSigned',
	'buSchluessel',
	'kost1',
	'kost2',
	'waehrung',
];
const BOOKING_COLUMNS = ['buchungstext', 'waehrung', 'sollHabenKennzeichen', 'buchungszeilen', 'id'];

const { connectionId, geschaeftsjahrStartDatum } = ofCompany;

const filters = {
	kontonummer: ofSimplified(
		locator(
			text({
				displayName: 'Account',
				description:
					'Only bookings that touch this account, with all of their lines (kontonummer, Kontoblatt). The list has the accounts of the default company.',
				placeholder: 'e.g. 1200',
			}),
			{
				list: accountsOf('searchJournalAccounts', { connectionId, geschaeftsjahrStartDatum }),
				by: 'By Number',
			},
		),
		true,
	),
	text: ofSimplified(
		text({
			displayName: 'Text',
			description: 'Only bookings whose text contains this, in upper- or lowercase (Buchungstext)',
			placeholder: 'e.g. Miete',
			asWritten: true,
		}),
		true,
	),
};

/** `listJournalBookings` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many journal bookings',
	description: 'List the bookings of a fiscal year, or of one account (Buchungsdaten, Journal, Kontoblatt)',
	endpoint: 'GET /v2/acct-rewe-read/buchungsdaten',
	parameters: {
		connectionId,
		companyId,
		geschaeftsjahrStartDatum,
		output: output([
			['lines', 'Lines', 'One item per line (Buchungszeile), with the fields of its booking'],
			['bookings', 'Bookings', 'One item per booking, with its lines'],
		]),
		additionalFields: additionalFields(filters),
	},
	options: { germanHeadings },
	request: (values) => ({ query: { ...yearQuery(values), companyId: values.companyId } }),
	readFrom: ({ companyId }) => ({ companyId }),
	explain: explainCompany,
	expects: BOOKINGS,
	omissions: (answer, { output, additionalFields }) =>
		output === 'bookings' ? [] : lineProblems(answer, additionalFields),
	columns: ({ output }) => (output === 'bookings' ? BOOKING_COLUMNS : LINE_COLUMNS),
	records: (answer, { output, additionalFields }) =>
		output === 'bookings'
			? [...wantedBookings(answer, additionalFields)].map(([, booking]) => booking)
			: linesIn(answer, additionalFields),
});
