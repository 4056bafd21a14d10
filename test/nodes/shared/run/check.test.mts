/** What items become before anything is sent, with operations that the tests define. */
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { checkAll } from '../../../../nodes/shared/run/check.js';
import { LocalTask, ReadTask, WriteTask } from '../../../../nodes/shared/run/task.js';
import { NONE } from '../../../../nodes/shared/run/result.js';
import { INVALID } from '../../../../nodes/shared/parameters/inputItem.js';
import { Lookup } from '../../../../nodes/shared/parameters/lookup.js';
import type { Parameter, ParameterMap } from '../../../../nodes/shared/parameters/parameter.js';
import { text } from '../../../../nodes/shared/parameters/text.js';
import type {
	LocalOperation,
	Operation,
	ReadOperation,
	Unique,
	WriteOperation,
} from '../../../../nodes/shared/operation.js';
import { fakeContext } from '../../../support/fakeContext.mjs';
import { partial } from '../../../support/partial.mjs';

type Values = Record<string, unknown>;
/** Those of an operation that a test needs; its functions may return less than the contract asks. */
type Members<O> = {
	[K in keyof O]?: NonNullable<O[K]> extends (...given: infer A) => unknown
		? (...given: A) => unknown
		: unknown;
};

/** A parameter that is read by the test's own function. */
const own = (read: Parameter['read'] = (given) => given ?? undefined): Parameter => ({
	property: { displayName: 'Own', type: 'string', default: '' },
	read,
});
/** Breaks a rule if the item says so. */
const breakable = own((given, place) =>
	given === 'broken' ? place.addIssue('is broken', given) : (given ?? 'whole'),
);
const parameters: ParameterMap = { number: own(), other: breakable, additionalFields: own() };

const write = (members: Members<WriteOperation> = {}) =>
	partial<WriteOperation>({
		kind: 'write',
		endpoint: 'POST /v2/mobility/customers',
		parameters,
		request: ({ number }: Values) => ({ body: { name: number } }),
		...members,
	});
const read = (members: Members<ReadOperation> & { unique?: unknown } = {}) =>
	partial<ReadOperation>({
		kind: 'read',
		endpoint: 'GET /v2/mobility/products',
		parameters,
		request: () => ({}),
		...members,
	});
const local = (members: Members<LocalOperation> = {}) =>
	partial<LocalOperation>({ kind: 'local', parameters, ...members });

/** @param inForm what the form holds, unevaluated */
async function check<O extends Operation>(
	operation: O,
	items: INodeParameters[],
	inForm: INodeParameters = {},
) {
	const { context } = fakeContext({ items: items.map(() => ({ json: {} })) });
	Object.assign(context, {
		getNodeParameter: (
			name: string,
			index: number,
			fallback: unknown,
			options?: { rawExpressions?: boolean },
		) => (options?.rawExpressions ? inForm : items[index])[name] ?? fallback,
		getTimezone: () => 'Europe/Berlin',
		getWorkflow: () => ({ name: 'Workflow' }),
	});
	return await checkAll(context, operation);
}
const rulesOf = ({ invalid }: Awaited<ReturnType<typeof check>>) =>
	[...invalid].map(([item, issues]) => [item, ...issues.map(({ field, rule }) => `${field} ${rule}`)]);

/** The number, within its kind. */
const unique = ({ body }: { body?: unknown }): Unique => ({
	field: 'number',
	value: ((body as Values).name as string | undefined) ?? '',
	within: 'all',
});
const uniqueOf = (members: Partial<Unique>): Partial<WriteOperation> => ({
	unique: (request) => ({ ...unique(request), ...members }),
});

describe('a task', () => {
	it('knows only its kind, unless its operation says more', async () => {
		const [plain] = (await check(write(), [{ number: 'a' }])).tasks;
		expect(plain).toBeInstanceOf(WriteTask);
		expect(plain).toMatchObject({ item: 0, simple: true, mayExist: false });
		for (const name of ['label', 'rerunWith', 'movement', 'unique', 'recurring', 'orderingKey'] as const) {
			expect(plain[name]).toBeUndefined();
		}
		expect(plain.request).not.toHaveProperty('identity');
		expect((await check(read(), [{}])).tasks[0]).toBeInstanceOf(ReadTask);
		const [one] = (await check(local(), [{}])).tasks;
		expect(one).toBeInstanceOf(LocalTask);
		expect(one.label).toBeUndefined();
	});

	it('says of its record what its operation says', async () => {
		const movement = { field: 'balance', of: 'x', name: 'X', currency: 'EUR', before: 1, change: 2 };
		const operation = write({
			label: ({ body }) => `number ${String((body as Values).name)}`,
			rerunWith: (_options, { number }) => `the option for ${String(number)}`,
			mayExist: ({ number }) => number === 'a',
			movement: () => movement,
			orderingKey: () => 'key',
			unique,
		});
		const [task] = (await check(operation, [{ number: 'a' }])).tasks;
		expect([task.label, task.rerunWith, task.mayExist, task.movement, task.orderingKey]).toEqual([
			'number a',
			'the option for a',
			true,
			movement,
			'key',
		]);
		expect(task.recurring).toBeUndefined();
		expect(task.request.identity).toEqual({ field: 'number', value: 'a' });
		const [named] = (
			await check(local({ label: ({ number }) => `file ${String(number)}` }), [{ number: 'b' }])
		).tasks;
		expect(named.label).toBe('file b');
	});

	it('keeps the notes of its item, and one list for all that have none', async () => {
		const noted = own((given, place) => (given ? (place.addNote('was left out'), given) : undefined));
		const { tasks } = await check(write({ parameters: { number: noted } }), [{ number: 'a' }, {}]);
		expect(tasks[0].notes).toEqual(['Own (number) was left out']);
		expect(tasks[1].notes).toBe(NONE);
	});

	it('keeps equal options and fields once', async () => {
		const items = [1, 1, 2].map((count) => ({ additionalFields: { count }, options: { timeout: count } }));
		const { tasks } = await check(write(), items);
		const [first, second, third] = tasks.map(({ values, options }) => [values.additionalFields, options]);
		expect(second[0]).toBe(first[0]);
		expect(second[1]).toBe(first[1]);
		expect([third[0], third[1]]).toMatchObject([{ count: 2 }, { timeout: 2 }]);
	});

	it('has the fields that an agent gets only where they were selected', async () => {
		const chosen = { toolFields: ['a', 'b'] };
		const { tasks } = await check(read(), [
			{ ...chosen, toolOutput: 'selected' },
			{ ...chosen, toolOutput: 'simplified' },
			{ ...chosen, toolOutput: 'raw' },
			chosen,
			{ ...chosen, simple: false },
		]);
		expect(tasks.map(({ simple, fields }) => [simple, fields])).toEqual([
			[true, ['a', 'b']],
			[true, undefined],
			[false, undefined],
			[true, undefined],
			[false, undefined],
		]);
	});

	it('is one of each part of its item', async () => {
		const split = () => ['a', 'b'].map((name) => ({ name, values: { number: `number ${name}` } }));
		const { tasks } = await check(write({ split }), [{}, {}]);
		expect(tasks.map(({ item, part, request }) => [item, part, request.body])).toEqual([
			[0, { name: 'a', index: 0 }, { name: 'number a' }],
			[0, { name: 'b', index: 1 }, { name: 'number b' }],
			[1, { name: 'a', index: 0 }, { name: 'number a' }],
			[1, { name: 'b', index: 1 }, { name: 'number b' }],
		]);
	});

	it('sends a request with what is special about it, and nothing that is not', async () => {
		const [plain] = (await check(write(), [{}])).tasks;
		expect(Object.keys(plain.request)).not.toEqual(expect.arrayContaining(['anyAnswer']));
		expect(Object.keys(plain.request)).not.toEqual(expect.arrayContaining(['around']));
		const around = vi.fn();
		for (const special of [{ anyAnswer: true as const }, { around }]) {
			const [task] = (await check(write({ request: () => special }), [{}])).tasks;
			expect(task.request).toMatchObject(special);
		}
	});
});

describe('records without an ID', () => {
	const contentOf: WriteOperation['contentOf'] = ({ body }) => (body as { name?: string }).name;
	const items = ['x', 'y', 'x', undefined, 'x'].map((number) => ({ ...(number && { number }) }));

	it('get one from their content, and from which of the equal ones they are', async () => {
		const withId = vi.fn<NonNullable<WriteOperation['withId']>>((request, content, nth) => ({
			...request,
			body: { id: `${content}-${nth}` },
		}));
		const { tasks } = await check(write({ contentOf, withId }), items);
		expect(tasks.map(({ request }) => request.body)).toEqual([
			{ id: 'x-1' },
			{ id: 'y-1' },
			{ id: 'x-2' },
			{ name: undefined },
			{ id: 'x-3' },
		]);
		expect(tasks.map(({ content }) => content)).toEqual(items.map(() => undefined));
	});

	it('are remembered by it where they can have none', async () => {
		const { tasks } = await check(write({ contentOf }), items);
		expect(tasks.map(({ content }) => content)).toEqual(['x 1', 'y 1', 'x 2', undefined, 'x 3']);
	});
});

describe('an item that breaks a rule', () => {
	it('is reported, and no request is made of it', async () => {
		const request = vi.fn(() => ({}));
		const checkValues: WriteOperation['check'] = ({ number }, addIssue) =>
			void (number === 'b' && addIssue('number', 'b', 'does not fit'));
		const checked = await check(write({ request, check: checkValues }), [
			{ number: 'a' },
			{ number: 'b' },
			{ number: 'a', other: 'broken' },
		]);
		expect(rulesOf(checked)).toEqual([
			[1, 'number does not fit'],
			[2, 'other is broken'],
		]);
		expect(checked.tasks.map(({ item }) => item)).toEqual([0]);
		expect(request).toHaveBeenCalledTimes(1);
	});

	it('has its other values checked together, without the invalid ones', async () => {
		const together = vi.fn();
		const operation = write({ check: together, parameters: { ...parameters, fixed: own(() => INVALID) } });
		await check(operation, [{ number: 'a', other: 'broken', options: { timeout: 'soon' } }]);
		expect(together.mock.calls.map(([values, , options]) => [values, options])).toEqual([
			[{ number: 'a', additionalFields: undefined }, {}],
		]);
	});

	it('says when its expression returned no value', async () => {
		const operation = write({ parameters: { number: text({ displayName: 'Number', required: true }) } });
		const checked = await check(operation, [{}], { number: '={{ $json.nummer }}' });
		expect(rulesOf(checked)).toEqual([[0, expect.stringContaining('expression returned no value')]]);
	});
});

describe('a number that occurs twice', () => {
	const twice = [{ number: 'a' }, { number: 'b' }, { number: 'a' }];

	it('is a mistake that names where it came first', async () => {
		expect(rulesOf(await check(write({ unique }), twice))).toEqual([[2, 'number is already used by item 1']]);
	});

	it('in one item names the part', async () => {
		const split = () => ['a', 'b'].map((name) => ({ name, values: { number: 'x', part: name } }));
		const label: WriteOperation['label'] = () => 'file a';
		const checked = await check(write({ unique, split, label }), [{}]);
		expect(rulesOf(checked)).toEqual([[0, 'number is already used by file a']]);
	});

	it('may stand for the same record, which is sent once', async () => {
		const { tasks, invalid } = await check(write(uniqueOf({ mayRecur: true })), twice);
		expect(invalid.size).toBe(0);
		expect(tasks.map(({ sameAs, recurring, orderingKey }) => [sameAs, recurring, orderingKey])).toEqual([
			[undefined, '["all","a"]', '["all","a"]'],
			[undefined, '["all","b"]', '["all","b"]'],
			['item 1', '["all","a"]', '["all","a"]'],
		]);
	});

	const broken = [
		{ number: 'a', other: 'broken' },
		{ number: 'a', other: 'broken' },
	];
	const TWICE = [
		[0, 'other is broken'],
		[1, 'other is broken', 'number is already used by item 1'],
	];
	const ONCE = [
		[0, 'other is broken'],
		[1, 'other is broken'],
	];

	it('is also reported where the items break another rule', async () => {
		expect(rulesOf(await check(write({ unique }), broken))).toEqual(TWICE);
	});

	it('is found by the valid values, the others of a request left out', async () => {
		const request = vi.fn(({ number }: Values) => ({ body: { name: number } }));
		await check(write({ unique, request }), [{ ...broken[0], options: { timeout: 9 }, simple: false }]);
		expect(request.mock.calls).toEqual([
			[{ number: 'a', additionalFields: undefined }, expect.objectContaining({ timeout: 9 })],
		]);
		const fields = own((given, place) => (given ? place.addIssue('is broken') : undefined));
		await check(write({ unique, request, parameters: { ...parameters, additionalFields: fields } }), [
			{ number: 'a', additionalFields: { b: 1 } },
		]);
		expect(request).toHaveBeenLastCalledWith({ number: 'a', other: 'whole', additionalFields: {} }, {});
	});

	it.each<[string, WriteOperation]>([
		['what identifies the record is empty', write(uniqueOf({ value: '' }))],
		['it may occur again', write(uniqueOf({ mayRecur: true }))],
		['it is not known what it is unique in', write(uniqueOf({ within: 'undefined Kasse' }))],
		['the record has nothing unique', write({ unique: () => undefined })],
		['the operation has nothing unique', write()],
		[
			'the request needs the broken value',
			write({
				unique,
				request: () => {
					throw new TypeError('other is missing');
				},
			}),
		],
		['the item is several records', write({ unique, split: () => [] })],
	])('is not reported of broken items where %s', async (_why, operation) => {
		expect(rulesOf(await check(operation, broken))).toEqual(ONCE);
	});

	it('is no matter of items that are only read', async () => {
		const request = vi.fn(() => ({}));
		const operation = read({ request, unique });
		expect(rulesOf(await check(operation, broken))).toEqual(ONCE);
		expect(request).not.toHaveBeenCalled();
	});
});

describe('a value that must be looked up', () => {
	const looked = own((given, place) => new Lookup(place, given, { request: vi.fn(), find: vi.fn() }));

	it('completes the task, and is checked together with the others', async () => {
		const together = vi.fn();
		const operation = read({ parameters: { ...parameters, year: looked }, check: together });
		const { tasks, pending } = await check(operation, [
			{ number: 'a', year: 'last', options: { timeout: 9 } },
		]);
		expect(tasks).toEqual([]);
		const [one] = pending;
		expect(Object.keys(one.lookups)).toEqual(['year']);
		expect(one.options).toMatchObject({ timeout: 9 });
		expect(together).toHaveBeenCalledTimes(1);
		expect(together.mock.calls[0][0]).not.toHaveProperty('year');
		one.check({ year: '2025' });
		expect(together).toHaveBeenCalledTimes(2);
		expect(together.mock.calls[1][0]).toMatchObject({ number: 'a', other: 'whole', year: '2025' });
		expect(one.complete({ year: '2025' })).toMatchObject([{ values: { number: 'a', year: '2025' } }]);
	});

	it('is none of a write, which is checked as a whole before it is sent', async () => {
		const operation = write({ parameters: { ...parameters, year: looked } });
		await expect(check(operation, [{ number: 'a', year: 'last' }])).rejects.toThrow(
			'Only a read looks up a value',
		);
	});
});

describe('items that are one record', () => {
	const combine: WriteOperation['combine'] = {
		by: 'report',
		values: (members) => ({
			...members[0].values,
			number: members.map(({ values }) => String(values.number)).join('+'),
		}),
	};
	const noted = own((given, place) => (place.addNote('was left out'), given));
	const combined = (members: Members<WriteOperation> = {}) =>
		write({ combine, parameters: { ...parameters, number: noted, report: own() }, ...members });
	const item = (number: string, report?: string, other = 'whole') => ({
		number,
		other,
		...(report && { report }),
	});

	it('become one task with all their notes, in the order of the input', async () => {
		const items = [item('1', 'A'), item('2', 'B'), item('3'), item('4', 'A')];
		const { tasks, invalid, refused } = await check(combined({ unique }), items);
		expect([invalid.size, refused]).toEqual([0, []]);
		const note = 'Own (number) was left out';
		expect(tasks.map(({ item: i, combined: all, notes, request }) => [i, all, notes, request.body])).toEqual([
			[0, [0, 3], [note], { name: '1+4' }],
			[1, undefined, [note], { name: '2' }],
			[2, undefined, [note], { name: '3' }],
		]);
	});

	it('are all refused where one of them breaks a rule, and only that one is reported', async () => {
		const items = [item('1', 'A'), item('2', 'B'), item('3', 'A', 'broken')];
		const checked = await check(combined(), items);
		expect(rulesOf(checked)).toEqual([[2, 'other is broken']]);
		expect(checked.refused).toEqual([[0, 2]]);
		expect(checked.tasks.map(({ item: i }) => i)).toEqual([1]);
	});

	it('have one number, which no other record may have', async () => {
		const items = [item('1', 'A'), item('2', 'A'), item('1+2', 'B')];
		expect(rulesOf(await check(combined({ unique }), items))).toEqual([
			[2, 'number is already used by item 1'],
		]);
	});
});
