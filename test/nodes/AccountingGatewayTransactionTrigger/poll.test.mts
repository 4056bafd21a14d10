import axios from 'axios';
import map from 'lodash/map.js';
import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters, NodeError } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { AccountingGatewayTransactionTrigger } from '../../../nodes/AccountingGatewayTransactionTrigger/AccountingGatewayTransactionTrigger.node.js';
import { GatewayClient } from '../../../nodes/shared/gateway/client.js';
import type { SendResult } from '../../../nodes/shared/gateway/request.js';
import { logger } from '../../../host/engine.mjs';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import { PolledWorkflow } from '../../../host/pollHarness.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayTransactionTrigger();

/** Sets the clock of the bank and of n8n. */
function setNow(iso: string): void {
	vi.setSystemTime(new Date(iso));
	gateway.sandbox.store.setNow(new Date(iso));
}
beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date'] });
	setNow('2026-03-10T09:00:00Z');
	new FakeDatabase().install();
});
afterEach(() => void vi.useRealTimers());

/** Moves money on the account. */
const transfer = async (amount: number, more: IDataObject = {}): Promise<string> => {
	const { data } = await axios.post(`${gateway.sandbox.url}/sandbox/transactions`, { amount, ...more });
	return (data as { id: string }).id;
};
const book = async (id: string, newId?: string) =>
	await axios.post(`${gateway.sandbox.url}/sandbox/transactions/${id}/book`, newId ? { id: newId } : {});
/** Another workflow for each: n8n's record is made sure of a while after a test has ended. */
let workflows = 0;
const trigger = (parameters: INodeParameters = {}) =>
	new PolledWorkflow(node, {
		credential: gateway.credential,
		workflowId: `polled ${++workflows}`,
		parameters: { account_id: 'acc-giro', direction: 'all', ...parameters },
	});
/** A published trigger, which has seen what was there. */
const published = async (parameters: INodeParameters = {}) => {
	const workflow = trigger(parameters);
	expect(await workflow.activate()).toEqual([]);
	return workflow;
};
const ids = (items: IDataObject[]) => items.map(({ id }) => id);
/** The days that polls have asked for. */
const asked = async () =>
	(await gateway.requests()).map(({ query }) => {
		const { from_date, to_date } = query as IDataObject;
		return [from_date, to_date];
	});

describe('What starts a workflow with the transaction trigger', () => {
	it('is each new transaction, once, oldest first, as a row of the balance node', async () => {
		const workflow = await published();
		const first = await transfer(119, { text: 'RE-2026-0050', partner: 'Hotel am Markt GmbH' });
		setNow('2026-03-10T09:05:00Z');
		const second = await transfer(-12.5);
		const late = await transfer(7, { made_on: '2026-03-06' });
		const items = await workflow.poll();
		expect(ids(items)).toEqual([late, first, second]);
		expect(items[1]).toEqual({
			made_on: '2026-03-10',
			amount: 119,
			currency_code: 'EUR',
			payee: 'Bäckerei Sonnenschein GmbH',
			svwz: 'RE-2026-0050',
			description: 'RE-2026-0050',
			payer: 'Hotel am Markt GmbH',
			duplicated: false,
			payment_id: '',
			id: first,
		});
		expect(await workflow.poll()).toEqual([]);
		expect(await workflow.restart()).toEqual([]);
	});

	it('is what the gateway sent, with Simplify off', async () => {
		const workflow = await published({ simple: false });
		const id = await transfer(5);
		expect(await workflow.poll()).toEqual([
			expect.objectContaining({ id, account_id: 'acc-giro', extra: expect.any(Object) as object }),
		]);
	});

	it('is only what the direction, the minimum amount and the text let pass', async () => {
		const workflow = await published({ direction: 'outgoing', minAmount: '12,50', text: 'MIETE' });
		const id = await transfer(-12.5, { text: 'Miete März' });
		await transfer(-12.49, { text: 'Miete März' });
		await transfer(12.5, { text: 'Miete März' });
		await transfer(-12.5, { text: 'Strom' });
		expect(ids(await workflow.poll())).toEqual([id]);
	});

	it('is marked as a duplicate only if that is asked for', async () => {
		const [without, including] = [
			await published(),
			await published({ options: { includeDuplicated: true } }),
		];
		const id = await transfer(5, { duplicated: true });
		expect(await without.poll()).toEqual([]);
		expect(ids(await including.poll())).toEqual([id]);
	});
});

describe('A pending transaction', () => {
	it('starts the workflow when it is booked', async () => {
		const before = await transfer(4, { status: 'pending' });
		const workflow = await published();
		const id = await transfer(5, { status: 'pending' });
		expect(await workflow.poll()).toEqual([]);
		await book(id);
		await book(before);
		expect(ids(await workflow.poll()).sort()).toEqual([id, before].sort());
		expect(await workflow.poll()).toEqual([]);
	});

	it('starts it at once with the option, and again only under another ID', async () => {
		const workflow = await published({ options: { includePending: true } });
		const [same, other] = [
			await transfer(5, { status: 'pending' }),
			await transfer(6, { status: 'pending' }),
		];
		expect(ids(await workflow.poll())).toEqual([same, other]);
		await book(same);
		await book(other, 'booked-6');
		expect(ids(await workflow.poll())).toEqual(['booked-6']);
	});
});

describe('What the bank listed before the publication', () => {
	it('starts nothing; a start date says otherwise', async () => {
		const workflow = trigger({ options: { startDate: '05.03.2026' } });
		const items = await workflow.activate();
		expect(items.length).toBeGreaterThan(3);
		expect(items.map(({ made_on }) => made_on)).toEqual(items.map(({ made_on }) => made_on).sort());
		expect(items[0].made_on).toBe('2026-03-05');
		expect(await workflow.poll()).toEqual([]);
	});

	it('stays what it was when the start date is added, changed or taken away later', async () => {
		const workflow = await published({ options: { startDate: '={{ $today.toISODate() }}' } });
		const late = await transfer(7, { made_on: '2026-03-09' });
		setNow('2026-03-12T09:00:00Z');
		await workflow.poll();
		for (const options of [{ startDate: '2026-02-01' }, {}, { startDate: '2026-03-12' }]) {
			workflow.options.parameters.options = options;
			expect(await workflow.activate()).toEqual([]);
		}
		const fresh = await transfer(8, { made_on: '2026-03-11' });
		expect(ids(await workflow.poll())).toEqual([fresh]);
		expect(ids(workflow.executions.flat())).not.toContain(late);
	});

	it('is also what a changed filter would have let pass, which needs the gateway once', async () => {
		const workflow = await published({ minAmount: 100 });
		await transfer(50);
		expect(await workflow.poll()).toEqual([]);
		const both = await transfer(150);
		workflow.options.parameters.minAmount = 10;
		const fail = async () => await gateway.fault({ kind: 'status', status: 401, times: 1 });
		await fail();
		await expect(workflow.activate()).rejects.toThrow('rejected the API key');
		expect(ids(await workflow.activate())).toEqual([both]);
		await fail();
		expect(await workflow.restart()).toEqual([]);
		const next = await transfer(50);
		expect(ids(await workflow.poll())).toEqual([next]);
	});

	it('starts nothing with a memory that another version of the package has written, and says what to do, once', async () => {
		const workflow = await published();
		for (const memories of Object.values(workflow.stored.global as Record<string, IDataObject>))
			for (const memory of Object.values(memories) as IDataObject[]) delete memory.format;
		const before = structuredClone(workflow.stored);
		expect(await workflow.restart()).toEqual([]);
		await transfer(5);
		expect(await workflow.poll()).toEqual([]);
		expect(workflow.failures.map(({ message }) => message)).toEqual([
			'What this trigger remembers was written by another version of the package',
		]);
		expect(workflow.stored).toEqual(
			JSON.parse(JSON.stringify(before).replace(/("process":)"[^"]*"/g, '$1"another"')),
		);
	});

	it('is judged by the same filter after a restart, also where the database sorts what it stores', async () => {
		const workflow = await published({ minAmount: 100, text: 'RE' });
		for (const memories of Object.values(workflow.stored.global as Record<string, IDataObject>))
			for (const memory of Object.values(memories) as IDataObject[])
				memory.filter = Object.fromEntries(Object.entries(memory.filter as IDataObject).reverse());
		// The filter is no new one, which would need the gateway.
		await gateway.fault({ kind: 'status', status: 401, times: 1 });
		expect(await workflow.restart()).toEqual([]);
	});

	it('is what is on another account when that is chosen; what comes to the first one meanwhile is caught up', async () => {
		await transfer(1, { bank_account: 'acc-wallet' });
		const workflow = await published();
		workflow.options.parameters.account_id = 'acc-wallet';
		expect(await workflow.activate()).toEqual([]);
		const [giro, wallet] = [await transfer(2), await transfer(3, { bank_account: 'acc-wallet' })];
		expect(ids(await workflow.poll())).toEqual([wallet]);
		setNow('2026-05-20T09:00:00Z');
		workflow.options.parameters.account_id = 'acc-giro';
		expect(ids(await workflow.activate())).toContain(giro);
	});
});

it('A transaction of a day that hasn’t begun where the office is comes when it has; no such day is requested', async () => {
	// It is still 10 March for the office, and 11 March at the bank.
	setNow('2026-03-10T20:00:00Z');
	gateway.sandbox.store.setNow(new Date('2026-03-11T02:00:00Z'));
	const workflow = await published({ options: { startDate: '2026-03-12' } });
	const id = await transfer(5, { made_on: '2026-03-12' });
	expect(await workflow.poll()).toEqual([]);
	setNow('2026-03-11T23:30:00Z');
	expect(ids(await workflow.poll())).toEqual([id]);
	expect(await asked()).toEqual([
		['2026-03-10', '2026-03-10'],
		['2026-03-10', '2026-03-10'],
		['2026-03-12', '2026-03-12'],
	]);
});

it.each([
	['simplified', true],
	['as received', false],
])('Odd values and 10,000 transactions stop no poll, %s', async (_what, simple) => {
	const workflow = await published({ simple });
	const odd: unknown[] = [null, [], {}, { toString: 1 }, 1e300, true, '2026-99-99', 'x'.repeat(100_000)];
	const transactions = odd.flatMap((value, i) =>
		['id', 'status', 'amount', 'made_on', 'created_at', 'duplicated', 'description', 'extra'].map(
			(field): IDataObject => ({ id: `odd ${i} ${field}`, amount: 1, [field]: value as IDataObject }),
		),
	);
	const many = Array.from({ length: 10_000 }, (_, i) => ({ id: `many ${i}`, amount: 1 }));
	const days = [
		...odd.map((date) => ({ date, cash_in: date, transactions: date })),
		{ date: '2026-03-10', sod: 0, eod: 0, transactions: [...transactions, ...odd, ...many] },
	];
	vi.spyOn(GatewayClient.prototype, 'send').mockResolvedValue({ ok: true, body: { data: days } });
	const found = [...(await workflow.poll()), ...(await workflow.poll())];
	expect(workflow.logs).toEqual([expect.stringContaining('without an ID')]);
	expect(new Set(ids(found)).size).toBe(2_000);
	expect(ids(found).filter((id) => typeof id === 'string' && id.startsWith('odd')).length).toBeGreaterThan(
		50,
	);
	vi.restoreAllMocks();
});

describe('A gap between polls', () => {
	it('of days is caught up: the next poll looks back from the last one', async () => {
		const workflow = await published({ options: { lookbackDays: 3 } });
		setNow('2026-06-20T09:00:00Z');
		const items = await workflow.restart();
		expect(items[0].made_on).toBe('2026-03-10');
		expect(items.at(-1)?.made_on).toMatch(/^2026-06-1/);
		expect(new Set(ids(items)).size).toBe(items.length);
		// No more than a month at a time, the newest first.
		expect(await asked()).toEqual([
			['2026-03-07', '2026-03-10'],
			['2026-05-24', '2026-06-20'],
			['2026-04-26', '2026-05-23'],
			['2026-03-29', '2026-04-25'],
			['2026-03-07', '2026-03-28'],
		]);
	});

	/** A gateway that gives no day before one, as a bank does without a new consent, or no more than so many days at once. */
	function limit({ since = '', days = Infinity }: { since?: string; days?: number }) {
		const send = GatewayClient.prototype.send;
		const spy = vi.spyOn(GatewayClient.prototype, 'send').mockImplementation(async function (
			this: GatewayClient,
			request,
			...more
		) {
			const { from_date, to_date } = request.query as Record<string, string>;
			const count = (Date.parse(to_date) - Date.parse(from_date)) / 86_400_000 + 1;
			if (from_date >= since && count <= days) return await send.call(this, request, ...more);
			const failure = {
				outcome: 'refused',
				status: 422,
				message: { en: 'no such days', de: 'keine solchen Tage' },
				description: { en: '', de: '' },
			} as const;
			return { ok: false, failure };
		});
		onTestFinished(() => spy.mockRestore());
		return spy;
	}

	it.each(['2026-03-08', '2026-04-26', '2026-05-01', '2026-05-10', '2026-05-23', '2026-06-20'])(
		'is caught up since %s, where the gateway gives nothing before, with five refusals more, and one failed execution',
		async (since) => {
			const workflow = await published({ options: { lookbackDays: 3 } });
			const dayBefore = DateTime.fromISO(since).minus({ days: 1 }).toISODate();
			const [old, first] = [await transfer(6, { made_on: dayBefore }), await transfer(7, { made_on: since })];
			setNow('2026-06-20T09:00:00Z');
			const send = limit({ since });
			const days = map(await workflow.restart(), 'made_on') as string[];
			expect(days[0]).toBe(since);
			const refused = (
				await Promise.all(send.mock.results.map(({ value }) => value as Promise<SendResult>))
			).filter(({ ok }) => !ok);
			expect(refused.length).toBeLessThanOrEqual(6);
			expect(await workflow.poll()).toEqual([]);
			setNow('2026-06-21T09:00:00Z');
			await workflow.poll();
			expect(workflow.failures.map(({ message }) => message)).toEqual([
				'The first transactions of the bank account since 2026-03-07 could not be read',
			]);
			expect((workflow.failures[0] as NodeError).description).toContain(`from 2026-03-07 to ${dayBefore}`);
			// They are requested for as long as the gap was, in case that they come after all, and then no longer.
			send.mockRestore();
			const late = ids(await workflow.poll());
			expect([late.includes(old), late.includes(first)]).toEqual([true, false]);
			setNow('2026-12-01T09:00:00Z');
			await workflow.poll();
			await workflow.poll();
			const [[oldest]] = (await asked()).slice(-1);
			expect(oldest, 'first day that is still requested').toMatch(/^2026-(0[6-9]|1)/);
		},
	);

	it.each([14, 5, 1])('is caught up whole from a gateway that gives %i days at once', async (days) => {
		const workflow = await published({ options: { lookbackDays: 3 } });
		const old = await transfer(6, { made_on: '2026-03-10' });
		setNow('2026-06-20T09:00:00Z');
		limit({ days });
		expect(ids(await workflow.restart())).toContain(old);
		expect(workflow.failures).toEqual([]);
	});

	it('that the gateway breaks off is caught up from where it broke off', async () => {
		const workflow = await published({ options: { lookbackDays: 3 } });
		const old = await transfer(6, { made_on: '2026-03-10' });
		setNow('2026-06-20T09:00:00Z');
		await gateway.fault({ kind: 'status', status: 500, times: 1, contains: '"from_date":"2026-03-29"' });
		const items = await workflow.restart();
		expect((map(items, 'made_on') as string[]).filter((day) => day < '2026-04-26')).toEqual([]);
		expect(workflow.logs).toEqual([expect.stringContaining('from 2026-03-07 to 2026-04-25')]);
		expect(ids(await workflow.poll())).toContain(old);
		expect(workflow.failures).toEqual([]);
	});

	it('of the gateway is a line in the log, and is caught up', async () => {
		const workflow = await published();
		const id = await transfer(5);
		await gateway.fault({ kind: 'status', status: 500, times: 1 });
		expect(await workflow.poll()).toEqual([]);
		expect(workflow.logs).toEqual([
			expect.stringMatching(
				/^The transaction trigger of workflow ".+" could .* the next poll will catch up\. .*"workflowId":"polled \d+","node":"Node"/,
			),
		]);
		expect(ids(await workflow.poll())).toEqual([id]);
		expect(workflow.logs.at(-1)).toContain('can read the bank account again');
	});

	it('that lasts is one failed execution, too, and one that waiting does not help is at once', async () => {
		const workflow = await published();
		const other = await published();
		await gateway.fault({ kind: 'status', status: 500, times: 3 });
		await workflow.poll();
		expect(workflow.failures).toHaveLength(0);
		setNow('2026-03-10T10:01:00Z');
		await workflow.poll();
		await workflow.poll();
		expect(workflow.failures).toHaveLength(1);
		// The gateway is back, and refuses the key.
		for (let time = 1; time <= 2; time++) {
			await gateway.fault({ kind: 'status', status: 401, times: 1 });
			await workflow.poll();
			await other.poll();
		}
		expect(workflow.failures).toHaveLength(2);
		await workflow.poll();
		await gateway.fault({ kind: 'status', status: 401, times: 1 });
		await workflow.poll();
		expect(workflow.failures).toHaveLength(3);
	});

	it('that an answer leaves, as one page of several, is one failed execution while it lasts', async () => {
		const workflow = await published();
		const page = (more: IDataObject) => ({
			data: [{ date: '2026-03-10', transactions: [{ id: 'a', account_id: 'acc-giro' }] }],
			...more,
		});
		const answers = async (more: IDataObject, times: number) =>
			await gateway.fault({ kind: 'status', status: 200, body: page(more), times });
		await answers({ next_id: 'b' }, 2);
		expect(ids(await workflow.poll())).toEqual(['a']);
		expect(workflow.failures).toMatchObject([
			{
				message: 'Perhaps not all transactions of the bank account were read',
				description: expect.stringContaining(
					'list of days: next_id. If that means that the list goes on',
				) as string,
			},
		]);
		await workflow.poll();
		await answers({ next_id: null }, 1);
		await workflow.poll();
		expect(workflow.failures).toHaveLength(1);
		await answers({ next_id: 'b' }, 1);
		await workflow.poll();
		expect(workflow.failures).toHaveLength(2);
	});

	it.each<[string, unknown]>([
		['no list', { message: 'Wartung' }],
		[
			'another account',
			{ data: [{ date: '2026-03-10', transactions: [{ id: 'a', account_id: 'acc-wallet' }] }] },
		],
	])('is also an answer with %s, which may be another one next time', async (_what, body) => {
		const workflow = await published();
		const id = await transfer(5);
		await gateway.fault({ kind: 'status', status: 200, body, times: 1 });
		expect(await workflow.poll()).toEqual([]);
		expect(workflow.logs).toEqual([expect.stringContaining('the next poll will catch up')]);
		expect(workflow.failures).toEqual([]);
		expect(ids(await workflow.poll())).toEqual([id]);
	});

	it('at the very beginning fails the publication: there would be nothing to catch up with', async () => {
		const workflow = trigger({ account_id: 'acc-none' });
		await expect(workflow.activate()).rejects.toMatchObject({
			message: expect.stringContaining('acc-none') as string,
		});
		expect(workflow.stored).toEqual({});
	});
});

describe('A credential that the transaction trigger can’t read', () => {
	const gone = {
		get apiKey(): string {
			throw new Error('Credential not found');
		},
	};

	it('is a line in the log later, and what comes meanwhile is caught up', async () => {
		const workflow = await published();
		const id = await transfer(5);
		const { credential } = workflow.options;
		workflow.options.credential = gone;
		expect(await workflow.poll()).toEqual([]);
		expect(workflow.logs).toEqual([expect.stringContaining('Credential not found')]);
		expect(workflow.failures).toEqual([]);
		workflow.options.credential = credential;
		expect(ids(await workflow.poll())).toEqual([id]);
	});
});

it.each([
	[null, 120_000],
	[30_700, 30_000],
	[600_000, 120_000],
])('A poll that may take %s ms waits %i ms for the answer', async (budget, limit) => {
	const workflow = await published();
	workflow.options.budgetMs = budget;
	const timeout = vi.spyOn(AbortSignal, 'timeout');
	await workflow.poll();
	expect(timeout.mock.calls).toEqual([[limit]]);
});

describe('What the transaction trigger has seen', () => {
	it('does not grow without bound, and is not emitted again when it is read again', async () => {
		const workflow = await published();
		const sizes: number[] = [];
		let count = 0;
		const seen = new Set<unknown>();
		for (let day = DateTime.fromISO('2026-03-11T09:00:00Z'); day.month < 7; day = day.plus({ days: 2 })) {
			setNow(day.toISO()!);
			const items = await workflow.poll();
			count += items.length;
			for (const id of ids(items)) seen.add(id);
			sizes.push(JSON.stringify(workflow.stored).length);
		}
		expect(count).toBeGreaterThan(100);
		expect(seen.size).toBe(count);
		expect(Math.max(...sizes.slice(30))).toBeLessThan(2_500);
		workflow.options.parameters.options = { lookbackDays: 300 };
		expect(await workflow.activate()).toEqual([]);
	});

	it('survives that the node is renamed', async () => {
		const workflow = await published();
		const id = await transfer(1);
		workflow.options.nodeName = 'Zahlungseingang';
		expect(ids(await workflow.activate())).toEqual([id]);
	});

	it('is not that of another trigger with its ID, as in a workflow that was put together by hand', async () => {
		const incoming = trigger({ direction: 'incoming' });
		const outgoing = trigger({ direction: 'outgoing' });
		Object.assign(incoming.options, { nodeName: 'Eingang', others: ['Ausgang'] });
		Object.assign(outgoing.options, { nodeName: 'Ausgang', others: ['Eingang'] });
		const both = [incoming, outgoing];
		const poll = async () => {
			const found: unknown[][] = [];
			for (const workflow of both) {
				// They share the workflow's data.
				workflow.stored = both.find((other) => other !== workflow)!.stored;
				found.push(ids(await workflow.activate()));
			}
			incoming.stored = outgoing.stored;
			return found;
		};
		incoming.stored = outgoing.stored;
		expect(await poll()).toEqual([[], []]);
		const [first, second] = [await transfer(5), await transfer(-6)];
		expect(await poll()).toEqual([[first], [second]]);
		expect(await poll()).toEqual([[], []]);
	});

	it('is not confused by two polls at once', async () => {
		const workflow = await published();
		await transfer(5);
		const both = await Promise.all([workflow.emitted(), workflow.emitted()]);
		expect(both.filter((items) => items !== null)).toHaveLength(1);
	});
});

describe('After n8n was killed', () => {
	it('or couldn’t store an execution, its transactions come with the next poll, once', async () => {
		const workflow = await published();
		const id = await transfer(5);
		workflow.options.failsToStore = true;
		expect(await workflow.poll()).toEqual([]);
		workflow.options.failsToStore = false;
		expect(ids(await workflow.poll())).toEqual([id]);
		expect(await workflow.poll()).toEqual([]);
	});

	it('before it stored the execution, the transactions come again', async () => {
		const workflow = await published();
		const id = await transfer(5);
		await workflow.poll(true);
		expect(ids(await workflow.restart())).toEqual([id]);
		expect(await workflow.restart()).toEqual([]);
	});

	it('transactions that started the workflow don’t start it again, and the execution says why', async () => {
		const workflow = await published();
		const id = await transfer(5);
		expect(ids(await workflow.poll())).toEqual([id]);
		expect(await workflow.restart()).toEqual([]);
		expect(workflow.hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^1 of 1 transactions have started this workflow before/),
		]);
	});

	it('those of several transactions that are new start the workflow', async () => {
		const workflow = await published();
		const first = await transfer(5);
		const [[known]] = (await workflow.emitted())!;
		expect(ids(await workflow.execute([[known]]))).toEqual([first]);
		const [fresh, ...others] = ['new', null, undefined].map((id) => ({ json: { id } as IDataObject }));
		expect(await workflow.execute([[...others, known, fresh]])).toEqual([{ id: 'new' }]);
		expect(workflow.hints.map(({ message }) => message)).toEqual([
			"1 of 2 transactions have started this workflow before, so they don't start it again.",
		]);
		// The same ID on another account is another transaction.
		workflow.options.parameters.account_id = 'acc-wallet';
		expect(ids(await workflow.execute([[known]]))).toEqual([first]);
	});

	it('a person who retries the execution gets its transactions again', async () => {
		const workflow = await published();
		const id = await transfer(5);
		const emitted = (await workflow.emitted())!;
		for (const mode of ['trigger', 'retry'] as const) {
			expect(ids(await workflow.execute(emitted, mode))).toEqual([id]);
		}
		expect(workflow.hints).toEqual([]);
	});
});

describe('A test of the transaction trigger in the editor', () => {
	it('gets the latest transactions, and remembers nothing', async () => {
		const workflow = await published();
		const id = await transfer(5);
		const items = await workflow.test();
		expect(items).toHaveLength(10);
		expect(items.at(-1)?.id).toBe(id);
		expect(await workflow.test()).toEqual(items);
		expect(ids(await workflow.poll())).toEqual([id]);
	});

	it.each([
		[{}, '2025-12-10'],
		[{ lookbackDays: 91 }, '2025-12-09'],
	])('looks back 90 days, or more with %o, unless it has ten before', async (options, from) => {
		await trigger({ options }).test();
		expect(await asked()).toHaveLength(1);
		await trigger({ options, text: 'what no transaction says' }).test();
		const days = await asked();
		expect([days[1][1], days.at(-1)![0], days.length]).toEqual(['2026-03-10', from, 1 + 4]);
	});

	it.each([
		[{ options: { includePending: true } }, 'pending'],
		[{ text: 'Miete' }, 'booked'],
	])('gets what is wanted: %o', async (parameters, last) => {
		const found = { booked: await transfer(5, { text: 'Miete' }), pending: '' };
		setNow('2026-03-10T09:05:00Z');
		found.pending = await transfer(6, { status: 'pending' });
		expect(ids(await trigger(parameters).test()).at(-1)).toBe(found[last as keyof typeof found]);
	});

	it('gets the same when it is started from the command line, without a poll', async () => {
		const workflow = await published();
		const items = await workflow.test();
		expect(await workflow.execute([[{ json: {} }]])).toEqual(items);
	});

	it('gets the same when n8n polls for it, and nothing if there is nothing', async () => {
		const workflow = await published();
		const id = await transfer(5);
		const [found] = (await workflow.emitted('manual'))!;
		expect(found).toHaveLength(10);
		expect(found.at(-1)).toMatchObject({ json: { id }, pairedItem: { item: 0 } });
		workflow.options.parameters.text = 'what no transaction says';
		await workflow.activate();
		expect(await workflow.emitted('manual')).toBeNull();
	});

	it('says what the gateway refuses', async () => {
		await expect(trigger({ account_id: 'acc-none' }).test()).rejects.toMatchObject({
			message: expect.stringContaining('acc-none') as string,
		});
	});

	it('names its workflow in the log when it leaves transactions out', async () => {
		const warn = vi.spyOn(logger, 'warn').mockReturnValue();
		const workflow = await published();
		await transfer(5, { id: ' ' });
		await workflow.test();
		expect(warn.mock.calls).toEqual([
			[expect.stringMatching(/^The transaction trigger of workflow ".+": .* without an ID.* of 2026-03-10/)],
		]);
	});

	it('says what is wrong with a parameter', async () => {
		await expect(trigger({ minAmount: '1.234' }).test()).rejects.toThrow(
			/Minimum Amount \(minAmount\) is ambiguous/,
		);
		await expect(trigger({ account_id: '' }).activate()).rejects.toThrow(/\(account_id\) is required/);
	});
});
