import { readdirSync, readFileSync } from 'node:fs';

import lodash from 'lodash';
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

/** Whether a test loads n8n's engine, which takes a second or more each time. */
const isSlow = (file: string) => /useSandbox|[hH]arness|loadNode/.test(readFileSync(file, 'utf8'));

/** The first test that fails ends the trial of a mutation. */
class QuickFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		return await Promise.resolve(lodash.sortBy(files, ({ moduleId }) => isSlow(moduleId)));
	}
}

const folder = String(process.env.MUTATION_TESTS);
const slow = process.env.MUTATION_QUICK
	? readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.map((name) => `${folder}/${name}`)
			.filter((file) => file.endsWith('.test.mts') && isSlow(file))
	: [];

/** The tests that have to notice a mutation, see scripts/mutate.mts. */
export default defineConfig({
	...base,
	test: {
		...base.test,
		include: [`${folder}/**/*.test.mts`],
		// Its subject is time: what survives a mutation would take half a minute.
		exclude: ['**/hostileInput.test.mts', ...slow],
		reporters: [failedImports],
		sequence: { sequencer: QuickFirst },
	},
});
