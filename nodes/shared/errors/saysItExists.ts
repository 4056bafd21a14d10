/**
 * Decides whether a refusal says that the gateway already has the record. A record that is mistaken for an existing one
 * is lost, so the very number or ID that was sent must be the subject of the sentence ("K-17 already exists"), or stand
 * beside a code that says so and nothing else. Everything else is a refusal, which a person reads.
 */
import { escapeRegExp } from 'lodash';

import { firstEntries } from '../values';
import { MAX_MESSAGE_DEPTH } from './gatewayMessage';

/** The number or ID of the record that was sent. */
export interface RecordNumber {
	/** Its field, e.g. `belegnummer`. */
	field: string;
	value: string;
}

/** The statuses of a gateway that understood the request and has something against its values. */
const REFUSAL_STATUSES = [400, 409, 422];

/** What may stand between a number and the words around it, besides white space. */
const MARKS = `["'“”„‚‘’«»()\\[\\]]`;
/** Behind the number: it exists, and the sentence ends ("already exists with a different amount" says something else). */
const EXISTS = new RegExp(
	`^${MARKS}*\\s+(?:already exists|existiert bereits|(?:ist\\s+)?bereits vorhanden)${MARKS}*[ \\t]*(?:[.;!]${MARKS}*(?!\\S)|\\n|$)`,
	'iu',
);
const DUPLICATE = new RegExp(`\\bduplicate(?:\\s+(?:entry|key|id|number))?(?:[\\s:=]|${MARKS}){1,4}$`, 'iu');
/** Words in front of a number that make something else the subject ("a lock for K-17"), or the sentence a question. */
const NOT_SUBJECT =
	/(?<!\p{L})(?:for|of|to|on|in|at|by|from|about|f(?:ü|ue)r|zu[mr]?|von|vom|im|auf|bei|gegen|if|whether|that|ob|dass|no|not|nicht|keine?)(?!\p{L})/iu;

/** A code that says so, its words in lower case: `ALREADY_EXISTS`, `duplicate`, `DuplicateKey`. */
const THING = '(?:entry|record|document|id|key|number)';
const CODE = new RegExp(`^(?:${THING} )?(?:already exists|duplicate)(?: ${THING})?$`);

/** Fields with the gateway's own words. Other fields may repeat the record, whose texts can say anything. */
const SPEAKS = /detail|error|fehler|grund|meldung|message|nachricht|reason|title/i;
/** Fields with a code. */
const HOLDS_CODE = /code|typ|^(?:error|fehler|reason|grund)$/i;
/** A field that names the field with the mistake. */
const NAMES_FIELD = /^(?:field|feld)$/i;

/** The number of values of a body, and of characters of a text, that are read: a message is short, and comes first. */
const MAX_REFUSAL_VALUES = 200;
const MAX_REFUSAL_TEXT = 1_000;

/** A number that may mean something else in a sentence, such as a year: it counts only in quotation marks or behind such a word. */
const MISTAKABLE = /^(?:.{1,2}|\d{3}|(?:19|20)\d\d(?:[/-]\d\d?){0,2})$/;
const INTRODUCED = `(?<=["'“„»]|(?:nummer|number|nr\\.?|id)[\\s:=(]{1,3})`;
/** What continues a number: `K-1` is in neither `K-17` nor `K-1.7`. */
const PART = '[\\p{L}\\p{N}$%&*+/_-]';
const AFTER = `(?!\\.?${PART})`;
const BEFORE = `(?<!${PART}\\.?)`;

/** Splits a code into words. */
const words = (code: string) =>
	code
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.replace(/[\s_-]+/g, ' ')
		.trim()
		.toLowerCase();

/** Whether an answer says that the gateway already has the record. Without a number or ID, none can. */
export const saysItExists = (status: number, body: unknown, sent?: RecordNumber): boolean =>
	sent !== undefined &&
	sent.value !== '' &&
	REFUSAL_STATUSES.includes(status) &&
	new RefusalReader(sent).saysSo(body, 'message', 0);

class RefusalReader {
	private left = MAX_REFUSAL_VALUES;
	private readonly number: RegExp;

	constructor(private readonly sent: RecordNumber) {
		const { value } = sent;
		this.number = new RegExp(
			(MISTAKABLE.test(value) ? INTRODUCED : BEFORE) + escapeRegExp(value) + AFTER,
			'giu',
		);
	}

	/** @param key the field that holds the part */
	saysSo(part: unknown, key: string, depth: number): boolean {
		if (this.left-- <= 0 || depth > MAX_MESSAGE_DEPTH) return false;
		if (typeof part === 'string')
			return (SPEAKS.test(key) || this.isOwn(key)) && this.isSubject(part.slice(0, MAX_REFUSAL_TEXT));
		if (typeof part !== 'object' || part === null) return false;
		const entries = firstEntries(part, MAX_REFUSAL_VALUES);
		if (Array.isArray(part)) return entries.some(([, inner]) => this.saysSo(inner, key, depth + 1));
		const hasCode = entries.some(
			([name, inner]) =>
				HOLDS_CODE.test(name) &&
				typeof inner === 'string' &&
				CODE.test(words(inner.slice(0, MAX_REFUSAL_TEXT))),
		);
		return (
			(hasCode && this.holdsNumber(entries, true)) ||
			entries.some(([name, inner]) => this.saysSo(inner, name, depth + 1))
		);
	}

	/** Whether a text says of the number that it exists, or that it is a duplicate. */
	private isSubject(text: string): boolean {
		for (const { index, 0: number } of text.matchAll(this.number)) {
			const before = text.slice(0, index);
			const duplicate = before.search(DUPLICATE);
			const says = duplicate !== -1 || EXISTS.test(text.slice(index + number.length));
			const clause = before
				.slice(0, duplicate === -1 ? index : duplicate)
				.split(/[.,;:!?\n]/)
				.at(-1)!;
			if (says && !NOT_SUBJECT.test(clause)) return true;
		}
		return false;
	}

	/** Whether a field beside a code, or in a group of fields beside it, holds the number. */
	private holdsNumber(entries: Array<[name: string, value: unknown]>, withGroups: boolean): boolean {
		const isNamed = entries.some(
			([name, value]) => NAMES_FIELD.test(name) && typeof value === 'string' && this.isOwn(value),
		);
		return entries.some(([name, value]) => {
			if (typeof value === 'object' && value !== null)
				return (
					withGroups &&
					!Array.isArray(value) &&
					this.holdsNumber(firstEntries(value, MAX_REFUSAL_VALUES), false)
				);
			return (isNamed || this.isOwn(name)) && this.isSame(value);
		});
	}

	private readonly isOwn = (name: string) => name.toLowerCase() === this.sent.field.toLowerCase();

	private readonly isSame = (value: unknown) =>
		['string', 'number'].includes(typeof value) &&
		String(value).slice(0, MAX_REFUSAL_TEXT).trim().toLowerCase() === this.sent.value.toLowerCase();
}
