import { describe, expect, it } from 'vitest';

import {
	clean,
	hasInvalid,
	parameter,
	readParameters,
	shownFor,
} from '../../../../nodes/shared/parameters/parameter.js';
import { INVALID, Place, Remarks } from '../../../../nodes/shared/parameters/place.js';
import { text } from '../../../../nodes/shared/parameters/kinds/text.js';
import { readTriggerParameters } from '../../../../nodes/shared/parameters/triggerParameters.js';
import { readParameter } from '../../../support/fakes.mjs';

it.each<[unknown, unknown]>([
	[' a ', 'a'],
	[{ __rl: true, mode: 'id', value: ' a ' }, 'a'],
	[{ __rl: true, mode: 'list' }, undefined],
	[{ value: 'a' }, { value: 'a' }],
	[7, 7],
	[null, null],
])('A parameter that is given as %o is read as %o', (given, value) => {
	expect(clean(given)).toEqual(value);
});

describe('A parameter', () => {
	const property = { type: 'string', default: '' } as const;
	const optional = parameter({ displayName: 'Field' }, property, (given) => `read ${String(given)}`);
	const required = parameter({ displayName: 'Field', required: true }, property, String);

	it('that is required must have a value', async () => {
		for (const given of [' ', undefined, { __rl: true, mode: 'list', value: '' }]) {
			expect(await readParameter(required, given)).toMatchObject({
				value: INVALID,
				issues: [{ rule: 'is required', value: '' }],
			});
		}
		expect(await readParameter(required, ' a ')).toMatchObject({ value: 'a', rules: [] });
	});

	it('that is not has none where it was left empty', async () => {
		expect(await readParameter(optional, ' ')).toMatchObject({ value: undefined, rules: [] });
		expect(await readParameter(optional, 0)).toMatchObject({ value: 'read 0', rules: [] });
	});
});

describe('A parameter that is shown for a value of another one', () => {
	const shown = shownFor('from', ['json', 'text'], text({ displayName: 'Field', required: true }));

	it.each([
		['json', '', ['is required']],
		[' text ', 'a', []],
		['fields', '', []],
		['fields', 'a', []],
		[null, 'a', []],
	])('counts only for that value, as with %o', async (from, given, rules) => {
		const read = await readParameter(shown, given, { parameters: { from } });
		expect(read.rules).toEqual(rules);
		expect(read.value).toBe(rules.length ? INVALID : from === ' text ' ? 'a' : undefined);
	});
});

describe('A group of parameters', () => {
	const group = { a: text({ displayName: 'A' }), b: text({ displayName: 'B', required: true }) };

	it('has no second issue for a value that could not be had', async () => {
		const remarks = new Remarks();
		const raw = (name: string) => {
			if (name === 'b') throw new Error('fails');
			return 'x';
		};
		const placeOf = (name: string, title: string) =>
			new Place({ zone: 'Europe/Berlin', raw }, remarks, name, title);
		expect(await readParameters(group, placeOf, raw)).toEqual({ a: 'x', b: INVALID });
		expect(remarks.issues.map(({ field, rule }) => [field, rule])).toEqual([
			['b', { en: "can't be read: fails", de: 'ist nicht lesbar; n8n meldet: „fails“' }],
		]);
		expect(hasInvalid({ a: 'x' })).toBe(false);
	});
});

it('Of a trigger’s parameters, only those that are asked for are read and checked', async () => {
	const required = (displayName: string) => text({ displayName, required: true });
	const given: Record<string, unknown> = { account: ' giro ', other: '' };
	const trigger = { zone: 'Europe/Berlin', raw: (name: string) => given[name] };
	const parameters = { account: required('Account'), other: required('Other') };
	const read = await readTriggerParameters(parameters, ['account'], trigger);
	expect(read).toEqual({ values: { account: 'giro' } });
});
