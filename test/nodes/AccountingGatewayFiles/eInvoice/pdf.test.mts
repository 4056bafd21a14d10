/** Which XML is found inside a PDF, and what is said where there is none. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { readInvoice } from '../../../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { ascii85, ciiInvoice, pdf, pdfWith, ublInvoice } from '../../../support/eInvoices.mjs';
import { INVOICE_LIMITS } from '../../../../nodes/AccountingGatewayFiles/eInvoice/limits.js';

const XML = ciiInvoice();
const A_XML = { name: 'a.xml', data: XML };
const packed = (content: string | Uint8Array) => ({
	data: deflateSync(content),
	dict: '/Filter /FlateDecode',
});
const unpacked = (data: string | Uint8Array) => pdfWith([{ name: 'a.xml', data }]);
const withXml = (content: string | Uint8Array) => pdfWith([{ name: 'factur-x.xml', ...packed(content) }]);
const changed = (bytes: Buffer, change: (text: string) => string) => {
	const text = change(bytes.toString('latin1'));
	expect(text).not.toBe(bytes.toString('latin1'));
	return Buffer.from(text, 'latin1');
};
/** Packed so that the bits of its most frequent letter are zeros. */
const WITH_ZEROS = ascii85(
	deflateSync(ciiInvoice({ '?>': `?><!--${'a'.repeat(500)}-->` }), { strategy: constants.Z_HUFFMAN_ONLY }),
);
const read = async (bytes: Uint8Array) => await readInvoice(bytes, 'x.pdf');
const problemOf = async (bytes: Uint8Array) => (await read(bytes)).problem?.en;

describe('The XML in a PDF is found', () => {
	it.each<[string, Uint8Array]>([
		['packed', withXml(XML)],
		['as it is', unpacked(XML)],
		['packed, and that as text of ASCII 85', unpacked(ascii85(deflateSync(XML)))],
		[
			'as such a text with many blank lines',
			unpacked(ascii85(deflateSync(XML)).replace('\n', '\n'.repeat(3000))),
		],
		['as such a text of one line', unpacked(ascii85(deflateSync(XML)).replaceAll('\n', ''))],
		['as such a text that has one character for four zeros', unpacked(WITH_ZEROS)],
		...[0, 1, 2, 3].map((rest): [string, Uint8Array] => [
			`unpacked as such a text, ${rest} bytes longer`,
			unpacked(ascii85(Buffer.from(XML.trimEnd() + ' '.repeat(rest)))),
		]),
		[
			'packed, with an end like that of such a text',
			unpacked(Buffer.concat([deflateSync(XML), Buffer.from('~>')])),
		],
		['in UTF-16', withXml(Buffer.from(`\ufeff${XML.replace('UTF-8', 'UTF-16')}`, 'utf16le'))],
		[
			'behind a comment, as in the samples of ZUGFeRD',
			withXml(XML.replace('?>', `?><!--${'ä <b> '.repeat(1500)}-->`)),
		],
		[
			'wherever it is attached, and whatever it is called',
			pdf(['<< /Type /Catalog >>', { dict: '/Filter/FlateDecode', data: deflateSync(XML) }]),
		],
		[
			'beside other files',
			pdfWith([
				{ name: 'a.txt', data: 'Hallo' },
				{ name: 'b.xml', data: '<order/>' },
				{ name: 'c.xml', data: '<a' },
				{ name: 'd.xml', ...packed(XML) },
			]),
		],
		['without a directory', changed(withXml(XML), (text) => text.slice(0, text.indexOf('xref\n')))],
		['with a wrong length', changed(withXml(XML), (text) => text.replaceAll(/\/Length \d+/g, '/Length 12'))],
		[
			'behind a title with a word of PDF',
			changed(withXml(XML), (text) => text.replace('/Filespec', '/Filespec /Desc (Livestream am 3.11.)')),
		],
		['behind something else', changed(withXml(XML), (text) => `HTTP/1.1 200 OK\r\n\r\n${text}`)],
		[
			'behind two spaces and a line',
			changed(withXml(XML), (text) => text.replaceAll('stream\nx', 'stream  \r\nx')),
		],
		['twice', pdfWith([A_XML, { name: 'b.xml', ...packed(XML) }])],
		['beside one that is damaged', pdfWith([{ name: 'b.xml', data: XML.slice(0, 900) }, A_XML])],
	])('%s', async (_, bytes) => {
		const { invoice, warnings } = await read(bytes);
		expect(invoice).toMatchObject({ number: 'FX-1', grossAmount: 119, buyer: { name: 'Käufer AG' } });
		expect(warnings).toEqual([]);
	});

	it('as such a text, one of which does have four zeros as one character', () => {
		expect(WITH_ZEROS).toContain('zz');
	});

	it('beside object streams', async () => {
		const bytes = await readFile(join(import.meta.dirname, 'samples/objectStreams.pdf'));
		expect((await read(bytes)).invoice).toMatchObject({ grossAmount: 119 });
	});
});

describe('Two e-invoices in one PDF', () => {
	it.each<[string, Record<string, string>]>([
		['type', { '>380<': '>381<' }],
		['number', { 'FX-1<': 'FX-2<' }],
		['day', { '>20261103<': '>20261104<' }],
		['total', { '119.00</ram:GrandTotalAmount>': '120.00</ram:GrandTotalAmount>' }],
		['tax rate', { '19.00</ram:RateApplicablePercent>': '7.00</ram:RateApplicablePercent>' }],
		['account', { DE02120300000000202051: 'DE89370400440532013000' }],
	])('that differ in their %s are both named, and neither is read', async (_, replacements) => {
		const files = [XML, ciiInvoice(replacements)].map((xml, i) => ({ name: `${i}.xml`, ...packed(xml) }));
		const { invoice, problem } = await read(pdfWith(files));
		expect(invoice).toBeUndefined();
		expect(problem?.en).toContain('number FX-1, 119 EUR; ');
	});

	it('in UBL and in CII, are compared, too', async () => {
		const both = pdfWith([A_XML, { name: 'b', data: ublInvoice() }]);
		expect(await problemOf(both)).toContain('number RE-4711');
	});
});

it('A PDF that is packed inside a PDF is named, and not read', async () => {
	const inner = { name: 'a.pdf', ...packed(withXml(XML)) };
	const { invoice, problem, warnings } = await read(pdfWith([inner]));
	expect([invoice, problem]).toEqual([undefined, undefined]);
	expect(warnings[0].en).toMatch(/contains another PDF.*read it by itself/);
	expect(warnings[0].de).toMatch(/enthält ein weiteres PDF/);
});

describe('A PDF without an e-invoice', () => {
	const itIs = (now: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
	beforeEach(() => void itIs('2026-12-31T12:00:00Z'));
	afterEach(() => void vi.useRealTimers());

	it('gives a warning from 2027 on: a domestic supplier may have to send one', async () => {
		itIs('2027-01-01T00:00:00Z');
		const [warning, ...others] = (await read(pdfWith([{ name: 'a.txt', data: 'x' }]))).warnings;
		expect(warning.en).toMatch(/contains no e-invoice.*domestic supplier, ask for one/);
		expect(others).toEqual([]);
		expect((await read(withXml(XML))).warnings).toEqual([]);
	});

	const claims = (name: string) =>
		pdf([
			'<< /Type /Catalog >>',
			{ dict: '/Type /Metadata', data: `xmlns:fx="urn:${name}:pdfa:CrossIndustryDocument:invoice:1p0#"` },
		]);

	it.each<[string, Uint8Array]>([
		['with another file', pdfWith([{ name: 'a.txt', data: 'x' }])],
		['with other XML', withXml('<order xmlns="urn:x"><Invoice/></order>')],
		['with an invoice of another standard', withXml('<Invoice xmlns="urn:x"/>')],
		['with other metadata', claims('other')],
		['with a comment that is too long', withXml(`<!--${' '.repeat(INVOICE_LIMITS.prolog + 4096)}-->${XML}`)],
		[
			'that is encrypted, without a file',
			changed(pdf(['<< /Type /Catalog >>']), (text) => text.replace('/Root', '/Encrypt 9 0 R /Root')),
		],
	])('%s passes', async (_, bytes) => {
		expect(await read(bytes)).toEqual({ warnings: [] });
	});

	it('that is encrypted, with a file in it, says so', async () => {
		const bytes = await readFile(join(import.meta.dirname, 'samples/aes-256.pdf'));
		expect(await problemOf(bytes)).toMatch(/encrypted/);
	});

	it.each(['factur-x', 'zugferd', 'ferd'])('that calls itself one (%s) says so', async (name) => {
		expect(await problemOf(claims(name))).toMatch(/^Format error.*says that it contains one/);
	});

	it('that is cut off says so, and so does one whose XML is', async () => {
		const whole = withXml(XML);
		expect(await problemOf(whole.subarray(0, whole.indexOf('stream')))).toMatch(/^The PDF ends too early/);
		const beginning = whole.subarray(0, whole.indexOf('stream') + 1000);
		for (const bytes of [beginning, unpacked(deflateSync(XML).subarray(0, 700))])
			expect(await problemOf(bytes)).toMatch(/[Ff]ormat error.*the XML ends too early/);
	});
});

describe('A PDF has at most', () => {
	it.each([
		[INVOICE_LIMITS.streams, /^none$/],
		[INVOICE_LIMITS.streams + 1, /too much time or memory/],
	])('%i streams that are looked at: %s', async (count, said) => {
		const others = '<<>>stream\nendstream\n'.repeat(count - 1);
		const bytes = Buffer.from(`%PDF-1.7\n${others}<<>>stream\n${XML}\nendstream\n%%EOF`);
		expect((await problemOf(bytes)) ?? 'none').toMatch(said);
	});

	it('a few reads of each byte, also of texts of ASCII 85 that lie inside one another', async () => {
		const nested = (count: number) => Buffer.from(`%PDF-1.7\n${'stream\n'.repeat(count)}~>endstream\n%%EOF`);
		expect((await problemOf(nested(8))) ?? 'none').toBe('none');
		expect(await problemOf(nested(5_000))).toMatch(/too much time or memory/);
	});

	it.each([
		[INVOICE_LIMITS.invoices, /^none$/],
		[INVOICE_LIMITS.invoices + 1, /too much time or memory/],
	])('%i e-invoices that are the same: %s', async (count, said) => {
		const files = Array.from({ length: count }, (_, i) => ({ name: `${i}.xml`, ...packed(XML) }));
		expect((await problemOf(pdfWith(files))) ?? 'none').toMatch(said);
	});
});
