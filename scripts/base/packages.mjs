// Installs what a lock file lists. Plain JavaScript: it runs before anything is installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runQuietly, UserError } from './processes.mjs';

/**
 * The packages of a lock file that aren't optional, by their path below the folder.
 *
 * @param {string} file
 * @returns {Record<string, { version: string }>}
 */
function readLock(file) {
	const { packages } = JSON.parse(readFileSync(file, 'utf8'));
	return Object.fromEntries(
		Object.entries(packages).filter(([path, { optional, devOptional }]) => path && !optional && !devOptional),
	);
}

/**
 * Whether the folder's last complete installation matches its lock file. npm writes its own list at the end,
 * so an interrupted installation isn't considered complete.
 *
 * @param {string} folder
 */
export function isInstalled(folder) {
	const list = join(folder, 'node_modules/.package-lock.json');
	if (!existsSync(list)) return false;
	const installed = readLock(list);
	const wanted = readLock(join(folder, 'package-lock.json'));
	return Object.keys(wanted).every((path) => installed[path]?.version === wanted[path].version);
}

/** Shortens npm's pauses between retries: without network, its defaults delay the error by minutes. */
const IMPATIENT = ['--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=20000'];

/** @param {number} number */
const format = (number) => number.toLocaleString('en');

/**
 * `npm ci` in the folder. Its .npmrc disables install scripts.
 *
 * @param {string} folder
 * @param {(detail: string) => void} say gets the number of packages unpacked so far
 * @param {AbortSignal} [stop]
 */
export async function install(folder, say, stop) {
	const paths = Object.keys(readLock(join(folder, 'package-lock.json')));
	const timer = setInterval(() => {
		const unpacked = paths.filter((path) => existsSync(join(folder, path, 'package.json')));
		if (unpacked.length > 0) say(`${format(unpacked.length)} of ${format(paths.length)} packages`);
	}, 1000);
	try {
		await npm(folder, ['ci', '--include=dev', '--no-progress', ...IMPATIENT], stop);
		say(`${format(paths.length)} packages`);
	} finally {
		clearInterval(timer);
	}
}

const NETWORK = 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EIDLETIMEOUT';

/** npm's messages about problems outside this repository, each with advice. The first match is used. */
const REMEDIES = [
	{
		sign: new RegExp(`gyp ERR![^]*(network connectivity|${NETWORK})`),
		help: 'n8n’s database driver can be neither downloaded ready-made (from github.com) nor compiled, because Node.js’s headers (from nodejs.org) are missing. Allow one of the two addresses, then run the same command again; or name the folder of a Node.js that has its headers in `npm_config_nodedir` (/usr, where Node.js is in /usr/bin).',
	},
	{
		sign: /gyp ERR!/,
		help: 'n8n’s database driver could not be compiled, and a ready-made one could not be downloaded (from github.com). Compiling needs Python 3, make and a C++ compiler: on Debian and Ubuntu `apt-get install python3 make g++`, on macOS `xcode-select --install`, on Windows Visual Studio’s Build Tools with “Desktop development with C++”.',
	},
	{
		sign: new RegExp(NETWORK),
		help: 'npm could not reach its package registry. Check the network connection (behind a proxy: `npm config get proxy`), then run the same command again. What was downloaded so far is kept.',
	},
	{ sign: /ENOSPC/, help: 'The disk is full. The tools need about 1 GB, the demo with n8n 3 GB more.' },
	{
		sign: /EACCES|EPERM/,
		help: 'npm isn’t allowed to write here. Check who owns this folder and its node_modules.',
	},
];

/**
 * Runs npm in the folder. If npm fails, throws its last lines and advice.
 *
 * @param {string} folder
 * @param {string[]} args
 * @param {AbortSignal} [stop]
 * @returns {Promise<string>} npm's output
 */
export async function npm(folder, args, stop) {
	const npmScript = process.env.npm_execpath?.endsWith('npm-cli.js') && process.env.npm_execpath;
	const quietly = [...args, '--loglevel=error'];
	const result = npmScript
		? await runQuietly(process.execPath, [npmScript, ...quietly], { cwd: folder, stop })
		: await runQuietly('npm', quietly, { cwd: folder, stop, shell: process.platform === 'win32' });
	explain(`npm ${args[0]}`, result);
	return result.output;
}

/**
 * Throws the last lines of a failed program's output, and advice.
 *
 * @param {string} command
 * @param {import('./processes.mjs').RunResult} result
 */
export function explain(command, { ok, reason, output }) {
	if (ok) return;
	const remedy = REMEDIES.find(({ sign }) => sign.test(output));
	const lines = [`\`${command}\` failed (${reason}).`, ...(remedy ? [remedy.help] : [])];
	throw new UserError(`${lines.join(' ')}\n\n${output.split('\n').slice(-12).join('\n')}`);
}

/** pnpm is one of the development tools. */
const PNPM = join(ROOT, 'node_modules/pnpm/bin/pnpm.cjs');

/**
 * Whether the folder's installation by pnpm matches its lock file. pnpm copies the lock file at the end of an installation.
 *
 * @param {string} folder
 */
export function isInstalledByPnpm(folder) {
	const [wanted, installed] = ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((name) =>
		join(folder, name),
	);
	return existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(wanted, 'utf8');
}

/**
 * Installs n8n and its dependencies with pnpm, because npm takes three times as long.
 *
 * @param {string} folder
 * @param {(detail: string) => void} say gets the number of packages in place
 * @param {{ lock?: string, stop?: AbortSignal }} [options] `lock` `--frozen-lockfile`: exactly what the lock file
 * lists; `--no-frozen-lockfile`: as far as it fits
 */
export async function installByPnpm(folder, say, { lock = '--frozen-lockfile', stop } = {}) {
	/** @param {string} text */
	const onOutput = (text) => {
		const added = /.*\badded (\d+)/s.exec(text)?.[1];
		if (added) say(`${format(Number(added))} packages`);
	};
	const args = ['install', lock, '--ignore-workspace', '--reporter=append-only', ...IMPATIENT];
	explain(
		'pnpm install',
		await runQuietly(process.execPath, [PNPM, ...args], { cwd: folder, onOutput, stop }),
	);
}

/**
 * The version of a package in a folder's lock file of pnpm.
 *
 * @param {string} folder
 * @param {string} name
 */
export function versionInLock(folder, name) {
	const lock = readFileSync(join(folder, 'pnpm-lock.yaml'), 'utf8');
	const found = new RegExp(`^ {2}${name}@(\\d[\\w.-]*):$`, 'm').exec(lock)?.[1];
	if (!found) throw new Error(`The lock file of ${folder} has no ${name}`);
	return found;
}
