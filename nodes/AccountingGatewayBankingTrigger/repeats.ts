import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import pLimit from 'p-limit';

/** A trigger's own events among all: the same event may start two workflows, one after the other. */
type Owner = Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>;
type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Longer ago it is n8n's own record that counts, and an event that has started nothing may do so now. */
const MEMORY_MS = 60_000;
/** n8n keeps these in one row, which each event rewrites. */
const MAX_RUN = 2_000;

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

/** n8n reads and writes its record in two steps; one at a time, or records would overwrite each other. */
const oneAtATime = pLimit(1);

/**
 * Whether an event has started this workflow before, by n8n's own record, which outlives the process. Records it if
 * not.
 */
export async function hasRun(context: IExecuteFunctions, identity: string): Promise<boolean> {
	const record = async () =>
		await context.helpers.checkProcessedAndRecord([identity], 'node', {
			mode: 'entries',
			maxEntries: MAX_RUN,
		});
	// The first record of all fails when another process was a moment faster; then it is there.
	const { processed } = await oneAtATime(async () => await record().catch(record));
	return processed.length > 0;
}
