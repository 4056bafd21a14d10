/** A balance that must not fall below 0, by itself. That of a cash book: AccountingGatewayDelivery/kassenbestand.test.mts. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { Balance, checkBalance } from '../../../../nodes/shared/run/balance.js';
import type { Checked } from '../../../../nodes/shared/run/check.js';
import type { WriteTask } from '../../../../nodes/shared/run/task.js';
import type { TaskResult } from '../../../../nodes/shared/run/result.js';
import type { Movement, WriteOperation } from '../../../../nodes/shared/operation.js';
import { partial } from '../../../support/partial.mjs';

const operation = partial<WriteOperation>({
	kind: 'write',
	endpoint: 'POST /v2/mobility/customers',
	parameters: {},
});

/** A task that changes the balance by an amount, or not at all. */
function task(
	item: number,
	change?: number,
	movement: Partial<Movement> = {},
	own: { [K in keyof WriteTask]?: unknown } = {},
): WriteTask {
	return partial<WriteTask>({
		item,
		label: `no. ${item}`,
		options: {},
		movement: change !== undefined && {
			field: 'balance',
			of: 'main',
			name: 'Hauptkasse',
			currency: 'EUR',
			before: 10,
			change,
			...movement,
		},
		...own,
	});
}

describe('before anything is sent', () => {
	/** @returns the rules that are broken, by item; what is left to be sent, with the balance after it; the refused groups */
	function check(...tasks: WriteTask[]) {
		const checked: Checked<WriteTask> = { tasks: [...tasks], pending: [], invalid: new Map(), refused: [] };
		checkBalance(partial<IExecuteFunctions>({}), operation, checked);
		return {
			broken: [...checked.invalid].map(([item, issues]) => [
				item,
				...issues.map(({ field, value, rule }) => `${field} ${value} ${rule}`),
			]),
			left: checked.tasks.map(({ item, balanceAfter }) => [item, balanceAfter]),
			refused: checked.refused,
		};
	}

	it('each record has the balance after it, exactly, down to 0', () => {
		expect(check(task(0, 0.1), task(1), task(2, 0.2), task(3, -10.3))).toEqual({
			broken: [],
			left: [
				[0, 10.1],
				[1, undefined],
				[2, 10.3],
				[3, 0],
			],
			refused: [],
		});
		expect(check(task(0), task(1)).left).toEqual([
			[0, undefined],
			[1, undefined],
		]);
	});

	it('one that would bring it below 0 is refused with what to do, and does not count', () => {
		const { broken, left } = check(task(0, -4), task(1, -6.01), task(2, -6));
		expect(broken).toEqual([
			[
				1,
				'balance 10 is not enough: in Hauptkasse it leaves 6.00 EUR before this entry of -6.01 EUR (no. 1), which would bring it to -0.01 EUR. Cash is never negative: check the balance, the amounts, and the order of the items',
			],
		]);
		expect(left).toEqual([
			[0, 6],
			[2, 0],
		]);
	});

	it.each([
		['EUR', 'leaves 10.00 EUR before this entry of -20.00 EUR, which would bring it to -10.00 EUR'],
		['JPY', 'leaves 10 JPY before this entry of -20 JPY, which would bring it to -10 JPY'],
		['XAU', 'leaves 10.125 XAU before this entry of -20.5 XAU, which would bring it to -10.375 XAU'],
	])('amounts have the decimals of %s, and a record without a label has none', (currency, text) => {
		const [change, before] = currency === 'XAU' ? [-20.5, 10.125] : [-20, 10];
		const { broken } = check(task(0, change, { currency, before }, { label: undefined }));
		expect(broken).toEqual([[0, expect.stringContaining(text)]]);
	});

	it('a dry run counts only with others, as nothing of it is sent', () => {
		const dry = { options: { dryRun: true } };
		const { broken, left } = check(task(0, -8, {}, dry), task(1, -8), task(2, -8, {}, dry), task(3, -2));
		expect(broken).toEqual([[2, expect.stringContaining('leaves 2.00 EUR')]]);
		expect(left).toEqual([
			[0, 2],
			[1, 2],
			[3, 0],
		]);
	});

	it('a record of several items is refused with all of them', () => {
		const { broken, refused } = check(task(0, -11, {}, { combined: [0, 2] }), task(1, -11));
		expect(broken.map(([item]) => item)).toEqual([0, 1]);
		expect(refused).toEqual([[0, 2]]);
	});

	it.each<[string, Partial<Movement>, string]>([
		[
			'records of several cash books',
			{ of: 'side', name: 'Nebenkasse' },
			'is the balance of one cash book, but this run has entries of several: Hauptkasse, Nebenkasse. Use a node for each',
		],
		[
			'records in several currencies',
			{ currency: 'CHF' },
			'is a balance in one currency, but this run has entries in EUR, CHF',
		],
		[
			'several balances',
			{ before: 20 },
			'must be the same for all items, because it is the balance before the first one; the items have 10, 20',
		],
	])('%s have none in common: all that need it are refused', (_what, other, rule) => {
		const { broken, left } = check(task(0, 1), task(1, 1, other), task(2));
		expect(broken).toEqual([
			[0, `balance 10 ${rule}`],
			[1, `balance ${other.before ?? 10} ${rule}`],
		]);
		expect(left).toEqual([[2, undefined]]);
	});
});

describe('while a run writes', () => {
	const done = (): TaskResult => ({ kind: 'done', records: [{ id: 1 }, { id: 2 }], warnings: ['late'] });
	const failed = (outcome: 'refused' | 'notSent' | 'unknown' | 'incomplete'): TaskResult => ({
		kind: 'failed',
		failure: { outcome, message: 'No', description: '', transient: false },
	});
	const skipped: TaskResult = { kind: 'skipped', reason: 'Item 1 failed' };
	const balanceOf = (result: TaskResult) =>
		(result as { records: IDataObject[] }).records.map(({ balance }) => balance);

	it('what was carried out has the balance after it in each record, and its own warnings', () => {
		const balance = new Balance();
		expect(balance.note(task(0, 0.1), done())).toEqual({
			kind: 'done',
			records: [
				{ id: 1, balance: 10.1 },
				{ id: 2, balance: 10.1 },
			],
			warnings: ['late'],
		});
		expect(balanceOf(balance.note(task(1, 0.2), done()))).toEqual([10.3, 10.3]);
		expect(balanceOf(balance.note(task(2, -10.3), done()))).toEqual([0, 0]);
		// From there on, too: 0 is a balance.
		expect(balanceOf(balance.note(task(3, 1), done()))).toEqual([1, 1]);
	});

	it('what concerns no balance stays as it is', () => {
		const [balance, result] = [new Balance(), done()];
		expect(balance.note(task(0), result)).toBe(result);
		expect(result).toEqual(done());
		expect(balance.refusal(task(0))).toBeUndefined();
	});

	it.each([
		['refused', -8, failed('refused'), 10],
		['not sent', -8, failed('notSent'), 10],
		['skipped', -8, skipped, 10],
		['unknown, an expense', -8, failed('unknown'), 2],
		['unknown, income', 8, failed('unknown'), 10],
		['incomplete, an expense', -8, failed('incomplete'), 2],
	])('one that was %s leaves at least so much: %d of 10', (_what, change, result, left) => {
		const balance = new Balance();
		expect(balance.note(task(0, change), result)).toBe(result);
		expect(balance.refusal(task(1, -left))).toBeUndefined();
		expect(balance.refusal(task(1, -left - 0.01))).toBeDefined();
		expect(balanceOf(balance.note(task(1, 1), done()))).toEqual([left + 1, left + 1]);
	});

	it.each([
		['refused', failed('refused'), false],
		['not sent', failed('notSent'), false],
		['skipped', skipped, false],
		['unknown', failed('unknown'), true],
	])(
		'one that was %s makes the balance uncertain only if it may have been booked',
		(_what, result, isUncertain) => {
			const balance = new Balance();
			balance.note(task(0, 8), result);
			const doubt = 'balance is the lowest it can be: the outcome of an earlier entry is unknown';
			const warnings = isUncertain ? ['late', doubt] : ['late'];
			expect(balance.note(task(1, 1), done())).toMatchObject({ warnings });
			expect(balance.note(task(2, 1), done())).toMatchObject({ warnings });
		},
	);

	it('an entry is not sent that would bring it below 0: the failure says why and what to do', () => {
		const balance = new Balance();
		expect(balance.refusal(task(0, -10))).toBeUndefined();
		balance.note(task(0, -4), failed('unknown'));
		expect(balance.refusal(task(1, -6.5))).toEqual({
			outcome: 'notSent',
			message:
				"Not sent: an earlier entry wasn't booked, or may not have been, so Hauptkasse may hold only 6.00 EUR, and this entry of -6.50 EUR (no. 1) would bring it to -0.50 EUR",
			description: 'Send it again once the earlier entries are booked.',
			transient: false,
		});
	});
});
