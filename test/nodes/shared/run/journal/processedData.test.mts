import { setTimeout as sleep } from 'node:timers/promises';
import partition from 'lodash/partition.js';
import without from 'lodash/without.js';
import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE } from '../../../../../nodes/AccountingGatewayBankingTrigger/event.js';
import {
	forgetInNode,
	markInWorkflow,
	markProcessed,
	recordInNode,
	SETTLED_MS,
} from '../../../../../nodes/shared/run/journal/processedData.js';
import { logger } from '../../../../support/engine.mjs';
import { FakeDatabase } from '../../../../support/fakeDatabase.mjs';
import { TriggerWorkflow } from '../../../../support/triggerHarness.mjs';
import { partial } from '../../../../support/partial.mjs';

const WORKFLOW = 'recorded';
const node = new AccountingGatewayBankingTrigger();
const credential = { apiKey: 'key', baseUrl: 'http://127.0.0.1:9' };
let database: FakeDatabase;

beforeEach(() => {
	database = new FakeDatabase();
	database.install();
});
afterEach(() => void vi.restoreAllMocks());

const trigger = () =>
	new TriggerWorkflow(node, {
		credential,
		workflowId: WORKFLOW,
		parameters: { options: { verify: false } },
	});
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

it('makes sure of the entries of several events at once', async () => {
	const EVENTS = 20;
	const record = vi.spyOn(database, 'checkProcessedAndRecord');
	const begun = performance.now();
	await Promise.all(Array.from({ length: EVENTS }, async () => await run()));
	const checks = () => record.mock.calls.slice(EVENTS).map(([entries]) => entries.length);
	const checked = () => checks().reduce((sum, count) => sum + count, 0);
	await expect.poll(checked, { timeout: 10_000 }).toBe(EVENTS);
	// Two, and one more for each quarter of a second that the events take: on a busy machine, that is seconds.
	expect(checks().length).toBeLessThanOrEqual(2 + (performance.now() - begun) / SETTLED_MS);
});

describe('what n8n is asked', () => {
	const calls: unknown[][] = [];
	const warn = vi.fn();
	/** @param answer gives what n8n answers, by the scope */
	const contextWith = (
		answer: (entries: string[], scope: string) => object = (entries) => ({ processed: [], new: entries }),
	) =>
		partial<IExecuteFunctions>({
			logger: { warn },
			getWorkflow: () => ({ id: `asked-${++nr}`, name: 'Cash' }),
			getNode: () => ({ id: 'book', name: 'Book' }),
			helpers: partial<IExecuteFunctions['helpers']>({
				checkProcessedAndRecord: async (...given: unknown[]) => {
					calls.push(given);
					return await Promise.resolve(answer(given[0] as string[], given[1] as string));
				},
				removeProcessed: async (...given: unknown[]) => void calls.push(await Promise.resolve(given)),
			}),
		});
	const log = () => warn.mock.calls.map(([message]) => String(message));
	beforeEach(() => {
		calls.length = 0;
		warn.mockReset();
	});

	it('names what was processed before as it was given', async () => {
		const context = contextWith((entries) => ({ processed: entries.slice(1), new: [] }));
		expect(await markProcessed(context, ['a', 'b', 'c'])).toEqual(['b', 'c']);
	});

	it('keeps entries of the node, as many as it remembers, and removes them from there', async () => {
		const context = contextWith((entries) => ({ processed: entries, new: [] }));
		expect(await recordInNode(context, ['a'])).toEqual(['a']);
		await forgetInNode(context, ['a']);
		expect(calls).toEqual([
			[['a'], 'node', { mode: 'entries', maxEntries: 10_040 }],
			[['a'], 'node', { mode: 'entries' }],
		]);
	});

	it.each([
		['the entries of a node, whatever the cause', recordInNode, 'database is locked'],
		['an event, when another process has just made the row', markProcessed, 'duplicate key value'],
	])('is tried once more: %s', async (_, ask, cause) => {
		const errors = [new Error(cause)];
		const context = contextWith((entries) => {
			for (const error of errors.splice(0)) throw error;
			return { processed: entries, new: [] };
		});
		expect(await ask(context, ['a'])).toHaveLength(1);
	});

	it('looks after the entries of each node of a workflow in its own row', async () => {
		const known = new Set<string>();
		const answerOf = (node: string) => (entries: string[]) => {
			const [processed, added] = partition(entries, (entry) => known.has(`${node} ${entry}`));
			for (const entry of added) known.add(`${node} ${entry}`);
			return { processed, new: added };
		};
		const contexts = ['one', 'other'].map((id) => ({
			...contextWith(answerOf(id)),
			getWorkflow: () => ({ id: 'shared', name: 'Cash', active: true }),
			getNode: () => partial<INode>({ id, name: id }),
		}));
		for (const context of contexts) await markProcessed(context, ['a']);
		const entries = () => calls.map(([of]) => (of as string[]).join());
		await expect.poll(entries).toEqual(['["one","a"]', '["other","a"]', '["one","a"]', '["other","a"]']);
		expect([...known]).toEqual(['one ["one","a"]', 'other ["other","a"]']);
	});

	it('looks after entries of the workflow only where that is wanted', async () => {
		const known: string[] = [];
		const remembering = (entries: string[]) => {
			const added = without(entries, ...known);
			known.push(...added);
			return { processed: without(entries, ...added), new: added };
		};
		await markInWorkflow(contextWith(remembering), ['a'], true);
		await markInWorkflow(contextWith(remembering), ['b']);
		await expect.poll(() => calls.map(([entries]) => entries)).toEqual([['a'], ['b'], ['a']]);
		await sleep(2 * SETTLED_MS);
		expect(calls).toHaveLength(3);
	});

	it('does not know what is marked in the workflow when n8n fails, and the log says so', async () => {
		const context = contextWith((_, scope) => {
			throw new Error(scope === 'node' ? 'disk full' : 'database is locked');
		});
		expect(await markInWorkflow(context, ['a'])).toBeUndefined();
		expect(log()).toEqual([
			expect.stringContaining('database is locked'),
			expect.stringContaining('disk full'),
		]);
		expect(warn).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ node: 'Book' }));
	});

	it('logs an incompatible row once, however often the row of the node takes the entries', async () => {
		const incompatible = contextWith((entries, scope) => {
			if (scope === 'workflow') throw new Error('saved with an incompatible setting');
			return { processed: [], new: entries };
		});
		await markInWorkflow(incompatible, ['a']);
		await markInWorkflow(incompatible, ['b']);
		expect(log()).toEqual([expect.stringContaining('incompatible setting')]);
	});
});
