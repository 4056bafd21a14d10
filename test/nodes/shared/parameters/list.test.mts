import { describe, expect, it } from 'vitest';

import { nameIn } from '../../../../nodes/shared/parameters/kinds/locator.js';

describe('The name of an entry of a list is', () => {
	it.each<[string, Parameters<typeof nameIn>[0], string | undefined]>([
		['one in a field of any list', { id: '7', name: 'Kasse', ort: 'Köln' }, 'Kasse'],
		['one in a field of this list', { id: '7', firma: 'Bäckerei' }, 'Bäckerei'],
		['one in a field of any list before one of its own', { firma: 'Bäckerei', titel: 'Café' }, 'Café'],
		[
			'made of its texts and its value where it has none',
			{ id: '7', ort: 'Köln', plz: 50667, hinweis: '' },
			'Köln (7)',
		],
		['made of no more than three texts', { a: 'A', b: 'B', c: 'C', d: 'D' }, 'A, B, C (7)'],
		['missing where it has nothing but its value', { id: '7', plz: 50667 }, undefined],
	])('%s', (_what, entry, name) => {
		expect(nameIn(entry, '7', ['firma'])).toBe(name);
	});
});
