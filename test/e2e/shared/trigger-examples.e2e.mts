/** The example workflows that begin with the payment trigger, on a real n8n. */
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { importExamples, type Imported } from '../../../scripts/demo.mjs';
import { itemsOf } from '../../../scripts/examples.mjs';
import { TriggerRig } from '../../support/triggerRig.mjs';

let rig: TriggerRig;
let examples: Imported[];

beforeAll(async () => {
	rig = await TriggerRig.join();
	examples = await importExamples(rig.client, rig.credential.id);
});
afterAll(async () => await rig?.stop());

const idOf = (example: string) => examples.find(({ name }) => name === example)?.workflowId as string;
const entries = () => rig.sandbox.store.list('entries') as IDataObject[];

/** What the newest execution of an example gave out of a node, once there are so many executions. */
async function shown(example: string, node: string, count: number): Promise<IDataObject[]> {
	const [newest] = await rig.executionsEnded(idOf(example), count);
	return itemsOf(await rig.client.execution(newest.id), node) as IDataObject[];
}

it('a settled payment becomes a cash-book entry', async () => {
	await rig.publish(idOf('payment-cash-book'));
	const before = entries().length;
	const payment = rig.pay('authorizing', 'processing', 'settled');
	await shown('payment-cash-book', 'Book the payment', 1);
	expect(entries().slice(before)).toMatchObject([
		{
			quelle: 'Settled payment to cash book',
			fields: {
				belegnummer: payment,
				betrag: 119,
				bewegung: 'AUSGABE',
				belegtext: 'Papier Schmidt OHG, Rechnung RE-1007',
				belegNummer: 'E2E-1007',
			},
		},
	]);
});

it('one trigger feeds three workflows, each with its events', async () => {
	for (const name of ['payments-book', 'payments-report', 'payments-list']) {
		await rig.client.activate(idOf(name));
	}
	await rig.publish(idOf('payments'));
	const before = entries().length;

	// One after another: an event that the payment has outrun is not what the gateway says when it is asked.
	const { payments } = rig.sandbox.services;
	const settled = rig.pay('authorizing');
	await shown('payments-list', 'Row', 1);
	payments.move(settled, 'processing');
	await shown('payments-list', 'Row', 2);
	payments.move(settled, 'settled');
	expect(await shown('payments-list', 'Row', 3)).toMatchObject([{ payment: settled, status: 'settled' }]);
	await shown('payments-book', 'Book the payment', 1);
	expect(entries().slice(before)).toMatchObject([{ fields: { belegnummer: settled } }]);

	const rejected = rig.pay('authorizing');
	await shown('payments-list', 'Row', 4);
	payments.move(rejected, 'rejected');
	expect(await shown('payments-report', 'Message', 1)).toEqual([
		{
			subject: 'Payment rejected: Papier Schmidt OHG',
			text: '119.00 EUR, Rechnung RE-1007: the bank reports rejected (RJCT).',
		},
	]);
	await shown('payments-list', 'Row', 5);
	expect(entries()).toHaveLength(before + 1);
});

it('an example event is pinned, so that the fields can be mapped before there is a real one', async () => {
	const { data } = await rig.client.api.get(`workflows/${idOf('payment-cash-book')}`);
	expect(data.pinData['Payment update']).toMatchObject([{ json: { event: 'payment_update' } }]);
});
