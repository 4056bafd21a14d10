/** The earlier version of the package that `npm run bench` measures beside this one. */
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

import { ROOT } from '../scripts/base/processes.mjs';

/** The last commit of November 26, 2026: lean, and before the first release. */
const FIRST = 'b27386ae';

export interface Earlier {
	/** A tag, or a commit. */
	name: string;
	/** Its sources. */
	folder: string;
	tarball: string;
}

/** The last release or, before the first one, a commit. */
export async function lastRelease(): Promise<string> {
	const args = ['describe', '--tags', '--abbrev=0', '--match', 'v*'];
	const { failed, stdout } = await execa('git', args, { cwd: ROOT, reject: false });
	return failed ? FIRST : stdout.trim();
}

/**
 * Compiles and packs the package of a commit with today's tools, without the libraries for XML and PDF, which need their own.
 * @param into folder for its sources and the tarball
 */
export async function packEarlier(name: string, into: string): Promise<Earlier> {
	const folder = join(into, name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const archive = await execa('git', ['archive', name], { cwd: ROOT, encoding: 'buffer' });
	await execa('tar', ['-x', '-C', folder], { input: archive.stdout });
	await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
	const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
	await execa('node', [tsc, '-p', 'tsconfig.json', '--singleThreaded'], { cwd: folder });
	await cp(join(folder, 'icons'), join(folder, 'dist/icons'), { recursive: true });
	const { stdout } = await execa('npm', ['pack', '--json'], { cwd: folder });
	const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
	return { name, folder, tarball: join(folder, filename) };
}
