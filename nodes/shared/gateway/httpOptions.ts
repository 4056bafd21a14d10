import type { IHttpRequestOptions } from 'n8n-workflow';

import { jsonPayload } from './body';
import type { BinaryStore } from './body';
import type { GatewayRequest } from './request';
import { buildPath } from './url';

/**
 * Converts a request for n8n's HTTP helpers. Throws if a file of it can't be opened.
 * @param provider the accounting provider's name in the paths
 */
export async function httpOptions(
	request: GatewayRequest,
	baseUrl: string,
	provider: string,
	store?: BinaryStore,
): Promise<IHttpRequestOptions> {
	const [method, template] = request.endpoint.split(' ') as ['GET' | 'POST' | 'PUT', string];
	const url = new URL(baseUrl + buildPath(template, request.path, provider));
	for (const [name, value] of Object.entries(request.query)) {
		if (value !== undefined) url.searchParams.set(name, String(value));
	}
	const options: IHttpRequestOptions = {
		method,
		url: url.href,
		headers: { accept: 'application/json' },
		// The raw text: this package handles numbers, broken JSON and web pages, not the HTTP client.
		encoding: 'text',
		returnFullResponse: true,
		// Otherwise n8n sends a request again after a 401, bookings included.
		ignoreHttpStatusErrors: true,
		// A redirect would take the API key to another host.
		disableFollowRedirect: true,
	};
	if (request.body) {
		const { body, length } = await jsonPayload(request.body, store as BinaryStore);
		options.body = body as IHttpRequestOptions['body'];
		options.headers = {
			...options.headers,
			'content-type': 'application/json',
			'content-length': String(length),
		};
	}
	return options;
}
