import { NodeOperationError, sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';

import { Gateway } from '../shared/gateway';
import type { Outcome } from '../shared/gateway';
import { publicUrlProblem } from '../shared/publicUrl';
import { gatewayRequest } from '../shared/request';
import { EXAMPLE } from './event';
import type { Options } from './options';
import { fingerprint, TOKEN, tokenOf } from './token';

/** Seconds. n8n tries an activation again by itself, and a deactivation must not take long. */
const TIMEOUT = 15;
/** n8n listens only when the hook that sends the example has returned. */
const EXAMPLE_DELAY_MS = 1000;

/** By test URL: the URL that it has replaced, to be put back after the test. */
const replaced = new Map<string, string>();

/** Tells the gateway where to deliver this trigger's events. Throws when it doesn't take it. */
export async function register(context: IHookFunctions): Promise<void> {
	const { allowPrivateUrl, registerTestUrl, exampleEvent } = optionsOf(context);
	const isTest = context.getActivationMode() === 'manual';
	const token = await tokenOf(context);
	const url = webhookUrl(context, token);
	if (isTest && exampleEvent) void sendExample(context, url);
	if (isTest && !registerTestUrl) return;

	const problem = publicUrlProblem(url, allowPrivateUrl);
	if (problem) throw new NodeOperationError(context.getNode(), `The webhook URL ${problem}`);
	const gateway = await Gateway.open(context, token);
	const before = gateway.webhookUrl;
	const outcome = await setUrl(context, gateway, url);
	if (!outcome.ok) {
		const { message, description, fate } = outcome.failure;
		// Setting a URL again does no harm, so there is nothing to look up first.
		const advice = fate === 'unknown' ? 'Publish the workflow again.' : description;
		throw new NodeOperationError(
			context.getNode(),
			`The webhook URL could not be registered: ${message}. ${advice}`,
		);
	}
	if (!isTest) keptIn(context).token = fingerprint(token);
	else if (typeof before === 'string' && before !== url) replaced.set(url, before);
}

/**
 * Clears the URL only when it is certainly this trigger's own. n8n calls this also after an activation that failed and
 * after a test, another workflow may have taken the URL over, and a process that has been started since doesn't know:
 * a URL that is left behind gets 404, a URL wrongly cleared loses the events of another workflow.
 */
export async function unregister(context: IHookFunctions): Promise<void> {
	const url = webhookUrl(context, await tokenOf(context));
	for (const [test, before] of replaced) if (before === url) replaced.delete(test);
	const gateway = await Gateway.open(context);
	if (gateway.webhookUrl !== url) {
		if (context.getWorkflow().active) context.logger.info(LEFT_ALONE);
		return;
	}
	const outcome = await setUrl(context, gateway, replaced.get(url) ?? null);
	replaced.delete(url);
	if (!outcome.ok) {
		context.logger.warn(`The gateway's webhook URL could not be cleared: ${outcome.failure.message}.`);
	}
}

const LEFT_ALONE =
	"The gateway's webhook URL was left alone: this trigger hasn't set it since n8n was started, or another URL has been set since.";

/** What n8n keeps for the node between activations and events. */
export const keptIn = (context: Pick<IHookFunctions, 'getWorkflowStaticData'>) =>
	context.getWorkflowStaticData('node') as {
		/** Fingerprint of the token in the URL that was registered last. */
		token?: string;
	};

const optionsOf = (context: IHookFunctions) => context.getNodeParameter('options', {}) as Options;

/** n8n's address for this trigger (in a test that of the test), with the token. */
function webhookUrl(context: IHookFunctions, token: string): string {
	const url = new URL(context.getNodeWebhookUrl('default') as string);
	url.searchParams.set(TOKEN, token);
	return url.href;
}

/** @param url `null` clears it */
async function setUrl(context: IHookFunctions, gateway: Gateway, url: string | null): Promise<Outcome> {
	const { urlField } = optionsOf(context);
	const request = gatewayRequest('PUT /v2/banking/webhook-url', { body: { [urlField || 'url']: url } });
	return await gateway.send(request, TIMEOUT);
}

/** Plays the gateway for once. */
async function sendExample(context: IHookFunctions, url: string): Promise<void> {
	await sleep(EXAMPLE_DELAY_MS);
	try {
		await context.helpers.httpRequest({ method: 'POST', url, body: EXAMPLE, json: true });
	} catch {
		context.logger.warn(
			"The example event didn't reach n8n's test URL: n8n must be able to reach its own address (WEBHOOK_URL).",
		);
	}
}
