/**
 * Real n8n queue mode without Docker: the processes of deploy/compose.yaml with its settings, each with its own
 * folder and copy of the package as in a container, on a real PostgreSQL and Redis. A process that exits is
 * restarted, as Docker does.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mapValues from 'lodash/mapValues.js';

import { type N8nClient, signIn } from '../../host/client.mjs';
import { type Mode, type N8n, startN8n } from '../../host/n8n.mjs';
import { installPackage } from '../../host/package.mjs';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { storeCredential } from '../../demo/demo.mjs';
import { composeEnvironment } from './compose.mjs';
import { loading, PATIENT_REGEX } from '../../host/intoN8n.mjs';
import { type Postgres, type Redis, type Service, startPostgres, startRedis } from './services.mjs';

export const COMPOSE_FILE = 'deploy/compose.yaml';
/** Not a real address: the test is the proxy in front of the processes. */
export const DOMAIN = 'n8n.example.com';
/** The token that task runners present to their worker. */
export const TOKEN = 'any';

/**
 * Differences from compose.yaml: addresses, and a lost worker is noticed after seconds, not a minute. Not sooner, because a busy
 * machine can block a worker for seconds, and n8n never gives a job that has lost its lock to another worker: the job fails.
 */
const settingsOfTest = (postgres: Service, redis: Service) => ({
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(postgres.port),
	// Events that come at once share few connections. One was answered with 500 on a busy machine, maybe because none came free within
	// n8n's 20 seconds.
	DB_POSTGRESDB_CONNECTION_TIMEOUT: '120000',
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
	// The sandbox is on this machine, not in a network of containers.
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8',
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '1000',
	...loading(PATIENT_REGEX),
});

export class QueueMode {
	main!: N8n;
	readonly workers: N8n[] = [];
	readonly webhooks: N8n[] = [];
	client!: N8nClient;
	private credentialId!: string;
	private isStopping = false;
	/** Those that aren't restarted. */
	private readonly retired = new Set<N8n>();
	private readonly supervised: Array<Promise<void>> = [];

	private constructor(
		private readonly tarball: string,
		private readonly folder: string,
		readonly postgres: Postgres,
		readonly redis: Redis,
		readonly sandbox: Sandbox,
	) {}

	/**
	 * Starts a main process, two webhook processes and two workers.
	 * @param tarball path of the packed package
	 */
	static async start(tarball: string): Promise<QueueMode> {
		const folder = await mkdtemp(join(tmpdir(), 'queue-'));
		await mkdir(join(folder, 'secrets'));
		const redisPassword = randomBytes(24).toString('hex');
		const secrets = {
			encryption_key: randomBytes(24).toString('hex'),
			postgres_password: 'any',
			redis_password: redisPassword,
		};
		for (const [name, secret] of Object.entries(secrets))
			await writeFile(join(folder, 'secrets', name), secret);
		const services = await Promise.all([startPostgres(), startRedis(redisPassword), startSandbox()]);
		const queue = new QueueMode(tarball, folder, ...services);
		try {
			queue.main = await queue.launch('main', 'main');
			queue.client = await signIn(queue.main.url);
			queue.credentialId = await storeCredential(queue.client, queue.sandbox);
			const names = ['webhook-1', 'webhook-2'];
			queue.webhooks.push(...(await Promise.all(names.map((name) => queue.launch('webhook', name)))));
			await Promise.all([queue.addWorker(), queue.addWorker()]);
		} catch (error) {
			await queue.stop();
			throw error;
		}
		return queue;
	}

	/** All processes of n8n, by their mode. */
	get processes(): Array<[Mode, N8n]> {
		return [
			['main', this.main],
			...this.workers.map((worker): [Mode, N8n] => ['worker', worker]),
			...this.webhooks.map((webhook): [Mode, N8n] => ['webhook', webhook]),
		];
	}

	/** A node's reference to the sandbox's credential. */
	get credentials() {
		return { accountingGatewayApi: { id: this.credentialId, name: 'Sandbox' } };
	}

	/** Where the secrets are; in a container, /run/secrets. */
	get secrets(): string {
		return join(this.folder, 'secrets');
	}

	async addWorker(): Promise<void> {
		const at = this.launched.worker;
		this.workers.push(await this.launch('worker', `worker-${at + 1}`));
	}

	/**
	 * Ends the main process for good. Another one, with its own folder, continues with the same database.
	 * @param meanwhile what happens while there is none
	 */
	async replaceMain(meanwhile: () => unknown): Promise<void> {
		this.retired.add(this.main);
		await this.main.stop();
		await meanwhile();
		this.main = await this.launch('main', `main-${this.launched.main + 1}`);
		this.client = await signIn(this.main.url);
	}

	/** How many processes of a mode have been started. */
	private readonly launched: Record<Mode, number> = { main: 0, worker: 0, webhook: 0 };

	/** Starts a process of compose.yaml, and restarts it when it exits. */
	private async launch(mode: Mode, name: string): Promise<N8n> {
		this.launched[mode]++;
		const userFolder = join(this.folder, name);
		await installPackage(this.tarball, userFolder);
		const variables = { N8N_DOMAIN: DOMAIN, N8N_RUNNERS_AUTH_TOKEN: TOKEN };
		const settings = await composeEnvironment(COMPOSE_FILE, mode, variables);
		const environment = mapValues(settings, (value) => value.replace('/run/secrets', this.secrets));
		const process = await startN8n({
			userFolder,
			mode,
			env: { ...environment, ...settingsOfTest(this.postgres, this.redis) },
		});
		this.supervised.push(this.supervise(process));
		return process;
	}

	private async supervise(process: N8n): Promise<void> {
		for (;;) {
			await process.ended();
			await sleep(500);
			if (this.isStopping || this.retired.has(process)) return;
			// While Redis or PostgreSQL is down, it exits again.
			await process.start().catch(() => {});
		}
	}

	async stop(): Promise<void> {
		this.isStopping = true;
		await Promise.all(this.processes.map(async ([, process]) => await process?.stop()));
		await Promise.all(this.supervised);
		await Promise.all([this.postgres.stop(), this.redis.stop(), this.sandbox.close()]);
		await rm(this.folder, { recursive: true, force: true });
	}
}
