import { describe, expect, it } from 'vitest';

import type { Failure } from '../../../../nodes/shared/errors/failure.js';
import { pauseBeforeRetry } from '../../../../nodes/shared/gateway/retry.js';

const failure = (own: Partial<Failure> = {}): Failure => ({
	outcome: 'failed',
	message: 'x',
	description: '',
	transient: true,
	...own,
});

describe('pauseBeforeRetry', () => {
	it('grows with each try, until there are no more', () => {
		expect([1, 2, 3, 4].map((tries) => pauseBeforeRetry(failure(), tries, 300))).toEqual([
			0.5,
			1,
			2,
			undefined,
		]);
	});

	it('is what the gateway asks for, up to a minute', () => {
		expect(pauseBeforeRetry(failure({ retryAfter: 7 }), 1, 300)).toBe(7);
		expect(pauseBeforeRetry(failure({ retryAfter: 0 }), 1, 300)).toBe(0);
		expect(pauseBeforeRetry(failure({ retryAfter: 60 }), 1, 300)).toBe(60);
		expect(pauseBeforeRetry(failure({ retryAfter: 61 }), 1, 300)).toBeUndefined();
	});

	it('is undefined when another try would not help, or not in time', () => {
		expect(pauseBeforeRetry(failure({ transient: false }), 1, 300)).toBeUndefined();
		expect(pauseBeforeRetry(failure({ retryAfter: 5 }), 1, 5)).toBeUndefined();
		expect(pauseBeforeRetry(failure(), 1, 0)).toBeUndefined();
	});
});
