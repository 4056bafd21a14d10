import type { IDataObject, INodeProperties } from 'n8n-workflow';
import {
	attempt,
	compact,
	isEmpty,
	isEqual,
	isError,
	isObjectLike,
	isPlainObject,
	isUndefined,
	omitBy,
} from 'lodash';

import type { GatewayRequest } from '../gateway';
import { bilingual, both, isMissing } from '../values';
import type { Rule, SentenceEnd } from '../values';
import { INVALID } from './place';
import type { Invalid, Place } from './place';

/** A parameter's property in the form. Its name is the key under which the parameter is declared. */
export type Property = Omit<INodeProperties, 'name'>;

/** The shape of a value, which the form checks while a person types. */
export interface Shape {
	/** Source of a regular expression for the whole value, without flags. */
	pattern: string;
	/** The shape in words, for the form, which is English. */
	rule: string;
}

/** One parameter, declared once: the form's property, how its value is read and checked, and the resulting type. */
export interface Parameter<T = unknown> {
	readonly property: Property;
	/** The shape of the parameter's text, if there is a rule. */
	readonly shape?: Shape;
	readonly list?: List;
	/** The group's parameters, if the parameter is a group. */
	readonly members?: ParameterMap;
	/**
	 * Reads a value as n8n returns it, from any source: the form, an expression, an AI agent.
	 * @param place where the value is, to add an issue
	 */
	read(given: unknown, place: Place): T | Invalid | LookedUp<T> | Promise<T | Invalid | LookedUp<T>>;
}

/** The result of a lookup: the value, the rule that the given value breaks, or what is wrong with the answer. */
export type Found<T> = { value: T } | { rule: Rule } | { problem: SentenceEnd };

/** How a value is found in an answer of the gateway. */
export interface Lookup<T> {
	/** @param values of the item's other parameters, checked, including those that were found before */
	request(values: Record<string, unknown>): GatewayRequest;
	/** @param values the item's other values, including those that were found before */
	find(body: unknown, values: Record<string, unknown>): Found<T>;
}

/**
 * A value that is looked up in the gateway when it is needed, like the fiscal year of a day. Only a parameter of a read
 * may have one, and none of a collection.
 */
export class LookedUp<T> {
	constructor(
		/** Where the given value is. */
		readonly place: Place,
		readonly given: unknown,
		readonly lookup: Lookup<T>,
	) {}
}

/** A parameter whose value is always given, and never looked up in the gateway. */
export interface GivenParameter<T> extends Parameter<T> {
	read(given: unknown, place: Place): T | Invalid | Promise<T | Invalid>;
}

export type ParameterMap = Record<string, Parameter>;

export type Values<P extends ParameterMap> = {
	[Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** A list of the gateway to choose a locator's value from. */
export interface List<P extends ParameterMap = ParameterMap> {
	/** The list's name, unique within a node. */
	name: string;
	/** The fields of the form that the request needs, by name; they may be among the additional fields. */
	of: P;
	/**
	 * What to ask; or several requests whose lists are shown as one, by what distinguishes them.
	 * @param values of the fields in `of`, checked
	 */
	request(values: Values<P>): GatewayRequest | Record<string, GatewayRequest>;
	/** Names under which a row may carry the value; the first that is present counts. */
	value: readonly string[];
	/**
	 * How a row is shown. Default: by its name.
	 * @param rows the whole list
	 */
	reads?(row: IDataObject, value: string, rows: IDataObject[]): string | undefined;
	/**
	 * The field with a day or number by which the rows are sorted, the latest first. Default: by the text that is
	 * shown.
	 */
	latestFirst?: string;
}

/** The settings that all kinds of parameters share. */
export interface Spec {
	displayName: string;
	description?: string;
	placeholder?: string;
	hint?: string;
	/**
	 * Tells a model that builds workflows or fills in the form what the description doesn't say. Must not contain an
	 * expression.
	 */
	builderHint?: string;
	required?: boolean;
	/**
	 * Set if the other values would mean something else without this one, so that an expression that returns no value is
	 * a mistake.
	 */
	decisive?: true;
	/** What happens if the value is missing, for a warning. Default: `was left out`. */
	leftOut?: Rule;
}

/** The value of an optional parameter may be missing. */
export type Given<S extends Spec, T> = S extends { required: true } ? T : T | undefined;

const LEFT_OUT = both('was left out', 'wurde weggelassen');
/** For accountants, who know columns and no expressions. */
const NO_VALUE = both(
	'there is no value for it; check the column or field that it comes from',
	'Dafür gibt es keinen Wert; prüfen Sie die Spalte oder das Feld, aus dem er kommt',
);
/** How an expression says that it may return no value. */
export const IF_MEANT = both(
	"if it may be empty, end its expression with ?? ''",
	"wenn es leer sein darf, beenden Sie den Ausdruck mit ?? ''",
);

/**
 * The given value, or that of a resource locator, without spaces from pasting; one from a list of the gateway is as the
 * gateway has it. An optional locator may have none.
 */
export function clean(given: unknown): unknown {
	const { value } = (isLocator(given) ? given : { value: given }) as { value?: unknown };
	return typeof value === 'string' && !isFromList(given) ? value.trim() : value;
}

const isLocator = (given: unknown): given is { mode?: unknown; value?: unknown } =>
	isPlainObject(given) && Boolean((given as { __rl?: unknown }).__rl);

const isFromList = (given: unknown) => isLocator(given) && given.mode === 'list';

/**
 * Makes a parameter of one kind.
 * @param property what this kind adds to the property
 * @param parse reads a given value, which may be from a list of the gateway; a missing one is handled here
 */
export function parameter<S extends Spec, T>(
	{ displayName, description, placeholder, hint, builderHint, required, decisive, leftOut = LEFT_OUT }: S,
	property: Pick<Property, 'type' | 'default'> & Partial<Property>,
	parse: (given: unknown, place: Place, isFromList: boolean) => T | Invalid | Promise<T | Invalid>,
	shape?: Shape,
): GivenParameter<Given<S, T>> {
	const formTexts = {
		description,
		placeholder,
		hint,
		builderHint: builderHint === undefined ? undefined : { propertyHint: builderHint },
		required,
	};
	return {
		property: { displayName, ...property, ...omitBy(formTexts, isUndefined) },
		shape,
		read(given, place) {
			const value = clean(given);
			if (!isMissing(value)) return parse(value, place, isFromList(given)) as Given<S, T>;
			const isMistake = place.isMissingByMistake(given);
			if (required)
				return place.addIssue(
					isMistake
						? both(`is required, but empty: ${NO_VALUE.en}`, 'ist nötig, aber leer')
						: both('is required', 'ist nötig'),
				);
			if (isMistake && decisive)
				return place.addIssue(
					both(`is empty: ${NO_VALUE.en}; ${IF_MEANT.en}`, `ist leer: ${NO_VALUE.de}; ${IF_MEANT.de}`),
				);
			if (isMistake) place.addNote(bilingual((language) => `${leftOut[language]}: ${NO_VALUE[language]}`));
			return undefined as Given<S, T>;
		},
	};
}

/**
 * What another parameter must hold for one to have an effect: one of `values`, or none of `not`. Where it holds something else, the form
 * hides the parameter, and a value that an expression, a saved node or a tool sets is refused.
 */
export type Needs = Record<string, { values: readonly Choosable[] } | { not: readonly Choosable[] }>;
type Choosable = string | boolean;

/** A parameter that has an effect only with some values of others. */
export function needing<T>(
	needs: Needs,
	{ property, read, ...rest }: Parameter<T>,
): Parameter<T | undefined> {
	const { show, hide } = property.displayOptions ?? {};
	const more = { show: { ...show }, hide: { ...hide } };
	for (const [name, one] of Object.entries(needs)) {
		if ('values' in one) more.show[name] = [...one.values];
		else more.hide[name] = [...(hide?.[name] ?? []), ...one.not];
	}
	return {
		...rest,
		property: { ...property, displayOptions: omitBy(more, isEmpty) },
		read(given, place) {
			for (const [path, one] of Object.entries(needs)) {
				const name = path.replace('/', '');
				const other = clean(place.other(name)) as Choosable;
				if ('values' in one ? one.values.includes(other) : !one.not.includes(other)) continue;
				const field = place.path?.includes('.') ?? false;
				return isSet(given, property.default, field, place)
					? place.addIssue(withoutEffect(name, other, one), clean(given))
					: undefined;
			}
			return read(given, place);
		},
	};
}

const withoutEffect = (name: string, other: unknown, needs: Needs[string]): Rule => {
	const has = typeof other === 'string' ? `"${other}"` : String(other);
	const german = typeof other === 'string' ? `„${other}“` : String(other);
	const values = 'values' in needs ? needs.values.join(', ') : '';
	return both(
		`has no effect where ${name} is ${has}: remove it${values && `, or choose one of ${values}`}`,
		`wirkt nicht, wo ${name} ${german} ist: Entfernen Sie es${values && `, oder wählen Sie eins von ${values}`}`,
	);
};

/** Whether a value was set: it isn't what the form begins with; in a collection, whatever was added, unless it is turned off. */
function isSet(given: unknown, initial: unknown, isMember: boolean, place: Place): boolean {
	const value = clean(given);
	if (isMissing(value) || (isObjectLike(value) && isEmpty(value))) return false;
	if (isMember) return value !== false;
	// The value of an expression that the form begins with differs from it.
	return !isEqual(value, initial) && !(place.path && isEqual(place.holder.inForm?.(place.path), initial));
}

/** A parameter that has an effect only if another one has one of these values. */
export const shownFor = <T>(
	name: string,
	values: readonly string[],
	parameter: Parameter<T>,
): Parameter<T | undefined> => needing({ [name]: { values } }, parameter);

/** One that has none on the gateway's untouched answer. @param isMember whether it is in a collection */
export const ofSimplified = <T>(parameter: Parameter<T>, isMember = false): Parameter<T | undefined> => {
	const root = isMember ? '/' : '';
	return needing({ [`${root}simple`]: { not: [false] }, [`${root}toolOutput`]: { not: ['raw'] } }, parameter);
};

/** A property with one more hint for models, before its own. */
export const withHint = <P extends Pick<INodeProperties, 'builderHint'>>(property: P, hint: string): P => ({
	...property,
	builderHint: { propertyHint: compact([hint, property.builderHint?.propertyHint]).join(' ') },
});

/** A parameter's property as n8n wants it. */
export const propertyOf = ([name, { property }]: [string, Parameter]): INodeProperties => {
	const { displayName, ...rest } = property;
	return { displayName, name, ...rest } as INodeProperties;
};

/**
 * Reads the parameters of an item, or of a group of fields in it. A failing expression concerns only its item.
 * @param placeOf where a parameter is
 * @param raw the parameter's value as it is given
 * @returns the values by name; `INVALID` where an issue was added
 */
export async function readParameters(
	parameters: ParameterMap,
	placeOf: (name: string, title: string) => Place,
	raw: (name: string) => unknown,
): Promise<Record<string, unknown>> {
	const values: Record<string, unknown> = {};
	for (const [name, { property, read }] of Object.entries(parameters)) {
		const place = placeOf(name, property.displayName);
		const given = attempt(() => raw(name));
		values[name] = isError(given)
			? place.addIssue(
					both(`can't be read: ${given.message}`, `ist nicht lesbar; n8n meldet: „${given.message}“`),
				)
			: await read(given, place);
	}
	return values;
}

/** Whether any of the values breaks a rule. */
export const hasInvalid = (values: Record<string, unknown>) => Object.values(values).includes(INVALID);
