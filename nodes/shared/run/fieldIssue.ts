import { parametersOf } from '../form/properties';
import type { Operation } from '../operation';
import { Place } from '../parameters/inputItem';
import type { InputItem } from '../parameters/inputItem';

/** @param field as in `Issue`; a field of a collection goes by its own name */
export function addFieldIssue(
	item: InputItem,
	operation: Operation,
	field: string,
	given: unknown,
	rule: string,
): void {
	const property = propertyNamed(operation, field);
	new Place(item, field, property?.displayName ?? field).addIssue(rule, given);
}

/** A parameter's property, wherever it is in the form. */
function propertyNamed(operation: Operation, field: string): { displayName: string } | undefined {
	for (const [name, { property }] of Object.entries(parametersOf(operation))) {
		if (name === field) return property;
		const inner = (property.options ?? []).find((option) => option.name === field);
		if (inner && 'displayName' in inner) return inner;
	}
	return undefined;
}
