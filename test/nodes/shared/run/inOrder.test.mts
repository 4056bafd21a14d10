import { setTimeout as sleep } from 'node:timers/promises';
import range from 'lodash/range.js';
import { describe, expect, it } from 'vitest';

import { inOrder } from '../../../../nodes/shared/run/inOrder.js';
import { serialize } from '../../../../nodes/shared/processedData/processedData.js';

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

	it('gives the results in the order of the tasks, whichever ends first', async () => {
		const work = async (id: number) => await sleep(10 - id, `result ${id}`);
		const results = await inOrder(range(6), work, { atOnce: 4, keyOf: (id) => String(id % 4) });
		expect(results).toEqual(range(6).map((id) => `result ${id}`));
	});

	it('goes on when a task fails, and throws the first error when all have ended', async () => {
		const ended: number[] = [];
		const work = async (id: number) => {
			await sleep(id === 1 ? 1 : 10);
			ended.push(id);
			if (id < 3) throw new Error(`Task ${id} failed`);
		};
		const all = inOrder(range(5), work, { atOnce: 2 });
		await expect(all).rejects.toThrow('Task 1 failed');
		expect(ended.sort()).toEqual(range(5));
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

	it('goes on when one of its tasks fails', async () => {
		const started: number[] = [];
		const work = async (id: number) => {
			started.push(id);
			if (id === 0) throw new Error('Task 0 failed');
			await Promise.resolve();
		};
		const all = inOrder(range(2), work, { atOnce: 2, keyOf: () => 'a' });
		await expect(all).rejects.toThrow('Task 0 failed');
		expect(started).toEqual([0, 1]);
	});

	it('takes little processor time for each of a hundred thousand tasks', async () => {
		const before = process.cpuUsage();
		await inOrder(range(100_000), async () => await Promise.resolve(), {
			atOnce: 2,
			keyOf: () => 'a',
		});
		const { user } = process.cpuUsage(before);
		expect(user / 1e6).toBeLessThan(2);
	});
});

describe('tasks in turn', () => {
	it('run one at a time, in the order given', async () => {
		const run = serialize();
		const { state, work } = observedWork();
		await Promise.all(range(9).map(async (id) => await run(async () => await work(id))));
		expect(state).toEqual({ started: range(9), most: 1 });
	});

	it('go on when one fails, whose error is passed on', async () => {
		const run = serialize();
		const fails = async () => await Promise.reject(new Error('task failed'));
		const outcomes = await Promise.allSettled([run(fails), run(async () => await Promise.resolve('next'))]);
		expect(outcomes).toEqual([
			{ status: 'rejected', reason: new Error('task failed') },
			{ status: 'fulfilled', value: 'next' },
		]);
	});

	it('may be added while another one runs', async () => {
		const run = serialize();
		const inner = async () => await Promise.resolve('inner');
		let nested: Promise<string> | undefined;
		await run(async () => {
			nested = run(inner);
			await Promise.resolve();
		});
		expect(await nested).toBe('inner');
	});
});
