import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { parseJson } from '../shared/gateway/response';
import { claimDelivery } from './deliveries';
import { identityOf, isExample, isPaymentUpdate, parseEvent } from './event';
import type { PaymentUpdate } from './event';
import { readParameters } from './parameters';
import { staticData } from './hooks';
import { workflowTitle } from '../shared/errors/logText';
import { fingerprint, isToken, TOKEN, tokenOf } from './token';

/** Far more than any event needs. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * Answers a delivery and passes its event to the workflow. Never throws for invalid input: n8n would store a failed
 * execution for anything that anybody sends.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isKnown = await hasToken(context);
	if (isKnown === undefined) return answer(context, 503, "The token can't be checked right now.");
	if (!isKnown) {
		return reject(
			context,
			401,
			'The token in the URL is missing or wrong.',
			'If the gateway sent it, publish the workflow again.',
		);
	}
	const { headers, rawBody } = context.getRequestObject();
	if ((rawBody?.length ?? Number(headers['content-length'])) > MAX_BODY_BYTES) {
		return reject(context, 413, `The body is larger than ${MAX_BODY_BYTES} bytes.`);
	}
	const body = bodyOf(context);
	if (!body) return reject(context, 400, 'The body is not JSON.');
	const parsed = parseEvent(body.value);
	if ('problem' in parsed) return reject(context, 400, `${parsed.problem}.`);

	const { event } = parsed;
	const isTest = context.getMode() === 'manual';
	const accepted = { workflowData: [[{ json: { ...event } }]] };
	const read = await readParameters(['status', 'template_identifier', 'options'], (name) =>
		context.getNodeParameter(name, undefined),
	);
	// The event isn't lost: its execution reads the parameters too, and fails visibly.
	if ('problem' in read) return accepted;
	const { options, ...filters } = read.values;
	const isWanted = isPaymentUpdate(event) ? passes(event, filters) : options.otherEvents === true;
	if (!isWanted && !(isTest && isExample(event))) return answer(context, 200);
	if (options.deduplicate !== false && !isTest) {
		const verified = options.verify === true && isPaymentUpdate(event);
		const identity = identityOf(event, verified);
		// Only the execution that verifies an event can decide whether a repetition is a duplicate.
		const remember = !verified;
		if (!(await claimDelivery(context, identity, context.getResponseObject(), remember))) {
			return answer(context, 200);
		}
	}
	// n8n answers with 200 and no content as soon as it has stored the execution.
	return accepted;
}

/**
 * Whether a delivery carries the token of the last registration, or that of the current API key. The registered one is
 * recognized without the credential, which n8n takes longer to read than all the rest.
 * @returns `undefined` when the credential is needed and can't be read
 */
async function hasToken(context: IWebhookFunctions): Promise<boolean | undefined> {
	const given = (context.getQueryData() as IDataObject)[TOKEN];
	if (isToken(given, staticData(context).token)) return true;
	try {
		return isToken(given, fingerprint(await tokenOf(context)));
	} catch (error) {
		context.logger.error(
			`The payment trigger of ${workflowTitle(context)} can't read its credential, so a delivery was refused (503): ${(error as Error).message}`,
		);
		return undefined;
	}
}

/**
 * The JSON that was sent, with any content type: n8n only parses `application/json`, and returns nothing, or a text,
 * for `application/cloudevents+json`, `text/plain` or none.
 * @returns `undefined` if it isn't JSON
 */
function bodyOf(context: IWebhookFunctions): { value: unknown } | undefined {
	const { rawBody } = context.getRequestObject();
	// n8n has already read a form with files.
	if (!rawBody) return { value: context.getBodyData() };
	// JSON is UTF-8, whatever else a content type may say.
	return parseJson(new TextDecoder().decode(rawBody));
}

/** @param filters an empty one lets everything pass */
function passes(
	{ data }: PaymentUpdate,
	filters: { status?: unknown[]; template_identifier?: unknown[] },
): boolean {
	return (['status', 'template_identifier'] as const).every((name) => {
		const chosen = filters[name] ?? [];
		return chosen.length === 0 || chosen.includes(data[name]);
	});
}

/**
 * Rejects a delivery and logs the reason.
 * @param reason contains nothing of the delivery: a sender must not be able to write into the log
 * @param advice only for the log
 */
function reject(
	context: IWebhookFunctions,
	status: number,
	reason: string,
	advice?: string,
): IWebhookResponseData {
	context.logger.warn(
		[
			`A delivery to the payment trigger of ${workflowTitle(context)} was refused (${status}): ${reason}`,
			advice,
		]
			.filter(Boolean)
			.join(' '),
		{ workflowId: context.getWorkflow().id, node: context.getNode().name },
	);
	return answer(context, status, reason);
}

/** Answers without starting the workflow. @param problem omitted on success, when the body is empty */
function answer(context: IWebhookFunctions, status: number, problem?: string): IWebhookResponseData {
	const response = context.getResponseObject().status(status);
	if (problem) response.json({ error: { message: problem } });
	else response.end();
	return { noWebhookResponse: true };
}
