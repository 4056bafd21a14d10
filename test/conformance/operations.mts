/** Every operation of every node, with what the tests need to run it: discovered, not listed, so none can be missing. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

import type { ReadOperation, Resource, WriteOperation } from '../../nodes/shared/operation.js';
import { at, type Operation, operations, resolve } from '../../api/contract.mjs';
import { IS_THOROUGH, partOf } from '../../scripts/base/extent.mjs';

/** Fields whose place in the request doesn't follow from their name. */
const NESTED: Record<string, { target: string; schema: Schema }> = {
	ticket_id: { target: 'path.id', schema: { type: 'string', format: 'uuid' } },
	dateiname: { target: 'body.datei.dateiname', schema: { type: 'string' } },
	prozent: { target: 'body.steuersatz.prozent', schema: { type: 'number' } },
	buSchluessel: { target: 'body.steuersatz.buSchluessel', schema: { type: 'string' } },
	postal_code: { target: 'body.tariff_settings.postal_code', schema: { type: 'string' } },
	phone_number: { target: 'body.identification_medium.phone_number', schema: { type: 'string' } },
};

/** A field of the form, whose value the user gives. */
export interface Field {
	/** Its path in the parameters: `betrag`, `additionalFields.id`, `options.quelle`; in a line, its name. */
	path: string;
	/** Its name, also in an item's problems. */
	name: string;
	property: INodeProperties;
	/** It may be omitted from the parameters; all others always have a value. */
	optional: boolean;
	/** Where its value goes in the request: `query.quelle`, `body.datei`; undefined if it isn't sent. */
	target?: string;
	/** What the contract says of it. */
	schema: Schema;
}

export interface Schema {
	type?: string;
	format?: string;
	pattern?: string;
	enum?: string[];
	minimum?: number;
	maxLength?: number;
}

/** One operation of a node. */
export interface Action {
	/** `accountingGatewayDelivery cashBookEntry create` */
	name: string;
	node: INodeType;
	operation: ReadOperation | WriteOperation;
	contract: Operation;
	/** The parameters that choose it. */
	chosen: INodeParameters;
	fields: Field[];
	/** The fields of each of its lines, if it has lines (`belegzeilen`). */
	lineFields: Field[];
}

const ROOT = new URL('../../', import.meta.url);

/** All operations of the nodes in package.json that call the gateway. The trigger has none. */
export const actions: Action[] = (await Promise.all((await nodeFolders()).map(actionsOf))).flat();
export const writes = actions.filter(
	(action): action is Action & { operation: WriteOperation } => action.operation.kind === 'write',
);
export const reads = actions.filter(({ operation }) => operation.kind === 'read');

/** One operation for each shape of answer: a list, a record, a report, an open list, an entry, a document, a ticket, the URL. */
const SHAPES = [
	...['listAccounts', 'getFiscalYear', 'getOpenItems', 'listCashBooks'],
	...['createCashBookEntry', 'uploadDuoDocument', 'createTicket', 'setWebhookUrl'],
];
/** Operations for what all have in common: by day those and one in six of the others. */
export const sample = IS_THOROUGH
	? actions
	: actions.filter(({ contract }, i) => SHAPES.includes(contract.id) || i % 6 === 0);
/** A table of cases by day: whole for these, one in six for each other operation, each time another one. */
export const sampleOf = <T,>(table: readonly T[], action: Action): T[] =>
	SHAPES.includes(action.contract.id) ? [...table] : partOf(table, actions.indexOf(action));

async function nodeFolders(): Promise<string[]> {
	const manifest = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8')) as {
		n8n: { nodes: string[] };
	};
	const folders = manifest.n8n.nodes.map((file) => file.split('/').at(-2) as string);
	return folders.filter((folder) => existsSync(new URL(`nodes/${folder}/resources.ts`, ROOT)));
}

async function actionsOf(folder: string): Promise<Action[]> {
	const load = async (file: string) =>
		(await import(new URL(`nodes/${folder}/${file}`, ROOT).href)) as Record<string, unknown>;
	const { [folder]: Node } = (await load(`${folder}.node.ts`)) as Record<string, new () => INodeType>;
	const { resources } = (await load('resources.ts')) as { resources: Resource[] };
	const node = new Node();
	return resources.flatMap((resource) =>
		resource.operations.flatMap((operation) =>
			operation.kind === 'local' ? [] : [actionOf(node, resource.value, operation)],
		),
	);
}

function actionOf(node: INodeType, resource: string, operation: Action['operation']): Action {
	const name = `${node.description.name} ${resource} ${operation.value}`;
	// For `connection.getAll`, the first module's.
	const contract = operations.find(({ method, path }) => `${method} ${path}` === operation.endpoint)!;
	const chosen = { resource, operation: operation.value };
	// The form as the node shows it for this operation, with the options that all operations have.
	const shown = node.description.properties.filter(
		({ displayOptions: { show } = {} }) =>
			show?.resource?.includes(resource) && show.operation?.includes(operation.value),
	);
	const lines = shown.find(({ type }) => type === 'fixedCollection');
	return {
		name,
		node,
		operation,
		contract,
		chosen,
		fields: shown.flatMap((property) => fieldsIn(property, contract)),
		// A line without its amount can't be part of the sum.
		lineFields: (lines ? groupOf(lines) : []).map((property) =>
			fieldOf(property, contract, property.name, property.name !== 'betrag'),
		),
	};
}

function fieldsIn(property: INodeProperties, contract: Operation): Field[] {
	// What is hidden is only kept for saved workflows.
	if (['fixedCollection', 'hidden', 'notice'].includes(property.type)) return [];
	// What is empty isn't compared with what was sent before.
	if (property.type !== 'collection')
		return [fieldOf(property, contract, property.name, property.name === 'onlyOnceFor')];
	return (property.options as INodeProperties[]).flatMap((option) =>
		option.type === 'hidden' ? [] : fieldOf(option, contract, `${property.name}.${option.name}`, true),
	);
}

function groupOf(property: INodeProperties): INodeProperties[] {
	return (property.options as Array<{ values: INodeProperties[] }>)[0].values;
}

function fieldOf(property: INodeProperties, contract: Operation, path: string, optional: boolean): Field {
	const { name } = property;
	const isBehaviour = path.startsWith('options.') && name !== 'quelle';
	const found = isBehaviour ? undefined : targetOf(name, contract);
	return { path, name, property, optional, target: found?.target, schema: found?.schema ?? {} };
}

/** Where the contract has a field of this name, and what it says of it. */
function targetOf(name: string, contract: Operation): { target: string; schema: Schema } | undefined {
	const parameter = contract.parameters.find((one) => one.name === name);
	if (parameter) return { target: `${parameter.in}.${name}`, schema: at(parameter.schema) };
	const body = contract.schemas.has('body') ? resolve(contract.schemas.get('body') as string) : undefined;
	for (const schema of body ? [body, resolve(`${body}/properties/belegzeilen/items`)] : []) {
		const property = `${schema}/properties/${name}`;
		if (at(property)) return { target: `body.${name}`, schema: at(resolve(property)) };
	}
	return NESTED[name];
}
