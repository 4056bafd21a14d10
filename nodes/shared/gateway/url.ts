import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { trimEnd } from 'lodash';

import { both, isPrivateHost } from '../values';
import type { Bilingual } from '../values';
import type { GatewayRequest } from './request';
import { pathOf, PROVIDER } from '../thisGateway';

const UNENCRYPTED_BASE_URL = both(
	'The base URL in the credential starts with http://, which would send the API key and the books unencrypted over the internet. Nothing was sent: enter https://, or turn on "Allow Unencrypted Connection" in the credential',
	'Die Adresse in den Zugangsdaten beginnt mit http://, damit gingen API-Schlüssel und Bücher unverschlüsselt durchs Internet. Es wurde nichts gesendet: Tragen Sie https:// ein, oder schalten Sie „Allow Unencrypted Connection“ in den Zugangsdaten ein',
);

const NO_BASE_URL = both(
	'The base URL in the credential must be a web address alone, like https://gateway.example.com, without user, "?" or "#"',
	'Die Adresse in den Zugangsdaten muss eine Webadresse allein sein, etwa https://gateway.example.com, ohne Benutzer, „?“ oder „#“',
);

const textIn = (given: unknown) => (typeof given === 'string' ? given.trim() : '');

/** Whether the base URL of the credential names no scheme, so that https is assumed. */
export const assumesHttps = ({ baseUrl }: ICredentialDataDecryptedObject) =>
	!/^([a-z][a-z\d+.-]*:\/\/|$)/i.test(textIn(baseUrl));

/**
 * Reads the base URL of the credential as people enter it: a missing scheme becomes https, a trailing slash or a pasted
 * `/v2` is dropped.
 * @returns the address without trailing slash, or a message about what is wrong with it. The message doesn't repeat the
 * address, which may contain a password
 */
export function parseBaseUrl(
	credential: ICredentialDataDecryptedObject,
): { url: string } | { problem: Bilingual } {
	const text = textIn(credential.baseUrl);
	if (text === '')
		return {
			problem: both('The base URL in the credential is empty', 'Die Adresse in den Zugangsdaten ist leer'),
		};
	const withScheme = assumesHttps(credential) ? `https://${text}` : text;
	const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
	const isAlone = url && !(url.username || url.password || url.search || url.hash);
	if (!isAlone || !['https:', 'http:'].includes(url.protocol)) return { problem: NO_BASE_URL };
	if (url.protocol === 'http:' && credential.allowHttp !== true && !isPrivateHost(url.hostname)) {
		return { problem: UNENCRYPTED_BASE_URL };
	}
	const path = trimEnd(url.pathname, '/').replace(/\/v2$/, '');
	return { url: url.origin + trimEnd(path, '/') };
}

/** Encodes a value for a URL. `Buffer` replaces lone surrogates, for which `encodeURIComponent` would throw. */
const encode = (value: string | number | boolean) =>
	encodeURIComponent(Buffer.from(String(value)).toString());

/**
 * Fills the path's placeholders, and that of the provider's name.
 * @param template a path of the contract, e.g. `/v2/acct-rewe-read/geschaeftsjahre/{geschaeftsjahrId}`
 */
export function buildPath(template: string, values: GatewayRequest['path'], provider: string): string {
	return pathOf(template, encode(provider)).replace(/\{(\w+)\}/g, (_, name: string) => encode(values[name]));
}

/** The accounting provider's name in the paths, from the credential. */
export function accountingProvider(credential: ICredentialDataDecryptedObject): string {
	return String(credential.accountingProvider ?? '').trim() || PROVIDER;
}
