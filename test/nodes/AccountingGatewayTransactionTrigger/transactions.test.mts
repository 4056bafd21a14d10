import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	isPending,
	isWanted,
	keyOf,
	outputOf,
	transactionsIn,
} from '../../../nodes/AccountingGatewayTransactionTrigger/transactions.js';

const day = (date: unknown, ...transactions: unknown[]) => ({ date, sod: 0, eod: 0, transactions });
const read = (...days: unknown[]) => transactionsIn([{ data: days }], '2026-03-10');
const idsOf = ({ all }: ReturnType<typeof read>) => all.map(({ transaction }) => transaction.id);

describe('The transactions of an answer', () => {
	it('come oldest first, however the gateway sorts days and transactions, each once', () => {
		const listed = read(
			day(
				'2026-03-09',
				{ id: 'd', created_at: '2026-03-09T10:00:00Z' },
				{ id: 'c', created_at: '2026-03-09T09:00:00Z' },
			),
			day('2026-03-08', { id: 'a' }, { id: 'b' }, { id: 'a' }),
		);
		expect(idsOf(listed)).toEqual(['a', 'b', 'c', 'd']);
	});

	it('are of the day that they are listed under, else of that of their booking, else of today', () => {
		const { all } = read(
			day('2026-03-09T00:00:00+01:00', { id: 'a', made_on: '2026-03-01' }),
			day(undefined, { id: 'b', made_on: '2026-03-02' }),
			day(null, { id: 'c' }),
		);
		expect(Object.fromEntries(all.map(({ transaction: { id }, day }) => [id, day]))).toEqual({
			a: '2026-03-09',
			b: '2026-03-02',
			c: '2026-03-10',
		});
	});

	it.each([{ status: 'pending' }, { duplicated: true }])(
		'count as what may start the workflow where one is listed twice: %o',
		(passedOver) => {
			const twice = [{ id: 'a', ...passedOver }, { id: 'b', ...passedOver }, { id: 'a' }];
			const { all } = read(day('2026-03-08', ...twice), day('2026-03-09', { id: 'b' }));
			expect(all.map(({ transaction }) => transaction)).toEqual([{ id: 'a' }, { id: 'b' }]);
			expect(read(day('2026-03-08', ...twice)).all.map(({ transaction }) => transaction)).toEqual([
				{ id: 'a' },
				{ id: 'b', ...passedOver },
			]);
		},
	);

	it('need an ID, a text or a number: one without is named by its day', () => {
		const listed = read(
			day('2026-03-08', { id: 17 }, { id: ' ' }, { id: null }, 'text', null),
			day('2026-03-09', { amount: 5 }),
		);
		expect(idsOf(listed)).toEqual([17]);
		expect(read(day('2026-03-08', {})).problems).toEqual([
			expect.stringMatching(/ a transaction .*2026-03-08:/),
		]);
		expect(listed.problems).toEqual([expect.stringMatching(/ 5 transactions .*2026-03-08, 2026-03-09:/)]);
	});

	it.each([5, '1.234,50'])('are missing on a day whose balance has changed by %o: that is said', (sum) => {
		const { all, problems } = read({ date: '2026-03-08', cash_in: sum, transactions: null });
		expect(all).toEqual([]);
		expect(problems).toEqual([expect.stringMatching(/the balance has changed, but .* for 2026-03-08$/)]);
	});

	it('may be only some of them, where the answer has more than its list: that is said', () => {
		const { problems } = transactionsIn(
			[{ data: [day('2026-03-08', { id: 'a' })], next_id: 'b' }],
			'2026-03-10',
		);
		expect(problems).toEqual([expect.stringMatching(/says more than its list of days: next_id$/)]);
	});

	it('are kept under a short name, whatever the gateway takes for an ID', () => {
		const [{ key }] = read(day('2026-03-08', { id: 'x'.repeat(100_000) })).all;
		expect(key).toMatch(/^[\w-]{16}$/);
	});

	it('are known by their ID, whether it is a number or a text, with or without spaces around it', () => {
		const keysOf = (...ids: unknown[]) => ids.map((id) => read(day('2026-03-08', { id })).all[0].key);
		expect(new Set(keysOf(17, '17', ' 17 '))).toEqual(new Set([keyOf('17')]));
		expect(keysOf('18')).not.toEqual(keysOf('17'));
	});
});

it.each([
	['pending', true],
	['PENDING', true],
	['posted', false],
	[undefined, false],
])('A transaction with the status %s is pending: %s', (status, pending) => {
	expect(isPending({ status })).toBe(pending);
});

describe('The filter of the transaction trigger', () => {
	it.each<[Parameters<typeof isWanted>[1], unknown[]]>([
		[{ direction: 'incoming' }, [0.01, 5, '12,50', null, undefined]],
		[{ direction: 'outgoing' }, [-0.01, -5, '-12.50', null, undefined]],
		[{ direction: 'all' }, [0.01, 5, '12,50', -0.01, -5, '-12.50', 0, null, undefined]],
		[{ direction: 'all', minAmount: 5 }, [5, '12,50', -5, '-12.50', null, undefined]],
	])('%o lets the amounts %j pass, also those that can’t be read', (filter, passing) => {
		const amounts = [0.01, 5, '12,50', -0.01, -5, '-12.50', 0, null, undefined];
		expect(amounts.filter((amount) => isWanted({ amount } as IDataObject, filter))).toEqual(passing);
	});

	it('finds a text in any case, width and spacing', () => {
		const description = 'Rechnung\n 17  Ｋ１';
		const find = (text: string) => isWanted({ description, amount: 1 }, { direction: 'all', text });
		expect(['RECHNUNG 17', 'rechnung   17', '17 k1', 'Rechnung17'].map(find)).toEqual([
			true,
			true,
			true,
			false,
		]);
	});

	it.each([
		['Großmarkt', 'GROSSMARKT SUED'],
		['WEISS', 'Bürobedarf Weiß'],
		['Müller', 'mu\u0308ller'],
		['Müller', 'MUELLER'],
		['CAFE', 'Café'],
	])('finds a text however its letters are written: %s in %s', (text, description) => {
		expect(isWanted({ description }, { direction: 'all', text })).toBe(true);
	});

	it.each<[IDataObject, boolean]>([
		[{ description_parsed: { kref: 'kd-1', svwz: null } }, true],
		[{ extra: { payer: 'KD-1 GmbH' } }, true],
		[{ description: null, description_parsed: null, extra: 'KD-1' }, true],
		[{ extra: { payer_information: [{ name: 'KD-1 GmbH' }], more: 1 } }, true],
		// The same name in both.
		[{ description_parsed: { purp: 'KD-1' }, extra: { purp: '' } }, true],
		// The end of one text and the beginning of another aren't a text.
		[{ description: 'K', description_parsed: { svwz: 'D-1' } }, false],
		[{ description: 'KD', extra: { more: '-1' } }, false],
	])('finds the text "KD-1" in whatever the bank has parsed, %j: %s', (transaction, isFound) => {
		expect(isWanted(transaction, { direction: 'all', text: 'KD-1' })).toBe(isFound);
	});
});

it('A transaction is emitted as a row, or as the gateway sent it', () => {
	const transaction = { id: 'a', amount: 5, extra: { payee: 'Hotel' } };
	const [one] = read(day('2026-03-08', transaction)).all;
	expect(outputOf(one, false)).toBe(transaction);
	for (const simple of [true, undefined]) {
		expect(outputOf(one, simple)).toMatchObject({ id: 'a', amount: 5, payee: 'Hotel', svwz: null });
	}
});
