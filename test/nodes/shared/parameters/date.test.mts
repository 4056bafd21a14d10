import { describe, expect, it } from 'vitest';

import { date, dateTime } from '../../../../nodes/shared/parameters/date.js';
import { INVALID } from '../../../../nodes/shared/parameters/inputItem.js';
import { readParameter } from '../../../support/readParameter.mjs';

const name = { displayName: 'Field' };

describe.each([
	['a date', () => date(name), { typeOptions: { dateOnly: true } }, '2026-03-31'],
	['a point in time', () => dateTime(name), {}, '2026-03-31T12:00:00+09:00'],
] as const)('%s', (_what, declared, shown, value) => {
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

	it('is picked in the form, which is empty at first', () => {
		expect(declared().property).toEqual({ ...name, type: 'dateTime', default: '', ...shown });
	});
});

it('a date may be filled in at first', () => {
	expect(date({ ...name, default: '={{ $today }}' }).property.default).toBe('={{ $today }}');
});
