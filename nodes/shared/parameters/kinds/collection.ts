import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isPlainObject } from 'lodash';

import { INVALID } from '../place';
import { jsonOf } from './json';
import { hasInvalid, IF_MEANT, parameter, propertyOf, readParameters, withHint } from '../parameter';
import type { Invalid, Place } from '../place';
import type { Parameter, ParameterMap, Spec, Values } from '../parameter';
import { both } from '../../values';

interface CollectionSpec {
	displayName: string;
	placeholder: string;
}

/** Optional parameters; the form shows only those that were added. */
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
			options: Object.entries(parameters).map(propertyOf).map(offUnlessAdded),
		},
		members: parameters,
		read: async (given, place) => await readMembers(parameters, given ?? {}, place),
	};
}

/**
 * A switch turns on when a person adds it. n8n tells models that this is the default, although a switch that is left
 * out is off, unless its description says otherwise: a model would assume that Dry Run is on, and book.
 */
const offUnlessAdded = (property: INodeProperties): INodeProperties =>
	property.type === 'boolean' && property.default === true && !property.description?.includes('On unless')
		? withHint(
				property,
				'Off unless you set it: the @default is only what a person gets who adds it in the editor.',
			)
		: property;

export const additionalFields = <P extends ParameterMap>(parameters: P) =>
	collection(parameters, { displayName: 'Additional Fields', placeholder: 'Add field' });

interface LinesSpec<P extends ParameterMap> extends CollectionSpec {
	description: string;
	line: string;
	/** The member whose value appears in a line's title. */
	titledBy: string & keyof P;
	/** Name of the group in n8n's `fixedCollection`. */
	group: string;
	mayBeNone?: boolean;
}

/** A list of lines with the same parameters; at least one, unless there may be none. */
export function lines<P extends ParameterMap>(
	parameters: P,
	{ displayName, placeholder, description, line, titledBy, group, mayBeNone }: LinesSpec<P>,
): Parameter<Array<Values<P>>> {
	return {
		property: {
			displayName,
			type: 'fixedCollection',
			typeOptions: {
				multipleValues: true,
				sortable: true,
				// Older versions of n8n number the lines.
				fixedCollection: {
					itemTitle: `=${line} {{ $collection.item.index + 1 }} {{ $collection.item.value.${titledBy} }}`,
				},
			},
			placeholder,
			default: {},
			...(!mayBeNone && { required: true }),
			description,
			options: [
				{
					displayName: line,
					name: group,
					values: Object.entries(parameters).map(propertyOf),
				},
			],
		},
		members: parameters,
		async read(given, place) {
			const groups = groupsIn(given, group);
			if (!groups)
				return place.addIssue(
					both('must be a list of groups of fields', 'muss eine Liste von Feldgruppen sein'),
					given,
				);
			if (groups.length === 0 && mayBeNone) return [];
			return await readLines(parameters, groups, place, line, place.path && `${place.path}.${group}`);
		},
	};
}

/**
 * The same lines from data: a list of groups of fields, given by an expression or as JSON text. A single group is read
 * as a list of one.
 */
export const linesOfJson = <P extends ParameterMap>(
	parameters: P,
	{ line, default: initial, ...spec }: Spec & { required: true; line: string; default: string },
): Parameter<Array<Values<P>>> =>
	parameter(spec, { type: 'json', default: initial }, async (given, place) => {
		const value = jsonOf(given, place);
		if (value === INVALID) return INVALID;
		const groups = Array.isArray(value) ? value : [value];
		if (!groups.every(isPlainObject)) {
			return place.addIssue(
				both(
					'must be a list of lines like [{ "betrag": "12,50", "prozent": 19 }]',
					'muss eine Liste von Zeilen wie [{ "betrag": "12,50", "prozent": 19 }] sein',
				),
				given,
			);
		}
		for (const [i, fields] of (groups as IDataObject[]).entries()) {
			// An expression gives `undefined` for a column that doesn't exist.
			const misspelled = Object.keys(fields).find((name) => fields[name] === undefined);
			if (misspelled !== undefined)
				return place.addIssue(
					both(
						`has no value for [${i + 1}].${misspelled}: the column that it is taken from doesn't exist; ${IF_MEANT.en}`,
						`hat keinen Wert für [${i + 1}].${misspelled}: Die Spalte, aus der er kommt, gibt es nicht; ${IF_MEANT.de}`,
					),
				);
		}
		return await readLines(parameters, groups as IDataObject[], place, line);
	});

async function readLines<P extends ParameterMap>(
	parameters: P,
	groups: IDataObject[],
	place: Place,
	line: string,
	path?: string,
): Promise<Array<Values<P>> | Invalid> {
	if (groups.length === 0)
		return place.addIssue(both('must have at least one line', 'muss mindestens eine Zeile haben'));
	const values = [];
	for (const [i, fields] of groups.entries()) {
		const one = place.at(`${place.field}[${i + 1}]`, line, path && `${path}[${i}]`);
		values.push(await readMembers(parameters, fields, one, `${one.field}.`));
	}
	return values.includes(INVALID) ? INVALID : (values as Array<Values<P>>);
}

/** The groups of a `fixedCollection`, or of a list that an expression returns. */
function groupsIn(given: unknown, group: string): IDataObject[] | undefined {
	const list = (isPlainObject(given) ? (given as IDataObject)[group] : given) ?? [];
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
	prefix = '',
): Promise<Values<P> | Invalid> {
	if (!isPlainObject(given))
		return place.addIssue(
			both(
				'must be a group of fields, not a text or a list',
				'muss eine Gruppe von Feldern sein, kein Text und keine Liste',
			),
			given,
		);
	const members = given as IDataObject;
	const unknown = Object.keys(members).filter((name) => !Object.hasOwn(parameters, name));
	if (unknown.length > 0) {
		const known = Object.keys(parameters).join(', ');
		return place.addIssue(
			both(
				`has no field "${unknown[0]}"; its fields are ${known}`,
				`hat kein Feld „${unknown[0]}“; seine Felder sind ${known}`,
			),
		);
	}
	const values = await readParameters(
		parameters,
		(name, title) => place.at(prefix + name, title, place.path && `${place.path}.${name}`),
		(name) => members[name],
	);
	return hasInvalid(values) ? INVALID : (values as Values<P>);
}
