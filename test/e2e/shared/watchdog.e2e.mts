/** The example that watches n8n and the gateway, on a real n8n. */
import { randomUUID } from 'node:crypto';
import type { IPinData } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { N8nClient } from '../../../host/client.mjs';
import { type Mail, startMail } from '../../../host/mailbox.mjs';
import { PACKAGE } from '../../../host/package.mjs';
import { faultSchema } from '../../../sandbox/admin/faults.mjs';
import { storeMailCredentials, storeN8nKey } from '../../../scripts/start/demo.mjs';
import { readExamples, withCredentials } from '../../../scripts/start/examples.mjs';
import { TriggerRig } from '../../support/triggerRig.mjs';
import { simpleEntry } from '../../support/simpleEntry.mjs';
import { connectionOf, nodeOf } from '../../support/workflows.mjs';

/** Nobody else's n8n has workflows of these names. */
const PAYMENTS = `Watched payments ${randomUUID()}`;
const FAILING = `Watched booking ${randomUUID()}`;

let rig: TriggerRig;
let mail: Mail;
let watchdog: string;
let payments: string;

beforeAll(async () => {
	rig = await TriggerRig.join();
	mail = await startMail();
	payments = await rig.addWorkflow(PAYMENTS);
	watchdog = await importWatchdog(rig.client);
});
afterAll(async () => {
	if (payments) await rig.client.deactivate(payments);
	await rig?.stop();
	await mail?.stop();
});

/** @param pinData what nodes give instead of what they would find */
async function importWatchdog(client: N8nClient, pinData: IPinData = {}): Promise<string> {
	const { workflow } = (await readExamples()).find(({ name }) => name === 'watchdog')!;
	const { nodes, ...rest } = withCredentials(workflow, {
		accountingGatewayApi: rig.credential.id,
		n8nApi: await storeN8nKey(client, ' (watchdog)'),
		...(await storeMailCredentials(client, mail, ' (watchdog)')),
	});
	const text = JSON.stringify(nodes);
	// Other tests' workflows fail on purpose, too, as many as they like.
	const own = text.replace('"Payments to several workflows"', `"${PAYMENTS}"`);
	expect(own).not.toBe(text);
	return await client.importWorkflow({
		...rest,
		nodes: JSON.parse(own),
		pinData,
		name: `Watchdog ${randomUUID()}`,
	});
}

/** The lines that a look tells of what this test has brought about. */
async function look(id = watchdog): Promise<string[]> {
	const before = mail.emails.length;
	const { status, data } = await rig.client.run(id);
	expect(status, data.resultData.error?.message).toBe('success');
	const emails = mail.emails.slice(before);
	expect(emails.length).toBeLessThanOrEqual(1);
	return emails
		.flatMap(({ text }) => text.split('\n'))
		.filter((line) => line.startsWith('- ') && (!line.includes('Fehlgeschlagen') || line.includes(FAILING)));
}

it('tells that the workflow with the trigger isn’t published, once', async () => {
	expect(await look()).toEqual([
		`- Der Workflow „${PAYMENTS}“ ist nicht veröffentlicht: Zahlungsereignisse kommen nicht an.`,
	]);
	expect(mail.emails.at(-1)).toMatchObject({ to: ['n8n@kanzlei-demo.example'] });
	expect(await look()).toEqual([]);
});

it('tells that payments were made of which no event has arrived, but not of those from before it was published', async () => {
	await rig.publish(payments);
	rig.pay('authorizing', 'processing', 'settled');
	expect(await look()).toEqual([]);

	// As if nothing had arrived, and nobody had changed the workflow, for three days.
	const time = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString();
	const { data: workflow } = await rig.client.api.get(`workflows/${payments}`);
	const quiet = await importWatchdog(rig.client, {
		'Payments workflow': [{ json: { ...workflow, updatedAt: time } }],
		'Last event': [{ json: { id: 1, startedAt: time } }],
	});
	const lines = await look(quiet);
	expect(lines).toEqual([
		expect.stringMatching(
			/^- (1 Zahlung steht|\d+ Zahlungen stehen) auf dem Bankkonto, aber seit dem \d\d\.\d\d\.\d{4} \d\d:\d\d kam kein Ereignis an\. Veröff/,
		),
	]);
	expect(await look(quiet)).toEqual([]);
});

it('tells what fails, by node, and when credits run out, in one e-mail', async () => {
	const id = await rig.client.importWorkflow({
		name: FAILING,
		nodes: [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
			nodeOf(
				'Booking',
				`${PACKAGE}.accountingGatewayDelivery`,
				simpleEntry(connectionOf(rig.sandbox, 'duo'), { betrag: 'x' }),
				{ credentials: rig.credentials },
			),
		],
		connections: { Start: { main: [[{ node: 'Booking', type: 'main', index: 0 }]] } },
	});
	for (let i = 0; i < 2; i++) expect((await rig.client.run(id)).status).toBe('error');
	rig.sandbox.store.accounts[0].credits = 150;
	expect((await look()).sort()).toEqual([
		expect.stringMatching(/^- Das Guthaben beim Gateway ist auf 1\d\d gefallen\. Bitte laden Sie es auf\.$/),
		`- Fehlgeschlagen, 2-mal in 24 Stunden: „${FAILING}“, Node „Booking“`,
	]);
	expect(await look()).toEqual([]);
});

it('tells that it can’t look, when the gateway refuses', async () => {
	rig.sandbox.faults.add(faultSchema.parse({ kind: 'status', status: 401, times: null }));
	const lines = await look();
	rig.sandbox.faults.clear();
	expect(lines).toHaveLength(2);
	for (const name of ['Fiscal years', 'Bank transactions'])
		expect(lines).toContainEqual(expect.stringContaining(`Nicht geprüft: „${name}“. Meldung des Nodes: „`));
});
