/** What "Find for Payment" says about payments as people and banks write them, beside what an accountant says. */
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { item, openAccount, openItems, useDataNode } from '../../../support/dataNode.mjs';

const { run, answers } = useDataNode();

const account = (kontonummer: string, name: string, ...items: Array<[string, number, string?]>) =>
	openAccount(kontonummer, name, ...items.map((one) => item(...one)));

const KONTEN = [
	account('10001', 'Hotel am Markt GmbH', ['RE-2026-0050', 119], ['RE-2026-0051', 50], ['RE-2026-0052', 30]),
	account('10002', 'Café Lindenhof OHG', ['RE-2026-0060', 238], ['GS-2026-0007', -19]),
	account('10003', 'Kita Sonne e.V.', ['4711', 120], ['4712', 80], ['0532', 60], ['3000', 55]),
	account('10004', 'Bäckerei Kern', ['RE-4800', 300], ['RE-4801', 200]),
	account('10005', 'Dr. Ümit Öz', ['250', 99], ['2026', 88], ['10003', 77]),
	account('10006', 'Autohaus Nord & Co. KG', ['A 119/26', 59.5], ['A 120/26', 119]),
	account(
		'10007',
		'Brauhaus am Tor',
		['RE-2026-0070', 119],
		['RE-2026-0071', 238, '2026-11-20'],
		['GS-2026-0009', -19, '2026-11-20'],
	),
	account('10008', 'Fuchs Nord GmbH', ['RE-900', 100]),
	account('10009', 'Fuchs Süd GmbH', ['RE-901', 150]),
	// 14 days from Saturday, 7 November, end on a Saturday; 8 days from 12 November on a Friday.
	account(
		'10010',
		'Elektro Funk GmbH',
		['RE-2026-0080', 1000, '2026-11-07'],
		['RE-2026-0081', 500, '2026-11-12'],
	),
	account('10011', 'Karla Kolumna', ['RE-2026-0090', 33.33], ['RE-2026-0091', 66.67]),
	account('10012', 'Zwei Brüder GmbH', ['RE-2026-0095', 400], ['GS-2026-0095', -50]),
	account(
		'10013',
		'Vier Jahreszeiten GmbH',
		['RE-2026-0100', 119],
		['RE-2026-0101', 50],
		['RE-2026-0102', 200],
		['RE-2026-0103', 80],
	),
	account('70001', 'Mühle Weiß GmbH', ['88123', -107], ['88124', -214], ['G-900', 21.4]),
	account('70002', 'Druckerei Blatt', ['88123', -59.5], ['R 77', -11.9]),
];

/**
 * What a payment is, its amount, its text, what is said of it, and what the bank has besides: the day, unless it is November 20, and
 * names. `…0050` is RE-2026-0050.
 */
const table = (text: string) =>
	text
		.split('\n')
		.filter((line) => /^\t[^#]/.test(line))
		.map((line) => {
			const [what, amount, description, said, more = ''] = line.slice(1).split(' | ');
			const [, day, month] = /^(\d\d)\.(\d\d)\.$/.exec(more) ?? ['', '20', '11'];
			const [field, name] = more.split(': ');
			const payment = { made_on: `2026-${month}-${day}`, amount: Number(amount), description };
			return {
				what,
				said: said.replaceAll('…', 'RE-2026-'),
				payment: { ...payment, ...(name && { [field]: name }) },
			};
		});

const DISCOUNT_OF_TWO = table(`
	# The number, in all spellings.
	in full | 119 | RE-2026-0050 | settles: …0050
	small letters without hyphens | 119 | rechnung re20260050 | settles: …0050
	spaces | 119 | Rg. RE 2026 0050 vom 10.11.2026 | settles: …0050
	a slash | 119 | RE/2026/0050 | settles: …0050
	another number | 119 | RE-2026-00500 | none
	a longer number | 119 | RE-2026-0050-2 | none
	a number with a letter behind it | 119 | RE-2026-0050a | none
	the amount alone | 119 | Danke | none
	the right number, in part | 100 | RE-2026-0050 | partial -19: …0050
	the right number, a cent too little | 118.99 | RE-2026-0050 | settles -0.01: …0050
	two cents too little | 118.98 | RE-2026-0050 | partial -0.02: …0050
	too much | 150 | RE-2026-0050 | overpaid 31: …0050
	# Glued to what a bank adds.
	keywords of SEPA | 119 | EREF+NOTPROVIDEDMREF+M1CRED+DE98ZZZ09999999999SVWZ+RE-2026-0050ABWA+X | settles: …0050
	the number as end-to-end reference | 119 | EREF+RE-2026-0050KREF+77 | settles: …0050
	a mandate like a number | 119 | SVWZ+DankeMREF+RE-2026-0050 | none
	behind other words | 119 | SVWZ+Rechnung RE-2026-0050BIC+GENODEF1ABC | settles: …0050
	# Several.
	two numbers | 169 | RE-2026-0050, RE-2026-0051 | settles: …0050, …0051
	the second without its prefix | 169 | RE-2026-0050, 0051 | settles: …0050, …0051
	the second behind “und” | 169 | RE-2026-0050 und 0051 | settles: …0050, …0051
	with plus | 169 | RE-2026-0050+0051 | settles: …0050, …0051
	with a slash and the whole number | 169 | RE-2026-0050/RE-2026-0051 | settles: …0050, …0051
	from, to | 199 | RE-2026-0050 bis 0052 | settles: …0050, …0051, …0052
	from, to, both whole | 199 | RE-2026-0050 bis RE-2026-0052 | settles: …0050, …0051, …0052
	from, to, by a dash | 199 | RE-2026-0050 - 0052 | settles: …0050, …0051, …0052
	the ends of “from, to” alone | 149 | RE-2026-0050 bis 0052 | settles: …0050, …0052
	a part of “from, to” | 150 | RE-2026-0050 bis 0052 | partial -49: …0050, …0051, …0052
	4800 and 4801 | 500 | RE-4800, 4801 | settles: RE-4800, RE-4801
	4800 and 4801, in part | 400 | RE-4800, 4801 | partial -100: RE-4800, RE-4801
	4800 alone, whatever follows | 300 | RE-4800, 4801 | settles: RE-4800
	digits with a slash between them | 200 | 4711/4712 | settles: 4711, 4712
	a number with a part of its own | 120 | 4711/2 | none
	digits with a comma between them | 200 | 4711,4712 | settles: 4711, 4712
	a number twice | 120 | 4711 Rechnung 4711 | settles: 4711
	numbers with a slash of their own | 178.5 | A 119/26, A 120/26 | settles: A 119/26, A 120/26
	# What isn't an invoice's number.
	its own amount beside the number | 120 | Rechnung 4711 ueber 120 EUR | settles: 4711
	its own amount, another customer’s number | 250 | Rechnung 4711 ueber 250 EUR | overpaid 130: 4711
	a part, with its amount | 100 | Rechnung 4711, Teilzahlung 100 EUR | partial -20: 4711
	a month and its year | 120 | Rechnung 4711 November 2026 | settles: 4711
	a part, with a year | 60 | Rechnung 4711 November 2026 | partial -60: 4711
	a customer’s number | 300 | Kd-Nr. 10003 RE-4800 | settles: RE-4800
	a customer’s number, in part | 250 | Kd-Nr. 10003 RE-4800 | partial -50: RE-4800
	an invoice whose number is a year | 88 | Rechnung 2026 | settles: 2026
	an invoice whose number is a customer’s | 77 | 10003 | settles: 10003
	an amount with decimals | 250 | Zahlung 250,00 | none
	digits of an IBAN | 60 | von DE89 3704 0044 0532 0130 00 | none
	the last digits of an IBAN | 55 | von DE89 3704 0044 0532 0130 00 | none
	a day | 120 | Zahlung vom 20.11.2026 | none
	# Of whom.
	two customers, by neither’s sum | 250 | RE-2026-0050 RE-4800 | none
	two customers, by the sum of both | 419 | RE-2026-0050 RE-4800 | settles: …0050, RE-4800
	two customers, by one’s sum | 300 | RE-2026-0050 RE-4800 | settles: RE-4800
	two customers, by one’s name | 250 | RE-2026-0050 RE-4800 | partial -50: RE-4800 | payer: BÄCKEREI KERN
	sisters, in one payment | 250 | RE-900 + RE-901 | settles: RE-900, RE-901 | payer: Fuchs Nord GmbH
	sisters, less the discount | 245 | RE-900 RE-901 | settlesWithDiscount -5: RE-900, RE-901
	sisters, in part | 200 | RE-900 RE-901 | none
	somebody else’s invoice, by its number | 119 | RE-2026-0050 | settles: …0050 | payer: Erika Mustermann
	# Credit notes.
	less a credit note | 219 | RE-2026-0060 abzgl. GS-2026-0007 | settles: …0060, GS-2026-0007
	less a credit note and the discount | 214.62 | RE-2026-0060 ./. GS-2026-0007 | settlesWithDiscount -4.38: …0060, GS-2026-0007
	less a credit note of somebody else | 100 | RE-2026-0050 GS-2026-0007 | partial -19: …0050
	a credit note that is paid out | -19 | GS-2026-0007 | settles: GS-2026-0007
	an invoice that is paid back | -119 | RE-2026-0050 | none
	# The discount: 2 % in 14 days, each item by its own day.
	the discount | 116.62 | RE-2026-0050 | settlesWithDiscount -2.38: …0050
	the discount on its last day | 116.62 | RE-2026-0050 | settlesWithDiscount -2.38: …0050 | 24.11.
	the discount a day later | 116.62 | RE-2026-0050 | discountTooLate -2.38: …0050 | 25.11.
	# 3.38 is the discount of the first two by chance; with more than three invoices, that says nothing.
	an odd shortage on four | 445.62 | RE-2026-0100 bis 0103 | partial -3.38: …0100, …0101, …0102, …0103
	the discount on four | 440.02 | RE-2026-0100 bis 0103 | settlesWithDiscount -8.98: …0100, …0101, …0102, …0103
	three percent | 115.43 | RE-2026-0050 | partial -3.57: …0050
	the discount on two, rounded each | 165.62 | RE-2026-0050 RE-2026-0051 | settlesWithDiscount -3.38: …0050, …0051
	both with the discount | 349.86 | RE-2026-0070, 0071 | settlesWithDiscount -7.14: …0070, …0071 | 22.11.
	the first with the discount | 354.62 | RE-2026-0070, 0071 | settlesWithDiscount -2.38: …0070, …0071 | 22.11.
	the first too late, the second in time | 352.24 | RE-2026-0070, 0071 | settlesWithDiscount -4.76: …0070, …0071 | 26.11.
	both, of which the first is too late | 349.86 | RE-2026-0070, 0071 | discountTooLate -7.14: …0070, …0071 | 26.11.
	less its discount and a credit note | 214.24 | RE-2026-0071 abzgl. GS-2026-0009 | settlesWithDiscount -4.76: …0071, GS-2026-0009 | 26.11.
	a last day on Saturday, on the Monday after it | 980 | RE-2026-0080 | settlesWithDiscount -20: …0080 | 23.11.
	a last day on Saturday, on the Tuesday after it | 980 | RE-2026-0080 | discountTooLate -20: …0080 | 24.11.
	more than the discount | 900 | RE-2026-0080 | partial -100: …0080
	the discount to a supplier | -104.86 | 88123 | settlesWithDiscount -2.14: 88123 | payee: Mühle Weiß GmbH
	# Suppliers.
	a supplier | -214 | Rechnung 88124 | settles: 88124
	suppliers with one number, by the amount | -59.5 | 88123 | settles: 88123
	suppliers with one number, by the name | -100 | 88123 | partial -7: 88123 | payee: MUEHLE WEISS GMBH
	suppliers with one number, by neither | -80 | 88123 | none
	suppliers with one number, by the sum with another | -321 | 88123, 88124 | settles: 88123, 88124
	a supplier, less a credit note | -192.6 | 88124 abzgl. G-900 | settles: 88124, G-900
	a supplier’s credit note that comes back | 21.4 | Gutschrift G-900 | settles: G-900
	a short number | -11.9 | R 77 | none
	# Probable.
	digits without the prefix | 119 | Rechnung 0050 | probable: …0050
	year and digits without the prefix | 119 | Rechnung 2026-0050 | probable: …0050
	digits without the prefix, another amount | 118 | Rechnung 0050 | none
	digits from, to | 199 | 0050 bis 0052 | probable: …0050, …0051, …0052
	digits, two of them | 169 | 0050 0051 | probable: …0050, …0051
	digits of one, the amount of another | 50 | 0050 | none
	a name and the amount of one item | 119 |  | probable: …0050 | payer: HOTEL AM MARKT GMBH
	a name and the whole total | 199 | Danke | probable: …0050, …0051, …0052 | payer: Hotel am Markt GmbH
	a name and the total less a credit note | 350 |  | probable: …0095, GS-2026-0095 | payer: Zwei Brueder GmbH
	a name and a total without its cents | 100 |  | probable: …0090, …0091 | payer: Karla Kolumna
	a name and no such amount | 120 |  | none | payer: Hotel am Markt GmbH
	a similar name | 199 |  | none | payer: Hotel am Markt
	a supplier’s name and total | -299.6 |  | probable: 88123, 88124, G-900 | payee: Mühle Weiß GmbH
	# Other currencies.
	dollars | 119 | RE-2026-0050 | none | currency_code: USD
`);

const TWO_RATES = table(`
	three percent on the eighth day | 485 | RE-2026-0081 | settlesWithDiscount -15: …0081 | 20.11.
	three percent on the ninth | 485 | RE-2026-0081 | discountTooLate -15: …0081 | 21.11.
	two percent on the ninth | 490 | RE-2026-0081 | settlesWithDiscount -10: …0081 | 21.11.
	two percent on the fourth | 490 | RE-2026-0081 | settlesWithDiscount -10: …0081 | 16.11.
	each by its own rate | 1465 | RE-2026-0080, 0081 | settlesWithDiscount -35: …0080, …0081 | 20.11.
	two percent on the fifteenth | 490 | RE-2026-0081 | discountTooLate -10: …0081 | 27.11.
`);

const GRACE = table(`
	on the third day of grace | 116.62 | RE-2026-0050 | settlesWithDiscount -2.38: …0050 | 27.11.
	a day later | 116.62 | RE-2026-0050 | discountTooLate -2.38: …0050 | 28.11.
	behind a Monday | 980 | RE-2026-0080 | settlesWithDiscount -20: …0080 | 26.11.
`);

const NO_DISCOUNT = table('\tno discount | 116.62 | RE-2026-0050 | partial -2.38: …0050');

/**
 * § 193 BGB: a period that ends on a Saturday, Sunday or holiday ends on the next workday. Discount: what is agreed; each invoice
 * has its own period, from its document date.
 */
it.each<[string, ReturnType<typeof table>, INodeParameters]>([
	['2 % in 14 days', DISCOUNT_OF_TWO, { discount: '2', discountDays: 14 }],
	[
		'3 % in 8, 2 % in 14 days',
		TWO_RATES,
		{ discount: '2', discountDays: 14, earlyDiscount: '3,0', earlyDiscountDays: 8 },
	],
	['2 % in 14 days, and three of grace', GRACE, { discount: '2', discountDays: 14, graceDays: 3 }],
	['no discount', NO_DISCOUNT, {}],
])('Verdicts about payments are an accountant’s: %s', async (_, rows, options) => {
	await answers(openItems(KONTEN), { operationId: 'getOpenItems' });
	const items = rows.map(({ payment }) => ({ json: payment }));
	const { json, error } = await run('openItem', { operation: 'findForPayment', options }, { items });
	expect(error).toBeUndefined();
	const said = (json as Array<Record<string, string | number>>).map(({ verdict, difference, beleg }) =>
		verdict === 'none' ? 'none' : `${verdict}${difference === 0 ? '' : ` ${difference}`}: ${beleg}`,
	);
	expect(said.map((one, i) => `${rows[i].what}: ${one}`)).toEqual(
		rows.map((row) => `${row.what}: ${row.said}`),
	);
});
