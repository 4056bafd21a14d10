import type { IDataObject } from 'n8n-workflow';
import { countBy, partition } from 'lodash';

import type { Failure } from '../errors/failure';
import type { Issue } from '../parameters/inputItem';

/** What most tasks and results have of notes and warnings; shared, because a run may have very many. */
export const NONE: readonly string[] = Object.freeze([]);

/** The result of one request of an item. */
export type TaskResult =
	/** `dryRun`: nothing was sent. `passesFiles`: the item's files come out again. */
	| { kind: 'done'; records: IDataObject[]; warnings: readonly string[]; dryRun?: true; passesFiles?: true }
	/** `item`: which one it concerns, where the record is made of several. */
	| { kind: 'invalid'; issues: Array<Issue & { item?: number }> }
	| { kind: 'failed'; failure: Failure }
	/** The run ended before its turn. */
	| { kind: 'skipped'; reason: string };

/** The result of a task, with the input item that it belongs to. In a run's list, in the order of the output. */
export interface ItemResult {
	item: number;
	/** All input items, where the record is made of several; `item` is the first of them. */
	combined?: readonly number[];
	/** Which of several requests of the item it was, e.g. the name of the file's field. */
	part?: string;
	/** Names the record of a write. */
	label?: string;
	/** What keeps a new run from writing it again, see `WriteOperation`. */
	rerunWith?: string;
	result: TaskResult;
}

/** The input items that a result belongs to. */
export const itemsOf = ({
	item,
	combined = [item],
}: Pick<ItemResult, 'item' | 'combined'>): readonly number[] => combined;

/** The failure of what was certainly not sent. */
export const notSent = (message: string): Failure => ({
	outcome: 'notSent',
	message,
	description: '',
	transient: false,
});

/** The number that users see for an item. They count from 1, n8n's indexes from 0. */
export const itemNumber = (index: number) => index + 1;

/** Item numbers as ranges: "items 1–4, 8". @param items their indexes */
export function formatItemRanges(items: readonly number[]): string {
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
export function formatResults(selected: ItemResult[], all: ItemResult[]): string {
	const sizes = countBy(all, 'item');
	const found = countBy(selected, 'item');
	const [whole, parts] = partition(selected, ({ item }) => found[item] === sizes[item]);
	const ranges = whole.length > 0 ? [formatItemRanges(whole.flatMap(itemsOf))] : [];
	return [...ranges, ...parts.map(({ item, label }) => `${formatItemRanges([item])} (${label})`)].join(', ');
}
