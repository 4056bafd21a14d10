import round from 'lodash/round.js';
import { describe, expect, it } from 'vitest';

import type { EInvoice, Line, Tax } from '../../../../../nodes/shared/readers/eInvoice/invoice.js';
import { kindOf } from '../../../../../nodes/shared/readers/eInvoice/kind.js';
import { warningsAbout } from '../../../../../nodes/shared/readers/eInvoice/warnings/index.js';

/** As much of an invoice as a warning can be about; all of it adds up. */
const invoice = (own: Partial<EInvoice> = {}) =>
	({
		kind: kindOf(own.typeCode ?? '380'),
		syntax: 'CII',
		profile: 'urn:cen.eu:en16931:2017',
		typeCode: '380',
		number: 'RE-1',
		issueDate: '2026-11-03',
		seller: PARTY,
		buyer: { ...PARTY, name: 'Käufer AG' },
		taxRepresentativeVatId: null,
		dueDate: null,
		dueDates: [],
		deliveryDate: '2026-11-01',
		period: NEVER,
		payeeName: null,
		iban: null,
		lineTotal: null,
		allowanceTotal: null,
		chargeTotal: null,
		allowances: [],
		lines: [line()],
		lineCount: 1,
		currency: 'EUR',
		grossAmount: 119,
		netAmount: 100,
		taxAmount: 19,
		taxCurrency: null,
		taxAmountInTaxCurrency: null,
		taxes: [tax()],
		prepaidAmount: null,
		roundingAmount: null,
		thirdPartyAmount: null,
		payableAmount: 119,
		...own,
	}) as EInvoice;
const NEVER = { from: null, to: null };
const PARTY = {
	name: 'Papier Schmidt',
	vatId: 'DE123456789',
	taxNumber: null,
	street: 'Hauptstr. 1',
	postalCode: '28195',
	city: 'Bremen',
	country: 'DE',
	email: null,
	ids: [],
};
const tax = (own: Partial<Tax> = {}) =>
	({ category: 'S', rate: 19, base: 100, amount: 19, exemptionReason: null, ...own }) as Tax;
const line = (own: Partial<Line> = {}) =>
	({ name: 'Papier', category: null, rate: 19, netAmount: 100, period: NEVER, ...own }) as Line;
/** A net amount and its tax, at 19 % unless said otherwise, and what follows from them. */
const amounts = (base: number, amount: number, own: Partial<Tax> = {}): Partial<EInvoice> => {
	const total = round(base + amount, 2);
	const taxes = [tax({ base, amount, ...own })];
	return { netAmount: base, taxAmount: amount, grossAmount: total, payableAmount: total, taxes };
};
const untaxed = (category: string, own: Partial<EInvoice> = {}): Partial<EInvoice> => ({
	...amounts(100, 0, { rate: 0, category, exemptionReason: 'Grund' }),
	lines: [line({ rate: 0, category })],
	...own,
});
const NOWHERE = { street: null, postalCode: null, city: null };
/** Above 250 EUR, where § 33 UStDV doesn't hold. */
const LARGE = amounts(1000, 190);
const SMALL = amounts(200, 38);
const both = (own?: Partial<EInvoice>) => warningsAbout(invoice(own), []);
const about = (own?: Partial<EInvoice>) => both(own).map(({ en }) => en);

it.each<[string, Partial<EInvoice>]>([
	['that adds up', {}],
	['in CII that gives no total of the tax', { taxAmount: null }],
	['with a tax that can not be read', { taxes: [tax({ amount: null })] }],
	['with a tax without a rate', { taxes: [tax({ rate: null })] }],
	['with a tax on nothing known', { taxes: [tax({ rate: 7, base: null })] }],
	[
		'with a tax that is rounded otherwise',
		{ taxes: [tax({ amount: 19.9 })], taxAmount: 19.9, grossAmount: 119.9, payableAmount: 119.9 },
	],
	['whose total is rounded', { grossAmount: 119.02, roundingAmount: 0.02, payableAmount: 119.02 }],
	['whose amount to pay is rounded', { roundingAmount: -0.03, payableAmount: 118.97 }],
	['with something for others', { thirdPartyAmount: 6, payableAmount: 125 }],
	['with no amount to pay', { payableAmount: null }],
	['in ZUGFeRD 1, whose profiles have other names', { syntax: 'UBL', profile: 'urn:x:basicwl' }],
	['without a profile', { profile: null }],
	['whose tax is in the accounting currency, too', { taxCurrency: 'SEK', taxAmountInTaxCurrency: 209.5 }],
	['whose accounting currency is its own', { taxCurrency: 'EUR' }],
])('No warning is given about an invoice %s', (_what, own) => {
	expect(about(own)).toEqual([]);
});

it('Warnings about an invoice begin with what can’t be read', () => {
	expect(
		warningsAbout(invoice({ number: null }), [
			{ en: 'the tax is "x"', de: 'die Steuer ist „x“' },
			{ en: 'the due date is "y"', de: 'das Fälligkeitsdatum ist „y“' },
		]).map(({ en }) => en),
	).toEqual([
		expect.stringMatching(/Geschäftsregelfehler.*the tax is "x"/),
		expect.stringMatching(/Geschäftsregelfehler.*the due date is "y"/),
		expect.stringMatching(/Geschäftsregelfehler.*invoice number/),
	]);
});

it('All that an invoice lacks is in one warning', () => {
	const nothing = {
		number: null,
		issueDate: null,
		currency: null,
		grossAmount: null,
		netAmount: null,
		seller: { ...PARTY, name: null },
	};
	expect(about(nothing)).toEqual([
		"Business-rule error (Geschäftsregelfehler): missing or unreadable in the invoice: invoice number, invoice date, currency, total with tax, total without tax, seller's name. Check it yourself.",
	]);
});

describe('Amounts of an invoice that don’t add up give a warning', () => {
	it.each<[string, string, Partial<EInvoice>]>([
		[
			'BR-CO-15',
			'net plus tax is 119.00 EUR, but the total with tax is given as 120.00 EUR',
			{ grossAmount: 120, payableAmount: 120 },
		],
		[
			'BR-CO-15',
			'net plus tax is 100.00 EUR, but the total with tax is given as 119.00 EUR',
			{ taxAmount: null, taxes: [tax({ amount: null })] },
		],
		[
			'BR-CO-15',
			'net plus tax is 119.00 EUR, but the total with tax is given as 119.05 EUR',
			{ grossAmount: 119.05, roundingAmount: 0.02, payableAmount: 119.07 },
		],
		[
			'BR-CO-14',
			'the sum of the taxes is 22.50 EUR, but the tax is given as 19.00 EUR',
			{ taxes: [tax({ base: 50, rate: 38 }), tax({ rate: 7, base: 50, amount: 3.5 })] },
		],
		[
			'BR-CO-17',
			'7 % of 100.00 EUR is 7.00 EUR, but that tax is given as 19.00 EUR',
			{ taxes: [tax({ rate: 7 })] },
		],
		[
			'BR-CO-17',
			'19 % of 94.737 EUR is 18.00 EUR, but that tax is given as 19.00 EUR',
			{ taxes: [tax({ base: 94.737 })], netAmount: 94.737, grossAmount: 113.737, payableAmount: 113.737 },
		],
		[
			'BR-CO-16',
			'what is left to pay is 119.00 EUR, but the amount to pay is given as 19.00 EUR',
			{ payableAmount: 19 },
		],
		[
			'BR-CO-16',
			'what is left to pay is 115.50, but the amount to pay is given as 118.00',
			{ currency: '', roundingAmount: 0.5, thirdPartyAmount: -4, payableAmount: 118 },
		],
	])('%s: %s', (rule, text, own) => {
		expect(about(own)).toEqual([
			`Business-rule error (Geschäftsregelfehler): the amounts don't add up (${rule}): ${text}. Ask the sender before you book it.`,
		]);
	});
});

describe('A warning says that an invoice', () => {
	const NEGATIVE = amounts(-100, -19);

	it.each<[string, Partial<EInvoice>, string]>([
		['is a credit note', { typeCode: '381' }, 'credit note'],
		[
			'is a credit note of a rare type',
			{ typeCode: '532' },
			'its amounts are positive, but reduce what is owed',
		],
		[
			'is a credit note with amounts below 0',
			{ typeCode: '381', ...NEGATIVE },
			'Ask which way the money goes',
		],
		['has a total below 0', NEGATIVE, 'The total is negative'],
		...['AE', 'K', 'IC'].map((category): [string, Partial<EInvoice>, string] => [
			`leaves the tax to the buyer (${category})`,
			untaxed(category),
			'The buyer owes tax',
		]),
		['is paid in part', { prepaidAmount: 19, payableAmount: 100 }, '19.00 EUR of the total with tax is paid'],
		['is none yet', { typeCode: '325' }, 'proforma'],
		['is a self-billed one', { typeCode: '389' }, 'self-billed invoice'],
		[
			'has the profile MINIMUM, which has no place for what was paid',
			{ profile: 'urn:factur-x.eu:1p0:minimum', payableAmount: 19 },
			'MINIMUM',
		],
		['has the profile BASIC WL', { profile: 'urn:zugferd.de:2p0:basicwl' }, 'BASIC WL'],
	])('%s', (_what, own, said) => {
		expect(about(own)).toEqual([expect.stringContaining(said)]);
	});
});

it('However many amounts don’t add up, what an invoice is comes first, and the same is told once', () => {
	const taxes = Array.from({ length: 30 }, () => tax({ rate: 7, base: 100 }));
	expect(about({ typeCode: '381', taxes })).toEqual([
		expect.stringContaining('credit note'),
		expect.stringContaining('the sum of the taxable amounts is 3000.00 EUR'),
		expect.stringContaining('the sum of the taxes is 570.00 EUR'),
		expect.stringContaining('7 % of 100.00 EUR'),
	]);
});

it('Of very many warnings about an invoice, the first are told', () => {
	const { length, [length - 1]: last } = warningsAbout(
		invoice(),
		Array.from({ length: 50 }, (_, i) => ({ en: String(i), de: String(i) })),
	);
	expect([length, last.en]).toEqual([21, 'There are 30 more warnings.']);
});

/** UNTDID 1001, with the German names of BMF and XRechnung. */
it.each<[string | null, string]>([
	['380', 'invoice'],
	['82', 'invoice'],
	['393', 'invoice'],
	['381', 'creditNote'],
	['261', 'creditNote'],
	['384', 'correction'],
	['389', 'selfBilled'],
	['386', 'prepayment'],
	['326', 'partial'],
	['875', 'partial'],
	['876', 'final'],
	['877', 'final'],
	['325', 'other'],
	['751', 'other'],
	['toString', 'other'],
	[null, 'other'],
])('The type %s is booked as: %s', (code, kind) => {
	expect(kindOf(code)).toBe(kind);
});

describe('A warning in both languages is about an invoice', () => {
	it.each<[string, Partial<EInvoice>, string, string]>([
		[
			'without the tax in the accounting currency',
			{ taxCurrency: 'SEK' },
			'the tax in the accounting currency (SEK) is missing or unreadable in the invoice (BR-53). Ask the sender before you book it',
			'fehlt die Umsatzsteuer in Buchungswährung (SEK) oder ist nicht lesbar (BR-53). Vor dem Buchen beim Absender nachfragen',
		],
		// § 14c (1) UStG: what is shown is owed by the seller, and isn't input tax.
		[
			'of category AE that shows 19 %',
			{ taxes: [tax({ category: 'AE', exemptionReason: 'x' })], lines: [line({ category: 'AE', rate: 0 })] },
			'category AE is reverse charge, § 13b UStG, but tax is shown (19 %, 19.00 EUR; BR-AE-05, -09). The seller owes the tax that is shown (§ 14c (1) UStG)',
			'Kategorie AE heißt Steuerschuldnerschaft des Leistungsempfängers, § 13b UStG, trotzdem ist Steuer ausgewiesen (19 %, 19,00 EUR; BR-AE-05, -09). Die ausgewiesene Steuer schuldet der Verkäufer nach § 14c Abs. 1 UStG',
		],
		[
			'of category E with 7 %',
			{
				...amounts(100, 7, { category: 'E', rate: 7, exemptionReason: '§ 4' }),
				lines: [line({ category: 'E', rate: 0 })],
			},
			'category E is exempt from tax, but tax is shown (7 %, 7.00 EUR; BR-E-05, -09)',
			'Kategorie E heißt steuerfrei, trotzdem ist Steuer ausgewiesen (7 %, 7,00 EUR',
		],
		[
			'with lines of category E that have a rate',
			untaxed('E', { lines: [line({ category: 'E', rate: 19 })] }),
			'lines of category E (exempt from tax) have a tax rate (BR-E-05)',
			'Positionen der Kategorie E (steuerfrei) haben einen Steuersatz (BR-E-05)',
		],
		[
			'of category S with 0 %',
			untaxed('S', { taxes: [tax({ rate: 0, amount: 0 })] }),
			'category S (taxed) has a rate of 0 % (BR-S-05)',
			'Kategorie S (steuerpflichtig) hat den Steuersatz 0 % (BR-S-05)',
		],
		[
			'of category E without a reason',
			untaxed('E', { taxes: [tax({ rate: 0, amount: 0, category: 'E' })] }),
			'gives no reason (BR-E-10, § 14 (4) no. 8 UStG)',
			'fehlt der Grund (BR-E-10, § 14 Abs. 4 Nr. 8 UStG)',
		],
		[
			'with a line whose category the breakdown lacks',
			{ lines: [line(), line({ category: 'Z', rate: 0 })] },
			'a tax category that the breakdown lacks: Z (BR-Z-01)',
			'die in der Aufschlüsselung fehlt: Z',
		],
		[
			'of an unknown category',
			{ taxes: [tax({ category: 'Q' })], lines: [line({ category: 'Q' })] },
			'Q doesn’t exist (BR-CL-17)',
			'Q gibt es nicht',
		],
		[
			'without a breakdown',
			{ taxes: [] },
			'no breakdown of the tax by rate (BR-CO-18)',
			'Aufschlüsselung der Steuer nach Sätzen fehlt (BR-CO-18)',
		],
		[
			'whose bases aren’t its net amount',
			{ taxes: [tax({ base: 98 })] },
			'the sum of the taxable amounts is 98.00 EUR, but the total without tax is given as 100.00 EUR',
			'die Summe der Bemessungsgrundlagen ergibt 98,00 EUR, angegeben ist der Gesamtbetrag netto mit 100,00 EUR',
		],
		[
			'whose lines aren’t their total',
			{ lineTotal: 100, lines: [line({ netAmount: 99 })] },
			'the sum of the lines is 99.00 EUR, but the total of the lines is given as 100.00 EUR',
			'die Summe der Positionen ergibt 99,00 EUR',
		],
		[
			'whose lines at a rate aren’t its taxable amount',
			{
				taxes: [tax({ base: 50, amount: 9.5 }), tax({ rate: 7, base: 50, amount: 3.5 })],
				taxAmount: 13,
				grossAmount: 113,
				payableAmount: 113,
				lines: [line({ category: 'S', netAmount: 50 }), line({ category: 'S', netAmount: 48, rate: 7 })],
				lineCount: 2,
			},
			"the amounts don't add up (BR-S-08): the sum of the lines at 7 % (S) is 48.00 EUR, but their taxable amount is given as 50.00 EUR",
			'die Summe der Positionen mit 7 % (S) ergibt 48,00 EUR, angegeben ist deren Bemessungsgrundlage mit 50,00 EUR',
		],
		[
			'whose allowances aren’t deducted',
			{ lineTotal: 100, allowanceTotal: 5 },
			'less allowances, with charges, is 95.00 EUR',
			'abzüglich Nachlässe und zuzüglich Zuschläge ergibt 95,00 EUR',
		],
		[
			'whose allowances aren’t their total',
			{
				lineTotal: 105,
				lines: [line({ netAmount: 105 })],
				allowanceTotal: 5,
				allowances: [{ isCharge: false, reason: null, amount: 4, category: 'S', rate: 19 }],
			},
			'the sum of the allowances is 4.00 EUR, but their total is given as 5.00 EUR',
			'die Summe der Nachlässe ergibt 4,00 EUR',
		],
		// BR-CO-16: the rounding (BT-114) belongs into the amount to pay.
		[
			'whose rounding isn’t in the amount to pay',
			{ roundingAmount: 0.02 },
			'what is left to pay is 119.02 EUR, but the amount to pay is given as 119.00 EUR',
			'was noch zu zahlen ist, ergibt 119,02 EUR',
		],
		['of a large amount', { payableAmount: 1234567.5 }, '1234567.50 EUR', 'mit 1.234.567,50 EUR'],
		// § 14 (4) UStG; BMF of October 15, 2025, margin number 35a.
		[
			'without the day of the delivery',
			{ ...LARGE, deliveryDate: null },
			"lacks what § 14 (4) UStG asks for, without which the input tax (Vorsteuer) isn't deductible: day or period of the delivery",
			'Es fehlt, was § 14 Abs. 4 UStG verlangt und ohne das die Vorsteuer nicht abziehbar ist: Zeitpunkt oder Zeitraum der Leistung',
		],
		[
			'without a tax number',
			{ ...LARGE, seller: { ...PARTY, vatId: null } },
			"seller's tax number or VAT ID (no. 2, BR-CO-26)",
			'Steuernummer oder USt-IdNr. des Verkäufers (Nr. 2, BR-CO-26)',
		],
		[
			'without the buyer’s address',
			{ ...LARGE, buyer: { ...PARTY, ...NOWHERE, name: 'Käufer AG' } },
			"buyer's address (no. 1)",
			'Anschrift des Käufers (Nr. 1)',
		],
		[
			'without names of the goods',
			{ lines: [line({ name: null, description: null })] },
			'what was delivered (no. 5)',
			'Bezeichnung der Leistung (Nr. 5)',
		],
		[
			'up to 250 EUR without the seller’s address',
			{ ...SMALL, seller: { ...PARTY, ...NOWHERE } },
			"lacks what § 33 UStDV asks for, without which the input tax (Vorsteuer) isn't deductible: seller's address",
			'Es fehlt, was § 33 UStDV verlangt',
		],
		[
			'of a cent more than 250 EUR without the day of the delivery',
			{ ...amounts(210.09, 39.92), deliveryDate: null },
			'lacks what § 14 (4) UStG asks for',
			'Es fehlt, was § 14 Abs. 4 UStG verlangt',
		],
		[
			'without a buyer',
			{ buyer: { ...PARTY, name: null } },
			"missing or unreadable in the invoice: buyer's name",
			'Name des Käufers',
		],
		[
			'paid to somebody else',
			{ payeeName: 'Factor Bank AG' },
			'goes to somebody else than the seller: Factor Bank AG',
			'Zahlungsempfänger ist nicht der Verkäufer, sondern Factor Bank AG',
		],
		[
			'with a wrong IBAN',
			{ iban: 'DE02120300000000202052' },
			'check digits are wrong',
			'Prüfziffern der IBAN',
		],
		[
			'with an IBAN that is too short',
			{ iban: 'DE02 1203 0000 0000 2020' },
			'check digits are wrong',
			'IBAN',
		],
		[
			'due on several days',
			{ dueDate: '2026-12-03', dueDates: ['2026-12-03', '2026-12-31'] },
			'due on several days: 2026-12-03, 2026-12-31',
			'mehrere Fälligkeiten: 03.12.2026, 31.12.2026',
		],
		[
			'of 2062',
			{ issueDate: '2062-11-03' },
			'issued in the future: 2062-11-03',
			'in der Zukunft: 03.11.2062',
		],
		[
			'due before it is issued',
			{ issueDate: '2026-11-03', dueDate: '2026-10-03', dueDates: ['2026-10-03'] },
			'due (2026-10-03) before it was issued (2026-11-03)',
			'fällig (03.10.2026), bevor sie ausgestellt ist',
		],
		[
			'of type 386',
			{ typeCode: '386' },
			'prepayment invoice (Anzahlungsrechnung',
			'Anzahlungsrechnung (386)',
		],
		[
			'of type 875',
			{ typeCode: '875' },
			'partial invoice (Abschlagsrechnung',
			'Abschlags- oder Teilrechnung',
		],
		['of type 877', { typeCode: '877' }, 'final invoice (Schlussrechnung', 'Schlussrechnung (876, 877)'],
		['of type 393', { typeCode: '393' }, 'sold to a factor', 'an einen Factor verkauft'],
		['of type 751', { typeCode: '751' }, 'no input tax', 'berechtigt nicht zum Vorsteuerabzug'],
		[
			'of type 384',
			{ typeCode: '384' },
			'corrected invoice (Rechnungskorrektur, 384), and no credit note',
			'keine Gutschrift',
		],
		[
			'of an unusual type',
			{ typeCode: '999' },
			'Its type (999) is unusual',
			'Die Rechnungsart (999) ist ungewöhnlich',
		],
		[
			'of a type that a program would take for its own',
			{ typeCode: 'constructor' },
			'Its type (constructor) is unusual',
			'Die Rechnungsart (constructor) ist ungewöhnlich',
		],
	])('%s', (_what, own, en, de) => {
		const warnings = both(own);
		expect(warnings).toHaveLength(1);
		expect(warnings[0].en).toContain(en);
		expect(warnings[0].de).toContain(de);
	});

	/** The rules of EN 16931-1, 6.4.3: who must be known to the tax office, and who must not. */
	const NOBODY = { ...PARTY, vatId: null, taxNumber: null, ids: [] };
	const BUYER = { ...PARTY, name: 'Käufer AG' };
	const charge = (isCharge: boolean, category: string): Partial<EInvoice> => ({
		allowances: [{ isCharge, reason: null, amount: 0, category, rate: 0 }],
	});
	it.each<[string, Partial<EInvoice>, string, string]>([
		[
			'a supply within the EU without VAT IDs',
			untaxed('K', { seller: { ...NOBODY, taxNumber: '99/123' }, buyer: { ...NOBODY, name: 'Käufer AG' } }),
			"category K (a supply within the EU) asks for the seller's VAT ID, the buyer's VAT ID (BR-IC-02, § 14a (3) UStG). Ask for a corrected invoice.",
			'Zur Kategorie K (innergemeinschaftliche Lieferung) fehlt die USt-IdNr. des Verkäufers, die USt-IdNr. des Käufers (BR-IC-02, § 14a Abs. 3 UStG)',
		],
		[
			'an allowance and a charge on a supply within the EU',
			untaxed('IC', {
				allowances: [...charge(false, 'IC').allowances!, ...charge(true, 'IC').allowances!],
				seller: { ...NOBODY, country: 'AT' },
			}),
			"asks for the seller's VAT ID (BR-IC-02, -03, -04, § 14a (3) UStG)",
			'(BR-IC-02, -03, -04, § 14a Abs. 3 UStG)',
		],
		[
			'an export',
			untaxed('G', { seller: NOBODY }),
			"the seller's VAT ID (BR-G-02)",
			'fehlt die USt-IdNr. des Verkäufers (BR-G-02)',
		],
		[
			'a reverse charge for a stranger',
			untaxed('AE', { buyer: { ...NOBODY, name: 'Käufer AG' } }),
			"the buyer's VAT ID or register number (BR-AE-02)",
			'USt-IdNr. oder Registernummer des Käufers (BR-AE-02)',
		],
		[
			'a stranger abroad',
			{ seller: { ...NOBODY, country: 'AT' }, lines: [line({ category: 'S' })] },
			"category S (taxed) asks for the seller's VAT ID or tax number (BR-S-02)",
			'Zur Kategorie S (steuerpflichtig) fehlt USt-IdNr. oder Steuernummer des Verkäufers (BR-S-02)',
		],
		[
			'VAT IDs where nothing is taxable',
			untaxed('O', { ...charge(true, 'O'), taxRepresentativeVatId: 'DE1' }),
			"category O (outside the scope of VAT) excludes VAT IDs, but there is the seller's VAT ID, his tax representative's VAT ID, the buyer's VAT ID (BR-O-02, -04). Ask the sender which category is right.",
			'schließt USt-IdNrn. aus, es gibt aber die USt-IdNr. des Verkäufers, die USt-IdNr. seines Fiskalvertreters, die USt-IdNr. des Käufers (BR-O-02, -04)',
		],
		[
			'a discount that is not taxable',
			untaxed('O', { ...charge(false, 'O'), lines: [], lineCount: 0, buyer: NOBODY }),
			"there is the seller's VAT ID (BR-O-03)",
			'es gibt aber die USt-IdNr. des Verkäufers (BR-O-03)',
		],
		[
			'what is not taxable beside what is',
			{
				seller: NOBODY,
				buyer: { ...NOBODY, name: 'Käufer AG' },
				taxes: [
					tax({ base: 90, amount: 19 }),
					tax({ category: 'O', rate: null, base: 10, amount: 0, exemptionReason: 'Pfand' }),
				],
			},
			'category O (outside the scope of VAT) stands beside other categories (BR-O-11 to -14)',
			'Die Kategorie O (nicht steuerbar) steht neben anderen (BR-O-11 bis -14)',
		],
		[
			'a reason for no tax where there is tax',
			{ taxes: [tax({ exemptionReason: 'Steuerfrei nach § 4 UStG' })] },
			'category S (taxed) gives a reason why there is no tax (BR-S-10)',
			'Zur Kategorie S (steuerpflichtig) steht ein Grund, warum keine Steuer anfällt (BR-S-10)',
		],
		[
			'exempt lines that are a little less than their taxable amount',
			untaxed('E', { lines: [line({ category: 'E', rate: 0, netAmount: 99.5 })] }),
			"the amounts don't add up (BR-E-08): the sum of the lines at 0 % (E) is 99.50 EUR",
			'Die Beträge passen nicht zusammen (BR-E-08)',
		],
		[
			'a rate beside an allowance that is exempt',
			untaxed('E', { allowances: [{ isCharge: false, reason: null, amount: 0, category: 'E', rate: 19 }] }),
			'lines of category E (exempt from tax) have a tax rate (BR-E-06)',
			'(BR-E-06)',
		],
	])('is about %s', (_what, own, en, de) => {
		const warnings = both({ buyer: BUYER, ...own });
		expect(warnings.map((one) => one.en)).toContainEqual(expect.stringContaining(en));
		expect(warnings.map((one) => one.de)).toContainEqual(expect.stringContaining(de));
	});

	it('has the tax to the cent, half of one rounded up, also below 0', () => {
		expect(about(amounts(-72.5, -12.77))).toContainEqual(
			expect.stringContaining('19 % of -72.50 EUR is -13.78 EUR'),
		);
		expect(about(amounts(1.5, 1.11, { rate: 7 }))).toContainEqual(
			expect.stringContaining('7 % of 1.50 EUR is 0.11 EUR'),
		);
	});

	it('is about the VAT ID of a buyer within the EU', () => {
		const said = about(untaxed('K', { buyer: { ...PARTY, name: 'Käufer AG', vatId: null } }));
		expect(said).toEqual([
			expect.stringContaining("asks for the buyer's VAT ID (BR-IC-02, § 14a (3) UStG)"),
			expect.stringContaining('The buyer owes tax'),
		]);
	});

	it('is about the day of a small delivery, too, where the reverse charge excludes § 33 UStDV (its sentence 3)', () => {
		const own: Partial<EInvoice> = {
			deliveryDate: null,
			taxes: [
				tax({ base: 60, amount: 19 }),
				tax({ category: 'AE', rate: 0, base: 40, amount: 0, exemptionReason: 'Reverse Charge' }),
			],
		};
		expect(about(own)).toContainEqual(expect.stringContaining('lacks what § 14 (4) UStG asks for'));
	});

	it('is also about the buyer, who wrote a credit note', () => {
		expect(about({ typeCode: '261' })).toEqual([
			expect.stringContaining('The buyer wrote this credit note'),
			expect.stringContaining('reduce what is owed'),
		]);
	});
});

/** What no accountant would be asked about. */
it.each<[string, Partial<EInvoice>]>([
	[
		'of a foreign seller, without German details',
		{ ...LARGE, seller: { ...PARTY, ...NOWHERE, vatId: 'AT1', country: 'AT' }, deliveryDate: null },
	],
	[
		'up to 250 EUR without a day of delivery and an address of the buyer',
		{
			...SMALL,
			deliveryDate: null,
			buyer: { ...PARTY, ...NOWHERE, name: 'Laufkunde' },
			seller: { ...PARTY, vatId: null },
		},
	],
	[
		'of exactly 250 EUR, to which § 33 UStDV still applies',
		{ ...amounts(210.08, 39.92), deliveryDate: null },
	],
	[
		'whose period stands at its lines',
		{ ...LARGE, deliveryDate: null, lines: [line({ period: { from: '2026-11-01', to: '2026-11-30' } })] },
	],
	['with more lines than are kept', { lineTotal: 100, lines: [line({ netAmount: 1 })], lineCount: 2_000 }],
	['paid to the seller in other letters', { payeeName: 'PAPIER-SCHMIDT' }],
	['with a foreign account number', { iban: '12345678' }],
	['due on its day', { issueDate: '2026-11-03', dueDate: '2026-11-03', dueDates: ['2026-11-03'] }],
	['of category Z', untaxed('Z')],
	[
		'of a small business, without the day of the delivery, which § 34a UStDV does not ask for',
		untaxed('E', {
			...amounts(1000, 0, { rate: 0, category: 'E', exemptionReason: '§ 19 UStG' }),
			deliveryDate: null,
			lines: [line({ category: 'E', rate: 0, netAmount: 1000 })],
		}),
	],
	[
		'of category S for which a tax representative answers',
		{ ...LARGE, seller: { ...PARTY, vatId: null }, taxRepresentativeVatId: 'DE123456789' },
	],
	['whose tax is half a cent away', amounts(1.5, 1.1, { rate: 7 })],
	['that is exempt and repeats no amount', { ...untaxed('E'), taxAmount: null }],
	[
		'with a non-VAT tax beside',
		{
			taxes: [tax(), tax({ category: null, rate: 1, base: 100, amount: 1 })],
			taxAmount: 20,
			grossAmount: 120,
			payableAmount: 120,
		},
	],
])('No warning is given about an invoice %s', (_what, own) => {
	expect(about(own)).toEqual([]);
});
