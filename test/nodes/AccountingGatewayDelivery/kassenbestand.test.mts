/** "Cash Balance Before": cash is never negative, after any entry. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import type { RunOptions } from '../../../tools/harness.mjs';
import { assertProperty, RUNS } from '../../../tools/extent.mjs';
import { simpleEntry } from '../../../tools/workflows.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const CONTINUES = { settings: { onError: 'continueErrorOutput' } } as const;

const FORMS: Record<string, INodeParameters> = {
	create: {
		bewegung: '={{ $json.cents < 0 ? "AUSGABE" : "EINNAHME" }}',
		betrag: '={{ Math.abs($json.cents) / 100 }}',
		belegnummer: '={{ $json.nr ?? "K-" + $itemIndex }}',
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
async function run(operation: string, cents: number[], kassenbestand: unknown, more: Options = {}) {
	const { own, options, ...rest } = more;
	const given = { kassenbestand, ...options } as INodeParameters;
	const parameters = simpleEntry(gateway.connectionId('duo'), {
		operation,
		...FORMS[operation],
		options: given,
		...own,
	});
	const items = cents.map((one) => ({ json: { cents: one } }));
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

	it('below 0 stops everything: the error names entry, balance and what to do', async () => {
		const { error } = await run(operation, [2000, -4001, -1], '20,00');
		expect(error?.message).toEqual(
			expect.stringMatching(
				/^Nothing was sent: Cash Balance Before \(kassenbestand\) "20" is not enough: in Hauptkasse it leaves 40.00 EUR before this entry of -40.01 EUR \(belegnummer K-1\), which would bring it to -0.01 EUR. .+ \[item 2\]$/,
			),
		);
		expect(await gateway.requests()).toEqual([]);
	});

	it.each([
		['create', 'Nummer im Kassenbuch K-1'],
		['createAdvanced', 'Eintrag über -40,01'],
	])('below 0 is explained in German with a German name of the entry, for %s', async (by, name) => {
		const { errors } = await run(by, [2000, -4001], '20,00', CONTINUES);
		const { reason } = errors[0].details as { reason: { de: string } };
		expect(reason.de).toContain(`ein Vorgang über -40,01 EUR (${name}) brächte`);
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

	it('is never negative, in whatever order the entries come', async () => {
		const cases = fc
			.tuple(
				fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 1, maxLength: 6 }),
				fc.integer({ min: 0, max: 5_000 }),
			)
			.chain(([cents, before]) =>
				fc.tuple(fc.shuffledSubarray(cents, { minLength: cents.length }), fc.constant(before)),
			);
		await assertProperty(cases, RUNS / 4, async ([cents, before]) => {
			const dry = { own: { options: { kassenbestand: String(before / 100), dryRun: true } } };
			let balance = before;
			const after = cents.map((one) => (balance += one));
			const stopped = await run(operation, cents, '', dry);
			if (after.some((one) => one < 0)) {
				expect(stopped.error?.message).toContain('Keep the cash balance from going negative');
				expect(stopped.error?.message).toContain(
					cents.length > 1 ? `[item ${after.findIndex((one) => one < 0) + 1}` : 'is not enough',
				);
			} else {
				expect(balances(stopped.json)).toEqual(after.map((one) => one / 100));
			}
			// Where the node continues, what is refused doesn't count.
			const { json, errors } = await run(operation, cents, '', { ...dry, ...CONTINUES });
			let left = before;
			const good = cents.flatMap((one) => (left + one < 0 ? [] : [(left += one)]));
			expect(balances(json)).toEqual(good.map((one) => one / 100));
			expect(errors).toHaveLength(cents.length - good.length);
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
			expect.stringContaining('is not enough: in Hauptkasse it leaves 5.00 EUR'),
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
		['={{ $json.misspelled }}', 'is empty: its expression returned no value'],
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
	const { main } = await run('createAdvanced', [-500, 100, 400], '0,50', { own, ...CONTINUES });
	expect(main[0].map(({ json: { kassenbestand } }) => kassenbestand)).toEqual([1.5]);
	expect(main[1].map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0 }, { item: 2 }]]);
});
