/** The example that begins with an e-mail, on a real n8n and a real mailbox. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { faultSchema } from '../../../sandbox/admin/faults.mjs';
import { type ImapServer, type Mail, RECEIPTS, startMail } from '../../../host/mailbox.mjs';
import type { Imported } from '../../../scripts/start/demo.mjs';
import { arrivalsOf, runExample, WORKFLOWS } from '../../../scripts/start/examples.mjs';
import { startDovecot } from '../../support/dovecot.mjs';
import { importMailing, rowsOf } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';

let rig: Rig;
let mail: Mail;
let mailbox: ImapServer;
let example: Imported;

beforeAll(async () => {
	rig = await Rig.join();
	mailbox = await startDovecot();
	mail = await startMail({ imap: mailbox });
	[example] = await importMailing(rig, mail, 'Dovecot', (name) => name === 'receipts-email');
});
afterAll(async () => {
	if (example) await rig.client.deactivate(example.workflowId);
	await rig?.stop();
	await mail?.stop();
});

const arrivals = (list: string) => arrivalsOf(rig.sandbox.store, mail)(list);

it('receipts by e-mail: each file arrives once, and what is no receipt is told', async () => {
	const { problems } = await runExample(rig.client, arrivals, example, example.expected!);
	expect(problems).toEqual([]);
});

interface Upload {
	dokument: string;
	datei: string;
	betrag: number | null;
	datum: string;
	verkaeufer: string;
	nummer: string;
}
const documents = () => rig.sandbox.store.list('documents') as Array<{ id: string; dateiname: string }>;
/** What is listed for the chase, of the documents of this sandbox. */
const listed = async () => {
	const rows = await rowsOf<Upload>(rig, 'Hochgeladene Belege', {});
	return rows.filter(({ dokument }) => documents().some(({ id }) => id === dokument));
};

it('receipts by e-mail: each document is listed for the chase, with what is known of it', async () => {
	const ids = (await listed()).map(({ dokument }) => dokument);
	expect(ids.sort()).toEqual(
		documents()
			.map(({ id }) => id)
			.sort(),
	);
	const eInvoice = (await listed()).find(({ datei }) => datei.endsWith('.xml'));
	expect(eInvoice).toMatchObject({
		betrag: 119,
		nummer: 'RE-4711',
		verkaeufer: 'Papier Schmidt OHG',
		zahlung: '',
	});
	const photo = (await listed()).find(({ datei }) => datei.endsWith('.jpg'));
	expect(photo).toMatchObject({
		betrag: null,
		nummer: null,
		verkaeufer: expect.stringContaining('Lieferant'),
	});
	expect(photo?.datum).toMatch(/^\d{4}-\d\d-\d\d$/);
});

it('receipts by e-mail: the same e-mails add nothing when they are read again', async () => {
	const before = await listed();
	const expected = { ...example.expected!, ...example.expected!.again };
	const { problems } = await runExample(rig.client, arrivals, example, expected);
	expect(problems).toEqual([]);
	expect(await listed()).toHaveLength(before.length);
});

/** An e-mail with these files, by their names. */
function withFiles(files: Record<string, string | Buffer>): Buffer {
	const parts = Object.entries(files).map(([name, content]) =>
		[
			'--part',
			`Content-Type: application/octet-stream; name="${name}"`,
			`Content-Disposition: attachment; filename="${name}"`,
			'Content-Transfer-Encoding: base64',
			'',
			Buffer.from(content as string).toString('base64'),
		].join('\r\n'),
	);
	const head = [
		'From: Lieferant <rechnung@lieferant.example>',
		`To: ${RECEIPTS}`,
		'Subject: Unterlagen',
		'MIME-Version: 1.0',
		'Content-Type: multipart/mixed; boundary=part',
		'',
	];
	return Buffer.from([...head, ...parts, '--part--', ''].join('\r\n'));
}

/** Sends these files, and waits for the e-mail to the accountant. */
async function toldOf(files: Record<string, string | Buffer>): Promise<string> {
	rig.sandbox.store.reset();
	const before = mail.emails.length;
	await mailbox.store(withFiles(files));
	const told = () => mail.emails.slice(before).map(({ text }) => text);
	await expect.poll(told).toHaveLength(1);
	return told()[0];
}
const uploaded = () => documents().map(({ dateiname }) => dateiname);

it('receipts by e-mail: an empty file refuses only itself, and a file of another type is told', async () => {
	const text = await toldOf({
		'leer.pdf': '',
		'gut.pdf': '%PDF-1.4 good',
		'scan.TIFF': 'II*',
		'unterlagen.zip': 'PK',
		'logo.png': 'a small picture',
		'scan.png': 'a large picture'.repeat(20_000),
	});
	expect(uploaded()).toEqual(['gut.pdf']);
	for (const file of ['scan.TIFF', 'unterlagen.zip', 'scan.png'])
		expect(text).toContain(`Von „"Lieferant" <rechnung@lieferant.example>“: „${file}“:`);
	expect(text).toMatch(/leer\.pdf“ \(von .*\): .*empty/);
	for (const file of ['gut.pdf', 'logo.png']) expect(text).not.toContain(file);
});

it('an e-invoice with a number that came before, but another IBAN, is uploaded, and told', async () => {
	const path = join(WORKFLOWS, 'receipts-email/Rechnung RE-4711 Papier Schmidt.xml');
	const xml = await readFile(path, 'utf8');
	const changed = xml.replace('DE02120300000000202051', 'DE89370400440532013000');
	expect(changed).not.toBe(xml);
	const told = await toldOf({ 'RE-4711.xml': changed });
	expect(told).toMatch(
		/„RE-4711\.xml“ .*Hochgeladen, aber bitte prüfen: .*IBAN vergleichen\. Der andere Beleg: „Rechnung RE-4711/,
	);
	expect(uploaded()).toEqual(['RE-4711.xml']);
});

it('receipts by e-mail: the accountant is told which files were refused, and why', async () => {
	rig.sandbox.store.reset();
	const body = { error: { message: 'The document storage is full.' } };
	rig.sandbox.faults.add(
		faultSchema.parse({ kind: 'status', operationId: 'uploadDuoDocument', status: 422, times: null, body }),
	);
	const text = await toldOf({ 'a.pdf': '%PDF-1.4 a', 'b.pdf': '%PDF-1.4 b' });
	rig.sandbox.faults.clear();
	expect(text).toMatch(/„a\.pdf“ .*: Berichtigen Sie.*The document storage is full/);
	expect(text).toMatch(/„b\.pdf“ .*: Berichtigen Sie.*The document storage is full/);
});
