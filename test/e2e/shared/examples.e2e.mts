/** Examples that `npm start` doesn't run in every way: an hour without files, and the form of the chase. */
import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { WorkflowFile } from '../../../host/client.mjs';
import { type Mail, startMail } from '../../../host/mailbox.mjs';
import type { Imported } from '../../../scripts/start/demo.mjs';
import { LINKS, submitForm } from '../../../scripts/start/examples.mjs';
import { importMailing, rowsOf } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';

const NAMES = ['chase-form', 'e-invoices-rewe', 'receipts-folder'];

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
}

it('chase: a receipt is taken with the seal of its own payment, and with no other', async () => {
	const { workflow, workflowId } = find('chase-form');
	await rig.client.publish(workflowId);
	const send = async (zahlung: string, siegel: string) => {
		const data = new FormData();
		for (const [i, value] of [
			zahlung,
			siegel,
			'',
			'17,80',
			'2026-11-08',
			'Mühle Kornblume',
			'RE-1',
		].entries())
			if (i !== 2) data.append(`field-${i}`, value);
		data.append('field-2', new Blob([`%PDF-1.4 ${zahlung}`], { type: 'application/pdf' }), 'Beleg.pdf');
		return await submitForm(rig.client, workflow, data);
	};
	const sealOf = (payment: string) => createHmac('sha256', LINKS.hmacSecret).update(payment).digest('hex');
	const before = rig.sandbox.store.list('documents')!.length;
	for (const seal of ['', sealOf('other'), sealOf('').toUpperCase()])
		expect(await send('payment-1', seal)).toContain('Dieser Link gilt nicht');
	expect(await send('', '')).toContain('Dieser Link gilt nicht');
	expect(rig.sandbox.store.list('documents')).toHaveLength(before);
	expect(await send('payment-1', sealOf('payment-1'))).toContain('Der Beleg ist angekommen');
	expect(await rowsOf<Row>(rig, 'Hochgeladene Belege', { zahlung: 'payment-1' })).toHaveLength(1);
	await rig.client.deactivate(workflowId);
});
