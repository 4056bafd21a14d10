/** Examples that `npm start` doesn't run, or not in every way: the form, the schedules. */
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { WorkflowFile } from '../../../host/client.mjs';
import { type Mail, startMail } from '../../../host/mailbox.mjs';
import { importExamples, type Imported, storeMailCredentials } from '../../../scripts/demo.mjs';
import { itemsOf, submitForm } from '../../../scripts/examples.mjs';
import { Rig } from '../../support/rig.mjs';

const NAMES = ['credits-alert', 'receipt-form', 'trial-balance'];

let rig: Rig;
let mail: Mail;
let examples: Imported[];

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	const credentials = {
		accountingGatewayApi: rig.credential.id,
		...(await storeMailCredentials(rig.client, mail, ' (examples)')),
	};
	examples = await importExamples(rig.client, credentials, ({ name }) => NAMES.includes(name));
});
afterAll(async () => {
	await rig?.stop();
	await mail?.stop();
});

const find = (name: string) => examples.find((example) => example.name === name) as Imported;

describe('the form', () => {
	const entries = () =>
		rig.sandbox.store.list('entries') as Array<{ belegbilder: IDataObject[] } & IDataObject>;

	/** Sends the form and returns the page that comes of it. */
	async function send(changes: Record<string, string> = {}, photos = ['a.jpg', 'b.jpg']): Promise<string> {
		const data = new FormData();
		const fields = { 1: '12.50', 2: '2026-11-20', 3: 'Kasse Filiale Süd', 4: '7', 5: 'Blumen', ...changes };
		for (const [position, value] of Object.entries(fields)) data.append(`field-${position}`, value);
		for (const photo of photos)
			data.append('field-0', new Blob([`picture ${photo}`], { type: 'image/jpeg' }), photo);
		return await submitForm(rig.client, find('receipt-form').workflow, data);
	}

	beforeAll(async () => await rig.client.publish(find('receipt-form').workflowId));
	afterAll(async () => await rig.client.deactivate(find('receipt-form').workflowId));

	it('says what was booked, with its photos', async () => {
		const page = await send();
		expect(page).toMatch(/Booked/);
		expect(page).toMatch(
			/12\.50 EUR from Kasse Filiale Süd on 20\.11\.2026: Blumen\. Transaction no\. \(Belegnummer\) F-20261120-[0-9a-f]{10}, 2 photos\./,
		);
		expect(entries()).toMatchObject([
			{
				fields: { betrag: 12.5, bewegung: 'AUSGABE', steuersatz: 7, kassenname: 'Kasse Filiale Süd' },
				belegbilder: [{ dateiname: 'a.jpg' }, { dateiname: 'b.jpg' }],
			},
		]);
	});

	it('is booked once when sent twice', async () => {
		expect(await send()).toMatch(/Not booked[^]*already/);
		expect(entries()).toHaveLength(1);
	});

	it.each([
		['an amount below zero', { 1: '-3' }, 'Amount (betrag)'],
		['a cash book that there is not', { 3: 'Portokasse' }, 'Portokasse'],
		['an amount with three decimals', { 1: '1.234' }, 'Amount (betrag)'],
	])('says what was wrong with %s', async (_, changes, text) => {
		const page = await send({ 5: 'Kuchen', ...changes });
		expect(page).toContain('Not booked');
		expect(page).toContain(text);
		expect(entries()).toHaveLength(1);
	});
});

it('low credits: one e-mail, and no more until there are enough again', async () => {
	const { workflowId } = find('credits-alert');
	const emailsAfter = async (credits: number) => {
		rig.sandbox.store.accounts[0].credits = credits;
		const { status } = await rig.client.run(workflowId);
		expect(status).toBe('success');
		return mail.emails.filter(({ subject }) => subject.startsWith('Gateway-Guthaben')).length;
	};
	expect(await emailsAfter(900)).toBe(0);
	expect(await emailsAfter(150)).toBe(1);
	expect(await emailsAfter(140)).toBe(1);
	expect(await emailsAfter(130)).toBe(1);
	expect(await emailsAfter(900)).toBe(1);
	expect(await emailsAfter(120)).toBe(2);
	expect(mail.emails.at(-1)).toMatchObject({
		to: ['buchhaltung@kanzlei-demo.example'],
		subject: 'Gateway-Guthaben: noch 119',
	});
});

it('trial balance by e-mail: on 1 January it is still the one for the old year', async () => {
	rig.sandbox.store.accounts[0].credits = 1000;
	const { workflow } = find('trial-balance');
	const { data } = await rig.client.api.get(`workflows/${find('trial-balance').workflowId}`);
	const nodes = (data as WorkflowFile).nodes.map((node) => {
		if (node.name !== 'Day') return node;
		const text = JSON.stringify(node.parameters);
		// The first of January, in place of today.
		const parameters = JSON.parse(text.replace('$today', "DateTime.fromISO('2026-01-01')")) as IDataObject;
		expect(JSON.stringify(parameters)).not.toBe(text);
		return { ...node, parameters } as typeof node;
	});
	const id = await rig.client.importWorkflow({ ...workflow, name: `${workflow.name} in January`, nodes });
	const execution = await rig.client.run(id);
	expect(execution.status).toBe('success');
	const asked = rig.sandbox.log.entries.filter(({ path }) => path.includes('/susa'));
	expect(JSON.stringify(asked.at(-1))).toContain('2025-01-01');
	const [{ accounts }] = itemsOf(execution, 'Check') as Array<{ accounts: number }>;
	expect(accounts).toBeGreaterThan(30);
	const email = mail.emails.at(-1);
	expect(email).toMatchObject({
		to: ['buchhaltung@kanzlei-demo.example'],
		subject: 'Summen- und Saldenliste, 31.12.2025',
		attachments: [{ dateiname: 'Summen- und Saldenliste 2025-12-31.xlsx' }],
	});
	expect(email?.attachments[0].size).toBeGreaterThan(10_000);
});
