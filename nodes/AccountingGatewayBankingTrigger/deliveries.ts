import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions } from 'n8n-workflow';

import { SETTLED_MS } from '../shared/processedData';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * By event: whether n8n stores it, which shows when it answers the delivery. Events are remembered for a moment, because the
 * workers of queue mode may not see at once in n8n's record what another one has entered.
 */
const recent = new Map<string, Promise<boolean>>();

/**
 * Claims an event for a delivery. One of several simultaneous deliveries gets it; the others wait until n8n has stored it.
 * @param key the event, and the trigger that it is for
 * @param response the answer to this delivery
 * @returns whether the delivery has the event, or another one has just had it
 */
export async function claimDelivery(key: string, response: Response): Promise<boolean> {
	for (let other = recent.get(key); other; other = recent.get(key)) if (await other) return false;
	// The sender has hung up already: no event would come, and others would wait for one forever.
	if (response.closed) return true;
	const isStored = new Promise<boolean>((resolve) => {
		response.once('finish', () => resolve(response.statusCode < 300));
		// The sender may hang up before the answer.
		response.once('close', () => resolve(false));
	});
	recent.set(key, isStored);
	void isStored.then(async (stored) => {
		if (stored) await sleep(SETTLED_MS);
		recent.delete(key);
	});
	return true;
}
