import { describe, expect, it } from 'vitest';

import { collection, lines, linesOfJson } from '../../../../../nodes/shared/parameters/kinds/collection.js';
import { INVALID } from '../../../../../nodes/shared/parameters/place.js';
import { type Parameter } from '../../../../../nodes/shared/parameters/parameter.js';
import { text } from '../../../../../nodes/shared/parameters/kinds/text.js';
import { readParameter } from '../../../../support/fakes.mjs';

// n8n drops from a saved workflow what a collection doesn't declare, before a node sees it. What reaches the node
// nevertheless must not be left out of a booking in silence.

const members = { gegenkonto: text({ displayName: 'Contra Account' }), notiz: text({ displayName: 'Note' }) };
const optional = collection(members, { displayName: 'Additional Fields', placeholder: 'Add field' });
const list = lines(members, {
	displayName: 'Lines',
	description: '',
	placeholder: 'Add line',
	line: 'Line',
	titledBy: 'notiz',
	group: 'belegzeile',
});

const read = async (parameter: Parameter, given: unknown) => {
	const { value, issues } = await readParameter(parameter, given);
	const values = issues.map((issue) => issue.value);
	return { value, values, rules: issues.map(({ field, rule }) => `${field} ${rule}`) };
};

describe('A collection of fields', () => {
	it.each<[string, unknown, object]>([
		['nothing', undefined, {}],
		['an empty one', {}, {}],
		['a member', { gegenkonto: ' 4930 ' }, { gegenkonto: '4930' }],
		['a member left empty', { gegenkonto: '' }, {}],
		['a locator without a value', { gegenkonto: { __rl: true, mode: 'list' } }, {}],
	])('accepts %s', async (_what, given, value) => {
		expect(await read(optional, given)).toEqual({ value, values: [], rules: [] });
	});

	it.each<[string, unknown, string]>([
		['JSON text', '{"gegenkonto":"4930"}', 'field must be a group of fields'],
		['a list', [{ gegenkonto: '4930' }], 'field must be a group of fields'],
		[
			'an unknown name',
			{ gegenKonto: '4930' },
			'field has no field "gegenKonto"; its fields are gegenkonto, notiz',
		],
		['a name of Object', { constructor: '4930' }, 'field has no field "constructor"'],
		['a wrong member', { gegenkonto: {} }, 'gegenkonto must be text'],
	])('refuses %s', async (_what, given, rule) => {
		expect(await read(optional, given)).toMatchObject({
			value: INVALID,
			rules: [expect.stringContaining(rule)],
		});
	});
});

describe('A list of lines', () => {
	it('reads every line', async () => {
		const { value } = await read(list, { belegzeile: [{ gegenkonto: '1' }, {}] });
		expect(value).toEqual([{ gegenkonto: '1' }, { gegenkonto: undefined }]);
	});

	it.each<[string, unknown, string]>([
		['nothing', null, 'field must have at least one line'],
		['a text', '[]', 'field must be a list of groups of fields'],
		['texts', { belegzeile: ['a'] }, 'field must be a list of groups of fields'],
	])('refuses %s', async (_what, given, rule) => {
		expect(await read(list, given)).toMatchObject({ value: INVALID, rules: [expect.stringContaining(rule)] });
	});

	it('may come from an expression as a list, or as a single line', async () => {
		for (const given of [[{ gegenkonto: '1' }], { belegzeile: { gegenkonto: '1' } }])
			expect(await read(list, given)).toMatchObject({ value: [{ gegenkonto: '1' }], rules: [] });
	});

	it('names every line that is wrong', async () => {
		const { rules } = await read(list, {
			belegzeile: [{ gegenkonto: {} }, { gegenkonto: '1' }, { konto: 1 }],
		});
		expect(rules).toEqual([
			'field[1].gegenkonto must be text',
			'field[3] has no field "konto"; its fields are gegenkonto, notiz',
		]);
	});
});

describe('A list of lines from data', () => {
	const json = linesOfJson(members, {
		displayName: 'Lines',
		line: 'Line',
		default: '={{ $json.x }}',
		required: true,
	});

	it.each<[unknown, object[]]>([
		[
			[{ gegenkonto: 1 }, {}],
			[{ gegenkonto: '1' }, {}],
		],
		['[{"gegenkonto": "1"}]', [{ gegenkonto: '1' }]],
		[{ notiz: 'a' }, [{ notiz: 'a' }]],
	])('may be %o', async (given, value) => {
		expect(await read(json, given)).toEqual({ value, values: [], rules: [] });
	});

	it.each<[unknown, string]>([
		['{', 'field must be a list of lines'],
		[[], 'field must have at least one line'],
		[[null], 'field must be a list of lines'],
		['[{"__proto__": 1}]', 'field[1] has no field "__proto__"'],
	])('must not be %o', async (given, rule) => {
		expect(await read(json, given)).toMatchObject({ value: INVALID, rules: [expect.stringContaining(rule)] });
	});
});
