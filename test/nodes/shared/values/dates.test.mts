import { createRequire } from 'node:module';
import vm from 'node:vm';
import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { parseDate, parseDateTime, today } from '../../../../nodes/shared/values/dates.js';
import { processorTime } from '../../../support/timing.mjs';
import { ruleThat } from '../../../support/fakes.mjs';

const BERLIN = 'Europe/Berlin';
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** Another copy of luxon, as a package of its own would bring it. */
function otherLuxon(): typeof DateTime {
	const require = createRequire(import.meta.url);
	const path = require.resolve('luxon');
	const { [path]: loaded } = require.cache;
	delete require.cache[path];
	const { DateTime: other } = require('luxon') as { DateTime: typeof DateTime };
	require.cache[path] = loaded;
	return other;
}

const formats = new Map(
	ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })]),
);
/** The date that a reader in a zone sees. Computed without luxon. */
const dateIn = (zone: string, at: string) => formats.get(zone)!.format(new Date(at));

const sent = (given: unknown, zone = BERLIN) => (parseDateTime(given, zone) as { value: string }).value;

afterEach(() => {
	Settings.now = () => Date.now();
	Settings.defaultZone = 'system';
	Settings.defaultLocale = new Intl.DateTimeFormat().resolvedOptions().locale;
});

describe('parseDateTime', () => {
	it.each([
		// As n8n's picker gives it: no zone, so it is local time of the workflow.
		['2026-07-15T09:30', '2026-07-15T09:30:00+02:00'],
		[' 2026-07-15T09:30:00 ', '2026-07-15T09:30:00+02:00'],
		['2026-07-15T09:30:00.250', '2026-07-15T09:30:00.250+02:00'],
		// With a zone: the same moment in the workflow's zone, so that its day is that of the office.
		['2026-07-15T09:30:00-05:00', '2026-07-15T16:30:00+02:00'],
		['2026-07-15T09:30:00+0530', '2026-07-15T06:00:00+02:00'],
		['2025-12-31T23:30:00Z', '2026-01-01T00:30:00+01:00'],
		['2026-07-15 09:30:00.25+02', '2026-07-15T09:30:00.250+02:00'],
		['2024-02-29T00:00:01', '2024-02-29T00:00:01+01:00'],
		// German.
		['1.7.2026 14:05', '2026-07-01T14:05:00+02:00'],
		['31.12.2026 00:01:30', '2026-12-31T00:01:30+01:00'],
		// A date alone.
		['1.7.2026', '2026-07-01T12:00:00+02:00'],
		// The clocks go forward on 29 March 2026 at 2:00 and back on 25 October 2026 at 3:00.
		['2026-03-29T01:59:59', '2026-03-29T01:59:59+01:00'],
		['2026-03-29T03:00:00', '2026-03-29T03:00:00+02:00'],
		['2026-10-25T01:59:59', '2026-10-25T01:59:59+02:00'],
		['2026-10-25T03:00:00', '2026-10-25T03:00:00+01:00'],
		// Before 1893 the offset was 53 minutes and 28 seconds, which RFC 3339 can't express.
		['1890-01-01T00:53:28', '1890-01-01T00:00:00Z'],
	])('reads %s as %s', (given, value) => {
		expect(parseDateTime(given, BERLIN)).toMatchObject({ value });
	});

	it.each(['2026-01-10', '2026-07-10'])('uses the first of two equal local times, on any day (%s)', (day) => {
		Settings.now = () => Date.parse(day);
		expect(parseDateTime('2026-10-25T02:30:00', BERLIN)).toMatchObject({
			value: '2026-10-25T02:30:00+02:00',
		});
	});

	it.each([
		['31.12.2025', '2025-12-31'],
		[46022, '2025-12-31'],
		['2025-12-31T00:00:00', '2025-12-31'],
		['31.12.2025 23:30', '2025-12-31T23:30:00'],
		['2025-12-31T12:00:00.5', '2025-12-31T12:00:00.500'],
		['2025-12-31T23:30:00Z', '2025-12-31T23:30:00Z'],
		['2026-01-01T00:30:00.000+01:00', '2025-12-31T23:30:00Z'],
		[new Date('2025-12-31T23:30:00Z'), '2025-12-31T23:30:00Z'],
		// Midnight in Berlin, and in the zone that it was given with.
		['2025-12-31T23:00:00Z', '2025-12-31T23:00:00Z'],
		['2026-01-01T00:00:00.000+01:00', '2026-01-01'],
		[DateTime.fromISO('2026-01-01', { zone: BERLIN }), '2026-01-01'],
	])('takes %s for the same, whatever zone the workflow is in', (given, meant) => {
		for (const zone of [BERLIN, 'America/New_York', 'Asia/Kathmandu', 'UTC'])
			expect(parseDateTime(given, zone)).toMatchObject({ meant });
	});

	it('takes a Date for the same as its text, which Retry has', () => {
		for (const zone of [BERLIN, 'America/New_York', 'Pacific/Auckland']) {
			for (const at of ['2025-12-31T23:00:00.000Z', '2025-12-31T23:30:00.250Z', '2026-03-02T10:00:00.000Z'])
				expect(parseDateTime(new Date(at), zone)).toEqual(parseDateTime(at, zone));
		}
	});

	it('refuses a local time that is skipped when the clocks go forward', () => {
		const refused = ruleThat("doesn't exist in the time zone Europe/Berlin");
		for (const given of ['2026-03-29T02:30:00', '29.3.2026 02:30'])
			expect(parseDateTime(given, BERLIN)).toEqual(refused);
		expect(parseDateTime('2026-03-29T02:30:00', 'UTC')).toMatchObject({ value: '2026-03-29T02:30:00Z' });
	});

	it('refuses a number that is a day of DATEV: 4 January 2026, not one of 2009', () => {
		for (const given of [40126, '40126', '41226', 50126, '71231'])
			expect(parseDateTime(given, BERLIN)).toEqual(ruleThat('must be a date like'));
		// No month.
		for (const given of [40026, 41326]) expect(parseDateTime(given, BERLIN)).toHaveProperty('value');
	});

	it('refuses a day that was skipped', () => {
		// Samoa went over the date line.
		expect(parseDateTime('2011-12-30', 'Pacific/Apia')).toEqual(
			ruleThat("doesn't exist in the time zone Pacific/Apia"),
		);
	});

	it('reads text the same way in whatever language luxon is set to', () => {
		Settings.defaultLocale = 'ar-EG';
		expect(parseDateTime('2026-07-15T09:30:00', BERLIN)).toMatchObject({
			value: '2026-07-15T09:30:00+02:00',
		});
		expect(parseDate('15.7.2026', BERLIN)).toEqual({ value: '2026-07-15' });
	});

	it('accepts values of another copy of luxon', () => {
		const Other = otherLuxon();
		const zones = [BERLIN, 'UTC', 'utc', 'UTC+5:30', 'America/New_York'];
		expect(Other).not.toBe(DateTime);
		for (const zone of zones) {
			const own = DateTime.fromISO('2026-07-15T09:30:00.125', { zone });
			const other = Other.fromISO('2026-07-15T09:30:00.125', { zone });
			expect(other).not.toBeInstanceOf(DateTime);
			expect(parseDateTime(other, BERLIN)).toMatchObject({ value: sent(own) });
			expect(parseDate(other, BERLIN)).toEqual({ value: '2026-07-15' });
		}
		expect(parseDateTime(Other.invalid('x'), BERLIN)).toEqual(ruleThat("isn't a calendar date"));
	});

	it('takes a Date for the same, whatever zone n8n’s machine is in', () => {
		Settings.defaultZone = BERLIN;
		expect(parseDateTime(new Date('2025-12-31T23:00:00Z'), 'UTC')).toMatchObject({
			meant: '2025-12-31T23:00:00Z',
		});
	});

	it('takes the begin of a day without a midnight for that day, as its text, which Retry has', () => {
		const zone = 'America/Sao_Paulo';
		const begin = DateTime.fromISO('2018-11-04', { zone }).startOf('day');
		expect(begin.hour).toBe(1);
		for (const given of [begin, begin.toISO()])
			expect(parseDateTime(given, zone)).toMatchObject({ meant: '2018-11-04' });
	});

	it('accepts a Date of another realm', () => {
		const other: unknown = vm.runInNewContext("new Date('2026-07-15T07:30:00Z')");
		expect(other).not.toBeInstanceOf(Date);
		expect(parseDateTime(other, BERLIN)).toMatchObject({ value: '2026-07-15T09:30:00+02:00' });
	});

	it.each([
		{ isLuxonDateTime: true },
		{ isLuxonDateTime: true, isValid: true, ts: 0 },
		{ isLuxonDateTime: true, isValid: true, toMillis: 0, offset: 0 },
	])('refuses %o, which JSON can hold', (given) => {
		expect(parseDateTime(given, BERLIN)).toEqual(ruleThat('must be a date'));
		expect(parseDate(given, BERLIN)).toEqual(ruleThat('must be a date'));
	});

	it.each([
		...'12||2026-07|2026-W10-1|03/04/2026|2026-7-5|15/07/2026|15.07.|15.07.12026|15.007.2026'.split('|'),
		...'15.07.2026, 14:05|15.07.2026 14:05 Uhr|15.07.2026 14.05|15.07.2026 2:05|15.07.2026 24:00'.split('|'),
		...'15.07.2026 14:60|15.07.2026 14:05:60|15.07.2026T14:05|15.07.2026 14:05+02:00|15. Juli 2026'.split(
			'|',
		),
		...'１５.07.2026|2026-07-15T9:30|2026-07-15T09:30:00 Europe/Berlin'.split('|'),
		...[1767225600000, true, null, []],
	])('refuses %o rather than guess', (given) => {
		expect(parseDateTime(given, BERLIN)).toEqual(ruleThat('must be a date'));
	});

	it.each(['31.12.26', ' 31.12.26 ', '1.7.26', '1.7.26 14:05', '01.07.26, 14:05'])(
		'refuses %s: the year has two digits',
		(given) => {
			const refused = ruleThat('a four-digit year');
			expect(parseDateTime(given, BERLIN)).toEqual(refused);
			expect(parseDate(given, BERLIN)).toEqual(refused);
		},
	);

	it.each([
		[36526, '2000-01-01'],
		[' 46081 ', '2026-02-28'],
		[46110, '2026-03-29'],
		[73050, '2099-12-31'],
	])('reads %o, which a spreadsheet stores for a day, as %s in every time zone', (given, day) => {
		for (const zone of ZONES) {
			expect(parseDate(given, zone)).toEqual({ value: day });
			expect(sent(given, zone)).toBe(sent(day, zone));
		}
	});

	it.each([36525, 73051, '36525', '73051', 46346.5, '46346,0', -46346, '046346', 46346n, [46346], NaN])(
		'refuses %o, which is no day of a spreadsheet from 2000 to 2099',
		(given) => {
			expect(parseDate(given, BERLIN)).toEqual(ruleThat('must be a date'));
			expect(parseDateTime(given, BERLIN)).toEqual(ruleThat('must be a date'));
		},
	);

	it.each([
		...['29.2.2026', '0.1.2026', '32.12.2026 10:00', '2026-02-29', '2026-04-31T10:00:00'],
		...['2026-01-01T25:00:00', '2026-01-01T10:60:00Z'],
		// American: the month first.
		'12.31.2026',
	])("refuses %s, which isn't a calendar date", (given) => {
		expect(parseDateTime(given, BERLIN)).toHaveProperty('rule');
		expect(parseDate(given, BERLIN)).toHaveProperty('rule');
	});

	it.each([
		...[new Date(8.64e15), new Date(-8.64e15), DateTime.fromObject({ year: 12026 })],
		...['0000-12-31', '31.12.0000', '2026-01-01T10:00:00+24:00', '2026-01-01T10:00:00+01:60'],
	])('refuses %o, which RFC 3339 can’t express', (given) => {
		const refused = ruleThat(/year|must be a date/);
		expect(parseDateTime(given, 'UTC')).toEqual(refused);
		expect(parseDate(given, 'UTC')).toEqual(refused);
	});

	it('takes the first and the last year that it can express', () => {
		for (const given of ['0001-01-01', '9999-12-31']) {
			expect(parseDateTime(given, 'UTC')).toMatchObject({ value: `${given}T12:00:00Z` });
			expect(parseDate(given, 'UTC')).toEqual({ value: given });
		}
	});

	it('refuses any point in time where the time zone of the workflow is unknown', () => {
		const refused = ruleThat('can\'t be read: the workflow\'s time zone "Europe/Bonn" is unknown');
		expect(parseDateTime('2026-07-15T09:30', 'Europe/Bonn')).toEqual(refused);
		expect(parseDate(new Date(0), 'Europe/Bonn')).toEqual(refused);
	});

	it('refuses invalid dates and luxon values', () => {
		for (const given of [new Date('x'), DateTime.invalid('x')])
			expect(parseDateTime(given, BERLIN)).toHaveProperty('rule');
	});

	it('keeps every instant but local midnights', () => {
		const zones = fc.constantFrom(BERLIN, 'UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland');
		const range = { min: new Date('1980-01-01'), max: new Date('2060-01-01') };
		const instants = fc.date({ ...range, noInvalidDate: true });
		fc.assert(
			fc.property(instants, zones, (date, zone) => {
				const local = DateTime.fromJSDate(date, { zone });
				fc.pre(+local !== +local.startOf('day'));
				for (const given of [date, date.toISOString(), DateTime.fromJSDate(date, { zone })]) {
					const parsed = parseDateTime(given, zone) as { value: string };
					expect(Date.parse(parsed.value)).toBe(date.getTime());
					expect(parsed.value).toMatch(/T\d\d:\d\d:\d\d(\.\d{3})?(Z|[+-]\d\d:\d\d)$/);
				}
			}),
		);
	});

	it.each<[string, (length: number) => string]>([
		['digits', (n) => '1'.repeat(n)],
		['days', (n) => '1.'.repeat(n / 2)],
		['years', (n) => `2026-${'07-'.repeat(n / 3)}`],
		['a fraction', (n) => `2026-07-15T09:30:00.${'0'.repeat(n)}`],
		['space within', (n) => `2026-07-15${' '.repeat(n)}09:30`],
		['space before a zone', (n) => `2026-07-15T09:30:00${' '.repeat(n)}Z`],
		['offsets', (n) => `2026-07-15T09:30:00${'+00'.repeat(n / 3)}`],
	])('takes time in proportion to the length of its text: %s', (_, text) => {
		// At the quadratic rate, the first would take seconds and the second hours.
		for (const length of [20_000, 1_000_000]) {
			const took = processorTime(() => {
				expect(parseDateTime(text(length), BERLIN)).toHaveProperty('rule');
				expect(parseDate(text(length), BERLIN)).toHaveProperty('rule');
			});
			expect(took).toBeLessThan(1000);
		}
	});
});

describe('a date alone', () => {
	// Until 1972, Liberia was off by 44 minutes and 30 seconds, which RFC 3339 can't express.
	const days = fc
		.date({ min: new Date('1972-02-01'), max: new Date('2060-01-01'), noInvalidDate: true })
		.map((date) => date.toISOString().slice(0, 10));

	it('is noon of that day in the time zone of the workflow, anywhere', () => {
		fc.assert(
			fc.property(days, fc.constantFrom(...ZONES), (date, zone) => {
				const parsed = parseDateTime(date, zone);
				// Days on which an island went over the date line.
				if ('rule' in parsed) expect(zone).toMatch(/^Pacific\//);
				else
					expect([parsed.value.slice(0, 19), dateIn(zone, parsed.value)]).toEqual([`${date}T12:00:00`, date]);
			}),
		);
	});

	it('is also what a local midnight means, in whatever form', () => {
		const midnight = DateTime.fromISO('2026-07-15', { zone: BERLIN });
		const texts = ['2026-07-15T00:00', '2026-07-15T00:00:00', '2026-07-15T00:00:00.000+02:00'];
		const german = '15.7.2026 00:00';
		const inUtc = '2026-07-14T22:00:00Z';
		for (const given of [...texts, german, midnight, midnight.toJSDate(), midnight.toISO(), inUtc]) {
			expect(sent(given)).toBe('2026-07-15T12:00:00+02:00');
		}
		// It is no midnight elsewhere, or a second later.
		expect(sent('2026-07-15T00:00:00Z')).toBe('2026-07-15T02:00:00+02:00');
		expect(sent(midnight, 'Asia/Tokyo')).toBe('2026-07-15T07:00:00+09:00');
		for (const later of ['2026-07-15T00:00:00.001', '2026-07-15T00:00:01', '2026-07-15T00:01']) {
			expect(Date.parse(sent(later))).toBeGreaterThan(midnight.toMillis());
			expect(sent(later)).toMatch(/^2026-07-15T00:0/);
		}
	});

	it('is what the beginning of any day means, in any zone and form', () => {
		fc.assert(
			fc.property(days, fc.constantFrom(...ZONES), (date, zone) => {
				const begin = DateTime.fromISO(date, { zone }).startOf('day');
				fc.pre(begin.isValid && begin.toISODate() === date && Number.isInteger(begin.offset));
				for (const given of [begin, begin.toISO(), `${date}T00:00:00`, `${date} 00:00`]) {
					const parsed = parseDateTime(given, zone);
					expect(parsed).toEqual(parseDateTime(date, zone));
				}
				// A Date has no zone: what it means doesn't depend on the workflow's.
				expect(sent(begin.toJSDate(), zone)).toBe(sent(date, zone));
			}),
		);
	});
});

describe('today', () => {
	it('is the current day in the zone', () => {
		Settings.now = () => Date.parse('2026-12-31T23:30:00Z');
		expect(today('UTC')).toBe('2026-12-31');
		expect(today(BERLIN)).toBe('2027-01-01');
		expect(today('America/New_York')).toBe('2026-12-31');
	});
});

describe('parseDate', () => {
	it.each([
		['2026-07-15T00:00:00', '2026-07-15'],
		['2026-07-15T23:59:59', '2026-07-15'],
		['05.03.2026 23:59:59', '2026-03-05'],
		// The day is certain, whether or not the hour was skipped.
		[' 29.3.2026 02:30 ', '2026-03-29'],
		// An instant is the day that it is then in the workflow's zone: midnight in Berlin, written in UTC.
		['2026-02-28T23:00:00.000Z', '2026-03-01'],
	])('reads %s as %s', (given, value) => {
		expect(parseDate(given, BERLIN)).toEqual({ value });
	});

	it('reads luxon values and dates as the day in the time zone of the workflow', () => {
		const midnight = DateTime.fromISO('2026-03-01T00:00:00', { zone: BERLIN });
		for (const given of [midnight, midnight.toJSDate()])
			expect(parseDate(given, BERLIN)).toEqual({ value: '2026-03-01' });
	});

	it('reads a day as it is written, in whatever time zone the machine is', () => {
		// Samoa, which went over the date line, had no such day.
		Settings.defaultZone = 'Pacific/Apia';
		expect(parseDate('30.12.2011', BERLIN)).toEqual({ value: '2011-12-30' });
	});

	it('handles days without midnight', () => {
		expect(parseDate('2018-11-04', 'America/Sao_Paulo')).toEqual({ value: '2018-11-04' });
		expect(parseDateTime('2018-11-04', 'America/Sao_Paulo')).toMatchObject({
			value: '2018-11-04T12:00:00-02:00',
		});
		// The date picker gives it, and `$today` is 01:00 then.
		for (const given of ['2018-11-04T00:00:00', DateTime.fromISO('2018-11-04T03:00:00Z')]) {
			expect(parseDateTime(given, 'America/Sao_Paulo')).toMatchObject({ value: '2018-11-04T12:00:00-02:00' });
		}
		expect(parseDateTime('2018-11-04T00:30:00', 'America/Sao_Paulo')).toHaveProperty('rule');
	});

	it.each(['2026-03-31T24:00', '31.03.2026 24:00', '12', '', 20260715, null])('refuses %o', (given) => {
		expect(parseDate(given, BERLIN)).toHaveProperty('rule');
	});
});

describe('The offset of a zone', () => {
	/** How often `Intl` is asked for a zone's clock. */
	const asked = (work: () => void): number => {
		const spy = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
		work();
		const { length } = spy.mock.calls;
		spy.mockRestore();
		return length;
	};

	it('is asked for once an hour, not several times for each entry', () => {
		const read = () => {
			for (let minute = 10; minute < 60; minute++) {
				expect(parseDateTime(`2026-05-05T09:${minute}:00`, 'Europe/Vienna')).toHaveProperty('value');
				expect(parseDate(`2026-05-05T09:${minute}:00+02:00`, 'Europe/Vienna')).toEqual({
					value: '2026-05-05',
				});
			}
		};
		// Of the hour, of midnight, and of the guesses in UTC, at both ends.
		expect(asked(read)).toBeLessThan(30);
		expect(asked(read)).toBeLessThan(3);
	});

	it('is asked for once in the hour before the clocks change, too', () => {
		const read = (minute: number) => parseDateTime(`2026-03-29T00:${minute}:00Z`, 'Europe/Prague');
		read(10);
		const once = asked(() => read(11));
		expect(asked(() => Array.from({ length: 40 }, (_, i) => read(12 + i)))).toBeLessThanOrEqual(once * 2);
	});

	it('is forgotten after ten thousand hours, which take little memory', () => {
		const hourAt = (number: number) => new Date(Date.UTC(2001, 0, 1, number)).toISOString();
		const read = (number: number) => parseDate(hourAt(number), 'Europe/Warsaw');
		read(0);
		expect(asked(() => read(0))).toBe(0);
		for (let number = 1; number <= 10_000; number++) read(number);
		expect(asked(() => read(0))).toBeGreaterThan(0);
	});

	it.each([
		[
			'at a half hour, by half an hour',
			'Australia/Lord_Howe',
			'2026-04-04T14:59:59Z',
			'2026-04-04T15:00:00Z',
		],
		['a minute after midnight', 'America/St_Johns', '2010-03-14T03:30:59Z', '2010-03-14T03:31:00Z'],
		['within a minute', 'Europe/Berlin', '1893-03-31T23:06:31Z', '1893-03-31T23:06:33Z'],
	])('is right where the clocks change %s', (_, zone, before, after) => {
		const offsets = [before, after].map((at) => DateTime.fromISO(at, { zone }).offset);
		expect(offsets[0]).not.toBe(offsets[1]);
		for (const [i, at] of [before, after].entries()) {
			const moment = parseDateTime(at, zone) as { value: string };
			expect(+new Date(moment.value)).toBe(+new Date(at));
			const hasWholeMinutes = Number.isInteger(offsets[i]);
			if (hasWholeMinutes) expect(DateTime.fromISO(moment.value, { setZone: true }).offset).toBe(offsets[i]);
		}
	});
});
