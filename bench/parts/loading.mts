/** Time and memory that the package adds to n8n's start. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

import { hostNode } from '../../host/n8n.mjs';
import { packageFolder } from '../../host/package.mjs';
import { ROOT } from '../../scripts/shared/processes.mjs';
import { median, milliseconds, type Part } from '../measurement.mjs';
import { type BenchN8n, N8N_MANIFEST } from '../n8n.mjs';

const LOAD = fileURLToPath(new URL('../load.mjs', import.meta.url));

export async function measureLoading({ n8n }: BenchN8n, roundCount: number): Promise<Part> {
	const loads: Array<{ ms: number; bytes: number }> = [];
	for (let round = 0; round < roundCount; round++) {
		const args = ['--expose-gc', LOAD, N8N_MANIFEST, packageFolder(n8n.userFolder)];
		// n8n sets NODE_PATH so that nodes find n8n's own packages.
		const env = { NODE_PATH: dirname(dirname(N8N_MANIFEST)) };
		const { stdout } = await execa(hostNode(), args, { env });
		loads.push(JSON.parse(stdout) as (typeof loads)[number]);
	}
	const { stdout } = await execa('npm', ['pack', '--dry-run', '--json'], { cwd: ROOT });
	const [{ size, unpackedSize }] = JSON.parse(stdout) as [{ size: number; unpackedSize: number }];
	const ms = median(loads.map((load) => load.ms));
	const megabytes = median(loads.map((load) => load.bytes)) / 1e6;
	return {
		title: 'Loading',
		method: `n8n's own loader in a new process, ${roundCount} times.`,
		measurements: [
			{
				what: "What the package adds to n8n's start: processor time",
				against: 'ms',
				ours: milliseconds(ms),
				value: ms,
			},
			{
				what: "What the package adds to n8n's memory (heap)",
				against: 'MB',
				ours: `${megabytes.toFixed(1)} MB`,
				value: megabytes,
			},
			{
				what: 'The package, as npm downloads it',
				against: 'KB',
				ours: `${(size / 1000).toFixed(0)} KB`,
				value: size / 1000,
				goal: 400,
			},
			{
				what: 'The package, unpacked, with the libraries that read e-invoices',
				against: 'KB',
				ours: `${(unpackedSize / 1000).toFixed(0)} KB`,
				value: unpackedSize / 1000,
			},
		],
	};
}
