/** What an e-invoice is known by, and what its XML may contain besides. */
import { describe, expect, it } from 'vitest';

import { readInvoice } from '../../../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { ciiInvoice, ublInvoice } from '../../../support/eInvoices.mjs';
import { INVOICE_LIMITS } from '../../../../nodes/AccountingGatewayFiles/eInvoice/limits.js';

const read = async (xml: string) => {
	const { invoice, problem, warnings } = await readInvoice(Buffer.from(xml), 'x.xml');
	return { ...invoice, problem: problem?.en, warnings: warnings.map(({ en }) => en) };
};
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
const NUMBER = '<cbc:ID>RE-4711</cbc:ID>';

describe('An e-invoice is known by its root and namespace', () => {
	it.each<[string, string]>([
		['in CII of another version', ciiInvoice({ 'Invoice:100': 'Invoice:13', 'Entity:100': 'Entity:20' })],
		[
			'behind comments and instructions, even such that XML forbids',
			ublInvoice({ '?>\n': '?>\n<!-- a -- b --><?pi x?>' }),
		],
		['in front of a comment', `${ublInvoice()}<!-- c -->`],
	])('%s', async (_what, xml) => {
		expect(await read(xml)).toMatchObject({
			problem: undefined,
			warnings: [],
			grossAmount: expect.any(Number),
		});
	});

	it.each<[string, string]>([
		['an order', `<Order xmlns="${UBL}Order-2"/>`],
		['another namespace', '<Invoice xmlns="urn:x"/>'],
		['no namespace', '<Invoice/>'],
		['a version that is no number', ciiInvoice({ 'Invoice:100': 'Invoice:x' })],
		['an invoice in something else', `<order>${ublInvoice().split('?>')[1]}</order>`],
	])('so that %s is none', async (_what, xml) => {
		expect(await read(xml)).toEqual({ problem: undefined, warnings: [] });
	});
});

describe('An e-invoice’s values are found beside', () => {
	it.each(['cac:InvoiceLine', 'cac:CreditNoteLine', 'x:Other'])(
		'what has the same name in %s, which is left out',
		async (name) => {
			const other = `<${name} xmlns:x="urn:x">x<cbc:ID>WRONG</cbc:ID></${name}>`;
			expect(await read(ublInvoice({ [NUMBER]: other + NUMBER }))).toMatchObject({ number: 'RE-4711' });
		},
	);

	it('an empty one, in one line, without comments', async () => {
		const written = '<cbc:ID> \n</cbc:ID><cbc:ID> a\n\t b<![CDATA[ <c> ]]><!-- d --></cbc:ID>';
		expect(await read(ublInvoice({ [NUMBER]: written }))).toMatchObject({ number: 'a b <c>' });
	});

	it('others in one line, in the order of their letters', async () => {
		const odd = 'A\u202eB\u2028C\r\nD';
		const { number, seller, attachments } = await read(
			ublInvoice({ '>RE-4711<': `>${odd}<`, '>DE123456789<': `>${odd}<`, '"a.pdf"': `"${odd}"` }),
		);
		expect([number, seller?.vatId, attachments?.[0].fileName]).toEqual(['A B C D', 'A B C D', 'A B C D']);
		const cii = await read(ciiInvoice({ '>DE123456789<': `>${odd}<` }));
		expect(cii.seller?.vatId).toBe('A B C D');
	});

	it('others, however long they are, of which the beginning is enough', async () => {
		const long = 'ä🧾'.repeat(300_000);
		const { number } = await read(ublInvoice({ 'RE-4711<': `${long}<` }));
		expect(long.slice(0, INVOICE_LIMITS.value)).toContain(number);
		expect(number?.length).toBeGreaterThan(INVOICE_LIMITS.value - 3);
	});
});
