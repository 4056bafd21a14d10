/** The journal by itself: what it keeps in an execution's data. With a whole run: journal.test.mts, retry.test.mts. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import type { Failure } from '../../../../../nodes/shared/errors/failure.js';
import { Journal } from '../../../../../nodes/shared/run/journal/journal.js';
import { remembered } from '../../../../../nodes/shared/run/links/remembered.js';
import { failed, type Outcome } from '../../../../../nodes/shared/run/task.js';
import type { Write } from '../../../../../nodes/shared/run/task.js';
import { type FakeContext, fakeContext } from '../../../../support/fakes.mjs';
import { partial } from '../../../../support/partial.mjs';

const ENDPOINT = 'POST /v2/acct-duo/kassenbuch-einfach';

interface Own {
	items?: number[];
	part?: string;
	endpoint?: string;
	number?: string;
}

const writeOf = ({ items = [0], part, endpoint = ENDPOINT, number = 'K-1' }: Own = {}): Write => {
	const identity = number ? { value: number, within: 'a' } : {};
	return partial({
		task: partial({ items, part, identity, label: 'belegnummer K-1' }),
		request: partial({ endpoint }),
	});
};
const done = (value: unknown): Outcome => ({ kind: 'done', value });
const failure = (outcome: Failure['outcome']): Failure => ({
	outcome,
	message: 'It broke',
	description: 'See there.',
	transient: false,
});

/** The attempts of an execution: each sends, if it may, and gets the outcome given. */
function attempts(own: FakeContext = {}, memory: IDataObject = {}) {
	const open = async (more: FakeContext = {}) =>
		await Journal.open(fakeContext({ memory, ...own, ...more }).context, { destination: () => 'here' });
	/** @returns the outcome, and whether something was sent */
	const attempt = async (outcome: Outcome, write: Own = {}, more: FakeContext = {}) => {
		const next = vi.fn(async () => await Promise.resolve(outcome));
		const journal = await open(more);
		const got = await remembered(journal, next)(writeOf(write));
		return { got, sent: next.mock.calls.length > 0, journal };
	};
	return { memory, open, attempt };
}
const unknown = (message: string) => ({
	got: {
		kind: 'failed',
		failure: { outcome: 'unknown', message: expect.stringContaining(message) as string },
	},
	sent: false,
});

describe('a write', () => {
	it('that has begun and not ended is of unknown outcome to the next attempt', async () => {
		const { open, memory } = attempts();
		void (await open()).record(writeOf(), async () => await new Promise(() => {}));
		// In another process.
		const second = await attempts({}, structuredClone(memory)).attempt(done({}));
		expect(second).toMatchObject(unknown('The node was interrupted while this request was in flight'));
	});

	it('that was there already is there again, with the text of the gateway', async () => {
		const { attempt } = attempts();
		const existed: Outcome = { kind: 'existed', said: 'K-1 existiert bereits' };
		await attempt(existed);
		expect(await attempt(done({}))).toMatchObject({ got: existed, sent: false });
	});

	it('is another one in another run of the node, for another item, and at another endpoint', async () => {
		const { attempt } = attempts({ items: [{ json: {} }, { json: {} }] });
		await attempt(done({}));
		expect(await attempt(done({}), {}, { run: 1 })).toMatchObject({ sent: true });
		expect(await attempt(done({}), { items: [1] })).toMatchObject({ sent: true });
		expect(await attempt(done({}), { endpoint: 'POST /v2/other' })).toMatchObject({ sent: true });
	});

	it('is not sent for an item whose file has another size', async () => {
		const item = (fileSize: string) => [
			{ json: {}, binary: { data: { id: 'a', mimeType: 'x', data: 'filesystem', fileSize } } },
		];
		const { attempt } = attempts();
		await attempt(done({}), {}, { items: item('1') });
		const again = await attempt(done({}), {}, { items: item('2') });
		expect(again).toMatchObject(unknown('the item has changed since'));
	});

	it('is forgotten when all of the run has succeeded, and those of other runs are not', async () => {
		const { attempt, memory } = attempts();
		await attempt(done({}));
		(await attempt(done({}), {}, { run: 1 })).journal.clear();
		const { nodes } = memory.accountingGatewayWritten as { nodes: Record<string, { results: object }> };
		expect(Object.keys(nodes.Node.results)).toEqual([`0/0/${ENDPOINT}`]);
	});
});

describe('the parts of an item', () => {
	const part = (name: string): Own => ({ part: name });

	it('are kept apart by their names, wherever they come', async () => {
		const { attempt } = attempts();
		await attempt(done('a'), part('a'));
		await attempt(done('b'), part('b'));
		expect(await attempt(done('c'), part('b'))).toMatchObject({ got: done('b') });
		expect(await attempt(done('c'), part('a'))).toMatchObject({ got: done('a') });
		expect(await attempt(done('c'), part('c'))).toMatchObject({ sent: true });
	});
});

describe('the call of a tool', () => {
	const call = (text: string, toolCallId = '1') => ({ items: [{ json: { text, toolCallId } }] });

	it('is the same one with the same input, whatever its ID and its run', async () => {
		const { attempt } = attempts({ isTool: true });
		await attempt(done('a'), {}, call('a'));
		expect(await attempt(done('b'), {}, { ...call('a', '2'), run: 3 })).toMatchObject({ got: done('a') });
		expect(await attempt(done('b'), {}, call('b'))).toMatchObject({ sent: true });
	});

	it('with another number of its own is another write, and an unknown one is not', async () => {
		const { attempt } = attempts({ isTool: true });
		await attempt(done({}), {}, call('a'));
		expect(await attempt(done({}), { number: 'K-2' }, call('a'))).toMatchObject({ sent: true });
		await attempt(failed(failure('unknown')), {}, call('b'));
		expect(await attempt(done({}), { number: 'K-2' }, call('b'))).toMatchObject({ sent: false });
	});

	it('without a number is another one after a success', async () => {
		const { attempt } = attempts({ isTool: true });
		(await attempt(done({}), { number: '' })).journal.clear();
		expect(await attempt(done({}), { number: '' })).toMatchObject({ sent: true });
	});

	it('is of unknown outcome by a tool that was renamed since, also on the next retry', async () => {
		const { attempt } = attempts({ isTool: true, mode: 'retry' });
		await attempt(done('a'));
		for (let retry = 0; retry < 2; retry++)
			expect(await attempt(done('b'), {}, { name: 'Renamed', nodes: ['Renamed'] })).toMatchObject(
				unknown('a tool that no longer exists'),
			);
	});

	it.each<[string, FakeContext]>([
		['another tool, which is there beside the first', { isTool: true, nodes: ['Node', 'Beside'] }],
		['a node that is no tool', { isTool: false, nodes: ['Beside'] }],
		['a tool that is not retried', { isTool: true, nodes: ['Beside'], mode: 'manual' }],
	])('is another one by %s', async (_, own) => {
		const { attempt } = attempts({ isTool: true, mode: 'retry' });
		await attempt(done('a'));
		expect(await attempt(done('b'), {}, { name: 'Beside', ...own })).toMatchObject({ sent: true });
	});
});
