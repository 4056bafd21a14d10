import {
	bilingual,
	both,
	DATE_SHAPE,
	inDefaultZone,
	parseDate,
	parseDateTime,
	strangeDay,
} from '../../values';
import { parameter } from '../parameter';
import type { Spec } from '../parameter';
import type { Place } from '../place';
import { flag } from './choice';

/** Tells how to type a date: n8n's picker drops one in German notation without a word. */
const typed = <S extends Spec>(spec: S): S => ({
	...spec,
	description: `${(spec.description ?? spec.displayName).replace(/\.$/, '')}. Choose the day in the calendar, or type 31.03.2026 as an expression: the field itself drops it.`,
});

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
	parameter(typed(spec), { type: 'dateTime', default: '' }, (given, place) => {
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

/**
 * A parameter of the contract's type `date`: YYYY-MM-DD.
 * @param spec.default the form's default, which may be an expression
 */
export const date = <const S extends Spec & { default?: string }>(spec: S) =>
	parameter(
		typed(spec),
		{ type: 'dateTime', typeOptions: { dateOnly: true }, default: spec.default ?? '' },
		(given, place) => {
			const parsed = parseDate(given, place.holder.zone);
			return 'value' in parsed ? parsed.value : place.addIssue(parsed.rule, given);
		},
		DATE_SHAPE,
	);
