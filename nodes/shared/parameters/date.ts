import { DATE_SHAPE, parseDate, parseDateTime } from '../values/dates';
import { parameter } from './parameter';
import type { Spec } from './parameter';

/** `date-time` of the contract: RFC 3339 with offset. */
export const dateTime = <const S extends Spec>(spec: S) =>
	parameter(spec, { type: 'dateTime', default: '' }, (given, place) => {
		const parsed = parseDateTime(given, place.item.zone);
		return 'value' in parsed ? parsed.value : place.addIssue(parsed.rule, given);
	});

/**
 * `date` of the contract: YYYY-MM-DD.
 * @param spec.default the form's default, which may be an expression
 */
export const date = <const S extends Spec & { default?: string }>(spec: S) =>
	parameter(
		spec,
		{ type: 'dateTime', typeOptions: { dateOnly: true }, default: spec.default ?? '' },
		(given, place) => {
			const parsed = parseDate(given, place.item.zone);
			return 'value' in parsed ? parsed.value : place.addIssue(parsed.rule, given);
		},
		DATE_SHAPE,
	);
