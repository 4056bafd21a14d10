/** Reads an input item's parameters, each once, and checks the rules that concern several of them. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { omit, pickBy } from 'lodash';

import type { AddIssue, Operation } from '../../operation';
import { parametersOf } from '../../form';
import { LookedUp, INVALID, InputItem, Place, Remarks, hasInvalid, readParameters } from '../../parameters';

/** The item's values by parameter name; `INVALID` stands for a value that breaks a rule. */
export type ItemValues = Record<string, unknown>;

/** An item whose parameters have been read: its values, including those that break a rule, and the remarks about them. */
export interface ReadItem {
	index: number;
	values: ItemValues;
	remarks: Remarks;
}

/** The parameters that all operations have. */
const OF_ALL = ['options', 'simple', 'toolOutput', 'toolFields', 'limit'];

/** Reads each parameter of an item once, and checks the values. */
export async function readItem(
	context: IExecuteFunctions,
	index: number,
	operation: Operation,
): Promise<ReadItem> {
	const item = new InputItem(context, index);
	const remarks = new Remarks();
	const values = await readParameters(
		parametersOf(operation),
		(name, title) => new Place(item, remarks, name, title, name),
		(name) => item.raw(name),
	);
	checkTogether(remarks, operation, values);
	return { index, values, remarks };
}

/** Checks the rules that concern several values, using only the values that are known and valid. */
export function checkTogether(remarks: Remarks, operation: Operation, values: ItemValues): void {
	if (!operation.check) return;
	const { options } = values;
	const valid = pickBy(omit(values, OF_ALL), (value) => value !== INVALID && !(value instanceof LookedUp));
	const validOptions = options === INVALID ? {} : ((options ?? {}) as ItemValues);
	operation.check(valid, issueAdder(remarks, operation), validOptions, (...note) => remarks.addNote(...note));
}

/** @param values of the item, or of the record that it becomes with others */
export const isValid = ({ remarks }: ReadItem, values: ItemValues) =>
	remarks.issues.length === 0 && !hasInvalid(values);

/** Adds issues under the field's name in the form; a field of a collection goes by its own name. */
export const issueAdder =
	(remarks: Remarks, operation: Operation): AddIssue =>
	(field, given, rule) =>
		void remarks.addIssue(field, titleIn(operation, field) ?? field, rule, given);

function titleIn(operation: Operation, field: string): string | undefined {
	for (const [name, { property }] of Object.entries(parametersOf(operation))) {
		if (name === field) return property.displayName;
		const inner = (property.options ?? []).find((option) => option.name === field);
		if (inner && 'displayName' in inner) return inner.displayName;
	}
	return undefined;
}
