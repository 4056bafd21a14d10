/** What an assistant can do, and is told, that uses n8n's own MCP server; it is played by this test. */
import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { PACKAGE } from '../../../host/package.mjs';
import { Rig } from '../../support/rig.mjs';
import { chainOf, connectionOf, nodeOf, simpleEntry } from '../../../host/workflows.mjs';

const CREDENTIAL_TYPE = 'accountingGatewayApi';

let rig: Rig;
let call: (method: string, params: object) => Promise<IDataObject>;

beforeAll(async () => {
	rig = await Rig.join();
	await rig.client.rest.patch('mcp/settings', { mcpAccessEnabled: true });
	const { data } = await rig.client.rest.post('mcp/api-key/rotate');
	const headers = {
		authorization: `Bearer ${data.data.apiKey as string}`,
		accept: 'application/json, text/event-stream',
	};
	let id = 0;
	call = async (method, params) => {
		const message = { jsonrpc: '2.0', id: ++id, method, params };
		const answer = await axios.post<string>(`${rig.n8nUrl}/mcp-server/http`, message, {
			headers,
			responseType: 'text',
		});
		const { result, error } = JSON.parse(answer.data.replace(/^[\s\S]*?data: /, '')) as {
			result?: IDataObject;
			error?: unknown;
		};
		if (!result) throw new Error(JSON.stringify(error));
		return result;
	};
	await call('initialize', {
		protocolVersion: '2025-03-26',
		capabilities: {},
		clientInfo: { name: 'test', version: '1' },
	});
});

beforeEach(() => rig.sandbox.store.reset());

afterAll(async () => await rig?.stop());

/** Calls a tool of n8n's MCP server. */
const use = async (name: string, args: object): Promise<IDataObject> =>
	(await call('tools/call', { name, arguments: args })).structuredContent as IDataObject;

/** Changes the test's credential. */
const setCredential = async (own: IDataObject) => {
	const { apiKey, url: baseUrl } = rig.sandbox;
	const data = { apiKey, baseUrl, accountingProvider: 'acct', ...own };
	await rig.client.importCredential({ name: rig.credential.name, type: CREDENTIAL_TYPE, data });
};

describe('an assistant that makes and tests a workflow', () => {
	const make = async (parameters: INodeParameters): Promise<unknown> => {
		const node = { name: 'Book', parameters, credentials: rig.credentials, output: [{}] };
		const code = `import { workflow, node, trigger } from '@n8n/workflow-sdk';
const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start', output: [{}] } });
const book = node({ type: '${PACKAGE}.accountingGatewayDelivery', version: 1, config: ${JSON.stringify(node)} });
export default workflow('mcp', 'Made by an assistant').add(start).to(book);`;
		const made = await use('create_workflow_from_code', { code });
		expect(made.error).toBeUndefined();
		return made.workflowId;
	};
	const test = async () =>
		await use('test_workflow', {
			workflowId: await make(simpleEntry(connectionOf(rig.sandbox, 'duo'), { belegnummer: 'K-11' })),
			pinData: { Start: [{ json: {} }] },
		});
	const booked = () => (rig.sandbox.store.list('entries') as unknown[]).length;

	it('books for real with a credential that may write: that is what the other ones are for', async () => {
		await setCredential({ writes: 'allowed' });
		expect(await test()).toMatchObject({ status: 'success' });
		expect(booked()).toBe(1);
	});

	it.each([
		['dryRun', 'success'],
		['refused', 'error'],
	])('books nothing if the credential says "%s"', async (writes, status) => {
		await setCredential({ writes });
		expect(await test()).toMatchObject({ status });
		expect(booked()).toBe(0);
	});
});

describe("n8n's HTTP Request node with the credential", () => {
	const send = async (method: string, url = `${rig.sandbox.url}/v2/acct-duo/connections`) => {
		const workflowId = await rig.client.importWorkflow(
			chainOf('HTTP Request with the credential', [
				nodeOf('Manual', 'n8n-nodes-base.manualTrigger'),
				nodeOf(
					'HTTP',
					'n8n-nodes-base.httpRequest',
					{
						method,
						url,
						authentication: 'predefinedCredentialType',
						nodeCredentialType: CREDENTIAL_TYPE,
					},
					{ typeVersion: 4.2, credentials: rig.credentials },
				),
			]),
		);
		const { status, data } = await rig.client.run(workflowId);
		const { message, description } = data.resultData.error ?? {};
		return { status, message: `${message} ${description}` };
	};

	it('gets no key, unless the credential names where it may go', async () => {
		await setCredential({});
		expect(await send('GET')).toMatchObject({
			status: 'error',
			message: expect.stringContaining('prevent use within an HTTP Request'),
		});
		await setCredential({ allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' });
		expect(await send('GET')).toMatchObject({ status: 'success' });
	});

	it('can only read if the credential allows no writes', async () => {
		const anywhere = { allowedHttpRequestDomains: 'all' };
		await setCredential({ ...anywhere, writes: 'refused' });
		expect(await send('GET')).toMatchObject({ status: 'success' });
		expect(await send('POST')).toMatchObject({
			status: 'error',
			message: expect.stringContaining('allows no writes'),
		});
	});

	it("can't carry the key of such a credential to another address, which could read it, and book", async () => {
		await setCredential({ allowedHttpRequestDomains: 'all', writes: 'dryRun' });
		expect(await send('GET', `${rig.n8nUrl}/healthz`)).toMatchObject({
			status: 'error',
			message: expect.stringContaining("isn't sent to other addresses"),
		});
	});
});

describe('what a model is told', () => {
	const typesOf = async (node: string, resource: string, operation: string) => {
		const nodeIds = [{ nodeId: `${PACKAGE}.accountingGateway${node}`, resource, operation }];
		return (await use('get_node_types', { nodeIds })).definitions as string;
	};
	/** The comment above a member of a type. */
	const about = (types: string, name: string) =>
		new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*${name}\\??:`).exec(types)?.[1];

	it('of a switch that is off unless it is set, and of a locator that is required', async () => {
		const types = await typesOf('Delivery', 'cashBookEntry', 'create');
		for (const name of ['dryRun', 'alreadyBooked', 'includeCredits']) {
			expect(about(types, name), name).toMatch(/Off unless you set it/);
		}
		for (const name of ['connectionId', 'kassenname']) {
			expect(about(types, name), name).toMatch(/Required/);
		}
	});

	it.each([
		['SuSa trial balance', 'accountingGatewayData'],
		['Beleg hochladen', 'accountingGatewayDelivery'],
		['Kassenbericht CSV lesen', 'accountingGatewayFiles'],
		['XRechnung', 'accountingGatewayFiles'],
		['Zahlungseingang', 'accountingGatewayTransactionTrigger'],
		['Kontoauszug', 'accountingGatewayBanking'],
	])('that "%s" is for %s', async (query, node) => {
		const { results } = await use('search_nodes', { queries: [query] });
		expect(/n8n-nodes-[\w-]+\.(\w+)/.exec(results as string)?.[1]).toBe(node);
	});

	// "accounting" is in the name of each of our nodes, which counts for more than any other word of theirs.
	it('that "receipt upload accounting" is for Delivery, even if n8n shows a shorter name first', async () => {
		const { results } = await use('search_nodes', { queries: ['receipt upload accounting'] });
		expect(results).toMatch(/accountingGatewayDelivery\b[\s\S]*receipt/i);
	});
});
