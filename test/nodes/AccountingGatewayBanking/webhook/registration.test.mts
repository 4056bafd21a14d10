import { setTimeout as sleep } from 'node:timers/promises';
import { LoggerProxy } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { REPEAT_WITHIN_MS } from '../../../../nodes/AccountingGatewayBanking/webhook/registration.js';
import { startSandbox } from '../../../../sandbox/server.mjs';
import type { FaultInput } from '../../../../sandbox/admin/faults.mjs';
import { shortenTimeouts } from '../../../support/pauses.mjs';
import {
	afterClearing,
	goneCredential,
	type Process,
	production,
	realSetTimeout,
	startProcess,
	test,
	unpublish,
	useN8n,
} from '../../../support/publishing.mjs';
import { type TriggerOptions, TriggerWorkflow } from '../../../support/triggerHarness.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const { banking, workflow, urls, url, puts } = useN8n(gateway);

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

/** A credential with another key of the demo account, or with the key of another account. */
function anotherKey(apiKey: string, account = 0): Pick<TriggerOptions, 'credential' | 'credentialId'> {
	gateway.sandbox.store.accounts[account].keys.push(apiKey);
	return { credential: { ...gateway.credential, apiKey }, credentialId: apiKey };
}

describe('publishing', () => {
	it('logs which workflow has lost the events', async () => {
		const [first, second] = [workflow('w1'), workflow('w2\nfake "line"')];
		await first.create();
		await first.create();
		await second.create();
		expect([...first.logs, ...second.logs]).toEqual([
			'The webhook URL of workflow "W1" was registered with the gateway.',
			'The webhook URL of workflow "W1" was registered with the gateway.',
			'The webhook URL of workflow "W2FAKE "LINE"" was registered with the gateway. It replaces the URL of workflow "W1", which no longer gets any events.',
		]);
	});
});

describe('publishing where', () => {
	// The contract leaves the answer open.
	it.each(['', 'OK', '[]', '"gespeichert"'])('the gateway answers %j succeeds', async (body) => {
		await gateway.fault({ kind: 'status', status: 200, body, point: 'after-handler' });
		const one = workflow('w1');
		await one.create();
		expect(await url()).toEqual(production('w1'));
	});

	it('a URL was set by hand says that it is replaced', async () => {
		const byHand = { resource: 'webhook', operation: 'setUrl', url: 'https://elsewhere.example.com/hook' };
		await gateway.run(banking(), byHand);
		const one = workflow('w1');
		await one.create();
		expect(one.logs.at(-1)).toContain('It replaces the URL set by "Webhook: Set URL", which no longer gets');
	});

	it('it is uncertain whether a workflow had the URL does not say that one has lost the events', async () => {
		await gateway.fault({ kind: 'drop' });
		await expect(workflow('w1').create()).rejects.toThrow('connection to the gateway broke');
		const two = workflow('w2');
		await two.create();
		expect(two.logs).toEqual(['The webhook URL of workflow "W2" was registered with the gateway.']);
	});
});

describe('a failed activation', () => {
	it('ends after 15 seconds if the gateway does not answer', async () => {
		await gateway.fault({ kind: 'hang' });
		const timeouts = shortenTimeouts();
		await expect(workflow('w1').create()).rejects.toThrow('Publish the workflow again');
		expect(timeouts()).toEqual([15_000]);
	});

	describe('whose answer was lost', () => {
		/** Lets the time pass in which n8n would repeat the activation. */
		async function withoutRepetition(happens: () => Promise<unknown>): Promise<void> {
			vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
			try {
				await happens();
				await vi.advanceTimersByTimeAsync(REPEAT_WITHIN_MS);
			} finally {
				vi.useRealTimers();
			}
		}
		const publishInVain = async (one: TriggerWorkflow) => {
			await gateway.fault({ kind: 'drop', point: 'after-handler' });
			await expect(one.create()).rejects.toThrow('connection to the gateway broke');
		};

		it("gives the URL back to another workflow, as n8n doesn't repeat it", async () => {
			await workflow('other').create();
			const one = workflow('w1');
			await withoutRepetition(async () => await publishInVain(one));
			await expect.poll(url).toEqual(production('other'));
			await expect
				.poll(() => one.logs.at(-1))
				.toBe(
					'The activation of workflow "W1" got no answer, and the gateway\'s webhook URL was restored (the URL of workflow "OTHER").',
				);
		});

		it('leaves the URL where the repetition has set it', async () => {
			await workflow('other').create();
			const one = workflow('w1');
			await withoutRepetition(async () => {
				await publishInVain(one);
				await one.create();
			});
			await sleep(100);
			expect(await url()).toEqual(production('w1'));
			expect(await puts()).toHaveLength(3);
		});

		it('waits after the last of several attempts', async () => {
			await workflow('other').create();
			const one = workflow('w1');
			await withoutRepetition(async () => {
				await publishInVain(one);
				await vi.advanceTimersByTimeAsync(REPEAT_WITHIN_MS - 5000);
				await publishInVain(one);
				await vi.advanceTimersByTimeAsync(6000);
				await new Promise(setImmediate);
				expect(await puts()).toHaveLength(3);
			});
			await expect.poll(url).toEqual(production('other'));
		});

		it('leaves the URL when nobody else had one', async () => {
			const one = workflow('w1');
			await one.create();
			await withoutRepetition(async () => await publishInVain(one));
			await sleep(100);
			expect(await url()).toEqual(production('w1'));
			expect(await puts()).toHaveLength(2);
		});

		it('leaves the URL when nobody of the same account had one', async () => {
			await workflow('other', anotherKey('key-of-another-account', 1)).create();
			const one = workflow('w1');
			await withoutRepetition(async () => await publishInVain(one));
			await sleep(100);
			expect(await puts()).toHaveLength(2);
		});

		it('gives the URL back as soon as the gateway takes it', async () => {
			await workflow('other').create();
			const one = workflow('w1');
			await withoutRepetition(async () => {
				await publishInVain(one);
				await gateway.fault({ kind: 'status', status: 503 });
			});
			await expect.poll(url, { timeout: 5000 }).toEqual(production('other'));
			expect(one.logs.join()).toContain(
				'Production is cut off: the activation of workflow "W1" got no answer, but',
			);
		});
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
		expect(one.logs.at(-1)).toBe(
			'The webhook URL of workflow "W1" was left in place: it was published again.',
		);
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
		one.logs.length = 0;
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

	it('goes on as it was when n8n takes the trigger down once more', async () => {
		const one = workflow('w1');
		await one.create();
		await afterClearing(one, async () => {
			await one.delete();
			await one.delete();
		});
		expect(await urls()).toEqual([]);
		expect(one.logs.join()).not.toContain('left alone');
	});

	it('and publishing again keeps the URL also beside that of another account', async () => {
		await workflow('other', anotherKey('key-of-another-account', 1)).create();
		const one = workflow('w1');
		await one.create();
		expect(await publishChanged(one)).toBeUndefined();
		expect(await url()).toEqual(production('w1'));
		expect(one.logs.at(-1)).toContain('left in place: it was published again');
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
			const second = workflow('w2', anotherKey('another-key'));
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

	it.each(['/', '/v2', '/v2/'])('recognizes the gateway by the base URL with %s, too', async (ending) => {
		const another = anotherKey('another-key');
		another.credential.baseUrl = `${gateway.credential.baseUrl}${ending}`;
		const [first, second] = [workflow('w1'), workflow('w2', another)];
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
		const { error } = await gateway.run(banking(), parameters);
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
		const [first, second] = [workflow('w1'), workflow('w2', anotherKey('key-of-another-account', 1))];
		await first.create();
		await second.create();
		await unpublish(first);
		await sleep(100);
		expect(await urls()).toHaveLength(2);
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
		expect(one.logs.join()).toContain("the gateway's webhook URL could not be cleared");
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

	it('clears the URL with the new API key when the old one was replaced and revoked', async () => {
		const one = workflow('w1', { credential: anotherKey('old-key').credential });
		await one.create();
		gateway.sandbox.store.accounts[0].keys.pop();
		one.options = { ...one.options, credential: gateway.credential };
		await unpublish(one);
		expect(await urls()).toEqual([]);
	});

	it('clears the URL where it was registered, not where the credential leads by now', async () => {
		const other = await startSandbox();
		try {
			const [one, stranger] = [workflow('w1'), workflow('w2')];
			await one.create();
			other.services.webhooks.setUrl('demo', 'https://stranger.example.com/');
			one.options = {
				...one.options,
				credential: { ...gateway.credential, apiKey: other.apiKey, baseUrl: other.url },
			};
			await unpublish(one);
			expect(await urls()).toEqual([]);
			expect(other.store.list('webhooks')).toMatchObject([{ url: 'https://stranger.example.com/' }]);
			await unpublish(stranger);
			expect(stranger.logs.join()).toContain('left alone');
		} finally {
			await other.close();
		}
	});
});

describe('a test in the editor', () => {
	describe('with Register Test URL', () => {
		const parameters = { options: { registerTestUrl: true } };
		const tester = (id: string, options: Partial<TriggerOptions> = {}, process?: Process) =>
			workflow(id, { parameters, ...options }, process);
		const REPLACED = 'setWebhookUrl' as const;
		const setByHand = async (byHand: string, urlField = '') =>
			await gateway.run(banking(), {
				resource: 'webhook',
				operation: 'setUrl',
				url: byHand,
				options: { urlField },
			});
		const BY_HAND = 'https://elsewhere.example.com/hook';

		it('registers the test URL and then restores its own', async () => {
			const one = tester('w1');
			await one.create();
			await one.create('test');
			expect(await url()).toEqual(test('w1'));
			await one.delete('test');
			expect(await url()).toEqual(production('w1'));
			await unpublish(one);
			expect(await urls()).toEqual([]);
			expect(one.logs).toEqual([
				'The webhook URL of workflow "W1" was registered with the gateway.',
				'The test URL of workflow "W1" was registered with the gateway. Published workflows get no events until the test ends.',
				'The test of workflow "W1" has ended, and the gateway\'s webhook URL was restored (the URL of workflow "W1").',
				'The gateway\'s webhook URL was cleared: workflow "W1" was unpublished.',
			]);
		});

		it("restores another workflow's URL", async () => {
			await workflow('other').create();
			const one = tester('w1');
			await one.create('test');
			await one.create('test');
			await one.delete('test');
			expect(await url()).toEqual(production('other'));
		});

		it('restores the URL in the field that it was registered in', async () => {
			await workflow('other', { parameters: { options: { urlField: 'webhook_url' } } }).create();
			const one = tester('w1');
			await one.create('test');
			await one.delete('test');
			expect((await puts()).at(-1)?.body).toEqual({ webhook_url: production('other') });
		});

		it('restores the URL even when the credential is gone by then', async () => {
			await workflow('other').create();
			const one = tester('w1');
			await one.create('test');
			one.options = { ...one.options, credential: goneCredential };
			await one.delete('test');
			expect(await url()).toEqual(production('other'));
		});

		it('leaves no URL if there was none', async () => {
			const other = workflow('other');
			await other.create();
			await unpublish(other);
			const one = tester('w1');
			await one.create('test');
			await one.delete('test');
			expect(await urls()).toEqual([]);
			expect(one.logs.at(-1)).toBe(
				'The test of workflow "W1" has ended, and the gateway\'s webhook URL was cleared.',
			);
		});

		it('says after a restart that it does not know what to restore', async () => {
			await workflow('other').create();
			const one = tester('w1', {}, await startProcess());
			await one.create('test');
			expect(one.logs.at(-1)).toMatch(/Since it was started, n8n has registered no .* publish it again\.$/);
			one.logs.length = 0;
			await one.delete('test');
			expect(await urls()).toEqual([]);
			expect(one.logs.join()).toMatch(/URL was cleared\. Since it was started.* publish it again\.$/);
		});

		it('is no registration of the workflow itself', async () => {
			const one = tester('w1');
			await one.create('test');
			await unpublish(one);
			expect(one.logs.at(-1)).toContain("left alone: n8n hasn't registered it since it was started");
			expect(await url()).toEqual(test('w1'));
		});

		it('says after a restart, when a workflow is unpublished, that a test URL may be left', async () => {
			const one = tester('w1');
			await one.create();
			await one.create('test');
			const same = tester('w1', {}, await startProcess());
			await unpublish(same);
			expect(same.logs.join()).toContain('the gateway may still have the test URL: publish the workflow');
		});

		describe('while another workflow is published or unpublished', () => {
			it('does not restore the URL of a workflow that was unpublished meanwhile', async () => {
				const other = workflow('other');
				await other.create();
				const one = tester('w1');
				await one.create('test');
				await unpublish(other);
				expect(await url()).toEqual(test('w1'));
				expect(other.logs.at(-1)).toContain('it is replaced by a test, after which it will be cleared');
				await one.delete('test');
				expect(await urls()).toEqual([]);
			});

			it('leaves alone a URL that was published meanwhile', async () => {
				const one = tester('w1');
				await one.create('test');
				await workflow('other').create();
				const before = (await puts()).length;
				await one.delete('test');
				expect(await url()).toEqual(production('other'));
				expect(await puts()).toHaveLength(before);
				expect(one.logs.at(-1)).toContain('another one has been registered since');
			});

			it('leaves alone a URL that is being published when the test ends', async () => {
				await workflow('other').create();
				const one = tester('w1');
				await one.create('test');
				// The gateway has the URL, and its answer is on the way.
				await gateway.fault({ kind: 'latency', ms: 300, point: 'after-handler' });
				const publishing = workflow('new').create();
				await expect.poll(url).toEqual(production('new'));
				await Promise.all([one.delete('test'), publishing]);
				expect(await url()).toEqual(production('new'));
			});

			it('restores a URL that was still being published when the test began', async () => {
				await gateway.fault({ kind: 'latency', ms: 300, point: 'after-handler' });
				const publishing = workflow('other').create();
				await expect.poll(url).toEqual(production('other'));
				const one = tester('w1');
				await Promise.all([one.create('test'), publishing]);
				expect(await url()).toEqual(test('w1'));
				await one.delete('test');
				expect(await url()).toEqual(production('other'));
			});

			it('leaves the last one of two that are published at once', async () => {
				const [one, first, second] = [tester('w1'), workflow('first'), workflow('second')];
				await one.create('test');
				await gateway.fault({ kind: 'latency', ms: 200 });
				await Promise.all([first.create(), second.create(), one.delete('test')]);
				const set = (await puts()).map(({ body }) => (body as { url: string | null }).url);
				expect(await url()).toBe(set.at(-1));
				expect([production('first'), production('second')]).toContainEqual(set.at(-1));
			});

			it.each([401, 503])(
				'restores the URL of a workflow that could not be republished meanwhile (%i)',
				async (status) => {
					const other = workflow('other');
					await other.create();
					const one = tester('w1');
					await one.create('test');
					await gateway.fault({ kind: 'status', status });
					expect(await publishChanged(other)).toBeInstanceOf(Error);
					await one.delete('test');
					expect(await url()).toEqual(production('other'));
				},
			);

			it('keeps the URL of a workflow whose changed version is published when the test ends, and fails', async () => {
				const other = workflow('other');
				await other.create();
				const one = tester('w1');
				await one.create('test');
				await afterClearing(other, async () => {
					await other.delete();
					await one.delete('test');
					expect(await url()).toEqual(production('other'));
					await gateway.fault({ kind: 'status', status: 503 });
					await other.create().catch(() => {});
				});
				expect(await url()).toEqual(production('other'));
			});

			it('restores the last URL that was certainly registered', async () => {
				const other = workflow('other');
				await other.create();
				await gateway.fault({ kind: 'drop', point: 'after-handler' });
				await expect(workflow('new').create()).rejects.toThrow('connection to the gateway broke');
				const one = tester('w1');
				await one.create('test');
				await one.delete('test');
				expect(await url()).toEqual(production('other'));
				// From then on, the gateway certainly has it.
				await unpublish(other);
				expect(await urls()).toEqual([]);
			});

			it('leaves a URL that was set by hand meanwhile', async () => {
				await workflow('other').create();
				const one = tester('w1');
				await one.create('test');
				await setByHand(BY_HAND);
				await one.delete('test');
				expect(await url()).toBe(BY_HAND);
			});

			it('restores a URL that was set by hand before', async () => {
				await workflow('other').create();
				await setByHand(BY_HAND, 'webhook_url');
				const one = tester('w1');
				await one.create('test');
				await one.delete('test');
				expect((await puts()).at(-1)?.body).toEqual({ webhook_url: BY_HAND });
				expect(one.logs.at(-1)).toContain('restored (the URL set by "Webhook: Set URL")');
			});

			it('logs that a URL was set by hand, and what it has replaced', async () => {
				await workflow('other').create();
				const info = vi.spyOn(LoggerProxy, 'info');
				await setByHand(BY_HAND);
				expect(info).toHaveBeenCalledWith(
					'The gateway\'s webhook URL was set by the operation "Webhook: Set URL". It replaces the URL of workflow "OTHER", which no longer gets any events.',
				);
			});

			it('logs nothing of it when the gateway refuses it', async () => {
				const info = vi.spyOn(LoggerProxy, 'info');
				await gateway.fault({ kind: 'status', status: 401 });
				expect((await setByHand(BY_HAND)).error).toBeDefined();
				expect(info).not.toHaveBeenCalledWith(expect.stringContaining('was set by the operation'));
			});

			it('leaves the URL of another key that was set by hand', async () => {
				const another = anotherKey('another-key');
				const parameters = { resource: 'webhook', operation: 'setUrl', url: BY_HAND };
				await gateway.run(banking(), parameters, another);
				const one = tester('w1', { credentialId: '2' });
				await one.create('test');
				await one.delete('test');
				expect(await urls()).toEqual([]);
				expect(one.logs.at(-1)).toMatch(/was cleared\. Since it was started/);
			});

			it('sets a URL by hand only after what came before', async () => {
				const one = tester('w1');
				await one.create('test');
				await gateway.fault({ kind: 'latency', ms: 200 });
				await Promise.all([one.delete('test'), setByHand(BY_HAND)]);
				expect(await url()).toBe(BY_HAND);
			});
		});

		describe('by several people', () => {
			it('restores the published URL when the last test ends', async () => {
				await workflow('other').create();
				const [one, two] = [tester('w1'), tester('w2')];
				await one.create('test');
				await two.create('test');
				await one.delete('test');
				expect(await url()).toEqual(test('w2'));
				await two.delete('test');
				expect(await url()).toEqual(production('other'));
			});

			it('gives the events back to the test that goes on, and then restores the published URL', async () => {
				await workflow('other').create();
				const [one, two] = [tester('w1'), tester('w2')];
				await one.create('test');
				await two.create('test');
				await two.delete('test');
				expect(await url()).toEqual(test('w1'));
				expect(two.logs.at(-1)).toContain('restored (the test URL of workflow "W1")');
				await one.delete('test');
				expect(await url()).toEqual(production('other'));
			});

			it('restores the URL of a workflow that was published between two tests', async () => {
				const [one, two] = [tester('w1'), tester('w2')];
				await one.create('test');
				await workflow('other').create();
				await two.create('test');
				await one.delete('test');
				await two.delete('test');
				expect(await url()).toEqual(production('other'));
			});

			it('restores once when one trigger was tested in two windows, as n8n ends both tests at once', async () => {
				await workflow('other').create();
				const one = tester('w1');
				await one.create('test');
				await one.create('test');
				await one.delete('test');
				expect(await url()).toEqual(production('other'));
				const before = (await puts()).length;
				await one.delete('test');
				expect(await puts()).toHaveLength(before);
			});

			it('ends the tests of two triggers of one workflow each by itself', async () => {
				await workflow('other').create();
				const [one, two] = [tester('w1'), tester('w1', { nodeId: 'node-2' })];
				await one.create('test');
				await two.create('test');
				await one.delete('test');
				expect(await url()).toContain('/webhook-test/w1-node-2/');
				await two.delete('test');
				expect(await url()).toEqual(production('other'));
			});
		});

		describe('with several API keys and gateways', () => {
			it('restores the URL that another key of the account has registered', async () => {
				await workflow('other', anotherKey('another-key')).create();
				const one = tester('w1');
				await one.create('test');
				await one.delete('test');
				expect(await url()).toEqual(production('other'));
			});

			it("leaves another account's URL there, and its own account without one", async () => {
				await workflow('other', anotherKey('key-of-another-account', 1)).create();
				const one = tester('w1');
				await one.create('test');
				await one.delete('test');
				expect(await urls()).toEqual([expect.objectContaining({ url: production('other') })]);
				expect(await url()).toBeUndefined();
			});

			it('restores each account its own while the other one is tested', async () => {
				const second = anotherKey('key-of-another-account', 1);
				const { id } = gateway.sandbox.store.accounts[1];
				const urlOf = async () => (await urls()).find(({ account }) => account === id)?.url;
				await workflow('first').create();
				await workflow('second', second).create();
				const [one, two] = [tester('w1'), tester('w2', second)];
				await one.create('test');
				await two.create('test');
				await one.delete('test');
				expect([await url(), await urlOf()]).toEqual([production('first'), test('w2')]);
				expect(one.logs.at(-1)).toContain(
					'restored (the URL of workflow "FIRST", the URL of workflow "SECOND", the test URL of workflow "W2")',
				);
				await two.delete('test');
				expect([await url(), await urlOf()]).toEqual([production('first'), production('second')]);
			});

			it.each<[string, string | null, string | null]>([
				['one credential', '1', '1'],
				['two credentials with one key', '1', '2'],
				['credentials without an ID', null, null],
			])('restores in one request with %s', async (_, first, second) => {
				await workflow('other', { credentialId: first }).create();
				const one = tester('w1', { credentialId: second });
				await one.create('test');
				await one.delete('test');
				expect((await puts()).map(({ body }) => body)).toEqual([
					{ url: production('other') },
					{ url: test('w1') },
					{ url: production('other') },
				]);
			});

			it("does not take credentials without an ID for one account's", async () => {
				const second = { ...anotherKey('key-of-another-account', 1), credentialId: null };
				await workflow('other', second).create();
				const one = tester('w1', { credentialId: null });
				await one.create('test');
				await one.delete('test');
				expect(await url()).toBeUndefined();
			});

			it('does not bring back what another key of the account has cleared', async () => {
				const second = workflow('second', anotherKey('another-key'));
				await workflow('first').create();
				await second.create();
				await unpublish(second);
				const one = tester('w1');
				await one.create('test');
				await one.delete('test');
				expect(await urls()).toEqual([]);
			});

			it('restores the URL with the new API key when the old one was replaced and revoked', async () => {
				await workflow('other', { credential: anotherKey('old-key').credential }).create();
				gateway.sandbox.store.accounts[0].keys.pop();
				const one = tester('w1');
				await one.create('test');
				await one.delete('test');
				expect(await url()).toEqual(production('other'));
			});

			it('leaves the other gateway alone', async () => {
				const other = await startSandbox();
				try {
					const there = { ...gateway.credential, apiKey: other.apiKey, baseUrl: other.url };
					await workflow('here').create();
					await workflow('there', { credential: there }).create();
					const one = tester('w1', { credential: there });
					await one.create('test');
					expect(await url()).toEqual(production('here'));
					await one.delete('test');
					expect(other.store.list('webhooks')).toMatchObject([{ url: production('there') }]);
					expect(await puts()).toHaveLength(1);
				} finally {
					await other.close();
				}
			});
		});

		describe('whose test URL can not be registered', () => {
			it('goes on if it was registered before, until that test ends', async () => {
				await workflow('other').create();
				const one = tester('w1');
				await one.create('test');
				await gateway.fault({ kind: 'status', status: 401 });
				await expect(one.create('test')).rejects.toThrow('rejected the API key');
				expect(await url()).toEqual(production('other'));
			});

			it('asks for nothing more when it is refused: the gateway has what it had', async () => {
				await workflow('other').create();
				const one = tester('w1');
				await gateway.fault({ kind: 'status', status: 401 });
				await expect(one.runCreate('test')).rejects.toThrow('rejected the API key');
				await sleep(100);
				expect(await puts()).toHaveLength(2);
			});

			it('does not wait for that with the error', async () => {
				await workflow('other').create();
				const one = tester('w1');
				await gateway.fault({ kind: 'drop', point: 'after-handler' });
				await gateway.fault({ kind: 'latency', ms: 500 });
				await expect(one.runCreate('test')).rejects.toThrow();
				expect(await url()).toEqual(test('w1'));
				await expect.poll(url).toEqual(production('other'));
			});
		});

		describe('whose end can not be told to the gateway', () => {
			/** Lets the pauses between attempts pass at once. Returns their seconds. */
			function skipSleeps(): number[] {
				const pauses: number[] = [];
				let now = Date.now();
				vi.spyOn(Date, 'now').mockImplementation(() => now);
				vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) => {
					// The longer ones include the time limits of requests.
					if (ms < 1000 || ms === 15_000) return realSetTimeout(run, ms);
					pauses.push(ms / 1000);
					return realSetTimeout(() => {
						now += ms;
						run();
					}, 0);
				}) as typeof setTimeout);
				return pauses;
			}
			const fail = async (times: number | null, fault: FaultInput = { kind: 'status', status: 503 }) =>
				await gateway.fault({ ...fault, times, operationId: REPLACED });

			it('restores the published URL as soon as it can, and says until then that production is cut off', async () => {
				await workflow('other').create();
				const one = tester('w1');
				await one.create('test');
				const pauses = skipSleeps();
				await fail(4);
				await one.delete('test');
				await expect.poll(url).toEqual(production('other'));
				expect(pauses).toEqual([1, 2, 4, 8]);
				await expect
					.poll(() => one.logs.slice(-5))
					.toEqual([
						...[1, 2, 4, 8].map((seconds) =>
							expect.stringMatching(
								new RegExp(
									`^Production is cut off: the test of workflow "W1" has ended, but the gateway's webhook URL could not be restored \\(the URL of workflow "OTHER"\\): .*HTTP 503.* in ${seconds} seconds\\. Publishing`,
								),
							),
						),
						expect.stringContaining('was restored (the URL of workflow "OTHER")'),
					]);
			});

			it.each<[FaultInput, number[]]>([
				[{ kind: 'drop' }, [1, 2]],
				[{ kind: 'status', status: 401 }, [1, 2]],
				[{ kind: 'status', status: 429, headers: { 'retry-after': '30' } }, [30, 60]],
				[{ kind: 'status', status: 429, headers: { 'retry-after': '86400' } }, [300, 300]],
			])('tries again after %o', async (fault, expected) => {
				await workflow('other').create();
				const one = tester('w1');
				await one.create('test');
				const pauses = skipSleeps();
				await fail(2, fault);
				await one.delete('test');
				await expect.poll(url).toEqual(production('other'));
				expect(pauses).toEqual(expected);
			});

			it('gives up after a day', async () => {
				await workflow('other').create();
				const one = tester('w1');
				await one.create('test');
				const pauses = skipSleeps();
				await fail(null);
				await one.delete('test');
				await expect.poll(() => one.logs.at(-1), { timeout: 20_000 }).toContain("It won't be retried.");
				expect(pauses.slice(0, 11)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
				const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3600;
				expect(hours).toBeGreaterThanOrEqual(24);
				expect(hours).toBeLessThan(24.1);
			}, 30_000);

			it('says without alarm that only the test URL is left', async () => {
				const one = tester('w1');
				await one.create('test');
				skipSleeps();
				await fail(1);
				await one.delete('test');
				await expect.poll(urls).toEqual([]);
				expect(one.logs.join()).toMatch(
					/,The test of workflow "W1" has ended, but the gateway's webhook URL could not be cleared: [^,]* in 1 seconds\.,/,
				);
			});

			it('says without alarm that the URL of another test is to be restored', async () => {
				const [one, two] = [tester('w1'), tester('w2')];
				await one.create('test');
				await two.create('test');
				skipSleeps();
				await fail(1);
				await two.delete('test');
				await expect.poll(url).toEqual(test('w1'));
				expect(two.logs.join()).toContain(
					'The test of workflow "W2" has ended, but the gateway\'s webhook URL could not be restored (the test URL of workflow "W1"): ',
				);
			});

			it('says that production is cut off also where only one of several URLs is that of production', async () => {
				await workflow('other').create();
				const second = tester('w2', anotherKey('key-of-another-account', 1));
				await second.create('test');
				const one = tester('w1');
				await one.create('test');
				skipSleeps();
				await fail(2);
				await one.delete('test');
				await expect.poll(url).toEqual(production('other'));
				const said = one.logs.find((line) => line.includes('could not be restored'));
				expect(said).toMatch(/^Production is cut off: .*HTTP 503\).*; .*HTTP 503\)/);
			});

			it('tries no more when a workflow has been published', async () => {
				await workflow('other').create();
				const one = tester('w1');
				await one.create('test');
				await fail(1);
				await one.delete('test');
				await workflow('new').create();
				const before = (await puts()).length;
				await sleep(1300);
				expect(await puts()).toHaveLength(before);
				expect(await url()).toEqual(production('new'));
			});

			it('tries no more during another test, and restores after that', async () => {
				await workflow('other').create();
				const [one, two] = [tester('w1'), tester('w2')];
				await one.create('test');
				await fail(1);
				await one.delete('test');
				await two.create('test');
				await sleep(1300);
				expect(await url()).toEqual(test('w2'));
				expect(one.logs.join()).not.toContain('restored (the test URL');
				await two.delete('test');
				expect(await url()).toEqual(production('other'));
			});

			it('begins with short pauses again when another test ends, and tries once at a time', async () => {
				await workflow('other').create();
				const [one, two] = [tester('w1'), tester('w2', anotherKey('key-of-another-account', 1))];
				await one.create('test');
				await two.create('test');
				await fail(null);
				vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
				try {
					await one.delete('test');
					await two.delete('test');
					expect(vi.getTimerCount()).toBe(2);
					await vi.advanceTimersByTimeAsync(1000);
					await expect.poll(() => two.logs.join()).toContain('in 2 seconds');
					await expect.poll(() => vi.getTimerCount()).toBe(1);
					gateway.sandbox.faults.clear();
					await vi.advanceTimersByTimeAsync(2000);
				} finally {
					vi.useRealTimers();
				}
				await expect.poll(url).toEqual(production('other'));
			});

			it('is told to one gateway while another one does not answer', async () => {
				const other = await startSandbox();
				try {
					const there = { ...gateway.credential, apiKey: other.apiKey, baseUrl: other.url };
					await workflow('here').create();
					await workflow('there', { credential: there }).create();
					const two = tester('w2', { credential: there });
					await two.create('test');
					await gateway.fault({ kind: 'latency', ms: 3000 });
					let isAnswered = false;
					const slow = workflow('here')
						.create()
						.then(() => (isAnswered = true));
					await expect.poll(async () => (await puts()).length).toBe(2);
					const ending = two.delete('test');
					await expect.poll(() => other.store.list('webhooks')).toMatchObject([{ url: production('there') }]);
					expect(isAnswered).toBe(false);
					await Promise.all([ending, slow]);
				} finally {
					await other.close();
				}
			});

			it('does not restore a workflow that was unpublished meanwhile', async () => {
				const other = workflow('other');
				await other.create();
				const one = tester('w1');
				await one.create('test');
				await fail(1);
				await one.delete('test');
				await unpublish(other);
				await sleep(1300);
				expect(await urls()).toEqual([]);
			});
		});
	});
});
