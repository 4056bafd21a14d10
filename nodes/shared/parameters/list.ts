/** The lists that locators' values are chosen from. */
import type { IDataObject } from 'n8n-workflow';
import { isObjectLike, without } from 'lodash';

import { isMissing } from '../values';
import type { List, ParameterMap } from './parameter';

/** Lets the compiler infer the values that `request` gets, and then forget them. */
export const defineList = <const P extends ParameterMap>(list: List<P>): List => list;

/** The fields that may hold an entry's name; the contract leaves the lists' shapes open. */
const NAMES = ['bezeichnung', 'name', 'display_name', 'displayName', 'title', 'titel', 'beschreibung'];

const MAX_TEXTS = 3;

/** The text or number that an entry has under the first of the names. */
export const firstOf = (entry: IDataObject, names: readonly string[]): string | undefined => {
	const found = names.map((name) => entry[name]).find((one) => !isMissing(one) && !isObjectLike(one));
	return found === undefined ? undefined : String(found);
};

/**
 * The name of an entry or, if it has none in a known field, its texts.
 * @param value the entry's value, which isn't a name
 * @param names that only the entries of this list have
 */
export function nameIn(entry: IDataObject, value: string, names: readonly string[] = []): string | undefined {
	const name = firstOf(entry, [...NAMES, ...names]);
	if (name !== undefined) return name;
	const texts = without(Object.values(entry), value, '').filter((text) => typeof text === 'string');
	return texts.length > 0 ? `${texts.slice(0, MAX_TEXTS).join(', ')} (${value})` : undefined;
}
