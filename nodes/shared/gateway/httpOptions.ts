import type { IHttpRequestOptions } from 'n8n-workflow';

import { jsonPayload } from './body';
import type { BinaryStore } from './body';
import type { GatewayRequest } from './request';
import { buildPath } from './url';

/**
 * Converts a request for n8n's HTTP helpers. Throws if one of its files can't be opened.
 * @param provider the accounting provider's name in the paths
 * @returns the options, and whether the whole body was handed over to the connection
 */
export async function httpOptions(
	request: GatewayRequest,
	baseUrl: string,
	provider: string,
	store?: BinaryStore,
): Promise<{ options: IHttpRequestOptions; isHandedOver: () => boolean }> {
	const [method, template] = request.endpoint.split(' ') as ['GET' | 'POST' | 'PUT', string];
	const url = new URL(baseUrl + buildPath(template, request.path, provider));
	for (const [name, value] of Object.entries(request.query)) {
		if (value !== undefined) url.searchParams.set(name, String(value));
	}
	const options: IHttpRequestOptions = {
		method,
		url: url.href,
		headers: { accept: 'application/json' },
		// The answer's raw text is needed, because this package, not the HTTP client, handles numbers, broken JSON and web
		// pages.
		encoding: 'text',
		returnFullResponse: true,
		// Without this option, n8n sends a request again after a 401, bookings included.
		ignoreHttpStatusErrors: true,
		// A redirect would take the API key to another host.
		disableFollowRedirect: true,
	};
	if (!request.body) return { options, isHandedOver: () => true };
	const { body, length, isHandedOver } = await jsonPayload(request.body, store as BinaryStore);
	options.body = body as IHttpRequestOptions['body'];
	options.headers = {
		...options.headers,
		'content-type': 'application/json',
		'content-length': String(length),
	};
	return { options, isHandedOver };
}
