import { setTimeout as sleep } from 'node:timers/promises';
import range from 'lodash/range.js';
import { describe, expect, it } from 'vitest';

import { limitConcurrency, serialize } from '../../../../nodes/shared/execution/concurrency.js';

/** Tasks that note how many of them run at once, and in which order they start. */
function observedTasks() {
	const started: number[] = [];
	let running = 0;
	const state = { started, most: 0 };
	const task = (id: number, ms: number) => async () => {
		started.push(id);
		state.most = Math.max(state.most, ++running);
		await sleep(ms);
		running--;
		return id;
	};
	return { state, task };
}

describe('a limit on tasks that run at once', () => {
	it.each([1, 3, 16])('keeps to %i and starts tasks in the order given', async (limit) => {
		const run = limitConcurrency(limit);
		const { state, task } = observedTasks();
		const results = await Promise.all(range(40).map(async (id) => await run(task(id, id % 3))));
		expect(results).toEqual(range(40));
		expect(state).toEqual({ started: range(40), most: limit });
	});

	it('makes room when a task fails, and passes its error on', async () => {
		const run = serialize();
		const fails = async () => await Promise.reject(new Error('task failed'));
		const outcomes = await Promise.allSettled([run(fails), run(async () => await Promise.resolve('next'))]);
		expect(outcomes).toEqual([
			{ status: 'rejected', reason: new Error('task failed') },
			{ status: 'fulfilled', value: 'next' },
		]);
	});

	it('may change while tasks wait', async () => {
		let limit = 1;
		const run = limitConcurrency(() => limit);
		const { state, task } = observedTasks();
		const all = range(10).map(async (id) => {
			await run(task(id, 5));
			limit = 4;
		});
		await Promise.all(all);
		expect(state.most).toBe(4);
	});

	it('accepts a task while others run', async () => {
		const run = serialize();
		const inner = async () => await Promise.resolve('inner');
		let nested: Promise<string> | undefined;
		await run(async () => {
			nested = run(inner);
			await Promise.resolve();
		});
		expect(await nested).toBe('inner');
	});

	it('runs tasks of one sequence one after another, in parallel with the others', async () => {
		const run = limitConcurrency(3);
		const running = new Set<string>();
		const { state, task } = observedTasks();
		const all = range(30).map(async (id) => {
			const sequence = id % 5 === 4 ? undefined : `sequence ${id % 5}`;
			await run(async () => {
				expect(running).not.toContain(sequence);
				if (sequence) running.add(sequence);
				await task(id, id % 4)();
				if (sequence) running.delete(sequence);
			}, sequence);
		});
		await Promise.all(all);
		expect(state.most).toBe(3);
		for (const rest of range(4)) {
			expect(state.started.filter((id) => id % 5 === rest)).toEqual(range(rest, 30, 5));
		}
	});

	it('starts the next task of a sequence before tasks that were added later', async () => {
		const run = limitConcurrency(2);
		const { state, task } = observedTasks();
		const all = [
			run(task(0, 5), 'a'),
			run(task(1, 30)),
			run(task(2, 5), 'a'),
			run(task(3, 5)),
			run(task(4, 5), 'a'),
		];
		await Promise.all(all);
		expect(state.started).toEqual([0, 1, 2, 3, 4]);
	});

	it('starts the next task of a sequence when one fails', async () => {
		const run = limitConcurrency(2);
		const outcomes = await Promise.allSettled([
			run(async () => await Promise.reject(new Error('task failed')), 'a'),
			run(async () => await Promise.resolve('next'), 'a'),
		]);
		expect(outcomes[1]).toEqual({ status: 'fulfilled', value: 'next' });
	});
});
