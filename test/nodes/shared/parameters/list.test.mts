import { describe, expect, it } from 'vitest';

import { firstOf, nameIn } from '../../../../nodes/shared/parameters/list.js';

describe('the first of several names that an entry has', () => {
	it.each<[string, Parameters<typeof firstOf>[0], string | undefined]>([
		['comes in their order', { b: '2', a: '1' }, '1'],
		['is one with a value', { a: '', b: 0 }, '0'],
		['is not one that is empty', { a: null, b: '' }, undefined],
		['is none of others', { c: '3' }, undefined],
	])('%s', (_what, entry, value) => {
		expect(firstOf(entry, ['a', 'b'])).toBe(value);
	});
});

describe('the name of an entry', () => {
	it.each<[string, Parameters<typeof nameIn>[0], string | undefined]>([
		['in a field of any list', { id: '7', name: 'Kasse', ort: 'Köln' }, 'Kasse'],
		['in a field of this list', { id: '7', firma: 'Bäckerei' }, 'Bäckerei'],
		['in a field of any list before one of its own', { firma: 'Bäckerei', titel: 'Café' }, 'Café'],
		['without one: its texts, and its value', { id: '7', ort: 'Köln', plz: 50667, hinweis: '' }, 'Köln (7)'],
		['no more than three of them', { a: 'A', b: 'B', c: 'C', d: 'D' }, 'A, B, C (7)'],
		['of nothing but its value', { id: '7', plz: 50667 }, undefined],
	])('%s', (_what, entry, name) => {
		expect(nameIn(entry, '7', ['firma'])).toBe(name);
	});
});
