/** The example that watches n8n and the gateway, on a real n8n. */
import { randomUUID } from 'node:crypto';
import axios from 'axios';
import type { IPinData } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { N8nClient } from '../../../host/client.mjs';
import { type Mail, startMail } from '../../../demo/mailbox.mjs';
import { PACKAGE } from '../../../host/package.mjs';
import { storeMailCredentials, storeN8nKey } from '../../../demo/demo.mjs';
import { readExample, withCredentials } from '../../../demo/examples.mjs';
import { waitFor } from '../../../scripts/base/waiting.mjs';
import { TriggerRig } from '../../support/triggerRig.mjs';
import { connectionOf, nodeOf, simpleEntry } from '../../../host/workflows.mjs';

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
	const { workflow } = await readExample('watchdog');
	const { nodes, ...rest } = withCredentials(workflow, {
		accountingGatewayApi: rig.credential.id,
		n8nApi: await storeN8nKey(client, ' (watchdog)', client),
		...(await storeMailCredentials(client, mail, ' (watchdog)')),
	});
	// Other tests' workflows and tables are in the same n8n.
	const text = JSON.stringify(nodes)
		.replace('"value":"Payments"', `"value":"${PAYMENTS}"`)
		.replace('"value":"Receipts from e-mail to documents"', '"value":""')
		.replace('Gemeldete Probleme', `Gemeldet ${randomUUID()}`);
	return await client.importWorkflow({
		...rest,
		nodes: JSON.parse(text),
		pinData,
		name: `Watchdog ${randomUUID()}`,
	});
}

/** What a look tells. */
async function look(id = watchdog): Promise<string[]> {
	const before = mail.emails.length;
	const { status, data } = await rig.client.run(id);
	expect(status, data.resultData.error?.message).toBe('success');
	return mail.emails.slice(before).map(({ text }) => text.split('\n')[0]);
}

it('the watchdog tells that the workflow with the trigger isn’t published, once', async () => {
	expect(await look()).toEqual([
		`Der Trigger ist unter der öffentlichen Adresse von n8n nicht zu erreichen, oder dieser Workflow ist nicht veröffentlicht: ${PAYMENTS}, Antwort 404`,
	]);
	expect(mail.emails.at(-1)).toMatchObject({ to: ['n8n@kanzlei-demo.example'] });
	expect(await look()).toEqual([]);
});

it('the watchdog tells that payments were made of which no event has arrived, but not of those from before it was published', async () => {
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
		expect.stringMatching(/^Auf dem Bankkonto sind Zahlungen, von denen kein Ereignis ankam\./),
	]);
	expect(await look(quiet)).toEqual([]);
});

it('the watchdog is told of a workflow that fails, as its error workflow, once it is published, and tells once a day', async () => {
	const path = randomUUID();
	const failing = await rig.client.importWorkflow({
		name: FAILING,
		nodes: [
			nodeOf(
				'Called',
				'n8n-nodes-base.webhook',
				{ path, httpMethod: 'POST' },
				{ webhookId: path, typeVersion: 2 },
			),
			nodeOf(
				'Booking',
				`${PACKAGE}.accountingGatewayDelivery`,
				simpleEntry(connectionOf(rig.sandbox, 'duo'), { betrag: 'x' }),
				{ credentials: rig.credentials },
			),
		],
		connections: { Called: { main: [[{ node: 'Booking', type: 'main', index: 0 }]] } },
		settings: { errorWorkflow: watchdog },
	});
	await rig.publishWebhook(failing, `webhook/${path}`);
	const before = mail.emails.length;
	const call = async () => await axios.post(`${rig.n8nUrl}/webhook/${path}`, {});
	// Unpublished, as after an import, it is told of nothing.
	await call();
	await expect
		.poll(async () => (await rig.executions(failing)).map(({ status }) => status))
		.toEqual(['error']);
	await rig.client.deactivate(failing);
	await rig.client.publish(watchdog);
	// n8n answers before it has published. Where it doesn't tell when, the second publication waits for the first.
	await waitFor(async () => (await rig.client.isPublished(watchdog)) ?? true, { interval: 100 });
	await rig.publishWebhook(failing, `webhook/${path}`);
	const told = async () => (await rig.executions(watchdog)).filter(({ mode }) => mode === 'error').length;
	expect(await told()).toBe(0);
	const fail = async (count: number) => {
		await call();
		await expect.poll(told).toBe(count);
	};
	await fail(1);
	await fail(2);
	expect(mail.emails.slice(before).map(({ text }) => text)).toEqual([
		expect.stringMatching(
			`^Der Workflow „${FAILING}“ ist fehlgeschlagen\\. Erst die Ursache beheben, dann mit Retry wiederholen:\nhttp.*\nMeldung von n8n: „.+“`,
		),
	]);
	await rig.client.deactivate(failing);
	await rig.client.deactivate(watchdog);
});
