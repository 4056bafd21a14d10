import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Memory } from '../../../nodes/AccountingGatewayTransactionTrigger/memory.js';
import { placeOf, remembersAny } from '../../../nodes/AccountingGatewayTransactionTrigger/place.js';
import { partial } from '../../support/partial.mjs';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-30T22:30:00Z') }));
afterEach(() => void vi.useRealTimers());

/** A trigger in Berlin, where it is 31 March already. */
function trigger(stored: IDataObject = {}, id = 'node-1') {
	return partial<IPollFunctions>({
		getNode: () => ({ id }),
		getTimezone: () => 'Europe/Berlin',
		getWorkflowStaticData: () => stored,
	});
}
/** As much of a memory as counts here. */
const polledOn = (day: string) => ({ polledOn: day }) as Memory;

it('an account is remembered by itself, and by the node', () => {
	const stored: IDataObject = {};
	const [one, other] = [trigger(stored), trigger(stored, 'node-2')];
	expect([placeOf(one, 'giro').memory, remembersAny(one)]).toEqual([undefined, false]);
	placeOf(one, 'giro').memory = polledOn('2026-03-31');
	expect(placeOf(one, 'giro').memory).toEqual(polledOn('2026-03-31'));
	expect([placeOf(one, 'wallet').memory, placeOf(other, 'giro').memory]).toEqual([undefined, undefined]);
	expect([remembersAny(one), remembersAny(other)]).toEqual([true, false]);
});

it.each([
	['2026-03-01', true],
	['2026-02-28', false],
])('another account that was polled last on %s is remembered: %s', (day, isKept) => {
	const one = trigger();
	placeOf(one, 'giro').memory = polledOn(day);
	placeOf(one, 'wallet').memory = polledOn('2026-03-31');
	expect(placeOf(one, 'giro').memory).toEqual(isKept ? polledOn(day) : undefined);
	expect(placeOf(one, 'wallet').memory).toEqual(polledOn('2026-03-31'));
});
