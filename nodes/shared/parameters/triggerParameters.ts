import { pick } from 'lodash';

import type { Holder } from './inputItem';
import { hasInvalid, readParameters } from './parameter';
import type { ParameterMap, Values } from './parameter';
import { labelOf } from './labels';
import { both } from '../values';
import type { Bilingual } from '../values';
import { Place, Remarks } from './place';

/** Checked values, or a message about what is wrong with them. */
type TriggerValues<V> = { values: V } | { problem: Bilingual };

/** Reads and checks some of a trigger's parameters, whose expressions may fail. Doesn't throw. */
export async function readTriggerParameters<P extends ParameterMap, Name extends keyof P & string>(
	parameters: P,
	names: Name[],
	trigger: Holder,
): Promise<TriggerValues<Pick<Values<P>, Name>>> {
	const remarks = new Remarks();
	const values = await readParameters(
		pick(parameters, names),
		(name, title) => new Place(trigger, remarks, name, title),
		(name) => trigger.raw(name),
	);
	if (!hasInvalid(values)) return { values: values as Pick<Values<P>, Name> };
	const [{ title, field, rule }] = remarks.issues;
	return { problem: both(`${title} (${field}) ${rule.en}`, `${labelOf(title).de} ${rule.de}`) };
}
