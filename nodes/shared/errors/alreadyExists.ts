/**
 * Decides whether a 409 says that the gateway already has the record. "Conflict" has many other causes, and a record
 * that is mistaken for an existing one is lost. So the answer must name the very number or ID that was sent and say, in
 * the same sentence or beside it ("This ID already exists", a code), that it exists. Everything else is a refusal, which
 * a person reads.
 */
import { escapeRegExp } from 'lodash';

import { firstEntries } from '../values/json';

/** What identifies the record that was sent. */
export interface Identity {
	/** The field of the number or ID, e.g. `belegnummer`. */
	field: string;
	value: string;
}

const EXISTS = /already exists|existiert bereits|bereits vorhanden|(?<!\b(?:no|not a) )duplicate(?! check)/;
/** Fields with the gateway's own words. Other fields may repeat the record, whose texts can say anything. */
const SPEAKS = /detail|error|fehler|grund|meldung|message|nachricht|reason|title/i;
const CODE = /code|type/i;

/** The number of values of a body that are read: a message is short, and comes first. */
const MAX_VALUES = 200;
const MAX_TEXT = 1_000;
const MAX_DEPTH = 8;

/** A number that a sentence can hold by chance, so that it counts only in quotation marks or behind such a word. */
const SHORT = /^(?:.{1,2}|\d{3})$/;
const INTRODUCED = `(?<=["'“„»]|(?:nummer|number|nr\\.?|id)[\\s:=(]{1,3})`;
/** What continues a number: `K-1` is in neither `K-17` nor `K-1.7`. */
const PART = '[\\p{L}\\p{N}$%&*+/_-]';
const AFTER = `(?!\\.?${PART})`;
const BEFORE = `(?<!${PART}\\.?)`;
/** Stands for the number or ID in a sentence beside the field that holds it. */
const REFERS = /\b(?:this|diese[rm]?) (?:(?:gu|uu)?id|number|nummer)\b/;
/** Replaces the number in a sentence. */
const NUMBER = '\0';

/** Splits a text into words, also `ALREADY_EXISTS` and `alreadyExists`. */
const words = (text: string) =>
	text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.replace(/[_-]+/g, ' ')
		.toLowerCase();

/** The parts of a text that say that something exists: "Entry K-1: a closing already exists" is about the closing. */
const claimsIn = (text: string) =>
	words(text)
		.split(/[.;!?](?=\s|$)|\n/)
		.flatMap((sentence) => {
			const at = sentence.search(EXISTS);
			const start = sentence.lastIndexOf(': ', at) + 1;
			return at === -1 ? [] : [sentence.slice(start, at).trim() ? sentence.slice(start) : sentence];
		});

/** Whether a field says of the number or ID beside it that it exists: a code, or "This ID already exists". */
const refersBeside = (name: string, text: string) =>
	(CODE.test(name) && EXISTS.test(words(text))) ||
	(SPEAKS.test(name) && claimsIn(text.slice(0, MAX_TEXT)).some((claim) => REFERS.test(claim)));

/** Whether the body of a 409 says that the gateway already has the record. Without a number or ID, nothing can say so. */
export function saysItExists(body: unknown, { field, value }: Identity = { field: '', value: '' }): boolean {
	const isShort = SHORT.test(value);
	const named = new RegExp((isShort ? INTRODUCED : BEFORE) + escapeRegExp(value) + AFTER, 'giu');
	let left = MAX_VALUES;
	let exists = false;

	/** Reads a part of the body. @returns whether it names the number or ID */
	const read = (part: unknown, key: string, depth: number): boolean => {
		if (left-- <= 0 || depth > MAX_DEPTH || exists) return false;
		if (typeof part !== 'object' || part === null) {
			const text = String(part).slice(0, MAX_TEXT);
			if (text.trim().toLowerCase() === value.toLowerCase()) return !isShort || key === field;
			const marked = text.replace(named, NUMBER);
			exists ||= (key === field || SPEAKS.test(key)) && claimsIn(marked).some((one) => one.includes(NUMBER));
			return marked.includes(NUMBER);
		}
		const isList = Array.isArray(part);
		const entries = firstEntries(part, MAX_VALUES);
		const names = entries.filter(([name, inner]) => read(inner, isList ? key : name, depth + 1)).length > 0;
		exists ||=
			names && entries.some(([name, inner]) => typeof inner === 'string' && refersBeside(name, inner));
		return names;
	};
	if (value !== '') read(body, 'message', 0);
	return exists;
}
