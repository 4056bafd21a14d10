/** Compares values of an answer with those that were sent, however they are written. */
import { DateTime } from 'luxon';

import { DAY_MS, parseNumber } from '../values';

/**
 * Compares a value that came back with the one that was sent.
 * @param received neither `null` nor an empty text
 * @param record the record that has `received` in one of its fields
 */
export type Same = (sent: unknown, received: unknown, record: Record<string, unknown>) => boolean;

/** A text or number as text: Unicode in one form (the "ü" of a Mac is two characters), white space as one space. */
function normalText(value: unknown): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	return String(value).normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** The same for all spellings of a name, number, ID or word; `undefined` for what is no text or number. */
export const wordOf = (value: unknown): string | undefined => normalText(value)?.toLowerCase();

/**
 * Compares names, numbers like `belegnummer`, IDs, or words like a currency. No gateway has two of these that differ in
 * case only.
 */
export const sameText: Same = (sent, received) => {
	const given = wordOf(sent);
	return given !== undefined && given === wordOf(received);
};

/** Less than any currency's smallest unit, more than floating-point noise. */
export const NOISE = 1e-6;
/** The unit behind a number: `12,50 €`, `19 %`. */
const UNIT = /(%|\p{Sc}|[A-Z]{3})$/u;
/** A number whose separator may mean thousands or a fraction; in an answer, either is possible. */
const POSSIBLY_GROUPED = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

function readingsOf(value: unknown): number[] {
	if (typeof value === 'number') return [value];
	if (typeof value !== 'string') return [];
	const text = value.trim().replace(UNIT, '').trimEnd();
	if (POSSIBLY_GROUPED.test(text)) return ['.', ''].map((point) => Number(text.replace(/[.,]/, point)));
	const parsed = parseNumber(text);
	return 'value' in parsed ? [parsed.value] : [];
}

/** Compares amounts or rates, given as numbers or texts. */
export const sameNumber: Same = (sent, received) =>
	readingsOf(received).some((number) => Math.abs(number - Number(sent)) < NOISE);

/**
 * Compares dates or points in time, which must be less than 24 hours apart: the gateway may return a date in another
 * zone, without a zone, as the midnight of its day, or without a time, which is read as noon. All of ISO 8601 is read.
 */
export const sameTime: Same = (sent, received) => {
	// Most gateways return it as it was sent, and reading it twice takes as long as the rest of the proof.
	if (sent === received) return true;
	const given = timeIn(sent, 'utc');
	const returned = timeIn(received, given.zone);
	return Math.abs(+returned - +given) < DAY_MS;
};

/**
 * The day of a time that came back, seen in the zone of the one that was sent, if it is another day. Midnight in UTC may
 * also mean UTC's day.
 * @param sent with its zone
 */
export function otherDay(sent: string, received: unknown): string | undefined {
	const given = timeIn(sent, 'utc');
	const returned = timeIn(received, given.zone).setZone(given.zone);
	const meant = +returned % DAY_MS === 0 ? [returned, returned.toUTC()] : [returned];
	const isSame = meant.some((time) => time.toISODate() === given.toISODate());
	return isSame ? undefined : (returned.toISODate() ?? undefined);
}

/** @param zone of a time without one */
function timeIn(value: unknown, zone: DateTime['zone'] | string): DateTime {
	const text = (normalText(value) ?? '').toUpperCase().replace(' ', 'T').replace(' ', '');
	const time = DateTime.fromISO(text, { zone, setZone: true });
	return text.includes('T') ? time : time.set({ hour: 12 });
}
