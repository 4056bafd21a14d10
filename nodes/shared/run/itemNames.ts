/** How items are named in hints and errors: by number and, where there is one, by what a person recognizes them by. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { countBy, groupBy, map, partition, uniq, upperFirst } from 'lodash';

import { shorten } from '../parameters';
import type { Result } from './task';
import { bilingual } from '../values';
import type { Bilingual, Language } from '../values';

/** The number that users see for an item: they count from 1, n8n's indexes from 0. */
export const itemNumber = (index: number) => index + 1;

/** Item numbers as ranges: "items 1–4, 8", in German "Position 1–4, 8". @param items their indexes */
export function itemRanges(items: readonly number[], language: Language): string {
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
export function resultRanges(selected: Result[], all: Result[]): Bilingual {
	const sizes = countBy(all, 'items');
	const found = countBy(selected, 'items');
	const [whole, parts] = partition(selected, ({ items }) => found[items.join()] === sizes[items.join()]);
	return bilingual((language) => {
		const ranges =
			whole.length > 0
				? [
						itemRanges(
							whole.flatMap(({ items }) => items),
							language,
						),
					]
				: [];
		return [
			...ranges,
			...parts.map(
				({ items, label }) => itemRanges(items, language) + (label ? ` (${label[language]})` : ''),
			),
		].join(', ');
	});
}

type Names = ReadonlyMap<number, string | undefined>;

export const namesOf = (results: Result[]): Names =>
	new Map(results.map(({ items: [item], itemName }) => [item, itemName]));

interface TextOfItems {
	text: Bilingual;
	items: number[];
}

/** Lists each text once, in the order of its first item. */
export const itemsByText = (all: Array<{ item: number; text: Bilingual }>): TextOfItems[] =>
	Object.values(groupBy(all, 'text.en')).map((of) => ({ text: of[0].text, items: map(of, 'item') }));

/** `Item 4, “Büromaterial”: the text` */
export const ofItems = ({ text, items }: TextOfItems, names?: Names): Bilingual =>
	bilingual((language) => `${upperFirst(withName(items, language, names))}: ${text[language]}`);

/** Item numbers; for a single item, also its name: `item 4, “Büromaterial”`. */
function withName(items: readonly number[], language: Language, names?: Names): string {
	const [item, ...others] = uniq(items);
	const name = others.length === 0 && names?.get(item);
	const ranges = itemRanges(items, language);
	if (!name) return ranges;
	return language === 'en' ? `${ranges}, “${shorten(name)}”` : `${ranges}, „${shorten(name)}“`;
}

/**
 * The end of an error's message that names the items it concerns, if the run has several. Errors carry no `itemIndex`:
 * n8n would add that to the message, counted from 0.
 */
export const itemSuffix = (context: IExecuteFunctions, items: readonly number[], names: Names): Bilingual =>
	bilingual((language) =>
		context.getInputData().length > 1 ? ` [${withName(items, language, names)}]` : '',
	);
