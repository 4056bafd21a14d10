import { describe, expect, it } from 'vitest';

import { Credits, creditsIn } from '../../../../nodes/shared/run/credits.js';
import { fakeContext } from '../../../support/fakes.mjs';

describe('the balance in an answer', () => {
	it.each([
		[{ svc: { neuesGuthaben: 7 } }, 7],
		[{ data: null, other: { neuesGuthaben: 'x' }, svc: { neuesGuthaben: 0 } }, 0],
		[{ svc: { neuesGuthaben: '1e999' } }, undefined],
		[{ svc: { neuesGuthaben: Infinity } }, undefined],
		[{ neuesGuthaben: 7 }, undefined],
		[null, undefined],
		['neuesGuthaben', undefined],
		[undefined, undefined],
	])('of %j is %j', (body, balance) => {
		expect(creditsIn(body)).toBe(balance);
	});
});

describe('the credits of a run', () => {
	const open = (minimum?: number, own = {}) => Credits.open(fakeContext(own).context, minimum);

	it('are exhausted below the minimum, not at it', () => {
		const credits = open(10);
		expect([credits.exhausted, credits.hasMinimum]).toEqual([false, true]);
		credits.note({ svc: { neuesGuthaben: 10 } });
		expect(credits.exhausted).toBe(false);
		credits.note({ svc: { neuesGuthaben: 9 } });
		expect(credits.exhausted).toBe(true);
		expect(credits.exhaustion).toBe(
			"The credit balance of 9 is below the minimum of 10 set in the node's options",
		);
	});

	it('are never exhausted without a minimum', () => {
		const credits = open();
		credits.note({ svc: { neuesGuthaben: -1 } });
		expect([credits.exhausted, credits.hasMinimum, credits.unchecked]).toEqual([false, false, undefined]);
	});

	it('can be at the minimum of 0', () => {
		const credits = open(0);
		credits.note({ svc: { neuesGuthaben: 0 } });
		expect([credits.exhausted, credits.hasMinimum]).toEqual([false, true]);
		credits.note({ svc: { neuesGuthaben: -1 } });
		expect(credits.exhausted).toBe(true);
	});

	it('are unchecked as long as no answer names them', () => {
		const credits = open(10);
		credits.note({});
		expect(credits.unchecked).toBe(
			'The gateway returned no credit balance, so the minimum of 10 could not be checked',
		);
		credits.note({ svc: { neuesGuthaben: 12 } });
		expect(credits.unchecked).toBeUndefined();
	});

	it('are told with what was used, whatever the order of the answers', () => {
		const credits = open();
		expect(credits.hint).toBeUndefined();
		credits.note({ svc: { neuesGuthaben: 7 } });
		expect(credits.hint).toBe('Credit balance: 7 after this run');
		for (const balance of [9.3, 6.9, 8]) credits.note({ svc: { neuesGuthaben: balance } });
		expect(credits.hint).toBe('Credit balance: 6.9 after this run (9.3 after its first call)');
	});

	it('go on with the latest balance in the next run of the same execution, and in no other one', () => {
		const memory = {};
		open(10, { memory }).save();
		expect(memory).toEqual({});
		const first = open(10, { memory });
		first.note({ svc: { neuesGuthaben: 12 } });
		first.note({ svc: { neuesGuthaben: 4 } });
		first.save();
		const next = open(10, { memory });
		expect([next.exhausted, next.unchecked, next.hint]).toEqual([true, undefined, undefined]);
		next.note({ svc: { neuesGuthaben: 20 } });
		expect(next.exhausted).toBe(false);
		expect(open(10, { memory, execution: '2' }).exhausted).toBe(false);
	});

	it('are not known in an execution that has no ID, as that of a single node', () => {
		const { context } = fakeContext();
		Object.assign(context, { getExecutionId: () => undefined });
		expect(Credits.open(context, 10).exhausted).toBe(false);
	});
});
