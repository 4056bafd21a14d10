/** Sets the account's webhook URL, for the operation `webhook.setUrl` and for the trigger when it is published. */
import { flag, text } from '../../shared/parameters';

export const webhookUrlOptions = {
	allowPrivateUrl: flag({
		displayName: 'Allow Private URL',
		description:
			"Whether to accept an address that the internet can't reach, such as localhost or plain http, for tests with a gateway in your own network",
		default: true,
	}),
	urlField: text({
		displayName: 'Name of the URL Field',
		description:
			'Name of the request field that holds the address, in case the gateway expects a different one',
		default: 'url',
	}),
};

/**
 * The request that sets it, for `PUT /v2/banking/webhook-url`.
 * @param field name of the field that holds the URL, which the contract leaves open
 */
export const webhookUrlParts = (url: string, field = '') => ({
	body: { [field || 'url']: url },
	textAnswer: true as const,
});
