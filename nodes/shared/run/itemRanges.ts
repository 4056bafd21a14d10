import { countBy, partition } from 'lodash';

import type { Result } from './task';

/** The number that users see for an item: they count from 1, n8n's indexes from 0. */
export const itemNumber = (index: number) => index + 1;

/** Item numbers as ranges: "items 1–4, 8". @param items their indexes */
export function itemRanges(items: readonly number[]): string {
	const unique = [...new Set(items)].sort((a, b) => a - b);
	const ranges: Array<[from: number, to: number]> = [];
	for (const i of unique) {
		const last = ranges.at(-1);
		if (last && last[1] === i - 1) last[1] = i;
		else ranges.push([i, i]);
	}
	const text = ranges
		.map(([from, to]) => (from === to ? `${itemNumber(from)}` : `${itemNumber(from)}–${itemNumber(to)}`))
		.join(', ');
	return `${unique.length === 1 ? 'item' : 'items'} ${text}`;
}

/**
 * Results as ranges of items: "items 1–4, item 6 (file a.pdf)". An item with several results is listed as a whole
 * only if all of them are selected.
 * @param all the results of the run
 */
export function resultRanges(selected: Result[], all: Result[]): string {
	const sizes = countBy(all, 'items');
	const found = countBy(selected, 'items');
	const [whole, parts] = partition(selected, ({ items }) => found[items.join()] === sizes[items.join()]);
	const ranges = whole.length > 0 ? [itemRanges(whole.flatMap(({ items }) => items))] : [];
	return [...ranges, ...parts.map(({ items, label }) => `${itemRanges(items)} (${label})`)].join(', ');
}
