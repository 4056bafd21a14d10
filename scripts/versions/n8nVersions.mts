/** Installs other versions of n8n than the one in host/n8n/, each in its own folder, kept for the next time. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

import { installByPnpm } from '../base/packages.mjs';
import { ROOT, UserError } from '../base/processes.mjs';

const HOST = join(ROOT, 'host/n8n');
const VERSIONS = join(ROOT, 'host/versions');
/** n8n's compiled database driver. All n8n versions since 1.100 use the same version of it. */
const DRIVER = 'node_modules/sqlite3/build/Release/node_sqlite3.node';

interface Manifest {
	version: string;
	engines: { node: string };
	dependencies: Record<string, string>;
	pnpm: { overrides: Record<string, string> };
}

/** Installs a version of n8n unless it is installed. Returns its folder, which has `node_modules`. */
export async function installN8n(version: string, say: (detail: string) => void): Promise<string> {
	const host = await readManifest(HOST);
	if (version === host.dependencies.n8n) return HOST;
	const folder = join(VERSIONS, version);
	if (existsSync(join(folder, DRIVER))) return folder;
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), JSON.stringify(await manifestFor(version, host), null, '\t'));
	// pnpm keeps the locked versions wherever a range allows it; the newest versions of all packages don't always work
	// together.
	for (const file of ['.npmrc', '.pnpmfile.cjs', 'pnpm-lock.yaml']) {
		await copyFile(join(HOST, file), join(folder, file));
	}
	await installByPnpm(folder, say, { lock: '--no-frozen-lockfile' });
	await mkdir(dirname(join(folder, DRIVER)), { recursive: true });
	await copyFile(join(HOST, DRIVER), join(folder, DRIVER));
	return folder;
}

/** The version number for a number or a tag (`latest`). */
export const numberOf = async (version: string): Promise<string> => (await view(`n8n@${version}`)).version;

/** The range of Node.js versions that an installed n8n requires. */
export async function nodeRange(folder: string): Promise<string> {
	return (await readManifest(join(folder, 'node_modules/n8n'))).engines.node;
}

/** Names of an installed n8n's direct dependencies. */
export async function directDependencies(folder: string): Promise<string[]> {
	return Object.keys((await readManifest(join(folder, 'node_modules/n8n'))).dependencies);
}

async function manifestFor(version: string, host: Manifest) {
	const { dependencies } = await view(`n8n@${version}`);
	const langchain = await view(`@n8n/n8n-nodes-langchain@${dependencies['@n8n/n8n-nodes-langchain']}`);
	return {
		name: `n8n-${version}`,
		private: true,
		dependencies: { ...host.dependencies, n8n: version },
		pnpm: {
			// n8n's own lock file isn't published. Without it, newer versions of these would be installed, with which
			// n8n doesn't start.
			overrides: {
				...host.pnpm.overrides,
				'@langchain/core': langchain.dependencies['@langchain/core'],
				'@langchain/langgraph-checkpoint@^1.0.0': '1.0.0',
				// Newer versions need a package that not every registry has.
				'linkedom@^0.18.0': '0.18.13',
			},
		},
	};
}

/** Reads a package's manifest from the registry. */
async function view(specifier: string): Promise<Manifest> {
	const { stdout, stderr, exitCode } = await execa('npm', ['view', specifier, '--json'], { reject: false });
	if (exitCode === 0 && stdout) return JSON.parse(stdout) as Manifest;
	throw new UserError(`npm’s registry doesn’t serve ${specifier}.\n${stderr}`);
}

const readManifest = async (folder: string): Promise<Manifest> =>
	JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
