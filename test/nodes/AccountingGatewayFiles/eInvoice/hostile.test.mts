/**
 * Files whose sender means harm: n8n goes on while they are read, and the other files of the run are read, too. With
 * `HOSTILE_BYTES=45000000` (the nightly run), they are as large as a file may be.
 */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayFiles } from '../../../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { readInvoice } from '../../../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { MAX_XML_DEPTH } from '../../../../nodes/AccountingGatewayFiles/formats/xml.js';
import { pdfWith, ublInvoice } from '../../../support/eInvoices.mjs';
import { initBinaryData } from '../../../../host/fileStore.mjs';
import { runNode } from '../../../../host/harness.mjs';
import { partOf } from '../../../../scripts/base/extent.mjs';
import { watched } from '../../../support/timing.mjs';
import { PDFS, XMLS } from './hostileFiles.mjs';
import { INVOICE_LIMITS } from '../../../../nodes/AccountingGatewayFiles/eInvoice/limits.js';

const SIZE = Number(process.env.HOSTILE_BYTES ?? 300_000);
/** Milliseconds for which n8n may stand still and, in all, of processor time; and megabytes that may be taken. */
const MAX_BLOCK = 500;
const MAX_PROCESSOR = 4_000 + SIZE / 2_000;
const MAX_MEMORY = 200;

/** What never ends costs much only from a size that is still far below the limit. */
const sizeOf = (name: string) => (name.startsWith('an endless') ? Math.max(SIZE, 12_000_000) : SIZE);

type Made = [name: string, make: (size: number) => Uint8Array];
const packed = ([name, make]: Made): Made => [
	`${name}, packed.pdf`,
	(size) => pdfWith([{ name: 'factur-x.xml', data: deflateSync(make(size)), dict: '' }]),
];
const FILES: Made[] = [
	...Object.entries(PDFS).map(([name, make]): Made => [`${name}.pdf`, make]),
	...Object.entries(XMLS).map(([name, make]): Made => [`${name}.xml`, make]),
	// Unpacked, it is the same XML: a few by day.
	...(process.env.HOSTILE_BYTES ? Object.entries(XMLS) : partOf(Object.entries(XMLS), 0)).map(packed),
];

describe('n8n goes on while it reads a hostile file', () => {
	it.each(FILES)(
		'%s',
		async (name, make) => {
			const bytes = Buffer.from(make(sizeOf(name)));
			const { result, ...took } = await watched(async () => await readInvoice(bytes, name));
			expect(took.blocked).toBeLessThan(MAX_BLOCK);
			expect(took.processor).toBeLessThan(MAX_PROCESSOR);
			expect(took.memory).toBeLessThan(MAX_MEMORY);
			// An execution's data holds what is said.
			const { lines = [], ...invoice } = result.invoice ?? {};
			expect(JSON.stringify({ ...result, invoice }).length).toBeLessThan(20_000);
			expect(JSON.stringify(lines).length).toBeLessThan(1_000_000);
		},
		600_000,
	);

	it('among all of them in one run, of which the good one is read', async () => {
		await initBinaryData('filesystem');
		const good = { fileName: 'good.xml', content: Buffer.from(ublInvoice()) };
		const files = FILES.map(([fileName, make]) => ({ fileName, content: Buffer.from(make(20_000)) }));
		const { result, blocked } = await watched(
			async () =>
				await runNode({
					node: new AccountingGatewayFiles(),
					parameters: { resource: 'eInvoice', operation: 'read', datei: 'data' },
					items: [...files, good].map((data) => ({ files: { data } })),
				}),
		);
		expect(blocked).toBeLessThan(MAX_BLOCK);
		expect(result.main[0]).toHaveLength(files.length + 1);
		expect(result.main[0]?.at(-1)?.json).toMatchObject({ kind: 'invoice', number: 'RE-4711' });
	});
});

const read = async (content: string | Uint8Array, name = 'invoice.xml') => {
	const { invoice, problem } = await readInvoice(Buffer.from(content as string), name);
	return { invoice, problem: problem?.en };
};

const NUMBER = '<cbc:ID>RE-4711</cbc:ID>';

describe('An e-invoice’s XML', () => {
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
			problem: expect.stringMatching(/^Format error.*ends too early/),
		});
	});

	it.each<[string, Record<string, string>]>([
		['elements that cross', { '</cbc:Note>': '</cbc:Nota>' }],
		['a second root', { '</Invoice>': '</Invoice><Invoice/>' }],
		['a character that XML has not', { 'Vielen Dank': 'A\u0001B' }],
		['an unknown prefix', { '<cbc:Note>Vielen Dank</cbc:Note>': '<q:Note/>' }],
	])('with %s is refused', async (_, replacements) => {
		expect((await read(ublInvoice(replacements))).problem).toMatch(
			/the XML is damaged on line \d+ \(.*\)\. Ask the sender/,
		);
	});
});

describe('An e-invoice’s XML is read up to a limit, and not beyond:', () => {
	const ubl = (content: string) =>
		`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">${content}</Invoice>`;
	const attributes = (count: number) => Array.from({ length: count }, (_, i) => `a${i}=""`).join(' ');

	it.each<[number, string, (count: number) => string]>([
		[INVOICE_LIMITS.elements - 1, 'elements', (count) => '<cbc:A/>'.repeat(count)],
		[INVOICE_LIMITS.text, 'characters', (count) => `${'x'.repeat(count - 1)}<cbc:A format="x"/>`],
		[INVOICE_LIMITS.attributes, 'attributes', (count) => `<cbc:A ${attributes(count)}/>`],
		[MAX_XML_DEPTH - 1, 'levels', (count) => '<cbc:A>'.repeat(count) + '</cbc:A>'.repeat(count)],
	])('%i %s', async (most, _what, contentOf) => {
		expect((await read(ubl(contentOf(most)))).invoice).toBeDefined();
		expect((await read(ubl(contentOf(most + 1)))).problem).toMatch(/more of something than any invoice has/);
	});
});

describe('A file of other bytes', () => {
	it.each(['a.xml', 'a.pdf'])('with nothing but zeros, named %s, is refused', async (name) => {
		expect((await read(Buffer.alloc(20_000_000), name)).problem).toMatch(/isn't (XML|a PDF)/);
		expect((await read(Buffer.alloc(100_000_000), name)).problem).toMatch(/larger than 50 MB/);
	});

	it('that is XML and breaks before it shows what it is, is refused', async () => {
		expect((await read('<?xml version="1.0"?><a b></a>', 'a.xml')).problem).toMatch(/damaged on line 1/);
		expect((await read('<Invoice', 'a.xml')).problem).toMatch(/ends too early/);
	});
});
