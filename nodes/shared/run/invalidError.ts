import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, NodeError } from 'n8n-workflow';
import { escape, groupBy, map, uniq, upperFirst } from 'lodash';

import { presentable } from '../errors/presentable';
import { shorten } from '../parameters/inputItem';
import type { Issue } from '../parameters/inputItem';
import { isTool } from './n8n';
import { itemRanges } from './itemRanges';
import type { Result } from './task';

/**
 * The error of a run in which nothing was sent because items break rules. Lists every item and rule, each sentence once: n8n
 * shows the description below the message.
 */
export function invalidError(context: IExecuteFunctions, invalid: Result[]): NodeError {
	const issues = invalid.flatMap(({ outcome }) => (outcome.kind === 'invalid' ? outcome.issues : []));
	const [first, ...others] = itemsByText(
		issues.map((issue) => ({ item: issue.item, text: sentence(issue) })),
	);
	const names = namesOf(invalid);
	const itemCount = context.getInputData().length;
	const broken = uniq(map(issues, 'item')).length;
	const count = itemCount > 1 ? `Items that break a rule: ${broken} of ${itemCount}. ` : '';
	const lines = [
		`${count}Correct the data, then run the node again.`,
		...others.map((text) => (itemCount > 1 ? ofItems(text, names) : text.text)),
	];
	const more = others.length > 0 ? ` (and ${others.length} more, see below)` : '';
	const error = new NodeOperationError(
		context.getNode(),
		`Nothing was sent: ${first.text}${itemSuffix(context, first.items, names)}${more}`,
		// n8n shows descriptions as HTML.
		{ description: lines.map(escape).join('<br>') },
	);
	return forTool(context, error, lines.join(' '));
}

/**
 * The field as the form and the gateway call it, what was given, and the rule: `Amount (betrag) "x" must be a number`.
 */
export const sentence = ({ field, title, value, rule }: Issue): string =>
	`${title} (${field})${value === '' ? '' : ` "${value}"`} ${rule}`;

type Names = ReadonlyMap<number, string | undefined>;

/** The names by which people recognize the items. */
export const namesOf = (results: Result[]): Names =>
	new Map(results.map(({ items: [item], name }) => [item, name]));

/** A text and the items that it concerns. */
interface TextOfItems {
	text: string;
	items: number[];
}

/** Lists each text once, in the order of its first item. */
export const itemsByText = (all: Array<{ item: number; text: string }>): TextOfItems[] =>
	Object.entries(groupBy(all, 'text')).map(([text, of]) => ({ text, items: map(of, 'item') }));

export const ofItems = ({ text, items }: TextOfItems, names?: Names) =>
	`${upperFirst(withName(items, names))}: ${text}`;

/**
 * Item numbers; for a single item, also the number or text that a person recognizes it by: `item 4, “Büromaterial”`.
 */
function withName(items: readonly number[], names?: Names): string {
	const [item, ...others] = uniq(items);
	const name = others.length === 0 && names?.get(item);
	return itemRanges(items) + (name ? `, “${shorten(name)}”` : '');
}

/**
 * The end of an error's message that names the items it concerns, if the run has several. Errors carry no `itemIndex`: n8n
 * would add that to the message, counted from 0.
 */
export const itemSuffix = (context: IExecuteFunctions, items: readonly number[], names: Names) =>
	context.getInputData().length > 1 ? ` [${withName(items, names)}]` : '';

/** n8n's AI agent gets only the message of a failed tool. */
export function forTool(context: IExecuteFunctions, error: NodeError, details: string): NodeError {
	if (isTool(context) && details) error.message += `. ${presentable(details)}`;
	return error;
}
