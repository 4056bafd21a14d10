// `npm start` and `npm test`: installs what is missing, then runs the program. Plain JavaScript without packages, because
// it runs before there are any; not npm's pre-scripts, because .npmrc switches those off.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfNeeded } from './build.mjs';
import { install, installByPnpm, isInstalled, isInstalledByPnpm, npm } from './packages.mjs';
import { ROOT, spawnInherited, UserError } from './processes.mjs';
import { step } from './progress.mjs';

const HOST = join(ROOT, 'host/n8n');
const DATABASE_DRIVER = join(HOST, 'node_modules/sqlite3/build/Release/node_sqlite3.node');
const VITEST = 'node_modules/vitest/vitest.mjs';
/** As in package.json's `engines`. */
const OLDEST_NODE = [20, 15];

/** @type {Record<string, (...args: string[]) => Promise<number>>} */
const COMMANDS = {
	async start(...args) {
		await installTools();
		await installHost();
		return await spawnInherited('--import', 'tsx', 'scripts/start.mts', ...args);
	},
	async dev(...args) {
		await installTools();
		await installHost();
		return await spawnInherited('--import', 'tsx', 'scripts/dev.mts', ...args);
	},
	async test(...args) {
		await installTools();
		await step('Building the package', buildIfNeeded);
		return await spawnInherited(VITEST, 'run', ...args);
	},
	async e2e(...args) {
		await installTools();
		await installHost();
		await step('Building the package', buildIfNeeded);
		return await spawnInherited(VITEST, 'run', '--config', 'vitest.e2e.config.mts', ...args);
	},
	async versions(...args) {
		await installTools();
		await installHost();
		return await spawnInherited('--import', 'tsx', 'scripts/versions.mts', ...args);
	},
	async install() {
		await installTools();
		return 0;
	},
	async 'install-n8n'() {
		await installTools();
		await installHost();
		return 0;
	},
};

main().catch((error) => {
	console.error(error instanceof UserError ? `\n${error.message}` : error);
	process.exitCode = 1;
});

async function main() {
	checkNode();
	const [name, ...args] = process.argv.slice(2);
	if (!Object.hasOwn(COMMANDS, name ?? ''))
		throw new UserError(`Usage: node scripts/run.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`);
	process.exitCode = await COMMANDS[name](...args);
}

function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	const [oldestMajor, oldestMinor] = OLDEST_NODE;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	throw new UserError(
		`Node.js ${process.versions.node} is too old: this needs ${OLDEST_NODE.join('.')} or newer. Install a current version from nodejs.org or with a version manager (\`nvm install --lts\`), then run the same command again.`,
	);
}

async function installTools() {
	if (isInstalled(ROOT)) return;
	await step('Installing the development tools (about 1 minute)', (say) => install(ROOT, say));
}

async function installHost() {
	if (!isInstalledByPnpm(HOST)) {
		await step('Installing n8n with its own Node.js, 2 GB (about 1 minute)', (say) =>
			installByPnpm(HOST, say),
		);
	}
	if (existsSync(DATABASE_DRIVER)) return;
	// Compiled with all optimizations, it takes twice as long.
	for (const flags of ['CFLAGS', 'CXXFLAGS']) process.env[flags] ??= '-O1';
	// Of all install scripts in n8n's tree this is the only one that is needed.
	await step('Getting n8n’s database driver, compiled if need be (about 1 minute)', () =>
		npm(HOST, 'rebuild', 'sqlite3', '--ignore-scripts=false'),
	);
}
