/** Reads and writes by themselves, with answers that the tests give. With a gateway: severalAtOnce.test.mts, journal.test.mts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import range from 'lodash/range.js';
import { describe, expect, it, vi } from 'vitest';

import type { ReadTask, WriteTask } from '../../../../nodes/shared/run/task.js';
import { Credits } from '../../../../nodes/shared/run/credits.js';
import { WriteJournal } from '../../../../nodes/shared/run/journal/journal.js';
import { type Known, WrittenBefore } from '../../../../nodes/shared/run/journal/writtenBefore.js';
import { Reader, sendReads } from '../../../../nodes/shared/run/read.js';
import { isCanceled, Session } from '../../../../nodes/shared/run/session.js';
import { Tally } from '../../../../nodes/shared/run/tally.js';
import { Writer } from '../../../../nodes/shared/run/write.js';
import type { Completion, ReadOperation, WriteOperation } from '../../../../nodes/shared/operation.js';
import type { GatewayClient } from '../../../../nodes/shared/gateway/client.js';
import type { SendResult } from '../../../../nodes/shared/gateway/request.js';
import { fakeContext } from '../../../support/fakeContext.mjs';
import { jsonAs, partial } from '../../../support/partial.mjs';

const ok = (body: unknown): SendResult => ({ ok: true, body });
const refusal = (status: number, exists?: true): SendResult => ({
	ok: false,
	failure: {
		outcome: 'refused',
		message: `HTTP ${status}`,
		description: 'No.',
		transient: false,
		status,
		exists,
	},
});

interface Stage {
	kind?: 'read' | 'write';
	operation?: Partial<WriteOperation>;
	/** Called with the number of the request, from 0. */
	answer?: (number: number) => SendResult | Promise<SendResult>;
	memory?: IDataObject;
	execution?: string;
	minimum?: number;
	/** How many requests may be in flight at once. */
	atMost?: number;
	/** Whether a failure ends the run. */
	stops?: boolean;
}

/** A run with some items. */
async function stage({
	kind = 'write',
	operation,
	answer = () => ok({ id: 1 }),
	minimum,
	atMost = 1,
	stops = true,
	...own
}: Stage = {}) {
	const controller = new AbortController();
	const { context } = fakeContext({ items: range(9).map(() => ({ json: {} })), ...own });
	Object.assign(context, { getExecutionCancelSignal: () => controller.signal });
	let count = 0;
	const send = vi.fn(async (..._of: unknown[]) => await Promise.resolve(answer(count++)));
	const client = partial<GatewayClient>({ send, destination: () => 'there' });
	const session = new Session(context, client, Credits.open(context, minimum), { timeout: 7 }, stops);
	vi.spyOn(session, 'atMost').mockReturnValue(atMost);
	const all = { kind, ...operation };
	const reader = new Reader(session);
	const tally = new Tally(context, all as WriteOperation);
	const writer = new Writer(all as WriteOperation, session, await WriteJournal.open(context), tally);
	const sendAll = async (tasks: WriteTask[]) =>
		kind === 'write'
			? await writer.writeAll(tasks)
			: await sendReads(
					tasks.map((one) => partial<ReadTask>(one)),
					partial<ReadOperation>(all),
					reader,
					tally,
				);
	const sendOne = async (one: WriteTask) => (await sendAll([one]))[0].result;
	return { session, send, sendAll, sendOne, cancel: () => controller.abort() };
}

const task = (item = 0, own: Partial<WriteTask> = {}): WriteTask =>
	partial<WriteTask>({
		item,
		label: `belegnummer K-${item}`,
		notes: [],
		request: { endpoint: 'POST /v2/x', path: {}, query: {} },
		values: {},
		options: { timeout: 7 },
		simple: true,
		...own,
	});

const completion = (): Completion => ({
	request: { endpoint: 'POST /v2/mobility/customers', path: {}, query: {} },
	created: { id: 7 },
	verifyResponse: () => undefined,
	message: 'It was created, not activated',
	advice: 'Activate it.',
});

describe('cancelling', () => {
	it('sends nothing more, also where the node continues after a failure', async () => {
		const at = await stage({ stops: false, answer: () => (at.cancel(), ok({ id: 1 })) });
		const tasks = range(9).map((item) => task(item));
		const results = await at.sendAll(tasks);
		expect(at.send).toHaveBeenCalledTimes(1);
		expect(results.map(({ result }) => result)).toEqual([
			expect.objectContaining({ kind: 'done' }),
			...range(8).map(() => ({ kind: 'skipped', reason: 'The execution was canceled' })),
		]);
	});

	it('between two requests of an item leaves the second one, and says what the first one has made', async () => {
		const at = await stage({
			operation: { followUp: completion },
			answer: () => (at.cancel(), ok({ id: 7 })),
		});
		expect(await at.sendOne(task())).toEqual({
			kind: 'failed',
			failure: {
				outcome: 'incomplete',
				message: 'It was created, not activated: The execution was canceled',
				description: 'Activate it.',
				transient: false,
				created: { id: 7 },
			},
		});
		expect(at.send).toHaveBeenCalledTimes(1);
	});

	it('is noticed only where n8n can tell', async () => {
		const { session, cancel } = await stage();
		expect(session.canceled).toBe(false);
		cancel();
		expect(session.canceled).toBe(true);
		expect(isCanceled({})).toBe(false);
	});
});

describe('a failure', () => {
	const refuses = async (stops: boolean) => {
		const { sendAll, send } = await stage({
			stops,
			answer: (number) => (number ? ok({ id: 1 }) : refusal(422)),
		});
		const results = await sendAll([task(0), task(1)]);
		return { results, sent: send.mock.calls.length };
	};

	it('ends the run where the node stops', async () => {
		const { results, sent } = await refuses(true);
		expect(sent).toBe(1);
		expect(results).toMatchObject([
			{
				item: 0,
				label: 'belegnummer K-0',
				result: { kind: 'failed', failure: { outcome: 'refused', description: 'belegnummer K-0: No.' } },
			},
			{ item: 1, result: { kind: 'skipped', reason: 'Item 1 failed' } },
		]);
	});

	it('is named by its item in what was not sent because of it', async () => {
		const { sendAll } = await stage({ answer: (number) => (number ? refusal(422) : ok({ id: 1 })) });
		const results = await sendAll([task(4), task(5), task(6)]);
		expect(results[2]).toMatchObject({ item: 6, result: { kind: 'skipped', reason: 'Item 6 failed' } });
	});

	it('ends nothing where it continues', async () => {
		const { results, sent } = await refuses(false);
		expect(sent).toBe(2);
		expect(results.map(({ result }) => result.kind)).toEqual(['failed', 'done']);
	});
});

describe('credits below the minimum', () => {
	const low = { svc: { neuesGuthaben: 4 } };

	it('end the run with the answer that names them', async () => {
		const { sendAll, send } = await stage({ minimum: 5, stops: false, answer: () => ok(low) });
		const results = await sendAll([task(0), task(1)]);
		expect(send).toHaveBeenCalledTimes(1);
		expect(results.map(({ result }) => result.kind)).toEqual(['done', 'skipped']);
		expect(results[1].result).toMatchObject({ reason: expect.stringContaining('credit balance of 4') });
	});

	it('leave the results of an earlier attempt, whose balance counts in the same execution only', async () => {
		const memory = {};
		const first = await stage({ memory, minimum: 5, answer: () => ok(low) });
		await first.sendOne(task(1));
		const again = await stage({ memory, minimum: 5 });
		const results = await again.sendAll([task(1), task(2)]);
		expect(results.map(({ result }) => result.kind)).toEqual(['done', 'skipped']);
		expect(again.send).not.toHaveBeenCalled();
		const retry = await stage({ memory, minimum: 5, execution: '2' });
		await retry.sendAll([task(1), task(2)]);
		expect(retry.send).toHaveBeenCalledTimes(1);
	});
});

describe('a write', () => {
	const resultOf = async (
		operation: Partial<WriteOperation>,
		body: unknown = { id: 1 },
		own: Partial<WriteTask> = {},
	) => await (await stage({ operation, answer: () => ok(body) })).sendOne(task(0, own));

	it('counts as carried out only if the answer confirms it', async () => {
		const verifyResponse = () => 'has no ID';
		expect(await resultOf({ verifyResponse })).toMatchObject({
			kind: 'failed',
			failure: { outcome: 'unknown', description: expect.stringContaining('belegnummer K-0') },
		});
		const anyAnswer = { request: { ...task().request, anyAnswer: true } } as Partial<WriteTask>;
		expect(await resultOf({ verifyResponse }, 'OK', anyAnswer)).toMatchObject({ kind: 'done' });
		expect(await resultOf({}, { success: false, message: 'Kasse gesperrt' }, anyAnswer)).toMatchObject({
			failure: { outcome: 'unknown' },
		});
		const fails = () => {
			throw new Error('a mistake in the node');
		};
		expect(await resultOf({ verifyResponse: fails })).toMatchObject({ failure: { outcome: 'unknown' } });
		expect(await resultOf({ followUp: fails })).toMatchObject({
			failure: { outcome: 'unknown', description: expect.stringContaining('a mistake in the node') },
		});
	});

	it('that the accounting system refuses is incomplete', async () => {
		expect(await resultOf({ followUp: () => ({ rejection: 'the account is locked' }) })).toMatchObject({
			kind: 'failed',
			failure: {
				outcome: 'incomplete',
				message: 'The gateway accepted it, but the account is locked',
				description: expect.stringMatching(/^belegnummer K-0: Look it up .*A retry sends nothing\.$/),
				transient: false,
			},
		});
	});

	it('gives an item even if there is nothing in the answer, a read does not', async () => {
		expect(await resultOf({}, null)).toMatchObject({ kind: 'done', records: [{ success: true }] });
		const { sendOne } = await stage({ kind: 'read', answer: () => ok(null) });
		expect(await sendOne(task())).toMatchObject({ kind: 'done', records: [] });
	});

	it('has the balance in each record on request, and the warnings of its values and its answer', async () => {
		const body = () => ({ data: [{ a: 1 }, { a: 2 }], svc: { neuesGuthaben: 0 } });
		const warning = () => 'odd';
		expect(
			await resultOf({ warning }, body(), { notes: ['late'], options: { timeout: 7, includeCredits: true } }),
		).toEqual({
			kind: 'done',
			records: [
				{ a: 1, neuesGuthaben: 0 },
				{ a: 2, neuesGuthaben: 0 },
			],
			warnings: ['late', 'odd'],
		});
		expect(await resultOf({}, body())).toEqual({ kind: 'done', records: [{ a: 1 }, { a: 2 }], warnings: [] });
		const none = { data: [{ a: 1 }] };
		expect(await resultOf({}, none, { options: { timeout: 7, includeCredits: true } })).toMatchObject({
			records: [{ a: 1 }],
		});
	});

	it('is emitted untouched where it is not simplified', async () => {
		const body = { data: [{ a: 1 }] };
		const records = () => [{ b: 1 }];
		expect(await resultOf({ records }, body, { simple: false })).toMatchObject({ records: [body] });
		expect(await resultOf({ records }, body)).toMatchObject({ records: [{ b: 1 }] });
	});

	it.each([
		['the credits', { options: { timeout: 7, includeCredits: true } }, { neuesGuthaben: 3 }],
		[
			'a balance',
			{ movement: { field: 'balance', of: 'main', name: 'Kasse', currency: 'EUR', before: 1, change: 1 } },
			{ balance: 2 },
		],
	])('stays in the journal as it was received, though the item also has %s', async (_, own, added) => {
		const received = () => ({ id: 7, svc: { neuesGuthaben: 3 } });
		const body = received();
		expect(await resultOf({}, body, { simple: false, ...own })).toMatchObject({
			records: [{ ...body, ...added }],
		});
		expect(body).toEqual(received());
	});

	it('that would take the balance below 0 is not sent', async () => {
		const movement = (change: number) => ({
			movement: { field: 'balance', of: 'x', name: 'Kasse', currency: 'EUR', before: 1, change },
		});
		const { sendAll, send } = await stage({ stops: false, answer: () => refusal(422) });
		const results = await sendAll([task(0, movement(5)), task(1, movement(-4))]);
		expect(send).toHaveBeenCalledTimes(1);
		expect(results[1].result).toMatchObject({
			kind: 'failed',
			failure: { outcome: 'notSent', description: expect.stringMatching(/^belegnummer K-1: Send it again/) },
		});
	});

	it('that can’t be completed says why, and sends nothing more', async () => {
		const problem = () => ({ ...completion(), request: { problem: 'the answer has no ID' } });
		const { sendOne, send } = await stage({ operation: { followUp: problem } });
		expect(await sendOne(task())).toMatchObject({
			failure: { outcome: 'incomplete', message: 'It was created, not activated: the answer has no ID' },
		});
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('that fails to be completed says what exists, what went wrong, and how to go on', async () => {
		const answer = (number: number) => (number ? refusal(422) : ok({ id: 7 }));
		const { sendOne, send } = await stage({ operation: { followUp: completion }, answer });
		expect(await sendOne(task())).toMatchObject({
			failure: {
				outcome: 'incomplete',
				message: 'It was created, not activated: HTTP 422',
				description: 'Activate it. No.',
				created: { id: 7 },
			},
		});
		expect(send.mock.calls.map(([request]) => (request as { endpoint: string }).endpoint)).toEqual([
			'POST /v2/x',
			'POST /v2/mobility/customers',
		]);
	});
});

describe('a read', () => {
	const resultOf = async (
		operation: Partial<WriteOperation>,
		answer: SendResult,
		own: Partial<WriteTask> = {},
	) => await (await stage({ kind: 'read', operation, answer: () => answer })).sendOne(task(0, own));
	const question = partial<WriteTask>({ request: { endpoint: 'GET /v2/x', path: {}, query: {} } });

	it('that the gateway refuses is that failure', async () => {
		expect(await resultOf({}, refusal(404))).toEqual({
			kind: 'failed',
			failure: (refusal(404) as { failure: object }).failure,
		});
	});

	it('counts as answered only if the answer is what was asked for', async () => {
		const verifyResponse = () => 'is about another company';
		expect(await resultOf({ verifyResponse }, ok({}), question)).toMatchObject({
			kind: 'failed',
			failure: { outcome: 'failed', message: expect.stringContaining('is about another company') },
		});
	});

	it('of which no records can be made says what went wrong', async () => {
		const records = () => {
			throw new TypeError('a mistake in the node');
		};
		expect(await resultOf({ records }, ok({}), question)).toMatchObject({
			kind: 'failed',
			failure: { outcome: 'failed', description: expect.stringContaining('a mistake in the node') },
		});
	});

	it('is not sent once the run has ended', async () => {
		const { sendAll, send } = await stage({ kind: 'read', answer: () => refusal(404) });
		const results = await sendAll(range(9).map((item) => task(item)));
		expect(send.mock.calls.length).toBeLessThan(9);
		expect(results.at(-1)?.result).toEqual({ kind: 'skipped', reason: 'Item 1 failed' });
	});

	it('warns of further pages, and of what no row is made of, a write does not', async () => {
		const pages = { data: [{ a: 1 }], nextPage: '/v2/x?page=2' };
		const omissions = () => ['account 1200', undefined];
		const warningsOf = async (operation: object, own: Partial<WriteTask>) =>
			jsonAs<{ warnings: string[] }>(await resultOf(operation, ok(pages), own)).warnings;
		expect(await warningsOf({ omissions }, question)).toEqual([
			expect.stringContaining('only one page'),
			'account 1200',
		]);
		expect(await warningsOf({ omissions }, { ...question, simple: false })).toEqual([
			expect.stringContaining('only one page'),
		]);
		const { sendOne } = await stage({ answer: () => ok({ id: 1, ...pages }) });
		expect(await sendOne(task())).toMatchObject({ warnings: [] });
	});
});

describe('a record that comes again', () => {
	const again = {
		recurring: 'document 1',
		mayExist: true,
		unique: { field: 'id', value: '1', within: 'a', mayRecur: true },
	};
	const existing = () => ({ id: 1, alreadyExisted: true });
	const sendTwice = async (answer: Stage['answer'], operation: Partial<WriteOperation> = { existing }) => {
		const { sendOne, send } = await stage({ operation, answer, stops: false });
		const results = [await sendOne(task(0, again)), await sendOne(task(1, again))];
		return { results, sent: send.mock.calls.length };
	};

	it('is sent once', async () => {
		const { results, sent } = await sendTwice(() => ok({ id: 1 }));
		expect(sent).toBe(1);
		expect(results).toMatchObject([{ records: [{ id: 1 }] }, { records: [existing()] }]);
	});

	it('has the warnings of its own item', async () => {
		const { sendOne } = await stage({ operation: { existing } });
		await sendOne(task(0, { ...again, notes: ['first'] }));
		expect(await sendOne(task(1, { ...again, notes: ['second'] }))).toMatchObject({ warnings: ['second'] });
	});

	it('is not sent again where its outcome is unknown', async () => {
		const { results, sent } = await sendTwice(() => ok({ success: false }));
		expect(sent).toBe(1);
		expect(results[1]).toMatchObject({
			failure: {
				outcome: 'unknown',
				message: 'The same record was sent just before, and its outcome is unknown',
				description: expect.stringMatching(/^belegnummer K-1: /),
			},
		});
	});

	it('is not sent either where the run had ended before', async () => {
		const { sendAll, send } = await stage({ operation: { existing }, answer: () => refusal(422) });
		const results = await sendAll([task(0), task(1, again), task(2, again)]);
		expect(send).toHaveBeenCalledTimes(1);
		expect(results.map(({ result }) => result.kind)).toEqual(['failed', 'skipped', 'skipped']);
	});

	it('is sent again where it was refused', async () => {
		const { results, sent } = await sendTwice((number) => (number ? ok({ id: 1 }) : refusal(422)));
		expect(sent).toBe(2);
		expect(results).toMatchObject([{ kind: 'failed' }, { kind: 'done', records: [{ id: 1 }] }]);
	});

	it('counts as carried out where the gateway has it already, and only there', async () => {
		expect((await sendTwice(() => refusal(409, true))).results).toMatchObject([
			{ kind: 'done', records: [existing()] },
			{ kind: 'done', records: [existing()] },
		]);
		expect((await sendTwice(() => refusal(409))).results).toMatchObject([
			{ failure: { outcome: 'refused' } },
			{ failure: { outcome: 'refused' } },
		]);
		const { sendOne } = await stage({ operation: { existing }, answer: () => refusal(409, true) });
		expect(await sendOne(task())).toMatchObject({ failure: { outcome: 'refused' } });
	});

	it('counts as carried out even if its operation knows nothing more of it', async () => {
		const { sendOne } = await stage({ answer: () => refusal(409, true) });
		expect(await sendOne(task(0, again))).toMatchObject({ kind: 'done' });
	});
});

describe('what the node remembers to have written', () => {
	const remembered = { content: 'x 1' };
	const RECORD = 'x 1 there';
	/** @param known what is known of the record; an error if n8n can't say */
	const watch = (known: Known | Error = 'new') => {
		const { prototype } = WrittenBefore;
		const begin = vi.spyOn(prototype, 'begin').mockImplementation(async () => {
			if (known instanceof Error) throw known;
			return await Promise.resolve(known);
		});
		const [written, notWritten, open] = (['written', 'notWritten', 'open'] as const).map((method) =>
			vi.spyOn(prototype, method).mockReturnValue(),
		);
		const close = vi.spyOn(prototype, 'close').mockResolvedValue();
		const noted = () => [written, notWritten, open].map(({ mock }) => mock.calls.flat());
		return { begin, close, noted };
	};

	it.each<[string, SendResult | Error, string[][]]>([
		['was written', ok({ id: 1 }), [[RECORD], [], []]],
		['was refused', refusal(422), [[], [RECORD], []]],
		['may have been written', ok({ success: false }), [[], [], [RECORD]]],
		['met a defect in the node', new TypeError('a defect'), [[], [], [RECORD]]],
	])('a record that %s is noted as such', async (_what, answer, noted) => {
		const memory = watch();
		const { sendOne, send } = await stage({
			answer: () => {
				if (answer instanceof Error) throw answer;
				return answer;
			},
		});
		await sendOne(task(0, remembered)).catch((error: Error) => expect(error).toBe(answer));
		expect(memory.begin.mock.calls).toEqual([[RECORD]]);
		expect(send).toHaveBeenCalledTimes(1);
		expect(memory.noted()).toEqual(noted);
		expect(memory.close).toHaveBeenCalledTimes(1);
	});

	it.each<[string, Known | Error, object]>([
		['it was written', 'written', { kind: 'done', records: [{ id: 1, alreadyExisted: true }] }],
		[
			'it was begun',
			'open',
			{
				failure: {
					outcome: 'unknown',
					message: expect.stringMatching(
						/^Whether it was booked is unknown: an earlier run ended without knowing/,
					),
					description: expect.stringMatching(
						/^belegnummer K-0: Make sure that no other run .*, then look the entry up .* stopped before sending it\.$/,
					),
					transient: false,
				},
			},
		],
		[
			'n8n can’t say',
			new Error('database is locked'),
			{
				failure: {
					outcome: 'notSent',
					message:
						"Not sent, because n8n couldn't look up what this node has already booked: database is locked",
					description: expect.stringContaining('If the workflow is new, save it.'),
				},
			},
		],
	])('nothing is sent where %s', async (_what, known, expected) => {
		const memory = watch(known);
		const existing = () => ({ id: 1, alreadyExisted: true });
		const { sendOne, send } = await stage({ operation: { existing } });
		expect(await sendOne(task(0, remembered))).toMatchObject(expected);
		expect(send).not.toHaveBeenCalled();
		expect(memory.noted()).toEqual([[], [], []]);
	});

	it('counts as carried out even if its operation knows nothing more of it', async () => {
		watch('written');
		const { sendOne } = await stage();
		expect(await sendOne(task(0, remembered))).toMatchObject({ kind: 'done' });
	});

	it('concerns neither records with an ID nor the second request of one', async () => {
		const memory = watch();
		const { sendAll, send } = await stage({ operation: { followUp: completion } });
		const tasks = [task(0), task(1, remembered), task(2)];
		await sendAll(tasks);
		expect(send).toHaveBeenCalledTimes(6);
		expect(memory.begin.mock.calls).toEqual([[RECORD]]);
	});

	it('is not asked for where no record needs it', async () => {
		const memory = watch();
		const { sendOne } = await stage();
		await sendOne(task());
		expect(memory.begin).not.toHaveBeenCalled();
		expect(memory.close).not.toHaveBeenCalled();
	});
});

describe('how many requests are in flight at once', () => {
	const sessionOf = (options: object, minimum?: number) => {
		const { context } = fakeContext();
		return new Session(context, {} as GatewayClient, Credits.open(context, minimum), options, true);
	};
	const of = (options: object, kind: 'read' | 'write', minimum?: number) =>
		sessionOf(options, minimum).atMost(kind);

	it('is the option of a read, four of a write, and one where credits have to be watched', () => {
		expect(of({}, 'read')).toBe(32);
		expect(of({ concurrency: 3 }, 'read')).toBe(3);
		expect(of({ concurrency: 3 }, 'write')).toBe(4);
		expect(of({ concurrency: 3 }, 'read', 0)).toBe(1);
	});

	it('begins lower for reads, and is never more than is allowed', () => {
		expect([1, 2, 32].map((concurrency) => new Reader(sessionOf({ concurrency })).atOnce)).toEqual([1, 2, 8]);
	});
});

it('every task has its own result, whichever ends first', async () => {
	const answers = [50, 0].map(async (ms, id) => (await sleep(ms), ok({ id })));
	const { sendAll } = await stage({ atMost: 2, answer: async (number) => await answers[number] });
	const results = await sendAll([task(4), task(5)]);
	expect(results).toMatchObject([
		{ item: 4, result: { records: [{ id: 0 }] } },
		{ item: 5, result: { records: [{ id: 1 }] } },
	]);
});

it('every request has the time-out that the run’s options set', async () => {
	const { sendOne, send } = await stage({ operation: { followUp: completion } });
	await sendOne(task());
	expect(send.mock.calls.map(([, timeout]) => timeout)).toEqual([7, 7]);
});
