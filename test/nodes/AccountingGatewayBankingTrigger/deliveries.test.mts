/** Simultaneous deliveries of an event, by themselves. With a workflow: repeats.test.mts. */
import { EventEmitter } from 'node:events';
import type { IWebhookFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { claimDelivery } from '../../../nodes/AccountingGatewayBankingTrigger/deliveries.js';
import { SETTLED_MS } from '../../../nodes/shared/processedData/processedData.js';
import { partial } from '../../../host/partial.mjs';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A delivery of one event that n8n hasn't answered yet. */
function delivery(statusCode = 200, closed = false) {
	const response = new EventEmitter();
	const answer = partial<ReturnType<IWebhookFunctions['getResponseObject']>>({ statusCode, closed });
	return { isClaimed: claimDelivery('event', Object.assign(response, answer)), response };
}
type Delivery = ReturnType<typeof delivery>;
const hangUp = ({ response }: Delivery) => void response.emit('close');
function answer(given: Delivery) {
	given.response.emit('finish');
	hangUp(given);
}

it('Of two simultaneous deliveries of a payment event, the second waits until the first is answered', async () => {
	const [first, second] = [delivery(), delivery()];
	expect(await first.isClaimed, 'the first delivery has the event').toBe(true);
	expect(await Promise.race([second.isClaimed, Promise.resolve('waiting')])).toBe('waiting');
	answer(first);
	expect(await second.isClaimed, 'the second delivery has the event').toBe(false);
	expect(await delivery().isClaimed, 'one more delivery has the event').toBe(false);
	// From then on, n8n's record decides.
	await vi.advanceTimersByTimeAsync(SETTLED_MS);
	const later = delivery();
	expect(await later.isClaimed, 'the later delivery has the event').toBe(true);
	hangUp(later);
});

it.each<[string, number, typeof answer]>([
	['the sender of the first hangs up', 200, hangUp],
	['n8n could not store it', 500, answer],
])('Of the deliveries that wait, one gets the payment event where %s', async (_what, statusCode, end) => {
	const [first, second, third] = [delivery(statusCode), delivery(), delivery()];
	await first.isClaimed;
	end(first);
	expect(await second.isClaimed, 'the second delivery has the event').toBe(true);
	answer(second);
	expect(await third.isClaimed, 'the third delivery has the event').toBe(false);
	await vi.advanceTimersByTimeAsync(SETTLED_MS);
});

it('A payment event whose sender has hung up before it is looked at blocks no later delivery', async () => {
	expect(await delivery(200, true).isClaimed, 'the delivery has the event').toBe(true);
	const later = delivery();
	await vi.advanceTimersByTimeAsync(1);
	expect(
		await Promise.race([later.isClaimed, Promise.resolve('waiting')]),
		'the later delivery has the event',
	).toBe(true);
	hangUp(later);
});
