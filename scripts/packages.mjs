// Which packages of a lock file are there, and how to get the others. Described in packages.d.mts. Plain JavaScript:
// it runs before anything is installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Explained, runQuietly } from './processes.mjs';

/** The packages that every machine must have, by their place below the folder. */
function readLock(file) {
	const { packages } = JSON.parse(readFileSync(file, 'utf8'));
	return Object.fromEntries(
		Object.entries(packages).filter(
			([place, { optional, devOptional }]) => place && !optional && !devOptional,
		),
	);
}

export function isInstalled(folder) {
	const list = join(folder, 'node_modules/.package-lock.json');
	if (!existsSync(list)) return false;
	const there = readLock(list);
	const wanted = readLock(join(folder, 'package-lock.json'));
	return Object.keys(wanted).every((place) => there[place]?.version === wanted[place].version);
}

/** npm's own waits between retries add up to minutes before it says that there is no network. */
const IMPATIENT = ['--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=20000'];

export async function install(folder, say) {
	const places = Object.keys(readLock(join(folder, 'package-lock.json')));
	const count = (number) => number.toLocaleString('en');
	const timer = setInterval(() => {
		const unpacked = places.filter((place) => existsSync(join(folder, place, 'package.json')));
		if (unpacked.length > 0) say(`${count(unpacked.length)} of ${count(places.length)} packages`);
	}, 1000);
	try {
		await npm(folder, 'ci', '--include=dev', '--no-progress', ...IMPATIENT);
		say(`${count(places.length)} packages`);
	} finally {
		clearInterval(timer);
	}
}

/** What npm says when something outside of this repository is wrong, and what helps. The first that fits counts. */
const REMEDIES = [
	{
		sign: /gyp ERR/,
		help: 'n8n’s database driver could not be compiled. It needs Python 3, make and a C++ compiler: on Debian and Ubuntu `apt-get install python3 make g++`, on macOS `xcode-select --install`.',
	},
	{
		sign: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EIDLETIMEOUT/,
		help: 'npm could not reach its package registry. Check the network connection (behind a proxy: `npm config get proxy`), then run the same command again. What was downloaded so far is kept.',
	},
	{ sign: /ENOSPC/, help: 'The disk is full. The tools need about 1 GB, the demo with n8n 3 GB more.' },
	{ sign: /EACCES|EPERM/, help: 'npm may not write here. Check who owns this folder and its node_modules.' },
];

export async function npm(folder, ...args) {
	const npmScript = process.env.npm_execpath?.endsWith('npm-cli.js') && process.env.npm_execpath;
	const { ended, output } = npmScript
		? await runQuietly(process.execPath, [npmScript, ...args, '--loglevel=error'], { cwd: folder })
		: await runQuietly('npm', [...args, '--loglevel=error'], {
				cwd: folder,
				shell: process.platform === 'win32',
			});
	if (ended === 'well') return;
	const remedy = REMEDIES.find(({ sign }) => sign.test(output));
	const lines = [`\`npm ${args[0]}\` ended ${ended}.`, ...(remedy ? [remedy.help] : [])];
	throw new Explained(`${lines.join(' ')}\n\n${output.split('\n').slice(-12).join('\n')}`);
}
