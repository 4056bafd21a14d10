import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import lodash from 'lodash';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestModule, TestSpecification, Vitest } from 'vitest/node';

import { keepThread } from './scripts/mutation/keptThread.mjs';
import base from './vitest.config.mjs';

let running: Vitest;

/** Stryker looks at tests only: to it, a file that can't be loaded has none that fail. */
const failedImports = {
	onInit: (vitest: Vitest) => {
		running = vitest;
		// What runs only while a file is loaded needs a new thread for each mutation.
		if (!process.env.MUTATION_STATIC) keepThread(vitest);
	},
	onTestModuleEnd: (module: TestModule) => {
		for (const error of module.errors()) running.state.catchError(error, 'Failed import');
	},
};

/** Whether a test loads n8n's engine, which takes a second or more each time. */
const isSlow = (file: string) => /useSandbox|[hH]arness|loadNode/.test(readFileSync(file, 'utf8'));

/** Of the sources. */
const folder = String(process.env.MUTATION_FOLDER);

const filesIn = (path: string) =>
	readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => `${path}/${name}`);

/** The names of the sources, without ending, by the IDs of their mutations, which Stryker has written into them. */
const sources = lodash.memoize(
	() =>
		new Map(
			filesIn(folder)
				.filter((file) => file.endsWith('.ts'))
				.flatMap((file) => {
					const ids = readFileSync(file, 'utf8').matchAll(/stryMutAct_\w+\("(\d+)"\)/g);
					return [...ids].map(([, id]) => [id, basename(file, '.ts')] as const);
				}),
		),
);

/** The first test that fails ends the trial of a mutation: the tests of the mutated source, then those that are quick. */
class TellingFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const { activeMutant } = this.ctx.getRootProject().getProvidedContext() as { activeMutant?: string };
		const tests = `${sources().get(activeMutant ?? '')}.test.mts`;
		const ranks = [
			({ moduleId }: TestSpecification) => basename(moduleId) !== tests,
			({ moduleId }: TestSpecification) => isSlow(moduleId),
		];
		return await Promise.resolve(lodash.sortBy(files, ranks));
	}
}

/** The tests that have to notice a mutation, see scripts/mutation/mutate.mts. */
export default defineConfig({
	...base,
	test: {
		...base.test,
		include: [`test/${folder}/**/*.test.mts`],
		setupFiles: [...base.test!.setupFiles!, 'scripts/mutation/loadMutated.mts'],
		// Its subject is time: what survives a mutation would take half a minute.
		exclude: ['**/hostileInput.test.mts'],
		reporters: [failedImports],
		sequence: { sequencer: TellingFirst },
		expect: { poll: { timeout: 3_000 } },
	},
});
