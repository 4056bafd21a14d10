import { setTimeout as sleep } from 'node:timers/promises';
import type { IExecuteFunctions } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import {
	type Attempts,
	isOutOfDate,
	type NodeRun,
} from '../../../../../nodes/shared/run/journal/attempts.js';
import { logger } from '../../../../support/engine.mjs';
import { FakeDatabase } from '../../../../support/fakeDatabase.mjs';
import { type RunOptions, type RunResult, workflowOf } from '../../../../support/harness.mjs';
import { loadNode, simpleEntry } from '../../../../support/workflows.mjs';
import { useGateway } from '../../../../support/useSandbox.mjs';
import { partial } from '../../../../support/partial.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
let database: FakeDatabase;

beforeEach(() => {
	database = new FakeDatabase();
	database.install();
});

/** n8n's row of the workflow. */
const ROW = 'loop/';

/** Books once in each run of a loop. @param belegnummer an expression that fails where it gives nothing */
const entry = (belegnummer = '={{ "K-" + Math.random().toString(36).slice(2) }}') =>
	simpleEntry(gateway.connectionId('duo'), { belegnummer });
const run = async (options: Partial<RunOptions>, parameters = entry()) =>
	await gateway.run(node, parameters, { items: [{}], workflowId: 'loop', ...options });
const booked = async () => (await gateway.list('entries')).length;

/**
 * What n8n has of an execution that was killed: its data as it began, or, with "Save execution progress", as it was after a
 * node, before the loop came to the node again.
 */
function killed({ run: { data, ...rest } }: RunResult, progress: 'unsaved' | 'saved', runs = 1) {
	const copy = structuredClone(data);
	const { credential } = gateway;
	copy.executionData!.nodeExecutionStack = Array.from({ length: runs }, () => ({
		node: workflowOf({ node, parameters: entry(), credential }).node,
		data: { main: [[{ json: {} }]] },
		source: { main: [{ previousNode: 'Source' }] },
	}));
	delete copy.resultData.error;
	if (progress === 'unsaved') {
		copy.executionData!.contextData = {};
		copy.resultData.runData = { Source: copy.resultData.runData.Source };
		copy.resultData.lastNodeExecuted = 'Source';
	}
	return { ...rest, data: copy };
}

describe('an execution', () => {
	it('is marked once, however often a loop reaches the node', async () => {
		await run({ runs: 20 });
		expect(await booked()).toBe(20);
		const [[row, marks]] = database.rows;
		expect(row).toBe(ROW);
		// From which state it has started, and that it has.
		expect(marks).toHaveLength(2);
		// And once it is looked after.
		await expect.poll(() => database.writes.get(row)).toBe(2);
	});

	it('is marked where n8n keeps the largest value in the workflow’s row, and the log says so', async () => {
		const log = vi.spyOn(logger, 'warn').mockReturnValue();
		const kept = new Set<number>();
		const record = database.checkProcessedAndRecord.bind(database);
		database.checkProcessedAndRecord = async (entries, scope, place, options) => {
			if (scope === 'workflow')
				throw new Error('Deduplication data was … saved with an incompatible setting');
			kept.add(options.maxEntries);
			return await record(entries, scope, place, options);
		};
		const retried = await run({ retryOf: killed(await run({}), 'unsaved') });
		expect(retried.error?.message).toContain('n8n was stopped while this execution was writing');
		expect(await booked()).toBe(1);
		// No fewer than a node that writes remembers there: the rest would be written again.
		expect([...kept]).toEqual([10_040]);
		expect(log.mock.calls.map(([message]) => message).join()).toMatch(
			/node of workflow ".+" has processed: .*incompatible setting/,
		);
		vi.restoreAllMocks();
	});
});

/** A node's context in an execution that began at a known time. @param own other functions of n8n */
const contextOf = ({ execution = '8', mode = 'retry', ...own }: Record<string, unknown>) => {
	// This test's own: n8n is asked once more in the background, maybe when the next test has begun.
	const record = database.checkProcessedAndRecord.bind(database);
	const place = { workflow: { id: 'alone' }, node: { id: 'book' } };
	return partial<IExecuteFunctions>({
		getExecutionContext: () => ({ establishedAt: 1 }),
		getExecutionId: () => execution,
		getMode: () => mode,
		getNode: () => ({ name: 'Book', id: 'book' }),
		getWorkflow: () => ({ id: 'alone', name: 'Loop' }),
		helpers: {
			checkProcessedAndRecord: async (entries: string[], scope: string, options: { maxEntries: number }) =>
				await record(entries, scope, place, options),
		},
		...own,
	});
};

describe('an execution that runs again in its own mode', () => {
	/** What n8n 1.123 does when a worker is lost: another one runs the execution, from its stored data. */
	const begin = async (attempts: Attempts, execution = '7') =>
		await isOutOfDate(contextOf({ execution, mode: 'webhook' }), attempts, { node: 'Book', run: 0 });

	it('is out of date from the data that it began with', async () => {
		expect(await begin({ tries: 0 })).toBe(false);
		expect(await begin({ tries: 0 })).toBe(true);
	});

	it('is not when it goes on after it has waited, nor is another one of the same millisecond', async () => {
		const attempts: Attempts = { tries: 0 };
		expect(await begin(attempts)).toBe(false);
		expect(await begin(structuredClone(attempts))).toBe(false);
		expect(await begin({ tries: 0 }, '8')).toBe(false);
		// But not twice from there.
		expect(await begin(structuredClone(attempts))).toBe(true);
	});
});

describe('a retry of an execution that was killed', () => {
	it('sends nothing by a node that was renamed and pasted again', async () => {
		const settings = { id: 'pasted', name: 'Renamed' };
		const stopped = killed(await run({}), 'unsaved');
		Object.assign(stopped.data.executionData!.nodeExecutionStack[0].node, settings);
		const { error, json } = await run({ retryOf: stopped, settings });
		expect(error?.message).toContain('n8n was stopped while this execution was writing');
		expect(json).toEqual([]);
		expect(await booked()).toBe(1);
	});

	it('sends nothing by a node after the one whose end n8n has stored', async () => {
		const stopped = killed(await run({}), 'saved');
		Object.assign(stopped.data.executionData!.nodeExecutionStack[0].node, { id: 'other', name: 'Other' });
		const { error } = await run({ retryOf: stopped, settings: { id: 'other', name: 'Other' } });
		expect(error?.message).toContain('n8n was stopped while this execution was writing');
		expect(await booked()).toBe(1);
	});
});

describe('retries of a failed execution', () => {
	const refuse = async () =>
		await gateway.fault({ kind: 'status', status: 422, after: 1, operationId: 'createCashBookEntry' });
	const items = [{}, {}];

	it('go on with what is missing by a node that was pasted again', async () => {
		await refuse();
		const failed = await run({ items });
		expect(await booked()).toBe(1);
		const { error, json } = await run({ retryOf: failed.run, settings: { id: 'pasted' } });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(await booked()).toBe(2);
	});

	it('go on by a node that comes after the one that has written', async () => {
		const failed = await run(
			{ runs: 2 },
			entry('={{ $runIndex ? "no number" : "K-" + Math.random().toString(36).slice(2) }}'),
		);
		expect(await booked()).toBe(1);
		const settings = { id: 'other', name: 'Other' };
		Object.assign(failed.run.data.executionData!.nodeExecutionStack[0].node, settings);
		const { error } = await run({ retryOf: failed.run, settings });
		expect(error).toBeUndefined();
		expect(await booked()).toBe(2);
	});

	it('send nothing from the same state by a node that was pasted again', async () => {
		await refuse();
		const failed = await run({ items });
		await run({ retryOf: failed.run, settings: { id: 'pasted' } });
		const { error } = await run({ retryOf: failed.run, settings: { id: 'pasted again' } });
		expect(error?.message).toContain('or the execution was retried before');
		expect(await booked()).toBe(2);
	});

	it('book once when two processes begin them at the same moment', async () => {
		await refuse();
		const failed = await run({ items });
		await expect.poll(() => database.writes.get(ROW)).toBe(2);
		vi.resetModules();
		const there = await loadNode('AccountingGatewayDelivery');
		database.meet(ROW);
		const options = { workflowId: 'loop', retryOf: failed.run };
		const both = await Promise.all([
			gateway.run(node, entry(), options),
			gateway.run(there, entry(), options),
		]);
		expect(both.map(({ error }) => error?.message).filter(Boolean)).toEqual([
			expect.stringContaining('or the execution was retried before'),
		]);
		expect(await booked()).toBe(2);
	});

	it('never book twice when processes begin those of different executions at the same moment', async () => {
		const failures: RunResult[] = [];
		for (let i = 0; i < 2; i++) {
			await refuse();
			failures.push(await run({ items }));
		}
		await expect.poll(() => database.writes.get(ROW)).toBeGreaterThanOrEqual(3);
		vi.resetModules();
		const there = await loadNode('AccountingGatewayDelivery');
		database.meet(ROW);
		const both = await Promise.all(
			[node, there].map(
				async (type, i) => await gateway.run(type, entry(), { workflowId: 'loop', retryOf: failures[i].run }),
			),
		);
		// The one whose mark was overwritten can't tell by whom, so it sends nothing.
		expect(both.map(({ error }) => error?.message).filter(Boolean)).toEqual([
			expect.stringContaining('or the execution was retried before'),
		]);
		expect(await booked()).toBe(3);
		const done = failures[both.findIndex(({ error }) => error === undefined)];
		expect((await run({ retryOf: done.run })).error?.message).toContain('retried before');
		expect(await booked()).toBe(3);
	});
});

describe('a retry of an execution that was killed in a loop', () => {
	it.each(['unsaved', 'saved'] as const)('sends nothing, its progress being %s', async (progress) => {
		const looped = await run({ runs: 3 });
		const retried = await run({ retryOf: killed(looped, progress, 5) });
		expect(retried.error?.message).toContain('n8n was stopped while this execution was writing');
		expect(await booked()).toBe(3);
	});

	it('sends nothing in any of its runs', async () => {
		const looped = await run({ runs: 3 });
		const settings = { onError: 'continueRegularOutput' } as const;
		const stopped = killed(looped, 'saved', 5);
		for (const { node: next } of stopped.data.executionData!.nodeExecutionStack)
			Object.assign(next, settings);
		const retried = await run({ retryOf: stopped, settings });
		expect(retried.run.data.resultData.runData.Node).toHaveLength(3 + 5);
		expect(await booked()).toBe(3);
	});
});

describe('a retry of a loop that has failed', () => {
	/** Fails in the third run, before anything is sent. */
	const failing = '={{ $runIndex < 2 || $workflow.name === "Corrected" ? "K-" + $runIndex : "no number" }}';

	it('continues where the loop ended', async () => {
		const failed = await run({ runs: 3 }, entry(failing));
		expect(failed.error).toBeDefined();
		expect(await booked()).toBe(2);
		const { error } = await run({ retryOf: failed.run, workflowName: 'Corrected' }, entry(failing));
		expect(error).toBeUndefined();
		expect(await booked()).toBe(3);
	});

	it('sends nothing when n8n has marked it as crashed, in whatever words', async () => {
		const failed = await run({ runs: 3 }, entry(failing));
		const stored = structuredClone(failed.run);
		Object.assign(failed.run.data.resultData.error!, { name: 'Another', message: 'n8n was gone' });
		const { error } = await run({ retryOf: stored, workflowName: 'Corrected' }, entry(failing));
		expect(error?.message).toContain('n8n was stopped while this execution was writing');
		expect(await booked()).toBe(2);
	});
});

it('gives the same answer to tool calls that begin at once', async () => {
	// n8n's engine gives a tool no time at which its execution began unless a whole agent runs.
	database.checkProcessedAndRecord = async (processed) => await sleep(10, { processed, new: [] });
	const context = contextOf({});
	const attempts: Attempts = { tries: 0 };
	const calls = [1, 2, 3].map(
		async () => await isOutOfDate(context, attempts, { node: 'Tool', run: 'tool' }),
	);
	expect(await Promise.all(calls)).toEqual([true, true, true]);
});

describe('a retry', () => {
	interface Retry {
		attempts: Attempts;
		at?: NodeRun;
		/** What n8n has of the execution before. */
		earlier?: () => { resultData: object } | undefined;
	}
	const warn = vi.fn();
	beforeEach(() => void warn.mockReset());

	const retry = async ({
		attempts,
		at = { node: 'Book', run: 0 },
		earlier = () => ({ resultData: {} }),
	}: Retry) => {
		const getExecutionDataById = async () => await Promise.resolve(earlier());
		return await isOutOfDate(contextOf({ logger: { warn }, getExecutionDataById }), attempts, at);
	};
	/** As n8n has it where a node failed, or where n8n found afterwards that it had been killed. */
	const ended = (executionStatus: string, message: string) => ({
		resultData: {
			error: new Error('refused'),
			lastNodeExecuted: 'Book',
			runData: { Book: [{ executionStatus, error: new Error(message) }] },
		},
	});
	const failed = () => ended('error', 'refused');
	/** Of execution 7, in the first run of the node. */
	const before = (own: Partial<Attempts> = {}): Attempts => ({
		tries: 1,
		first: '7',
		execution: '7',
		node: 'Book',
		run: 0,
		...own,
	});

	it('counts as another try, and names itself, its node and its run', async () => {
		const attempts = before();
		await retry({ attempts, at: { node: 'Book', run: 1 }, earlier: failed });
		expect(attempts).toEqual({ tries: 2, first: '7', execution: '8', node: 'Book', run: 1 });
	});

	it('of an execution that had written nothing is known by when that began', async () => {
		const begin = async (establishedAt: number, execution: string) => {
			const context = contextOf({ execution, getExecutionContext: () => ({ establishedAt }) });
			return await isOutOfDate(context, { tries: 0 }, { node: 'Book', run: 0 });
		};
		expect(await begin(1, '8')).toBe(false);
		expect(await begin(2, '9')).toBe(false);
		expect(await begin(2, '10')).toBe(true);
	});

	it('of the run that was last needs no word of how that ended', async () => {
		const earlier = vi.fn();
		expect(await retry({ attempts: before(), earlier })).toBe(false);
		expect(earlier).not.toHaveBeenCalled();
	});

	it('goes on in another node after it has waited', async () => {
		const attempts = before({ execution: '8' });
		expect(await retry({ attempts, at: { node: 'Other', run: 0 } })).toBe(false);
	});

	it.each([
		['failed', failed, false],
		['did not fail', () => ({ resultData: {} }), true],
		['crashed', () => ended('crashed', 'refused'), true],
		['failed in a node before, but that was not its end', () => ended('error', 'another'), true],
		['is no longer there', () => undefined, true],
	])('by another node depends on how the execution ended: it %s', async (_, earlier, isLate) => {
		expect(await retry({ attempts: before(), at: { node: 'Other', run: 0 }, earlier })).toBe(isLate);
		expect(warn).not.toHaveBeenCalled();
	});

	it('by a tool depends on it, too, as its calls have no number', async () => {
		const attempts = before({ run: 'tool' });
		expect(await retry({ attempts, at: { node: 'Book', run: 'tool' } })).toBe(true);
	});

	it('sends nothing when n8n can’t say how the execution ended, and the log says so', async () => {
		const earlier = () => {
			throw new Error('database is locked');
		};
		expect(await retry({ attempts: before(), at: { node: 'Other', run: 0 }, earlier })).toBe(true);
		expect(warn.mock.calls).toEqual([
			['Whether execution 7 of workflow "Loop" has ended is unknown: database is locked'],
		]);
	});
});
