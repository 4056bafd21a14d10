/** What is said of files that can't be read, and of those that contradict each other. */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { MAX_BYTES } from '../../../../nodes/shared/eInvoice/limits.js';
import { readEInvoice } from '../../../../nodes/shared/eInvoice/read.js';
import { ciiInvoice, pdfWith, ublInvoice } from '../../../support/eInvoices.mjs';

const problemOf = async (content: string | Uint8Array, name?: string) =>
	(await readEInvoice(Buffer.from(content as string), name)).problem;

describe('a file', () => {
	const PICTURE = Buffer.from('ffd8ffe000104a464946', 'hex');

	it.each([
		['a.xml', "isn't XML"],
		['A.XML', "isn't XML"],
		['a.pdf', "isn't a PDF"],
	])('that is not what its name %s says', async (name, what) => {
		expect(await problemOf(PICTURE, name)).toBe(
			`The file ${what}, although its name says so: it is damaged. Ask the sender to send it again.`,
		);
	});

	it.each(['a.xml.jpg', 'xml', undefined])('whose name %s says nothing passes', async (name) => {
		expect(await problemOf(PICTURE, name)).toBeUndefined();
	});

	it('of zeros, and one that is too large', async () => {
		expect(await problemOf(Buffer.alloc(MAX_BYTES), 'a.xml')).toContain('contains nothing but zeros');
		expect(await problemOf(Buffer.alloc(MAX_BYTES + 1), 'a.xml')).toContain('is larger than 50 MB');
	});

	it('that looks like XML, but shows nothing before it breaks, counts only by its name', async () => {
		expect(await problemOf('<a b></a>', 'a.xml')).toContain('The XML is damaged on line 1');
		expect(await problemOf('<a b></a>', 'mail.html')).toBeUndefined();
		expect(await problemOf('<a b></a>', 'a.xml.html')).toBeUndefined();
		expect(await problemOf(ublInvoice().slice(0, 800), 'mail.txt')).toContain('ends too early');
	});

	it('never throws, whatever goes wrong', async () => {
		const bytes = Buffer.from('<a/>');
		bytes.subarray = () => {
			throw new Error('broken');
		};
		expect((await readEInvoice(bytes)).problem).toBe(
			"The file is damaged and can't be read. Ask the sender to send it again.",
		);
	});
});

describe('an e-invoice inside a PDF', () => {
	it.each<[string, Uint8Array | string, string]>([
		['empty', '', 'it is empty.'],
		['too large', Buffer.alloc(MAX_BYTES + 1, ' '), 'it is damaged, or too large.'],
	])('that is %s', async (_what, content, problem) => {
		const data = deflateSync(content, { level: 1 });
		const bytes = pdfWith([{ name: 'a.xml', data, dict: '/Filter /FlateDecode' }]);
		expect(await problemOf(bytes)).toBe(`The e-invoice inside the PDF (a.xml) can't be read: ${problem}`);
	});

	it.each<[string, Record<string, string>, string | undefined]>([
		['the same', {}, undefined],
		['another number', { 'FX-1<': 'FX-2<' }, 'number FX-2, 119 EUR'],
		[
			'another total',
			{ '119.00</ram:GrandTotalAmount>': '120.00</ram:GrandTotalAmount>' },
			'number FX-1, 120 EUR',
		],
		['no number', { '<ram:ID>FX-1</ram:ID>': '' }, 'number none, 119 EUR'],
		['no total', { GrandTotalAmount: 'Other' }, 'number FX-1, no total EUR'],
		[
			'no currency',
			{ 'FX-1<': 'FX-2<', '<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>': '' },
			'number FX-2, 119',
		],
	])('beside one with %s', async (_what, replacements, says) => {
		const bytes = pdfWith([
			{ name: 'factur-x.xml', data: ciiInvoice() },
			{ name: 'other.xml', data: ciiInvoice(replacements) },
		]);
		const { attachment, warnings } = await readEInvoice(bytes);
		expect(attachment).toBe('factur-x.xml');
		expect(warnings).toEqual(
			says === undefined
				? []
				: [
						`The PDF contains another e-invoice that says something else: factur-x.xml (number FX-1, 119 EUR) was read, other.xml (${says}) wasn't. Look at both.`,
					],
		);
	});
});
