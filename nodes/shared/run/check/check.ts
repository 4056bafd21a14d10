import type { IExecuteFunctions } from 'n8n-workflow';
import { map, partition, sortBy, uniq, uniqBy } from 'lodash';

import type { Asked, LocalOperation, Operation, Resource, WriteOperation } from '../../operation';
import { Explained } from '../../errors';
import { agreesWith } from '../../answer';
import { saysItExists } from './saysItExists';
import { gatewayRequest, withSource } from '../../gateway';
import type { Endpoint, GatewayRequest, RequestParts, TypedRequest, WriteEndpoint } from '../../gateway';
import { Remarks } from '../../parameters';
import { Turn, both } from '../../values';
import type { Rule } from '../../values';
import { combined } from './groups';
import type { ReadRecord } from './groups';
import { isTool } from '../n8n';
import { isValid, readItem, issueAdder } from './items';
import type { ItemValues, ReadItem } from './items';
import { Numbers } from './numbers';
import type { Result, Task, WriteTask } from '../task';
import { OF_RUN } from '../runState';

export interface Checked<T extends Task = Task> {
	tasks: T[];
	/** The items that break a rule; items that would become one record share one result. */
	invalid: Result[];
}

/** The operation chosen in the form. Throws if none is chosen, as for n8n's "Custom API Call". */
export function chosenOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
	const resource = context.getNodeParameter('resource', 0, null);
	const value = context.getNodeParameter('operation', 0, null);
	const operation = resources
		.find((candidate) => candidate.value === resource)
		?.operations.find((candidate) => candidate.value === value);
	if (operation?.notForAgents && isTool(context)) {
		throw new Explained({
			message: both(
				`"${operation.action}" can't be used as an AI agent's tool`,
				`„${operation.action}“ steht Agenten nicht als Werkzeug zur Verfügung`,
			),
			description: both(
				'Nothing was sent. A person can run it in a workflow.',
				'Es wurde nichts gesendet. Ein Mensch kann es in einem Workflow ausführen.',
			),
		});
	}
	if (operation) return operation;
	throw new Explained({
		message: both(
			`This node has no operation "${String(value ?? '')}" for "${String(resource)}"`,
			`Dieser Node hat keine Operation „${String(value ?? '')}“ für „${String(resource)}“`,
		),
		description: both(
			'Choose another operation. For a custom API call, use the HTTP Request node with the credential "Accounting Gateway API".',
			'Wählen Sie eine andere. Für eine eigene Anfrage nehmen Sie den Node „HTTP Request“ mit den Zugangsdaten „Accounting Gateway API“.',
		),
	});
}

/** Checks every item, and makes the tasks of the valid ones. Sends nothing. */
export async function checkAll(context: IExecuteFunctions, operation: Operation): Promise<Checked> {
	const tasks: Task[] = [];
	const invalid: Result[] = [];
	const numbers = operation.kind === 'write' ? new Numbers(operation) : undefined;
	const turn = new Turn();
	for (const { items, values } of await readRecords(context, operation, turn)) {
		await turn.yield();
		const [first] = items;
		const made =
			values && items.every((item) => isValid(item, values))
				? tasksOf(operation, items, values, numbers)
				: [];
		for (const task of made) numbers?.checkUnique(task, first);
		if (values && made.length === 0) numbers?.noteNumberOf(first, values);
		// Only now: a number that occurs again is an issue, too.
		if (items.some(({ remarks }) => remarks.issues.length > 0))
			invalid.push(invalidResult(operation, items, values));
		else tasks.push(...made);
	}
	return { tasks: sortBy(tasks, ({ items: [first] }) => first), invalid };
}

/** Reads all items; where several become one record, they are combined. */
async function readRecords(
	context: IExecuteFunctions,
	operation: Operation,
	turn: Turn,
): Promise<ReadRecord[]> {
	const items: ReadItem[] = [];
	for (let index = 0; index < context.getInputData().length; index++) {
		await turn.yield();
		items.push(await readItem(context, index, operation));
	}
	const { combine } = operation as Partial<WriteOperation>;
	return combine
		? combined(operation, combine, items)
		: items.map((item) => ({ items: [item], values: item.values }));
}

/** How many of the values that should be the same an error shows. */
export const SHOWN_VALUES = 5;

/**
 * All tasks that would be sent are invalid if an option that applies to the whole run isn't the same for all of them:
 * nobody can tell which value was meant.
 */
export function withSameOptions(operation: Operation, checked: Checked): Checked {
	const [toReview, toSend] = partition(checked.tasks, ({ options }) => options.dryRun);
	const rules = OF_RUN.flatMap((name) => {
		const values = uniq(toSend.map(({ options }) => options[name]));
		const given = (none: string) =>
			values
				.slice(0, SHOWN_VALUES)
				.map((value) => value ?? none)
				.join(', ');
		const rule = both(
			`must be the same for all items, because it applies to the run as a whole; the items have ${given('none')}`,
			`muss überall gleich sein, denn es gilt für den ganzen Lauf; angegeben sind ${given('nichts')}`,
		);
		return values.length > 1 ? [{ name, rule }] : [];
	});
	if (rules.length === 0) return checked;
	// An item with several files has several tasks.
	const invalid = uniqBy(toSend, ({ items }) => items.join()).map((task) => {
		const broken = rules.map(({ name, rule }) => ({ field: name, given: task.options[name], rule }));
		return invalidTogether(operation, task, broken);
	});
	return { tasks: toReview, invalid: [...checked.invalid, ...invalid] };
}

/** The result of a task whose values break rules only together with those of other tasks. */
export function invalidTogether(
	operation: Operation,
	{ items }: Task,
	broken: Array<{ field: string; given: unknown; rule: Rule }>,
): Result {
	const remarks = new Remarks();
	for (const { field, given, rule } of broken) issueAdder(remarks, operation)(field, given, rule);
	return { items, outcome: { kind: 'invalid', issues: issuesOf([{ index: items[0], remarks }]) } };
}

/** The result for items that break a rule. @param values of the record; `undefined` if the items don't make one */
const invalidResult = (operation: Operation, items: ReadItem[], values?: ItemValues): Result => ({
	items: map(items, 'index'),
	itemName: values && itemNameIn(operation, values),
	outcome: { kind: 'invalid', issues: issuesOf(items) },
});

/** The value by which a person recognizes an item, as it was given. */
const itemNameIn = ({ itemName }: Operation, values: ItemValues): string | undefined =>
	map(itemName, (parameter) => values[parameter]).find(
		(value) => typeof value === 'string' && value !== '',
	) as string | undefined;

/** The issues of the items, each with its item's index. */
export const issuesOf = (items: Array<Pick<ReadItem, 'index' | 'remarks'>>) =>
	items.flatMap(({ index, remarks }) => remarks.issues.map((issue) => ({ ...issue, item: index })));

/** Makes a task for each part of the items. @param numbers of the records that are to be written */
function tasksOf(
	operation: Operation,
	items: ReadItem[],
	values: ItemValues,
	numbers?: Numbers,
): Array<Task | WriteTask> {
	return partsOf(operation, items, values).map((task) => {
		if (operation.kind === 'write') return writeTask(operation, task, numbers!);
		const { label } = operation as Partial<LocalOperation>;
		return { ...task, label: label?.(task.values) };
	});
}

/** Makes a task for each part of the items; the tasks don't have their requests yet. */
function partsOf(operation: Operation, items: ReadItem[], values: ItemValues): Task[] {
	const { options = {}, simple, toolOutput, toolFields, limit, ...own } = values;
	const ofTask = options as Task['options'];
	const common: Omit<Task, 'values'> = {
		items: map(items, 'index'),
		itemName: itemNameIn(operation, own),
		notes: uniq(items.flatMap(({ remarks }) => remarks.notes)),
		options: ofTask,
		simple: toolOutput === undefined ? simple !== false : toolOutput !== 'raw',
		fields: toolFields as string[] | undefined,
		limit: (limit as number | undefined) ?? ofTask.limit,
	};
	const parts = operation.split?.(own);
	if (!parts) return [{ ...common, values: own }];
	return parts.map((part) => ({ ...common, ...part }));
}

function writeTask(operation: WriteOperation, task: Task, numbers: Numbers): WriteTask {
	const { values, options } = task;
	const asked = operation.request(values, options);
	const request = requestFor(operation, asked, values, options) as TypedRequest<WriteEndpoint>;
	const identity = numbers.identify(request, options, values);
	if (identity?.kind === 'given' || identity?.kind === 'made') {
		const { field, value } = identity;
		const { expects, mustAgree } = operation;
		request.saysItExists = (status, body) =>
			saysItExists(status, body, {
				field,
				value,
				agrees: agreesWith(expects, { ...request.body, ...mustAgree?.(request) }),
			});
		// A number that is made from the content isn't in the request yet.
		if (identity.kind === 'made') Object.assign(request.body, { [field]: value });
	}
	return { ...task, request, identity, label: operation.label?.(request, identity?.kind === 'made') };
}

/**
 * Makes an operation's request from an item's values.
 * @param asked the parts of the request
 */
export function requestFor(
	operation: Exclude<Operation, { kind: 'local' }>,
	asked: Asked<Endpoint>,
	values: ItemValues,
	{ quelle }: Task['options'],
): GatewayRequest {
	const { endpoint = operation.endpoint, textAnswer, ...parts } = asked;
	// What remains are the parts; the compiler doesn't subtract from a type that isn't known yet.
	const request = gatewayRequest(endpoint, parts as RequestParts<Endpoint>, (refusal) =>
		operation.explain?.(refusal, values),
	);
	return withSource(textAnswer ? { ...request, textAnswer } : request, quelle);
}
