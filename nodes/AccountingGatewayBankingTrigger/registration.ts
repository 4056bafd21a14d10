import { NodeOperationError, sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';
import { memoize } from 'lodash';

import { registeredUrl, setUrlRequest } from '../AccountingGatewayBanking/webhook/registeredUrl';
import type { RegisteredUrl } from '../AccountingGatewayBanking/webhook/registeredUrl';
import { serialize } from '../shared/run/concurrency';
import type { RunInTurn } from '../shared/run/concurrency';
import { requireSupportedN8n } from '../shared/run/supportedN8n';
import { publicUrlProblem } from '../shared/parameters/publicUrl';
import { GatewayClient } from '../shared/transport/client';
import { deliverExample } from './exampleEvent';
import { readParameters } from './parameters';
import { fingerprint, TOKEN, tokenOf } from './token';

/** Seconds. n8n tries an activation again by itself, and a deactivation must not take long. */
const TIMEOUT = 15;
/**
 * How long a URL stays registered after n8n has called `delete`. To publish a changed version, n8n calls `delete` and,
 * some database steps later, `create`; to unpublish it calls `delete` in just the same way, and nothing after it. A
 * longer wait would be worse: another n8n may register the account's URL in the meantime, and this one wouldn't know.
 */
export const CLEAR_AFTER_MS = 5_000;

/** Triggers whose activation is running or has failed: the gateway may still have the URL of the previous version. */
const pending = new Set<string>();
/** Workflows whose triggers n8n has deactivated and not started to activate again. */
const unpublished = new Set<string>();
/** The workflow whose trigger has registered a URL, by that URL. */
const owners = new Map<string, string>();

/** What a gateway had registered before a test, to be restored afterwards, by test URL. */
const replaced = new Map<string, RegisteredUrl | undefined>();

/** Runs the requests that set a gateway's URL one after another, so that the last one wins. */
const inTurn = memoize<(baseUrl: string) => RunInTurn>(() => serialize());

/** Tells the gateway where to deliver this trigger's events. Throws if the gateway doesn't accept it. */
export async function register(context: IHookFunctions): Promise<void> {
	requireSupportedN8n(context);
	const isTest = context.getActivationMode() === 'manual';
	const workflowId = workflowOf(context);
	const trigger = `${workflowId}/${context.getNode().id}`;
	if (!isTest) {
		pending.add(trigger);
		unpublished.delete(workflowId);
	}
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
	const client = await GatewayClient.open(context, token);
	await inTurn(client.identity.baseUrl)(async () => {
		const before = registeredUrl(client.identity);
		const result = await client.send(setUrlRequest(url, urlField), TIMEOUT);
		if (!result.ok) {
			const { message, description, outcome } = result.failure;
			// Setting a URL again is harmless, so there is nothing to look up first.
			const advice = outcome === 'unknown' ? 'Publish the workflow again.' : description;
			throw new NodeOperationError(
				context.getNode(),
				`The webhook URL could not be registered: ${message}. ${advice}`,
			);
		}
		if (!isTest) owners.set(url, workflowId);
		else if (before?.url !== url) replaced.set(url, before);
		else if (!replaced.has(url)) replaced.set(url, undefined);
	});
	if (isTest) return;
	staticData(context).token = fingerprint(token);
	pending.delete(trigger);
}

/**
 * Clears the URL of an unpublished trigger a few seconds later, and only if it is certainly this trigger's own. After
 * a test, restores at once what was registered before. n8n also calls this before it publishes a changed version and
 * after a failed activation; another workflow may have taken the URL over, which a restarted process doesn't know. A
 * URL left behind only gets 404; a URL wrongly cleared loses events.
 */
export async function unregister(context: IHookFunctions): Promise<void> {
	const workflowId = workflowOf(context);
	const token = await tokenOf(context);
	const url = webhookUrl(context, token);
	const client = await GatewayClient.open(context, token);
	const registered = registeredUrl(client.identity);
	const read = await readOptions(context);
	const urlField = 'values' in read ? read.values.options.urlField : undefined;

	if (replaced.has(url)) {
		const next = registered?.url === url ? urlAfterTest(context, client, url) : undefined;
		replaced.delete(url);
		if (next !== undefined) await setUrl(context, client, next, urlField);
	} else if (context.getWorkflow().active) {
		if (!isPending(workflowId)) unpublished.add(workflowId);
		if (registered?.url !== url) return context.logger.info(LEFT_ALONE);
		void clearLater(context, client, registered, urlField).catch((error: Error) =>
			context.logger.warn(NOT_CLEARED + error.message),
		);
	}
}

const LEFT_ALONE =
	"The gateway's webhook URL was left alone: this trigger hasn't set it since n8n was started, its last activation failed, or another URL has been set since.";
const PUBLISHED_AGAIN = "The gateway's webhook URL stays: the trigger was published again.";
const NOT_CLEARED = "The gateway's webhook URL could not be cleared: ";

/**
 * Clears a trigger's URL unless the trigger was published again, or another URL was registered. Nothing here may need
 * n8n's expression engine: n8n removes it when `delete` has returned.
 */
async function clearLater(
	context: IHookFunctions,
	client: GatewayClient,
	own: RegisteredUrl,
	urlField?: string,
): Promise<void> {
	await sleep(CLEAR_AFTER_MS);
	const workflowId = workflowOf(context);
	await inTurn(client.identity.baseUrl)(async () => {
		const isOwn = registeredUrl(client.identity) === own && !isPending(workflowId);
		if (isOwn) await setUrl(context, client, null, urlField);
		else if (isPending(workflowId) || unpublished.has(workflowId)) context.logger.info(LEFT_ALONE);
		else context.logger.debug(PUBLISHED_AGAIN);
	});
}

/** The URL that the gateway gets after a test. `null`: none, because there was none or its owner is uncertain. */
function urlAfterTest(context: IHookFunctions, client: GatewayClient, testUrl: string): string | null {
	const before = replaced.get(testUrl);
	if (!before?.url || unpublished.has(owners.get(before.url) ?? '')) return null;
	// Two keys may belong to different accounts, and an account's events must not go to another's workflow.
	if (before.apiKey === client.identity.apiKey) return before.url;
	context.logger.warn(
		'The URL that was registered before the test was not put back, because it was registered with another API key. If its workflow uses the same account, publish it again.',
	);
	return null;
}

/** Sets or clears the URL and logs the result. */
async function setUrl(context: IHookFunctions, client: GatewayClient, url: string | null, urlField?: string) {
	const result = await client.send(setUrlRequest(url, urlField), TIMEOUT);
	if (!result.ok) context.logger.warn(`${NOT_CLEARED}${result.failure.message}.`);
	else context.logger.info(`The gateway's webhook URL was ${url === null ? 'cleared' : 'put back'}.`);
}

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

const workflowOf = (context: IHookFunctions) => context.getWorkflow().id ?? '';

/** Whether the activation of any trigger of a workflow is running or has failed. */
const isPending = (workflowId: string) =>
	[...pending].some((trigger) => trigger.startsWith(`${workflowId}/`));

/** n8n's address for this trigger (in a test that of the test), with the token. */
function webhookUrl(context: IHookFunctions, token: string): string {
	const url = new URL(context.getNodeWebhookUrl('default') as string);
	url.searchParams.set(TOKEN, token);
	return url.href;
}
