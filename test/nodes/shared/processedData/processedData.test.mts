/** What the nodes record in n8n's database, and what happens when it fails. */
import without from 'lodash/without.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { AccountingGatewayTransactionTrigger } from '../../../../nodes/AccountingGatewayTransactionTrigger/AccountingGatewayTransactionTrigger.node.js';
import { logger } from '../../../../host/engine.mjs';
import { FakeDatabase } from '../../../support/fakeDatabase.mjs';
import { PolledWorkflow } from '../../../../host/pollHarness.mjs';
import { TriggerWorkflow } from '../../../../host/triggerHarness.mjs';

const node = new AccountingGatewayBankingTrigger();
/** With it, each row begins. */
const MARK = 'accounting gateway, format 1';
const credential = { apiKey: 'key', baseUrl: 'http://127.0.0.1:9' };
let database: FakeDatabase;
/** A workflow for each test: its row is looked after in the background, also after the test has ended. */
let workflowId: string;
let nr = 0;

beforeEach(() => {
	database = new FakeDatabase();
	database.install();
	workflowId = `recorded ${++nr}`;
});
afterEach(() => void vi.restoreAllMocks());

const trigger = () =>
	new TriggerWorkflow(node, { credential, workflowId, parameters: { options: { verify: false } } });
const newEvent = () => ({
	event: 'payment_update',
	data: { payment_id: `recorded-${++nr}`, status: 'settled' },
});
const run = async (json = newEvent()) => await trigger().run([[{ json }]]);

it('logs why n8n cannot record something, each cause once until it can again', async () => {
	const warn = vi.spyOn(logger, 'warn').mockReturnValue();
	const causes = () =>
		warn.mock.calls.map(([message]) => /processed: (.*?)\. A repetition/.exec(message)?.[1]);
	const record = vi.spyOn(database, 'checkProcessedAndRecord');
	// A success forgets what was logged before; it is checked once more.
	await run();
	await expect.poll(() => record.mock.calls.length).toBeGreaterThan(1);
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

it('starts the workflow for an event that n8n has recorded when its database fails', async () => {
	vi.spyOn(logger, 'warn').mockReturnValue();
	const recorded = database.checkProcessedAndRecord.bind(database);
	vi.spyOn(database, 'checkProcessedAndRecord').mockImplementationOnce(async (...given) => {
		await recorded(...given);
		throw new Error('Connection terminated unexpectedly');
	});
	const event = newEvent();
	expect((await run(event)).json).toHaveLength(1);
	// It comes again.
	expect((await run(event)).json).toHaveLength(0);
});

it('logs when it cannot make sure that an entry is kept', async () => {
	const warn = vi.spyOn(logger, 'warn').mockReturnValue();
	expect((await run()).json).toHaveLength(1);
	vi.spyOn(database, 'checkProcessedAndRecord').mockRejectedValue(new Error('connection lost'));
	await expect.poll(() => warn.mock.calls.map(([message]) => message).join()).toContain('connection lost');
});

it('looks later whether an entry stays where the database is slow: another process takes as long', async () => {
	const LATENCY_MS = 50;
	database = new FakeDatabase(LATENCY_MS);
	database.install();
	const begun: number[] = [];
	const record = database.checkProcessedAndRecord.bind(database);
	vi.spyOn(database, 'checkProcessedAndRecord').mockImplementation(async (...given) => {
		begun.push(performance.now());
		return await record(...given);
	});
	await run();
	await expect.poll(() => begun.length).toBe(2);
	// n8n reads the row, then writes it.
	expect(begun[1] - begun[0]).toBeGreaterThan(10 * 2 * LATENCY_MS * 0.9);
});

it('makes sure of the entries of several events at once', async () => {
	const EVENTS = 20;
	const record = vi.spyOn(database, 'checkProcessedAndRecord');
	const begun = performance.now();
	await Promise.all(Array.from({ length: EVENTS }, async () => await run()));
	/** How many entries each call makes sure of. Such a call may come before an event's own, where that takes long. */
	const checks = () => {
		const known = new Set<unknown>();
		return record.mock.calls
			.map(([entries]) => without(entries, MARK))
			.filter((entries) => {
				const areKnown = entries.every((entry) => known.has(entry));
				for (const entry of entries) known.add(entry);
				return areKnown;
			})
			.map(({ length }) => length);
	};
	const checked = () => checks().reduce((sum, count) => sum + count, 0);
	await expect.poll(checked).toBe(EVENTS);
	// Two, and one more for each quarter of a second that the events take: on a busy machine, that is seconds.
	expect(checks().length).toBeLessThanOrEqual(2 + (performance.now() - begun) / 250);
});

it('knows an event whose row another process has just made', async () => {
	vi.spyOn(database, 'checkProcessedAndRecord').mockRejectedValueOnce(new Error('duplicate key value'));
	const event = newEvent();
	expect((await run(event)).json).toHaveLength(1);
	expect((await run(event)).json).toHaveLength(0);
});

it('tells which of several transactions have started the workflow', async () => {
	const polled = new PolledWorkflow(new AccountingGatewayTransactionTrigger(), {
		credential,
		workflowId,
		parameters: { account_id: 'acc-giro' },
	});
	const execute = async (...ids: string[]) =>
		(await polled.execute([ids.map((id) => ({ json: { id } }))])).map(({ id }) => id);
	expect(await execute('a', 'c')).toEqual(['a', 'c']);
	expect(await execute('a', 'b', 'c', 'd')).toEqual(['b', 'd']);
});

it('looks after the entries of each node of a workflow in its own row', async () => {
	const nodes = ['one', 'other'];
	const received = [[{ json: newEvent() }]];
	for (const id of nodes) await trigger().run(received, { settings: { id, name: id } });
	const rows = nodes.map((id) => `${workflowId}/${id}`);
	await expect.poll(() => rows.map((row) => database.writes.get(row))).toEqual([2, 2]);
	expect(rows.map((row) => database.rows.get(row)?.length)).toEqual([2, 2]);
});

describe('A row that another version of the package has written', () => {
	const OLDER = ['["Node","of another format"]'];
	const OTHER = 'was written by another version of the package';

	it('has the first event fail, so that a person decides; the next ones start the workflow', async () => {
		database.rows.set(`${workflowId}/node`, [...OLDER]);
		const [first, second] = [newEvent(), newEvent()];
		expect((await run(first)).error?.message).toContain(OTHER);
		expect(database.rows.get(`${workflowId}/node`)).toEqual([...OLDER, MARK]);
		expect((await run(second)).json).toHaveLength(1);
		expect((await run(second)).json).toHaveLength(0);
		// The failed execution, retried by that person.
		expect((await trigger().run([[{ json: first }]], { mode: 'retry' })).json).toHaveLength(1);
	});

	it('has the first transactions fail', async () => {
		database.rows.set(`${workflowId}/node`, [...OLDER]);
		const polled = new PolledWorkflow(new AccountingGatewayTransactionTrigger(), {
			credential,
			workflowId,
			parameters: { account_id: 'acc-giro' },
		});
		const execute = async () => await polled.execute([[{ json: { id: 'a' } }]]);
		await expect(execute()).rejects.toThrow(OTHER);
		expect(await execute()).toHaveLength(1);
	});
});
