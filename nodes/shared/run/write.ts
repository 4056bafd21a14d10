/** Writes the records of a run, each once. */
import { groupBy, map, uniq } from 'lodash';

import type { GatewayClient } from '../gateway/client';
import type { WriteOperation } from '../operation';
import { Balance } from './balance';
import type { Journal } from './journal/journal';
import { WrittenBefore } from './journal/writtenBefore';
import { completed } from './links/completed';
import { confirmed } from './links/confirmed';
import { oncePerRun } from './links/oncePerRun';
import { post } from './links/post';
import { remembered } from './links/remembered';
import { unlessWritten } from './links/unlessWritten';
import { recordKey } from './numbers';
import type { Result, WriteTask } from './task';
import { rowsFrom } from './rows';
import type { Session } from './session';

/**
 * Writes several records at once, but records with the same ordering key one after another.
 * On its way to the gateway, each request passes a chain of links, from the outside in: `oncePerRun` (the same record again
 * in this run), `completed` (a second request), `remembered` (earlier attempts of this execution), `unlessWritten` (earlier
 * runs of this node), `covered` (the balance), `confirmed` (what the answer says) and `post`.
 */
export async function writeAll(
	session: Session,
	client: GatewayClient,
	journal: Journal,
	operation: WriteOperation,
	tasks: readonly WriteTask[],
): Promise<Result[]> {
	const balance = new Balance(operation);
	const sequences = groupBy(tasks, ({ request }) => operation.orderingKey?.(request));
	const contents = map(sequences, (some) => uniq(some.flatMap(({ identity }) => identity?.content ?? [])));
	const earlier = new WrittenBefore(session.context, contents);

	// From the inside out, each concern only where the operation or the run has it.
	let link = confirmed(operation, post(session, client));
	if (operation.balanceChange) link = balance.covered(link);
	if (contents.flat().length > 0) link = unlessWritten(earlier, link);
	link = remembered(journal, link);
	if (operation.completion) link = completed(operation, session, journal, link);
	if (tasks.some(({ identity }) => identity?.repeats)) link = oncePerRun(link);

	const write = async (task: WriteTask) => {
		const outcome = await link({ task, request: task.request, stop: session.stop });
		const rows = rowsFrom(operation, task, outcome);
		session.tally.wrote(task, outcome);
		return balance.counted(task, rows);
	};
	try {
		return await session.workOn(tasks, write, {
			atOnce: session.atMost('write'),
			keyOf: ({ identity, request }) =>
				identity?.repeats ? recordKey(identity) : operation.orderingKey?.(request),
		});
	} finally {
		await earlier.close();
	}
}
