import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { readEInvoice } from '../../../../nodes/shared/eInvoice/read.js';
import { ciiInvoice, pdf, pdfWith, ublInvoice, zugferd1Invoice } from '../../../support/eInvoices.mjs';

const read = async (content: string | Uint8Array, name = 'invoice.xml') => {
	const { invoice, warnings, problem, attachment } = await readEInvoice(Buffer.from(content as string), name);
	return { ...invoice, isEInvoice: invoice !== undefined, warnings, problem, attachment };
};

const TOTALS = { grossAmount: 119, netAmount: 100, taxAmount: 19, currency: 'EUR' };

describe('what is read', () => {
	it('of UBL', async () => {
		expect((await readEInvoice(Buffer.from(ublInvoice()), 'x.xml')).invoice).toEqual({
			syntax: 'UBL',
			profile: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
			typeCode: '380',
			number: 'RE-4711',
			issueDate: '2026-11-03',
			dueDate: '2026-12-03',
			deliveryDate: '2026-11-01',
			seller: {
				name: 'Papier Schmidt GmbH & Co. KG',
				vatId: 'DE123456789',
				taxNumber: '60/123/45678',
				street: 'Hauptstr. 1',
				postalCode: '28195',
				city: 'Bremen',
				country: 'DE',
				email: 'post@papier.example',
			},
			buyer: {
				name: 'Käufer AG',
				vatId: null,
				taxNumber: null,
				street: null,
				postalCode: null,
				city: null,
				country: null,
				email: null,
			},
			currency: 'EUR',
			grossAmount: 172.5,
			netAmount: 150,
			taxAmount: 22.5,
			taxes: [
				{ rate: 19, base: 100, amount: 19, category: 'S', exemptionReason: null },
				{ rate: 7, base: 50, amount: 3.5, category: 'S', exemptionReason: null },
			],
			prepaidAmount: null,
			roundingAmount: null,
			thirdPartyAmount: null,
			payableAmount: 172.5,
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
		});
	});

	const CII = {
		typeCode: '380',
		number: 'FX-1',
		issueDate: '2026-11-03',
		dueDate: '2026-12-03',
		deliveryDate: '2026-11-01',
		seller: {
			name: 'Papier Schmidt GmbH',
			vatId: 'DE123456789',
			taxNumber: '60/123/45678',
			street: 'Hauptstr. 1',
			postalCode: '28195',
			city: 'Bremen',
			country: 'DE',
			email: 'post@papier.example',
		},
		buyer: expect.objectContaining({ name: 'Käufer AG' }),
		...TOTALS,
		taxes: [{ rate: 19, base: 100, amount: 19, category: 'S', exemptionReason: null }],
		prepaidAmount: null,
		roundingAmount: null,
		thirdPartyAmount: null,
		payableAmount: 119,
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
	};

	it('of CII', async () => {
		const { invoice, warnings } = await readEInvoice(Buffer.from(ciiInvoice()), 'x.xml');
		expect(invoice).toEqual({ ...CII, syntax: 'CII', profile: 'urn:cen.eu:en16931:2017' });
		expect(warnings).toEqual([]);
	});

	it('of ZUGFeRD 1', async () => {
		const profile = 'urn:ferd:CrossIndustryDocument:invoice:1p0:comfort';
		const { invoice } = await readEInvoice(Buffer.from(zugferd1Invoice()), 'x.xml');
		expect(invoice).toEqual({ ...CII, syntax: 'ZUGFeRD 1', profile });
	});

	it('of a UBL credit note, with the signs that it gives', async () => {
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
		const negative = creditNote.replace(/(<cbc:\w+Amount [^>]+>)/g, '$1-');
		expect(await read(negative)).toMatchObject({
			grossAmount: -172.5,
			netAmount: -150,
			taxAmount: -22.5,
			taxes: [{ rate: 19, base: -100, amount: -19 }, { amount: -3.5 }],
			warnings: [expect.stringMatching(/credit note.*negative, as in the document/)],
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

	it('but nothing of other namespaces with the same names', async () => {
		const foreign =
			'<x:ID xmlns:x="urn:x">WRONG</x:ID><ext xmlns="urn:y"><cbc:ID>WRONG</cbc:ID></ext><cbc:CustomizationID>';
		expect(await read(ublInvoice({ '<cbc:CustomizationID>': foreign }))).toMatchObject({ number: 'RE-4711' });
		expect(await read(ublInvoice({ 'xsd:Invoice-2': 'xsd:Order-2' }))).toMatchObject({
			isEInvoice: false,
			problem: undefined,
		});
	});

	it('within the envelope of Peppol', async () => {
		const envelope = (content: string) =>
			`<StandardBusinessDocument xmlns="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"><StandardBusinessDocumentHeader><HeaderVersion>1.0</HeaderVersion></StandardBusinessDocumentHeader>${content}<Other/></StandardBusinessDocument>`;
		const [, content] = ublInvoice().split('?>');
		expect(await read(envelope(content))).toMatchObject({ number: 'RE-4711', grossAmount: 172.5 });
		expect(await read(envelope('<order/>'))).toMatchObject({ isEInvoice: false, problem: undefined });
	});

	it.each([
		['2026-11-03', '2026-11-03'],
		['2026-11-03+01:00', '2026-11-03'],
		['2026-11-03Z', '2026-11-03'],
		['20261103', '2026-11-03'],
		['2026-02-30', null],
		['03.11.2026', null],
	])('the day %s', async (text, day) => {
		const { issueDate, warnings } = await read(ublInvoice({ '2026-11-03': text }));
		expect(issueDate).toBe(day);
		expect(warnings.join()).toMatch(day ? /^$/ : /the invoice date is ".*", which isn't a date/);
	});

	it('cuts no emoji of a text in a warning in half', async () => {
		const { warnings } = await read(ublInvoice({ '2026-11-03': `${'x'.repeat(38)}🧾🧾` }));
		expect(warnings.join()).toContain(`"${'x'.repeat(38)}…", which isn't a date`);
	});

	it.each([
		['102', '20261103', '2026-11-03'],
		['203', '202611032359', '2026-11-03'],
		['204', '20261103235959', '2026-11-03'],
		['205', '202611032330+0100', '2026-11-03'],
		['610', '202611', null],
	])('the day in the format %s', async (format, text, day) => {
		const xml = ciiInvoice({ 'format="102">20261103': `format="${format}">${text}` });
		expect(await read(xml)).toMatchObject({ issueDate: day });
	});

	it('the due date without discount, of several', async () => {
		const terms = (day: string, more = '') =>
			`<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">${day}</udt:DateTimeString></ram:DueDateDateTime>${more}</ram:SpecifiedTradePaymentTerms>`;
		const discount = '<ram:ApplicableTradePaymentDiscountTerms/>';
		const xml = ciiInvoice({ [terms('20261203')]: terms('20261110', discount) + terms('20261203') });
		expect(await read(xml)).toMatchObject({ dueDate: '2026-12-03' });
	});
});

describe('amounts', () => {
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
		expect(warnings).toContain(
			"In the invoice, the total with tax is in EUR, but the invoice's currency is USD. Check it yourself.",
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
			warnings: [],
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
			warnings: [],
		});
	});

	it.each<[string, Record<string, string>, RegExp]>([
		[
			'net plus tax',
			{
				'TaxInclusiveAmount currencyID="EUR">172.50': 'TaxInclusiveAmount currencyID="EUR">172.51',
				'PayableAmount currencyID="EUR">172.50': 'PayableAmount currencyID="EUR">172.51',
			},
			/net plus tax is 172\.50 EUR, but the total with tax is given as 172\.51 EUR/,
		],
		[
			'the taxes',
			{ 'currencyID="EUR">3.50': 'currencyID="EUR">3.60' },
			/the sum of the taxes is 22\.60 EUR, but the tax is given as 22\.50 EUR/,
		],
		[
			'a tax and its rate',
			{ '<cbc:Percent>19<': '<cbc:Percent>9<' },
			/9 % of 100\.00 EUR is 9\.00 EUR, but that tax is given as 19\.00 EUR/,
		],
		[
			'the rest to pay',
			{ 'PayableAmount currencyID="EUR">172.50': 'PayableAmount currencyID="EUR">72.50' },
			/what is left to pay is 172\.50 EUR, but the amount to pay is given as 72\.50 EUR/,
		],
	])('that do not add up are told with both numbers: %s', async (_, replacements, expected) => {
		const { warnings, isEInvoice } = await read(ublInvoice(replacements));
		expect(isEInvoice).toBe(true);
		expect(warnings).toHaveLength(1);
		expect(warnings[0]).toMatch(expected);
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

	it('to pay may be less in the profile Minimum, which has no place for what was paid in advance', async () => {
		const { warnings } = await read(
			ciiInvoice({
				'urn:cen.eu:en16931:2017': 'urn:factur-x.eu:1p0:minimum',
				'<ram:DuePayableAmount>119.00': '<ram:DuePayableAmount>19.00',
			}),
		);
		expect(warnings).toEqual([expect.stringMatching(/MINIMUM/)]);
	});

	it('are added up exactly', async () => {
		const xml = ublInvoice({
			'>150.00<': '>0.10<',
			'>22.50<': '>0.20<',
			'>172.50<': '>0.30<',
			'>19.00<': '>0.15<',
			'>3.50<': '>0.05<',
			'>100.00<': '>0.80<',
			'>50.00<': '>0.70<',
		});
		expect((await read(xml)).warnings).toEqual([]);
	});

	it.each(['1.234,50', '172,50', '1e2', '0x10', 'NaN', '12345678901234567', '--5', '١٧'])(
		'that are none are told: %s',
		async (text) => {
			const { grossAmount, warnings } = await read(
				ublInvoice({
					'TaxInclusiveAmount currencyID="EUR">172.50': `TaxInclusiveAmount currencyID="EUR">${text}`,
				}),
			);
			expect(grossAmount).toBeNull();
			expect(warnings[0]).toContain(`the total with tax is "${text}", which isn't an amount`);
		},
	);

	it.each([
		[' +172.50 ', 172.5],
		['172.5000', 172.5],
		['.5', 0.5],
		['-0.00', 0],
		['17<!-- -->2.50', 172.5],
		['<![CDATA[172.50]]>', 172.5],
	])('may be written as %s', async (text, amount) => {
		const { grossAmount } = await read(
			ublInvoice({
				'TaxInclusiveAmount currencyID="EUR">172.50': `TaxInclusiveAmount currencyID="EUR">${text}`,
			}),
		);
		expect(grossAmount).toBe(amount);
	});

	it('that are missing are told', async () => {
		const { warnings } = await read(
			ublInvoice({ 'cbc:TaxInclusiveAmount': 'cbc:Other', '<cbc:ID>RE-4711</cbc:ID>': '' }),
		);
		expect(warnings[0]).toBe(
			'Missing or unreadable in the invoice: invoice number, total with tax. Check it yourself.',
		);
	});
});

describe('a profile with too little', () => {
	it.each([
		['urn:factur-x.eu:1p0:minimum', /MINIMUM.*the PDF counts/],
		['urn:zugferd.de:2p0:basicwl', /BASIC WL.*the PDF counts/],
	])('is told: %s', async (profile, expected) => {
		const { warnings } = await read(ciiInvoice({ 'urn:cen.eu:en16931:2017': profile }));
		expect(warnings).toEqual([expect.stringMatching(expected)]);
	});
});

describe('characters', () => {
	const umlaut = (encoding: string) => ublInvoice({ 'encoding="UTF-8"': `encoding="${encoding}"` });
	const utf16 = (text: string) => Buffer.from(text, 'utf16le');

	it.each<[string, Uint8Array]>([
		['UTF-8', Buffer.from(umlaut('UTF-8'))],
		['UTF-8 with a byte order mark', Buffer.from(`\ufeff${umlaut('utf-8')}`)],
		['UTF-8 that is called UTF-16', Buffer.from(umlaut('utf-16'))],
		['UTF-8 with an unknown name', Buffer.from(umlaut('x-none'))],
		['ISO-8859-1', Buffer.from(umlaut('ISO-8859-1'), 'latin1')],
		['Windows-1252', Buffer.from(umlaut('windows-1252'), 'latin1')],
		['UTF-16 with a byte order mark', utf16(`\ufeff${umlaut('UTF-16')}`)],
		['UTF-16 without', utf16(umlaut('UTF-16'))],
		['UTF-16, big end first', utf16(`\ufeff${umlaut('UTF-16')}`).swap16()],
		['UTF-16, big end first, without a mark', utf16(umlaut('UTF-16')).swap16()],
		['zeros and lines behind the end', Buffer.from(`\n ${umlaut('UTF-8')}\n\0\0\0`)],
	])('of %s', async (_, bytes) => {
		expect(await read(bytes)).toMatchObject({
			buyer: { name: 'Käufer AG' },
			grossAmount: 172.5,
			warnings: [],
		});
	});

	it('that are not what the file says are told', async () => {
		const { buyer, grossAmount, warnings } = await read(Buffer.from(umlaut('UTF-8'), 'latin1'));
		expect({ name: buyer?.name, grossAmount }).toEqual({ name: 'Käufer AG', grossAmount: 172.5 });
		expect(warnings).toEqual([expect.stringMatching(/stored as UTF-8, but they aren't\. Check the umlauts/)]);
	});
});

describe('a PDF', () => {
	const xml = ciiInvoice();
	const zipped = { data: deflateSync(Buffer.from(xml)), dict: '/Filter /FlateDecode' };
	const sample = (name: string) => readFile(join(import.meta.dirname, 'samples', `${name}.pdf`));

	it.each(['objectStreams', 'linearized', 'rc4-40', 'rc4-128', 'aes-128', 'aes-256'])(
		'made as %s',
		async (name) => {
			expect(await read(await sample(name), 'x.pdf')).toMatchObject({
				...TOTALS,
				attachment: 'factur-x.xml',
				warnings: [],
			});
		},
	);

	it('with a password says so', async () => {
		expect(await read(await sample('password'), 'x.pdf')).toMatchObject({
			isEInvoice: false,
			problem: expect.stringMatching(/protected by a password.*Save it without/),
		});
	});

	it.each<[string, Buffer]>([
		['by its name', pdfWith([{ name: 'factur-x.xml', ...zipped }])],
		[
			'under any name',
			pdfWith(
				[{ name: 'Rechnung 17 (neu).dat', ...zipped }],
				'/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>',
			),
		],
		['not compressed', pdfWith([{ name: 'a.xml', data: xml }])],
		[
			'compressed without a header',
			pdfWith([{ name: 'a.xml', data: deflateRawSync(xml), dict: '/Filter /FlateDecode' }]),
		],
		[
			'in hexadecimal, compressed',
			pdfWith([
				{
					name: 'a.xml',
					data: `${zipped.data.toString('hex')}>`,
					dict: '/Filter [/ASCIIHexDecode /FlateDecode]',
				},
			]),
		],
		['as an associated file only', pdfWith([{ name: 'factur-x.xml', ...zipped }], '/AF [4 0 R]')],
		[
			'in one of several branches',
			pdfWith(
				[{ name: 'x.xml', ...zipped }],
				'/Names << /EmbeddedFiles << /Kids [<< /Kids [<< /Names [] >>] >> << /Names [(x) 4 0 R] /Limits [(x) (x)] >>] >> >>',
			),
		],
		[
			'beside other files',
			pdfWith([
				{ name: 'a.txt', data: 'Hallo' },
				{ name: 'b.xml', data: '<order/>' },
				{ name: 'c.xml', data: '<a' },
				{ name: 'ZUGFeRD-invoice.xml', ...zipped },
			]),
		],
	])('has the XML %s', async (_, bytes) => {
		expect(await read(bytes, 'x.pdf')).toMatchObject({ ...TOTALS, warnings: [] });
	});

	it('has the XML pinned to a page', async () => {
		const bytes = pdf([
			'<< /Type /Catalog /Pages 2 0 R >>',
			'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
			'<< /Type /Page /Parent 2 0 R /Annots [6 0 R] >>',
			'<< /Type /Filespec /UF (x.xml) /EF << /UF 5 0 R >> >>',
			{ dict: `/Type /EmbeddedFile ${zipped.dict}`, data: zipped.data },
			'<< /Type /Annot /Subtype /FileAttachment /FS 4 0 R >>',
		]);
		expect(await read(bytes)).toMatchObject(TOTALS);
	});

	it('that was changed later has the newest XML', async () => {
		const old = pdfWith([{ name: 'factur-x.xml', ...zipped }]);
		const data = deflateSync(ciiInvoice({ 'FX-1<': 'FX-2<' }));
		const start = /startxref\n(\d+)/.exec(old.toString('latin1'))?.[1];
		const update = Buffer.concat([
			Buffer.from(`5 0 obj\n<< /Type /EmbeddedFile /Filter /FlateDecode /Length ${data.length} >>\nstream\n`),
			data,
			Buffer.from('\nendstream\nendobj\n'),
		]);
		const trailer = `xref\n5 1\n${String(old.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 6 /Root 1 0 R /Prev ${start} >>\nstartxref\n${old.length + update.length}\n%%EOF\n`;
		expect(await read(Buffer.concat([old, update, Buffer.from(trailer)]))).toMatchObject({ number: 'FX-2' });
	});

	it.each<[string, (sound: string) => string]>([
		['whose directory is in the wrong place', (text) => text.replace(/startxref\n\d+/, 'startxref\n7')],
		['whose directory is wrong', (text) => text.replace(/^0000000\d/gm, '00000999')],
		['whose end is missing', (text) => text.slice(0, text.indexOf('xref\n'))],
		['that has something before it', (text) => `HTTP/1.1 200 OK\r\nX: y\r\n\r\n${text}`],
		[
			'with a wrong length of the XML',
			(text) =>
				text.replace(/(EmbeddedFile.*\n?)|\/Length \d+/g, (part) =>
					part.startsWith('/Length') ? '/Length 12' : part,
				),
		],
	])('%s is read nevertheless', async (_, damage) => {
		const sound = pdfWith([{ name: 'factur-x.xml', ...zipped }]).toString('latin1');
		const damaged = damage(sound);
		expect(damaged).not.toBe(sound);
		expect(await read(Buffer.from(damaged, 'latin1'), 'x.pdf')).toMatchObject(TOTALS);
	});

	it('whose XML is cut off says so', async () => {
		const data = zipped.data.subarray(0, 700);
		expect(await read(pdfWith([{ name: 'factur-x.xml', data, dict: zipped.dict }]))).toMatchObject({
			isEInvoice: false,
			problem: expect.stringMatching(
				/e-invoice inside the PDF \(factur-x\.xml\) can't be read: The XML ends too early/,
			),
		});
	});

	it('that is cut off says so', async () => {
		const whole = pdfWith([{ name: 'factur-x.xml', ...zipped }]);
		expect(await read(whole.subarray(0, 400), 'x.pdf')).toMatchObject({
			isEInvoice: false,
			problem: expect.stringMatching(/The PDF is damaged, and no e-invoice was found/),
		});
	});

	it('that calls itself an e-invoice, without the XML, says so', async () => {
		const metadata = 'xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"';
		const bytes = pdf([
			'<< /Type /Catalog /Pages 2 0 R /Metadata 3 0 R >>',
			'<< /Type /Pages /Kids [] /Count 0 >>',
			{ dict: '/Type /Metadata', data: metadata },
		]);
		expect(await read(bytes)).toMatchObject({
			isEInvoice: false,
			problem: expect.stringMatching(/says that it contains an e-invoice.*missing or damaged/),
		});
	});

	it('without an e-invoice passes', async () => {
		expect(await read(pdfWith([{ name: 'a.txt', data: 'x' }]), 'x.pdf')).toEqual({
			isEInvoice: false,
			warnings: [],
		});
	});

	it('with two e-invoices that differ is told', async () => {
		const files = [
			{ name: 'other.xml', data: ublInvoice() },
			{ name: 'factur-x.xml', data: xml },
		];
		expect(await read(pdfWith(files))).toMatchObject({
			number: 'FX-1',
			warnings: [
				"The PDF contains another e-invoice that says something else: factur-x.xml (number FX-1, 119 EUR) was read, other.xml (number RE-4711, 172.5 EUR) wasn't. Look at both.",
			],
		});
		expect(
			(
				await read(
					pdfWith([
						{ name: 'a.xml', data: xml },
						{ name: 'b.xml', data: xml },
					]),
				)
			).warnings,
		).toEqual([]);
	});
});

describe('a file that is no e-invoice', () => {
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
