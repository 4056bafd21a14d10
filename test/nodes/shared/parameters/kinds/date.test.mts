import { DateTime } from 'luxon';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { date, INVALID, type Parameter } from '../../../../../nodes/shared/parameters/index.js';
import { dateTime } from '../../../../../nodes/AccountingGatewayDelivery/dateTime.js';
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
	/** @param now in Berlin, the next day has begun */
	const read = async (given: unknown, more: { isBooked?: true; options?: object; now?: string } = {}) => {
		const { options, now = '2026-11-26T23:30:00Z', ...spec } = more;
		vi.useFakeTimers({ toFake: ['Date'] });
		vi.setSystemTime(new Date(now));
		const declared = dateTime({ ...name, ...spec });
		const { rules, notes } = await readParameter(declared, given, { parameters: { options } });
		return { rules: rules.join(), notes: notes.join() };
	};
	const note = (says: string) => ({ rules: '', notes: says && `Field (field) ${says}` });
	const IF_RIGHT = 'If the year is right, turn on the option "Earlier Years"';

	const NEAR = [
		['27.11.2026', ''],
		['2026-11-27T23:59:59', ''],
		['28.11.2026', 'is after today: 2026-11-28'],
		['2026-11-27T23:30:00Z', 'is after today: 2026-11-28'],
		['27.11.2027', 'is after today: 2027-11-27'],
		['1.1.2026', ''],
		['31.12.2025', 'is in an earlier year: 2025-12-31'],
		['27.11.2025', 'is in an earlier year: 2025-11-27'],
	] as const;
	const LONG_AGO = [
		['26.11.2025', 'is more than a year before today: 2025-11-26'],
		['20.11.2016', 'is more than a year before today: 2016-11-20'],
		['1.1.2000', 'is more than a year before today: 2000-01-01'],
	] as const;
	const IMPOSSIBLE = [
		['28.11.2027', 'is more than a year after today: 2027-11-28'],
		['26.11.2206', 'is more than a year after today: 2206-11-26'],
		['26.11.0026', 'is before 2000: 0026-11-26'],
		// What a program makes of an empty cell.
		[new Date(0), 'is before 2000: 1970-01-01'],
		['31.12.1999', 'is before 2000: 1999-12-31'],
	] as const;

	it.each([...NEAR, ...LONG_AGO, ...IMPOSSIBLE])(
		'of a document is only warned about: %s',
		async (given, says) => {
			expect(await read(given)).toEqual(note(says));
		},
	);

	it.each(NEAR)('of a booking may be near today: %s', async (given, says) => {
		expect(await read(given, { isBooked: true })).toEqual(note(says));
	});

	it.each(LONG_AGO)(
		'of a booking is refused, and with Earlier Years booked with a warning: %s',
		async (given, says) => {
			const refused = { rules: `${says}. ${IF_RIGHT}`, notes: '' };
			expect(await read(given, { isBooked: true })).toEqual(refused);
			expect(await read(given, { isBooked: true, options: { earlierYears: false } })).toEqual(refused);
			expect(await read(given, { isBooked: true, options: { earlierYears: true } })).toEqual(note(says));
		},
	);

	it.each(IMPOSSIBLE)('of a booking is refused, also with Earlier Years: %s', async (given, says) => {
		expect(await read(given, { isBooked: true, options: { earlierYears: true } })).toEqual({
			rules: says,
			notes: '',
		});
	});

	// In January, every office types the old year.
	it.each([
		['2027-01-04', '4.12.2026', note('')],
		['2027-01-04', '3.12.2026', note('is in an earlier year: 2026-12-03')],
		['2027-01-04', '4.1.2026', note('is in an earlier year: 2026-01-04')],
		[
			'2027-01-04',
			'3.1.2026',
			{ rules: `is more than a year before today: 2026-01-03. ${IF_RIGHT}`, notes: '' },
		],
		['2027-01-31', '31.12.2026', note('')],
		['2027-02-01', '31.12.2026', note('is in an earlier year: 2026-12-31')],
		['2027-12-01', '1.1.2027', note('')],
		['2028-02-29', '28.2.2027', note('is in an earlier year: 2027-02-28')],
	])('on %s, a booking of %s', async (today, given, said) => {
		expect(await read(given, { isBooked: true, now: `${today}T12:00:00+01:00` })).toEqual(said);
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
