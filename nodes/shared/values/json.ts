import { isObjectLike, trim } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

/** Whether a JSON value is an object and not a list. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects in a list; none if it is no list. */
export const objectsIn = (list: unknown): IDataObject[] => (Array.isArray(list) ? list.filter(isObject) : []);

/** Whether a field has no value: it is missing, `null`, or an empty text. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The first fields of an object or values of a list, of which there may be very many: `Object.entries` would copy them all. */
export const firstEntries = (of: object, count: number): Array<[name: string, value: unknown]> =>
	Object.keys(of)
		.slice(0, count)
		.map((name) => [name, (of as IDataObject)[name]]);

/** Makes objects like `{}` that share no shapes with those of other code. */
const OwnShapes = function () {
	// Its fields are set later.
} as unknown as new () => IDataObject;
OwnShapes.prototype = Object.prototype;

/**
 * A record whose fields are set one after another, of which there may be very many. V8 knows at most 1,536 first fields of
 * objects that begin as `{}`, and n8n's start uses them up. Until its next full collection, each object with another first field
 * gets a shape of its own, which takes 5 kB and stays until then.
 */
export const newRecord = (): IDataObject => new OwnShapes();

/** Sets a field. A plain assignment to one named "__proto__", which JSON can have, would change the prototype. */
export function setField(record: object, name: string, value: unknown): void {
	if (name !== '__proto__') (record as IDataObject)[name] = value as IDataObject[string];
	else Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
}

/** The deepest nesting that is taken; n8n, and JavaScript itself, would fail at storing much deeper values. */
export const MAX_NESTING = 100;

export const isTooDeep = (value: unknown, levels = MAX_NESTING): boolean =>
	isObjectLike(value) &&
	(levels === 0 || Object.values(value as object).some((inner) => isTooDeep(inner, levels - 1)));

/**
 * Parses JSON; an empty text is an answer without content (`null`). Numbers that JavaScript can't hold become texts.
 * @returns `undefined` if it isn't JSON
 */
export function parseJson(text: string): { value: unknown } | undefined {
	// Also without a byte order mark, which n8n's helper for credential tests leaves in the text.
	const json = text.trim();
	if (json === '') return { value: null };
	try {
		return { value: JSON.parse(quoteInexactNumbers(json)) as unknown };
	} catch {
		return undefined;
	}
}

/** A number with many digits or an exponent, or what looks like one in a text; hardly any answer has either. */
const MAY_CHANGE = /(?:^|[\s:,[])-?(?:\d[\d.]{14}|\d[\d.]*[eE])/;
/**
 * A text, up to the first quotation mark that no backslash escapes, or a number where JSON has a value. Neither takes more time
 * than its length. A text in place of such a number is JSON if, and only if, the number is.
 */
const JSON_TOKEN =
	/"[^]*?(?<!\\)(?:\\\\)*"|(?<![\w.+-])-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?=\s*(?:[,\]}]|$))/g;

/**
 * Turns numbers that JavaScript would change into texts: a double holds about 16 digits, so `12345678901234567890`
 * would become 12345678901234567000, and `1e400` infinity. A wrong ID would be sent or shown. A different notation
 * (`1.50`, `1e2`) stays a number.
 * @param json valid JSON stays valid, and anything else invalid
 */
export function quoteInexactNumbers(json: string): string {
	if (!MAY_CHANGE.test(json)) return json;
	return json.replace(JSON_TOKEN, (token) =>
		token.startsWith('"') || isExact(token) ? token : `"${token}"`,
	);
}

/**
 * Whether a number survives reading and writing as a double: then its digits do, as another power of ten never comes of it.
 * An amount with all the digits of its double does, too: many programs write 19.19 as 19.190000000000001.
 */
function isExact(number: string): boolean {
	if (/^[\d.-]{1,15}$/.test(number)) return true;
	const digits = significantDigits(number);
	const isAmount = number.includes('.') && digits.length <= MOST_DIGITS;
	return (
		digits === significantDigits(String(Number(number))) ||
		(isAmount && digits === significantDigits(Number(number).toPrecision(digits.length || 1)))
	);
}

/** The most that JavaScript can write of a number. */
const MOST_DIGITS = 100;

/** A number's digits with neither leading nor trailing zeros, and without its power of ten. */
const significantDigits = (number: string) => trim(number.split(/e/i, 1)[0].replace(/[.-]/g, ''), '0');
