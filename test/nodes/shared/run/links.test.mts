/** What links of the chain do that no answer of a gateway shows. The chain as a whole: journal/, faults.test.mts. */
import { expect, it, vi } from 'vitest';

import type { Completion, RecordIdentity, WriteOperation } from '../../../../nodes/shared/operation.js';
import { WrittenBefore } from '../../../../nodes/shared/run/journal/writtenBefore.js';
import { completed } from '../../../../nodes/shared/run/links/completed.js';
import { oncePerRun } from '../../../../nodes/shared/run/links/oncePerRun.js';
import { unlessWritten } from '../../../../nodes/shared/run/links/unlessWritten.js';
import { post } from '../../../../nodes/shared/run/links/post.js';
import type { Session } from '../../../../nodes/shared/run/session.js';
import { failed, type Outcome, type Write, type WriteTask } from '../../../../nodes/shared/run/task.js';
import { partial } from '../../../support/partial.mjs';

const done: Outcome = { kind: 'done', value: {} };
const existed: Outcome = { kind: 'existed', said: 'K-1 existiert bereits' };
const next = (...outcomes: Outcome[]) => vi.fn(async (_: Write) => await Promise.resolve(outcomes.shift()!));
const writeOf = (own: Partial<WriteTask> = {}) => partial<Write>({ task: partial<WriteTask>(own) });

it('a record that may not be there already is refused where the gateway says that it has it', async () => {
	const failure = { exists: true, said: 'K-1 existiert bereits' };
	const client = partial<Parameters<typeof post>[1]>({
		send: async () => await Promise.resolve({ ok: false, failure }),
	});
	const link = post(partial<Session>({ options: {} }), client);
	expect(await link(writeOf({ identity: { value: 'K-1' } }))).toMatchObject({ kind: 'failed' });
});

it.each([
	['that was there already is not sent a second time in a run', true, 1],
	['that may not occur twice is sent each time', false, 2],
])('a record %s', async (_, repeats, times) => {
	const identity: RecordIdentity = { field: 'id', value: 'ab', within: 'c', repeats };
	const sent = next(existed, existed);
	const link = oncePerRun(sent);
	for (let i = 0; i < 2; i++) expect(await link(writeOf({ identity }))).toEqual(existed);
	expect(sent).toHaveBeenCalledTimes(times);
});

it('a record that was begun is not completed once the execution is canceled', async () => {
	const completion = partial<Completion>({ request: partial({}), created: { id: 't1' } });
	const operation = partial<WriteOperation>({ completion: () => completion });
	const sent = next(done, { kind: 'notSent', reason: 'stopped' });
	const session = partial<Session>({ isCanceled: true });
	const link = completed(operation, session, { hasSecond: () => false }, sent);
	expect(await link(writeOf())).toMatchObject({ failure: { outcome: 'incomplete' } });
	expect(sent.mock.calls[1][0].stop).toBe('The execution was canceled');
});

it.each<[string, Outcome, string]>([
	['the accounting system refused', failed({ outcome: 'incomplete', message: 'No', description: '' }), 'new'],
	['a link did not send', { kind: 'notSent', reason: 'stopped' }, 'open'],
])('an entry that %s is not remembered as booked', async (_, outcome, became) => {
	const end = vi.fn();
	const memory = partial<WrittenBefore>({ begin: async () => await Promise.resolve('new'), end });
	await unlessWritten(memory, next(outcome))(writeOf({ identity: { content: 'c 1' } }));
	expect(end).toHaveBeenCalledWith('c 1', became);
});
