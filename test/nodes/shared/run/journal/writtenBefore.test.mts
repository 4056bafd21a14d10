/** What a node remembers of entries without a number, while entries of several cash books are sent at once. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { without } from 'lodash';
import { expect, it } from 'vitest';

import { WrittenBefore } from '../../../../../nodes/shared/run/journal/writtenBefore.js';
import { partial } from '../../../../support/partial.mjs';

/** What n8n keeps for the node. */
let row: string[] = [];

/** @param removing n8n waits for it after it has read what to remove */
const contextWith = (removing: () => Promise<void>) =>
	partial<IExecuteFunctions>({
		helpers: partial<IExecuteFunctions['helpers']>({
			checkProcessedAndRecord: async (given: unknown) => {
				const marks = given as string[];
				const processed = marks.filter((mark) => row.includes(mark));
				row.push(...without(marks, ...processed));
				return await Promise.resolve({ new: without(marks, ...processed), processed });
			},
			removeProcessed: async (given: unknown) => {
				const marks = [...(given as string[])];
				await removing();
				row = without(row, ...marks);
			},
		}),
	});

it('keeps what an entry ends with while n8n is removing the mark of another', async () => {
	row = [];
	let meanwhile = () => {};
	const written = new WrittenBefore(
		contextWith(async () => await Promise.resolve(meanwhile())),
		['a', 'b', 'c', 'd'],
	);
	for (const record of ['a', 'b', 'c']) expect(await written.begin(record)).toBe('new');
	written.written('a');
	meanwhile = () => {
		written.written('b');
		written.notWritten('c');
	};
	expect(await written.begin('d')).toBe('new');
	meanwhile = () => {};
	written.written('d');
	await written.close();
	expect(row).toEqual(['written a', 'written b', 'written d']);
});

it('tries again to remove what n8n has failed to remove', async () => {
	row = [];
	const results = [Promise.reject(new Error('database is locked')), Promise.resolve()];
	const written = new WrittenBefore(
		contextWith(async () => await results.shift()),
		['a', 'b'],
	);
	await written.begin('a');
	written.written('a');
	await expect(written.begin('b')).rejects.toThrow('database is locked');
	expect(await written.begin('b')).toBe('new');
	written.notWritten('b');
	await written.close();
	expect(row).toEqual(['written a']);
});
