import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { restrictAccess } from './admin/access.mjs';
import { addControlApi } from './admin/controlApi.mjs';
import { Faults } from './admin/faults.mjs';
import type { SandboxContext } from './context.mjs';
import { readJsonBodies } from './http/bodies.mjs';
import { answerErrors } from './http/errors.mjs';
import { addGatewayRoutes } from './http/gatewayRoutes.mjs';
import { RequestLog } from './http/requestLog.mjs';
import { addModuleControls, createHandlers, createServices } from './modules.mjs';
import { DEMO_KEY } from './seed.mjs';
import { type Snapshot, Store, type StoreOptions } from './store.mjs';

export interface SandboxOptions extends StoreOptions {
	/** Port. Default 0: any free one. */
	port?: number;
	/** Host to listen on. Default 127.0.0.1. */
	host?: string;
	/** Host names that the sandbox answers to in addition to this machine's and `host`. Default: none. */
	allowedHosts?: readonly string[];
	/** Largest request body in bytes. Default 100 MiB. */
	bodyLimit?: number;
	/** Number of requests that the log keeps. Default 1000. */
	logSize?: number;
	/** The path segment that replaces `acct`. */
	accountingProvider?: string;
	/** The initial state, from `store.snapshot()`. */
	state?: Snapshot;
}

export interface Sandbox extends SandboxContext {
	/** Base URL without a slash at the end. */
	url: string;
	/** An API key of the account `demo`. */
	apiKey: string;
	close(): Promise<void>;
}

/** Starts a gateway with its books, its control API and its page. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = '127.0.0.1', bodyLimit = 100 * 2 ** 20, logSize = 1000 } = options;
	const { allowedHosts = [], accountingProvider = 'acct', state } = options;
	const store = new Store(options);
	const services = createServices(store);
	const context: SandboxContext = {
		store,
		services,
		log: new RequestLog(logSize),
		faults: new Faults(),
		variants: {},
	};
	const app = fastify({
		bodyLimit,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 1000 },
		// Handles malformed URLs, which reach neither a route nor the error handler.
		frameworkErrors: ({ statusCode = 400, message, code }, _request, reply: unknown) =>
			void (reply as FastifyReply).code(statusCode).send({ error: { message, field: 'path', code } }),
	});
	readJsonBodies(app, 'application/json');
	answerErrors(app, context);
	restrictAccess(app, { host, allowedHosts });
	addGatewayRoutes(app, context, createHandlers(store, services), { accountingProvider });
	await app.register(
		(control) => {
			// The control API accepts any content type, because requests sent with curl often lack the right one.
			readJsonBodies(control, '*');
			addControlApi(control, context);
			addModuleControls(control, store, services);
		},
		{ prefix: '/sandbox' },
	);
	addPage(app);
	if (state) store.restore(state);
	const url = await app.listen({ port, host });
	services.webhooks.resume();
	return Object.assign(context, {
		url,
		apiKey: DEMO_KEY,
		close: async () => {
			store.events.emit('close');
			await app.close();
		},
	});
}

const PAGE = fileURLToPath(new URL('admin/page', import.meta.url));
const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** Serves the files of the page. */
function addPage(app: FastifyInstance): void {
	for (const name of readdirSync(PAGE))
		app.get(name === 'index.html' ? '/' : `/${name}`, (_request, reply) =>
			reply
				.type(TYPES[extname(name)])
				.header('content-security-policy', "default-src 'self'; frame-ancestors 'none'")
				.send(readFileSync(join(PAGE, name))),
		);
}
