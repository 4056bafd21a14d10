import { NodeOperationError } from 'n8n-workflow';
import type { IBinaryKeyData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { compact, countBy, isEmpty, pick } from 'lodash';

import { OUTCOMES, adviceFor, inOneText, presentable, presentableIn, quote, sentences } from '../../errors';
import { ItemFiles, fileIdentity, labelOf } from '../../parameters';
import { both } from '../../values';
import type { Bilingual, Language } from '../../values';
import { isTool } from '../n8n';
import { sentence } from './invalidError';
import { itemNumber, itemRanges } from '../itemNames';
import type { ItemIssue, Result, Unsuccessful } from '../task';

/**
 * The items that the node emits, in the order of the results.
 * @param isWrite whether they are of a write: its warnings must reach a person who doesn't see n8n, by an e-mail or a page
 */
export function outputItems(
	context: IExecuteFunctions,
	results: Result[],
	isWrite = false,
): INodeExecutionData[] {
	const sizes = countBy(results, 'items');
	const isOneOfSeveralFiles = ({ fileField, items }: Result) =>
		fileField !== undefined && sizes[items.join()] > 1;
	const filesOf = (of: Result): IBinaryKeyData | undefined => {
		const files = allFiles(of.items.map((item) => new ItemFiles(context, item).all));
		const own = isOneOfSeveralFiles(of) ? pick(files, [of.fileField!]) : files;
		return isEmpty(own) ? undefined : own;
	};
	return results.flatMap((of) => {
		const { items, outcome } = of;
		const pairedItem = items.length > 1 ? items.map((item) => ({ item })) : { item: items[0] };
		if (outcome.kind === 'done' || outcome.kind === 'existed') {
			const { records, warnings, passesFiles, files: made = {}, dryRun } = outcome.value!;
			// The rows of a list stay as they are: they may become a file. An AI agent gets no hints.
			const shown = isTool(context) ? compact([...warnings, dryRun]) : isWrite ? warnings : [];
			const rows = shown.length > 0 ? withWarnings(records, shown) : records;
			const passed = passesFiles && filesOf(of);
			const all = allFiles([passed || {}, made]);
			const files = !isEmpty(all) && { binary: all };
			return rows.map((json) => ({ json, pairedItem, ...files }));
		}
		// n8n's error output accepts only these keys; it then adds the input's fields. The files are passed on, so
		// that the workflow can deal with a refused receipt; if there are several, only the one concerned.
		const json = errorJson(of, outcome, isOneOfSeveralFiles(of));
		return [failedItem(context, { json, binary: filesOf(of), pairedItem })];
	});
}

/** The files of several items, each once. If two files have the same field name, one gets a new name. */
function allFiles(ofItems: IBinaryKeyData[]): IBinaryKeyData {
	const [first, ...others] = ofItems;
	const all: IBinaryKeyData = { ...first };
	for (const [name, file] of others.flatMap((files) => Object.entries(files))) {
		if (Object.values(all).some((known) => fileIdentity(known) === fileIdentity(file))) continue;
		let free = name;
		for (let i = 2; free in all; i++) free = `${name}_${i}`;
		all[free] = file;
	}
	return all;
}

/** Adds warnings to the first record, or in place of none. */
const withWarnings = ([first, ...others]: IDataObject[], warnings: readonly Bilingual[]): IDataObject[] => [
	{ ...first, warnings: warnings.map(presentableIn) },
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

/** The rules that are broken, as data. @param isCombined whether the record is made of several items */
const brokenRules = (issues: ItemIssue[], isCombined: boolean): IDataObject[] =>
	issues.map(({ field, title, value, germanValue = value, rule, item }) => ({
		...(isCombined && { item: itemNumber(item) }),
		field,
		label: labelOf(title),
		value: both(value, germanValue),
		rule: { ...rule },
	}));

/** The same as a text. */
const rulesText = (issues: ItemIssue[], isCombined: boolean, language: Language = 'en'): string =>
	issues
		.map((issue) => {
			const text = sentence(issue, language);
			return isCombined ? `${itemRanges([issue.item], language)}: ${text}` : text;
		})
		.join('; ');

/** Why, for a person: of a German one, in words of the node's own or as a quotation. @param german what there is of it */
const reason = (error: string, german = `Meldung des Programms (englisch): „${error}“`): Bilingual =>
	both(error, presentable(german));

/**
 * The JSON of a failed task for the error output.
 * @param isOneOfSeveralFiles whether the item has several tasks
 */
function errorJson(of: Result, outcome: Unsuccessful, isOneOfSeveralFiles: boolean): IDataObject {
	const { items, label, sent } = of;
	const isCombined = items.length > 1;
	/** The fields with which a workflow can tell a person what happened. */
	const details = (became: Parameters<typeof adviceFor>[0], own: IDataObject = {}): IDataObject => ({
		outcome: became.outcome,
		...(became.status !== undefined && { httpCode: became.status }),
		...(label !== undefined && { label: presentable(label) }),
		...(sent && { sent }),
		...own,
		advice: { ...adviceFor(became) },
	});
	switch (outcome.kind) {
		case 'invalid': {
			const { issues } = outcome;
			const whole = isCombined ? ` (${itemRanges(items)} would be one record)` : '';
			const error = inOneText(`${OUTCOMES.invalid.title}${whole}: ${rulesText(issues, isCombined)}`);
			return {
				error,
				details: details(
					{ outcome: 'invalid' },
					{
						issues: brokenRules(issues, isCombined),
						reason: reason(error, `${rulesText(issues, isCombined, 'de')}.`),
					},
				),
			};
		}
		case 'notSent': {
			const error = inOneText(
				`${OUTCOMES.notSent.title}: ${isOneOfSeveralFiles && label ? `${label}: ` : ''}${outcome.reason}`,
			);
			return { error, details: details({ outcome: 'notSent' }, { reason: reason(error) }) };
		}
		case 'failed': {
			const { message, description, received, german, said } = outcome.failure;
			const { issues } = of;
			const broken = issues && `It breaks a rule now: ${rulesText(issues, isCombined)}`;
			const error = inOneText(message, sentences(description, broken));
			const inGerman = sentences(
				german,
				quote(said, 'de'),
				issues && `${rulesText(issues, isCombined, 'de')}.`,
			);
			return {
				error,
				details: details(outcome.failure, {
					reason: reason(error, inGerman || undefined),
					...(issues && { issues: brokenRules(issues, isCombined) }),
					...(received && { received }),
				}),
			};
		}
	}
}
