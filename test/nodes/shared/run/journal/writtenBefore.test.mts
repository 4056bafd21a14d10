/** What a node remembers of entries without a number, while entries of several cash books are sent at once. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { without } from 'lodash';
import range from 'lodash/range.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { WrittenBefore } from '../../../../../nodes/shared/run/journal/writtenBefore.js';
import { partial } from '../../../../support/partial.mjs';

/** What n8n keeps for the node. */
let row: string[] = [];
/** The calls of n8n's functions, with the marks. */
let asked: string[][] = [];
let removed: string[][] = [];
/** How many marks n8n is asked to keep. */
let kept: number[] = [];
const warn = vi.fn();

beforeEach(() => {
	row = [];
	asked = [];
	removed = [];
	kept = [];
	warn.mockReset();
});

/**
 * @param removing n8n waits for it after it has read what to remove
 * @param beforeAsking what another process does to the row first
 */
const contextWith = (removing = async () => await Promise.resolve(), beforeAsking = () => {}) =>
	partial<IExecuteFunctions>({
		logger: { warn },
		getWorkflow: () => ({ id: 'w1', name: 'Cash' }),
		getNode: () => ({ name: 'Book' }),
		helpers: partial<IExecuteFunctions['helpers']>({
			checkProcessedAndRecord: async (given: unknown, _scope: unknown, options: { maxEntries?: number }) => {
				const marks = given as string[];
				beforeAsking();
				asked.push(marks);
				kept.push(Number(options.maxEntries));
				const processed = marks.filter((mark) => row.includes(mark));
				row.push(...without(marks, ...processed));
				return await Promise.resolve({ new: without(marks, ...processed), processed });
			},
			removeProcessed: async (given: unknown) => {
				const marks = [...(given as string[])];
				removed.push(marks);
				await removing();
				row = without(row, ...marks);
			},
		}),
	});

it('keeps what an entry ends with while n8n is removing the mark of another', async () => {
	let meanwhile = () => {};
	const written = new WrittenBefore(
		contextWith(async () => await Promise.resolve(meanwhile())),
		['a', 'b', 'c', 'd'],
	);
	for (const record of ['a', 'b', 'c']) expect(await written.begin(record)).toBe('new');
	written.end('a', 'written');
	meanwhile = () => {
		written.end('b', 'written');
		written.end('c', 'new');
	};
	expect(await written.begin('d')).toBe('new');
	meanwhile = () => {};
	written.end('d', 'written');
	await written.close();
	expect(row).toEqual(['written a', 'written b', 'written d']);
});

it('tries again to remove what n8n has failed to remove', async () => {
	const results = [Promise.reject(new Error('database is locked')), Promise.resolve()];
	const written = new WrittenBefore(
		contextWith(async () => await results.shift()),
		['a', 'b'],
	);
	await written.begin('a');
	written.end('a', 'written');
	await expect(written.begin('b')).rejects.toThrow('database is locked');
	expect(await written.begin('b')).toBe('new');
	written.end('b', 'new');
	await written.close();
	expect(row).toEqual(['written a']);
});

describe('a record', () => {
	const remembering = (...upcoming: string[]) => new WrittenBefore(contextWith(), upcoming);

	it('that was not begun here is neither marked nor forgotten', async () => {
		row = ['written a'];
		const written = remembering('a');
		await written.begin('a');
		written.end('a', 'new');
		written.end('x', 'written');
		written.end('y', 'open');
		await written.close();
		expect(row).toEqual(['written a']);
		// Nothing of its own has to stay.
		expect(asked).toHaveLength(1);
	});

	it('that nobody has announced counts as open', async () => {
		expect(await remembering('a').begin('b')).toBe('open');
	});
});

describe('many records', () => {
	const many = range(120).map((nr) => `r${nr}`);

	it('are marked several at a time, each once', async () => {
		const written = new WrittenBefore(contextWith(), many);
		for (const record of many) expect(await written.begin(record)).toBe('new');
		expect(asked).toHaveLength(40);
		expect(asked[0]).toEqual(['written r0', 'open r0', 'written r1', 'open r1', 'written r2', 'open r2']);
	});

	it('are at most twenty at a time, of the ten thousand that n8n keeps', async () => {
		const written = new WrittenBefore(
			contextWith(),
			range(1100).map((nr) => `r${nr}`),
		);
		await written.begin('r0');
		expect(asked[0]).toHaveLength(2 * 20);
		// With both marks of what is in flight.
		expect(kept).toEqual([10_000 + 2 * 20]);
	});

	it('may begin in another order: what is marked in advance is not taken for open', async () => {
		const written = new WrittenBefore(contextWith(), many);
		expect(await written.begin('r2')).toBe('new');
		expect(await written.begin('r1')).toBe('new');
		expect(await written.begin('r3')).toBe('new');
		expect(asked).toHaveLength(2);
	});

	it('that were marked in advance and not sent are forgotten', async () => {
		const written = new WrittenBefore(contextWith(), many);
		await written.begin('r0');
		written.end('r0', 'written');
		await written.close();
		expect(row).toEqual(['written r0']);
	});
});

describe('when another process writes the row that it read before', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	/** Books `a` and `b`; `b` stays open. @param overwrite what happens before n8n is asked, from the check of the end on */
	async function bookBoth(overwrite: (check: number) => void) {
		let check = 0;
		const context = contextWith(undefined, () => void (check > 0 && overwrite(check++)));
		const written = new WrittenBefore(context, ['a', 'b']);
		await written.begin('a');
		await written.begin('b');
		written.end('a', 'written');
		written.end('b', 'open');
		asked = [];
		check = 1;
		const closing = written.close();
		await vi.advanceTimersByTimeAsync(60_000);
		await closing;
	}

	it('asks once if all marks are still there', async () => {
		await bookBoth(() => {});
		expect(asked).toEqual([['written a', 'written b', 'open b']]);
		expect(row.toSorted()).toEqual(['open b', 'written a', 'written b']);
	});

	it('marks again what was lost, until it stays', async () => {
		await bookBoth((check) => (row = check < 3 ? ['open a'] : row));
		expect(row.toSorted()).toEqual(['open b', 'written a', 'written b']);
		expect(asked).toHaveLength(3);
	});

	it('gives up in the end, so that the execution ends', async () => {
		await bookBoth(() => (row = []));
		expect(asked).toHaveLength(10);
	});
});

it('warns when n8n can’t record what was written', async () => {
	const written = new WrittenBefore(
		contextWith(async () => await Promise.reject(new Error('database is locked'))),
		['a'],
	);
	await written.begin('a');
	written.end('a', 'written');
	await written.close();
	expect(warn.mock.calls).toEqual([
		[
			'n8n could not record what a node of workflow "Cash" has written: database is locked. The next run will report it as unknown.',
			{ workflowId: 'w1', node: 'Book' },
		],
	]);
	expect(row).toEqual(['written a', 'open a']);
});
