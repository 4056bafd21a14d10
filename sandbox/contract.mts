import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { Module } from './accounts.mjs';
import { type OperationId, Refusal } from './handlers.mjs';

type Json = Record<string, unknown>;
/** A request as it came over the wire: strings in path and query, the body parsed but not yet checked. */
interface RawRequest {
	params: unknown;
	query: unknown;
	body: unknown;
}

/** One operation of the contract, with its checks compiled. */
export interface Operation {
	id: OperationId;
	method: string;
	/** As the contract writes it: `/v2/mobility/tickets/{id}/activate`. */
	path: string;
	/** The accounting module whose connections it takes; undefined where any (or none) will do. */
	module?: Module;
	/** It has a request body; a body sent to any other is refused. */
	takesBody: boolean;
	/** Its answer carries the credit balance under `svc`. */
	answersCredits: boolean;
	/**
	 * Checks a request and returns it with path and query values in their types and defaults filled in.
	 * Throws a Refusal (400) that names the first field at fault. The body is never changed.
	 */
	checkRequest: (request: RawRequest) => { params: Json; query: Json; body: unknown };
	/** What is wrong with an answer of ours, or undefined. Fields that the contract lacks are wrong too. */
	checkAnswer: (status: number, body: unknown) => string | undefined;
}

/** A parameter of the contract. */
interface Parameter {
	name: string;
	in: 'path' | 'query';
	required?: boolean;
	schema: Json;
	/** Where it stands. */
	pointer: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const FILE = new URL('../api/gateway.openapi.yaml', import.meta.url);

/** The library also takes a space for the `T`, `+01` for `+01:00`, and a UUID as a URN. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Whether there is such a day and time. */
const { validate: isDateTime } = addFormats.default.get('date-time') as {
	validate: (text: string) => boolean;
};

const document = parse(readFileSync(FILE, 'utf8')) as Json;
closeObjects();
/** Bodies are checked as they are; texts in path and query stand for values. */
const bodies = createAjv({});
const texts = createAjv({ coerceTypes: true, useDefaults: true });

/** All operations that the gateway offers. */
export const operations: readonly Operation[] = Object.entries(at('#/paths')).flatMap(([path, item]) =>
	METHODS.filter((method) => method in (item as Json)).map((method) => readOperation(path, method)),
);

function createAjv(options: Options): Ajv2020 {
	// Not strict, as keywords of OpenAPI stand among those of JSON Schema; 1e999, which is read as Infinity, is no number.
	const ajv = new Ajv2020({ ...options, strict: false, strictNumbers: true });
	addFormats.default(ajv);
	ajv.addFormat('date-time', (text) => DATE_TIME.test(text) && isDateTime(text));
	ajv.addFormat('uuid', UUID);
	return ajv.addSchema(document, 'contract');
}

function compile(pointer: string): ValidateFunction {
	return bodies.compile({ $ref: `contract${pointer}` });
}

/** @param pointers where the parameters stand in the contract */
function compileParameters(pointers: string[], place: 'path' | 'query'): ValidateFunction {
	const parameters = pointers.map((pointer) => ({ ...at(pointer), pointer }) as Parameter);
	const here = parameters.filter((parameter) => parameter.in === place);
	return texts.compile({
		type: 'object',
		properties: Object.fromEntries(
			here.map(({ name, schema, pointer }) => [
				name,
				// Ajv fills in defaults only where they stand beside the property.
				{ $ref: `contract${pointer}/schema`, default: schema.default },
			]),
		),
		required: here.filter(({ required }) => required).map(({ name }) => name),
		additionalProperties: false,
	});
}

function readOperation(path: string, method: string): Operation {
	const pointer = `#/paths/${escape(path)}/${method}`;
	const operation = at(pointer);
	const parameters = Object.keys(operation.parameters ?? {}).map((index) =>
		locate(`${pointer}/parameters/${index}`),
	);
	const schemaOf = (content: string) => `${locate(content)}/content/application~1json/schema`;
	const checks = {
		path: compileParameters(parameters, 'path'),
		query: compileParameters(parameters, 'query'),
		body: operation.requestBody ? compile(schemaOf(`${pointer}/requestBody`)) : undefined,
	};
	const answers = new Map(
		Object.keys(operation.responses as Json)
			.map((status) => [status, schemaOf(`${pointer}/responses/${status}`)] as const)
			.map(([status, schema]) => [status, { schema, check: compile(schema) }]),
	);
	const answerTo = (status: number) =>
		answers.get(String(status)) ?? answers.get(`${Math.floor(status / 100)}XX`);

	return {
		id: operation.operationId as OperationId,
		method,
		path,
		module: /^\/v2\/acct-(duo|rewe-read|rewe)\//.exec(path)?.[1] as Module | undefined,
		takesBody: checks.body !== undefined,
		// The endpoint table shows no `svc` for the companies; the contract lets a gateway send it all the same.
		answersCredits:
			operation.operationId !== 'listCompanies' &&
			[...answers].some(
				([status, { schema }]) => status.startsWith('2') && 'svc' in propertiesOf(at(schema)),
			),
		checkRequest({ params, query, body }) {
			const checked = { params: { ...(params as Json) }, query: { ...(query as Json) }, body };
			refuseUnless(checks.path, checked.params, 'path');
			refuseUnless(checks.query, checked.query, 'query');
			if (checks.body) {
				if (body === undefined) throw new Refusal(400, 'The request body is missing.', 'body', 'required');
				refuseUnless(checks.body, body, 'body');
			}
			return checked;
		},
		checkAnswer(status, body) {
			const check = answerTo(status)?.check;
			if (!check) return `The contract has no JSON answer with status ${status}.`;
			return check(body) ? undefined : describe(firstOf(check.errors), 'answer').message;
		},
	};
}

/** Throws the Refusal that explains the first violation. */
function refuseUnless(check: ValidateFunction, value: unknown, place: string): void {
	if (check(value)) return;
	const { message, field, code } = describe(firstOf(check.errors), place);
	throw new Refusal(400, message, field, code);
}

/** Of the violations of several alternatives, the innermost says most. */
function firstOf(errors: ErrorObject[] | null | undefined): ErrorObject {
	const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
	return (errors ?? []).reduce((deepest, error) => (depth(error) > depth(deepest) ? error : deepest));
}

/** A violation in words. The field is written as a path within the body: `belegzeilen/0/betrag`. */
function describe(error: ErrorObject, place: string): { message: string; field: string; code: string } {
	const { keyword, instancePath } = error;
	const params = error.params as Record<string, string | undefined>;
	const child = params.missingProperty ?? params.unevaluatedProperty ?? params.additionalProperty;
	const path = child === undefined ? instancePath : `${instancePath}/${escape(child)}`;
	const field = unescape(path.slice(1)) || place;
	if (keyword === 'required') return { field, code: keyword, message: `"${field}" is missing.` };
	if (child !== undefined) return { field, code: 'unknown', message: `"${field}" is unknown here.` };
	const allowed = keyword === 'enum' ? `: ${(error.params.allowedValues as unknown[]).join(', ')}` : '';
	return { field, code: keyword, message: `"${field}" ${error.message}${allowed}.` };
}

function escape(key: string): string {
	return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescape(key: string): string {
	return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The node at a JSON pointer. */
function at(pointer: string): Json {
	const keys = pointer.split('/').slice(1).map(unescape);
	return keys.reduce<Json>((node, key) => node[key] as Json, document);
}

/** The pointer itself or, where a `$ref` stands there, where that leads. */
function locate(pointer: string): string {
	const { $ref } = at(pointer);
	return typeof $ref === 'string' ? locate($ref) : pointer;
}

/** Schemas for the same value: each adds conditions, or is an alternative. */
function partsOf(schema: Json): Json[] {
	return ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (schema[keyword] ?? []) as Json[]);
}

/** The properties of the object that a schema describes, those of its parts and references included. */
function propertiesOf(schema: Json): Json {
	const parts = partsOf(schema).map(propertiesOf);
	if (typeof schema.$ref === 'string') parts.push(propertiesOf(at(schema.$ref)));
	return Object.assign({}, ...parts, schema.properties) as Json;
}

/**
 * Makes every object of the contract refuse fields that it doesn't describe, in requests and in answers. An object
 * without described fields, or whose `additionalProperties` are set, stays as it is.
 */
function closeObjects(): void {
	/** Closes what is inside a value. The parts of one value stay open: each sees only its own fields. */
	const closeInside = (schema: Json) => {
		partsOf(schema).forEach(closeInside);
		Object.values((schema.properties ?? {}) as Record<string, Json>).forEach(close);
		if (schema.items) close(schema.items as Json);
	};
	const close = (schema: Json) => {
		closeInside(schema);
		const open = 'additionalProperties' in schema || !Object.keys(propertiesOf(schema)).length;
		if (!open) schema.unevaluatedProperties = false;
	};
	const closeContent = ({ content = {} }: { content?: Record<string, { schema: Json }> }) =>
		Object.values(content).forEach(({ schema }) => close(schema));

	Object.values(at('#/components/schemas') as Record<string, Json>).forEach(closeInside);
	Object.values(at('#/components/responses') as Record<string, Json>).forEach(closeContent);
	for (const item of Object.values(at('#/paths') as Record<string, Json>)) {
		for (const { requestBody, responses } of Object.values(item as Record<string, Record<string, Json>>)) {
			if (requestBody) closeContent(requestBody);
			Object.values(responses as Record<string, Json>).forEach(closeContent);
		}
	}
}
