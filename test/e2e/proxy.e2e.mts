/** The proxy of deploy/compose.yaml, in front of an n8n that starts: a real Caddy with deploy/Caddyfile. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
	readonly #app = fastify();
	address = '';

	async start(name: string): Promise<this> {
		this.#app.get('/healthz/readiness', async (_request, reply) => {
			this.asked++;
			return await reply.status(this.isReady ? 200 : 503).send({});
		});
		this.#app.all('/*', async ({ url }) => {
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

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'caddy-'));
	[main, webhook] = await Promise.all([new FakeN8n().start('main'), new FakeN8n().start('webhook')]);
	url = `http://127.0.0.1:${await getPort()}`;
	const config = (await readFile('deploy/Caddyfile', 'utf8'))
		.replace('webhook:5678', webhook.address)
		.replace('main:5678', main.address);
	const file = join(folder, 'Caddyfile');
	// Caddy's own interface would take a port that another Caddy may have.
	await writeFile(file, `{\n\tadmin off\n}\n${config}`);
	const env = { N8N_DOMAIN: url, HOME: folder };
	caddy = execa('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, reject: false });
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

it('tells the sender of a payment event that it has not arrived, until n8n is ready', async () => {
	const deliver = async () =>
		await axios.post<string>(`${url}/webhook/payments?token=x`, {}, { validateStatus: () => true });
	expect((await deliver()).status).toBe(503);
	webhook.isReady = true;
	await expect.poll(async () => (await deliver()).data).toBe('webhook: /webhook/payments?token=x');
	expect(webhook.early).toEqual([]);
});

it('leads to the editor what is no production webhook', async () => {
	main.isReady = true;
	const open = async () =>
		(await axios.get<string>(`${url}/workflow/1`, { validateStatus: () => true })).data;
	await expect.poll(open).toBe('main: /workflow/1');
	expect(main.early).toEqual([]);
});

it('keeps the metrics inside', async () => {
	main.isReady = true;
	const status = async (path: string) =>
		(await axios.get(`${url}/${path}`, { validateStatus: () => true })).status;
	await expect.poll(async () => await status('workflow/1')).toBe(200);
	expect(await status('metrics')).toBe(404);
});
