import omit from 'lodash/omit.js';
import { describe, expect, it, vi } from 'vitest';

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
import { InputItem, ItemFiles } from '../../../../nodes/shared/parameters/inputItem.js';
import { partial } from '../../../../host/partial.mjs';
import { itemFiles, readParameter } from '../../../support/fakes.mjs';

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
		['fields', 'a', ['has no effect where from is "fields": remove it, or choose one of json, text']],
		[null, 'a', ['has no effect where from is null: remove it, or choose one of json, text']],
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

const WRONG = { en: 'is wrong', de: 'ist falsch' };

describe('An issue with a value', () => {
	const issueOf = (given?: unknown, title = 'Field') => {
		const remarks = new Remarks();
		expect(remarks.addIssue('field', title, WRONG, given)).toBe(INVALID);
		return remarks.issues[0];
	};

	it.each<[string, unknown, string]>([
		['nothing unless it is given', undefined, ''],
		['a text as it is', 'K 1', 'K 1'],
		['anything else as JSON', { a: [1] }, '{"a":[1]}'],
		['what JSON does not have', Symbol('x'), 'Symbol(x)'],
		['no more than 60 characters', 'x'.repeat(61), `${'x'.repeat(60)}…`],
		['no IBAN', 'DE02120300000000202051', 'DE…2051'],
		[
			'no IBAN at the end of what is shown',
			`${'x '.repeat(25)}DE02120300000000202051`,
			`${'x '.repeat(25)}DE…2051`,
		],
		[
			'no part of an IBAN, of however many',
			Array.from({ length: 6 }, () => 'DE02 1203 0000 0000 2020 51').join(),
			Array.from({ length: 6 }, () => 'DE…2051').join(),
		],
	])('shows %s', (_what, given, value) => {
		expect(issueOf(given)).toEqual({ field: 'field', title: 'Field', value, rule: WRONG });
	});

	it.each([
		['Transaction No. (Belegnummer)', 'Transaction No.'],
		['Account (BU-Schlüssel) No.', 'Account (BU-Schlüssel) No.'],
		['Tariff Settings (JSON)', 'Tariff Settings (JSON)'],
		['Tax Rate (%)', 'Tax Rate (%)'],
	])('names the field "%s" as %s', (title, shown) => {
		expect(issueOf('', title).title).toBe(shown);
	});
});

it('A parameter of an item is evaluated once, as an expression may give another value each time', () => {
	const getNodeParameter = vi.fn(() => 'value');
	const item = new InputItem(partial({ getNodeParameter }), 3);
	expect([item.raw('betrag'), item.raw('betrag')]).toEqual(['value', 'value']);
	expect(getNodeParameter.mock.calls).toEqual([['betrag', 3, null]]);
});

it('The files of an item are found in any n8n, also in one that does not say how the workflow keeps them', () => {
	const scan = { mimeType: 'application/pdf', data: 'JVBERg==' };
	const item = { json: { _files: { scan } }, binary: { mail: scan } };
	const older = new ItemFiles(partial({ getInputData: () => [item] }), 0);
	expect(older.all).toEqual({ mail: scan });
});

describe('A file given as an object', () => {
	const scan = { mimeType: 'application/pdf', fileName: 'scan.pdf', data: 'eHl6' };
	const photo = { mimeType: 'image/jpeg', fileName: 'photo.jpg', data: 'YWJj' };
	const files = (binary = {}) => itemFiles({ json: {}, binary });
	/** As n8n's `$binary` gives it. */
	const described = omit(scan, 'data');

	it('without its content is the one of the item that is described so', () => {
		expect(files({ photo, scan }).from(described)).toBe(scan);
	});

	it.each<[string, object, unknown]>([
		['is none that the item has', { photo }, described],
		['is not one of two', { scan, again: { ...scan, data: 'cXJz' } }, described],
		['is no text', { scan }, 'scan'],
		['is no list', { scan }, [described]],
	])('%s', (_what, binary, value) => {
		expect(files(binary).from(value)).toBeUndefined();
	});
});
