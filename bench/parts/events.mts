/** Processor time of an event with our trigger and with n8n's own Webhook node, in the same n8n. */
import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { PACKAGE } from '../../host/package.mjs';
import { EXAMPLE_EVENT } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import { nodeOf } from '../../host/workflows.mjs';
import { alternate, compared, EARLIER, milliseconds, type Part } from '../measurement.mjs';
import { type BenchN8n, httpAgent, type Sides } from '../n8n.mjs';
import { startGateway } from '../quickGateway.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';

/** Number of events per round and contender. */
const EVENTS = 40;
/** Wait until n8n has ended the last execution and our trigger has finished its work after the answer. */
const SETTLED_MS = 1_500;
/** n8n answers a request to publish before it has registered the webhook. */
const PUBLISHED_WITHIN_MS = 30_000;

const OUR_TRIGGER = 'our trigger';
const WEBHOOK = 'the Webhook node';
const WITH_EXPRESSION = 'the Webhook node with an expression';

export async function measureEvents({ now, before }: Sides, roundCount: number): Promise<Part> {
	const contenders = {
		[OUR_TRIGGER]: await publishOurs(now),
		[EARLIER]: await publishOurs(before),
		[WEBHOOK]: await publishWebhook(now),
		[WITH_EXPRESSION]: await publishWebhook(now, { options: { ignoreBots: '={{ false }}' } }),
	};
	const rounds = await alternate(contenders, roundCount);
	const what = 'An event that starts a workflow: processor time';
	return {
		title: 'Events',
		method: `${EVENTS} events in each round, one after another, each of which runs a workflow of two nodes. Processor time of n8n, all its threads together. _Verify_ is off, as the Webhook node verifies nothing either. Under its default expression engine, n8n makes a sandbox for each execution, and another one for each webhook. It skips the second one only for its own Webhook node, if none of its parameters is an expression.`,
		figures: [
			...compared(rounds, {
				what,
				by: (ms) => ms,
				unit: milliseconds,
				of: OUR_TRIGGER,
				to: { [WEBHOOK]: undefined, [WITH_EXPRESSION]: 1.25 },
			}),
		],
	};
}

/** Publishes a workflow with our trigger. Returns the function that delivers events to it. */
async function publishOurs(n8n: BenchN8n): Promise<() => Promise<number>> {
	let registered: string | undefined;
	const gateway = await startGateway(async (body) => {
		registered = ((await json(body)) as { url: string }).url;
		return {};
	});
	const credentials = await n8n.credentialsFor(gateway);
	const trigger = nodeOf(
		'Start',
		`${PACKAGE}.accountingGatewayBankingTrigger`,
		// The gateway knows none of these payments.
		{ options: { allowPrivateUrl: true, verify: false } },
		{ webhookId: randomUUID(), credentials },
	);
	await n8n.client.activate(await n8n.importChain(trigger, nodeOf('Started', 'n8n-nodes-base.noOp')));
	await waitFor(() => registered !== undefined, { timeout: PUBLISHED_WITHIN_MS });
	await gateway.close();
	return await deliverTo(n8n, registered!);
}

/** Likewise, with n8n's Webhook node. @param more its other parameters */
async function publishWebhook(n8n: BenchN8n, more: IDataObject = {}): Promise<() => Promise<number>> {
	const path = randomUUID();
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived', ...more };
	const trigger = nodeOf('Start', 'n8n-nodes-base.webhook', parameters, {
		typeVersion: 2.1,
		webhookId: path,
	});
	await n8n.client.activate(await n8n.importChain(trigger, nodeOf('Started', 'n8n-nodes-base.noOp')));
	return await deliverTo(n8n, `${n8n.url}/webhook/${path}`);
}

/** Returns a function that delivers events, and returns the milliseconds of processor time per event. */
async function deliverTo(n8n: BenchN8n, address: string): Promise<() => Promise<number>> {
	await n8n.published(address);
	return async () => {
		const before = await n8n.processorTime();
		for (let event = 0; event < EVENTS; event++) {
			const data = { ...EXAMPLE_EVENT.data, payment_id: randomUUID() };
			await axios.post(address, { ...EXAMPLE_EVENT, data }, { proxy: false, httpAgent });
		}
		await sleep(SETTLED_MS);
		return ((await n8n.processorTime()) - before) / EVENTS;
	};
}
