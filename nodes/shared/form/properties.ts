import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties } from 'n8n-workflow';
import { memoize } from 'lodash';

import type { Operation, Resource } from '../operation';
import { NOT_OF_TOOL, dryRunIsOn, formOfRecords, optionsOf, toolLimit } from './options';
import { propertyOf } from '../parameters';
import type { ParameterMap } from '../parameters';

/** All parameters of an operation, including those that every operation has. Cached, as every item needs them. */
export const parametersOf = memoize(
	(operation: Operation): ParameterMap => ({
		...(operation.kind === 'write' && { dryRunIsOn }),
		...operation.parameters,
		...formOfRecords(operation),
		...toolLimit(operation),
		...optionsOf(operation),
	}),
);

/**
 * Makes the node's form: the resource list, for each resource its operations, for each operation its fields.
 * @param opensOn the resource of a new node; by default the first one
 */
export function propertiesOf(resources: Resource[], opensOn = resources[0].value): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value, operations }) => ({
				name,
				value,
				...hiddenInTools(operations.every(({ notForAgents }) => notForAgents)),
			})),
			default: opensOn,
		},
		...resources.map(operationList),
		...resources.flatMap(({ value: resource, operations }) =>
			operations.flatMap((operation) =>
				updateDisplayOptions(
					{ show: { resource: [resource], operation: [operation.value] } },
					Object.entries(parametersOf(operation)).map(propertyOf),
				),
			),
		),
	];
}

const hiddenInTools = (isHidden?: boolean) => isHidden && { displayOptions: NOT_OF_TOOL };

function operationList({ value: resource, operations }: Resource): INodeProperties {
	const [{ value: first }] = operations;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description, notForAgents }) => ({
			name,
			value,
			action,
			description,
			...hiddenInTools(notForAgents),
		})),
		default: first,
	};
}

/** Parameters that best describe what a node does. */
const SUBJECTS = ['kassenname', 'belegtyp', 'product_id'];

/** A name without the German term, for which the canvas has no room. */
const short = (name: string) => name.replace(/ \([^)]*\)/g, '');

/** What an operation does, where no cash book, document type or product is known: short, and never ambiguous. */
function titleOf({ name: resource, many }: Resource, { name }: Operation): string {
	const operation = short(name);
	const ofMany = operation.replace(/^Get Many/, many ?? `${short(resource)}s`);
	if (ofMany !== operation) return ofMany;
	return operation.includes(' ') ? operation : `${operation} · ${short(resource)}`;
}

/**
 * The text below the node's name on the canvas: the operation with the chosen cash book, document type or product, e.g.
 * "Create · Hauptkasse", or else with the resource; of "Get Many" what is read. The result of an expression isn't known
 * there.
 */
export function subtitleOf(resources: Resource[]): string {
	const textOf = (say: (resource: Resource, operation: Operation) => string) => {
		const texts = resources.flatMap((resource) =>
			resource.operations.map((one) => [`${resource.value}.${one.value}`, say(resource, one)]),
		);
		return `((${JSON.stringify(Object.fromEntries(texts))})[$parameter.resource + "." + $parameter.operation] ?? $parameter.operation)`;
	};
	// Unresolved: `$parameter.kassenname` would evaluate an expression.
	const subjects = SUBJECTS.map((name) => `$parameter.toJSON().${name}`).join(', ');
	const subject = `[${subjects}].map((one) => String(one?.cachedResultName || (one?.value ?? one ?? ""))).find((text) => text && !text.startsWith("="))`;
	const withSubject = `${textOf((_, { name }) => short(name))} + " · " + ${subject}`;
	return `={{ ${subject} ? ${withSubject} : ${textOf(titleOf)} }}`;
}
