import { DateTime } from 'luxon';

import { bilingual, both, inDefaultZone, parseDateTime, strangeDay } from '../shared/values';
import type { Moment } from '../shared/values';
import { flag, parameter, typedDate } from '../shared/parameters';
import type { Place, Spec } from '../shared/parameters';

const EARLIER_YEARS = 'Earlier Years';

/** The option `earlierYears` of what is booked on a day. */
export const earlierYears = flag({
	displayName: EARLIER_YEARS,
	description:
		'Whether days that are more than a year back are booked, with a warning (Vorjahre). Otherwise they are refused, because in January every office types the old year.',
	default: true,
	decisive: true,
});

interface DateTimeSpec extends Spec {
	/** Set for the day of a booking: one that must be a mistake is refused. Other strange days are only warned about. */
	isBooked?: true;
}

/** Whether such a day is meant; n8n evaluates all options of an item together. */
const takesEarlierYears = (place: Place): boolean =>
	(place.other('options') as { earlierYears?: unknown } | null)?.earlierYears === true;

const IF_RIGHT = both(
	`If the year is right, turn on the option "${EARLIER_YEARS}"`,
	`Stimmt das Jahr, schalten Sie die Option „${EARLIER_YEARS}“ ein`,
);

/** A parameter of the contract's type `date-time`: the time of a booking or a document. */
export const dateTime = <const S extends DateTimeSpec>(spec: S) =>
	parameter(typedDate(spec), { type: 'dateTime', default: '' }, (given, place) => {
		const { zone } = place.holder;
		const parsed = parseDateTime(given, zone);
		if ('rule' in parsed) return place.addIssue(parsed.rule, given);
		const strange = strangeDay(parsed.value, zone);
		if (strange?.kind === 'impossible' && spec.isBooked) return place.addIssue(strange.says, given);
		if (strange?.kind === 'longAgo' && spec.isBooked && !takesEarlierYears(place))
			return place.addIssue(
				bilingual((language) => `${strange.says[language]}. ${IF_RIGHT[language]}`),
				given,
			);
		if (strange) place.addNote(strange.says);
		const said = inDefaultZone(given, zone);
		if (said) {
			place.addNote(
				both(
					`${said.en}, n8n's default: if that isn't yours, set it in the workflow's settings, or for all workflows in n8n's variable GENERIC_TIMEZONE`,
					`${said.de}, der Voreinstellung von n8n: Ist das nicht Ihre, stellen Sie sie in den Einstellungen des Workflows ein, oder für alle Workflows in der Variable GENERIC_TIMEZONE von n8n`,
				),
			);
		}
		return parsed;
	});

/** An offset at a time: UTC+14 and UTC-12 are the outermost ones. */
const OFFSETS = [14, -12];

/**
 * The days that a moment given with a zone may be on, in whichever zone the workflow is; `undefined` for one that was given
 * without, whose day is the same in all of them.
 */
export function daysAround({ meant }: Pick<Moment, 'meant'>): string[] | undefined {
	if (!meant.endsWith('Z')) return undefined;
	const at = DateTime.fromISO(meant, { zone: 'utc' });
	const days = [...OFFSETS, 0].map((hours) => at.plus({ hours }).toISODate() as string);
	return [...new Set(days)];
}
