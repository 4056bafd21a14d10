import type { IWebhookFunctions } from 'n8n-workflow';

/** A trigger's own events among all: the same event may start two workflows, one after the other. */
type Owner = Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>;
type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Longer ago it is n8n's own record that counts, and an event that has started nothing may do so now. */
const MEMORY_MS = 60_000;

interface Taken {
	at: number;
	/** Whether n8n has it safe; known as soon as the delivery is answered. */
	success: Promise<boolean>;
}

/** The events that this process has lately been given, oldest first. */
const taken = new Map<string, Taken>();

/**
 * Whether a delivery is the first one of its event, as far as this process remembers. Of deliveries at the same instant
 * it is one; the others wait until n8n has answered that one, because it has the event safe only then.
 * @param identity of the event
 * @param response the answer to this delivery
 */
export async function isFirst(owner: Owner, identity: string, response: Response): Promise<boolean> {
	const now = Date.now();
	for (const [key, { at }] of taken) if (at < now - MEMORY_MS) taken.delete(key);
	const key = `${owner.getWorkflow().id}/${owner.getNode().id}/${identity}`;
	for (let earlier = taken.get(key); earlier; earlier = taken.get(key)) {
		if (await earlier.success) return false;
	}
	const success = hasSucceeded(response);
	taken.set(key, { at: now, success });
	void success.then((safe) => safe || taken.delete(key));
	return true;
}

const hasSucceeded = async (response: Response) =>
	await new Promise<boolean>((resolve) => {
		response.once('finish', () => resolve(response.statusCode < 300));
		// Also when the sender hung up before the answer.
		response.once('close', () => resolve(false));
	});
