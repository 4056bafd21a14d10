/** When the example event is sent, by itself. With an n8n that gets it: emit.test.mts. */
import type { IHookFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { EXAMPLE } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { deliverExample } from '../../../nodes/AccountingGatewayBankingTrigger/exampleEvent.js';
import { partial } from '../../support/partial.mjs';

const TEST_URL = 'https://n8n.example.com/webhook-test/payments?token=t';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the example event', () => {
	it('is sent a second after n8n was found to answer, when it listens', async () => {
		const httpRequest = vi.fn(async (_: IHttpRequestOptions) => await Promise.resolve());
		await deliverExample(partial({ helpers: { httpRequest } }), TEST_URL);
		await vi.advanceTimersByTimeAsync(999);
		expect(httpRequest.mock.calls.map(([{ method }]) => method)).toEqual(['GET']);
		await vi.advanceTimersByTimeAsync(1);
		expect(httpRequest).toHaveBeenLastCalledWith({
			method: 'POST',
			url: TEST_URL,
			body: EXAMPLE,
			json: true,
		});
	});

	it.each([
		[5000, true],
		[5001, false],
	])('of an n8n that takes %i ms to answer itself is sent: %s', async (ms, isSent) => {
		const httpRequest = vi.fn(async ({ timeout = Infinity }: IHttpRequestOptions) => {
			if (timeout < ms) throw new Error(`timeout of ${timeout}ms exceeded`);
			return await Promise.resolve();
		});
		const context = partial<IHookFunctions>({
			helpers: { httpRequest },
			getNode: () => ({ name: 'Trigger' }),
		});
		const delivered = deliverExample(context, TEST_URL);
		if (isSent) await delivered;
		else await expect(delivered).rejects.toThrow("can't reach its own address");
		await vi.runAllTimersAsync();
		expect(httpRequest).toHaveBeenCalledTimes(isSent ? 2 : 1);
	});
});
