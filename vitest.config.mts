import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const require = createRequire(import.meta.url);

export default defineConfig({
	resolve: {
		// n8n-core loads the CommonJS build; a second copy by import would break `instanceof` on its errors.
		alias: [{ find: /^n8n-workflow$/, replacement: require.resolve('n8n-workflow') }],
	},
	test: {
		include: ['test/**/*.test.mts'],
		// n8n-core takes a second to load: once for each worker, not for each file. Vitest would leave one processor idle.
		isolate: false,
		maxWorkers: '100%',
		restoreMocks: true,
		unstubEnvs: true,
		testTimeout: 30_000,
		hookTimeout: 60_000,
		globalSetup: ['test/support/runFolder.mts'],
		setupFiles: ['test/support/setup.mts'],
		coverage: { include: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.mts'] },
	},
});
