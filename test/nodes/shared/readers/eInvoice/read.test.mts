import { describe, expect, it } from 'vitest';

import type { Line } from '../../../../../nodes/shared/readers/eInvoice/invoice.js';
import { readInvoice } from '../../../../../nodes/shared/readers/eInvoice/read.js';
import { ciiInvoice, ublInvoice, zugferd1Invoice } from '../../../../support/eInvoices.mjs';

const read = async (content: string | Uint8Array, name = 'invoice.xml') => {
	const { invoice, warnings, problem } = await readInvoice(Buffer.from(content as string), name);
	return {
		...invoice,
		isEInvoice: invoice !== undefined,
		warnings: warnings.map(({ en }) => en),
		problem: problem?.en,
	};
};

const NEVER = { from: null, to: null };
const line = (own: Partial<Line>): Line => ({
	id: null,
	name: null,
	description: null,
	quantity: null,
	unit: null,
	price: null,
	priceQuantity: null,
	allowances: [],
	netAmount: null,
	category: 'S',
	rate: null,
	period: NEVER,
	...own,
});
const TOTALS = { grossAmount: 119, netAmount: 100, taxAmount: 19, currency: 'EUR' };

describe('An e-invoice is read', () => {
	it('in UBL', async () => {
		expect((await readInvoice(Buffer.from(ublInvoice()), 'x.xml')).invoice).toEqual({
			kind: 'invoice',
			syntax: 'UBL',
			profile: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
			typeCode: '380',
			number: 'RE-4711',
			issueDate: '2026-11-03',
			dueDate: '2026-12-03',
			dueDates: ['2026-12-03'],
			deliveryDate: '2026-11-01',
			period: NEVER,
			seller: {
				name: 'Papier Schmidt GmbH & Co. KG',
				vatId: 'DE123456789',
				taxNumber: '60/123/45678',
				street: 'Hauptstr. 1',
				postalCode: '28195',
				city: 'Bremen',
				country: 'DE',
				email: 'post@papier.example',
				ids: [],
			},
			buyer: {
				name: 'Käufer AG',
				vatId: null,
				taxNumber: null,
				street: 'Markt 2',
				postalCode: '10115',
				city: 'Berlin',
				country: 'DE',
				email: null,
				ids: [],
			},
			taxRepresentativeVatId: null,
			payeeName: null,
			currency: 'EUR',
			grossAmount: 172.5,
			netAmount: 150,
			taxAmount: 22.5,
			taxCurrency: null,
			taxAmountInTaxCurrency: null,
			taxes: [
				{ rate: 19, base: 100, amount: 19, category: 'S', exemptionReason: null },
				{ rate: 7, base: 50, amount: 3.5, category: 'S', exemptionReason: null },
			],
			lineTotal: 150,
			allowanceTotal: null,
			chargeTotal: null,
			prepaidAmount: null,
			roundingAmount: null,
			thirdPartyAmount: null,
			payableAmount: 172.5,
			paymentMeans: '58',
			paymentTerms: null,
			cashDiscounts: [],
			iban: 'DE02120300000000202051',
			bic: 'BYLADEM1001',
			accountName: 'Papier Schmidt',
			references: {
				buyerReference: '04011000-12345-03',
				order: 'B-99',
				contract: 'V-7',
				project: 'P-1',
				payment: 'RE-4711 / K-5',
				precedingInvoices: ['RE-4700'],
			},
			notes: ['Vielen Dank'],
			allowances: [],
			lines: [
				line({ id: '1', name: 'Papier A4', quantity: 10, unit: 'XBX', price: 10, netAmount: 100, rate: 19 }),
				line({ id: '2', name: 'Fachbuch', quantity: 2, unit: 'H87', price: 25, netAmount: 50, rate: 7 }),
			],
			lineCount: 2,
			attachments: [{ id: 'Stundenzettel', description: null, fileName: 'a.pdf', url: null }],
		});
	});

	const CII = {
		kind: 'invoice',
		typeCode: '380',
		number: 'FX-1',
		issueDate: '2026-11-03',
		dueDate: '2026-12-03',
		dueDates: ['2026-12-03'],
		deliveryDate: '2026-11-01',
		period: NEVER,
		seller: {
			name: 'Papier Schmidt GmbH',
			vatId: 'DE123456789',
			taxNumber: '60/123/45678',
			street: 'Hauptstr. 1',
			postalCode: '28195',
			city: 'Bremen',
			country: 'DE',
			email: 'post@papier.example',
			ids: [],
		},
		buyer: expect.objectContaining({ name: 'Käufer AG' }),
		taxRepresentativeVatId: null,
		payeeName: null,
		...TOTALS,
		taxCurrency: null,
		taxAmountInTaxCurrency: null,
		taxes: [{ rate: 19, base: 100, amount: 19, category: 'S', exemptionReason: null }],
		lineTotal: 100,
		allowanceTotal: null,
		chargeTotal: null,
		prepaidAmount: null,
		roundingAmount: null,
		thirdPartyAmount: null,
		payableAmount: 119,
		paymentMeans: '58',
		paymentTerms: null,
		cashDiscounts: [],
		iban: 'DE02120300000000202051',
		bic: 'BYLADEM1001',
		accountName: 'Papier Schmidt',
		references: {
			buyerReference: 'L-1',
			order: 'B-99',
			contract: 'V-7',
			project: 'P-1',
			payment: 'FX-1 / K-5',
			precedingInvoices: ['FX-0'],
		},
		notes: [],
		allowances: [],
		lines: [
			line({
				id: '1',
				name: 'Papier A4',
				quantity: 10,
				unit: 'XBX',
				price: 10,
				priceQuantity: null,
				allowances: [],
				netAmount: 100,
				category: null,
			}),
		],
		lineCount: 1,
		attachments: [],
	};

	it('in CII', async () => {
		const { invoice, warnings } = await readInvoice(Buffer.from(ciiInvoice()), 'x.xml');
		expect(invoice).toEqual({ ...CII, syntax: 'CII', profile: 'urn:cen.eu:en16931:2017' });
		expect(warnings).toEqual([]);
	});

	it('in ZUGFeRD 1', async () => {
		const profile = 'urn:ferd:CrossIndustryDocument:invoice:1p0:comfort';
		const { invoice } = await readInvoice(Buffer.from(zugferd1Invoice()), 'x.xml');
		expect(invoice).toEqual({ ...CII, syntax: 'ZUGFeRD 1', profile });
	});

	it('as a credit note in UBL, with the signs that it gives', async () => {
		const creditNote = ublInvoice({
			'schema:xsd:Invoice-2': 'schema:xsd:CreditNote-2',
			'<Invoice ': '<CreditNote ',
			'</Invoice>': '</CreditNote>',
			InvoiceTypeCode: 'CreditNoteTypeCode',
			'>380<': '>381<',
			InvoiceLine: 'CreditNoteLine',
			'<cbc:DueDate>2026-12-03</cbc:DueDate>': '',
			'<cbc:PaymentMeansCode>58</cbc:PaymentMeansCode>':
				'<cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cbc:PaymentDueDate>2026-12-04</cbc:PaymentDueDate>',
		});
		expect(await read(creditNote)).toMatchObject({
			typeCode: '381',
			grossAmount: 172.5,
			dueDate: '2026-12-04',
			warnings: [expect.stringMatching(/credit note.*positive, but reduce/)],
		});
		const untyped = creditNote.replace(/<cbc:CreditNoteTypeCode>.+<\/cbc:CreditNoteTypeCode>/, '');
		expect(await read(untyped)).toMatchObject({
			typeCode: '381',
			warnings: [expect.stringMatching(/credit note.*positive, but reduce/)],
		});
		expect(await read(creditNote.replace('>381<', '>384<'))).toMatchObject({
			typeCode: '384',
			warnings: [
				expect.stringMatching(/type is 384, but the document is a credit note/),
				expect.stringMatching(/credit note/),
			],
		});
		const negative = creditNote.replace(/(<cbc:\w+Amount [^>]+>)/g, '$1-');
		expect(await read(negative)).toMatchObject({
			grossAmount: -172.5,
			netAmount: -150,
			taxAmount: -22.5,
			taxes: [{ rate: 19, base: -100, amount: -19 }, { amount: -3.5 }],
			warnings: [expect.stringMatching(/credit note.*Ask which way the money goes/)],
		});
	});

	it('whichever prefixes the namespaces have', async () => {
		const other = ublInvoice({
			'xmlns:cac': 'xmlns:a',
			'xmlns:cbc': 'xmlns:b',
			'<cac:': '<a:',
			'</cac:': '</a:',
			'<cbc:': '<b:',
			'</cbc:': '</b:',
		});
		expect(await read(other)).toMatchObject({ number: 'RE-4711', grossAmount: 172.5 });
	});

	it('without what other namespaces have under the same names', async () => {
		const foreign =
			'<x:ID xmlns:x="urn:x">WRONG</x:ID><ext xmlns="urn:y"><cbc:ID>WRONG</cbc:ID></ext><cbc:CustomizationID>';
		expect(await read(ublInvoice({ '<cbc:CustomizationID>': foreign }))).toMatchObject({ number: 'RE-4711' });
	});

	it('within the envelope of Peppol', async () => {
		const envelope = (content: string) =>
			`<StandardBusinessDocument xmlns="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"><StandardBusinessDocumentHeader><HeaderVersion>1.0</HeaderVersion></StandardBusinessDocumentHeader>${content}<Other/></StandardBusinessDocument>`;
		const [, content] = ublInvoice().split('?>');
		// Of two invoices, the first one counts.
		expect(await read(envelope(content + content.replace('RE-4711', 'RE-2')))).toMatchObject({
			number: 'RE-4711',
			grossAmount: 172.5,
			taxes: [{ rate: 19 }, { rate: 7 }],
		});
		expect(await read(envelope('<order/>'))).toMatchObject({ isEInvoice: false, problem: undefined });
	});

	it('with the due date without discount, of several', async () => {
		const terms = (day: string, more = '') =>
			`<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">${day}</udt:DateTimeString></ram:DueDateDateTime>${more}</ram:SpecifiedTradePaymentTerms>`;
		const discount = '<ram:ApplicableTradePaymentDiscountTerms/>';
		const xml = ciiInvoice({ [terms('20261203')]: terms('20261110', discount) + terms('20261203') });
		expect(await read(xml)).toMatchObject({ dueDate: '2026-12-03' });
	});
});

describe('Amounts of an e-invoice', () => {
	it('in the currency of the tax office are left out', async () => {
		const ubl = ublInvoice({
			'<cac:LegalMonetaryTotal>':
				'<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">250.00</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>',
		});
		expect(await read(ubl)).toMatchObject({
			taxAmount: 22.5,
			taxes: [{ rate: 19 }, { rate: 7 }],
			warnings: [],
		});
		const cii = ciiInvoice({
			'<ram:TaxTotalAmount currencyID="EUR">':
				'<ram:TaxTotalAmount currencyID="SEK">210.00</ram:TaxTotalAmount><ram:TaxTotalAmount currencyID="EUR">',
		});
		expect(await read(cii)).toMatchObject({ ...TOTALS, warnings: [] });
	});

	it('in another currency only are told', async () => {
		const { grossAmount, warnings } = await read(ublInvoice({ '>EUR<': '>USD<' }));
		expect(grossAmount).toBeNull();
		expect(warnings).toContainEqual(
			expect.stringContaining("the total with tax is in EUR, but the invoice's currency is USD"),
		);
		expect(warnings.join()).toMatch(/the tax is in another currency only/);
	});

	it('of taxes in several totals are added up, where they lead to the gross amount', async () => {
		const second =
			'<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">1.50</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">150.00</cbc:TaxableAmount><cbc:TaxAmount currencyID="EUR">1.50</cbc:TaxAmount></cac:TaxSubtotal></cac:TaxTotal><cac:LegalMonetaryTotal>';
		const added = ublInvoice({
			'<cac:LegalMonetaryTotal>': second,
			'currencyID="EUR">172.50': 'currencyID="EUR">174.00',
		});
		expect(await read(added)).toMatchObject({ taxAmount: 24, grossAmount: 174, warnings: [] });
		const repeated = ublInvoice({ '<cac:LegalMonetaryTotal>': second });
		expect(await read(repeated)).toMatchObject({
			taxAmount: 22.5,
			taxes: [{ rate: 19 }, { rate: 7 }],
			// BR-CO-15 allows one total in the invoice's currency.
			warnings: [
				'Business-rule error (Geschäftsregelfehler): in the invoice, the tax is given as 22.50 and as 1.50. Check it yourself.',
			],
		});
	});

	it('are understood with what was paid in advance, rounding, allowances and charges', async () => {
		const xml = ublInvoice({
			'<cbc:PayableAmount currencyID="EUR">172.50':
				'<cbc:AllowanceTotalAmount currencyID="EUR">10</cbc:AllowanceTotalAmount><cbc:ChargeTotalAmount currencyID="EUR">10</cbc:ChargeTotalAmount><cbc:PrepaidAmount currencyID="EUR">100.00</cbc:PrepaidAmount><cbc:PayableRoundingAmount currencyID="EUR">-0.02</cbc:PayableRoundingAmount><cbc:PayableAmount currencyID="EUR">72.48',
		});
		expect(await read(xml)).toMatchObject({
			grossAmount: 172.5,
			prepaidAmount: 100,
			roundingAmount: -0.02,
			payableAmount: 72.48,
			warnings: [expect.stringMatching(/^100\.00 EUR.*paid already/)],
		});
	});

	it('that are collected for others are to be paid, too (XRechnung Extension)', async () => {
		const payments =
			'<cac:PrepaidPayment><cbc:PaidAmount currencyID="EUR">19.96</cbc:PaidAmount></cac:PrepaidPayment><cac:PrepaidPayment><cbc:PaidAmount currencyID="EUR">10.00</cbc:PaidAmount></cac:PrepaidPayment><cac:TaxTotal>';
		const replacements = {
			'<cac:TaxTotal>': payments,
			'PayableAmount currencyID="EUR">172.50': 'PayableAmount currencyID="EUR">202.46',
		};
		const extension = {
			'xrechnung_3.0': 'xrechnung_3.0#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0',
		};
		expect(await read(ublInvoice({ ...replacements, ...extension }))).toMatchObject({
			thirdPartyAmount: 29.96,
			warnings: [],
		});
		expect(await read(ublInvoice(replacements))).toMatchObject({
			thirdPartyAmount: null,
			warnings: [expect.stringMatching(/what is left to pay/)],
		});
	});

	it('are added up exactly', async () => {
		const xml = ublInvoice({
			'>150.00<': '>0.10<',
			'>22.50<': '>0.20<',
			'>172.50<': '>0.30<',
			'>19.00<': '>0.15<',
			'>3.50<': '>0.05<',
			'>100.00<': '>0.80<',
			'>50.00<': '>-0.70<',
		});
		expect((await read(xml)).warnings).toEqual([]);
	});
});

describe('A file that is no e-invoice', () => {
	it.each<[string, string | Uint8Array, string]>([
		['a picture', Buffer.from('ffd8ffe000104a464946', 'hex'), 'foto.jpg'],
		['text', 'Guten Tag', 'mail.txt'],
		['HTML', '<!DOCTYPE html><html><br></html>', 'mail.html'],
		[
			'other XML',
			'<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"/>',
			'a.xml',
		],
		['XML that breaks behind its beginning', '<order><br></order>', 'a.xml'],
	])('passes: %s', async (_, content, name) => {
		expect(await read(content, name)).toEqual({ isEInvoice: false, warnings: [] });
	});
});
