import type { IWebhookFunctions } from 'n8n-workflow';

/** A trigger's own events among all: the same event may start two workflows, one after the other. */
type Owner = Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>;
type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Later, n8n's own record tells payment events that were delivered again; events of other kinds count again. */
const MEMORY_MS = 60_000;

interface Delivery {
	at: number;
	/** Whether n8n has the event safe; known as soon as the delivery is answered. */
	safe: Promise<boolean>;
}

/** The deliveries that this process has lately been given, oldest first. */
const recentDeliveries = new Map<string, Delivery>();

/**
 * Claims an event for a delivery, unless another delivery has it, as far as this process remembers. Of deliveries at the
 * same instant it is one; the others wait until n8n has answered that one, because it has the event safe only then.
 * @param identity of the event
 * @param response the answer to this delivery
 * @param remember for a minute; otherwise only until the delivery is answered
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
		// Also when the sender hung up before the answer.
		response.once('close', () => resolve(false));
	});
