/** Time that isn't waited for: the node's pauses before it asks again, and its deadlines. */
import { vi } from 'vitest';

import { Deadline } from '../../nodes/shared/gateway/deadline.js';

/**
 * Lets the node go on at once where it would wait.
 * @param meanwhile what happens in a pause
 * @returns the pauses, in seconds
 */
export function skipPauses(meanwhile: () => unknown = () => {}): () => number[] {
	const pause = vi.spyOn(Deadline.prototype, 'pause').mockImplementation(async () => {
		meanwhile();
		return await Promise.resolve(true);
	});
	return () => pause.mock.calls.map(([seconds]) => seconds);
}

/**
 * Makes time-outs a hundred times as short.
 * @returns their milliseconds, as they were meant
 */
export function shortenTimeouts(): () => number[] {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100));
	return () => spy.mock.calls.map(([ms]) => ms);
}
