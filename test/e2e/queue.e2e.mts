/**
 * n8n's queue mode for real, without Docker: the processes of compose.yaml with its settings, each with a folder and a
 * copy of the package of its own as in a container, on a real PostgreSQL and a real Redis.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios, { type AxiosInstance } from 'axios';
import type { IDataObject } from 'n8n-workflow';
import pWaitFor from 'p-wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { storeCredential } from '../../scripts/demo.mjs';
import { type Execution, type N8nClient, signIn } from '../../scripts/host/client.mjs';
import { type Mode, type N8n, startN8n } from '../../scripts/host/n8n.mjs';
import { installPackage, packPackage, PACKAGE } from '../../scripts/host/package.mjs';
import { type Service, startPostgres, startRedis } from '../support/services.mjs';

/** More than one worker takes at once, so that both have to work. */
const BOOKINGS = 24;

let folder: string;
let tarball: string;
let postgres: Service;
let redis: Service;
let sandbox: Sandbox;
let main: N8n;
let workers: N8n[];
let webhook: N8n;
let client: N8nClient;
let workflowId: string;
/** The production webhooks of the process that is there for them. */
let production: AxiosInstance;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'queue-'));
	[tarball, postgres, redis, sandbox] = await Promise.all([
		packPackage(folder),
		startPostgres(),
		startRedis(),
		startSandbox(),
	]);
	main = await start('main', 'main');
	[client, webhook, ...workers] = await Promise.all([
		signIn(main.url),
		start('webhook', 'webhook'),
		start('worker', 'worker-1'),
		start('worker', 'worker-2'),
	]);
	production = axios.create({ baseURL: `${webhook.url}/webhook`, validateStatus: () => true });
	workflowId = await publish(await storeCredential(client, sandbox));
});

afterAll(async () => {
	await Promise.all([main, webhook, ...(workers ?? [])].map(async (process) => await process?.stop()));
	await Promise.all([postgres?.stop(), redis?.stop(), sandbox?.close()]);
	await rm(folder, { recursive: true, force: true });
});

/** Starts a process of compose.yaml. */
async function start(mode: Mode, name: string): Promise<N8n> {
	const userFolder = join(folder, name);
	await installPackage(tarball, userFolder);
	return await startN8n({
		userFolder,
		mode,
		env: {
			...(await composeEnvironment(mode)),
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			// A worker that is lost is noticed after seconds, not after a minute.
			QUEUE_WORKER_LOCK_DURATION: '3000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
			QUEUE_WORKER_STALLED_INTERVAL: '1000',
		},
	});
}

/** The settings of a service, with its variables left at their defaults, or at any value where they have none. */
async function composeEnvironment(service: Mode): Promise<Record<string, string>> {
	const { services } = parse(await readFile('compose.yaml', 'utf8'), { merge: true }) as {
		services: Record<Mode, { environment: Record<string, unknown> }>;
	};
	const value = (text: string) =>
		text.replace(/\$\{\w+:(?:-(.*?)|\?.*?)\}/g, (_, initial = 'any') => initial);
	return Object.fromEntries(
		Object.entries(services[service].environment).map(([name, setting]) => [name, value(String(setting))]),
	);
}

/** Publishes a workflow that books what its webhook is sent, with the file as receipt, and answers with the entry. */
async function publish(credentialId: string): Promise<string> {
	const connection = sandbox.world.accounts[0].connections.find(({ module }) => module === 'duo');
	const id = await client.importWorkflow({
		name: 'Cash register',
		nodes: [
			{
				id: 'webhook',
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2.1,
				position: [0, 0],
				webhookId: 'cash-register',
				parameters: { httpMethod: 'POST', path: 'cash-register', responseMode: 'lastNode' },
			},
			{
				id: 'booking',
				name: 'Booking',
				type: `${PACKAGE}.accountingGatewayDelivery`,
				typeVersion: 1,
				position: [200, 0],
				parameters: {
					resource: 'cashBookEntry',
					operation: 'create',
					connectionId: { __rl: true, mode: 'id', value: connection?.id },
					kassenname: { __rl: true, mode: 'id', value: 'Hauptkasse' },
					bewegung: 'EINNAHME',
					betrag: '={{ $json.body.betrag }}',
					steuersatz: '19',
					transaktionsdatum: '2026-03-02T10:15:00',
					belegnummer: '={{ $json.body.belegnummer }}',
					belegtext: 'Tageseinnahme',
					additionalFields: { belegbilder: '*' },
				},
				credentials: { accountingGatewayApi: { id: credentialId, name: 'Accounting Gateway (sandbox)' } },
			},
		],
		connections: { Webhook: { main: [[{ node: 'Booking', type: 'main', index: 0 }]] } },
		settings: {},
	});
	await client.activate(id);
	// n8n publishes after it has answered. A webhook that is there asks for its own method.
	const published = async () => /POST/.test((await production.get('cash-register')).data.message);
	await pWaitFor(published, { interval: 200, timeout: 30_000 });
	return id;
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

const entries = () => sandbox.world.listed('entries') as unknown as Entry[];
const arrived = (belegnummer: string) => entries().filter(({ fields }) => fields.belegnummer === belegnummer);

/** The executions that a worker has begun. */
const begun = async ({ logFile }: N8n) =>
	[...(await readFile(logFile, 'utf8')).matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id);

describe('queue mode', () => {
	it('books everything that comes at once exactly once, with its file byte for byte', async () => {
		// From one byte on, and one that doesn't fit into a chunk of a stream.
		const receipts = Array.from({ length: BOOKINGS }, (_, i) => randomBytes(i === 0 ? 3_000_001 : i));
		const answers = await Promise.all(receipts.map((receipt, i) => book(`K-${i}`, receipt)));

		expect(answers.map(({ status }) => status)).toEqual(receipts.map(() => 200));
		expect(answers.map(({ data }) => data.belegnummer)).toEqual(receipts.map((_, i) => `K-${i}`));
		expect(entries()).toHaveLength(BOOKINGS);
		for (const [i, receipt] of receipts.entries()) {
			expect(arrived(`K-${i}`)).toMatchObject([
				{
					fields: { betrag: 12.5 },
					belegbilder: [{ dateiname: `K-${i}.pdf`, size: receipt.length, sha256: sha256(receipt) }],
				},
			]);
		}
	});

	it('shares the work between the workers, and keeps the files in the database', async () => {
		const shares = await Promise.all(workers.map(begun));
		expect(shares.flat()).toHaveLength(BOOKINGS);
		for (const share of shares) expect(share).not.toHaveLength(0);

		const { data } = await client.api.get('executions', {
			params: { workflowId, includeData: true, limit: 1 },
		});
		const [{ data: run }] = data.data as Execution[];
		const [[item]] = run.resultData.runData.Webhook[0].data!.main as Array<Array<{ binary: IDataObject }>>;
		expect(item.binary.receipt).toMatchObject({ id: expect.stringMatching(/^database:/) as string });
	});

	it('does not book again what a worker had under way when it died', async () => {
		await axios.post(`${sandbox.url}/sandbox/faults`, { kind: 'hang', point: 'after-handler' });
		const lost = book('K-LOST', randomBytes(10)).catch((error: Error) => error);
		await pWaitFor(() => arrived('K-LOST').length === 1, { timeout: 30_000 });
		const [{ id }] = (await client.api.get('executions', { params: { workflowId, limit: 1 } })).data.data;
		const [busy, idle] = (await begun(workers[0])).includes(String(id)) ? workers : [...workers].reverse();
		await busy.kill();

		const { status, data } = await client.execution(id, 60_000);
		expect(['crashed', 'error']).toContain(status);
		expect(data.resultData.error?.message).toContain('will no longer retry');
		expect((await book('K-AFTER', randomBytes(10))).status).toBe(200);
		expect(await begun(idle)).not.toContain(String(id));
		expect(arrived('K-LOST')).toHaveLength(1);
		await lost;
	});
});
