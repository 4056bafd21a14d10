import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { identityOf, isExample, isPaymentUpdate, parseEvent } from './event';
import type { GatewayEvent } from './event';
import type { Options } from './options';
import { keptIn } from './registration';
import { isFirst } from './repeats';
import { fingerprint, isToken, TOKEN, tokenOf } from './token';

/** Far more than any event needs. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * Answers a delivery and hands its event over to the workflow. Never throws for what is sent: n8n would store a failed
 * execution of whatever anybody sends.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { headers, rawBody } = context.getRequestObject();
	const known = await tokensOf(context);
	if (!known) return answer(context, 503, 'The token can not be checked at the moment.');
	if (!isToken((context.getQueryData() as IDataObject)[TOKEN], known)) {
		context.logger.warn(
			'A delivery to the payment trigger was refused: wrong token. If the gateway sent it, publish the workflow again.',
		);
		return answer(context, 401, 'The token in the URL is missing or wrong.');
	}
	if ((rawBody?.length ?? Number(headers['content-length'])) > MAX_BODY_BYTES) {
		return answer(context, 413, `The body is larger than ${MAX_BODY_BYTES} bytes.`);
	}
	if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
		return answer(context, 400, 'The body must be JSON, with the content type application/json.');
	}
	const parsed = parseEvent(context.getBodyData());
	if ('problem' in parsed) return answer(context, 400, parsed.problem);

	const { event } = parsed;
	const options = context.getNodeParameter('options', {}) as Options;
	const isTest = context.getMode() === 'manual';
	if (!(isTest && isExample(event)) && !isWanted(context, event, options)) return answer(context, 200);
	const deduplicates = options.deduplicate !== false && !isTest;
	if (deduplicates && !(await isFirst(context, identityOf(event), context.getResponseObject()))) {
		return answer(context, 200);
	}
	// n8n answers with 200 and no content as soon as it has the execution safe.
	return { workflowData: [[{ json: { ...event } }]] };
}

/**
 * The fingerprints of the tokens that this trigger has given away: with the API key as it is now, and as it was when
 * the URL was registered. `undefined` when the credential can't be read.
 */
async function tokensOf(context: IWebhookFunctions): Promise<Array<string | undefined> | undefined> {
	try {
		return [fingerprint(await tokenOf(context)), keptIn(context).token];
	} catch (error) {
		context.logger.error(`The payment trigger can't read its credential: ${(error as Error).message}`);
		return undefined;
	}
}

function isWanted(context: IWebhookFunctions, event: GatewayEvent, { otherEvents }: Options): boolean {
	if (!isPaymentUpdate(event)) return otherEvents === true;
	const passes = (filter: string, value: string) => {
		const chosen = [context.getNodeParameter(filter, [])].flat() as string[];
		return chosen.length === 0 || chosen.includes(value);
	};
	const { status, template_identifier } = event.data;
	return passes('status', status) && passes('template_identifier', template_identifier);
}

/** Answers without starting the workflow. @param problem none with a success, whose body is empty */
function answer(context: IWebhookFunctions, status: number, problem?: string): IWebhookResponseData {
	const response = context.getResponseObject().status(status);
	if (problem) response.json({ error: { message: problem } });
	else response.end();
	return { noWebhookResponse: true };
}
