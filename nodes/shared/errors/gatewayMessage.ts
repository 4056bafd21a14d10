import { pickBy, unescape, uniq } from 'lodash';

import { both, firstEntries } from '../values';
import { cut } from './presentable';
import { maskSensitive } from './redaction';

/** Whether a field of a body has a message, by its name. */
export const isMessageField = (name: string) =>
	/message|nachricht|meldung|error|fehler|^(?:details?|description|title)$/i.test(name);

const MAX_MESSAGE = 500;
/** The number of characters of a text that are read: the message is at its beginning, and masking makes it shorter. */
const MAX_TEXT_READ = 10 * MAX_MESSAGE;
/** The depth to which a body is searched; texts that are nested more deeply aren't meant for people. */
const MAX_MESSAGE_DEPTH = 8;
/** The number of values of a body that are read: a message is short, and comes first. */
const MAX_MESSAGE_VALUES = 10_000;
export const isWebPage = (text: string) => /^\s*(<!doctype html|<html)/i.test(text);

/** What the gateway says, as a sentence of an error. */
export const quote = (text: string | undefined) =>
	text ? both(`The gateway says: “${text}”`, `Meldung des Gateways: „${text}“`) : undefined;

/**
 * Finds the message in an error body, whose shape the contract leaves open: a text, the title of a web page, all texts in
 * fields that are called like a message, with the sentences in other fields if these are only codes, or, where there are
 * none, all texts with the names of their fields. Masks IBANs.
 */
export function gatewayMessage(body: unknown): string | undefined {
	const text = messageIn(body, MAX_MESSAGE_DEPTH).trim();
	return text ? cut(maskSensitive(cut(text, MAX_TEXT_READ)), MAX_MESSAGE) : undefined;
}

/** The message in fields that are called like one; there may be a record beside them. */
export const messageAmong = (fields: object): string | undefined =>
	gatewayMessage(pickBy(fields, (_value, name) => isMessageField(name)));

/**
 * @param depth how many levels of the body to search
 * @param left how many values of the whole body may still be read
 */
function messageIn(body: unknown, depth: number, left = { values: MAX_MESSAGE_VALUES }): string {
	if (left.values <= 0) return '';
	left.values--;
	if (typeof body === 'string')
		return isWebPage(body) ? messageInHtml(cut(body, MAX_TEXT_READ)) : cut(body, MAX_TEXT_READ);
	if (typeof body !== 'object' || body === null || depth === 0) return '';
	const texts = firstEntries(body, left.values).map(
		([name, value]) => [name, messageIn(value, depth - 1, left)] as const,
	);
	if (Array.isArray(body)) return asOneText(texts.map(([, text]) => text));
	const messages = texts.flatMap(([name, text]) => (text && isMessageField(name) ? [text] : []));
	const isWanted = messages.length === 0 ? Boolean : isSentence;
	const others = messages.some(isSentence)
		? []
		: texts.flatMap(([name, text]) => (!isMessageField(name) && isWanted(text) ? [`${name}: ${text}`] : []));
	const text = asOneText([...messages, ...others]);
	const { feld, field = feld } = body as { field?: unknown; feld?: unknown };
	return typeof field === 'string' && !text.includes(field) ? `${field}: ${text}` : text;
}

/** Whether a text is more than a code, which alone tells a person nothing. */
const isSentence = (text: string) => /\s/.test(text);

const asOneText = (texts: string[]) => cut(uniq(texts).filter(Boolean).join('; '), MAX_TEXT_READ);

/** Title and heading of a web page, or all of its text. @param page short enough for patterns that may take quadratic time */
function messageInHtml(page: string): string {
	const parts = ['title', 'h1'].map((tag) =>
		visibleText(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}\\b`, 'is').exec(page)?.[1] ?? ''),
	);
	return uniq(parts).filter(Boolean).join(': ') || visibleText(page);
}

const visibleText = (html: string) =>
	unescape(html.replace(/<[^<>]*>/g, ' '))
		.replace(/\s+/g, ' ')
		.trim();
