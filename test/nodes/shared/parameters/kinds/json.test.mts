import { describe, expect, it } from 'vitest';

import { INVALID, jsonObject } from '../../../../../nodes/shared/parameters/index.js';
import { readParameter } from '../../../../support/fakes.mjs';

const settings = jsonObject({ displayName: 'Field' });
const ITSELF: Record<string, unknown> = {};
ITSELF.a = ITSELF;

describe('A JSON object in the form', () => {
	it.each<[unknown, object]>([
		['{ "zone": [1, null] }', { zone: [1, null] }],
		[{ zone: 'A' }, { zone: 'A' }],
		['{}', {}],
	])('may be %o', async (given, value) => {
		expect(await readParameter(settings, given)).toMatchObject({ value, rules: [] });
	});

	it.each<[string, unknown]>([
		['a list', '[1]'],
		['broken text', '{ zone: 1 }'],
		['a date, which would arrive as text', { from: new Date(0) }],
		['an object that contains itself', ITSELF],
		['an object nested 20,000 deep', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
		['NaN, which would arrive as null', { rate: Number.NaN }],
	])('is not %s', async (_what, given) => {
		expect(await readParameter(settings, given)).toMatchObject({
			value: INVALID,
			rules: ['must be a JSON object like { "key": "value" }'],
			issues: [{ value: expect.stringMatching(/./) }],
		});
	});

	it.each<[unknown]>([['{ "card": 1234567890123456789 }'], ['{ "a": [1e400] }'], [{ card: [2 ** 60] }]])(
		'with a number that JavaScript cannot hold is refused, with what to do: %o',
		async (given) => {
			const { value, rules } = await readParameter(settings, given);
			expect([value, rules]).toEqual([INVALID, [expect.stringContaining('put it in quotes')]]);
		},
	);

	it('may have such a number in quotes, and 0.1 + 0.2', async () => {
		const given = `{ "card": "1234567890123456789", "a\\"1234567890123456789": ${0.1 + 0.2} }`;
		expect(await readParameter(settings, given)).toMatchObject({ rules: [] });
	});
});
