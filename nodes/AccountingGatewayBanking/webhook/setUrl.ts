import { defineWrite } from '../../shared/operation';
import { notice } from '../../shared/parameters/notice';
import { publicUrlProblem } from '../../shared/values/publicUrl';
import { text } from '../../shared/parameters/text';
import { recordOf } from '../../shared/gateway/records';
import { webhookUrlOptions } from './parameters';
import { WebhookRegistration } from './registration';
import { webhookUrlBody } from './webhookUrlRequest';

/** `setWebhookUrl` */
export const setUrl = defineWrite({
	value: 'setUrl',
	name: 'Set URL',
	action: 'Set webhook URL',
	description:
		'Set the one address of an account to which the gateway delivers all banking events (Webhook-URL). It replaces the previous address, including one set by a trigger.',
	endpoint: 'PUT /v2/banking/webhook-url',
	parameters: {
		notice: notice(
			'The account has one webhook URL. A workflow with the trigger "Accounting Gateway Banking Trigger" sets it by itself; setting another one here takes its events away.',
		),
		url: text({
			displayName: 'URL',
			description:
				"Address that events are delivered to (URL, Adresse). It must be reachable from the internet; n8n's own addresses are if the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL in older versions) is set.",
			placeholder: 'e.g. https://n8n.example.com/webhook/payments',
			required: true,
		}),
	},
	options: webhookUrlOptions,
	check({ url }, addIssue, { allowPrivateUrl }) {
		const problem = url && publicUrlProblem(url, allowPrivateUrl);
		// The address isn't repeated: its path may hold a secret.
		if (problem) addIssue('url', '', problem);
	},
	request: ({ url }, { urlField }) => ({
		body: webhookUrlBody(url, urlField),
		// The contract leaves the answer open.
		anyAnswer: true,
		around: async (send, request, { identity }) =>
			await WebhookRegistration.at(identity).setByHand(identity, request, send),
	}),
	// An account has one: the last item's stays.
	orderingKey: () => 'webhook URL',
	label: ({ body }) => `webhook URL of ${new URL(String(Object.values(body)[0])).host}`,
	summary: ({ body }) =>
		`Would set the webhook URL of the account to one of ${new URL(String(Object.values(body)[0])).host}`,
	records: (answer) => [{ ...recordOf(answer), success: true }],
});
