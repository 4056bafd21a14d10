import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { RecentAnswers } from '../../../../nodes/shared/form/recentAnswers.js';

const SECOND = 1000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Answers with how often it was asked. */
function counter() {
	let asked = 0;
	return async () => await Promise.resolve(++asked);
}

describe('a recent answer', () => {
	it('is asked for once by several at a time', async () => {
		const answers = new RecentAnswers<number>(5);
		const ask = counter();
		expect(await Promise.all([answers.get('a', ask), answers.get('a', ask)])).toEqual([1, 1]);
	});

	it('stays when one that was asked for before it fails late', async () => {
		const answers = new RecentAnswers<number>(1);
		let fail!: (error: Error) => void;
		const late = answers.get(
			'a',
			async () => await new Promise<number>((_resolve, reject) => (fail = reject)),
		);
		const ask = counter();
		await answers.get('b', ask);
		expect(await answers.get('a', ask)).toBe(2);
		fail(new Error('too late'));
		await expect(late).rejects.toThrow('too late');
		expect(await answers.get('a', ask)).toBe(2);
	});

	it('gives way when there are too many, the oldest one first', async () => {
		const answers = new RecentAnswers<number>(2);
		const ask = counter();
		for (const key of ['a', 'b', 'c']) await answers.get(key, ask);
		expect(await answers.get('b', ask)).toBe(2);
		expect(await answers.get('c', ask)).toBe(3);
		expect(await answers.get('a', ask)).toBe(4);
	});

	it('holds no place when it is too old', async () => {
		const answers = new RecentAnswers<number>(2);
		const ask = counter();
		await answers.get('a', ask);
		vi.advanceTimersByTime(30 * SECOND);
		await answers.get('b', ask);
		vi.advanceTimersByTime(30 * SECOND);
		await answers.get('c', ask);
		expect(await answers.get('b', ask)).toBe(2);
	});
});
