/** Which files inside a PDF are found, and in which order; the bounds of the search, to the last one within. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';

import {
	MAX_ATTACHMENTS,
	MAX_BYTES,
	MAX_PAGES,
	MAX_PDF_TIME,
	MAX_TREE_NODES,
	MAX_UNNAMED_BYTES,
} from '../../../../nodes/shared/eInvoice/limits.js';
import { readPdf, startsLikeXml } from '../../../../nodes/shared/eInvoice/pdf.js';
import { pdf, pdfWith } from '../../../support/eInvoices.mjs';
import type { PdfObject } from '../../../support/eInvoices.mjs';

const XML = '<a/>';
const PAGES = '<< /Type /Pages /Kids [] /Count 0 >>';
const catalog = (more = '') => `<< /Type /Catalog /Pages 2 0 R ${more} >>`;
const specification = (stream: number, name = 'a.xml') =>
	`<< /Type /Filespec /F (${name}) /EF << /F ${stream} 0 R >> >>`;
const file: PdfObject = { dict: '/Type /EmbeddedFile', data: XML };
const namesIn = async (bytes: Uint8Array) => (await readPdf(bytes)).attachments.map(({ name }) => name);
const found = async (...objects: PdfObject[]) => await namesIn(pdf(objects));

describe('a PDF', () => {
	it.each([
		['urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#', true],
		['urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#', true],
		['urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#', true],
		['urn:other:pdfa:CrossIndustryDocument:invoice:1p0#', false],
	])('with the metadata %s claims to have an invoice: %s', async (metadata, claims) => {
		const bytes = pdf([catalog('/Metadata 3 0 R'), PAGES, { dict: '/Type /Metadata', data: metadata }]);
		expect(await readPdf(bytes)).toEqual({
			attachments: [],
			claimsInvoice: claims,
			isEncrypted: false,
			isDamaged: false,
			isTooMuch: false,
		});
	});

	it.each([
		['password', true],
		['rc4-128', false],
		['aes-256', false],
	])('made as %s can not be read without a password: %s', async (name, isEncrypted) => {
		const bytes = await readFile(join(import.meta.dirname, 'samples', `${name}.pdf`));
		expect(await readPdf(bytes)).toMatchObject({ isEncrypted, isDamaged: false });
	});

	it.each<[string, Uint8Array]>([
		['that is none', Buffer.from('%PDF-1.7\nHallo')],
		['without a directory', pdf([catalog(), PAGES]).subarray(0, 100)],
		['whose directory leads to something else', pdf(['<< /Type /Other >>', PAGES])],
	])('%s is damaged', async (_what, bytes) => {
		expect(await readPdf(bytes)).toMatchObject({ attachments: [], isDamaged: true, isTooMuch: false });
	});

	it('with names alone, without pages, is sound', async () => {
		expect(await readPdf(pdf(['<< /Type /Catalog /Names << >> >>']))).toMatchObject({ isDamaged: false });
	});
});

describe('a file', () => {
	it('comes by its name: those of the standards, then XML, then what looks like it', async () => {
		const names = ['z.dat', 'b.XML', 'ZUGFeRD-invoice.xml', 'xrechnung.xml', 'Factur-X.xml', 'a.xml'];
		expect(await namesIn(pdfWith(names.map((name) => ({ name, data: XML }))))).toEqual([
			'Factur-X.xml',
			'xrechnung.xml',
			'ZUGFeRD-invoice.xml',
			'b.XML',
			'a.xml',
			'z.dat',
		]);
	});

	it('that is called XML counts whatever it has, another one only if it looks like that', async () => {
		const damaged = { name: 'a.xml', data: 'damaged', dict: '/Filter /FlateDecode /DecodeParms 99' };
		const text = { name: 'a.txt', data: 'text' };
		const { attachments } = await readPdf(pdfWith([damaged, text, { name: 'b.xml', data: 'text' }]));
		expect(attachments.map(({ name }) => name)).toEqual(['a.xml', 'b.xml']);
		expect(Buffer.from(attachments[1].bytes!).toString()).toBe('text');
	});

	it('has its name and content under /UF, else under /F', async () => {
		const { attachments } = await readPdf(
			pdf([
				catalog('/AF [3 0 R 4 0 R 5 0 R 8 0 R]'),
				PAGES,
				'<< /F (old.xml) /UF (new.xml) /EF << /F 6 0 R /UF 7 0 R >> >>',
				'<< /F (f.xml) /UF 9 /EF << /F 6 0 R /UF (none) >> >>',
				'<< /EF << /F 6 0 R >> >>',
				{ dict: '', data: '<f/>' },
				{ dict: '', data: '<uf/>' },
				'<< /F (none.xml) /EF << /X 6 0 R >> >>',
			]),
		);
		expect(attachments.map(({ name, bytes }) => [name, Buffer.from(bytes!).toString()])).toEqual([
			['new.xml', '<uf/>'],
			['f.xml', '<f/>'],
			['', '<f/>'],
		]);
	});

	it('not called XML is looked into up to a size', async () => {
		const sized = (size: number) => `<${' '.repeat(size - 1)}`;
		const files = [
			{ name: 'fits.dat', data: sized(MAX_UNNAMED_BYTES) },
			{ name: 'large.dat', data: sized(MAX_UNNAMED_BYTES + 1) },
			{ name: 'large.xml', data: sized(MAX_UNNAMED_BYTES + 1) },
		];
		expect(await namesIn(pdfWith(files))).toEqual(['large.xml', 'fits.dat']);
	});

	it.each([
		[MAX_BYTES, MAX_BYTES],
		[MAX_BYTES + 1, undefined],
	])('of %i bytes, unpacked, is read as far as it fits: %s', async (size, read) => {
		const data = deflateSync(Buffer.alloc(size, ' '), { level: 1 });
		const bytes = pdfWith([{ name: 'a.xml', data, dict: '/Filter /FlateDecode' }]);
		const { attachments, isTooMuch } = await readPdf(bytes);
		expect(attachments.map((one) => one.bytes?.length)).toEqual([read]);
		expect(isTooMuch).toBe(false);
	});
});

describe('files are found', () => {
	it.each<[string, PdfObject[]]>([
		['by name', [catalog('/Names << /EmbeddedFiles << /Names [(a) 3 0 R] >> >>')]],
		['by name, with references all the way', [catalog('/Names 5 0 R')]],
		['as one associated file', [catalog('/AF 3 0 R')]],
		['as associated files', [catalog('/AF [null 3 0 R]')]],
	])('%s', async (_where, [first]) => {
		expect(
			await found(
				first,
				PAGES,
				specification(4),
				file,
				'<< /EmbeddedFiles 6 0 R >>',
				'<< /Kids 7 0 R >>',
				'[8 0 R]',
				'<< /Names 9 0 R >>',
				'[(a) 3 0 R]',
			),
		).toEqual(['a.xml']);
	});

	it('in both places once, and in the order of their names', async () => {
		const tree = '/Names << /EmbeddedFiles << /Names [(b) 5 0 R (a) 3 0 R] >> >>';
		const objects = [specification(4), file, specification(4, 'b.xml')];
		expect(await found(catalog(`${tree} /AF [3 0 R]`), PAGES, ...objects)).toEqual(['b.xml', 'a.xml']);
	});

	it('not where a name should be, nor without content', async () => {
		const tree = '/Names << /EmbeddedFiles << /Names [3 0 R (a) (b) 5 0 R] >> >>';
		expect(await found(catalog(tree), PAGES, specification(4), file, '<< /F (b.xml) >>')).toEqual([]);
	});

	it.each([
		[MAX_TREE_NODES, ['a.xml']],
		[MAX_TREE_NODES + 1, []],
	])('at the end of a chain of %i branches: %j', async (length, names) => {
		const branches = Array.from({ length: length - 1 }, (_, i) => `<< /Kids [${6 + i} 0 R] >>`);
		const end = '<< /Names [(a) 3 0 R] >>';
		const first = catalog('/Names << /EmbeddedFiles 5 0 R >>');
		expect(await found(first, PAGES, specification(4), file, ...branches, end)).toEqual(names);
	});

	it.each([
		[MAX_TREE_NODES, ['a.xml']],
		[MAX_TREE_NODES + 1, []],
	])('in the last of %i branches of one: %j', async (count, names) => {
		const kids = `${'5 0 R '.repeat(count - 1)}6 0 R`;
		const first = catalog(`/Names << /EmbeddedFiles << /Kids [${kids}] >> >>`);
		const end = '<< /Names [(a) 3 0 R] >>';
		expect(await found(first, PAGES, specification(4), file, '<< >>', end)).toEqual(names);
	});

	it('up to a number', async () => {
		const files = Array.from({ length: MAX_ATTACHMENTS + 1 }, (_, i) => ({ name: `${i}.xml`, data: XML }));
		const names = await namesIn(pdfWith(files));
		expect([names.length, names.at(-1)]).toEqual([MAX_ATTACHMENTS, `${MAX_ATTACHMENTS - 1}.xml`]);
	});

	it.each([
		[20, ['a.xml']],
		[21, []],
	])('through %i references to references: %j', async (hops, names) => {
		const references = Array.from({ length: hops - 1 }, (_, i) => `${6 + i} 0 R`);
		const objects = [specification(4), file, ...references, '[3 0 R]'];
		expect(await found(catalog('/AF 5 0 R'), PAGES, ...objects)).toEqual(names);
	});
});

describe('files of pages', () => {
	const withPages = (count: number, page: string, content: PdfObject = file) => {
		const kids = Array.from({ length: count }, (_, i) => `${6 + i} 0 R`).join(' ');
		const empty = '<< /Type /Page /Parent 2 0 R >>';
		return pdf([
			catalog(),
			`<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
			specification(4),
			content,
			'<< /Type /Annot /Subtype /FileAttachment /FS 3 0 R >>',
			...Array.from({ length: count - 1 }, () => empty),
			`<< /Type /Page /Parent 2 0 R ${page} >>`,
		]);
	};

	it.each(['/AF [3 0 R]', '/AF 3 0 R', '/Annots [5 0 R]', '/Annots [null << /Subtype /Link >> 5 0 R]'])(
		'are found under %s',
		async (page) => {
			expect(await namesIn(withPages(1, page))).toEqual(['a.xml']);
		},
	);

	it('are looked for only if the catalog names none', async () => {
		const first = catalog('/AF [3 0 R]').replace('2 0 R', '5 0 R');
		const objects = [
			specification(4),
			file,
			'<< /Type /Pages /Kids [6 0 R] /Count 1 >>',
			'<< /Type /Page /Parent 5 0 R /AF [7 0 R] >>',
			specification(4, 'b.xml'),
		];
		expect(await found(first, PAGES, ...objects)).toEqual(['a.xml']);
	});

	it('are looked for only if the PDF mentions any', async () => {
		expect(await namesIn(withPages(1, '/AF [3 0 R]', { dict: '', data: XML }))).toEqual([]);
	});

	it.each([
		[MAX_PAGES, ['a.xml']],
		[MAX_PAGES + 1, []],
	])('are found on page %i: %j', async (count, names) => {
		expect(await namesIn(withPages(count, '/AF [3 0 R]'))).toEqual(names);
	});
});

describe('files to which nothing leads', () => {
	const lost = pdf([catalog(), PAGES, specification(4), file]);

	it('are not found in a sound PDF', async () => {
		expect(await readPdf(lost)).toMatchObject({ attachments: [], isDamaged: false });
	});

	it('are found where the directory is lost', async () => {
		const text = lost.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7');
		const { attachments, isDamaged } = await readPdf(Buffer.from(text, 'latin1'));
		expect([attachments.map(({ name }) => name), isDamaged]).toEqual([['a.xml'], true]);
	});
});

describe('the time for it', () => {
	afterEach(() => void vi.useRealTimers());

	it.each([
		[MAX_PDF_TIME, false],
		[MAX_PDF_TIME + 1, true],
	])('may be %i ms; that is too long: %s', async (time, isTooMuch) => {
		const start = performance.now();
		const now = vi
			.spyOn(performance, 'now')
			.mockReturnValueOnce(start)
			.mockReturnValue(start + time);
		const content = await readPdf(pdfWith([{ name: 'a.xml', data: XML }]));
		now.mockRestore();
		expect(content.isTooMuch).toBe(isTooMuch);
		expect(content.attachments).toHaveLength(isTooMuch ? 0 : 1);
	});

	it('does not pass when the clock is set, as after a machine was asleep', async () => {
		const start = Date.now();
		const now = vi
			.spyOn(Date, 'now')
			.mockReturnValueOnce(start)
			.mockReturnValue(start + 3_600_000);
		const content = await readPdf(pdfWith([{ name: 'a.xml', data: XML }]));
		now.mockRestore();
		expect(content).toMatchObject({ isTooMuch: false, attachments: [{ name: 'a.xml' }] });
	});
});

describe('a text', () => {
	it.each<[string, Uint8Array, boolean]>([
		['XML', Buffer.from(XML), true],
		['white space', Buffer.from(' \t\r\n<'), true],
		['a byte order mark', Buffer.from('\ufeff<'), true],
		['UTF-16', Buffer.from('\ufeff<', 'utf16le'), true],
		['UTF-16, big end first', Buffer.from('\ufeff<', 'utf16le').swap16(), true],
		['99 spaces', Buffer.from(`${' '.repeat(99)}<`), true],
		['100 spaces', Buffer.from(`${' '.repeat(100)}<`), false],
		['something else', Buffer.from('a<'), false],
		['nothing', Buffer.from(''), false],
		['spaces alone', Buffer.from('  '), false],
	])('that begins with %s looks like XML: %s', (_what, bytes, isXml) => {
		expect(startsLikeXml(bytes)).toBe(isXml);
	});
});
