/** Where n8n spends its processor time, by the package that the code belongs to. */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Profiler } from 'node:inspector';
import orderBy from 'lodash/orderBy.js';
import pWaitFor from 'p-wait-for';

import { PACKAGE } from '../host/package.mjs';
import type { BenchN8n } from './n8n.mjs';

const PROFILER = new URL('profiler.mjs', import.meta.url);
const FILE = join(tmpdir(), `bench-${process.pid}.cpuprofile`);

/** With these settings, n8n can be profiled. */
export const PROFILED = { NODE_OPTIONS: `--import ${PROFILER.href}`, BENCH_PROFILE: FILE };

/** Milliseconds of n8n's main thread while something happens, by whose code ran, most first. */
export async function profile(
	{ n8n }: BenchN8n,
	work: () => Promise<unknown>,
): Promise<Array<{ owner: string; ms: number }>> {
	process.kill(n8n.pid!, 'SIGUSR2');
	await work();
	process.kill(n8n.pid!, 'SIGUSR2');
	await pWaitFor(() => existsSync(FILE), { interval: 100, timeout: 30_000 });
	const json = await pWaitFor(async () => pWaitFor.resolveWith(await readProfile()), { timeout: 30_000 });
	await rm(FILE);
	const { nodes, samples = [], timeDeltas = [] } = json;
	const owners = new Map(nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame)]));
	const times = new Map<string, number>();
	samples.forEach((id, i) => {
		const owner = owners.get(id)!;
		times.set(owner, (times.get(owner) ?? 0) + timeDeltas[i] / 1000);
	});
	times.delete('(idle)');
	return orderBy(
		[...times].map(([owner, ms]) => ({ owner, ms })),
		'ms',
		'desc',
	);
}

/** Fails until the file is complete. */
async function readProfile(): Promise<Profiler.Profile> {
	return JSON.parse(await readFile(FILE, 'utf8')) as Profiler.Profile;
}

function ownerOf({ url, functionName }: { url: string; functionName: string }): string {
	if (url.includes(PACKAGE)) return 'this package';
	const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
	if (name) return name;
	if (url.startsWith('node:')) return 'Node.js';
	return functionName.startsWith('(') ? functionName : 'native code';
}
