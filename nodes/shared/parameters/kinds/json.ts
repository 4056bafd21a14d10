import type { IDataObject } from 'n8n-workflow';
import { attempt, isEqual, isPlainObject } from 'lodash';

import { both, isTooDeep, quoteInexactNumbers } from '../../values';
import { INVALID } from '../place';
import type { Place } from '../place';
import { parameter } from '../parameter';
import type { Spec } from '../parameter';

const NOT_EXACT = both(
	'has a number with more digits than JavaScript holds, so it would be changed: put it in quotes',
	'hat eine Zahl mit mehr Ziffern, als JavaScript halten kann, sie würde also verändert: Setzen Sie sie in Anführungszeichen',
);

/**
 * A JSON object, given as object or text. Values that JSON can't hold (dates, NaN) are refused: they would arrive
 * changed, or can't be written at all.
 */
export const jsonObject = <const S extends Spec>(spec: S) =>
	parameter(spec, { type: 'json', default: '{}' }, (given, place) => {
		const value = jsonOf(given, place);
		if (value === INVALID) return INVALID;
		const isSame = () => isEqual(JSON.parse(JSON.stringify(value)), value);
		return isPlainObject(value) && !isTooDeep(value) && attempt(isSame) === true
			? (value as IDataObject)
			: place.addIssue(
					both(
						'must be a JSON object like { "key": "value" }',
						'muss ein JSON-Objekt wie { "name": "wert" } sein',
					),
					given,
				);
	});

/** A value that is given as JSON text, or as it is by an expression; `INVALID` if a number in it may have been changed. */
export function jsonOf(given: unknown, place: Place): unknown {
	const value = typeof given === 'string' ? parseJsonText(given) : given;
	const isTypedExactly =
		typeof given !== 'string' || value === undefined || quoteInexactNumbers(given) === given;
	return isTypedExactly && !hasUnsafeInteger(value) ? value : place.addIssue(NOT_EXACT);
}

/** Whether an integer is so large that it may have been another one where it was written. */
function hasUnsafeInteger(value: unknown): boolean {
	let found = false;
	// Not a recursion of its own: it ends at cycles and at any depth that JSON has.
	try {
		JSON.stringify(value, (_name, inner: unknown) => {
			found ||= typeof inner === 'number' && Number.isInteger(inner) && !Number.isSafeInteger(inner);
			return inner;
		});
	} catch {
		// An object that contains itself can't be written as JSON.
	}
	return found;
}

function parseJsonText(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
