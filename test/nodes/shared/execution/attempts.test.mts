import { setTimeout as sleep } from 'node:timers/promises';
import type { IExecuteFunctions } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { type Attempts, isOutOfDate } from '../../../../nodes/shared/execution/attempts.js';
import { type RunOptions, type RunResult, workflowOf } from '../../../support/harness.mjs';
import { simpleEntry } from '../../../support/simpleEntry.mjs';
import { FakeDatabase } from '../../../support/triggerHarness.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
let database: FakeDatabase;

beforeEach(() => {
	database = new FakeDatabase();
	database.install();
});

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
		expect(marks).toHaveLength(1);
		// And once it is looked after.
		await expect.poll(() => database.writes.get(row)).toBe(2);
	});

	it('is marked for each node, even if two have the same ID', async () => {
		const failed = await run({ settings: { id: 'same', name: 'One' } });
		const twin = killed(failed, 'unsaved');
		twin.data.executionData!.nodeExecutionStack[0].node.name = 'Other';
		twin.data.executionData!.nodeExecutionStack[0].node.id = 'same';
		const { error } = await run({ settings: { id: 'same', name: 'Other' }, retryOf: twin });
		expect(error).toBeUndefined();
		expect(await booked()).toBe(2);
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

	it('sends nothing if version 0.1.0 has marked it', async () => {
		const looped = await run({ runs: 1 });
		const { establishedAt } = looped.run.data.executionData!.runtimeData!;
		const [row] = database.rows.keys();
		database.rows.set(row, [`writes ${establishedAt}/0/0`]);
		const { error } = await run({ retryOf: killed(looped, 'unsaved') });
		expect(error?.message).toContain('n8n was stopped while this execution was writing');
		expect(await booked()).toBe(1);
	});
});

describe('a retry of a loop that has failed', () => {
	/** Fails in the third run, before anything is sent. */
	const failing =
		'={{ $runIndex < 2 || $workflow.name === "Corrected" ? "K-" + $runIndex : $json.missing.field }}';

	it('continues where the loop ended', async () => {
		const failed = await run({ runs: 3 }, entry(failing));
		expect(failed.error).toBeDefined();
		expect(await booked()).toBe(2);
		const { error } = await run({ retryOf: failed.run, workflowName: 'Corrected' }, entry(failing));
		expect(error).toBeUndefined();
		expect(await booked()).toBe(3);
	});

	it('sends nothing when it is the second retry from the same state', async () => {
		const failed = await run({ runs: 3 }, entry(failing));
		await run({ retryOf: failed.run, workflowName: 'Corrected' }, entry(failing));
		const { error } = await run({ retryOf: failed.run, workflowName: 'Corrected' }, entry(failing));
		expect(error?.message).toContain('or the execution was retried before');
		expect(await booked()).toBe(3);
	});

	it('sends nothing when n8n has marked it as crashed', async () => {
		const failed = await run({ runs: 3 }, entry(failing));
		const stored = structuredClone(failed.run);
		Object.assign(failed.run.data.resultData.error!, {
			name: 'WorkflowCrashedError',
			message: 'Workflow did not finish, possible out-of-memory issue',
		});
		const { error } = await run({ retryOf: stored, workflowName: 'Corrected' }, entry(failing));
		expect(error?.message).toContain('n8n was stopped while this execution was writing');
		expect(await booked()).toBe(2);
	});
});

it('gives the same answer to tool calls that begin at once', async () => {
	// n8n's engine gives a tool no time at which its execution began unless a whole agent runs.
	const context = {
		getExecutionContext: () => ({ establishedAt: 1 }),
		getExecutionId: () => '2',
		getMode: () => 'retry',
		getNode: () => ({ name: 'Tool' }),
		helpers: {
			checkProcessedAndRecord: async (processed: string[]) => await sleep(10, { processed, new: [] }),
		},
	} as unknown as IExecuteFunctions;
	const attempts: Attempts = { tries: 0 };
	const calls = [1, 2, 3].map(async () => await isOutOfDate(context, attempts, 'tool'));
	expect(await Promise.all(calls)).toEqual([true, true, true]);
});
