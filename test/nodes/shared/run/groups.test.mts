/** Items that are one record, by themselves. With a node: AccountingGatewayDelivery/combineBy.test.mts. */
import { describe, expect, it, vi } from 'vitest';

import { Groups } from '../../../../nodes/shared/run/groups.js';
import { INVALID, InputItem } from '../../../../nodes/shared/parameters/inputItem.js';
import type {
	Combination,
	Operation,
	ReadOperation,
	WriteOperation,
} from '../../../../nodes/shared/operation.js';
import type { ParameterMap, Values } from '../../../../nodes/shared/parameters/parameter.js';
import { text } from '../../../../nodes/shared/parameters/text.js';
import { partial } from '../../../support/partial.mjs';

type Combine = Combination<Values<ParameterMap>>['values'];

const combined: Combine = (members) => ({ all: members.map(({ values }) => values.number) });
const operation = (values = combined) =>
	partial<WriteOperation>({
		kind: 'write',
		endpoint: 'POST /v2/mobility/customers',
		parameters: { report: text({ displayName: 'Report' }) },
		combine: { by: 'report', values },
	});

/** Takes all items. @returns which of them belong to a group; the groups with their values; the rules that are broken */
function group(given: Array<Record<string, unknown>>, of: Operation = operation(), broken: number[] = []) {
	const groups = new Groups(of);
	const items = given.map((_, index) => new InputItem(partial({}), index));
	for (const index of broken)
		items[index].issues.push({ field: 'number', title: 'Number', value: '', rule: 'is broken' });
	const taken = given.map((values, index) => groups.take(items[index], values));
	const found = [...groups.combine()].map((one) => ({
		items: one.items.map(({ index }) => index),
		values: one.values,
	}));
	const rules = items.map(({ issues }) =>
		issues.map(({ field, value, rule }) => [field, value, rule].filter(Boolean).join(' ')),
	);
	return { isEmpty: groups.isEmpty, taken, found, rules };
}

describe('items', () => {
	it('with the same text belong together, in the order of their first', () => {
		const given = ['A', 'B', 'A', undefined, 'B'].map((report, number) => ({ report, number }));
		expect(group(given)).toEqual({
			isEmpty: false,
			taken: [true, true, true, false, true],
			found: [
				{ items: [0, 2], values: { report: 'A', number: 0, all: [0, 2] } },
				{ items: [1, 4], values: { report: 'B', number: 1, all: [1, 4] } },
			],
			rules: [[], [], [], [], []],
		});
	});

	it.each<[string, Operation]>([
		['of an operation that combines none', partial<WriteOperation>({ ...operation(), combine: undefined })],
		['that are read', partial<ReadOperation>({ ...operation(), kind: 'read' } as object)],
	])('%s stay alone', (_what, of) => {
		expect(group([{ report: 'A' }, { report: 'A' }, { report: INVALID }], of)).toEqual({
			isEmpty: true,
			taken: [false, false, false],
			found: [],
			rules: [[], [], []],
		});
	});

	it('without a text stay alone', () => {
		expect(group([{ report: undefined }, { report: undefined }])).toMatchObject({ isEmpty: true, found: [] });
	});
});

describe('a record of several items', () => {
	it('is made of all their values, each with the name of its item', () => {
		const values = vi.fn(combined);
		group([{ report: 'A', number: 1 }, {}, { report: 'A', number: 2 }], operation(values));
		expect(values.mock.calls).toEqual([
			[
				[
					{ name: 'item 1', values: { report: 'A', number: 1 }, addIssue: expect.any(Function) },
					{ name: 'item 3', values: { report: 'A', number: 2 }, addIssue: expect.any(Function) },
				],
			],
		]);
	});

	it('is not made where one of them breaks a rule of its own', () => {
		const values = vi.fn(combined);
		const given = [{ report: 'A' }, { report: 'A', number: 1 }, { report: 'B' }];
		expect(group(given, operation(values), [1]).found).toEqual([
			{ items: [0, 1], values: undefined },
			{ items: [2], values: { report: 'B', all: [undefined] } },
		]);
		expect(group([{ report: 'A' }, { report: 'A', number: INVALID }], operation(values)).found).toEqual([
			{ items: [0, 1], values: undefined },
		]);
		expect(values).toHaveBeenCalledTimes(1);
	});

	it('is not made where they break one together, which is reported at the item', () => {
		const values: Combine = (members) => {
			members[1].addIssue('number', 5, 'does not fit');
			return {};
		};
		const { found, rules } = group([{ report: 'A' }, { report: 'A' }], operation(values));
		expect(found).toEqual([{ items: [0, 1], values: undefined }]);
		expect(rules).toEqual([[], ['number 5 does not fit']]);
	});

	it('may be incomplete where the text of another item can’t be read', () => {
		const given = [{ report: 'A' }, { report: INVALID }, { report: 'B' }, { report: INVALID }];
		const { taken, found, rules } = group(given);
		expect(taken).toEqual([true, false, true, false]);
		expect(found.map(({ values }) => values)).toEqual([undefined, undefined]);
		const rule = "may be incomplete: the value of items 2, 4 can't be read";
		expect(rules).toEqual([[`report A ${rule}`], [], [`report B ${rule}`], []]);
	});

	it('has one set of options', () => {
		const options = [{ timeout: 1, source: 'x' }, { timeout: 1, source: 'x' }, { timeout: 2 }, undefined];
		const { found, rules } = group(options.map((one) => ({ report: 'A', options: one })));
		expect(found).toEqual([{ items: [0, 1, 2, 3], values: undefined }]);
		const rule = 'must be the same as for item 1: both are one record';
		expect(rules).toEqual([
			[],
			[],
			[`timeout 2 ${rule}`, `source ${rule}`],
			[`timeout ${rule}`, `source ${rule}`],
		]);
	});

	it('has an option of a later item, which the first lacks, reported', () => {
		const given = [{ report: 'A' }, { report: 'A', options: { dryRun: true } }];
		expect(group(given).rules).toEqual([
			[],
			['dryRun true must be the same as for item 1: both are one record'],
		]);
	});
});
