import { flag } from '../../shared/parameters/choice';
import { text } from '../../shared/parameters/text';

/** Options of whatever sets the account's webhook URL: the operation `webhook.setUrl` and the trigger. */
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
