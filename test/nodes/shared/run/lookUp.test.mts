/** What is looked up for items before their requests are made. With a gateway: AccountingGatewayData/fiscalYear.test.mts. */
import range from 'lodash/range.js';
import sortBy from 'lodash/sortBy.js';
import { describe, expect, it, vi } from 'vitest';

import type { GatewayClient } from '../../../../nodes/shared/gateway/client.js';
import type { Pending } from '../../../../nodes/shared/run/check.js';
import type { Task } from '../../../../nodes/shared/run/task.js';
import { Credits } from '../../../../nodes/shared/run/credits.js';
import { lookUpAll } from '../../../../nodes/shared/run/lookUp.js';
import { Reader } from '../../../../nodes/shared/run/read.js';
import { Session } from '../../../../nodes/shared/run/session.js';
import type { Found } from '../../../../nodes/shared/parameters/lookup.js';
import { fakeContext } from '../../../support/fakeContext.mjs';
import { partial } from '../../../support/partial.mjs';

type Issues = Array<{ rule: string; given: unknown }>;

/** An item that needs the fiscal year of a connection. */
function pendingOf(index: number, connectionId: string, found: (body: unknown) => Found<string>, own = {}) {
	const issues: Issues = [];
	const place = { addIssue: (rule: string, given: unknown) => void issues.push({ rule, given }) };
	const spec = {
		request: (values: object) => ({
			endpoint: 'GET /v2/acct-rewe-read/geschaeftsjahre',
			path: {},
			query: { connectionId, ...values },
		}),
		find: found,
	};
	return partial<Pending>({
		item: { index, issues },
		lookups: { year: { place, given: 'a day', spec } },
		values: {},
		check: () => undefined,
		options: { quelle: `source ${index}`, timeout: 7 },
		complete: (values: Record<string, unknown>) => [{ item: index, values } as Task],
		...own,
	});
}

/** Looks up, with a gateway that answers with the number of the request. */
async function lookUp(pending: Pending[], { balance, answer }: { balance?: number; answer?: object } = {}) {
	const { context } = fakeContext();
	const credits = Credits.open(context, 5);
	credits.note(balance);
	let count = 0;
	let [now, most] = [0, 0];
	const post = vi.fn(async (..._of: unknown[]) => {
		most = Math.max(most, ++now);
		await Promise.resolve();
		now--;
		return answer ?? { ok: true, body: ++count };
	});
	const client = partial<GatewayClient>({
		destination: (request: { query: { connectionId: string } }) => request.query.connectionId.toLowerCase(),
		send: post,
	});
	const session = new Session(context, client, credits, { timeout: 7 }, true);
	vi.spyOn(session, 'atMost').mockReturnValue(2);
	const looked = await lookUpAll(pending, new Reader(session));
	const checked = { tasks: sortBy(looked.tasks, 'item'), invalid: looked.invalid };
	return { checked, results: looked.failed, post, mostAtOnce: most };
}

const year = (body: unknown) => ({ value: `year ${String(body)}` });

describe('a look-up', () => {
	it('is asked for once for each connection, whatever the source, and completes the items in their order', async () => {
		const pending = range(6).map((i) => pendingOf(5 - i, i % 2 ? 'a' : 'b', year));
		const { checked, results, post } = await lookUp(pending);
		expect(results).toEqual([]);
		expect(post.mock.calls.map(([request, timeout]) => [request, timeout])).toEqual([
			[expect.objectContaining({ query: { connectionId: 'b', quelle: 'source 5' } }), 7],
			[expect.objectContaining({ query: { connectionId: 'a', quelle: 'source 4' } }), 7],
		]);
		expect(checked.tasks.map(({ item, values }) => [item, values.year])).toEqual(
			range(6).map((item) => [item, item % 2 ? 'year 1' : 'year 2']),
		);
	});

	it('is asked for again where another value plays a part', async () => {
		const pending = [0, 1].map((i) => pendingOf(i, 'a', year, { values: { companyId: String(i) } }));
		expect((await lookUp(pending)).post).toHaveBeenCalledTimes(2);
	});

	it('is asked for once however the ID of the connection is written', async () => {
		const pending = ['a', 'A'].map((id, i) => pendingOf(i, id, year));
		expect((await lookUp(pending)).post).toHaveBeenCalledTimes(1);
	});

	it('is checked with the other values, unless it breaks a rule by itself', async () => {
		const check = vi.fn();
		await lookUp([pendingOf(0, 'a', year, { check }), pendingOf(1, 'a', () => ({ rule: 'no' }), { check })]);
		expect(check.mock.calls).toEqual([[{ year: 'year 1' }]]);
	});

	it('of several waits until the sender lets it start', async () => {
		const pending = range(6).map((i) => pendingOf(i, `connection ${i}`, year));
		const { post, mostAtOnce } = await lookUp(pending);
		expect([post.mock.calls.length, mostAtOnce]).toEqual([6, 2]);
	});

	it('that finds that a value breaks a rule makes the item invalid', async () => {
		const { checked, results } = await lookUp([pendingOf(3, 'a', () => ({ rule: 'is in no year' }))]);
		expect([results, checked.tasks]).toEqual([[], []]);
		expect([...checked.invalid]).toEqual([[3, [{ rule: 'is in no year', given: 'a day' }]]]);
	});

	it('whose answer can’t be used, or that fails, is the failure of its items', async () => {
		const { results } = await lookUp([pendingOf(3, 'a', () => ({ problem: 'has no list' }))]);
		expect(results).toMatchObject([
			{ item: 3, result: { kind: 'failed', failure: { outcome: 'failed', message: expect.any(String) } } },
		]);
		const failure = { outcome: 'failed', message: 'It broke' };
		const failed = await lookUp([pendingOf(0, 'a', year), pendingOf(1, 'a', year)], {
			answer: { ok: false, failure },
		});
		expect(failed.results).toEqual([0, 1].map((item) => ({ item, result: { kind: 'failed', failure } })));
		expect(failed.post).toHaveBeenCalledTimes(1);
	});

	it('is not asked for when the credits are used up', async () => {
		const { results, post } = await lookUp([pendingOf(0, 'a', year)], { balance: 4 });
		expect(post).not.toHaveBeenCalled();
		expect(results).toMatchObject([
			{ item: 0, result: { kind: 'skipped', reason: expect.stringContaining('credit balance of 4') } },
		]);
		expect((await lookUp([pendingOf(0, 'a', year)], { balance: 5 })).results).toEqual([]);
	});
});
