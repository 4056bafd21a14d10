/**
 * Loads all sources of a mutated folder before the first test, see mutate.mts: to Stryker, what runs then is static. If
 * a test loaded it, it would count as reached by that test alone. Nor does it count as reached by a test that loads the
 * file again: that test would be run for each such mutant, which isn't counted anyway.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, inject } from 'vitest';

interface Coverage {
	static: Record<string, number>;
	perTest: Record<string, Record<string, number>>;
}

const folder = String(process.env.MUTATION_FOLDER);
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
	if (file.endsWith('.ts')) await import(path.resolve(folder, file));
}

/** What Stryker knows so far; nothing while a mutant is tried. */
// It declares no type for that.
const covered = (globalThis as unknown as Record<string, { mutantCoverage?: Coverage } | undefined>)[
	// Stryker's setup file, which is loaded before this one, has been given the name, which Vitest's types don't know.
	inject('globalNamespace' as never)
]?.mutantCoverage;
if (covered) {
	afterAll(() => {
		for (const ofTest of Object.values(covered.perTest)) {
			for (const id of Object.keys(covered.static)) delete ofTest[id];
		}
	});
}
