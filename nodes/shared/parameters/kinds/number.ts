import { isEmpty, isUndefined, omitBy } from 'lodash';

import { clean, parameter } from '../parameter';
import { both, isMissing, parseAmount, parseNumber, parseRate } from '../../values';
import type { ParsedNumber, Rule } from '../../values';
import type { Place } from '../place';
import type { Given, GivenParameter, Property, Spec } from '../parameter';

interface Bounds {
	min?: number;
	max?: number;
	integer?: boolean;
	/** The advice for a negative number if `min` is 0. */
	negative?: Rule;
}

function within(parsed: ParsedNumber, { min, max, integer, negative }: Bounds, given: unknown, place: Place) {
	if ('rule' in parsed) return place.addIssue(parsed.rule, given);
	const { value } = parsed;
	if (min !== undefined && value < min) {
		return place.addIssue(
			min === 0
				? (negative ?? both('must not be negative', 'darf nicht negativ sein'))
				: both(`must be at least ${min}`, `muss mindestens ${min} sein`),
			given,
		);
	}
	if (max !== undefined && value > max)
		return place.addIssue(both(`must be at most ${max}`, `darf höchstens ${max} sein`), given);
	if (integer && !Number.isInteger(value))
		return place.addIssue(both('must be a whole number', 'muss eine ganze Zahl sein'), given);
	return value;
}

/** A number that the node itself uses, e.g. an option. The form enforces the bounds, too. */
export const number = <const S extends Spec & Bounds & { default: number }>(spec: S) =>
	parameter(spec, { type: 'number', default: spec.default, ...boundsOf(spec) }, (given, place) =>
		within(parseNumber(given), spec, given, place),
	);

function boundsOf({ min, max }: Bounds): Partial<Property> {
	const typeOptions = omitBy({ minValue: min, maxValue: max }, isUndefined);
	return isEmpty(typeOptions) ? {} : { typeOptions };
}

interface AmountSpec extends Spec, Bounds {
	/**
	 * The item's parameter with the currency, which limits the decimals of an amount; without it, there is no limit.
	 */
	currency?: string;
	/** The item's parameter that says the sign: where it has a value, amounts are given without one. */
	movement?: string;
	/** Set if 0 is a usual amount; otherwise, a warning names it. */
	mayBeZero?: true;
}

const IS_ZERO = both('is 0, and is booked as 0', 'ist 0 und wird als 0 gebucht');

/** An amount of money. A text field, so that "12,50" can be entered. */
export const amount = <const S extends AmountSpec>(spec: S) =>
	parameter(spec, { type: 'string', default: '' }, (given, place) => {
		const code = spec.currency && clean(place.other(spec.currency));
		const parsed = parseAmount(given, typeof code === 'string' ? code : undefined);
		const isSigned = spec.movement === undefined || isMissing(clean(place.other(spec.movement)));
		const value = within(parsed, isSigned ? spec : { ...spec, min: 0 }, given, place);
		if (value === 0 && !spec.mayBeZero) place.addNote(IS_ZERO);
		return value;
	});

export const rate = <const S extends Spec>(spec: S): GivenParameter<Given<S, number>> =>
	parameter(spec, { type: 'string', default: '' }, (given, place) =>
		within(parseRate(given), {}, given, place),
	);
