/**
 * Who may write: the credential's field `writes` decides, whatever the node's own options say. An office gives agents,
 * assistants and trainees a credential that can't book.
 */
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { isEmpty } from 'lodash';

import { parseBaseUrl } from './url';

/** A credential from before the field existed allows writes; a word that isn't known doesn't. */
function decisionOf({ writes }: ICredentialDataDecryptedObject): 'allowed' | 'dryRun' | 'refused' {
	if (writes === undefined || writes === '' || writes === 'allowed') return 'allowed';
	return writes === 'dryRun' ? 'dryRun' : 'refused';
}

/** Whether each write of a run becomes a dry run. */
export const allowsOnlyDryRuns = (credential: ICredentialDataDecryptedObject) =>
	decisionOf(credential) === 'dryRun';

/** Why a write must not be sent with this credential; `undefined` if it may. */
export function writeRefusal(credential: ICredentialDataDecryptedObject): string | undefined {
	const decision = decisionOf(credential);
	if (decision === 'allowed') return undefined;
	return decision === 'dryRun'
		? 'The credential allows only dry runs, so nothing was sent'
		: 'The credential allows no writes, so nothing was sent';
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
export const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** Why no key of any credential goes with a request; `undefined` if it may: what is called a GET must be one. */
export function disguiseRefusal({ method, headers, body, form, formData }: Given): string | undefined {
	if (Object.keys(headers ?? {}).some((name) => METHOD_OVERRIDE.test(name)))
		return "A header of the request says another method than its own, so the credential's key isn't sent";
	const hasContent = [body, form, formData].some((content) => !isEmpty(content));
	return (method ?? 'GET').toUpperCase() === 'GET' && hasContent
		? "A GET has no body, so the credential's key isn't sent with one"
		: undefined;
}

/**
 * Why a request must not carry the key of a credential that allows no writes, whichever node sends it; `undefined` if it
 * may. Such a key is good for a GET from the gateway alone: sent elsewhere, or through a proxy of the request's own, it
 * could be read there, and used to book.
 */
export function keyRefusal(
	credential: ICredentialDataDecryptedObject,
	{ method, url, uri, baseURL, ...options }: Given,
): string | undefined {
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
		: "The credential allows no writes, so its key isn't sent to other addresses, through a proxy, or without a check of the certificate";
}

/** What a person who has met the refusal can do. */
export const WRITE_ADVICE =
	'Whoever set up the credential decided that ("Writes"). Ask them, or choose a credential that may write.';
