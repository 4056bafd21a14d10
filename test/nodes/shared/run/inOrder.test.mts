import { setTimeout as sleep } from 'node:timers/promises';
import range from 'lodash/range.js';
import { describe, expect, it } from 'vitest';

import { inOrder } from '../../../../nodes/shared/run/inOrder.js';
import { processorTime } from '../../../../tools/timing.mjs';

/** Work that notes how many tasks are in flight, and in which order they start. */
function observedWork(milliseconds: (id: number) => number = (id) => id % 3) {
	const started: number[] = [];
	let running = 0;
	const state = { started, most: 0 };
	const work = async (id: number) => {
		started.push(id);
		state.most = Math.max(state.most, ++running);
		await sleep(milliseconds(id));
		running--;
	};
	return { state, work };
}

describe('a limit on tasks that are in flight at once', () => {
	it.each([1, 3, 16])('keeps to %i and starts tasks in the order given', async (limit) => {
		const { state, work } = observedWork();
		await inOrder(range(40), work, { atOnce: limit });
		expect(state).toEqual({ started: range(40), most: limit });
	});
});

describe('a sequence of tasks', () => {
	it('goes on before tasks without a sequence that were given later', async () => {
		const { state, work } = observedWork((id) => (id === 1 ? 300 : 1));
		await inOrder(range(5), work, {
			atOnce: 2,
			keyOf: (id) => (id % 2 === 0 ? 'even' : undefined),
		});
		expect(state.started).toEqual([0, 1, 2, 4, 3]);
	});

	it('takes little processor time for each of a hundred thousand tasks', async () => {
		const took = await processorTime(async () => {
			const work = async () => await Promise.resolve();
			await inOrder(range(100_000), work, { atOnce: 2, keyOf: () => 'a' });
		});
		expect(took).toBeLessThan(2000);
	});
});
