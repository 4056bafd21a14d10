import { recordsOf } from '../../shared/operation';
import type { Operation } from '../../shared/operation';
import { publicUrlProblem } from '../../shared/publicUrl';
import { gatewayRequest } from '../../shared/request';

/** Row 21 of the specification's endpoint table. */
export const setUrl: Operation = {
	value: 'setUrl',
	name: 'Set URL',
	action: 'Set webhook URL',
	description:
		'Set the one address of an account to which the gateway delivers all banking events (Webhook-URL). It replaces the address set before, also that of a trigger.',
	kind: 'write',
	fields: [
		{
			displayName:
				'The account has one webhook URL. A workflow with the trigger "Accounting Gateway Banking Trigger" sets it by itself; setting another one here takes its events away.',
			name: 'notice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://n8n.example.com/webhook/payments',
			description:
				"Where events are delivered to (URL, Adresse). It must be reachable from the internet; n8n's own addresses are if its environment variable WEBHOOK_URL is set.",
		},
	],
	options: [
		{
			displayName: 'Allow Private URL',
			name: 'allowPrivateUrl',
			type: 'boolean',
			default: true,
			description:
				"Whether to accept an address that the internet can't reach, like localhost or plain http: for trials with a gateway in your own network",
		},
		{
			displayName: 'Name of the URL Field',
			name: 'urlField',
			type: 'string',
			default: 'url',
			description:
				'Name of the field that holds the address in the request, in case that the gateway expects another one',
		},
	],
	request(item) {
		// URL parsers ignore spaces around an address; the gateway need not.
		const url = item.text('url', { required: true })?.trim();
		const allowPrivateUrl = item.options.flag('allowPrivateUrl');
		const problem = url && publicUrlProblem(url, allowPrivateUrl);
		// The address isn't repeated: its path may hold a secret.
		if (problem) item.refuse('url', '', problem);
		return gatewayRequest('PUT /v2/banking/webhook-url', {
			body: { [item.options.text('urlField') ?? 'url']: url },
		});
	},
	label: (item) => `webhook URL of ${new URL(String(item.raw('url'))).host}`,
	records: (body) => [{ ...recordsOf(body)[0], success: true }],
};
