/** A credential that can't book: over every operation that writes, however it is run, and whatever its own options say. */
import { createServer } from 'node:http';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeType,
} from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayApi } from '../../../../credentials/AccountingGatewayApi.credentials.js';
import { AccountingGatewayBankingTrigger } from '../../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { exampleItem, exampleParameters } from '../../../conformance/examples.mjs';
import { type Action, reads, writes } from '../../../conformance/operations.mjs';
import { useRecorder } from '../../../conformance/recorder.mjs';
import { Agent, runNode, type RunOptions } from '../../../../host/harness.mjs';
import { engineIsFrom } from '../../../../host/n8nPackages.mjs';
import { partial } from '../../../../host/partial.mjs';
import { simpleEntry } from '../../../../host/workflows.mjs';
import { listening } from '../../../support/listening.mjs';
import { TriggerWorkflow } from '../../../../host/triggerHarness.mjs';

const recorder = useRecorder();
const credentialWith = (decision?: string): ICredentialDataDecryptedObject => ({
	...recorder.credential,
	...(decision !== undefined && { writes: decision }),
});
const runAction = async (action: Action, decision: string, more: Partial<RunOptions> = {}) =>
	await runNode({
		node: action.node,
		// The node's own option says the opposite.
		parameters: exampleParameters(action, action.operation.kind === 'write' ? { dryRun: false } : {}),
		items: [exampleItem(action)],
		credential: credentialWith(decision),
		...more,
	});

/** Before, an agent whose tool fails stops, and hears nothing. */
const AGENT_GOES_ON = engineIsFrom('2.30');

describe.each(writes.map((action) => [action.name, action] as const))('%s', (_name, action) => {
	it('becomes a dry run with a credential that allows nothing else, also as a tool', async () => {
		const { error, json, hints } = await runAction(action, 'dryRun');
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ summary: { en: expect.stringMatching(/^Would /) }, dryRun: true }]);
		expect(JSON.stringify(hints)).toContain('the credential allows only dry runs');
		const agent = new Agent([{}]);
		await runAction(action, 'dryRun', { agent });
		if (AGENT_GOES_ON) expect(agent.heard).toHaveLength(1);
		expect(recorder.requests).toEqual([]);
	});

	it.each(['refused', 'a word from a later version'])(
		'is refused if the credential says "%s", and the error names who decided, also as a tool',
		async (decision) => {
			const { error } = await runAction(action, decision);
			expect(`${error?.message} ${error?.description}`).toMatch(/allows no writes.*"Writes"/s);
			const continued = await runAction(action, decision, { settings: { onError: 'continueErrorOutput' } });
			expect(continued.errors).toMatchObject([{ details: { outcome: 'notSent' } }]);
			const agent = new Agent([{}]);
			await runAction(action, decision, { agent });
			if (AGENT_GOES_ON) expect(agent.heard.join()).toMatch(/allows no writes|finds no file|AI agent's tool/);
			expect(recorder.requests).toEqual([]);
		},
	);
});

it.each(reads.map((action) => [action.name, action] as const))(
	'%s reads with a credential that refuses writes',
	async (_name, action) => {
		expect((await runAction(action, 'refused')).error).toBeUndefined();
		expect(recorder.requests.length).toBeGreaterThan(0);
	},
);

it('a credential that was saved before it could forbid writes may write', async () => {
	const parameters = simpleEntry('5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11');
	const run = { node: new AccountingGatewayDelivery(), parameters, credential: credentialWith() };
	expect((await runNode(run)).error).toBeUndefined();
	expect(recorder.requests).toHaveLength(1);
});

it('what a credential allows holds for a run that is retried after that has changed, which loses nothing', async () => {
	recorder.answer = ({ text }) =>
		text.includes('K-11') ? { status: 422 } : { body: { belegnummer: 'K-10' } };
	const run = async (decision: string, retryOf?: RunOptions['retryOf']) =>
		await runNode({
			node: new AccountingGatewayDelivery(),
			parameters: simpleEntry('5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11'),
			items: [{}, {}],
			credential: credentialWith(decision),
			retryOf,
		});
	const first = await run('allowed');
	expect(recorder.requests).toHaveLength(2);
	expect((await run('dryRun', first.run)).json).toMatchObject([{ dryRun: true }, { dryRun: true }]);
	const refused = await run('refused', first.run);
	expect(refused.error?.description).toContain('Not sent: item 2');
	expect(recorder.requests).toHaveLength(2);
	recorder.answer = () => ({ body: { belegnummer: 'K-11' } });
	expect((await run('allowed', refused.run)).error).toBeUndefined();
	expect(recorder.requests.slice(2).map(({ text }) => /K-\d+/.exec(text)?.[0])).toEqual(['K-11']);
});

it.each(['dryRun', 'refused'])('the payment trigger is not published with "%s"', async (decision) => {
	const trigger = new TriggerWorkflow(new AccountingGatewayBankingTrigger(), {
		credential: credentialWith(decision),
	});
	await expect(trigger.create()).rejects.toThrow(/could not be registered: The credential allows/);
	expect(recorder.requests).toEqual([]);
});

it.each(['dryRun', 'refused'])('the HTTP Request node can then only GET: "%s"', async (decision) => {
	const { authenticate } = new AccountingGatewayApi();
	const send = async (method?: string) =>
		await authenticate(credentialWith(decision), { url: recorder.url, method: method as 'GET' });
	expect(await send('GET')).toHaveProperty(['headers', 'x-api-key'], recorder.credential.apiKey);
	expect(await send()).toHaveProperty(['headers', 'x-api-key']);
	for (const method of ['POST', 'put', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
		await expect(send(method)).rejects.toThrow(/The credential allows/);
	}
});

it.each([
	['dryRun', { url: 'https://elsewhere.example/key' }],
	['refused', { url: 'https://elsewhere.example/key' }],
	// n8n's HTTP Request node says `uri`.
	['refused', { uri: 'https://elsewhere.example/key' }],
	['refused', { url: '/key', baseURL: 'https://elsewhere.example' }],
	// Another program on the gateway's machine, such as a webhook of n8n.
	['refused', { url: 'http://127.0.0.1:1/webhook/key' }],
	['refused', { url: '' }],
	['refused', { proxy: { host: 'elsewhere.example', port: 8080 } }],
	['refused', { rejectUnauthorized: false }],
	['refused', { skipSslCertificateValidation: true }],
])(
	'with "%s", the key goes to the gateway alone, whatever domains are allowed: %o',
	async (decision, request) => {
		const { authenticate } = new AccountingGatewayApi();
		const options = { url: recorder.url, ...request } as IHttpRequestOptions;
		await expect(authenticate(credentialWith(decision), options)).rejects.toThrow(/key isn't sent to other/);
		expect(await authenticate(credentialWith('allowed'), options)).toHaveProperty(['headers', 'x-api-key']);
	},
);

it.each([
	['/office/v2/acct-duo/kassenbuecher', true],
	['/office/', true],
	['/offices/v2', false],
	['/admin', false],
	['/office/../admin', false],
	['/office/%2e%2e/admin', false],
	['/Office/v2', false],
])('with "refused", the key goes below the path of the base URL alone: %s', async (path, isSent) => {
	const { authenticate } = new AccountingGatewayApi();
	const credential = { ...credentialWith('refused'), baseUrl: `${recorder.url}/office` };
	const sending = authenticate(credential, { url: recorder.url.replace(/\/$/, '') + path });
	if (isSent) expect(await sending).toHaveProperty(['headers', 'x-api-key']);
	else await expect(sending).rejects.toThrow(/key isn't sent to other/);
});

/** Calls a helper with a credential, as n8n's HTTP Request node (the older one) and other nodes do. */
const callerOf = (helper: 'requestWithAuthentication' | 'httpRequestWithAuthentication', options: object) =>
	partial<INodeType>({
		description: { ...new AccountingGatewayDelivery().description, properties: [] },
		async execute(this: IExecuteFunctions) {
			// The two helpers take options of different types.
			const body = await this.helpers[helper].call(this, 'accountingGatewayApi', options as never);
			return [[{ json: { body } as IDataObject }]];
		},
	});

describe.each(['allowed', 'refused'])(
	"the key of a credential with writes %s, in n8n's own nodes,",
	(decision) => {
		it.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
			const elsewhere: unknown[] = [];
			const thief = createServer((request, response) => {
				elsewhere.push(request.headers['x-api-key']);
				response.end('{}');
			});
			const location = `http://${await listening(thief)}/`;
			recorder.answer = () => ({ status, headers: { location } });
			const following = { followRedirect: true, followAllRedirects: true, disableFollowRedirect: false };
			const options = { method: 'GET', maxRedirects: 21, url: recorder.url, uri: recorder.url, ...following };
			for (const helper of ['requestWithAuthentication', 'httpRequestWithAuthentication'] as const) {
				const node = callerOf(helper, options);
				await runNode({ node, parameters: {}, credential: credentialWith(decision) });
			}
			expect(recorder.requests.length).toBeGreaterThanOrEqual(2);
			expect(elsewhere).toEqual([]);
		});

		it.each([
			{ headers: { 'X-HTTP-Method-Override': 'POST' } },
			{ headers: { 'x-method-override': 'PUT' } },
			{ headers: { 'X-HTTP-Method': 'POST' } },
			{ body: { betrag: 1 } },
			{ form: { betrag: 1 } },
		])('goes with no GET that is more than one: %o', async (more) => {
			const { authenticate } = new AccountingGatewayApi();
			const options = { url: recorder.url, method: 'GET', ...more } as IHttpRequestOptions;
			await expect(authenticate(credentialWith(decision), options)).rejects.toThrow(/key isn't sent/);
		});
	},
);

it("the credential's key is for this package's nodes alone, unless someone allows the HTTP Request node a domain", () => {
	const defaults = new AccountingGatewayApi().properties.map(({ name, default: value }) => [name, value]);
	expect(Object.fromEntries(defaults)).toMatchObject({ allowedHttpRequestDomains: 'none', allowHttp: false });
});
