import { pick } from 'lodash';

import { InputItem, Place } from './inputItem';
import type { ItemContext } from './inputItem';
import { hasInvalid, readParameters } from './parameter';
import type { ParameterMap, Values } from './parameter';

/** Checked values, or a message about what is wrong with them. */
type TriggerValues<V> = { values: V } | { problem: string };

/**
 * Reads and checks some of a trigger's parameters, whose expressions may fail. A trigger has no input items. Doesn't throw.
 * @param get returns a raw value
 * @param context where a value depends on the workflow, as a date does on its time zone
 */
export async function readTriggerParameters<P extends ParameterMap, Name extends keyof P & string>(
	parameters: P,
	names: Name[],
	get: (name: Name) => unknown,
	context = {} as Pick<ItemContext, 'getTimezone'>,
): Promise<TriggerValues<Pick<Values<P>, Name>>> {
	// The item serves only to collect issues.
	const item = new InputItem(context as ItemContext, 0);
	try {
		const values = await readParameters(pick(parameters, names), {
			placeOf: (name, title) => new Place(item, name, title),
			raw: (name) => get(name as Name),
		});
		if (!hasInvalid(values)) return { values: values as Pick<Values<P>, Name> };
	} catch (error) {
		return { problem: (error as Error).message };
	}
	const [{ title, field, rule }] = item.issues;
	return { problem: `${title} (${field}) ${rule.en}` };
}
