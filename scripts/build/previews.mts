/**
 * Writes the previews of each operation's output, which the editor shows before a node has run: the contract's
 * example answer goes through the operation, and its output is described. `npm run build` writes them,
 * so that they always match contract and nodes.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import get from 'lodash/get.js';
import merge from 'lodash/merge.js';
import { parse } from 'yaml';

import type { Operation, Resource } from '../../nodes/shared/operation.js';
import { simplified } from '../../nodes/shared/run/report/fields.js';

type Json = Record<string, unknown>;

/** The part of JSON Schema that n8n reads. */
export interface Preview {
	type: string;
	properties?: Record<string, Preview>;
	items?: Preview;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const contract = parse(await readFile(join(ROOT, 'api/gateway.openapi.yaml'), 'utf8')) as Json;

/** The nodes with operations, each with its folder's name. */
export async function actionNodes(): Promise<Array<{ folder: string; resources: Resource[] }>> {
	const { n8n } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[] };
	};
	const folders = n8n.nodes
		.filter((file) => !file.endsWith('Trigger.node.js'))
		.map((file) => file.split('/')[2]);
	return await Promise.all(
		folders.map(async (folder) => {
			const { resources } = (await import(`../../nodes/${folder}/resources.ts`)) as { resources: Resource[] };
			return { folder, resources };
		}),
	);
}

/** The path, from the repository's root, where n8n looks for the preview of an operation (node version 1). */
export const previewFile = (folder: string, resource: string, operation: string) =>
	`nodes/${folder}/__schema__/v1.0.0/${resource}/${operation}.json`;

/** An operation's output for the contract's example answer and the form's defaults. */
export function previewOf(operation: Operation): Preview {
	if ('example' in operation) return describe([operation.example]).items as Preview;
	const answer = answerOf(operation.endpoint);
	const { columns } = operation;
	const values = { additionalFields: {}, datei: [{ content: { sha256: '' } }] };
	const alreadyExisted = Array.isArray(columns) && columns.includes('alreadyExisted') ? false : undefined;
	const rows = [...simplified(operation, answer, { values, options: {}, alreadyExisted })];
	return describe(rows).items as Preview;
}

/** A complete answer: the contract's example, with every field of its schema. */
function answerOf(endpoint: string): unknown {
	const [method, path] = endpoint.split(' ');
	const { responses } = get(contract, ['paths', path, method.toLowerCase()]) as { responses: Json };
	const { content } = resolve(responses['2XX']) as {
		content: Record<string, { schema: Json; example?: unknown }>;
	};
	const { schema, example } = content['application/json'];
	return complete(schema, example);
}

function resolve(schema: unknown): Json {
	const { $ref } = schema as { $ref?: string };
	return $ref === undefined ? (schema as Json) : resolve(get(contract, $ref.split('/').slice(1)));
}

const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The example, completed by values that fit the schema. */
function complete(schema: unknown, example: unknown): unknown {
	const { anyOf, type, properties, items } = resolve(schema) as {
		anyOf?: unknown[];
		type?: string | string[];
		properties?: Json;
		items?: unknown;
	};
	if (anyOf)
		return complete(
			anyOf.find((variant) => suits(variant, example)),
			example,
		);
	if (properties) {
		const given = isObject(example) ? example : {};
		const all = Object.entries(properties).map(([name, property]) => [name, complete(property, given[name])]);
		return { ...given, ...Object.fromEntries(all) } as Json;
	}
	if (items) {
		const given = Array.isArray(example) && example.length > 0 ? example : [undefined];
		return given.map((entry) => complete(items, entry));
	}
	return example ?? EMPTY[[type].flat()[0] as keyof typeof EMPTY] ?? null;
}

const EMPTY = { array: [], boolean: false, integer: 0, number: 0, object: {}, string: '' };

const suits = (schema: unknown, example: unknown) =>
	(resolve(schema).type === 'array') === Array.isArray(example);

/** Describes a value in the editor's own format. */
function describe(value: unknown): Preview {
	if (value === null) return { type: 'null' };
	if (Array.isArray(value)) {
		// An entry's description includes the fields that only some entries have.
		const entries = (value as unknown[]).map(describe);
		const known = entries.filter(({ type }) => type !== 'null');
		return { type: 'array', items: merge({}, ...(known.length > 0 ? known : entries)) as Preview };
	}
	if (!isObject(value)) return { type: typeof value };
	const properties = Object.entries(value).map(([name, entry]) => [name, describe(entry)]);
	return { type: 'object', properties: Object.fromEntries(properties) as Record<string, Preview> };
}

export async function writePreviews(): Promise<void> {
	for (const { folder, resources } of await actionNodes()) {
		await rm(join(ROOT, 'nodes', folder, '__schema__'), { recursive: true, force: true });
		for (const { value: resource, operations } of resources) {
			for (const operation of operations) {
				const file = join(ROOT, previewFile(folder, resource, operation.value));
				await mkdir(dirname(file), { recursive: true });
				await writeFile(file, `${JSON.stringify(previewOf(operation), null, '\t')}\n`);
			}
		}
	}
}
