import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
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
	checkRequest(request: RawRequest): { params: Json; query: Json; body: unknown };
	/** What is wrong with an answer of ours, or undefined. Fields that the contract lacks are wrong too. */
	checkAnswer(status: number, body: unknown): string | undefined;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const FILE = new URL('../api/gateway.openapi.yaml', import.meta.url);

/** Reads the contract and compiles the checks of all its operations. */
export function loadContract(): Operation[] {
	const document = parse(readFileSync(FILE, 'utf8')) as Json;
	closeObjects(document);
	const ajv = createAjv(document, false);
	const coercing = createAjv(document, true);
	return Object.entries(at(document, '#/paths')).flatMap(([path, item]) =>
		METHODS.filter((method) => method in (item as Json)).map((method) =>
			readOperation(document, path, method, ajv, coercing),
		),
	);
}

function createAjv(document: Json, coerceTypes: boolean): Ajv2020 {
	const ajv = new Ajv2020({ coerceTypes, useDefaults: coerceTypes, strict: false });
	addFormats.default(ajv);
	return ajv.addSchema(document, 'contract');
}

function readOperation(
	document: Json,
	path: string,
	method: string,
	ajv: Ajv2020,
	coercing: Ajv2020,
): Operation {
	const pointer = `#/paths/${escape(path)}/${method}`;
	const operation = at(document, pointer);
	const parameters = [`#/paths/${escape(path)}/parameters`, `${pointer}/parameters`].flatMap((list) =>
		Object.keys(at(document, list)).map((index) => locate(document, `${list}/${index}`)),
	);
	const checkParameters = (place: 'path' | 'query') => {
		const here = parameters.filter((parameter) => at(document, parameter).in === place);
		return coercing.compile({
			type: 'object',
			properties: Object.fromEntries(
				here.map((parameter) => [
					at(document, parameter).name,
					{
						$ref: `contract${parameter}/schema`,
						default: at(document, locate(document, `${parameter}/schema`)).default,
					},
				]),
			),
			required: here
				.filter((parameter) => at(document, parameter).required)
				.map((parameter) => at(document, parameter).name),
			additionalProperties: false,
		});
	};
	const schemaOf = (content: string) => `${locate(document, content)}/content/application~1json/schema`;
	const checks = {
		params: checkParameters('path'),
		query: checkParameters('query'),
		body: operation.requestBody
			? ajv.compile({ $ref: `contract${schemaOf(`${pointer}/requestBody`)}` })
			: undefined,
	};
	const answers = new Map(
		Object.keys(operation.responses as Json)
			.map((status) => [status, schemaOf(`${pointer}/responses/${status}`)] as const)
			.filter(([, schema]) => exists(document, schema))
			.map(([status, schema]) => [status, { schema, check: ajv.compile({ $ref: `contract${schema}` }) }]),
	);
	const answerTo = (status: number) =>
		answers.get(String(status)) ?? answers.get(`${Math.floor(status / 100)}XX`) ?? answers.get('default');

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
				([status, { schema }]) => status.startsWith('2') && 'svc' in propertiesOf(document, schema),
			),
		checkRequest({ params, query, body }) {
			const checked = { params: { ...(params as Json) }, query: { ...(query as Json) }, body };
			refuseUnless(checks.params, checked.params, 'path');
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

const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescape = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~');

/** The node at a JSON pointer; an empty object where there is none. */
function at(document: Json, pointer: string): Json {
	let node: unknown = document;
	for (const key of pointer.split('/').slice(1)) node = (node as Json | undefined)?.[unescape(key)];
	return (node ?? {}) as Json;
}

const exists = (document: Json, pointer: string) => Object.keys(at(document, pointer)).length > 0;

/** The pointer itself or, where a `$ref` stands there, where that leads. */
function locate(document: Json, pointer: string): string {
	const { $ref } = at(document, pointer);
	return typeof $ref === 'string' ? locate(document, $ref) : pointer;
}

const subschemas = (schema: Json) =>
	['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (schema[keyword] ?? []) as Json[]);

/** The properties of the object that a schema describes, those of its parts and references included. */
function propertiesOf(document: Json, schema: string | Json): Json {
	const node = typeof schema === 'string' ? at(document, schema) : schema;
	const parts = subschemas(node).map((part) => propertiesOf(document, part));
	if (typeof node.$ref === 'string') parts.push(propertiesOf(document, node.$ref));
	return Object.assign({}, ...parts, node.properties) as Json;
}

/**
 * Makes every object of the contract refuse fields that it doesn't describe, in requests and in answers. An object
 * without described fields, or whose `additionalProperties` are set, stays as it is.
 */
function closeObjects(document: Json): void {
	const visit = (schema: Json) => {
		subschemas(schema).forEach(visit);
		Object.values((schema.properties ?? {}) as Record<string, Json>).forEach(close);
		if (schema.items) close(schema.items as Json);
	};
	/** Closes the schema of a whole value. (A part of an `allOf` must stay open: it sees only its own fields.) */
	const close = (schema: Json) => {
		visit(schema);
		const open = 'additionalProperties' in schema || !Object.keys(propertiesOf(document, schema)).length;
		if (!open) schema.unevaluatedProperties = false;
	};
	Object.values(at(document, '#/components/schemas') as Record<string, Json>).forEach(visit);
	const closeContent = ({ content = {} }: { content?: Record<string, { schema: Json }> }) =>
		Object.values(content).forEach(({ schema }) => close(schema));
	Object.values(at(document, '#/components/responses')).forEach((answer) => closeContent(answer as Json));
	for (const item of Object.values(at(document, '#/paths'))) {
		for (const method of METHODS) {
			const { requestBody, responses } = ((item as Json)[method] ?? {}) as Record<string, Json | undefined>;
			closeContent(requestBody ?? {});
			Object.values(responses ?? {}).forEach((answer) => closeContent(answer as Json));
		}
	}
}
