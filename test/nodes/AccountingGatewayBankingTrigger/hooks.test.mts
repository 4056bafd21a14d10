import { describe, expect, it } from 'vitest';

import { goneCredential, production, unpublish, useN8n } from '../../support/publishing.mjs';
import type { TriggerOptions } from '../../support/triggerHarness.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const { workflow, urls, url, puts } = useN8n(gateway);

describe('publishing', () => {
	it('registers the URL with a token', async () => {
		await workflow('w1').create();
		expect(await url()).toEqual(production('w1'));
		expect((await puts()).map(({ body }) => Object.keys(body as object))).toEqual([['url']]);
	});

	it('writes the URL into the field that the option names', async () => {
		await workflow('w1', { parameters: { options: { urlField: 'webhook_url' } } }).create();
		expect(await url()).toEqual(production('w1'));
		expect((await puts()).map(({ body }) => Object.keys(body as object))).toEqual([['webhook_url']]);
	});

	it('registers again each time, since the gateway cannot be asked', async () => {
		const one = workflow('w1');
		await one.create();
		gateway.sandbox.services.webhooks.setUrl('demo', 'https://elsewhere.example/');
		await one.create();
		expect(await url()).toEqual(production('w1'));
	});

	it.each<[number, string]>([
		[200, 'OK'],
		[200, ''],
		[204, ''],
		[202, '<!DOCTYPE html><html><body>OK</body></html>'],
	])('accepts any success, whatever its content: %i %o', async (status, body) => {
		await gateway.fault({ kind: 'status', status, body, point: 'after-handler' });
		await workflow('w1').create();
		expect(await url()).toEqual(production('w1'));
	});

	it.each([{ workflowId: 'w2' }, { nodeId: 'node-2' }])('uses another token for %o', async (options) => {
		const tokens = [];
		for (const one of [workflow('w1'), workflow('w1', options), workflow('w1')]) {
			await one.create();
			tokens.push(new URL((await url())!).searchParams.get('token'));
		}
		expect(tokens[1]).not.toBe(tokens[0]);
		expect(tokens[2]).toBe(tokens[0]);
	});

	it('leaves no token and no key in what n8n keeps or logs', async () => {
		const one = workflow('w1');
		await one.create();
		const token = new URL((await url())!).searchParams.get('token') as string;
		await unpublish(one);
		for (const text of [JSON.stringify(one.staticData), one.logs.join('\n')]) {
			expect(text).not.toContain(token);
			expect(text).not.toContain(gateway.credential.apiKey);
		}
	});
});

describe('a URL that the gateway can not reach', () => {
	it.each(['http://localhost:5678', 'https://localhost', 'https://192.168.0.7', 'http://n8n.example.com'])(
		'%s is refused with an explanation, and nothing is sent',
		async (n8nUrl) => {
			await expect(workflow('w1', { n8nUrl }).create()).rejects.toThrow(
				/^The webhook URL must be reachable from the internet.*WEBHOOK_URL/s,
			);
			expect(await puts()).toEqual([]);
		},
	);

	it('is registered when the option allows it', async () => {
		const parameters = { options: { allowPrivateUrl: true } };
		await workflow('w1', { n8nUrl: 'http://localhost:5678', parameters }).create();
		expect(await url()).toMatch('http://localhost:5678/webhook/w1-node/payments?token=');
	});
});

describe('a parameter that breaks a rule', () => {
	const broken: Array<[TriggerOptions['parameters'], string]> = [
		[
			{ status: ['done'] },
			'Statuses (status) must be any of authorizing, processing, settled, failed, rejected',
		],
		[
			{ template_identifier: '={{ "SWIFT" }}' },
			'Kinds of Transfer (template_identifier) must be any of SEPA',
		],
		[{ options: { api: 'both' } }, 'API for Verifying (api) must be auto, openbanking or partner'],
		[{ options: { verify: '={{ "yes" }}' } }, 'Verify (verify) must be true or false'],
	];

	it.each(broken)('is reported when the workflow is published: %o', async (parameters, message) => {
		await expect(workflow('w1', { parameters }).create()).rejects.toThrow(message);
		expect(await puts()).toEqual([]);
	});

	it('does not keep a workflow from being unpublished', async () => {
		const one = workflow('w1');
		await one.create();
		one.options = { ...one.options, parameters: { options: { urlField: ['x'] } } };
		await unpublish(one);
		expect(await urls()).toEqual([]);
	});
});

describe('a failed activation', () => {
	it.each([
		[{ kind: 'status', status: 401 }, 'The gateway rejected the API key (HTTP 401)'],
		[{ kind: 'status', status: 500 }, 'Publish the workflow again'],
		[{ kind: 'drop' }, 'The connection to the gateway broke'],
	] as const)('%o says why and leaves the URL of another workflow', async (fault, message) => {
		await workflow('other').create();
		await gateway.fault({ ...fault, times: null });
		await expect(workflow('w1').create()).rejects.toThrow(message);
		await expect(workflow('w1').create()).rejects.toThrow('The webhook URL could not be registered');
		expect(await url()).toEqual(production('other'));
	});

	it('does not show the token when the gateway repeats the URL', async () => {
		const one = workflow('w1');
		await one.create();
		const token = new URL((await url())!).searchParams.get('token') as string;
		const body = { error: { message: `${await url()} is not allowed` } };
		await gateway.fault({ kind: 'status', status: 422, body });
		const error = await one.create().catch((e: Error) => e);
		expect((error as Error).message).toContain('token=*** is not allowed');
		expect(JSON.stringify(error)).not.toContain(token);
	});

	it("shows no part of the token either, if the gateway's message is cut short", async () => {
		const one = workflow('w1');
		await one.create();
		const { href, searchParams } = new URL((await url())!);
		const token = searchParams.get('token') as string;
		// Of the 500 characters that are shown, the token's first 40 would be the last.
		const message = href.padStart(500 + token.length - 40, 'x');
		await gateway.fault({ kind: 'status', status: 422, body: { message } });
		const error = await one.create().catch((e: Error) => e);
		expect((error as Error).message).toContain('token=***');
		expect(JSON.stringify(error)).not.toContain(token.slice(0, 10));
	});

	it('can be followed by one that succeeds', async () => {
		const one = workflow('w1');
		await gateway.fault({ kind: 'status', status: 503 });
		await expect(one.create()).rejects.toThrow();
		await one.create();
		expect(await url()).toEqual(production('w1'));
	});
});

describe('unpublishing', () => {
	it('clears the URL even when the credential is gone', async () => {
		const one = workflow('w1');
		await one.create();
		one.options = { ...one.options, credential: goneCredential };
		await unpublish(one);
		expect(one.logs.join()).toContain('Credential not found');
		expect(await urls()).toEqual([]);
	});
});

describe('a test in the editor', () => {
	it('leaves the gateway alone', async () => {
		const one = workflow('w1', { parameters: { whenTesting: 'listen' } });
		await one.create();
		await one.create('test');
		await one.delete('test');
		expect(await url()).toEqual(production('w1'));
		expect(await puts()).toHaveLength(1);
	});

	describe('whose URL can not be registered', () => {
		const tester = (id: string) => workflow(id, { parameters: { options: { registerTestUrl: true } } });

		it('is refused, and changes nothing', async () => {
			await workflow('other').create();
			const one = tester('w1');
			await gateway.fault({ kind: 'status', status: 401 });
			const error = await one.create('test').catch((e: Error) => e);
			expect((error as Error).message).toContain(
				'The test URL could not be registered: The gateway rejected the API key',
			);
			expect((error as Error).message).not.toContain('ublish');
			expect(await url()).toEqual(production('other'));
			expect(await puts()).toHaveLength(2);
		});

		it.each([
			['503', { kind: 'status', status: 503, point: 'after-handler' }],
			['a broken connection', { kind: 'drop', point: 'after-handler' }],
		] as const)('restores the published URL when the answer is lost: %s', async (_, fault) => {
			await workflow('other').create();
			const one = tester('w1');
			await gateway.fault(fault);
			const error = await one.create('test').catch((e: Error) => e);
			expect((error as Error).message).toMatch(/Then start the test again\.$/);
			expect((error as Error).message).not.toContain('ublish');
			await expect.poll(url).toEqual(production('other'));
		});
	});
});
