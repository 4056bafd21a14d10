/** The example "Receipts from e-mail to documents" as a whole, from the trigger's items on. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { WORKFLOWS } from '../../../scripts/start/examples.mjs';
import { type File, useExamples } from '../../support/exampleRun.mjs';
import { PATIENCE_MS } from '../../support/timing.mjs';

const rig = useExamples();
const XML = await readFile(join(WORKFLOWS, 'receipts-email/Rechnung RE-4711 Papier Schmidt.xml'), 'utf8');
const PDF = '%PDF-1.4';

let uid = 0;
/** An e-mail as n8n's trigger puts it out. */
const email = (files: File[], subject = 'Rechnung') => ({
	json: { attributes: { uid: ++uid }, subject, date: '2026-11-20T08:00:00.000Z', from: { text: 'Rita <rita@lieferant.example>' } },
	files: Object.fromEntries(files.map((file, i) => [`attachment_${i}`, file])),
});
const run = async (...items: Array<ReturnType<typeof email>>) =>
	await rig.run('receipts-email', { from: 'New e-mail', items });
const names = () => rig.documents().map(({ dateiname }) => dateiname);

it('uploads a receipt, lists it for the chase, and writes to nobody', async () => {
	const { error } = await run(email([{ fileName: 'IMG_1.jpg', content: 'photo' }], 'Taxi von der Messe'));
	expect(error).toBeUndefined();
	expect(rig.documents()).toMatchObject([{ dateiname: 'IMG_1.jpg', fields: { belegnotiz: 'Taxi von der Messe' } }]);
	expect(rig.tables.rows('Hochgeladene Belege')).toMatchObject([
		{ datei: 'IMG_1.jpg', betrag: null, datum: '2026-11-20', verkaeufer: 'Rita <rita@lieferant.example>' },
	]);
	expect(rig.emails).toEqual([]);
});

it('tells of an e-mail without a receipt, be it without any file or with a small picture only', async () => {
	await run(email([], 'Bestellung'), email([{ fileName: 'Bon.png', content: 'small' }], 'Parken'));
	expect(rig.documents()).toEqual([]);
	expect(rig.emails).toHaveLength(1);
	expect(rig.emails[0].text.split('\n\n').slice(0, -1)).toEqual([
		'Von „Rita <rita@lieferant.example>“: „Bestellung“:  ',
		'Von „Rita <rita@lieferant.example>“: „Bon.png“:  ',
	]);
});

it('says nothing of the e-mail by which the watchdog looks whether the mailbox is read', async () => {
	const { error } = await run(email([], 'Watchdog: Prüfung des Postfachs'));
	expect(error).toBeUndefined();
	expect(rig.emails).toEqual([]);
});

it('of an e-mail, uploads what is accepted, tells the rest, and leaves out a signature’s picture', async () => {
	const { error } = await run(
		email([
			{ fileName: 'gut.pdf', content: PDF },
			{ fileName: 'leer.pdf', content: '' },
			{ fileName: 'Lieferscheine.zip', content: 'PK' },
			{ fileName: 'logo.png', content: 'small' },
			{ fileName: 'scan.png', content: 'large'.repeat(30_000) },
		]),
	);
	expect(error).toBeUndefined();
	expect(names()).toEqual(['gut.pdf']);
	const [{ text }] = rig.emails;
	expect(text.split('\n\n')).toHaveLength(4);
	expect(text).toMatch(/„leer\.pdf“: Berichtigen Sie .*empty/);
	expect(text).toContain('„Lieferscheine.zip“');
	expect(text).toContain('„scan.png“');
});

it.each([
	['another IBAN', 'DE02120300000000202051', 'DE89370400440532013000'],
	['a number with a space', 'RE-4711', 'RE 4711'],
	['a number without a hyphen', 'RE-4711', 'RE4711'],
])('warns of an invoice number that came before: %s', async (_, from, to) => {
	await run(email([{ fileName: 'eins.xml', content: XML }]));
	expect(rig.emails).toEqual([]);
	const other = XML.replaceAll(from, to);
	expect(other).not.toBe(XML);
	await run(email([{ fileName: 'zwei.xml', content: other }]));
	expect(names()).toEqual(['eins.xml', 'zwei.xml']);
	expect(rig.emails.map(({ text }) => text.split('\n\n')[0])).toEqual([
		'Von „Rita <rita@lieferant.example>“: „zwei.xml“: Hochgeladen, aber bitte prüfen: Die Rechnungsnummer kam schon einmal. ' +
			'Bitte Betrag und IBAN vergleichen. Der andere Beleg: „eins.xml“ ',
	]);
});

it('warns of a VAT ID with spaces, too, but not of another seller’s number', async () => {
	const vatId = /DE\d{9}/.exec(XML)![0];
	await run(email([{ fileName: 'eins.xml', content: XML }]));
	await run(email([{ fileName: 'fremd.xml', content: XML.replaceAll(vatId, 'DE111111125') }]));
	expect(rig.emails).toEqual([]);
	await run(email([{ fileName: 'zwei.xml', content: XML.replaceAll(vatId, vatId.replace(/(\d{3})/g, ' $1')) }]));
	expect(rig.emails).toHaveLength(1);
});

it('the same file in two e-mails is one document', async () => {
	rig.sandbox.faults.add({ kind: 'alter', operationId: 'uploadDuoDocument', set: { id: 'DMS-991' } });
	await run(email([{ fileName: 'a.pdf', content: PDF }]));
	const { items } = await run(email([{ fileName: 'b.pdf', content: PDF }]));
	expect(items('Upload the documents')).toMatchObject([{ alreadyExisted: true }]);
	expect(rig.documents()).toHaveLength(1);
	expect(rig.emails).toEqual([]);
});

it('uploads the files of 500 e-mails; of one with too many files, tells the rest', async () => {
	const many = Array.from({ length: 500 }, (_, i) => email([{ fileName: `${i}.pdf`, content: `${PDF} ${i}` }]));
	expect((await run(...many)).error).toBeUndefined();
	expect(rig.documents()).toHaveLength(500);
	const files = Array.from({ length: 102 }, (_, i) => ({ fileName: `x${i}.pdf`, content: `${PDF} x${i}` }));
	await run(email(files));
	expect(rig.documents()).toHaveLength(600);
	expect(rig.emails[0].text.split('\n\n')).toHaveLength(3);
	expect(rig.emails[0].text).toContain('höchstens 100 Dateien je E-Mail');
}, PATIENCE_MS);

it('fails when the mail server does, after everything was uploaded', async () => {
	rig.isMailDown = true;
	const { error } = await run(email([{ fileName: 'a.pdf', content: PDF }, { fileName: 'b.doc', content: 'x' }]));
	expect(error).toMatch(/^Tell the accountant: /);
	expect(names()).toEqual(['a.pdf']);
});
