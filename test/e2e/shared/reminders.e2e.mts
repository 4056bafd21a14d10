/** The example "Payment reminders", on a real n8n: each client in an execution of its own, which waits for its approval. */
import axios from 'axios';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Mail, startMail } from '../../../demo/mailbox.mjs';
import type { Imported } from '../../../demo/demo.mjs';
import { answerForm, APPROVER, formOf } from '../../../demo/examples.mjs';
import { fillTableOfCustomers } from '../../../demo/tableOfClients.mjs';
import { PATIENCE_MS } from '../../../scripts/base/waiting.mjs';
import { fillTableOfClients, importMailing, rowsOf } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';

let rig: Rig;
let mail: Mail;
let examples: Imported[];

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	const wanted = ['client', 'payment-reminders', 'payment-reminders-client'];
	examples = await importMailing(rig, mail, 'reminders', (name) => wanted.includes(name), true);
	await fillTableOfClients(rig);
	await fillTableOfCustomers(rig.client);
});
afterAll(async () => {
	await rig?.stop();
	await mail?.stop();
});

it('asks, and a letter that was approved goes out, with its row', async () => {
	const { workflowId } = examples.find(({ name }) => name === 'payment-reminders')!;
	expect((await rig.client.run(workflowId)).status).toBe('success');
	const question = () =>
		mail.emails.find(({ subject }) => subject.includes(': Bitte freigeben: Mahnungen ('));
	await expect.poll(question).toBeTruthy();
	const { subject, text } = question()!;
	expect(subject).toMatch(/^Bäckerei Sonnenschein GmbH: /);
	const [link, id] = /https?:\/\/\S+\/form-waiting\/(\d+)\S*/.exec(text)!;
	// The e-mail is sent before the execution waits; until then, n8n doesn't answer.
	await rig.client.waiting(id, PATIENCE_MS);
	const auth = { username: APPROVER.user, password: APPROVER.password };
	const page = async () =>
		(await axios.get<string>(link, { proxy: false, auth, validateStatus: () => true })).data;
	expect(await page()).toMatch(/Bäckerei Sonnenschein GmbH, Mahnung freigeben: [\d.]+,\d\d EUR/);
	expect(await page()).not.toMatch(/<h[2-6]/);
	await answerForm(link, formOf({ 'field-0': 'Dieses und alle weiteren versenden', 'field-1': '' }));
	const letter = () => mail.emails.find((one) => one.to.includes('rechnung@cafe-lindenhof.example'));
	await expect.poll(letter).toMatchObject({
		subject: 'Bäckerei Sonnenschein GmbH: Zahlungserinnerung: Café Lindenhof OHG',
		text: expect.stringMatching(/^Bäckerei Sonnenschein GmbH, Marktplatz 4[^]*IBAN DE02 1203/) as string,
	});
	const rows = async () =>
		await rowsOf<{ companyId: string; konto: string }>(rig, 'Mahnungen', { konto: '10003' });
	await expect.poll(rows).toMatchObject([{ companyId: '29098-10001' }]);
});
