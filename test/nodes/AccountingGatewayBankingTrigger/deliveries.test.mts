/** What a process remembers of deliveries, by itself. With a workflow: repeats.test.mts. */
import { EventEmitter } from 'node:events';
import type { IWebhookFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { claimDelivery } from '../../../nodes/AccountingGatewayBankingTrigger/deliveries.js';
import { partial } from '../../support/partial.mjs';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An answer that n8n has not sent yet. */
function newResponse(statusCode = 200) {
	const response = new EventEmitter();
	return {
		response: Object.assign(response, partial<Response>({ statusCode })),
		/** n8n answers: it has stored the event, unless the status says otherwise. */
		answered: async () => {
			response.emit('finish');
			response.emit('close');
			await settled();
		},
		hungUp: async () => {
			response.emit('close');
			await settled();
		},
	};
}
const settled = async () => await vi.advanceTimersByTimeAsync(0);

let nr = 0;
/** Claims an event that no other test has. */
function claims(isRemembered = true) {
	const key = `event ${++nr}`;
	return async (response: Response) => await claimDelivery(key, response, isRemembered);
}

describe('A payment event that is delivered several times at once', () => {
	it('is claimed by one of two deliveries, the other one waits until the first one is answered', async () => {
		const claim = claims();
		const first = newResponse();
		expect(await claim(first.response)).toBe(true);
		let second: boolean | undefined;
		void claim(newResponse().response).then((claimed) => (second = claimed));
		await settled();
		expect(second).toBeUndefined();
		await first.answered();
		expect(second).toBe(false);
	});

	it.each([
		[
			'the sender hangs up before the answer',
			async () => {
				const { response, hungUp } = newResponse();
				return await Promise.resolve({ response, end: hungUp });
			},
		],
		[
			'n8n could not store it',
			async () => {
				const { response, answered } = newResponse(500);
				return await Promise.resolve({ response, end: answered });
			},
		],
	])('is free again when %s, for one of those that wait', async (_what, begin) => {
		const claim = claims();
		const { response, end } = await begin();
		await claim(response);
		const waiting = [newResponse(), newResponse()];
		const claimed = waiting.map(async (one) => await claim(one.response));
		await end();
		expect(await claimed[0]).toBe(true);
		await waiting[0].answered();
		expect(await claimed[1]).toBe(false);
	});

	it.each([
		['for a minute', 60_000, false],
		['and no longer', 60_001, true],
	])('is remembered %s', async (_how, ms, claimed) => {
		const claim = claims();
		const first = newResponse();
		await claim(first.response);
		await first.answered();
		await vi.advanceTimersByTimeAsync(ms);
		expect(await claim(newResponse().response)).toBe(claimed);
	});

	it('is remembered until its delivery is answered where something else decides what a repetition is', async () => {
		const claim = claims(false);
		const [first, second] = [newResponse(), newResponse()];
		await claim(first.response);
		const waiting = claim(second.response);
		await first.answered();
		expect(await waiting).toBe(false);
		expect(await claim(newResponse().response)).toBe(true);
	});
});
