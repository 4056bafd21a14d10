/** Prepares texts from outside for display. */
import type { FunctionsBase } from 'n8n-workflow';
import { escape } from 'lodash';

import { both, maskIbans } from '../values';
import type { Bilingual } from '../values';

/** Line breaks, control characters, and characters that are invisible or reverse the direction of a text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Puts a text on one line, in the order of its letters: nothing in a text from outside can look like a line of its own. */
export const oneLine = (text: string): string => text.replace(UNSEEN, ' ');

/** Prepares a text that may quote others for errors, hints and summaries: on one line, without IBANs. */
export const presentable = (text: string): string => maskIbans(oneLine(text));

export const presentableIn = ({ en, de }: Bilingual): Bilingual => both(presentable(en), presentable(de));

/** A text where n8n shows HTML: what looks like a tag would disappear, or be a link that a sender has written. */
export const asHtml = (text: string): string => (/[<&]/.test(text) ? escape(text) : text);

/** The beginning of a text. An emoji at its end is left out rather than cut in half. @param units at most so many UTF-16 units */
export function cut(text: string, units: number): string {
	const isHalf = text.length > units && /[\uD800-\uDBFF]/.test(text[units - 1] ?? '');
	return text.slice(0, isHalf ? units - 1 : units);
}

/** Characters of a text beyond its limit that are cleaned, too: where it has many that are left out, it is shorter. */
const SLACK = 1_000;

/** The beginning of a text of any length on one line. Only what may be shown is cleaned: a text from outside can be endless. */
export const cutLine = (text: string, units: number): string => cut(oneLine(cut(text, units + SLACK)), units);

/** The beginning of a text from outside, as a part of a line. @param units at most so many UTF-16 units; few for n8n's log */
export const excerpt = (text: unknown, units = 64) => cut(presentable(String(text).slice(0, SLACK)), units);

/** How n8n's log names the trigger's workflow. */
export const workflowTitle = (context: Pick<FunctionsBase, 'getWorkflow'>) =>
	`workflow "${excerpt(context.getWorkflow().name)}"`;
