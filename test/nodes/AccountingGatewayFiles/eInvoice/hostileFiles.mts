/** Makes files that cost a reader far more than they weigh: what a stranger may send. */
import { constants, deflateRawSync, deflateSync } from 'node:zlib';

import {
	ascii85,
	ciiInvoice,
	pdf,
	pdfWith,
	ublInvoice,
	type PdfObject,
} from '../../../support/eInvoices.mjs';

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
const OPEN = `<Invoice xmlns="${UBL}Invoice-2" xmlns:cbc="${UBL}CommonBasicComponents-2" xmlns:cac="${UBL}CommonAggregateComponents-2">`;

/** Repeated up to a size in bytes. */
const filled = (size: number, part: string) =>
	Buffer.alloc(Math.ceil(size / part.length) * part.length, part, 'latin1');
const around = (before: string, filling: Buffer, after: string) =>
	Buffer.concat([Buffer.from(before, 'latin1'), filling, Buffer.from(after)]);
const inInvoice = (size: number, part: string) => around(OPEN, filled(size, part), '</Invoice>');
const inElement = (name: string, size: number, part: string) =>
	around(`${OPEN}<${name}>`, filled(size, part), `</${name}></Invoice>`);
const amount = (value: string) => `<cbc:TaxAmount currencyID="EUR">${value}</cbc:TaxAmount>`;
const withTaxes = (size: number, most: number, tax: string) => {
	const taxes = tax.repeat(Math.min(most, size / tax.length));
	return Buffer.from(ublInvoice({ '<cac:LegalMonetaryTotal>': `${taxes}<cac:LegalMonetaryTotal>` }));
};
const attributes = (count: number, value = '') =>
	Array.from({ length: count }, (_, i) => ` a${i}="${value}"`).join('');
const attached = (data: Uint8Array) => pdfWith([{ name: 'factur-x.xml', data }]);
/** Small streams, as many as fit. */
const streams = (size: number, content: Buffer | string) => {
	const one = Buffer.concat([
		Buffer.from('<<>>stream\n'),
		Buffer.from(content as string),
		Buffer.from('\nendstream\n'),
	]);
	return around('%PDF-1.7\n', Buffer.alloc(size, one), '%%EOF');
};
/** Packed blocks without content. */
const emptyBlocks = (size: number) =>
	around('\x78\x01', Buffer.alloc(size, Buffer.from([0, 0, 0, 0xff, 0xff])), '');
/** Packed streams, each of which begins inside the one before. */
const nested = (size: number) => {
	const begin = Buffer.from('stream\n\x78\x9c', 'latin1');
	const stored = around('\0\x09\0\xf6\xff', begin, '');
	const long = deflateRawSync(Buffer.alloc(60_000, 'x'), { finishFlush: constants.Z_SYNC_FLUSH });
	const all = Buffer.alloc(size, Buffer.concat([stored, long]));
	return around('%PDF-1.7\n', Buffer.concat([begin, all]), '%%EOF');
};
/** What weighs little, and unpacks to this size. */
const bomb = (size: number, part = ' ') => deflateSync(around(OPEN, filled(size, part), ''), { level: 9 });

/** Text of ASCII 85 without its end, of whole groups. */
const beginOfText = (content: Uint8Array | string) => {
	const bytes = Buffer.from(content as string);
	return ascii85(bytes.subarray(0, bytes.length - (bytes.length % 4))).replace('~>', '');
};
/** Many texts that have the same end, and so lie inside one another. */
const textsInside = (size: number, text: string) =>
	around('%PDF-1.7\n', filled(size, `stream\n${text}`), '~>endstream');

/** Each makes a file from a size, in bytes of the file or, in bombs, of what it unpacks to. */
export const PDFS: Record<string, (size: number) => Uint8Array> = {
	'pages that share their children, which a reader of the directory would follow': () =>
		pdf([
			CATALOG,
			...Array.from(
				{ length: 60 },
				(_, i) => `<< /Type /Pages /Kids [${i + 3} 0 R ${i + 3} 0 R] /Count 2 >>`,
			),
			'<< /Type /Page >>',
		]),
	'a bomb': (size) => attached(bomb(size)),
	'a bomb of comments': (size) => attached(bomb(size, '<!-- -->')),
	'a bomb before the invoice': (size) =>
		attached(deflateSync(around('<!--', filled(size, ' '), '--><Invoice>'))),
	'many bombs': (size) =>
		pdf(Array.from({ length: 15 }, (): PdfObject => ({ dict: '', data: bomb(size / 2, 'x') }))),
	'packed blocks without content': (size) => attached(emptyBlocks(size)),
	'many packed streams': (size) => streams(size, deflateSync('BT /F1')),
	'many packed streams that unpack to much': (size) => streams(size, deflateSync(Buffer.alloc(450_000, 'x'))),
	'packed streams inside one another': nested,
	'texts of ASCII 85 inside one another': (size) => textsInside(size, ''),
	'packed texts of ASCII 85 inside one another': (size) => textsInside(size, beginOfText(bomb(5_000))),
	'texts of ASCII 85 inside one another that begin as invoices': (size) =>
		textsInside(size, beginOfText(OPEN)),
	'a text of ASCII 85': (size) =>
		attached(around(beginOfText(OPEN), filled(size, beginOfText('    ')), '~>')),
	'a text of ASCII 85 of zeros': (size) => attached(around(beginOfText(OPEN), filled(size, 'z'), '~>')),
	'a text of ASCII 85 of spaces': (size) => attached(around('', filled(size, '  '), '~>')),
	'many texts of ASCII 85': (size) => streams(size, ascii85(Buffer.from('BT /F1'))),
	'many beginnings of XML': (size) => streams(size, '<!--'),
	'many comments': (size) => streams(size, deflateSync(Buffer.alloc(100_000, '<!-- -->'))),
	'many invoices': (size) => streams(size, ciiInvoice()),
	'many small invoices': (size) => streams(size, `${OPEN}</Invoice>`),
	'beginnings of streams': (size) => around('%PDF-1.7\n', filled(size, 'stream\n'), ''),
	'ends of streams': (size) => around('%PDF-1.7\n', filled(size, 'endstream '), ''),
	'beginnings of objects': (size) => around('%PDF-1.7\n', filled(size, '1 0 obj<<'), ''),
};

/** XML, by itself or packed in a PDF. */
export const XMLS: Record<string, (size: number) => Uint8Array> = {
	comments: (size) => inInvoice(size, '<!---->'),
	'comments before the invoice': (size) => around('', filled(size, '<!---->'), `${OPEN}</Invoice>`),
	'comments that XML forbids': (size) => inInvoice(size, '<!-- -- -->'),
	'one comment': (size) => around(`${OPEN}<!--`, filled(size, ' '), '--></Invoice>'),
	instructions: (size) => inInvoice(size, '<?a?>'),
	'a document type': (size) => around('<!DOCTYPE Invoice [', filled(size, '""'), `]>${OPEN}</Invoice>`),
	'Windows-1252': (size) =>
		around(
			'<?xml version="1.0" encoding="windows-1252"?>',
			Buffer.concat([Buffer.from(`${OPEN}<!--`), filled(size, '\x80')]),
			'--></Invoice>',
		),
	'UTF-8 that is none at its end': (size) => Buffer.concat([inInvoice(size, ' '), Buffer.from([0xff])]),
	'UTF-16': (size) => Buffer.from(`\ufeff${inInvoice(size / 2, '<!---->').toString()}`, 'utf16le'),
	'deep elements': (size) => inInvoice(size, '<cbc:A>'),
	'deep lines': (size) => around(`${OPEN}<cac:InvoiceLine>`, filled(size, '<x>'), ''),
	elements: (size) => inInvoice(size, '<cbc:A/>'),
	'lines, which are passed over': (size) =>
		inInvoice(size, '<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>'),
	text: (size) => inInvoice(size, 'x'),
	'an attachment': (size) => inElement('cbc:EmbeddedDocumentBinaryObject', size, 'JVBERi0=\r\n'),
	references: (size) => inElement('cac:InvoiceLine', size, '&amp;'),
	'sections of text': (size) => inInvoice(size, '<![CDATA[a]]>'),
	attributes: (size) => inInvoice(1, `<cbc:A${attributes(size / 10)}/>`),
	'elements with many attributes': (size) => inInvoice(size, `<cbc:A${attributes(99, 'abc')}/>`),
	'an attribute of lines': (size) => around(`${OPEN}<cbc:A a="`, filled(size, '\n'), '"/></Invoice>'),
	'a name': (size) => around(`${OPEN}<`, filled(size, 'a'), '/></Invoice>'),
	'a name that ends': (size) => around(`${OPEN}</`, filled(size, 'a'), '></Invoice>'),
	'line ends': (size) => inElement('cac:InvoiceLine', size, '\r\n'),
	'line ends of XML 1.1': (size) =>
		around(
			`<?xml version="1.1"?>${OPEN}<cac:InvoiceLine>`,
			Buffer.alloc(size, '\u0085'),
			'</cac:InvoiceLine></Invoice>',
		),
	'an endless section of brackets': (size) => around(`${OPEN}<![CDATA[`, filled(size, ']x'), ']]></Invoice>'),
	'an endless section of brackets in a line': (size) =>
		around(`${OPEN}<cac:InvoiceLine><![CDATA[`, filled(size, ']'), ''),
	'an endless comment of hyphens': (size) => around(`${OPEN}<!--`, filled(size, '-a'), '--></Invoice>'),
	'an endless instruction of question marks': (size) =>
		around(`${OPEN}<?a `, filled(size, '?'), '?></Invoice>'),
	'an endless name of an instruction': (size) => around(`${OPEN}<?`, filled(size, 'a'), '?></Invoice>'),
	'an endless reference': (size) => around(`${OPEN}&`, filled(size, 'a'), ';</Invoice>'),
	'references in an element': (size) => inElement('cbc:Note', size, '&amp;'),
	'brackets and zeros': (size) => inInvoice(size, '\0<'),
	spaces: (size) => filled(size, ' '),
	zeros: (size) => Buffer.alloc(size),
	taxes: (size) => withTaxes(size, 16_000, `<cac:TaxTotal>${amount('x')}<cac:TaxSubtotal/></cac:TaxTotal>`),
	'an amount of zeros': (size) =>
		Buffer.from(ublInvoice({ '>172.50</cbc:PayableAmount': `>${'0'.repeat(size)}x</cbc:PayableAmount` })),
	'an amount of decimals': (size) =>
		Buffer.from(ublInvoice({ '>172.50</cbc:PayableAmount': `>172.5${'3'.repeat(size)}</cbc:PayableAmount` })),
	'amounts that add up to nothing': (size) =>
		withTaxes(size, 24_000, `<cac:TaxTotal>${amount('1.00')}</cac:TaxTotal>`),
};
