import { createServer, type IncomingMessage } from 'node:http';
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

/** The IDs of the executions that n8n lists, each time it is asked. */
let listed: string[][] = [];
function answerTo({ method, url }: IncomingMessage): unknown {
	if (url?.startsWith('/api/v1/executions?')) return { data: (listed.shift() ?? []).map((id) => ({ id })) };
	return ANSWERS[`${method} ${url}`];
}

/** Ends each connection that is used a second time, as n8n may when nobody has used it for 5 s. */
const server = createServer((request, response) => {
	const { socket } = request;
	if (used.has(socket)) return void socket.destroy();
	used.add(socket);
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify(answerTo(request)));
});
const used = new WeakSet<object>();

beforeAll(async () => await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

const connect = async () => await signIn(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

it('the client of n8n uses no connection again, which n8n may have ended meanwhile', async () => {
	const client = await connect();
	for (let time = 0; time < 3; time++) expect((await client.api.get('workflows')).data).toEqual({ data: [] });
});

it('the client of n8n names a new execution, although n8n no longer lists it once it runs', async () => {
	const client = await connect();
	listed = [['1'], ['2', '1'], ['1']];
	expect(await client.startedSince('w', ['1'], 5_000)).toEqual(['2']);
});
