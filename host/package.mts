/** Puts this repository's package into an n8n, the way n8n itself installs community nodes. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { buildIfNeeded } from '../scripts/build/build.mjs';
import { npm } from '../scripts/base/packages.mjs';
import { ROOT } from '../scripts/base/processes.mjs';

export const PACKAGE = 'n8n-nodes-accounting-gateway';

/**
 * Packs the package, rebuilt if its sources have changed. What is no release names its commit, so that an installed package
 * can be told from another one.
 * @param folder for the tarball
 * @returns the tarball's path
 */
export async function packPackage(folder: string, stop?: AbortSignal): Promise<string> {
	await mkdir(folder, { recursive: true });
	await buildIfNeeded(stop);
	const unpacked = await mkdtemp(join(tmpdir(), 'pack-'));
	try {
		await npm(ROOT, ['pack', '--pack-destination', unpacked], stop);
		const manifest = await readJson(join(ROOT, 'package.json'));
		const tarball = (of: unknown) => `${PACKAGE}-${String(of)}.tgz`;
		await execa('tar', ['-xzf', tarball(manifest.version)], { cwd: unpacked });
		const version = await versionNow(String(manifest.version));
		await writeJson(join(unpacked, 'package/package.json'), { ...manifest, version });
		const packed = join(resolve(folder), tarball(version));
		// Without what macOS keeps beside files.
		await execa('tar', ['-czf', packed, 'package'], { cwd: unpacked, env: { COPYFILE_DISABLE: '1' } });
		return packed;
	} finally {
		await rm(unpacked, { recursive: true, force: true });
	}
}

/** The version of a package that is packed now; without git, that of package.json. */
async function versionNow(version: string): Promise<string> {
	const git = async (...args: string[]) => {
		const { failed, stdout } = await execa('git', args, { cwd: ROOT, reject: false });
		return failed ? '' : stdout.trim();
	};
	const commit = await git('rev-parse', '--short=12', 'HEAD');
	if (commit === '' || (await git('tag', '--points-at', 'HEAD', '--list', `v${version}`)) !== '')
		return version;
	const isChanged = (await git('status', '--porcelain', '--untracked-files=no')) !== '';
	return `${version}-dev.${commit}${isChanged ? '.changed' : ''}`;
}

/** Whether n8n already has the package as it would be packed now; never, if something has changed since the last commit. */
export async function isInstalled(userFolder: string): Promise<boolean> {
	const manifest = await readJson(join(packageFolder(userFolder), 'package.json')).catch(() => undefined);
	const { version } = await readJson(join(ROOT, 'package.json'));
	const now = await versionNow(String(version));
	return manifest?.version === now && /-dev\.\w+$/.test(now);
}

/** The folder in which n8n looks for the installed package. */
export const packageFolder = (userFolder: string): string =>
	join(userFolder, '.n8n/nodes/node_modules', PACKAGE);

/**
 * Installs a tarball as a community node, replacing any older one, with the same steps as n8n's own installation from
 * the registry; n8n finds the package at its next start.
 */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	const nodes = join(userFolder, '.n8n/nodes');
	const folder = packageFolder(userFolder);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await execa('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);

	const manifest = await readJson(join(folder, 'package.json'));
	for (const kind of ['devDependencies', 'peerDependencies', 'optionalDependencies']) delete manifest[kind];
	await writeJson(join(folder, 'package.json'), manifest);

	const list = join(nodes, 'package.json');
	const installed = await readJson(list).catch((): Json => ({ name: 'installed-nodes', private: true }));
	installed.dependencies = { ...installed.dependencies, [PACKAGE]: manifest.version };
	await writeJson(list, installed);
}

type Json = { dependencies?: Record<string, unknown>; [key: string]: unknown };

const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Json;
const writeJson = async (file: string, value: Json) => await writeFile(file, JSON.stringify(value, null, 2));
