import { flag } from '../../shared/parameters/choice';
import { text } from '../../shared/parameters/text';

/** Options of whatever sets the account's webhook URL: the operation `webhook.setUrl` and the trigger. */
export const webhookUrlOptions = {
	allowPrivateUrl: flag({
		displayName: 'Allow Private URL',
		description:
			"Whether to accept an address that the internet can't reach, like localhost or plain http: for trials with a gateway in your own network",
		default: true,
	}),
	urlField: text({
		displayName: 'Name of the URL Field',
		description:
			'Name of the field that holds the address in the request, in case that the gateway expects another one',
		default: 'url',
	}),
};
