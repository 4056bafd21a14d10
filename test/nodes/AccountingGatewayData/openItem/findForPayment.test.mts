/** "Open Item: Find for Payment": which open items a payment settles. */
import fc from 'fast-check';
import map from 'lodash/map.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { findForPayment } from '../../../../nodes/AccountingGatewayData/openItem/findForPayment.js';
import { mentionsIn, plainNumber } from '../../../../nodes/AccountingGatewayData/openItem/invoiceNumber.js';
import { processorTime, watched } from '../../../support/timing.mjs';
import { item, openAccount as account, openItems, useDataNode } from '../../../support/dataNode.mjs';
import type { RunOptions } from '../../../../host/harness.mjs';

const { gateway, run, answers } = useDataNode();

const HOTEL = account('10001', 'Hotel am Markt GmbH', item('RE-2026-0050', 119), item('RE-2026-0051', 50));
const CAFE = account('10002', 'Café Lindenhof OHG', item('RE-2026-0052', 119), item('', 33.33));
const MILL = account(
	'70001',
	'Mühle Weiß GmbH',
	item('4711', -10.25),
	item('4712', -10.25),
	item('G-900', 3),
);
const PRINTER = account('70002', 'Druckerei', item('4711', -80));

/** Runs the operation on bank transactions, with a report of open items from the gateway. */
async function find(
	payments: IDataObject[],
	{
		konten = [HOTEL, CAFE, MILL],
		parameters = {},
		...more
	}: { konten?: object[]; parameters?: INodeParameters } & Partial<RunOptions> = {},
) {
	await answers(openItems(konten), { operationId: 'getOpenItems' });
	const options = { discount: '2,0', discountDays: 14 };
	return await run(
		'openItem',
		{ operation: 'findForPayment', options, ...parameters },
		{ items: payments.map((one) => ({ json: { made_on: '2026-11-20', ...one } })), ...more },
	);
}
/** A bank transaction. */
const paid = (amount: number, description: string, more: IDataObject = {}) => ({
	amount,
	description,
	...more,
});
/** What the operation says of a payment: verdict, difference and numbers. */
const verdict = async (payment: IDataObject, more?: Parameters<typeof find>[1]) => {
	const { json, error } = await find([payment], more);
	expect(error).toBeUndefined();
	const [{ verdict, difference, beleg }] = json as Array<Record<string, string>>;
	return verdict === 'none' ? verdict : `${verdict} by ${difference}: ${beleg}`;
};

describe('A payment', () => {
	// Most verdicts: verdicts.test.mts.
	it.each<[what: string, said: string, payment: IDataObject]>([
		['of an item without a number', 'probable by 0: ', paid(33.33, '', { payer: 'CAFE LINDENHOF OHG' })],
		['of an invoice that is none of ours to receive', 'none', paid(10.25, '4711')],
		['with the discount rounded down', 'settlesWithDiscount by -0.21: 4711', paid(-10.04, '4711')],
		['with the discount rounded up', 'settlesWithDiscount by -0.2: 4711', paid(-10.05, '4711')],
		['with the discount and a cent too little', 'partial by -0.22: 4711', paid(-10.03, '4711')],
		['with the discount on the sum', 'settlesWithDiscount by -0.41: 4711, 4712', paid(-20.09, '4711 4712')],
		['to a supplier without a number', 'none', paid(-10.25, '', { payee: 'MUEHLE WEISS GMBH' })],
		['of nothing', 'none', paid(0, 'RE-2026-0050')],
	])('%s is said to be “%s”', async (_, said, payment) => {
		expect(await verdict(payment)).toBe(said);
	});

	it('may be a cent off for each of its items, whose discounts were rounded one by one', async () => {
		// 2 % of 10.25 leave 10.045, of three 30.135; rounded up one by one, 30.15.
		const items = ['4711', '4712', '4713'].map((number) => item(number, -10.25));
		const konten = [account('70001', 'Mühle Weiß GmbH', ...items)];
		const of = async (amount: number) => await verdict(paid(amount, '4711 4712 4713'), { konten });
		expect(await of(-30.15)).toBe('settlesWithDiscount by -0.6: 4711, 4712, 4713');
		expect(await of(-30.72)).toBe('settles by -0.03: 4711, 4712, 4713');
		expect(await of(-30.71)).toBe('partial by -0.04: 4711, 4712, 4713');
	});

	it('is told from a supplier without a name by the amount, and if that is undecided, judged by nothing else', async () => {
		const nameless = account('70003', null, item('4711', -10.25));
		expect(await verdict(paid(-80, '4711'), { konten: [nameless, PRINTER] })).toBe('settles by 0: 4711');
		expect(await verdict(paid(-90.25, '4711 4712'), { konten: [MILL, PRINTER] })).toBe('none');
	});

	it("finds a supplier's invoice whichever sign the gateway gives it", async () => {
		const konten = [account('70001', 'Mühle', item('4711', 10.25), item('4712', 1), item('G-900', -3))];
		expect(await verdict(paid(-7.25, '4711, G900'), { konten })).toBe('settles by 0: 4711, G-900');
		const prepaid = [account('70001', 'Mühle', item('4711', -300)), account('70002', null, item('1', 5000))];
		expect(await verdict(paid(-300, '4711'), { konten: prepaid })).toBe('settles by 0: 4711');
	});

	it('is less the credit notes of those whose invoices it names, and no invoice of anybody else', async () => {
		const supplier = (name: string | null) => account('70001', name, item('88123', -50));
		const ofHotel = paid(69, 'RE-2026-0050 Bestellung 88123');
		expect(await verdict(ofHotel, { konten: [HOTEL, supplier('Druckerei')] })).toBe(
			'partial by -50: RE-2026-0050',
		);
		const nameless = { ...HOTEL, bezeichnung: null };
		expect(await verdict(ofHotel, { konten: [nameless, supplier(null)] })).toBe(
			'partial by -50: RE-2026-0050',
		);
		expect(await verdict(ofHotel, { konten: [HOTEL, supplier(HOTEL.bezeichnung)] })).toBe(
			'settles by 0: RE-2026-0050, 88123',
		);
	});

	it.each([true, false])(
		'has a warning where accounts have a balance, but no items, that names the operation that shows them (Simplify: %s)',
		async (simple) => {
			const konten = [{ ...HOTEL, posten: [] }];
			const { hints } = await find([{ amount: 1 }], { konten, parameters: { simple } });
			expect(map(hints, 'message').join()).toContain(
				'("Open Item: Get Many", Output "Accounts", has them): 10001',
			);
		},
	);

	it('counts by its direction, whatever its sign', async () => {
		const parameters = { direction: 'outgoing' };
		expect(await verdict(paid(10.25, '4711'), { parameters })).toBe('settles by 0: 4711');
	});

	it.each([null, ''])('is not in time for the discount of an invoice with the day %o', async (day) => {
		const other = { ...item('RE-2026-0060', 50), belegdatum: day };
		const konten = [account('10001', 'Hotel', item('RE-2026-0061', 50), other)];
		expect(await verdict(paid(98, 'RE-2026-0060 RE-2026-0061'), { konten })).toBe(
			'discountTooLate by -2: RE-2026-0060, RE-2026-0061',
		);
	});

	it.each([
		['a credit note', account('10001', 'Hotel', item('RE-5050', 119), item('GU-2026', -19, '2026-09-01'))],
		[
			'a credit note without a day',
			account('10001', 'Hotel', item('RE-5050', 119), item('GU-2026', -19, '')),
		],
		['a prepayment', account('10001', 'Hotel', item('RE-5050', 119), item('RE-5050', -19, '2026-09-01'))],
	])('is in time for the discount of the invoice, whatever the day of %s', async (_, hotel) => {
		expect(await verdict(paid(98, 'RE-5050 abzgl GU-2026'), { konten: [hotel] })).toMatch(
			/^settlesWithDiscount by -2:/,
		);
	});

	it("finds our invoice although a supplier's longer number begins in the same place", async () => {
		const konten = [
			account('10001', 'Hotel', item('4711', 119)),
			account('70001', 'Druckerei', item('RE-4711', -80)),
		];
		expect(await verdict(paid(119, 'RE 4711'), { konten })).toBe('settles by 0: 4711');
		expect(await verdict(paid(-80, 'RE 4711'), { konten })).toBe('settles by 0: RE-4711');
	});

	it('has a line for a person, in which no text from outside can look like another one', async () => {
		const hotel = { amount: 100, description: 'RE-2026-0050', payer: 'Hotel\n\u202EMarkt“' };
		const foreign = [
			{ amount: -1234.5, currency_code: 'USD', payee: 'x'.repeat(5000) },
			{ amount: 12.345, currency_code: 'KWD' },
			{ amount: 1000, currency_code: 'JPY' },
			{ amount: 0.12345, currency_code: 'XAU' },
		];
		const { json } = await find([hotel, ...foreign]);
		expect(json.map(({ finding }) => finding)).toEqual([
			{
				en: '2026-11-20, 100.00 EUR, “Hotel Markt”, “RE-2026-0050”. Part payment of “RE-2026-0050”, “Hotel am Markt GmbH”, open 119.00 EUR, difference -19.00 EUR.',
				de: '20.11.2026, 100,00 EUR, „Hotel Markt“, „RE-2026-0050“. Teilzahlung auf „RE-2026-0050“, „Hotel am Markt GmbH“, offen 119,00 EUR, Differenz -19,00 EUR.',
			},
			{
				en: `2026-11-20, -1,234.50 USD, “${'x'.repeat(150)}”. No matching open item.`,
				de: `20.11.2026, -1.234,50 USD, „${'x'.repeat(150)}“. Kein passender offener Posten.`,
			},
			...[
				['12.345 KWD', '12,345 KWD'],
				['1,000 JPY', '1.000 JPY'],
				['0.12345 XAU', '0,12345 XAU'],
			].map(([en, de]) => ({
				en: `2026-11-20, ${en}. No matching open item.`,
				de: `20.11.2026, ${de}. Kein passender offener Posten.`,
			})),
		]);
	});

	it('less a discount has a line that claims no last day where the invoice has no day', async () => {
		const konten = [account('10001', 'Hotel', { ...item('RE-2026-0050', 119), belegdatum: '' })];
		const { json } = await find([paid(116.62, 'RE-2026-0050')], { konten });
		expect(json).toMatchObject([{ verdict: 'discountTooLate' }]);
		expect(json[0].finding).toMatchObject({
			en: expect.stringContaining('Cash discount, document date unknown: “RE-2026-0050”') as string,
			de: expect.stringContaining('Skontoabzug, Belegdatum unbekannt: „RE-2026-0050“') as string,
		});
	});

	it('of too much has a line that says by how much', async () => {
		const { json } = await find([paid(1119, 'RE-2026-0050')]);
		expect(json[0].finding).toMatchObject({
			en: expect.stringMatching(/Overpayment of .+, open 119\.00 EUR, difference 1,000\.00 EUR\.$/) as string,
			de: expect.stringMatching(/Überzahlung von .+, offen 119,00 EUR, Differenz 1\.000,00 EUR\.$/) as string,
		});
	});

	it.each([
		['early', { earlyDiscount: '3', earlyDiscountDays: 8, discount: '2', discountDays: 14 }],
		['late', { earlyDiscount: '2', earlyDiscountDays: 14, discount: '3', discountDays: 8 }],
	])(
		'in part has the last day of the longer discount, if the shorter is typed as the %s one',
		async (_, options) => {
			const { json } = await find([paid(50, 'RE-2026-0050')], { parameters: { options } });
			expect(json).toMatchObject([{ verdict: 'partial', discountUntil: '2026-11-24' }]);
		},
	);

	it('has the items, and its own amount and day', async () => {
		const { json } = await find([{ amount: '119,00', description: 'RE-2026-0050' }]);
		expect(json).toEqual([
			{
				verdict: 'settles',
				open: 119,
				difference: 0,
				beleg: 'RE-2026-0050',
				kontonummer: '10001',
				bezeichnung: 'Hotel am Markt GmbH',
				amount: 119,
				day: '2026-11-20',
				discountUntil: '2026-11-24',
				finding: expect.any(Object) as object,
				items: [
					{
						kontonummer: '10001',
						bezeichnung: 'Hotel am Markt GmbH',
						beleg: 'RE-2026-0050',
						belegdatum: '2026-11-10',
						saldo: 119,
					},
				],
			},
		]);
	});
});

/** Pieces of numbers as people make them up, and what else may stand in a text. */
const piece = fc.oneof(
	fc.constantFrom('RE', 're', 'Ä', 'AB', 'x', '2026', '0001', '7', '47110', '4711', '11'),
	fc.stringMatching(/^[0-9]{1,6}$/),
	fc.stringMatching(/^[A-Z]{1,3}$/),
);
const oddNumber = fc
	.array(fc.tuple(piece, fc.constantFrom('', '-', '/', ' ', '.', '_', '--')), { minLength: 1, maxLength: 5 })
	.map((pieces) => pieces.map(([run, joint]) => run + joint).join(''))
	.filter((number) => plainNumber(number) !== undefined);

it('An odd invoice number is found in any spelling, and never as a part of another', () => {
	fc.assert(
		fc.property(oddNumber, fc.constantFrom('-', ' ', '/', '. ', ''), (number, joint) => {
			const plain = plainNumber(number)!;
			const runs = plain.split(' ');
			const known = new Set([plain]);
			const numbersIn = (text: string) => [
				...new Set(mentionsIn(text, known).flatMap(({ numbers }) => numbers)),
			];
			// Two groups of digits, or two words, need something between them, or they are one.
			const isAlike = (one: string, other: string) => /^\d/.test(one.at(-1)!) === /^\d/.test(other);
			const spelled = runs.reduce((text, run) => text + (joint || (isAlike(text, run) ? '-' : '')) + run);
			for (const text of [number, spelled, spelled.toUpperCase(), `Rechnung ${spelled}, danke`])
				expect(numbersIn(text), text).toEqual([plain]);
			for (const text of [`${spelled}0`, `${spelled}a1`, `9${spelled}`, `77-${spelled}`, `${spelled}-1`])
				expect(numbersIn(text), text).toEqual([]);
		}),
		{ numRuns: 500 },
	);
});

const MANY = Array.from({ length: 3000 }, (_, i) => i);

it('The open items are read once for all payments of a run', async () => {
	const { json } = await find(MANY.slice(0, 60).map((i) => ({ amount: i + 1, description: 'RE-2026-0051' })));
	expect(json.filter(({ verdict }) => verdict === 'settles')).toHaveLength(1);
	expect(await gateway.requests()).toHaveLength(1);
});

it('3,000 payments are compared with 3,000 items in seconds', () => {
	const posten = MANY.map((i) => item(`RE-2026-${i}`, i + 1));
	const answer = { data: { konten: [account('10001', 'Hotel', ...posten)] } };
	let found: IDataObject[] = [];
	const milliseconds = processorTime(() => {
		found = MANY.flatMap((i) => [
			...findForPayment.records!(
				answer,
				{
					amount: i + 1,
					currency: 'EUR',
					text: `Rechnung RE 2026 ${i}`,
					day: '2026-11-20',
					direction: 'incoming',
				},
				{},
			),
		]);
	});
	expect(
		found.filter(({ verdict, beleg }, i) => verdict === 'settles' && beleg === `RE-2026-${i}`),
	).toHaveLength(3000);
	// A second on a quiet machine.
	expect(milliseconds).toBeLessThan(6000);
});

it.each([
	['50,000 items with one number', 50_000, ''],
	['texts of a megabyte', 1, 'DE12 '.repeat(200_000)],
])('Finding a payment takes no longer with %s', (_, count, text) => {
	const posten = Array.from({ length: count }, () => item('RE-2026-1', 1));
	const answer = { data: { konten: [account('10001', 'Hotel', ...posten)] } };
	const payment = { amount: 1, currency: 'EUR', day: '2026-11-20', direction: 'incoming', text, name: text };
	const milliseconds = processorTime(() => findForPayment.records!(answer, payment, {}));
	expect(milliseconds).toBeLessThan(1000);
});

it('n8n goes on while payments with very long texts are compared', async () => {
	const posten = MANY.map((i) => item(`RE-2026-${i}`, i + 1));
	const description = MANY.map((i) => `RE-2026-${i}`)
		.join(' ')
		.slice(0, 20_000);
	const payments = MANY.slice(0, 25).map((i) => paid(i + 1, description));
	const konten = [account('10001', 'Hotel', ...posten)];
	const { result, blocked } = await watched(async () => await find(payments, { konten }));
	expect(result.json).toHaveLength(25);
	expect(blocked).toBeLessThan(500);
});

it.each([
	['document numbers', (i: number) => account('10001', 'Hotel', item(`${'4'.repeat(17_000)}${i}`, 1))],
	[
		'names that become longer',
		(i: number) => account('10001', `${'\ufdfa'.repeat(999)}${i}`, item('4711', 1)),
	],
])('2,000 items with very long %s are compared in at most half a second', (_, accountOf) => {
	const konten = MANY.slice(0, 2_000).map(accountOf);
	const answer = { data: { konten } };
	const payment = { amount: 1, currency: 'EUR', day: '2026-11-20', direction: 'incoming', text: '4711' };
	const milliseconds = processorTime(() => findForPayment.records!(answer, payment, {}));
	expect(milliseconds).toBeLessThan(500);
});
