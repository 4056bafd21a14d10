/**
 * Decides whether a 409 says that the gateway already has the record. "Conflict" has many other causes, and a record
 * that is mistaken for an existing one is lost. So the answer must name the very number or ID that was sent and, in the
 * same sentence or in a code beside it, say that it exists. Everything else is a refusal, which a person reads.
 */
import { escapeRegExp } from 'lodash';

/** What identifies the record that was sent. */
export interface Identity {
	/** The field of the number or ID, e.g. `belegnummer`. */
	field: string;
	value: string;
}

const EXISTS = /already exists|existiert bereits|bereits vorhanden|(?<!\b(?:no|not a) )duplicate(?! check)/;
/**
 * Fields that contain messages of the gateway. Other fields may repeat the record, whose own texts can say anything.
 */
const SPEAKS = /code|detail|description|error|fehler|grund|meldung|message|nachricht|reason|title|type/i;
const REQUEST = /^(?:request|anfrage)$/i;

/** The number of values of a body that are read: a message is short, and comes first. */
const MAX_VALUES = 200;
const MAX_TEXT = 1_000;
const MAX_DEPTH = 8;

/** A number that a sentence can hold by chance, so that it counts only in quotation marks or behind such a word. */
const SHORT = /^(?:.{1,2}|\d{3})$/;
const INTRODUCED = `["'“„»]|(?:nummer|number|nr\\.?|id)[\\s:=(]{1,3}`;
/** A character that a number can contain: `K-1` isn't in `K-17`. */
const PART = '[\\p{L}\\p{N}$%&*+/_-]';
/** Replaces the number in a sentence. */
const NUMBER = '\0';

/** What a part of the body says. */
interface Said {
	/** It contains the number or ID. */
	names?: boolean;
	/** It says that the number or ID beside it exists, in a code or a sentence like "This ID already exists". */
	claims?: boolean;
	/** It says that the very record exists. */
	exists?: boolean;
}

/** Splits a text into words, also `ALREADY_EXISTS` and `alreadyExists`. */
const words = (text: string) =>
	text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.replace(/[_-]+/g, ' ')
		.toLowerCase();

/**
 * Whether the body of a 409 says that the gateway already has the record. Without a number or ID, nothing can say so.
 */
export function saysItExists(body: unknown, { field, value }: Identity = { field: '', value: '' }): boolean {
	const isShort = SHORT.test(value);
	const before = isShort ? `(?<=${INTRODUCED})` : `(?<!${PART})`;
	const named = new RegExp(`${before}${escapeRegExp(value)}(?!${PART})`, 'giu');
	const refers = new RegExp(`\\b(?:${words(field)}|(?:this|diese[rm]?) (?:(?:gu|uu)?id|number|nummer))\\b`);
	let left = MAX_VALUES;

	const inText = (text: string, key: string): Said => {
		if (text.trim().toLowerCase() === value.toLowerCase()) return { names: !isShort || key === field };
		const marked = text.replace(named, NUMBER);
		const said: Said = { names: marked.includes(NUMBER) };
		if (key !== field && !SPEAKS.test(key)) return said;
		const isCode = !/\s/.test(text.trim());
		for (const sentence of words(marked).split(/[.;!?](?=\s|$)|\n/)) {
			const at = sentence.search(EXISTS);
			if (at === -1) continue;
			// "Entry K-1: a closing already exists" is about the closing, "K-1: already exists" about K-1.
			const start = sentence.lastIndexOf(': ', at) + 1;
			const clause = sentence.slice(start, at).trim() === '' ? sentence : sentence.slice(start);
			said.exists ||= clause.includes(NUMBER);
			said.claims ||= isCode || refers.test(clause);
		}
		return said;
	};
	const inPart = (part: unknown, key: string, depth: number): Said => {
		if (left-- <= 0 || depth > MAX_DEPTH) return {};
		if (typeof part !== 'object' || part === null)
			return part === true
				? { claims: EXISTS.test(words(key)) }
				: inText(String(part).slice(0, MAX_TEXT), key);
		if (REQUEST.test(key)) return {};
		const isList = Array.isArray(part);
		// A list is cut first, so that the entries of a very long one aren't copied only to be dropped.
		const all = Object.entries(isList ? part.slice(0, MAX_VALUES) : part)
			.slice(0, MAX_VALUES)
			.map(([name, inner]) => inPart(inner, isList ? key : name, depth + 1));
		const [names, claims, exists] = (['names', 'claims', 'exists'] as const).map((what) =>
			all.some((one) => one[what]),
		);
		// The entries of a list are about different things.
		return { names, claims: claims && !isList, exists: exists || (names && claims && !isList) };
	};
	return value !== '' && inPart(body, 'message', 0).exists === true;
}
