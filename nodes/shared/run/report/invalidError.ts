import type { IExecuteFunctions, NodeError } from 'n8n-workflow';
import { compact, map, uniq } from 'lodash';

import { toNodeError } from '../../errors';
import type { Operation } from '../../operation';
import { labelOf } from '../../parameters';
import type { Issue } from '../../parameters';
import type { Language } from '../../values';
import { itemsByText, itemSuffix, namesOf, ofItems } from '../itemNames';
import { hasSent, isRetryOfWrites } from '../write/memory';
import { isTool } from '../n8n';
import type { Result } from '../task';

/**
 * The error of a run in which nothing was sent because items break rules. Lists every item and rule, each sentence once: n8n
 * shows the description below the message.
 */
export function invalidError(context: IExecuteFunctions, operation: Operation, invalid: Result[]): NodeError {
	const issues = invalid.flatMap(({ outcome }) => (outcome.kind === 'invalid' ? outcome.issues : []));
	const [first, ...others] = itemsByText(
		issues.map((issue) => ({ item: issue.item, text: sentence(issue) })),
	);
	const names = namesOf(invalid);
	const itemCount = context.getInputData().length;
	const broken = uniq(map(issues, 'item')).length;
	const count = itemCount > 1 ? `Items that break a rule: ${broken} of ${itemCount}. ` : '';
	const [nothing, wayOn] = whatWasSent(context, operation);
	const lines = [
		`${count}${wayOn}`,
		...others.map((text) => (itemCount > 1 ? ofItems(text, names) : text.text)),
	];
	const more = others.length > 0 ? ` (and ${others.length} more, see below)` : '';
	const message = `${nothing}: ${first.text}${itemSuffix(context, first.items, names)}${more}`;
	return toNodeError(context.getNode(), { message, description: lines }, isTool(context));
}

const NOTHING_SENT: [string, string] = ['Nothing was sent', 'Correct the data, then run the node again.'];

/** What is known of earlier attempts, and how to go on. */
function whatWasSent(context: IExecuteFunctions, operation: Operation): [nothing: string, wayOn: string] {
	// What a tool has sent before was sent by other calls.
	if (isTool(context)) return NOTHING_SENT;
	if (hasSent(context))
		return [
			'Nothing more was sent',
			'An earlier attempt of this execution has sent something. Undo what was changed since, then use "Retry": a new run may send it again.',
		];
	// If n8n was killed, the execution's data doesn't show what was sent.
	if (isRetryOfWrites(context, operation))
		return [
			'This retry sent nothing',
			'Where the node is wrong, correct it, then use "Retry". Where the data is wrong, start a new run; if n8n was stopped during an earlier attempt, look up first what that has sent.',
		];
	return NOTHING_SENT;
}

/**
 * The field as the form and the gateway call it, what was given, and the rule: `Amount (betrag) "x" must be a number`. In
 * German, where nobody knows the form, `Betrag „x“ muss eine Zahl sein`, of a line with its number before.
 */
export function sentence(issue: Issue, language: Language = 'en'): string {
	const { field, title, value, germanValue: shown = value, rule } = issue;
	if (language === 'en') return `${title} (${field})${value === '' ? '' : ` "${value}"`} ${rule.en}`;
	const [, line] = /\[(\d+)\]/.exec(field) ?? [];
	const isLine = line !== undefined && field.endsWith(']');
	const name = compact([line && `Zeile ${line}`, !isLine && labelOf(title).de]).join(', ');
	return `${name}${shown === '' ? '' : ` „${shown}“`} ${rule.de}`;
}
