/** The journal by itself: what it keeps in an execution's data. With a whole run: journal.test.mts, retry.test.mts. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import type { Failure } from '../../../../../nodes/shared/errors/failure.js';
import {
	isTool,
	named,
	type Remembered,
	type Write,
	WriteJournal,
} from '../../../../../nodes/shared/run/journal/journal.js';
import { type FakeContext, fakeContext } from '../../../../support/fakeContext.mjs';
import { partial } from '../../../../support/partial.mjs';

const WRITE: Write = {
	item: 0,
	endpoint: 'POST /v2/acct-duo/kassenbuch-einfach',
	destination: 'https://gateway.example.com, connection a',
	label: 'belegnummer K-1',
	unique: '["K-1"]',
};
const part = (name: string, index: number): Write => ({ ...WRITE, part: { name, index }, label: name });
const failure = (outcome: Failure['outcome']): Failure => ({
	outcome,
	message: 'It broke',
	description: 'See there.',
	transient: false,
});

/** Opens the journal of each attempt in the same execution's data. */
function journals(own: FakeContext = {}) {
	const memory: IDataObject = {};
	const open = async (more: FakeContext = {}) =>
		await WriteJournal.open(fakeContext({ memory, ...own, ...more }).context);
	return { memory, open };
}

describe('a write', () => {
	it('that has begun and not ended is of unknown outcome to the next attempt', async () => {
		const { open } = journals();
		expect((await open()).begin(WRITE)).toBeUndefined();
		expect((await open()).begin(WRITE)).toMatchObject({
			failure: {
				outcome: 'unknown',
				message: 'The node was interrupted while this request was in flight',
				description: expect.stringMatching(/^belegnummer K-1: .*check the accounting system/),
			},
		});
	});

	it('that was only asked for has not begun', async () => {
		const { open } = journals();
		expect((await open()).recall(WRITE)).toBeUndefined();
		expect((await open()).begin(WRITE)).toBeUndefined();
	});

	it('that was carried out has its answer, and who got it', async () => {
		const { open } = journals();
		(await open()).complete(WRITE, { id: 7 });
		expect((await open({ execution: '2' })).recall(WRITE)).toMatchObject({ body: { id: 7 }, execution: '1' });
	});

	it.each(['refused', 'notSent'] as const)('that was %s may be sent again', async (outcome) => {
		const { open } = journals();
		const first = await open();
		first.begin(WRITE);
		first.fail(WRITE, failure(outcome));
		expect((await open()).begin(WRITE)).toBeUndefined();
	});

	it.each(['unknown', 'incomplete', 'failed'] as const)('that is %s may not', async (outcome) => {
		const { open } = journals();
		(await open()).fail(WRITE, failure(outcome));
		expect((await open()).begin(WRITE)).toMatchObject({ failure: failure(outcome) });
	});

	it('is another one in another run of the node, for another item, and at another endpoint', async () => {
		const items = [{ json: {} }, { json: {} }];
		const { open } = journals({ items });
		(await open()).complete(WRITE, {});
		expect((await open({ run: 1 })).recall(WRITE)).toBeUndefined();
		expect((await open()).recall({ ...WRITE, item: 1 })).toBeUndefined();
		expect((await open()).recall({ ...WRITE, endpoint: 'POST /v2/other' })).toBeUndefined();
	});

	it('is not sent to a second place, and the first one is named', async () => {
		const { open } = journals();
		(await open()).complete(WRITE, {});
		expect((await open()).recall({ ...WRITE, destination: 'elsewhere' })).toMatchObject({
			failure: {
				outcome: 'notSent',
				description: expect.stringContaining(`It went to ${WRITE.destination},`),
			},
		});
	});

	it('is not sent for an item that has changed; files may have other IDs', async () => {
		const item = (amount: number, id: string, size = 1) => [
			{
				json: { amount },
				binary: { data: { id, mimeType: 'x', data: 'filesystem', fileSize: String(size) } },
			},
		];
		const { open } = journals();
		(await open({ items: item(1, 'a') })).complete(WRITE, {});
		expect((await open({ items: item(1, 'b') })).recall(WRITE)).toMatchObject({ body: {} });
		for (const items of [item(2, 'a'), item(1, 'a', 2)]) {
			expect((await open({ items })).recall(WRITE)).toMatchObject({
				failure: { outcome: 'unknown', message: expect.stringContaining('the item has changed since') },
			});
		}
	});

	it('is forgotten when all of the run has succeeded, and those of other runs are not', async () => {
		const { open, memory } = journals();
		(await open()).complete(WRITE, {});
		const second = await open({ run: 1 });
		second.begin(WRITE);
		second.complete(WRITE, {});
		second.clear();
		const { nodes } = memory.accountingGatewayWritten as { nodes: IDataObject };
		expect(nodes).toEqual({
			Node: { id: 'node', results: { [`0/0/${WRITE.endpoint}`]: expect.anything() } },
		});
	});
});

describe('the parts of an item', () => {
	it('are kept apart by their names, wherever they come', async () => {
		const { open } = journals();
		const first = await open();
		first.complete(part('a', 0), { of: 'a' });
		first.complete(part('b', 1), { of: 'b' });
		const next = await open();
		expect(next.recall(part('b', 0))).toMatchObject({ body: { of: 'b' } });
		expect(next.recall(part('a', 1))).toMatchObject({ body: { of: 'a' } });
		expect(next.recall(part('c', 0))).toBeUndefined();
		expect(next.recall(part('c', 2))).toBeUndefined();
	});

	it('are found if the item had only one before, which is then the first', async () => {
		const { open } = journals();
		(await open()).complete(WRITE, { of: 'whole' });
		const next = await open();
		expect(next.recall(part('a', 0))).toMatchObject({ body: { of: 'whole' } });
		expect(next.recall(part('b', 1))).toBeUndefined();
	});
});

describe('the call of a tool', () => {
	const call = (text: string, toolCallId = '1') => [{ json: { text, toolCallId } }];

	it('is the same one with the same input, whatever its ID and its run', async () => {
		const { open } = journals({ isTool: true });
		(await open({ items: call('a') })).complete(WRITE, { of: 'a' });
		const again = await open({ items: call('a', '2'), run: 3 });
		expect(again.recall(WRITE)).toMatchObject({ body: { of: 'a' } });
		expect((await open({ items: call('b') })).recall(WRITE)).toBeUndefined();
	});

	it('with another number of its own is another write, and an unknown one is not', async () => {
		const { open } = journals({ isTool: true });
		const other = { ...WRITE, unique: '["K-2"]' };
		(await open({ items: call('a') })).complete(WRITE, {});
		expect((await open({ items: call('a') })).recall(other)).toBeUndefined();
		(await open({ items: call('b') })).fail(WRITE, failure('unknown'));
		expect((await open({ items: call('b') })).recall(other)).toMatchObject({
			failure: { outcome: 'unknown' },
		});
	});

	it('stays known after a success where a number tells it from the next one', async () => {
		const { open } = journals({ isTool: true });
		for (const unique of ['["K-1"]', undefined]) {
			const items = call(String(unique));
			const write = { ...WRITE, unique };
			const journal = await open({ items });
			journal.begin(write);
			journal.complete(write, {});
			journal.clear();
			expect((await open({ items })).recall(write) !== undefined).toBe(unique !== undefined);
		}
	});

	it('that equals one in flight waits for its result, and has it', async () => {
		const { open } = journals({ isTool: true, items: call('a') });
		const other = { ...WRITE, unique: '["K-2"]' };
		let answer = (_: Remembered) => {};
		const first = (await open()).once(WRITE, async () => await new Promise((resolve) => (answer = resolve)));
		const send = vi.fn(async () => await Promise.resolve({ body: { of: 'another' } }));
		const equal = [(await open()).once(WRITE, send), (await open()).once(other, send)];
		answer({ body: { of: 'a' } });
		expect(await Promise.all([first, ...equal])).toEqual(
			Array.from({ length: 3 }, () => ({ body: { of: 'a' } })),
		);
		expect(send).not.toHaveBeenCalled();
		await (await open({ items: call('b') })).once(WRITE, send);
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('is found by a tool that was renamed since, and by one that was pasted again', async () => {
		const { open } = journals({ isTool: true, mode: 'retry', items: call('a') });
		(await open()).complete(WRITE, { of: 'a' });
		const renamed = await open({ name: 'Renamed', nodes: ['Renamed'] });
		expect(renamed.recall(WRITE)).toMatchObject({ body: { of: 'a' } });
		const pasted = await open({ name: 'Renamed', id: 'pasted', nodes: ['Renamed'] });
		expect(pasted.recall(WRITE)).toMatchObject({ body: { of: 'a' } });
	});

	it('is of unknown outcome by a tool that was renamed and pasted again, also on the next retry', async () => {
		const { open } = journals({ isTool: true, mode: 'retry', items: call('a') });
		(await open()).complete(WRITE, { of: 'a' });
		for (let retry = 0; retry < 2; retry++) {
			const another = await open({ name: 'Another', id: 'pasted', nodes: ['Another'] });
			expect(another.stopped).toBe(true);
			expect(another.begin(WRITE)).toMatchObject({
				failure: { outcome: 'unknown', message: expect.stringContaining('a tool that no longer exists') },
			});
		}
	});

	it('is another one by another tool, which is there beside the first', async () => {
		const { open } = journals({ isTool: true, mode: 'retry', items: call('a') });
		(await open()).complete(WRITE, { of: 'a' });
		const beside = await open({ name: 'Beside', id: 'beside', nodes: ['Node', 'Beside'] });
		expect(beside.begin(WRITE)).toBeUndefined();
	});

	it('is recognized in each way in which n8n’s agents call', () => {
		const { context } = fakeContext();
		expect(isTool(context)).toBe(false);
		expect(isTool(fakeContext({ isTool: true }).context)).toBe(true);
		expect(isTool(partial({ ...context, isToolExecution: () => true }))).toBe(true);
		// Older versions of n8n.
		expect(isTool(Object.assign({}, context, { connectionType: 'ai_tool' }))).toBe(true);
		expect(isTool(Object.assign({}, context, { connectionType: 'main' }))).toBe(false);
		expect(isTool(partial({ ...context, isToolExecution: () => false }))).toBe(false);
	});
});

it('a failure begins with the name of the record, where it has one', () => {
	expect(named(failure('unknown'), 'belegnummer K-1').description).toBe('belegnummer K-1: See there.');
	expect(named(failure('unknown'))).toEqual(failure('unknown'));
});
