/** The example that begins with an e-mail, on a real n8n and a real mailbox. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Mail, startMail } from '../../../host/mailbox.mjs';
import { type Imported, storeMailCredentials } from '../../../tools/demo.mjs';
import { arrivalsOf, runExample } from '../../../tools/examples.mjs';
import { startDovecot } from '../../support/dovecot.mjs';
import { importMailing, rowsOf } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';

let rig: Rig;
let mail: Mail;
let example: Imported;

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail({ imap: await startDovecot() });
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
const documents = () => rig.sandbox.store.list('documents') as Array<{ sha256: string; dateiname: string }>;
/** What is listed for the chase, of the documents of this sandbox. */
const listed = async () => {
	const rows = await rowsOf<Upload>(rig, 'Hochgeladene Belege', {});
	return rows.filter(({ dokument }) => documents().some(({ sha256 }) => sha256 === dokument));
};

it('receipts by e-mail: each document is listed for the chase, with what is known of it', async () => {
	const ids = (await listed()).map(({ dokument }) => dokument);
	expect(ids.sort()).toEqual(
		documents()
			.map(({ sha256 }) => sha256)
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

it('receipts by e-mail: another mailbox is read, too, though its numbers for e-mails are lower', async () => {
	const other = await startMail();
	try {
		await storeMailCredentials(rig.client, other, ' (Dovecot)');
		const expected = { ...example.expected!, ...example.expected!.again };
		const { problems } = await runExample(
			rig.client,
			arrivalsOf(rig.sandbox.store, other),
			example,
			expected,
		);
		expect(problems).toEqual([]);
	} finally {
		await rig.client.deactivate(example.workflowId);
		await other.stop();
	}
});
