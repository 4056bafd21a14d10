import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { dropRightWhile } from 'lodash';

import type { GatewayRequest } from './request';

const DEFAULT_PROVIDER = 'acct';

/**
 * Reads the base URL of the credential as people enter it: a missing scheme becomes https, a trailing slash or a
 * pasted `/v2` is dropped.
 * @returns the address without trailing slash, or a message about what is wrong with it
 */
export function parseBaseUrl(given: unknown): { url: string } | { problem: string } {
	const text = typeof given === 'string' ? given.trim() : '';
	if (text === '') return { problem: 'The base URL in the credential is empty' };
	const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
	if (!URL.canParse(withScheme))
		return { problem: `The base URL "${text}" in the credential isn't a web address` };
	const url = new URL(withScheme);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return { problem: 'The base URL in the credential must start with https:// or http://' };
	}
	if (url.username || url.password || url.search || url.hash) {
		return { problem: 'The base URL in the credential must be an address alone, without user, "?" or "#"' };
	}
	const segments = withoutEmptyEnd(url.pathname.split('/'));
	const base = segments.at(-1) === 'v2' ? withoutEmptyEnd(segments.slice(0, -1)) : segments;
	return { url: [url.origin, ...base.slice(1)].join('/') };
}

/** `Buffer` replaces lone surrogates, which `encodeURIComponent` would throw for. */
const encode = (value: string | number | boolean) =>
	encodeURIComponent(Buffer.from(String(value)).toString());

const withoutEmptyEnd = (segments: string[]) => dropRightWhile(segments, (segment) => segment === '');

/**
 * Fills the path's placeholders and replaces `acct` with the provider's name.
 * @param template path of the contract, e.g. `/v2/acct-rewe-read/geschaeftsjahre/{geschaeftsjahrId}`
 */
export function buildPath(template: string, values: GatewayRequest['path'], provider: string): string {
	return template
		.replace(/^\/v2\/acct(?=[-/])/, () => `/v2/${encode(provider)}`)
		.replace(/\{(\w+)\}/g, (_, name: string) => encode(values[name]));
}

/** The accounting provider's name in the paths, from the credential. */
export function accountingProvider(credential: ICredentialDataDecryptedObject): string {
	return String(credential.accountingProvider ?? '').trim() || DEFAULT_PROVIDER;
}
