import type { NodeExecutionHint } from 'n8n-workflow';
import { compact, groupBy, map } from 'lodash';

import { wordsOf } from '../outcomes';
import type { OperationKind } from '../outcomes';
import { asHtml, cut, presentable } from '../../errors';
import { bilingual, both } from '../../values';
import type { Bilingual } from '../../values';
import { itemRanges, itemsByText, ofItems } from '../itemNames';
import type { RunState } from '../runState';
import { became, rowsIn } from '../task';
import type { Result } from '../task';

/** The most warnings that a run shows; nobody would read more. */
const MAX_RUN_WARNINGS = 20;
/** The longest warning: it may name files, whose names are a sender's. */
const MAX_WARNING = 2_500;

/** Warnings about what was done, with the items they concern. */
export function warningTexts(results: Result[]): Bilingual[] {
	const warnings = itemsByText(
		results.flatMap(({ items, outcome }) => {
			const { warnings = [], dryRun = undefined } = rowsIn(outcome) ?? {};
			return compact([...warnings, dryRun]).flatMap((warning) =>
				items.map((item) => ({
					item,
					text: bilingual((language) => presentable(cut(warning[language], MAX_WARNING))),
				})),
			);
		}),
	);
	const texts = warnings.slice(0, MAX_RUN_WARNINGS).map((warning) => ofItems(warning));
	const more = warnings.slice(MAX_RUN_WARNINGS);
	if (more.length === 0) return texts;
	const about = more.flatMap(({ items }) => items);
	return [
		...texts,
		both(
			`${more.length} more warnings, about ${itemRanges(about, 'en')}`,
			`${more.length} weitere Warnungen zu ${itemRanges(about, 'de')}`,
		),
	];
}

/** n8n opens the view of the files if the items have any. */
const FILES_FIRST = both(
	'Choose “Table” to see what was read: n8n shows the files first',
	'Wählen Sie „Table“, um zu sehen, was gelesen wurde: n8n zeigt zuerst die Dateien',
);

/** Counts the records that a run which continued after failures hasn't written, or may not have written. */
function notDone(results: Result[], kind: OperationKind): Bilingual[] {
	const words = compact(results.map((result) => wordsOf(became(result), kind).counted));
	return map(groupBy(words, 'en'), (some) => bilingual((language) => `${some.length} ${some[0][language]}`));
}

/** Texts as one. */
export const asOne = (texts: Bilingual[], between: string): Bilingual =>
	bilingual((language) => map(texts, language).join(between));

/** Adds hints below the output of a run that ended normally. */
export function addHints(
	{ context, credits, language, tally: { text: achieved } }: RunState,
	results: Result[],
	kind: OperationKind,
): void {
	const hints: NodeExecutionHint[] = [];
	const add = (message: Bilingual, type: NodeExecutionHint['type']) =>
		hints.push({ message: asHtml(message[language]), type, location: 'outputPane' });
	const itemsOf = (isOne: (result: Result) => boolean) => results.filter(isOne).flatMap(({ items }) => items);
	if (results.some(({ outcome }) => rowsIn(outcome)?.passesFiles)) add(FILES_FIRST, 'info');
	for (const text of warningTexts(results)) add(text, 'warning');
	if (credits.unchecked) add(credits.unchecked, 'warning');
	const counted = achieved && asOne([achieved, ...notDone(results, kind)], '; ');
	const texts = compact([counted, credits.hint]);
	if (texts.length > 0) add(asOne(texts, '. '), 'info');
	if (credits.exhausted) {
		const skipped = itemsOf(({ outcome }) => outcome.kind === 'notSent');
		const { counted } = wordsOf('notSent', kind);
		const rest = bilingual((own) =>
			skipped.length > 0 ? `; ${counted?.[own]}: ${itemRanges(skipped, own)}` : '',
		);
		add(asOne([credits.exhaustion, rest], ''), 'warning');
	}
	const empty = itemsOf(({ outcome }) => rowsIn(outcome)?.records.length === 0);
	if (empty.length > 0)
		add(
			both(`No records for ${itemRanges(empty, 'en')}`, `Keine Datensätze zu ${itemRanges(empty, 'de')}`),
			'info',
		);
	// Older versions of n8n have no hints.
	context.addExecutionHints?.(...hints);
}
