import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { Day } from '../../sandbox/banking/bank.mjs';
import { BANK_ACCOUNTS } from '../../sandbox/banking/bankAccounts.mjs';
import { createServices } from '../../sandbox/modules.mjs';
import { Store } from '../../sandbox/store.mjs';
import type { Json } from '../support/contract.mjs';
import { shareOf } from '../support/extent.mjs';
import { judgeAnswer, useSandbox } from './client.mjs';

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
	}, 120_000);
});

describe('the sandbox’s listBalances', () => {
	it('lists the last 30 days, without transactions', async () => {
		const answer = await get('balances', { account_id: 'acc-giro' });
		expect(judgeAnswer('listBalances', answer)).toEqual([]);
		const list = answer.data.data as Json[];
		expect([list.length, list[0].date, list.at(-1)!.date]).toEqual([30, '2026-02-01', '2026-03-02']);
		expect(list.every((day) => !('transactions' in day))).toBe(true);
	});

	it('lists the transactions on request', async () => {
		const answer = await get('balances', {
			account_id: 'acc-giro',
			from_date: '2026-02-10',
			to_date: '2026-02-10',
			include_transactions: true,
		});
		expect(judgeAnswer('listBalances', answer)).toEqual([]);
		const [{ transactions }] = answer.data.data as Day[];
		expect(transactions.map(({ category }) => category)).toEqual(['taxes', 'sales', 'supplies']);
	});

	it.each<[Json, string[]]>([
		[{ from_date: '2026-02-27' }, ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']],
		[{ from_date: '2026-03-01', to_date: '2026-03-01' }, ['2026-03-01']],
		[{ from_date: '2026-03-01', to_date: '2027-01-01' }, ['2026-03-01', '2026-03-02']],
		[{ from_date: '2024-12-30', to_date: '2025-01-02' }, ['2025-01-01', '2025-01-02']],
		[{ from_date: '2024-12-01', to_date: '2024-12-24' }, []],
	])('with %o lists %o', async (params, dates) => {
		expect((await days(params)).map(({ date }) => date)).toEqual(dates);
	});
});

describe('the sandbox’s getTransaction', () => {
	it('gives the transaction of the list', async () => {
		const [{ transactions }] = await days({ from_date: '2026-02-10' });
		for (const transaction of transactions) {
			const answer = await get(`transactions/${transaction.id}`, { account_id: 'acc-giro' });
			expect(judgeAnswer('getTransaction', answer)).toEqual([]);
			expect(answer.data.data).toEqual(transaction);
		}
	});

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

describe('the sandbox’s getPayment', () => {
	it.each([
		['pay-1', {}],
		['pay-1', { api: 'partner' }],
		['pay-2', { api: 'openbanking' }],
	])('finds %s with %o', async (id, params) => {
		const answer = await get(`payments/${id}`, params);
		expect(judgeAnswer('getPayment', answer)).toEqual([]);
		expect(answer.data.data.id).toBe(id);
	});

	it.each([
		['pay-2', {}],
		['pay-1', { api: 'openbanking' }],
		['pay-9', {}],
	])('does not find %s with %o', async (id, params) => {
		const answer = await get(`payments/${id}`, params);
		expect([answer.status, answer.data.error.field]).toEqual([404, 'id']);
	});
});

describe('the sandbox’s setWebhookUrl', () => {
	const put = async (body: Json) => await client.post('setWebhookUrl', body);
	const URL = 'https://n8n.example/webhook/1?token=2';

	it.each(['url', 'webhook_url'])('takes the URL from the field %s', async (field) => {
		expect((await put({ [field]: URL })).status).toBe(200);
		expect(await client.list('webhooks')).toEqual([{ account: 'demo', url: URL }]);
	});

	it('replaces the URL, and clears it with null or nothing', async () => {
		for (const cleared of [null, '']) {
			await put({ url: 'http://127.0.0.1:1/' });
			await put({ url: URL });
			expect(await client.list('webhooks')).toEqual([{ account: 'demo', url: URL }]);
			expect((await put({ url: cleared })).status).toBe(200);
			expect(await client.list('webhooks')).toEqual([]);
		}
	});

	it.each<[Json]>([
		[{}],
		[{ a: URL, b: URL }],
		[{ '': URL }],
		[{ url: 'n8n' }],
		[{ url: 'ftp://n8n.example/' }],
	])('refuses %o', async (body) => {
		await put({ url: URL });
		expect((await put(body)).status).toBe(422);
		expect(await client.list('webhooks')).toEqual([{ account: 'demo', url: URL }]);
	});
});

describe('a transaction made by the sandbox’s control API', () => {
	const listed = async () => (await days({})).flatMap(({ transactions }) => transactions);

	it('is on the statement at once, and counts in the balance', async () => {
		const before = (await days({})).at(-1)!.eod;
		const { status, data } = await client.control.post('transactions', {
			amount: 119,
			partner: 'Hotel',
			text: 'RE-1',
		});
		expect(status).toBe(200);
		expect((await listed()).at(-1)).toMatchObject({
			id: data.id,
			amount: 119,
			description: 'RE-1',
			extra: { payer: 'Hotel' },
			status: 'posted',
		});
		expect((await days({})).at(-1)!.eod).toBe(before + 119);
		expectConsistent(await days({}));
	});

	it('may be pending, which the balance leaves out until it is booked', async () => {
		const before = (await days({})).at(-1)!.eod;
		const { data } = await client.control.post('transactions', { amount: -20, status: 'pending' });
		expect((await days({})).at(-1)!.eod).toBe(before);
		await client.control.post(`transactions/${data.id}/book`, { id: 'booked' });
		expect((await listed()).at(-1)).toMatchObject({ id: 'booked', status: 'posted', amount: -20 });
		expect((await days({})).at(-1)!.eod).toBe(before - 20);
		expect((await client.control.post('transactions/booked/book')).status).toBe(404);
	});
});
