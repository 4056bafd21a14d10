/** What only odd invoices have, or lack; and the bounds of their XML, to the last one within. */
import { describe, expect, it } from 'vitest';

import { MAX_ELEMENTS, MAX_TEXT } from '../../../../nodes/shared/eInvoice/limits.js';
import { readInvoice } from '../../../../nodes/shared/eInvoice/read.js';
import { ciiInvoice, ublInvoice } from '../../../support/eInvoices.mjs';

const read = async (xml: string) => await readInvoice(Buffer.from(xml), 'x.xml');

describe('UBL', () => {
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

	it('may lack the tax, of which nothing is said then', async () => {
		const { warnings } = await read(ublInvoice({ 'cac:TaxTotal>': 'cac:Other>' }));
		expect(warnings.join()).not.toContain('another currency');
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

describe('CII', () => {
	it('may refer to an invoice without a number', async () => {
		const { invoice } = await read(ciiInvoice({ '<ram:IssuerAssignedID>FX-0</ram:IssuerAssignedID>': '' }));
		expect(invoice?.references.precedingInvoices).toEqual([]);
	});

	it.each(['202611030030+1200', '202611032330-1100'])(
		'has the day as %s has it where it was written',
		async (text) => {
			const xml = ciiInvoice({ 'format="102">20261103': `format="303">${text}` });
			expect((await read(xml)).invoice?.issueDate).toBe('2026-11-03');
		},
	);
});

it('a credit note of 0 is not negative', async () => {
	const xml = ublInvoice({ '>380<': '>381<', '>172.50<': '>0.00<' });
	expect((await read(xml)).warnings.at(-1)).toContain('its amounts are positive');
});

describe('an invoice may have', () => {
	it.each([
		[MAX_ELEMENTS - 1, undefined],
		[MAX_ELEMENTS, 'The XML has too many elements'],
	])('%i elements within it: %s', async (count, problem) => {
		const xml = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">${'<b:A/>'.repeat(count)}</Invoice>`;
		const reading = await read(xml);
		if (problem === undefined) expect(reading.invoice).toBeDefined();
		else expect(reading.problem).toContain(problem);
	});

	it.each([
		[MAX_TEXT, undefined],
		[MAX_TEXT + 1, 'The XML has too much text'],
	])('%i characters: %s', async (count, problem) => {
		const xml = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">${'x'.repeat(count)}</Invoice>`;
		const reading = await read(xml);
		if (problem === undefined) expect(reading.invoice).toBeDefined();
		else expect(reading.problem).toContain(problem);
	});
});
