/** The example workflows that begin with the payment trigger, on a real n8n. */
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Mail, startMail } from '../../../host/mailbox.mjs';
import type { Imported } from '../../../scripts/start/demo.mjs';
import { faultSchema } from '../../../sandbox/admin/faults.mjs';
import { itemsOf } from '../../../scripts/start/examples.mjs';
import { importMailing } from '../../support/mailingExamples.mjs';
import { TriggerRig } from '../../support/triggerRig.mjs';

let rig: TriggerRig;
let mail: Mail;
let examples: Imported[];

beforeAll(async () => {
	rig = await TriggerRig.join();
	mail = await startMail();
	examples = await importMailing(rig, mail, 'payments', (name) => name.startsWith('payment'));
});
afterAll(async () => {
	await rig?.stop();
	await mail?.stop();
});

const idOf = (example: string) => examples.find(({ name }) => name === example)?.workflowId as string;
const entries = () => rig.sandbox.store.list('entries') as IDataObject[];

/** All suppliers have been paid. */
function nothingIsOpen(): void {
	rig.sandbox.faults.add(
		faultSchema.parse({
			kind: 'alter',
			operationId: 'getOpenItems',
			times: null,
			set: { 'data.konten': [] },
		}),
	);
}

/** What the newest execution of an example gave out of a node, once there are so many executions. */
async function shown(example: string, node: string, count: number): Promise<IDataObject[]> {
	const [newest] = await rig.executionsEnded(idOf(example), count);
	return itemsOf(await rig.client.execution(newest.id), node) as IDataObject[];
}

it('a settled payment: the accountant is told which open item it settles, and nothing is booked', async () => {
	await rig.publish(idOf('payment-open-item'));
	rig.pay('authorizing', 'processing', 'settled');
	await shown('payment-open-item', 'Tell the accountant', 1);
	expect(mail.emails.at(-1)).toMatchObject({
		to: ['buchhaltung@kanzlei-demo.example'],
		subject: 'Zahlung ausgeführt: Papier Schmidt OHG, 119,00 EUR',
		text: expect.stringContaining(
			'Kein offener Posten eines Lieferanten hat diesen Betrag oder diese Nummer.',
		),
	});
	rig.sandbox.services.payments.move('pay-4', 'settled');
	await shown('payment-open-item', 'Tell the accountant', 2);
	expect(mail.emails.at(-1)).toMatchObject({
		subject: 'Zahlung ausgeführt: Backtechnik Schreiber e. K., 1.244,99 EUR',
		text: expect.stringContaining('Sie gleicht aus: 70006/240066 vom 11.12.2024'),
	});
	expect(mail.emails).toHaveLength(2);
	expect(entries()).toEqual([]);
});

it('a part payment and a mere coincidence are reported as such', async () => {
	const { payments } = rig.sandbox.services;
	for (const [amount, description] of [
		['1000.00', 'Abschlag auf 70006/240066'],
		['1244.99', 'Wartung im Dezember'],
	]) {
		const { id } = payments.create({ status: 'authorizing', payment_attributes: { amount, description } });
		payments.move(id, 'processing');
		payments.move(id, 'settled');
	}
	await shown('payment-open-item', 'Tell the accountant', 4);
	const texts = mail.emails.slice(2).map(({ text }) => text);
	expect(texts).toContainEqual(
		expect.stringMatching(/^Gleiche Nummer, aber ein anderer Betrag: 70006\/240066/m),
	);
	expect(texts).toContainEqual(
		expect.stringMatching(/^Gleicher Betrag, aber die Nummer steht nicht im Verwendungszweck: 70006/m),
	);
});

it('the accountant is told, too, when no item of a supplier is open at all', async () => {
	nothingIsOpen();
	rig.pay('authorizing', 'processing', 'settled');
	await shown('payment-open-item', 'Tell the accountant', 5);
	expect(mail.emails.at(-1)).toMatchObject({
		subject: 'Zahlung ausgeführt: Papier Schmidt OHG, 119,00 EUR',
		text: expect.stringContaining('Bei keinem Lieferanten ist zurzeit ein Posten offen.'),
	});
	rig.sandbox.faults.clear();
	await rig.client.deactivate(idOf('payment-open-item'));
});

it('one trigger feeds three workflows, each with its events', async () => {
	for (const name of ['payments-item', 'payments-report', 'payments-list']) {
		await rig.client.activate(idOf(name));
	}
	await rig.publish(idOf('payments'));
	const before = mail.emails.length;

	// One after another: an event that the payment has outrun is not what the gateway says when it is asked.
	const { payments } = rig.sandbox.services;
	const settled = rig.pay('authorizing');
	await shown('payments-list', 'Row', 1);
	payments.move(settled, 'processing');
	await shown('payments-list', 'Row', 2);
	payments.move(settled, 'settled');
	expect(await shown('payments-list', 'Row', 3)).toMatchObject([{ payment: settled, status: 'settled' }]);
	await shown('payments-item', 'Tell the accountant', 1);
	expect(mail.emails.slice(before)).toMatchObject([
		{ subject: 'Zahlung ausgeführt: Papier Schmidt OHG, 119,00 EUR' },
	]);

	const rejected = rig.pay('authorizing');
	await shown('payments-list', 'Row', 4);
	payments.move(rejected, 'rejected');
	expect(await shown('payments-report', 'Message', 1)).toEqual([
		{
			subject: 'Zahlung abgelehnt: Papier Schmidt OHG',
			text: '119,00 EUR, Rechnung RE-1007: Die Bank meldet rejected (RJCT).',
		},
	]);
	await shown('payments-list', 'Row', 5);
	expect(mail.emails).toHaveLength(before + 1);

	nothingIsOpen();
	rig.pay('authorizing', 'processing', 'settled');
	await shown('payments-item', 'Tell the accountant', 2);
	expect(mail.emails.at(-1)?.text).toContain('Bei keinem Lieferanten ist zurzeit ein Posten offen.');
	rig.sandbox.faults.clear();
	expect(entries()).toEqual([]);
});

it('an example event is pinned, so that fields can be mapped before a real one arrives', async () => {
	const { data } = await rig.client.api.get(`workflows/${idOf('payment-open-item')}`);
	expect(data.pinData['Payment update']).toMatchObject([{ json: { event: 'payment_update' } }]);
});
