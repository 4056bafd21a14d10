/** "Cash Balance Before": cash is never negative at the end of a day, whatever the order of the entries. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import type { RunOptions } from '../../../host/harness.mjs';
import { assertProperty, RUNS } from '../../../scripts/base/extent.mjs';
import { simpleEntry } from '../../../host/workflows.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const CONTINUES = { settings: { onError: 'continueErrorOutput' } } as const;

const FORMS: Record<string, INodeParameters> = {
	create: {
		bewegung: '={{ $json.cents < 0 ? "AUSGABE" : "EINNAHME" }}',
		betrag: '={{ Math.abs($json.cents) / 100 }}',
		belegnummer: '={{ $json.nr ?? "K-1" + $itemIndex }}',
	},
	createAdvanced: {
		bewegung: '',
		betrag: '',
		belegzeilen: { belegzeile: [{ betrag: '={{ $json.cents / 100 }}' }] },
	},
};

/** Entries of so many cents, negative for expenses. */
interface Options extends Partial<RunOptions> {
	own?: INodeParameters;
	options?: INodeParameters;
}
type Cents = number | [cents: number, at: string];
async function run(operation: string, cents: Cents[], kassenbestand: unknown, more: Options = {}) {
	const { own, options, ...rest } = more;
	const given = { kassenbestand, ...options } as INodeParameters;
	const parameters = simpleEntry(gateway.connectionId('duo'), {
		operation,
		...FORMS[operation],
		transaktionsdatum: '={{ $json.at ?? "2026-03-02" }}',
		options: given,
		...own,
	});
	// 119 on the 20th: `[119, '20.11.2026']`
	const items = cents.map((one) => {
		const [amount, at] = Array.isArray(one) ? one : [one];
		return { json: { cents: amount, ...(at && { at }) } };
	});
	return await gateway.run(node, parameters, { items, ...rest });
}

const booked = async () =>
	(await gateway.list<{ fields: { betrag: number; bewegung?: string } }>('entries')).map(
		({ fields: { betrag, bewegung } }) => Math.round(betrag * (bewegung === 'AUSGABE' ? -100 : 100)),
	);
const balances = (json: IDataObject[]) => json.map(({ kassenbestand }) => kassenbestand);

it.each(['create', 'createAdvanced'])(
	'The running cash balance of %s is added up exactly, and each item carries the balance after it',
	async (operation) => {
		const { json, error } = await run(operation, [10, 20, -130, -100, 5], '2,00');
		expect(error).toBeUndefined();
		expect(balances(json)).toEqual([2.1, 2.3, 1, 0, 0.05]);
		expect(Object.keys(json[0]).length).toBeLessThanOrEqual(10);
		expect(await booked()).toEqual([10, 20, -130, -100, 5]);
	},
);

describe('The running cash balance', () => {
	const operation = 'create';

	it.each<[string, INodeParameters]>([
		['comes back with Simplify off', { simple: false }],
		['an agent gets that chose its fields', { toolOutput: 'selected', toolFields: ['betrag'] }],
	])('is in what %s, too', async (_what, own) => {
		const { json } = await run(operation, [100], '1', { own });
		expect(json[0]).toMatchObject({ kassenbestand: 2 });
	});

	it('may be 0 before the first entry, without a warning', async () => {
		const { json, hints } = await run(operation, [100], '0');
		expect(balances(json)).toEqual([1]);
		expect(hints.filter(({ type }) => type === 'warning')).toEqual([]);
	});

	it('comes out only with the option', async () => {
		const { json } = await run(operation, [-100], undefined);
		expect(json[0]).not.toHaveProperty('kassenbestand');
	});

	it('below 0 at the end of a day stops everything: the error names the day, its sums and what to do', async () => {
		const { error } = await run(operation, [[2000, '1.3.2026'], -4001, -1, [9000, '3.3.2026']], '20,00');
		expect(`${error?.message} ${error?.description}`).toContain(
			'Nothing was sent: Cash Balance Before (kassenbestand) "20" is not enough: Hauptkasse would end 2026-03-02 with -0.02 EUR (40.00 EUR before, -40.02 EUR on that day). Cash is never negative: check the balance, the amounts and the days [items 1–4]',
		);
		expect(await gateway.requests()).toEqual([]);
	});

	it.each<[string, Cents[], unknown, number[]]>([
		[
			'of a row before the one that covers it',
			[
				[-10000, '21.11.2026'],
				[11900, '20.11.2026'],
			],
			'0',
			[19, 119],
		],
		['within a day', [-5000, 11900, -6900], '0', [-50, 69, 0]],
		[
			'within a day, by the time',
			[
				[-5000, '2.3.2026 18:00'],
				[11900, '2.3.2026 09:00'],
			],
			'0',
			[69, 119],
		],
	])('may be below 0 only in between: %s', async (_what, cents, before, after) => {
		const { error, json } = await run(operation, cents, before);
		expect(error).toBeUndefined();
		expect(balances(json)).toEqual(after);
		expect(await booked()).toEqual(cents.map((one) => (Array.isArray(one) ? one[0] : one)));
	});

	it('is that of a day in the workflow’s zone', async () => {
		// In Berlin, the second one is on the day after.
		const { error } = await run(
			operation,
			[
				[-100, '2026-03-02T12:00:00Z'],
				[100, '2026-03-02T23:30:00Z'],
			],
			'0',
		);
		expect(error?.message).toContain('would end 2026-03-02 with -1.00 EUR');
	});

	it('below 0 at the end of a day is refused, though a later day mends it, and so with Continue', async () => {
		const { errors, json } = await run(
			operation,
			[[5000, '1.3.2026'], -10000, [9000, '3.3.2026']],
			'0',
			CONTINUES,
		);
		expect(json).toEqual([]);
		expect(errors.map(({ cents }) => cents)).toEqual([5000, -10000, 9000]);
		expect(await gateway.requests()).toEqual([]);
	});

	it.each(['create', 'createAdvanced'])('below 0 is explained in German, for %s', async (by) => {
		const { errors } = await run(by, [2000, -4001], '20,00', CONTINUES);
		const { reason } = errors[0].details as { reason: { de: string } };
		expect(reason.de).toContain(
			'reicht nicht: Hauptkasse hätte am Ende des 02.03.2026 -0,01 EUR (davor 20,00 EUR, an diesem Tag -20,01 EUR). Die Kasse darf nicht ins Minus geraten',
		);
	});

	it('that differs between the items is listed in German as amounts', async () => {
		const { errors } = await run(operation, [1, 2], '={{ $itemIndex + 0.5 }}', CONTINUES);
		expect(errors[0].details).toMatchObject({
			reason: {
				en: expect.stringContaining('the items have 0.5, 1.5') as string,
				de: expect.stringContaining('angegeben sind 0,50 EUR, 1,50 EUR') as string,
			},
		});
	});

	it('is never negative at the end of a day, in whatever order the entries come', async () => {
		const entry = fc.tuple(fc.integer({ min: -5_000, max: 5_000 }), fc.integer({ min: 1, max: 3 }));
		const cases = fc.tuple(
			fc.array(entry, { minLength: 1, maxLength: 6 }),
			fc.integer({ min: 0, max: 5_000 }),
		);
		await assertProperty(cases, RUNS / 4, async ([entries, before]) => {
			const cents = entries.map(([amount, day]): Cents => [amount, `${day}.3.2026`]);
			const upTo = (isCounted: (day: number, i: number) => boolean) =>
				entries.reduce((all, [amount, day], i) => all + (isCounted(day, i) ? amount : 0), before);
			const isOverdrawn = entries.some(([, day]) => upTo((one) => one <= day) < 0);
			const dry = { own: { options: { kassenbestand: String(before / 100), dryRun: true } } };
			const stopped = await run(operation, cents, '', dry);
			const { json, errors } = await run(operation, cents, '', { ...dry, ...CONTINUES });
			if (isOverdrawn) {
				expect(stopped.error?.message).toContain('Cash is never negative');
				expect(errors).toHaveLength(cents.length);
				return;
			}
			const after = entries.map(([, day], i) => upTo((one, j) => one < day || (one === day && j <= i)) / 100);
			expect(balances(stopped.json)).toEqual(after);
			expect(balances(json)).toEqual(after);
		});
		expect(await gateway.requests()).toEqual([]);
	});

	it('of entries that are sent does not count those of a dry run', async () => {
		const options = { dryRun: '={{ $itemIndex === 0 }}' };
		const { error, json } = await run(operation, [-300, -400], '5', { options });
		expect(error).toBeUndefined();
		expect(balances(json)).toEqual([2, 1]);
		expect(await booked()).toEqual([-400]);
	});

	it('does not count an item that breaks another rule', async () => {
		const transaktionsdatum = '={{ $itemIndex === 0 ? "x" : "2026-03-02" }}';
		const { errors } = await run(operation, [1000, -600], '5', { own: { transaktionsdatum }, ...CONTINUES });
		expect(errors.map(({ error }) => error)).toEqual([
			expect.stringContaining('(transaktionsdatum) "x"'),
			expect.stringContaining('is not enough: Hauptkasse would end 2026-03-02 with -1.00 EUR'),
		]);
		expect(await gateway.requests()).toEqual([]);
	});

	it('does not count income that the gateway refuses: what depends on it is not sent', async () => {
		await gateway.fault({ kind: 'status', status: 422 });
		const { json, errors } = await run(operation, [1000, -300, -600], '5', CONTINUES);
		expect(balances(json)).toEqual([2]);
		expect(errors).toMatchObject([
			{ cents: 1000, details: { outcome: 'refused' } },
			{ cents: -600, details: { outcome: 'notSent' } },
		]);
		expect(errors[1].error).toContain(
			"Not sent: an earlier entry wasn't booked, or may not have been, so Hauptkasse may hold only 2.00 EUR",
		);
		expect(errors[1].error).toContain('Send it again once the earlier entries are booked.');
		expect(await booked()).toEqual([-300]);
	});

	it.each([
		['income that may have been booked', [1000, -300, -600], [2], [-600]],
		['an expense that may have been booked', [-400, 500, -600], [6, 0], []],
	])('counts %s only where that makes it less', async (_what, cents, left, unsent) => {
		await gateway.fault({ kind: 'drop', point: 'after-handler' });
		const { json, errors, hints } = await run(operation, cents, '5', CONTINUES);
		expect(balances(json)).toEqual(left);
		expect(errors.slice(1).map((one) => [one.cents, (one.details as IDataObject).outcome])).toEqual(
			unsent.map((one) => [one, 'notSent']),
		);
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(
				/^Items? 2(–3)?: kassenbestand is the lowest it can be: the outcome of an earlier entry is unknown$/,
			),
		);
	});

	it('of a day that lacks refused income covers no later entry', async () => {
		await gateway.fault({ kind: 'status', status: 422, after: 1 });
		const entries: Cents[] = [
			[-10000, '21.3.2026'],
			[11900, '20.3.2026'],
			[-500, '19.3.2026'],
			[10000, '22.3.2026'],
		];
		const { json, errors } = await run(operation, entries, '100', CONTINUES);
		expect(json.map(({ cents, kassenbestand }) => [cents, kassenbestand])).toEqual([
			[undefined, 0],
			[undefined, 100],
		]);
		expect(errors.map(({ cents, details }) => [cents, (details as IDataObject).outcome])).toEqual([
			[11900, 'refused'],
			[-500, 'notSent'],
		]);
		expect(errors[1].error).toContain('so Hauptkasse may hold only 0.00 EUR, and this entry of -5.00 EUR');
	});

	it('is that before the first attempt: a retry counts what was booked then', async () => {
		await gateway.fault({ kind: 'status', status: 422, after: 1 });
		const cents = [-400, 300, -350];
		const first = await run(operation, cents, '5');
		expect(await booked()).toEqual([-400]);
		const { json, error } = await run(operation, cents, '5', { retryOf: first.run });
		expect(error).toBeUndefined();
		expect(balances(json)).toEqual([1, 4, 0.5]);
		expect(await booked()).toEqual(cents);
	});

	it.each<[string, INodeParameters, unknown, string]>([
		[
			'cash books',
			{ kassenname: '={{ ["Hauptkasse", "Kasse Filiale Süd"][$itemIndex] }}' },
			'100',
			'"100" is the balance of one cash book, but this run has entries of several: Hauptkasse, Kasse Filiale Süd. Use a node for each [items 1–2]',
		],
		[
			'currencies',
			{ waehrung: '={{ ["EUR", "CHF"][$itemIndex] }}' },
			'100',
			'is a balance in one currency, but this run has entries in EUR, CHF [items 1–2]',
		],
		[
			'balances',
			{},
			'={{ 100 + $itemIndex }}',
			'must be the same for all items, because it is the balance before the first one; the items have 100, 101',
		],
	])('is refused for several %s', async (_what, own, given, message) => {
		const { error } = await run(operation, [1, 2], given, { own });
		expect(error?.message).toMatch(/^Nothing was sent: Cash Balance Before \(kassenbestand\) /);
		expect(`${error?.message} ${error?.description}`).toContain(message);
		expect(await gateway.requests()).toEqual([]);
		const { errors } = await run(operation, [1, 2], given, { own, ...CONTINUES });
		expect(errors).toHaveLength(2);
		expect(await gateway.requests()).toEqual([]);
	});

	it.each([
		['', 'is empty: give the balance, or remove the option'],
		['={{ $json.misspelled }}', 'is empty: there is no value for it'],
		['-5', '"-5" is negative, which cash never is'],
		['1.234', '"1.234" is ambiguous'],
	])('can’t begin with %o', async (given, message) => {
		const { error } = await run(operation, [1], given);
		expect(error?.message).toContain(`Cash Balance Before (kassenbestand) ${message}`);
		expect(await gateway.requests()).toEqual([]);
	});
});

it('The running cash balance counts an entry that was booked before', async () => {
	const already = { options: { alreadyBooked: true } };
	await run('create', [-400], '5');
	const { json, error } = await run('create', [-400, -100], '5', already);
	expect(error).toBeUndefined();
	expect(json.map(({ alreadyExisted, kassenbestand }) => [alreadyExisted, kassenbestand])).toEqual([
		[true, 1],
		[false, 0],
	]);
});

it('The running cash balance counts an entry that this node has booked before, also after income that was refused', async () => {
	new FakeDatabase().install();
	const options = { alreadyBooked: true };
	await run('createAdvanced', [-400], '5', { options });
	await gateway.fault({ kind: 'status', status: 422 });
	// Without the income it takes more than there was, but it is a fact.
	const { json, errors } = await run('createAdvanced', [100, -400, -1], '3,50', { options, ...CONTINUES });
	expect(json.map(({ alreadyExisted, kassenbestand }) => [alreadyExisted, kassenbestand])).toEqual([
		[true, -0.5],
	]);
	expect(errors).toMatchObject([
		{ cents: 100, details: { outcome: 'refused' } },
		{ cents: -1, details: { outcome: 'notSent' } },
	]);
});

it('The running cash balance changes once for items that are one entry', async () => {
	const own = { combineBy: '={{ $itemIndex === 1 ? "" : "A" }}' };
	const { json } = await run('createAdvanced', [-500, 100, 450], '0,50', { own });
	expect(balances(json)).toEqual([0, 1]);
	const { main } = await run('createAdvanced', [-500, 100, 300], '0,50', { own, ...CONTINUES });
	expect(main[1].map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0 }, { item: 2 }], { item: 1 }]);
});
