import { updateDisplayOptions } from 'n8n-workflow';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { memoize } from 'lodash';

import { CREDITS_FIELD } from './credits';
import type { Item } from './item';
import { actionOptions, simplify } from './options';
import type { GatewayRequest } from './request';

/** What n8n's lists show of a resource. */
export interface Resource {
	/** Value of the parameter `resource`; saved workflows hold it. */
	value: string;
	/** Title Case. */
	name: string;
	operations: Operation[];
}

/** One operation of a node: everything that there is to know about it. */
export interface Operation {
	/** Value of the parameter `operation`; saved workflows hold it. */
	value: string;
	/** Title Case. */
	name: string;
	/** Sentence case, without articles, with the resource. */
	action: string;
	/** For people and for AI agents: what it does, and the German term. */
	description: string;
	/** `write`: sent one after another, in input order, never repeated. `read`: several at once, repeated when that can help. */
	kind: 'read' | 'write';
	/** Whether the request carries `quelle`; all of the accounting areas do. */
	quelle?: boolean;
	/** The form, without the fields that all operations have. */
	fields: INodeProperties[];
	/** What this operation offers under `options` beyond that. */
	options?: INodeProperties[];
	/**
	 * Makes the item's fields a request. Everything that is wrong with them is noted in the item; the request is only
	 * sent when nothing was.
	 */
	request(item: Item): GatewayRequest | Promise<GatewayRequest>;
	/**
	 * A value that may occur only once in a run.
	 * @returns the field's name, its value, and within what it must be unique
	 */
	unique?(item: Item): { field: string; value: string; within: string };
	/** Names an item's record in errors of a write, e.g. `belegnummer R-17`, so that it can be looked up. */
	label?(item: Item): string;
	/** What a refusal with this HTTP status means here, beyond what it always means. */
	explain?(status: number, item: Item): string | undefined;
	/** A second request for the item, where the answer to the first one leaves something to do. */
	complete?(body: unknown, item: Item): Completion | undefined;
	/** What the user must know of a good answer, e.g. that a task in the accounting system went wrong. */
	warning?(body: unknown): string | undefined;
	/** Makes the gateway's answer one record an output item, when "Simplify" is on. Default: `recordsOf`. */
	records?(body: unknown, item: Item): IDataObject[];
}

/** The second of two requests; its answer takes the place of the first one's. */
export interface Completion {
	request: GatewayRequest;
	/** The fields that identify what exists by now; a failure hands them over. */
	created: IDataObject;
	/** Whether a good answer says what it has to; else the request counts as failed. */
	isConfirmedBy(body: unknown): boolean;
	/** What is the case when this request fails. Becomes the beginning of the error's message. */
	message: string;
	/** How to go on from there by hand. */
	advice: string;
}

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const asRecord = (value: unknown): IDataObject =>
	isObject(value) ? value : { value: value as IDataObject['value'] };

/**
 * The list in an answer: bare, under `data`, or the only one that there is, also below `data` (the shapes of some lists
 * are "not shown").
 * @returns `undefined` where there is no list
 */
export function listIn(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	if (!isObject(body)) return undefined;
	if (Array.isArray(body.data)) return body.data;
	if (body.data === null) return [];
	const below = isObject(body.data) ? listIn(body.data) : undefined;
	const lists = Object.values(body).filter(Array.isArray);
	return below ?? (lists.length === 1 ? lists[0] : undefined);
}

/**
 * One record for each entry of the list under `data`, or the object under `data`; else the answer itself without the
 * credit balance.
 */
export function recordsOf(body: unknown): IDataObject[] {
	if (body === null) return [];
	if (Array.isArray(body)) return body.map(asRecord);
	if (!isObject(body)) return [asRecord(body)];
	if (Array.isArray(body.data)) return body.data.map(asRecord);
	if (isObject(body.data)) return [body.data];
	if ('data' in body && body.data === null) return [];
	return [
		Object.fromEntries(
			Object.entries(body).filter(([, value]) => !(isObject(value) && CREDITS_FIELD in value)),
		),
	];
}

/** One record for each entry of a list whose shape is "not shown". */
export const recordsOfList = (body: unknown): IDataObject[] => listIn(body)?.map(asRecord) ?? recordsOf(body);

/**
 * Rows for a spreadsheet: one for each entry of a parent's list, with the parent's own fields, so that each row is
 * complete in itself.
 * @param list name of the parent's list, which the rows don't repeat
 */
export function rowsOf(parents: IDataObject[], list: string): IDataObject[] {
	return parents.flatMap(({ [list]: entries, ...keys }) =>
		(Array.isArray(entries) ? entries : []).map((entry) => ({ ...keys, ...asRecord(entry) })),
	);
}

/** The answer as it came. n8n's items are objects, so an answer that is a list becomes one item an entry. */
export function untouched(body: unknown): IDataObject[] {
	return body === null ? [] : Array.isArray(body) ? body.map(asRecord) : [asRecord(body)];
}

/**
 * What a node outputs for an answer.
 * @returns never nothing for a write: a success without content is still something to go on with
 */
export function outputRecords(
	{ kind, records = recordsOf }: Operation,
	body: unknown,
	item: Item,
): IDataObject[] {
	const output = item.simple ? records(body, item) : untouched(body);
	return output.length === 0 && kind === 'write' ? [{ success: true }] : output;
}

/** Makes the node's form: the resource list, for each resource its operations, for each operation its fields. */
export function propertiesOf(resources: Resource[]): INodeProperties[] {
	const [{ value: first }] = resources;
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: first,
		},
		...resources.map(operationList),
		...resources.flatMap(({ value: resource, operations }) =>
			operations.flatMap((operation) =>
				updateDisplayOptions(
					{ show: { resource: [resource], operation: [operation.value] } },
					formOf(operation),
				),
			),
		),
	];
}

const formOf = (operation: Operation): INodeProperties[] => [
	...operation.fields,
	simplify,
	actionOptions(operation),
];

/**
 * A field as the form and the gateway call it, for errors: `Amount (betrag)`.
 * @param field as in `Problem`
 */
export function fieldTitle(operation: Operation, field: string): string {
	const name = field.slice(field.lastIndexOf('.') + 1);
	const shown = shownIn(operation).find((property) => property.name === name);
	return shown ? `${shown.displayName} (${field})` : field;
}

/** All fields of the form. A run may have an error of each of its items: the form is made once. */
const shownIn = memoize((operation: Operation) => formOf(operation).flatMap(withInner));

/** A property and the fields of the collection, or of the groups, that it is. */
const withInner = (property: INodeProperties): INodeProperties[] => [
	property,
	...(property.options ?? []).flatMap((option) =>
		'values' in option ? option.values : 'displayName' in option ? option : [],
	),
];

function operationList({ value: resource, operations }: Resource): INodeProperties {
	const [{ value: first }] = operations;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => ({ name, value, action, description })),
		default: first,
	};
}
