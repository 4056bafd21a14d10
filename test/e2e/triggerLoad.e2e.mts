/**
 * The payment trigger under load and under attack, on a real n8n:
 * `npm run test:e2e -- --project=load`, each night. The environment changes the load:
 * `LOAD_DELIVERIES` (2000), `LOAD_PER_SECOND` (50), and `LOAD_ENGINE`, n8n's expression engine (`legacy` or `vm`).
 */
import http from 'node:http';
import axios from 'axios';
import { execa } from 'execa';
import range from 'lodash/range.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { EXAMPLE_EVENT } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import { atMost, waitFor } from '../../scripts/base/waiting.mjs';
import type { ListedExecution } from '../support/rig.mjs';
import { TriggerRig } from '../support/triggerRig.mjs';
import { jsonAs } from '../../host/partial.mjs';

const DELIVERIES = Number(process.env.LOAD_DELIVERIES ?? 2000);
const PER_SECOND = Number(process.env.LOAD_PER_SECOND ?? 50);
/**
 * n8n's default, `vm`, sets up a sandbox for each webhook and each execution: that takes several
 * times the processor time, and one process can't do 50 events a second.
 */
const ENGINE = process.env.LOAD_ENGINE ?? 'legacy';
const FORGERIES = 1000;

let rig: TriggerRig;
let id: string;
let url: string;

beforeAll(async () => {
	// All executions are counted, so none may be pruned.
	rig = await TriggerRig.start({ env: { EXECUTIONS_DATA_PRUNE: 'false', N8N_EXPRESSION_ENGINE: ENGINE } });
	id = await rig.addWorkflow('Load', { options: { verify: false } });
	url = await rig.publish(id);
});
afterAll(async () => await rig?.stop());

/** All executions of the workflow. */
async function executions(): Promise<ListedExecution[]> {
	const all: ListedExecution[] = [];
	let cursor: string | undefined;
	do {
		const params = { workflowId: id, limit: 250, cursor };
		const { data } = await rig.client.api.get('executions', { params });
		all.push(...(data.data as ListedExecution[]));
		cursor = data.nextCursor ?? undefined;
	} while (cursor);
	return all;
}

/** Seconds of processor time that n8n has used. */
async function processorTime(): Promise<number> {
	const { stdout } = await execa('ps', ['-o', 'time=', '-p', String(rig.n8n.pid)]);
	return stdout.split(/[-:]/).reduce((total, part) => total * 60 + Number(part), 0);
}

interface Attempts {
	event: { data: { payment_id: string; status: string } };
	attempts: Array<{ status: number | null; durationMs: number }>;
}

const percentile = (sorted: number[], share: number) => sorted[Math.ceil(sorted.length * share) - 1];

describe(`${DELIVERIES} deliveries at ${PER_SECOND} a second`, () => {
	it('are all answered, run once each, and none is lost', async () => {
		const timeBefore = await processorTime();
		const outcome = await rig.sandbox.services.payments.load({ events: DELIVERIES, perSecond: PER_SECOND });
		expect(outcome).toEqual({ delivered: DELIVERIES });
		await waitFor(
			async () => {
				const all = await executions();
				return all.length >= DELIVERIES && all.every(({ status }) => status === 'success');
			},
			{ interval: 1000, timeout: 120_000 },
		);

		const deliveries = rig.sandbox.store.list('deliveries') as Attempts[];
		const times = deliveries
			.flatMap(({ attempts }) => attempts.map(({ durationMs }) => durationMs))
			.sort((a, b) => a - b);
		const repeated = deliveries.filter(({ attempts }) => attempts.length > 1).length;
		const used = ((await processorTime()) - timeBefore) * 1000;
		console.log(
			`${deliveries.length} deliveries at ${PER_SECOND}/s, engine ${ENGINE}: answered in p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms, at most ${times.at(-1)} ms; ${repeated} repeated; ${Math.round(used / deliveries.length)} ms of processor time each`,
		);

		const all = await executions();
		const limit = atMost(8);
		const started = await Promise.all(all.map((one) => limit(() => rig.startedWith(one.id))));
		const key = ({ data }: Attempts['event']) => `${data.payment_id} ${data.status}`;
		const ran = jsonAs<Array<Attempts['event']>>(started.flatMap((items) => items ?? [])).map(key);
		expect(ran.sort()).toEqual(deliveries.map(({ event }) => key(event)).sort());
	}, 600_000);
});

describe(`${FORGERIES} forgeries`, () => {
	/** With the right token, so that what is sent is looked at. */
	const good = () => url;
	const wrong = () => url.replace(/token=.*/, `token=${'x'.repeat(72)}`);
	const { data } = EXAMPLE_EVENT;
	const json = 'application/json';
	const kinds: Array<[address: () => string, type: string, body: string, answer: number]> = [
		[wrong, json, JSON.stringify(EXAMPLE_EVENT), 401],
		[() => url.replace(/\?.*/, ''), json, JSON.stringify(EXAMPLE_EVENT), 401],
		[() => `${wrong()}&token=y`, json, JSON.stringify(EXAMPLE_EVENT), 401],
		[good, json, '{}', 400],
		[good, json, '[]', 400],
		[good, json, 'null', 400],
		[good, json, JSON.stringify({ ...EXAMPLE_EVENT, data: null }), 400],
		[good, json, JSON.stringify({ ...EXAMPLE_EVENT, data: { ...data, status: ['settled'] } }), 400],
		[good, json, JSON.stringify({ ...EXAMPLE_EVENT, data: { ...data, payment_id: { $ne: null } } }), 400],
		[good, json, JSON.stringify({ ...EXAMPLE_EVENT, data: { ...data, status: 'paid' } }), 400],
		[good, json, JSON.stringify({ ...EXAMPLE_EVENT, data: { ...data, payment_id: '..' } }), 400],
		[good, 'text/plain', JSON.stringify({ ...EXAMPLE_EVENT, data: 'settled' }), 400],
		[good, 'application/x-www-form-urlencoded', 'event=payment_update', 400],
		[good, 'application/xml', '<event>payment_update</event>', 400],
		[good, json, JSON.stringify({ ...EXAMPLE_EVENT, x: 'x'.repeat(300_000) }), 400],
		[good, json, '{"event":"account_update","__proto__":{"x":1}}', 200],
		// n8n itself reads the body before the node does.
		[good, json, '{"event":', 422],
		[good, json, '\u0000\u0001', 422],
		[good, json, '['.repeat(100_000), 422],
	];

	it('start nothing and do n8n no harm', async () => {
		const before = (await executions()).length;
		const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
		const limit = atMost(8);
		const answers = await Promise.all(
			range(FORGERIES).map((i) =>
				limit(async () => {
					const [address, type, body, answer] = kinds[i % kinds.length];
					const headers = { 'content-type': type };
					const { status } = await axios.post(address(), body, {
						headers,
						httpAgent: agent,
						transformRequest: (sent: string) => sent,
						validateStatus: () => true,
					});
					return [body.slice(0, 60), type, status, answer];
				}),
			),
		);
		agent.destroy();
		expect(answers.filter(([, , status, answer]) => status !== answer)).toEqual([]);
		expect(await executions()).toHaveLength(before);

		rig.pay('authorizing');
		await waitFor(async () => (await executions()).length === before + 1, {
			interval: 200,
		});
		expect((await axios.get(`${rig.n8n.url}/healthz/readiness`)).status).toBe(200);
	}, 300_000);
});
