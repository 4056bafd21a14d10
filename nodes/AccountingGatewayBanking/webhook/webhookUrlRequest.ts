import { mapValues } from 'lodash';

import { gatewayRequest } from '../../shared/gateway/request';
import type { GatewayRequest } from '../../shared/gateway/request';

/**
 * The body that sets a webhook URL.
 * @param field name of the field that holds the URL, which the contract leaves open
 */
export const webhookUrlBody = (url: string, field = '') => ({ [field || 'url']: url });

/** Makes the request that sets an account's webhook URL (`setWebhookUrl`); see `webhookUrlBody`. */
export const setUrlRequest = (url: string, field?: string): GatewayRequest => ({
	...gatewayRequest('PUT /v2/banking/webhook-url', { body: webhookUrlBody(url, field) }),
	// The contract leaves the answer open.
	anyAnswer: true,
});

/** Makes the request that clears the URL which another request has set. */
export const clearUrlRequest = (request: GatewayRequest): GatewayRequest => ({
	...request,
	body: mapValues(request.body, () => null),
});
