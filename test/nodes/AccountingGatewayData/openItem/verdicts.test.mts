/** What "Find for Payment" says about payments as people and banks write them, beside what an accountant says. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { searchList } from '../../../../host/harness.mjs';
import { item, locator, openAccount, openItems, useDataNode } from '../../../support/dataNode.mjs';

const { node, gateway, run, answers } = useDataNode();

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
	a keyword that no list has | 119 | RE-2026-0050TAN1+123456 | settles: …0050
	what stands behind it | 120 | RE-2026-0050TAN1+4711 | overpaid 1: …0050
	a keyword of two letters | 119 | RE-2026-0050IP+RINP | settles: …0050
	keywords with a colon | 119 | SVWZ:RE-2026-0050IBAN:DE89370400440532013000 | settles: …0050
	more letters than a keyword has | 119 | RE-2026-0050ABCDEF+1 | none
	small letters | 119 | RE-2026-0050purp+1 | none
	a label of the payer’s | 300 | KD:77 RE: 4800 | settles: RE-4800
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
	less a credit note of somebody else, if the sum is right | 100 | RE-2026-0050 GS-2026-0007 | settles: …0050, GS-2026-0007
	less a credit note of somebody else, if it isn’t | 90 | RE-2026-0050 GS-2026-0007 | partial -29: …0050
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

/** Customers and suppliers of the thirty payments. */
const BOOKS = [
	account('10001', 'Stadtwerke Lindenau GmbH', ['RE-2026-1020', 3475, '2026-11-02']),
	account('10002', 'Bäckerei Kern KG', ['RE-2026-1002', 119], ['RE-2026-1021', 59.5, '2026-11-12']),
	account('10003', 'Hotel Adler GmbH', ['SINV-001', 100], ['SINV-009', 250]),
	account('10004', 'Nordwind Handels GmbH', ['SINV-RET-001', -50], ['RE-2026-1040', 50]),
	account('10005', 'Praxis Dr. Özdemir', ['RE-2026-1050', 200], ['RE-2026-1051', 300, '2026-11-06']),
	account('10006', 'Kita Sonne e.V.', ['RE-2026-1060', 80]),
	account('10007', 'Fuchs Nord GmbH', ['RE-2026-1070', 400]),
	account('70001', 'Papier Schmidt OHG', ['4711', -238], ['G-120', 38]),
	account('70002', 'Mühle Korntal', ['2026/0815', -107]),
];

/**
 * Judged by hand before they were run, with 2 % in 14 days; in brackets the reckoning. The payer says which debt is paid (§ 366 (1) BGB), and
 * anybody may pay another's (§ 267 BGB), but a wrong number says nothing; claims of different persons aren't set off
 * (§ 387 BGB), so that a credit note of somebody else counts only where the sum shows that it was meant.
 */
const BY_HAND = table(`
	own number, own amount (119 = 119) | 119 | RE-2026-1002 | settles: …1002 | payer: Bäckerei Kern KG
	mistyped, own amount (3475 is the other’s, 119 its own) | 119 | RE-2026-1020 | probable: …1002 | payer: BAECKEREI KERN KG
	mistyped, own total (119 + 59.50) | 178.5 | RE-2026-1020 | probable: …1002, …1021 | payer: Bäckerei Kern KG
	mistyped, nobody’s amount | 60 | RE-2026-1020 | none | payer: Bäckerei Kern KG
	mistyped, too much for the other | 3500 | RE-2026-1020 | none | payer: Bäckerei Kern KG
	mistyped, a number that nobody has | 119 | RE-2026-1202 | probable: …1002 | payer: Bäckerei Kern KG
	known, pays for another (3475 = 3475) | 3475 | RE-2026-1020 | settles: …1020 | payer: Bäckerei Kern KG
	known, another’s less 2 % (3405.50): not its amount | 3405.5 | RE-2026-1020 | none | payer: Bäckerei Kern KG
	unknown payer, in part (1000 - 3475) | 1000 | RE-2026-1020 | partial -2475: …1020 | payer: Karl Kern
	unknown payer, in full | 3475 | RE-2026-1020 | settles: …1020 | payer: Karl Kern
	own number beside another’s (119 = 119) | 119 | RE-2026-1002 RE-2026-1020 | settles: …1002 | payer: Bäckerei Kern KG
	invoice of one, credit note of another (100 - 50) | 50 | SINV-001 SINV-RET-001 | settles: SINV-001, SINV-RET-001
	the same, by the one (100 - 50) | 50 | SINV-001 ./. SINV-RET-001 | settles: SINV-001, SINV-RET-001 | payer: Hotel Adler GmbH
	the same, by the other (100 - 50) | 50 | SINV-001 SINV-RET-001 | settles: SINV-001, SINV-RET-001 | payer: Nordwind Handels GmbH
	the same, another amount (60 - 100) | 60 | SINV-001 SINV-RET-001 | partial -40: SINV-001
	two invoices of one (119 + 59.50) | 178.5 | Rechnung RE-2026-1002 u. RE-2026-1021 | settles: …1002, …1021
	glued to a TAN | 119 | RE-2026-1002TAN1+123456 | settles: …1002
	glued to a purpose | 59.5 | RE-2026-1021PURP+RINP | settles: …1021
	glued to an IBAN, with colons | 80 | SVWZ:RE-2026-1060IBAN:DE89370400440532013000 | settles: …1060
	2 % on the last day (200 × 0.98; 10 + 14 = 24) | 196 | RE-2026-1050 | settlesWithDiscount -4: …1050 | 24.11.
	2 % a day later | 196 | RE-2026-1050 | discountTooLate -4: …1050 | 25.11.
	2 % on both, in time (500 × 0.98; 6 + 14 = 20) | 490 | RE-2026-1050, 1051 | settlesWithDiscount -10: …1050, …1051
	2 % on both, one too late | 490 | RE-2026-1050, 1051 | discountTooLate -10: …1050, …1051 | 23.11.
	2 % on the one that is in time (196 + 300) | 496 | RE-2026-1050, 1051 | settlesWithDiscount -4: …1050, …1051 | 23.11.
	in part (150 - 200) | 150 | RE-2026-1050 | partial -50: …1050
	too much (210 - 200) | 210 | RE-2026-1050 | overpaid 10: …1050
	the end of a number (80 = 80) | 80 | Rechnung 1060 | probable: …1060
	a name alone (400 = 400) | 400 |  | probable: …1070 | payer: FUCHS NORD GMBH
	an amount alone | 400 | Danke | none
	a supplier less a credit note (238 - 38) | -200 | 4711 abzgl. G-120 | settles: 4711, G-120
	a supplier less 2 % (238 × 0.98) | -233.24 | 4711 | settlesWithDiscount -4.76: 4711 | payee: Papier Schmidt OHG
	a supplier, mistyped, own amount (107 = 107) | -107 | Rg. 4711 | probable: 2026/0815 | payee: MUEHLE KORNTAL
	an invoice that goes out again | -119 | RE-2026-1002 | none
	another currency | 400 | RE-2026-1070 | none | currency_code: USD
`);

/** Another office's customers and suppliers. */
const OTHER_BOOKS = [
	account(
		'10001',
		'Möbel Krüger GmbH',
		['RE-2026-2001', 1190, '2026-11-01'],
		['RE-2026-2002', 595],
		['GS-2026-2003', -119],
	),
	account('10002', 'Krüger & Söhne OHG', ['RE-2026-2010', 300]),
	account('10003', 'Verein Alte Mühle e.V.', ['2026-77', 45.5], ['2026-78', 45.5]),
	account('10004', 'Café Größenwahn', ['A-500', 99.99], ['A-501', 100.01]),
	account('70001', 'Druck Schulz', ['90017', -357], ['90018', -119]),
	account('70002', 'Strom AG', ['0815/4711', -88]),
];

/** Judged by hand before they were run, as well. November 15, 2026, is a Sunday. */
const OTHERS_BY_HAND = table(`
	a name with other umlauts, own amount (595) | 595 |  | probable: …2002 | payer: MOEBEL KRUEGER GMBH
	all less the credit note (1190 + 595 - 119) | 1666 | RE-2026-2001, 2002 ./. GS-2026-2003 | settles: …2001, …2002, GS-2026-2003
	the same, the credit note isn’t named (1666 - 1785) | 1666 | RE-2026-2001 RE-2026-2002 | partial -119: …2001, …2002
	a name and the whole total | 1666 | Sammelzahlung | probable: …2001, …2002, GS-2026-2003 | payer: Möbel Krüger GmbH
	one of two equal ones, by its number | 45.5 | Beitrag 2026-77 | settles: 2026-77
	one of two equal ones, by the name: which, nobody knows | 45.5 | Beitrag | none | payer: Verein Alte Mühle e.V.
	both equal ones, by the name (45.50 + 45.50) | 91 | Beiträge | probable: 2026-77, 2026-78 | payer: Verein Alte Mühle e.V.
	two with cents (99.99 + 100.01) | 200 | A-500 und A-501 | settles: A-500, A-501
	2 % of 99.99 (97.9902) | 97.99 | A-500 | settlesWithDiscount -2: A-500
	a cent too much | 595.01 | RE-2026-2002 | settles 0.01: …2002
	a refund that comes from a supplier’s invoice | 119 | 90018 | none | payer: Druck Schulz
	2 % on both of a supplier ((357 + 119) × 0.98) | -466.48 | 90017 90018 | settlesWithDiscount -9.52: 90017, 90018 | payee: Druck Schulz
	a number with a slash | -88 | Rg. 0815/4711 | settles: 0815/4711
	a number with a space for the slash | -88 | Rg. 0815 4711 | settles: 0815/4711
	from, to (1190 + 595) | 1785 | RE-2026-2001 bis 2002 | settles: …2001, …2002
	2 % on the Monday after a Sunday (1190 × 0.98) | 1166.2 | RE-2026-2001 | settlesWithDiscount -23.8: …2001 | 16.11.
	2 % on the Tuesday after it | 1166.2 | RE-2026-2001 | discountTooLate -23.8: …2001 | 17.11.
	2 % of an invoice less its credit note (1071 × 0.98) | 1049.58 | RE-2026-2001 abzgl. GS-2026-2003 | settlesWithDiscount -21.42: …2001, GS-2026-2003 | 16.11.
	mistyped, own amount (300) | 300 | RE-2026-2002 | probable: …2010 | payer: KRUEGER & SOEHNE OHG
	a part of a name | 300 |  | none | payer: Krüger
	a customer number beside it | 595 | Kundennr. 10001, RE-2026-2002 | settles: …2002
	its amount and day beside it | 595 | 595,00 EUR RE-2026-2002 v. 10.11.2026 | settles: …2002
	the end of a number that may be a year as well | 300 | RG 2010 | none
	a number that nobody has beside it (700 - 595) | 700 | RE-2026-2002 RE-2026-9999 | overpaid 105: …2002
	the number twice | 595 | RE-2026-2002 Rechnung RE-2026-2002 | settles: …2002
	a number that the bank’s line cut: whole numbers only | 595 | Rechnung RE-2026-20 02 | none
	the number of one, by another’s hand, more than all (2000 - 1190) | 2000 | RE-2026-2001 | overpaid 810: …2001
	an amount alone, of a supplier | -88 | Lastschrift | none
	two owners, the sum of both (595 + 300) | 895 | RE-2026-2002 RE-2026-2010 | settles: …2002, …2010
	two owners, not their sum (800 - 895) | 800 | RE-2026-2002 RE-2026-2010 | none
`);

/** Customers with the same fee, and names as banks write them. */
const FEES = [
	account('10001', 'Anna Alt', ['RE-2026-0301', 119]),
	account('10002', 'Bernd Blau', ['RE-2026-0310', 119], ['RE-2026-0311', 357], ['RE-2026-0312', 50]),
	account('10003', 'Cora Cyan', ['RE-2026-0320', 60], ['RE-2026-0321', 59]),
	account('10004', 'Doro Drei', ['RE-2026-0330', 50], ['RE-2026-0331', 50], ['RE-2026-0332', 50]),
	account('10005', 'Stadtwerke Lindenau GmbH', ['RE-2026-1019', 144]),
	account('10006', 'Hotel am Markt GmbH', ['RE-2026-1020', 3500]),
	account('10007', 'Müller, Hans', ['RE-2026-0340', 80]),
	account('10008', 'Müller', ['4711', 120]),
];

/**
 * Judged by hand, as well: who owes the very amount himself and writes another's number has mistyped (the payer says which debt is paid,
 * § 366 (1) BGB, and here his words and his debt disagree: a person decides).
 */
const FEES_BY_HAND = table(`
	another’s number, the same fee | 119 | RE-2026-0310 | probable: RE-2026-0301 | payer: Anna Alt
	another’s number, his whole total (60 + 59) | 119 | RE-2026-0310 | probable: RE-2026-0320, RE-2026-0321 | payer: Cora Cyan
	another’s number, three of his own with this amount | 50 | RE-2026-0312 | none | payer: Doro Drei
	another’s number and amount, which he doesn’t owe | 357 | RE-2026-0311 | settles: RE-2026-0311 | payer: Anna Alt
	nobody’s name | 119 | RE-2026-0310 | settles: RE-2026-0310 | payer: Berta Blau
	his own amount and another’s number, without the legal form | 144 | RE-2026-1020 | none | payer: Stadtwerke Lindenau
	the same, with a name that the bank has cut | 144 | RE-2026-1020 | none | payer: STADTWERKE LINDENAU GMB
	the same, with the first name in front | 40 | RE-2026-1020 | none | payer: Hans Müller
	his own number, without the legal form | 100 | RE-2026-1019 | partial -44: RE-2026-1019 | payer: Stadtwerke Lindenau
	one of several with a part of his name, in part | 70 | RE-2026-0340 | partial -10: RE-2026-0340 | payer: Dr. Hans Müller
	a name that is a part of many, in part | 100 | RE-2026-1020 | partial -3400: RE-2026-1020 | payer: Gerda Müller
	a keyword of the bank behind a space | 119 | RE-2026-0310 TAN1+4711 | settles: RE-2026-0310
	a keyword of the bank behind a space, another amount | 120 | RE-2026-0310 TAN1+4711 | overpaid 1: RE-2026-0310
	two that begin as a keyword | 119 | RE-2026-0320, R1+RE-2026-0321 | settles: RE-2026-0320, RE-2026-0321
	the last digits behind a slash (60 + 59) | 119 | RE-2026-0320/0321 | settles: RE-2026-0320, RE-2026-0321
	digits behind a slash that are nobody’s | 60 | RE-2026-0320/0999 | none
`);

/**
 * § 193 BGB: a period that ends on a Saturday, Sunday or holiday ends on the next workday. Discount: what is agreed; each invoice
 * has its own period, from its document date.
 */
it.each<[string, ReturnType<typeof table>, INodeParameters, object[]?]>([
	['2 % in 14 days', DISCOUNT_OF_TWO, { discount: '2', discountDays: 14 }],
	['the same fee', FEES_BY_HAND, {}, FEES],
	['others by hand', OTHERS_BY_HAND, { discount: '2', discountDays: 14 }, OTHER_BOOKS],
	['by hand', BY_HAND, { discount: '2', discountDays: 14 }, BOOKS],
	[
		'3 % in 8, 2 % in 14 days',
		TWO_RATES,
		{ discount: '2', discountDays: 14, earlyDiscount: '3,0', earlyDiscountDays: 8 },
	],
	['2 % in 14 days, and three of grace', GRACE, { discount: '2', discountDays: 14, graceDays: 3 }],
	['no discount', NO_DISCOUNT, {}],
])('Verdicts about payments are an accountant’s: %s', async (_, rows, options, konten = KONTEN) => {
	await answers(openItems(konten), { operationId: 'getOpenItems' });
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

/** A payment term of the books: days and percent of its discounts. */
const term = (id: string, [days, percent]: number[], [more, other]: number[] = [0, 0], own: object = {}) => ({
	id,
	bezeichnung: `Bedingung ${id}`,
	skontoFrist1: days,
	skontoSatz1: percent,
	skontoFrist2: more,
	skontoSatz2: other,
	nettoFrist: 30,
	faelligkeitsart: 'NACH_TAGE',
	perioden: [],
	...own,
});

describe('A payment term of the books', () => {
	const find = async (payments: object[], terms: object[], given: INodeParameters = {}) => {
		await answers(openItems(KONTEN), { operationId: 'getOpenItems' });
		await answers({ data: terms }, { operationId: 'listPaymentTerms' });
		const parameters = {
			operation: 'findForPayment',
			additionalFields: { paymentTerm: locator('40') },
			...given,
		};
		const items = payments.map((json) => ({ json: { made_on: '2026-11-20', ...json } }));
		const { json, error } = await run('openItem', parameters, { items });
		const rows = json as Array<Record<string, string | number>>;
		return { said: rows.map(({ verdict, difference }) => `${verdict} ${difference}`), error };
	};

	it.each<[string, object, string[]]>([
		// 119.00 of 10 November, paid on the 20th with 2 % and 3 % less, and on the 25th with 2 % less.
		[
			'2 % in 10 days',
			term('40', [10, 2]),
			['settlesWithDiscount -2.38', 'partial -3.57', 'discountTooLate -2.38'],
		],
		[
			'3 % in 8, 2 % in 15 days, in any order',
			term('40', [15, 2], [8, 3]),
			['settlesWithDiscount -2.38', 'discountTooLate -3.57', 'settlesWithDiscount -2.38'],
		],
		['nothing off', term('40', [0, 0]), ['partial -2.38', 'partial -3.57', 'partial -2.38']],
		[
			'the same days in each part of the month',
			term('40', [10, 2], [0, 0], {
				perioden: [{ rechnungsbereich: '01-31', skontoFrist1: '10', skontoFrist2: null }],
			}),
			['settlesWithDiscount -2.38', 'partial -3.57', 'discountTooLate -2.38'],
		],
	])('says the discounts: %s', async (_, one, said) => {
		const paid = [{ amount: 116.62 }, { amount: 115.43 }, { amount: 116.62, made_on: '2026-11-25' }];
		const found = await find(
			paid.map((payment) => ({ ...payment, description: 'RE-2026-0050' })),
			[term('41', [1, 1]), one],
		);
		expect(found).toEqual({ said, error: undefined });
		const asked = (await gateway.requests()).filter(({ path }) => path.endsWith('/zahlungsbedingungen'));
		expect(asked.map(({ query }) => (query as IDataObject).geschaeftsjahrStartDatum)).toEqual(['2026-01-01']);
	});

	it.each<[string, object, string]>([
		[
			'counts otherwise',
			term('40', [10, 2], [0, 0], { faelligkeitsart: 'ZUM_DATUM' }),
			'faelligkeitsart "ZUM_DATUM"',
		],
		[
			'has other days in some parts of the month',
			term('40', [10, 2], [0, 0], { perioden: [{ rechnungsbereich: '16-31', skontoFrist1: '20' }] }),
			'other days for some parts of the month',
		],
		['has no days', term('40', [10, 2], [0, 0], { skontoFrist1: null }), 'has a discount without days'],
		['is missing', term('42', [10, 2]), 'has no payment term "40"'],
	])('isn’t guessed where it %s', async (_, one, problem) => {
		const { error } = await find([{ amount: 116.62, description: 'RE-2026-0050' }], [one]);
		expect(error?.message).toContain(problem);
	});

	it('is chosen from the list of the newest fiscal year that has begun', async () => {
		const parameters = { connectionId: locator(gateway.connectionId('rewe-read')) };
		const list = { node, credential: gateway.credential, method: 'searchPaymentTerms', parameters };
		const { results } = await searchList(list);
		expect(results).toContainEqual({ name: '10 Tage 2 %, 30 Tage netto', value: '40' });
	});

	it.each<[string, INodeParameters, string]>([
		['Company', { companyId: locator('29098-10001') }, "the connection's default company only"],
		['a typed discount', { options: { discount: 2 } }, 'no effect beside Payment Term'],
	])('is refused beside %s', async (_, given, rule) => {
		const { error } = await find([{ amount: 1, description: '' }], [], given);
		expect(error?.message).toContain(rule);
	});
});

it.each([
	['discountDays', { discountDays: 14 }],
	['earlyDiscountDays', { discount: 2, earlyDiscountDays: 8 }],
	['graceDays', { graceDays: 2 }],
])('%s without what they belong to are refused: they would change nothing', async (name, options) => {
	const { error } = await run(
		'openItem',
		{ operation: 'findForPayment', options },
		{
			items: [{ json: { made_on: '2026-11-20', amount: 1 } }],
		},
	);
	expect(error?.message).toContain(`(${name})`);
	expect(error?.message).toContain('has no effect without');
});
