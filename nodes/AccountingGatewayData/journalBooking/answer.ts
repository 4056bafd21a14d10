import { PRESENT, listOf } from '../../shared/answer';
import { both } from '../../shared/values';

/** The answer with the bookings of a year. */
export const BOOKINGS = listOf({
	name: both('bookings', 'der Buchungen'),
	fields: {
		id: PRESENT,
		buchungstext: PRESENT,
		waehrung: PRESENT,
		buchungszeilen: PRESENT,
		sollHabenKennzeichen: PRESENT,
	},
});
