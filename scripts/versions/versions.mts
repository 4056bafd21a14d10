/**
 * `npm run versions -- [version …]`: tests the package on other versions of n8n: whether it loads with n8n's files
 * laid out as in its Docker image, a smoke test on a real n8n, and the node tests on that version's engine. A version may be a tag
 * (`latest`), or one of n8n's images (`docker:stable`), which gets the smoke test only. Without one, it tests `VERSIONS` and writes the
 * table of docs/dev/testing.md.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

import { hostNode } from '../../host/n8n.mjs';
import { PACKAGE, packPackage } from '../../host/package.mjs';
import { directDependencies, installN8n, nodeRange, numberOf } from './n8nVersions.mjs';
import { explainFailures, ROOT, UserError } from '../base/processes.mjs';
import { red, step } from '../base/progress.mjs';
import { measuredAt, tableOf, writeTable } from '../base/tables.mjs';

/** The oldest version that works, some in between, and the newest one that was tested. */
const VERSIONS = ['1.123.81', '2.0.0', '2.40.7', '2.41.1'];

/** Tests that together use most of n8n's engine: files, errors and their output, retries, tools, hooks and webhooks. */
const NODE_TESTS = [
	'test/nodes/AccountingGatewayBankingTrigger/',
	'test/nodes/AccountingGatewayDelivery/',
	'test/nodes/AccountingGatewayFiles/',
	'test/nodes/AccountingGatewayTransactionTrigger/',
	'test/nodes/shared/errors/',
	'test/nodes/shared/run/',
	'test/nodes/shared/gateway/',
];

const SMOKE_TEST = ['--project=shared', 'test/e2e/shared/walk.e2e.mts'];

const VITEST = 'node_modules/vitest/vitest.mjs';

type Row = Record<'n8n' | 'Node.js' | "Loads in Docker's layout" | 'Smoke test' | 'Node tests', string>;

explainFailures();
const isImage = (version: string) => version.startsWith('docker:');
const versions = await Promise.all(
	process.argv.slice(2).map(async (version) => (isImage(version) ? version : await numberOf(version))),
);
const folder = await mkdtemp(join(tmpdir(), 'versions-'));
let works = true;
try {
	const tarball = await packPackage(folder);
	const rows: Row[] = [];
	for (const version of versions.length > 0 ? versions : VERSIONS)
		rows.push(isImage(version) ? await examineImage(version) : await examine(version, tarball));
	const table = tableOf(rows);
	console.log(table);
	if (versions.length === 0)
		await writeTable('docs/dev/testing.md', 'versions', `${table}\n\n${await measuredAt()}.`);
} finally {
	await rm(folder, { recursive: true, force: true });
}
if (!works) {
	console.error(red('Not everything works on each of these.'));
	process.exitCode = 1;
}

async function examine(version: string, tarball: string): Promise<Row> {
	const n8n = await step(`n8n ${version}: installing`, async (say) => await installN8n(version, say));
	return {
		n8n: version,
		'Node.js': await nodeRange(n8n),
		"Loads in Docker's layout": await step(`n8n ${version}: loading`, async (say) => {
			const problem = await load(n8n, tarball);
			if (problem) works = false;
			say(problem || 'loads');
			return problem ? 'fails' : 'yes';
		}),
		'Smoke test': await step(
			`n8n ${version}: smoke test`,
			async (say) => await runTests(process.execPath, SMOKE_TEST, { TESTED_N8N: n8n }, say),
		),
		'Node tests': await step(
			`n8n ${version}: node tests`,
			async (say) => await runTests(hostNode(), NODE_TESTS, { TESTED_N8N: n8n }, say),
		),
	};
}

/** @param version `docker:<tag>`. The node tests need packages that n8n doesn't publish for 3.0. */
async function examineImage(version: string): Promise<Row> {
	const image = version.replace('docker:', 'n8nio/n8n:');
	await step(`${image}: pulling`, async () => await execa('docker', ['pull', '--quiet', image]));
	const number = (await execa('docker', ['run', '--rm', image, '--version'])).stdout;
	const node = (await execa('docker', ['run', '--rm', '--entrypoint=node', image, '--version'])).stdout;
	const smokeTest = await step(
		`${image}: smoke test`,
		async (say) => await runTests(process.execPath, SMOKE_TEST, { TESTED_IMAGE: image }, say),
	);
	return {
		n8n: `${number.trim()} (image ${image})`,
		'Node.js': node,
		"Loads in Docker's layout": smokeTest.endsWith(' passed') ? 'yes' : 'no',
		'Smoke test': smokeTest,
		'Node tests': '',
	};
}

/**
 * Loads the package in a folder where it finds only n8n's direct dependencies, as in n8n's image, which pnpm builds.
 * @returns the error, if any
 */
async function load(n8n: string, tarball: string): Promise<string> {
	const layout = await mkdtemp(join(folder, 'image-'));
	const linked = join(layout, 'n8n/node_modules');
	for (const name of await directDependencies(n8n)) {
		const target = [join(n8n, 'node_modules/n8n/node_modules', name), join(n8n, 'node_modules', name)].find(
			(path) => existsSync(path),
		);
		if (!target) continue;
		await mkdir(dirname(join(linked, name)), { recursive: true });
		await symlink(target, join(linked, name), 'junction');
	}
	const installed = join(layout, 'nodes/node_modules', PACKAGE);
	await mkdir(installed, { recursive: true });
	await execa('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
	const program = `
		const { n8n } = require('${PACKAGE}/package.json');
		for (const file of [...n8n.nodes, ...n8n.credentials])
			for (const type of Object.values(require('${PACKAGE}/' + file))) new type();`;
	const { all, exitCode } = await execa(hostNode(), ['-e', program], {
		cwd: join(layout, 'nodes'),
		// n8n sets NODE_PATH in the same way.
		env: { NODE_PATH: linked },
		all: true,
		reject: false,
	});
	return exitCode === 0 ? '' : all;
}

/** @returns the number of tests, and of failed ones */
async function runTests(
	node: string,
	args: string[],
	env: Record<string, string>,
	say: (detail: string) => void,
): Promise<string> {
	const file = join(folder, 'results.json');
	await rm(file, { force: true });
	const { all } = await execa(node, [VITEST, 'run', ...args, '--reporter=json', `--outputFile=${file}`], {
		cwd: ROOT,
		env,
		all: true,
		reject: false,
	});
	if (!existsSync(file)) throw new UserError(all);
	const { numPassedTests, numFailedTests, numTotalTestSuites, success, testResults } = JSON.parse(
		await readFile(file, 'utf8'),
	) as Results;
	if (!success) works = false;
	const failed = testResults.flatMap(({ name, status, message, assertionResults }) => [
		...assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName),
		...(status === 'failed' && assertionResults.length === 0 ? [`${name}: ${message}`] : []),
	]);
	const total = (numPassedTests + numFailedTests).toLocaleString('en');
	const result =
		failed.length > 0 || numTotalTestSuites === 0 ? `${failed.length} of ${total} failed` : `${total} passed`;
	say([result, ...failed].join('\n      '));
	return result;
}

/** Output of Vitest's reporter "json". */
interface Results {
	success: boolean;
	numPassedTests: number;
	numFailedTests: number;
	numTotalTestSuites: number;
	testResults: Array<{
		name: string;
		status: string;
		message: string;
		assertionResults: Array<{ status: string; fullName: string }>;
	}>;
}
