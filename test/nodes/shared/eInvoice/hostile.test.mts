/** Files whose sender means harm: each is refused in words, quickly, and without much memory. */
import { deflateSync } from 'node:zlib';
import memoize from 'lodash/memoize.js';
import { describe, expect, it } from 'vitest';

import { readEInvoice } from '../../../../nodes/shared/eInvoice/read.js';
import { ciiInvoice, pdf, pdfWith, ublInvoice } from '../../../support/eInvoices.mjs';
import type { PdfObject } from '../../../support/eInvoices.mjs';

/** Milliseconds of processor time and megabytes beyond what was there, for one file. */
const TIME = 6000;
const MEMORY = 500;

async function read(content: string | Uint8Array, name = 'invoice.xml') {
	const bytes = Buffer.from(content as string);
	const [memory, time] = [process.memoryUsage().rss, process.cpuUsage()];
	const { invoice, problem } = await readEInvoice(bytes, name);
	const { user } = process.cpuUsage(time);
	expect(user / 1000).toBeLessThan(TIME);
	expect((process.memoryUsage().rss - memory) / 1e6).toBeLessThan(MEMORY);
	return { invoice, problem };
}

const NUMBER = '<cbc:ID>RE-4711</cbc:ID>';

describe('XML', () => {
	it.each<[string, string]>([
		['an entity of its own', '<!DOCTYPE Invoice [<!ENTITY a "1">]>'],
		['an entity from a file', '<!DOCTYPE Invoice [<!ENTITY a SYSTEM "file:///etc/passwd">]>'],
		[
			'a bomb of entities',
			`<!DOCTYPE Invoice [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${`&a${i ? i - 1 : ''};`.repeat(10)}">`).join('')}]>`,
		],
		['a document type from elsewhere', '<!DOCTYPE Invoice SYSTEM "http://127.0.0.1:1/x.dtd">'],
		['default attributes', '<!DOCTYPE Invoice [<!ATTLIST Invoice x CDATA "y">]>'],
	])('with %s is refused', async (_, doctype) => {
		const xml = ublInvoice({ '?>\n': `?>\n${doctype}\n` });
		expect(await read(xml)).toEqual({
			invoice: undefined,
			problem: expect.stringMatching(/DOCTYPE.*Don't trust it/),
		});
	});

	it('with an unknown entity is refused', async () => {
		const { problem } = await read(ublInvoice({ [NUMBER]: '<cbc:ID>&x;</cbc:ID>' }));
		expect(problem).toMatch(/damaged on line 6 \(undefined entity\)/);
	});

	it('that is nested deep is refused', async () => {
		const deep = ublInvoice({ [NUMBER]: '<cbc:Note>'.repeat(200_000) });
		expect((await read(deep)).problem).toMatch(/nested too deep/);
		const inLine = ublInvoice({ '<cbc:ID>1</cbc:ID>': '<x>'.repeat(200_000) });
		expect((await read(inLine)).problem).toMatch(/nested too deep/);
	});

	it('with many attributes is refused', async () => {
		const attributes = Array.from({ length: 200_000 }, (_, index) => `a${index}="1"`).join(' ');
		expect((await read(ublInvoice({ '<cbc:IssueDate>': `<cbc:IssueDate ${attributes}>` }))).problem).toMatch(
			/too many attributes/,
		);
	});

	it('with many elements or much text is refused', async () => {
		expect((await read(ublInvoice({ [NUMBER]: '<cbc:Note/>'.repeat(200_000) }))).problem).toMatch(
			/too many elements/,
		);
		expect((await read(ublInvoice({ 'Vielen Dank': 'x'.repeat(6_000_000) }))).problem).toMatch(
			/too much text/,
		);
	});

	it('with many lines, and attachments of 20 MB, is read', async () => {
		const lines = '<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>'.repeat(50_000);
		const { invoice } = await read(
			ublInvoice({
				'JVBERi0=': 'JVBERi0='.repeat(2_500_000),
				'<cac:InvoiceLine>': `${lines}<cac:InvoiceLine>`,
			}),
		);
		expect(invoice?.grossAmount).toBe(172.5);
	});

	it('with names of prototypes is read', async () => {
		const names =
			'<cbc:__proto__>x</cbc:__proto__><cbc:constructor __proto__="y" constructor="z">x</cbc:constructor>';
		const { invoice } = await read(ublInvoice({ [NUMBER]: `${names}${NUMBER}` }));
		expect(invoice?.number).toBe('RE-4711');
		expect(({} as Record<string, unknown>).x).toBeUndefined();
	});

	it.each([0.3, 0.6, 0.95, 0.999])('that is cut off after %d of it is refused', async (part) => {
		const xml = ublInvoice().trimEnd();
		expect(await read(xml.slice(0, Math.floor(xml.length * part)))).toEqual({
			invoice: undefined,
			problem: 'The XML ends too early: the file was cut off. Ask the sender to send it again.',
		});
	});

	it.each<[string, Record<string, string>]>([
		['elements that cross', { '</cbc:Note>': '</cbc:Nota>' }],
		['an ampersand', { 'Vielen Dank': 'A & B' }],
		['a second root', { '</Invoice>': '</Invoice><Invoice/>' }],
		['a character that XML has not', { 'Vielen Dank': 'A\u0001B' }],
		['an unknown prefix', { '<cbc:Note>Vielen Dank</cbc:Note>': '<q:Note/>' }],
	])('with %s is refused', async (_, replacements) => {
		expect((await read(ublInvoice(replacements))).problem).toMatch(
			/^The XML is damaged on line \d+ \(.*\)\. Ask the sender/,
		);
	});

	it('with a long run of anything takes no longer than it is long', async () => {
		for (const run of ['<', '&', ' ', '\n', '<!--', '<?', ']]>', '&amp;', '<a>', '\u00e4']) {
			const { invoice } = await read(ublInvoice({ 'Vielen Dank': run.repeat(100_000) }));
			expect([undefined, 'RE-4711']).toContain(invoice?.number);
		}
	});
});

describe('other bytes', () => {
	it.each(['a.xml', 'a.pdf'])('zeros named %s are refused', async (name) => {
		expect((await read(Buffer.alloc(20_000_000), name)).problem).toMatch(/nothing but zeros/);
		expect((await read(Buffer.alloc(100_000_000), name)).problem).toMatch(/larger than 50 MB/);
	});

	it('nothing is refused', async () => {
		expect((await read('')).problem).toBe('The file is empty. Ask the sender to send it again.');
	});

	it.each(['a.xml', 'a.pdf'])('a picture named %s is refused', async (name) => {
		expect((await read(Buffer.from('ffd8ffe000104a464946', 'hex'), name)).problem).toMatch(
			/isn't (XML|a PDF), although its name says so/,
		);
	});

	it('XML that breaks before it shows what it is', async () => {
		expect((await read('<?xml version="1.0"?><a b></a>', 'a.xml')).problem).toMatch(/damaged on line 1/);
		expect((await read('<Invoice', 'a.xml')).problem).toMatch(/ends too early/);
	});
});

describe('a PDF', () => {
	const TOO_MUCH = /reading it takes too much time or memory.*Don't trust it/;
	const catalog = (names: string) => `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles ${names} >> >>`;
	const PAGES = '<< /Type /Pages /Kids [] /Count 0 >>';
	/** Twice what may be unpacked. */
	const BOMB = 128_000_000;
	const zeros = memoize((size: number) => deflateSync(Buffer.alloc(size, ' ')));

	it('with a bomb as XML is refused, and the next one read', async () => {
		const file = (data: Uint8Array) =>
			pdfWith([{ name: 'factur-x.xml', data, dict: '/Filter /FlateDecode' }]);
		expect((await read(file(zeros(BOMB)))).problem).toMatch(TOO_MUCH);
		expect((await read(file(deflateSync(ciiInvoice())))).invoice?.number).toBe('FX-1');
	});

	it.each<[string, string, (bomb: Buffer) => Uint8Array]>([
		['Flate in Flate', '[/FlateDecode /FlateDecode]', (bomb) => deflateSync(bomb)],
		[
			'Flate in hexadecimal',
			'[/ASCIIHexDecode /FlateDecode]',
			(bomb) => Buffer.from(`${bomb.toString('hex')}>`),
		],
	])('with a bomb, %s, is refused', async (_, filter, pack) => {
		const data = pack(zeros(BOMB));
		expect(
			(await read(pdfWith([{ name: 'factur-x.xml', data, dict: `/Filter ${filter}` }]))).problem,
		).toMatch(TOO_MUCH);
	});

	it.each<[string, string, Uint8Array]>([
		['RunLength', '/RunLengthDecode', Buffer.alloc(4_000_000, Buffer.from([129, 32]))],
		['letters for zeros', '/ASCII85Decode', Buffer.alloc(30_000_000, 'z')],
		['LZW', '/LZWDecode', Buffer.alloc(1_000_000, 0)],
	])('with a bomb by %s is refused', async (_, filter, data) => {
		expect(
			(await read(pdfWith([{ name: 'factur-x.xml', data, dict: `/Filter ${filter}` }]))).problem,
		).toMatch(TOO_MUCH);
	});

	it('with many files that are large together is refused', async () => {
		const data = zeros(40_000_000);
		const files = Array.from({ length: 90 }, (_, index) => ({
			name: `${index}.xml`,
			data,
			dict: '/Filter /FlateDecode',
		}));
		expect((await read(pdfWith(files))).problem).toMatch(TOO_MUCH);
	});

	it('with a bomb as object stream is refused', async () => {
		const bytes = pdf([
			'<< /Type /Catalog /Pages 2 0 R /AF 4 0 R >>',
			PAGES,
			{ dict: '/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode', data: zeros(BOMB) },
			'null',
		]);
		const text = bytes.toString('latin1').replace(/startxref\n\d+/, 'startxref\n1');
		expect((await read(Buffer.from(text, 'latin1'))).problem).toMatch(/too much|damaged/);
	});

	it.each<[string, PdfObject[]]>([
		['a tree that is its own branch', [catalog('3 0 R'), PAGES, '<< /Kids [3 0 R 3 0 R] >>']],
		['two branches of each other', [catalog('3 0 R'), PAGES, '<< /Kids [4 0 R] >>', '<< /Kids [3 0 R] >>']],
		['a reference to itself', [catalog('3 0 R'), PAGES, '3 0 R']],
		['references in a circle', [catalog('3 0 R'), PAGES, '4 0 R', '3 0 R']],
		[
			'pages in a circle',
			[
				'<< /Type /Catalog /Pages 2 0 R >>',
				'<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>',
				'<< /Type /EmbeddedFile >>',
			],
		],
		[
			'a length that is its own stream',
			[
				catalog('<< /Names [(a) 3 0 R] >>'),
				PAGES,
				'<< /EF << /F 4 0 R >> /F (a.xml) >>',
				'<< /Length 4 0 R >>\nstream\n<a/>\nendstream',
			],
		],
		['many files', [catalog(`<< /Names [${'(a) 3 0 R '.repeat(300_000)}] >>`), PAGES, '<< /EF << >> >>']],
		['arrays in arrays', [catalog(`${'['.repeat(100_000)}`), PAGES]],
		['dictionaries in dictionaries', [catalog(`${'<< /A '.repeat(100_000)}`), PAGES]],
	])('with %s comes to an end', async (_, objects) => {
		expect((await read(pdf(objects))).invoice).toBeUndefined();
	});

	it('whose directory leads back to itself comes to an end', async () => {
		const bytes = pdf(['<< /Type /Catalog /Pages 2 0 R >>', PAGES]).toString('latin1');
		const start = /startxref\n(\d+)/.exec(bytes)?.[1];
		const looped = Buffer.from(bytes.replace('/Root', `/Prev ${start} /Root`), 'latin1');
		expect(await read(looped, 'a.pdf')).toEqual({
			invoice: undefined,
			problem: undefined,
		});
	});

	it.each<[string, string]>([
		['beginnings of objects', '1 0 obj '],
		['streams without an end', '1 0 obj<</Length 1>>stream\n'],
		['objects without an end', '1 0 obj[[[[[ '],
		['numbers', '1 '],
		['letters', 'a'],
		['brackets', '<<'],
		['strings', '('],
		['names', '/N'],
		['ends', 'endstream endobj '],
	])('of %s comes to an end', async (_, part) => {
		const numbered = part.startsWith('1 0 obj')
			? Array.from({ length: 100_000 }, (__, index) => part.replace('1', String(index + 1))).join('\n')
			: part.repeat(2_000_000 / part.length);
		expect((await read(`%PDF-1.7\n${numbered}`)).problem).toMatch(/damaged|too much/);
	});
});
