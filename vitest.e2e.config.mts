import { defineConfig } from 'vitest/config';

/** The tests on a real n8n, one after another: `npx vitest run --config vitest.e2e.config.mts`. */
export default defineConfig({
	test: {
		include: ['test/{browser,e2e}/**/*.e2e.mts'],
		fileParallelism: false,
		expect: { poll: { timeout: 20_000 } },
		testTimeout: 180_000,
		hookTimeout: 300_000,
	},
});
