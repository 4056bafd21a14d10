/** What the package adds to n8n's start. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

import { hostNode } from '../../host/n8n.mjs';
import { packageFolder } from '../../host/package.mjs';
import { alternate, compared, EARLIER, milliseconds, type Part } from '../measurement.mjs';
import { type BenchN8n, N8N_MANIFEST, type Sides } from '../n8n.mjs';

const LOAD = fileURLToPath(new URL('../load.mjs', import.meta.url));

/** Milliseconds of processor time, and bytes of memory. */
interface Load {
	ms: number;
	bytes: number;
}

async function load({ userFolder }: BenchN8n): Promise<Load> {
	const args = ['--expose-gc', LOAD, N8N_MANIFEST, packageFolder(userFolder)];
	// n8n sets NODE_PATH so that nodes find n8n's own packages.
	const { stdout } = await execa(hostNode(), args, { env: { NODE_PATH: dirname(dirname(N8N_MANIFEST)) } });
	return JSON.parse(stdout) as Load;
}

const OURS = 'this package';

export async function measureStart({ now, before }: Sides, roundCount: number): Promise<Part> {
	const contenders = {
		[OURS]: async () => await load(now),
		[EARLIER]: async () => await load(before),
	};
	const rounds = await alternate(contenders, roundCount, 0);
	return {
		title: "n8n's start",
		method: "What the package adds, with n8n's own loader in a new process.",
		figures: [
			...compared(rounds, {
				what: 'Processor time',
				by: ({ ms }) => ms,
				unit: milliseconds,
				of: OURS,
				to: {},
			}),
			...compared(rounds, {
				what: 'Memory (heap)',
				by: ({ bytes }) => bytes / 1e6,
				unit: (value) => `${value.toFixed(1)} MB`,
				of: OURS,
				to: {},
			}),
		],
	};
}
