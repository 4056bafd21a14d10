/** Skips waiting: the node's pauses between retries, and its deadlines. */
import { vi } from 'vitest';

import { Deadline } from '../../nodes/shared/gateway/deadline.js';
import { waitFor } from '../../scripts/base/waiting.mjs';

/**
 * Makes the node continue at once instead of waiting.
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

/** Makes timeouts a hundred times longer: for what must end before them, however busy the machine is. */
export function lengthenTimeouts(): void {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms * 100));
}

/**
 * Makes timeouts end when something has happened, however long that takes.
 * @returns the original milliseconds
 */
export function endTimeouts(when: () => boolean): () => number[] {
	const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const controller = new AbortController();
		const end = () => controller.abort(new DOMException('Time is up', 'TimeoutError'));
		// If it never happens, the test itself takes too long.
		void waitFor(when).then(end, () => {});
		return controller.signal;
	});
	return () => spy.mock.calls.map(([ms]) => ms);
}

/**
 * Makes timeouts a hundred times shorter.
 * @returns the original milliseconds
 */
export function shortenTimeouts(): () => number[] {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100));
	return () => spy.mock.calls.map(([ms]) => ms);
}
