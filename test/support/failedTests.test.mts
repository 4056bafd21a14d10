/** What a run of tests that fails ends with. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../scripts/base/processes.mjs';

it('A failed test is named with what is wrong and the command that runs it alone', async () => {
	const folder = await mkdtemp(join(ROOT, 'test/support/failing-'));
	onTestFinished(async () => await rm(folder, { recursive: true }));
	await writeFile(
		join(folder, 'books.test.mts'),
		`describe('a booking', () => {
			it('of 12 "€" (gross) arrives', () => expect(12).toBe(13));
			it('arrives once', () => expect(1).toBe(1));
		});`,
	);
	await writeFile(join(folder, 'vitest.config.mjs'), 'export default { test: { globals: true } };');
	await writeFile(join(folder, 'broken.test.mts'), "import '../missing.mjs';");
	const vitest = async (...args: string[]) =>
		await execa('node', [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
			cwd: folder,
			env: { NO_COLOR: '1' },
			reject: false,
		});
	const { stderr } = await vitest('--reporter', join(ROOT, 'test/support/failedTests.mts'));
	expect(stderr).toContain(`books.test.mts: a booking > of 12 "€" (gross) arrives
  expected 12 to be 13
  npm test -- books.test.mts -t "a booking of 12 ... .gross. arrives"`);
	expect(stderr).toMatch(/broken\.test\.mts\n {2}.*missing\.mjs.*\n {2}npm test -- broken\.test\.mts$/m);
	expect(stderr).not.toContain('arrives once');
	const [, name] = /-t "(.*)"/.exec(stderr)!;
	const alone = await vitest('--reporter=json', 'books', '-t', name);
	expect(JSON.parse(alone.stdout)).toMatchObject({ numFailedTests: 1, numPendingTests: 1 });
});
