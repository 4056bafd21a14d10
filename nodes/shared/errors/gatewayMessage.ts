import { unescape } from 'lodash';

import { cut } from './presentable';
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
/** Fields with details, next to a general message like "Validation failed". */
const DETAIL_KEYS = ['errors', 'error_description', 'description', 'details', 'fehler', 'meldungen'];
/** The fields of a body that may hold a message. */
export const MESSAGE_FIELDS = [...MESSAGE_KEYS, ...DETAIL_KEYS];

const MAX_MESSAGE = 500;
/** The number of characters of a text that are read: the message is at its beginning, and masking makes it shorter. */
const MAX_TEXT = 10 * MAX_MESSAGE;
/** The depth to which a body is searched; texts that are nested more deeply aren't meant for people. */
const MAX_DEPTH = 8;
/** The number of values of a body that are read. Some are read twice, so that without it each level would double the time. */
const MAX_VALUES = 5_000;

/** Whether a text is a web page. */
export const isHtml = (text: string) => /^\s*(<!doctype html|<html)/i.test(text);

/** What the gateway says, as a sentence of an error. */
export const quote = (text: string | undefined) => text && `The gateway says: “${text}”`;

/**
 * Finds the message in an error body, whose shape the contract leaves open: text, `message`, `error.message`,
 * `errors[]`, `detail`, `fehler`, problem+json, or the title of a web page, and the details beside it. Masks IBANs.
 * Runs in linear time, whatever the body contains.
 */
export function gatewayMessage(body: unknown): string | undefined {
	const text = messageIn(body, MAX_DEPTH, { left: MAX_VALUES }).trim();
	return text ? cut(maskSensitive(cut(text, MAX_TEXT)), MAX_MESSAGE) : undefined;
}

/**
 * @param depth how many levels of the body to search
 * @param values how many values may still be read
 */
function messageIn(body: unknown, depth: number, values: { left: number }): string {
	if (values.left-- <= 0) return '';
	if (typeof body === 'string') return cut(isHtml(body) ? messageInHtml(body) : body, MAX_TEXT);
	if (typeof body !== 'object' || body === null || depth === 0) return '';
	const inside = (value: unknown) => messageIn(value, depth - 1, values);
	if (Array.isArray(body)) return joined(body.slice(0, values.left).map(inside));
	const record = body as Record<string, unknown>;
	const message = MESSAGE_KEYS.map((key) => inside(record[key])).find(Boolean);
	if (!message) {
		// An unknown shape, e.g. texts by field: take everything.
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

const joined = (texts: string[]) => cut(texts.filter(Boolean).join('; '), MAX_TEXT);

/** Title and heading of a web page, or all of its text. */
function messageInHtml(page: string): string {
	const parts = ['title', 'h1'].map((tag) => textOf(elementIn(page, tag)));
	return [...new Set(parts)].filter(Boolean).join(': ') || textOf(page);
}

/** The content of the first element with this name. Two searches, as a single pattern could take quadratic time. */
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
