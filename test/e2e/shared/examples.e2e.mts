/** Examples that `npm start` doesn't run in every way: the schedules, and the form for what is no e-invoice. */
import { openAsBlob } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pickBy from 'lodash/pickBy.js';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { WorkflowFile } from '../../../host/client.mjs';
import { type Mail, startMail } from '../../../host/mailbox.mjs';
import type { Imported } from '../../../scripts/start/demo.mjs';
import { itemsOf, submitForm, WORKFLOWS } from '../../../scripts/start/examples.mjs';
import { importMailing, rowsOf } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';

const NAMES = ['close-month', 'credits-alert', 'e-invoices-rewe', 'receipts-folder', 'trial-balance'];

/** The library of n8n's own *Extract From File*. */
const xlsx = createRequire(new URL('../../../host/n8n/package.json', import.meta.url))('@e965/xlsx') as {
	read: (file: Buffer) => { SheetNames: string[]; Sheets: Record<string, object> };
	utils: { sheet_to_json: <Row>(sheet: object) => Row[] };
};

let rig: Rig;
let mail: Mail;
let examples: Imported[];

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	examples = await importMailing(rig, mail, 'examples', (name) => NAMES.includes(name));
});
afterAll(async () => {
	await rig?.stop();
	await mail?.stop();
});

const find = (name: string) => examples.find((example) => example.name === name) as Imported;

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
		if (node.name !== 'Month') return node;
		const text = JSON.stringify(node.parameters);
		// The first of January, instead of today.
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
		subject: 'Summen- und Saldenliste Dezember 2025',
		attachments: [{ dateiname: 'Summen- und Saldenliste 2025-12.xlsx' }],
	});
	expect(email?.attachments[0].size).toBeGreaterThan(10_000);
});

it('close the month: one Excel file with a sheet for each report, which a spreadsheet reader reads', async () => {
	rig.sandbox.store.accounts[0].credits = 1000;
	const execution = await rig.client.run(find('close-month').workflowId);
	expect(execution.status, JSON.stringify(execution.data.resultData.error)).toBe('success');
	const [item] = execution.data.resultData.runData.Pack[0].data!.main[0]!;
	const file = await rig.client.download(item.binary!.data);
	const { SheetNames, Sheets } = xlsx.read(file);
	expect(SheetNames).toEqual(['SuSa', 'OPOS', 'Journal']);
	for (const [name, node] of Object.entries({
		SuSa: 'SuSa rows',
		OPOS: 'OPOS by age',
		Journal: 'Journal rows',
	})) {
		const wanted = itemsOf(execution, node);
		expect(wanted.length).toBeGreaterThan(5);
		const rows = xlsx.utils.sheet_to_json<IDataObject>(Sheets[name]);
		expect(rows).toHaveLength(wanted.length);
		expect(rows.at(-1)).toMatchObject(
			pickBy(wanted.at(-1), (value) => ['string', 'number'].includes(typeof value) && value !== ''),
		);
	}
	expect(mail.emails.at(-1)?.attachments).toMatchObject([{ dateiname: 'Monatsabschluss 2026-10-31.xlsx' }]);
});

// The newest version of n8n's node fails if it finds no file: the examples keep the one that doesn't.
it.each(['receipts-folder', 'e-invoices-rewe'])(
	'%s: an hour without a new file is no failure',
	async (name) => {
		const { workflow } = find(name);
		const text = JSON.stringify(workflow);
		const nothing = text.replace(`workflows/${name}/`, `workflows/${name}/nothing/`);
		expect(nothing).not.toBe(text);
		const id = await rig.client.importWorkflow({
			...(JSON.parse(nothing) as WorkflowFile),
			name: `${workflow.name}, empty`,
		});
		const { status, data } = await rig.client.run(id);
		expect(status, data.resultData.error?.message).toBe('success');
	},
);

interface Row extends IDataObject {
	dokument: string;
	workflow: string;
	antwort: string;
	datei: string;
}

it('e-invoices to Rewe: what is none is uploaded by hand, with the form, and recorded once', async () => {
	const { name, workflow, workflowId } = find('e-invoices-rewe');
	await rig.client.publish(workflowId);
	const path = join(WORKFLOWS, name, 'Scan Wartung Backofen.pdf');
	const send = async (day: string, content: Blob, file = 'Scan.pdf') => {
		const data = new FormData();
		data.append('field-0', content, file);
		for (const [i, value] of [day, 'Rechnungseingang', '88-12 Mühle Korntal'].entries())
			data.append(`field-${i + 1}`, value);
		return await submitForm(rig.client, workflow, data);
	};
	const scan = await openAsBlob(path, { type: 'application/pdf' });
	const protocol = async (datei: string) =>
		await rowsOf<Row>(rig, 'Protokoll', { workflow: workflow.name, datei });
	expect(await send('2026-11-19', scan)).toContain('Hochgeladen');
	const document = rig.sandbox.store.list('documents')?.at(-1) as IDataObject;
	expect(document).toMatchObject({
		operationId: 'uploadReweDocument',
		dateiname: 'Scan.pdf',
		fields: {
			belegdatum: '2026-11-19T12:00:00+01:00',
			belegtyp: 'Rechnungseingang',
			belegnotiz: '88-12 Mühle Korntal',
		},
	});
	expect(await send('2026-11-19', scan)).toContain('War schon da');
	expect(await protocol('Scan.pdf')).toMatchObject([
		{ vorgang: 'Beleg hochgeladen', pruefsumme: document.sha256, antwort: document.id },
	]);
	expect(await rowsOf<Row>(rig, 'Hochgeladene Belege', { datei: 'Scan.pdf' })).toMatchObject([
		{ dokument: document.id, datum: '2026-11-19', verkaeufer: '88-12 Mühle Korntal' },
	]);

	// While the chain can't be called, the upload is no success; sent again, it is recorded.
	const { id } = (await rig.client.findWorkflow('Prove it: chain of hashes (examples)'))!;
	await rig.client.deactivate(id);
	const other = new Blob(['%PDF-1.4 another'], { type: 'application/pdf' });
	await expect(send('2026-11-19', other, 'Anderer.pdf').catch(String)).resolves.not.toContain(
		'<h1>Hochgeladen',
	);
	expect(await protocol('Anderer.pdf')).toEqual([]);
	await rig.client.publish(id);
	expect(await send('2026-11-19', other, 'Anderer.pdf')).toContain('War schon da');
	expect(await protocol('Anderer.pdf')).toHaveLength(1);
	await rig.client.deactivate(workflowId);
});
