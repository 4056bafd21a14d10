/** What the package adds to n8n's start. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

import { hostNode } from '../../host/n8n.mjs';
import { packageFolder } from '../../host/package.mjs';
import { median, milliseconds, type Part } from '../measurement.mjs';
import { type BenchN8n, N8N_MANIFEST } from '../n8n.mjs';

const LOAD = fileURLToPath(new URL('../load.mjs', import.meta.url));

export async function measureStart({ userFolder }: BenchN8n, roundCount: number): Promise<Part> {
	const loads: Array<{ ms: number; bytes: number }> = [];
	for (let round = 0; round < roundCount; round++) {
		const args = ['--expose-gc', LOAD, N8N_MANIFEST, packageFolder(userFolder)];
		// n8n sets NODE_PATH so that nodes find n8n's own packages.
		const { stdout } = await execa(hostNode(), args, { env: { NODE_PATH: dirname(dirname(N8N_MANIFEST)) } });
		loads.push(JSON.parse(stdout) as (typeof loads)[number]);
	}
	const time = median(loads.map(({ ms }) => ms));
	const heap = median(loads.map(({ bytes }) => bytes)) / 1e6;
	return {
		title: "n8n's start",
		method: "n8n's own loader in a new process.",
		figures: [
			{ what: 'What the package adds: processor time', ours: milliseconds(time) },
			{ what: 'What the package adds: memory (heap)', ours: `${heap.toFixed(1)} MB` },
		],
	};
}
