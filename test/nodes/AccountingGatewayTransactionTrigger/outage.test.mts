import type { IPollFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { outageOf } from '../../../nodes/AccountingGatewayTransactionTrigger/outage.js';
import { partial } from '../../support/partial.mjs';

const HOUR = 60 * 60 * 1000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

let count = 0;
/** A trigger that nobody knows yet. */
function trigger(workflowId = `outage ${++count}`, nodeId = 'node-1') {
	const logs: unknown[][] = [];
	const failures: Error[] = [];
	const log = (level: string) => (message: string, details: object) =>
		void logs.push([level, message, details]);
	const context = partial<IPollFunctions>({
		getWorkflow: () => ({ id: workflowId, name: 'Kasse' }),
		getNode: () => ({ id: nodeId, name: 'Bank' }),
		logger: { error: log('error'), warn: log('warn'), info: log('info') },
		__emitError: (error: Error) => void failures.push(error),
	});
	return { logs, failures, workflowId, outage: () => outageOf(context) };
}
const says = (level: string, text: string, { workflowId }: { workflowId: string }) => [
	level,
	`The transaction trigger of workflow "Kasse"${text}`,
	{ workflowId, node: 'Bank' },
];

describe('a poll that fails', () => {
	it.each([
		[Object.assign(new Error('HTTP 500'), { description: 'Try again' }), 'HTTP 500. Try again'],
		[Object.assign(new Error('HTTP 500'), { description: null }), 'HTTP 500'],
		[new Error('HTTP 500'), 'HTTP 500'],
	])('is a line in the log: %s', (error, text) => {
		const one = trigger();
		one.outage().report(error, true);
		const line = ` could not read the bank account; the next poll will catch up. ${text}`;
		expect(one.logs).toEqual([says('error', line, one)]);
		expect(one.failures).toEqual([]);
	});

	it('is one failed execution, too, once it has lasted for an hour', () => {
		const { outage, failures, logs } = trigger();
		const error = new Error('HTTP 500');
		for (const time of [0, 5, HOUR - 1]) {
			vi.setSystemTime(time);
			outage().report(error, true);
		}
		expect(failures).toEqual([]);
		for (const time of [HOUR, 2 * HOUR]) {
			vi.setSystemTime(time);
			outage().report(error, true);
		}
		expect(failures).toEqual([error]);
		expect(logs).toHaveLength(5);
	});

	it('is one at once where waiting does not help', () => {
		const { outage, failures } = trigger();
		for (let poll = 0; poll < 3; poll++) outage().report(new Error('HTTP 401'), false);
		expect(failures).toHaveLength(1);
	});

	it.each([
		['workflow', trigger(), trigger()],
		['node', trigger('same', 'node-1'), trigger('same', 'node-2')],
	])('is that of its own %s', (_what, one, other) => {
		one.outage().report(new Error('HTTP 500'), true);
		other.outage().end([]);
		expect(other.logs).toEqual([]);
		vi.setSystemTime(HOUR);
		other.outage().report(new Error('HTTP 500'), true);
		expect(other.failures).toEqual([]);
	});
});

describe('a poll that succeeds', () => {
	it('says so once, and the next outage begins anew', () => {
		const one = trigger();
		one.outage().report(new Error('HTTP 401'), false);
		for (let poll = 0; poll < 2; poll++) one.outage().end([]);
		expect(one.logs.slice(1)).toEqual([says('info', ' can read the bank account again', one)]);
		one.outage().report(new Error('HTTP 401'), false);
		expect(one.failures).toHaveLength(2);
	});

	it('names each problem once, as long as it lasts', () => {
		const one = trigger();
		for (const problems of [['a', 'b'], ['a', 'b'], ['a'], [], ['a']]) one.outage().end(problems);
		expect(one.logs).toEqual([': a; b', ': a', ': a'].map((text) => says('warn', text, one)));
	});
});
