/** The example's form for a missing receipt, which `npm start` doesn't send. */
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Mail, startMail } from '../../../demo/mailbox.mjs';
import type { Imported } from '../../../demo/demo.mjs';
import { LINKS, sealOf as sealFor, submitForm } from '../../../demo/examples.mjs';
import { fillTableOfClients, importMailing, rowsOf } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';

let rig: Rig;
let mail: Mail;
let form: Imported;
let chase: Imported;
const CLIENT = ['29098-10001', 'Bäckerei Sonnenschein GmbH'];

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	[form, chase] = await importMailing(rig, mail, 'examples', (name) => name.startsWith('chase-'));
	await fillTableOfClients(rig);
});
afterAll(async () => {
	await rig?.stop();
	await mail?.stop();
});

interface Row extends IDataObject {
	dokument: string;
}

it('chase: a receipt is taken with the seal of its own payment, and with no other', async () => {
	const { workflow, workflowId } = form;
	await rig.client.publish(workflowId);
	const UNTIL = '2099-12-31';
	const send = async (zahlung: string, siegel: string, more: Record<number, string> = {}) => {
		const typed = [
			zahlung,
			siegel,
			'Mühle',
			UNTIL,
			...CLIENT,
			'17,80 EUR, 10.11.2026',
			'Ja, hier ist er',
			'',
			'17,80',
			'2026-11-08',
			'Mühle',
			'RE-1',
		];
		const data = new FormData();
		for (const [i, value] of Object.entries<string>({ ...Object.fromEntries(typed.entries()), ...more }))
			if (i !== '8') data.append(`field-${i}`, value);
		if (!(7 in more))
			data.append('field-8', new Blob([`%PDF-1.4 ${zahlung}`], { type: 'application/pdf' }), 'Beleg.pdf');
		return await submitForm(rig.client, workflow, data);
	};
	const sealOf = (payment: string) => sealFor(LINKS.hmacSecret, [...CLIENT, payment, 'Mühle', UNTIL]);
	const before = rig.sandbox.store.list('documents')!.length;
	for (const seal of ['', sealOf('other'), sealOf('').toUpperCase()]) await send('payment-1', seal);
	await send('', '');
	// Each has ended: n8n never deletes an execution that waits, nor its file.
	const ended = await rig.executionsEnded(workflowId, 4);
	expect(ended.map(({ status }) => status)).toEqual(Array(4).fill('success'));
	expect(rig.sandbox.store.list('documents')).toHaveLength(before);
	const gone = sealFor(LINKS.hmacSecret, ['29098-1', 'Niemand', 'payment-1', 'Mühle', UNTIL]);
	expect(await send('payment-1', gone, { 4: '29098-1', 5: 'Niemand' })).toContain(
		'Es wurde nichts hochgeladen',
	);
	expect(rig.sandbox.store.list('documents')).toHaveLength(before);
	expect(await send('payment-1', sealOf('payment-1'))).toContain('Der Beleg ist angekommen');
	expect(await rowsOf<Row>(rig, 'Hochgeladene Belege', { zahlung: 'payment-1' })).toHaveLength(1);
	const none = { 7: 'Kein Beleg, auch künftig bei diesem Empfänger', 13: 'Miete' };
	expect(await send('payment-2', sealOf('payment-2'), none)).toContain(
		'an diesen Empfänger wird nicht mehr gefragt',
	);
	expect(await rowsOf<Row>(rig, 'Zahlungen ohne Beleg', { zahlung: 'payment-2' })).toMatchObject([
		{ auchKuenftig: 'ja', grund: 'Miete' },
	]);
	await rig.client.deactivate(workflowId);
});

it('chase: each client’s contact gets an e-mail, by a workflow that calls itself and isn’t published', async () => {
	const { status, data } = await rig.client.run(chase.workflowId);
	expect(data.resultData.error).toBeUndefined();
	expect(status).toBe('success');
	const sent = mail.emails.filter(({ to }) => to.includes('petra@baeckerei-sonnenschein.example'));
	expect(sent).toMatchObject([
		{ subject: expect.stringMatching(/^Bäckerei Sonnenschein GmbH: fehlende Belege \(\d\)$/) as string },
	]);
});
