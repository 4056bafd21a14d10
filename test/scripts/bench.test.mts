/** docs/dev/performance.md says what `npm run bench` has measured, and nothing else. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { compared, EARLIER, isWorse } from '../../bench/measurement.mjs';
import { type Measured, pageOf } from '../../bench/report.mjs';
import { ROOT } from '../../scripts/base/processes.mjs';

it('the page of performance is made from bench/measured.json', async () => {
	const measured = JSON.parse(await readFile(join(ROOT, 'bench/measured.json'), 'utf8')) as Measured;
	expect(await readFile(join(ROOT, 'docs/dev/performance.md'), 'utf8')).toBe(pageOf(measured));
});

it('a figure got worse if it takes more than 1.15 times as much as in the earlier version, in most rounds', () => {
	const of = (...ratios: number[]) =>
		compared(
			ratios.map((ratio) => ({ ours: ratio, [EARLIER]: 1, other: 0.1 })),
			{ what: 'Time', by: (value) => value, unit: String, of: 'ours', to: { other: undefined } },
		).map((figure) => isWorse(figure));
	expect(of(1.1, 1.2, 1.3)).toEqual([false, true]);
	expect(of(1.1, 1.1, 9)).toEqual([false, false]);
});
