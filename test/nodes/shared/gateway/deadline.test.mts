/** The deadline by itself. Through n8n: timeLimit.test.mts. */
import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Deadline } from '../../../../nodes/shared/gateway/deadline.js';

describe('a deadline in simulated time', () => {
	let execution: AbortController;
	beforeEach(() => {
		vi.useFakeTimers();
		execution = new AbortController();
	});
	afterEach(() => void vi.useRealTimers());

	/** Begins a pause. @returns what it ended with, once it has */
	function paused(seconds: number) {
		const pause: { at?: number; isComplete?: boolean } = {};
		const start = Date.now();
		const deadline = new Deadline(300, execution.signal);
		void deadline.pause(seconds).then((isComplete) => {
			Object.assign(pause, { at: Date.now() - start, isComplete });
		});
		return pause;
	}

	it.each([0, 0.1, 0.5, 50])('pauses for %d seconds', async (seconds) => {
		const pause = paused(seconds);
		await vi.advanceTimersByTimeAsync(seconds * 1000);
		expect(pause).toEqual({ at: seconds * 1000, isComplete: true });
	});

	it('neither pauses longer nor ends later because the clock is set back', async () => {
		const deadline = new Deadline(1);
		let isOver = false;
		void deadline.pause(0.5).then(() => (isOver = true));
		await vi.advanceTimersByTimeAsync(100);
		vi.setSystemTime(Date.now() - 3_600_000);
		await vi.advanceTimersByTimeAsync(400);
		expect([isOver, deadline.secondsLeft]).toEqual([true, 0.5]);
	});

	it('ends a pause soon after the execution is canceled', async () => {
		const pause = paused(50);
		await vi.advanceTimersByTimeAsync(1001);
		execution.abort();
		await vi.advanceTimersByTimeAsync(200);
		expect(pause).toEqual({ at: 1200, isComplete: false });
	});

	it('has no complete pause if the execution is canceled at its end', async () => {
		const pause = paused(0.2);
		await vi.advanceTimersByTimeAsync(100);
		execution.abort();
		await vi.advanceTimersByTimeAsync(100);
		expect(pause).toEqual({ at: 200, isComplete: false });
	});
});

describe('a deadline', () => {
	it('may be as long as the option allows, and shorter than a millisecond', async () => {
		const long = new Deadline(2_147_483);
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(long.signal.aborted, 'one of 24 days is over').toBe(false);
		expect(new Deadline(0.0015).signal.aborted, 'one of 1.5 ms is over at once').toBe(false);
	});

	it('leaves nothing behind when the request has ended', async () => {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		const execution = new AbortController();
		const signals = Array.from({ length: 1000 }, () => {
			const { signal } = new Deadline(300, execution.signal);
			return new WeakRef(signal);
		});
		expect(getEventListeners(execution.signal, 'abort')).toEqual([]);
		expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThan(100);
		await expect
			.poll(() => {
				collectGarbage();
				return signals.filter((signal) => signal.deref()).length;
			})
			.toBeLessThan(10);
	});
});
