/** How items are named in hints and errors: by number and, where there is one, by what a person recognizes them by. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { countBy, groupBy, map, partition, uniq, upperFirst } from 'lodash';

import { shorten } from '../parameters';
import type { Result } from './task';
import type { Language } from '../values';

/** The number that users see for an item: they count from 1, n8n's indexes from 0. */
export const itemNumber = (index: number) => index + 1;

/** Item numbers as ranges: "items 1–4, 8", in German "Position 1–4, 8". @param items their indexes */
export function itemRanges(items: readonly number[], language: Language = 'en'): string {
	const unique = uniq(items).sort((a, b) => a - b);
	const ranges: Array<[from: number, to: number]> = [];
	for (const i of unique) {
		const last = ranges.at(-1);
		if (last && last[1] === i - 1) last[1] = i;
		else ranges.push([i, i]);
	}
	const text = ranges
		.map(([from, to]) => (from === to ? `${itemNumber(from)}` : `${itemNumber(from)}–${itemNumber(to)}`))
		.join(', ');
	if (language === 'de') return `Position ${text}`;
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
	return [
		...ranges,
		...parts.map(({ items, label }) => itemRanges(items) + (label === undefined ? '' : ` (${label})`)),
	].join(', ');
}

type Names = ReadonlyMap<number, string | undefined>;

/** The names by which people recognize the items. */
export const namesOf = (results: Result[]): Names =>
	new Map(results.map(({ items: [item], inputName }) => [item, inputName]));

/** A text and the items that it concerns. */
interface TextOfItems {
	text: string;
	items: number[];
}

/** Lists each text once, in the order of its first item. */
export const itemsByText = (all: Array<{ item: number; text: string }>): TextOfItems[] =>
	Object.entries(groupBy(all, 'text')).map(([text, of]) => ({ text, items: map(of, 'item') }));

/** `Item 4, “Büromaterial”: the text` */
export const ofItems = ({ text, items }: TextOfItems, names?: Names) =>
	`${upperFirst(withName(items, names))}: ${text}`;

/** Item numbers; for a single item, also its name: `item 4, “Büromaterial”`. */
function withName(items: readonly number[], names?: Names): string {
	const [item, ...others] = uniq(items);
	const name = others.length === 0 && names?.get(item);
	return itemRanges(items) + (name ? `, “${shorten(name)}”` : '');
}

/**
 * The end of an error's message that names the items it concerns, if the run has several. Errors carry no `itemIndex`:
 * n8n would add that to the message, counted from 0.
 */
export const itemSuffix = (context: IExecuteFunctions, items: readonly number[], names: Names) =>
	context.getInputData().length > 1 ? ` [${withName(items, names)}]` : '';
