import { describe, expect, it } from 'vitest';

import type { Line } from '../../../../nodes/AccountingGatewayFiles/eInvoice/invoice.js';
import { readInvoice } from '../../../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { ciiInvoice, ublInvoice, zugferd1Invoice } from '../../../support/eInvoices.mjs';

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
	parent: null,
	status: null,
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
/** What both samples say, and what neither does. */
const COMMON = {
	kind: 'invoice',
	typeCode: '380',
	issueDate: '2026-11-03',
	dueDate: '2026-12-03',
	dueDates: ['2026-12-03'],
	instalments: [],
	deliveryDate: '2026-11-01',
	deliveryCountry: null,
	period: NEVER,
	taxRepresentativeVatId: null,
	payeeName: null,
	currency: 'EUR',
	taxCurrency: null,
	taxAmountInTaxCurrency: null,
	allowanceTotal: null,
	chargeTotal: null,
	prepaidAmount: null,
	roundingAmount: null,
	thirdPartyAmount: null,
	paymentMeans: '58',
	paymentTerms: null,
	cashDiscounts: [],
	directDebit: null,
	iban: 'DE02120300000000202051',
	otherIbans: [],
	bic: 'BYLADEM1001',
	accountName: 'Papier Schmidt',
	allowances: [],
};
const SELLER = {
	name: 'Papier Schmidt GmbH',
	vatId: 'DE123456789',
	taxNumber: '60/123/45678',
	street: 'Hauptstr. 1',
	postalCode: '28195',
	city: 'Bremen',
	country: 'DE',
	email: 'post@papier.example',
	ids: [],
};
const REFERENCES = { order: 'B-99', contract: 'V-7', project: 'P-1' };
const tax = (rate: number, base: number, amount: number) => ({
	rate,
	base,
	amount,
	category: 'S',
	exemptionReason: null,
});
const PAPER = { id: '1', name: 'Papier A4', quantity: 10, unit: 'XBX', price: 10, netAmount: 100 };

describe('An e-invoice is read', () => {
	it('in UBL', async () => {
		expect((await readInvoice(Buffer.from(ublInvoice()), 'x.xml')).invoice).toEqual({
			...COMMON,
			syntax: 'UBL',
			profile: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
			number: 'RE-4711',
			seller: { ...SELLER, name: 'Papier Schmidt GmbH & Co. KG' },
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
			grossAmount: 172.5,
			netAmount: 150,
			taxAmount: 22.5,
			taxes: [tax(19, 100, 19), tax(7, 50, 3.5)],
			lineTotal: 150,
			payableAmount: 172.5,
			references: {
				...REFERENCES,
				buyerReference: '04011000-12345-03',
				payment: 'RE-4711 / K-5',
				precedingInvoices: ['RE-4700'],
			},
			notes: ['Vielen Dank'],
			lines: [
				line({ ...PAPER, rate: 19 }),
				line({ id: '2', name: 'Fachbuch', quantity: 2, unit: 'H87', price: 25, netAmount: 50, rate: 7 }),
			],
			lineCount: 2,
			attachments: [{ id: 'Stundenzettel', description: null, fileName: 'a.pdf', url: null }],
		});
	});

	const CII = {
		...COMMON,
		number: 'FX-1',
		seller: SELLER,
		buyer: expect.objectContaining({ name: 'Käufer AG' }),
		grossAmount: 119,
		netAmount: 100,
		taxAmount: 19,
		taxes: [tax(19, 100, 19)],
		lineTotal: 100,
		payableAmount: 119,
		references: { ...REFERENCES, buyerReference: 'L-1', payment: 'FX-1 / K-5', precedingInvoices: ['FX-0'] },
		notes: [],
		lines: [line({ ...PAPER, category: null })],
		lineCount: 1,
		attachments: [],
	};

	it.each([
		['CII', ciiInvoice(), 'urn:cen.eu:en16931:2017'],
		['ZUGFeRD 1', zugferd1Invoice(), 'urn:ferd:CrossIndustryDocument:invoice:1p0:comfort'],
	])('in %s', async (syntax, xml, profile) => {
		const { invoice, warnings } = await readInvoice(Buffer.from(xml), 'x.xml');
		expect(invoice).toEqual({ ...CII, syntax, profile });
		if (syntax === 'CII') expect(warnings).toEqual([]);
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
	it('in another currency only are told', async () => {
		const { grossAmount, warnings } = await read(ublInvoice({ '>EUR<': '>USD<' }));
		expect(grossAmount).toBeNull();
		expect(warnings).toContainEqual(
			expect.stringContaining("the total with tax is in EUR, but the invoice's currency is USD"),
		);
		expect(warnings.join()).toMatch(/the tax is in another currency only/);
	});

	it('are added up exactly', async () => {
		const xml = ublInvoice({
			'>150.00<': '>0.30<',
			'>22.50<': '>0.03<',
			'>172.50<': '>0.33<',
			'>19.00<': '>0.02<',
			'>3.50<': '>0.01<',
			'>100.00<': '>0.10<',
			'>50.00<': '>0.20<',
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
