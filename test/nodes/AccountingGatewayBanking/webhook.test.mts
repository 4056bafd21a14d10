import type { INodeParameters, INodePropertyOptions, NodeError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayBanking } from '../../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js';
import { refused, useGateway } from '../../support/useSandbox.mjs';
import type { RunOptions } from '../../../host/harness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBanking();

const URL = 'https://n8n.example.com/webhook/6f1c/payments?token=s3cret';

const setUrl = (overrides: INodeParameters = {}): INodeParameters => ({
	resource: 'webhook',
	operation: 'setUrl',
	url: URL,
	...overrides,
});
const run = async (parameters: INodeParameters, options?: Partial<RunOptions>) =>
	await gateway.run(node, parameters, options);
/** All that is said of an error. (n8n adds the node with its parameters, which the user has typed.) */
const textsOf = (error?: NodeError) => JSON.stringify([error?.message, error?.description, error?.messages]);
const webhooks = async () => (await gateway.list('webhooks')).map(({ url }) => url);

describe('Webhook: Set URL', () => {
	it('sets the URL', async () => {
		const { main, error } = await run(setUrl());
		expect(error).toBeUndefined();
		expect(main[0]).toEqual([{ json: { success: true }, pairedItem: { item: 0 } }]);
		expect(await webhooks()).toEqual([URL]);
		const [{ method, body }] = await gateway.requests();
		expect([method, body]).toEqual(['PUT', { url: URL }]);
	});

	it('sends it in another field', async () => {
		await run(setUrl({ options: { urlField: 'webhook_url' } }));
		expect((await gateway.requests())[0].body).toEqual({ webhook_url: URL });
	});

	it('says in a dry run whose address it would be, without its path', async () => {
		const { json } = await run(setUrl({ options: { dryRun: true } }));
		expect(json[0].summary).toEqual({
			en: 'Would set the webhook URL of the account to one of n8n.example.com',
			de: 'Webhook-URL des Kontos auf eine Adresse von n8n.example.com setzen',
		});
	});

	it('gives an item with Simplify off, too, where the gateway says nothing', async () => {
		await gateway.fault({ kind: 'status', status: 200, body: '', point: 'after-handler' });
		expect((await run(setUrl({ simple: false }))).json).toEqual([{ success: true }]);
	});

	it('passes on what the gateway says of it', async () => {
		await gateway.fault({ kind: 'status', status: 200, body: { ok: true }, point: 'after-handler' });
		expect((await run(setUrl())).json).toMatchObject([
			{ ok: true, success: true, warnings: [{ en: expect.stringContaining('ok: true') as string }] },
		]);
	});

	it.each<[string, string]>([
		['http://localhost:5678/webhook/x', '"localhost" is an address or name of this machine'],
		['http://n8n.example.com/webhook/x', 'starts with http://'],
	])('refuses %s and explains WEBHOOK_URL', async (url, reason) => {
		const { error } = await run(setUrl({ url }));
		expect(error?.message).toContain('Nothing was sent: URL (url) must be reachable from the internet');
		expect(error?.message).toContain(reason);
		expect(error?.message).toContain('WEBHOOK_URL');
		expect(error?.message).toContain('Allow Private URL');
		// The path of a webhook may hold a secret.
		expect(textsOf(error)).not.toContain('/webhook/x');
		expect(await gateway.requests()).toEqual([]);
	});

	it('takes a private URL when such ones are allowed, and no other kind of URL', async () => {
		const options = { allowPrivateUrl: true };
		const other = await run(setUrl({ url: 'ftp://n8n.example.com/', options }));
		expect(other.error?.message).toMatch(refused('url'));
		const url = 'http://localhost:5678/webhook/x';
		expect((await run(setUrl({ url, options }))).error).toBeUndefined();
		expect(await webhooks()).toEqual([url]);
	});

	it("refuses to be an AI agent's tool, which doesn't offer it", async () => {
		const { error } = await run(setUrl(), { settings: { rewireOutputLogTo: 'ai_tool' } });
		expect(error?.message).toContain("can't be used as an AI agent's tool");
		expect(error?.description).toContain('A person can run it in a workflow.');
		expect(await gateway.requests()).toEqual([]);
		for (const name of ['resource', 'operation']) {
			const offered = node.description.properties
				.filter((property) => property.name === name)
				.flatMap(({ options }) => options as INodePropertyOptions[])
				.filter(({ displayOptions }) => displayOptions?.hide?.['@tool'] === undefined);
			expect(offered.map(({ value }) => value)).not.toContain(name === 'resource' ? 'webhook' : 'setUrl');
		}
	});

	it('is not repeated when its outcome is unknown, and names the host only', async () => {
		await gateway.fault({ kind: 'drop', point: 'after-handler' });
		const { error } = await run(setUrl(), {
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(error?.description).toContain('webhook URL of n8n.example.com: Whether it was carried out');
		expect(textsOf(error)).not.toContain('s3cret');
		expect(await gateway.requests()).toHaveLength(1);
	});
});
