import { NodeOperationError } from 'n8n-workflow';
import type { IBinaryKeyData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { compact, countBy, isEmpty, pick } from 'lodash';

import { adviceFor, wordsOf } from '../outcomes';
import type { OperationKind } from '../outcomes';
import { failureText, inOneTextOf, presentable, presentableIn, quote } from '../../errors';
import { ItemFiles, fileIdentity, labelOf } from '../../parameters';
import { bilingual, both, sentences } from '../../values';
import type { Bilingual, Language } from '../../values';
import { isTool } from '../n8n';
import { sentence } from './invalidError';
import { itemNumber, itemRanges } from '../itemNames';
import type { ItemIssue, Result, Unsuccessful } from '../task';

/**
 * The items that the node emits, in the order of the results.
 * @param kind of the operation: the warnings of a write must reach a person who doesn't see n8n, by an e-mail or a page
 */
export function outputItems(
	context: IExecuteFunctions,
	results: Result[],
	kind: OperationKind,
	language: Language,
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
			const shown = isTool(context) ? compact([...warnings, dryRun]) : kind === 'write' ? warnings : [];
			const rows = shown.length > 0 ? withWarnings(records, shown) : records;
			const passed = passesFiles && filesOf(of);
			const all = allFiles([passed || {}, made]);
			const files = !isEmpty(all) && { binary: all };
			return rows.map((json) => ({ json, pairedItem, ...files }));
		}
		// n8n's error output accepts only these keys; it then adds the input's fields. The files are passed on, so
		// that the workflow can deal with a refused receipt; if there are several, only the one concerned.
		const json = errorJson(of, outcome, kind, isOneOfSeveralFiles(of), language);
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
const rulesText = (issues: ItemIssue[], isCombined: boolean, language: Language): string =>
	issues
		.map((issue) => {
			const text = sentence(issue, language);
			return isCombined ? `${itemRanges([issue.item], language)}: ${text}` : text;
		})
		.join('; ');

/**
 * The JSON of a failed task for the error output.
 * @param isOneOfSeveralFiles whether the item has several tasks
 */
function errorJson(
	of: Result,
	outcome: Unsuccessful,
	kind: OperationKind,
	isOneOfSeveralFiles: boolean,
	language: Language,
): IDataObject {
	const { items, label, sent } = of;
	const isCombined = items.length > 1;
	/** The fields with which a workflow can tell a person what happened. */
	const details = (became: Parameters<typeof adviceFor>[0], own: IDataObject = {}): IDataObject => ({
		outcome: became.outcome,
		...(became.status !== undefined && { httpCode: became.status }),
		...(label !== undefined && { label: presentable(label.en) }),
		...(sent && { sent }),
		...own,
		advice: { ...adviceFor({ ...became, kind }) },
	});
	switch (outcome.kind) {
		case 'invalid': {
			const { issues } = outcome;
			const { title } = wordsOf('invalid', kind);
			const rules = bilingual((own) => rulesText(issues, isCombined, own));
			const whole = isCombined
				? both(
						` (${itemRanges(items, 'en')} would be one record)`,
						` (${itemRanges(items, 'de')} wären ein Vorgang)`,
					)
				: both('', '');
			const error = inOneTextOf(bilingual((own) => `${title[own]}${whole[own]}: ${rules[own]}`));
			return {
				error: error[language],
				details: details(
					{ outcome: 'invalid' },
					{
						issues: brokenRules(issues, isCombined),
						reason: both(error.en, presentable(`${rules.de}.`)),
					},
				),
			};
		}
		case 'notSent': {
			const { title } = wordsOf('notSent', kind);
			const { reason } = outcome;
			const file = isOneOfSeveralFiles && label;
			const error = inOneTextOf(
				bilingual((own) => `${title[own]}: ${file ? `${file[own]}: ` : ''}${reason[own]}`),
			);
			return { error: error[language], details: details({ outcome: 'notSent' }, { reason: { ...error } }) };
		}
		case 'failed': {
			const { failure } = outcome;
			const { message, received, said } = failure;
			const { issues } = of;
			const rules = issues && bilingual((own) => rulesText(issues, isCombined, own));
			const text = failureText(failure);
			const error = inOneTextOf(
				text.message,
				sentences(
					text.description,
					rules &&
						both(`It breaks a rule now: ${rules.en}`, `Jetzt verstößt es gegen eine Regel: ${rules.de}`),
				),
			);
			// A German sentence stands beside the advice, which is data of its own.
			const short = sentences(withStop(message), quote(said), rules && withStop(rules));
			return {
				error: error[language],
				details: details(failure, {
					reason: both(error.en, presentable(short.de)),
					...(issues && { issues: brokenRules(issues, isCombined) }),
					...(received && { received }),
				}),
			};
		}
	}
}

const withStop = (text: Bilingual): Bilingual =>
	bilingual((language) => text[language].replace(/(?<![.!?“”])$/, '.'));
