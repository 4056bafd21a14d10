/** The proxy of deploy/compose.yaml, in front of an n8n that starts: a real Caddy with deploy/Caddyfile. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import axios from 'axios';
import { execa, type ResultPromise } from 'execa';
import fastify from 'fastify';
import getPort from 'get-port';
import pWaitFor from 'p-wait-for';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

/** What n8n answers to anything while it starts (n8n's abstract-server.js). */
const STARTING = 'n8n is starting up. Please wait';

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
	address = '';

	async start(name: string): Promise<this> {
		this.#app.get('/healthz/readiness', async (_request, reply) => {
			this.asked++;
			return await reply.status(this.isReady ? 200 : 503).send({});
		});
		this.#app.removeAllContentTypeParsers();
		this.#app.addContentTypeParser(
			'*',
			{ bodyLimit: 10_000_000 },
			async (_: unknown, body: Readable) => await text(body),
		);
		this.#app.all('/*', async ({ url, headers }) => {
			this.types.push(headers['content-type']);
			if (this.isReady) return await Promise.resolve(`${name}: ${url}`);
			this.early.push(url);
			return STARTING;
		});
		this.address = new URL(await this.#app.listen({ port: 0, host: '127.0.0.1' })).host;
		return this;
	}

	async stop(): Promise<void> {
		await this.#app.close();
	}
}

let folder: string;
let main: FakeN8n;
let webhook: FakeN8n;
let url: string;
let caddy: ResultPromise<{ reject: false }>;
/** What Caddy has logged. */
let log = '';

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'caddy-'));
	[main, webhook] = await Promise.all([new FakeN8n().start('main'), new FakeN8n().start('webhook')]);
	url = `http://127.0.0.1:${await getPort()}`;
	const config = (await readFile('deploy/Caddyfile', 'utf8'))
		// The tests wait for it many times.
		.replace('health_interval 1s', 'health_interval 100ms')
		.replace('webhook:5678', webhook.address)
		.replace('main:5678', main.address);
	const file = join(folder, 'Caddyfile');
	// Caddy's own interface would take a port that another Caddy may have.
	await writeFile(file, config.replace(/^\{$/m, '{\n\tadmin off'));
	const env = { N8N_DOMAIN: url, HOME: folder };
	caddy = execa('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, reject: false });
	caddy.stderr?.on('data', (text: Buffer) => (log += text.toString()));
});

afterAll(async () => {
	caddy?.kill();
	await caddy;
	await Promise.all([main?.stop(), webhook?.stop()]);
	await rm(folder, { recursive: true, force: true });
});

/** Caddy knows that n8n isn't ready. */
beforeEach(async () => {
	for (const n8n of [main, webhook]) {
		n8n.isReady = false;
		const before = n8n.asked;
		await pWaitFor(() => n8n.asked > before + 1);
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
	const status = async (path: string) =>
		(await axios.get(`${url}/${path}`, { validateStatus: () => true })).status;
	await expect.poll(async () => await status('workflow/1')).toBe(200);
	expect(await status('metrics')).toBe(404);
});

it('the proxy lets nobody from outside set up the owner of a new n8n, and asks browsers to stay with HTTPS', async () => {
	main.isReady = true;
	await expect
		.poll(
			async () => (await axios.get<string>(`${url}/rest/settings`, { validateStatus: () => true })).status,
		)
		.toBe(200);
	for (const path of ['', '/']) {
		const { status } = await axios.post(`${url}/rest/owner/setup${path}`, {}, { validateStatus: () => true });
		expect(status).toBe(403);
	}
	const { headers } = await axios.get(`${url}/rest/settings`);
	expect(headers['strict-transport-security']).toBe('max-age=31536000');
});

it('the proxy refuses a large body that n8n would parse, whatever the sender calls it, but not a file', async () => {
	webhook.isReady = true;
	const send = async (type: string | string[], bytes: number, path = 'webhook/x/payments', more = {}) => {
		const headers = { 'content-type': type as string, 'content-length': bytes, ...more };
		const request = http.request(`${url}/${path}?token=s3cret`, { method: 'POST', headers });
		request.on('error', () => {});
		request.end(Buffer.alloc(bytes, '['));
		const [response] = (await once(request, 'response')) as [http.IncomingMessage];
		response.resume();
		return response.statusCode;
	};
	await expect.poll(async () => await send('text/plain', 900_000)).toBe(200);
	// An older Caddy takes its own refusal for a failure of n8n.
	for (const path of [undefined, 'form/x', 'mcp/x'])
		expect([413, 502]).toContain(await send('application/json', 1_100_000, path));
	// n8n would unpack it to megabytes.
	expect(await send('application/json', 900, undefined, { 'content-encoding': 'gzip' })).toBe(415);
	expect(await send('multipart/form-data; boundary=x', 1_100_000)).toBe(200);
	webhook.types.length = 0;
	await send(['application/json', 'multipart/form-data'], 1_100_000);
	expect(webhook.types).not.toContain('application/json');
});

it('the proxy logs the address of a request that fails without its query, which holds secrets', async () => {
	const status = async () =>
		(await axios.get(`${url}/webhook/secret?token=s3cret`, { validateStatus: () => true })).status;
	expect(await status()).toBe(503);
	await expect.poll(() => log).toContain('/webhook/secret?***');
	expect(log).not.toContain('s3cret');
});
