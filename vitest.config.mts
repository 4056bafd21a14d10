import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import sortBy from 'lodash/sortBy.js';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { bundledLibraries } from './scripts/build/bundle.mjs';
import { requireOfN8n } from './test/support/n8nPackages.mjs';
import { PATIENCE_MS } from './test/support/timing.mjs';

/** Files that take long, the longest one first: if one started last, the other workers would be idle. */
const LONG = [
	'resilience/faults',
	'nodes/shared/eInvoice/hostile',
	'nodes/AccountingGatewayBanking/webhook',
	'nodes/AccountingGatewayBanking/reads',
	'resilience/secrets',
	'conformance/conformance',
	'conformance/tolerance',
];

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const place = ({ moduleId }: TestSpecification) => {
			const index = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.mts`));
			return index === -1 ? LONG.length : index;
		};
		return sortBy(await super.sort(files), place);
	}
}

/** Tests without n8n that start npm, git, the sandbox or other programs, or take long. */
const TOOLS = [
	'test/{addOperation,ci}.test.mts',
	'test/{deploy/prepare,resilience/longRun,sandbox/main}.test.mts',
	'test/{package,scripts}/**/*.test.mts',
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
	'test/nodes/shared/run/fields.test.mts',
	'test/workflows/foreignText.test.mts',
];
/** Complete examples that run in the test's process: they need the packages of the n8n in host/, but start no n8n. */
const EXAMPLES = ['test/workflows/run/**/*.test.mts'];
const HOST = fileURLToPath(new URL('host/n8n', import.meta.url));

const { ENGINE_TESTS, RESULTS } = process.env;
const NODES = {
	include: ENGINE_TESTS === 'only' ? ENGINE : ['test/**/*.test.mts'],
	exclude: [...TOOLS, ...EXAMPLES, ...(ENGINE_TESTS === 'apart' ? ENGINE : [])],
};

/** Tests that share one n8n, which is started once for all of them. */
const SHARED = ['test/{browser,e2e/shared}/**/*.e2e.mts'];
/** The test of queue mode, which starts seven n8n processes. */
const QUEUE = ['test/e2e/queue.e2e.mts'];
/**
 * What runs only nightly: n8n's older way to publish a workflow, a second build, the words that find a node, and the sandbox's
 * page. Other files leave out single tests by day: see test/support/extent.mts.
 */
const NIGHTLY = process.env.NIGHTLY
	? []
	: ['test/e2e/{build,triggerLegacy}.e2e.mts', 'test/browser/{sandboxPage,search}.e2e.mts'];
/** Tests of an n8n under load, which run only nightly. */
const LOAD = ['test/e2e/*Load.e2e.mts'];

/** The tests that need no n8n. */
const withoutN8n = ({ resolve }: NodeJS.Require) => ({
	plugins: [bundledLibraries()],
	resolve: {
		// The nodes must load the same copy of these packages as n8n-core: a second copy would break `instanceof`.
		alias: ['lodash', 'luxon', 'n8n-workflow', 'zod'].map((name) => ({
			find: new RegExp(`^${name}$`),
			replacement: resolve(name),
		})),
	},
});
const WITHOUT_N8N = withoutN8n(requireOfN8n);
const SETUP = { setupFiles: ['test/support/setup.mts'], testTimeout: 30_000, hookTimeout: 60_000 };

/** Settings of the tests on a real n8n. */
const ON_N8N = {
	setupFiles: ['test/support/n8nLog.mts'],
	expect: { poll: { timeout: PATIENCE_MS } },
	testTimeout: 180_000,
	hookTimeout: 300_000,
};
const PREPARE = 'test/support/preparedN8n.mts';
/** The group and the workers of a project; groups run one after another. */
const circle = (groupOrder: number, maxWorkers: number) => ({ maxWorkers, sequence: { groupOrder } });

function examples() {
	const env = {
		TESTED_N8N: HOST,
		N8N_RESTRICT_FILE_ACCESS_TO: `${fileURLToPath(new URL('.', import.meta.url))};${tmpdir()}`,
	};
	return {
		extends: true as const,
		...withoutN8n(createRequire(join(HOST, 'node_modules/n8n/package.json'))),
		test: { name: 'examples', include: EXAMPLES, env, ...SETUP },
	};
}

/**
 * Projects are groups of tests with the same requirements. `npm test` runs the project `nodes`, `npm run test:tools` the
 * project `tools`, and `npm run test:e2e` the others.
 */
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
		// .ci/run counts the results of all its steps.
		...(RESULTS && {
			reporters: ['default', ['json', { outputFile: join(RESULTS, `${process.pid}.json`) }]],
		}),
		coverage: { include: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.mts'] },
		projects: [
			{
				extends: true,
				...WITHOUT_N8N,
				test: { name: 'nodes', ...NODES, ...SETUP },
			},
			{
				extends: true,
				...WITHOUT_N8N,
				// npm alone takes half a minute on a busy machine.
				test: { name: 'tools', include: TOOLS, ...SETUP, testTimeout: 120_000 },
			},
			...(existsSync(join(HOST, 'node_modules/n8n/package.json')) ? [examples()] : []),
			{
				extends: true,
				test: {
					name: 'e2e',
					include: ['test/e2e/**/*.e2e.mts'],
					exclude: [...SHARED, ...QUEUE, ...NIGHTLY, ...LOAD],
					globalSetup: [PREPARE],
					...ON_N8N,
					...circle(1, 2),
				},
			},
			{
				extends: true,
				test: {
					name: 'shared',
					include: SHARED,
					exclude: NIGHTLY,
					globalSetup: [PREPARE, 'test/support/sharedN8n.mts'],
					...ON_N8N,
					...circle(1, 2),
				},
			},
			...Object.entries({ queue: QUEUE, load: LOAD }).map(([name, include]) => ({
				extends: true as const,
				test: { name, include, globalSetup: [PREPARE], ...ON_N8N, ...circle(2, 1) },
			})),
		],
	},
});
