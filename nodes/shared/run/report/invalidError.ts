import type { IExecuteFunctions } from 'n8n-workflow';
import { compact, map, uniq } from 'lodash';

import { Explained } from '../../errors';
import type { Operation } from '../../operation';
import { labelOf } from '../../parameters';
import type { Issue } from '../../parameters';
import { bilingual, both, sentences } from '../../values';
import type { Bilingual, Language } from '../../values';
import { itemsByText, itemSuffix, namesOf, ofItems } from '../itemNames';
import { isTool } from '../n8n';
import type { Result } from '../task';

/** What earlier attempts of the execution have sent. */
interface Before {
	/** Whether this node has sent something, or may have. */
	hasSent: boolean;
	/** Whether one may have sent something that the execution's data doesn't show, as n8n was killed. */
	isRetry: boolean;
}

/**
 * The error of a run in which nothing was sent because items break rules. Lists every item and rule, each sentence once: n8n
 * shows the description below the message.
 */
export function invalidError(
	context: IExecuteFunctions,
	operation: Operation,
	invalid: Result[],
	before: Before,
): Explained {
	const issues = invalid.flatMap(({ outcome }) => (outcome.kind === 'invalid' ? outcome.issues : []));
	const [first, ...others] = itemsByText(
		issues.map((issue) => ({ item: issue.item, text: bilingual((language) => sentence(issue, language)) })),
	);
	const names = namesOf(invalid);
	const itemCount = context.getInputData().length;
	const broken = uniq(map(issues, 'item')).length;
	const count =
		itemCount > 1 &&
		both(
			`Items that break a rule: ${broken} of ${itemCount}.`,
			`Items, die gegen eine Regel verstoßen: ${broken} von ${itemCount}.`,
		);
	const [nothing, wayOn] = whatWasSent(context, operation, before);
	const suffix = itemSuffix(context, first.items, names);
	const more =
		others.length > 0
			? both(` (and ${others.length} more, see below)`, ` (und ${others.length} weitere, siehe unten)`)
			: both('', '');
	return new Explained({
		message: bilingual(
			(language) => `${nothing[language]}: ${first.text[language]}${suffix[language]}${more[language]}`,
		),
		description: [
			sentences(count, wayOn),
			...others.map((text) => (itemCount > 1 ? ofItems(text, names) : text.text)),
		],
	});
}

/** What to do about values that break a rule. */
export const CORRECT_DATA = both(
	'Correct the data, then run the node again.',
	'Berichtigen Sie die Daten und führen Sie den Node noch einmal aus.',
);
const NOTHING_SENT = both('Nothing was sent', 'Es wurde nichts gesendet');

/** What is known of earlier attempts, and how to go on. */
function whatWasSent(
	context: IExecuteFunctions,
	operation: Operation,
	{ hasSent, isRetry }: Before,
): [nothing: Bilingual, wayOn: Bilingual] {
	if (operation.kind !== 'write') return [both('Nothing was read', 'Es wurde nichts gelesen'), CORRECT_DATA];
	// What a tool has sent before was sent by other calls.
	if (isTool(context)) return [NOTHING_SENT, CORRECT_DATA];
	if (hasSent)
		return [
			both('Nothing more was sent', 'Es wurde nichts weiter gesendet'),
			both(
				'An earlier attempt of this execution has sent something. Undo what was changed since, then use "Retry": a new run may send it again.',
				'Ein früherer Versuch dieser Ausführung hat etwas gesendet. Machen Sie rückgängig, was seither geändert wurde, und benutzen Sie dann „Retry“: Ein neuer Lauf sendet es vielleicht noch einmal.',
			),
		];
	if (isRetry)
		return [
			both('This retry sent nothing', 'Diese Wiederholung hat nichts gesendet'),
			both(
				'Where the node is wrong, correct it, then use "Retry". Where the data is wrong, start a new run; if n8n was stopped during an earlier attempt, look up first what that has sent.',
				'Ist der Node falsch, berichtigen Sie ihn und benutzen Sie „Retry“. Sind die Daten falsch, starten Sie einen neuen Lauf; wurde n8n bei einem früheren Versuch angehalten, sehen Sie zuerst nach, was der gesendet hat.',
			),
		];
	return [NOTHING_SENT, CORRECT_DATA];
}

/**
 * The field as the form and the gateway call it, what was given, and the rule: `Amount (betrag) "x" must be a number`. In
 * German, where nobody knows the form, `Betrag „x“ muss eine Zahl sein`, of a line with its number before.
 */
export function sentence(issue: Issue, language: Language): string {
	const { field, title, value, germanValue: shown = value, rule } = issue;
	if (language === 'en') return `${title} (${field})${value === '' ? '' : ` "${value}"`} ${rule.en}`;
	const [, line] = /\[(\d+)\]/.exec(field) ?? [];
	const isLine = line !== undefined && field.endsWith(']');
	const name = compact([line && `Zeile ${line}`, !isLine && labelOf(title).de]).join(', ');
	return `${name}${shown === '' ? '' : ` „${shown}“`} ${rule.de}`;
}
