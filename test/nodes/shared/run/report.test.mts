import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
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
		expect(out.map(({ json, pairedItem }) => [json, pairedItem])).toStrictEqual([
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

	const file = (data: string) => ({ data, mimeType: 'x', fileName: `${data}.pdf` });

	it('pass the files of what was read on, where the operation says so', () => {
		const { context } = fakeContext({ items: [{ json: {}, binary: { data: file('a') } }] });
		const passes: TaskResult = { kind: 'done', records: [{ id: 1 }], warnings: [], passesFiles: true };
		expect(outputItems(context, results(passes))).toEqual([
			{ json: { id: 1 }, pairedItem: { item: 0 }, binary: { data: file('a') } },
		]);
		expect(outputItems(context, results(done({ id: 1 })))).toEqual([
			{ json: { id: 1 }, pairedItem: { item: 0 } },
		]);
	});

	it('that would have been one record come out as one, which names the items and has all files once', () => {
		const binary: IBinaryKeyData[] = [
			{ data: file('a'), more: file('b') },
			{ data: file('c'), more: file('b'), other: file('a') },
			{ data: file('d'), data_2: file('e') },
		];
		const { context } = fakeContext({ items: binary.map((one) => ({ json: {}, binary: one })) });
		const combined = [0, 1, 2];
		const broken: TaskResult = {
			kind: 'invalid',
			issues: [{ ...issue('betrag'), item: 1 }, issue('bon')],
		};
		expect(outputItems(context, [{ item: 0, combined, result: broken }])).toEqual([
			{
				json: {
					error:
						'Not sent (items 1–3 would be one record): item 2: BETRAG (betrag) "x" must be a number; BON (bon) "x" must be a number',
					details: {
						outcome: 'invalid',
						problems: [
							{ item: 2, field: 'betrag', value: 'x', rule: 'must be a number' },
							{ field: 'bon', value: 'x', rule: 'must be a number' },
						],
					},
				},
				pairedItem: [{ item: 0 }, { item: 1 }, { item: 2 }],
				binary: {
					data: file('a'),
					more: file('b'),
					data_2: file('c'),
					data_3: file('d'),
					data_2_2: file('e'),
				},
			},
		]);
		const alone: TaskResult = { kind: 'invalid', issues: [{ ...issue('betrag'), item: 0 }] };
		const [{ json }] = outputItems(context, results(alone));
		expect(json).toEqual({
			error: 'Not sent: BETRAG (betrag) "x" must be a number',
			details: {
				outcome: 'invalid',
				problems: [{ field: 'betrag', value: 'x', rule: 'must be a number' }],
			},
		});
	});

	it('have their warnings in the first record for an agent, which gets no hints', () => {
		const { context } = fakeContext({ isTool: true, items: items(3) });
		const all = results(
			{ kind: 'done', records: [{ a: 1 }, { a: 2 }], warnings: ['late for DE89 3704 0044 0532 0130 00'] },
			done({ a: 3 }),
			{ kind: 'done', records: [], warnings: ['none'] },
		);
		expect(outputItems(context, all).map(({ json }) => json)).toEqual([
			{ a: 1, warnings: ['late for DE…3000'] },
			{ a: 2 },
			{ a: 3 },
		]);
		expect(outputItems(fakeContext({ items: items(3) }).context, all)[0].json).toEqual({ a: 1 });
	});

	it.each([
		['continueErrorOutput', true],
		['continueRegularOutput', false],
	])('that went wrong carry an error for n8n’s older error output: %s', (onError, carries) => {
		const { context } = fakeContext();
		Object.assign(context, { getNode: () => ({ name: 'Node', onError }) });
		const [item] = outputItems(context, results(skipped('Item 2 failed')));
		expect(item.error?.message).toBe(carries ? 'Not sent: Item 2 failed' : undefined);
		expect(Object.keys(item)).not.toContain('error');
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
		const unchecked = 'The gateway returned no credit balance, so the minimum of 5 could not be checked';
		expect(hintsOf(results(done({})), { minimum: 5 })).toEqual([['warning', unchecked]]);
		expect(hintsOf(results(failed('refused')), { minimum: 5 })).toEqual([]);
	});

	it('are left out by an n8n that has none', () => {
		const { context } = fakeContext();
		Object.assign(context, { addExecutionHints: undefined });
		expect(() => addHints(context, results(warned('late')), Credits.open(context))).not.toThrow();
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

	it('of what sends nothing says what was done', () => {
		const error = errorOf(results(done({}), invalid('datei'), failed('failed'), skipped('Item 3 failed')), {
			kind: 'local',
		});
		expect(error?.description).toBe('Done: item 1. Not done: items 2–4.');
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

	const REST = 'With "On Error: Continue (using error output)", the other items are sent even if one fails.';
	const by = (rerunWith: string | undefined, result: TaskResult, label?: string) => ({
		result,
		rerunWith,
		label,
	});
	const wayOn = (...all: Array<Omit<ItemResult, 'item'>>) =>
		errorOf(all.map((one, item) => ({ item, ...one })))?.description?.replace(
			/^.*?(?=To continue|With "On)/,
			'',
		);

	it.each<[string, TaskResult, string]>([
		['refused', failed('refused'), 'correct item 2 (no. 2)'],
		['unknown', failed('unknown'), 'look up item 2 (no. 2)'],
		['incomplete', failed('incomplete'), 'look up item 2 (no. 2)'],
		['not sent', failed('notSent'), 'remove the cause'],
	])('says how to continue after one that was %s', (_what, result, first) => {
		const again = '; a new run would send again what was carried out';
		expect(wayOn({ result: done({}) }, { result, label: 'no. 2' })).toBe(
			`To continue: ${first}; "Retry" sends nothing twice${again}. ${REST}`,
		);
	});

	it('says with what a new run sends nothing twice, if it recognizes all that may have been written', () => {
		const [short, long] = ['the option "A"', 'the option "A", if the items are the same'];
		const nor = (rerunWith: string) => `"Retry" sends nothing twice, nor does a new run with ${rerunWith}.`;
		expect(wayOn(by(short, done({})), by(long, done({})), by(short, failed('refused')))).toContain(nor(long));
		expect(wayOn(by(long, done({})), by(short, failed('unknown')))).toContain(nor(long));
		// One that was certainly not written doesn't matter.
		expect(wayOn(by(short, done({})), by(undefined, failed('refused')))).toContain(nor(short));
		expect(wayOn(by(short, done({})), by(undefined, skipped('x')), by(short, failed('refused')))).toContain(
			nor(short),
		);
		for (const outcome of ['unknown', 'incomplete'] as const) {
			expect(wayOn(by(short, done({})), by(undefined, failed(outcome)))).toContain(
				'; a new run would send again',
			);
		}
		expect(wayOn(by(short, done({})), by(undefined, done({})), by(short, failed('refused')))).toContain(
			'; a new run would send again',
		);
	});

	it('leaves what to do to the text of one that is there already', () => {
		expect(wayOn({ result: done({}) }, { result: failed('refused', { exists: true }) })).toBe(REST);
	});

	it('says nothing of that where nothing was written', () => {
		const dry: TaskResult = { kind: 'done', records: [{}], warnings: [], dryRun: true };
		expect(errorOf(results(dry, failed('refused')))?.description).toBe(
			'Dry run, nothing sent: item 1. Refused: item 2.',
		);
		expect(errorOf(results(invalid('betrag'), failed('refused')))?.description).not.toContain('To continue');
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
