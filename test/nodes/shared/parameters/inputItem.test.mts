import omit from 'lodash/omit.js';
import { describe, expect, it, vi } from 'vitest';

import { INVALID, InputItem, Place } from '../../../../nodes/shared/parameters/inputItem.js';
import { inputItem } from '../../../support/fakes.mjs';
import { partial } from '../../../../tools/partial.mjs';

const WRONG = { en: 'is wrong', de: 'ist falsch' };

describe('An issue with a value', () => {
	const issueOf = (given?: unknown, title = 'Field') => {
		const item = inputItem();
		expect(new Place(item, 'field', title).addIssue(WRONG, given)).toBe(INVALID);
		return item.issues[0];
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
	const older = new InputItem(partial({ getInputData: () => [item] }), 0);
	expect(older.files).toEqual({ mail: scan });
});

describe('A file given as an object', () => {
	const scan = { mimeType: 'application/pdf', fileName: 'scan.pdf', data: 'eHl6' };
	const photo = { mimeType: 'image/jpeg', fileName: 'photo.jpg', data: 'YWJj' };
	const item = (binary = {}) => inputItem({ item: { json: {}, binary } });
	/** As n8n's `$binary` gives it. */
	const described = omit(scan, 'data');

	it('without its content is the one of the item that is described so', () => {
		expect(item({ photo, scan }).fileFrom(described)).toBe(scan);
	});

	it.each<[string, object, unknown]>([
		['is none that the item has', { photo }, described],
		['is not one of two', { scan, again: { ...scan, data: 'cXJz' } }, described],
		['is no text', { scan }, 'scan'],
		['is no list', { scan }, [described]],
	])('%s', (_what, binary, value) => {
		expect(item(binary).fileFrom(value)).toBeUndefined();
	});
});
