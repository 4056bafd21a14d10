/**
 * `npm start`, stopped in each of its phases: nothing of it may go on. Each night in each phase by each signal, to the process and
 * to the process group (as a terminal and a service manager send it); by day two phases once (ready: start.e2e.mts).
 */
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';

import { ROOT } from '../../scripts/base/processes.mjs';
import { NIGHTLY } from '../../scripts/base/extent.mjs';
import { createUserFolder } from '../support/preparedN8n.mjs';
import { copyRepository, keepExamples, linkInstalled, processesWith } from '../support/repositoryCopy.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';

/** Within this time everything has to have ended. */
const GONE_WITHIN_MS = 20_000;
/** Only the last phases take so long, and on a busy machine. */
const REACHED_WITHIN_MS = 300_000;

type Signal = 'SIGINT' | 'SIGTERM';
/** Of npm alone only SIGTERM: a SIGINT doesn't get through npm's shell, which waits for the script to take it. */
type Target = 'process' | 'group' | 'npm';

/** A run of `npm start`. */
interface Run {
	printed: string;
	/** The processes that belong to it. */
	processes: () => Promise<string[]>;
}

interface Phase {
	/** The repository in which it happens. */
	prepare?: (repository: string) => Promise<void>;
	/** Whether it has been reached. */
	reached: (run: Run) => Promise<boolean> | boolean;
	/** What it is stopped by when not everything is tried; left out: only nightly. */
	once?: [Signal, Target];
	/** Whether it then ends as it should; before it is ready it ends by the signal. */
	isReady?: boolean;
}

let folder: string;
/** A registry that never answers. */
let registry: Server;
let asked = 0;

const runs =
	(program: string) =>
	async ({ processes }: Run) =>
		(await processes()).some((line) => line.includes(program));

const PHASES: Record<string, Phase> = {
	'installing the tools': {
		prepare: async () => {},
		reached: () => asked > 0,
	},
	'installing n8n': {
		prepare: async (repository) => await linkInstalled(repository, 'node_modules'),
		reached: () => asked > 0,
		once: ['SIGINT', 'group'],
	},
	'getting n8n’s database driver': {
		prepare: async (repository) => {
			await linkInstalled(repository, 'node_modules');
			const host = join(repository, 'host/n8n');
			await mkdir(join(host, 'node_modules/.pnpm'), { recursive: true });
			await cp(join(host, 'pnpm-lock.yaml'), join(host, 'node_modules/.pnpm/lock.yaml'));
		},
		reached: runs('install sqlite3@'),
	},
	building: {
		prepare: async (repository) => await linkInstalled(repository, 'node_modules', 'host/n8n/node_modules'),
		reached: runs('tsc -p tsconfig.json'),
	},
	'starting n8n': { reached: runs('bin/n8n start'), once: ['SIGTERM', 'npm'] },
	'importing the examples': {
		reached: ({ printed }) => printed.includes('Starting n8n'),
	},
	'running the examples': {
		reached: ({ printed }) => printed.includes('importing the example workflows: '),
	},
	// The examples have run: the one that leaves the most open is enough, a published workflow that watches a mailbox.
	ready: {
		prepare: async (repository) => await keepExamples(repository, 'receipts-email'),
		reached: ({ printed }) => printed.includes('Ready.'),
		isReady: true,
	},
};

const CASES = Object.entries(PHASES).flatMap(([name, phase]) =>
	NIGHTLY
		? (['SIGINT', 'SIGTERM'] as const).flatMap((signal) =>
				(['process', 'group', ...(signal === 'SIGTERM' ? (['npm'] as const) : [])] as const).map(
					(target) => ({ name, phase, signal, target }),
				),
			)
		: phase.once
			? [{ name, phase, signal: phase.once[0], target: phase.once[1] }]
			: [],
);

beforeAll(async () => {
	registry = createServer(() => asked++).listen(0, '127.0.0.1');
	await once(registry, 'listening');
});
afterAll(() => {
	registry.closeAllConnections();
	registry.close();
});

const TIMEOUT = { timeout: REACHED_WITHIN_MS + 60_000 };

describe.skipIf(process.platform !== 'linux')('npm start', TIMEOUT, () => {
	let run: Run;

	afterEach(async () => {
		for (const line of await run.processes()) process.kill(Number(line.split(' ', 1)[0]), 'SIGKILL');
		await rm(folder, { recursive: true, force: true });
	});

	it.each(CASES)(
		'leaves nothing running when it is stopped while $name, by $signal to the $target',
		async ({ name, phase, signal, target }) => {
			folder = await mkdtemp(join(tmpdir(), 'stop-'));
			const cwd = phase.prepare ? join(folder, 'repository') : ROOT;
			if (phase.prepare) {
				await copyRepository(cwd);
				await phase.prepare(cwd);
			}
			const userFolder = await createUserFolder(inject('template'), inject('tarball'));
			asked = 0;
			const npm = execa('npm', ['start', '--', '--user-folder', userFolder], {
				cwd,
				env: {
					TMPDIR: folder,
					npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
					npm_config_cache: join(folder, 'npm'),
					npm_config_store_dir: join(folder, 'pnpm'),
				},
				all: true,
				reject: false,
				detached: true,
			});
			run = { printed: '', processes: async () => await processesWith(`TMPDIR=${folder}`) };
			npm.all.on('data', (data: Buffer) => (run.printed += data.toString()));
			await waitFor(
				async () => {
					if (npm.exitCode !== null) throw new Error(`It has ended by itself.\n${run.printed}`);
					return await phase.reached(run);
				},
				{ interval: 50, timeout: REACHED_WITHIN_MS },
			);
			// If it is killed now, the next start has to know of this n8n on the same data.
			const pids = async () => await readFile(join(userFolder, 'npm-start.pid'), 'utf8');
			if (name === 'starting n8n') await expect.poll(pids).toMatch(/^\d+\n\d+\n$/);

			const begun = Date.now();
			const own = (await run.processes()).find((line) => /^\d+ node scripts\/run\.mjs /.test(line))!;
			process.kill(
				{ npm: npm.pid!, group: -npm.pid!, process: Number(own.split(' ', 1)[0]) }[target],
				signal,
			);
			await waitFor(async () => (await run.processes()).length === 0, { timeout: GONE_WITHIN_MS }).catch(
				async () => expect(await run.processes(), run.printed).toEqual([]),
			);
			expect(Date.now() - begun).toBeLessThan(GONE_WITHIN_MS);
			const { exitCode, signal: endedBy } = await npm;
			// npm alone, it ends by the signal itself.
			expect([endedBy ?? exitCode, run.printed]).toEqual([
				expect.toBeOneOf(phase.isReady ? [0, signal] : [signal, { SIGINT: 130, SIGTERM: 143 }[signal]]),
				expect.any(String),
			]);
			expect(run.printed).not.toMatch(/^ {4}at /m);
			if (phase.isReady) expect(run.printed).toContain('✓ Stopping');
		},
	);
});
