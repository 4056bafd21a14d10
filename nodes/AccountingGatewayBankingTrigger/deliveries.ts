import type { IWebhookFunctions } from 'n8n-workflow';

/** The trigger that an event is for: the same event may start two workflows. */
type Owner = Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>;
type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** After that, n8n's processed data recognizes repeated payment events; repeated events of other kinds run again. */
const MEMORY_MS = 60_000;

interface Delivery {
	at: number;
	/** Whether n8n has stored the event; known as soon as the delivery is answered. */
	safe: Promise<boolean>;
}

/** The deliveries that this process received in the last minute, oldest first. */
const recentDeliveries = new Map<string, Delivery>();

/**
 * Claims an event for a delivery, unless this process has claimed it for another. One of several simultaneous
 * deliveries gets it; the others wait until n8n has answered that one, because only then is the event stored.
 * @param identity of the event
 * @param response the answer to this delivery
 * @param remember whether to remember it for a minute; otherwise only until the delivery is answered
 */
export async function claimDelivery(
	owner: Owner,
	identity: string,
	response: Response,
	remember: boolean,
): Promise<boolean> {
	const now = Date.now();
	for (const [key, { at }] of recentDeliveries) if (at < now - MEMORY_MS) recentDeliveries.delete(key);
	const key = `${owner.getWorkflow().id}/${owner.getNode().id}/${identity}`;
	for (let earlier = recentDeliveries.get(key); earlier; earlier = recentDeliveries.get(key)) {
		if (await earlier.safe) return false;
	}
	const safe = isAnsweredWell(response);
	recentDeliveries.set(key, { at: now, safe });
	void safe.then((isSafe) => (isSafe && remember) || recentDeliveries.delete(key));
	return true;
}

const isAnsweredWell = async (response: Response) =>
	await new Promise<boolean>((resolve) => {
		response.once('finish', () => resolve(response.statusCode < 300));
		// This also fires if the sender hung up before the answer.
		response.once('close', () => resolve(false));
	});
