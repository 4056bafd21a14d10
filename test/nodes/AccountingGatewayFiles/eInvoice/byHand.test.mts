/**
 * E-invoices that were judged by hand first, as an accountant would: what she would be told, and nothing else. The reckoning or the
 * paragraph stands beside each. Rules: EN 16931-1 and Factur-X 1.07 EXTENDED (BR-FXEXT-…); UStG and UStDV as of 2026.
 */
import { expect, it } from 'vitest';

import { readInvoice } from '../../../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { ciiOf, paymentTerms } from '../../../support/eInvoices.mjs';

const AUSTRIAN = { vatId: 'ATU12345678', country: 'AT' };
const FRENCH = { vatId: 'FR12345678901', country: 'FR' };
const untaxed = (category: string, reason: string) => ({
	lines: [['100.00', category, '0']] as const,
	taxes: [['100.00', category, '0', '0.00', reason]] as const,
	totals: ['100.00', '0.00', '100.00', '0.00', '100.00', '0.00', '100.00'] as const,
});
const at = (rate: string, tax: string, gross: string) => ({
	lines: [['100.00', 'S', rate]] as const,
	taxes: [['100.00', 'S', rate, tax]] as const,
	totals: ['100.00', '0.00', '100.00', tax, gross, '0.00', gross] as const,
});
const DEBIT =
	'<ram:TypeCode>59</ram:TypeCode><ram:PayerPartyDebtorFinancialAccount><ram:IBANID>DE02500105170137075030</ram:IBANID></ram:PayerPartyDebtorFinancialAccount>';
const MANDATE = paymentTerms('2026-12-04').replace(
	'</ram:Spec',
	'<ram:DirectDebitMandateID>M-77</ram:DirectDebitMandateID></ram:Spec',
);

it.each<[what: string, said: unknown, warnings: string[]]>([
	// 100.00 × 19 % = 19.00.
	['100.00 with 19 %', {}, []],
	// 19 %: 100.00 + 10.00 = 110.00, tax 20.90. 7 %: 50.00, tax 3.50. Net 160.00, tax 24.40, gross 184.40.
	[
		'two rates, with a charge for packing at one of them',
		{
			lines: [
				['100.00', 'S', '19'],
				['50.00', 'S', '7'],
			],
			charges: [['10.00', 'S', '19']],
			taxes: [
				['110.00', 'S', '19', '20.90'],
				['50.00', 'S', '7', '3.50'],
			],
			totals: ['150.00', '10.00', '160.00', '24.40', '184.40', '0.00', '184.40'],
		},
		[],
	],
	// 3 × 10.3333 = 30.9999, which BR-CO-10 rounds to 31.00; 19 % = 5.89.
	[
		'lines with four decimals',
		{
			lines: [
				['10.3333', 'S', '19'],
				['10.3333', 'S', '19'],
				['10.3333', 'S', '19'],
			],
			taxes: [['31.00', 'S', '19', '5.89']],
			totals: ['31.00', '0.00', '31.00', '5.89', '36.89', '0.00', '36.89'],
		},
		[],
	],
	// 0.33 × 19 % = 0.0627, rounded 0.06, three times 0.18; 0.99 × 19 % = 0.1881, rounded 0.19: a cent for three lines.
	[
		'tax that was rounded line by line',
		{
			lines: [
				['0.33', 'S', '19'],
				['0.33', 'S', '19'],
				['0.33', 'S', '19'],
			],
			taxes: [['0.99', 'S', '19', '0.18']],
			totals: ['0.99', '0.00', '0.99', '0.18', '1.17', '0.00', '1.17'],
		},
		[],
	],
	// 19.50 instead of 19.00: EN 16931 lets it pass (below 1.00), § 15 (1) no. 1 UStG doesn't: 0.50 is shown wrongly (§ 14c (1) UStG).
	[
		'tax of 19.50 on 100.00',
		at('19', '19.50', '119.50'),
		[
			'19 % von 100,00 EUR sind 19,00 EUR, angegeben sind 19,50 EUR (§ 14c Abs. 1, § 15 Abs. 1 Nr. 1 UStG). Davon sind 0,50 EUR nicht als Vorsteuer abziehbar.',
		],
	],
	// 18.50 instead of 19.00: only what is shown can be deducted (§ 14 (4) no. 8, § 15 (1) no. 1 UStG).
	[
		'tax of 18.50 on 100.00',
		at('19', '18.50', '118.50'),
		['19,00 EUR, angegeben sind 18,50 EUR (§ 14 Abs. 4 Nr. 8 UStG)'],
	],
	// 100.00 + 19.00 = 119.00, not 120.00 (BR-CO-15).
	[
		'a total of 120.00 for 100.00 and 19.00',
		{ totals: ['100.00', '0.00', '100.00', '19.00', '120.00', '0.00', '120.00'] },
		[
			'netto zuzüglich Steuer ergibt 119,00 EUR, angegeben ist der Gesamtbetrag brutto mit 120,00 EUR (BR-CO-15)',
		],
	],
	// § 12 UStG: 19 and 7 % in 2026.
	['16 % in 2026', at('16', '16.00', '116.00'), ['nicht: 16 % (§ 12, § 24 UStG)']],
	// § 28 (1) UStG: 16 % from July to December 2020.
	[
		'16 % in August 2020',
		{ ...at('16', '16.00', '116.00'), issued: '2020-08-20', delivered: '2020-08-19', terms: '' },
		[],
	],
	// § 24 (1) no. 3 UStG: 7.8 % since January 1, 2025.
	['7.8 % of a farmer in 2026', at('7.8', '7.80', '107.80'), []],
	// It was 10.7 % until 2021.
	['10.7 % of a farmer in 2026', at('10.7', '10.70', '110.70'), ['nicht: 10,7 %']],
	// 20 % is Austria's rate, and its tax: § 15 (1) no. 1 UStG takes the German one; § 18g UStG: refund by the BZSt.
	[
		'20 % of an Austrian',
		{ ...at('20', '20.00', '120.00'), seller: AUSTRIAN },
		[
			'Die ausgewiesene Steuer ist ausländisch (AT): Sie ist in Deutschland nicht als Vorsteuer abziehbar (§ 15 Abs. 1 Nr. 1, § 18g UStG)',
		],
	],
	// An Austrian who is registered in Germany pays German tax there.
	['19 % of an Austrian with a German VAT ID', { seller: { ...AUSTRIAN, vatId: 'DE123456789' } }, []],
	// § 13b UStG alone.
	[
		'reverse charge of an Austrian',
		{ ...untaxed('AE', 'Reverse Charge'), seller: AUSTRIAN },
		[
			'Der Käufer schuldet Steuer, die nicht in den Beträgen steckt: Steuerschuldnerschaft des Leistungsempfängers (§ 13b UStG).',
		],
	],
	// § 1a UStG alone.
	[
		'a supply from France',
		{ ...untaxed('K', 'Intra-Community supply'), seller: FRENCH },
		[
			'Der Käufer schuldet Steuer, die nicht in den Beträgen steckt: innergemeinschaftlicher Erwerb (§ 1a UStG).',
		],
	],
	// § 19 UStG, § 34a UStDV: no tax, no day of the delivery.
	['a small business', { ...untaxed('E', 'Kleinunternehmer, § 19 UStG'), delivered: null }, []],
	// § 14a (5) UStG: what is shown although the buyer owes it.
	[
		'19.00 shown although the buyer owes the tax',
		{
			lines: [['100.00', 'AE', '19']],
			taxes: [['100.00', 'AE', '19', '19.00', 'Reverse Charge']],
		},
		['(BR-AE-05, BR-AE-09). Die ausgewiesene Steuer schuldet der Verkäufer nach § 14c Abs. 1 UStG'],
	],
	// SEPA direct debit (BT-81 = 59): a transfer would pay twice.
	[
		'direct debit',
		{ means: DEBIT, terms: MANDATE },
		[
			'Der Betrag wird abgebucht (Mandat M-77, vom Konto DE02500105170137075030): nicht überweisen (BT-81, BT-89).',
		],
	],
	// § 252 (1) no. 5 HGB: delivered in 2025, so it is an expense of 2025.
	[
		'a delivery of December in an invoice of January',
		{ issued: '2026-01-05', delivered: '2025-12-30', terms: paymentTerms('2026-02-04') },
		[
			'Die Leistung (30.12.2025) liegt ganz oder zum Teil in einem anderen Jahr als die Rechnung vom 05.01.2026 (§ 250, § 252 Abs. 1 Nr. 5 HGB)',
		],
	],
	// § 13 (1) no. 1 a sentence 4 UStG: a payment on account comes before its delivery.
	[
		'a prepayment for a delivery of next year',
		{ type: 386, delivered: '2027-01-15' },
		['Das ist eine Anzahlungsrechnung (386)'],
	],
	// § 17 (1) UStG: the input tax shrinks.
	['a credit note', { type: 381 }, ['Das ist eine kaufmännische Gutschrift']],
	// 119.00 less 19.00 = 100.00 (BR-CO-16).
	[
		'a part that is paid already',
		{ totals: ['100.00', '0.00', '100.00', '19.00', '119.00', '19.00', '100.00'] },
		['19,00 EUR des Gesamtbetrags sind schon gezahlt'],
	],
	// § 33 UStDV: up to 250 EUR, neither the buyer nor the day of the delivery.
	['119.00 without the buyer’s address', { buyerAddress: false, delivered: null }, []],
	// § 14 (4) no. 6 UStG: 297.50 is more than 250 EUR.
	[
		'297.50 without the day of the delivery',
		{
			delivered: null,
			lines: [['250.00', 'S', '19']],
			taxes: [['250.00', 'S', '19', '47.50']],
			totals: ['250.00', '0.00', '250.00', '47.50', '297.50', '0.00', '297.50'],
		},
		['Zeitpunkt oder Zeitraum der Leistung (Nr. 6, BT-72 bis BT-74)'],
	],
	[
		'money that a factor gets',
		{ payee: 'Factor Bank AG' },
		['Zahlungsempfänger ist nicht der Verkäufer, sondern Factor Bank AG (BT-59)'],
	],
	// BR-FXEXT-CO-10: only DETAIL adds up: 60.00 + 40.00.
	[
		'lines within a line',
		{
			profile: 'extended',
			lines: [
				['100.00', 'S', '19', 'GROUP'],
				['60.00', 'S', '19', 'DETAIL'],
				['40.00', 'S', '19', 'DETAIL'],
				['25.00', 'S', '19', 'INFORMATION'],
			],
		},
		[],
	],
	// BR-FXEXT-CO-12: 15.00 of freight is a charge; 115.00 × 19 % = 21.85.
	[
		'freight',
		{
			profile: 'extended',
			freight: ['15.00', 'S', '19'],
			taxes: [['115.00', 'S', '19', '21.85']],
			totals: ['100.00', '15.00', '115.00', '21.85', '136.85', '0.00', '136.85'],
		},
		[],
	],
	// BR-FXEXT-CO-10: a cent for each line: 33.34 × 3 = 100.02, 100.00 is two cents off.
	[
		'three lines that are two cents more, in EXTENDED',
		{
			profile: 'extended',
			lines: [
				['33.34', 'S', '19'],
				['33.34', 'S', '19'],
				['33.34', 'S', '19'],
			],
		},
		[],
	],
	// In EN 16931, it must be to the cent (BR-CO-10, and BR-S-08 as CEN has it for CII).
	[
		'three lines that are two cents more',
		{
			lines: [
				['33.34', 'S', '19'],
				['33.34', 'S', '19'],
				['33.34', 'S', '19'],
			],
		},
		['(BR-S-08)', '100,02 EUR, angegeben ist die Summe aller Positionen mit 100,00 EUR (BR-CO-10)'],
	],
	// BR-FXEXT-S-09: 19.50 is more than a cent away.
	[
		'tax of 19.50 on 100.00, in EXTENDED',
		{ profile: 'extended', ...at('19', '19.50', '119.50') },
		['(BR-FXEXT-S-09)'],
	],
	// BMF, October 15, 2024: MINIMUM is no e-invoice.
	['MINIMUM', { profile: 'minimum', lines: [] }, ['Das XML hat das Profil MINIMUM']],
])('Of an e-invoice of %s, an accountant is told what concerns her', async (_what, said, warnings) => {
	const { invoice, warnings: told, problem } = await readInvoice(Buffer.from(ciiOf(said as object)), 'x.xml');
	expect(problem).toBeUndefined();
	expect(invoice).toBeDefined();
	expect(told.map(({ de }) => de)).toEqual(warnings.map((one) => expect.stringContaining(one) as string));
});

/** A term of payment of EXTENDED for a part of the amount. */
const instalment = (due: string, amount: string) =>
	paymentTerms(due).replace(
		'</ram:Spec',
		`<ram:PartialPaymentAmount>${amount}</ram:PartialPaymentAmount></ram:Spec`,
	);
const SWISS = { vatId: 'CHE123456789', country: 'CH' };
/** 1000.00 with 19 %: 190.00, 1190.00. */
const ofThousand = (prepaid: string, payable: string) => ({
	lines: [['1000.00', 'S', '19']] as const,
	taxes: [['1000.00', 'S', '19', '190.00']] as const,
	totals: ['1000.00', '0.00', '1000.00', '190.00', '1190.00', prepaid, payable] as const,
});

/** Judged by hand, too, before anything of them was run; each warning by what an accountant looks for in it. */
it.each<[what: string, said: unknown, warnings: RegExp[]]>([
	// § 12 (3) UStG: 0 % for a photovoltaic system; Z is that rate, and its sum is right.
	[
		'a photovoltaic system with 0 %',
		{ lines: [['100.00', 'Z', '0']], taxes: [['100.00', 'Z', '0', '0.00']], totals: untaxed('Z', '').totals },
		[],
	],
	// Damages aren't taxable (§ 1 (1) UStG): category O, with a reason and with neither VAT IDs (BR-O-02) nor a rate (BR-O-05); both stand in it.
	['damages with VAT IDs and a rate', untaxed('O', 'Nicht steuerbar'), [/BR-O-02/, /BR-O-05/]],
	// § 4 no. 21 UStG, with its reason (BR-E-10).
	['a course that is exempt', untaxed('E', 'Steuerfrei nach § 4 Nr. 21 UStG'), []],
	[
		'a course that is exempt, without the reason',
		{ ...untaxed('E', ''), taxes: [['100.00', 'E', '0', '0.00']] },
		[/BR-E-10/],
	],
	// 100.00 × 19 % + 50.00 exempt: 169.00.
	[
		'a taxed and an exempt part',
		{
			lines: [
				['100.00', 'S', '19'],
				['50.00', 'E', '0'],
			],
			taxes: [
				['100.00', 'S', '19', '19.00'],
				['50.00', 'E', '0', '0.00', 'Steuerfrei nach § 4 Nr. 11 UStG'],
			],
			totals: ['150.00', '0.00', '150.00', '19.00', '169.00', '0.00', '169.00'],
		},
		[],
	],
	// § 31 (5) UStDV, § 17 UStG: replaces another one; its number isn't in it (§ 31 (5) UStDV asks for it).
	['a correction', { type: 384 }, [/Rechnungskorrektur|Berichtigung/]],
	// § 14 (2) sentence 2 UStG: the buyer has issued it, and owes nobody a booking of a credit note.
	['a self-billed invoice', { type: 389 }, [/§ 14 Abs. 2/]],
	['an invoice for a part of the work', { type: 326 }, [/326/]],
	// 1190.00 less 595.00 on account = 595.00; its input tax (95.00) is booked (§ 14 (5) sentence 2 UStG).
	[
		'a final invoice with what was paid on account',
		ofThousand('595.00', '595.00'),
		[/595,00 EUR des Gesamtbetrags sind schon gezahlt/],
	],
	[
		'a final invoice that is paid',
		ofThousand('1190.00', '0.00'),
		[/1\.190,00 EUR des Gesamtbetrags sind schon gezahlt/],
	],
	// 1190.00 - 595.00 isn't 600.00 (BR-CO-16).
	[
		'a final invoice that deducts wrongly',
		ofThousand('595.00', '600.00'),
		[/schon gezahlt/, /595,00 EUR.*600,00 EUR.*BR-CO-16/],
	],
	// § 33 UStDV: 210.08 + 39.92 = 250.00; 210.09 × 19 % = 39.92, 250.01.
	[
		'exactly 250.00 without the buyer’s address',
		{
			buyerAddress: false,
			lines: [['210.08', 'S', '19']],
			taxes: [['210.08', 'S', '19', '39.92']],
			totals: ['210.08', '0.00', '210.08', '39.92', '250.00', '0.00', '250.00'],
		},
		[],
	],
	[
		'250.01 without the buyer’s address',
		{
			buyerAddress: false,
			lines: [['210.09', 'S', '19']],
			taxes: [['210.09', 'S', '19', '39.92']],
			totals: ['210.09', '0.00', '210.09', '39.92', '250.01', '0.00', '250.01'],
		},
		[/Anschrift des Käufers|Käufers/],
	],
	// § 15 (1) no. 1 UStG: Swiss tax isn't German; 8.1 % is Switzerland's.
	['8.1 % of a Swiss', { ...at('8.1', '8.10', '108.10'), seller: SWISS }, [/ausländisch \(CH\)/]],
	// § 13b (2) no. 1, (5) UStG: services of a Swiss; § 13b covers everybody abroad.
	['reverse charge of a Swiss', { ...untaxed('AE', 'Reverse Charge'), seller: SWISS }, [/§ 13b/]],
	// § 13b (2) no. 4 UStG: also of a German, such as for construction.
	[
		'reverse charge of a German builder',
		untaxed('AE', 'Steuerschuldnerschaft des Leistungsempfängers'),
		[/§ 13b/],
	],
	// Three parts of 119.00: 40.00 + 40.00 + 39.00.
	[
		'three instalments',
		{
			profile: 'extended',
			terms:
				instalment('2026-12-20', '40.00') +
				instalment('2027-01-20', '40.00') +
				instalment('2027-02-20', '39.00'),
		},
		[/40,00 EUR am 20\.12\.2026, 40,00 EUR am 20\.01\.2027, 39,00 EUR am 20\.02\.2027/],
	],
	// 40.00 + 40.00 = 80.00 of 119.00: 39.00 are due on no day.
	[
		'two instalments that don’t add up',
		{ profile: 'extended', terms: instalment('2026-12-20', '40.00') + instalment('2027-01-20', '40.00') },
		[/40,00 EUR am 20\.12\.2026, 40,00 EUR am 20\.01\.2027.*80,00 EUR.*119,00 EUR/],
	],
	// BT-81 59, whatever the mandate: a transfer would pay twice.
	['direct debit without a mandate', { means: '<ram:TypeCode>59</ram:TypeCode>' }, [/wird abgebucht/]],
	// The invoice is of November 2026, the service of January 2027: an advance payment, or a wrong day.
	['an invoice before its delivery of next year', { delivered: '2027-01-15' }, [/15\.01\.2027/]],
	// § 250 (1) HGB: paid for 2027, so an expense of 2027, whatever day the document has; BT-134 and BT-135 are the line's.
	[
		'a maintenance contract of next year, whose period only the line has',
		{ delivered: '2026-11-19', linePeriod: ['2027-01-01', '2027-12-31'] },
		[/^Die Leistung \(19\.11\.2026 bis 31\.12\.2027\) liegt ganz oder zum Teil in einem anderen Jahr.*§ 250/],
	],
	[
		'the same without a day of its own',
		{ delivered: null, linePeriod: ['2027-01-01', '2027-12-31'] },
		[/^Die Leistung \(01\.01\.2027 bis 31\.12\.2027\)/],
	],
	['a line of another month', { linePeriod: ['2026-10-01', '2026-10-31'] }, []],
	// § 271 (1) BGB: then it is due at once, which nobody has to be told.
	['119.00 to be paid on no day', { terms: '' }, []],
	// § 27a UStG, § 14 (4) no. 2: the number of another country's form is none of Germany.
	['5 % in 2026', at('5', '5.00', '105.00'), [/nicht: 5 %/]],
	// § 28 (1) UStG: 5 % was the reduced rate from July to December 2020.
	[
		'5 % in October 2020',
		{ ...at('5', '5.00', '105.00'), issued: '2020-10-20', delivered: '2020-10-19', terms: '' },
		[],
	],
	// § 24 (1) no. 1 UStG: 5.5 % for forestry since 2007.
	['5.5 % of a forester', at('5.5', '5.50', '105.50'), []],
	// 33.33 × 19 % = 6.3327, 6.33; 7 % of 66.67 = 4.6669, 4.67; net 100.00, tax 11.00.
	[
		'two rates, each rounded',
		{
			lines: [
				['33.33', 'S', '19'],
				['66.67', 'S', '7'],
			],
			taxes: [
				['33.33', 'S', '19', '6.33'],
				['66.67', 'S', '7', '4.67'],
			],
			totals: ['100.00', '0.00', '100.00', '11.00', '111.00', '0.00', '111.00'],
		},
		[],
	],
])('A second accountant is told the same: %s', async (_what, said, warnings) => {
	const { invoice, warnings: told, problem } = await readInvoice(Buffer.from(ciiOf(said as object)), 'x.xml');
	expect(problem).toBeUndefined();
	expect(invoice).toBeDefined();
	expect(told.map(({ de }) => de)).toEqual(warnings.map((one) => expect.stringMatching(one) as string));
});

const period = (count: number, unit: string, more = '') =>
	`${more}<ram:BasisPeriodMeasure unitCode="${unit}">${count}</ram:BasisPeriodMeasure><ram:CalculationPercent>2.00</ram:CalculationPercent>`;
/** From November 20, 2026. */
it.each<[what: string, terms: string, days: number | null, until: string | null]>([
	[
		'a day of its own',
		paymentTerms('2026-11-30', '<ram:CalculationPercent>2.00</ram:CalculationPercent>'),
		null,
		'2026-11-30',
	],
	['days', paymentTerms(null, period(10, 'DAY')), 10, '2026-11-30'],
	['weeks', paymentTerms(null, period(2, 'WEE')), 14, '2026-12-04'],
	['a month', paymentTerms(null, period(1, 'MON')), null, '2026-12-20'],
	[
		'days from another day',
		paymentTerms(
			null,
			period(
				10,
				'DAY',
				`<ram:BasisDateTime><udt:DateTimeString format="102">20261201</udt:DateTimeString></ram:BasisDateTime>`,
			),
		),
		null,
		'2026-12-11',
	],
	['a unit that is none of time', paymentTerms(null, period(3, 'KGM')), null, null],
	[
		'days in the words of XRechnung',
		'<ram:SpecifiedTradePaymentTerms><ram:Description>#SKONTO#TAGE=14#PROZENT=2.00#</ram:Description></ram:SpecifiedTradePaymentTerms>',
		14,
		'2026-12-04',
	],
])('A cash discount of EXTENDED has %s', async (_what, terms, days, until) => {
	const xml = ciiOf({ profile: 'extended', terms: terms + paymentTerms('2026-12-20') });
	const { invoice } = await readInvoice(Buffer.from(xml), 'x.xml');
	expect(invoice).toMatchObject({
		dueDate: '2026-12-20',
		cashDiscounts: [{ days, until, percent: 2, amount: null }],
	});
});

// 2 % of 119.00 is 2.38; Factur-X EXTENDED allows the amount without the percentage.
it('A cash discount of EXTENDED may be an amount', async () => {
	const discount =
		'<ram:BasisAmount>119.00</ram:BasisAmount><ram:ActualDiscountAmount>2.38</ram:ActualDiscountAmount>';
	const xml = ciiOf({ profile: 'extended', terms: paymentTerms('2026-11-30', discount) });
	const { invoice } = await readInvoice(Buffer.from(xml), 'x.xml');
	expect(invoice?.cashDiscounts).toEqual([
		{ days: null, until: '2026-11-30', percent: null, amount: 2.38, base: 119 },
	]);
});

const ITS_STATE = [
	/^Ob die ausgewiesene Steuer deutsche oder ausländische \(AT\) ist, .*§ 14 Abs\. 4 Nr\. 2, § 15 Abs\. 1 Nr\. 1 UStG/,
];
const AUSTRIAS = [/^Die ausgewiesene Steuer ist ausländisch \(AT\)/];
const TWENTY = at('20', '20.00', '120.00');
const NINETEEN_AND_TWENTY = {
	lines: [
		['100.00', 'S', '19'],
		['100.00', 'S', '20'],
	],
	taxes: [
		['100.00', 'S', '19', '19.00'],
		['100.00', 'S', '20', '20.00'],
	],
	totals: ['200.00', '0.00', '200.00', '39.00', '239.00', '0.00', '239.00'],
};
/**
 * § 14 (4) no. 2 UStG: the Steuernummer of a German tax office is enough, also for a business abroad. Its form in each Land, and the
 * one of 13 digits for all: ELSTER, "Steuernummern in Deutschland"; Austria's has 9 digits, of which an invoice needs none.
 */
it.each<
	[what: string, vatId: string | null, taxNumber: string | undefined, said: unknown, warnings: RegExp[]]
>([
	['with a number of Berlin', 'ATU12345678', '21/815/08150', {}, []],
	['with a number alone', null, '12/345/67890', {}, []],
	['with a number of Bavaria', 'ATU12345678', '181/815/08155', {}, []],
	['with a number of Baden-Württemberg', 'ATU12345678', '93815/08152', {}, []],
	['with a number of Bremen', 'ATU12345678', '75 815 08152', {}, []],
	['with a number of North Rhine-Westphalia', 'ATU12345678', '133/8150/8159', {}, []],
	['with a number of Rhineland-Palatinate', 'ATU12345678', '22/815/0815/4', {}, []],
	['with a number of 13 digits', 'ATU12345678', '9181081508155', {}, []],
	['with a German VAT ID as its number', 'ATU12345678', 'DE123456789', {}, []],
	['with a German number as its VAT ID', '12/345/67890', undefined, {}, []],
	['with a German VAT ID', 'DE123456789', undefined, {}, []],
	['with a number and 7 %', 'ATU12345678', '21/815/08150', at('7', '7.00', '107.00'), []],
	// Jungholz and Mittelberg have 19 % in Austria (its UStG, § 10 (4)): only the number tells which tax it is.
	['with 19 % and a number of Austria', 'ATU12345678', '12 345/6789', {}, ITS_STATE],
	['with 19 % and no other number', 'ATU12345678', undefined, {}, ITS_STATE],
	// Fiscal code of a company in Italy (11 digits), NIP of Poland (10): the rates tell.
	['with a number and 20 %, which Germany doesn’t have', 'ATU12345678', '12345678901', TWENTY, AUSTRIAS],
	['with 13 digits that are none', 'ATU12345678', '9181181508155', {}, ITS_STATE],
	['with a number, 19 % and 20 %', 'ATU12345678', '21/815/08150', NINETEEN_AND_TWENTY, ITS_STATE],
	['with 19 % and 20 %', 'ATU12345678', undefined, NINETEEN_AND_TWENTY, AUSTRIAS],
])('Of a seller in Austria, only what is so is said: %s', async (_what, vatId, taxNumber, said, warnings) => {
	const xml = ciiOf({ ...(said as object), seller: { vatId, taxNumber, country: 'AT' } });
	const { warnings: told } = await readInvoice(Buffer.from(xml), 'x.xml');
	expect(told.map(({ de }) => de)).toEqual(warnings.map((one) => expect.stringMatching(one) as string));
});
