/** The example that begins with an e-mail, on a real n8n and a real mailbox. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Mail, RECEIPTS, startMail } from '../../../demo/mailbox.mjs';
import { type Imported, storeMailCredentials } from '../../../demo/demo.mjs';
import { arrivalsOf, runExample } from '../../../demo/examples.mjs';
import { startDovecot } from '../../support/dovecot.mjs';
import { importMailing, rowsOf } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';
import { waitFor } from '../../../scripts/base/waiting.mjs';

let rig: Rig;
let mail: Mail;
let example: Imported;

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail({ imap: await startDovecot() });
	[example] = await importMailing(rig, mail, 'Dovecot', (name) => name === 'receipts-email');
});
afterAll(async () => {
	if (example) await rig.client.deactivate(example.workflowId);
	await rig?.stop();
	await mail?.stop();
});

const arrivals = () => arrivalsOf(rig.sandbox.store, mail);

it('receipts by e-mail: each file arrives once, and what is no receipt is told', async () => {
	const { problems } = await runExample(rig.client, arrivals(), example, example.expected!);
	expect(problems).toEqual([]);
});

interface Upload {
	dokument: string;
	datei: string;
	betrag: number | null;
	datum: string;
	verkaeufer: string;
	nummer: string;
}
const documents = () => rig.sandbox.store.list('documents') as Array<{ sha256: string; dateiname: string }>;
/** What is listed for the chase, of the documents of this sandbox. */
const listed = async () => {
	const rows = await rowsOf<Upload>(rig, 'Hochgeladene Belege', {});
	return rows.filter(({ dokument }) => documents().some(({ sha256 }) => sha256 === dokument));
};

it('receipts by e-mail: each document is listed for the chase, with what is known of it', async () => {
	const ids = (await listed()).map(({ dokument }) => dokument);
	expect(ids.sort()).toEqual(
		documents()
			.map(({ sha256 }) => sha256)
			.sort(),
	);
	const eInvoice = (await listed()).find(({ datei }) => datei.endsWith('.xml'));
	expect(eInvoice).toMatchObject({
		betrag: 119,
		nummer: 'RE-4711',
		verkaeufer: 'Papier Schmidt OHG',
		zahlung: '',
	});
	const photo = (await listed()).find(({ datei }) => datei.endsWith('.jpg'));
	expect(photo).toMatchObject({
		betrag: null,
		nummer: null,
		verkaeufer: expect.stringContaining('Lieferant'),
	});
	expect(photo?.datum).toMatch(/^\d{4}-\d\d-\d\d$/);
});

it('receipts by e-mail: the same e-mails add nothing when they are read again', async () => {
	const before = await listed();
	const expected = { ...example.expected!, ...example.expected!.again };
	const { problems } = await runExample(rig.client, arrivals(), example, expected);
	expect(problems).toEqual([]);
	expect(await listed()).toHaveLength(before.length);
});

it('receipts by e-mail: another mailbox is read, too, though its numbers for e-mails are lower', async () => {
	const other = await startMail();
	try {
		await storeMailCredentials(rig.client, other, ' (Dovecot)');
		const expected = { ...example.expected!, ...example.expected!.again };
		const { problems } = await runExample(
			rig.client,
			arrivalsOf(rig.sandbox.store, other),
			example,
			expected,
		);
		expect(problems).toEqual([]);
	} finally {
		await rig.client.deactivate(example.workflowId);
		await other.stop();
	}
});

it('receipts by e-mail: with one address for everything, a Word file makes one e-mail, and that e-mail none', async () => {
	const imap = await startDovecot();
	const own = await startMail({ imap });
	const { client } = rig;
	const workflow = structuredClone(example.asImported);
	for (const node of workflow.nodes) if (node.name === 'Settings') useOneAddress(node.parameters);
	const id = await client.importWorkflow({ ...workflow, name: `${workflow.name} (one address)` });
	try {
		await storeMailCredentials(client, own, ' (Dovecot)');
		await client.publish(id);
		// n8n looks into the mailbox when an e-mail arrives after it has connected.
		let sent = 0;
		const isRead = async () => {
			await imap.store(Buffer.from(WORD));
			sent++;
			return own.emails.length > 0;
		};
		await waitFor(isRead, { interval: 5_000 });
		const read = async () => {
			const ids = await client.executionIds(id);
			const executions = await Promise.all(ids.map(async (one) => await client.execution(one)));
			return executions.flatMap(({ data }) =>
				(data.resultData.runData['E-mails'] ?? []).flatMap((run) =>
					(run.data?.main[0] ?? []).map(({ json }) => json.subject),
				),
			);
		};
		// What came back was read, too.
		const isOver = async () => (await read()).length === sent + own.emails.length;
		await waitFor(isOver, { interval: 500 });
		expect(own.emails.length).toBeLessThanOrEqual(sent);
		expect(own.emails.map(({ text, to }) => [text.split('\n')[0], ...to])).toContainEqual([
			'Angebot.doc',
			RECEIPTS,
		]);
		expect(own.emails.filter(({ text }) => !text.startsWith('Angebot.doc'))).toEqual([]);
	} finally {
		await client.deactivate(id);
		await own.stop();
	}
});

const WORD = [
	'From: Rita <rita@lieferant.example>',
	`To: ${RECEIPTS}`,
	'Subject: Angebot',
	'MIME-Version: 1.0',
	'Content-Type: application/msword; name="Angebot.doc"',
	'Content-Disposition: attachment; filename="Angebot.doc"',
	'',
	'x',
	'',
].join('\r\n');

function useOneAddress(parameters: Record<string, unknown>): void {
	const { assignments } = parameters.assignments as { assignments: Array<{ name: string; value: string }> };
	for (const assignment of assignments)
		if (['sender', 'recipient'].includes(assignment.name)) assignment.value = RECEIPTS;
}
