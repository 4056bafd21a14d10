/** What CII says in other places than the sample of read.test.mts, and what of it can't be read. */
import { expect, it } from 'vitest';

import { readInvoice } from '../../../../../nodes/shared/readers/eInvoice/read.js';
import { ciiInvoice } from '../../../../support/eInvoices.mjs';

const read = async (replacements: Record<string, string>) =>
	await readInvoice(Buffer.from(ciiInvoice(replacements)), 'x.xml');
const SETTLEMENT = '<ram:PaymentReference>';
const DUE = '<ram:DuePayableAmount>119.00';

it.each<[string, Record<string, string>, object, warning?: string]>([
	[
		'a trading name',
		{
			'<ram:Name>Papier Schmidt GmbH</ram:Name>':
				'<ram:SpecifiedLegalOrganization><ram:TradingBusinessName>Papier</ram:TradingBusinessName></ram:SpecifiedLegalOrganization>',
		},
		{ seller: { name: 'Papier' } },
	],
	[
		'no registrations',
		{ 'ram:SpecifiedTaxRegistration': 'ram:Other' },
		{ seller: { vatId: null, taxNumber: null } },
	],
	['an empty VAT ID', { '>DE123456789<': '> <' }, { seller: { vatId: null } }],
	['a VAT ID with spaces', { '>DE123456789<': '> DE1\n<' }, { seller: { vatId: 'DE1' } }],
	[
		'no buyer',
		{ 'ram:BuyerTradeParty': 'ram:Other' },
		{ buyer: { name: null, vatId: null } },
		"buyer's name",
	],
	[
		'a tax representative',
		{
			'</ram:SellerTradeParty>':
				'</ram:SellerTradeParty><ram:SellerTaxRepresentativeTradeParty><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE987654321</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTaxRepresentativeTradeParty>',
		},
		{ taxRepresentativeVatId: 'DE987654321', seller: { vatId: 'DE123456789' } },
	],
	[
		'an account behind a means without one',
		{
			[SETTLEMENT]: `<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>10</ram:TypeCode></ram:SpecifiedTradeSettlementPaymentMeans>${SETTLEMENT}`,
		},
		{ iban: 'DE02120300000000202051', bic: 'BYLADEM1001', accountName: 'Papier Schmidt' },
	],
	[
		'no account',
		{ 'ram:SpecifiedTradeSettlementPaymentMeans': 'ram:Other' },
		{ iban: null, bic: null, accountName: null },
	],
	[
		'a tax in the currency of the tax office',
		{
			[SETTLEMENT]: `<ram:ApplicableTradeTax><ram:CalculatedAmount currencyID="SEK">200</ram:CalculatedAmount></ram:ApplicableTradeTax>${SETTLEMENT}`,
		},
		{ taxes: [{ rate: 19 }] },
	],
	[
		'a total of the tax in the accounting currency',
		{
			'<ram:InvoiceCurrencyCode>': '<ram:TaxCurrencyCode>SEK</ram:TaxCurrencyCode><ram:InvoiceCurrencyCode>',
			'<ram:GrandTotalAmount>':
				'<ram:TaxTotalAmount currencyID="SEK">209.50</ram:TaxTotalAmount><ram:GrandTotalAmount>',
		},
		{ taxAmount: 19, taxCurrency: 'SEK', taxAmountInTaxCurrency: 209.5 },
	],
	[
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
		'what was paid in advance, and a rounding',
		{
			[DUE]: `<ram:TotalPrepaidAmount>19.00</ram:TotalPrepaidAmount><ram:RoundingAmount>0.01</ram:RoundingAmount><ram:DuePayableAmount>100.01`,
		},
		{ prepaidAmount: 19, roundingAmount: 0.01, payableAmount: 100.01 },
		'19.00 EUR of the total with tax is paid already',
	],
	[
		'terms with a discount only: the first',
		{
			'<ram:SpecifiedTradePaymentTerms>':
				'<ram:SpecifiedTradePaymentTerms><ram:Description>10 Tage</ram:Description></ram:SpecifiedTradePaymentTerms><ram:SpecifiedTradePaymentTerms><ram:ApplicableTradePaymentDiscountTerms/>',
		},
		{ dueDate: '2026-12-03' },
	],
	['no terms', { 'ram:SpecifiedTradePaymentTerms': 'ram:Other' }, { dueDate: null }],
	[
		'an invoice before it that has no number',
		{ '<ram:IssuerAssignedID>FX-0</ram:IssuerAssignedID>': '' },
		{ references: { precedingInvoices: [] } },
	],
])('An invoice in CII is read with %s', async (_what, replacements, expected, warning) => {
	const { invoice, warnings } = await read(replacements);
	expect(invoice).toMatchObject(expected);
	expect(warnings.map(({ en }) => en)).toEqual(warning ? [expect.stringContaining(warning)] : []);
});

it.each<[string, Record<string, string>]>([
	['the invoice date', { '>20261103<': '>x<' }],
	['the total with tax', { 'GrandTotalAmount>119.00': 'GrandTotalAmount>x' }],
	['a tax rate', { 'RateApplicablePercent>19': 'RateApplicablePercent>x' }],
])('An invoice in CII gives a warning about %s that can’t be read', async (what, replacements) => {
	const warnings = (await read(replacements)).warnings.map(({ en }) => en);
	const none = what.endsWith('date') ? 'a date' : 'an amount';
	expect(warnings).toContainEqual(
		expect.stringMatching(new RegExp(`Geschäftsregelfehler.*${what} is "x[^"]*", which isn't ${none}`)),
	);
});
