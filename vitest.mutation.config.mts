import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import lodash from 'lodash';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestModule, TestSpecification, Vitest } from 'vitest/node';

import { keepThread } from './scripts/mutation/keptThread.mjs';
import base from './vitest.config.mjs';

let running: Vitest;

/** By source file, how many of its mutants each test file has killed. */
const kills = new Map<string, Map<string, number>>();

/** The name of the source file whose mutant is being tried, without its extension. */
const mutated = () => {
	const { activeMutant } = running.getRootProject().getProvidedContext() as { activeMutant?: string };
	return sources().get(activeMutant ?? '') ?? '';
};

/** Stryker looks only at tests: to it, a file that can't be loaded has no failing ones. */
const failedImports = {
	onInit: (vitest: Vitest) => {
		running = vitest;
		if (!process.env.MUTATION_NEW_THREADS) keepThread(vitest);
	},
	onTestModuleEnd: (module: TestModule) => {
		for (const error of module.errors()) running.state.catchError(error, 'Failed import');
		if (module.ok()) return;
		const ofSource = kills.get(mutated()) ?? new Map<string, number>();
		kills.set(mutated(), ofSource.set(module.moduleId, (ofSource.get(module.moduleId) ?? 0) + 1));
	},
};

/** Whether a test loads n8n's engine, which takes a second or more each time. */
const isSlow = (file: string) => /useSandbox|[hH]arness|loadNode/.test(readFileSync(file, 'utf8'));

/** The folder of the sources. */
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

/**
 * The first failing test ends the trial of a mutation: the tests of the mutated source come first, then those that have killed
 * most of its mutants so far, then the quick ones.
 */
class TellingFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const source = mutated();
		const ranks = [
			({ moduleId }: TestSpecification) => basename(moduleId) !== `${source}.test.mts`,
			({ moduleId }: TestSpecification) => -(kills.get(source)?.get(moduleId) ?? 0),
			({ moduleId }: TestSpecification) => isSlow(moduleId),
		];
		return await Promise.resolve(lodash.sortBy(files, ranks));
	}
}

/** The tests that should kill a mutant, see scripts/mutation/mutate.mts. */
export default defineConfig({
	...base,
	test: {
		...base.test,
		include: [`test/${folder}/**/*.test.mts`],
		setupFiles: [...base.test!.setupFiles!, 'scripts/mutation/loadMutated.mts'],
		// One tests time: each surviving mutant would take half a minute. The other takes pieces out of the source itself, which
		// Stryker has rewritten.
		exclude: ['**/hostileInput.test.mts', '**/throttleRules.test.mts'],
		reporters: [failedImports],
		sequence: { sequencer: TellingFirst },
		expect: { poll: { timeout: 3_000 } },
	},
});
