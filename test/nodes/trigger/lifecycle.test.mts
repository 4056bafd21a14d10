import { beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBanking } from '../../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js';
import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { useGateway } from '../../support/gateway.mjs';
import { TriggerWorkflow, type TriggerOptions } from '../../support/triggerHarness.mjs';

const gateway = useGateway();

const workflow = (workflowId: string, options: Partial<TriggerOptions> = {}) =>
	new TriggerWorkflow(new AccountingGatewayBankingTrigger(), {
		credential: gateway.credential,
		workflowId,
		...options,
	});

const urls = async () => await gateway.list<{ account: string; url: string }>('webhooks');
const url = async () => (await urls()).find(({ account }) => account === 'demo')?.url;
const puts = async () => (await gateway.requests()).filter(({ method }) => method === 'PUT');
const production = (id: string) =>
	expect.stringMatching(
		new RegExp(`^https://n8n\\.example\\.com/webhook/${id}-node/payments\\?token=[\\w-]{43}$`),
	);
const test = (id: string) =>
	expect.stringMatching(
		new RegExp(`^https://n8n\\.example\\.com/webhook-test/${id}-node/payments\\?token=[\\w-]{43}$`),
	);

/** The trigger remembers what its process has set, by API key: so each test has one of its own. */
let key = 0;
beforeEach(() => {
	gateway.credential = { ...gateway.credential, apiKey: `lifecycle-key-${++key}` };
	gateway.sandbox.world.accounts[0].keys.push(gateway.credential.apiKey);
});

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

	it('registers again each time, since the gateway can not be asked', async () => {
		const one = workflow('w1');
		await one.create();
		gateway.sandbox.world.webhooks.setUrl('demo', 'https://elsewhere.example/');
		await one.create();
		expect(await url()).toEqual(production('w1'));
	});

	it.each([{ workflowId: 'w2' }, { nodeId: 'node-2' }])('is another one for %o', async (options) => {
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
		await one.delete();
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

describe('a failed activation', () => {
	it.each([
		[{ kind: 'status', status: 401 }, 'The gateway rejected the API key (HTTP 401)'],
		[{ kind: 'status', status: 500 }, 'Publish the workflow again'],
		[{ kind: 'drop' }, 'The connection to the gateway broke'],
		[{ kind: 'html', status: 200 }, 'A web page (HTML) came instead'],
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

	it('shows no part of the token either, where what the gateway says is cut short', async () => {
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
	it('clears the URL', async () => {
		const one = workflow('w1');
		await one.create();
		expect(await one.delete()).toBe(true);
		expect(await urls()).toEqual([]);
	});

	it('publishes a changed version in the order in which n8n does', async () => {
		const one = workflow('w1');
		await one.create();
		await one.delete();
		await one.create();
		expect(await url()).toEqual(production('w1'));
	});

	it('sends nothing when nothing was registered', async () => {
		expect(await workflow('w1').delete()).toBe(true);
		expect(await puts()).toEqual([]);
	});

	it('leaves the URL alone when another workflow has taken it over', async () => {
		const [first, second] = [workflow('w1'), workflow('w2')];
		await first.create();
		await second.create();
		expect(await first.delete()).toBe(true);
		expect(await url()).toEqual(production('w2'));
		expect(first.logs.join()).toContain('left alone');
		await second.delete();
		expect(await urls()).toEqual([]);
	});

	it('leaves the URL alone when another one was set by hand in the same n8n', async () => {
		const one = workflow('w1');
		await one.create();
		const parameters = {
			resource: 'webhook',
			operation: 'setUrl',
			url: 'https://elsewhere.example.com/hook',
		};
		const { error } = await gateway.run(new AccountingGatewayBanking(), parameters, {
			credential: gateway.credential,
		});
		expect(error).toBeUndefined();
		await one.delete();
		expect(await url()).toBe('https://elsewhere.example.com/hook');
	});

	it('leaves the URL alone when nobody knows whether another workflow has taken it over', async () => {
		const [first, second] = [workflow('w1'), workflow('w2')];
		await first.create();
		await gateway.fault({ kind: 'drop', point: 'after-handler' });
		await expect(second.create()).rejects.toThrow('The connection to the gateway broke');
		await first.delete();
		expect(await url()).toEqual(production('w2'));
	});

	it('is not kept from it by a workflow of another account', async () => {
		const other = { ...gateway.credential, apiKey: 'key-of-another-account' };
		gateway.sandbox.world.accounts[1].keys.push(other.apiKey);
		const [first, second] = [workflow('w1'), workflow('w2', { credential: other })];
		await first.create();
		await second.create();
		await first.delete();
		expect(await urls()).toEqual([{ account: gateway.sandbox.world.accounts[1].id, url: production('w2') }]);
	});

	it('leaves the URL alone after a restart, because nobody knows whose it is by then', async () => {
		const one = workflow('w1');
		await one.create();
		vi.resetModules();
		const restarted = (await import(
			'../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js'
		)) as { AccountingGatewayBankingTrigger: typeof AccountingGatewayBankingTrigger };
		const same = new TriggerWorkflow(new restarted.AccountingGatewayBankingTrigger(), one.options);
		await same.delete();
		expect(await url()).toEqual(production('w1'));
		await same.create();
		await same.delete();
		expect(await urls()).toEqual([]);
	});

	it.each([
		['down', { kind: 'drop' }],
		['failing', { kind: 'status', status: 500 }],
		['refusing', { kind: 'status', status: 401 }],
	] as const)('never fails: gateway %s', async (_, fault) => {
		const one = workflow('w1');
		await one.create();
		await gateway.fault({ ...fault, times: null });
		expect(await one.delete()).toBe(true);
		expect(one.logs.join()).toContain("The gateway's webhook URL could not be cleared");
	});

	it('never fails: the credential is gone', async () => {
		const one = workflow('w1');
		await one.create();
		one.options = {
			...one.options,
			credential: {
				get apiKey(): string {
					throw new Error('Credential not found');
				},
			},
		};
		expect(await one.delete()).toBe(true);
		expect(one.logs.join()).toContain('Credential not found');
	});
});

describe('a test in the editor', () => {
	it('leaves the gateway alone', async () => {
		const one = workflow('w1');
		await one.create();
		await one.create('test');
		await one.delete('test');
		expect(await url()).toEqual(production('w1'));
		expect(await puts()).toHaveLength(1);
	});

	describe('with Register Test URL', () => {
		const parameters = { options: { registerTestUrl: true } };

		it('registers the test URL and puts the own one back', async () => {
			const one = workflow('w1', { parameters });
			await one.create();
			await one.create('test');
			expect(await url()).toEqual(test('w1'));
			await one.delete('test');
			expect(await url()).toEqual(production('w1'));
			await one.delete();
			expect(await urls()).toEqual([]);
		});

		it("puts another workflow's URL back", async () => {
			await workflow('other').create();
			const one = workflow('w1', { parameters });
			await one.create('test');
			await one.create('test');
			await one.delete('test');
			expect(await url()).toEqual(production('other'));
		});

		it('does not put a URL back whose workflow has been unpublished meanwhile', async () => {
			const other = workflow('other');
			await other.create();
			const one = workflow('w1', { parameters });
			await one.create('test');
			await other.delete();
			expect(await url()).toEqual(test('w1'));
			await one.delete('test');
			expect(await urls()).toEqual([]);
		});

		it('leaves a URL alone that was published meanwhile', async () => {
			const one = workflow('w1', { parameters });
			await one.create('test');
			await workflow('other').create();
			await one.delete('test');
			expect(await url()).toEqual(production('other'));
		});

		it('leaves no URL where there was none', async () => {
			const one = workflow('w1', { parameters });
			await one.create('test');
			await one.delete('test');
			expect(await urls()).toEqual([]);
		});
	});
});
