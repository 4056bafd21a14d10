import { gatewayRequest } from '../../shared/transport/request';
import type { GatewayIdentity, GatewayRequest } from '../../shared/transport/request';

/** The webhook URL that was set last at a gateway. */
export interface RegisteredUrl {
	/** `null`: it was cleared. */
	url: string | null;
	/** Fingerprint of the API key that it was set with. */
	apiKey: string;
}

/**
 * By base URL of the gateway. Not by API key: two keys may belong to one account, which has one URL. The gateway can't be
 * asked, so this is what this process has done itself since it was started.
 */
const registered = new Map<string, RegisteredUrl>();

/**
 * The webhook URL that this process has set last at a gateway, with whichever API key.
 * @returns a new object for each time that it is set; `undefined` when nobody here knows
 */
export const registeredUrl = ({ baseUrl }: GatewayIdentity): RegisteredUrl | undefined =>
	registered.get(baseUrl);

/**
 * The body that sets a webhook URL.
 * @param url `null` clears it
 * @param field name of the field that holds the URL, which the contract leaves open
 */
export const webhookUrlBody = (url: string | null, field = '') => ({ [field || 'url']: url });

/** What is special about setting a webhook URL: what becomes of it is remembered, see `registeredUrl`. */
export const webhookUrlHandling = (url: string | null): Pick<GatewayRequest, 'anyAnswer' | 'afterSend'> => ({
	// What comes back on success isn't specified.
	anyAnswer: true,
	afterSend(result, { baseUrl, apiKey }) {
		if (result.ok) registered.set(baseUrl, { url, apiKey });
		else if (result.failure.outcome === 'unknown') registered.delete(baseUrl);
	},
});

/** Makes the request that sets an account's webhook URL (`setWebhookUrl`); see `webhookUrlBody`. */
export const setUrlRequest = (url: string | null, field?: string): GatewayRequest => ({
	...gatewayRequest('PUT /v2/banking/webhook-url', { body: webhookUrlBody(url, field) }),
	...webhookUrlHandling(url),
});
