/**
 * Decides whether a refusal says that the gateway already has the record, and nothing else. A record that is mistaken for
 * an existing one is lost, so everything else is a refusal, which a person reads.
 */
import { escapeRegExp } from 'lodash';

import { firstEntries, isMissing } from '../../values';

interface SentRecord {
	/** The field of its number or ID, e.g. `belegnummer`. */
	field: string;
	value: string;
	/** Whether another field of it has this value. */
	agrees(name: string, value: unknown, fields: Record<string, unknown>): boolean;
}

/** The statuses of a gateway that understood the request and has something against its values, in HTTP's words. */
const REFUSALS: Record<number, string> = {
	400: 'Bad Request',
	409: 'Conflict',
	422: 'Unprocessable Entity',
};

const THING = 'ENTRY|RECORD|DOCUMENT|ID|KEY|NUMBER';
const CODE = new RegExp(`^(?:(?:${THING})_)?(?:ALREADY_EXISTS|DUPLICATE)(?:_(?:${THING}))?$`);

/** What may stand around a number. */
const MARKS = `["'“”„‚‘’«»()\\[\\]]{0,2}`;

/** The sentence, to the last word. */
function sentenceAbout({ field, value }: SentRecord): RegExp {
	const [own, number] = [field, value].map(escapeRegExp);
	return new RegExp(
		'^(?:(?:der|die|das|eine?|the|an?) )?' +
			`(?:(?:${own}|Beleg|Buchung|Eintrag|Dokument|Nummer|entry|record|document|number|ID):? )?` +
			`(?:(?:mit der|with the) (?:${own}|Nummer|number|ID):? )?` +
			`${MARKS}${number}${MARKS} ` +
			'(?:already exists|existiert bereits|(?:ist )?bereits vorhanden)[.!]?$',
		'iu',
	);
}

/** A refusal that says only this is short. */
const MAX_REFUSAL_VALUES = 50;
const REFUSAL_DEPTH = 8;
const MAX_REFUSAL_TEXT = 300;

interface Leaf {
	name: string;
	value: unknown;
	fields: Record<string, unknown>;
}

/** All values of a body; `undefined` if there are too many for one that says nothing else. */
function leavesOf(body: unknown): Leaf[] | undefined {
	const leaves: Leaf[] = [];
	const isRead = (value: unknown, name: string, fields: Leaf['fields'], depth: number): boolean => {
		if (typeof value !== 'object' || value === null)
			return leaves.push({ name, value, fields }) <= MAX_REFUSAL_VALUES;
		if (depth > REFUSAL_DEPTH) return false;
		const isList = Array.isArray(value);
		return firstEntries(value, MAX_REFUSAL_VALUES + 1).every(([own, inner]) =>
			isRead(inner, isList ? name : own, isList ? fields : (value as Leaf['fields']), depth + 1),
		);
	};
	return isRead(body, '', {}, 0) ? leaves : undefined;
}

export function saysItExists(status: number, body: unknown, sent: SentRecord): boolean {
	const { field, value: number } = sent;
	const leaves = status in REFUSALS && number !== '' ? leavesOf(body) : undefined;
	if (!leaves) return false;
	const sentence = sentenceAbout(sent);
	const isOwn = (name: string) => name.toLowerCase() === field.toLowerCase();
	let isSaid = false;
	let hasCode = false;
	let hasNumber = false;
	for (const { name, value, fields } of leaves) {
		if (isMissing(value) || (name === 'success' && value === false)) continue;
		const text = String(value).slice(0, MAX_REFUSAL_TEXT).replace(/\s+/g, ' ').trim();
		if (isOwn(name) && text.toLowerCase() === number.toLowerCase()) hasNumber = true;
		else if (CODE.test(text)) hasCode = true;
		else if (sentence.test(text)) isSaid = true;
		// The status once more, or which field it is about.
		else if ([String(status), REFUSALS[status]].includes(text) || isOwn(text)) continue;
		else if (!sent.agrees(name, value, fields)) return false;
	}
	return isSaid || (hasCode && hasNumber);
}
