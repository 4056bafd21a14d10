/**
 * The payment trigger's life cycle on a real n8n. n8n has two ways to publish workflows; the files that call this take one
 * each, so that they run side by side.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { EXAMPLE_EVENT } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import { SETTLED_MS } from '../../nodes/shared/processedData/processedData.js';
import { waitFor } from '../../scripts/base/waiting.mjs';
import { TriggerRig } from '../support/triggerRig.mjs';
import { nodeOf } from '../../host/workflows.mjs';

/**
 * @param mode names n8n's way to publish
 * @param publishes whether it is the publication service (n8n's default), not the older way
 */
export function testLifecycle(mode: string, publishes: boolean): void {
	let rig: TriggerRig;
	let first: string;
	let firstUrl: string;

	beforeAll(async () => {
		rig = await TriggerRig.start({ env: { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: String(publishes) } });
		first = await rig.addWorkflow(`First (${mode})`);
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
		await waitFor(arrives, { interval: 100 });
		return await rig.startedWith(id as number);
	}

	/** The requests that set the gateway's URL. */
	const puts = () => rig.sandbox.log.entries.filter(({ method }) => method === 'PUT').length;
	/** Waits until there are so many, and the gateway has carried them out: the log has a request when it arrives. */
	const putsBecome = async (count: number) => {
		const areDone = () => rig.sandbox.log.entries.every(({ durationMs }) => durationMs !== undefined);
		await waitFor(() => puts() === count && areDone(), { interval: 50 });
	};
	/** Delivers an event that starts nothing: one about a payment would go on asking the gateway beside the next tests. */
	const post = async (url: string) =>
		(await axios.post(url, { event: 'another_kind' }, { validateStatus: () => true })).status;
	/** How often n8n's log has a text. */
	const logged = async (text: string) => (await rig.n8n.lastLines(100_000)).split(text).length - 1;

	it('a failed publication of the payment trigger says why, is repeated, and logs no unpublishing', async () => {
		rig.sandbox.faults.add({ kind: 'status', status: 401 });
		if (publishes) firstUrl = await rig.publish(first);
		else {
			await expect(rig.client.activate(first)).rejects.toThrow('rejected the API key');
			firstUrl = await rig.publish(first);
		}
		expect(puts()).toBe(2);
		expect(await logged('was taken down')).toBe(0);
		expect(await next(first, () => rig.pay('authorizing'))).toEqual([
			expect.objectContaining({ event: 'payment_update', quelle: `First (${mode})`, verified: true }),
		]);
	});

	it('n8n publishes a changed payment trigger with one request and a new token', async () => {
		const before = puts();
		await rig.changeWorkflow(first, { status: ['settled'] });
		await putsBecome(before + 1);
		const [former, { registeredUrl }] = [firstUrl, rig];
		firstUrl = registeredUrl!;
		expect(firstUrl).not.toBe(former);
		expect(firstUrl.replace(/\?.*/, '')).toBe(former.replace(/\?.*/, ''));
		await waitFor(async () => (await post(firstUrl)) === 200, { interval: 50 });
		// Events that are on their way still arrive.
		expect(await post(former)).toBe(200);
		// Each delivery runs, as the payment may have moved on. Whichever reads first that it is settled starts the workflow.
		const { length } = await rig.executions(first);
		rig.pay('authorizing', 'processing', 'settled');
		const ended = await rig.executionsEnded(first, length + 3);
		const starts = await Promise.all(
			ended.slice(0, 3).map(async ({ id }) => await rig.startedWith(Number(id))),
		);
		expect(starts.filter(Boolean)).toEqual([
			[expect.objectContaining({ data: expect.objectContaining({ status: 'settled' }) as object })],
		]);
	});

	it('a second workflow with the payment trigger takes the URL over, and unpublishing sends nothing and logs a line', async () => {
		const second = await rig.addWorkflow(`Second (${mode})`);
		const secondUrl = await rig.publish(second);
		const [sent, lines] = [puts(), await logged('was taken down')];
		await rig.unpublish(second);
		expect([rig.registeredUrl, puts()]).toEqual([secondUrl, sent]);
		expect(await logged('was taken down')).toBe(lines + 1);
		expect(await post(secondUrl)).toBe(404);
		await rig.changeWorkflow(first, {});
		await putsBecome(sent + 1);
		firstUrl = rig.registeredUrl!;
	});

	it(`a change beside the payment trigger ${publishes ? 'sends nothing' : 'registers it, too'}; unpublishing and publishing gives a new token`, async () => {
		const sent = puts() + (publishes ? 0 : 1);
		const webhook = { httpMethod: 'POST', path: 'other' };
		await rig.changeWorkflow(first, {}, nodeOf('Other', 'n8n-nodes-base.webhook', webhook));
		await waitFor(() => rig.hasWebhook('webhook/other'), { interval: 100 });
		expect(puts()).toBe(sent);
		await rig.unpublish(first);
		firstUrl = await rig.publish(first);
		expect(puts()).toBe(sent + 1);
	});

	it('a payment event that can not be verified is a failed execution, and runs on a retry', async () => {
		// For both APIs.
		rig.sandbox.faults.add({ kind: 'status', status: 401, times: 2, operationId: 'getPayment' });
		let id = '';
		expect(await next(first, () => (id = rig.pay('authorizing')))).toBeUndefined();
		const [failed] = await rig.executions(first);
		expect(failed.status).toBe('error');
		const retried = await rig.client.retry(failed.id);
		expect(retried.status).toBe('success');
		expect(await rig.startedWith(Number(retried.id))).toEqual([
			expect.objectContaining({
				verified: true,
				data: expect.objectContaining({ payment_id: id }) as object,
			}),
		]);
		const again = await rig.client.retry(failed.id);
		expect(await rig.startedWith(Number(again.id))).toBeUndefined();
		await sleep(SETTLED_MS); // Until then, a repeated delivery starts no execution.
		expect(await next(first, async () => await rig.sandbox.services.payments.repeat(id))).toBeUndefined();
		expect((await rig.executions(first))[0].status).toBe('success');
	});

	it('a test of the payment trigger in the editor gets the example event, and leaves the URL alone', async () => {
		const before = puts();
		const example = await rig.addWorkflow(`Example (${mode})`);
		const started = await next(example, () => rig.listen(example));
		expect(started).toEqual([{ ...EXAMPLE_EVENT, quelle: `Example (${mode})`, example: true }]);
		expect([rig.registeredUrl, puts()]).toEqual([firstUrl, before]);
	});

	it('a restart of n8n sends nothing; payment events go on, and one that is delivered again starts nothing', async () => {
		let id = '';
		await next(first, () => (id = rig.pay('authorizing')));
		const before = puts();
		await rig.restart();
		const repeated = async () => await rig.sandbox.services.payments.repeat(id);
		expect(await next(first, repeated)).toBeUndefined();
		expect(await next(first, () => rig.pay('authorizing'))).toHaveLength(1);
		expect([rig.registeredUrl, puts()]).toEqual([firstUrl, before]);
	});

	it('payment events keep coming when the API key is changed, and the log never has the token', async () => {
		rig.sandbox.store.accounts[0].keys.push('another-sandbox-key');
		await rig.client.importCredential({
			name: rig.credential.name,
			type: 'accountingGatewayApi',
			data: { apiKey: 'another-sandbox-key', baseUrl: rig.sandbox.url, accountingProvider: 'acct' },
		});
		expect(await next(first, () => rig.pay('authorizing'))).toHaveLength(1);
		expect(await logged(new URL(firstUrl).searchParams.get('token')!)).toBe(0);
	});
}
