/**
 * Loads all sources of a mutated folder before the first test, see mutate.mts: to Stryker, what runs then is static. If
 * a test loaded it, it would count as reached by that test alone.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = String(process.env.MUTATION_FOLDER);
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
	if (file.endsWith('.ts')) await import(path.resolve(folder, file));
}
