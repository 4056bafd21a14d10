/** Whether a value in an answer means what was sent, however it is written. */
import { DateTime } from 'luxon';

import { parseNumber } from '../values/money';

/**
 * Compares a value that came back with the one that was sent.
 * @param received neither `null` nor an empty text
 * @param record what `received` is a field of
 */
export type Same = (sent: unknown, received: unknown, record: Record<string, unknown>) => boolean;

/** A text or number as text: Unicode in one form (the "ü" of a Mac is two characters), white space of any kind as one space. */
function textOf(value: unknown): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	return String(value).normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Whether both are texts, and the same ones once `form` has written them alike. */
function alike(sent: unknown, received: unknown, form: (text: string) => string): boolean {
	const [given, returned] = [textOf(sent), textOf(received)];
	return given !== undefined && returned !== undefined && form(given) === form(returned);
}

/** A name, or a word like a currency or `AUSGABE`: in any case, as no gateway has two that differ in case only. */
export const sameName: Same = (sent, received) => alike(sent, received, (text) => text.toLowerCase());

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const isUuid = (value: unknown) => UUID.test(textOf(value) ?? '');

/** An ID or a number like `belegnummer`: UUIDs in any case, all else exactly. */
export const sameId: Same = (sent, received) =>
	alike(sent, received, (text) => (UUID.test(text) ? text.toLowerCase() : text));

/**
 * The ID of a document. The contract calls the answer's ID that "in the accounting system", which may keep a document
 * under a name of its own, like `DMS-991`. So only another UUID contradicts the one that was given: then the answer is
 * about another document, or the gateway has ignored the ID, and the same file would exist twice when it is sent again.
 */
export const sameDocumentId: Same = (sent, received, record) =>
	!isUuid(received) || sameId(sent, received, record);

/** The number of a ledger account: leading zeros don't count. */
export const sameAccountNumber: Same = (sent, received) =>
	alike(sent, received, (text) => text.replace(/^0+(?=\d)/, ''));

/** How far off a number may be: less than any currency's smallest unit, more than floating-point noise. */
const NOISE = 1e-6;
/** `12,50 €`, `19 %`. */
const UNIT = /(%|\p{Sc}|[A-Z]{3})$/u;
/** Thousands or a fraction: in an answer, either may be meant. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

/** The numbers that a value can be read as. */
function numbersIn(value: unknown): number[] {
	if (typeof value === 'number') return [value];
	if (typeof value !== 'string') return [];
	const text = value.trim().replace(UNIT, '').trimEnd();
	if (AMBIGUOUS.test(text)) return ['.', ''].map((point) => Number(text.replace(/[.,]/, point)));
	const parsed = parseNumber(text);
	return 'value' in parsed ? [parsed.value] : [];
}

/** An amount or a rate, as number or text. */
export const sameNumber: Same = (sent, received) =>
	numbersIn(received).some((number) => Math.abs(number - Number(sent)) < NOISE);

/** A date and, unless it stands alone, a time, with or without a zone. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}[\d:.,]*) ?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const MIDNIGHT = /^00:00[0:.,]*$/;

/**
 * The day of a point in time, in the zone in which it was sent. A time comes back in another zone, or without one, or
 * not at all: accounting systems keep the day.
 * @param sent `date-time` of the contract
 */
export const sameDay: Same = (sent, received) => {
	const [, day, time, zone] = MOMENT.exec(textOf(received) ?? '') ?? [];
	if (day === undefined) return false;
	const given = DateTime.fromISO(String(sent), { setZone: true });
	// A midnight stands for its day, in whatever zone.
	const isDay = time === undefined || MIDNIGHT.test(time);
	if ((isDay || zone === undefined) && day === given.toISODate()) return true;
	if (time === undefined) return false;
	const instant = DateTime.fromISO(`${day}T${time.replace(',', '.')}${zone ?? 'Z'}`, { zone: given.zone });
	// Without a zone it may be UTC, if it is the very same time.
	return zone === undefined ? +instant === +given : instant.toISODate() === given.toISODate();
};

/**
 * When a date begins anywhere on earth (UTC+14), and when it has ended everywhere (UTC-12): hours from its midnight in
 * UTC.
 */
const EARLIEST = -14;
const LATEST = 36;

/** A date, which may come back as a time of that day in an unknown zone. @param sent `YYYY-MM-DD` */
export const sameDate: Same = (sent, received) => {
	const [, day, time, zone] = MOMENT.exec(textOf(received) ?? '') ?? [];
	if (day === undefined || day === sent) return day !== undefined;
	if (time === undefined || zone === undefined) return false;
	const hours = DateTime.fromISO(`${day}T${time}${zone}`)
		.diff(DateTime.fromISO(String(sent), { zone: 'utc' }))
		.as('hours');
	return hours >= EARLIEST && hours < LATEST;
};
