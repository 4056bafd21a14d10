import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';
import { isEqual, map, omit, pickBy, sortBy, uniq } from 'lodash';

import type { Asked, Operation, ReadOperation, Resource, WriteOperation } from '../operation';
import type { Explain } from '../errors/httpError';
import { parametersOf } from '../form/properties';
import { INVALID, InputItem } from '../parameters/inputItem';
import { Lookup } from '../parameters/lookup';
import { hasInvalid, readParameters } from '../parameters/parameter';
import type { Issue } from '../parameters/inputItem';
import { addFieldIssue } from './fieldIssue';
import { Groups } from './groups';
import { formatItemRanges } from './result';
import { identifierOf, LocalTask, ReadTask, WriteTask } from './task';
import type { Source, Task, TaskOf } from './task';
import { gatewayRequest, withMembers, withSource } from '../gateway/request';
import type {
	Endpoint,
	GatewayRequest,
	ReadEndpoint,
	RequestParts,
	TypedRequest,
	WriteEndpoint,
} from '../gateway/request';

/** A valid item whose request needs a look-up first. Only reads have any: the record of a write is checked as a whole. */
export interface Pending {
	item: InputItem;
	/** By the parameters' names. */
	lookups: Record<string, Lookup>;
	values: Task['values'];
	options: Task['options'];
	/** Checks the rules that concern several values, once all are known. */
	check(found: Record<string, unknown>): void;
	/** Makes the tasks from the values found. */
	complete(found: Record<string, unknown>): ReadTask[];
}

export interface Checked<T extends Task = Task> {
	tasks: T[];
	pending: Pending[];
	/** The items that break a rule, by their index. */
	invalid: Map<number, Issue[]>;
	/** The groups of items that would have been one record, but at least one of them breaks a rule. */
	refused: number[][];
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
				'Choose another operation. For a custom API call, use the HTTP Request node with the credential "Accounting Gateway API".',
		},
	);
}

/** Checks every item and builds the requests of the valid ones. Sends nothing. */
export async function checkAll<O extends Operation>(
	context: IExecuteFunctions,
	operation: O,
): Promise<Checked<TaskOf<O>>> {
	const checked: Checked<TaskOf<O>> = { tasks: [], pending: [], invalid: new Map(), refused: [] };
	const seen = new Map<string, Identified>();
	const occurrences = new Occurrences();
	const shared = new SharedGroups();
	const groups = new Groups(operation);
	const add = (
		item: InputItem,
		{ tasks = [], pending = [], broken }: Partial<Checked<TaskOf<O>>> & { broken?: Identified },
	) => {
		for (const task of tasks) if (task instanceof WriteTask) checkUnique(task, operation, item, seen);
		if (broken) checkUnique(broken, operation, item, seen);
		checked.pending.push(...pending);
		if (item.issues.length === 0) checked.tasks.push(...tasks);
		else checked.invalid.set(item.index, item.issues);
	};
	for (let index = 0; index < context.getInputData().length; index++) {
		const item = new InputItem(context, index);
		const values = shared.of(await readItem(item, operation));
		if (!groups.take(item, values))
			add(
				item,
				isValid(item, values)
					? complete(item, operation, values, occurrences)
					: { broken: brokenTask(item, operation, values) },
			);
	}
	for (const { items, values } of groups.combine()) {
		const [first] = items;
		const indexes = map(items, 'index');
		if (values) {
			const notes = uniq(items.flatMap((item) => item.notes));
			const source = { index: first.index, notes, combined: items.length > 1 ? indexes : undefined };
			add(first, { tasks: tasksOf(source, operation, values, occurrences) });
		}
		const broken = items.filter(({ issues }) => issues.length > 0);
		for (const item of broken) checked.invalid.set(item.index, item.issues);
		if (broken.length > 0) checked.refused.push(indexes);
	}
	return groups.isEmpty ? checked : { ...checked, tasks: sortBy(checked.tasks, 'item') };
}

/** The parameters that all operations have. */
const OF_ALL = ['options', 'simple', 'toolOutput', 'toolFields'];

/** Reads each parameter of an item once, and checks the values that are known. */
async function readItem(item: InputItem, operation: Operation): Promise<Task['values']> {
	const parameters = parametersOf(operation);
	const values = await readParameters(
		parameters,
		(name, place) => item.raw(name, place),
		item,
		'',
		(name) => item.inForm(name),
	);
	checkTogether(item, operation, values);
	return values;
}

/** Keeps equal groups of values once: those of most items are the same as the item's before. */
class SharedGroups {
	private latest: Task['values'] = {};

	/** The same values, with the groups of the item before where they are equal. */
	of(values: Task['values']): Task['values'] {
		for (const name of ['options', 'additionalFields']) {
			if (isEqual(values[name], this.latest[name])) values[name] = this.latest[name];
		}
		this.latest = values;
		return values;
	}
}

const isLookup = (value: unknown) => value instanceof Lookup;

const isValid = ({ issues }: InputItem, values: Task['values']) => issues.length === 0 && !hasInvalid(values);

/** @returns the requests for a valid item, or what must be looked up first */
function complete<O extends Operation>(
	item: InputItem,
	operation: O,
	values: Task['values'],
	occurrences: Occurrences,
): Partial<Checked<TaskOf<O>>> {
	if (!Object.values(values).some(isLookup)) return { tasks: tasksOf(item, operation, values, occurrences) };
	// A write would be sent unseen: a dry run, a number that occurs twice and a balance are checked before.
	if (operation.kind !== 'read') throw new Error(`Only a read looks up a value, not "${operation.action}"`);
	const lookups = pickBy(values, isLookup) as Pending['lookups'];
	const read: ReadOperation = operation;
	const completed = (found: Task['values']) => tasksOf(item, read, { ...values, ...found }, occurrences);
	const check = (found: Task['values']) => checkTogether(item, operation, { ...values, ...found });
	const options = values.options as Task['options'];
	return { pending: [{ item, lookups, values, options, check, complete: completed }] };
}

function tasksOf<O extends Operation>(
	item: Source,
	operation: O,
	values: Task['values'],
	occurrences: Occurrences,
): Array<TaskOf<O>> {
	const { options: given = {}, simple = true, toolOutput, toolFields, ...own } = values;
	const isSimple = toolOutput === undefined ? (simple as boolean) : toolOutput !== 'raw';
	const fields = toolOutput === 'selected' ? (toolFields as string[]) : undefined;
	const options = given as Task['options'];
	const taskOf = (partValues: Task['values'], part?: Task['part']) =>
		// The compiler doesn't follow the kind to the type that depends on it.
		makeTask(operation, [item, partValues, options, isSimple, fields, part], occurrences) as TaskOf<O>;
	const parts = operation.split?.(own);
	return parts?.map((part, index) => taskOf(part.values, { name: part.name, index })) ?? [taskOf(own)];
}

function makeTask(
	operation: Operation,
	read: ConstructorParameters<typeof Task>,
	occurrences: Occurrences,
): Task {
	if (operation.kind === 'local') return new LocalTask(operation, ...read);
	const [, values, options] = read;
	if (operation.kind === 'read') {
		const request = requestOf(operation, operation.request(values, options), read);
		return new ReadTask(request as TypedRequest<ReadEndpoint>, ...read);
	}
	const asked = requestOf(operation, operation.request(values, options), read) as TypedRequest<WriteEndpoint>;
	const content = operation.contentOf?.(asked, options);
	const nth = content === undefined ? undefined : occurrences.next(content);
	const request = nth === undefined ? asked : (operation.withId?.(asked, content!, nth) ?? asked);
	const task = new WriteTask(operation, identified(operation, request, options), ...read);
	if (nth !== undefined && !operation.withId) task.content = `${content} ${nth}`;
	return task;
}

/** Counts the records of a run with the same content. */
class Occurrences {
	private readonly counts = new Map<string, number>();

	/** Which of them this one is, from 1. */
	next(content: string): number {
		const nth = (this.counts.get(content) ?? 0) + 1;
		this.counts.set(content, nth);
		return nth;
	}
}

function requestOf<E extends Endpoint>(
	{ endpoint: usual, explain }: { endpoint: E; explain?(values: Task['values']): Explain },
	{ endpoint = usual, anyAnswer, around, ...parts }: Asked<E>,
	[, values, options]: ConstructorParameters<typeof Task>,
): GatewayRequest {
	// What remains are the parts; the compiler doesn't subtract from a type that isn't known yet.
	const request = gatewayRequest(endpoint, parts as RequestParts<Endpoint>, explain?.(values));
	return withSource(anyAnswer || around ? { ...request, anyAnswer, around } : request, options.quelle);
}

/** Adds the value that a refusal may name. */
function identified<R extends TypedRequest<WriteEndpoint>>(
	operation: WriteOperation,
	request: R,
	options: Task['options'],
): R {
	const unique = operation.unique?.(request, options);
	if (!unique) return request;
	const { field, value } = unique;
	return withMembers(request, { identity: { field, value } });
}

/** Checks the rules that concern several values, with those that are known and valid. */
function checkTogether(item: InputItem, operation: Operation, values: Task['values']): void {
	if (!operation.check) return;
	const { options } = values;
	const valid = pickBy(omit(values, OF_ALL), (value) => value !== INVALID && !isLookup(value));
	const validOptions = options === INVALID ? {} : ((options ?? {}) as Record<string, unknown>);
	const addIssue = (field: string, given: unknown, rule: string) =>
		addFieldIssue(item, operation, field, given, rule);
	operation.check(valid, addIssue, validOptions);
}

/** What must be unique about a task, or about an item that won't become one. */
interface Identified extends Pick<WriteTask, 'item' | 'label' | 'unique'> {
	sameAs?: string;
}

/**
 * What identifies the record of an item that breaks a rule, so that a second item with the same number is reported
 * right away, and not only after the first is corrected.
 * @returns `undefined` if that isn't known
 */
function brokenTask(item: InputItem, operation: Operation, values: Task['values']): Identified | undefined {
	// An item that becomes several records has a number for each.
	if (operation.kind !== 'write' || !operation.unique || operation.split) return undefined;
	const { options, ...given } = pickBy(values, (value) => value !== INVALID);
	const known = { additionalFields: {}, ...omit(given, OF_ALL) };
	const knownOptions = (options ?? {}) as Task['options'];
	try {
		const request = operation.request(known, knownOptions) as TypedRequest<WriteEndpoint>;
		const unique = operation.unique(request, knownOptions);
		const isKnown = unique?.value && !unique.mayRecur && !/\bundefined\b/.test(unique.within);
		return isKnown ? { item: item.index, label: undefined, unique } : undefined;
	} catch {
		// A value is missing that the request can't do without.
		return undefined;
	}
}

/** Adds an issue when a value that must be unique in a run occurs again. */
function checkUnique(
	task: Identified,
	operation: Operation,
	item: InputItem,
	seen: Map<string, Identified>,
): void {
	const { unique } = task;
	if (!unique) return;
	const identifier = identifierOf(unique);
	const first = seen.get(identifier);
	if (!first) return void seen.set(identifier, task);
	const whose = first.item === task.item ? first.label : formatItemRanges([first.item]);
	if (unique.mayRecur) task.sameAs = whose;
	else addFieldIssue(item, operation, unique.field, unique.value, `is already used by ${whose}`);
}
