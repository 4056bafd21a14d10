import round from 'lodash/round.js';
import { describe, expect, it } from 'vitest';

import type { EInvoice, Line, Tax } from '../../../../nodes/AccountingGatewayFiles/eInvoice/invoice.js';
import { kindOf } from '../../../../nodes/AccountingGatewayFiles/eInvoice/kind.js';
import { warningsAbout } from '../../../../nodes/AccountingGatewayFiles/eInvoice/warnings/warnings.js';
import type { Bilingual } from '../../../../nodes/shared/values/index.js';

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
		instalments: [],
		deliveryDate: '2026-11-01',
		deliveryCountry: 'AT',
		period: NEVER,
		payeeName: null,
		directDebit: null,
		iban: null,
		otherIbans: [],
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
	({ name: 'Papier', status: null, category: null, rate: 19, netAmount: 100, period: NEVER, ...own }) as Line;
/** A net amount and its tax, at 19 % unless said otherwise, and what follows from them. */
const amounts = (base: number, amount: number, own: Partial<Tax> = {}): Partial<EInvoice> => {
	const total = round(base + amount, 2);
	const taxes = [tax({ base, amount, ...own })];
	return { netAmount: base, taxAmount: amount, grossAmount: total, payableAmount: total, taxes };
};
const untaxed = (category: string, own: Partial<EInvoice> = {}): Partial<EInvoice> => ({
	...amounts(100, 0, { rate: 0, category, exemptionReason: category === 'Z' ? null : 'Grund' }),
	lines: [line({ rate: category === 'O' ? null : 0, category })],
	...own,
});
const OF_120 = { grossAmount: 120, payableAmount: 120 };
const EXEMPT = { category: 'E', exemptionReason: '§ 4' };
const NOWHERE = { street: null, postalCode: null, city: null };
/** Above 250 EUR, where § 33 UStDV doesn't hold. */
const LARGE = amounts(1000, 190);
const SMALL = amounts(200, 38);
const TWO_LINES = { lines: [line({ netAmount: 50 }), line({ netAmount: 50 })], lineCount: 2 };
const both = (own?: Partial<EInvoice>) => warningsAbout(invoice(own), []);
const about = (own?: Partial<EInvoice>) => both(own).map(({ en }) => en);

it.each<[string, Partial<EInvoice>]>([
	['that adds up', {}],
	['with a tax that can not be read', { taxes: [tax({ amount: null })] }],
	['with a tax without a rate', { taxes: [tax({ rate: null })] }],
	['with a tax on nothing known', { taxes: [tax({ rate: 7, base: null })] }],
	['whose tax was rounded for each of two lines', { ...TWO_LINES, ...amounts(100, 19.02) }],
	['whose amount to pay is rounded', { roundingAmount: -0.03, payableAmount: 118.97 }],
	['with something for others', { thirdPartyAmount: 6, payableAmount: 125 }],
	['in ZUGFeRD 1, whose profiles have other names', { syntax: 'UBL', profile: 'urn:x:basicwl' }],
	['in ZUGFeRD 1, whose profile BASIC has no amount to pay', { syntax: 'ZUGFeRD 1', payableAmount: null }],
	['without a profile', { profile: null }],
	['whose tax is in the accounting currency, too', { taxCurrency: 'SEK', taxAmountInTaxCurrency: 209.5 }],
	['whose accounting currency is its own', { taxCurrency: 'EUR' }],
	// What no accountant would be asked about.
	[
		'of a foreign seller with German tax, without German details',
		{ ...LARGE, seller: { ...PARTY, ...NOWHERE, country: 'AT' }, deliveryDate: null },
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
	// § 33 UStDV still applies.
	['of exactly 250 EUR', { ...amounts(210.08, 39.92), deliveryDate: null }],
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
	['whose tax is half a cent away', amounts(1.5, 0.1, { rate: 7 })],
	['that is exempt and repeats no amount', { ...untaxed('E'), taxAmount: null }],
	[
		'with a non-VAT tax beside',
		{ taxes: [tax(), tax({ category: null, rate: 1, amount: 1 })], taxAmount: 20, ...OF_120 },
	],
])('No warning is given about an invoice %s', (_what, own) => {
	expect(about(own)).toEqual([]);
});

it('Warnings about an invoice begin with what can’t be read', () => {
	expect(
		warningsAbout(invoice({ number: null }), [
			{ term: 'BT-110', en: 'the tax is "x"', de: 'die Steuer ist „x“' },
			{ term: 'BT-9', en: 'the due date is "y"', de: 'das Fälligkeitsdatum ist „y“' },
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
		payableAmount: null,
		seller: { ...PARTY, name: null },
	};
	expect(about(nothing)).toEqual([
		"Business-rule error (Geschäftsregelfehler): missing or unreadable: invoice number, invoice date, currency, seller's name, total without tax, total with tax, amount to pay (BR-02, BR-03, BR-05, BR-06, BR-13, BR-14, BR-15). Check it yourself.",
	]);
});

describe('Amounts of an invoice that don’t add up give a warning', () => {
	const ROUNDED = { roundingAmount: 0.02, grossAmount: 119.02, payableAmount: 119.04 };
	const NET = { netAmount: 94.737, grossAmount: 113.74, payableAmount: 113.74 };
	const OF_94_737 = { ...NET, taxes: [tax({ base: 94.737 })] };
	const TWO_TAXES = [tax({ base: 100 }), tax({ rate: 7, base: 50, amount: 3.5 })];
	const NO_CURRENCY = { currency: '', roundingAmount: 0.5, thirdPartyAmount: -4, payableAmount: 118 };
	const NO_TAX = { taxAmount: null, taxes: [tax({ amount: null })] };
	it.each<[string, string, string, string, string, Partial<EInvoice>]>([
		['BR-CO-15', 'net plus tax', '119.00', 'the total with tax', '120.00', OF_120],
		['BR-CO-15', 'net (no total of the tax is given)', '100.00', 'the total with tax', '119.00', NO_TAX],
		['BR-CO-15', 'net plus tax', '119.00', 'the total with tax', '119.02', ROUNDED],
		['BR-CO-14', 'the sum of the taxes', '22.50', 'the tax', '19.00', { taxes: TWO_TAXES }],
		['BR-S-09, BR-CO-17', '7 % of 100.00 EUR', '7.00', 'that tax', '19.00', { taxes: [tax({ rate: 7 })] }],
		['BR-S-09', '19 % of 94.737 EUR', '18.00', 'that tax', '19.00', OF_94_737],
		['BR-CO-16', 'what is left to pay', '119.00', 'the amount to pay', '19.00', { payableAmount: 19 }],
		['BR-CO-16', 'what is left to pay', '115.50', 'the amount to pay', '118.00', NO_CURRENCY],
	])('%s: %s is %s, but %s is given as %s', (rule, what, sum, name, given, own) => {
		const euros = own.currency === '' ? '' : ' EUR';
		const said = `: ${what} is ${sum}${euros}, but ${name} is given as ${given}${euros} (${rule}).`;
		expect(about(own)).toEqual([expect.stringContaining(said)]);
	});
});

describe('A warning says that an invoice', () => {
	const NEGATIVE = amounts(-100, -19);

	it.each<[string, Partial<EInvoice>, string]>([
		['is a credit note', { typeCode: '381' }, 'credit note'],
		['is a credit note of a rare type', { typeCode: '532' }, 'positive, but reduce what is owed'],
		['is a credit note below 0', { typeCode: '381', ...NEGATIVE }, 'Ask which way the money goes'],
		['has a total below 0', NEGATIVE, 'The total is negative'],
		...['AE', 'K', 'IC'].map((category): [string, Partial<EInvoice>, string] => [
			`leaves the tax to the buyer (${category})`,
			untaxed(category),
			'The buyer owes tax',
		]),
		['is paid in part', { prepaidAmount: 19, payableAmount: 100 }, '19.00 EUR of the total with tax is paid'],
		['is none yet', { typeCode: '325' }, 'proforma'],
		['is a self-billed one', { typeCode: '389' }, 'self-billed invoice'],
		// It has no place for what was paid.
		['is MINIMUM', { profile: 'urn:factur-x.eu:1p0:minimum', payableAmount: 19 }, 'MINIMUM'],
		['is BASIC WL', { profile: 'urn:zugferd.de:2p0:basicwl' }, 'BASIC WL'],
	])('%s', (_what, own, said) => {
		expect(about(own)).toEqual([expect.stringContaining(said)]);
	});
});

it('However many amounts don’t add up, what an invoice is comes first, and the same is told once', () => {
	const taxes = Array.from({ length: 30 }, () => tax({ rate: 7, base: 100 }));
	expect(about({ typeCode: '381', taxes })).toEqual([
		expect.stringContaining('credit note'),
		expect.stringContaining('7 % of 100.00 EUR'),
		expect.stringContaining('the sum of the taxes is 570.00 EUR'),
	]);
});

it('Of very many warnings about an invoice, the first are told', () => {
	const { length, [length - 1]: last } = warningsAbout(
		invoice(),
		Array.from({ length: 50 }, (_, i) => ({ term: 'BT-9', en: String(i), de: String(i) })),
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

/** The same amount, day and section of the law as a German writes it. */
const german = (mark: string) =>
	mark
		.replace(/\d+\.\d\d(?= EUR)/g, (amount) =>
			Number(amount).toLocaleString('de-DE', { minimumFractionDigits: 2 }),
		)
		.replace(/(\d{4})-(\d\d)-(\d\d)/g, '$3.$2.$1')
		.replace(/\((\d)\)/g, 'Abs. $1')
		.replace(/\bno\. /g, 'Nr. ')
		.replace(' to ', ' bis ');
/** What a warning must name: in English, and in German, where that isn't the same: `English | German`. */
function expectNamed(warning: Bilingual, marks: string[]) {
	for (const mark of marks) {
		const [en, de = german(en)] = mark.split(' | ');
		expect(warning.en).toContain(en);
		expect(warning.de).toContain(de);
	}
}
/** A sum, and the amount that the invoice gives for it. */
const adds = (rule: string, sum: string, given: string) => [
	rule,
	`is ${sum} EUR | ergibt ${german(`${sum} EUR`)}`,
	`given as ${given} EUR | mit ${german(`${given} EUR`)}`,
];
const PAPER_14 =
	'(§ 14 (4) UStG; BMF 2025-10-15, margin no. 35a) | (§ 14 Abs. 4 UStG; BMF 15.10.2025, Rz. 35a)';
const SELLER_ID = "the seller's VAT ID | die USt-IdNr. des Verkäufers";
const BUYER_ID = "the buyer's VAT ID | die USt-IdNr. des Käufers";
const reduction = (isCharge: boolean, category: string, rate: number | null = 0, amount = 0) => ({
	isCharge,
	reason: null,
	amount,
	category,
	rate,
});
const oneLine = (own: Partial<Line>): Partial<EInvoice> => ({ lines: [line(own)] });

describe('A warning in both languages is about an invoice', () => {
	it.each<[string, Partial<EInvoice>, string[]]>([
		['without the tax in the accounting currency', { taxCurrency: 'SEK' }, ['SEK', 'BR-53']],
		// § 14c (1) UStG: what is shown is owed by the seller, and isn't input tax.
		[
			'of category AE that shows 19 %',
			{ taxes: [tax({ category: 'AE', exemptionReason: 'x' })], ...oneLine({ category: 'AE', rate: 0 }) },
			[
				'category AE | Kategorie AE',
				'§ 13b UStG',
				': 19 %, 19.00 EUR (BR-AE-09) | : 19 %, 19,00 EUR (BR-AE-09)',
				'§ 14c (1) UStG',
			],
		],
		[
			'of category E with 7 %',
			{ ...amounts(100, 7, { ...EXEMPT, rate: 7 }), ...oneLine({ category: 'E', rate: 0 }) },
			['exempt from tax | steuerfrei', ': 7 %, 7.00 EUR (BR-E-09) | : 7 %, 7,00 EUR (BR-E-09)'],
		],
		[
			'with lines of category E that have a rate',
			untaxed('E', oneLine({ category: 'E', rate: 19 })),
			['E (exempt from tax) | E (steuerfrei)', '(BR-E-05)'],
		],
		[
			'of category S with 0 %',
			untaxed('S', { taxes: [tax({ rate: 0, amount: 0 })] }),
			['S (taxed) | S (steuerpflichtig)', '0 %', '(BR-S-05)'],
		],
		[
			'of category E without a reason',
			untaxed('E', { taxes: [tax({ rate: 0, amount: 0, category: 'E' })] }),
			['(BR-E-10, § 14 (4) no. 8 UStG)'],
		],
		[
			'with a line whose category the breakdown lacks',
			{ lines: [line(), line({ category: 'Z', rate: 0 })] },
			[
				'the breakdown lacks: Z (a rate of 0 %) | in der Aufschlüsselung fehlt: Z (Steuersatz 0 %)',
				'(BR-Z-01)',
			],
		],
		[
			'of an unknown category',
			{ taxes: [tax({ category: 'Q' })], ...oneLine({ category: 'Q' }) },
			['category Q doesn’t exist | Steuerkategorie Q gibt es nicht', '(BR-CL-17)'],
		],
		['without a breakdown', { taxes: [] }, ['by rate | nach Sätzen', '(BR-CO-18)']],
		[
			'whose lines aren’t their total',
			{ lineTotal: 100, ...oneLine({ netAmount: 99 }) },
			adds('BR-CO-10', '99.00', '100.00'),
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
			['7 % (S)', ...adds('BR-S-08', '48.00', '50.00')],
		],
		[
			'whose allowances aren’t deducted',
			{ lineTotal: 100, allowanceTotal: 5, allowances: [reduction(false, 'S', 19, 5)] },
			adds('BR-CO-13', '95.00', '100.00'),
		],
		[
			'whose allowances aren’t their total',
			{
				lineTotal: 105,
				...oneLine({ netAmount: 105 }),
				allowanceTotal: 5,
				allowances: [{ isCharge: false, reason: null, amount: 4, category: 'S', rate: 19 }],
			},
			adds('BR-CO-11', '4.00', '5.00'),
		],
		// BR-CO-16: the rounding (BT-114) belongs into the amount to pay.
		[
			'whose rounding isn’t in the amount to pay',
			{ roundingAmount: 0.02 },
			adds('BR-CO-16', '119.02', '119.00'),
		],
		['of a large amount', { payableAmount: 1234567.5 }, ['1234567.50 EUR | mit 1.234.567,50 EUR']],
		// § 14 (4) UStG; BMF of October 15, 2025, margin number 35a.
		['without the day of the delivery', { ...LARGE, deliveryDate: null }, [PAPER_14, 'BT-72 to BT-74']],
		[
			'without a tax number',
			{ ...LARGE, seller: { ...PARTY, vatId: null } },
			[PAPER_14, "seller's tax number or VAT ID | Steuernummer oder USt-IdNr. des Verkäufers"],
		],
		[
			'without the buyer’s address',
			{ ...LARGE, buyer: { ...PARTY, ...NOWHERE, name: 'Käufer AG' } },
			[PAPER_14, "buyer's address (no. 1) | Anschrift des Käufers (Nr. 1)"],
		],
		[
			'without names of the goods',
			oneLine({ name: null, description: null }),
			['what was delivered (no. 5) | Bezeichnung der Leistung (Nr. 5)'],
		],
		[
			'up to 250 EUR without the seller’s address',
			{ ...SMALL, seller: { ...PARTY, ...NOWHERE } },
			['§ 33 UStDV', "seller's address | Anschrift des Verkäufers"],
		],
		[
			'of a cent more than 250 EUR without the day of the delivery',
			{ ...amounts(210.09, 39.92), deliveryDate: null },
			[PAPER_14],
		],
		['without a buyer', { buyer: { ...PARTY, name: null } }, ["buyer's name | Name des Käufers"]],
		[
			'paid to somebody else',
			{ payeeName: 'Factor Bank AG' },
			['the seller: Factor Bank AG | Factor Bank AG'],
		],
		['with a wrong IBAN', { iban: 'DE02120300000000202052' }, ['check digits | Prüfziffern der IBAN']],
		['with an IBAN that is too short', { iban: 'DE02 1203 0000 0000 2020' }, ['check digits | Prüfziffern']],
		[
			'due on several days',
			{ dueDate: '2026-12-03', dueDates: ['2026-12-03', '2026-12-31'] },
			['due on several days | mehrere Fälligkeiten', '2026-12-03, 2026-12-31'],
		],
		[
			'of 2062',
			{ issueDate: '2062-11-03', deliveryDate: '2062-11-01' },
			['in the future | in der Zukunft', '2062-11-03'],
		],
		[
			'due before it is issued',
			{ issueDate: '2026-11-03', dueDate: '2026-10-03', dueDates: ['2026-10-03'] },
			['due (2026-10-03) | fällig (03.10.2026)', 'issued (2026-11-03) | ausgestellt ist (03.11.2026)'],
		],
		['of type 386', { typeCode: '386' }, ['(Anzahlungsrechnung, 386) | Anzahlungsrechnung (386)']],
		['of type 875', { typeCode: '875' }, ['(Abschlagsrechnung, 326 or 875) | Abschlags- oder Teilrechnung']],
		['of type 877', { typeCode: '877' }, ['(Schlussrechnung, 876 or 877) | Schlussrechnung (876, 877)']],
		['of type 393', { typeCode: '393' }, ['sold to a factor | an einen Factor verkauft']],
		['of type 751', { typeCode: '751' }, ['no input tax | berechtigt nicht zum Vorsteuerabzug']],
		['of type 384', { typeCode: '384' }, ['no credit note | keine Gutschrift', 'Rechnungskorrektur']],
		['of an unusual type', { typeCode: '999' }, ['type (999) | Rechnungsart (999)']],
		[
			'of a type that a program would take for its own',
			{ typeCode: 'constructor' },
			['type (constructor) | Rechnungsart (constructor)'],
		],
	])('%s', (_what, own, marks) => {
		const warnings = both(own);
		expect(warnings).toHaveLength(1);
		expectNamed(warnings[0], marks);
	});

	/** The rules of EN 16931-1, 6.4.3: who must be known to the tax office, and who must not. */
	const NOBODY = { ...PARTY, vatId: null, taxNumber: null, ids: [] };
	const STRANGER = { ...NOBODY, name: 'Käufer AG' };
	it.each<[string, Partial<EInvoice>, rule: string, marks: string[]]>([
		[
			'a supply within the EU without VAT IDs',
			untaxed('K', { seller: { ...NOBODY, taxNumber: '99/123' }, buyer: STRANGER }),
			'BR-IC-02, § 14a (3) UStG',
			['a supply within the EU | innergemeinschaftliche Lieferung', SELLER_ID, BUYER_ID],
		],
		[
			'an allowance and a charge on a supply within the EU',
			untaxed('K', {
				allowances: [reduction(false, 'K'), reduction(true, 'K')],
				seller: { ...NOBODY, country: 'AT' },
			}),
			'BR-IC-02, BR-IC-03, BR-IC-04, § 14a (3) UStG',
			[SELLER_ID],
		],
		['an export', untaxed('G', { seller: NOBODY }), 'BR-G-02', [SELLER_ID]],
		[
			'a reverse charge for a stranger',
			untaxed('AE', { buyer: STRANGER }),
			'BR-AE-02',
			["the buyer's VAT ID or register number | USt-IdNr. oder Registernummer des Käufers"],
		],
		[
			'a stranger abroad',
			{ seller: { ...NOBODY, country: 'AT' }, ...oneLine({ category: 'S' }) },
			'BR-S-02',
			["the seller's VAT ID or tax number | USt-IdNr. oder Steuernummer des Verkäufers"],
		],
		[
			'VAT IDs where nothing is taxable',
			untaxed('O', { allowances: [reduction(true, 'O', null)], taxRepresentativeVatId: 'DE1' }),
			'BR-O-02, BR-O-04',
			[SELLER_ID, "his tax representative's VAT ID | die USt-IdNr. seines Fiskalvertreters", BUYER_ID],
		],
		[
			'a discount that is not taxable',
			untaxed('O', { allowances: [reduction(false, 'O')], lines: [], lineCount: 0, buyer: NOBODY }),
			'BR-O-03',
			[SELLER_ID],
		],
		[
			'what is not taxable beside what is',
			{
				seller: NOBODY,
				buyer: STRANGER,
				taxes: [
					tax({ base: 90, amount: 19 }),
					tax({ category: 'O', rate: null, base: 10, amount: 0, exemptionReason: 'Pfand' }),
				],
			},
			'BR-O-11',
			['O (outside the scope of VAT) | O (nicht steuerbar)'],
		],
		[
			'a reason for no tax where there is tax',
			{ taxes: [tax({ exemptionReason: 'Steuerfrei nach § 4 UStG' })] },
			'BR-S-10',
			['reason | Grund'],
		],
		[
			'exempt lines that are a little less than their taxable amount',
			untaxed('E', { syntax: 'UBL', ...oneLine({ category: 'E', rate: 0, netAmount: 99.5 }) }),
			'BR-E-08',
			['0 % (E)', '99.50 EUR'],
		],
		[
			'a rate beside an allowance that is exempt',
			untaxed('E', { allowances: [reduction(false, 'E', 19)] }),
			'BR-E-06',
			['exempt from tax | steuerfrei'],
		],
	])('is about %s', (_what, own, rule, marks) => {
		const warnings = both({ buyer: { ...PARTY, name: 'Käufer AG' }, ...own });
		const about = warnings.find(({ en }) => en.includes(`(${rule})`));
		expect(about, warnings.map(({ en }) => en).join('\n')).toBeDefined();
		expectNamed(about!, [`(${rule})`, ...marks]);
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
		expect(about(own)).toContainEqual(expect.stringContaining('(§ 14 (4) UStG; BMF'));
	});

	it('is also about the buyer, who wrote a credit note', () => {
		expect(about({ typeCode: '261' })).toEqual([
			expect.stringContaining('The buyer wrote this credit note'),
			expect.stringContaining('reduce what is owed'),
		]);
	});
});
