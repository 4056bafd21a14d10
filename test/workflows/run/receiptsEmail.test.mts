/** The example "Receipts from e-mail to documents" as a whole, from the trigger's items on. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { WORKFLOWS } from '../../../tools/examples.mjs';
import { type File, useExamples } from '../../support/exampleRun.mjs';
import { fromGmail, fromImap, fromMicrosoft } from '../../support/mailTriggers.mjs';
import { PATIENCE_MS } from '../../../tools/waiting.mjs';

const rig = useExamples();
const XML = await readFile(join(WORKFLOWS, 'receipts-email/Rechnung RE-4711 Papier Schmidt.xml'), 'utf8');
const PDF = '%PDF-1.4';

const NOT_TAKEN = 'Nicht hochgeladen: Angenommen werden PDF, XML, JPG und HEIC, höchstens 100 Dateien je E-Mail.';

let uid = 0;
/** An e-mail as n8n's trigger puts it out. */
const email = (files: File[], subject = 'Rechnung') => ({
	json: { attributes: { uid: ++uid }, subject, date: '2026-11-20T08:00:00.000Z', from: { text: 'Rita <rita@lieferant.example>' } },
	files: Object.fromEntries(files.map((file, i) => [`attachment_${i}`, file])),
});
const run = async (...items: Array<ReturnType<typeof email>>) =>
	await rig.run('receipts-email', { from: 'IMAP', items });
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

it('tells of an e-mail without a receipt, with all of its files', async () => {
	const others = ['Bon.png', 'smime.p7s', 'Notiz.docx'].map((fileName) => ({ fileName, content: 'small' }));
	await run(email([], 'Bestellung'), email(others, 'Parken'));
	expect(rig.documents()).toEqual([]);
	expect(rig.emails).toHaveLength(1);
	expect(rig.emails[0].text.trim().split('\n\n')).toEqual([
		`E-Mail ohne Datei\n„Bestellung“ von Rita <rita@lieferant.example>\n${NOT_TAKEN}`,
		`Bon.png, Notiz.docx\n„Parken“ von Rita <rita@lieferant.example>\n${NOT_TAKEN}`,
	]);
});

it('writes a table with a row for each, in which nothing of others is HTML, and the same as text', async () => {
	await run(email([], '<b>Bestellung</b>'), email([{ fileName: 'a.docx', content: 'x' }], 'Frage'));
	const [{ html, text }] = rig.emails;
	expect(html.match(/<tr><td>/g)).toHaveLength(2);
	expect(html).toContain('&lt;b>Bestellung&lt;/b>');
	expect(html).toContain('<tr><td>a.docx<br>„Frage“ von Rita &lt;rita@lieferant.example><br>Nicht hochgeladen');
	expect(text).toContain('„<b>Bestellung</b>“');
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
	expect(text.split('\n\n')).toHaveLength(3);
	expect(text).toMatch(/leer\.pdf\n.*\nDatei „attachment_1“ ist leer \(0 Bytes\): leer\.pdf\.\nBerichtigen Sie /);
	expect(text).toContain('Lieferscheine.zip\n');
	expect(text).toContain('scan.png\n');
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
		'zwei.xml\n„Rechnung“ von Rita <rita@lieferant.example>\n' +
			'Hochgeladen, aber bitte prüfen: Die Rechnungsnummer kam schon einmal. Bitte Betrag und IBAN vergleichen. Der andere Beleg: „eins.xml“',
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
	expect(rig.emails[0].text.split('\n\n')).toHaveLength(2);
	expect(rig.emails[0].text).toContain('höchstens 100 Dateien je E-Mail');
}, PATIENCE_MS);

it('fails when the mail server does, after everything was uploaded', async () => {
	rig.isMailDown = true;
	const { error } = await run(email([{ fileName: 'a.pdf', content: PDF }, { fileName: 'b.doc', content: 'x' }]));
	expect(error).toMatch(/^Tell the accountant: /);
	expect(names()).toEqual(['a.pdf']);
});

/** A file of an e-mail. */
interface Part {
	name?: string;
	type: string;
	content?: string;
}

/** An e-mail as it is sent. */
const mime = (subject: string, parts: Part[], type = 'multipart/mixed') =>
	[
		'From: "Rita Rechnung" <rita@lieferant.example>',
		'To: belege@baeckerei.example',
		...(subject ? [`Subject: ${subject}`] : []),
		'Date: Fri, 20 Nov 2026 09:00:00 +0100',
		'MIME-Version: 1.0',
		`Content-Type: ${type}; boundary="BB"`,
		'',
		'--BB',
		'Content-Type: text/plain; charset=utf-8',
		'',
		'Anbei die Rechnung.',
		...parts.flatMap(({ name, type: of, content = PDF }) => [
			'--BB',
			`Content-Type: ${of}`,
			'Content-Transfer-Encoding: base64',
			`Content-Disposition: attachment${name ? `; filename="${name}"` : ''}`,
			'',
			Buffer.from(content).toString('base64'),
		]),
		'--BB--',
		'',
	].join('\r\n');

/** The same e-mail, as Microsoft 365 has it. */
const graph = (subject: string, parts: Part[]) => ({
	...(subject && { subject }),
	from: { emailAddress: { name: 'Rita Rechnung', address: 'rita@lieferant.example' } },
	receivedDateTime: '2026-11-20T08:00:00Z',
	attachments: parts.map(({ name = '', type, content = PDF }) => ({ name, contentType: type, content })),
});

const DATED = { name: 'Rechnung 1.2.2026', type: 'application/pdf' };
const SIGNATURE = { name: 'smime.p7s', type: 'application/pkcs7-signature', content: 'sig' };
const SIGNED = 'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256';

describe.each([
	['IMAP', async (...[subject, parts, type]: Parameters<typeof mime>) => await fromImap('receipts-email', 'IMAP', mime(subject, parts, type))],
	['Gmail', async (...[subject, parts, type]: Parameters<typeof mime>) => await fromGmail('receipts-email', 'Gmail', mime(subject, parts, type))],
	['Microsoft 365', async (...[subject, parts]: Parameters<typeof mime>) => await fromMicrosoft('receipts-email', 'Microsoft 365', graph(subject, parts))],
])('of an e-mail that n8n’s own trigger %s fetches', (from, fetched) => {
	const receive = async (...email: Parameters<typeof mime>) => {
		const given = await fetched(...email);
		expect(given).toHaveLength(1);
		const { error } = await rig.run('receipts-email', { from, given });
		expect(error).toBeUndefined();
	};

	it('a PDF whose name ends in a date is uploaded as a PDF, with the subject, the sender and the day', async () => {
		await receive('Rechnung Februar', [DATED]);
		expect(rig.documents()).toMatchObject([{ dateiname: 'Rechnung 1.2.2026.pdf', fields: { belegnotiz: 'Rechnung Februar' } }]);
		const [row] = rig.tables.rows('Hochgeladene Belege');
		expect(row).toMatchObject({ datei: 'Rechnung 1.2.2026.pdf', datum: '2026-11-20' });
		expect(row.verkaeufer).toMatch(/Rita Rechnung.*rita@lieferant\.example/);
		expect(rig.emails).toEqual([]);
	});

	it.skipIf(from === 'Microsoft 365')('a digital signature is no file to tell of', async () => {
		await receive('Rechnung', [{ name: 'Rechnung.pdf', type: 'application/pdf' }, SIGNATURE], SIGNED);
		expect(names()).toEqual(['Rechnung.pdf']);
		expect(rig.emails).toEqual([]);
	});

	it('all files are named where none is a receipt, also without a subject', async () => {
		const files = ['Angebot.docx', 'Preise.xlsx'].map((name) => ({ name, type: 'application/octet-stream' }));
		await receive('', files);
		expect(names()).toEqual([]);
		expect(rig.emails[0].text).toMatch(/^Angebot\.docx, Preise\.xlsx\n„ohne Betreff“ von .*Rita Rechnung/);
		await receive('Frage', []);
		expect(rig.emails[1].text).toMatch(/^E-Mail ohne Datei\n„Frage“ von /);
	});
});

// [MS-OXOSMIME] 2.1.3.1: a signed message has one file, which is the whole message.
it('a signed e-mail that Microsoft 365 gives as one file is told', async () => {
	const given = await fromMicrosoft('receipts-email', 'Microsoft 365', graph('Rechnung', [{ name: 'smime.p7m', type: 'multipart/signed' }]));
	await rig.run('receipts-email', { from: 'Microsoft 365', given });
	expect(rig.emails[0].text).toMatch(/^smime\.p7m\n„Rechnung“ von /);
});
