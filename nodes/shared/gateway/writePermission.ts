/**
 * Who may write: the credential's field `writes` decides, whatever the node's own options say. An office gives agents,
 * assistants and trainees a credential that can't book.
 */
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { isEmpty } from 'lodash';

import { both } from '../values';
import type { Bilingual } from '../values';
import { parseBaseUrl } from './url';

/** A credential from before the field existed allows writes; a word that isn't known doesn't. */
function decisionOf({ writes }: ICredentialDataDecryptedObject): 'allowed' | 'dryRun' | 'refused' {
	if (writes === undefined || writes === '' || writes === 'allowed') return 'allowed';
	return writes === 'dryRun' ? 'dryRun' : 'refused';
}

export const allowsOnlyDryRuns = (credential: ICredentialDataDecryptedObject) =>
	decisionOf(credential) === 'dryRun';

/** Why a write must not be sent with this credential; `undefined` if it may. */
export function writeRefusal(credential: ICredentialDataDecryptedObject): Bilingual | undefined {
	const decision = decisionOf(credential);
	if (decision === 'allowed') return undefined;
	return decision === 'dryRun'
		? both(
				'The credential allows only dry runs, so nothing was sent',
				'Die Zugangsdaten erlauben nur Probeläufe, darum wurde nichts gesendet',
			)
		: both(
				'The credential allows no writes, so nothing was sent',
				'Die Zugangsdaten erlauben kein Schreiben, darum wurde nichts gesendet',
			);
}

/** What n8n's older helpers know besides. */
interface OlderOptions {
	uri: string;
	rejectUnauthorized: boolean;
	form: unknown;
	formData: unknown;
}

type Given = Partial<IHttpRequestOptions & OlderOptions>;

/** Headers that make a server take another method than the request's. */
const METHOD_OVERRIDE = /^x-(?:http-)?method(?:-override)?$/i;

/** A redirect would take the key to another address; n8n's helpers say so in different words. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** Whether a request isn't what its method says: then no key of any credential goes with it. */
function isDisguised({ method, headers, body, form, formData }: Given): boolean {
	const isOverridden = Object.keys(headers ?? {}).some((name) => METHOD_OVERRIDE.test(name));
	const hasContent = [body, form, formData].some((content) => !isEmpty(content));
	return isOverridden || ((method ?? 'GET').toUpperCase() === 'GET' && hasContent);
}

const DISGUISED = both(
	"The request isn't what its method says (a header names another one, or a GET has a body), so the credential's key isn't sent",
	'Die Anfrage ist nicht, was ihre Methode sagt (ein Header nennt eine andere, oder ein GET hat einen Inhalt), darum wird der Schlüssel nicht gesendet',
);

/**
 * Why a request must not carry the key of a credential that allows no writes, whichever node sends it; `undefined` if it
 * may. Such a key is good for a GET from the gateway alone: sent elsewhere, or through a proxy of the request's own, it
 * could be read there, and used to book.
 */
function keyRefusal(
	credential: ICredentialDataDecryptedObject,
	{ method, url, uri, baseURL, ...options }: Given,
): Bilingual | undefined {
	const refusal = writeRefusal(credential);
	if (refusal === undefined) return undefined;
	if ((method ?? 'GET').toUpperCase() !== 'GET') return refusal;
	const base = parseBaseUrl(credential);
	const address = uri ?? url ?? '';
	// Another path of the same host may be another service. URL resolves dots, also encoded ones.
	const isAtGateway =
		'url' in base &&
		URL.canParse(address, baseURL) &&
		new URL(address, baseURL).href.startsWith(`${base.url}/`);
	const { proxy, skipSslCertificateValidation, rejectUnauthorized } = options;
	const isReadable = proxy || skipSslCertificateValidation || rejectUnauthorized === false;
	return isAtGateway && !isReadable
		? undefined
		: both(
				"The credential allows no writes, so its key isn't sent to other addresses, through a proxy, or without a check of the certificate",
				'Die Zugangsdaten erlauben kein Schreiben, darum wird ihr Schlüssel nicht an andere Adressen, durch einen Proxy oder ohne Prüfung des Zertifikats gesendet',
			);
}

/** What a person who has met the refusal can do. */
export const WRITE_ADVICE = both(
	'Whoever set up the credential decided that ("Writes"). Ask them, or choose a credential that may write.',
	'Das hat entschieden, wer die Zugangsdaten angelegt hat („Writes“). Fragen Sie nach, oder wählen Sie Zugangsdaten, die schreiben dürfen.',
);

/**
 * A request with the credential's key, whichever node sends it. Spaces and line breaks pasted with the key are removed.
 * @throws UserError if the key may not go with it
 */
export function withKey(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const language = credential.language === 'de' ? 'de' : 'en';
	const refusal = keyRefusal(credential, request);
	if (refusal) throw new UserError(`${refusal[language]}. ${WRITE_ADVICE[language]}`);
	if (isDisguised(request)) throw new UserError(`${DISGUISED[language]}.`);
	const headers = { ...request.headers, 'x-api-key': String(credential.apiKey).trim() };
	return { ...request, ...NO_REDIRECTS, headers };
}
