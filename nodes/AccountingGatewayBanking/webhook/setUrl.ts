import { defineWrite } from '../../shared/operation';
import { both, publicUrlProblem, sameInBoth } from '../../shared/values';
import { notice, text } from '../../shared/parameters';
import { ANYTHING, recordOf } from '../../shared/answer';
import { webhookUrlOptions, webhookUrlParts } from './webhookUrl';

/** The only part of the address that is shown: its path may hold a secret. */
const hostOf = (body: object) => new URL(String(Object.values(body)[0])).host;

/** `setWebhookUrl` */
export const setUrl = defineWrite({
	value: 'setUrl',
	name: 'Set URL',
	action: 'Set webhook URL',
	description:
		'Set the single address that the gateway delivers all banking events of the account to (Webhook-URL). It replaces the previous address, including one set by a trigger.',
	// A model that was talked into it would send all banking events elsewhere.
	notForAgents: true,
	endpoint: 'PUT /v2/banking/webhook-url',
	parameters: {
		notice: notice(
			'The account has only one webhook URL. A workflow with the trigger "Accounting Gateway Banking Trigger" sets it automatically; if you set another one here, that workflow gets no more events.',
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
	request: ({ url }, { urlField }) => webhookUrlParts(url, urlField),
	// An account has only one webhook URL, so the last item's URL stays.
	orderingKey: () => 'webhook URL',
	achieves: {
		one: both('webhook URL', 'Webhook-URL'),
		many: both('webhook URLs', 'Webhook-URLs'),
		done: both('set', 'gesetzt'),
		where: ({ body }) => sameInBoth(`(${hostOf(body)})`),
	},
	label: ({ body }) => both(`webhook URL of ${hostOf(body)}`, `Webhook-URL von ${hostOf(body)}`),
	summary: ({ body }) => ({
		en: `Would set the webhook URL of the account to one of ${hostOf(body)}`,
		de: `Webhook-URL des Kontos auf eine Adresse von ${hostOf(body)} setzen`,
	}),
	expects: ANYTHING,
	records: (answer) => [{ ...recordOf(answer), success: true }],
});
