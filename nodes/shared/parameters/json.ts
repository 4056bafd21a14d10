import type { IDataObject } from 'n8n-workflow';
import { isEqual, isPlainObject } from 'lodash';

import { parameter } from './parameter';
import type { Spec } from './parameter';

/**
 * A JSON object, given as object or text. Values that JSON can't hold (dates, NaN) are refused: they would arrive
 * changed.
 */
export const jsonObject = <const S extends Spec>(spec: S) =>
	parameter(spec, { type: 'json', default: '{}' }, (given, place) => {
		const value = typeof given === 'string' ? parseJsonText(given) : given;
		return isPlainObject(value) && isEqual(parseJsonText(JSON.stringify(value)), value)
			? (value as IDataObject)
			: place.addIssue('must be a JSON object like { "key": "value" }', given);
	});

/** The value of a JSON text; nothing if it isn't JSON. */
export function parseJsonText(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
