/** Reads an input item's parameters, each once, and checks the rules that concern several of them. */
import { omit, pickBy } from 'lodash';

import type { AddIssue, Operation } from '../../operation';
import { parametersOf } from '../../form';
import { Finder, INVALID, Place, hasInvalid, readParameters } from '../../parameters';
import type { InputItem } from '../../parameters';

/** The item's values by parameter name; `INVALID` stands for a value that breaks a rule. */
export type ItemValues = Record<string, unknown>;

/** The parameters that all operations have. */
export const OF_ALL = ['options', 'simple', 'toolOutput', 'toolFields', 'limit'];

/** Reads each parameter of an item once, and checks the values. */
export async function readItem(item: InputItem, operation: Operation): Promise<ItemValues> {
	const values = await readParameters(parametersOf(operation), item);
	checkTogether(item, operation, values);
	return values;
}

/** Checks the rules that concern several values, using only the values that are known and valid. */
export function checkTogether(item: InputItem, operation: Operation, values: ItemValues): void {
	if (!operation.check) return;
	const { options } = values;
	const valid = pickBy(omit(values, OF_ALL), (value) => value !== INVALID && !(value instanceof Finder));
	const validOptions = options === INVALID ? {} : ((options ?? {}) as ItemValues);
	operation.check(valid, issueAdder(item, operation), validOptions);
}

export const isValid = ({ issues }: InputItem, values: ItemValues) =>
	issues.length === 0 && !hasInvalid(values);

/** Adds issues under the field's name in the form; a field of a collection goes by its own name. */
export const issueAdder =
	(item: InputItem, operation: Operation): AddIssue =>
	(field, given, rule) =>
		void new Place(item, field, titleIn(operation, field) ?? field).addIssue(rule, given);

function titleIn(operation: Operation, field: string): string | undefined {
	for (const [name, { property }] of Object.entries(parametersOf(operation))) {
		if (name === field) return property.displayName;
		const inner = (property.options ?? []).find((option) => option.name === field);
		if (inner && 'displayName' in inner) return inner.displayName;
	}
	return undefined;
}
