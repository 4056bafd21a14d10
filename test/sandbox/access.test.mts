/** The sandbox answers no web page of another site. */
import { networkInterfaces } from 'node:os';
import axios from 'axios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { useSandbox } from './client.mjs';

const client = useSandbox({ allowedHosts: ['Sandbox.example'] });

const port = () => new URL(client.sandbox.url).port;
/** Reads the keys as a page would that was loaded from `origin` under the name `host`. */
const readKeys = async (headers: Record<string, string>) => await client.control.get('accounts', { headers });

describe('the host of a request to the sandbox', () => {
	it.each(['127.0.0.1', '127.0.0.2', 'localhost', 'LOCALHOST', 'app.localhost', '[::1]', 'sandbox.example'])(
		'%s is answered',
		async (name) => {
			expect((await readKeys({ host: name })).status).toBe(200);
			expect((await readKeys({ host: `${name}:${port()}` })).status).toBe(200);
		},
	);

	it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1', '[::2]', '%'])(
		'%s is refused',
		async (name) => {
			for (const host of [name, `${name}:${port()}`]) {
				const { status, data } = await readKeys({ host });
				expect([status, data.error.field]).toEqual([403, 'host']);
			}
		},
	);

	it.each(['/v2/mobility/products', '/', '/page.js'])('is checked for %s, too', async (path) => {
		const ask = async (host: string) => (await client.http.get(path, { headers: { host } })).status;
		expect([await ask('localhost'), await ask('evil.example')]).toEqual([200, 403]);
	});
});

describe('the origin of a request to the sandbox', () => {
	it("may be the sandbox's own page, or a name that is allowed", async () => {
		for (const origin of [client.sandbox.url, 'https://sandbox.example', 'http://sandbox.example:8080']) {
			expect((await readKeys({ origin })).status).toBe(200);
		}
		const behindProxy = { host: 'localhost', origin: 'https://localhost' };
		expect((await readKeys(behindProxy)).status).toBe(200);
	});

	it.each(['https://evil.example', 'http://localhost:5678', 'http://127.0.0.1', 'null', ''])(
		'%j is refused, and changes nothing',
		async (origin) => {
			const { status, data } = await client.control.post('reset', {}, { headers: { origin } });
			expect([status, data.error.field]).toEqual([403, 'origin']);
		},
	);
});

describe('a sandbox that listens on every address', () => {
	let sandbox: Sandbox;
	beforeAll(async () => void (sandbox = await startSandbox({ host: '0.0.0.0' })));
	afterAll(async () => await sandbox.close());
	const [address] = Object.values(networkInterfaces())
		.flatMap((addresses) => addresses ?? [])
		.filter(({ family, internal }) => family === 'IPv4' && !internal);

	it.skipIf(!address)('answers to the address that it was reached at, and to no other', async () => {
		const { port } = new URL(sandbox.url);
		const url = `http://${address.address}:${port}/sandbox/accounts`;
		expect((await axios.get(url)).status).toBe(200);
		const headers = { host: '198.51.100.1' };
		expect((await axios.get(url, { headers, validateStatus: () => true })).status).toBe(403);
	});
});
