import { escape, uniq } from 'lodash';

import { maskIbans, setField } from '../values';

const IP_V4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g;
const IP_V6 = /(?<![\w:])(?:[\da-f]{0,4}:){3,7}[\da-f]{0,4}(?![\w:])/gi;

/**
 * Hides IBANs and IP addresses in a text that goes into an error, because errors are logged, mailed, and shown to
 * people who shouldn't see these.
 */
export const maskSensitive = (text: string): string =>
	maskIbans(text).replace(IP_V4, '[IP address]').replace(IP_V6, '[IP address]');

/** Shorter strings aren't keys, and would match answers by chance. */
const MIN_SECRET_LENGTH = 8;

/** The forms of a secret in a text, in JSON, in a web page and in a URL. */
function formsOf(secret: string): string[] {
	if (secret.length < MIN_SECRET_LENGTH) return [];
	const json = JSON.stringify(secret).slice(1, -1);
	// `Buffer` replaces lone surrogates, which `encodeURIComponent` would throw for.
	const address = encodeURIComponent(Buffer.from(secret).toString());
	return uniq([secret, json, escape(secret), address]);
}

const without = (text: string, forms: string[]) =>
	forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);

/** Removes a secret from a text, in any form. */
export const redactSecret = (text: string, secret: string): string => without(text, formsOf(secret));

/**
 * Removes a secret from parsed JSON, in place: from its texts, its numbers and the names of its fields.
 * @param json the text that the value was parsed from
 */
export function redactSecretIn(value: unknown, secret: string, json: string): unknown {
	const forms = formsOf(secret);
	// Escapes can split a secret; without any, the text shows whether it is there.
	if (!json.includes('\\') && !forms.some((form) => json.includes(form))) return value;
	const root = { value };
	const open: object[] = [root];
	// Not recursive: deep nesting would overflow the stack.
	for (let holder = open.pop(); holder; holder = open.pop()) {
		for (const [name, inner] of Object.entries(holder) as Array<[string, unknown]>) {
			if (typeof inner === 'object' && inner !== null) open.push(inner);
			const text = typeof inner === 'string' || typeof inner === 'number' ? String(inner) : '';
			const redacted = without(text, forms);
			const clean = without(name, forms);
			if (redacted === text && clean === name) continue;
			if (clean !== name) Reflect.deleteProperty(holder, name);
			setField(holder, clean, redacted === text ? inner : redacted);
		}
	}
	return root.value;
}
