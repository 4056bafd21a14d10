/** Long runs and large files: nightly, shortened; docs/dev/testing.md has the full commands and their figures. */
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

import type { LongRun } from '../../bench/longRun.mjs';
import { growthByUpload } from '../../bench/parts/file.mjs';
import { runNode } from '../../host/harness.mjs';
import { IS_THOROUGH } from '../../scripts/base/extent.mjs';
import { exampleParameters } from '../conformance/examples.mjs';
import { writes } from '../conformance/operations.mjs';
import { useRecorder } from '../conformance/recorder.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';

describe('a long run', () => {
	const recorder = useRecorder();

	it.runIf(IS_THOROUGH)(
		'takes little memory per booking: the output, the answer for a retry, and what comes of both',
		async () => {
			const grown = async (items: number) => {
				const args = ['--import', 'tsx', 'bench/longRun.mts', String(items)];
				const { stdout } = await execa(process.execPath, args);
				return JSON.parse(stdout) as LongRun;
			};
			const [FEW, MANY] = [2_000, 12_000];
			const [few, many] = [await grown(FEW), await grown(MANY)];
			// What the first booking alone needs, such as code, which is loaded when it runs, isn't counted.
			const perItem = (what: 'checked' | 'growth') => (many[what] * MANY - few[what] * FEW) / (MANY - FEW);
			// 770 of it are the hidden classes that Node.js 20 keeps of spread objects; Node.js 24 keeps none.
			expect(perItem('checked')).toBeLessThan(2600);
			// What was checked is part of it. Requests not freed would take 1.1 kB more.
			expect(perItem('growth')).toBeLessThan(5000);
		},
		300_000,
	);

	it('stops within one request when it is canceled', async () => {
		const ITEMS = 2000;
		const BEFORE = 100;
		const { node } = writes[0];
		const arrived = () => recorder.requests.length;
		const { run, error } = await runNode({
			node,
			parameters: { ...exampleParameters(writes[0]), belegnummer: '={{ "K-1" + $itemIndex }}' },
			items: Array.from({ length: ITEMS }, () => ({})),
			credential: recorder.credential,
			cancel: waitFor(() => arrived() >= BEFORE, { interval: 1 }),
		});
		const atTheEnd = arrived();
		expect(run.status).toBe('canceled');
		expect(atTheEnd).toBeLessThan(ITEMS / 2);
		const [, last] = /Carried out: items 1–(\d+)\./.exec(error!.description!)!;
		// The one that was in flight may have arrived.
		expect(atTheEnd - Number(last)).toBeLessThanOrEqual(1);
		expect(error!.description).toMatch(new RegExp(`Not sent: items \\d+–${ITEMS}\\.`));
	});
});

describe('a file', () => {
	it.runIf(IS_THOROUGH)(
		'takes no memory in proportion to its size when it is uploaded',
		async () => {
			const SIZE = 120;
			expect(await growthByUpload('streamed', SIZE)).toBeLessThan(SIZE / 2);
			// The measurement would show it if the whole file were in memory.
			expect(await growthByUpload('whole', SIZE)).toBeGreaterThan(SIZE);
		},
		300_000,
	);
});
