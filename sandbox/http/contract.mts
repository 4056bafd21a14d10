import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import once from 'lodash/once.js';
import { parse } from 'yaml';
import type { Module } from '../seed.mjs';
import { ApiError } from './apiError.mjs';
import type { OperationId } from './handlers.mjs';

type Json = Record<string, unknown>;
/** A request as received: strings in path and query, the body parsed but not yet checked. */
interface RawRequest {
	params: unknown;
	query: unknown;
	body: unknown;
}

/** One operation of the contract, with its checks. */
export interface Operation {
	id: OperationId;
	method: string;
	/** The path as in the contract: `/v2/mobility/tickets/{id}/activate`. */
	path: string;
	/** The accounting module whose connections the operation accepts. Undefined: it accepts any connection, or takes none. */
	module?: Module;
	/** Whether the operation takes a request body; if not, a body is refused. */
	takesBody: boolean;
	/** Whether the answer contains the credit balance under `svc`. */
	answersCredits: boolean;
	/**
	 * Checks a request and returns it with path and query values converted to their types and defaults filled in.
	 * Never changes the body.
	 * @throws ApiError 400 that names the first invalid field
	 */
	checkRequest: (request: RawRequest) => { params: Json; query: Json; body: unknown };
	/** Describes what is wrong with one of the sandbox's own answers, including undescribed fields; undefined if nothing is. */
	checkAnswer: (status: number, body: unknown) => string | undefined;
}

interface Parameter {
	name: string;
	in: 'path' | 'query';
	required?: boolean;
	schema: Json;
	/** JSON pointer to the parameter. */
	pointer: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const FILE = new URL('../../api/gateway.openapi.yaml', import.meta.url);

/** These formats are stricter than those of ajv-formats, which accept a space for the `T`, `+01` for `+01:00`, and a UUID as a URN. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Whether the day and time exist. */
const { validate: isDateTime } = addFormats.default.get('date-time') as {
	validate: (text: string) => boolean;
};

const document = parse(readFileSync(FILE, 'utf8')) as Json;
closeObjects();
/** Bodies are checked without conversion; strings in path and query are converted first. */
const bodies = createAjv({});
const texts = createAjv({ coerceTypes: true, useDefaults: true });

/** All operations that the gateway offers. */
export const operations: readonly Operation[] = Object.entries(at('#/paths')).flatMap(([path, item]) =>
	METHODS.filter((method) => method in (item as Json)).map((method) => readOperation(path, method)),
);

function createAjv(options: Options): Ajv2020 {
	// Strict mode is off, because the contract mixes OpenAPI's keywords with JSON Schema's. strictNumbers refuses 1e999, parsed as
	// Infinity.
	const ajv = new Ajv2020({ ...options, strict: false, strictNumbers: true });
	addFormats.default(ajv);
	ajv.addFormat('date-time', (text) => DATE_TIME.test(text) && isDateTime(text));
	ajv.addFormat('uuid', UUID);
	return ajv.addSchema(document, 'contract');
}

/** A check that is compiled at its first use: compiling all of them would take most of the sandbox's start. */
type Check = () => ValidateFunction;

function checkOf(pointer: string): Check {
	return once(() => bodies.compile({ $ref: `contract${pointer}` }));
}

/** @param pointers JSON pointers to the parameters */
function checkOfParameters(pointers: string[], place: 'path' | 'query'): Check {
	const parameters = pointers.map((pointer) => ({ ...at(pointer), pointer }) as Parameter);
	const here = parameters.filter((parameter) => parameter.in === place);
	return once(() =>
		texts.compile({
			type: 'object',
			properties: Object.fromEntries(
				here.map(({ name, schema, pointer }) => [
					name,
					// Ajv ignores defaults behind a $ref.
					{ $ref: `contract${pointer}/schema`, default: schema.default },
				]),
			),
			required: here.filter(({ required }) => required).map(({ name }) => name),
			additionalProperties: false,
		}),
	);
}

function readOperation(path: string, method: string): Operation {
	const pointer = `#/paths/${escape(path)}/${method}`;
	const operation = at(pointer);
	const parameters = Object.keys(operation.parameters ?? {}).map((index) =>
		locate(`${pointer}/parameters/${index}`),
	);
	const schemaOf = (content: string) => `${locate(content)}/content/application~1json/schema`;
	const checks = {
		path: checkOfParameters(parameters, 'path'),
		query: checkOfParameters(parameters, 'query'),
		body: operation.requestBody ? checkOf(schemaOf(`${pointer}/requestBody`)) : undefined,
	};
	const answers = new Map(
		Object.keys(operation.responses as Json)
			.map((status) => [status, schemaOf(`${pointer}/responses/${status}`)] as const)
			.map(([status, schema]) => [status, { schema, check: checkOf(schema) }]),
	);
	const answerTo = (status: number) =>
		answers.get(String(status)) ?? answers.get(`${Math.floor(status / 100)}XX`);

	return {
		id: operation.operationId as OperationId,
		method,
		path,
		module: /^\/v2\/acct-(duo|rewe-read|rewe)\//.exec(path)?.[1] as Module | undefined,
		takesBody: checks.body !== undefined,
		answersCredits: [...answers].some(
			([status, { schema }]) => status.startsWith('2') && 'svc' in propertiesOf(at(schema)),
		),
		checkRequest({ params, query, body }) {
			const checked = { params: { ...(params as Json) }, query: { ...(query as Json) }, body };
			refuseUnless(checks.path(), checked.params, 'path');
			refuseUnless(checks.query(), checked.query, 'query');
			if (checks.body) {
				if (body === undefined) throw new ApiError(400, 'The request body is missing.', 'body', 'required');
				refuseUnless(checks.body(), body, 'body');
			}
			return checked;
		},
		checkAnswer(status, body) {
			const check = answerTo(status)?.check();
			if (!check) return `The contract has no JSON answer with status ${status}.`;
			return check(body) ? undefined : describe(firstOf(check.errors), 'answer').message;
		},
	};
}

/** Throws the ApiError that explains the first violation. */
function refuseUnless(check: ValidateFunction, value: unknown, place: string): void {
	if (check(value)) return;
	const { message, field, code } = describe(firstOf(check.errors), place);
	throw new ApiError(400, message, field, code);
}

/** The violation to report: if several alternatives failed, the innermost one is the most informative. */
function firstOf(errors: ErrorObject[] | null | undefined): ErrorObject {
	const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
	return (errors ?? []).reduce((deepest, error) => (depth(error) > depth(deepest) ? error : deepest));
}

/** Describes a violation. Its field is a path within the body: `belegzeilen/0/betrag`. */
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

/** Follows a `$ref` at the pointer, if any, to the value. */
function locate(pointer: string): string {
	const { $ref } = at(pointer);
	return typeof $ref === 'string' ? locate($ref) : pointer;
}

/** The subschemas that describe the same value. */
function partsOf(schema: Json): Json[] {
	return ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (schema[keyword] ?? []) as Json[]);
}

/** All properties of the object that a schema describes, including those of its parts and references. */
function propertiesOf(schema: Json): Json {
	const parts = partsOf(schema).map(propertiesOf);
	if (typeof schema.$ref === 'string') parts.push(propertiesOf(at(schema.$ref)));
	return Object.assign({}, ...parts, schema.properties) as Json;
}

/**
 * Makes every object of the contract refuse undescribed fields, in requests and in answers. Objects without described
 * fields, or with `additionalProperties`, stay unchanged.
 */
function closeObjects(): void {
	/** Closes the objects inside a value. The parts of one value stay open, because each knows only its own fields. */
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
