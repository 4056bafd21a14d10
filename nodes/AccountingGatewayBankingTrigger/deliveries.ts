import type { IWebhookFunctions } from 'n8n-workflow';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Within this time the workers of queue mode may not see in n8n's record what another has just entered. After it, that
 * record alone decides.
 */
const MEMORY_MS = 60_000;

/** The deliveries of the last minute to this process, oldest first: whether n8n has stored each one's event. */
const recent = new Map<string, { at: number; isStored: Promise<boolean> }>();

/**
 * Claims an event for a delivery. One of several simultaneous deliveries gets it; the others wait until n8n has answered
 * that one, because only then is the event stored.
 * @param key the event, and the trigger that it is for
 * @param response the answer to this delivery
 * @param isRemembered for a minute; otherwise only until the delivery is answered
 * @returns whether the delivery has the event, or another one has had it
 */
export async function claimDelivery(
	key: string,
	response: Response,
	isRemembered: boolean,
): Promise<boolean> {
	const now = Date.now();
	for (const [old, { at }] of recent) if (at < now - MEMORY_MS) recent.delete(old);
	for (let other = recent.get(key); other; other = recent.get(key)) if (await other.isStored) return false;
	const isStored = isAnsweredWell(response);
	recent.set(key, { at: now, isStored });
	void isStored.then((stored) => (stored && isRemembered) || recent.delete(key));
	return true;
}

const isAnsweredWell = async (response: Response) =>
	await new Promise<boolean>((resolve) => {
		response.once('finish', () => resolve(response.statusCode < 300));
		// The sender may hang up before the answer.
		response.once('close', () => resolve(false));
	});
