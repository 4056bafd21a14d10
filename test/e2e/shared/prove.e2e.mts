/** The example "Audit log (hash chain)" on a real n8n: somebody changes, then deletes a row of its table. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Mail, startMail } from '../../../demo/mailbox.mjs';
import type { WorkflowFile } from '../../../host/client.mjs';
import { importMailing } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';

let rig: Rig;
let mail: Mail;
let workflowId: string;
/** Others use the same n8n, and write to the example's own table, whose name n8n would find in one that contains it. */
const TABLE = 'Chain of its own';

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	const [example] = await importMailing(rig, mail, 'prove', (name) => name === 'prove-chain');
	const { data } = await rig.client.api.get(`workflows/${example.workflowId}`);
	const own = JSON.parse(
		JSON.stringify(data).replaceAll('"Protokoll"', JSON.stringify(TABLE)),
	) as WorkflowFile;
	workflowId = await rig.client.importWorkflow({ ...own, name: 'Audit log, with a table of its own' });
});
afterAll(async () => {
	await rig?.stop();
	await mail?.stop();
});

async function run(): Promise<{ subject: string; text: string }> {
	const { status, data } = await rig.client.run(workflowId);
	expect(status, JSON.stringify(data.resultData.error)).toBe('success');
	return mail.emails.at(-1)!;
}

it('the proof of the audit log names the row that was changed, and the one that is missing, until they are as they were', async () => {
	expect((await run()).subject).toBe('Protokoll unverändert: bis Zeile 1');
	await run();
	expect((await run()).subject).toBe('Protokoll unverändert: bis Zeile 3');

	const { data: tables } = await rig.client.api.get('data-tables', { params: { limit: 100 } });
	const { id: table } = tables.data.find(({ name }: { name: string }) => name === TABLE);
	const change = async (antwort: string) =>
		await rig.client.api.patch(`data-tables/${table}/rows/update`, {
			filter: { type: 'and', filters: [{ columnName: 'id', condition: 'eq', value: 2 }] },
			data: { antwort },
		});
	const { data: rows } = await rig.client.api.get(`data-tables/${table}/rows`);
	const { antwort } = rows.data.find((row: { id: number }) => row.id === 2);
	await change('another');
	expect((await run()).subject).toBe('Protokoll verändert: Zeile 2');
	await change(antwort);
	expect((await run()).subject).toBe('Protokoll unverändert: bis Zeile 5');

	const filter = { type: 'and', filters: [{ columnName: 'id', condition: 'eq', value: 3 }] };
	const where = encodeURIComponent(JSON.stringify(filter));
	await rig.client.api.delete(`data-tables/${table}/rows/delete?filter=${where}`);
	expect((await run()).subject).toBe('Protokoll verändert: Zeile 4');
});
