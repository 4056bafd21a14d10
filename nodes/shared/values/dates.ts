import { isDate, memoize } from 'lodash';
import { DateTime, IANAZone, Info } from 'luxon';
import type { DurationLikeObject, Zone } from 'luxon';
import type { Rule } from './sentenceEnd';
import { both, dayIn } from './bilingual';

/** `YYYY-MM-DD`, optionally with time and zone. Anything shorter ("12", "2026-03") is refused rather than guessed. */
const ISO =
	/^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<time>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<seconds>[0-5]\d)(?:[.,](?<fraction>\d{1,9}))?)?\s?(?<offset>Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;

/** `D.M.YYYY`, optionally with a time. No other common notation has points and the year last. */
const GERMAN_DATE =
	/^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?: (?<time>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<seconds>[0-5]\d))?)?$/;

/** What a spreadsheet stores for a day of the years 2000 to 2099: the days since 30 December 1899. */
const SERIAL = /^\d{5}$/;
/** A day of a month as DATEV writes it: 4 January 2026 is 40126, which would be a day of 2009 in a spreadsheet, the fifth one of 2037. */
const DATEV_DAY = /^[4-7](?:0[1-9]|1[0-2])\d{2}$/;
export const isDatevDay = (serial: string | number): boolean => DATEV_DAY.test(String(serial));
const SERIAL_EPOCH = Date.UTC(1899, 11, 30);
const MIN_SERIAL = 36_526;
const MAX_SERIAL = 73_050;
/** Milliseconds of a day in UTC, where all are as long. */
export const DAY_MS = 86_400_000;

const GERMAN_SHORT_YEAR = /^\d{1,2}\.\d{1,2}\.\d{2}(?!\d)/;

/**
 * The time of a date without one. Midnight in Berlin is still the day before in UTC: a system that converts the time
 * and keeps the date would book a day off. Noon has the same date from UTC-10 to UTC+12.
 */
const NOON = '12:00';

const NO_DATE = {
	rule: both(
		'must be a date like 2026-03-31, 31.03.2026 or 2026-03-31T14:30:00+02:00',
		'muss ein Datum wie 31.03.2026 oder 31.03.2026 14:30 sein',
	),
};

const SHORT_YEAR = {
	rule: both(
		'must have a four-digit year, like 31.03.2026',
		'muss eine vierstellige Jahreszahl haben, etwa 31.03.2026',
	),
};

/** The shape of all texts that are dates, with their times, for the form; without group names and flags, as n8n wants it. */
export const DATE_SHAPE = {
	pattern: '(?:\\d{4}-\\d{2}-\\d{2}(?:[Tt ].+)?|\\d{1,2}\\.\\d{1,2}\\.\\d{4}(?: .+)?|\\d{5})',
	rule: NO_DATE.rule.en,
};

interface DateParts {
	/** `YYYY-MM-DD`; may be no date of the calendar. */
	date: string;
	/** `HH:mm`. */
	time?: string;
	seconds?: string;
	fraction?: string;
	offset?: string;
}

/** The zone of an n8n where none has been set. */
const DEFAULT_ZONE = 'America/New_York';

/**
 * Whether a point in time depends on the zone that n8n has until another one is set: it was given without a zone, or with
 * one, so that its day is the one in n8n's zone. A day without a time is the same in nearly all zones.
 */
export function inDefaultZone(given: unknown, zone: string): Rule | undefined {
	if (zone !== DEFAULT_ZONE) return undefined;
	const parts = read(given);
	if (!parts || parts.offset) return both(`has day and time of ${zone}`, `hat Tag und Uhrzeit von ${zone}`);
	return parts.time !== undefined && !isMidnight(parts)
		? both(`has no time zone and was read in ${zone}`, `hat keine Zeitzone und wurde gelesen in ${zone}`)
		: undefined;
}

const HOUR_MS = 3_600_000;
/** Hours that are remembered of a zone: more than a year's entries need. */
const MAX_HOURS = 10_000;

/** A time zone that asks `Intl` for the offsets of an hour once, which takes as long as most else that is done to a date. */
class RememberedZone extends IANAZone {
	/** By the number of the hour; `undefined` for one in which the clocks change. */
	private readonly offsets = new Map<number, number | undefined>();

	offset(at: number): number {
		const hour = Math.floor(at / HOUR_MS);
		if (!this.offsets.has(hour)) {
			if (this.offsets.size === MAX_HOURS) this.offsets.clear();
			const [first, last] = [super.offset(hour * HOUR_MS), super.offset((hour + 1) * HOUR_MS - 1)];
			this.offsets.set(hour, first === last ? first : undefined);
		}
		return this.offsets.get(hour) ?? super.offset(at);
	}
}

const zoneNamed = memoize((name: string): Zone => {
	const zone = Info.normalizeZone(name);
	return zone instanceof IANAZone ? new RememberedZone(name) : zone;
});

/** A point in time, or the rule that the given value breaks. */
type Parsed = { at: DateTime } | { rule: Rule };
/** The same as text. */
type ParsedDate = { value: string } | { rule: Rule };

/** A point in time as text. */
export interface Moment {
	/** RFC 3339 with the offset of the workflow's zone (`date-time` of the contract). */
	value: string;
	/**
	 * What was given, in words that stay the same when another zone is set for the workflow: a day (`2026-07-15`), a local
	 * time (`2026-07-15T09:30:00`) or, if it was given with a zone, the time in UTC (`2026-07-15T07:30:00Z`); midnight in
	 * the zone that it was given with is that day.
	 */
	meant: string;
}

/**
 * Reads a point in time.
 *
 * | given                                                     | is read as                                             |
 * | --------------------------------------------------------- | ------------------------------------------------------ |
 * | luxon `DateTime`, `Date`                                  | the instant                                            |
 * | `2026-07-15T09:30:00+02:00`, `…Z`, `2026-07-15 09:30+02`  | the instant                                            |
 * | `2026-07-15T09:30:00`, `2026-07-15 09:30`                 | local time in `zone` (n8n's date picker gives this)    |
 * | `15.7.2026 09:30`, `15.07.2026 09:30:00`                  | local time in `zone`                                   |
 * | `2026-07-15`, `15.7.2026`                                 | 12:00 in `zone` of that day                            |
 * | 36526 to 73050, a spreadsheet's serial date               | that day, as a date without a time; not a day of DATEV |
 * | `15.7.26`, `07/15/2026`, `2026-07`, `12`, other numbers   | refused                                                |
 *
 * The result is in `zone`, so that its day is that of the office however the gateway reads it. The beginning of a day in
 * `zone` is a date without a time, too, in whatever form: `$today`, the date picker's 00:00:00, a text. Any other time is
 * kept. A local time that the clocks skip is refused; of a repeated one, the first is taken.
 * @param zone IANA name of the workflow's time zone
 * @returns the point in time, or the rule that the value breaks
 */
export function parseDateTime(given: unknown, zone: string): Moment | { rule: Rule } {
	const parsed = parse(given, zone);
	if ('rule' in parsed) return parsed;
	const local = parsed.at.setZone(zoneNamed(zone));
	const parts = read(given);
	const isDay =
		isBeginOfDay(parsed.at) ||
		(isBeginOfDay(local) && local.offset === parsed.at.offset) ||
		(parts !== undefined && !parts.offset && (!parts.time || isMidnight(parts)));
	const at = isBeginOfDay(local) ? local.set({ hour: 12 }) : local;
	// Historical offsets have seconds; those of RFC 3339 don't.
	const sent = Number.isInteger(at.offset) ? at : at.toUTC();
	const inOneYear = inRange(sent.toISO(BRIEF));
	if ('rule' in inOneYear) return inOneYear;
	const isLocal = parts !== undefined && !parts.offset;
	const time = isLocal ? at.toISO({ ...BRIEF, includeOffset: false }) : parsed.at.toUTC().toISO(BRIEF);
	return { ...inOneYear, meant: String(isDay ? parsed.at.toISODate() : time) };
}

const BRIEF = { suppressMilliseconds: true };

/** Where the clocks go forward at midnight, the day begins at 01:00. The hour is asked first, because the begin takes long to find. */
const isBeginOfDay = (at: DateTime): boolean => at.hour < 2 && +at === +at.startOf('day');

/**
 * Reads a calendar day, given in the same forms as to `parseDateTime`. Text without a zone is that day as written; a
 * point in time (`DateTime`, `Date`, text with a zone) is the day that it falls on in `zone`, so that
 * `2026-02-28T23:00:00Z` is 1 March in Berlin.
 * @param zone IANA name of the workflow's time zone
 * @returns `YYYY-MM-DD` (`date` of the contract), or the rule that the value breaks
 */
export function parseDate(given: unknown, zone: string): ParsedDate {
	const parts = read(given);
	// Without a zone there is no conversion: not every hour exists on every day everywhere.
	const isDay = parts && !parts.offset;
	const parsed = isDay ? valid(DateTime.fromISO(parts.date, { zone: 'utc' })) : parse(given, zone);
	if ('rule' in parsed) return parsed;
	const at = isDay ? parsed.at : parsed.at.setZone(zoneNamed(zone));
	return inRange(at.toISODate());
}

/** RFC 3339 has years of four digits. */
function inRange(value: string | null): ParsedDate {
	return value !== null && /^(?!0000)\d{4}-/.test(value)
		? { value }
		: { rule: both('must be in a year from 0001 to 9999', 'muss in einem Jahr von 0001 bis 9999 liegen') };
}

/** Before it, there are no books, but what programs make of an empty cell: 1900, 1970. */
const FIRST_DAY = '2000-01-01';

/** What is strange about a day: whether it can still be meant, and why. */
interface StrangeDay {
	/** `near`: it may be right; `longAgo`: only if a person says so; `impossible`: it can only be a mistake. */
	kind: 'near' | 'longAgo' | 'impossible';
	says: Rule;
}

/** The days that bound what is strange today, reckoned once a day and not for each entry. */
const boundsOfStrange = memoize((now: string) => {
	const dayAt = (shift: DurationLikeObject) =>
		DateTime.fromISO(now, { zone: 'utc' }).plus(shift).toISODate() as string;
	return {
		inOneYear: dayAt({ years: 1 }),
		oneYearAgo: dayAt({ years: -1 }),
		oneMonthAgo: dayAt({ months: -1 }),
	};
});

/**
 * What is strange about the day on which something is booked: cash can't move tomorrow, and in January every office types the
 * old year.
 * @param value begins with `YYYY-MM-DD`, a day in `zone`
 */
export function strangeDay(value: string, zone: string): StrangeDay | undefined {
	const day = value.slice(0, FIRST_DAY.length);
	const now = today(zone);
	const { inOneYear, oneYearAgo, oneMonthAgo } = boundsOfStrange(now);
	const strange = (kind: StrangeDay['kind'], en: string, de: string): StrangeDay => ({
		kind,
		says: both(`is ${en}: ${day}`, `liegt ${de}: ${dayIn('de', day)}`),
	});
	if (day < FIRST_DAY) return strange('impossible', 'before 2000', 'vor dem Jahr 2000');
	if (day > inOneYear)
		return strange('impossible', 'more than a year after today', 'mehr als ein Jahr in der Zukunft');
	if (day < oneYearAgo)
		return strange('longAgo', 'more than a year before today', 'mehr als ein Jahr zurück');
	if (day > now) return strange('near', 'after today', 'in der Zukunft');
	const isOfEarlierYear = day.slice(0, 4) < now.slice(0, 4) && day < oneMonthAgo;
	return isOfEarlierYear ? strange('near', 'in an earlier year', 'in einem früheren Jahr') : undefined;
}

/** The day that it is now in `zone`, as `YYYY-MM-DD`. */
export function today(zone: string): string {
	return DateTime.now().setZone(zoneNamed(zone)).toISODate() as string;
}

function parse(given: unknown, zone: string): Parsed {
	if (!IANAZone.create(zone).isValid)
		return {
			rule: both(
				`can't be read: the workflow's time zone "${zone}" is unknown`,
				`ist nicht lesbar: Die Zeitzone „${zone}“ des Workflows ist unbekannt`,
			),
		};
	// A Date of a Code node comes from another realm, where `instanceof` fails. It has no zone, and its text is in UTC.
	if (isDate(given)) return valid(DateTime.fromMillis(given.getTime(), { zone: 'utc' }));
	if (DateTime.isDateTime(given)) return fromLuxon(given);
	const parts = read(given);
	if (parts) return atLocalTime(parts, zone);
	const isShort = typeof given === 'string' && GERMAN_SHORT_YEAR.test(given.trim());
	return isShort ? SHORT_YEAR : NO_DATE;
}

/** Luxon recognizes its values by a property, which values of another copy of luxon have, and JSON can have, too. */
function fromLuxon(given: DateTime): Parsed {
	const { toMillis, zoneName } = given as Partial<DateTime<true>>;
	if (typeof toMillis !== 'function') return NO_DATE;
	return valid(DateTime.fromMillis(Number(toMillis.call(given)), { zone: zoneName }));
}

/** The parts of a text or of a spreadsheet's serial date; `undefined` if the notation is unknown. */
function read(given: unknown): DateParts | undefined {
	if (typeof given !== 'string' && typeof given !== 'number') return undefined;
	const text = String(given).trim();
	if (SERIAL.test(text) && !isDatevDay(text)) {
		const date = dayOfSerial(Number(text));
		return date === undefined ? undefined : { date };
	}
	const iso = ISO.exec(text);
	// The compiler doesn't know which groups a pattern has.
	if (iso) return iso.groups as unknown as DateParts;
	const { day, month, year, time, seconds } = GERMAN_DATE.exec(text)?.groups ?? {};
	if (!year) return undefined;
	return { date: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, time, seconds };
}

/** The day of a spreadsheet's serial number, `YYYY-MM-DD`; `undefined` if it isn't in the years 2000 to 2099. */
export const dayOfSerial = (serial: number): string | undefined =>
	serial >= MIN_SERIAL && serial <= MAX_SERIAL
		? new Date(SERIAL_EPOCH + serial * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
		: undefined;

function atLocalTime(parts: DateParts, zone: string): Parsed {
	const { date, time = NOON, seconds = '00', fraction, offset } = parts;
	// Where the clocks go forward at midnight, there is no midnight, but the date picker still gives it.
	const isDay = !offset && isMidnight({ time, seconds, fraction });
	const local = isDay ? `${date}T${NOON}:00` : `${date}T${time}:${seconds}`;
	const text = fraction ? `${local}.${fraction}` : local;
	if (offset) return valid(DateTime.fromISO(text + offset, { setZone: true }));
	// Of a repeated time, the first one.
	const [at] = DateTime.fromISO(text, { zone: zoneNamed(zone) }).getPossibleOffsets();
	const isSkipped = at.isValid && !String(at.toISO()).startsWith(local);
	return isSkipped
		? {
				rule: both(
					`doesn't exist in the time zone ${zone}: the clocks go forward then`,
					`gibt es in der Zeitzone ${zone} nicht: Dann wird die Uhr vorgestellt`,
				),
			}
		: valid(at);
}

const isMidnight = ({ time, seconds = '00', fraction }: Partial<DateParts>) =>
	time === '00:00' && seconds === '00' && !Number(fraction);

function valid(at: DateTime): Parsed {
	return at.isValid ? { at } : { rule: both("isn't a calendar date", 'ist kein Tag des Kalenders') };
}
