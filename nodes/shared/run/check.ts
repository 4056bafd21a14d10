import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';
import { isEmpty, omit, pick, pickBy } from 'lodash';

import type { Operation, Resource, Unique } from '../operation';
import { parametersOf } from '../parameters/form';
import { INVALID, InputItem, Place } from '../parameters/inputItem';
import { Lookup } from '../parameters/lookup';
import type { CommonOptions } from '../parameters/options';
import { hasInvalid, readAll } from '../parameters/parameter';
import type { Issue } from '../parameters/inputItem';
import { formatItemRanges } from './result';
import { type Endpoint, gatewayRequest, type TypedRequest } from '../transport/request';

export type Request = TypedRequest<Endpoint>;

/** Of all items without any. */
const NO_NOTES: readonly string[] = Object.freeze([]);

/**
 * A request that has passed all checks, and what was read to make it. What follows from it isn't kept: a run may have very
 * many tasks.
 */
export class Task {
	/** Index of the input item. */
	readonly item: number;
	/** As in `InputItem`. */
	readonly notes: readonly string[];
	/** Names the first task of the run with the same record. */
	sameAs?: string;

	/**
	 * @param simple whether the answer is turned into records
	 * @param fields the records' fields that an AI agent gets, if they were chosen
	 * @param part if the operation makes several requests per item: which one this is
	 */
	constructor(
		private readonly operation: Operation,
		{ index, notes }: InputItem,
		readonly request: Request,
		readonly values: Record<string, unknown>,
		readonly options: CommonOptions & Record<string, unknown>,
		readonly simple: boolean,
		readonly fields?: readonly string[],
		readonly part?: { name: string; index: number },
	) {
		this.item = index;
		this.notes = notes.length > 0 ? notes : NO_NOTES;
	}

	/** Names the record of a write. */
	get label(): string | undefined {
		return this.operation.label?.(this.request);
	}

	/** What of it may be there only once. */
	get unique(): Unique | undefined {
		return this.operation.unique?.(this.request, this.options);
	}

	/** Identifies a record that may occur again in the run; the first task with it sends it. */
	get recurring(): string | undefined {
		const { unique } = this;
		return unique?.mayRecur ? identifierOf(unique) : undefined;
	}

	/** Tasks of one sequence are sent one after another. */
	get sequence(): string | undefined {
		return this.recurring ?? this.operation.sequence?.(this.request);
	}
}

/** A valid read whose request needs a look-up first. */
export interface Pending {
	item: InputItem;
	/** By the parameters' names. */
	lookups: Record<string, Lookup>;
	values: Task['values'];
	options: Task['options'];
	/** Makes the tasks from the values found. */
	complete(found: Record<string, unknown>): Task[];
}

export interface Checked {
	tasks: Task[];
	pending: Pending[];
	/** The items that break a rule, by their index. */
	invalid: Map<number, Issue[]>;
}

/** The operation chosen in the form. Throws if there is none, as for n8n's "Custom API Call". */
export function chosenOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
	const resource = context.getNodeParameter('resource', 0, null);
	const value = context.getNodeParameter('operation', 0, null);
	const operation = resources
		.find((candidate) => candidate.value === resource)
		?.operations.find((candidate) => candidate.value === value);
	if (operation) return operation;
	throw new NodeOperationError(
		context.getNode(),
		`This node has no operation "${String(value ?? '')}" for "${String(resource)}"`,
		{
			description:
				'Choose another operation. For a custom API call use the HTTP Request node with the credential "Accounting Gateway API".',
		},
	);
}

/** Checks every item and builds the requests of the valid ones. Sends nothing. */
export async function checkAll(context: IExecuteFunctions, operation: Operation): Promise<Checked> {
	const checked: Checked = { tasks: [], pending: [], invalid: new Map() };
	const seen = new Map<string, Task>();
	for (let index = 0; index < context.getInputData().length; index++) {
		const item = new InputItem(context, index);
		const { tasks = [], pending = [] } = await checkItem(item, operation);
		for (const task of tasks) checkUnique(task, operation, item, seen);
		checked.pending.push(...pending);
		if (item.issues.length === 0) checked.tasks.push(...tasks);
		else checked.invalid.set(index, item.issues);
	}
	return checked;
}

/** The parameters that all operations have. */
const OF_ALL = ['options', 'simple', 'toolOutput', 'toolFields'];

/** @returns the requests for the item, or what must be looked up first; nothing if it breaks a rule */
async function checkItem(item: InputItem, operation: Operation): Promise<Partial<Checked>> {
	const parameters = parametersOf(operation);
	const values = await readAll(
		parameters,
		(name, place) => item.raw(name, place),
		item,
		'',
		(name) => item.inForm(name),
	);
	const lookups = pickBy(values, (value) => value instanceof Lookup) as Pending['lookups'];
	if (operation.check) {
		const known = omit(values, [...Object.keys(lookups), ...OF_ALL]);
		checkTogether(item, operation, known, values.options);
	}
	if (hasInvalid(values) || item.issues.length > 0) return {};
	const complete = (found: Task['values']) => tasksOf(item, operation, { ...values, ...found });
	return isEmpty(lookups)
		? { tasks: complete({}) }
		: { pending: [{ item, lookups, values, options: values.options as Task['options'], complete }] };
}

function tasksOf(item: InputItem, operation: Operation, values: Task['values']): Task[] {
	const { options: given, simple = true, toolOutput, toolFields, ...own } = values;
	const isSimple = toolOutput === undefined ? (simple as boolean) : toolOutput !== 'raw';
	const fields = toolOutput === 'selected' ? (toolFields as string[]) : undefined;
	const options = given as Task['options'];
	const taskOf = (partValues: Task['values'], part?: Task['part']): Task => {
		const request = requestOf(operation, partValues, options);
		return new Task(operation, item, request, partValues, options, isSimple, fields, part);
	};
	const parts = operation.split?.(own);
	return parts?.map((part, index) => taskOf(part.values, { name: part.name, index })) ?? [taskOf(own)];
}

function requestOf(operation: Operation, values: Task['values'], options: Task['options']): Request {
	const endpoint = operation.endpointFor?.(values) ?? operation.endpoint;
	const request = gatewayRequest(endpoint, operation.request(values, options), operation.explain?.(values));
	const handled = { ...request, ...operation.handling?.(values) } as Request;
	const unique = operation.unique?.(handled, options);
	return unique ? { ...handled, identity: pick(unique, ['field', 'value']) } : handled;
}

/** Checks the rules that concern several values, with the values that are valid. */
function checkTogether(
	item: InputItem,
	operation: Operation,
	values: Record<string, unknown>,
	options: unknown,
): void {
	const valid = pickBy(values, (value) => value !== INVALID);
	const validOptions = options === INVALID ? {} : (options as Record<string, unknown>);
	const addIssue = (field: string, given: unknown, rule: string) =>
		addFieldIssue(item, operation, field, given, rule);
	operation.check?.(valid, addIssue, validOptions);
}

/** @param field as in `Issue`; a field of a collection goes by its own name */
function addFieldIssue(
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

/** Adds an issue when a value that must be unique in a run occurs again. */
function checkUnique(task: Task, operation: Operation, item: InputItem, seen: Map<string, Task>): void {
	const { unique } = task;
	if (!unique) return;
	const identifier = identifierOf(unique);
	const first = seen.get(identifier);
	if (!first) return void seen.set(identifier, task);
	const whose = first.item === task.item ? first.label : formatItemRanges([first.item]);
	if (unique.mayRecur) task.sameAs = whose;
	else addFieldIssue(item, operation, unique.field, unique.value, `is that of ${whose} already`);
}

const identifierOf = ({ within, value }: Unique) => JSON.stringify([within, value]);
