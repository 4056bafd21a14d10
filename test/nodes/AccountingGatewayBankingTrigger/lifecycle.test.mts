import { startSandbox } from '../../../sandbox/server.mjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { AccountingGatewayBanking } from '../../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js';
import type { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { CLEAR_AFTER_MS } from '../../../nodes/AccountingGatewayBankingTrigger/registration.js';
import { useGateway } from '../../support/useSandbox.mjs';
import { shortenTimeouts } from '../../support/pauses.mjs';
import { TriggerWorkflow, type TriggerOptions } from '../../support/triggerHarness.mjs';

const gateway = useGateway();

/** The nodes of an n8n that has just been started, and remembers nothing. */
interface Process {
	Banking: typeof AccountingGatewayBanking;
	Trigger: typeof AccountingGatewayBankingTrigger;
}

async function startProcess(): Promise<Process> {
	vi.resetModules();
	const banking = await import('../../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js');
	const trigger = await import(
		'../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js'
	);
	return {
		Banking: banking.AccountingGatewayBanking,
		Trigger: trigger.AccountingGatewayBankingTrigger,
	};
}

let n8n: Process;
beforeEach(async () => void (n8n = await startProcess()));
afterEach(() => void vi.restoreAllMocks());

const workflow = (workflowId: string, options: Partial<TriggerOptions> = {}, process = n8n) =>
	new TriggerWorkflow(new process.Trigger(), { credential: gateway.credential, workflowId, ...options });

/** Lets the time pass after which the URL of an unpublished workflow is cleared, and waits until that is decided. */
async function afterClearing(one: TriggerWorkflow, happens: () => Promise<unknown>): Promise<void> {
	const decided = () => one.logs.filter((line) => DECISION.test(line)).length;
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	let expected: number;
	try {
		await happens();
		expected = decided() + Math.min(vi.getTimerCount(), 1);
		await vi.advanceTimersByTimeAsync(CLEAR_AFTER_MS);
	} finally {
		vi.useRealTimers();
	}
	await expect.poll(decided).toBeGreaterThanOrEqual(expected);
}
const DECISION = /was cleared|left alone|not be cleared|URL stays/;

const unpublish = async (one: TriggerWorkflow): Promise<void> =>
	await afterClearing(one, async () => expect(await one.delete()).toBe(true));

/** Publishes a changed version as n8n does. Returns the error where that fails. */
async function publishChanged(
	one: TriggerWorkflow,
	change: Partial<TriggerOptions> = {},
): Promise<Error | undefined> {
	let failure: Error | undefined;
	await afterClearing(one, async () => {
		await one.delete();
		one.options = { ...one.options, ...change };
		failure = await one.create().then(
			() => undefined,
			(error: Error) => error,
		);
	});
	return failure;
}

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

/** Another key of the demo account, or the key of another account. */
function anotherKey(apiKey: string, account = 0): TriggerOptions['credential'] {
	gateway.sandbox.store.accounts[account].keys.push(apiKey);
	return { ...gateway.credential, apiKey };
}

const goneCredential: TriggerOptions['credential'] = {
	get apiKey(): string {
		throw new Error('Credential not found');
	},
};

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

	it('ends after 15 seconds if the gateway does not answer', async () => {
		await gateway.fault({ kind: 'hang' });
		const timeouts = shortenTimeouts();
		await expect(workflow('w1').create()).rejects.toThrow('Publish the workflow again');
		expect(timeouts()).toEqual([15_000]);
	});

	it('can be followed by one that succeeds', async () => {
		const one = workflow('w1');
		await gateway.fault({ kind: 'status', status: 503 });
		await expect(one.create()).rejects.toThrow();
		await one.create();
		expect(await url()).toEqual(production('w1'));
	});
});

describe('publishing a changed version', () => {
	it('registers the URL again, and never clears it', async () => {
		const one = workflow('w1');
		await one.create();
		expect(await publishChanged(one)).toBeUndefined();
		expect((await puts()).map(({ body }) => body)).toEqual([
			{ url: production('w1') },
			{ url: production('w1') },
		]);
	});

	it.each([
		['refuses', { kind: 'status', status: 401 }, 'rejected the API key'],
		['fails', { kind: 'status', status: 500 }, 'failed to process'],
		['breaks the connection', { kind: 'drop' }, 'connection to the gateway broke'],
		['gets the URL but breaks the connection', { kind: 'drop', point: 'after-handler' }, 'connection'],
	] as const)('leaves the account with its URL when the gateway %s', async (_, fault, message) => {
		const one = workflow('w1');
		await one.create();
		await gateway.fault({ ...fault, times: 1 });
		expect((await publishChanged(one))?.message).toContain(message);
		expect(await url()).toEqual(production('w1'));
		await one.create();
		expect(await url()).toEqual(production('w1'));
	});

	it.each<[string, () => Partial<TriggerOptions>]>([
		['the address is not public any more', () => ({ n8nUrl: 'http://localhost:5678' })],
		['another trigger takes its place and fails', () => ({ n8nUrl: 'http://localhost:5678', nodeId: 'new' })],
		['the new API key is wrong', () => ({ credential: { ...gateway.credential, apiKey: 'wrong-key' } })],
		['the credential is gone', () => ({ credential: goneCredential })],
	])('leaves the account with its URL when %s', async (_, change) => {
		const one = workflow('w1');
		await one.create();
		expect(await publishChanged(one, change())).toBeInstanceOf(Error);
		expect(await url()).toEqual(production('w1'));
	});

	it('leaves the account with its URL when each of several attempts fails', async () => {
		const one = workflow('w1');
		await one.create();
		await gateway.fault({ kind: 'status', status: 503, times: 2 });
		await afterClearing(one, async () => {
			await one.delete();
			for (let attempt = 0; attempt < 2; attempt++) await one.create().catch(() => {});
		});
		await unpublish(one);
		expect(await url()).toEqual(production('w1'));
		expect(one.logs.join()).toContain('its last activation failed');
		await one.create();
		await unpublish(one);
		expect(await urls()).toEqual([]);
	});

	it('clears the URL at the gateway that the workflow no longer uses', async () => {
		const other = await startSandbox();
		try {
			const one = workflow('w1');
			await one.create();
			const credential = { ...gateway.credential, apiKey: other.apiKey, baseUrl: other.url };
			expect(await publishChanged(one, { credential })).toBeUndefined();
			expect(await urls()).toEqual([]);
			expect(other.store.list('webhooks')).toMatchObject([{ url: production('w1') }]);
		} finally {
			await other.close();
		}
	});
});

describe('unpublishing', () => {
	it('clears the URL', async () => {
		const one = workflow('w1');
		await one.create();
		await unpublish(one);
		expect(await urls()).toEqual([]);
	});

	it('clears the URL through the field that the option names, even if an expression names it', async () => {
		const one = workflow('w1', { parameters: { options: { urlField: '={{ "webhook" + "_url" }}' } } });
		await one.create();
		await unpublish(one);
		expect((await puts()).map(({ body }) => body)).toEqual([
			{ webhook_url: production('w1') },
			{ webhook_url: null },
		]);
	});

	it('clears the URL only when the workflow stays unpublished', async () => {
		const one = workflow('w1');
		await one.create();
		await afterClearing(one, async () => {
			await one.delete();
			await one.create();
		});
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
		await unpublish(first);
		expect(await url()).toEqual(production('w2'));
		expect(first.logs.join()).toContain('left alone');
		await unpublish(second);
		expect(await urls()).toEqual([]);
	});

	it.each([
		['before', false],
		['after', true],
	])(
		'leaves the URL alone when a workflow with another API key of the account has taken it over just %s',
		async (_, afterwards) => {
			const first = workflow('w1');
			const second = workflow('w2', { credential: anotherKey('another-key') });
			await first.create();
			if (!afterwards) await second.create();
			await afterClearing(first, async () => {
				await first.delete();
				if (afterwards) await second.create();
			});
			expect(await url()).toEqual(production('w2'));
		},
	);

	it('waits for a workflow that is being published, and leaves its URL alone', async () => {
		const [first, second] = [workflow('w1'), workflow('w2')];
		await first.create();
		await gateway.fault({ kind: 'latency', ms: 500, point: 'after-handler' });
		await afterClearing(first, async () => {
			await first.delete();
			void second.create();
			// The gateway has the URL, and its answer is on the way.
			while ((await url())?.includes('w1')) continue;
		});
		expect(await url()).toEqual(production('w2'));
	});

	it.each(['/', '/v2', '/v2/'])('recognises the gateway by the base URL with %s, too', async (ending) => {
		const credential = anotherKey('another-key');
		credential.baseUrl = `${gateway.credential.baseUrl}${ending}`;
		const [first, second] = [workflow('w1'), workflow('w2', { credential })];
		await first.create();
		await second.create();
		await unpublish(first);
		expect(await url()).toEqual(production('w2'));
	});

	it('leaves the URL alone when another one was set by hand in the same n8n', async () => {
		const one = workflow('w1');
		await one.create();
		const parameters = {
			resource: 'webhook',
			operation: 'setUrl',
			url: 'https://elsewhere.example.com/hook',
		};
		const { error } = await gateway.run(new n8n.Banking(), parameters);
		expect(error).toBeUndefined();
		await unpublish(one);
		expect(await url()).toBe('https://elsewhere.example.com/hook');
	});

	it('leaves the URL alone when it is unknown whether another workflow has taken it over', async () => {
		const [first, second] = [workflow('w1'), workflow('w2')];
		await first.create();
		await gateway.fault({ kind: 'drop', point: 'after-handler' });
		await expect(second.create()).rejects.toThrow('The connection to the gateway broke');
		await unpublish(first);
		expect(await url()).toEqual(production('w2'));
	});

	it("clears the URL when another workflow's activation was refused", async () => {
		const [first, second] = [workflow('w1'), workflow('w2')];
		await first.create();
		await gateway.fault({ kind: 'status', status: 401 });
		await expect(second.create()).rejects.toThrow('rejected the API key');
		await unpublish(first);
		expect(await urls()).toEqual([]);
	});

	it('leaves the URL alone when a workflow with another API key was published, whatever its account', async () => {
		const credential = anotherKey('key-of-another-account', 1);
		const [first, second] = [workflow('w1'), workflow('w2', { credential })];
		await first.create();
		await second.create();
		await unpublish(first);
		await unpublish(second);
		expect(await urls()).toEqual([expect.objectContaining({ account: 'demo', url: production('w1') })]);
	});

	it('leaves the URL alone after a restart, because its owner is unknown by then', async () => {
		const one = workflow('w1');
		await one.create();
		const same = new TriggerWorkflow(new (await startProcess()).Trigger(), one.options);
		await unpublish(same);
		expect(await url()).toEqual(production('w1'));
		expect(same.logs.join()).toContain('left alone');
		await same.create();
		await unpublish(same);
		expect(await urls()).toEqual([]);
	});

	it('leaves the URL alone in a process that did not register it', async () => {
		const one = workflow('w1');
		await one.create();
		const other = workflow('w2', {}, await startProcess());
		await other.create();
		await unpublish(workflow('w1', {}, await startProcess()));
		expect(await url()).toEqual(production('w2'));
	});

	it.each([
		['down', { kind: 'drop' }],
		['failing', { kind: 'status', status: 500 }],
		['refusing', { kind: 'status', status: 401 }],
	] as const)('never fails: gateway %s', async (_, fault) => {
		const one = workflow('w1');
		await one.create();
		await gateway.fault({ ...fault, times: null });
		await unpublish(one);
		expect(one.logs.join()).toContain("The gateway's webhook URL could not be cleared");
	});

	it('gives the gateway 15 seconds to answer', async () => {
		const one = workflow('w1');
		await one.create();
		await gateway.fault({ kind: 'hang' });
		const timeouts = shortenTimeouts();
		await unpublish(one);
		expect(one.logs.join()).toContain("could not be cleared: The gateway didn't answer in time");
		expect(timeouts()).toEqual([15_000]);
	});

	it('never fails: the credential is gone', async () => {
		const one = workflow('w1');
		await one.create();
		one.options = { ...one.options, credential: goneCredential };
		expect(await one.delete()).toBe(true);
		expect(one.logs.join()).toContain('Credential not found');
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

	describe('with Register Test URL', () => {
		const parameters = { options: { registerTestUrl: true } };

		it('registers the test URL and then restores its own', async () => {
			const one = workflow('w1', { parameters });
			await one.create();
			await one.create('test');
			expect(await url()).toEqual(test('w1'));
			await one.delete('test');
			expect(await url()).toEqual(production('w1'));
			await unpublish(one);
			expect(await urls()).toEqual([]);
		});

		it("restores another workflow's URL", async () => {
			await workflow('other').create();
			const one = workflow('w1', { parameters });
			await one.create('test');
			await one.create('test');
			await one.delete('test');
			expect(await url()).toEqual(production('other'));
		});

		it('does not restore the URL of a workflow that was unpublished meanwhile', async () => {
			const other = workflow('other');
			await other.create();
			const one = workflow('w1', { parameters });
			await one.create('test');
			await unpublish(other);
			expect(await url()).toEqual(test('w1'));
			await one.delete('test');
			expect(await urls()).toEqual([]);
		});

		it('leaves alone a URL that was published meanwhile', async () => {
			const one = workflow('w1', { parameters });
			await one.create('test');
			await workflow('other').create();
			await one.delete('test');
			expect(await url()).toEqual(production('other'));
		});

		it('restores the URL of a workflow that could not be republished meanwhile', async () => {
			const other = workflow('other');
			await other.create();
			const one = workflow('w1', { parameters });
			await one.create('test');
			await gateway.fault({ kind: 'status', status: 401 });
			expect(await publishChanged(other)).toBeInstanceOf(Error);
			await one.delete('test');
			expect(await url()).toEqual(production('other'));
		});

		it('does not restore a URL that was registered with another API key, and says so', async () => {
			await workflow('other', { credential: anotherKey('key-of-another-account', 1) }).create();
			const one = workflow('w1', { parameters });
			await one.create('test');
			await one.delete('test');
			expect(await url()).toBeUndefined();
			expect(one.logs.join()).toContain('registered with another API key');
		});

		it('clears the test URL that an earlier test could not clear', async () => {
			const one = workflow('w1', { parameters });
			await one.create('test');
			await gateway.fault({ kind: 'status', status: 401 });
			await one.delete('test');
			expect(await url()).toEqual(test('w1'));
			await one.create('test');
			await one.delete('test');
			expect(await urls()).toEqual([]);
		});

		it('leaves no URL if there was none', async () => {
			const one = workflow('w1', { parameters });
			await one.create('test');
			await one.delete('test');
			expect(await urls()).toEqual([]);
		});
	});
});
