import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import difference from 'lodash/difference.js';
import type { Account, Connection } from './accounts.mjs';
import { type Operation, operations } from './contract.mjs';
import { COSTS } from './costs.mjs';
import { domains } from './domains.mjs';
import type { Faults } from './faults.mjs';
import { type Answer, type Call, type OperationId, Refusal } from './handlers.mjs';
import { type LoggedRequest, type RequestLog, summary } from './log.mjs';
import { shapeSuccess, type Variants } from './variants.mjs';
import type { World } from './world.mjs';

declare module 'fastify' {
	interface FastifyRequest {
		/** The request's record, for requests to the gateway. */
		entry: LoggedRequest | null;
		account: Account | null;
	}
	interface FastifyContextConfig {
		/** The operation of the contract that the route answers. */
		operation?: Operation;
		/** On the route for all other methods of a path: the methods that there are. */
		allowed?: string[];
	}
}

/** The state of a running sandbox, and what can be asked of it through the control API. */
export interface Backstage {
	world: World;
	log: RequestLog;
	faults: Faults;
	variants: Variants;
}

export interface GatewayOptions {
	/** The path segment of the accounting provider. */
	accountingProvider: string;
}

type AnyHandler = (call: Call) => Answer | Promise<Answer>;

/** Adds a route for each operation of the contract, and one per path that refuses all other methods. */
export function addGateway(
	app: FastifyInstance,
	backstage: Backstage,
	{ accountingProvider }: GatewayOptions,
): void {
	const { world } = backstage;
	const handlers = Object.assign({}, ...domains.map((domain) => domain.handlers(world))) as Record<
		OperationId,
		AnyHandler
	>;
	app.decorateRequest('entry', null);
	app.decorateRequest('account', null);
	app.addHook('onRequest', async (request, reply) => admit(request, reply, backstage));

	const methods = new Map<string, string[]>();
	for (const operation of operations) {
		const url = operation.path.replace('/v2/acct', `/v2/${accountingProvider}`).replace(/{(\w+)}/g, ':$1');
		const method = operation.method.toUpperCase();
		methods.set(url, [...(methods.get(url) ?? []), method]);
		app.route({
			url,
			method,
			config: { operation },
			handler: (request, reply) => answer(request, reply, operation, handlers[operation.id], backstage),
		});
	}
	// Node.js lets more methods through than Fastify knows by itself.
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

/** What happens before a request's body is read: log, unknown path or method, API key, faults. */
async function admit(request: FastifyRequest, reply: FastifyReply, backstage: Backstage): Promise<unknown> {
	const { operation, allowed } = request.routeOptions.config;
	if (!operation && !allowed && !request.is404) return undefined;
	const { world, log, faults } = backstage;
	const started = performance.now();
	const entry = (request.entry = log.open(request, operation?.id));
	reply.raw.once('close', () => {
		if (reply.raw.headersSent) entry.status = reply.raw.statusCode;
		entry.durationMs = Math.round((performance.now() - started) * 10) / 10;
		world.events.emit('change');
	});
	const path = request.url.split('?', 1)[0];
	if (allowed) {
		reply.header('allow', allowed.join(', '));
		const message = `${request.method} is not possible here; ${path} takes ${allowed.join(', ')}.`;
		throw new Refusal(405, message, 'method');
	}
	if (!operation) throw new Refusal(404, `There is no ${path} here.`, 'path');
	const key = request.headers['x-api-key'];
	if (!key) throw new Refusal(401, 'The API key is missing.', 'x-api-key', 'required');
	request.account = world.accountOfKey(String(key)) ?? null;
	if (!request.account) throw new Refusal(401, 'The API key is not valid.', 'x-api-key', 'invalid');
	entry.account = request.account.id;
	if (await faults.strike(operation.id, 'before-body', reply, entry)) return reply;
	return undefined;
}

/** From a whole request to its answer. */
async function answer(
	request: FastifyRequest,
	reply: FastifyReply,
	operation: Operation,
	handler: AnyHandler,
	{ faults, variants }: Backstage,
): Promise<FastifyReply> {
	const { id } = operation;
	const entry = request.entry!;
	const account = request.account!;
	entry.body = summary(request.body);
	if (await faults.strike(id, 'before-handler', reply, entry)) return reply;

	if (!operation.takesBody && hasBody(request)) {
		throw new Refusal(400, 'This operation takes no request body.', 'body', 'unknown');
	}
	if (!isEncoded(request.url)) {
		throw new Refusal(400, 'The query is not percent-encoded UTF-8.', 'query', 'encoding');
	}
	const checked = operation.checkRequest(request);
	const { connectionId } = checked.query as { connectionId?: string };
	const connection = connectionId ? connectionOf(account, connectionId, operation) : undefined;
	const cost = COSTS[id];
	if (account.credits < cost) {
		throw new Refusal(402, `The credits are used up: this call costs ${cost}, ${account.credits} are left.`);
	}
	// Charged first, so that simultaneous calls can't spend the same credit; a refusal gives it back.
	account.credits -= cost;
	let handled: Answer;
	try {
		handled = await handler({ ...checked, id, account, connection } as Call);
	} catch (error) {
		account.credits += cost;
		throw error;
	}
	entry.credits = cost;

	const { status = 200, body } = handled;
	const complete = operation.answersCredits
		? { ...(body as object), svc: { neuesGuthaben: account.credits } }
		: body;
	// What is checked is what is sent: without members that are undefined.
	const sent: unknown = JSON.parse(JSON.stringify(complete));
	const problem = operation.checkAnswer(status, sent);
	if (problem) throw new Error(`The sandbox's own answer to ${id} violates the contract: ${problem}`);
	if (await faults.strike(id, 'after-handler', reply, entry, { status, body: sent })) return reply;
	const shaped = shapeSuccess(variants, status, sent);
	return reply.code(shaped.status).type(shaped.type).send(JSON.stringify(shaped.body));
}

const hasBody = ({ headers }: FastifyRequest) =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether all of a URL can be decoded. The parser of queries would take what can't as it stands. */
function isEncoded(url: string): boolean {
	try {
		return decodeURIComponent(url) !== '';
	} catch {
		return false;
	}
}

/** The account's connection with this ID; the connections of other accounts don't exist for it. */
function connectionOf(account: Account, id: string, { module }: Operation): Connection {
	const connection = account.connections.find((one) => one.id === id.toLowerCase());
	if (!connection) throw new Refusal(404, `There is no connection ${id}.`, 'connectionId', 'unknown');
	if (module && connection.module !== module) {
		throw new Refusal(
			403,
			`The connection "${connection.name}" is one of ${connection.module}, this operation needs one of ${module}.`,
			'connectionId',
			'module',
		);
	}
	return connection;
}
