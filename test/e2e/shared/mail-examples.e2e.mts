/** The example that begins with an e-mail, on a real n8n and a real mailbox. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { faultSchema } from '../../../sandbox/admin/faults.mjs';
import { type Mail, startMail } from '../../../host/mailbox.mjs';
import { importExamples, type Imported, storeMailCredentials } from '../../../scripts/demo.mjs';
import { arrivalsOf, runExample } from '../../../scripts/examples.mjs';
import { startDovecot } from '../../support/dovecot.mjs';
import { Rig } from '../../support/rig.mjs';

let rig: Rig;
let mail: Mail;
let example: Imported;

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail({ imap: await startDovecot() });
	const credentials = {
		accountingGatewayApi: rig.credential.id,
		...(await storeMailCredentials(rig.client, mail, ' (Dovecot)')),
	};
	[example] = await importExamples(rig.client, credentials, ({ name }) => name === 'receipts-email');
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

it('the same e-mails add nothing when they are read again', async () => {
	const expected = { ...example.expected!, ...example.expected!.again };
	const { problems } = await runExample(rig.client, arrivals, example, expected);
	expect(problems).toEqual([]);
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
	await expect.poll(text).toMatch(/IMG_2231\.jpg \(from .*Jana Vogt.*\): .*The document storage is full/);
	await expect.poll(text).toMatch(/26-4472/);
	expect(text()).not.toContain('image001.png');
});
