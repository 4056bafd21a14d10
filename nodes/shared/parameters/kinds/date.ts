import { both, DATE_SHAPE, inDefaultZone, parseDate, parseDateTime, strangeDay } from '../../values';
import { parameter } from '../parameter';
import type { Spec } from '../parameter';

/** Tells how to type a date: n8n's picker drops one in German notation without a word. */
const typed = <S extends Spec>(spec: S): S => ({
	...spec,
	description: `${(spec.description ?? spec.displayName).replace(/\.$/, '')}. Choose the day in the calendar, or type 31.03.2026 as an expression: the field itself drops it.`,
});

/** A parameter of the contract's type `date-time`: the time of a booking or a document. */
export const dateTime = <const S extends Spec>(spec: S) =>
	parameter(typed(spec), { type: 'dateTime', default: '' }, (given, place) => {
		const { zone } = place.holder;
		const parsed = parseDateTime(given, zone);
		if ('rule' in parsed) return place.addIssue(parsed.rule, given);
		const strange = strangeDay(parsed.value, zone);
		if (strange && 'rule' in strange) return place.addIssue(strange.rule, given);
		if (strange) place.addNote(strange.note);
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
