import type { Failure } from '../errors/failure';

/** How many times a read is sent, at most. */
const TRIES = 4;
export const FIRST_PAUSE = 0.5;
export const LONGEST_PAUSE = 60;

/**
 * Decides whether a failed read is sent again. Writes are never repeated.
 * @param tries how often the read was sent
 * @param secondsLeft until the answer must be there
 * @returns seconds to wait before the retry; `undefined`: no retry
 */
export function pauseBeforeRetry(failure: Failure, tries: number, secondsLeft: number): number | undefined {
	// The same request would get the same answer.
	if (!failure.transient) return undefined;
	// After several failed attempts, a person has to look.
	if (tries >= TRIES) return undefined;
	const pause = failure.retryAfter ?? FIRST_PAUSE * 2 ** (tries - 1);
	// Don't block a workflow for minutes; the error says how long the gateway asks to wait.
	if (pause > LONGEST_PAUSE) return undefined;
	// The answer couldn't arrive in time.
	if (pause >= secondsLeft) return undefined;
	return pause;
}
