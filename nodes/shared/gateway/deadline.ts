import { sleep } from 'n8n-workflow';

/** n8n's `sleep` can't be interrupted, so a pause is split to notice that the execution was canceled. */
export const PAUSE_PIECE_MS = 200;

/**
 * Ends a request when its time is up or the execution is canceled. n8n's own `timeout` is an idle timeout: an answer
 * that trickles in would never end.
 */
export class Deadline {
	/** Aborts when time is up or the execution is canceled. */
	readonly signal: AbortSignal;
	private readonly end: number;

	/**
	 * @param seconds no more than a timer can hold, which the option allows
	 * @param canceled n8n's signal that the execution is canceled, where there is one
	 */
	constructor(
		seconds: number,
		private readonly canceled?: AbortSignal,
	) {
		const ms = Math.ceil(seconds * 1000);
		this.end = performance.now() + ms;
		// A timer of this kind doesn't keep the process alive and is garbage-collected.
		const timer = AbortSignal.timeout(ms);
		this.signal = canceled ? AbortSignal.any([timer, canceled]) : timer;
	}

	get secondsLeft(): number {
		return Math.max(0, this.end - performance.now()) / 1000;
	}

	get isCanceled(): boolean {
		return this.canceled?.aborted ?? false;
	}

	/** @returns whether the pause ended normally; false if the execution was canceled */
	async pause(seconds: number): Promise<boolean> {
		const end = performance.now() + seconds * 1000;
		for (let left = seconds * 1000; left > 0; left = end - performance.now()) {
			if (this.isCanceled) return false;
			await sleep(Math.min(left, PAUSE_PIECE_MS));
		}
		return !this.isCanceled;
	}

	get isExceeded(): boolean {
		return this.signal.aborted && !this.isCanceled;
	}
}
