/** The example "Receipts folder to documents" as a whole. */
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

import { MANY } from '../../../scripts/base/extent.mjs';
import { useExamples } from '../../support/exampleRun.mjs';
import { useFolder } from '../../support/useFolder.mjs';

const rig = useExamples();
const folder = useFolder('receipts');

const put = async (name: string, content: string) => {
	await writeFile(folder(name), content);
};
const run = async () =>
	await rig.run('receipts-folder', { from: 'Every hour', change: { Settings: { files: folder('*') } } });
const requests = () => rig.sandbox.log.entries.filter(({ method }) => method === 'POST').length;

it('does nothing in an hour without files', async () => {
	const { error, ran } = await run();
	expect(error).toBeUndefined();
	expect(ran('Upload the documents')).toBe(false);
	expect(rig.emails).toEqual([]);
});

it('uploads a file once, however often the folder is read, and lists it for the chase', async () => {
	await put('2026-11-20 Rechnung Stadtwerke Lohne.pdf', '%PDF-1.4 one');
	rig.sandbox.faults.add({ kind: 'alter', operationId: 'uploadDuoDocument', set: { id: 'DMS-991' } });
	await run();
	const sent = requests();
	const { error, items } = await run();
	expect(error).toBeUndefined();
	expect(items('Upload the documents')).toMatchObject([{ alreadyExisted: true }]);
	expect(requests()).toBe(sent);
	expect(rig.documents()).toHaveLength(1);
	expect(rig.tables.rows('Hochgeladene Belege')).toMatchObject([
		{ dokument: rig.documents()[0].sha256, verkaeufer: '2026-11-20 Rechnung Stadtwerke Lohne.pdf' },
	]);
});

it(`uploads ${MANY} files, and tells of those that were refused in one e-mail, once`, async () => {
	for (let i = 0; i < MANY; i++) await put(`${i}.pdf`, i % 50 === 0 ? '' : `%PDF-1.4 ${i}`);
	await put('Lieferschein.docx', 'PK');
	const { error } = await run();
	expect(error).toBeUndefined();
	expect(rig.documents()).toHaveLength(MANY - MANY / 50);
	expect(rig.tables.rows('Hochgeladene Belege')).toHaveLength(MANY - MANY / 50);
	expect(rig.emails).toHaveLength(1);
	const [{ text, to }] = rig.emails;
	expect(to).toEqual(['buchhaltung@kanzlei-demo.example']);
	expect(text).toContain('Lieferschein.docx\nNur PDF, XML, JPG und HEIC werden hochgeladen.');
	expect(text).toMatch(/50\.pdf\nDatei „data“ ist leer \(0 Bytes\): 50\.pdf\.\nBerichtigen Sie /);
	await run();
	expect(rig.emails).toHaveLength(1);
});

it('tells of a file when the mail server works again, and of its successor', async () => {
	await put('Lieferschein.docx', 'x'.repeat(30_303));
	rig.isMailDown = true;
	expect((await run()).error).toMatch(/^Tell the accountant: /);
	expect(rig.tables.rows('Gemeldete Dateien')).toEqual([]);
	rig.isMailDown = false;
	await run();
	await run();
	expect(rig.emails).toHaveLength(1);
	// Files made by the same program differ by a few bytes.
	await put('Lieferschein.docx', 'x'.repeat(30_304));
	await run();
	expect(rig.emails).toHaveLength(2);
});

it('lists a document that another client had, too, for both', async () => {
	await put('Rechnung.pdf', '%PDF-1.4 one');
	await run();
	rig.tables.rows('Hochgeladene Belege')[0].verbindung = 'another client';
	await run();
	const rows = rig.tables.rows('Hochgeladene Belege');
	expect(rows).toHaveLength(2);
	expect(rows[1].dokument).toBe(rows[0].dokument);
});

it('makes a table that was renamed anew, and uploads nothing a second time', async () => {
	await put('Rechnung.pdf', '%PDF-1.4 one');
	await run();
	rig.tables.rename('Hochgeladene Belege', 'Hochgeladene Belege (alt)');
	await put('Quittung.pdf', '%PDF-1.4 two');
	expect((await run()).error).toBeUndefined();
	expect(rig.documents()).toHaveLength(2);
	expect(rig.tables.rows('Hochgeladene Belege').map(({ datei }) => datei)).toContain('Quittung.pdf');
	expect(rig.tables.rows('Hochgeladene Belege (alt)')).toHaveLength(1);
});

it('tells what the gateway warned of, once, of what it has uploaded', async () => {
	await put('Rechnung.pdf', '%PDF-1.4 one');
	await put('Quittung.pdf', '%PDF-1.4 two');
	rig.sandbox.faults.add({ kind: 'alter', operationId: 'uploadDuoDocument', set: { status: 'processing' }, contains: 'Rechnung.pdf' });
	expect((await run()).error).toBeUndefined();
	await run();
	expect(rig.documents()).toHaveLength(2);
	expect(rig.emails).toHaveLength(1);
	expect(rig.emails[0].text).toMatch(/^Rechnung\.pdf\nHochgeladen\. Bitte ansehen\.\nDas Gateway sagt außerdem: status: processing\s*$/);
});
