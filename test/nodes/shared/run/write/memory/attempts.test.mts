/** What an execution's start in n8n's database keeps from being sent: after a kill, and when it is retried again. */
import type { INode, INodeParameters, IRun, WorkflowExecuteMode } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { logger } from '../../../../../../host/engine.mjs';
import { FakeDatabase } from '../../../../../support/fakeDatabase.mjs';
import { type RunOptions, type RunResult, toolOf, workflowOf } from '../../../../../../host/harness.mjs';
import { settled } from '../../../../../../scripts/base/waiting.mjs';
import { loadNode, simpleEntry, uploadToDuo } from '../../../../../../host/workflows.mjs';
import { useGateway } from '../../../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
let database: FakeDatabase;
/** A workflow for each test: its row is looked after in the background, also after the test has ended. */
let workflowId: string;
let nr = 0;

beforeEach(() => {
	database = new FakeDatabase();
	database.install();
	workflowId = `loop ${++nr}`;
});

/** n8n's row of the workflow. */
const rowOf = () => `${workflowId}/`;
const NEW_NUMBER = '"K-1" + Math.random().toString(36).slice(2)';

/** Books once in each run of a loop. @param belegnummer an expression that fails where it gives no number */
const entry = (belegnummer = `={{ ${NEW_NUMBER} }}`) =>
	simpleEntry(gateway.connectionId('duo'), { belegnummer });
/** The same, but fails in one of the runs, before anything is sent, until the workflow is corrected. */
const failingIn = (run: number) =>
	entry(`={{ $runIndex === ${run} && $workflow.name !== "Corrected" ? "no number" : ${NEW_NUMBER} }}`);

const run = async (options: Partial<RunOptions>, parameters = entry()) =>
	await gateway.run(node, parameters, { items: [{}], workflowId, ...options });
/** Runs an execution again, or on, after someone has edited the node, or in another one. Default: by "Retry". */
async function goOnIn(settings: Partial<INode>, retryOf: IRun, options: Partial<RunOptions> = {}) {
	for (const next of retryOf.data.executionData!.nodeExecutionStack) Object.assign(next.node, settings);
	return await run({ retryOf, settings, ...options });
}
const tool = (mode: WorkflowExecuteMode, data?: IRun['data']) => {
	const { credential } = gateway;
	return toolOf({ node, parameters: entry(), credential, workflowId, mode }, data);
};
const refuseSecond = async () =>
	await gateway.fault({ kind: 'status', status: 422, after: 1, operationId: 'createCashBookEntry' });

const booked = async () => (await gateway.list('entries')).length;
async function expectSent({ error }: RunResult, all: number): Promise<void> {
	expect(error).toBeUndefined();
	expect(await booked()).toBe(all);
}
const STOPPED = 'n8n was stopped while this execution was writing, or the execution was retried before, or';
async function expectNotSent({ error }: RunResult, before: number): Promise<void> {
	expect(error?.message).toContain(STOPPED);
	expect(error?.description).toContain('check the newest retry, if there is one, and look it up');
	expect(await booked()).toBe(before);
}

/**
 * What n8n has of an execution that hasn't ended: its data as it began, or, with "Save execution progress" or while it
 * waits, as it was after a node, before the workflow came to the node again.
 */
function unfinished({ run: { data, ...rest } }: RunResult, progress: 'unsaved' | 'saved', runs = 1): IRun {
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
		expect([...database.rows.keys()]).toEqual([rowOf()]);
		// From which state it has started, and that it has.
		expect(database.rows.get(rowOf())).toHaveLength(2);
		// And once it is looked after.
		await expect.poll(() => database.writes.get(rowOf())).toBe(2);
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
		await expectNotSent(await run({ retryOf: unfinished(await run({}), 'unsaved') }), 1);
		// No fewer than a node that writes remembers there: the rest would be written again.
		expect([...kept]).toEqual([60_000]);
		// Once, although n8n was asked three times and more.
		const once = expect.stringMatching(/node of workflow ".+" has processed: .*incompatible setting/);
		expect(log.mock.calls).toEqual([[once, { workflowId, node: 'Node' }]]);
		vi.restoreAllMocks();
	});

	it('is not marked where n8n fails, and the log says why for both rows', async () => {
		const log = vi.spyOn(logger, 'warn').mockReturnValue();
		const fail = () =>
			vi
				.spyOn(database, 'checkProcessedAndRecord')
				.mockImplementation(async (_, scope) => await Promise.reject(new Error(`no ${scope} here`)));
		const failing = fail();
		await expectSent(await run({}), 1);
		const logged = () =>
			log.mock.calls.map(([message]) => /no \w+ here/.exec(message)?.[0] ?? message).toSorted();
		expect(logged()).toEqual(['no node here', 'no workflow here']);
		failing.mockRestore();
		await expectSent(await run({}), 2);
		fail();
		await expectSent(await run({}), 3);
		// Once more, as n8n could record something in between.
		expect(logged()).toEqual(['no node here', 'no node here', 'no workflow here', 'no workflow here']);
		vi.restoreAllMocks();
	});

	it('sends nothing where n8n 1.123 runs it again, as its worker was lost', async () => {
		const again = { executionId: 'lost', mode: 'webhook' } as const;
		await expectNotSent(await run({ ...again, retryOf: unfinished(await run(again), 'unsaved') }), 1);
	});

	it.each(['webhook', 'retry'] as const)('goes on after it has waited, once (mode "%s")', async (mode) => {
		const again = { executionId: mode, mode };
		const waited = unfinished(await run({ executionId: mode }), 'saved');
		const goOn = async () => await goOnIn({ name: 'Other' }, waited, again);
		await expectSent(await goOn(), 2);
		await expectNotSent(await goOn(), 2);
	});

	it.each([
		['retried', 'itself'],
		['itself', 'retried'],
	])('that n8n’s API retried while it ran sends nothing when %s was first and %s second', async (first) => {
		// It hasn't come to the node yet.
		const running = unfinished(await run({}, entry('a rule is broken')), 'unsaved');
		const attempts = [
			async () => await run({ retryOf: running }),
			async () => await run({ retryOf: running, mode: 'webhook', executionId: 'running' }),
		];
		if (first === 'itself') attempts.reverse();
		const [begin, follow] = attempts;
		await expectSent(await begin(), 1);
		await expectNotSent(await follow(), 1);
		// Nor does whoever begins from there afterward.
		for (const executionId of ['later', 'last'])
			await expectNotSent(await run({ retryOf: running, mode: 'webhook', executionId }), 1);
	});

	it('sends though one or two others have begun in the same millisecond', async () => {
		const other = unfinished(await run({}), 'unsaved');
		for (const [i, executionId] of ['a', 'b', 'c'].entries())
			await expectSent(await run({ mode: 'webhook', retryOf: other, executionId }), i + 2);
	});
});

describe('a retry of an execution that was killed', () => {
	it('sends nothing by a node after the one whose end n8n has stored', async () => {
		const stopped = unfinished(await run({}), 'saved');
		await expectNotSent(await goOnIn({ name: 'Other' }, stopped), 1);
	});

	it.each<['unsaved' | 'saved', Partial<INode>, runs: number]>([
		['unsaved', {}, 1],
		['saved', {}, 3 + 1],
		['saved', { onError: 'continueRegularOutput' }, 3 + 5],
	])('sends nothing in any run of a loop, its progress being %s: %o', async (progress, settings, runs) => {
		const log = vi.spyOn(logger, 'warn');
		const retried = await goOnIn(settings, unfinished(await run({ runs: 3 }), progress, 5));
		expect(await booked()).toBe(3);
		expect(retried.run.data.resultData.runData.Node).toHaveLength(runs);
		if (!settings.onError) await expectNotSent(retried, 3);
		expect(log).not.toHaveBeenCalled();
		log.mockRestore();
	});

	it.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'takes nothing for unsent because it breaks a rule now (%s)',
		async (onError) => {
			const stopped = unfinished(await run({ items: [{}, {}] }), 'unsaved');
			const belegnummer = `={{ $itemIndex || "${onError}" === "stopWorkflow" ? "a rule is broken" : ${NEW_NUMBER} }}`;
			const parameters = entry(belegnummer);
			stopped.data.executionData!.nodeExecutionStack[0].data.main[0]!.push({ json: {} });
			const { error, errors } = await goOnIn({ onError, parameters }, stopped);
			expect(error?.message ?? 'This retry sent nothing').toContain('This retry sent nothing');
			expect(errors).toMatchObject(error ? [] : Array(2).fill({ details: { outcome: 'unknown' } }));
		},
	);

	it.each<[string, () => Partial<INode>]>([
		['an item that breaks a rule', () => ({ parameters: entry('a rule is broken') })],
		['no credential', () => ({ credentials: undefined })],
	])('takes nothing for unsent where it has only %s', async (_, change) => {
		const stopped = unfinished(await run({}), 'unsaved');
		const settings: Partial<INode> = { onError: 'continueErrorOutput', ...change() };
		const { errors } = await goOnIn(
			settings,
			stopped,
			'credentials' in settings ? { credential: undefined } : {},
		);
		expect(errors).toMatchObject([{ details: { outcome: 'unknown' } }]);
		const rule = { issues: [{ field: 'belegnummer', value: { en: 'a rule is broken' } }] };
		if ('parameters' in settings) {
			expect(errors).toMatchObject([{ details: rule }]);
			expect(errors[0].error).toMatch(/It breaks a rule now: .*\(belegnummer\) "a rule is broken"/);
		}
	});

	it('sends nothing by a tool, however many of its calls begin at once', async () => {
		const { data } = unfinished(await run({}), 'unsaved');
		const call = tool('retry', data);
		const calls = ['a', 'b', 'c'].map(async (text) => await expect(call({ text })).rejects.toThrow(STOPPED));
		await Promise.all(calls);
		expect(await booked()).toBe(1);
	});

	it('sends nothing more by a tool, as its calls have no number', async () => {
		const { data } = unfinished(await run({}), 'unsaved');
		await tool('webhook', data)({ text: 'a' });
		await expect(tool('retry', structuredClone(data))({ text: 'b' })).rejects.toThrow(STOPPED);
		expect(await booked()).toBe(2);
	});

	it('sends by a tool where n8n does not say when the execution began', async () => {
		for (const text of ['a', 'b']) await tool('retry')({ text });
		expect(await booked()).toBe(2);
	});
});

describe('retries of a failed execution', () => {
	const items = [{}, {}];
	const corrected = async (retryOf: IRun) => await run({ retryOf, workflowName: 'Corrected' }, failingIn(-1));
	/** Has n8n fail to read the data of an execution that has ended. */
	const hide = (data: IRun['data']) =>
		Object.defineProperty(data, 'resultData', {
			get: () => {
				throw new Error('database is locked');
			},
		});

	it('mark their start, and look after it once they have seen that it is still there', async () => {
		const writes = () => database.writes.get(rowOf());
		await refuseSecond();
		const failed = await run({ items });
		await expect.poll(writes).toBe(2);
		await expectSent(await run({ retryOf: failed.run }), 2);
		await expect.poll(writes).toBe(2 + 3);
		// No further one follows.
		await settled(writes, 600);
		expect(writes()).toBe(2 + 3);
	});

	it('go on where nothing had been written, once for each execution', async () => {
		const failed = [await run({}, failingIn(0))];
		// The second one begins in another millisecond.
		await vi.waitUntil(
			(
				(begun) => () =>
					Date.now() > begun + 1
			)(Date.now()),
			{ interval: 1 },
		);
		failed.push(await run({}, failingIn(0)));
		for (const [i, { run: one }] of failed.entries()) await expectSent(await corrected(one), i + 1);
		for (const { run: one } of failed) await expectNotSent(await corrected(one), 2);
	});

	it.each<[string, () => Promise<RunResult>]>([
		['run', async () => await run({ runs: 2 })],
		[
			'node',
			async () => {
				const again = { executionId: 'two' };
				return await goOnIn({ name: 'Other' }, unfinished(await run(again), 'saved'), again);
			},
		],
	])('go on in the %s in which it ended, whether or not n8n can say how', async (_, fail) => {
		await refuseSecond();
		const { run: failed } = await fail();
		expect(await booked()).toBe(1);
		const [{ node: last }] = failed.data.executionData!.nodeExecutionStack;
		const retryOf = structuredClone(failed);
		hide(failed.data);
		await expectSent(await goOnIn({ name: last.name }, retryOf), 2);
	});

	it.each<[string, string | undefined, (ended: IRun['data']) => void]>([
		['go on in a run that had sent nothing', undefined, () => {}],
		[
			'send nothing in a run that had sent nothing when n8n has marked it as crashed, in whatever words',
			'',
			({ resultData }) => Object.assign(resultData.error!, { name: 'Another', message: 'n8n was gone' }),
		],
		[
			'send nothing in a run that had sent nothing when the node has crashed',
			'',
			({ resultData }) => Object.assign(resultData.runData.Node[2], { executionStatus: 'crashed' }),
		],
		[
			'send nothing in a run that had sent nothing when n8n can’t say how it ended, which the log says',
			'workflow "Corrected" has ended is unknown: database is locked',
			hide,
		],
	])('%s', async (_, logged, change) => {
		const log = vi.spyOn(logger, 'warn').mockReturnValue();
		const failed = await run({ runs: 3 }, failingIn(2));
		expect(await booked()).toBe(2);
		const stored = structuredClone(failed.run);
		change(failed.run.data);
		const retried = await corrected(stored);
		await (logged === undefined ? expectSent(retried, 3) : expectNotSent(retried, 2));
		expect(log.mock.calls.map(([message]) => message).join()).toContain(logged ?? '');
		log.mockRestore();
	});

	it('go on where n8n fails before they can ask whether their start is still recorded', async () => {
		await refuseSecond();
		const failed = await run({ items });
		await expect.poll(() => database.writes.get(rowOf())).toBe(2);
		const record = database.checkProcessedAndRecord.bind(database);
		vi.spyOn(database, 'checkProcessedAndRecord')
			.mockRejectedValue(new Error('no database'))
			.mockImplementationOnce(record);
		await expectSent(await run({ retryOf: failed.run }), 2);
	});

	it('go on by a node that comes after the one that has written', async () => {
		const failed = await run({ runs: 2 }, failingIn(1));
		expect(await booked()).toBe(1);
		await expectSent(await goOnIn({ name: 'Other' }, failed.run), 2);
	});

	it.each([
		['the same execution', 1],
		['different executions', 2],
	])('go on once when two processes begin those of %s at the same moment', async (_, executions) => {
		const failures: RunResult[] = [];
		for (let i = 0; i < executions; i++) {
			await refuseSecond();
			failures.push(await run({ items }));
		}
		// Looking after a mark would be one of the calls that meet.
		await settled(() => database.writes.get(rowOf()), 600);
		vi.resetModules();
		const there = await loadNode('AccountingGatewayDelivery');
		database.meet(rowOf());
		const both = await Promise.all(
			[node, there].map(async (type, i) => {
				const retryOf = failures[i % executions].run;
				return await gateway.run(type, entry(), { workflowId, retryOf });
			}),
		);
		// The one whose mark was overwritten can't tell by whom, so it sends nothing.
		expect(both.map(({ error }) => error?.message).filter(Boolean)).toEqual([
			expect.stringContaining(STOPPED),
		]);
		expect(await booked()).toBe(executions + 1);
		const done = failures[both.findIndex(({ error }) => !error) % executions];
		await expectNotSent(await run({ retryOf: done.run }), executions + 1);
	});
});

/** Entries with one line, of which the first two are one. */
const split = () =>
	simpleEntry(gateway.connectionId('duo'), {
		operation: 'createAdvanced',
		belegnummer: '',
		betrag: '',
		belegzeilenFrom: 'fields',
		belegzeilen: { belegzeile: [{ betrag: '10', prozent: '19', belegtext: '=Row {{ $json.i }}' }] },
		combineBy: '={{ $itemIndex < 2 ? "x" : "y" }}',
		options: { alreadyBooked: true },
	});
const numbered = () => {
	const own = { belegtext: '=Row {{ $json.i }}', options: { alreadyBooked: true } };
	return { ...split(), ...simpleEntry(gateway.connectionId('duo'), own) };
};
const made = () => ({ ...numbered(), belegnummer: '' });
const upload = () => uploadToDuo(gateway.connectionId('duo'));
it.each<[string, () => INodeParameters, INodeParameters, sent: number]>([
	['an option is off that remembers it', split, { options: {} }, 1],
	['it is combined in another way', split, { combineBy: '={{ $itemIndex < 1 ? "x" : "y" }}' }, 0],
	['another operation would send it', numbered, { operation: 'createAdvanced', combineBy: '' }, 1],
	['it has another connection', numbered, { connectionId: '123e4567-e89b-42d3-a456-426614174000' }, 1],
	['its made number is that of another day', made, { transaktionsdatum: '2026-03-03' }, 1],
	[
		'its file is remembered in another way',
		upload,
		{ options: { alreadyUploaded: true, idFromContent: false } },
		1,
	],
	['its ID is no longer made from its content', upload, { options: { idFromContent: false } }, 1],
])('sends nothing that was there already, although %s', async (_, parametersOf, change, sent) => {
	const parameters = { belegbilder: '', ...parametersOf() };
	const all = [0, 1, 2].map((i) => {
		const file = { content: Buffer.from(`Row ${i}`), fileName: `Row ${i}.pdf`, mimeType: 'application/pdf' };
		return { json: { i }, files: { data: file } };
	});
	await run({ items: all.slice(0, 2) }, parameters);
	await gateway.fault({ kind: 'status', status: 422, contains: 'Row 2' });
	const { run: failed, error } = await run({ items: all }, parameters);
	expect(error?.message).toContain('422');
	const before = (await gateway.requests()).length;
	const [{ node: stored }] = failed.data.executionData!.nodeExecutionStack;
	Object.assign(stored, { parameters: { ...parameters, ...change }, onError: 'continueErrorOutput' });
	await run({ retryOf: failed }, parameters);
	expect((await gateway.requests()).length - before).toBe(sent);
});
