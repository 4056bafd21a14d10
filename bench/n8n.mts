/** A real n8n with the package installed, for measuring workflows. */
import http from 'node:http';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axios from 'axios';

import { type N8nClient, signIn } from '../host/client.mjs';
import { type N8n, startN8n } from '../host/n8n.mjs';
import { installPackage, packPackage } from '../host/package.mjs';

/** No connection is reused, because n8n may close an idle one just as the next request is sent. */
export const httpAgent = new http.Agent({ keepAlive: false });

export const API_KEY = 'bench-key';

/** Path of n8n's package.json. */
export const N8N_MANIFEST = fileURLToPath(
	new URL('../host/n8n/node_modules/n8n/package.json', import.meta.url),
);

export class BenchN8n {
	private constructor(
		readonly n8n: N8n,
		readonly client: N8nClient,
	) {}

	/** @param env settings that override n8n's defaults */
	static async start(env: Record<string, string> = {}): Promise<BenchN8n> {
		const userFolder = await realpath(await mkdtemp(join(tmpdir(), 'bench-')));
		await installPackage(await packPackage(join(userFolder, 'package')), userFolder);
		const settings = {
			// n8n's metrics include processor time and memory on every operating system.
			N8N_METRICS: 'true',
			N8N_RESTRICT_FILE_ACCESS_TO: userFolder,
		};
		const n8n = await startN8n({ userFolder, env: { ...settings, ...env } });
		const client = await signIn(n8n.url);
		for (const { defaults } of [client.rest, client.api]) defaults.httpAgent = httpAgent;
		return new BenchN8n(n8n, client);
	}

	async stop(): Promise<void> {
		await this.n8n.stop();
		await rm(this.n8n.userFolder, { recursive: true, force: true });
	}

	/** Stores a credential for a gateway and returns the reference that nodes use. */
	async credentialsFor(gateway: string) {
		const name = `Gateway at ${gateway}`;
		// The HTTP Request node uses the same credential.
		const data = {
			apiKey: API_KEY,
			baseUrl: gateway,
			accountingProvider: 'acct',
			allowedHttpRequestDomains: 'all',
		};
		const id = await this.client.importCredential({ name, type: 'accountingGatewayApi', data });
		return { accountingGatewayApi: { id, name } };
	}

	/**
	 * Milliseconds of processor time that n8n has used, over all threads. Only the difference between two
	 * values is meaningful.
	 */
	async processorTime(): Promise<number> {
		return (await metric(this.n8n, 'process_cpu_seconds_total')) * 1000;
	}

	/** n8n's memory (RSS) in bytes. */
	async memory(): Promise<number> {
		return await metric(this.n8n, 'process_resident_memory_bytes');
	}
}

async function metric({ url }: N8n, name: string): Promise<number> {
	const { data } = await axios.get<string>(`${url}/metrics`, { proxy: false, httpAgent });
	const [, value] = new RegExp(`^n8n_${name} (\\S+)`, 'm').exec(data) ?? [];
	if (value === undefined) throw new Error(`n8n has no metric ${name}`);
	return Number(value);
}
