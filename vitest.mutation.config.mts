import { readFileSync } from 'node:fs';

import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestModule, TestSpecification, Vitest } from 'vitest/node';

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

/** Files that don't load n8n's engine come first: the first test that fails ends the trial of a mutation. */
class QuickFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const isSlow = ({ moduleId }: TestSpecification) =>
			/useSandbox|harness/.test(readFileSync(moduleId, 'utf8'));
		return await Promise.resolve([...files].sort((a, b) => Number(isSlow(a)) - Number(isSlow(b))));
	}
}

/** The tests that have to notice a mutation, see scripts/mutate.mts. */
export default defineConfig({
	...base,
	test: {
		...base.test,
		include: [`${process.env.MUTATION_TESTS}/**/*.test.mts`],
		// Its subject is time: what survives a mutation would take half a minute.
		exclude: ['**/hostileInput.test.mts'],
		reporters: [failedImports],
		sequence: { sequencer: QuickFirst },
	},
});
