/** The example "Receipt from a form, approved", on a real n8n: as it is imported, without anything rebuilt. */
import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { type Mail, startMail } from '../../../demo/mailbox.mjs';
import type { Imported } from '../../../demo/demo.mjs';
import { answerForm, APPROVER, arrivalsOf, formOf, linkedForm, submitForm } from '../../../demo/examples.mjs';
import { PATIENCE_MS, waitFor } from '../../../scripts/base/waiting.mjs';
import { importMailing } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';

let rig: Rig;
let mail: Mail;
let example: Imported;

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	[example] = await importMailing(rig, mail, 'form approval', (name) => name === 'submit-receipt');
	await rig.client.publish(example.workflowId);
});
beforeEach(() => rig.sandbox.store.reset());
afterAll(async () => {
	if (example) await rig.client.deactivate(example.workflowId);
	await rig?.stop();
	await mail?.stop();
});

const entries = () =>
	rig.sandbox.store.list('entries') as Array<{ fields: IDataObject; belegbilder: IDataObject[] }>;

/** Submits a purchase. @returns the page, and the execution that asks for its approval */
async function submit(amount: string, number = '') {
	const before = await rig.client.executionIds(example.workflowId);
	const typed = [amount, '2026-11-20', 'Hauptkasse', '7 %', 'Blumen', 'Anna Schmidt', number];
	const data = formOf(Object.fromEntries(typed.map((value, i) => [`field-${i + 1}`, value])));
	data.append('field-0', new Blob(['a photo'], { type: 'image/jpeg' }), 'bon.jpg');
	const asked = mail.emails.length;
	const page = await submitForm(rig.client, example.workflow, data);
	await waitFor(() => mail.emails.length > asked, { interval: 200, timeout: PATIENCE_MS });
	const [, id] = /form-waiting\/(\d+)/.exec(mail.emails.at(-1)!.text)!;
	expect(before).not.toContain(id);
	return { page, id, link: await linkedForm(rig.client, arrivalsOf(rig.sandbox.store, mail), id) };
}
async function approve({ id, link }: { id: string; link: string }) {
	await answerForm(link, formOf({ 'field-0': 'Buchen', 'field-1': '' }));
	expect((await rig.client.execution(id)).status).toBe('success');
}
/** What the approver's browser shows. */
const shown = async (link: string) =>
	(
		await axios.get<string>(link, {
			proxy: false,
			auth: { username: APPROVER.user, password: APPROVER.password },
		})
	).data;
const NUMBER = /nummer=(F-[0-9a-f]{32})/;

it('the employee’s page doesn’t wait; what is approved later is booked with its photo', async () => {
	const { page, ...asked } = await submit('1.217,80');
	for (const said of ['Eingereicht', 'Gebucht wird nach der Freigabe.', 'Angaben berichtigen'])
		expect(page).toContain(said);
	expect(entries()).toEqual([]);
	const form = await shown(asked.link);
	for (const said of ['<h1>Freigeben: Ausgabe 1.217,80 EUR</h1>', 'Eingereicht von: Anna Schmidt', 'Buchen'])
		expect(form).toContain(said);
	await approve(asked);
	expect(entries()).toMatchObject([
		{
			fields: {
				kassenname: 'Hauptkasse',
				bewegung: 'AUSGABE',
				betrag: 1217.8,
				steuersatz: 7,
				belegtext: 'Blumen',
			},
			belegbilder: [{ dateiname: 'bon.jpg' }],
		},
	]);
});

it('a corrected receipt replaces the old request: its page no longer offers to book, and one is booked', async () => {
	const first = await submit('12,50');
	const [, number] = NUMBER.exec(first.page)!;
	const corrected = await submit('21,50', number);
	expect((await rig.client.execution(first.id)).status).toBe('success');
	expect(await shown(first.link)).not.toContain('Buchen');
	expect(await shown(corrected.link)).toMatch(/Ersetzt den Antrag vom [^]*Ausgabe 12,50 EUR/);
	expect(mail.emails.at(-1)!.text).toContain('Ersetzt den Antrag vom');
	await answerForm(first.link, formOf({ 'field-0': 'Buchen' }));
	expect(entries()).toEqual([]);
	await approve(corrected);
	expect(entries().map(({ fields }) => [fields.belegnummer, fields.betrag])).toEqual([[number, 21.5]]);
});
