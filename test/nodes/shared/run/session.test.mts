/** What all requests of a run share. Its end, and how many are in flight: write.test.mts, severalAtOnce.test.mts. */
import { expect, it } from 'vitest';

import type { GatewayClient } from '../../../../nodes/shared/gateway/client.js';
import type { Task } from '../../../../nodes/shared/run/task.js';
import { Credits } from '../../../../nodes/shared/run/credits.js';
import type { TaskResult } from '../../../../nodes/shared/run/result.js';
import { Session } from '../../../../nodes/shared/run/session.js';
import { fakeContext } from '../../../support/fakeContext.mjs';
import { partial } from '../../../support/partial.mjs';

const { context } = fakeContext();
const session = new Session(context, partial<GatewayClient>({}), Credits.open(context), {}, false);
const task = (own: Partial<Task> = {}) => partial<Task>({ item: 0, label: 'K-1', ...own });
const DONE: TaskResult = { kind: 'done', records: [], warnings: [] };
const SKIPPED: TaskResult = { kind: 'skipped', reason: 'canceled' };
const resultsOf = async (tasks: Task[], result: TaskResult) =>
	await session.forEach(tasks, async () => await Promise.resolve(result), { atOnce: () => 1 });

it('gives no results where there is nothing to do', async () => {
	expect(await resultsOf([], DONE)).toEqual([]);
});

it('names a record that was not carried out, or is one of several of its item', async () => {
	const part = { name: 'attachment_0', index: 0 };
	expect(await resultsOf([task(), task({ part })], DONE)).toMatchObject([
		{ label: undefined },
		{ label: 'K-1', part: 'attachment_0' },
	]);
	expect(await resultsOf([task()], SKIPPED)).toMatchObject([{ label: 'K-1', result: SKIPPED }]);
});
