/**
 * The API key, and the token in the payment trigger's URL, on a real n8n: neither is in any of its files (database, log),
 * in its executions, in what it answers or in what it tells the editor, even when the gateway repeats them.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { relative } from 'node:path';
import type { Readable } from 'node:stream';
import axios, { type AxiosResponse } from 'axios';
import { execa } from 'execa';
import type { IDataObject, INode } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { EXAMPLE_EVENT } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import type { FaultInput } from '../../sandbox/admin/faults.mjs';
import type { WorkflowFile } from '../../host/client.mjs';
import { PACKAGE } from '../../host/package.mjs';
import { NIGHTLY } from '../../scripts/base/extent.mjs';
import { TriggerRig } from '../support/triggerRig.mjs';
import { connectionOf, nodeOf, simpleEntry } from '../../host/workflows.mjs';

/** Looks like nothing else, and is spelled the same way everywhere. */
const KEY = '5f0c1d9e-canary-never-to-be-seen';
/** Stands for what the gateway says, wherever that is kept. */
const MARKER = 'has been repeated';
const PATH = 'secrets';

let rig: TriggerRig;
/** Where redirects lead. */
let elsewhere: Server;
let visits = 0;
let credential: { id: string; name: string };
let workflowId: string;
let messages: Readable;
/** What n8n has answered and told, by where it appears. */
const said: Record<string, string> = { editor: '' };

beforeAll(async () => {
	rig = await TriggerRig.start({ env: { N8N_LOG_LEVEL: 'debug', N8N_PUSH_BACKEND: 'sse' } });
	elsewhere = createServer((_, response) => {
		visits++;
		response.end('{}');
	});
	await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
	rig.sandbox.store.accounts[0].keys.push(KEY);
	// So that n8n's own node can leak the key, for the search to find it.
	const data = { ...credentialData(), allowedHttpRequestDomains: 'all' };
	const stored = { name: rig.credential.name, type: 'accountingGatewayApi', data };
	credential = { id: await rig.client.importCredential(stored), name: stored.name };
	await openEditor();
	workflowId = await rig.client.importWorkflow(workflow());
	await rig.publishWebhook(workflowId, `webhook/${PATH}`);
});
beforeEach(() => rig.sandbox.faults.clear());
afterAll(async () => {
	messages?.destroy();
	elsewhere?.close();
	await rig?.stop();
});

const credentialData = () => ({ apiKey: KEY, baseUrl: rig.sandbox.url, accountingProvider: 'acct' });

/** Listens to what n8n tells the editor, and is that editor from then on. */
async function openEditor(): Promise<void> {
	const { rest } = rig.client;
	const pushRef = randomUUID();
	const headers = { origin: rig.n8n.url };
	const { data } = await rest.get('push', { params: { pushRef }, headers, responseType: 'stream' });
	messages = (data as Readable).on('data', (chunk) => (said.editor += String(chunk)));
	rest.defaults.headers['push-ref'] = pushRef;
	rest.defaults.validateStatus = () => true;
}

/** Started by hand or by a webhook, four nodes one after another; the last one ends the execution when it fails. */
function workflow(): WorkflowFile {
	const write = simpleEntry(connectionOf(rig.sandbox, 'duo'));
	const read = { resource: 'cashBook', operation: 'getAll', connectionId: write.connectionId };
	const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const ours = [
		{ parameters: write, ...retry, onError: 'continueErrorOutput' },
		{ parameters: read, ...retry, onError: 'continueErrorOutput' },
		{ parameters: read, onError: 'continueRegularOutput' },
		{ parameters: write },
	].map(({ parameters, ...more }, i) =>
		nodeOf(`Node ${i}`, `${PACKAGE}.accountingGatewayDelivery`, parameters, {
			// From top to bottom is the order in which they run.
			position: [200, 200 * i],
			credentials: { accountingGatewayApi: credential },
			...(more as Partial<INode>),
		}),
	);
	return startedBy(ours);
}

/** A workflow whose nodes are started by hand, and by a webhook that answers with the last one's output. */
function startedBy(nodes: INode[], path = PATH): WorkflowFile {
	const parameters = { httpMethod: 'POST', path, responseMode: 'lastNode' };
	const webhook = nodeOf('Webhook', 'n8n-nodes-base.webhook', parameters, { webhookId: path });
	const main = [nodes.map(({ name }) => ({ node: name, type: 'main' as const, index: 0 }))];
	return {
		name: path,
		nodes: [nodeOf('Manual', 'n8n-nodes-base.manualTrigger'), webhook, ...nodes],
		connections: { Manual: { main }, Webhook: { main } },
		settings: { executionOrder: 'v1' },
	};
}

/** Keeps an answer of n8n, and returns its status. */
function keep(where: string, { status, data }: AxiosResponse): number {
	said[where] = (said[where] ?? '') + JSON.stringify(data);
	return status;
}

/** Sends something to a webhook. */
const post = async (url: string, body: unknown = {}, headers = {}) =>
	keep('webhook', await axios.post(url, body, { headers, validateStatus: () => true }));
/** Has a webhook start its workflow. */
const start = async (path = PATH) => await post(`${rig.n8n.url}/webhook/${path}`);

/** Everything where a text stands: files below n8n's folder, the executions, what n8n has said. */
async function placesOf(text: string): Promise<string[]> {
	const folder = rig.n8n.userFolder;
	const { stdout } = await execa('grep', ['-rlaF', '--', text, folder], { reject: false });
	const files = stdout.split('\n').filter(Boolean);
	const { api, rest } = rig.client;
	const { data: list } = await api.get('executions', { params: { includeData: true, limit: 250 } });
	const shown = await Promise.all(
		(list.data as Array<{ id: string }>).map(async ({ id }) => (await rest.get(`executions/${id}`)).data),
	);
	const executions = JSON.stringify([list, shown]);
	const places = Object.entries({ executions, ...said });
	return [
		...files.map((file) => relative(folder, file)),
		...places.filter(([, content]) => content.includes(text)).map(([name]) => name),
	];
}

/** So much of a secret is one, too. */
const partOf = (secret: string) => secret.slice(0, 16);

const repeats = { error: { message: `The key ${KEY} ${MARKER}`, [KEY]: KEY } };
/**
 * What a gateway that repeats the key may answer: by day one of each kind. A long `Retry-After` keeps reads from waiting.
 * All statuses: test/resilience/secrets.test.mts.
 */
const ANSWERS: Array<[string, () => FaultInput]> = [
	...(NIGHTLY ? [401, 422, 429, 500] : [422]).map((status): [string, () => FaultInput] => [
		String(status),
		() => ({ kind: 'status', status, headers: { 'retry-after': '3600' }, body: repeats }),
	]),
	['500 after booking', () => ({ kind: 'status', point: 'after-handler', status: 500, body: repeats })],
	['a success', () => ({ kind: 'status', status: 200, body: [{ name: `${KEY} ${MARKER}`, ...repeats }] })],
	['broken JSON', () => ({ kind: 'status', status: 200, body: `${JSON.stringify(repeats)}}` })],
	['a web page', () => ({ kind: 'status', status: 403, body: `<html><h1>${KEY} ${MARKER}</h1></html>` })],
	[
		'a redirect',
		() => ({
			kind: 'redirect',
			location: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/?${KEY}`,
		}),
	],
];

describe('the API key', () => {
	/** Searches a list to choose from, as the form does. */
	const searchList = async () =>
		keep(
			'list',
			await rig.client.rest.post('dynamic-node-parameters/resource-locator-results', {
				path: 'parameters.connectionId',
				methodName: 'searchDuoConnections',
				nodeTypeAndVersion: { name: `${PACKAGE}.accountingGatewayDelivery`, version: 1 },
				currentNodeParameters: { resource: 'cashBook', operation: 'getAll' },
				credentials: { accountingGatewayApi: credential },
			}),
		);
	const testCredential = async () =>
		keep(
			'test',
			await rig.client.rest.post('credentials/test', {
				credentials: { ...credential, type: 'accountingGatewayApi', data: credentialData() },
			}),
		);

	it.each(ANSWERS)('leaves no trace when the gateway repeats it: %s', async (_answer, fault) => {
		rig.sandbox.faults.add({ ...fault(), times: null });
		const { data } = await rig.client.run(workflowId);
		expect(Object.keys(data.resultData.runData)).toEqual(
			expect.arrayContaining([0, 1, 2, 3].map((i) => `Node ${i}`)),
		);
		await start();
		await searchList();
		await testCredential();
		expect(rig.sandbox.log.entries.at(-1)?.faults).toHaveLength(1);
		expect(visits).toBe(0);
		expect(await placesOf(partOf(KEY))).toEqual([]);
	});

	it('isn’t shown in the credential', async () => {
		const params = { includeData: true };
		const shown = await rig.client.rest.get(`credentials/${credential.id}`, { params });
		expect(keep('credential', shown)).toBe(200);
		expect(await placesOf(partOf(KEY))).toEqual([]);
	});
});

describe('the token of the trigger’s URL', () => {
	let trigger: string;
	let url: string;
	const token = () => new URL(url).searchParams.get('token') as string;
	const json = { 'content-type': 'application/json' };

	beforeAll(async () => {
		trigger = await rig.addWorkflow('Payments', { options: { verify: true } });
		url = await rig.publish(trigger);
	});
	afterEach(async () => {
		expect(await placesOf(partOf(token()))).toEqual([]);
		expect(await placesOf(partOf(KEY))).toEqual([]);
	});

	/** How the workflow's executions ended, once there are so many. */
	const ended = async (count: number) =>
		(await rig.executionsEnded(trigger, count)).map(({ status }) => status);

	it('leaves no trace when events come, nor when they can’t be verified', async () => {
		rig.pay('authorizing');
		expect(await ended(1)).toEqual(['success']);
		const fault = { kind: 'status', status: 401, body: repeats, times: null } as const;
		rig.sandbox.faults.add({ ...fault, operationId: 'getPayment' });
		rig.pay('authorizing');
		expect(await ended(2)).toEqual(['error', 'success']);
	});

	it('leaves no trace when n8n refuses a request', async () => {
		const wrong = url.replace(/token=./, (start) => `${start}-`);
		const answers = [
			await post(wrong, EXAMPLE_EVENT),
			await post(url, {}),
			await post(url, Buffer.from('{'), json),
			await post(url, { ...EXAMPLE_EVENT, x: 'x'.repeat(300_000) }),
			await post(url.replace('/webhook/', '/webhook-test/'), EXAMPLE_EVENT),
			keep('webhook', await axios.get(url, { validateStatus: () => true })),
		];
		expect(answers).toEqual([401, 400, 422, 400, 404, 404]);
	});

	it('leaves no trace of a test in the editor', async () => {
		await rig.listen(trigger);
		expect(await ended(3)).toContain('success');
	});
});

describe('the search for secrets', () => {
	const DATABASE = expect.stringMatching('database.sqlite') as string;

	it('finds the rest of what the gateway said', async () => {
		const places = ['executions', 'list', 'test', 'editor', DATABASE];
		expect(await placesOf(MARKER)).toEqual(expect.arrayContaining(places));
	});

	it('finds the key where it does leak: in the output of n8n’s own HTTP Request node, and in an address', async () => {
		const parameters: IDataObject = {
			url: `${rig.sandbox.url}/v2/acct-duo/connections`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'accountingGatewayApi',
		};
		const request = nodeOf('Request', 'n8n-nodes-base.httpRequest', parameters, {
			typeVersion: 4.2,
			credentials: { accountingGatewayApi: credential },
		});
		const planted = await rig.client.importWorkflow(startedBy([request], 'planted'));
		await rig.publishWebhook(planted, 'webhook/planted');
		rig.sandbox.faults.add({ kind: 'status', status: 200, body: repeats, times: null });
		expect(await start('planted')).toBe(200);
		await rig.client.run(planted);
		await start(KEY);
		expect(await placesOf(partOf(KEY))).toEqual(
			expect.arrayContaining(['executions', 'webhook', 'editor', DATABASE, 'n8n.log']),
		);
	});
});
