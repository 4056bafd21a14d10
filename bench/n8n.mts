/** A real n8n with the package installed, whose workflows are measured. */
import http from 'node:http';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axios from 'axios';

import { type N8nClient, signIn } from '../host/client.mjs';
import { type N8n, startN8n } from '../host/n8n.mjs';
import { installPackage, packPackage } from '../host/package.mjs';

/** n8n may close a kept connection just when it is used again. */
export const httpAgent = new http.Agent({ keepAlive: false });

export const API_KEY = 'bench-key';

/** n8n's package.json. */
export const N8N_MANIFEST = fileURLToPath(
	new URL('../host/n8n/node_modules/n8n/package.json', import.meta.url),
);

export class BenchN8n {
	private constructor(
		readonly n8n: N8n,
		readonly client: N8nClient,
	) {}

	/** @param env settings of n8n, in place of its defaults */
	static async start(env: Record<string, string> = {}): Promise<BenchN8n> {
		const userFolder = await realpath(await mkdtemp(join(tmpdir(), 'bench-')));
		await installPackage(await packPackage(join(userFolder, 'package')), userFolder);
		const settings = {
			// They say what the process takes, on any system.
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

	/** The credential for a gateway, as nodes refer to it. */
	async credentialsFor(gateway: string) {
		const name = `Gateway at ${gateway}`;
		const data = { apiKey: API_KEY, baseUrl: gateway, accountingProvider: 'acct' };
		const id = await this.client.importCredential({ name, type: 'accountingGatewayApi', data });
		return { accountingGatewayApi: { id, name } };
	}

	/**
	 * Milliseconds of processor time that n8n has used, all its threads together; only the difference of two is
	 * meaningful.
	 */
	async processorTime(): Promise<number> {
		return (await metric(this.n8n, 'process_cpu_seconds_total')) * 1000;
	}

	/** Bytes that n8n has in memory (RSS). */
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
