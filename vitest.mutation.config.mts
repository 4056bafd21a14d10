import { defineConfig } from 'vitest/config';
import type { TestModule, Vitest } from 'vitest/node';

import base from './vitest.config.mjs';

let running: Vitest;

/** Stryker looks at tests only: to it, a file that can't be loaded has none that fail. */
const failedImports = {
	onInit: (vitest: Vitest) => {
		running = vitest;
	},
	onTestModuleEnd: (module: TestModule) => {
		for (const error of module.errors()) running.state.catchError(error, 'Failed import');
	},
};

/** The tests that have to notice a mutation, see scripts/mutate.mts. */
export default defineConfig({
	...base,
	test: {
		...base.test,
		include: [`${process.env.MUTATION_TESTS}/**/*.test.mts`],
		// Its subject is time: what survives a mutation would take half a minute.
		exclude: ['**/hostileInput.test.mts'],
		reporters: [failedImports],
	},
});
