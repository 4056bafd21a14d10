import type { LoggedRequest } from '../../sandbox/http/requestLog.mjs';

/** An answer arrives before the log records its end, and the log rounds. */
const BLUR_MS = 10;

/** The maximum number of requests in flight. */
export function mostAtOnce(requests: LoggedRequest[]): number {
	const moments = requests.flatMap(({ at, durationMs = 0 }) => {
		const began = Date.parse(at);
		return [
			{ time: began, change: 1 },
			{ time: began + Math.max(0, durationMs - BLUR_MS), change: -1 },
		];
	});
	moments.sort((a, b) => a.time - b.time || a.change - b.change);
	let [now, most] = [0, 0];
	for (const { change } of moments) most = Math.max(most, (now += change));
	return most;
}
