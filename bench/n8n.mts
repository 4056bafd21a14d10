/** A real n8n with the package installed, for measuring workflows. */
import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import sum from 'lodash/sum.js';
import type { INode, IWorkflowSettings } from 'n8n-workflow';

import { type N8nClient, signIn } from '../host/client.mjs';
import { type N8n, startN8n } from '../host/n8n.mjs';
import { installPackage, packPackage } from '../host/package.mjs';
import { nodeOf } from '../host/workflows.mjs';
import { ROOT } from '../scripts/base/processes.mjs';
import { waitFor } from '../scripts/base/waiting.mjs';
import type { Earlier } from './earlier.mjs';
import type { BenchGateway } from './quickGateway.mjs';

/** No connection is reused, because n8n may close an idle one just as the next request is sent. */
export const httpAgent = new http.Agent({ keepAlive: false });

export const API_KEY = 'bench-key';

/** Path of n8n's package.json. */
export const N8N_MANIFEST = join(ROOT, 'host/n8n/node_modules/n8n/package.json');

/** n8n answers a request to publish before it has registered the webhook. */
const PUBLISHED_WITHIN_MS = 30_000;

/** What is compared: this package and an earlier version of it, each in an n8n of its own. */
export interface Sides {
	now: BenchN8n;
	before: BenchN8n;
	earlier: Earlier;
}

/** What a run took. */
export interface Taken {
	seconds: number;
	/** Milliseconds of processor time, all of n8n's threads together. */
	processor: number;
}

export class BenchN8n {
	private constructor(
		private readonly process: N8n,
		readonly client: N8nClient,
		private readonly tarball?: string,
	) {}

	/** @param tarball of the package, if it isn't the one of this repository */
	static async start(tarball?: string): Promise<BenchN8n> {
		const userFolder = await realpath(await mkdtemp(join(tmpdir(), 'bench-')));
		await installPackage(tarball ?? (await packPackage(join(userFolder, 'package'))), userFolder);
		// n8n's metrics include processor time and memory on every operating system.
		const process = await startN8n({
			userFolder,
			env: { N8N_METRICS: 'true', N8N_CUSTOM_EXTENSIONS: join(ROOT, 'bench/bareNode') },
		});
		const client = await signIn(process.url);
		for (const { defaults } of [client.rest, client.api]) defaults.httpAgent = httpAgent;
		return new BenchN8n(process, client, tarball);
	}

	/** Another one, fresh, with the same package. */
	async another(): Promise<BenchN8n> {
		return await BenchN8n.start(this.tarball);
	}

	async stop(): Promise<void> {
		await this.process.stop();
		await rm(this.userFolder, { recursive: true, force: true });
	}

	get url(): string {
		return this.process.url;
	}

	get userFolder(): string {
		return this.process.userFolder;
	}

	/** Stores a credential for a gateway and returns the reference that nodes use. */
	async credentialsFor({ url }: BenchGateway) {
		const name = `Gateway at ${url}`;
		const data = {
			apiKey: API_KEY,
			baseUrl: url,
			accountingProvider: 'acct',
			// The HTTP Request node uses the same credential.
			allowedHttpRequestDomains: 'all',
		};
		const id = await this.client.importCredential({ name, type: 'accountingGatewayApi', data });
		return { accountingGatewayApi: { id, name } };
	}

	/** Imports a workflow of nodes that follow each other. Returns its ID. */
	async importChain(...nodes: INode[]): Promise<string> {
		return await this.importNodes(nodes, {});
	}

	private async importNodes(nodes: INode[], settings: IWorkflowSettings): Promise<string> {
		const connections = Object.fromEntries(
			nodes
				.slice(1)
				.map((to, i) => [nodes[i].name, { main: [[{ node: to.name, type: 'main' as const, index: 0 }]] }]),
		);
		return await this.client.importWorkflow({ name: nodes.at(-1)!.name, nodes, connections, settings });
	}

	/**
	 * Publishes a workflow of nodes that follow a webhook. n8n stores none of its executions, and sends them to no editor, so that
	 * what is measured is the run.
	 * @returns runs it, until its last node is done
	 */
	async serve(...nodes: INode[]): Promise<() => Promise<void>> {
		const path = randomUUID();
		const parameters = { path, responseMode: 'lastNode', responseData: 'noData' };
		const start = nodeOf('Start', 'n8n-nodes-base.webhook', parameters, {
			typeVersion: 2.1,
			webhookId: path,
		});
		await this.client.activate(
			await this.importNodes([start, ...nodes], {
				saveDataSuccessExecution: 'none',
				saveDataErrorExecution: 'none',
			}),
		);
		const address = `${this.url}/webhook/${path}`;
		await this.published(address);
		return async () => void (await axios.get(address, { proxy: false, httpAgent }));
	}

	/** Waits until n8n serves a webhook. */
	async published(address: string): Promise<void> {
		const isThere = async () => {
			// Neither our trigger nor the webhooks of the benchmarks take this method.
			const { data } = await axios.delete(address, { proxy: false, httpAgent, validateStatus: () => true });
			return /Did you mean to make a \w+ request/.test(data.message);
		};
		await waitFor(isThere, { interval: 100, timeout: PUBLISHED_WITHIN_MS });
	}

	/**
	 * Runs a workflow that starts with a manual trigger named "Start".
	 * @param measured the names of the nodes to measure
	 * @param isSent whether all requests have arrived; polling n8n earlier would slow it down
	 * @returns the seconds that these nodes took, as n8n reports them, and the processor time of the whole run
	 */
	async run(workflowId: string, measured: string[], isSent: () => boolean): Promise<Taken> {
		const before = await this.processorTime();
		const { data } = await this.client.rest.post(`workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: 'Start' },
		});
		// If some requests never arrive, the execution contains the reason.
		await waitFor(isSent).catch(() => {});
		const { status, data: execution } = await this.client.execution(data.data.executionId);
		const { error, runData } = execution.resultData;
		if (status !== 'success') throw new Error(error?.message ?? `The workflow ended with ${status}`);
		return {
			seconds: sum(measured.map((name) => runData[name][0].executionTime)) / 1000,
			processor: (await this.processorTime()) - before,
		};
	}

	/**
	 * Milliseconds of processor time that n8n has used, over all threads. Only the difference between two
	 * values is meaningful.
	 */
	async processorTime(): Promise<number> {
		return (await this.metric('process_cpu_seconds_total')) * 1000;
	}

	/** n8n's memory (RSS) in megabytes. */
	async memory(): Promise<number> {
		return (await this.metric('process_resident_memory_bytes')) / 1e6;
	}

	/** Begins a new measurement of the peak; where the system can't, it is the one since n8n's start. */
	async resetPeak(): Promise<void> {
		await writeFile(`/proc/${this.process.pid}/clear_refs`, '5').catch(() => {});
	}

	/** The most memory (RSS) that n8n has had since its start or the reset, in megabytes; where the system doesn't tell, what it has now. */
	async peak(): Promise<number> {
		const status = await readFile(`/proc/${this.process.pid}/status`, 'utf8').catch(() => '');
		const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(status) ?? [];
		return kilobytes === undefined ? await this.memory() : Number(kilobytes) / 1000;
	}

	private async metric(name: string): Promise<number> {
		const { data } = await axios.get<string>(`${this.url}/metrics`, { proxy: false, httpAgent });
		const [, value] = new RegExp(`^n8n_${name} (\\S+)`, 'm').exec(data) ?? [];
		if (value === undefined) throw new Error(`n8n has no metric ${name}`);
		return Number(value);
	}
}
