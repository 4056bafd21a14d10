import { sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';

import { EXAMPLE_EVENT } from './event';
import { Explained, workflowTitle } from '../shared/errors';
import { both } from '../shared/values';

/** n8n starts to listen only after the hook that sends the example has returned. */
const DELAY_MS = 1000;
/** n8n answers its own requests in milliseconds. */
const TIMEOUT_MS = 5000;

/**
 * Sends the example event to the test URL as soon as n8n listens there. Throws if n8n can't reach the URL: otherwise
 * the editor would wait for the event in vain.
 * @param url with the token
 */
export async function deliverExample(context: IHookFunctions, url: string): Promise<void> {
	// A test URL only accepts POST: whatever n8n answers, nothing starts.
	const request = context.helpers.httpRequest({
		method: 'GET',
		url,
		timeout: TIMEOUT_MS,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	});
	const isReached = await request.then(
		() => true,
		() => false,
	);
	if (!isReached) {
		const { origin } = new URL(url);
		throw new Explained({
			message: both(
				`The example event can't be delivered: n8n can't reach its own address (${origin})`,
				`Das Beispielereignis ist nicht zuzustellen: n8n erreicht seine eigene Adresse nicht (${origin})`,
			),
			description: both(
				'Ask your n8n administrator to check N8N_WEBHOOK_URL (WEBHOOK_URL in older versions). Until then, click "set mock data" in the output and paste an event.',
				'Bitten Sie den Administrator von n8n, N8N_WEBHOOK_URL (WEBHOOK_URL in älteren Versionen) zu prüfen. Klicken Sie bis dahin in der Ausgabe auf „set mock data“ und fügen Sie ein Ereignis ein.',
			),
		});
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
