/** Each link of the chain that a record goes through, as a function. The chain as a whole: journal/, faults.test.mts. */
import { describe, expect, it, vi } from 'vitest';

import type { Failure } from '../../../../nodes/shared/errors/failure.js';
import type {
	Completion,
	BalanceChange,
	RecordIdentity,
	WriteOperation,
} from '../../../../nodes/shared/operation.js';
import { ANYTHING } from '../../../../nodes/shared/gateway/verify.js';
import { Balance } from '../../../../nodes/shared/run/balance.js';
import { WrittenBefore } from '../../../../nodes/shared/run/journal/writtenBefore.js';
import { completed } from '../../../../nodes/shared/run/links/completed.js';
import { confirmed } from '../../../../nodes/shared/run/links/confirmed.js';
import { oncePerRun } from '../../../../nodes/shared/run/links/oncePerRun.js';
import { post } from '../../../../nodes/shared/run/links/post.js';
import { unlessWritten } from '../../../../nodes/shared/run/links/unlessWritten.js';
import { failed, type Outcome, type Rows } from '../../../../nodes/shared/run/task.js';
import type { Session } from '../../../../nodes/shared/run/session.js';
import type { WriteTask } from '../../../../nodes/shared/run/task.js';
import type { Write } from '../../../../nodes/shared/run/task.js';
import { partial } from '../../../support/partial.mjs';

const done = (value: unknown = {}): Outcome => ({ kind: 'done', value });
const because = (outcome: Failure['outcome']) =>
	failed({ outcome, message: 'No', description: 'Look.', transient: false });
const next = (...outcomes: Outcome[]) => vi.fn(async (_: Write) => await Promise.resolve(outcomes.shift()!));
const taskOf = (own: Partial<WriteTask> = {}) =>
	partial<WriteTask>({ label: 'belegnummer K-1', values: {}, options: partial({}), ...own });
const writeOf = (own: Partial<WriteTask> = {}, rest: Partial<Write> = {}) =>
	partial<Write>({
		task: taskOf(own),
		request: partial({ endpoint: 'POST /v2/acct-duo/kassenbuch-einfach' }),
		...rest,
	});
const operation = (own: object) => partial<WriteOperation>(own);

describe('post', () => {
	const answering = (failure: Partial<Failure>) => {
		const send = async () =>
			await Promise.resolve({ ok: false as const, failure: partial<Failure>(failure) });
		return post(partial<Session>({ options: {} }), partial({ send }));
	};
	const exists = { exists: true as const, said: 'K-1 existiert bereits' };
	const existing = () => ({ record: {} });

	it.each<[string, RecordIdentity | undefined, string]>([
		['a number that may be there already is done', { value: 'K-1', existing }, 'existed'],
		['one that may not is a refusal', { value: 'K-1' }, 'failed'],
		['a record without a number can’t be the one that is meant', { content: 'x', existing }, 'failed'],
		['nor can one that nothing identifies', undefined, 'failed'],
	])('if the gateway has it already: %s', async (_, identity, kind) => {
		expect(await answering(exists)(writeOf({ identity }))).toMatchObject({ kind });
	});

	it('any other refusal is one', async () => {
		const write = writeOf({ identity: { value: 'K-1', existing } });
		expect(await answering({})(write)).toMatchObject({ kind: 'failed' });
	});
});

describe('confirmed', () => {
	const answer = { problem: ({ id }: { id?: number }) => (id === 1 ? undefined : 'has no ID 1') };

	it.each<[string, unknown, object]>([
		['an answer about the record is done', { id: 1 }, { kind: 'done' }],
		['one about another is of unknown outcome', { id: 2 }, { failure: { outcome: 'unknown' } }],
		['so is one that says failure', { id: 1, success: false }, { failure: { outcome: 'unknown' } }],
		['and one that can’t be read', null, { failure: { outcome: 'unknown' } }],
	])('%s', async (_, body, outcome) => {
		expect(await confirmed(operation({ answer }), next(done(body)))(writeOf())).toMatchObject(outcome);
	});

	it('what the system behind the gateway refuses is incomplete', async () => {
		const rejection = () => 'the accounting system answered FEHLER';
		expect(
			await confirmed(operation({ answer: ANYTHING, rejection }), next(done()))(writeOf()),
		).toMatchObject({
			failure: { outcome: 'incomplete', message: expect.stringContaining('answered FEHLER') as string },
		});
	});

	it('the second request is judged by its own rule', async () => {
		const completes = partial<Completion>({ answer: { problem: () => 'is pending' } });
		const rejection = () => 'no';
		const link = confirmed(operation({ answer: ANYTHING, rejection }), next(done(), done()));
		expect(await link(writeOf({}, { completes }))).toMatchObject({
			failure: { outcome: 'unknown', message: expect.stringContaining('is pending') as string },
		});
	});

	it('leaves a failure alone', async () => {
		expect(await confirmed(operation({}), next(because('refused')))(writeOf())).toEqual(because('refused'));
	});
});

describe('completed', () => {
	const completion: Completion = {
		request: partial({ endpoint: 'POST /v2/mobility/tickets/{id}/activate' }),
		created: { id: 't1' },
		answer: ANYTHING,
		sent: {},
		message: 'Not activated',
		advice: 'Activate it.',
	};
	const link = (sent: ReturnType<typeof next>, isCanceled = false, own = completion) =>
		completed(operation({ completion: () => own }), partial<Session>({ isCanceled }), sent);

	it('the answer to the second request takes the place of the first one', async () => {
		const sent = next(done(1), done(2));
		expect(await link(sent)(writeOf())).toEqual(done(2));
		expect(sent.mock.calls[1][0]).toMatchObject({ completes: completion, request: completion.request });
	});

	it('a failure of the second one says what the first has made, what went wrong, and how to go on', async () => {
		expect(await link(next(done(), because('refused')))(writeOf())).toEqual(
			failed({
				outcome: 'incomplete',
				message: 'Not activated: No',
				description: 'Activate it. Look.',
				transient: false,
				created: { id: 't1' },
			}),
		);
	});

	it('nothing is completed once the execution is canceled', async () => {
		const sent = next(done(), { kind: 'notSent', reason: 'stopped' });
		expect(await link(sent, true)(writeOf())).toMatchObject({ failure: { outcome: 'incomplete' } });
		expect(sent.mock.calls[1][0].stop).toBe('The execution was canceled');
	});

	it('what can’t be completed says why, and sends nothing more', async () => {
		const sent = next(done());
		const own = { ...completion, request: { problem: 'it has no ID' } };
		expect(await link(sent, false, own)(writeOf())).toMatchObject({
			failure: { outcome: 'incomplete', message: 'Not activated: it has no ID' },
		});
		expect(sent).toHaveBeenCalledTimes(1);
	});

	it('a failure of the first one is left alone', async () => {
		expect(await link(next(because('unknown')))(writeOf())).toEqual(because('unknown'));
	});
});

describe('once per run', () => {
	const identity: RecordIdentity = { field: 'id', value: 'ab', within: 'c', repeats: true };
	/** Writes the same record twice; the ID of the second one has other letters. */
	const twice = async (first: Outcome, second = done('second'), own: RecordIdentity = identity) => {
		const sent = next(first, second);
		const link = oncePerRun(sent);
		await link(writeOf({ identity: own }));
		const outcome = await link(writeOf({ identity: { ...own, value: 'AB' }, label: 'second' }));
		return { outcome, sent: sent.mock.calls.length };
	};

	it.each<[string, Outcome, object]>([
		['done', done('first'), { outcome: { kind: 'existed', value: 'first' }, sent: 1 }],
		['there already', { kind: 'existed', said: 'x' }, { outcome: { kind: 'existed', said: 'x' }, sent: 1 }],
		['refused', because('refused'), { outcome: done('second'), sent: 2 }],
	])('a record whose first one was %s', async (_, first, expected) => {
		expect(await twice(first)).toMatchObject(expected);
	});

	it('is unknown where the first one is, and not sent', async () => {
		const { outcome, sent } = await twice(because('unknown'));
		expect(outcome).toMatchObject({
			failure: { outcome: 'unknown', description: expect.stringMatching(/^second: /) as string },
		});
		expect(sent).toBe(1);
	});

	it('concerns no other records', async () => {
		expect(await twice(done(), done('second'), { ...identity, repeats: false })).toMatchObject({ sent: 2 });
	});
});

describe('unless written', () => {
	const identity = { content: 'c 1' };
	const memory = (known: 'new' | 'written' | 'open' | Error) => {
		const end = vi.fn();
		const begin = async () => await (known instanceof Error ? Promise.reject(known) : Promise.resolve(known));
		return { end, memory: partial<WrittenBefore>({ begin, end }) };
	};

	it.each<[string, Outcome, string]>([
		['done', done(), 'written'],
		['of unknown outcome', because('unknown'), 'open'],
		['refused', because('refused'), 'new'],
		['refused by the accounting system', because('incomplete'), 'new'],
		['not sent', because('notSent'), 'new'],
	])('an entry that was %s is remembered as that', async (_, outcome, became) => {
		const one = memory('new');
		expect(await unlessWritten(one.memory, next(outcome))(writeOf({ identity }))).toBe(outcome);
		expect(one.end).toHaveBeenCalledWith('c 1', became);
	});

	it('stays open when the node itself fails', async () => {
		const one = memory('new');
		const link = unlessWritten(one.memory, async () => await Promise.reject(new Error('defect')));
		await expect(link(writeOf({ identity }))).rejects.toThrow('defect');
		expect(one.end).toHaveBeenCalledWith('c 1', 'open');
	});

	it.each<[string, 'written' | 'open' | Error, object]>([
		['one that was written was there already', 'written', { kind: 'existed' }],
		['an open one is reported', 'open', { failure: { outcome: 'unknown' } }],
		[
			'nothing is sent if n8n can’t tell',
			new Error('locked'),
			{ failure: { outcome: 'notSent', message: expect.stringContaining('locked') as string } },
		],
	])('%s', async (_, known, outcome) => {
		const sent = next(done());
		expect(await unlessWritten(memory(known).memory, sent)(writeOf({ identity }))).toMatchObject(outcome);
		expect(sent).not.toHaveBeenCalled();
	});

	it('concerns no record with a number', async () => {
		expect(await unlessWritten(memory('written').memory, next(done()))(writeOf())).toEqual(done());
	});
});

describe('within the balance', () => {
	const balance = (amount: number) => {
		const balanceChange = (): BalanceChange => ({
			field: 'kassenbestand',
			of: 'hauptkasse',
			name: 'Hauptkasse',
			currency: 'EUR',
			before: 10,
			amount,
		});
		return operation({ balanceChange });
	};
	const rows: Outcome<Rows> = { kind: 'done', value: { records: [{ id: 1 }], warnings: [] } };
	const recordsIn = (outcome: Outcome<Rows>) => (outcome.kind === 'done' ? outcome.value : undefined);

	it.each<[string, Outcome<Rows>, boolean]>([
		['one that was booked counts', rows, false],
		['one that may have been booked counts', because('unknown'), false],
		['one that was refused does not', because('refused'), true],
	])('%s', async (_, outcome, isSent) => {
		const one = new Balance(balance(-7));
		one.counted(taskOf(), outcome);
		const sent = next(done());
		const second = await one.covered(sent)(writeOf());
		expect(sent.mock.calls.length > 0).toBe(isSent);
		if (!isSent) expect(second).toMatchObject({ failure: { outcome: 'notSent' } });
	});

	it('income that may not have arrived does not count, and the rest says so', () => {
		const one = new Balance(balance(5));
		one.counted(taskOf(), because('unknown'));
		expect(recordsIn(one.counted(taskOf(), rows))).toEqual({
			records: [{ id: 1, kassenbestand: 15 }],
			warnings: [expect.stringContaining('is the lowest it can be')],
		});
	});
});
