/** Load for n8n's queue mode that is counted in the sandbox afterwards: bookings with files, and payment events. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import countBy from 'lodash/countBy.js';
import difference from 'lodash/difference.js';
import get from 'lodash/get.js';
import range from 'lodash/range.js';

import { type Execution, hasEnded } from '../../host/client.mjs';
import type { N8n } from '../../host/n8n.mjs';
import { PACKAGE } from '../../host/package.mjs';
import { EXAMPLE_EVENT } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import type { QueueMode } from '../support/queueMode.mjs';
import { atMost, settled, waitFor } from '../../scripts/base/waiting.mjs';
import { chainOf, connectionOf, nodeOf, simpleEntry, to, webhookUrlOf } from '../../host/workflows.mjs';

/** The pause between the gateway's deliveries of an event, until one succeeds. */
const REDELIVERY_MS = 500;
const EVENTS_AT_ONCE = 20;
/** After this long without an arrival, no more are expected. */
const QUIET_MS = 2_000;
/** How often missing records are sent in new executions. */
const REPAIRS = 5;
const RECEIPT_BYTES = 20_000;
/** How long to wait for executions that n8n has lost track of, e.g. because they ended while PostgreSQL was down. */
const STUCK_AFTER_MS = 45_000;

/** Written into each record: n8n doesn't keep the input of an execution whose worker was killed. */
const EXECUTION = '={{ $execution.id }}';

/** Number of runs so far; makes record names unique. */
let runs = 0;

export interface BookingSizes {
	executions: number;
	/** Entries per execution. */
	entries: number;
	documents: number;
}

/** A workflow that books what its webhook receives: the entries one after another, the files as documents. */
export class Bookings {
	private constructor(
		private readonly queue: QueueMode,
		private readonly workflowId: string,
		private readonly path: string,
	) {}

	static async publish(queue: QueueMode): Promise<Bookings> {
		const path = randomUUID();
		const connectionId = connectionOf(queue.sandbox, 'duo');
		const { credentials } = queue;
		const delivery = `${PACKAGE}.accountingGatewayDelivery`;
		const id = await queue.client.importWorkflow({
			name: 'Bookings',
			nodes: [
				nodeOf(
					'Webhook',
					'n8n-nodes-base.webhook',
					{ httpMethod: 'POST', path },
					{ typeVersion: 2.1, webhookId: path },
				),
				nodeOf(
					'With files',
					'n8n-nodes-base.filter',
					{
						conditions: {
							options: { version: 2 },
							conditions: [
								{
									leftValue: '={{ Object.keys($binary ?? {}).length }}',
									rightValue: 0,
									operator: { type: 'number', operation: 'gt' },
								},
							],
							combinator: 'and',
						},
					},
					{ typeVersion: 2.2 },
				),
				nodeOf(
					'Documents',
					delivery,
					{
						resource: 'document',
						operation: 'uploadDuo',
						connectionId: { __rl: true, mode: 'id', value: connectionId },
						datei: '*',
						belegtyp: { __rl: true, mode: 'value', value: 'Rechnungseingang' },
						options: { quelle: EXECUTION },
					},
					{ credentials },
				),
				nodeOf(
					'Entries',
					'n8n-nodes-base.set',
					{
						assignments: {
							assignments: [
								{
									id: '1',
									name: 'belegnummer',
									type: 'array',
									value: '={{ JSON.parse($json.body.entries) }}',
								},
							],
						},
					},
					{ typeVersion: 3.4 },
				),
				nodeOf('Each', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'belegnummer' }),
				nodeOf('Booking', delivery, simpleEntry(connectionId, { belegnummer: '={{ $json.belegnummer }}' }), {
					credentials,
				}),
			],
			connections: {
				Webhook: { main: [['With files', 'Entries'].map((node) => ({ node, type: 'main', index: 0 }))] },
				'With files': to('Documents'),
				Entries: to('Each'),
				Each: to('Booking'),
			},
			settings: {},
		});
		await queue.client.activate(id);
		const isThere = async ({ url }: N8n) => {
			const { data } = await axios.get(`${url}/webhook/${path}`, { validateStatus: () => true });
			return /POST/.test(String(data.message));
		};
		const areThere = async () => (await Promise.all(queue.webhooks.map(isThere))).every(Boolean);
		await waitFor(areThere, { interval: 200 });
		return new Bookings(queue, id, path);
	}

	/**
	 * Sends bookings to both webhook processes, waits for their executions, and checks what arrived. Missing records are
	 * repaired as in docs/guarantees.md: "Retry", and a new execution for unknown outcomes.
	 * @param disturb called when a quarter of the records has arrived
	 * @returns the problems: records of executions that succeeded, lost; after the repair, any that isn't there once
	 */
	async run(sizes: BookingSizes, disturb: () => Promise<unknown>): Promise<string[]> {
		const { queue } = this;
		const run = ++runs;
		const batches = range(sizes.executions).map((batch) => {
			const name = `${run}-${batch}`;
			return {
				name,
				entries: range(sizes.entries).map((i) => `E-${name}-${i}`),
				documents: range(sizes.documents).map((i) => `D-${name}-${i}.pdf`),
			};
		});
		const all = batches.flatMap(({ entries, documents }) => [...entries, ...documents]);
		const problems: string[] = [];
		const newer = await NewExecutions.of(queue, this.workflowId);
		await Promise.all(batches.map((batch, i) => this.send(batch, queue.webhooks[i % queue.webhooks.length])));
		const disturbed = (async () => {
			await waitFor(() => this.arrived(all).length > all.length / 4, { interval: 50 });
			await disturb();
		})();
		const [executions] = await Promise.all([newer.ended(sizes.executions), disturbed]);

		const failed = executions.filter(({ status }) => status !== 'success');
		// A busy worker may still send what n8n gave up on.
		if (failed.length > 0) await settled(() => this.arrived(all).length, QUIET_MS);
		const missing = batches.map((batch) => this.without(batch)).filter(isSomething);
		const sources = new Set(this.records(all).map(({ quelle }) => quelle));
		/** Failed executions that sent nothing, so their batch is unknown. */
		let silent = failed.filter(({ id }) => !sources.has(String(id))).length;
		for (const batch of missing) {
			const own = this.records(namesOf(batches.find(({ name }) => name === batch.name)!));
			const ofFailed =
				own.length > 0
					? failed.some(({ id }) => own.some(({ quelle }) => quelle === String(id)))
					: silent-- > 0;
			if (!ofFailed) problems.push(`lost: ${namesOf(batch).join(', ')}`);
		}
		const retries = await retryAll(queue, failed);
		let left = missing.map((batch) => this.without(batch)).filter(isSomething);
		let begun = executions.length + retries.size;
		// On a busy machine, n8n may also give up on an execution that repairs others.
		for (let round = 0; left.length > 0 && round < REPAIRS; round++) {
			await Promise.all(left.map((batch) => this.send(batch, queue.webhooks[0])));
			begun += left.length;
			await newer.ended(begun);
			left = left.map((batch) => this.without(batch)).filter(isSomething);
		}

		const arrived = countBy(this.arrived(all));
		for (const record of all) {
			if (arrived[record] !== 1) problems.push(`${record} has arrived ${arrived[record] ?? 0} times`);
		}
		return problems;
	}

	private async send({ name, entries, documents }: Batch, { url }: N8n): Promise<void> {
		const form = new FormData();
		form.append('batch', name);
		form.append('entries', JSON.stringify(entries));
		for (const [i, document] of documents.entries()) {
			const content = new Blob([randomBytes(RECEIPT_BYTES)], { type: 'application/pdf' });
			form.append(`file${i}`, content, document);
		}
		await axios.post(`${url}/webhook/${this.path}`, form);
	}

	/** The records of these names that arrived in the sandbox, including duplicates. */
	private records(names: string[]): Arrived[] {
		const wanted = new Set(names);
		const { store } = this.queue.sandbox;
		const entries = store.list('entries') as Array<{ quelle: string; fields: { belegnummer: string } }>;
		const documents = store.list('documents') as Array<{ quelle: string; dateiname: string }>;
		return [
			...entries.map(({ quelle, fields }) => ({ quelle, name: fields.belegnummer })),
			...documents.map(({ quelle, dateiname }) => ({ quelle, name: dateiname })),
		].filter(({ name }) => wanted.has(name));
	}

	private arrived(names: string[]): string[] {
		return this.records(names).map(({ name }) => name);
	}

	/** The part of a batch that hasn't arrived. */
	private without({ name, entries, documents }: Batch): Batch {
		const arrived = this.arrived([...entries, ...documents]);
		return { name, entries: difference(entries, arrived), documents: difference(documents, arrived) };
	}
}

/** One execution's input. */
interface Batch {
	name: string;
	entries: string[];
	documents: string[];
}

const isSomething = ({ entries, documents }: Batch) => entries.length + documents.length > 0;
const namesOf = ({ entries, documents }: Batch) => [...entries, ...documents];

/** A record, and the execution it comes from. */
interface Arrived {
	name: string;
	quelle: string;
}

/** Retries executions. n8n refuses to retry those that it believes to be running. Returns the retry of each other one. */
async function retryAll({ client }: QueueMode, failed: Execution[]): Promise<Map<Execution, Execution>> {
	const retries = new Map<Execution, Execution>();
	for (const one of failed.filter(hasEnded)) {
		const retry = await client.retry(one.id).catch(() => undefined);
		if (retry) retries.set(one, retry);
	}
	return retries;
}

export class Events {
	private constructor(
		private readonly queue: QueueMode,
		private readonly workflowId: string,
		/** Path and token of the webhook address that the trigger has registered. */
		private readonly address: string,
	) {}

	/** Publishes a workflow with the payment trigger. */
	static async publish(queue: QueueMode): Promise<Events> {
		const id = await queue.client.importWorkflow(
			chainOf('Payments at size', [
				nodeOf(
					'Payment',
					`${PACKAGE}.accountingGatewayBankingTrigger`,
					// The gateway knows none of these payments.
					{ options: { verify: false } },
					{ webhookId: randomUUID(), credentials: queue.credentials },
				),
				nodeOf('Started', 'n8n-nodes-base.noOp'),
			]),
		);
		const registered = () => webhookUrlOf(queue.sandbox);
		const before = registered();
		await queue.client.activate(id);
		await waitFor(() => registered() !== before);
		const { pathname, search } = new URL(registered()!);
		return new Events(queue, id, pathname + search);
	}

	/**
	 * Delivers events to both webhook processes in turn, each until it succeeds, waits for their executions, and checks
	 * that each event ran.
	 * @param disturb called when a quarter has been delivered
	 * @returns the problems: events that started no execution, and those that ran twice although they were delivered once
	 */
	async run(count: number, disturb: () => Promise<unknown>): Promise<string[]> {
		const run = ++runs;
		const payments = range(count).map((i) => `${run}-${i}`);
		const newer = await NewExecutions.of(this.queue, this.workflowId);
		const redelivered = new Set<string>();
		let delivered = 0;
		const limit = atMost(EVENTS_AT_ONCE);
		const deliveries = payments.map((payment, i) =>
			limit(async () => {
				for (let attempt = i; !(await this.deliver(payment, attempt)); attempt++) {
					redelivered.add(payment);
					await sleep(REDELIVERY_MS);
				}
				delivered++;
			}),
		);
		const disturbed = (async () => {
			await waitFor(() => delivered > count / 4, { interval: 20 });
			await disturb();
		})();
		await Promise.all([...deliveries, disturbed]);
		const executions = await newer.ended(count);

		const failed = executions.filter(({ status }) => status !== 'success');
		const missing = difference(payments, executions.flatMap(ranFor));
		const ofFailed = new Set(failed.map(paymentOf));
		/** Failed executions without data in n8n, so their event is unknown. */
		let silent = failed.filter((one) => !paymentOf(one)).length;
		const problems = missing
			.filter((one) => !ofFailed.has(one) && silent-- <= 0)
			.map((one) => `lost: payment ${one}, ${foundIn(one, executions)}`);
		const retries = await retryAll(this.queue, failed);
		// An execution can run to its end and still be a failed one, because it couldn't be stored. Its retry repeats it.
		const latest = executions.map((one) => retries.get(one) ?? one);
		const runsOf = countBy(latest.flatMap(ranFor));
		const twice = payments.filter((payment) => (runsOf[payment] ?? 0) > 1);
		problems.push(
			...difference(twice, [...redelivered]).map(
				(one) => `payment ${one} has run twice, ${foundIn(one, latest)}`,
			),
		);
		return problems;
	}

	/** @returns whether the trigger answered with success; while starting, n8n itself answers 200, see deploy/Caddyfile */
	private async deliver(payment_id: string, attempt: number): Promise<boolean> {
		const { webhooks } = this.queue;
		const event = { ...EXAMPLE_EVENT, data: { ...EXAMPLE_EVENT.data, payment_id } };
		const url = webhooks[attempt % webhooks.length].url + this.address;
		try {
			const { status, data } = await axios.post(url, event, { timeout: 30_000 });
			return status === 200 && data === '';
		} catch {
			return false;
		}
	}
}

/** The payment that started an execution. */
const paymentOf = ({ data }: Execution): unknown =>
	get(data, 'resultData.runData.Payment[0].data.main[0][0].json.data.payment_id') ??
	get(data, 'executionData.nodeExecutionStack[0].data.main[0][0].json.data.payment_id');

/** Which executions have an event of a payment, and the trigger's result. */
function foundIn(payment: string, executions: Execution[]): string {
	const own = executions.filter(({ data }) => JSON.stringify(data ?? null).includes(`"${payment}"`));
	const said = ({ id, status, data }: Execution) =>
		`execution ${id} ${status} ${JSON.stringify(get(data, 'resultData.runData.Payment[0].hints'))}`;
	return own.length > 0 ? own.map(said).join(', ') : `in none of ${executions.length} executions`;
}

/** The payments for which the node after the trigger ran. */
const ranFor = ({ data }: Execution): string[] =>
	(data?.resultData?.runData?.Started ?? []).map(
		(task) => get(task, 'data.main[0][0].json.data.payment_id') as string,
	);

/** The executions that a workflow starts after this object was created. */
class NewExecutions {
	private constructor(
		private readonly queue: QueueMode,
		private readonly workflowId: string,
		private readonly last: number,
	) {}

	static async of(queue: QueueMode, workflowId: string): Promise<NewExecutions> {
		const last = await queue.postgres.query('SELECT coalesce(max(id), 0) FROM execution_entity');
		return new NewExecutions(queue, workflowId, Number(last));
	}

	/** Waits until this many executions have ended, or nothing changes anymore. Returns the executions with their data. */
	async ended(count: number): Promise<Execution[]> {
		const { queue, workflowId } = this;
		const statuses = `SELECT status, count(*) FROM execution_entity WHERE "workflowId" = '${workflowId}' AND id > ${this.last} GROUP BY status`;
		let latest = '';
		let since = performance.now();
		const areOver = async () => {
			// PostgreSQL may be down.
			const now = await queue.postgres.query(statuses).catch(() => latest);
			if (now !== latest) [latest, since] = [now, performance.now()];
			const total = [...now.matchAll(/\| +(\d+)/g)].reduce((sum, [, one]) => sum + Number(one), 0);
			const isStuck = performance.now() - since > STUCK_AFTER_MS;
			return (total >= count && !/new|running|waiting/.test(now)) || isStuck;
		};
		await waitFor(areOver, { interval: 500 });
		const all: Execution[] = [];
		let cursor: string | undefined;
		do {
			const data = await page(queue, { workflowId, includeData: true, limit: 250, cursor });
			all.push(...data.data);
			cursor = data.nextCursor ?? undefined;
		} while (cursor);
		return all.filter(({ id }) => Number(id) > this.last);
	}
}

interface Page {
	data: Execution[];
	nextCursor?: string | null;
}

/** Requests executions until n8n returns some: its main process may be restarting. */
async function page({ client }: QueueMode, params: object): Promise<Page> {
	const answer = async () => {
		const { data } = await client.api.get('executions', { params }).catch(() => ({ data: undefined }));
		return Array.isArray(data?.data) && (data as Page);
	};
	return await waitFor(answer, { interval: 500 });
}
