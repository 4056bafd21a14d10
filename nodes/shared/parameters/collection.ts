import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isPlainObject } from 'lodash';

import { INVALID, Place } from './inputItem';
import { parseJsonText } from './json';
import { hasInvalid, parameter, propertyOf, readParameters } from './parameter';
import type { Invalid } from './inputItem';
import type { Parameter, ParameterMap, Spec, Values } from './parameter';

interface CollectionSpec {
	displayName: string;
	placeholder: string;
}

/** Optional parameters; the form shows those that were added. */
export function collection<P extends ParameterMap>(
	parameters: P,
	{ displayName, placeholder }: CollectionSpec,
): Parameter<Values<P>> {
	return {
		property: {
			displayName,
			type: 'collection',
			placeholder,
			default: {},
			options: Object.entries(parameters).map(propertyOf),
		},
		members: parameters,
		read: async (given, place) => await readMembers(parameters, given ?? {}, place, ''),
	};
}

/** The optional fields of an operation. */
export const additionalFields = <P extends ParameterMap>(parameters: P) =>
	collection(parameters, { displayName: 'Additional Fields', placeholder: 'Add field' });

interface LinesSpec extends CollectionSpec {
	description: string;
	/** What one line is called. */
	line: string;
	/** Name of the group in n8n's `fixedCollection`. */
	group: string;
}

/** A list of at least one line, each with the same parameters. */
export function lines<P extends ParameterMap>(
	parameters: P,
	{ displayName, placeholder, description, line, group }: LinesSpec,
): Parameter<Array<Values<P>>> {
	return {
		property: {
			displayName,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder,
			default: {},
			required: true,
			description,
			options: [
				{
					displayName: line,
					name: group,
					values: Object.entries(parameters).map(propertyOf) as INodeProperties[],
				},
			],
		},
		members: parameters,
		async read(given, place) {
			const groups = groupsIn(given, group);
			if (!groups) return place.addIssue('must be a list of groups of fields', given);
			const inForm = (i: number) => groupsIn(place.inForm(), group)?.[i];
			return await readLines(parameters, groups, place, { line, inForm });
		},
	};
}

/** The same lines from data: a list of groups of fields, as an expression gives it or as JSON text. One group is a list of one. */
export const linesOfJson = <P extends ParameterMap>(
	parameters: P,
	{ line, default: initial, ...spec }: Spec & { required: true; line: string; default: string },
): Parameter<Array<Values<P>>> =>
	parameter(spec, { type: 'json', default: initial }, async (given, place) => {
		const value = typeof given === 'string' ? parseJsonText(given) : given;
		const groups = Array.isArray(value) ? value : [value];
		return groups.every(isPlainObject)
			? await readLines(parameters, groups as IDataObject[], place, { line })
			: place.addIssue('must be a list of lines like [{ "betrag": "12,50", "prozent": 19 }]', given);
	});

interface LineSpec {
	/** What one line is called. */
	line: string;
	/** Returns what the form holds for a line, counted from 0. */
	inForm?: (i: number) => unknown;
}

async function readLines<P extends ParameterMap>(
	parameters: P,
	groups: IDataObject[],
	place: Place,
	{ line, inForm }: LineSpec,
): Promise<Array<Values<P>> | Invalid> {
	if (groups.length === 0) return place.addIssue('must have at least one line');
	const values = [];
	for (const [i, fields] of groups.entries()) {
		const one = new Place(place.item, `${place.field}[${i + 1}]`, line, () => inForm?.(i));
		values.push(await readMembers(parameters, fields, one, `${one.field}.`));
	}
	return values.includes(INVALID) ? INVALID : (values as Array<Values<P>>);
}

/** The groups of a `fixedCollection`, or of a list that an expression returns. */
function groupsIn(given: unknown, group: string): IDataObject[] | undefined {
	const list = isPlainObject(given) ? ((given as IDataObject)[group] ?? []) : (given ?? []);
	const groups = (Array.isArray(list) ? list : [list]) as IDataObject[];
	return groups.every(isPlainObject) ? groups : undefined;
}

/**
 * Reads the members of a group. An unknown name is refused: its value would silently be missing from a booking.
 * @param prefix goes before a member's name in an issue
 */
async function readMembers<P extends ParameterMap>(
	parameters: P,
	given: unknown,
	place: Place,
	prefix: string,
): Promise<Values<P> | Invalid> {
	if (!isPlainObject(given)) return place.addIssue('must be a group of fields, not a text or a list', given);
	const members = given as IDataObject;
	const unknown = Object.keys(members).filter((name) => !Object.hasOwn(parameters, name));
	if (unknown.length > 0) {
		const known = Object.keys(parameters).join(', ');
		return place.addIssue(`has no field "${unknown[0]}"; its fields are ${known}`);
	}
	const inForm = (name: string) => (place.inForm() as IDataObject | null | undefined)?.[name];
	const values = await readParameters(parameters, (name) => members[name], place.item, prefix, inForm);
	return hasInvalid(values) ? INVALID : (values as Values<P>);
}
