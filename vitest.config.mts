import { availableParallelism } from 'node:os';

import sortBy from 'lodash/sortBy.js';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { bundledLibraries } from './scripts/build/bundle.mjs';
import { requireOfN8n } from './test/support/engine.mjs';

/** Files that take long, the longest one first: if they started last, the other worker would be idle. */
const LONG = [
	'resilience/faults',
	'resilience/longRun',
	'package/release',
	'nodes/shared/eInvoice/hostile',
	'nodes/AccountingGatewayBanking/webhook/registration',
	'nodes/AccountingGatewayBanking/reads',
	'resilience/secrets',
	'conformance/conformance',
	'conformance/tolerance',
	'addOperation',
	'sandbox/fuzz',
	'sandbox/main',
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

export default defineConfig({
	plugins: [bundledLibraries()],
	resolve: {
		// The nodes get the same copy from n8n that n8n-core loads: a second one would break `instanceof`.
		alias: ['lodash', 'luxon', 'n8n-workflow', 'zod'].map((name) => ({
			find: new RegExp(`^${name}$`),
			replacement: requireOfN8n.resolve(name),
		})),
	},
	test: {
		include: ['test/**/*.test.mts'],
		// n8n-core takes a second to load: load it once for each worker, not for each file.
		isolate: false,
		sequence: { sequencer: LongestFirst },
		// One more than there are processors, because a third of the time is spent waiting; Vitest itself would leave
		// one processor idle.
		maxWorkers: availableParallelism() + 1,
		restoreMocks: true,
		unstubEnvs: true,
		expect: { poll: { timeout: 20_000 } },
		testTimeout: 30_000,
		hookTimeout: 60_000,
		globalSetup: ['test/support/runFolder.mts'],
		setupFiles: ['test/support/setup.mts'],
		coverage: { include: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.mts'] },
	},
});
