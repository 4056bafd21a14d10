import omit from 'lodash/omit.js';
import { describe, expect, it, vi } from 'vitest';

import { InputItem, ItemFiles } from '../../../../nodes/shared/parameters/inputItem.js';
import { itemFiles } from '../../../support/fakes.mjs';
import { partial } from '../../../../tools/partial.mjs';

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
