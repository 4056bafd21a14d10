/**
 * Projects are groups of tests with the same requirements. `npm test` runs the project `nodes`, `npm run test:tools` the
 * project `tools`, and `npm run test:e2e` the others.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import sortBy from 'lodash/sortBy.js';

import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';

import { bundledLibraries } from './scripts/build/bundle.mjs';
import FailedTests from './test/support/failedTests.mjs';
import { requireOfN8n } from './host/n8nPackages.mjs';
import { PATIENCE_MS } from './scripts/base/waiting.mjs';

type TestOptions = TestProjectInlineConfiguration['test'];

const { ENGINE_TESTS, GITHUB_ACTIONS, NIGHTLY, RESULTS } = process.env;
const HOST = join(import.meta.dirname, 'host/n8n');

/** Tests without n8n that start npm, git, the sandbox or other programs, or take long. */
const TOOLS = [
	'test/{addOperation,ci}.test.mts',
	'test/{deploy/prepare,resilience/longRun,sandbox/main}.test.mts',
	'test/{demo,package,scripts,support}/**/*.test.mts',
];
/**
 * Tests that depend on n8n's expression engine: any value in any field, one operation in full, and the examples' own
 * expressions. `ENGINE_TESTS=only` runs only these tests, `apart` all others. .ci/run runs these tests on n8n's default engine,
 * which takes several times as long, and all others on the legacy engine.
 */
const ENGINE = [
	'test/conformance/conformance.test.mts',
	'test/nodes/AccountingGatewayBanking/webhook.test.mts',
	'test/nodes/AccountingGatewayDelivery/{cashBookEntry,kassenbestand}.test.mts',
	'test/nodes/shared/run/report/fields.test.mts',
	'test/workflows/foreignText.test.mts',
];
/** Complete examples that run in the test's process: they need the packages of the n8n in host/, but start no n8n. */
const EXAMPLES = ['test/workflows/run/**/*.test.mts'];
/** Tests that share one n8n, which is started once for all of them. */
const SHARED = ['test/{browser,e2e/shared}/**/*.e2e.mts'];
/** The test of queue mode, which starts seven n8n processes. */
const QUEUE = ['test/e2e/queue.e2e.mts'];
/** Tests of an n8n under load, which run only nightly. */
const LOAD = ['test/e2e/*Load.e2e.mts'];
/**
 * What runs only nightly: n8n's older way to publish a workflow, a taken port and the command line of n8n, a second build, an
 * upgrade from an older commit, the words that find a node, and the sandbox's page. Other files leave out single tests by day: see scripts/base/extent.mts.
 */
const NOT_BY_DAY = NIGHTLY
	? []
	: ['test/e2e/{build,n8n,triggerLegacy,upgrade}.e2e.mts', 'test/browser/{sandboxPage,search}.e2e.mts'];

/**
 * The nodes must load the same copy of these packages as n8n-core: a second copy would break `instanceof`.
 * @param resolve finds n8n's packages
 */
const copiesOf = ({ resolve }: NodeJS.Require) => ({
	alias: ['lodash', 'luxon', 'n8n-workflow', 'zod'].map((one) => ({
		find: new RegExp(`^${one}$`),
		replacement: resolve(one),
	})),
});

/** A project whose tests run nodes in n8n's engine, in the test's process. @param n8n finds n8n's packages */
const inEngine = (name: string, test: TestOptions, n8n: NodeJS.Require = requireOfN8n) => ({
	extends: true as const,
	plugins: [bundledLibraries()],
	resolve: copiesOf(n8n),
	test: {
		name,
		setupFiles: ['host/setup.mts'],
		// Not a limit of speed: on a busy machine, a test takes ten times as long as alone.
		testTimeout: 120_000,
		hookTimeout: 120_000,
		...test,
	},
});

/**
 * What takes longest, the longest first: a file that begins last runs alone at the end. Without an earlier run, Vitest goes by a
 * file's size.
 */
const LONGEST = [
	'e2e/queue.e2e.mts',
	'e2e/start.e2e.mts',
	'e2e/kill.e2e.mts',
	'e2e/installation.e2e.mts',
	'browser/delivery.e2e.mts',
	'e2e/shared/mailExamples.e2e.mts',
	'e2e/transactions.e2e.mts',
	'e2e/stop.e2e.mts',
	'workflows/run/receiptsEmail.test.mts',
	'workflows/run/office.test.mts',
	'resilience/faults.test.mts',
	'conformance/tolerance.test.mts',
	'conformance/conformance.test.mts',
].map((file) => join(import.meta.dirname, 'test', file));

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rank = ({ moduleId }: TestSpecification) => LONGEST.indexOf(moduleId) + 1 || Infinity;
		return sortBy(await super.sort(files), rank);
	}
}

/** A group of projects that run beside each other; they have the same number of workers. One waits for n8n a third of the time. */
const ON_N8N = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 1 } };
/** Later and alone. */
const UNDER_LOAD = { maxWorkers: 1, sequence: { groupOrder: 2 } };

/** A project whose tests start a real n8n. */
const onN8n = (name: string, group: TestOptions, test: TestOptions) => ({
	extends: true as const,
	plugins: [bundledLibraries()],
	// Else, Vitest transforms each module of n8n-workflow, once for each worker.
	resolve: copiesOf(requireOfN8n),
	test: {
		name,
		globalSetup: ['test/support/preparedN8n.mts'],
		setupFiles: ['test/support/n8nLog.mts'],
		expect: { poll: { timeout: PATIENCE_MS } },
		testTimeout: 180_000,
		hookTimeout: 300_000,
		...group,
		...test,
	},
});

const n8nManifest = join(HOST, 'node_modules/n8n/package.json');
const examples = () => {
	const env = {
		TESTED_N8N: HOST,
		N8N_RESTRICT_FILE_ACCESS_TO: `${import.meta.dirname};${tmpdir()}`,
	};
	// Beside n8n, everything takes longer.
	const test = { include: EXAMPLES, env, testTimeout: 120_000, ...ON_N8N };
	return inEngine('examples', test, createRequire(n8nManifest));
};

const reporters: Array<Reporter | string | [string, Record<string, unknown>]> = [
	'default',
	new FailedTests(),
];
if (GITHUB_ACTIONS) reporters.push('github-actions');
// .ci/run counts the results of all its steps.
if (RESULTS) reporters.push(['json', { outputFile: join(RESULTS, `${process.pid}.json`) }]);

export default defineConfig({
	test: {
		// n8n-core, the sandbox and the browser's driver take seconds to load, so each worker loads them only once.
		isolate: false,
		sequence: { sequencer: LongestFirst },
		// One worker more than processors, because a third of the time is spent waiting. Vitest's default would leave one
		// processor idle.
		maxWorkers: availableParallelism() + 1,
		restoreMocks: true,
		unstubEnvs: true,
		expect: { poll: { timeout: 20_000 } },
		globalSetup: ['test/support/runFolder.mts'],
		reporters,
		projects: [
			inEngine('nodes', {
				include: ENGINE_TESTS === 'only' ? ENGINE : ['test/**/*.test.mts'],
				exclude: [...TOOLS, ...EXAMPLES, ...(ENGINE_TESTS === 'apart' ? ENGINE : [])],
			}),
			inEngine('tools', { include: TOOLS }),
			...(existsSync(n8nManifest) ? [examples()] : []),
			onN8n('e2e', ON_N8N, {
				include: ['test/e2e/**/*.e2e.mts'],
				exclude: [...SHARED, ...QUEUE, ...LOAD, ...NOT_BY_DAY],
			}),
			onN8n('shared', ON_N8N, {
				include: SHARED,
				exclude: NOT_BY_DAY,
				globalSetup: ['test/support/preparedN8n.mts', 'test/support/sharedN8n.mts'],
			}),
			onN8n('queue', ON_N8N, { include: QUEUE }),
			onN8n('load', UNDER_LOAD, { include: LOAD }),
		],
	},
});
