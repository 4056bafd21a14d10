import { defineConfig } from 'vitest/config';

import { PATIENCE_MS } from './test/support/patience.mjs';

/** Files that share one n8n, which is started for all of them. */
const SHARED = ['test/{browser,e2e/shared}/**/*.e2e.mts'];
/** Files that start several n8ns, or measure one. */
const ALONE = ['test/e2e/{queue,triggerLoad}.e2e.mts'];

const PREPARE = ['test/support/runFolder.mts', 'test/support/preparedN8n.mts'];

/** The tests on a real n8n, two files at a time: `npm run test:e2e`. */
export default defineConfig({
	test: {
		maxWorkers: 2,
		// The sandbox, the browser's driver and the rest take two seconds to load: load them once for each worker, not
		// for each file.
		isolate: false,
		setupFiles: ['test/support/n8nLog.mts'],
		projects: [
			{
				extends: true,
				test: {
					name: 'e2e',
					include: ['test/e2e/**/*.e2e.mts'],
					exclude: [...SHARED, ...ALONE],
					globalSetup: PREPARE,
				},
			},
			{
				extends: true,
				test: {
					name: 'shared',
					include: SHARED,
					globalSetup: [...PREPARE, 'test/support/sharedN8n.mts'],
				},
			},
			{
				extends: true,
				test: {
					name: 'alone',
					include: ALONE,
					globalSetup: PREPARE,
					maxWorkers: 1,
					sequence: { groupOrder: 1 },
				},
			},
		],
		expect: { poll: { timeout: PATIENCE_MS } },
		testTimeout: 180_000,
		hookTimeout: 300_000,
	},
});
