/** Long runs and large files: nightly, shortened; docs/dev/testing.md has the full commands and their figures. */
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

import type { LongRun } from '../../bench/longRun.mjs';
import { growthByUpload } from '../../bench/parts/file.mjs';
import { runNode } from '../../tools/harness.mjs';
import { IS_THOROUGH } from '../../tools/extent.mjs';
import { exampleParameters } from '../conformance/examples.mjs';
import { writes } from '../conformance/operations.mjs';
import { useRecorder } from '../conformance/recorder.mjs';
import { waitFor } from '../../tools/waiting.mjs';

describe('a long run', () => {
	const recorder = useRecorder();

	it.runIf(IS_THOROUGH)(
		'takes little memory per booking: the output, the answer for a retry, and what comes of both',
		async () => {
			const args = ['--import', 'tsx', 'bench/longRun.mts', '4000'];
			const { stdout } = await execa(process.execPath, args);
			const { growth, checked } = JSON.parse(stdout) as LongRun;
			// Half of it is code, and 400 bytes are the hidden classes that Node.js 20 keeps of spread objects.
			expect(checked).toBeLessThan(2600);
			// What was checked is part of it, and a third of it is code. Requests not freed would take 1.1 kB more.
			expect(growth).toBeLessThan(5000);
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
