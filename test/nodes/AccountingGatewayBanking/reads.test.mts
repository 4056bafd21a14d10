import type { INodeParameters, INodeProperties, NodeError } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBanking } from '../../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js';
import { mostAtOnce } from '../../support/timing.mjs';
import { refused, useGateway } from '../../support/useSandbox.mjs';
import type { RunOptions, TestItem } from '../../../host/harness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBanking();

// The last day whose transactions are complete is then 1 March.
beforeEach(() => gateway.sandbox.store.setNow(new Date('2026-03-02T09:00:00Z')));

/** The fields that stand in the collection of additional fields. */
const fieldsOf = (properties: INodeProperties[]) =>
	properties
		.filter(({ name }) => name === 'additionalFields')
		.flatMap(({ options }) => options as INodeProperties[]);
const run = async (parameters: INodeParameters, options?: Partial<RunOptions>) =>
	await gateway.run(node, parameters, options);
/** All that is said of an error. (n8n adds the node with its parameters, which the user has typed.) */
const textsOf = (error?: NodeError) => JSON.stringify([error?.message, error?.description, error?.messages]);
const queries = async () => (await gateway.requests()).map(({ query }) => query);
const items = (count: number): TestItem[] => Array.from({ length: count }, (_, i) => ({ json: { i } }));

const of =
	(resource: string, fields: INodeParameters, operation = 'get') =>
	(overrides: INodeParameters = {}): INodeParameters => ({ resource, operation, ...fields, ...overrides });
const balances = of('balance', { account_id: 'acc-giro' }, 'getAll');
const payment = of('payment', { id: 'pay-1' });
const transaction = of('transaction', { id: '={{ $json.id }}', account_id: 'acc-giro' });
const connection = of('connection', { id: 'conn-sparkasse' });
/** The first fields of a transaction. */
const FIRST = ['made_on', 'amount', 'currency_code', 'payee', 'svwz'];
const answers = async (body: unknown) => await gateway.fault({ kind: 'status', status: 200, body });
/** The transactions of a day, or of several. */
const transactionsOf = async (from_date: string, to_date = from_date) =>
	await run(balances({ additionalFields: { from_date, to_date }, output: 'transactions' }));

describe('Balance: Get Many', () => {
	it('gives one item per day', async () => {
		const { main, error } = await run(
			balances({ additionalFields: { from_date: '2026-02-27', to_date: '2026-03-01' } }),
		);
		expect(error).toBeUndefined();
		expect(main[0].map(({ json, pairedItem }) => [Object.keys(json), json.date, pairedItem])).toEqual(
			['2026-02-27', '2026-02-28', '2026-03-01'].map((date) => [
				['date', 'sod', 'eod', 'cash_in', 'cash_out', 'delta'],
				date,
				{ item: 0 },
			]),
		);
		expect(await queries()).toEqual([
			{ account_id: 'acc-giro', from_date: '2026-02-27', to_date: '2026-03-01' },
		]);
	});

	it.each([true, false])('includes transactions: %o', async (include_transactions) => {
		const { json } = await run(balances({ additionalFields: { include_transactions } }));
		expect(json.every((day) => 'transactions' in day)).toBe(include_transactions);
	});

	it.each([{}, { include_transactions: false }, { include_transactions: true }])(
		'gives one item per transaction, flat, day, amount, payee and purpose first (%o)',
		async (additionalFields) => {
			const parameters = balances({
				additionalFields: { from_date: '2026-02-28', to_date: '2026-03-01', ...additionalFields },
				output: 'transactions',
			});
			const { json } = await run(parameters);
			expect(json.map(({ made_on }) => made_on)).toEqual(['2026-02-28', '2026-02-28', '2026-03-01']);
			for (const row of json) {
				expect(row).toMatchObject({ svwz: expect.any(String) as string, duplicated: false });
				expect(Object.keys(row).slice(0, 5)).toEqual(FIRST);
			}
		},
	);

	it('says when there are no transactions', async () => {
		const { json, hints } = await transactionsOf('2024-12-01', '2024-12-31');
		expect(json).toEqual([]);
		expect(hints).toEqual([{ message: 'No records for item 1', type: 'info', location: 'outputPane' }]);
	});

	it('reads the last month if the days are added and left unchanged', async () => {
		const form = fieldsOf(node.description.properties);
		const [from_date, to_date] = ['from_date', 'to_date'].map(
			(name) => form.find((field) => field.name === name)!.default as string,
		);
		vi.useFakeTimers({ now: new Date('2027-03-30T22:30:00Z'), toFake: ['Date'] });
		try {
			await run(balances({ additionalFields: { from_date, to_date } }));
		} finally {
			vi.useRealTimers();
		}
		expect(await queries()).toEqual([
			{ account_id: 'acc-giro', from_date: '2027-02-28', to_date: '2027-03-31' },
		]);
	});

	it('refuses days in the wrong order before anything is sent', async () => {
		const additionalFields = { from_date: '2026-03-02', to_date: '2026-03-01' };
		const { error } = await run(balances({ additionalFields }));
		expect(error?.message).toMatch(refused('from_date'));
		expect(error?.message).toContain('"2026-03-02" must not be after to_date, which is 2026-03-01');
		expect(await gateway.requests()).toEqual([]);
	});

	it('reads several accounts at once, in item order, with paired items', async () => {
		await gateway.fault({ kind: 'latency', ms: 60, times: 1 });
		const { main } = await run(
			balances({
				account_id: '={{ $json.account }}',
				additionalFields: { from_date: '2026-03-01', to_date: '2026-03-01' },
				output: 'transactions',
			}),
			{ items: ['acc-giro', 'acc-wallet', 'acc-giro'].map((account) => ({ json: { account } })) },
		);
		expect(main[0].map(({ json, pairedItem }) => [json.payee, pairedItem])).toEqual([
			['Hausverwaltung Lindenhof', { item: 0 }],
			['Hausverwaltung Lindenhof', { item: 2 }],
		]);
	});
});

describe('Transaction: Get', () => {
	it('gives day, amount, payee and purpose first, in a flat record', async () => {
		const [row] = (await transactionsOf('2026-03-01')).json;
		const { main } = await run(transaction(), { items: [{ json: { id: row.id as string } }] });
		expect(main[0]).toEqual([
			{
				json: expect.objectContaining({
					id: row.id,
					amount: -1850,
					svwz: expect.any(String) as string,
					payee: 'Hausverwaltung Lindenhof',
				}),
				pairedItem: { item: 0 },
			},
		]);
		expect(Object.keys(main[0][0].json).slice(0, 5)).toEqual(FIRST);
	});
});

describe('Payment: Get', () => {
	it('is flat, with the amount as text', async () => {
		const { json } = await run(payment());
		expect(json).toMatchObject([{ id: 'pay-1', amount: '119.00', currency_code: 'EUR' }]);
		expect(json[0]).not.toHaveProperty('payment_attributes');
	});

	it('shows the bank’s last answer in fields of its own', async () => {
		const last_attempt = { status: 'rejected', description: 'Insufficient funds' };
		await answers({ data: { id: 'pay-1', last_attempt } });
		expect((await run(payment())).json).toMatchObject([{ id: 'pay-1', ...last_attempt }]);
	});

	it('is a payment that has failed, and no page of a list', async () => {
		const data = { id: 'pay-1', error: 'Insufficient funds', attempts: [], next_action: 'redirect' };
		await answers({ data });
		const { json, hints } = await run(payment({ simple: false }));
		expect([json, hints]).toEqual([[{ data }], []]);
		await answers({ data: { error: 'Wartung' } });
		expect((await run(payment())).error?.message).toContain('says “Wartung”');
	});

	it('of another status than 404 says nothing about the other API', async () => {
		await gateway.fault({ kind: 'status', status: 403 });
		const { error } = await run(payment());
		expect(textsOf(error)).not.toContain('openbanking');
	});

	it.each<[INodeParameters, string]>([
		[{ id: 'pay-2' }, 'try "openbanking"'],
		[{ id: 'pay-1', api: 'openbanking' }, 'try "partner"'],
	])('says where else to look for %o', async (overrides, text) => {
		const { error } = await run(payment(overrides));
		expect(error?.message).toContain("The gateway doesn't know this payment (HTTP 404)");
		expect(error?.description).toContain('A payment is only found through the API that it was made with');
		expect(error?.description).toContain(text);
	});
});

describe('Bank Connection: Get', () => {
	it('gives the connection', async () => {
		const { json } = await run(connection());
		expect(json[0]).toMatchObject({ id: 'conn-sparkasse', status: 'active', error_class: null });
	});

	it('refuses an ID that is none', async () => {
		expect((await run(connection({ id: '..' }))).error?.message).toMatch(refused('id'));
	});
});

describe('Days without their transactions', () => {
	const days = [
		{ date: '2026-02-24', cash_in: 5, cash_out: 5, delta: 0, transactions: [] },
		{ date: '2026-02-25', cash_in: 0, cash_out: '3.50', delta: 0, transactions: null },
		{ date: '2026-02-26', cash_in: 0, cash_out: 0, delta: -1 },
		{ date: '2026-02-27', cash_in: 0, cash_out: 0, delta: 1e-13, transactions: [] },
		{ date: '2026-02-28', cash_in: 1, cash_out: 0, delta: 1, transactions: [{ id: 't', amount: 1 }] },
	];
	const hintsOf = async (output: string) => {
		await answers({ data: days });
		return (await run(balances({ output }))).hints.map(({ message }) => message);
	};

	it('are named, if money has moved, where the transactions are asked for', async () => {
		expect(await hintsOf('transactions')).toEqual([
			'Item 1: the balance has changed, but the gateway sent no transactions for 2026-02-24, 2026-02-25, 2026-02-26',
		]);
	});

	it('are all right where the days are asked for', async () => {
		expect(await hintsOf('days')).toEqual([]);
	});
});

describe('Several reads', () => {
	it('go to the gateway up to 32 at once without the option', async () => {
		// So long that a busy machine doesn't make an answer look slow.
		await gateway.fault({ kind: 'latency', ms: 400, times: null });
		const { error } = await run({ ...payment(), options: {} }, { items: items(128) });
		expect(error).toBeUndefined();
		const most = mostAtOnce(await gateway.requests());
		expect(most).toBeGreaterThan(20);
		expect(most).toBeLessThanOrEqual(32);
	});
});
