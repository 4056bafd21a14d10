import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { Day } from '../../sandbox/banking/bank.mjs';
import { BANK_ACCOUNTS } from '../../sandbox/banking/bankAccounts.mjs';
import { createServices } from '../../sandbox/modules.mjs';
import { Store } from '../../sandbox/store.mjs';
import type { Json } from '../../api/contract.mjs';
import { shareOf } from '../../scripts/base/extent.mjs';
import { useSandbox } from './client.mjs';

const client = useSandbox();

const get = async (path: string, params: Json = {}, key = client.sandbox.apiKey) =>
	await client.http.get(`/v2/banking/${path}`, { params, headers: { 'x-api-key': key } });
const days = async (params: Json): Promise<Day[]> =>
	(await get('balances', { account_id: 'acc-giro', include_transactions: true, ...params })).data.data;

const cents = (amount: number) => Math.round(amount * 100);

/** What has to be true of any run of days. */
function expectConsistent(run: Day[]) {
	for (const [i, day] of run.entries()) {
		expect(cents(day.sod) + cents(day.cash_in) + cents(day.cash_out)).toBe(cents(day.eod));
		expect(cents(day.cash_in) + cents(day.cash_out)).toBe(cents(day.delta));
		const amounts = day.transactions.map(({ amount }) => cents(amount));
		expect(amounts.filter((one) => one > 0).reduce((sum, one) => sum + one, 0)).toBe(cents(day.cash_in));
		expect(amounts.filter((one) => one < 0).reduce((sum, one) => sum + one, 0)).toBe(cents(day.cash_out));
		let balance = cents(day.sod);
		for (const { amount, made_on, extra } of day.transactions) {
			balance += cents(amount);
			expect(cents(extra.account_balance_snapshot!)).toBe(balance);
			expect(made_on).toBe(day.date);
		}
		const times = day.transactions.map(({ created_at }) => created_at);
		expect(times).toEqual([...times].sort());
		const next = run[i + 1];
		if (!next) continue;
		expect(next.sod).toBe(day.eod);
		expect(next.date).toBe(DateTime.fromISO(day.date, { zone: 'utc' }).plus({ days: 1 }).toISODate());
	}
}

describe('the sandbox’s bank', () => {
	it('keeps balances and transactions consistent, whatever the seed, the time and the payments', () => {
		const time = fc.date({
			min: new Date('2024-12-25T00:00:00Z'),
			max: new Date('2028-01-01T00:00:00Z'),
			noInvalidDate: true,
		});
		const amount = fc.integer({ min: 1, max: 99_999_99 }).map((value) => (value / 100).toFixed(2));
		const payments = fc.array(
			fc.record({ amount, at: time, account: fc.constantFrom(...BANK_ACCOUNTS.map(({ id }) => id)) }),
		);
		fc.assert(
			fc.property(fc.integer(), time, payments, (seed, now, settled) => {
				const store = new Store({ seed, now });
				const { bank, payments } = createServices(store);
				for (const { amount, at, account } of settled) {
					const { id } = payments.create({ bank_account: account, payment_attributes: { amount } });
					for (const status of ['authorizing', 'processing']) payments.move(id, status);
					store.setNow(at);
					payments.move(id, 'settled');
				}
				store.setNow(now);
				for (const account of BANK_ACCOUNTS) {
					const run = bank.days(account, payments.settledFrom(account));
					expectConsistent(run);
					expect(run.length ? cents(run[0].sod) : account.opening).toBe(account.opening);
					const ids = run.flatMap(({ transactions }) => transactions.map(({ id }) => id));
					expect(new Set(ids).size).toBe(ids.length);
				}
			}),
			{ numRuns: shareOf(25) },
		);
	});
});

describe('the sandbox’s listBalances', () => {
	it('lists the last 30 days, without transactions', async () => {
		const list = (await get('balances', { account_id: 'acc-giro' })).data.data as Json[];
		expect([list.length, list[0].date, list.at(-1)!.date]).toEqual([30, '2026-02-01', '2026-03-02']);
		expect(list.filter((day) => 'transactions' in day)).toEqual([]);
	});

	it.each<[Json, string[]]>([
		[{ from_date: '2026-03-01', to_date: '2027-01-01' }, ['2026-03-01', '2026-03-02']],
		[{ from_date: '2024-12-30', to_date: '2025-01-02' }, ['2025-01-01', '2025-01-02']],
		[{ from_date: '2026-03-03' }, []],
	])('with %o lists %o', async (params, dates) => {
		expect((await days(params)).map(({ date }) => date)).toEqual(dates);
	});
});

describe('the sandbox’s getTransaction', () => {
	it('finds it only in its account', async () => {
		const [{ transactions }] = await days({ from_date: '2026-02-10' });
		const other = await get(`transactions/${transactions[0].id}`, { account_id: 'acc-wallet' });
		expect([other.status, other.data.error.field]).toEqual([404, 'id']);
		const foreign = await get(
			`transactions/${transactions[0].id}`,
			{ account_id: 'acc-giro' },
			'sandbox-second-key',
		);
		expect([foreign.status, foreign.data.error.field]).toEqual([404, 'account_id']);
	});

	it('shows a settled payment', async () => {
		await client.control.post('payments/pay-1/settled');
		const [{ transactions }] = await days({ from_date: '2026-03-02' });
		expect(transactions.find(({ payment_id }) => payment_id === 'pay-1')).toMatchObject({
			amount: -119,
			category: 'transfer',
			description: 'Rechnung RE-1007',
			description_parsed: { bic: 'CMCIDEDDXXX' },
			extra: { payee: 'Papier Schmidt OHG', end_to_end_id: 'E2E-1007' },
		});
	});
});

it.each<[string, Json, number]>([
	['pay-1', {}, 200],
	['pay-1', { api: 'openbanking' }, 404],
	['pay-2', {}, 404],
	['pay-2', { api: 'openbanking' }, 200],
])('the sandbox’s getPayment of %s with %o answers %d', async (id, params, status) => {
	expect((await get(`payments/${id}`, params)).status).toBe(status);
});

describe('the sandbox’s setWebhookUrl', () => {
	const put = async (body: Json) => await client.post('setWebhookUrl', body);
	const URL = 'https://n8n.example/webhook/1?token=2';

	it('replaces the URL', async () => {
		await put({ url: 'http://127.0.0.1:1/' });
		await put({ webhook_url: URL });
		expect(await client.list('webhooks')).toEqual([{ account: 'demo', url: URL }]);
	});

	it.each<[Json, number?]>([
		[{}],
		[{ a: URL, b: URL }],
		[{ '': URL }],
		[{ url: '' }],
		[{ url: null }, 400],
		[{ url: 'n8n' }],
		[{ url: 'ftp://n8n.example/' }],
	])('refuses %o', async (body, status = 422) => {
		await put({ url: URL });
		expect((await put(body)).status).toBe(status);
		expect(await client.list('webhooks')).toEqual([{ account: 'demo', url: URL }]);
	});
});

const listed = async () => (await days({})).flatMap(({ transactions }) => transactions);

it('a transaction made by the sandbox’s control API may be pending, which the balance leaves out until it is booked', async () => {
	const before = (await days({})).at(-1)!.eod;
	const { data } = await client.control.post('transactions', { amount: -20, status: 'pending' });
	expect((await days({})).at(-1)!.eod).toBe(before);
	client.sandbox.store.setNow(new Date('2026-03-02T10:00:00Z'));
	const book = async (id: unknown) =>
		(await client.control.post(`transactions/${data.id}/book`, { id })).status;
	await client.control.post('transactions', {
		id: 'other',
		amount: 1,
		status: 'pending',
		made_on: '2026-03-01',
	});
	expect([await book(5), await book('other'), await book('booked')]).toEqual([400, 409, 200]);
	const updated_at = '2026-03-02T10:00:00Z';
	expect((await listed()).at(-1)).toMatchObject({ id: 'booked', status: 'posted', amount: -20, updated_at });
	expect((await days({})).at(-1)!.eod).toBe(before - 20);
	expect((await client.control.post('transactions/booked/book')).status).toBe(404);
	const noDay = await client.control.post('transactions', { amount: 5, made_on: '2026-02-31' });
	expect([noDay.status, noDay.data.error.field]).toEqual([400, 'made_on']);
});
