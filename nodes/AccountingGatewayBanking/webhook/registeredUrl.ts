import { gatewayRequest } from '../../shared/transport/request';
import type { GatewayIdentity, GatewayRequest } from '../../shared/transport/request';

/** The webhook URL that a gateway was last given. */
export interface RegisteredUrl {
	/** `null`: it was cleared. */
	url: string | null;
	/** Fingerprint of the API key that it was set with. */
	apiKey: string;
}

/**
 * By base URL of the gateway. Not by API key: two keys may belong to one account, which has one URL. The gateway can't
 * be asked, so this is what this process itself has done since it was started.
 */
const registered = new Map<string, RegisteredUrl>();

/**
 * The webhook URL that this process last set at a gateway, with any API key.
 * @returns a new object each time it is set; `undefined` if unknown
 */
export const registeredUrl = ({ baseUrl }: GatewayIdentity): RegisteredUrl | undefined =>
	registered.get(baseUrl);

/**
 * The body that sets a webhook URL.
 * @param url `null` clears it
 * @param field name of the field that holds the URL, which the contract leaves open
 */
export const webhookUrlBody = (url: string | null, field = '') => ({ [field || 'url']: url });

/** Special handling for setting a webhook URL: its result is remembered, see `registeredUrl`. */
export const webhookUrlHandling = (url: string | null): Pick<GatewayRequest, 'anyAnswer' | 'afterSend'> => ({
	// The contract leaves the answer open.
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
