/** The example "Receipts from e-mail to documents" as a whole, from the trigger's items on. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { WORKFLOWS } from '../../../demo/examples.mjs';
import { MANY } from '../../../scripts/base/extent.mjs';
import { type File, useExamples } from '../../support/exampleRun.mjs';
import { fromGmail, fromImap, fromMicrosoft, graphMessage } from '../../support/mailTriggers.mjs';

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
		'Kein Anhang\n„Bestellung“ von Rita <rita@lieferant.example>\nNichts hochzuladen.',
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

it('a document that another client had, too, is listed for both; a number of the other’s invoices is no matter', async () => {
	await run(email([{ fileName: 'eins.xml', content: XML }]));
	const [other] = rig.tables.rows('Hochgeladene Belege');
	other.verbindung = 'another client';
	await run(email([{ fileName: 'eins.xml', content: XML }]));
	const rows = rig.tables.rows('Hochgeladene Belege');
	expect(rows.map(({ dokument }) => dokument)).toEqual([other.dokument, other.dokument]);
	rows[1].verbindung = 'another client';
	await run(email([{ fileName: 'zwei.xml', content: XML.replaceAll('DE02120300000000202051', 'DE89370400440532013000') }]));
	expect(rows).toHaveLength(3);
	expect(rig.emails).toEqual([]);
});

it(`uploads the files of ${MANY} e-mails; of one with too many files, tells the rest`, async () => {
	const many = Array.from({ length: MANY }, (_, i) => email([{ fileName: `${i}.pdf`, content: `${PDF} ${i}` }]));
	expect((await run(...many)).error).toBeUndefined();
	expect(rig.documents()).toHaveLength(MANY);
	const files = Array.from({ length: 102 }, (_, i) => ({ fileName: `x${i}.pdf`, content: `${PDF} x${i}` }));
	await run(email(files));
	expect(rig.documents()).toHaveLength(MANY + 100);
	expect(rig.emails[0].text.split('\n\n')).toHaveLength(2);
	expect(rig.emails[0].text).toContain('höchstens 100 Dateien je E-Mail');
});

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
		expect(rig.emails[1].text).toMatch(/^Kein Anhang\n„Frage“ von /);
	});
});

// [MS-OXOSMIME] 2.1.3.1: a signed message has one file, which is the whole message.
it('a signed e-mail that Microsoft 365 gives as one file is told', async () => {
	const given = await fromMicrosoft('receipts-email', 'Microsoft 365', graph('Rechnung', [{ name: 'smime.p7m', type: 'multipart/signed' }]));
	await rig.run('receipts-email', { from: 'Microsoft 365', given });
	expect(rig.emails[0].text).toMatch(/^smime\.p7m\n„Rechnung“ von /);
});

const MAILBOX = 'belege@baeckerei-sonnenschein.example';
const ACCOUNTANT = 'buchhaltung@kanzlei-demo.example';
const OURS = 'Belege aus E-Mails: bitte prüfen';

interface Raw {
	from: string;
	subject?: string;
	headers?: string[];
	parts?: Part[];
}
const raw = ({ from, subject = OURS, headers = [], parts = [] }: Raw) =>
	[
		...headers,
		mime(`=?UTF-8?B?${Buffer.from(subject).toString('base64')}?=`, parts).replace(/From: .*/, `From: ${from}`),
	].join('\r\n');

/** A bounce of Postfix 3.9, with the e-mail that it is about. */
const bounce = (about: string) =>
	[
		'Return-Path: <>',
		`X-Original-To: ${MAILBOX}`,
		`Delivered-To: ${MAILBOX}`,
		'Received: by mail.baeckerei-sonnenschein.example (Postfix)',
		'\tid 7D3C21A0F4; Fri, 20 Nov 2026 09:00:06 +0100 (CET)',
		'Date: Fri, 20 Nov 2026 09:00:06 +0100 (CET)',
		'From: MAILER-DAEMON@mail.baeckerei-sonnenschein.example (Mail Delivery System)',
		'Subject: Undelivered Mail Returned to Sender',
		`To: ${MAILBOX}`,
		'Auto-Submitted: auto-replied',
		'MIME-Version: 1.0',
		'Content-Type: multipart/report; report-type=delivery-status;',
		'\tboundary="41B7A1A0F1.1795161606/mail.baeckerei-sonnenschein.example"',
		'Content-Transfer-Encoding: 8bit',
		'Message-Id: <20261120080006.7D3C21A0F4@mail.baeckerei-sonnenschein.example>',
		'',
		'This is a MIME-encapsulated message.',
		'',
		'--41B7A1A0F1.1795161606/mail.baeckerei-sonnenschein.example',
		'Content-Description: Notification',
		'Content-Type: text/plain; charset=us-ascii',
		'',
		'This is the mail system at host mail.baeckerei-sonnenschein.example.',
		'',
		"I'm sorry to have to inform you that your message could not",
		"be delivered to one or more recipients. It's attached below.",
		'',
		`<${ACCOUNTANT}>: host mx.kanzlei-demo.example[192.0.2.7] said: 550 5.1.1`,
		'    User unknown (in reply to RCPT TO command)',
		'',
		'--41B7A1A0F1.1795161606/mail.baeckerei-sonnenschein.example',
		'Content-Description: Delivery report',
		'Content-Type: message/delivery-status',
		'',
		'Reporting-MTA: dns; mail.baeckerei-sonnenschein.example',
		'X-Postfix-Queue-ID: 41B7A1A0F1',
		`X-Postfix-Sender: rfc822; ${MAILBOX}`,
		'Arrival-Date: Fri, 20 Nov 2026 09:00:05 +0100 (CET)',
		'',
		`Final-Recipient: rfc822; ${ACCOUNTANT}`,
		`Original-Recipient: rfc822;${ACCOUNTANT}`,
		'Action: failed',
		'Status: 5.1.1',
		'Remote-MTA: dns; mx.kanzlei-demo.example',
		'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
		'',
		'--41B7A1A0F1.1795161606/mail.baeckerei-sonnenschein.example',
		'Content-Description: Undelivered Message',
		'Content-Type: message/rfc822',
		'Content-Transfer-Encoding: 8bit',
		'',
		about,
		'--41B7A1A0F1.1795161606/mail.baeckerei-sonnenschein.example--',
		'',
	].join('\r\n');

const BOUNCE = bounce(raw({ from: MAILBOX }));
const LOGO = { name: 'image001.jpg', type: 'image/jpeg', content: 'logo' };
const PICTURE = { name: 'logo.png', type: 'image/png', content: 'logo' };
const WORD = { name: 'Rechnung.docx', type: 'application/octet-stream' };
const EMPTY = { name: 'leer.pdf', type: 'application/pdf', content: '' };
const SUPPLIER = 'Rita <rita@lieferant.example>';
const withoutHeader = (text: string, name: string) => text.replace(new RegExp(`^${name}:.*\\r\\n(?:[ \\t].*\\r\\n)*`, 'm'), '');

/** E-mails that come back because the workflow sent one. */
const COMING_BACK: Array<[what: string, text: string]> = [
	['its own', raw({ from: MAILBOX })],
	['its own, after a mail gateway added a logo and a mark', raw({ from: MAILBOX, subject: `[EXTERN] ${OURS}`, parts: [PICTURE] })],
	['its own, from the account that the node sends with, after a mail gateway added files', raw({ from: 'konto@anderswo.example', parts: [EMPTY, WORD] })],
	['a bounce', BOUNCE],
	['a bounce of a server that leaves out Return-Path and Auto-Submitted', withoutHeader(withoutHeader(BOUNCE, 'Return-Path'), 'Auto-Submitted').replace('MAILER-DAEMON@', 'mail@')],
	['a bounce that is a plain text', raw({ from: 'MAILER-DAEMON@lieferant.example', subject: 'failure notice' })],
	['an out-of-office reply of the recipient', raw({ from: ACCOUNTANT, subject: 'Ich bin im Urlaub' })],
	['an out-of-office reply of a member of a list', raw({ from: 'uwe@kanzlei.example', subject: 'Urlaub', headers: ['Auto-Submitted: auto-replied (vacation)'], parts: [LOGO, WORD] })],
	['an out-of-office reply of Exchange', raw({ from: 'uwe@kanzlei.example', subject: 'Urlaub', headers: ['Return-Path: <>', 'Auto-Submitted: auto-generated'], parts: [PICTURE] })],
	['the confirmation of a ticket system', raw({ from: ACCOUNTANT, subject: 'Ticket 4711', headers: ['Auto-Submitted: auto-generated', 'In-Reply-To: <1@n8n.example>'], parts: [PICTURE] })],
];

describe.each([
	['IMAP', async (text: string) => await fromImap('receipts-email', 'IMAP', text)],
	['Gmail', async (text: string) => await fromGmail('receipts-email', 'Gmail', text)],
	['Microsoft 365', async (text: string) => await fromMicrosoft('receipts-email', 'Microsoft 365', await graphMessage(text))],
])('through %s, no e-mail starts a loop:', (from, fetched) => {
	const receive = async (text: string, settings = {}) => {
		const given = await fetched(text);
		expect(given).toHaveLength(1);
		const { error } = await rig.run('receipts-email', { from, given, change: { Settings: settings } });
		expect(error).toBeUndefined();
	};

	it.each(COMING_BACK)('%s is told to nobody', async (_, text) => {
		await receive(text);
		expect(rig.emails).toEqual([]);
	});

	it('one address for everything: of a Word file, one e-mail, which comes back and ends there', async () => {
		const one = { sender: `Bäckerei <${MAILBOX}>`, recipient: MAILBOX };
		await receive(raw({ from: MAILBOX, subject: 'Rechnung', parts: [WORD] }), one);
		expect(rig.emails).toHaveLength(1);
		expect(rig.emails[0].text).toMatch(/^Rechnung\.docx\n/);
		const [{ from: sender, subject }] = rig.emails;
		await receive(raw({ from: sender, subject }), one);
		expect(rig.emails).toHaveLength(1);
	});

	it('a receipt in an automatic answer is uploaded; if it is refused, nobody is told', async () => {
		const answer = (file: Part) => raw({ from: SUPPLIER, subject: 'Ihre Bestellung', headers: ['Auto-Submitted: auto-replied'], parts: [file] });
		await receive(answer(DATED));
		expect(names()).toEqual(['Rechnung 1.2.2026.pdf']);
		await receive(answer(EMPTY));
		expect(rig.emails).toEqual([]);
	});

	it('a receipt of one’s own address is uploaded; if it is refused, one e-mail tells it, also as an answer', async () => {
		await receive(raw({ from: ACCOUNTANT, subject: 'WG: Rechnung', parts: [DATED] }));
		expect(names()).toEqual(['Rechnung 1.2.2026.pdf']);
		expect(rig.emails).toEqual([]);
		await receive(raw({ from: ACCOUNTANT, subject: 'WG: Rechnung', parts: [EMPTY] }));
		await receive(raw({ from: ACCOUNTANT, subject: `AW: ${OURS}`, headers: ['In-Reply-To: <1@n8n.example>'], parts: [EMPTY] }));
		expect(rig.emails).toHaveLength(2);
	});

	it('an invoice of one’s own address whose number came before is told', async () => {
		for (const content of [XML, XML.replaceAll('DE02120300000000202051', 'DE89370400440532013000')])
			await receive(raw({ from: ACCOUNTANT, subject: 'WG: Rechnung', parts: [{ name: 'Rechnung.xml', type: 'application/xml', content }] }));
		expect(rig.emails).toHaveLength(1);
	});

	it.each([
		['a supplier', raw({ from: SUPPLIER, subject: 'Rechnung' })],
		['a supplier’s system', raw({ from: SUPPLIER, subject: 'Ihre Rechnung ist da', headers: ['Return-Path: <bounces@lieferant.example>', 'Auto-Submitted: auto-generated'] })],
		['a supplier whose name is an address of ours', raw({ from: `"${ACCOUNTANT}" <rita@lieferant.example>`, subject: 'Rechnung' })],
		['a supplier whose address is the end of one of ours', raw({ from: ACCOUNTANT.slice(3), subject: 'Rechnung' })],
	])('of an e-mail of %s without a file, one e-mail tells', async (_, text) => {
		await receive(text);
		expect(rig.emails).toHaveLength(1);
		expect(rig.emails[0].text).toMatch(/^Kein Anhang\n/);
	});
});

it('tells what the gateway warned of, of what it has uploaded', async () => {
	const warned = email([{ fileName: 'a.pdf', content: PDF }], 'AW: Belege aus E-Mails: bitte prüfen');
	rig.sandbox.faults.add({ kind: 'alter', operationId: 'uploadDuoDocument', set: { status: 'processing' }, contains: 'a.pdf' });
	await run(warned, email([{ fileName: 'b.pdf', content: `${PDF} b` }]));
	expect(names().sort()).toEqual(['a.pdf', 'b.pdf']);
	expect(rig.emails).toHaveLength(1);
	expect(rig.emails[0].text).toMatch(/^a\.pdf\n„AW: Belege aus E-Mails: bitte prüfen“ von Rita [^\n]+\nHochgeladen\.\nDas Gateway sagt außerdem: [^\n]*processing[^\n]*\s*$/);
	await run(warned);
	expect(rig.emails).toHaveLength(1);
});
