/** A gateway that n8n reaches through a company's HTTP proxy, as its variables HTTP_PROXY and NO_PROXY say. */
import { once } from 'node:events';
import http, { type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { simpleEntry } from '../../../../host/workflows.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
/** A name that only the proxy knows. */
const INSIDE = 'gateway.localhost:9';

let proxy: Server;
/** What it was asked for, and what it does with an answer. */
let asked: string[];
let pass: (answer: IncomingMessage, response: http.ServerResponse) => void;

beforeAll(async () => {
	proxy = http.createServer((request, response) => {
		asked.push(`${request.method} ${new URL(request.url!).host}`);
		const { pathname, search } = new URL(request.url!);
		const { method, headers } = request;
		const onward = http.request(gateway.sandbox.url + pathname + search, { method, headers }, (answer) =>
			pass(answer, response),
		);
		request.pipe(onward);
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
});
afterAll(() => void proxy.close());
beforeEach(() => {
	asked = [];
	pass = (answer, response) => void answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
	vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
	vi.stubEnv('NO_PROXY', '127.0.0.1');
});

const run = async (parameters: INodeParameters, baseUrl = `http://${INSIDE}`) =>
	await gateway.run(node, parameters, { credential: { ...gateway.credential, baseUrl } });
const entry = () => simpleEntry(gateway.connectionId('duo'));

it('a node books through a company’s proxy, which finds the gateway by its name', async () => {
	const { json, error } = await run(entry());
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ belegnummer: 'K-10' }]);
	expect(asked).toEqual([`POST ${INSIDE}`]);
});

it('a node books without a company’s proxy where NO_PROXY names the gateway', async () => {
	expect((await run(entry(), gateway.sandbox.url)).error).toBeUndefined();
	expect(asked).toEqual([]);
});

it('a node does not know what became of a booking when a company’s proxy breaks off, and sends it once', async () => {
	pass = (_, response) => response.destroy();
	const { error } = await run(entry());
	expect(error?.description).toContain('Whether it was carried out is unknown');
	expect(asked).toEqual([`POST ${INSIDE}`]);
	expect(await gateway.list('entries')).toHaveLength(1);
});
