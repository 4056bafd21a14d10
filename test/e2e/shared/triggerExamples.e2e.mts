/** The example that begins with the payment trigger, on a real n8n. */
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Mail, startMail } from '../../../host/mailbox.mjs';
import type { Imported } from '../../../scripts/start/demo.mjs';
import { importMailing, rowsOf } from '../../support/mailingExamples.mjs';
import { TriggerRig } from '../../support/triggerRig.mjs';

let rig: TriggerRig;
let mail: Mail;
let payments: Imported;

beforeAll(async () => {
	rig = await TriggerRig.join();
	mail = await startMail();
	[payments] = await importMailing(rig, mail, 'payments', (name) => name === 'payments');
});
afterAll(async () => {
	if (payments) await rig.client.deactivate(payments.workflowId);
	await rig?.stop();
	await mail?.stop();
});

/** Moves a payment on, one event after another: the gateway is asked about each. */
async function move(id: string, ...states: string[]): Promise<void> {
	for (const state of states) {
		const { length } = await rig.executions(payments.workflowId);
		rig.sandbox.services.payments.move(id, state as 'settled');
		await rig.executionsEnded(payments.workflowId, length + 1);
	}
}

it('examples behind one payment trigger: settled payments find their open item, failed ones are told, and all are in the table', async () => {
	await rig.publish(payments.workflowId);
	await move('pay-4', 'settled');
	expect(mail.emails).toMatchObject([
		{
			to: ['buchhaltung@kanzlei-demo.example'],
			subject: 'Zahlung ausgeführt',
			text: expect.stringMatching(
				/1\.244,99 EUR, „Backtechnik Schreiber e\. K\.“, .* Gleicht aus: „70006\/240066“/,
			),
		},
	]);
	const id = rig.pay();
	await move(id, 'authorizing', 'rejected');
	expect(mail.emails).toHaveLength(2);
	expect(mail.emails[1]).toMatchObject({
		subject: expect.stringMatching(/^Zahlung abgelehnt: /),
		text: expect.stringMatching(/„Papier Schmidt OHG“[^]*Status bei der Bank: RJCT$/),
	});
	const rows = await rowsOf<IDataObject>(rig, 'Zahlungen', {});
	expect(rows.filter(({ zahlung }) => [id, 'pay-4'].includes(zahlung as string))).toMatchObject([
		{ zahlung: 'pay-4', status: 'settled' },
		{ zahlung: id, status: 'rejected' },
	]);
	expect(rig.sandbox.store.list('entries')).toEqual([]);
});
