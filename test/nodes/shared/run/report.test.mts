import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import range from 'lodash/range.js';
import { describe, expect, it } from 'vitest';

import type { Failure } from '../../../../nodes/shared/errors/failure.js';
import { Credits } from '../../../../nodes/shared/run/credits.js';
import { addHints, endError, invalidError, outputItems } from '../../../../nodes/shared/run/report.js';
import type { ItemResult, TaskResult } from '../../../../nodes/shared/run/result.js';
import type { Operation } from '../../../../nodes/shared/operation.js';
import { type FakeContext, fakeContext } from '../../../support/fakeContext.mjs';

const done = (...records: IDataObject[]): TaskResult => ({
	kind: 'done',
	records,
	warnings: [],
});
const warned = (...warnings: string[]): TaskResult => ({ kind: 'done', records: [{}], warnings });
const skipped = (reason: string): TaskResult => ({ kind: 'skipped', reason });
const failed = (outcome: Failure['outcome'], own: Partial<Failure> = {}): TaskResult => ({
	kind: 'failed',
	failure: { outcome, message: 'It broke', description: '', transient: false, ...own },
});
const issue = (field: string, value = 'x', rule = 'must be a number') => ({
	field,
	title: field.toUpperCase(),
	value,
	rule,
});
const invalid = (...fields: string[]): TaskResult => ({
	kind: 'invalid',
	issues: fields.map((field) => issue(field)),
});
/** The results of items 1, 2, … */
const results = (...all: TaskResult[]): ItemResult[] => all.map((result, item) => ({ item, result }));
const items = (count: number): INodeExecutionData[] => range(count).map(() => ({ json: {} }));

describe('the items of a run', () => {
	it('are the records, and where it went wrong why', () => {
		const out = outputItems(
			fakeContext({ items: items(6) }).context,
			results(
				done({ a: 1 }, { a: 2 }),
				invalid('betrag', 'waehrung'),
				skipped('Item 2 failed'),
				failed('refused', { description: 'Do this.', status: 422 }),
				failed('incomplete', { created: { id: 7 } }),
				done(),
			),
		);
		const problems = ['betrag', 'waehrung'].map((field) => ({ field, value: 'x', rule: 'must be a number' }));
		expect(out.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
			[{ a: 1 }, { item: 0 }],
			[{ a: 2 }, { item: 0 }],
			[
				{
					error: 'Not sent: BETRAG (betrag) "x" must be a number; WAEHRUNG (waehrung) "x" must be a number',
					details: { outcome: 'invalid', problems },
				},
				{ item: 1 },
			],
			[{ error: 'Not sent: Item 2 failed', details: { outcome: 'notSent' } }, { item: 2 }],
			[{ error: 'It broke. Do this.', details: { outcome: 'refused', httpCode: 422 } }, { item: 3 }],
			[{ error: 'It broke', details: { outcome: 'incomplete', created: { id: 7 } } }, { item: 4 }],
		]);
	});

	it('pass the files of what went wrong on; of several only the one concerned', () => {
		const binary = { a: { data: 'a', mimeType: 'x' }, b: { data: 'b', mimeType: 'x' } };
		const { context } = fakeContext({
			items: [
				{ json: {}, binary },
				{ json: {}, binary },
			],
		});
		const out = outputItems(context, [
			{ item: 0, part: 'a', label: 'file a.pdf', result: done({}) },
			{ item: 0, part: 'b', label: 'file b.pdf', result: skipped('Item 1 failed') },
			{ item: 1, part: 'a', label: 'file a.pdf', result: skipped('Item 1 failed') },
		]);
		expect(out.map((item) => Object.keys(item.binary ?? {}))).toEqual([[], ['b'], ['a', 'b']]);
		expect(out.map(({ json }) => json.error)).toEqual([
			undefined,
			'Not sent: file b.pdf: Item 1 failed',
			'Not sent: Item 1 failed',
		]);
	});
});

describe('the hints of a run', () => {
	const hintsOf = (
		all: ItemResult[],
		{ minimum, balances = [] }: { minimum?: number; balances?: number[] } = {},
	) => {
		const { context, hints } = fakeContext({ items: items(all.length) });
		const credits = Credits.open(context, minimum);
		balances.forEach((balance) => credits.note(balance));
		addHints(context, all, credits);
		expect(hints.every(({ location }) => location === 'outputPane')).toBe(true);
		return hints.map(({ message, type }) => [type, message]);
	};

	it('are none when there is nothing to say', () => {
		expect(hintsOf(results(done({}), failed('refused')))).toEqual([]);
	});

	it('say each warning once, with its items', () => {
		expect(
			hintsOf(results(warned('late'), warned('odd', 'late'), failed('refused'), warned('late'))),
		).toEqual([
			['warning', 'Items 1–2, 4: late'],
			['warning', 'Item 2: odd'],
		]);
	});

	it('are at most twenty warnings, and how many more there are', () => {
		const warnings = range(22).map((i) => `warning ${i}`);
		const hints = hintsOf(
			results(warned(...warnings.slice(0, 20)), ...warnings.slice(20).map((text) => warned(text))),
		);
		expect(hints).toHaveLength(21);
		expect(hints[19]).toEqual(['warning', 'Item 1: warning 19']);
		expect(hints[20]).toEqual(['warning', '2 more warnings, about items 2–3']);
		expect(hintsOf(results(warned(...warnings.slice(0, 20))))).toHaveLength(20);
	});

	it('name the balance, the end of the credits, and who was not sent for it', () => {
		const stop = "The credit balance of 4 is below the minimum of 5 set in the node's options";
		expect(hintsOf(results(done({}), skipped('x'), skipped('x')), { minimum: 5, balances: [4] })).toEqual([
			['info', 'Credit balance: 4 after this run'],
			['warning', `${stop}; not sent: items 2–3`],
		]);
		expect(hintsOf(results(done({})), { minimum: 5, balances: [4] }).at(-1)).toEqual(['warning', stop]);
	});

	it('say that a minimum could not be checked, if something was sent', () => {
		const unchecked = 'The gateway named no credit balance, so the minimum of 5 could not be checked';
		expect(hintsOf(results(done({})), { minimum: 5 })).toEqual([['warning', unchecked]]);
		expect(hintsOf(results(failed('refused')), { minimum: 5 })).toEqual([]);
	});

	it('name the items without records', () => {
		expect(hintsOf(results(done(), done({}), done()))).toEqual([
			['info', 'The gateway has no records for items 1, 3'],
		]);
	});
});

describe('the error of a run with items that break a rule', () => {
	const errorOf = (issues: Array<[number, Array<ReturnType<typeof issue>>]>, own: FakeContext = {}) =>
		invalidError(fakeContext(own).context, new Map(issues));

	it('names the field, the value and the rule', () => {
		const error = errorOf([[0, [issue('betrag')]]]);
		expect(error.message).toBe('Nothing was sent: BETRAG (betrag) "x" must be a number');
		expect(error.description).toBe('Correct the data, then run the node again.');
		expect(errorOf([[0, [issue('betrag', '')]]]).message).toBe(
			'Nothing was sent: BETRAG (betrag) must be a number',
		);
	});

	it('lists each rule once, with its items, as n8n shows it', () => {
		const error = errorOf(
			[
				[0, [issue('betrag'), issue('waehrung', '<b>')]],
				[2, [issue('betrag')]],
			],
			{ items: items(4) },
		);
		expect(error.message).toBe(
			'Nothing was sent: BETRAG (betrag) "x" must be a number [items 1, 3] (and 1 more, see below)',
		);
		expect(error.description).toBe(
			'Items that break a rule: 2 of 4. Correct the data, then run the node again.<br>Item 1: WAEHRUNG (waehrung) &quot;&lt;b&gt;&quot; must be a number',
		);
	});

	it('needs no numbers for a single item', () => {
		expect(errorOf([[0, [issue('betrag'), issue('waehrung')]]]).description).toBe(
			'Correct the data, then run the node again.<br>WAEHRUNG (waehrung) &quot;x&quot; must be a number',
		);
	});

	it('tells an agent all of it in the message', () => {
		expect(errorOf([[0, [issue('betrag'), issue('waehrung')]]], { isTool: true }).message).toBe(
			'Nothing was sent: BETRAG (betrag) "x" must be a number (and 1 more, see below). Correct the data, then run the node again. WAEHRUNG (waehrung) "x" must be a number',
		);
	});
});

describe('the error that ends a run', () => {
	const errorOf = (
		all: ItemResult[],
		{ kind = 'write', canceled = false, ...own }: FakeContext & { kind?: string; canceled?: boolean } = {},
	) =>
		endError(fakeContext({ items: items(all.length), ...own }).context, { kind } as Operation, all, canceled);

	it('is none when all went well', () => {
		expect(errorOf(results(done({}), invalid('betrag')))).toBeUndefined();
	});

	it('of a write says what became of every item', () => {
		const error = errorOf(
			results(
				done({}),
				invalid('betrag'),
				failed('unknown', { description: 'Look it up.', status: 500 }),
				failed('refused'),
				failed('incomplete'),
				failed('notSent'),
				skipped('Item 3 failed'),
				done({}),
			),
		);
		expect(error?.message).toBe('It broke [item 3]');
		expect(error?.description).toBe(
			'Look it up. Carried out: items 1, 8. Refused: items 2, 4. Incomplete: item 5. Unknown: item 3. Not sent: items 6–7. To continue: look up item 3; "Retry" sends nothing twice; a new run would send again what was carried out. With "On Error: Continue (using error output)", the other items are sent even if one fails.',
		);
		expect(error).toMatchObject({ httpCode: '500' });
	});

	it('of a read says only what went wrong', () => {
		const error = errorOf(results(done({}), failed('failed', { description: 'Try later.' })), {
			kind: 'read',
		});
		expect([error?.message, error?.description]).toEqual(['It broke [item 2]', 'Try later.']);
	});

	it('says why nothing more was sent, also of reads', () => {
		const error = errorOf(results(done({}), skipped('The credits are used up')), { kind: 'read' });
		expect(error?.message).toBe('The credits are used up [item 2]');
		expect(error?.description).toBe('Carried out: item 1. Not sent: item 2.');
	});

	it('of one item needs neither number nor list', () => {
		const error = errorOf(results(failed('refused', { description: 'Do this.' })));
		expect([error?.message, error?.description]).toEqual(['It broke', 'Do this.']);
	});

	it('does not hide the warnings about what was carried out', () => {
		const error = errorOf(results(warned('late'), failed('refused')));
		expect(error?.description).toBe(
			'Carried out: item 1. Refused: item 2. To continue: correct item 2; "Retry" sends nothing twice; a new run would send again what was carried out. With "On Error: Continue (using error output)", the other items are sent even if one fails. Item 1: late.',
		);
	});

	it('that was canceled says so', () => {
		const error = errorOf(results(failed('unknown'), skipped('The execution was canceled')), {
			canceled: true,
		});
		expect(error?.message).toBe('The execution was canceled');
		expect(error?.description).toBe('Unknown: item 1. Not sent: item 2.');
	});

	it('tells an agent all of it in the message', () => {
		const all = results(failed('unknown', { description: 'Look it up.' }));
		expect(errorOf(all, { isTool: true })?.message).toBe('It broke. Look it up.');
		expect(errorOf(results(failed('unknown')), { isTool: true })?.message).toBe('It broke');
	});
});
