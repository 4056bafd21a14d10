import { fileURLToPath } from 'node:url';
import { fastifySSE } from '@fastify/sse';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { ZodError } from 'zod';
import { DEMO_KEY } from './accounts.mjs';
import { addControl } from './control.mjs';
import { Faults } from './faults.mjs';
import { addGateway, type Backstage } from './gateway.mjs';
import { Refusal } from './handlers.mjs';
import { RequestLog } from './log.mjs';
import { type GatewayError, shapeError } from './variants.mjs';
import { type Snapshot, World, type WorldOptions } from './world.mjs';

export interface SandboxOptions extends WorldOptions {
	/** 0, the default, takes a free one. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
	/** Bytes that a request's body may have. Default 100 MiB. */
	bodyLimit?: number;
	/** How many requests the log keeps. Default 1000. */
	logSize?: number;
	/** The path segment in place of `acct`. */
	accountingProvider?: string;
	/** A state to begin with, from `world.snapshot()`. */
	state?: Snapshot;
}

/** A running sandbox. */
export interface Sandbox extends Backstage {
	/** Without a slash at the end. */
	url: string;
	/** A key of the account `demo`. */
	apiKey: string;
	close(): Promise<void>;
}

const PAGE = fileURLToPath(new URL('page', import.meta.url));
/** More levels than any body of the contract has; deeper ones could exhaust the stack of whoever reads them. */
const DEEPEST_NESTING = 32;

/** Starts a gateway with its books, its control API and its page. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = '127.0.0.1', bodyLimit = 100 * 2 ** 20, logSize = 1000 } = options;
	const { accountingProvider = 'acct', state } = options;
	const world = new World(options);
	const backstage: Backstage = { world, log: new RequestLog(logSize), faults: new Faults(), variants: {} };
	const app = fastify({
		bodyLimit,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 1000 },
		// Malformed URLs don't come as far as a route or the error handler.
		frameworkErrors: ({ statusCode = 400, message, code }, _request, reply: unknown) =>
			void (reply as FastifyReply).code(statusCode).send({ error: { message, field: 'path', code } }),
	});
	readBodies(app, 'application/json');
	answerErrors(app, backstage);
	await app.register(fastifySSE);
	addGateway(app, backstage, { accountingProvider });
	await app.register(
		(control) => {
			// Hands and curl forget the content type.
			readBodies(control, '*');
			addControl(control, backstage);
		},
		{ prefix: '/sandbox' },
	);
	await app.register(fastifyStatic, {
		root: PAGE,
		wildcard: false,
		setHeaders: (reply) => void reply.header('content-security-policy', "default-src 'self'"),
	});
	if (state) world.restore(state);
	const url = await app.listen({ port, host });
	return Object.assign(backstage, {
		url,
		apiKey: DEMO_KEY,
		close: async () => {
			world.events.emit('close');
			await app.close();
		},
	});
}

/**
 * Reads bodies of a content type as JSON in UTF-8, and no others; whether they are what the operation wants is the
 * contract's matter.
 */
function readBodies(app: FastifyInstance, contentType: string): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(contentType, { parseAs: 'buffer' }, ({ headers }, raw: Buffer, done) => {
		if (headers['content-encoding']) {
			return done(new Refusal(415, 'The body must not be compressed.', 'content-encoding', 'type'));
		}
		try {
			done(null, raw.length ? parseJson(raw) : undefined);
		} catch (error) {
			done(new Refusal(400, `The body is not JSON: ${(error as Error).message}`, 'body', 'json'));
		}
	});
}

function parseJson(raw: Buffer): unknown {
	const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
	if (isDeeperThan(DEEPEST_NESTING, value)) throw new Error('it is nested too deeply.');
	return value;
}

function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}

/** Every error becomes a JSON answer; only a bug of the sandbox is a 500, and it is printed. */
function answerErrors(app: FastifyInstance, backstage: Backstage): void {
	app.setErrorHandler<FastifyError | Refusal | ZodError>((error, request, reply) => {
		const { status, ...details } = explain(error);
		if (status === 500) console.error(error);
		if (request.entry) request.entry.error = details.message;
		const shaped = shapeError(request.entry ? backstage.variants : {}, status, details);
		const body = shaped.type.startsWith('text/') ? shaped.body : JSON.stringify(shaped.body);
		return reply.code(shaped.status).type(shaped.type).send(body);
	});
}

function explain(error: FastifyError | Refusal | ZodError): GatewayError & { status: number } {
	if (error instanceof Refusal) return { ...error, message: error.message };
	if (error instanceof ZodError) {
		const [{ message, path, code }] = error.issues;
		return { status: 400, message, field: path.join('/'), code };
	}
	const { statusCode = 500, message } = error;
	if (statusCode === 415) {
		return {
			status: 415,
			message: 'The body must be application/json.',
			field: 'content-type',
			code: 'type',
		};
	}
	if (statusCode === 413)
		return { status: 413, message: 'The body is too large.', field: 'body', code: 'size' };
	return { status: statusCode, message, code: error.code };
}
