import type { NodeExecutionHint } from 'n8n-workflow';
import { compact, countBy, map } from 'lodash';

import { OUTCOMES, asHtml, cut, presentable } from '../../errors';
import type { OutcomeName } from '../../errors';
import { itemRanges, itemsByText, ofItems } from '../itemNames';
import type { RunState } from '../runState';
import { became, rowsIn } from '../task';
import type { Result } from '../task';

/** The most warnings that a run shows; nobody would read more. */
const MAX_RUN_WARNINGS = 20;
/** The longest warning: it may name files, whose names are a sender's. */
const MAX_WARNING = 2_500;

/** Warnings about what was done, with the items they concern. */
export function warningTexts(results: Result[]): string[] {
	const warnings = itemsByText(
		results.flatMap(({ items, outcome }) => {
			const { warnings = [], dryRun = undefined } = rowsIn(outcome) ?? {};
			return compact([...warnings, dryRun]).flatMap(({ en }) =>
				items.map((item) => ({ item, text: presentable(cut(en, MAX_WARNING)) })),
			);
		}),
	);
	const texts = warnings.slice(0, MAX_RUN_WARNINGS).map((warning) => ofItems(warning));
	const more = warnings.slice(MAX_RUN_WARNINGS);
	if (more.length === 0) return texts;
	const about = itemRanges(more.flatMap(({ items }) => items));
	return [...texts, `${more.length} more warnings, about ${about}`];
}

/** n8n opens the view of the files if the items have any. */
const FILES_FIRST = 'Choose “Table” to see what was read: n8n shows the files first';

/** Counts the records that a run which continued after failures hasn't written, or may not have written. */
function notDone(results: Result[]): string[] {
	const counts = countBy(results.map(became).flatMap((name) => wordsFor(name)));
	return map(counts, (count, words) => `${count} ${words}`);
}

const wordsFor = (name: OutcomeName): string[] => {
	const words = OUTCOMES[name];
	return 'counted' in words ? [words.counted] : [];
};

/** Adds hints below the output of a run that ended normally. */
export function addHints({ context, credits, tally: { text: achieved } }: RunState, results: Result[]): void {
	const hints: NodeExecutionHint[] = [];
	const add = (message: string, type: NodeExecutionHint['type']) =>
		hints.push({ message: asHtml(message), type, location: 'outputPane' });
	const itemsOf = (isOne: (result: Result) => boolean) => results.filter(isOne).flatMap(({ items }) => items);
	if (results.some(({ outcome }) => rowsIn(outcome)?.passesFiles)) add(FILES_FIRST, 'info');
	for (const text of warningTexts(results)) add(text, 'warning');
	if (credits.unchecked) add(credits.unchecked, 'warning');
	const counted = achieved && [achieved, ...notDone(results)].join('; ');
	const texts = [counted, credits.hint].filter((text) => text !== undefined);
	if (texts.length > 0) add(texts.join('. '), 'info');
	if (credits.exhausted) {
		const skipped = itemsOf(({ outcome }) => outcome.kind === 'notSent');
		const rest = skipped.length > 0 ? `; not sent: ${itemRanges(skipped)}` : '';
		add(credits.exhaustion + rest, 'warning');
	}
	const empty = itemsOf(({ outcome }) => rowsIn(outcome)?.records.length === 0);
	if (empty.length > 0) add(`No records for ${itemRanges(empty)}`, 'info');
	// Older versions of n8n have no hints.
	context.addExecutionHints?.(...hints);
}
