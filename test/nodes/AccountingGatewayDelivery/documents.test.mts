import { createHash, randomBytes } from 'node:crypto';

import type { IBinaryKeyData, IDataObject, INodeParameters, WorkflowSettingsBinaryMode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayFiles } from '../../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { IS_THOROUGH } from '../../../scripts/base/extent.mjs';
import { BINARY_MODES, useBinaryMode } from '../../../host/fileStore.mjs';
import type { TestFile } from '../../../host/harness.mjs';
import { engineIsFrom } from '../../../host/n8nPackages.mjs';
import { ublInvoice } from '../../support/eInvoices.mjs';
import { useGateway } from '../../support/useSandbox.mjs';
import { simpleEntry, uploadToDuo } from '../../../host/workflows.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const UUID = '123e4567-e89b-42d3-a456-426614174000';
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const pdf: TestFile = {
	content: Buffer.from('%PDF-1.4 …'),
	fileName: 'Beleg.pdf',
	mimeType: 'application/pdf',
};

const duo = (overrides: INodeParameters = {}) =>
	uploadToDuo(gateway.connectionId('duo'), { datei: 'data', ...overrides });
/** An advanced entry with receipts. */
const entryWith = (belegbilder: string) =>
	simpleEntry(gateway.connectionId('duo'), {
		operation: 'createAdvanced',
		betrag: '1',
		belegzeilen: { belegzeile: [{ betrag: '1' }] },
		belegbilder,
	});

const upload = async (parameters: INodeParameters, files?: Record<string, TestFile>) =>
	await gateway.run(node, parameters, { items: [{ files }] });
const arrived = async () => await gateway.list('documents');

it('The page that shows an e-invoice to a person isn’t uploaded as a second receipt', async () => {
	const xml: TestFile = { content: Buffer.from(ublInvoice()), fileName: 'RE-4711.xml', mimeType: 'text/xml' };
	const { main } = await gateway.run(
		new AccountingGatewayFiles(),
		{ resource: 'eInvoice', operation: 'read', datei: '*', options: { view: true } },
		{ items: [{ files: { data: xml } }] },
	);
	const [{ binary }] = main[0];
	expect(Object.keys(binary!)).toEqual(['data', 'view']);
	// As n8n stores it between two nodes.
	const passed = JSON.parse(JSON.stringify(binary)) as IBinaryKeyData;
	await gateway.run(node, duo({ datei: '*' }), { items: [{ binary: passed }] });
	expect(await arrived()).toMatchObject([{ dateiname: 'RE-4711.xml' }]);
});

describe('An upload to duo', () => {
	it('sends file, name and fields, and returns the ID', async () => {
		const { json, error } = await upload(
			duo({
				additionalFields: { id: UUID, belegnotiz: 'n'.repeat(60), dateiname: 'Rechnung Müller 🥐.pdf' },
			}),
			{ data: pdf },
		);
		expect(error).toBeUndefined();
		expect(await arrived()).toMatchObject([
			{
				dateiname: 'Rechnung Müller 🥐.pdf',
				sha256: sha256(pdf.content),
				fields: { belegtyp: 'Rechnungseingang', id: UUID, belegnotiz: 'n'.repeat(60) },
			},
		]);
		expect(json).toEqual([{ id: UUID, dateiname: 'Rechnung Müller 🥐.pdf', sha256: sha256(pdf.content) }]);
	});

	it('refuses a note of 61 characters', async () => {
		const { error } = await upload(duo({ additionalFields: { belegnotiz: 'n'.repeat(61) } }), { data: pdf });
		expect(error?.message).toContain('has 61 characters, 60 are allowed');
		expect(await gateway.requests()).toEqual([]);
	});

	const kept: Array<[WorkflowSettingsBinaryMode, INodeParameters]> = [
		['separate', { datei: '={{ $binary.data }}' }],
		['separate', { datei: '={{ $("Source").item.binary.data }}' }],
		['combined', { datei: 'data' }],
		['combined', { datei: '_files.data' }],
		['combined', { datei: '={{ $json._files.data }}' }],
	];
	it.each(kept.filter(([binaryMode]) => binaryMode === 'separate' || engineIsFrom('2.8')))(
		'reads the file where n8n stores it (%s, %o)',
		async (binaryMode, overrides) => {
			const options = { items: [{ files: { data: pdf } }], workflowSettings: { binaryMode } };
			const { error } = await gateway.run(node, duo(overrides), options);
			expect(error).toBeUndefined();
			expect(await arrived()).toMatchObject([{ dateiname: 'Beleg.pdf', sha256: sha256(pdf.content) }]);
			await gateway.fault({ kind: 'status', status: 422 });
			const refused = await gateway.run(node, duo(overrides), options);
			expect(refused.error?.description).toMatch(/^file Beleg.pdf: /);
		},
	);

	it('ignores what only looks like a file of the item', async () => {
		const files = { data: { mimeType: 'application/pdf', data: 'YWJj' } };
		const { error } = await gateway.run(node, duo(), { items: [{ json: { _files: files } }] });
		expect(error?.message).toContain(
			'Input Data Field Name (datei) "data" matches no file: the item has none',
		);
	});

	// Such as a "Code" node makes of an e-mail or of a web token.
	it.each<[string, (base64: string) => string]>([
		['with line breaks', (base64) => base64.replace(/.{76}/g, '$&\r\n')],
		['without padding', (base64) => base64.replace(/=+$/, '')],
		['for URLs', (base64) => base64.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')],
	])('accepts an unnamed file that is written into the item as base64 %s', async (_, write) => {
		const content = randomBytes(1000);
		const data = write(content.toString('base64'));
		const binary = { data: { data, mimeType: 'application/pdf', fileExtension: 'pdf', fileName: '' } };
		const { error } = await gateway.run(node, duo(), { received: [[{ json: {}, binary }]] });
		expect(error).toBeUndefined();
		expect(await arrived()).toMatchObject([{ dateiname: 'data.pdf', sha256: sha256(content) }]);
	});
});

describe.each(BINARY_MODES)('Files in n8n’s binary mode "%s"', (mode) => {
	useBinaryMode(mode);

	const large = mode === 'filesystem' || IS_THOROUGH ? 25 * 1024 * 1024 : 2_000_001;
	it.each([1, 2, 65_537, large])('arrive unchanged, of %d bytes', async (size) => {
		const content = randomBytes(size);
		const { error } = await upload(duo(), { data: { content, fileName: 'a.bin' } });
		expect(error).toBeUndefined();
		expect(await arrived()).toMatchObject([{ sha256: sha256(content) }]);
	});

	it('arrive in order as receipts of an entry', async () => {
		const files = Object.fromEntries(
			Array.from({ length: 5 }, (_, i) => [
				`bild_${i}`,
				{ content: randomBytes(70_000 + i), fileName: `Beleg ${i} "ü".jpg` },
			]),
		);
		for (const belegbilder of ['*', 'bild_0, bild_1,bild_2 ,bild_3,bild_4']) {
			await gateway.run(node, entryWith(belegbilder), { items: [{ files }] });
		}
		const entries = await gateway.list('entries');
		expect(entries).toHaveLength(2);
		for (const { belegbilder } of entries) {
			expect(
				(belegbilder as IDataObject[]).map(({ dateiname, sha256: hash }) => ({ dateiname, hash })),
			).toEqual(
				Object.values(files).map(({ fileName, content }) => ({ dateiname: fileName, hash: sha256(content) })),
			);
		}
	});
});
