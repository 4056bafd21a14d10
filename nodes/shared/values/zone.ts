import { FixedOffsetZone, IANAZone } from 'luxon';
import type { Zone } from 'luxon';
import { memoize } from 'lodash';

const DAY_MS = 86_400_000;
/** The most days that are remembered for a zone; a run concerns fewer. */
const MOST_DAYS = 10_000;

/**
 * A time zone that remembers its offset on each day. Luxon asks `Intl` for it several times for each date that it reads,
 * which takes most of that time.
 */
class RememberingZone extends IANAZone {
	/** By the number of the day in UTC; `undefined` on a day when the clocks change. */
	private readonly offsets = new Map<number, number | undefined>();

	override offset(at: number): number {
		const day = Math.floor(at / DAY_MS);
		if (!this.offsets.has(day)) this.remember(day);
		return this.offsets.get(day) ?? super.offset(at);
	}

	private remember(day: number): void {
		const [start, end] = [day, day + 1].map((one) => super.offset(one * DAY_MS));
		if (this.offsets.size >= MOST_DAYS) this.offsets.clear();
		// No zone has ever changed its clocks twice within a day.
		this.offsets.set(day, start === end ? start : undefined);
	}
}

/** @param name IANA name of a time zone; it may be none, then the zone isn't valid */
export const zoneOf = memoize(
	(name: string): Zone =>
		// Luxon itself does the same: times in such a zone end in Z.
		/^(?:utc|gmt)$/i.test(name) ? FixedOffsetZone.utcInstance : new RememberingZone(name),
);
