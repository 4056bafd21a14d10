import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';

import { date, dateTime } from '../../../../nodes/shared/parameters/date.js';
import { INVALID } from '../../../../nodes/shared/parameters/inputItem.js';
import { readParameter } from '../../../support/fakes.mjs';

const name = { displayName: 'Field' };

describe.each([
	['A date', () => date(name), '2026-03-31'],
	['A point in time', () => dateTime(name), '2026-03-31T12:00:00+09:00'],
] as const)('%s', (_what, declared, value) => {
	it('is read in the time zone of the workflow', async () => {
		expect(await readParameter(declared(), '31.3.2026', { workflow: { timezone: 'Asia/Tokyo' } })).toEqual({
			value,
			rules: [],
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

it('A date may be filled in at first', () => {
	expect(date({ ...name, default: '={{ $today }}' }).property.default).toBe('={{ $today }}');
});

describe('On an n8n whose zone nobody has set', () => {
	const NEW_YORK = { workflow: { timezone: 'America/New_York' } };
	const notesOf = async (given: unknown, around = NEW_YORK, declared = dateTime(name)) =>
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
		['a Date', new Date(0)],
		['$now', DateTime.fromISO('2026-03-31T19:30:00', { zone: 'America/New_York' })],
		['$today', DateTime.fromISO('2026-03-31', { zone: 'America/New_York' })],
	])('%s, whose day depends on that zone, is read with a warning', async (_what, given) => {
		expect(await notesOf(given)).toEqual([
			expect.stringMatching(/^Field \(field\) has day and time of America\/New_York, n8n's default/),
		]);
		expect(await notesOf(given, { workflow: { timezone: 'Europe/Berlin' } })).toEqual([]);
	});

	it.each([
		'2026-03-31T14:30:00+02:00',
		'2026-03-31T14:30:00Z',
		'2026-03-31',
		'2026-03-31T00:00:00.000',
		'31.3.2026 00:00',
		DateTime.fromISO('2026-03-31T14:30:00', { zone: 'Europe/Berlin' }),
	])('there is no warning for %s', async (given) => {
		expect(await notesOf(given)).toEqual([]);
	});

	it('there is no warning in another zone, and none for a date', async () => {
		expect(await notesOf('2026-03-31T14:30:00', { workflow: { timezone: 'Europe/Berlin' } })).toEqual([]);
		expect(await notesOf('2026-03-31T14:30:00', NEW_YORK, date(name))).toEqual([]);
	});
});
