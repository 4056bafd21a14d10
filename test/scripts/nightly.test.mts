/** What a night runs exists: a part that finds no test or program would be green each night. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { nightly, PARTS } from '../../scripts/nightly.mjs';
import { ROOT } from '../../scripts/base/processes.mjs';

const isPath = (arg: string) => /^(?:node_modules|nodes|scripts|bench|test)\//.test(arg);

describe('npm run nightly', () => {
	it.each(Object.entries(PARTS))('finds what its part %s runs', (_name, { programs }) => {
		for (const path of programs.flat().filter(isPath)) {
			// Vitest takes the beginning of a path, Stryker a pattern.
			const beginning = path.split('*')[0];
			const folder = beginning.endsWith('/') ? beginning : dirname(beginning);
			const last = beginning.endsWith('/') ? '' : basename(beginning);
			expect(
				readdirSync(join(ROOT, folder)).some((name) => name.startsWith(last)),
				path,
			).toBe(true);
		}
	});

	it('refuses a part that there isn’t', async () => {
		await expect(nightly(['mutation'])).rejects.toThrow(
			'only constructed, proofs, long-runs, rules, mutations',
		);
	});
});
