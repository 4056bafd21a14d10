import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { workflowTitle } from '../shared/errors';
import { MAX_NESTING, isTooDeep, parseJson } from '../shared/values';
import { claimDelivery } from './deliveries';
import { LATER_STATUSES, eventIdentity, isExample, isPaymentUpdate, judge, parseEvent } from './event';
import type { GatewayEvent, Status } from './event';
import { readEventSettings } from './parameters';
import { isToken, TOKEN_PARAMETER } from './token';

/** The largest body that is read, far larger than any event. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * Answers a delivery and passes its event to the workflow. Never throws, whatever was sent: n8n would store a failed
 * execution for anything that anybody sends.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const advice = await tokenProblem(context);
	if (advice) return reject(context, 401, 'The token in the URL is missing or wrong.', advice);
	const read = readEvent(context);
	if ('problem' in read) return reject(context, 400, `${read.problem}.`);

	const { event } = read;
	const accepted = { workflowData: [[{ json: { ...event } }]] };
	const parameters = await readEventSettings(['status', 'template_identifier', 'options'], {
		zone: context.getTimezone(),
		raw: (name) => context.getNodeParameter(name, undefined),
	});
	// The event isn't lost: its execution reads the parameters too, and fails visibly.
	if ('problem' in parameters) return accepted;
	const { options } = parameters.values;
	const isTest = context.getMode() === 'manual';
	const verifies = options.verify !== false;
	// What an event lacks, its execution may learn from the payment, which may have moved on, too.
	const isLeftOut = judge(event, parameters.values, statusesOf(event, verifies)) === 'leftOut';
	if (isLeftOut && !(isTest && isExample(event))) return answer(context, 200);
	if (!isTest) {
		// Whether it repeats an earlier event is decided by its execution.
		const identity = eventIdentity(event, verifies && isPaymentUpdate(event) ? event.data : undefined);
		const key = [context.getWorkflow().id, context.getNode().id, identity].join('/');
		if (!(await claimDelivery(key, context.getResponseObject()))) return answer(context, 200);
	}
	// n8n answers with 200 and no content as soon as it has stored the execution.
	return accepted;
}

/** The statuses of an event's payment: the one that it tells, and, if it is read back, those that it may have by now. */
const statusesOf = (event: GatewayEvent, verifies: boolean): readonly Status[] => {
	if (!isPaymentUpdate(event)) return [];
	const { status } = event.data;
	return verifies ? [status, ...LATER_STATUSES[status]] : [status];
};

/** @returns what to do about the token that a delivery carries, or doesn't carry; `undefined` if it is right */
async function tokenProblem(context: IWebhookFunctions): Promise<string | undefined> {
	const { [TOKEN_PARAMETER]: given } = context.getQueryData() as Record<string, unknown>;
	try {
		return (await isToken(context, given))
			? undefined
			: 'If the gateway sent it, unpublish the workflow, then publish it.';
	} catch (error) {
		return `It couldn't be checked, because the credential can't be read: ${(error as Error).message}`;
	}
}

/** @returns the event, or what is wrong with the body */
function readEvent(context: IWebhookFunctions): { event: GatewayEvent } | { problem: string } {
	const { headers, rawBody } = context.getRequestObject();
	if ((rawBody?.length ?? Number(headers['content-length'])) > MAX_BODY_BYTES) {
		return { problem: `The body is larger than ${MAX_BODY_BYTES} bytes` };
	}
	// n8n only parses `application/json`, and returns nothing, or a text, for `application/cloudevents+json`, `text/plain` or
	// none. It has already read a form with files. JSON is UTF-8, whatever else a content type may say.
	const body = rawBody ? parseJson(new TextDecoder().decode(rawBody)) : { value: context.getBodyData() };
	if (!body) return { problem: 'The body is not JSON' };
	if (isTooDeep(body.value)) {
		return { problem: `The body is nested more than ${MAX_NESTING} levels deep` };
	}
	return parseEvent(body.value);
}

/** Milliseconds after which another line says that deliveries come without the right token, however many they are. */
const SAID_AGAIN_MS = 60_000;
/** By trigger: since when its latest line about that stands, and how many deliveries it doesn't tell of yet. */
const withoutToken = new Map<string, { advice: string; since: number; more: number }>();

/** What a line says of such a delivery; `undefined` if there is none about it, as anybody can send thousands. */
function countedLine(context: IWebhookFunctions, advice: string): string | undefined {
	const trigger = [context.getWorkflow().id, context.getNode().id].join('/');
	const now = Date.now();
	const last = withoutToken.get(trigger);
	const more = last?.more ?? 0;
	if (last?.advice === advice && now >= last.since && now - last.since < SAID_AGAIN_MS) {
		last.more++;
		return undefined;
	}
	withoutToken.set(trigger, { advice, since: now, more: 0 });
	return more === 0 ? '' : `So were ${more} others since the last line about it.`;
}

/**
 * Rejects a delivery and logs the reason.
 * @param reason contains nothing of the delivery: a sender must not be able to write into the log
 * @param advice only for the log
 */
function reject(
	context: IWebhookFunctions,
	status: 400 | 401,
	reason: string,
	advice = '',
): IWebhookResponseData {
	const title = workflowTitle(context);
	const counted = status === 401 ? countedLine(context, advice) : '';
	if (counted !== undefined) {
		const refused = `A delivery to the payment trigger of ${title} was refused (${status})`;
		context.logger.warn([`${refused}: ${reason}`, advice, counted].filter(Boolean).join(' '), {
			workflowId: context.getWorkflow().id,
			node: context.getNode().name,
		});
	}
	return answer(context, status, reason);
}

/** Answers without starting the workflow. @param problem omitted on success, when the body is empty */
function answer(context: IWebhookFunctions, status: number, problem?: string): IWebhookResponseData {
	const response = context.getResponseObject().status(status);
	if (problem) response.json({ error: { message: problem } });
	else response.end();
	return { noWebhookResponse: true };
}
