import type { IHookFunctions } from 'n8n-workflow';

import { webhookUrlParts } from '../AccountingGatewayBanking/webhook/webhookUrl';
import { Explained, failureText, inOneTextOf, workflowTitle } from '../shared/errors';
import type { Failure } from '../shared/errors';
import { GatewayClient, gatewayRequest } from '../shared/gateway';
import { ANYTHING, unconfirmed } from '../shared/answer';
import { requireSupportedN8n } from '../shared/run';
import { both, publicUrlProblem } from '../shared/values';
import { deliverExample } from './exampleEvent';
import { readEventSettings } from './parameters';
import { dropToken, isRegistered, keepToken, newToken, TOKEN_PARAMETER } from './token';

/** Seconds. n8n retries an activation by itself. */
const REGISTRATION_TIMEOUT = 15;

/**
 * Called when n8n publishes the workflow, which registers its URL, or listens for a test event, which sends the example
 * and leaves the account's URL alone. Throws if the gateway doesn't accept the URL.
 */
export async function create(context: IHookFunctions): Promise<void> {
	requireSupportedN8n(context);
	// The filters are read, too: a mistake in them is found when the workflow is published.
	const read = await readEventSettings(['status', 'template_identifier', 'options'], {
		zone: context.getTimezone(),
		raw: (name) => context.getNodeParameter(name, undefined),
	});
	if ('problem' in read) throw new Explained({ message: read.problem });
	const { allowPrivateUrl, urlField } = read.values.options;
	const token = await newToken(context);
	const url = webhookUrl(context, token);
	if (context.getActivationMode() === 'manual') return await deliverExample(context, url);

	const problem = publicUrlProblem(url, allowPrivateUrl);
	if (problem)
		throw new Explained({
			message: both(`The webhook URL ${problem.en}`, `Die Webhook-URL ${problem.de}`),
		});
	const failure = await register(await GatewayClient.open(context, token), url, urlField);
	if (failure) throw registrationError(failure);
	keepToken(context, token);
	context.logger.info(
		`The webhook URL of ${workflowTitle(context)} was registered with the gateway, which now delivers all banking events of the account there.`,
	);
}

/** Whether there is nothing to do after a restart, when some n8n ask. */
export const isStillRegistered = (context: IHookFunctions) =>
	['init', 'leadershipChange'].includes(context.getActivationMode()) && isRegistered(context);

/**
 * Called when n8n stops the trigger: to unpublish the workflow, before it publishes a changed one, and after `create`
 * has failed or a test has ended. The contract has no way to clear a URL or to look up whose URL is set.
 */
export function remove(context: IHookFunctions): void {
	if (!isRegistered(context)) return;
	dropToken(context);
	context.logger.info(
		`The webhook URL of ${workflowTitle(context)} was taken down in n8n. The gateway keeps it, and gets 404 there, until a workflow with the trigger is published or "Webhook: Set URL" sets another one.`,
	);
}

/** @returns why the gateway doesn't have the URL, or may not have it */
async function register(client: GatewayClient, url: string, field?: string): Promise<Failure | undefined> {
	const { textAnswer, ...parts } = webhookUrlParts(url, field);
	const request = { ...gatewayRequest('PUT /v2/banking/webhook-url', parts), textAnswer };
	const result = await client.send(request, REGISTRATION_TIMEOUT);
	return result.ok ? unconfirmed(result.body, request, ANYTHING) : result.failure;
}

/** In one text: n8n shows the message of a failed publication alone. */
function registrationError(failure: Failure): Explained {
	const { message, description } = failureText(failure);
	// Setting a URL again is harmless, so there is nothing to look up first.
	const advice = failure.outcome === 'unknown' ? PUBLISH_AGAIN : description;
	const title = both(
		`The webhook URL could not be registered: ${message.en}`,
		`Die Webhook-URL ließ sich nicht eintragen: ${message.de}`,
	);
	return new Explained({
		message: inOneTextOf(title, advice),
	});
}

const PUBLISH_AGAIN = both('Publish the workflow again.', 'Veröffentlichen Sie den Workflow noch einmal.');

/** n8n's URL for this trigger, or its test URL during a test, with the token. */
function webhookUrl(context: IHookFunctions, token: string): string {
	const url = new URL(context.getNodeWebhookUrl('default') as string);
	url.searchParams.set(TOKEN_PARAMETER, token);
	return url.href;
}
