/**
 * The payment trigger's life cycle on a real n8n. n8n has two ways to publish workflows; the files that call this take one
 * each, so that they run side by side.
 */
import pWaitFor from 'p-wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { EXAMPLE } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import { PATIENCE_MS } from '../support/patience.mjs';
import { TriggerRig } from '../support/triggerRig.mjs';

/**
 * @param mode names n8n's way to publish
 * @param publishes whether it is the publication service (n8n's default), not the older way
 */
export function testLifecycle(mode: string, publishes: boolean): void {
	let rig: TriggerRig;
	let first: string;
	let second: string;
	let firstUrl: string;

	beforeAll(async () => {
		rig = await TriggerRig.start({ env: { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: String(publishes) } });
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
		await pWaitFor(arrives, { interval: 100, timeout: PATIENCE_MS });
		return await rig.startedWith(id as number);
	}

	/** The requests that set or cleared the gateway's URL. */
	const urlRequests = () => rig.sandbox.log.entries.filter(({ method }) => method === 'PUT');
	const puts = () => urlRequests().length;
	/** The URLs that they set. */
	const urlsSet = () => urlRequests().map(({ body }) => (body as { url?: string | null } | null)?.url);

	/** Waits until something makes n8n log a text once more. */
	async function logs(text: string, happens: () => Promise<void>): Promise<void> {
		const count = async () => (await rig.n8n.lastLines(100_000)).split(text).length;
		const before = await count();
		await happens();
		await pWaitFor(async () => (await count()) > before, { interval: 100, timeout: PATIENCE_MS });
	}

	it('registers the URL on publishing, and starts with each event', async () => {
		firstUrl = await rig.publish(first);
		expect(firstUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhook\/[\w-]+\/payments\?token=[\w-]{43}$/);
		expect(await next(first, () => rig.pay('authorizing'))).toEqual([
			expect.objectContaining({ event: 'payment_update', quelle: `First (${mode})` }),
		]);
	});

	it('clears the URL on unpublishing', async () => {
		await rig.client.deactivate(first);
		await rig.registeredUrlBecomes((url) => url === undefined);
	});

	it("keeps another workflow's URL when activation fails, and replaces it when activation succeeds", async () => {
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
				expect(rig.registeredUrl).toBe(secondUrl);
			}
		}
		expect(await rig.publish(first)).toBe(firstUrl);
		expect(urlsSet().slice(-4)).not.toContain(null);
	});

	it('publishes a changed version under the same URL', async () => {
		const before = puts();
		await rig.changeWorkflow(first, { status: ['settled'] });
		await pWaitFor(() => puts() > before, { timeout: PATIENCE_MS });
		expect(urlsSet().slice(before)).toEqual([firstUrl]);
		const started = await next(first, () => rig.pay('authorizing', 'processing', 'settled'));
		expect(started).toEqual([
			expect.objectContaining({ data: expect.objectContaining({ status: 'settled' }) as object }),
		]);
	});

	it('leaves the URL to the workflow that has taken it over', async () => {
		await logs('was left alone', () => rig.unpublish(second));
		expect(rig.registeredUrl).toBe(firstUrl);
	});

	it('leaves the account with its URL when a changed version cannot be published', async () => {
		const before = puts();
		rig.sandbox.faults.add({ kind: 'status', status: 503, times: null });
		// n8n gives up after five attempts, or after one; what it has taken down before is decided after that.
		await logs('was left alone', async () => {
			const change = rig.changeWorkflow(first, { status: ['settled', 'failed'] });
			if (publishes) await change;
			else await expect(change).rejects.toThrow('failed to process');
			await pWaitFor(() => puts() === before + (publishes ? 5 : 1), { timeout: PATIENCE_MS });
		});
		expect(rig.registeredUrl).toBe(firstUrl);
		expect(urlsSet().slice(before)).not.toContain(null);

		rig.sandbox.faults.clear();
		await rig.changeWorkflow(first, { status: ['settled'] });
		if (!publishes) await rig.client.activate(first);
		await pWaitFor(() => puts() > before + (publishes ? 5 : 1), { timeout: PATIENCE_MS });
		expect(await next(first, () => rig.pay('authorizing', 'processing', 'settled'))).toHaveLength(1);
	});

	it('leaves the URL to a workflow with another API key of the account', async () => {
		const credential = await rig.addCredential(`Another key (${mode})`, `another-key-${mode}`);
		const other = await rig.addWorkflow(`Another key (${mode})`, {}, credential);
		const otherUrl = await rig.publish(other);
		await logs('was left alone', () => rig.unpublish(first));
		expect(rig.registeredUrl).toBe(otherUrl);
		expect(await next(other, () => rig.pay('authorizing'))).toHaveLength(1);
		await rig.unpublish(other);
		await rig.registeredUrlBecomes((url) => url === undefined);
		expect(await rig.publish(first)).toBe(firstUrl);
	});

	it('fails when an event cannot be verified, and runs it on a retry', async () => {
		const verified = await rig.addWorkflow(`Verified (${mode})`, { options: { verify: true } });
		await rig.unpublish(first);
		await rig.publish(verified);
		rig.sandbox.faults.add({ kind: 'status', status: 401, operationId: 'getPayment' });
		let id = '';
		expect(await next(verified, () => (id = rig.pay('authorizing')))).toBeUndefined();
		const [failed] = await rig.executions(verified);
		expect(failed.status).toBe('error');

		const retried = await rig.client.retry(failed.id);
		expect(retried.status).toBe('success');
		expect(await rig.startedWith(Number(retried.id))).toEqual([
			expect.objectContaining({
				verified: true,
				data: expect.objectContaining({ payment_id: id }) as object,
			}),
		]);
		const { payments } = rig.sandbox.services;
		expect(await next(verified, async () => await payments.repeat(id))).toBeUndefined();
		expect((await rig.executions(verified))[0].status).toBe('success');
		await rig.unpublish(verified);
		await rig.registeredUrlBecomes((url) => url === undefined);
		expect(await rig.publish(first)).toBe(firstUrl);
	});

	describe('a test in the editor', () => {
		it('leaves the URL alone', async () => {
			const before = puts();
			await rig.listen(first);
			await rig.stopListening(first);
			expect([rig.registeredUrl, puts()]).toEqual([firstUrl, before]);
		});

		it('gets the example event, and leaves the URL alone', async () => {
			const example = await rig.addWorkflow(`Example (${mode})`);
			const started = await next(example, () => rig.listen(example));
			expect(started).toEqual([{ ...EXAMPLE, quelle: `Example (${mode})`, example: true }]);
			expect(rig.registeredUrl).toBe(firstUrl);
		});

		it('registers the test URL if the option is on, and restores the previous one', async () => {
			const test = await rig.addWorkflow(`Test (${mode})`, { options: { registerTestUrl: true } });
			await rig.listen(test);
			expect(rig.registeredUrl).toContain('/webhook-test/');
			expect(await next(test, () => rig.pay('authorizing'))).toHaveLength(1);
			await rig.registeredUrlBecomes((url) => url === firstUrl);
			await rig.listen(test);
			expect(rig.registeredUrl).toContain('/webhook-test/');
			await rig.stopListening(test);
			await rig.registeredUrlBecomes((url) => url === firstUrl);
		});

		it('of two people: restores the published URL when the last one ends', async () => {
			const [one, two] = [await tester('One'), await tester('Two')];
			await rig.listen(one);
			const urlOfOne = rig.registeredUrl;
			await rig.listen(two);
			const urlOfTwo = rig.registeredUrl;
			expect(urlOfTwo).not.toBe(urlOfOne);
			await logs('another one has been registered since', () => rig.stopListening(one));
			expect(rig.registeredUrl).toBe(urlOfTwo);
			expect(await next(two, () => rig.pay('authorizing'))).toHaveLength(1);
			await rig.registeredUrlBecomes((url) => url === firstUrl);
			expect(await next(first, () => rig.pay('authorizing', 'processing', 'settled'))).toHaveLength(1);
		});

		it('restores the published URL as soon as the gateway takes it, and says until then that it does not', async () => {
			const test = await tester('Unlucky');
			await rig.listen(test);
			rig.sandbox.faults.add({ kind: 'status', status: 503, times: 2 });
			const production = `(the URL of workflow "First (${mode})")`;
			await logs(`could not be restored ${production}`, () => rig.stopListening(test));
			expect(rig.registeredUrl).toContain('/webhook-test/');
			await logs(`was restored ${production}`, async () => {
				await rig.registeredUrlBecomes((url) => url === firstUrl);
			});
			expect(await next(first, () => rig.pay('authorizing', 'processing', 'settled'))).toHaveLength(1);
		});

		it('restores the published URL when the answer to registering the test URL is lost', async () => {
			const test = await tester('Lost');
			rig.sandbox.faults.add({ kind: 'drop', point: 'after-handler' });
			await expect(rig.listen(test)).rejects.toThrow('Then start the test again');
			await rig.registeredUrlBecomes((url) => url === firstUrl);
		});

		const tester = async (name: string) =>
			await rig.addWorkflow(`${name} (${mode})`, { options: { registerTestUrl: true } });
	});

	it('starts nothing when an event is delivered again, even after a restart', async () => {
		const { payments } = rig.sandbox.services;
		let id = '';
		await next(first, () => (id = rig.pay('authorizing', 'processing', 'settled')));
		const before = await rig.executions(first);
		expect((await payments.repeat(id))?.state).toBe('delivered');
		expect(await rig.executions(first)).toHaveLength(before.length);

		await rig.restart();
		expect(rig.registeredUrl).toBe(firstUrl);
		expect(await next(first, async () => await payments.repeat(id))).toBeUndefined();
		expect(await next(first, () => rig.pay('authorizing', 'processing', 'settled'))).toHaveLength(1);
	});

	it('clears after a restart only what was registered since', async () => {
		if (publishes) {
			// n8n's publication service registers nothing at a restart, so nobody knows whose URL it is.
			await logs('was left alone', () => rig.unpublish(first));
			expect(rig.registeredUrl).toBe(firstUrl);
			rig.sandbox.services.webhooks.setUrl('demo', null);
			await rig.publish(first);
		}
		await rig.client.deactivate(first);
		await rig.registeredUrlBecomes((url) => url === undefined);
	});

	it('can be unpublished while the gateway is down', async () => {
		await rig.publish(first);
		await rig.withoutGateway(async () => {
			await rig.client.deactivate(first);
			await pWaitFor(async () => (await rig.n8n.lastLines(50)).includes('could not be cleared'), {
				timeout: PATIENCE_MS,
			});
		});
		const { data } = await rig.client.api.get(`workflows/${first}`);
		expect(data.active).toBe(false);
		expect(rig.registeredUrl).toBe(firstUrl);
	});

	it('accepts the registered URL when the API key is changed', async () => {
		const before = puts();
		await rig.client.activate(first);
		await pWaitFor(() => puts() > before, { timeout: PATIENCE_MS });
		rig.sandbox.store.accounts[0].keys.push('another-sandbox-key');
		await rig.client.importCredential({
			name: rig.credential.name,
			type: 'accountingGatewayApi',
			data: { apiKey: 'another-sandbox-key', baseUrl: rig.sandbox.url, accountingProvider: 'acct' },
		});
		expect(await next(first, () => rig.pay('authorizing', 'processing', 'settled'))).toHaveLength(1);
	});

	it('never logs the token', async () => {
		const token = new URL(firstUrl).searchParams.get('token') as string;
		expect(await rig.n8n.lastLines(100_000)).not.toContain(token);
	});
}
