import { DateTime } from 'luxon';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { date, dateTime, INVALID, type Parameter } from '../../../../../nodes/shared/parameters/index.js';
import { readParameter } from '../../../../support/fakes.mjs';

const name = { displayName: 'Field' };

describe.each([
	['A date', () => date(name), '2026-03-31'],
	['A point in time', () => dateTime(name), { value: '2026-03-31T12:00:00+09:00', meant: '2026-03-31' }],
] as const)('%s', (_what, declared, value) => {
	it('is read in the time zone of the workflow', async () => {
		expect(await readParameter(declared(), '31.3.2026', { zone: 'Asia/Tokyo' })).toEqual({
			value,
			rules: [],
			germanRules: [],
			issues: [],
			notes: [],
		});
	});

	it('is refused with the rule that it breaks', async () => {
		expect(await readParameter(declared(), '31.3.26')).toMatchObject({
			value: INVALID,
			issues: [{ rule: 'must have a four-digit year, like 31.03.2026', value: '31.3.26' }],
		});
	});
});

it('A date that is none says in German how a German writes one', async () => {
	for (const declared of [date(name), dateTime(name)])
		expect((await readParameter(declared, 'Summe')).germanRules).toEqual([
			'muss ein Datum wie 31.03.2026 oder 31.03.2026 14:30 sein',
		]);
});

it('A date may be filled in at first', () => {
	expect(date({ ...name, default: '={{ $today }}' }).property.default).toBe('={{ $today }}');
});

describe('The day of a booking or a document', () => {
	afterEach(() => void vi.useRealTimers());
	const read = async (given: unknown) => {
		vi.useFakeTimers({ toFake: ['Date'] });
		// In Berlin, the next day has begun.
		vi.setSystemTime(new Date('2026-11-26T23:30:00Z'));
		const { rules, notes } = await readParameter(dateTime(name), given);
		return [...rules, ...notes].join();
	};

	it.each([
		['27.11.2026', ''],
		['2026-11-27T23:59:59', ''],
		['28.11.2026', 'Field (field) is after today: 2026-11-28'],
		['2026-11-27T23:30:00Z', 'Field (field) is after today: 2026-11-28'],
		['27.11.2027', 'Field (field) is after today: 2027-11-27'],
		['28.11.2027', 'is more than a year after today: 2027-11-28'],
		['26.11.2206', 'is more than a year after today: 2206-11-26'],
		['26.11.0026', 'is before 2000: 0026-11-26'],
		// What a program makes of an empty cell.
		[new Date(0), 'is before 2000: 1970-01-01'],
		['31.12.1999', 'is before 2000: 1999-12-31'],
		['1.1.2000', ''],
	])('%s: %s', async (given, said) => {
		expect(await read(given)).toBe(said);
	});
});

describe('On an n8n whose zone nobody has set', () => {
	const NEW_YORK = { zone: 'America/New_York' };
	const notesOf = async (given: unknown, around = NEW_YORK, declared: Parameter = dateTime(name)) =>
		(await readParameter(declared, given, around)).notes;

	it.each(['31.03.2026 14:30', ' 2026-03-31 14:30 ', '2026-03-31T00:00:01', '2026-03-31T00:00:00.5'])(
		'the time %s, without a zone, is read with a warning',
		async (given) => {
			expect(await notesOf(given)).toEqual([
				expect.stringMatching(
					/^Field \(field\) has no time zone and was read in America\/New_York, .*GENERIC_TIMEZONE$/,
				),
			]);
		},
	);

	it.each([
		['a Date', new Date('2026-03-31T18:30:00Z')],
		['a time with a zone', '2026-03-31T14:30:00+02:00'],
		['a time of another zone', DateTime.fromISO('2026-03-31T14:30:00', { zone: 'Europe/Berlin' })],
		['$now', DateTime.fromISO('2026-03-31T19:30:00', { zone: 'America/New_York' })],
		['$today', DateTime.fromISO('2026-03-31', { zone: 'America/New_York' })],
	])('%s, whose day depends on that zone, is read with a warning', async (_what, given) => {
		expect(await notesOf(given)).toEqual([
			expect.stringMatching(/^Field \(field\) has day and time of America\/New_York, n8n's default/),
		]);
		expect(await notesOf(given, { zone: 'Europe/Berlin' })).toEqual([]);
	});

	it.each(['2026-03-31', '2026-03-31T00:00:00.000', '31.3.2026 00:00', 46112])(
		'there is no warning for %s',
		async (given) => {
			expect(await notesOf(given)).toEqual([]);
		},
	);

	it('there is no warning in another zone, and none for a date', async () => {
		expect(await notesOf('2026-03-31T14:30:00', { zone: 'Europe/Berlin' })).toEqual([]);
		expect(await notesOf('2026-03-31T14:30:00', NEW_YORK, date(name))).toEqual([]);
	});
});
