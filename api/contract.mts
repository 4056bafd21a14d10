/**
 * Checks requests and answers against the contract, independently of the sandbox (sandbox/http/contract.mts), so that
 * two implementations must agree. Both use ajv and would miss a bug in it.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import memoize from 'lodash/memoize.js';
import { parse } from 'yaml';

export type Json = Record<string, unknown>;

/** The checkable parts of an operation: its parameters, its request's body, and its answer's body by status. */
export type Part = 'path' | 'query' | 'body' | `${number}` | `${number}XX`;

/** An operation that the gateway offers, or the webhook it sends. */
export interface Operation {
	id: string;
	/** Upper case. */
	method: string;
	/** As in the contract: `/v2/mobility/tickets/{id}/activate`; for the webhook, its name. */
	path: string;
	parameters: Parameter[];
	/** Pointers to the bodies' JSON schemas in the contract, by part. */
	schemas: Map<Part, string>;
}

export interface Parameter {
	name: string;
	in: 'path' | 'query';
	required: boolean;
	/** Pointer to its schema in the contract. */
	schema: string;
}

/** A request as sent over the wire. */
export interface SentRequest {
	method: string;
	/** Path and query: `/v2/acct-duo/kassenbuecher?connectionId=…`. */
	url: string;
	/** The parsed body; omitted if there was none. */
	body?: unknown;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The contract as in the file. */
export const contract = parse(
	readFileSync(new URL('./gateway.openapi.yaml', import.meta.url), 'utf8'),
) as Json;

/** Bodies are checked as is; path and query contain values as text. */
const bodies = createAjv(false);
const texts = createAjv(true);

/** All operations, in the contract's order; the webhook last. */
export const operations: Operation[] = ['paths', 'webhooks'].flatMap((section) =>
	Object.entries(contract[section] as Json).flatMap(([path, item]) =>
		METHODS.filter((method) => method in (item as Json)).map((method) =>
			readOperation(`#/${section}/${escape(path)}/${method}`, method, path),
		),
	),
);

function createAjv(coerceTypes: boolean): Ajv2020 {
	const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, coerceTypes });
	addFormats.default(ajv);
	// As in RFC 3339 and RFC 9562; the library also accepts a space for the T, half an offset, and URNs.
	const dateTime = addFormats.default.get('date-time') as { validate: (text: string) => boolean };
	const strictly = (text: string) => /^.{10}T.{8}(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text);
	ajv.addFormat('date-time', (text) => strictly(text) && dateTime.validate(text));
	ajv.addFormat('uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i);
	ajv.addKeyword('x-assumption');
	// The document isn't a schema: the validator doesn't know what surrounds the schemas.
	ajv.addVocabulary(Object.keys(contract));
	return ajv.addSchema(contract, 'contract');
}

function readOperation(pointer: string, method: string, path: string): Operation {
	const definition = at(pointer);
	const parameters = ((definition.parameters ?? []) as Json[]).map((_, index): Parameter => {
		const where = resolve(`${pointer}/parameters/${index}`);
		const { name, in: place, required = false } = at(where);
		return { name, in: place, required, schema: `${where}/schema` } as Parameter;
	});
	const parts: Array<[Part, string]> = [
		['body', `${pointer}/requestBody`],
		...Object.keys(definition.responses as Json).map((status): [Part, string] => [
			status as Part,
			`${pointer}/responses/${status}`,
		]),
	];
	const schemas = parts
		.map(([part, where]): [Part, string] => [part, `${resolve(where)}/content/application~1json/schema`])
		.filter(([, schema]) => at(schema) !== undefined);
	return {
		id: definition.operationId as string,
		method: method.toUpperCase(),
		path,
		parameters,
		schemas: new Map(schemas),
	};
}

/** The operation with this operationId. Throws if there is none. */
export function operation(id: string): Operation {
	const found = operations.find((one) => one.id === id);
	if (!found) throw new Error(`The contract has no operation ${id}`);
	return found;
}

/**
 * The check of one part of an operation. It returns the violations, each as `<JSON pointer> <rule>`, or nothing if
 * the value conforms. Path and query are objects of strings.
 */
export const validator = memoize(compile, (...key) => key.join(' '));

function compile(operationId: string, part: Part): (value: unknown) => string[] {
	const { parameters, schemas } = operation(operationId);
	if (part === 'path' || part === 'query') {
		const check = texts.compile(parametersSchema(parameters.filter((one) => one.in === part)));
		return (value) => violations(check, structuredClone(value));
	}
	const schema = schemas.get(part);
	if (!schema) throw new Error(`The contract's ${operationId} has no ${part} in JSON`);
	const check = bodies.getSchema(`contract${schema}`)!;
	return (value) => violations(check, value);
}

const parametersSchema = (parameters: Parameter[]) => ({
	type: 'object',
	properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, { $ref: `contract${schema}` }])),
	required: parameters.filter(({ required }) => required).map(({ name }) => name),
	additionalProperties: false,
});

/** A request parsed by its operation. */
export interface Call {
	operation: Operation;
	/** The decoded values of the path's placeholders. */
	path: Record<string, string>;
	query: URLSearchParams;
}

/** Finds a request's operation; undefined if the contract has none. */
export function callOf({ method, url }: Pick<SentRequest, 'method' | 'url'>): Call | undefined {
	const { pathname, searchParams } = new URL(url, 'http://gateway.example');
	for (const one of operations) {
		const path = one.method === method && pathMatch(one.path, pathname);
		if (path) return { operation: one, path, query: searchParams };
	}
	return undefined;
}

/** The contract's example of a successful answer; undefined if a success has no JSON. */
export function exampleAnswer(id: string): unknown {
	const schema = operation(id).schemas.get('2XX');
	return schema && structuredClone(at(schema.replace(/\/schema$/, '')).example);
}

/** The violations in a whole request: path, query and body. */
export function judge({ method, url, body }: SentRequest): string[] {
	try {
		decodeURIComponent(url);
	} catch {
		return ['/ is not percent-encoded UTF-8'];
	}
	const call = callOf({ method, url });
	if (!call) return [`/ is no operation of the contract: ${method} ${url.split('?', 1)[0]}`];
	const { id, schemas } = call.operation;
	const query = Object.fromEntries(call.query);
	const found = [...validator(id, 'path')(call.path), ...validator(id, 'query')(query)];
	if ([...call.query].length > Object.keys(query).length) found.push('/ has a query parameter twice');
	if (schemas.has('body')) found.push(...validator(id, 'body')(body));
	else if (body !== undefined) found.push('/ must have no body');
	return found;
}

/** The decoded values of a path's placeholders, or undefined if the path doesn't match. */
function pathMatch(template: string, pathname: string): Record<string, string> | undefined {
	const names = template.split('/');
	const values = pathname.split('/');
	if (names.length !== values.length) return undefined;
	const params: Record<string, string> = {};
	for (const [index, name] of names.entries()) {
		if (name.startsWith('{')) params[name.slice(1, -1)] = decodeURIComponent(values[index]);
		else if (name !== values[index]) return undefined;
	}
	return params;
}

function violations(check: ValidateFunction, value: unknown): string[] {
	return check(value) ? [] : check.errors!.map(describe);
}

/** A violation in words; a missing or unknown field is named by its own pointer. */
function describe({ instancePath, params, message }: ErrorObject): string {
	const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
	if (missingProperty !== undefined) return `${instancePath}/${escape(missingProperty)} is missing`;
	if (additionalProperty !== undefined) return `${instancePath}/${escape(additionalProperty)} is unknown`;
	return `${instancePath || '/'} ${message}`;
}

/** The contract's value at a JSON pointer; undefined if there is none. */
export function at(pointer: string): Json {
	const keys = pointer.split('/').slice(1);
	return keys.reduce<unknown>((node, key) => (node as Json | undefined)?.[unescape(key)], contract) as Json;
}

/** The pointer itself or, at a `$ref`, the pointer it refers to. */
export function resolve(pointer: string): string {
	const $ref = at(pointer)?.$ref;
	return typeof $ref === 'string' ? resolve($ref) : pointer;
}

function escape(key: string): string {
	return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescape(key: string): string {
	return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
