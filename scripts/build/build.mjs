// Builds the package when its sources have changed. Plain JavaScript, because gulpfile.js imports it, too.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ROOT, runQuietly, UserError } from '../base/processes.mjs';
import { STAMP } from '../base/stamp.mjs';

/** Everything that the build reads, except files that it generates itself (types, previews). */
const SOURCES = [
	'api/gateway.openapi.yaml',
	'credentials',
	'icons',
	'nodes',
	'scripts/build',
	'scripts/docs/parameterDocs.mts',
	'gulpfile.js',
	'scripts/config/redocly.yaml',
	'tsconfig.json',
	'package.json',
	'package-lock.json',
];

/**
 * The files below a path, or the file that it is.
 *
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function filesIn(path) {
	if (!(await stat(path)).isDirectory()) return [path];
	const entries = await readdir(path, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name))
		.filter((file) => !file.includes('__schema__'));
}

/**
 * A hash of the names and contents of all sources.
 *
 * @param {string} root
 */
async function hashSources(root) {
	const files = (await Promise.all(SOURCES.map((source) => filesIn(join(root, source))))).flat().sort();
	const hash = createHash('sha256');
	for (const file of files) {
		const content = await readFile(file);
		hash.update(`${relative(root, file)} ${content.length}\n`).update(content);
	}
	return hash.digest('hex');
}

/**
 * Must be called before anything but a complete build changes `dist/`.
 *
 * @param {string} [root] the repository
 */
export const clearStamp = async (root = ROOT) => await rm(join(root, STAMP), { force: true });

/**
 * Runs a build and records the hash of its sources.
 *
 * @param {() => Promise<unknown>} build
 * @param {string} [root] the repository
 */
export async function stamped(build, root = ROOT) {
	const hash = await hashSources(root);
	await clearStamp(root);
	await build();
	const stamp = join(root, STAMP);
	await mkdir(dirname(stamp), { recursive: true });
	await writeFile(stamp, hash);
}

/**
 * Whether `dist/` was built from the current sources.
 *
 * @param {string} [root] the repository
 */
export async function isCurrent(root = ROOT) {
	const stamp = join(root, STAMP);
	if (!existsSync(stamp) || !existsSync(join(root, 'dist'))) return false;
	return (await readFile(stamp, 'utf8')) === (await hashSources(root));
}

/**
 * `npm run build`, unless `dist/` is current.
 *
 * @param {AbortSignal} [stop]
 */
export async function buildIfNeeded(stop) {
	if (await isCurrent()) return;
	const gulp = ['node_modules/gulp/bin/gulp.js', 'build'];
	const { ok, reason, output } = await runQuietly(process.execPath, gulp, { cwd: ROOT, stop });
	if (!ok) throw new UserError(`The build failed (${reason}).\n\n${output}`);
}
