/** The sender by itself, with answers that the tests give. With a gateway: severalAtOnce.test.mts, journal.test.mts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import range from 'lodash/range.js';
import { describe, expect, it, vi } from 'vitest';

import type { Task } from '../../../../nodes/shared/run/check.js';
import { Credits } from '../../../../nodes/shared/run/credits.js';
import { WriteJournal } from '../../../../nodes/shared/run/journal/journal.js';
import { concurrencyOf, sendAll } from '../../../../nodes/shared/run/send.js';
import { Sender } from '../../../../nodes/shared/run/sender.js';
import type { Completion, Operation } from '../../../../nodes/shared/operation.js';
import type { SendResult } from '../../../../nodes/shared/transport/request.js';
import { fakeContext } from '../../../support/fakeContext.mjs';

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
	operation?: Partial<Operation>;
	/** Called with the number of the request, from 0. */
	answer?: (number: number) => SendResult | Promise<SendResult>;
	memory?: IDataObject;
	execution?: string;
	minimum?: number;
	/** How many requests may be under way at once. */
	atMost?: number;
}

/** A sender of a run with some items. */
async function stage({
	kind = 'write',
	operation,
	answer = () => ok({ id: 1 }),
	minimum,
	atMost = 1,
	...own
}: Stage = {}) {
	const controller = new AbortController();
	const { context } = fakeContext({ items: range(9).map(() => ({ json: {} })), ...own });
	Object.assign(context, { getExecutionCancelSignal: () => controller.signal });
	let count = 0;
	const send = vi.fn(async (..._of: unknown[]) => await Promise.resolve(answer(count++)));
	const client = { send, destination: () => 'there' };
	const credits = Credits.open(context, minimum);
	const journal = kind === 'write' ? await WriteJournal.open(context) : undefined;
	const sender = new Sender(
		context,
		{ kind, ...operation } as Operation,
		client as never,
		credits,
		atMost,
		journal,
	);
	return { sender, credits, send, cancel: () => controller.abort() };
}

const task = (item = 0, own: Partial<Task> = {}): Task =>
	({
		item,
		label: `belegnummer K-${item}`,
		notes: [],
		request: { endpoint: 'POST /v2/x', path: {}, query: {} },
		values: {},
		options: { timeout: 7 },
		simple: true,
		...own,
	}) as unknown as Task;

const completion = (): Completion => ({
	request: { endpoint: 'POST /v2/mobility/customers', path: {}, query: {} },
	created: { id: 7 },
	verifyResponse: () => undefined,
	message: 'It was created, not activated',
	advice: 'Activate it.',
});

describe('cancelling', () => {
	it('sends nothing more, also where the node continues after a failure', async () => {
		const at = await stage({ answer: () => (at.cancel(), ok({ id: 1 })) });
		const tasks = range(9).map((item) => task(item));
		const results = await sendAll(tasks, at.sender, { credits: at.credits, stops: false });
		expect(at.send).toHaveBeenCalledTimes(1);
		expect(results.map(({ result }) => result)).toEqual([
			expect.objectContaining({ kind: 'done' }),
			...range(8).map(() => ({ kind: 'skipped', reason: 'The execution was canceled' })),
		]);
	});

	it('between two requests of an item leaves the second one, and says what the first one has made', async () => {
		const at = await stage({
			operation: { complete: completion },
			answer: () => (at.cancel(), ok({ id: 7 })),
		});
		expect(await at.sender.send(task())).toEqual({
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
		const { sender, cancel } = await stage();
		expect(sender.canceled).toBe(false);
		cancel();
		expect(sender.canceled).toBe(true);
	});
});

describe('a failure', () => {
	const refuses = async (stops: boolean) => {
		const { sender, credits, send } = await stage({
			answer: (number) => (number ? ok({ id: 1 }) : refusal(422)),
		});
		const results = await sendAll([task(0), task(1)], sender, { credits, stops });
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
		const { sender, credits } = await stage({ answer: (number) => (number ? refusal(422) : ok({ id: 1 })) });
		const results = await sendAll([task(4), task(5), task(6)], sender, { credits, stops: true });
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
		const { sender, credits, send } = await stage({ minimum: 5, answer: () => ok(low) });
		const results = await sendAll([task(0), task(1)], sender, { credits, stops: false });
		expect(send).toHaveBeenCalledTimes(1);
		expect(results.map(({ result }) => result.kind)).toEqual(['done', 'skipped']);
		expect(results[1].result).toMatchObject({ reason: expect.stringContaining('credit balance of 4') });
	});

	it('leave the results of an earlier attempt, whose balance counts in the same execution only', async () => {
		const memory = {};
		const first = await stage({ memory, minimum: 5, answer: () => ok(low) });
		await first.sender.send(task(1));
		const again = await stage({ memory, minimum: 5 });
		const rules = { credits: again.credits, stops: true };
		const results = await sendAll([task(1), task(2)], again.sender, rules);
		expect(results.map(({ result }) => result.kind)).toEqual(['done', 'skipped']);
		expect(again.send).not.toHaveBeenCalled();
		const retry = await stage({ memory, minimum: 5, execution: '2' });
		await sendAll([task(1), task(2)], retry.sender, { credits: retry.credits, stops: true });
		expect(retry.send).toHaveBeenCalledTimes(1);
	});
});

describe('a write', () => {
	const resultOf = async (
		operation: Partial<Operation>,
		body: unknown = { id: 1 },
		own: Partial<Task> = {},
	) => await (await stage({ operation, answer: () => ok(body) })).sender.send(task(0, own));

	it('counts as carried out only if the answer confirms it', async () => {
		const verifyResponse = () => 'names no ID';
		expect(await resultOf({ verifyResponse })).toMatchObject({
			kind: 'failed',
			failure: { outcome: 'unknown', description: expect.stringContaining('belegnummer K-0') },
		});
		const anyAnswer = { request: { ...task().request, anyAnswer: true } } as Partial<Task>;
		expect(await resultOf({ verifyResponse }, 'OK', anyAnswer)).toMatchObject({ kind: 'done' });
		expect(await resultOf({}, { success: false, message: 'Kasse gesperrt' }, anyAnswer)).toMatchObject({
			failure: { outcome: 'unknown' },
		});
		const fails = () => {
			throw new Error('a mistake in the node');
		};
		expect(await resultOf({ verifyResponse: fails })).toMatchObject({ failure: { outcome: 'unknown' } });
		expect(await resultOf({ complete: fails })).toMatchObject({ failure: { outcome: 'unknown' } });
	});

	it('that the accounting system refuses is incomplete', async () => {
		expect(await resultOf({ rejection: () => 'the account is locked' })).toMatchObject({
			kind: 'failed',
			failure: {
				outcome: 'incomplete',
				message: 'The gateway has it, but the account is locked',
				description: expect.stringMatching(/^belegnummer K-0: Look it up .*A retry sends it no more\.$/),
			},
		});
	});

	it('gives an item even if there is nothing in the answer, a read does not', async () => {
		expect(await resultOf({}, null)).toMatchObject({ kind: 'done', records: [{ success: true }] });
		const { sender } = await stage({ kind: 'read', answer: () => ok(null) });
		expect(await sender.send(task())).toMatchObject({ kind: 'done', records: [] });
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

	it('is put out untouched where it is not simplified', async () => {
		const body = { data: [{ a: 1 }] };
		const records = () => [{ b: 1 }];
		expect(await resultOf({ records }, body, { simple: false })).toMatchObject({ records: [body] });
		expect(await resultOf({ records }, body)).toMatchObject({ records: [{ b: 1 }] });
	});

	it('that fails to be completed says what exists, what went wrong, and how to go on', async () => {
		const answer = (number: number) => (number ? refusal(422) : ok({ id: 7 }));
		const { sender, send } = await stage({ operation: { complete: completion }, answer });
		expect(await sender.send(task())).toMatchObject({
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

describe('a record that comes again', () => {
	const again = { recurring: 'document 1', unique: { field: 'id', value: '1', within: 'a', mayRecur: true } };
	const existing = () => ({ id: 1, alreadyExisted: true });
	const sendTwice = async (answer: Stage['answer'], operation: Partial<Operation> = { existing }) => {
		const { sender, send } = await stage({ operation, answer });
		const results = [await sender.send(task(0, again)), await sender.send(task(1, again))];
		return { results, sent: send.mock.calls.length };
	};

	it('is sent once', async () => {
		const { results, sent } = await sendTwice(() => ok({ id: 1 }));
		expect(sent).toBe(1);
		expect(results).toMatchObject([{ records: [{ id: 1 }] }, { records: [existing()] }]);
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
		const { sender } = await stage({ operation: { existing }, answer: () => refusal(409, true) });
		expect(await sender.send(task())).toMatchObject({ failure: { outcome: 'refused' } });
	});
});

describe('how many requests are under way at once', () => {
	const of = (options: object, kind: string, minimum?: number) =>
		concurrencyOf(options as never, { kind } as Operation, Credits.open(fakeContext().context, minimum));

	it('is the option of a read, four of a write, and one where credits have to be watched', () => {
		expect(of({}, 'read')).toBe(16);
		expect(of({ concurrency: 3 }, 'read')).toBe(3);
		expect(of({ concurrency: 3 }, 'write')).toBe(4);
		expect(of({ concurrency: 3 }, 'read', 0)).toBe(1);
	});

	it('begins lower for reads, and is never more than is allowed', async () => {
		const { context } = fakeContext();
		const senderOf = (atMost: number, journal?: WriteJournal) =>
			new Sender(context, {} as never, {} as never, Credits.open(context), atMost, journal);
		expect([1, 2, 16].map((atMost) => senderOf(atMost).atOnce)).toEqual([1, 2, 4]);
		expect(senderOf(16, await WriteJournal.open(context)).atOnce).toBe(16);
	});
});

it('every task has its own result, whichever ends first', async () => {
	const answers = [50, 0].map(async (ms, id) => (await sleep(ms), ok({ id })));
	const { sender, credits } = await stage({ atMost: 2, answer: async (number) => await answers[number] });
	const results = await sendAll([task(4), task(5)], sender, { credits, stops: true });
	expect(results).toMatchObject([
		{ item: 4, result: { records: [{ id: 0 }] } },
		{ item: 5, result: { records: [{ id: 1 }] } },
	]);
});

it('every request has the time-out that the item’s options set', async () => {
	const { sender, send } = await stage({ operation: { complete: completion } });
	await sender.send(task());
	expect(send.mock.calls.map(([, timeout]) => timeout)).toEqual([7, 7]);
});
