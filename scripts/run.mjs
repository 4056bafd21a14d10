// Behind `npm start`, `npm test` and others: installs what is missing, then runs the program. Plain JavaScript without
// packages, because it runs before any are installed; npm's pre-scripts can't do this, because .npmrc disables them.
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildIfNeeded } from './build/build.mjs';
import {
	install,
	installByPnpm,
	isInstalled,
	isInstalledByPnpm,
	npm,
	versionInLock,
} from './base/packages.mjs';
import {
	Interrupted,
	localAddressesDirectly,
	ROOT,
	spawnInherited,
	stopRequest,
	UserError,
} from './base/processes.mjs';
import { red, step } from './base/progress.mjs';
import { nightly } from './nightly.mjs';
import { checkHome, checkRoom, checkUserFolder, userFolderIn, whenFull } from '../demo/room.mjs';
import { noHostFor } from '../demo/platform.mjs';

const HOST = join(ROOT, 'host/n8n');
const DATABASE_DRIVER = join(HOST, 'node_modules/sqlite3/build/Release/node_sqlite3.node');
const VITEST = 'node_modules/vitest/vitest.mjs';
const BUGS = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).bugs.url;

const ESLINT = 'node_modules/eslint/bin/eslint.js';
const OXLINT = 'node_modules/oxlint/bin/oxlint';
const PRETTIER = 'node_modules/prettier/bin/prettier.cjs';
/** n8n's official rules (what `n8n-node lint` runs), but no comment in a file can disable one, and warnings count. */
const N8N_RULES = [ESLINT, '--no-inline-config', '--max-warnings=0', '--ignore-pattern=tmp/', '.'];
const OWN_RULES = [OXLINT, '--config=scripts/config/oxlint.jsonc', '--type-aware', '--deny-warnings', '.'];
const TYPES = [
	'node_modules/typescript-native/bin/tsc',
	'-p',
	'scripts/config/tsconfig.json',
	'--singleThreaded',
];
const CONTRACT = ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--config=scripts/config/redocly.yaml'];
const FORMAT = [PRETTIER, '--check', '--cache', '--log-level=warn', '.'];

/**
 * What `npm run` calls, by the names of package.json, and what .ci/step calls.
 *
 * @type {Record<string, (...args: string[]) => Promise<number>>}
 */
const COMMANDS = {
	async start(...args) {
		await checkUserFolder(userFolderIn(args));
		return await runHere('../demo/start.mts', args);
	},
	async dev(...args) {
		return await runHere('../demo/dev.mts', args);
	},
	async test(...args) {
		// A named test file runs in the project that it belongs to.
		const isNamed = args.some((arg) => !arg.startsWith('-'));
		if (!isNamed)
			console.log(
				'Runs the tests that need no n8n: each node in n8n’s engine against the sandbox. It takes about two minutes. `npm test -- test/nodes/shared/values` runs a part.\n',
			);
		await installTools();
		return await runTests(isNamed ? ['nodes', 'tools', 'examples'] : ['nodes'], args);
	},
	async 'test:tools'(...args) {
		await installTools();
		return await runTests(['tools'], args);
	},
	async 'test:e2e'(...args) {
		await installHost();
		return await runTests(['examples', 'e2e', 'shared', 'queue', 'load'], args);
	},
	async pack(folder = '.') {
		await installTools();
		return await spawnInherited('--import', 'tsx', 'scripts/release/pack.mts', folder);
	},
	async versions(...args) {
		await installHost();
		return await spawnInherited('--import', 'tsx', 'scripts/versions/versions.mts', ...args);
	},
	async bench(...args) {
		await installHost();
		return await spawnInherited('--import', 'tsx', 'bench/main.mts', ...args);
	},
	async nightly(...args) {
		await installHost();
		await step('Building the package', () => buildIfNeeded());
		return await nightly(args);
	},
	async lint(...args) {
		await installTools();
		Object.assign(process.env, { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' });
		if (args.includes('--fix'))
			return await runInTurn([...N8N_RULES, '--fix'], [...OWN_RULES, '--fix'], FORMAT.with(1, '--write'));
		return await runInTurn(N8N_RULES, OWN_RULES, TYPES, CONTRACT, FORMAT);
	},
	async install() {
		await installTools();
		return 0;
	},
	async 'install-n8n'() {
		await installHost();
		return 0;
	},
};

/** How long this process may stay alive after everything is done, before it is forced to exit. */
const LAST_WORDS_MS = 1_000;

main().catch((error) => {
	if (error instanceof Interrupted) console.error(`\n${error.message}`);
	else if (error instanceof UserError) console.error(`\n${red(error.message)}`);
	else console.error(error, `\nThis shouldn’t happen. Please report it with these lines: ${BUGS}`);
	process.exitCode = error instanceof Interrupted ? error.exitCode : 1;
	setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
});

async function main() {
	checkNode();
	const [name, ...args] = process.argv.slice(2);
	if (!Object.hasOwn(COMMANDS, name ?? ''))
		throw new UserError(`Usage: node scripts/run.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`);
	localAddressesDirectly();
	process.exitCode = await COMMANDS[name](...args);
	setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}

/**
 * Runs a program of this folder in this process. Only this process handles signals, from before the first installation
 * until everything has ended.
 *
 * @param {string} file
 * @param {string[]} args
 */
async function runHere(file, args) {
	const request = stopRequest();
	await checkHome();
	const stop = AbortSignal.any([request, whenFull([homedir(), tmpdir(), ROOT])]);
	await installHost(stop);
	const { register } = await import('tsx/esm/api');
	register();
	const { run } = await import(new URL(file, import.meta.url).href);
	return await run(args, stop);
}

/** The sandbox's libraries require ES modules, which Node.js allows from 20.19 and 22.12 on. */
function checkNode() {
	if (process.features.require_module) return;
	throw new UserError(
		`Node.js ${process.versions.node} is too old: this needs 20.19, 22.12 or newer. Install a current version from nodejs.org or with a version manager (\`nvm install --lts\`), then run the same command again.`,
	);
}

/**
 * Runs Node programs one after another, also after one that failed.
 *
 * @param {string[][]} programs
 * @returns {Promise<number>} the highest exit code
 */
async function runInTurn(...programs) {
	const codes = [];
	for (const program of programs) codes.push(await spawnInherited(...program));
	return Math.max(...codes);
}

/**
 * Runs the tests of some projects of vitest.config.mts, unless the arguments name others.
 *
 * @param {string[]} projects
 * @param {string[]} args
 */
async function runTests(projects, args) {
	await step('Building the package', () => buildIfNeeded());
	const wanted = args.some((arg) => arg.startsWith('--project')) ? [] : projects;
	return await spawnInherited(VITEST, 'run', ...wanted.map((name) => `--project=${name}`), ...args);
}

/** @param {AbortSignal} [stop] */
async function installTools(stop) {
	if (isInstalled(ROOT)) return;
	await checkHome();
	await checkRoom(ROOT, 1_000, 'the development tools go into its node_modules');
	await step('Installing the development tools (about 1 minute)', (say) => install(ROOT, say, stop));
}

/**
 * Installs n8n. Its installer is one of the development tools.
 *
 * @param {AbortSignal} [stop]
 */
async function installHost(stop) {
	await installTools(stop);
	const reason = noHostFor();
	if (reason) throw new UserError(reason);
	const needsDriver = !existsSync(DATABASE_DRIVER);
	if (isInstalledByPnpm(HOST)) {
		if (needsDriver) await copyDriver(await makeDriver(stop));
		return;
	}
	await checkRoom(HOST, 3_000, 'n8n goes into its node_modules');
	// Linking waits for the disk, compiling for the processor. If one of them fails, the other is of no use.
	const failed = new AbortController();
	const both = stop ? AbortSignal.any([stop, failed.signal]) : failed.signal;
	const work = [
		step('Installing n8n with its own Node.js, 2 GB (about 1 minute)', (say) =>
			installByPnpm(HOST, say, { stop: both }),
		),
		...(needsDriver ? [makeDriver(both)] : []),
	];
	const [, driver] = await Promise.all(work).catch(async (error) => {
		failed.abort(error);
		await Promise.allSettled(work);
		throw error;
	});
	if (driver) await copyDriver(driver);
}

/**
 * Makes n8n's database driver in a folder of its own: of all install scripts among n8n's dependencies, only the driver's is needed.
 *
 * @param {AbortSignal} [stop]
 * @returns {Promise<string>} the folder
 */
async function makeDriver(stop) {
	// Compiling the driver with all optimizations would take twice as long.
	for (const flags of ['CFLAGS', 'CXXFLAGS']) process.env[flags] ??= '-O1';
	const folder = await mkdtemp(join(tmpdir(), 'driver-'));
	await writeFile(join(folder, 'package.json'), '{ "private": true }');
	const driver = `sqlite3@${versionInLock(HOST, 'sqlite3')}`;
	try {
		await step('Getting n8n’s database driver, compiled if need be (about 1 minute)', () =>
			npm(folder, ['install', driver, '--ignore-scripts=false', '--no-audit', '--no-fund'], stop),
		);
		return folder;
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw error;
	}
}

/** @param {string} folder where it was made */
async function copyDriver(folder) {
	const made = relative(HOST, DATABASE_DRIVER);
	await cp(join(folder, made), DATABASE_DRIVER, { recursive: true });
	await rm(folder, { recursive: true, force: true });
}
