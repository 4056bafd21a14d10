import { DATE_SHAPE, parseDate } from '../../values';
import { parameter } from '../parameter';
import type { Spec } from '../parameter';

/** Tells how to type a date: n8n's picker drops one in German notation without a word. */
export const typedDate = <S extends Spec>(spec: S): S => ({
	...spec,
	description: `${(spec.description ?? spec.displayName).replace(/\.$/, '')}. Choose the day in the calendar, or type 31.03.2026 as an expression: the field itself drops it.`,
});

/**
 * A parameter of the contract's type `date`: YYYY-MM-DD.
 * @param spec.default the form's default, which may be an expression
 */
export const date = <const S extends Spec & { default?: string }>(spec: S) =>
	parameter(
		typedDate(spec),
		{ type: 'dateTime', typeOptions: { dateOnly: true }, default: spec.default ?? '' },
		(given, place) => {
			const parsed = parseDate(given, place.holder.zone);
			return 'value' in parsed ? parsed.value : place.addIssue(parsed.rule, given);
		},
		DATE_SHAPE,
	);
