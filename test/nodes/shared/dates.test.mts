import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';
import { afterEach, describe, expect, it } from 'vitest';

import { parseDate, parseDateTime } from '../../../nodes/shared/dates.js';

const BERLIN = 'Europe/Berlin';

afterEach(() => {
	Settings.now = () => Date.now();
});

describe('parseDateTime', () => {
	it.each([
		// As n8n's picker gives it: no zone, so it is local time of the workflow.
		['2026-01-15T09:30:00', '2026-01-15T09:30:00+01:00'],
		['2026-07-15T09:30:00', '2026-07-15T09:30:00+02:00'],
		['2026-07-15T09:30', '2026-07-15T09:30:00+02:00'],
		['2026-07-15 09:30:00', '2026-07-15T09:30:00+02:00'],
		['2026-07-15', '2026-07-15T00:00:00+02:00'],
		['2026-07-15T09:30:00.250', '2026-07-15T09:30:00.250+02:00'],
		// With a zone: the same instant, in the zone that was given.
		['2026-07-15T09:30:00Z', '2026-07-15T09:30:00Z'],
		['2026-07-15T09:30:00-05:00', '2026-07-15T09:30:00-05:00'],
		['2026-07-15T09:30:00+0530', '2026-07-15T09:30:00+05:30'],
		['2026-07-15 09:30:00.25+02', '2026-07-15T09:30:00.250+02:00'],
		['2024-02-29T00:00:00', '2024-02-29T00:00:00+01:00'],
		// The clocks go forward on 29 March 2026 at 2:00 and back on 25 October 2026 at 3:00.
		['2026-03-29T01:59:59', '2026-03-29T01:59:59+01:00'],
		['2026-03-29T03:00:00', '2026-03-29T03:00:00+02:00'],
		['2026-10-25T01:59:59', '2026-10-25T01:59:59+02:00'],
		['2026-10-25T03:00:00', '2026-10-25T03:00:00+01:00'],
		// Before 1893 the offset was 53 minutes and 28 seconds, which RFC 3339 can't express.
		['1890-01-01T00:53:28', '1890-01-01T00:00:00Z'],
	])('reads %s as %s', (given, value) => {
		expect(parseDateTime(given, BERLIN)).toEqual({ value });
	});

	it.each(['2026-01-10', '2026-07-10'])(
		'takes the first of two equal local times, whatever day it is (%s)',
		(day) => {
			Settings.now = () => Date.parse(day);
			expect(parseDateTime('2026-10-25T02:30:00', BERLIN)).toEqual({ value: '2026-10-25T02:30:00+02:00' });
		},
	);

	it('refuses a local time that is skipped when the clocks go forward', () => {
		expect(parseDateTime('2026-03-29T02:30:00', BERLIN)).toEqual({
			rule: expect.stringContaining("doesn't exist in the time zone Europe/Berlin"),
		});
		expect(parseDateTime('2026-03-29T02:30:00', 'UTC')).toEqual({ value: '2026-03-29T02:30:00Z' });
	});

	it('uses the zone of the workflow, not that of the machine', () => {
		expect(parseDateTime('2026-07-15T09:30:00', 'Asia/Tokyo')).toEqual({
			value: '2026-07-15T09:30:00+09:00',
		});
		expect(parseDateTime('2026-07-15T09:30:00', 'America/New_York')).toEqual({
			value: '2026-07-15T09:30:00-04:00',
		});
	});

	it('takes luxon values and dates', () => {
		expect(parseDateTime(DateTime.fromISO('2026-07-15T09:30:00', { zone: BERLIN }), 'UTC')).toEqual({
			value: '2026-07-15T09:30:00+02:00',
		});
		expect(parseDateTime(new Date('2026-07-15T07:30:00Z'), BERLIN)).toEqual({
			value: '2026-07-15T09:30:00+02:00',
		});
	});

	it.each([
		'12',
		'',
		'2026',
		'2026-07',
		'20260715',
		'2026-W10-1',
		'03/04/2026',
		'15.07.2026',
		'2026-7-5',
		'2026-07-15T9:30',
		'tomorrow',
		'2026-07-15T09:30:00 Europe/Berlin',
		'1767225600000',
		1767225600000,
		true,
		null,
		{},
		[],
	])('refuses %o rather than guess', (given) => {
		expect(parseDateTime(given, BERLIN)).toEqual({ rule: expect.stringContaining('must be a date') });
	});

	it.each(['2026-02-29', '2026-13-01', '2026-04-31T10:00:00', '2026-01-01T25:00:00', '2026-01-01T10:60:00Z'])(
		'refuses %s, which is no date of the calendar',
		(given) => {
			expect(parseDateTime(given, BERLIN)).toHaveProperty('rule');
		},
	);

	it.each([
		new Date(8.64e15),
		new Date(-8.64e15),
		DateTime.fromObject({ year: 12026 }),
		'0000-12-31',
		'2026-01-01T10:00:00+24:00',
		'2026-01-01T10:00:00+01:60',
	])('refuses %o, which RFC 3339 can’t express', (given) => {
		const refused = { rule: expect.stringMatching(/year|must be a date/) };
		expect(parseDateTime(given, 'UTC')).toEqual(refused);
		expect(parseDate(given, 'UTC')).toEqual(refused);
	});

	it('refuses invalid dates and luxon values', () => {
		expect(parseDateTime(new Date('x'), BERLIN)).toHaveProperty('rule');
		expect(parseDateTime(DateTime.invalid('x'), BERLIN)).toHaveProperty('rule');
	});

	it('keeps every instant', () => {
		const zones = fc.constantFrom(BERLIN, 'UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland');
		const instants = fc.date({
			min: new Date('1980-01-01'),
			max: new Date('2060-01-01'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(instants, zones, (date, zone) => {
				for (const given of [date, date.toISOString(), DateTime.fromJSDate(date, { zone })]) {
					const parsed = parseDateTime(given, zone) as { value: string };
					expect(Date.parse(parsed.value)).toBe(date.getTime());
					expect(parsed.value).toMatch(/T\d\d:\d\d:\d\d(\.\d{3})?(Z|[+-]\d\d:\d\d)$/);
				}
			}),
		);
	});

	it('keeps every local time that exists', () => {
		const instants = fc.date({
			min: new Date('1990-01-01'),
			max: new Date('2060-01-01'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(instants, (date) => {
				const local = DateTime.fromJSDate(date, { zone: BERLIN }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
				expect(parseDateTime(local, BERLIN)).toEqual({ value: expect.stringContaining(local) });
			}),
		);
	});
});

describe('parseDate', () => {
	it.each([
		['2026-07-15', '2026-07-15'],
		['2026-07-15T00:00:00', '2026-07-15'],
		['2026-07-15T23:59:59', '2026-07-15'],
		// An instant is the day that it is then in the workflow's zone: midnight in Berlin, written in UTC.
		['2026-02-28T23:00:00.000Z', '2026-03-01'],
		['2026-07-14T22:00:00Z', '2026-07-15'],
	])('reads %s as %s', (given, value) => {
		expect(parseDate(given, BERLIN)).toEqual({ value });
	});

	it('takes luxon values and dates as the day in the zone of the workflow', () => {
		expect(parseDate(new Date('2026-02-28T23:00:00Z'), BERLIN)).toEqual({ value: '2026-03-01' });
		expect(parseDate(DateTime.fromISO('2026-03-01T00:00:00', { zone: BERLIN }), BERLIN)).toEqual({
			value: '2026-03-01',
		});
	});

	it('knows days without midnight', () => {
		expect(parseDate('2018-11-04', 'America/Sao_Paulo')).toEqual({ value: '2018-11-04' });
		expect(parseDateTime('2018-11-04', 'America/Sao_Paulo')).toHaveProperty('rule');
	});

	it.each([
		'2026-02-30',
		'2026-03-31T24:00',
		'2026-03-31T99:99',
		'2026-03-31T10:00:60',
		'12',
		'',
		20260715,
		null,
	])('refuses %o', (given) => {
		expect(parseDate(given, BERLIN)).toHaveProperty('rule');
	});
});
