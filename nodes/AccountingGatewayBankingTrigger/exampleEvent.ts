import { NodeOperationError, sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';

import { EXAMPLE_EVENT } from './event';
import { workflowTitle } from '../shared/errors';

/** n8n starts to listen only after the hook that sends the example has returned. */
const DELAY_MS = 1000;
/** n8n answers its own requests in milliseconds. */
const TIMEOUT_MS = 5000;

const UNREACHABLE = "n8n can't reach its own address";

/**
 * Sends the example event to the test URL as soon as n8n listens there. Throws if n8n can't reach the URL: otherwise
 * the editor would wait for the event in vain.
 * @param url with the token
 */
export async function deliverExample(context: IHookFunctions, url: string): Promise<void> {
	try {
		// A test URL only accepts POST: whatever n8n answers, nothing starts.
		await context.helpers.httpRequest({
			method: 'GET',
			url,
			timeout: TIMEOUT_MS,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
	} catch {
		throw new NodeOperationError(
			context.getNode(),
			`The example event can't be delivered: ${UNREACHABLE} (${new URL(url).origin})`,
			{
				description:
					'Ask your n8n administrator to check N8N_WEBHOOK_URL (WEBHOOK_URL in older versions). Until then, click "set mock data" in the output and paste an event.',
			},
		);
	}
	void deliver(context, url);
}

async function deliver(context: IHookFunctions, url: string): Promise<void> {
	await sleep(DELAY_MS);
	try {
		await context.helpers.httpRequest({ method: 'POST', url, body: EXAMPLE_EVENT, json: true });
	} catch (error) {
		// Most of the time, the person has stopped listening.
		context.logger.warn(
			`The example event for ${workflowTitle(context)} didn't reach n8n's test URL: ${(error as Error).message}`,
		);
	}
}
