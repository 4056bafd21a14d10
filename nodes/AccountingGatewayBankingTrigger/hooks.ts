import { NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';

import { WebhookRegistration } from '../AccountingGatewayBanking/webhook/registration';
import type { Trigger } from '../AccountingGatewayBanking/webhook/entry';
import type { Failure } from '../shared/errors/failure';
import { requireSupportedN8n } from '../shared/run/supportedN8n';
import { publicUrlProblem } from '../shared/values/publicUrl';
import { GatewayClient } from '../shared/gateway/client';
import { deliverExample } from './exampleEvent';
import { workflowTitle } from '../shared/errors/logText';
import { readParameters } from './parameters';
import { fingerprint, TOKEN, tokenOf } from './token';

/** n8n publishes the workflow or begins a test. Throws if the gateway doesn't accept the URL. */
export async function create(context: IHookFunctions): Promise<void> {
	requireSupportedN8n(context);
	const isTest = context.getActivationMode() === 'manual';
	const trigger = triggerOf(context);
	if (!isTest) WebhookRegistration.beginActivation(trigger);
	const read = await readOptions(context);
	if ('problem' in read) throw new NodeOperationError(context.getNode(), read.problem);
	const { whenTesting, options } = read.values;
	const { allowPrivateUrl, registerTestUrl, urlField } = options;
	const token = await tokenOf(context);
	const url = webhookUrl(context, token);
	if (isTest && !registerTestUrl) {
		if (whenTesting === 'example') await deliverExample(context, url);
		return;
	}

	const problem = publicUrlProblem(url, allowPrivateUrl);
	if (problem) throw new NodeOperationError(context.getNode(), `The webhook URL ${problem}`);
	const gateway = await GatewayClient.open(context, token);
	const registration = WebhookRegistration.at(gateway.identity);
	const result = isTest
		? await registration.startTest(trigger, gateway, url, urlField)
		: await registration.publish(trigger, gateway, url, urlField);
	if (!result.ok) throw registrationError(context, isTest, result.failure);
	if (!isTest) staticData(context).token = fingerprint(token);
}

/** n8n unpublishes the workflow, is about to publish a changed version, or ends a test; also after `create` failed. */
export async function remove(context: IHookFunctions): Promise<void> {
	const trigger = triggerOf(context);
	if (!context.getWorkflow().active) return await WebhookRegistration.endTest(trigger);
	let gateway: GatewayClient | undefined;
	try {
		gateway = await GatewayClient.open(context);
	} catch (error) {
		const { message } = error as Error;
		context.logger.warn(`The credential of ${trigger.name}, which is unpublished, can't be read: ${message}`);
	}
	WebhookRegistration.unpublish(trigger, gateway);
}

function registrationError(context: IHookFunctions, isTest: boolean, failure: Failure): NodeOperationError {
	const { message, description, outcome } = failure;
	const isUnknown = outcome === 'unknown';
	// Setting a URL again is harmless, so there is nothing to look up first.
	const advice = isTest ? UNKNOWN_TEST : 'Publish the workflow again.';
	return new NodeOperationError(
		context.getNode(),
		`The ${isTest ? 'test' : 'webhook'} URL could not be registered: ${message}. ${isUnknown ? advice : description}`,
	);
}

const UNKNOWN_TEST =
	"The gateway may have registered it anyway, so n8n now restores the webhook URL from before the test; n8n's log says when that is done. Then start the test again.";

/** The node's static data: n8n keeps it between activations and events. */
export const staticData = (context: Pick<IHookFunctions, 'getWorkflowStaticData'>) =>
	context.getWorkflowStaticData('node') as {
		/** Fingerprint of the token in the URL that was registered last. */
		token?: string;
	};

/** Reads the options, and the filters: a mistake in them is found when the workflow is published. */
const readOptions = async (context: IHookFunctions) =>
	await readParameters(['status', 'template_identifier', 'whenTesting', 'options'], (name) =>
		context.getNodeParameter(name, undefined),
	);

const triggerOf = (context: IHookFunctions): Trigger => ({
	workflowId: context.getWorkflow().id ?? '',
	nodeId: context.getNode().id,
	name: workflowTitle(context),
	logger: context.logger,
});

/** n8n's URL for this trigger, or its test URL during a test, with the token. */
function webhookUrl(context: IHookFunctions, token: string): string {
	const url = new URL(context.getNodeWebhookUrl('default') as string);
	url.searchParams.set(TOKEN, token);
	return url.href;
}
