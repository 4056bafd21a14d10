/** Reading e-invoices: what comes out for each file, with nothing sent and no credential. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayFiles } from '../../../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { BINARY_MODES, useBinaryMode } from '../../../../host/fileStore.mjs';
import { runNode, type TestItem } from '../../../../host/harness.mjs';
import { ciiInvoice, pdfWith, ublInvoice } from '../../../support/eInvoices.mjs';

const node = new AccountingGatewayFiles();

const file = (fileName: string, content: string | Uint8Array) => ({
	fileName,
	content: Buffer.from(content as string),
});
const XML = file('RE-4711.xml', ublInvoice());
const PDF = file(
	'Rechnung.pdf',
	pdfWith([{ name: 'factur-x.xml', data: deflateSync(ciiInvoice()), dict: '/Filter /FlateDecode' }]),
);
const PHOTO = file('IMG_1.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'));
const CUT = file('cut.xml', ublInvoice().slice(0, 900));

async function run(items: TestItem[], own: INodeParameters = {}) {
	const parameters = { resource: 'eInvoice', operation: 'read', datei: 'data', ...own };
	const { main, error, hints } = await runNode({ node, parameters, items });
	return { items: main[0] ?? [], error, hints };
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

const INVOICE = {
	kind: 'invoice',
	number: 'RE-4711',
	issueDate: '2026-11-03',
	dueDate: '2026-12-03',
	sellerName: 'Papier Schmidt GmbH & Co. KG',
	currency: 'EUR',
	grossAmount: 172.5,
	netAmount: 150,
	payableAmount: 172.5,
	taxes: [
		{ category: 'S', rate: 19, base: 100, amount: 19 },
		{ category: 'S', rate: 7, base: 50, amount: 3.5 },
	],
};

describe('An e-invoice that is read', () => {
	it('comes out with ten fields, its file and that file’s checksum, without a credential', async () => {
		const { items, error, hints } = await run([{ files: { data: XML } }]);
		expect(error).toBeUndefined();
		// n8n opens the view of the files, where nothing that was read is to be seen.
		expect(hints).toMatchObject([{ message: expect.stringMatching(/Choose “Table”/), type: 'info' }]);
		expect(items).toHaveLength(1);
		expect(items[0].json).toEqual({ ...INVOICE, sha256: sha256(XML.content) });
		expect(items[0].pairedItem).toEqual({ item: 0 });
		expect(Object.keys(items[0].binary ?? {})).toEqual(['data']);
	});

	it('comes out whole with Simplify off', async () => {
		const { items } = await run([{ files: { data: PDF } }], { simple: false });
		expect(items[0].json).toMatchObject({
			kind: 'invoice',
			syntax: 'CII',
			number: 'FX-1',
			typeCode: '380',
			sellerName: 'Papier Schmidt GmbH',
			seller: { name: 'Papier Schmidt GmbH', vatId: 'DE123456789' },
			buyer: { name: 'Käufer AG' },
			iban: 'DE02120300000000202051',
			references: { order: 'B-99' },
			payableAmount: 119,
			lines: [{ id: '1', name: 'Papier A4', quantity: 10, netAmount: 100 }],
			problem: null,
			warnings: [],
		});
	});

	it('with amounts that do not add up says so in the item', async () => {
		const wrong = file('a.xml', ublInvoice({ 'currencyID="EUR">22.50': 'currencyID="EUR">22.60' }));
		const { items, hints } = await run([{ files: { data: wrong } }]);
		expect(items[0].json).toMatchObject({
			kind: 'invoice',
			warnings: [
				{ en: expect.stringContaining("don't add up"), de: expect.stringContaining('passen nicht zusammen') },
				{ en: expect.stringContaining('172.60'), de: expect.stringContaining('172,60 EUR') },
			],
		});
		expect(JSON.stringify(hints)).toMatch(/file a\.xml: .*the amounts don't add up.*22\.60 EUR/);
	});
});

describe('Several files that are read', () => {
	it('give an item each, with its own file, paired with the item that it came from', async () => {
		const { items } = await run(
			[
				{ files: { attachment_0: PDF, attachment_1: PHOTO, attachment_2: CUT } },
				{ files: { attachment_0: XML } },
			],
			{ datei: '*' },
		);
		const shown = items.map(({ json, binary, pairedItem }) => [
			json.kind,
			json.number,
			Object.keys(binary ?? {}),
			pairedItem,
		]);
		expect(shown).toEqual([
			['invoice', 'FX-1', ['attachment_0'], { item: 0 }],
			['none', undefined, ['attachment_1'], { item: 0 }],
			['none', undefined, ['attachment_2'], { item: 0 }],
			['invoice', 'RE-4711', ['attachment_0'], { item: 1 }],
		]);
		expect(items[1].json).toEqual({ kind: 'none', sha256: sha256(PHOTO.content) });
		expect(items[2].json).toMatchObject({
			kind: 'none',
			problem: {
				en: expect.stringContaining('ends too early'),
				de: expect.stringContaining('endet zu früh'),
			},
		});
	});

	it('that are not chosen are named', async () => {
		const { hints } = await run([{ files: { attachment_0: PDF, photo: PHOTO } }], { datei: '*.pdf' });
		expect(JSON.stringify(hints)).toMatch(/files of the item that were not read: photo \(IMG_1\.jpg\)/);
	});
});

it('A photo is no e-invoice with Simplify off, either', async () => {
	const { items } = await run([{ files: { data: PHOTO } }], { simple: false });
	expect(items.map(({ json }) => json)).toMatchObject([{ kind: 'none', problem: null, warnings: [] }]);
});

it('An empty file has a problem, and the e-invoices beside it are read', async () => {
	const { items, error } = await run([{ files: { a: file('a.xml', ''), b: XML } }], { datei: '*' });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toMatchObject([
		{
			kind: 'none',
			problem: {
				en: 'The file is empty. Ask the sender to send it again.',
				de: 'Die Datei ist leer. Bitte beim Absender erneut anfordern.',
			},
		},
		INVOICE,
	]);
});

it('An e-invoice that is missing refuses its item', async () => {
	const { error } = await run([{ files: { scan: XML, other: PDF } }]);
	expect(error?.message).toMatch(/matches no file of the item, which has scan, other/);
});

describe.each(BINARY_MODES)('E-invoices in n8n’s binary mode %s', (mode) => {
	useBinaryMode(mode);

	it('are read where an expression gives the file as an object', async () => {
		const { items, error } = await run([{ files: { data: PDF } }, { files: { scan: XML, other: PHOTO } }], {
			datei: '={{ $binary.data ?? $binary.scan }}',
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json, binary }) => [json.number, Object.keys(binary ?? {})])).toEqual([
			['FX-1', ['data']],
			['RE-4711', ['scan', 'other']],
		]);
	});
});
