/** What UBL says in other places than the sample of read.test.mts, and what of it can't be read. */
import { expect, it } from 'vitest';

import { readInvoice } from '../../../../../nodes/shared/readers/eInvoice/read.js';
import { ublInvoice } from '../../../../support/eInvoices.mjs';

const read = async (replacements: Record<string, string>) =>
	await readInvoice(Buffer.from(ublInvoice(replacements)), 'x.xml');
const euros = (name: string, amount: string) => `<cbc:${name} currencyID="EUR">${amount}</cbc:${name}>`;

it.each<[string, Record<string, string>, object]>([
	['a trading name', { 'cac:PartyLegalEntity': 'cac:Other' }, { seller: { name: 'Papier' } }],
	['a VAT scheme in small letters', { '>VAT<': '>vat<' }, { seller: { vatId: 'DE123456789' } }],
	['a seller without a VAT ID', { '>VAT<': '>GST<' }, { seller: { vatId: null, taxNumber: '60/123/45678' } }],
	['no tax schemes', { 'cac:PartyTaxScheme': 'cac:Other' }, { seller: { vatId: null, taxNumber: null } }],
	[
		'a tax representative',
		{
			'<cac:PaymentMeans>':
				'<cac:TaxRepresentativeParty><cac:PartyTaxScheme><cbc:CompanyID>DE987654321</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme></cac:TaxRepresentativeParty><cac:PaymentMeans>',
		},
		{ taxRepresentativeVatId: 'DE987654321', seller: { vatId: 'DE123456789' } },
	],
	[
		'an account behind a means without one',
		{
			'<cac:PaymentMeans>':
				'<cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:Name>X</cbc:Name></cac:PayeeFinancialAccount></cac:PaymentMeans><cac:PaymentMeans>',
		},
		{ iban: 'DE02120300000000202051', bic: 'BYLADEM1001', accountName: 'Papier Schmidt' },
	],
	['no account', { 'cac:PayeeFinancialAccount': 'cac:Other' }, { iban: null, bic: null, accountName: null }],
	[
		'several invoices before it, one without a number',
		{
			'<cac:BillingReference>':
				'<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>RE-1</cbc:ID></cac:InvoiceDocumentReference><cac:InvoiceDocumentReference/></cac:BillingReference><cac:BillingReference>',
		},
		{ references: { precedingInvoices: ['RE-1', 'RE-4700'] } },
	],
	[
		'a rate beside the category',
		{
			'<cbc:Percent>7.00</cbc:Percent></cac:TaxCategory>': '</cac:TaxCategory><cbc:Percent>7.0</cbc:Percent>',
		},
		{ taxes: [{ rate: 19 }, { rate: 7 }] },
	],
	[
		'reasons for no tax',
		{
			'<cbc:Percent>19': '<cbc:TaxExemptionReason>Ausfuhr</cbc:TaxExemptionReason><cbc:Percent>19',
			'<cbc:Percent>7.00':
				'<cbc:TaxExemptionReasonCode>VATEX-EU-G</cbc:TaxExemptionReasonCode><cbc:Percent>7.00',
		},
		{ taxes: [{ exemptionReason: 'Ausfuhr' }, { exemptionReason: 'VATEX-EU-G' }] },
	],
	[
		'a due date in the terms of payment',
		{
			'<cbc:DueDate>2026-12-03</cbc:DueDate>':
				'<cac:PaymentTerms><cbc:PaymentDueDate>2026-12-04</cbc:PaymentDueDate></cac:PaymentTerms>',
		},
		{ dueDate: '2026-12-04' },
	],
	['no taxes', { 'cac:TaxTotal>': 'cac:Other>' }, { taxAmount: null, taxes: [] }],
	['no profile', { 'cbc:CustomizationID': 'cbc:Other' }, { profile: null, thirdPartyAmount: null }],
	[
		'no seller',
		{ 'cac:AccountingSupplierParty': 'cac:Other' },
		{ seller: { name: null, vatId: null, taxNumber: null, city: null } },
	],
	[
		'a registration without a scheme, which is not that for VAT',
		{ '<cac:TaxScheme><cbc:ID>FC</cbc:ID></cac:TaxScheme>': '' },
		{ seller: { vatId: 'DE123456789', taxNumber: '60/123/45678' } },
	],
	[
		'the total of the tax once more without its parts, which doesn’t count',
		{
			'<cac:LegalMonetaryTotal>': `<cac:TaxTotal>${euros('TaxAmount', '22.50')}</cac:TaxTotal><cac:LegalMonetaryTotal>`,
		},
		{ taxAmount: 22.5, taxes: [{ rate: 19 }, { rate: 7 }] },
	],
	...['TaxInclusiveAmount', 'TaxExclusiveAmount'].map((missing): [string, Record<string, string>, object] => [
		`several totals of the tax, which are added where there is no ${missing}`,
		{
			[`cbc:${missing}`]: 'cbc:Other',
			'<cac:LegalMonetaryTotal>': `<cac:TaxTotal>${euros('TaxAmount', '1.50')}</cac:TaxTotal><cac:LegalMonetaryTotal>`,
		},
		{ taxAmount: 24 },
	]),
])('An invoice in UBL is read with %s', async (_what, replacements, expected) => {
	expect((await read(replacements)).invoice).toMatchObject(expected);
});

it.each<[string, Record<string, string>]>([
	['the invoice date', { '>2026-11-03<': '>x<' }],
	[
		'the total with tax',
		{ 'TaxInclusiveAmount currencyID="EUR">172.50': 'TaxInclusiveAmount currencyID="EUR">x' },
	],
	['the tax', { '>22.50<': '>x<' }],
	['a tax rate', { '>7.00<': '>x<' }],
	[
		'an amount that is collected for others',
		{
			'xrechnung_3.0': 'xrechnung_3.0#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0',
			'<cac:TaxTotal>': `<cac:PrepaidPayment>${euros('PaidAmount', 'x')}</cac:PrepaidPayment><cac:TaxTotal>`,
		},
	],
])('An invoice in UBL gives a warning about %s that can’t be read', async (what, replacements) => {
	const warnings = (await read(replacements)).warnings.map(({ en }) => en);
	const none = what.endsWith('date') ? 'a date' : 'an amount';
	expect(warnings).toContainEqual(
		expect.stringMatching(new RegExp(`Geschäftsregelfehler.*${what} is "x", which isn't ${none}`)),
	);
});

const IN_SEK = {
	'<cbc:BuyerReference>': '<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode><cbc:BuyerReference>',
};
const TAX_IN_SEK =
	'<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">248.10</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>';

it('An invoice in UBL whose tax isn’t in the accounting currency, too, gives a warning', async () => {
	const whole = await read({ ...IN_SEK, '<cac:LegalMonetaryTotal>': TAX_IN_SEK });
	expect(whole).toMatchObject({
		invoice: { taxAmount: 22.5, taxCurrency: 'SEK', taxAmountInTaxCurrency: 248.1 },
		warnings: [],
	});
	const { warnings } = await read(IN_SEK);
	expect(warnings).toEqual([{ en: expect.stringContaining('BR-53'), de: expect.stringContaining('SEK') }]);
	const same = {
		'<cbc:BuyerReference>': '<cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode><cbc:BuyerReference>',
	};
	expect((await read(same)).warnings).toEqual([]);
});

it('What an invoice in UBL collects for others in another currency doesn’t count', async () => {
	const { invoice } = await read({
		'xrechnung_3.0': 'xrechnung_3.0#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0',
		'<cac:TaxTotal>': `<cac:PrepaidPayment>${euros('PaidAmount', '1.5')}</cac:PrepaidPayment><cac:PrepaidPayment><cbc:PaidAmount currencyID="SEK">9</cbc:PaidAmount></cac:PrepaidPayment><cac:TaxTotal>`,
	});
	expect(invoice?.thirdPartyAmount).toBe(1.5);
});

it('Of totals of the tax in UBL that lead nowhere, all are there', async () => {
	const second = `<cac:TaxTotal>${euros('TaxAmount', '5.00')}</cac:TaxTotal><cac:LegalMonetaryTotal>`;
	const { invoice, warnings } = await read({ '<cac:LegalMonetaryTotal>': second, '>22.50<': '>20.00<' });
	expect(invoice).toMatchObject({ taxAmount: 25, taxes: [{ rate: 19 }, { rate: 7 }] });
	expect(warnings[0].en).toContain('the tax is given as 20.00 and as 5.00');
	expect(warnings[1].en).toContain(
		'net plus tax is 175.00 EUR, but the total with tax is given as 172.50 EUR',
	);
});
