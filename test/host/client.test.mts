import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { signIn } from '../../host/client.mjs';

/** What n8n answers while somebody signs in. */
const ANSWERS: Record<string, unknown> = {
	'GET /rest/settings': { data: { userManagement: { showSetupOnFirstLoad: false } } },
	'POST /rest/login': {},
	'GET /rest/api-keys/scopes': { data: [] },
	'GET /rest/api-keys': { data: [] },
	'POST /rest/api-keys': { data: { rawApiKey: 'key' } },
	'GET /api/v1/workflows': { data: [] },
};

/** Ends each connection that is used a second time, as n8n may when nobody has used it for 5 s. */
const server = createServer((request, response) => {
	const { socket } = request;
	if (used.has(socket)) return void socket.destroy();
	used.add(socket);
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify(ANSWERS[`${request.method} ${request.url}`]));
});
const used = new WeakSet<object>();

beforeAll(async () => await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

it('uses no connection again, which n8n may have ended meanwhile', async () => {
	const client = await signIn(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	for (let time = 0; time < 3; time++) expect((await client.api.get('workflows')).data).toEqual({ data: [] });
});
