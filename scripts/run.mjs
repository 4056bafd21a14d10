// `npm start` and `npm test`: installs what is missing, then hands over. Plain JavaScript without packages, because it
// runs before there are any; not npm's pre-scripts, because .npmrc switches those off.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { install, isInstalled, npm } from './packages.mjs';
import { Explained, handOver, ROOT, runQuietly } from './processes.mjs';
import { step } from './progress.mjs';

const HOST = join(ROOT, 'host');
const DATABASE_DRIVER = join(HOST, 'node_modules/sqlite3/build/Release/node_sqlite3.node');
/** As in package.json's `engines`. */
const OLDEST_NODE = [20, 15];

const COMMANDS = {
	async start(...args) {
		await installTools();
		await installHost();
		return await handOver('--import', 'tsx', 'scripts/start.mts', ...args);
	},
	async test(...args) {
		await installTools();
		await step('Building the package', build);
		return await handOver('node_modules/vitest/vitest.mjs', 'run', ...args);
	},
};

main(...process.argv.slice(2)).catch((error) => {
	console.error(error instanceof Explained ? `\n${error.message}` : error);
	process.exitCode = 1;
});

async function main(name, ...args) {
	checkNode();
	if (!Object.hasOwn(COMMANDS, name ?? ''))
		throw new Explained('Usage: node scripts/run.mjs start|test [arguments]');
	process.exitCode = await COMMANDS[name](...args);
}

function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	const [oldestMajor, oldestMinor] = OLDEST_NODE;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	throw new Explained(
		`Node.js ${process.versions.node} is too old: this needs ${OLDEST_NODE.join('.')} or newer. Install a current version from nodejs.org or with a version manager (\`nvm install --lts\`), then run the same command again.`,
	);
}

async function installTools() {
	if (isInstalled(ROOT)) return;
	await step('Installing the development tools (about 1 minute)', (say) => install(ROOT, say));
}

async function installHost() {
	if (!isInstalled(HOST)) {
		await step('Installing n8n with its own Node.js, 2.3 GB (2 to 4 minutes)', (say) => install(HOST, say));
	}
	if (existsSync(DATABASE_DRIVER)) return;
	// Of all install scripts in n8n's tree this is the only one that is needed.
	await step('Getting n8n’s database driver, compiled if need be (about 1 minute)', () =>
		npm(HOST, 'rebuild', 'sqlite3', '--ignore-scripts=false'),
	);
}

async function build() {
	const { ended, output } = await runQuietly(process.execPath, ['node_modules/gulp/bin/gulp.js', 'build'], {
		cwd: ROOT,
	});
	if (ended !== 'well') throw new Explained(`The build ended ${ended}.\n\n${output}`);
}
