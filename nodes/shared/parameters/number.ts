import { clean, parameter } from './parameter';
import { parseAmount, parseNumber, parseRate } from '../values/money';
import type { ParsedNumber } from '../values/money';
import type { Place } from './inputItem';
import type { Given, Parameter, Property, Spec } from './parameter';

interface Bounds {
	min?: number;
	max?: number;
	integer?: boolean;
	/** What to do about a negative number, where `min` is 0: the end of a sentence that starts with the field. */
	negative?: string;
}

function within(parsed: ParsedNumber, { min, max, integer, negative }: Bounds, given: unknown, place: Place) {
	if ('rule' in parsed) return place.addIssue(parsed.rule, given);
	const { value } = parsed;
	if (min !== undefined && value < min) {
		return place.addIssue(
			min === 0 ? (negative ?? 'must not be negative') : `must be at least ${min}`,
			given,
		);
	}
	if (max !== undefined && value > max) return place.addIssue(`must be at most ${max}`, given);
	if (integer && !Number.isInteger(value)) return place.addIssue('must be a whole number', given);
	return value;
}

/** A number of the node's own, e.g. an option. The form enforces the bounds, too. */
export const number = <const S extends Spec & Bounds & { default: number }>(spec: S) =>
	parameter(spec, { type: 'number', default: spec.default, ...boundsOf(spec) }, (given, place) =>
		within(parseNumber(given), spec, given, place),
	);

function boundsOf({ min, max }: Bounds): Partial<Property> {
	if (min === undefined && max === undefined) return {};
	const minValue = min === undefined ? {} : { minValue: min };
	return { typeOptions: { ...minValue, ...(max === undefined ? {} : { maxValue: max }) } };
}

/**
 * An amount of money. A text field, so that "12,50" can be entered.
 * @param spec.currency the item's parameter with the currency, which limits the decimals of an amount
 */
export const amount = <const S extends Spec & Bounds & { currency: string }>(spec: S) =>
	parameter(spec, { type: 'string', default: '' }, (given, place) => {
		const code = clean(place.item.raw(spec.currency));
		const parsed = parseAmount(given, typeof code === 'string' ? code : undefined);
		return within(parsed, spec, given, place);
	});

/** A tax rate in percent. */
export const rate = <const S extends Spec>(spec: S): Parameter<Given<S, number>> =>
	parameter(spec, { type: 'string', default: '' }, (given, place) =>
		within(parseRate(given), {}, given, place),
	);
