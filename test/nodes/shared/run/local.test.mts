/** Records that are made with nothing sent. With the engine: test/nodes/AccountingGatewayDelivery/readEInvoice.test.mts. */
import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { FileContent } from '../../../../nodes/shared/gateway/body.js';
import type { LocalOperation } from '../../../../nodes/shared/operation.js';
import type { LocalTask } from '../../../../nodes/shared/run/task.js';
import { makeAll } from '../../../../nodes/shared/run/local.js';
import { CANCELED } from '../../../../nodes/shared/run/session.js';
import { fakeContext } from '../../../support/fakeContext.mjs';
import { jsonAs, partial } from '../../../support/partial.mjs';

const task = (item: number, own: Partial<LocalTask> = {}) =>
	partial<LocalTask>({ item, values: { item }, options: {}, simple: true, notes: [], ...own });

/** @param isCanceled asked before each task; the node goes on after a failure if it says so */
async function make(
	operation: Partial<LocalOperation>,
	tasks: LocalTask[],
	{ isCanceled = (): boolean => false, goesOn = false } = {},
) {
	const { context } = fakeContext();
	Object.assign(context, {
		continueOnFail: () => goesOn,
		getExecutionCancelSignal: () => ({ aborted: isCanceled() }),
		helpers: {},
	});
	return await makeAll(context, partial<LocalOperation>({ kind: 'local', ...operation }), tasks);
}

/** Makes a record of each item but the second one. */
const allButSecond = {
	make: async ({ item }: Record<string, unknown>) => {
		if (item === 1) throw new Error('The file is gone.');
		return await Promise.resolve([{ item: Number(item) }]);
	},
};

describe('a record', () => {
	it('is made of the values, the options and the file, and takes the files along', async () => {
		const bytes = Buffer.from('<Invoice/>');
		const binary = partial<IBinaryData>({ data: bytes.toString('base64') });
		const content = new FileContent(binary, bytes.length);
		const [{ result }] = await make(
			{
				make: async ({ item }, { bytesOf, simple, options }) => {
					const text = (await bytesOf(jsonAs({ content }))).toString();
					return [{ item, text, simple, ...options } as IDataObject];
				},
			},
			[task(3, { options: { timeout: 7 }, simple: false })],
		);
		expect(result).toEqual({
			kind: 'done',
			records: [{ item: 3, text: '<Invoice/>', simple: false, timeout: 7 }],
			warnings: [],
			passesFiles: true,
		});
	});

	it('comes with what is to be checked: notes of the item, then warnings with the record’s name', async () => {
		const warnings = vi.fn(() => ['no invoice number']);
		const tasks = [task(0, { notes: ['rounded'], label: 'a.xml' }), task(1)];
		const operation = { make: async () => await Promise.resolve([{ a: 1 }]), warnings };
		const [first, second] = await make(operation, tasks);
		expect(first.result).toMatchObject({ warnings: ['rounded', 'a.xml: no invoice number'] });
		expect(second.result).toMatchObject({ warnings: ['no invoice number'] });
		expect(warnings).toHaveBeenCalledWith([{ a: 1 }]);
	});

	it('belongs to its item, its part of it, and its name', async () => {
		const [result] = await make(allButSecond, [
			task(2, { part: { name: 'attachment_0', index: 0 }, label: 'a.xml' }),
		]);
		expect(result).toMatchObject({ item: 2, part: 'attachment_0', label: 'a.xml' });
	});
});

describe('a record that can’t be made', () => {
	it('says why, and ends the run', async () => {
		const results = await make(allButSecond, [task(0), task(1), task(2), task(3)]);
		expect(results.map(({ result }) => result)).toEqual([
			expect.objectContaining({ kind: 'done' }),
			{
				kind: 'failed',
				failure: {
					outcome: 'failed',
					message: 'The file is gone.',
					description: 'Nothing was sent.',
					transient: false,
				},
			},
			{ kind: 'skipped', reason: 'Item 2 failed' },
			{ kind: 'skipped', reason: 'Item 2 failed' },
		]);
	});

	it('is named, and the others are made where the node continues', async () => {
		const tasks = [task(1, { label: 'a.xml' }), task(2)];
		const [first, second] = await make(allButSecond, tasks, { goesOn: true });
		expect(first.result).toMatchObject({ failure: { message: 'a.xml: The file is gone.' } });
		expect(second.result).toMatchObject({ kind: 'done', records: [{ item: 2 }] });
	});
});

it('makes nothing more once the execution is canceled', async () => {
	let made = 0;
	const operation = { make: async () => await Promise.resolve([{ nr: ++made }]) };
	const tasks = [task(0), task(1), task(2)];
	const results = await make(operation, tasks, { isCanceled: () => made > 0 });
	expect(results.map(({ result }) => result)).toEqual([
		expect.objectContaining({ kind: 'done' }),
		{ kind: 'skipped', reason: CANCELED },
		{ kind: 'skipped', reason: CANCELED },
	]);
	expect(made).toBe(1);
});
