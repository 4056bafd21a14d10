/** The proxy of deploy/compose.yaml, a real Caddy with deploy/Caddyfile: in front of an n8n that starts, and of a real one. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import axios from 'axios';
import { execa, type ResultPromise } from 'execa';
import fastify from 'fastify';
import sum from 'lodash/sum.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { OWNER } from '../../../host/client.mjs';
import { Rig } from '../../support/rig.mjs';
import { waitFor } from '../../../scripts/base/waiting.mjs';
import { freePort } from '../../../scripts/base/ports.mjs';
import { OWN_PORTS } from '../../support/ownPorts.mjs';

/** What n8n answers to anything while it starts (n8n's abstract-server.js). */
const STARTING = 'n8n is starting up. Please wait';
/** The cookie of somebody who is signed in to the n8n below. */
const SIGNED_IN = 'n8n-auth=real';

/** An n8n as its proxy sees it. */
class FakeN8n {
	isReady = false;
	/** How often it was asked whether it is ready. */
	asked = 0;
	/** What it was sent before it was ready. */
	readonly early: string[] = [];
	/** The content types that it was sent. */
	readonly types: Array<string | undefined> = [];
	readonly #app = fastify();
	readonly #sockets = new Set<Socket>();
	address = '';

	/** How many bytes it has read, those of questions and headers as well. */
	get received(): number {
		return sum([...this.#sockets].map(({ bytesRead }) => bytesRead));
	}

	async start(name: string): Promise<this> {
		this.#app.server.on('connection', (socket) => this.#sockets.add(socket));
		this.#app.get('/healthz/readiness', async (_request, reply) => {
			this.asked++;
			return await reply.status(this.isReady ? 200 : 503).send({});
		});
		this.#app.removeAllContentTypeParsers();
		this.#app.addContentTypeParser(
			'*',
			{ bodyLimit: 100_000_000 },
			async (_: unknown, body: Readable) => await text(body),
		);
		this.#app.all('/*', async ({ method, url, headers }, reply) => {
			this.types.push(headers['content-type']);
			if (!this.isReady) {
				this.early.push(url);
				return await reply.send(STARTING);
			}
			// Whether somebody is signed in.
			if (method === 'GET' && decodeURI(url) === '/rest/login' && headers.cookie !== SIGNED_IN)
				reply.status(401);
			return await reply.send(`${name}: ${url}`);
		});
		this.address = new URL(await this.#app.listen({ port: 0, host: '127.0.0.1' })).host;
		return this;
	}

	async stop(): Promise<void> {
		await this.#app.close();
	}
}

/** A Caddy with deploy/Caddyfile. */
class Proxy {
	/** What it has logged. */
	log = '';
	readonly #process: ResultPromise<{ reject: false }>;

	private constructor(
		readonly url: string,
		private readonly folder: string,
		env: Record<string, string>,
	) {
		const file = join(folder, 'Caddyfile');
		this.#process = execa('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
			env: { N8N_DOMAIN: url, HOME: folder, ...env },
			reject: false,
		});
		this.#process.stderr?.on('data', (text: Buffer) => (this.log += text.toString()));
	}

	/** @param env the variables of compose.yaml; unless they say otherwise, this machine is in the office's network */
	static async start(env: Record<string, string>): Promise<Proxy> {
		const folder = await mkdtemp(join(tmpdir(), 'caddy-'));
		const config = (await readFile('deploy/Caddyfile', 'utf8'))
			// The tests wait for it many times.
			.replace('health_interval 1s', 'health_interval 100ms')
			// Caddy's own interface would take a port that another Caddy may have.
			.replace(/^\{$/m, '{\n\tadmin off');
		await writeFile(join(folder, 'Caddyfile'), config);
		return new Proxy(`http://127.0.0.1:${await freePort(OWN_PORTS)}`, folder, env);
	}

	async stop(): Promise<void> {
		this.#process.kill();
		await this.#process;
		await rm(this.folder, { recursive: true, force: true });
	}

	/** Sends a body without following what n8n makes of it. @returns the status */
	async send(path: string, body: Buffer, headers: Record<string, unknown> = {}): Promise<number | undefined> {
		const request = http.request(`${this.url}/${path}`, {
			method: 'POST',
			headers: (headers['transfer-encoding']
				? headers
				: { 'content-length': body.length, ...headers }) as http.OutgoingHttpHeaders,
		});
		request.on('error', () => {});
		request.end(body);
		const [response] = (await once(request, 'response')) as [http.IncomingMessage];
		response.resume();
		return response.statusCode;
	}
}

/** An older Caddy takes its own refusal for a failure of n8n. */
const TOO_LARGE = [413, 502];
/** Where n8n takes a body from somebody who isn't signed in, also as a stranger may write it. */
const LOGINS = ['rest/login', 'rest/forgot-password', 'REST/login', 'rest//login/../login', '%72est/login'];
const HERE = { N8N_EDITOR_NETWORKS: '127.0.0.1/32' };
const status = async (url: string) => (await axios.get(url, { validateStatus: () => true })).status;

let main: FakeN8n;
let webhook: FakeN8n;
let proxy: Proxy;
let url: string;

beforeAll(async () => {
	[main, webhook] = await Promise.all([new FakeN8n().start('main'), new FakeN8n().start('webhook')]);
	proxy = await Proxy.start({ ...HERE, N8N_MAIN: main.address, N8N_WEBHOOKS: webhook.address });
	url = proxy.url;
});

afterAll(async () => {
	await proxy?.stop();
	await Promise.all([main?.stop(), webhook?.stop()]);
});

/** Caddy knows that n8n isn't ready. */
beforeEach(async () => {
	for (const n8n of [main, webhook]) {
		n8n.isReady = false;
		const before = n8n.asked;
		await waitFor(() => n8n.asked > before + 1);
	}
});

it('the proxy tells the sender of a payment event that it has not arrived, until n8n is ready', async () => {
	const deliver = async () =>
		await axios.post<string>(`${url}/webhook/payments?token=x`, {}, { validateStatus: () => true });
	expect((await deliver()).status).toBe(503);
	webhook.isReady = true;
	await expect.poll(async () => (await deliver()).data).toBe('webhook: /webhook/payments?token=x');
	expect(webhook.early).toEqual([]);
});

it('the proxy leads to the editor what is no production webhook', async () => {
	main.isReady = true;
	const open = async () =>
		(await axios.get<string>(`${url}/workflow/1`, { validateStatus: () => true })).data;
	await expect.poll(open).toBe('main: /workflow/1');
	expect(main.early).toEqual([]);
});

it('the proxy keeps the metrics inside', async () => {
	main.isReady = true;
	await expect.poll(async () => await status(`${url}/workflow/1`)).toBe(200);
	expect(await status(`${url}/metrics`)).toBe(404);
});

it('the proxy lets nobody from outside set up the owner of a new n8n, and asks browsers to stay with HTTPS', async () => {
	main.isReady = true;
	await expect.poll(async () => await status(`${url}/rest/settings`)).toBe(200);
	for (const path of ['', '/']) {
		const { status } = await axios.post(`${url}/rest/owner/setup${path}`, {}, { validateStatus: () => true });
		expect(status).toBe(403);
	}
	const { headers } = await axios.get(`${url}/rest/settings`);
	expect(headers['strict-transport-security']).toBe('max-age=31536000');
});

it('the proxy opens the editor for the office’s own network only, and events, forms and health to everybody', async () => {
	main.isReady = webhook.isReady = true;
	// This machine's address isn't one of an office.
	const elsewhere = await Proxy.start({ N8N_MAIN: main.address, N8N_WEBHOOKS: webhook.address });
	for (const path of ['webhook/x', 'form/x', 'form-waiting/1', 'mcp/x', 'healthz/readiness'])
		await expect.poll(async () => await status(`${elsewhere.url}/${path}`)).toBe(200);
	const inside = [
		'',
		'signin',
		'rest/login',
		'REST/login',
		'api/v1/workflows',
		'mcp-server/http',
		'form-test/x',
		'webhookx',
	];
	for (const path of inside) {
		expect(await status(`${elsewhere.url}/${path}`), path).toBe(403);
		expect(await elsewhere.send(path, Buffer.from('{}')), path).toBe(403);
	}
	// Nor is n8n asked whether a stranger may send something large.
	main.types.length = 0;
	expect(await elsewhere.send('rest/workflows', Buffer.alloc(100_000))).toBe(403);
	expect(main.types).toEqual([]);
	await elsewhere.stop();
});

it('the proxy refuses a large body that n8n would parse, whatever the sender calls it, but not a file', async () => {
	main.isReady = webhook.isReady = true;
	const send = async (type: string | string[], bytes: number, path = 'webhook/x/payments', more = {}) =>
		await proxy.send(`${path}?token=s3cret`, Buffer.alloc(bytes, '['), { 'content-type': type, ...more });
	await expect.poll(async () => await send('text/plain', 900_000)).toBe(200);
	await expect.poll(async () => await status(`${url}/workflow/1`)).toBe(200);
	const parsed = ['webhook/x', 'form/x', 'mcp/x', 'api/v1/workflows', 'mcp-server/http', 'anything'];
	for (const path of parsed)
		expect(TOO_LARGE, path).toContain(await send('application/json', 1_100_000, path));
	// A file is stored; where n8n takes no files, it would only be read.
	const file = 'multipart/form-data; boundary=x';
	expect(await send(file, 20_000_000)).toBe(200);
	expect(await send(file, 20_000_000, 'form-waiting/1')).toBe(200);
	expect(TOO_LARGE).toContain(await send(file, 27_000_000));
	expect(TOO_LARGE).toContain(await send(file, 1_100_000, 'api/v1/workflows'));
	webhook.types.length = 0;
	await send(['application/json', 'multipart/form-data'], 1_100_000);
	expect(webhook.types).not.toContain('application/json');
});

it('the proxy passes on no compressed body, wherever it goes: n8n would unpack it to megabytes', async () => {
	main.isReady = webhook.isReady = true;
	const send = async (path: string, headers = {}) => await proxy.send(path, gzipSync('{}'), headers);
	for (const path of [
		'webhook/x',
		'form/x',
		'rest/login',
		'api/v1/workflows',
		'mcp-server/http',
		'webhook-test/x',
		'',
	]) {
		await expect.poll(async () => await send(path)).toBe(200);
		for (const encoding of ['gzip', 'deflate', 'br', 'identity, gzip', ''])
			expect(await send(path, { 'content-encoding': encoding }), `${path} ${encoding}`).toBe(415);
	}
});

it('the proxy gives n8n nothing of a large body before n8n has said that its sender is signed in', async () => {
	main.isReady = true;
	await expect.poll(async () => await status(`${url}/workflow/1`)).toBe(200);
	const body = Buffer.alloc(15_000_000, '[');
	/** @returns the status, and how much n8n has read of it */
	const send = async (path: string, headers = {}) => {
		const before = main.received;
		const answer = await proxy.send(path, body, { 'content-type': 'application/json', ...headers });
		return [answer, main.received - before] as const;
	};
	for (const path of LOGINS) {
		for (const cookie of [{}, { cookie: 'n8n-auth=invented' }]) {
			const [answer, received] = await send(path, cookie);
			expect(answer, path).toBe(401);
			// Headers, and questions whether it is ready.
			expect(received, path).toBeLessThan(10_000);
		}
	}
	const [answer, received] = await send('rest/workflows', { cookie: SIGNED_IN });
	expect(answer).toBe(200);
	expect(received).toBeGreaterThan(body.length);
});

describe('in front of a real n8n', () => {
	let rig: Rig;
	let proxy: Proxy;
	let cookie: string;

	beforeAll(async () => {
		rig = await Rig.join();
		const address = new URL(rig.n8nUrl).host;
		proxy = await Proxy.start({ ...HERE, N8N_MAIN: address, N8N_WEBHOOKS: address });
		await waitFor(async () => (await status(`${proxy.url}/healthz`).catch(() => 0)) === 200);
		const { email, password } = OWNER;
		const answer = await axios.post(`${proxy.url}/rest/login`, { emailOrLdapLoginId: email, password });
		cookie = answer.headers['set-cookie']![0].split(';')[0];
	});
	afterAll(async () => {
		await proxy?.stop();
		await rig?.stop();
	});

	/** A workflow whose file has about this many bytes. */
	const workflow = (bytes: number) =>
		Buffer.from(
			JSON.stringify({
				name: 'Large',
				nodes: [],
				connections: {},
				settings: {},
				meta: { note: 'x'.repeat(bytes) },
			}),
		);
	const json = { 'content-type': 'application/json' };

	it('stores a large workflow of somebody who is signed in, and reads none of anybody else', async () => {
		const store = async (bytes: number, headers = {}) =>
			await proxy.send('rest/workflows', workflow(bytes), { ...json, ...headers });
		for (const bytes of [1000, 200_000, 5_000_000]) {
			expect(await store(bytes, { cookie }), String(bytes)).toBe(200);
			expect(await store(bytes, { cookie: 'n8n-auth=invented' }), String(bytes)).toBe(401);
			expect(await store(bytes), String(bytes)).toBe(401);
		}
		// Without a length, it could be any.
		const chunked = { 'transfer-encoding': 'chunked' };
		expect(await store(200_000, { cookie, ...chunked })).toBe(200);
		expect(await store(1000, chunked)).toBe(401);
	});

	it('refuses a large body before a password, and n8n goes on answering', async () => {
		const bomb = gzipSync(Buffer.alloc(15_000_000, '['));
		const nested = Buffer.alloc(15_000_000, '[');
		expect(await proxy.send('rest/login', bomb, { ...json, 'content-encoding': 'gzip' })).toBe(415);
		for (const path of LOGINS) expect([401, 404], path).toContain(await proxy.send(path, nested, json));
		expect(await status(`${proxy.url}/healthz`)).toBe(200);
	});

	it('takes photos by a form and a webhook, within the limit', async () => {
		const path = 'through-the-proxy';
		const id = await rig.client.importWorkflow({
			name: 'Through the proxy',
			nodes: [
				{
					id: 'f',
					name: 'Form',
					type: 'n8n-nodes-base.formTrigger',
					typeVersion: 2.3,
					position: [0, 0],
					webhookId: path,
					parameters: {
						formTitle: 'x',
						formFields: { values: [{ fieldLabel: 'Beleg', fieldType: 'file' }] },
						options: { path },
					},
				},
				{
					id: 'w',
					name: 'Webhook',
					type: 'n8n-nodes-base.webhook',
					typeVersion: 2,
					position: [0, 200],
					webhookId: 'w',
					parameters: { httpMethod: 'POST', path: `${path}-2`, options: {} },
				},
			],
			connections: {},
			settings: { executionOrder: 'v1' },
		});
		await rig.publishWebhook(id, `webhook/${path}-2`);
		const upload = async (to: string, bytes: number) => {
			const data = new FormData();
			data.append('field-0', new Blob([Buffer.alloc(bytes, 7)], { type: 'image/jpeg' }), 'IMG_2245.jpg');
			return (await axios.post(`${proxy.url}/${to}`, data, { validateStatus: () => true })).status;
		};
		for (const to of [`form/${path}`, `webhook/${path}-2`]) {
			expect(await upload(to, 20_000_000), to).toBe(200);
			expect(TOO_LARGE, to).toContain(await upload(to, 27_000_000));
		}
		const event = { event: 'payment_update', data: 'x'.repeat(900_000) };
		expect((await axios.post(`${proxy.url}/webhook/${path}-2`, event)).status).toBe(200);
		const executions = await rig.executionsEnded(id, 3);
		expect(executions.map((one) => one.status)).toEqual(['success', 'success', 'success']);
	});
});

it('the proxy logs the address of a request that fails without its query, which holds secrets', async () => {
	expect(await status(`${url}/webhook/secret?token=s3cret`)).toBe(503);
	await expect.poll(() => proxy.log).toContain('/webhook/secret?***');
	expect(proxy.log).not.toContain('s3cret');
});
