import { unescape } from 'lodash';

import { maskSensitive } from './redaction';

const MESSAGE_KEYS = [
	'message',
	'nachricht',
	'detail',
	'error',
	'errors',
	'fehler',
	'fehlermeldung',
	'meldung',
	'meldungen',
	'title',
];
/** What may go into details, beside a message that is as general as "Validation failed". */
const DETAIL_KEYS = ['errors', 'error_description', 'description', 'details', 'fehler', 'meldungen'];
/** The fields of a body in which a message may stand. */
export const MESSAGE_FIELDS = [...MESSAGE_KEYS, ...DETAIL_KEYS];

const MAX_MESSAGE = 500;
/** What is read of a text at most: a message is in its beginning, and hiding something in it makes it shorter. */
const MAX_TEXT = 10 * MAX_MESSAGE;
/** Whatever stands deeper than this, nobody has written for people. */
const MAX_DEPTH = 8;

/** Whether a text is a web page. */
export const isHtml = (text: string) => /^\s*(<!doctype html|<html)/i.test(text);

/** What the gateway says, as a sentence of an error. */
export const quote = (text: string | undefined) => text && `The gateway says: “${text}”`;

/**
 * Finds what the gateway says in an error body, whose shape the specification leaves open: text, `message`,
 * `error.message`, `errors[]`, `detail`, `fehler`, problem+json, or the title of a web page, and the details beside it.
 * IBANs in it are hidden. Takes time in proportion to the body at most, whatever it holds.
 */
export function gatewayMessage(body: unknown): string | undefined {
	const text = messageIn(body, MAX_DEPTH).trim();
	return text ? maskSensitive(text.slice(0, MAX_TEXT)).slice(0, MAX_MESSAGE) : undefined;
}

/** @param depth so many levels of the body are looked into */
function messageIn(body: unknown, depth: number): string {
	if (typeof body === 'string') return (isHtml(body) ? messageInHtml(body) : body).slice(0, MAX_TEXT);
	if (typeof body !== 'object' || body === null || depth === 0) return '';
	const inside = (value: unknown) => messageIn(value, depth - 1);
	if (Array.isArray(body)) return joined(body.map(inside));
	const record = body as Record<string, unknown>;
	const message = MESSAGE_KEYS.map((key) => inside(record[key])).find(Boolean);
	if (!message) {
		// An unknown shape, like texts by field: all that it says.
		return joined(
			Object.entries(record).map(([key, value]) => {
				const text = inside(value);
				return text && `${key}: ${text}`;
			}),
		);
	}
	const text = joined([...new Set([message, ...DETAIL_KEYS.map((key) => inside(record[key]))])]);
	const field = record.field ?? record.feld;
	return typeof field === 'string' && !text.includes(field) ? `${field}: ${text}` : text;
}

const joined = (texts: string[]) => texts.filter(Boolean).join('; ').slice(0, MAX_TEXT);

/** Title and heading of a web page, or all of its text. */
function messageInHtml(page: string): string {
	const parts = ['title', 'h1'].map((tag) => textOf(elementIn(page, tag)));
	return [...new Set(parts)].filter(Boolean).join(': ') || textOf(page);
}

/** What stands in the first element of this name. Searches from place to place: a pattern for it all would try every end with every beginning. */
function elementIn(page: string, tag: string): string {
	const opening = page.search(new RegExp(`<${tag}\\b`, 'i'));
	const start = opening === -1 ? -1 : page.indexOf('>', opening);
	if (start === -1) return '';
	const rest = page.slice(start + 1);
	const end = rest.search(new RegExp(`</${tag}\\b`, 'i'));
	return end === -1 ? '' : rest.slice(0, end);
}

const textOf = (html: string) =>
	unescape(html.replace(/<[^<>]*>/g, ' '))
		.replace(/\s+/g, ' ')
		.trim();
