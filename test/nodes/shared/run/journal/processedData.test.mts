import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE } from '../../../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { SETTLED_MS } from '../../../../../nodes/shared/run/journal/processedData.js';
import { logger } from '../../../../support/harness.mjs';
import { FakeDatabase, TriggerWorkflow } from '../../../../support/triggerHarness.mjs';

const WORKFLOW = 'recorded';
const node = new AccountingGatewayBankingTrigger();
const credential = { apiKey: 'key', baseUrl: 'http://127.0.0.1:9' };
let database: FakeDatabase;

beforeEach(() => {
	database = new FakeDatabase();
	database.install();
});
afterEach(() => void vi.restoreAllMocks());

const trigger = () => new TriggerWorkflow(node, { credential, workflowId: WORKFLOW });
let nr = 0;
const newEvent = () => ({ ...EXAMPLE, data: { ...EXAMPLE.data, payment_id: `recorded-${++nr}` } });
const run = async (json = newEvent()) => await trigger().run([[{ json }]]);

it('logs why n8n cannot record something, each cause once until it can again', async () => {
	const warn = vi.spyOn(logger, 'warn').mockReturnValue();
	// Tests of other files may still check what they have recorded.
	const own = () => warn.mock.calls.filter(([, meta]) => meta?.workflowId === WORKFLOW);
	const causes = () => own().map(([message]) => /processed: (.*?)\. A repetition/.exec(message)?.[1]);
	const record = vi.spyOn(database, 'checkProcessedAndRecord');
	// A success forgets what was logged before; it is checked once more.
	await run();
	await expect.poll(() => record.mock.calls.length).toBe(2);
	const fail = (cause: string) => record.mockRejectedValue(new Error(cause));

	fail('database is locked');
	// The event starts the workflow all the same.
	expect((await run()).json).toHaveLength(1);
	expect((await run()).json).toHaveLength(1);
	expect(causes()).toEqual(['database is locked']);

	fail('disk full');
	await run();
	await run();
	expect(causes()).toEqual(['database is locked', 'disk full']);

	record.mockRestore();
	const again = vi.spyOn(database, 'checkProcessedAndRecord');
	await run();
	again.mockRejectedValue(new Error('database is locked'));
	await run();
	expect(causes()).toEqual(['database is locked', 'disk full', 'database is locked']);
});

it('logs when it cannot make sure that an entry is kept', async () => {
	const warn = vi.spyOn(logger, 'warn').mockReturnValue();
	expect((await run()).json).toHaveLength(1);
	vi.spyOn(database, 'checkProcessedAndRecord').mockRejectedValue(new Error('connection lost'));
	await expect.poll(() => warn.mock.calls.map(([message]) => message).join()).toContain('connection lost');
});

it('makes sure of the entries of several events at once', async () => {
	const EVENTS = 20;
	const record = vi.spyOn(database, 'checkProcessedAndRecord');
	const begun = performance.now();
	await Promise.all(Array.from({ length: EVENTS }, async () => await run()));
	const checks = () => record.mock.calls.slice(EVENTS).map(([entries]) => entries.length);
	await expect.poll(() => checks().reduce((sum, count) => sum + count, 0)).toBe(EVENTS);
	// Two, and one more for each quarter of a second that the events take: on a busy machine, that is seconds.
	expect(checks().length).toBeLessThanOrEqual(2 + (performance.now() - begun) / SETTLED_MS);
});
