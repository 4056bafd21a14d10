import { DateTime, IANAZone } from 'luxon';

/** `YYYY-MM-DD`, optionally with a time, optionally with a zone. Anything shorter ("12", "2026-03") is not guessed at. */
const ISO =
	/^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;

export type ParsedDate = { value: string } | { rule: string };

/**
 * Reads a point in time: a luxon `DateTime`, a `Date`, or ISO 8601 text. Without a zone (n8n's date picker gives none)
 * it is local time in `zone`; a date alone is that day's midnight. Of a local time that the end of summer time
 * repeats, the first is taken.
 * @param zone IANA name of the workflow's time zone
 * @returns RFC 3339 with offset (`date-time` of the specification), or the rule that the value breaks
 */
export function parseDateTime(given: unknown, zone: string): ParsedDate {
	const parsed = parse(given, zone);
	if ('rule' in parsed) return parsed;
	// Before there were time zones, offsets had seconds; RFC 3339 has none.
	const at = Number.isInteger(parsed.at.offset) ? parsed.at : parsed.at.toUTC();
	return inRange(at, at.toISO({ suppressMilliseconds: true }));
}

/**
 * Reads a calendar day. Text without a zone is that day as written; a point in time (`DateTime`, `Date`, text with a
 * zone) is the day that it is then in `zone`, so that `2026-02-28T23:00:00Z` is 1 March in Berlin.
 * @param zone IANA name of the workflow's time zone
 * @returns `YYYY-MM-DD` (`date` of the specification), or the rule that the value breaks
 */
export function parseDate(given: unknown, zone: string): ParsedDate {
	const written = typeof given === 'string' ? ISO.exec(given.trim()) : null;
	// No zone, no conversion: not every day has a midnight everywhere.
	const parsed =
		written && !written[5] ? valid(DateTime.fromISO(written[1], { zone: 'utc' })) : parse(given, zone);
	if ('rule' in parsed) return parsed;
	const at = written && !written[5] ? parsed.at : parsed.at.setZone(zone);
	return inRange(at, at.toISODate());
}

/** RFC 3339 has years of four digits. */
function inRange({ year }: DateTime, value: string | null): ParsedDate {
	return value !== null && year >= 1 && year <= 9999
		? { value }
		: { rule: 'must be in a year from 0001 to 9999' };
}

/** The day that it is now in `zone`, as `YYYY-MM-DD`. */
export function today(zone: string): string {
	return DateTime.now().setZone(zone).toISODate() as string;
}

function parse(given: unknown, zone: string): { at: DateTime } | { rule: string } {
	if (!IANAZone.isValidZone(zone))
		return { rule: `can't be read: the workflow's time zone "${zone}" is unknown` };
	if (given instanceof Date) return valid(DateTime.fromJSDate(given, { zone }));
	if (DateTime.isDateTime(given)) return valid(given);
	if (typeof given !== 'string') return { rule: NO_DATE };
	const parts = ISO.exec(given.trim());
	if (!parts) return { rule: NO_DATE };
	const [, day, time = '00:00', seconds = '00', fraction, offset] = parts;
	const local = `${day}T${time}:${seconds}`;
	const text = fraction ? `${local}.${fraction}` : local;
	if (offset) return valid(DateTime.fromISO(text + offset.toUpperCase(), { setZone: true }));
	const at = DateTime.fromISO(text, { zone });
	if (at.isValid && at.toFormat("yyyy-MM-dd'T'HH:mm:ss") !== local) {
		return { rule: `doesn't exist in the time zone ${zone}: the clocks are put forward then` };
	}
	// Which of two equal local times luxon takes depends on today's date; the first one is the same every day.
	return valid(at.isValid ? at.getPossibleOffsets()[0] : at);
}

const NO_DATE = 'must be a date like 2026-03-31 or 2026-03-31T14:30:00+02:00';

function valid(at: DateTime): { at: DateTime } | { rule: string } {
	return at.isValid ? { at } : { rule: 'is no date of the calendar' };
}
