import type { Failure } from '../errors/failure';

const TRIES = 4;
const FIRST_PAUSE = 0.5;
const LONGEST_PAUSE = 60;

/**
 * Decides whether a failed read is sent again. Writes never are.
 * @param tries how often it has been sent
 * @param secondsLeft until the answer must be there
 * @returns seconds to wait before, `undefined` where it isn't sent again
 */
export function pauseBeforeRetry(failure: Failure, tries: number, secondsLeft: number): number | undefined {
	// The same request would get the same answer.
	if (!failure.transient) return undefined;
	// What several tries didn't help needs a person.
	if (tries >= TRIES) return undefined;
	const pause = failure.retryAfter ?? FIRST_PAUSE * 2 ** (tries - 1);
	// Nobody wants a node that waits for minutes; the error says how long the gateway asks to wait.
	if (pause > LONGEST_PAUSE) return undefined;
	// No answer could be there in time.
	if (pause >= secondsLeft) return undefined;
	return pause;
}
