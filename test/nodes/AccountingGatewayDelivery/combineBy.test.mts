/** Several items that are one advanced entry, like the rows of a receipt in a cash register's report. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import type { RunOptions, TestItem } from '../../../host/harness.mjs';
import { assertProperty, RUNS } from '../../../scripts/base/extent.mjs';
import { simpleEntry } from '../../../host/workflows.mjs';
import { useGateway } from '../../support/useSandbox.mjs';
import { jsonAs } from '../../../host/partial.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const CONTINUES = { settings: { onError: 'continueErrorOutput' } } as const;

/** A row of a report. */
type Row = IDataObject;

/** The form for a report: each row is a line. */
const report = (own: INodeParameters = {}): INodeParameters =>
	simpleEntry(gateway.connectionId('duo'), {
		operation: 'createAdvanced',
		bewegung: '',
		betrag: '',
		combineBy: "={{ $json.bon ?? '' }}",
		belegzeilen: {
			belegzeile: [{ betrag: '={{ $json.betrag }}', belegtext: "={{ $json.text ?? '' }}" }],
		},
		...own,
	});

const itemsOf = (rows: Row[]): TestItem[] => rows.map((json) => ({ json }));
const run = async (rows: Row[], own: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
	await gateway.run(node, report(own), { items: itemsOf(rows), ...options });

interface Booked {
	betrag: number;
	transaktionsdatum: string;
	belegzeilen: Array<{ betrag: number; belegtext?: string }>;
}
const entries = async () => await gateway.list<{ fields: Booked; belegbilder: IDataObject[] }>('entries');
/** Of each entry its amount and those of its lines. */
const booked = async () =>
	(await entries()).map(({ fields: { betrag, belegzeilen } }) => [
		betrag,
		...belegzeilen.map((line) => line.betrag),
	]);
const posts = async () => (await gateway.requests()).filter(({ method }) => method === 'POST').length;

const FIVE: Row[] = [
	{ bon: 'A', betrag: '10,10' },
	{ bon: 'B', betrag: '1' },
	{ bon: 'A', betrag: '0,20' },
	{ bon: '', betrag: '7' },
	{ bon: 'B', betrag: '-3' },
];

describe('Items with the same value of Combine By', () => {
	it.each([
		['a text and a number', 17, '17'],
		['spaces around', ' 17', '17 '],
	])('are combined with %s', async (_what, one, other) => {
		await run([
			{ bon: one, betrag: 1 },
			{ bon: other, betrag: 2 },
		]);
		expect(await booked()).toEqual([[3, 1, 2]]);
	});

	it('may have lines from data', async () => {
		const rows = [
			{ bon: 1, zeilen: [{ betrag: '1,00' }, { betrag: '2,00' }] },
			{ bon: 1, zeilen: '[{"betrag": 4}]' },
		];
		await run(rows, { belegzeilenFrom: 'json', belegzeilenJson: '={{ $json.zeilen }}' });
		expect(await booked()).toEqual([[7, 1, 2, 4]]);
	});

	it('have the sign of their movement', async () => {
		await run(FIVE.slice(0, 3), { bewegung: 'AUSGABE' });
		expect(await booked()).toEqual([
			[-10.3, -10.1, -0.2],
			[-1, -1],
		]);
	});

	it('may differ in their time, not in their day: the first one counts', async () => {
		const rows = [
			{ bon: 1, betrag: 1, am: '20.11.2026 09:00' },
			{ bon: 1, betrag: 2, am: '2026-11-20T23:30:00' },
			{ bon: 1, betrag: 3, am: '2026-11-20T22:00:00Z' },
		];
		const { error } = await run(rows, { transaktionsdatum: '={{ $json.am }}' });
		expect(error).toBeUndefined();
		expect((await entries()).map(({ fields }) => fields.transaktionsdatum)).toEqual([
			'2026-11-20T09:00:00+01:00',
		]);
	});

	it.each<[string, Row[], refusal?: string]>([
		['is in each row', [{ gesamt: '3,00' }, { gesamt: 3 }]],
		['is in one row', [{ gesamt: '' }, { gesamt: '3,00' }]],
		['is in none', [{ gesamt: '' }, { gesamt: '' }]],
		[
			'differs',
			[{ gesamt: '1' }, { gesamt: '2' }],
			'Amount (betrag) "2" must be the same as for item 1, 1: both are one entry. Give the amount of the whole entry, or none [item 2]',
		],
		[
			'is not the sum',
			[{ gesamt: '1' }, { gesamt: '1' }],
			'Amount (betrag) "1" must equal the sum of the lines of all its items, which is 3 [item 1]',
		],
		['is not read', [{ gesamt: '3' }, {}], 'Amount (betrag) is empty: there is no value for it'],
	])('are booked or refused where the amount of the entry %s', async (_what, rows, refusal) => {
		const { error } = await run(
			rows.map((row, i) => ({ bon: 1, betrag: i + 1, ...row })),
			{ betrag: '={{ $json.gesamt }}' },
		);
		expect(error?.message ?? '').toContain(refusal ?? '');
		expect(await booked()).toEqual(refusal ? [] : [[3, 1, 2]]);
	});

	it('are refused in German with the day and the amount as Germans write them', async () => {
		const rows = [
			{ bon: 1, betrag: 1, gesamt: '1234,5', am: '20.11.2026 23:00' },
			{ bon: 1, betrag: 2, gesamt: '2', am: '21.11.2026 00:30' },
		];
		const { errors } = await run(
			rows,
			{ betrag: '={{ $json.gesamt }}', transaktionsdatum: '={{ $json.am }}' },
			{ settings: { onError: 'continueErrorOutput' } },
		);
		const { reason } = errors[0].details as { reason: { de: string } };
		expect(reason.de).toMatch(
			/gleich sein wie bei Position 1, 20\.11\.2026: .*wie bei Position 1, 1\.234,5: /,
		);
	});

	const ONE = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
	const X = '={{ $json.x }}';
	it.each<[string, INodeParameters, unknown[], string]>([
		[
			'cash book',
			{ kassenname: X },
			['Hauptkasse', 'Süd'],
			'Cash Book (kassenname) "Süd" must be the same as for item 1, Hauptkasse: both are one entry [item 2]',
		],
		['connection', { connectionId: X }, [ONE, ONE.replace('5', '6')], 'Connection (connectionId)'],
		[
			'movement, of which one is empty',
			{ bewegung: X },
			['', 'AUSGABE'],
			'Movement (bewegung) "AUSGABE" must be the same as for item 1 (empty): both are one entry [item 2]',
		],
		['currency', { waehrung: X }, ['EUR', 'CHF'], 'Currency (waehrung) "CHF"'],
		[
			'day',
			{ transaktionsdatum: X },
			['20.11.2026 23:00', '21.11.2026 00:30'],
			'Transaction Date (transaktionsdatum) "2026-11-21T00:30:00+01:00" must be the same as for item 1',
		],
		[
			'options',
			{ options: { dryRun: X } },
			[true, false],
			'Dry Run (dryRun) "false" must be the same as for item 1, because they are combined into one record [item 2]',
		],
		['timeout', { options: { timeout: X } }, [10, 20], '(timeout) "20" must be the same as for item 1'],
	])('are refused where they differ in the %s', async (_what, own, values, message) => {
		const rows = values.map((x) => ({ bon: 1, betrag: 1, x }) as Row);
		const { error } = await run(rows, own);
		expect(error?.message).toContain(message);
		expect(await gateway.requests()).toEqual([]);
	});

	it('are not guessed where the expression returns no value', async () => {
		const { error } = await run(FIVE, { combineBy: '={{ $json.misspelled }}' });
		expect(error?.message).toContain('Combine By (combineBy) is empty: there is no value for it');
		expect(await gateway.requests()).toEqual([]);
	});

	it('are one entry whatever their order, and no line is lost', async () => {
		const row = fc.record({
			bon: fc.constantFrom('A', 'B', 'C', ''),
			betrag: fc.integer({ min: -9999, max: 9999 }),
		});
		await assertProperty(fc.array(row, { minLength: 1, maxLength: 12 }), RUNS / 4, async (rows) => {
			// Else, its credits don't last for the thousands of runs of a night.
			gateway.sandbox.store.reset();
			const { main, error } = await run(
				rows.map(({ bon, betrag }) => ({ bon, betrag: betrag / 100 })),
				{ simple: false },
			);
			expect(error).toBeUndefined();
			const expected: Array<{ bon: string; items: number[] }> = [];
			for (const [i, { bon }] of rows.entries()) {
				const known = expected.find((one) => bon !== '' && one.bon === bon);
				if (known) known.items.push(i);
				else expected.push({ bon, items: [i] });
			}
			const cents = (amount: number) => Math.round(amount * 100);
			expect(
				main[0].map(({ json }) => {
					const { betrag, belegzeilen } = jsonAs<Booked>(json);
					return [cents(betrag), ...belegzeilen.map((line) => cents(line.betrag))];
				}),
			).toEqual(
				expected.map(({ items }) => {
					const amounts = items.map((i) => rows[i].betrag);
					return [amounts.reduce((sum, one) => sum + one, 0), ...amounts];
				}),
			);
			expect(
				main[0].map(({ pairedItem }) => [pairedItem].flat().map((one) => (one as { item: number }).item)),
			).toEqual(expected.map(({ items }) => items));
		});
	});
});

describe('The files of items that are one entry', () => {
	const file = (name: string) => ({ content: Buffer.from(`%PDF ${name}`), fileName: `${name}.pdf` });

	it('are passed on where it is refused, each under a name of its own', async () => {
		const items = ['a', 'b'].map((name, i) => ({
			json: { bon: 1, betrag: i ? 'x' : 1 },
			files: { data: file(name) },
		}));
		const { main } = await gateway.run(node, report(), { items, ...CONTINUES });
		expect(Object.entries(main[1][0].binary!).map(([name, { fileName }]) => [name, fileName])).toEqual([
			['data', 'a.pdf'],
			['data_2', 'b.pdf'],
		]);
	});
});

describe('A bad row of an entry', () => {
	const BAD = FIVE.map((row, i) => (i === 4 ? { ...row, betrag: 'drei' } : row));

	it('stops everything in stop mode, and is named', async () => {
		const { error } = await run(BAD);
		expect(error?.message).toBe(
			'Nothing was sent: Amount (belegzeilen[1].betrag) "drei" must be a number like 12.50 or 12,50 [item 5]',
		);
		expect(await gateway.requests()).toEqual([]);
	});

	it('refuses its whole entry, and no other', async () => {
		const { main, errors, error } = await run(BAD, {}, CONTINUES);
		expect(error).toBeUndefined();
		expect(await booked()).toEqual([
			[10.3, 10.1, 0.2],
			[7, 7],
		]);
		expect(main[1].map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 1 }, { item: 4 }]]);
		expect(errors).toMatchObject([
			{
				bon: 'B',
				betrag: '1',
				error: expect.stringContaining(
					'Not sent (items 2, 5 would be one record): item 5: Amount (belegzeilen[1]',
				),
				details: {
					outcome: 'invalid',
					issues: [{ item: 5, field: 'belegzeilen[1].betrag', value: { de: 'drei' } }],
				},
			},
		]);
	});

	it('whose entry is not known refuses all that it may belong to', async () => {
		const combineBy = '={{ $json.bon === "?" ? $("No such node").item : $json.bon }}';
		const rows = [...FIVE, { bon: '?', betrag: 1 }];
		const { errors } = await run(rows, { combineBy }, CONTINUES);
		expect(await booked()).toEqual([[7, 7]]);
		expect(errors.map(({ error }) => error)).toEqual([
			expect.stringContaining(
				'Combine By (combineBy) "A" may be incomplete: the value of item 6 can\'t be read',
			),
			expect.stringContaining('Combine By (combineBy) "B" may be incomplete'),
			expect.stringContaining("Combine By (combineBy) can't be read"),
		]);
	});

	it('that the gateway refuses is one item of the error output, paired with all', async () => {
		await gateway.fault({ kind: 'status', status: 422 });
		const { main } = await run(FIVE, {}, CONTINUES);
		expect(
			main[1].map(({ pairedItem, json }) => [pairedItem, (json.details as IDataObject).outcome]),
		).toEqual([[[{ item: 0 }, { item: 2 }], 'refused']]);
		expect(main[0]).toHaveLength(2);
	});

	it('that the gateway refuses is named with all items in stop mode', async () => {
		await gateway.fault({ kind: 'status', status: 422, after: 1 });
		const { error } = await run(FIVE);
		expect(error?.message).toMatch(/\[items 2, 5\]$/);
		expect(error?.description).toContain('Carried out: items 1, 3. Refused: items 2, 5. Not sent: item 4.');
	});
});

it('A dry run shows combined entries as they would be', async () => {
	const { json, main, hints } = await run(FIVE, { options: { dryRun: true } });
	expect(json.map(({ summary }) => (summary as IDataObject).en)).toEqual([
		expect.stringMatching(/^Would book income of 10\.30 EUR.* · 1\) .* · 2\) [^)]*$/),
		expect.stringMatching(/^Would book an expense of 2\.00 EUR.* · 1\) .* · 2\) [^)]*$/),
		expect.stringMatching(/^Would book income of 7\.00 EUR.* · 1\) [^)]*$/),
	]);
	expect(main[0][0].pairedItem).toEqual([{ item: 0 }, { item: 2 }]);
	expect(hints[0].message).toBe('Items 1–5: dry run, nothing was sent');
	expect(await gateway.requests()).toEqual([]);
});

it('What a person should know about any row of an entry is told with the entry', async () => {
	const { hints, error } = await run([
		{ bon: 'A', betrag: '10,10' },
		{ bon: 'A', betrag: '0' },
	]);
	expect(error).toBeUndefined();
	expect(hints.map(({ message }) => message)).toContainEqual(
		expect.stringContaining('Amount (belegzeilen[1].betrag) is 0, and is booked as 0'),
	);
});

it('Combined entries are counted as entries, and recognized in a new run with the same rows', async () => {
	new FakeDatabase().install();
	const own = { options: { alreadyBooked: true } };
	const { hints } = await run(FIVE, own);
	expect(hints.map(({ message }) => message)).toContainEqual(
		expect.stringContaining('3 entries booked in Hauptkasse'),
	);
	const { json } = await run(FIVE, own);
	expect(json.map(({ alreadyExisted }) => alreadyExisted)).toEqual([true, true, true]);
	expect(await booked()).toHaveLength(3);
	// With another row, it is another entry.
	await run([...FIVE, { bon: 'A', betrag: '1' }], own);
	expect((await booked()).slice(3)).toEqual([[11.3, 10.1, 0.2, 1]]);
});

describe('A retry of combined entries', () => {
	const THREE: Row[] = [
		{ bon: 'A', betrag: 1 },
		{ bon: 'B', betrag: 2 },
		{ bon: 'A', betrag: 4 },
	];
	const failed = async (own: INodeParameters = {}) => {
		await gateway.fault({ kind: 'status', status: 422, after: 1 });
		return await run(THREE, own);
	};

	it('sends no entry again that was booked', async () => {
		const { json, error } = await run(THREE, {}, { retryOf: (await failed()).run });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(await booked()).toEqual([
			[5, 1, 4],
			[2, 2],
		]);
	});

	it('has several files, one of each row', async () => {
		const items = THREE.map((json, i) => ({
			json,
			files: { data: { content: Buffer.from(`%PDF ${i}`), fileName: `${i}.pdf` } },
		}));
		await gateway.fault({ kind: 'status', status: 422 });
		const parameters = report({ belegbilder: 'data' });
		const first = await gateway.run(node, parameters, { items });
		const { error } = await gateway.run(node, parameters, { items, retryOf: first.run });
		expect(error).toBeUndefined();
		expect((await entries()).map(({ belegbilder }) => belegbilder.map(({ dateiname }) => dateiname))).toEqual(
			[['0.pdf', '2.pdf'], ['1.pdf']],
		);
	});

	// n8n retries with the workflow as it is now.
	const sinceThen = (now: string, before = '$json.bon') => ({
		combineBy: `={{ $workflow.name === "Now" ? ${now} : ${before} }}`,
	});
	const NOW = { workflowName: 'Now' };

	it.each<[string, string]>([
		['a row less', '$itemIndex === 2 ? "" : $json.bon'],
		['a row more', '"A"'],
		['no row in common with another', '""'],
		['another row first', '$itemIndex === 0 ? "" : "A"'],
	])('of an entry that has %s since sends nothing', async (_what, now) => {
		const first = await failed(sinceThen(`(${now})`));
		const sent = await posts();
		const { error } = await run(THREE, {}, { retryOf: first.run, ...NOW });
		expect(error?.message).toContain('has changed since');
		expect(await posts()).toBe(sent);
	});

	it('of rows of which one was booked with another does not book it with a third', async () => {
		const own = {
			...sinceThen('($itemIndex ? "B" : "")'),
			options: { dryRun: '={{ $workflow.name === "Now" && $itemIndex === 0 }}' },
		};
		const first = await failed(own);
		const { error } = await run(THREE, {}, { retryOf: first.run, ...NOW });
		expect(error?.message).toMatch(
			/has changed since then: unknown whether the entry was booked \[item 1\]$/,
		);
		expect(error?.description).toContain('Unknown: items 1–3.');
		expect(await booked()).toEqual([[5, 1, 4]]);
	});

	it('of an entry of which a row has changed since sends none of its rows', async () => {
		const { run: first } = await failed();
		const [{ data }] = first.data.executionData!.nodeExecutionStack;
		data.main[0]![2].json.betrag = 5;
		const { error } = await run(THREE, {}, { retryOf: first });
		expect(error?.message).toMatch(
			/has changed since then: unknown whether the entry was booked \[items 1, 3\]$/,
		);
		expect(await booked()).toEqual([[5, 1, 4]]);
	});

	it('of rows that were booked one by one does not book them together', async () => {
		await gateway.fault({ kind: 'status', status: 422, after: 2 });
		const first = await run(THREE, sinceThen('$json.bon', '""'));
		const { error } = await run(THREE, {}, { retryOf: first.run, ...NOW });
		expect(error?.message).toMatch(
			/has changed since then: unknown whether the entry was booked \[items 1, 3\]$/,
		);
		expect(await booked()).toEqual([
			[1, 1],
			[2, 2],
		]);
	});
});
