/** What UBL and CII say in other places than the samples of read.test.mts, and what of it can't be read. */
import { describe, expect, it } from 'vitest';

import { readInvoice } from '../../../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { viewOf } from '../../../../nodes/AccountingGatewayFiles/eInvoice/view.js';
import { ciiInvoice, ublInvoice } from '../../../support/eInvoices.mjs';

type Replacements = Record<string, string>;
const SYNTAXES = { UBL: ublInvoice, CII: ciiInvoice };
const read = async (syntax: keyof typeof SYNTAXES, replacements: Replacements) =>
	await readInvoice(Buffer.from(SYNTAXES[syntax](replacements)), 'x.xml');

const euros = (name: string, amount: string) => `<cbc:${name} currencyID="EUR">${amount}</cbc:${name}>`;
const taxTotal = (amount: string, part = '') =>
	`<cac:TaxTotal>${euros('TaxAmount', amount)}${part && `<cac:TaxSubtotal>${part}</cac:TaxSubtotal>`}</cac:TaxTotal>`;
const SECOND = taxTotal('1.50', euros('TaxableAmount', '150.00') + euros('TaxAmount', '1.50'));
const TOTAL = '<cac:LegalMonetaryTotal>';
/** Of XRechnung, which has amounts that are collected for others. */
const EXTENSION = {
	'xrechnung_3.0': 'xrechnung_3.0#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0',
};
const prepaid = (...amounts: string[]) => ({
	'<cac:TaxTotal>': `${amounts.map((one) => `<cac:PrepaidPayment>${one}</cac:PrepaidPayment>`).join('')}<cac:TaxTotal>`,
});
const SETTLEMENT = '<ram:PaymentReference>';
const DUE = '<ram:DuePayableAmount>119.00';
const ACCOUNT = { iban: 'DE02120300000000202051', bic: 'BYLADEM1001', accountName: 'Papier Schmidt' };
const NO_ACCOUNT = { iban: null, bic: null, accountName: null };
const REPRESENTED = { taxRepresentativeVatId: 'DE987654321', seller: { vatId: 'DE123456789' } };
const UNREGISTERED = { seller: { vatId: null, taxNumber: null } };
const TRADING = { seller: { name: 'Papier' } };
const BOTH_RATES = [{ rate: 19 }, { rate: 7 }];

it.each<[keyof typeof SYNTAXES, string, Replacements, object, ...said: string[]]>([
	['UBL', 'a trading name', { 'cac:PartyLegalEntity': 'cac:Other' }, TRADING, "buyer's name"],
	[
		'CII',
		'a trading name',
		{
			'<ram:Name>Papier Schmidt GmbH</ram:Name>':
				'<ram:SpecifiedLegalOrganization><ram:TradingBusinessName>Papier</ram:TradingBusinessName></ram:SpecifiedLegalOrganization>',
		},
		TRADING,
	],
	['UBL', 'a VAT scheme in small letters', { '>VAT<': '>vat<' }, { seller: { vatId: 'DE123456789' } }],
	['UBL', 'no VAT ID', { '>VAT<': '>GST<' }, { seller: { vatId: null, taxNumber: '60/123/45678' } }],
	['CII', 'an empty VAT ID', { '>DE123456789<': '> <' }, { seller: { vatId: null } }],
	['CII', 'a VAT ID with spaces', { '>DE123456789<': '> DE1\n<' }, { seller: { vatId: 'DE1' } }],
	['UBL', 'no registrations', { 'cac:PartyTaxScheme': 'cac:Other' }, UNREGISTERED],
	['CII', 'no registrations', { 'ram:SpecifiedTaxRegistration': 'ram:Other' }, UNREGISTERED],
	[
		'UBL',
		'a registration without a scheme, which is not that for VAT',
		{ '<cac:TaxScheme><cbc:ID>FC</cbc:ID></cac:TaxScheme>': '' },
		{ seller: { vatId: 'DE123456789', taxNumber: '60/123/45678' } },
	],
	[
		'UBL',
		'no seller',
		{ 'cac:AccountingSupplierParty': 'cac:Other' },
		{ seller: { name: null, vatId: null, taxNumber: null, city: null } },
		"seller's name",
		'§ 33 UStDV',
	],
	[
		'CII',
		'no buyer',
		{ 'ram:BuyerTradeParty': 'ram:Other' },
		{ buyer: { name: null, vatId: null } },
		"buyer's name",
	],
	[
		'UBL',
		'a tax representative',
		{
			'<cac:PaymentMeans>':
				'<cac:TaxRepresentativeParty><cac:PartyTaxScheme><cbc:CompanyID>DE987654321</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme></cac:TaxRepresentativeParty><cac:PaymentMeans>',
		},
		REPRESENTED,
	],
	[
		'CII',
		'a tax representative',
		{
			'</ram:SellerTradeParty>':
				'</ram:SellerTradeParty><ram:SellerTaxRepresentativeTradeParty><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE987654321</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTaxRepresentativeTradeParty>',
		},
		REPRESENTED,
	],
	[
		'UBL',
		'an account behind a means without one',
		{
			'<cac:PaymentMeans>':
				'<cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:Name>X</cbc:Name></cac:PayeeFinancialAccount></cac:PaymentMeans><cac:PaymentMeans>',
		},
		ACCOUNT,
	],
	[
		'CII',
		'an account behind a means without one',
		{
			[SETTLEMENT]: `<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>10</ram:TypeCode></ram:SpecifiedTradeSettlementPaymentMeans>${SETTLEMENT}`,
		},
		ACCOUNT,
	],
	['UBL', 'no account', { 'cac:PayeeFinancialAccount': 'cac:Other' }, NO_ACCOUNT],
	['CII', 'no account', { 'ram:SpecifiedTradeSettlementPaymentMeans': 'ram:Other' }, NO_ACCOUNT],
	[
		'UBL',
		'several invoices before it, one without a number',
		{
			'<cac:BillingReference>':
				'<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>RE-1</cbc:ID></cac:InvoiceDocumentReference><cac:InvoiceDocumentReference/></cac:BillingReference><cac:BillingReference>',
		},
		{ references: { precedingInvoices: ['RE-1', 'RE-4700'] } },
	],
	[
		'CII',
		'an invoice before it that has no number',
		{ '<ram:IssuerAssignedID>FX-0</ram:IssuerAssignedID>': '' },
		{ references: { precedingInvoices: [] } },
	],
	[
		'UBL',
		'a rate beside the category',
		{
			'<cbc:Percent>7.00</cbc:Percent></cac:TaxCategory>': '</cac:TaxCategory><cbc:Percent>7.0</cbc:Percent>',
		},
		{ taxes: BOTH_RATES },
	],
	[
		'UBL',
		'reasons for no tax',
		{
			'<cbc:Percent>19': '<cbc:TaxExemptionReason>Ausfuhr</cbc:TaxExemptionReason><cbc:Percent>19',
			'<cbc:Percent>7.00':
				'<cbc:TaxExemptionReasonCode>VATEX-EU-G</cbc:TaxExemptionReasonCode><cbc:Percent>7.00',
		},
		{ taxes: [{ exemptionReason: 'Ausfuhr' }, { exemptionReason: 'VATEX-EU-G' }] },
		'BR-S-10',
	],
	[
		'CII',
		'reasons for no tax',
		{
			[SETTLEMENT]: `<ram:ApplicableTradeTax><ram:ExemptionReason>Ausfuhr</ram:ExemptionReason></ram:ApplicableTradeTax><ram:ApplicableTradeTax><ram:ExemptionReasonCode>VATEX-EU-G</ram:ExemptionReasonCode></ram:ApplicableTradeTax>${SETTLEMENT}`,
		},
		{
			taxes: [
				{ exemptionReason: 'Ausfuhr', amount: null, base: null, rate: null, category: null },
				{ exemptionReason: 'VATEX-EU-G' },
				{ exemptionReason: null },
			],
		},
	],
	[
		'UBL',
		'a due date in the terms of payment',
		{
			'<cbc:DueDate>2026-12-03</cbc:DueDate>':
				'<cac:PaymentTerms><cbc:PaymentDueDate>2026-12-04</cbc:PaymentDueDate></cac:PaymentTerms>',
		},
		{ dueDate: '2026-12-04' },
	],
	[
		'CII',
		'terms with a discount only: the first',
		{
			'<ram:SpecifiedTradePaymentTerms>':
				'<ram:SpecifiedTradePaymentTerms><ram:Description>10 Tage</ram:Description></ram:SpecifiedTradePaymentTerms><ram:SpecifiedTradePaymentTerms><ram:ApplicableTradePaymentDiscountTerms/>',
		},
		{ dueDate: '2026-12-03' },
	],
	['CII', 'no terms', { 'ram:SpecifiedTradePaymentTerms': 'ram:Other' }, { dueDate: null }],
	['UBL', 'no profile', { 'cbc:CustomizationID': 'cbc:Other' }, { profile: null, thirdPartyAmount: null }],
	// Amounts.
	[
		'UBL',
		'no taxes',
		{ 'cac:TaxTotal>': 'cac:Other>' },
		{ taxAmount: null, taxes: [] },
		'BR-CO-18',
		'BR-CO-15',
	],
	[
		'CII',
		'a tax in the currency of the tax office',
		{
			[SETTLEMENT]: `<ram:ApplicableTradeTax><ram:CalculatedAmount currencyID="SEK">200</ram:CalculatedAmount></ram:ApplicableTradeTax>${SETTLEMENT}`,
		},
		{ taxes: [{ rate: 19 }] },
	],
	[
		'CII',
		'a total of the tax in the accounting currency',
		{
			'<ram:InvoiceCurrencyCode>': '<ram:TaxCurrencyCode>SEK</ram:TaxCurrencyCode><ram:InvoiceCurrencyCode>',
			'<ram:GrandTotalAmount>':
				'<ram:TaxTotalAmount currencyID="SEK">209.50</ram:TaxTotalAmount><ram:GrandTotalAmount>',
		},
		{ taxAmount: 19, taxCurrency: 'SEK', taxAmountInTaxCurrency: 209.5 },
	],
	[
		'CII',
		'what was paid in advance, and a rounding',
		{
			[DUE]: `<ram:TotalPrepaidAmount>19.00</ram:TotalPrepaidAmount><ram:RoundingAmount>0.01</ram:RoundingAmount><ram:DuePayableAmount>100.01`,
		},
		{ prepaidAmount: 19, roundingAmount: 0.01, payableAmount: 100.01 },
		'19.00 EUR of the total with tax is paid already',
	],
	[
		'UBL',
		'what was paid in advance, and a rounding',
		{
			'<cbc:PayableAmount currencyID="EUR">172.50': `${euros('PrepaidAmount', '100.00')}${euros('PayableRoundingAmount', '-0.02')}<cbc:PayableAmount currencyID="EUR">72.48`,
		},
		{ grossAmount: 172.5, prepaidAmount: 100, roundingAmount: -0.02, payableAmount: 72.48 },
		'100.00 EUR of the total with tax is paid already',
	],
	[
		'UBL',
		'the total of the tax once more without its parts, which doesn’t count',
		{ [TOTAL]: taxTotal('22.50') + TOTAL },
		{ taxAmount: 22.5, taxes: BOTH_RATES },
	],
	[
		'UBL',
		'several totals of the tax, which lead to the gross amount and are added',
		{ [TOTAL]: SECOND + TOTAL, 'currencyID="EUR">172.50': 'currencyID="EUR">174.00' },
		{ taxAmount: 24, grossAmount: 174 },
	],
	[
		'UBL',
		'two totals of the tax, of which the first leads to the gross amount, and BR-CO-15 allows one',
		{ [TOTAL]: SECOND + TOTAL },
		{ taxAmount: 22.5, taxes: BOTH_RATES },
		'in the invoice, the tax is given as 22.50 and as 1.50',
	],
	...['TaxInclusiveAmount', 'TaxExclusiveAmount'].map(
		(missing): ['UBL', string, Replacements, object, ...string[]] => [
			'UBL',
			`several totals of the tax, which are added where there is no ${missing}`,
			{ [`cbc:${missing}`]: 'cbc:Other', [TOTAL]: taxTotal('1.50') + TOTAL },
			{ taxAmount: 24 },
			'missing or unreadable',
			'BR-CO-14',
		],
	),
	[
		'UBL',
		'amounts that are collected for others and are to be paid, too',
		{
			...EXTENSION,
			...prepaid(euros('PaidAmount', '19.96'), euros('PaidAmount', '10.00')),
			'PayableAmount currencyID="EUR">172.50': 'PayableAmount currencyID="EUR">202.46',
		},
		{ thirdPartyAmount: 29.96 },
	],
	[
		'UBL',
		'such amounts in another profile, which don’t count',
		{
			...prepaid(euros('PaidAmount', '29.96')),
			'PayableAmount currencyID="EUR">172.50': 'PayableAmount currencyID="EUR">202.46',
		},
		{ thirdPartyAmount: null },
		'what is left to pay',
	],
	[
		'UBL',
		'one of such amounts in another currency, which doesn’t count',
		{
			...EXTENSION,
			...prepaid(euros('PaidAmount', '1.5'), '<cbc:PaidAmount currencyID="SEK">9</cbc:PaidAmount>'),
		},
		{ thirdPartyAmount: 1.5 },
		'what is left to pay',
	],
])('An invoice in %s is read with %s', async (syntax, _what, replacements, expected, ...said) => {
	const { invoice, warnings } = await read(syntax, replacements);
	expect(invoice).toMatchObject(expected);
	expect(warnings.map(({ en }) => en)).toEqual(said.map((one) => expect.stringContaining(one) as string));
});

it.each([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
])('Whether it is a charge may be written as %s', async (text, isCharge) => {
	const charges: Record<keyof typeof SYNTAXES, Replacements> = {
		UBL: {
			[TOTAL]: `<cac:AllowanceCharge><cbc:ChargeIndicator>${text}</cbc:ChargeIndicator></cac:AllowanceCharge>${TOTAL}`,
		},
		CII: {
			[SETTLEMENT]: `<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>${text}</udt:Indicator></ram:ChargeIndicator></ram:SpecifiedTradeAllowanceCharge>${SETTLEMENT}`,
		},
	};
	for (const syntax of ['UBL', 'CII'] as const) {
		const { invoice } = await read(syntax, charges[syntax]);
		expect(invoice?.allowances).toEqual([expect.objectContaining({ isCharge })]);
	}
});

it('Of the terms of payment, each of the notes counts', async () => {
	const notes = ['Zahlbar sofort', '#SKONTO#TAGE=7#PROZENT=3.00#', '#SKONTO#TAGE=14#PROZENT=2.00#'];
	const ubl = notes.map((note) => `<cbc:Note>${note}</cbc:Note>`);
	const cii = notes.map((note) => `<ram:Description>${note}</ram:Description>`);
	const terms = {
		UBL: {
			[TOTAL]: `<cac:PaymentTerms>${ubl[0]}</cac:PaymentTerms><cac:PaymentTerms>${ubl[1]}${ubl[2]}</cac:PaymentTerms>${TOTAL}`,
		},
		CII: {
			'<ram:SpecifiedTradePaymentTerms>': `<ram:SpecifiedTradePaymentTerms>${cii[0]}</ram:SpecifiedTradePaymentTerms><ram:SpecifiedTradePaymentTerms>${cii[1]}${cii[2]}`,
		},
	};
	for (const syntax of ['UBL', 'CII'] as const)
		expect((await read(syntax, terms[syntax])).invoice).toMatchObject({
			paymentTerms: notes.join(' '),
			cashDiscounts: [
				{ days: 7, percent: 3 },
				{ days: 14, percent: 2 },
			],
		});
});

it('Of the accounts among which the buyer chooses, all are read, shown, and judged', async () => {
	const [other, wrong] = ['DE89370400440532013000', 'DE02120300000000202052'];
	const replacements = {
		UBL: {
			'</cac:PaymentMeans>': `</cac:PaymentMeans>${[other, wrong].map((iban) => `<cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:ID>${iban}</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>`).join('')}`,
		},
		CII: {
			'</ram:SpecifiedTradeSettlementPaymentMeans>': `</ram:SpecifiedTradeSettlementPaymentMeans>${[other, wrong].map((iban) => `<ram:SpecifiedTradeSettlementPaymentMeans><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>${iban}</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>`).join('')}`,
		},
	};
	for (const syntax of ['UBL', 'CII'] as const) {
		const { invoice, warnings } = await read(syntax, replacements[syntax]);
		expect(invoice).toMatchObject({ iban: ACCOUNT.iban, otherIbans: [other, wrong] });
		expect(warnings.map(({ en }) => en)).toEqual([
			expect.stringContaining(`check digits of the IBAN ${wrong} are wrong`),
		]);
		expect(viewOf(invoice!, warnings)).toContain(`${other}, ${wrong}`);
	}
});

describe('An invoice gives a warning about what can’t be read:', () => {
	it.each<[keyof typeof SYNTAXES, string, Replacements]>([
		['UBL', 'the invoice date', { '>2026-11-03<': '>x<' }],
		['CII', 'the invoice date', { '>20261103<': '>x<' }],
		[
			'UBL',
			'the total with tax',
			{ 'InclusiveAmount currencyID="EUR">172.50': 'InclusiveAmount currencyID="EUR">x' },
		],
		['CII', 'the total with tax', { 'GrandTotalAmount>119.00': 'GrandTotalAmount>x' }],
		['UBL', 'the tax', { '>22.50<': '>x<' }],
		['UBL', 'a tax rate', { '>7.00<': '>x<' }],
		['CII', 'a tax rate', { 'RateApplicablePercent>19': 'RateApplicablePercent>x' }],
		['UBL', 'an amount that is collected for others', { ...EXTENSION, ...prepaid(euros('PaidAmount', 'x')) }],
	])('in %s, %s', async (syntax, what, replacements) => {
		const { warnings } = await read(syntax, replacements);
		const none = what.endsWith('date') ? 'a date' : 'an amount';
		expect(warnings.map(({ en }) => en)).toContainEqual(
			expect.stringMatching(new RegExp(`Geschäftsregelfehler.*${what} is "x[^"]*", which isn't ${none}`)),
		);
	});
});

const TAX_CURRENCY = (code: string) => ({
	'<cbc:BuyerReference>': `<cbc:TaxCurrencyCode>${code}</cbc:TaxCurrencyCode><cbc:BuyerReference>`,
});

it('An invoice in UBL whose tax isn’t in the accounting currency, too, gives a warning', async () => {
	const IN_SEK = '<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">248.10</cbc:TaxAmount></cac:TaxTotal>';
	expect(await read('UBL', { ...TAX_CURRENCY('SEK'), [TOTAL]: IN_SEK + TOTAL })).toMatchObject({
		invoice: { taxAmount: 22.5, taxCurrency: 'SEK', taxAmountInTaxCurrency: 248.1, taxes: BOTH_RATES },
		warnings: [],
	});
	const { warnings } = await read('UBL', TAX_CURRENCY('SEK'));
	expect(warnings).toEqual([{ en: expect.stringContaining('BR-53'), de: expect.stringContaining('SEK') }]);
	expect((await read('UBL', TAX_CURRENCY('EUR'))).warnings).toEqual([]);
});

it('Of totals of the tax in UBL that lead nowhere, all are there', async () => {
	const { invoice, warnings } = await read('UBL', {
		[TOTAL]: taxTotal('5.00') + TOTAL,
		'>22.50<': '>20.00<',
	});
	expect(invoice).toMatchObject({ taxAmount: 25, taxes: BOTH_RATES });
	expect(warnings[0].en).toContain('the tax is given as 20.00 and as 5.00');
	expect(warnings.map(({ en }) => en).join()).toContain(
		'net plus tax is 175.00 EUR, but the total with tax is given as 172.50 EUR',
	);
});
