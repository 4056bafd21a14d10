/** The payment trigger's life cycle on a real n8n, with both of its ways to publish workflows. */
import { setTimeout as sleep } from 'node:timers/promises';
import pWaitFor from 'p-wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { EXAMPLE } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import { TriggerRig } from '../support/triggerRig.mjs';

describe.each([
	['publication service', true],
	['legacy', false],
])('with n8n’s %s', (mode, publishes) => {
	let rig: TriggerRig;
	let first: string;
	let second: string;
	let firstUrl: string;

	beforeAll(async () => {
		rig = await TriggerRig.start({ N8N_USE_WORKFLOW_PUBLICATION_SERVICE: String(publishes) });
		first = await rig.addWorkflow(`First (${mode})`);
		second = await rig.addWorkflow(`Second (${mode})`);
	});
	afterAll(async () => await rig?.stop());
	beforeEach(() => rig.sandbox.faults.clear());

	/** Waits for the next execution of a workflow and gives what it started with. */
	async function next(workflowId: string, happens: () => unknown): Promise<unknown> {
		const before = new Set((await rig.executions(workflowId)).map(({ id }) => id));
		await happens();
		let id: number | undefined;
		const arrives = async () => {
			id = (await rig.executions(workflowId)).find((execution) => !before.has(execution.id))?.id;
			return id !== undefined;
		};
		await pWaitFor(arrives, { timeout: 30_000 });
		return await rig.startedWith(id as number);
	}

	/** How often the gateway has been given a URL, or none. */
	const puts = () => rig.sandbox.log.entries.filter(({ method }) => method === 'PUT').length;

	it('registers the URL on publishing, and starts with each event', async () => {
		firstUrl = await rig.publish(first);
		expect(firstUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhook\/[\w-]+\/payments\?token=[\w-]{43}$/);
		expect(await next(first, () => rig.pay('authorizing'))).toEqual([
			expect.objectContaining({ event: 'payment_update', quelle: `First (${mode})` }),
		]);
	});

	it('clears the URL on unpublishing', async () => {
		await rig.client.deactivate(first);
		await rig.urlBecomes((url) => url === undefined);
	});

	it('leaves the URL of another workflow when activation fails, and takes it when it succeeds', async () => {
		const secondUrl = await rig.publish(second);
		rig.sandbox.faults.add({ kind: 'status', status: 401 });
		rig.sandbox.faults.add({ kind: 'status', status: 500 });
		rig.sandbox.faults.add({ kind: 'drop' });
		if (!publishes) {
			for (const message of [
				'rejected the API key',
				'failed to process',
				'connection to the gateway broke',
			]) {
				await expect(rig.client.activate(first)).rejects.toThrow(message);
				expect(rig.url).toBe(secondUrl);
			}
		}
		expect(await rig.publish(first)).toBe(firstUrl);
		const set = rig.sandbox.log.entries.filter(({ method }) => method === 'PUT').slice(-4);
		expect(set.map(({ body }) => (body as { url?: string } | null)?.url)).not.toContain(null);
	});

	it('publishes a changed version under the same URL', async () => {
		const before = puts();
		await rig.changeWorkflow(first, { status: ['settled'] });
		await pWaitFor(() => puts() >= before + 2, { timeout: 30_000 });
		await rig.urlBecomes((url) => url === firstUrl);
		const started = await next(first, () => rig.pay('authorizing', 'processing', 'settled'));
		expect(started).toEqual([
			expect.objectContaining({ data: expect.objectContaining({ status: 'settled' }) as object }),
		]);
	});

	it('leaves the URL to the workflow that has taken it over', async () => {
		await rig.client.deactivate(second);
		await sleep(3000);
		expect(rig.url).toBe(firstUrl);
	});

	describe('a test in the editor', () => {
		it('leaves the URL alone', async () => {
			const before = puts();
			await rig.listen(first);
			await rig.stopListening(first);
			expect([rig.url, puts()]).toEqual([firstUrl, before]);
		});

		it('gets the example event when it is wanted, and leaves the URL alone', async () => {
			const example = await rig.addWorkflow(`Example (${mode})`, { options: { exampleEvent: true } });
			const started = await next(example, () => rig.listen(example));
			expect(started).toEqual([{ ...EXAMPLE, quelle: `Example (${mode})` }]);
			expect(rig.url).toBe(firstUrl);
		});

		it('registers the test URL when it shall, and puts the former one back', async () => {
			const test = await rig.addWorkflow(`Test (${mode})`, { options: { registerTestUrl: true } });
			await rig.listen(test);
			expect(rig.url).toContain('/webhook-test/');
			expect(await next(test, () => rig.pay('authorizing'))).toHaveLength(1);
			await rig.urlBecomes((url) => url === firstUrl);
			await rig.listen(test);
			expect(rig.url).toContain('/webhook-test/');
			await rig.stopListening(test);
			await rig.urlBecomes((url) => url === firstUrl);
		});
	});

	it('starts nothing when an event is delivered again, also after a restart', async () => {
		const { payments } = rig.sandbox.world;
		let id = '';
		await next(first, () => (id = rig.pay('authorizing', 'processing', 'settled')));
		const before = await rig.executions(first);
		expect((await payments.repeat(id))?.state).toBe('delivered');
		expect(await rig.executions(first)).toHaveLength(before.length);

		await rig.restart();
		expect(rig.url).toBe(firstUrl);
		expect(await next(first, async () => await payments.repeat(id))).toBeUndefined();
		expect(await next(first, () => rig.pay('authorizing', 'processing', 'settled'))).toHaveLength(1);
	});

	it('clears after a restart only what has been registered since', async () => {
		await rig.client.deactivate(first);
		if (publishes) {
			// n8n's publication service registers nothing at a restart; whose the URL is, nobody knows.
			await sleep(3000);
			expect(rig.url).toBe(firstUrl);
			rig.sandbox.world.webhooks.setUrl('demo', null);
			await rig.publish(first);
			await rig.client.deactivate(first);
		}
		await rig.urlBecomes((url) => url === undefined);
	});

	it('can be unpublished while the gateway is down', async () => {
		await rig.publish(first);
		await rig.withoutGateway(async () => {
			await rig.client.deactivate(first);
			await pWaitFor(async () => (await rig.n8n.lastLines(50)).includes('could not be cleared'), {
				timeout: 30_000,
			});
		});
		const { data } = await rig.client.api.get(`workflows/${first}`);
		expect(data.active).toBe(false);
		expect(rig.url).toBe(firstUrl);
	});

	it('accepts the registered URL when the API key is changed', async () => {
		const before = puts();
		await rig.client.activate(first);
		await pWaitFor(() => puts() > before, { timeout: 30_000 });
		rig.sandbox.world.accounts[0].keys.push('another-sandbox-key');
		await rig.client.importCredential({
			name: 'Accounting Gateway (sandbox)',
			type: 'accountingGatewayApi',
			data: { apiKey: 'another-sandbox-key', baseUrl: rig.sandbox.url, accountingProvider: 'acct' },
		});
		expect(await next(first, () => rig.pay('authorizing', 'processing', 'settled'))).toHaveLength(1);
	});

	it('never logs the token', async () => {
		const token = new URL(firstUrl).searchParams.get('token') as string;
		expect(await rig.n8n.lastLines(100_000)).not.toContain(token);
	});
});
