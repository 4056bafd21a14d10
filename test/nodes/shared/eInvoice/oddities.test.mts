/** What only odd invoices have, or lack; and the bounds of their XML, to the last one within. */
import { describe, expect, it } from 'vitest';

import {
	MAX_ATTRIBUTES,
	MAX_DEPTH,
	MAX_ELEMENTS,
	MAX_TEXT,
} from '../../../../nodes/shared/eInvoice/limits.js';
import { readInvoice } from '../../../../nodes/shared/eInvoice/read.js';
import { ciiInvoice, ublInvoice } from '../../../support/eInvoices.mjs';

const read = async (xml: string) => await readInvoice(Buffer.from(xml), 'x.xml');

describe('An invoice in UBL', () => {
	it('may lack its profile', async () => {
		const { invoice } = await read(ublInvoice({ 'cbc:CustomizationID': 'cbc:Other' }));
		expect(invoice).toMatchObject({ profile: null, thirdPartyAmount: null, number: 'RE-4711' });
	});

	it('may lack the seller', async () => {
		const { invoice } = await read(ublInvoice({ 'cac:AccountingSupplierParty': 'cac:Other' }));
		expect(invoice?.seller).toMatchObject({ name: null, vatId: null, taxNumber: null, city: null });
	});

	it('may have a registration without a scheme: it is not that for VAT', async () => {
		const { invoice } = await read(ublInvoice({ '<cac:TaxScheme><cbc:ID>FC</cbc:ID></cac:TaxScheme>': '' }));
		expect(invoice?.seller).toMatchObject({ vatId: 'DE123456789', taxNumber: '60/123/45678' });
	});

	it('may repeat the total of the tax without its parts: the one with them counts', async () => {
		const alone = '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">22.50</cbc:TaxAmount></cac:TaxTotal>';
		const xml = ublInvoice().replace('<cac:TaxTotal>', `${alone}<cac:TaxTotal>`);
		const { invoice, warnings } = await read(xml);
		expect(invoice).toMatchObject({ taxAmount: 22.5, taxes: [{ rate: 19 }, { rate: 7 }] });
		expect(warnings).toEqual([]);
	});

	it.each(['TaxInclusiveAmount', 'TaxExclusiveAmount'])(
		'may have several totals of the tax, but no %s: all are added',
		async (missing) => {
			const second = '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">1.50</cbc:TaxAmount></cac:TaxTotal>';
			const xml = ublInvoice({
				[`cbc:${missing}`]: 'cbc:Other',
				'<cac:LegalMonetaryTotal>': `${second}<cac:LegalMonetaryTotal>`,
			});
			expect((await read(xml)).invoice).toMatchObject({ taxAmount: 24 });
		},
	);
});

describe('An invoice in CII', () => {
	it('may refer to an invoice without a number', async () => {
		const { invoice } = await read(ciiInvoice({ '<ram:IssuerAssignedID>FX-0</ram:IssuerAssignedID>': '' }));
		expect(invoice?.references.precedingInvoices).toEqual([]);
	});
});

describe('An e-invoice is read up to a limit, and not beyond', () => {
	const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
	const ubl = (content: string) =>
		`<Invoice xmlns="${UBL}Invoice-2" xmlns:b="${UBL}CommonBasicComponents-2">${content}</Invoice>`;
	const attributes = (count: number) => Array.from({ length: count }, (_, i) => `a${i}=""`).join(' ');

	it.each<[string, number, (count: number) => string, string]>([
		['elements', MAX_ELEMENTS - 1, (count) => '<b:A/>'.repeat(count), 'too many elements'],
		['characters', MAX_TEXT, (count) => 'x'.repeat(count), 'too much text'],
		['attributes', MAX_ATTRIBUTES, (count) => `<b:A ${attributes(count)}/>`, 'too many attributes'],
		[
			'levels',
			MAX_DEPTH - 1,
			(count) => '<b:A>'.repeat(count) + '</b:A>'.repeat(count),
			'elements that are nested too deeply',
		],
	])('of %s: %i', async (_what, most, contentOf, problem) => {
		expect((await read(ubl(contentOf(most)))).invoice).toBeDefined();
		expect((await read(ubl(contentOf(most + 1)))).problem).toContain(problem);
	});
});
