import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import difference from 'lodash/difference.js';
import { shapeSuccess, textOf } from '../admin/variants.mjs';
import type { SandboxContext } from '../context.mjs';
import type { Account, Connection } from '../seed.mjs';
import { ApiError } from './apiError.mjs';
import { type Operation, operations } from './contract.mjs';
import { COSTS } from './costs.mjs';
import type { Answer, Call, Handlers } from './handlers.mjs';
import { type LoggedRequest, summarize } from './requestLog.mjs';

declare module 'fastify' {
	interface FastifyRequest {
		/** The request's entry in the log; null for requests to the control API and the page. */
		logEntry: LoggedRequest | null;
		account: Account | null;
	}
	interface FastifyContextConfig {
		/** The contract's operation that the route answers. */
		operation?: Operation;
		/** For the route that refuses a path's other methods: the methods allowed. */
		allowed?: string[];
	}
}

export interface GatewayOptions {
	/** The accounting provider's segment in paths. */
	accountingProvider: string;
}

type AnyHandler = (call: Call) => Answer | Promise<Answer>;

/** Adds a route for each operation of the contract, and one for each path that refuses all other methods. */
export function addGatewayRoutes(
	app: FastifyInstance,
	context: SandboxContext,
	handlers: Handlers,
	{ accountingProvider }: GatewayOptions,
): void {
	app.decorateRequest('logEntry', null);
	app.decorateRequest('account', null);
	app.addHook('onRequest', async (request, reply) => admit(request, reply, context));

	const methods = new Map<string, string[]>();
	for (const operation of operations) {
		const url = operation.path.replace('/v2/acct', `/v2/${accountingProvider}`).replace(/{(\w+)}/g, ':$1');
		const method = operation.method.toUpperCase();
		const handler = handlers[operation.id] as AnyHandler;
		methods.set(url, [...(methods.get(url) ?? []), method]);
		app.route({
			url,
			method,
			config: { operation },
			handler: (request, reply) => answer(request, reply, operation, handler, context),
		});
	}
	// Fastify doesn't know every method that Node.js accepts.
	for (const method of difference(METHODS, app.supportedMethods)) app.addHttpMethod(method);
	for (const [url, allowed] of methods) {
		app.route({
			url,
			method: app.supportedMethods.filter((method) => !allowed.includes(method)),
			config: { allowed },
			handler: () => undefined,
		});
	}
}

/** Runs before a request's body is read: logs the request, refuses unknown paths, methods and API keys, and applies faults. */
async function admit(
	request: FastifyRequest,
	reply: FastifyReply,
	context: SandboxContext,
): Promise<unknown> {
	const { operation, allowed } = request.routeOptions.config;
	if (!operation && !allowed && !request.is404) return undefined;
	const { store, log, faults, variants } = context;
	const started = performance.now();
	const logEntry = (request.logEntry = log.open(request, operation?.id));
	reply.raw.once('close', () => {
		if (reply.raw.headersSent) logEntry.status = reply.raw.statusCode;
		logEntry.durationMs = Math.round((performance.now() - started) * 10) / 10;
		store.events.emit('change');
	});
	const path = request.url.split('?', 1)[0];
	if (allowed) {
		reply.header('allow', allowed.join(', '));
		const message = `${request.method} is not possible here; ${path} takes ${allowed.join(', ')}.`;
		throw new ApiError(405, message, 'method');
	}
	if (!operation) throw new ApiError(404, `There is no ${path} here.`, 'path');
	const key = request.headers['x-api-key'];
	const { invalidKey = 401 } = variants;
	if (!key) throw new ApiError(invalidKey, 'The API key is missing.', 'x-api-key', 'required');
	request.account = store.accountForKey(String(key)) ?? null;
	if (!request.account) throw new ApiError(invalidKey, 'The API key is not valid.', 'x-api-key', 'invalid');
	logEntry.account = request.account.id;
	if (await faults.strike(operation.id, 'before-body', reply, logEntry)) return reply;
	return undefined;
}

/** Checks a request, lets its handler answer it, and checks the answer. */
async function answer(
	request: FastifyRequest,
	reply: FastifyReply,
	operation: Operation,
	handler: AnyHandler,
	{ faults, variants }: SandboxContext,
): Promise<FastifyReply> {
	const { id } = operation;
	const logEntry = request.logEntry!;
	const account = request.account!;
	logEntry.body = summarize(request.body);
	if (await faults.strike(id, 'before-handler', reply, logEntry)) return reply;

	if (!operation.takesBody && hasBody(request)) {
		throw new ApiError(400, 'This operation takes no request body.', 'body', 'unknown');
	}
	if (!isEncoded(request.url)) {
		throw new ApiError(400, 'The query is not percent-encoded UTF-8.', 'query', 'encoding');
	}
	const checked = operation.checkRequest(request);
	const { connectionId } = checked.query as { connectionId?: string };
	const connection = connectionId ? findConnection(account, connectionId, operation) : undefined;
	const cost = COSTS[id];
	if (account.credits < cost) {
		throw new ApiError(402, `The credits are used up: this call costs ${cost}, ${account.credits} are left.`);
	}
	// The call is charged first, so that simultaneous calls can't spend the same credit, and refunded if it is refused.
	account.credits -= cost;
	let handled: Answer;
	try {
		handled = await handler({ ...checked, id, account, connection } as Call);
	} catch (error) {
		account.credits += cost;
		throw error;
	}
	logEntry.credits = cost;

	const { status = 200, body } = handled;
	const complete = operation.answersCredits
		? { ...(body as object), svc: { neuesGuthaben: account.credits } }
		: body;
	// Checks the answer as it will be sent, without undefined members.
	const sent: unknown = JSON.parse(JSON.stringify(complete));
	const problem = operation.checkAnswer(status, sent);
	if (problem) throw new Error(`The sandbox's own answer to ${id} violates the contract: ${problem}`);
	const shaped = shapeSuccess(variants, id, status, sent);
	const ready = { status: shaped.status, type: shaped.type, text: textOf(shaped) };
	if (await faults.strike(id, 'after-handler', reply, logEntry, ready)) return reply;
	return reply.code(ready.status).type(ready.type).send(ready.text);
}

const hasBody = ({ headers }: FastifyRequest) =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether a URL can be decoded completely. The query parser would leave undecodable parts unchanged. */
function isEncoded(url: string): boolean {
	try {
		return decodeURIComponent(url) !== '';
	} catch {
		return false;
	}
}

/** The account's connection with this ID; other accounts' connections are invisible. */
function findConnection(account: Account, id: string, { module }: Operation): Connection {
	const connection = account.connections.find((one) => one.id === id.toLowerCase());
	if (!connection) throw new ApiError(404, `There is no connection ${id}.`, 'connectionId', 'unknown');
	if (connection.isBroken) {
		const message = `The accounting system no longer accepts the authorization of the connection "${connection.name}". Renew it.`;
		throw new ApiError(424, message, 'connectionId', 'authorization');
	}
	if (module && connection.module !== module) {
		throw new ApiError(
			403,
			`The connection "${connection.name}" is one of ${connection.module}, but this operation needs one of ${module}.`,
			'connectionId',
			'module',
		);
	}
	return connection;
}
