import range from 'lodash/range.js';
import { describe, expect, it } from 'vitest';

import { inOrder } from '../../../../nodes/shared/run/inOrder.js';
import { processorTime } from '../../../support/timing.mjs';

describe('a sequence of tasks', () => {
	it('goes on before tasks without a sequence that were given later', async () => {
		const started: number[] = [];
		let go = () => {};
		const othersStarted = new Promise<void>((resolve) => (go = resolve));
		const work = async (id: number) => {
			started.push(id);
			if (id === 4) go();
			if (id === 1) await othersStarted;
		};
		const keyOf = (id: number) => (id % 2 === 0 ? 'even' : undefined);
		await inOrder(range(5), work, { atOnce: 2, keyOf });
		expect(started).toEqual([0, 1, 2, 4, 3]);
	});

	it('takes little processor time for each of a hundred thousand tasks', async () => {
		const took = await processorTime(async () => {
			const work = async () => await Promise.resolve();
			await inOrder(range(100_000), work, { atOnce: 2, keyOf: () => 'a' });
		});
		expect(took).toBeLessThan(2000);
	});
});
