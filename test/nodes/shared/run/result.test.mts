import { describe, expect, it } from 'vitest';

import {
	formatItemRanges,
	formatResults,
	itemsOf,
	type ItemResult,
} from '../../../../nodes/shared/run/result.js';

describe('items', () => {
	it.each([
		[[0], 'item 1'],
		[[0, 1], 'items 1–2'],
		[[0, 1, 2, 3, 7], 'items 1–4, 8'],
		[[0, 2], 'items 1, 3'],
		[[0, 2, 3, 5], 'items 1, 3–4, 6'],
		[[10, 9, 1], 'items 2, 10–11'],
		[[4, 4], 'item 5'],
	])('%j are told as "%s"', (indexes, text) => {
		expect(formatItemRanges(indexes)).toBe(text);
	});
});

describe('results', () => {
	const of = (item: number, label?: string): ItemResult => ({
		item,
		label,
		result: { kind: 'skipped', reason: '' },
	});

	it('of several items are told with all of them', () => {
		const all = [{ ...of(0), combined: [0, 3] }, of(1), of(2)];
		expect(all.map(itemsOf)).toEqual([[0, 3], [1], [2]]);
		expect(formatResults(all.slice(0, 2), all)).toBe('items 1–2, 4');
	});

	it('are told as items where all of an item’s are meant, otherwise by their names', () => {
		const all = [of(0), of(1, 'file a'), of(1, 'file b'), of(2, 'file a'), of(2, 'file b'), of(3)];
		expect(formatResults(all, all)).toBe('items 1–4');
		expect(formatResults([all[0], all[1], all[2], all[3]], all)).toBe('items 1–2, item 3 (file a)');
		expect(formatResults([all[2], all[4]], all)).toBe('item 2 (file b), item 3 (file b)');
	});
});
