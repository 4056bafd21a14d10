/** The example that begins with an e-mail, on a real n8n and a real mailbox. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import countBy from 'lodash/countBy.js';
import uniq from 'lodash/uniq.js';
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

it('receipts by e-mail: each file arrives once; signature images and e-mails without files are skipped', async () => {
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
interface Row {
	workflow: string;
	ausfuehrung: string;
	vorgang: string;
	antwort: string;
	pruefsumme: string;
}
const documents = () =>
	rig.sandbox.store.list('documents') as Array<{ id: string; dateiname: string; sha256: string }>;
const uploads = async () => await rowsOf<Upload>(rig, 'Hochgeladene Belege', {});
/** Of the documents of this sandbox. */
const recorded = async () =>
	(await uploads()).filter(({ dokument }) => documents().some(({ id }) => id === dokument));

it('each document is listed for the chase, and in the protocol with its file’s hash', async () => {
	// They are listed by another workflow, which may still run; the row of the protocol comes before. One file is in two of
	// the e-mails, and two executions at the same moment don't see each other's row.
	const ids = async () => uniq((await recorded()).map(({ dokument }) => dokument)).sort();
	await expect.poll(ids).toEqual(
		documents()
			.map(({ id }) => id)
			.sort(),
	);
	const eInvoice = (await recorded()).find(({ datei }) => datei.endsWith('.xml'));
	expect(eInvoice).toMatchObject({
		betrag: 119,
		nummer: 'RE-4711',
		verkaeufer: 'Papier Schmidt OHG',
		zahlung: '',
	});
	const photo = (await recorded()).find(({ datei }) => datei.endsWith('.jpg'));
	expect(photo).toMatchObject({ betrag: null, nummer: '', verkaeufer: expect.stringContaining('Jana Vogt') });
	expect(photo?.datum).toMatch(/^\d{4}-\d\d-\d\d$/);
	const protocol = await rowsOf<Row>(rig, 'Protokoll', { workflow: example.workflow.name });
	const comes = countBy(example.expected!.shows.Documents, 'name');
	for (const { id, dateiname, sha256 } of documents()) {
		const rows = protocol.filter(({ antwort }) => antwort === id);
		expect(rows.length).toBeGreaterThanOrEqual(1);
		expect(rows.length).toBeLessThanOrEqual(comes[dateiname]);
		expect(uniq(rows.map(({ ausfuehrung }) => ausfuehrung))).toHaveLength(rows.length);
		for (const row of rows) expect(row).toMatchObject({ pruefsumme: sha256, vorgang: 'Beleg hochgeladen' });
	}
});

it('the same e-mails add nothing when they are read again', async () => {
	const before = await recorded();
	const expected = { ...example.expected!, ...example.expected!.again };
	const { problems } = await runExample(rig.client, arrivals, example, expected);
	expect(problems).toEqual([]);
	expect(await recorded()).toEqual(before);
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

it('of an e-mail, an empty file refuses only itself, and a file of another type is told', async () => {
	rig.sandbox.store.reset();
	const before = mail.emails.length;
	await mailbox.store(
		withFiles({
			'leer.pdf': '',
			'gut.pdf': '%PDF-1.4 good',
			'rechnung.xml': '<Invoice/>',
			'scan.TIFF': 'II*',
			'unterlagen.zip': 'PK',
			'brief.docx': 'PK',
			'logo.png': 'a small picture',
			'scan.png': 'a large picture'.repeat(20_000),
		}),
	);
	const told = () => mail.emails.slice(before).map(({ text }) => text);
	await expect.poll(told).toHaveLength(1);
	const documents = rig.sandbox.store.list('documents') as Array<{ dateiname: string }>;
	expect(documents.map(({ dateiname }) => dateiname).sort()).toEqual(['gut.pdf', 'rechnung.xml']);
	const [text] = told();
	for (const file of ['scan.TIFF', 'unterlagen.zip', 'brief.docx', 'scan.png'])
		expect(text).toContain(`${file} (von "Lieferant" <rechnung@lieferant.example>): Dateien dieser Art`);
	expect(text).toMatch(/leer\.pdf \(von .*\): .*empty/);
	for (const file of ['gut.pdf', 'rechnung.xml', 'logo.png']) expect(text).not.toContain(file);
});

/** Sends these files, and waits for the e-mail to the accountant. */
async function toldOf(files: Record<string, string | Buffer>): Promise<string> {
	rig.sandbox.store.reset();
	const before = mail.emails.length;
	await mailbox.store(withFiles(files));
	const told = () => mail.emails.slice(before).map(({ text }) => text);
	await expect.poll(told).toHaveLength(1);
	return told()[0];
}
const sample = async (name: string) => await readFile(join(WORKFLOWS, 'receipts-email', name));
const uploaded = () =>
	(rig.sandbox.store.list('documents') as Array<{ dateiname: string }>).map(({ dateiname }) => dateiname);

it('an e-invoice that comes again in another file, or printed, is told and not uploaded', async () => {
	for (const name of ['Kopie RE-4711 mit ZUGFeRD.pdf', 'Kopie RE-4711 gedruckt.pdf']) {
		const told = await toldOf({ [name]: await sample(name) });
		expect(told).toContain(
			`${name} (von "Lieferant" <rechnung@lieferant.example>): Nicht hochgeladen, weil diese`,
		);
		expect(told).toContain('als „Rechnung RE-4711 Papier Schmidt.xml“ von "Papier Schmidt"');
		expect(uploaded()).toEqual([]);
	}
});

it('an e-invoice with a known number but another IBAN is uploaded, and told', async () => {
	const xml = (await sample('Rechnung RE-4711 Papier Schmidt.xml')).toString();
	const changed = xml.replace('DE02120300000000202051', 'DE89370400440532013000');
	expect(changed).not.toBe(xml);
	const told = await toldOf({ 'RE-4711.xml': changed });
	expect(told).toMatch(/RE-4711\.xml .*Hochgeladen, aber bitte prüfen: .*anderer IBAN/);
	expect(uploaded()).toEqual(['RE-4711.xml']);
});

it('the accountant is told which files were not accepted', async () => {
	rig.sandbox.store.reset();
	const body = { error: { message: 'The document storage is full.' } };
	rig.sandbox.faults.add(
		faultSchema.parse({ kind: 'status', operationId: 'uploadDuoDocument', status: 422, times: null, body }),
	);
	const before = mail.emails.length;
	await runExample(rig.client, arrivals, example, example.expected!);
	const told = () =>
		mail.emails.slice(before).filter(({ to }) => to.includes('buchhaltung@kanzlei-demo.example'));
	const text = () =>
		told()
			.map((email) => email.text)
			.join('\n');
	await expect.poll(text).toMatch(/IMG_2231\.jpg \(von .*Jana Vogt.*\): .*The document storage is full/);
	await expect.poll(text).toMatch(/26-4472/);
	expect(text()).not.toContain('image001.png');
});
