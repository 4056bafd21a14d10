import { isResourceLocatorValue } from 'n8n-workflow';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isPlainObject } from 'lodash';

import type { GatewayRequest } from '../gateway/request';
import { isMissing } from '../values/json';
import { INVALID, Place } from './inputItem';
import type { InputItem, Invalid } from './inputItem';

/** What the form shows of a parameter. Its name is the key that it is declared under. */
export type Property = Omit<INodeProperties, 'name'>;

/** What a value looks like, as the form can check it while it is typed. */
export interface Shape {
	/** Source of a regular expression for the whole value, without flags. */
	pattern: string;
	/** The same in words, as the end of a sentence that starts with the field. */
	rule: string;
}

/** One parameter, declared once: the form's property, how its value is read and checked, and the resulting type. */
export interface Parameter<T = unknown> {
	readonly property: Property;
	/** What its text looks like, where there is a rule. */
	readonly shape?: Shape;
	/** The list that it can be chosen from. */
	readonly list?: List;
	/** The parameters that it is made of, if it is a group. */
	readonly members?: ParameterMap;
	/**
	 * Reads a value as n8n returns it, from any source: the form, an expression, an AI agent.
	 * @param place where the value is, to add an issue
	 */
	read(given: unknown, place: Place): T | Invalid | Promise<T | Invalid>;
}

/** Parameters by name. */
export type ParameterMap = Record<string, Parameter>;

/** The values of parameters, checked and typed. */
export type Values<P extends ParameterMap> = {
	[Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** A list of the gateway to choose a locator's value from. */
export interface List<P extends ParameterMap = ParameterMap> {
	/** Names it among the lists of a node. */
	name: string;
	/** The fields of the form that the request needs, by name; they may be among the additional fields. */
	of: P;
	/**
	 * What to ask; or several requests whose lists are shown as one, by what distinguishes them.
	 * @param values of the fields in `of`, checked
	 */
	request(values: Values<P>): GatewayRequest | Record<string, GatewayRequest>;
	/** Names under which an entry may carry the value; the first that is present counts. */
	value: readonly string[];
	/**
	 * How an entry is shown. Default: by its name.
	 * @param entries the whole list
	 */
	reads?(entry: IDataObject, value: string, entries: IDataObject[]): string | undefined;
	/**
	 * The field with a day or number by which the entries are sorted, the latest first. Default: by the text that is
	 * shown.
	 */
	latestFirst?: string;
}

/** What all kinds of parameters share. */
export interface Spec {
	displayName: string;
	description?: string;
	placeholder?: string;
	hint?: string;
	/** For a model that builds workflows or fills in the form: what the description doesn't say. No expression in it. */
	builderHint?: string;
	required?: boolean;
	/** Without it, the other values would mean something else, so an expression that returns no value is a mistake. */
	decisive?: true;
	/** What happens without it, in a warning: the end of a sentence that starts with the field. Default: `was left out`. */
	leftOut?: string;
}

/** The value of an optional parameter may be missing. */
export type Given<S extends Spec, T> = S extends { required: true } ? T : T | undefined;

const GAVE_NOTHING = 'its expression returned no value';
/** How an expression says that it may return no value. */
export const IF_MEANT = "if that is intended, end it with ?? ''";

/** A resource locator's own value; an optional one that was added but left empty has none. */
function unwrap(given: unknown): unknown {
	if (isResourceLocatorValue(given)) return given.value;
	return isPlainObject(given) && (given as { __rl?: unknown }).__rl ? undefined : given;
}

/** The given value, without spaces from pasting. */
export function clean(given: unknown): unknown {
	const value = unwrap(given);
	return typeof value === 'string' ? value.trim() : value;
}

/**
 * Makes a parameter of one kind.
 * @param property what this kind adds to the property
 * @param parse reads a given value; a missing one is handled here
 * @param shape as in `Parameter`
 */
export function parameter<S extends Spec, T>(
	{
		displayName,
		description,
		placeholder,
		hint,
		builderHint,
		required,
		decisive,
		leftOut = 'was left out',
	}: S,
	property: Pick<Property, 'type' | 'default'> & Partial<Property>,
	parse: (given: unknown, place: Place) => T | Invalid | Promise<T | Invalid>,
	shape?: Shape,
): Parameter<Given<S, T>> {
	const shown = {
		description,
		placeholder,
		hint,
		builderHint: builderHint === undefined ? undefined : { propertyHint: builderHint },
		...(required && { required }),
	};
	return {
		property: { displayName, ...property, ...omitUndefined(shown) },
		shape,
		read(given, place) {
			const value = clean(given);
			if (!isMissing(value)) return parse(value, place) as Given<S, T>;
			const isMistake = place.isMissingByMistake(given);
			if (required) return place.addIssue(isMistake ? `is required, but ${GAVE_NOTHING}` : 'is required');
			if (isMistake && decisive) return place.addIssue(`is empty: ${GAVE_NOTHING}; ${IF_MEANT}`);
			if (isMistake) place.addNote(`${leftOut}: ${GAVE_NOTHING}; ${IF_MEANT}`);
			return undefined as Given<S, T>;
		},
	};
}

/** A parameter that is shown and used only if another one has one of these values. */
export const shownFor = <T>(
	name: string,
	values: readonly string[],
	{ property, read, ...rest }: Parameter<T>,
): Parameter<T | undefined> => ({
	...rest,
	property: { ...property, displayOptions: { show: { [name]: [...values] } } },
	read: (given, place) =>
		values.includes(clean(place.item.raw(name)) as string) ? read(given, place) : undefined,
});

const omitUndefined = (members: object) =>
	Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** A parameter's property as n8n wants it. */
export const propertyOf = ([name, { property }]: [string, Parameter]): INodeProperties => {
	const { displayName, ...rest } = property;
	return { displayName, name, ...rest } as INodeProperties;
};

/**
 * Reads a group of parameters.
 * @param read returns each one's raw value
 * @param prefix goes before a field's name in an issue, e.g. `belegzeilen[2].`
 * @param inForm returns what the form holds for each one; without it, none is known to be an expression
 * @returns the values by name; `INVALID` where an issue was added
 */
export async function readParameters(
	parameters: ParameterMap,
	read: (name: string, place: Place) => unknown,
	item: InputItem,
	prefix = '',
	inForm?: (name: string) => unknown,
): Promise<Record<string, unknown>> {
	const values: Record<string, unknown> = {};
	for (const [name, { property, read: parse }] of Object.entries(parameters)) {
		const place = new Place(item, prefix + name, property.displayName, () => inForm?.(name));
		const given = read(name, place);
		values[name] = given === INVALID ? INVALID : await parse(given, place);
	}
	return values;
}

/** Whether any of the values breaks a rule. */
export const hasInvalid = (values: Record<string, unknown>) => Object.values(values).includes(INVALID);
