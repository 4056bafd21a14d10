/** Processor time of an event with our trigger and with n8n's own Webhook node, in the same n8n. */
import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import type { IDataObject, INode } from 'n8n-workflow';
import pWaitFor from 'p-wait-for';

import { PACKAGE } from '../../host/package.mjs';
import { EXAMPLE } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import { nodeOf } from '../../test/support/workflows.mjs';
import { compared, milliseconds, type Part, type Rounds } from '../measurement.mjs';
import { type BenchN8n, httpAgent } from '../n8n.mjs';
import { startGateway } from '../quickGateway.mjs';

/** Number of events per round and contender. */
const EVENTS = 40;
/** Wait until n8n has ended the last execution and our trigger has finished its work after the answer. */
const SETTLED_MS = 1_500;

const OUR_TRIGGER = 'our trigger';
const WEBHOOK = 'the Webhook node';
/** An expression makes n8n start its expression sandbox for the Webhook node, as it does for our trigger. */
const WITH_EXPRESSION = 'the Webhook node with an expression';
const CONTENDERS = [OUR_TRIGGER, WEBHOOK, WITH_EXPRESSION] as const;
type Contender = (typeof CONTENDERS)[number];

const GOAL = 1.25;

export async function measureTrigger(n8n: BenchN8n, roundCount: number): Promise<Part> {
	const rounds = await deliverInTurns(n8n, roundCount);
	const against = (other: Contender) =>
		compared(
			'An event that starts a workflow: processor time',
			rounds,
			[OUR_TRIGGER, other],
			milliseconds,
			GOAL,
		);
	return {
		title: 'The trigger',
		method: `${EVENTS} events in each round, one after another, each of which runs a workflow of two nodes. Processor time of n8n, all its threads together.`,
		measurements: [against(WEBHOOK), against(WITH_EXPRESSION)],
		notes: [
			'Under its default expression engine (`vm`), n8n makes a sandbox for each execution, and another one for each webhook. It skips the second one only for its own Webhook node, if none of its parameters is an expression; no other node can get that.',
		],
	};
}

/** Processor time per event and contender, for each round. */
async function deliverInTurns(n8n: BenchN8n, roundCount: number): Promise<Rounds<Contender>> {
	let registered: string | undefined;
	const gateway = await startGateway(async (body) => {
		registered = ((await json(body)) as { url: string }).url;
		return {};
	});
	const credentials = await n8n.credentialsFor(gateway.url);
	const path = randomUUID();
	const trigger = nodeOf(
		'Start',
		`${PACKAGE}.accountingGatewayBankingTrigger`,
		{ options: { allowPrivateUrl: true } },
		{ webhookId: randomUUID(), credentials },
	);
	const ids: Record<Contender, string> = {
		[OUR_TRIGGER]: await publish(n8n, trigger),
		[WEBHOOK]: await publish(n8n, webhookNode(path)),
		[WITH_EXPRESSION]: await publish(
			n8n,
			webhookNode(`${path}-expression`, { options: { ignoreBots: '={{ false }}' } }),
		),
	};
	await pWaitFor(() => registered !== undefined, { timeout: 30_000 });
	const addresses: Record<Contender, string> = {
		[OUR_TRIGGER]: registered!,
		[WEBHOOK]: `${n8n.n8n.url}/webhook/${path}`,
		[WITH_EXPRESSION]: `${n8n.n8n.url}/webhook/${path}-expression`,
	};
	await Promise.all(Object.values(addresses).map(becomesReady));

	const rounds: Rounds<Contender> = [];
	// The first round only warms up.
	for (let round = 0; round <= roundCount; round++) {
		const times: Partial<Record<Contender, number>> = {};
		for (const name of CONTENDERS) times[name] = await deliver(n8n, addresses[name]);
		if (round > 0) rounds.push(times as Record<Contender, number>);
	}
	for (const name of CONTENDERS) {
		await assertAllRan(n8n, ids[name], EVENTS * (roundCount + 1));
		await n8n.client.deactivate(ids[name]);
	}
	await gateway.close();
	return rounds;
}

function webhookNode(path: string, more: IDataObject = {}): INode {
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived', ...more };
	return nodeOf('Start', 'n8n-nodes-base.webhook', parameters, { typeVersion: 2.1, webhookId: randomUUID() });
}

async function publish({ client }: BenchN8n, trigger: INode): Promise<string> {
	const connections = { Start: { main: [[{ node: 'Started', type: 'main' as const, index: 0 }]] } };
	const nodes = [trigger, nodeOf('Started', 'n8n-nodes-base.noOp')];
	const id = await client.importWorkflow({ name: randomUUID(), nodes, connections, settings: {} });
	await client.activate(id);
	return id;
}

/** Waits until the webhook exists: n8n answers a request to publish before it has registered the webhook. */
async function becomesReady(address: string): Promise<void> {
	const isThere = async () => {
		const { data } = await axios.get(address, { proxy: false, httpAgent, validateStatus: () => true });
		return /Did you mean to make a POST request/.test(data.message);
	};
	await pWaitFor(isThere, { interval: 100, timeout: 30_000 });
}

/** Delivers the events. Returns the milliseconds of processor time per event. */
async function deliver(n8n: BenchN8n, address: string): Promise<number> {
	const before = await n8n.processorTime();
	for (let event = 0; event < EVENTS; event++) {
		const data = { ...EXAMPLE.data, payment_id: randomUUID() };
		await axios.post(address, { ...EXAMPLE, data }, { proxy: false, httpAgent });
	}
	await sleep(SETTLED_MS);
	return ((await n8n.processorTime()) - before) / EVENTS;
}

async function assertAllRan({ client }: BenchN8n, workflowId: string, count: number): Promise<void> {
	let found = 0;
	let cursor: string | undefined;
	do {
		const params = { workflowId, status: 'success', limit: 250, cursor };
		const { data } = await client.api.get('executions', { params });
		found += data.data.length;
		cursor = data.nextCursor ?? undefined;
	} while (cursor);
	if (found !== count) throw new Error(`${found} of ${count} events ran`);
}
