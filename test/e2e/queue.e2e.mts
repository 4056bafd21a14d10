/** n8n's queue mode for real, with the processes and settings of deploy/compose.yaml. */
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import axios, { type AxiosInstance } from 'axios';
import { execa } from 'execa';
import get from 'lodash/get.js';
import mapValues from 'lodash/mapValues.js';
import omit from 'lodash/omit.js';
import range from 'lodash/range.js';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';

import { EXAMPLE_EVENT } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import type { Sandbox } from '../../sandbox/server.mjs';
import { type Execution, hasEnded, type N8nClient } from '../../host/client.mjs';
import type { Mode, N8n } from '../../host/n8n.mjs';
import { PACKAGE } from '../../host/package.mjs';
import { holdBack } from '../support/holdBack.mjs';
import { COMPOSE_FILE, DOMAIN, QueueMode, TOKEN } from '../support/queueMode.mjs';
import type { Postgres } from '../support/services.mjs';
import { PATIENCE_MS, settled, waitFor } from '../../scripts/base/waiting.mjs';
import { startTaskRunner } from '../../host/taskRunner.mjs';
import { chainOf, connectionOf, nodeOf, simpleEntry, webhookUrlOf } from '../../host/workflows.mjs';

/** The number of executions that a worker takes at once: n8n's default. */
const AT_ONCE = 10;
/** More than that, so that both have to work. */
const BOOKINGS = 24;
/** The gateway's operation for a booking. */
const ENTRY = 'createCashBookEntry';
/** So many events at once. */
const EVENTS = 40;

let queue: QueueMode;
let postgres: Postgres;
let sandbox: Sandbox;
let main: N8n;
let workers: N8n[];
let webhooks: N8n[];
let client: N8nClient;
let workflowId: string;
/** The production webhooks of the first process that is there for them. */
let production: AxiosInstance;

beforeAll(async () => {
	queue = await QueueMode.start(inject('tarball'));
	({ postgres, sandbox, main, workers, webhooks, client } = queue);
	production = axios.create({ baseURL: `${webhooks[0].url}/webhook`, validateStatus: () => true });
	workflowId = await publish();
});

afterAll(async () => await queue?.stop());

/** A webhook that takes POST, and answers with the output of the last node. */
const webhookAt = (path: string) =>
	nodeOf(
		'Webhook',
		'n8n-nodes-base.webhook',
		{ httpMethod: 'POST', path, responseMode: 'lastNode' },
		{ typeVersion: 2.1, webhookId: path },
	);

/** Publishes a workflow that books what its webhook is sent, with the file as receipt, and answers with the entry. */
async function publish(): Promise<string> {
	const id = await client.importWorkflow(
		chainOf('Cash register', [
			webhookAt('cash-register'),
			nodeOf(
				'Booking',
				`${PACKAGE}.accountingGatewayDelivery`,
				simpleEntry(connectionOf(sandbox, 'duo'), {
					betrag: '={{ $json.body.betrag }}',
					belegnummer: '={{ $json.body.belegnummer }}',
					belegbilder: '*',
				}),
				{ credentials: queue.credentials },
			),
		]),
	);
	await publishedAt(id, 'cash-register');
	return id;
}

/** Publishes a workflow whose webhook takes POST, and waits until that is there: n8n publishes after it has answered. */
async function publishedAt(id: string, path: string): Promise<void> {
	await client.activate(id);
	// A webhook that is there asks for its own method.
	const isThere = async () => /POST/.test((await production.get(path)).data.message);
	await waitFor(isThere, { interval: 200 });
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Sends a booking to the webhook process. */
async function book(belegnummer: string, receipt: Buffer) {
	const form = new FormData();
	form.append('belegnummer', belegnummer);
	form.append('betrag', '12,50');
	form.append(
		'receipt',
		new Blob([new Uint8Array(receipt)], { type: 'application/pdf' }),
		`${belegnummer}.pdf`,
	);
	return await production.post<IDataObject>('cash-register', form);
}

interface Entry {
	fields: { belegnummer: string; betrag: number };
	belegbilder: Array<{ dateiname: string; size: number; sha256: string }>;
}

const entries = () => sandbox.store.list('entries') as Entry[];
const arrived = (belegnummer: string) => entries().filter(({ fields }) => fields.belegnummer === belegnummer);
/** How often the gateway was asked to book it. Its books don't tell: it refuses a number that it has. */
const sent = (belegnummer: string) =>
	sandbox.log.entries.filter(({ body }) => get(body, 'belegnummer') === belegnummer).length;

/** Holds back the answers to bookings until the function that it returns is called. */
const holdEntries = () =>
	holdBack(sandbox.faults, (operationId, point) => operationId === ENTRY && point === 'after-handler');

/** The executions that a worker has begun. */
const begun = async ({ logFile }: N8n) =>
	[...(await readFile(logFile, 'utf8')).matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id);

/** The executions of a workflow, with their data. */
async function executions(ofWorkflow: string): Promise<Execution[]> {
	const params = { workflowId: ofWorkflow, includeData: true, limit: 250 };
	return (await client.api.get('executions', { params })).data.data;
}

/** Waits for the execution of a workflow that is in progress: n8n's list may have it a moment later. Returns its ID. */
async function inProgress(ofWorkflow: string): Promise<string> {
	const params = { workflowId: ofWorkflow, limit: 1 };
	return await waitFor(
		async () => {
			const [newest] = (await client.api.get<{ data: Execution[] }>('executions', { params })).data.data;
			return newest && !hasEnded(newest) && String(newest.id);
		},
		{ interval: 100 },
	);
}

/** Settings that are an address or a path. */
const PLACES = [
	'DB_POSTGRESDB_HOST',
	'QUEUE_BULL_REDIS_HOST',
	'QUEUE_BULL_REDIS_PASSWORD_FILE',
	'DB_POSTGRESDB_PASSWORD_FILE',
	'N8N_ENCRYPTION_KEY_FILE',
	'N8N_RUNNERS_BROKER_LISTEN_ADDRESS',
];

interface ComposeService {
	environment: Record<string, string>;
}

/** compose.yaml as Compose reads it: its second version where it is installed, else the first. */
async function composeServices(): Promise<Record<Mode, ComposeService>> {
	const env = { N8N_DOMAIN: DOMAIN, PACKAGE: './package.tgz', N8N_RUNNERS_AUTH_TOKEN: TOKEN };
	const { failed } = await execa('docker', ['compose', 'version'], { reject: false });
	const [program, ...first] = failed ? ['docker-compose'] : ['docker', 'compose'];
	const { stdout } = await execa(program, [...first, '--file', COMPOSE_FILE, 'config'], { env });
	return parse(stdout).services;
}

/** The settings that a process runs with. */
async function settingsOf({ pid }: N8n): Promise<Record<string, string>> {
	const settings = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter(Boolean);
	return Object.fromEntries(
		settings.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
	);
}

describe('queue mode', () => {
	/** No worker has a job any longer. */
	const isGivenUp = async () => (await queue.redis.query('llen', 'bull:jobs:active')) === '0';

	it('runs each process with the settings of compose.yaml', async () => {
		const services = await composeServices();
		expect(queue.processes.map(([mode]) => mode)).toEqual(['main', 'worker', 'worker', 'webhook', 'webhook']);
		for (const [mode, process] of queue.processes) {
			const settings = await settingsOf(process);
			expect(settings).toMatchObject(mapValues(omit(services[mode].environment, PLACES), String));
			expect(Object.keys(settings)).toEqual(expect.arrayContaining(PLACES));
		}
	});

	it('is ready for n8n 3.0, by n8n’s own report', async () => {
		const { data } = await client.rest.post('breaking-changes/report/refresh?version=v3');
		const { instanceResults } = data.data.report as { instanceResults: Array<{ ruleId: string }> };
		const found = instanceResults.map(({ ruleId }) => ruleId);
		// Said to everybody, and of an n8n that runs without Docker, as here.
		const known = ['workflow-import-url-removed-v3', 'docker-only-deployment-v3'];
		// The ranges that 3.0 blocks, too, are welcome.
		known.push('ssrf-default-blocked-ranges-v3');
		expect(found.filter((rule) => !known.includes(rule))).toEqual([]);
	});

	it('books everything that arrives at the same time exactly once, each file byte for byte', async () => {
		// From one byte on, and one that doesn't fit into a chunk of a stream.
		const receipts = Array.from({ length: BOOKINGS }, (_, i) => randomBytes(i === 0 ? 3_000_001 : i));
		const answer = holdEntries();
		const answered = Promise.all(receipts.map((receipt, i) => book(`K-1${i}`, receipt)));
		// However fast a worker is, it can't do everything before the other one has begun.
		const called = () => sandbox.log.entries.filter(({ operationId }) => operationId === ENTRY).length;
		await waitFor(() => called() > AT_ONCE);
		answer();
		const answers = await answered;

		const refused = answers.filter(({ status }) => status !== 200).map(({ data }) => JSON.stringify(data));
		expect(refused, refused.join('\n')).toEqual([]);
		expect(answers.map(({ data }) => data.belegnummer)).toEqual(receipts.map((_, i) => `K-1${i}`));
		expect(entries()).toHaveLength(BOOKINGS);
		for (const [i, receipt] of receipts.entries()) {
			expect(arrived(`K-1${i}`)).toMatchObject([
				{
					fields: { betrag: 12.5 },
					belegbilder: [{ dateiname: `K-1${i}.pdf`, size: receipt.length, sha256: sha256(receipt) }],
				},
			]);
		}
	});

	it('shares the work between the workers, and keeps the files in the database', async () => {
		const shares = await Promise.all(workers.map(begun));
		expect(shares.flat()).toHaveLength(BOOKINGS);
		for (const share of shares) expect(share).not.toHaveLength(0);

		const [{ data: run }] = await executions(workflowId);
		const [[item]] = run.resultData.runData.Webhook[0].data!.main as Array<Array<{ binary: IDataObject }>>;
		expect(item.binary.receipt).toMatchObject({ id: expect.stringMatching(/^database:/) as string });
	});

	it('runs a manual execution on a worker, its Code node in the task runner of that worker, and books there', async () => {
		const manual = await client.importWorkflow(
			chainOf('By hand', [
				nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
				nodeOf(
					'Code',
					'n8n-nodes-base.code',
					{ jsCode: "return [{ json: { betrag: '7,50', belegnummer: 'K-MANUAL-1' } }];" },
					{ typeVersion: 2 },
				),
				nodeOf(
					'Booking',
					`${PACKAGE}.accountingGatewayDelivery`,
					simpleEntry(connectionOf(sandbox, 'duo'), {
						betrag: '={{ $json.betrag }}',
						belegnummer: '={{ $json.belegnummer }}',
					}),
					{ credentials: queue.credentials },
				),
			]),
		);
		const ends = await Promise.all(workers.map((worker) => startTaskRunner(worker, TOKEN)));
		const { id, status, data } = await client.run(manual);
		await Promise.all(ends.map((end) => end()));
		expect(status, data.resultData.error?.message).toBe('success');
		expect((await Promise.all(workers.map(begun))).flat()).toContain(String(id));
		expect(arrived('K-MANUAL-1')).toMatchObject([{ fields: { betrag: 7.5 } }]);
	});

	it('shows metrics on each process, those of the nodes on the workers, and of the queue on the main one', async () => {
		const metrics = async ({ url }: N8n) => (await axios.get<string>(`${url}/metrics`)).data;
		for (const [mode, process] of queue.processes)
			expect(await metrics(process), mode).toContain('n8n_process_cpu_seconds_total');
		for (const worker of workers)
			expect(await metrics(worker)).toMatch(
				/^n8n_node_finished_total\{[^}]*workflow_name="Cash register"[^}]*node_type="accounting-gateway_accountingGatewayDelivery"[^}]*\} \d+/m,
			);
		expect(await metrics(main)).toContain('n8n_scaling_mode_queue_jobs_waiting');
	});

	it('books on "Retry" what the gateway had refused, with the file from the database', async () => {
		const receipt = randomBytes(100_000);
		await axios.post(`${sandbox.url}/sandbox/faults`, { kind: 'status', status: 403, body: {} });
		expect((await book('K-RETRY-1', receipt)).status).toBe(500);
		expect(arrived('K-RETRY-1')).toEqual([]);
		const [{ id }] = (await client.api.get('executions', { params: { workflowId, limit: 1 } })).data.data;
		expect((await client.retry(id)).status).toBe('success');
		expect(arrived('K-RETRY-1')).toMatchObject([{ belegbilder: [{ sha256: sha256(receipt) }] }]);
	});

	describe('the payment trigger', () => {
		let trigger: string;
		let url: URL;

		/** The URL that the gateway delivers to. */
		const registered = () => webhookUrlOf(sandbox);
		const event = (payment_id: string) => ({ ...EXAMPLE_EVENT, data: { ...EXAMPLE_EVENT.data, payment_id } });

		/** Delivers an event as the proxy does when it chooses this process. Returns the answer's status. */
		async function deliver(to: N8n, payment: string, search = url.search): Promise<number> {
			const address = to.url + url.pathname + search;
			return (await axios.post(address, event(payment), { validateStatus: () => true })).status;
		}

		/**
		 * Waits until the workflow has had so many executions, all of which have ended well.
		 * @returns the payments that the node after the trigger has run for
		 */
		async function ran(count: number): Promise<string[]> {
			let all: Execution[] = [];
			const areOver = async () => {
				all = await executions(trigger);
				return all.length >= count && all.every(({ status }) => status === 'success');
			};
			await waitFor(areOver, { interval: 100 });
			expect(all).toHaveLength(count);
			const started = all.flatMap(({ data }) => data.resultData.runData.Started ?? []);
			return started.map(({ data }) =>
				String(get(data, ['main', '0', '0', 'json', 'data', 'payment_id']) as unknown),
			);
		}

		/** The latest version of the row with n8n's record of the trigger, and how many entries it has. */
		const record = async () =>
			await postgres.query(
				"SELECT xmin, json_array_length(value::json->'data') FROM processed_data WHERE context = 'n:Payment'",
			);

		/** Waits until all events are in the record to stay: a worker can overwrite what another has just entered. */
		async function recordIsComplete(): Promise<void> {
			// The first entry is that of the record's format. A worker that has read the record writes it within this time.
			await settled(record, 1000, (row) => Number(row.split('|')[1]) > EVENTS);
		}

		it('registers the public address, which every webhook process serves and the main process does not', async () => {
			trigger = await client.importWorkflow(
				chainOf('Payments', [
					nodeOf(
						'Payment',
						`${PACKAGE}.accountingGatewayBankingTrigger`,
						// The gateway knows none of these payments.
						{ options: { verify: false } },
						{ webhookId: 'payment', credentials: queue.credentials },
					),
					nodeOf('Started', 'n8n-nodes-base.noOp'),
				]),
			);
			await client.activate(trigger);
			await waitFor(() => registered() !== undefined);
			url = new URL(registered()!);
			expect(url.origin).toBe(`https://${DOMAIN}`);
			const forged = await Promise.all([...webhooks, main].map((to) => deliver(to, 'forged', '?token=x')));
			expect(forged).toEqual([401, 401, 404]);
		});

		it('runs an event once when it arrives twice at the same time, whichever process receives it', async () => {
			const payments = range(EVENTS).map(String);
			const answers = payments.flatMap((payment, i) => {
				const to = webhooks[i % webhooks.length];
				return [deliver(to, payment), deliver(to, payment)];
			});
			expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
			expect((await ran(EVENTS)).sort()).toEqual(payments.sort());
			const ids = (await executions(trigger)).map(({ id }) => String(id));
			expect((await Promise.all(workers.map(begun))).flat()).toEqual(expect.arrayContaining(ids));
		});

		it('runs no event again that is redelivered to the other process, whichever worker has it', async () => {
			await recordIsComplete();
			const payments = await ran(EVENTS);
			const others = [...webhooks].reverse();
			await Promise.all(payments.map((payment) => deliver(others[Number(payment) % others.length], payment)));
			expect(await ran(2 * EVENTS)).toHaveLength(EVENTS);
			const [{ data }] = await executions(trigger);
			expect(data.resultData.runData.Payment[0].hints?.[0].message).toContain('delivered before');
		});

		it('starts nothing more once the workflow is unpublished', async () => {
			await client.deactivate(trigger);
			const answers = async (search?: string) =>
				await Promise.all(webhooks.map((to) => deliver(to, 'late', search)));
			const areGone = async () => (await answers('?token=x')).every((status) => status === 404);
			await waitFor(areGone, { interval: 200 });
			expect(await answers()).toEqual([404, 404]);
			expect(await executions(trigger)).toHaveLength(2 * EVENTS);
		});
	});

	describe('the transaction trigger', () => {
		let trigger: string;

		const fileOf = (version: number) =>
			chainOf('Incoming', [
				nodeOf(
					'Transactions',
					`${PACKAGE}.accountingGatewayTransactionTrigger`,
					// n8n polls when it publishes a version, and when a main process starts; by itself, once a month.
					{
						account_id: 'acc-giro',
						minAmount: String(version),
						pollTimes: { item: [{ mode: 'custom', cronExpression: '0 0 0 1 * *' }] },
					},
					{ id: 'incoming', credentials: queue.credentials },
				),
				nodeOf('Started', 'n8n-nodes-base.noOp'),
			]);
		const polls = () => sandbox.log.entries.filter(({ path }) => path.endsWith('/balances')).length;
		/** Waits until a main process has polled because of something. */
		async function polled(happens: () => unknown): Promise<void> {
			const before = polls();
			await happens();
			await waitFor(() => polls() > before, { interval: 50 });
		}
		const publishAgain = async (version: number) =>
			await polled(async () => await client.api.put(`workflows/${trigger}`, fileOf(version)));
		const transfer = () => sandbox.services.bank.transfer({ amount: 100 }).id;
		/** Waits until the workflow has had so many executions. Returns the transactions that each has run for. */
		async function started(count: number): Promise<unknown[][]> {
			let all: Execution[] = [];
			const areOver = async () => {
				const params = { workflowId: trigger, includeData: true };
				all = (await client.api.get('executions', { params })).data.data;
				return all.length >= count && all.every(({ status }) => status === 'success');
			};
			await waitFor(areOver, { interval: 100 });
			return all
				.reverse()
				.map(({ data }) =>
					(data.resultData.runData.Started?.[0].data?.main[0] ?? []).map(({ json }) => json.id).sort(),
				);
		}

		it('starts the workflow once with each transaction, whichever of two main processes in turn polls', async () => {
			trigger = await client.importWorkflow(fileOf(1));
			await polled(async () => await client.activate(trigger));
			const [one, two] = [transfer(), transfer()].sort();
			await publishAgain(2);
			expect(await started(1)).toEqual([[one, two]]);

			const whileOff: string[] = [];
			await polled(async () => await queue.replaceMain(() => whileOff.push(transfer())));
			({ main, client } = queue);
			expect(await started(2)).toEqual([[one, two], whileOff]);
			const later = transfer();
			await publishAgain(3);
			expect(await started(3)).toEqual([[one, two], whileOff, [later]]);
		});
	});

	describe('a file of advanced entries, which the node remembers', () => {
		const ROWS = [1, 2, 3, 4];
		let file: string;

		/** The amounts of the file in the books. */
		const inTheBooks = () =>
			(sandbox.store.list('entries') as Array<{ fields: { betrag: number; belegzeilen?: object[] } }>)
				.filter(({ fields }) => fields.belegzeilen)
				.map(({ fields }) => fields.betrag);
		const read = async () => await production.post('file', { rows: ROWS.map((betrag) => ({ betrag })) });

		/** @returns of a run, the amounts that are done, whether each was there already, and those that failed */
		function outcome({ data }: Execution) {
			const [done, failed] = data.resultData.runData.Book[0].data!.main;
			const amounts = (items: typeof done) => (items ?? []).map(({ json }) => Number(json.betrag));
			return {
				done: amounts(done),
				existed: done!.map(({ json }) => json.alreadyExisted),
				failed: amounts(failed),
			};
		}

		beforeAll(async () => {
			const betrag = '={{ $json.betrag }}';
			const { connectionId, kassenname, waehrung, transaktionsdatum } = simpleEntry(
				connectionOf(sandbox, 'duo'),
			);
			file = await client.importWorkflow(
				chainOf('File', [
					webhookAt('file'),
					nodeOf('Rows', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.rows' }),
					nodeOf(
						'Book',
						`${PACKAGE}.accountingGatewayDelivery`,
						{
							resource: 'cashBookEntry',
							operation: 'createAdvanced',
							...{ connectionId, kassenname, waehrung, transaktionsdatum, betrag },
							belegzeilen: { belegzeile: [{ betrag, belegtext: 'Tag' }] },
							options: { alreadyBooked: true },
						},
						{ credentials: queue.credentials, onError: 'continueErrorOutput' },
					),
				]),
			);
			await publishedAt(file, 'file');
		});

		it('is not booked again by another worker, nor by one that was restarted, when the first was killed half-way', async () => {
			const operationId = 'createAdvancedCashBookEntry';
			sandbox.faults.add({ kind: 'hang', point: 'after-handler', operationId, after: 2 });
			const lost = read().catch((error: Error) => error);
			await expect.poll(inTheBooks).toEqual([1, 2, 3]);
			const [first, other] = (await begun(workers[0])).includes(await inProgress(file))
				? workers
				: [...workers].reverse();
			const killed = first.pid;
			await first.kill();

			// What was in flight is unknown, and said once; the rest is known or new.
			await read();
			const [second] = await executions(file);
			expect(await begun(other)).toContain(String(second.id));
			expect(outcome(second)).toEqual({ done: [1, 2, 4], existed: [true, true, false], failed: [3] });
			await lost;

			await expect.poll(() => first.pid).not.toBe(killed);
			const isReadByFirst = async () => {
				await read();
				const [again] = await executions(file);
				expect(outcome(again)).toEqual({ done: ROWS, existed: ROWS.map(() => true), failed: [] });
				return (await begun(first)).includes(String(again.id));
			};
			await waitFor(isReadByFirst, { interval: 200 });
			expect(inTheBooks()).toEqual(ROWS);
		});
	});

	it('does not book again what a worker was processing when it died', async () => {
		await axios.post(`${sandbox.url}/sandbox/faults`, { kind: 'hang', point: 'after-handler' });
		const lost = book('K-LOST-1', randomBytes(10)).catch((error: Error) => error);
		await waitFor(() => arrived('K-LOST-1').length === 1);
		const id = await inProgress(workflowId);
		const [busy, idle] = (await begun(workers[0])).includes(id) ? workers : [...workers].reverse();
		await busy.kill();

		const { status, data } = await client.execution(id, PATIENCE_MS);
		expect(['crashed', 'error']).toContain(status);
		// Said by the queue, or by the worker where that has started again before.
		expect(data.resultData.error?.message).toMatch(/will no longer retry|did not finish/);
		// Until n8n has given it up, another worker could still take it.
		await waitFor(isGivenUp, { interval: 200 });
		expect((await book('K-AFTER-1', randomBytes(10))).status).toBe(200);
		expect(await begun(idle)).not.toContain(id);
		expect(sent('K-LOST-1')).toBe(1);
		await lost;
	});

	it('does not book again what a worker was processing when it was blocked, neither meanwhile nor when it goes on', async () => {
		const answer = holdEntries();
		const answered = book('K-BLOCKED-1', randomBytes(10)).catch((error: Error) => error);
		await waitFor(() => arrived('K-BLOCKED-1').length === 1);
		const id = await inProgress(workflowId);
		const [busy] = (await begun(workers[0])).includes(id) ? workers : [...workers].reverse();
		process.kill(busy.pid!, 'SIGSTOP');
		answer();
		try {
			await waitFor(isGivenUp, { interval: 200 });
			// Redis may hand the first one to the blocked worker, which was waiting for work as well.
			let nr = 0;
			const meanwhile = async () => (await book(`K-MEANWHILE-${++nr}`, randomBytes(10))).status;
			await expect.poll(meanwhile).toBe(200);
		} finally {
			process.kill(busy.pid!, 'SIGCONT');
		}
		await client.execution(id, PATIENCE_MS);
		await answered;
		await waitFor(isGivenUp, { interval: 200 });
		expect(sent('K-BLOCKED-1')).toBe(1);
	});
});
