/** How the amounts and days of an e-invoice may be written. */
import { describe, expect, it } from 'vitest';

import { ValueReader } from '../../../../nodes/AccountingGatewayFiles/eInvoice/values.js';
import { XmlElement } from '../../../../nodes/AccountingGatewayFiles/eInvoice/xml.js';
import { readInvoice } from '../../../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { ciiInvoice, ublInvoice } from '../../../support/eInvoices.mjs';

const read = async (xml: string) => await readInvoice(Buffer.from(xml), 'x.xml');

describe('An amount of an e-invoice', () => {
	const withPaid = async (text: string) =>
		await read(
			ublInvoice({
				'<cbc:PayableAmount': `<cbc:PrepaidAmount currencyID="EUR">${text}</cbc:PrepaidAmount><cbc:PayableAmount`,
			}),
		);

	it.each([
		[' +1.50\n', 1.5],
		['1.', 1],
		['.5', 0.5],
		['-0', 0],
		['000000000000000123456789012345', 123456789012345],
		['33.613445378151260504', 33.6134453781513],
		['20.00000000000000000000', 20],
		['-119.0000000000000000', -119],
		['123456789012345.678', 123456789012346],
		['0.12345678901234549', 0.123456789012345],
		[`-0.${'0'.repeat(400)}1`, 0],
		['  ', null],
	])('may be written as %o', async (text, value) => {
		const { invoice, warnings } = await withPaid(text);
		expect(invoice?.prepaidAmount).toBe(value);
		expect(warnings.map(({ en }) => en).join()).not.toContain("isn't an amount");
	});

	it.each(['1,5', '.', '1 5', '1e2', '1x', '1234567890123456', '1234567890123456.5'])(
		'can’t be written as %s, which a warning names',
		async (text) => {
			const { invoice, warnings } = await withPaid(text);
			expect(invoice?.prepaidAmount).toBeNull();
			expect(warnings[0].en).toContain(`what was paid in advance is "${text}", which isn't an amount`);
		},
	);

	it('of up to 15 digits is exactly as written', () => {
		for (let i = 0; i < 2_000; i++) {
			const digits = Array.from({ length: 1 + (i % 15) }, () => Math.floor(Math.random() * 10)).join('');
			const at = Math.floor(Math.random() * digits.length);
			const text = `${digits.slice(0, at)}.${digits.slice(at)}`;
			const element = new XmlElement('cbc:Amount', {});
			element.text = text;
			expect([text, new ValueReader(null).amount(element, 'the tax')]).toEqual([text, Number(text)]);
		}
	});

	it('may be in any currency where the invoice names none', async () => {
		const { invoice } = await read(ublInvoice({ 'cbc:DocumentCurrencyCode': 'cbc:Other' }));
		expect(invoice).toMatchObject({ currency: null, grossAmount: 172.5 });
	});
});

describe('A day of an e-invoice', () => {
	const withDue = async (text: string, format?: string) =>
		await read(
			format === undefined
				? ublInvoice({ '2026-12-03': text })
				: ciiInvoice({ 'format="102">20261203': `format="${format}">${text}` }),
		);

	it.each([
		[' 2026-11-03 ', undefined],
		['2026-11-03T23:30:00.5-11:00', undefined],
		['20261103', undefined],
		['2026-11-03Z', '102'],
		['202611032359', '203'],
		['20261103', '203'],
		['20261103235959', '204'],
		['202611032330+0100', '205'],
		['202611032330+1200', '303'],
		['20261103', '610'],
	])('may be written as %o in the format %s', async (text, format) => {
		expect((await withDue(text, format)).invoice?.dueDate).toBe('2026-11-03');
	});

	it.each([
		['2026-02-30', undefined],
		['2026-11-3', undefined],
		['2026-11-03 10:00', undefined],
		['202611', '610'],
		['20261103-20261130', '718'],
		['201103120000', '202'],
	])('can’t be written as %o in the format %s, which a warning names', async (text, format) => {
		const { invoice, warnings } = await withDue(text, format);
		expect(invoice?.dueDate).toBeNull();
		expect(warnings[0].en).toContain(`the due date is "${text}", which isn't a date`);
	});

	it('may stand in CII without an element for its format', async () => {
		const xml = ciiInvoice({ '<udt:DateTimeString format="102">20261203</udt:DateTimeString>': '20261203' });
		expect((await read(xml)).invoice?.dueDate).toBe('2026-12-03');
	});
});
