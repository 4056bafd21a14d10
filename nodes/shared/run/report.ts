/** Reports the result of each item: as output, as hints, or as the error that ends the run. */
import { NodeOperationError } from 'n8n-workflow';
import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeError,
	NodeExecutionHint,
} from 'n8n-workflow';
import { countBy, escape, groupBy, isEmpty, map, maxBy, pick, upperFirst } from 'lodash';

import { maskIbans } from '../values/iban';
import { isCertainlyNotDone, toNodeError } from '../errors/failure';
import type { Failure } from '../errors/failure';
import type { Operation } from '../operation';
import { identityOf } from '../parameters/file';
import { InputItem } from '../parameters/inputItem';
import type { Issue } from '../parameters/inputItem';
import type { Credits } from './credits';
import { isTool } from './journal/journal';
import { formatItemRanges, formatResults, itemNumber, itemsOf, notSent } from './result';
import type { ItemResult, TaskResult } from './result';
import { CANCELED } from './session';

/** Nobody would read more warnings than that. */
const MAX_WARNINGS = 20;

/** The items that the node emits, in the order of the results. */
export function outputItems(context: IExecuteFunctions, results: ItemResult[]): INodeExecutionData[] {
	const sizes = countBy(results, 'item');
	const isPartial = (of: ItemResult): of is ItemResult & { part: string } =>
		of.part !== undefined && sizes[of.item] > 1;
	const filesIn = (item: number) => new InputItem(context, item).files;
	const filesOf = (of: ItemResult): IBinaryKeyData | undefined => {
		const files = of.combined ? allFiles(of.combined.map(filesIn)) : filesIn(of.item);
		const own = isPartial(of) ? pick(files, [of.part]) : files;
		return isEmpty(own) ? undefined : own;
	};
	return results.flatMap((of) => {
		const { item, combined, result } = of;
		const pairedItem = combined?.map((one) => ({ item: one })) ?? { item };
		if (result.kind === 'done') {
			const { records, warnings } = result;
			// An AI agent gets no hints.
			const isTold = warnings.length > 0 && records.length > 0 && isTool(context);
			const told = isTold ? withWarnings(records, warnings) : records;
			const files = result.passesFiles && { binary: filesOf(of) };
			return told.map((json) => ({ json, pairedItem, ...files }));
		}
		// n8n's error output accepts only these keys; it then adds the input's fields. The files are passed on, so
		// that the workflow can deal with a refused receipt; if there are several, only the one concerned.
		const json = errorJson(of, result, isPartial(of) ? of.label : undefined);
		return [failedItem(context, { json, binary: filesOf(of), pairedItem })];
	});
}

/** The files of several items, each once: one of another item gets a name of its own. */
function allFiles(ofItems: IBinaryKeyData[]): IBinaryKeyData {
	const all: IBinaryKeyData = {};
	for (const [name, file] of ofItems.flatMap((files) => Object.entries(files))) {
		if (Object.values(all).some((known) => identityOf(known) === identityOf(file))) continue;
		let free = name;
		for (let i = 2; free in all; i++) free = `${name}_${i}`;
		all[free] = file;
	}
	return all;
}

/** Adds warnings to the first record. */
const withWarnings = ([first, ...others]: IDataObject[], warnings: readonly string[]): IDataObject[] => [
	{ ...first, warnings: warnings.map(maskIbans) },
	...others,
];

/**
 * An item for the error output. Before 2.35, n8n takes an item with more than the key `error` for a success, unless the
 * item itself has an error. If it were enumerable, n8n would replace the item's JSON with its message.
 */
function failedItem<Item extends { json: IDataObject }>(context: IExecuteFunctions, item: Item): Item {
	const node = context.getNode();
	if (node.onError !== 'continueErrorOutput') return item;
	const value = new NodeOperationError(node, String(item.json.error));
	return Object.defineProperty(item, 'error', { value, enumerable: false });
}

/**
 * What the error output gets for an item.
 * @param label names the record, where the item has several
 */
function errorJson(
	{ combined }: ItemResult,
	result: Exclude<TaskResult, { kind: 'done' }>,
	label?: string,
): IDataObject {
	switch (result.kind) {
		case 'invalid': {
			const problems = result.issues.map(({ field, value, rule, item }) => ({
				...(combined && item !== undefined && { item: itemNumber(item) }),
				field,
				value,
				rule,
			}));
			const sentences = result.issues.map((issue) =>
				combined && issue.item !== undefined
					? `${formatItemRanges([issue.item])}: ${sentence(issue)}`
					: sentence(issue),
			);
			const whole = combined ? ` (${formatItemRanges(combined)} would be one record)` : '';
			return {
				error: maskIbans(`Not sent${whole}: ${sentences.join('; ')}`),
				details: { outcome: 'invalid', problems },
			};
		}
		case 'skipped':
			return {
				error: maskIbans(`Not sent: ${label ? `${label}: ` : ''}${result.reason}`),
				details: { outcome: 'notSent' },
			};
		case 'failed': {
			const { message, description, outcome, status, created } = result.failure;
			return {
				error: maskIbans(description ? `${message}. ${description}` : message),
				details: {
					outcome,
					...(status === undefined ? {} : { httpCode: status }),
					...(created && { created }),
				},
			};
		}
	}
}

/**
 * The field as the form and the gateway call it, what was given, and the rule: `Amount (betrag) "x" must be a number`.
 */
function sentence({ field, title, value, rule }: Issue): string {
	return `${title} (${field})${value === '' ? '' : ` "${value}"`} ${rule}`;
}

/** The items whose result is of a kind. */
const itemsWith = (results: ItemResult[], kind: TaskResult['kind']) =>
	results.flatMap((one) => (one.result.kind === kind ? itemsOf(one) : []));

/** A text and the items that it concerns. */
interface Said {
	text: string;
	items: number[];
}

/** Lists each text once, in the order of its first item. */
function itemsByText(all: Array<{ item: number; text: string }>): Said[] {
	return Object.entries(groupBy(all, 'text')).map(([text, of]) => ({ text, items: map(of, 'item') }));
}

const ofItems = ({ text, items }: Said) => `${upperFirst(formatItemRanges(items))}: ${text}`;

/**
 * The end of an error's message that names the items it concerns, if the run has several. Errors carry no `itemIndex`: n8n
 * would add that to the message, counted from 0.
 */
const itemSuffix = (context: IExecuteFunctions, items: readonly number[]) =>
	context.getInputData().length > 1 ? ` [${formatItemRanges(items)}]` : '';

/** Warnings about successful answers, with the items they concern. */
function warningTexts(results: ItemResult[]): string[] {
	const warnings = itemsByText(
		results.flatMap((one) =>
			one.result.kind === 'done'
				? one.result.warnings.flatMap((text) => itemsOf(one).map((item) => ({ item, text: maskIbans(text) })))
				: [],
		),
	);
	const texts = warnings.slice(0, MAX_WARNINGS).map(ofItems);
	const more = warnings.slice(MAX_WARNINGS);
	if (more.length === 0) return texts;
	const about = formatItemRanges(more.flatMap(({ items }) => items));
	return [...texts, `${more.length} more warnings, about ${about}`];
}

/** Adds hints below the output of a run that ended normally. @param achieved what was done */
export function addHints(
	context: IExecuteFunctions,
	results: ItemResult[],
	credits: Credits,
	achieved?: string,
): void {
	const hints: NodeExecutionHint[] = [];
	const add = (message: string, type: NodeExecutionHint['type']) =>
		hints.push({ message, type, location: 'outputPane' });
	for (const text of warningTexts(results)) add(text, 'warning');
	if (credits.unchecked && itemsWith(results, 'done').length > 0) add(credits.unchecked, 'warning');
	const said = [achieved, credits.hint].filter((text) => text !== undefined);
	if (said.length > 0) add(said.join('. '), 'info');
	if (credits.exhausted) {
		const skipped = itemsWith(results, 'skipped');
		const rest = skipped.length > 0 ? `; not sent: ${formatItemRanges(skipped)}` : '';
		add(credits.exhaustion + rest, 'warning');
	}
	const empty = results.flatMap(({ item, result }) =>
		result.kind === 'done' && result.records.length === 0 ? [item] : [],
	);
	if (empty.length > 0) add(`The gateway has no records for ${formatItemRanges(empty)}`, 'info');
	// Older versions of n8n have no hints.
	context.addExecutionHints?.(...hints);
}

/**
 * The error of a run in which nothing was sent because items break rules. Lists every item and rule, each sentence once: n8n
 * shows the description below the message.
 */
export function invalidError(context: IExecuteFunctions, invalid: Map<number, Issue[]>): NodeError {
	const [first, ...others] = itemsByText(
		[...invalid].flatMap(([item, issues]) => issues.map((issue) => ({ item, text: sentence(issue) }))),
	);
	const itemCount = context.getInputData().length;
	const count = itemCount > 1 ? `Items that break a rule: ${invalid.size} of ${itemCount}. ` : '';
	const lines = [
		`${count}Correct the data, then run the node again.`,
		...others.map((said) => (itemCount > 1 ? ofItems(said) : said.text)),
	];
	const more = others.length > 0 ? ` (and ${others.length} more, see below)` : '';
	const error = new NodeOperationError(
		context.getNode(),
		`Nothing was sent: ${first.text}${itemSuffix(context, first.items)}${more}`,
		// n8n shows descriptions as HTML.
		{ description: lines.map(escape).join('<br>') },
	);
	return withDetails(context, error, lines.join(' '));
}

/**
 * The error of a run that ended early: what ended it, and the results of the other items. `undefined` if it didn't
 * end early.
 */
export function endError(
	context: IExecuteFunctions,
	operation: Operation,
	results: ItemResult[],
	canceled: boolean,
): NodeError | undefined {
	const ended =
		results.find(({ result }) => result.kind === 'failed') ??
		results.find(({ result }) => result.kind === 'skipped');
	if (!ended) return undefined;
	const { result } = ended;
	const failure: Failure =
		result.kind === 'failed' ? result.failure : notSent((result as { reason: string }).reason);
	const tellsAll = operation.kind !== 'read' || result.kind === 'skipped';
	const warnings = warningTexts(results).map((text) => `${text}.`);
	const goOn = canceled ? [] : wayOn(operation, results, ended, failure);
	const description = [
		failure.description,
		...(tellsAll ? outcomeSummary(results, operation) : []),
		...goOn,
		...warnings,
	]
		.filter(Boolean)
		.join(' ');
	const message = canceled ? CANCELED : failure.message + itemSuffix(context, itemsOf(ended));
	const error = toNodeError(context.getNode(), { ...failure, message, description });
	return withDetails(context, error, description);
}

const isDryRun = (result: TaskResult) => result.kind === 'done' && result.dryRun === true;
const isCarriedOut = (result: TaskResult) => result.kind === 'done' && !isDryRun(result);

const mayBeCarriedOut = (result: TaskResult) =>
	result.kind === 'failed' && !isCertainlyNotDone(result.failure);

/** How to continue after a run that has written some of its records, without writing them twice. */
function wayOn(
	operation: Operation,
	results: ItemResult[],
	ended: ItemResult,
	{ outcome, exists }: Failure,
): string[] {
	if (operation.kind !== 'write' || !results.some(({ result }) => isCarriedOut(result))) return [];
	const rest = 'With "On Error: Continue (using error output)", the other items are sent even if one fails.';
	// Its own text says what to do about it.
	if (exists) return [rest];
	const which = formatItemRanges(itemsOf(ended)) + (ended.label ? ` (${ended.label})` : '');
	const isOpen = outcome === 'unknown' || outcome === 'incomplete';
	const first = outcome === 'refused' ? `correct ${which}` : isOpen ? `look up ${which}` : 'remove the cause';
	const written = results.filter(({ result }) => isCarriedOut(result) || mayBeCarriedOut(result));
	const isRecognized = written.every(({ rerunWith }) => rerunWith !== undefined);
	// If there is a condition for some, that one is longer.
	const rerunWith = maxBy(map(written, 'rerunWith'), 'length');
	const again = isRecognized
		? `, nor does a new run with ${rerunWith}`
		: '; a new run would send again what was carried out';
	return [`To continue: ${first}; "Retry" sends nothing twice${again}.`, rest];
}

/** n8n's AI agent gets only the message of a failed tool. */
function withDetails(context: IExecuteFunctions, error: NodeError, details: string): NodeError {
	if (isTool(context) && details) error.message += `. ${maskIbans(details)}`;
	return error;
}

/** Groups the items by result: carried out, dry run, refused, incomplete, unknown, or not sent. Where nothing is sent: done or not done. */
function outcomeSummary(results: ItemResult[], { kind }: Operation): string[] {
	if (results.length === 1) return [];
	const failed = (outcome: Failure['outcome']) => (result: TaskResult) =>
		result.kind === 'failed' && result.failure.outcome === outcome;
	const is = (kind: TaskResult['kind']) => (result: TaskResult) => result.kind === kind;
	type Group = [title: string, ...belongs: Array<(result: TaskResult) => boolean>];
	const ofLocal: Group[] = [
		['Done', isCarriedOut],
		['Not done', is('invalid'), is('failed'), is('skipped')],
	];
	const ofSent: Group[] = [
		['Carried out', isCarriedOut],
		['Dry run, nothing sent', isDryRun],
		['Refused', is('invalid'), failed('refused')],
		['Incomplete', failed('incomplete')],
		['Unknown', failed('unknown')],
		['Not sent', failed('notSent'), is('skipped')],
	];
	return (kind === 'local' ? ofLocal : ofSent).flatMap(([title, ...belongs]) => {
		const selected = results.filter(({ result }) => belongs.some((belongsHere) => belongsHere(result)));
		return selected.length > 0 ? [`${title}: ${formatResults(selected, results)}.`] : [];
	});
}
