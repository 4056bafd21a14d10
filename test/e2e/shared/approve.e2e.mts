/** The example "Approve before booking", on a real n8n: what may and what may not bring about that something is booked. */
import { randomUUID } from 'node:crypto';
import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Mail, startMail } from '../../../demo/mailbox.mjs';
import type { Imported } from '../../../demo/demo.mjs';
import { answerForm, APPROVER, arrivalsOf, formOf, linkedForm, runExample } from '../../../demo/examples.mjs';
import { importMailing } from '../../support/mailingExamples.mjs';
import { PATIENCE_MS } from '../../../scripts/base/waiting.mjs';
import { Rig } from '../../support/rig.mjs';
import { ScriptedModel } from '../../support/scriptedModel.mjs';
import { nodeOf, to } from '../../../host/workflows.mjs';

let rig: Rig;
let mail: Mail;
let example: Imported;
let model: ScriptedModel;

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	const isExample = (name: string) => name === 'approve-booking';
	[example] = await importMailing(rig, mail, 'approve', isExample);
	model = await ScriptedModel.start(rig.client);
});
beforeEach(() => {
	rig.sandbox.store.reset();
	rig.sandbox.faults.clear();
});
afterAll(async () => {
	await model?.stop();
	await rig?.stop();
	await mail?.stop();
});

const arrivals = (list: string) => arrivalsOf(rig.sandbox.store, mail)(list);
const entries = () =>
	rig.sandbox.store.list('entries') as Array<{ fields: IDataObject; belegbilder: unknown[] }>;
const BOOK = formOf({ 'field-0': 'Buchen', 'field-1': '' });

const ENTRY = {
	kassenname: 'Hauptkasse',
	bewegung: 'AUSGABE',
	betrag: '12.50',
	steuersatz: '19',
	transaktionsdatum: '2026-11-20',
	belegtext: 'Putzmittel',
};

/** Runs the workflow until it waits. */
async function ask(workflowId = example.workflowId) {
	const id = await rig.client.start(workflowId);
	return { id, link: await linkedForm(rig.client, arrivals, id) };
}

/** The decisions that the form behind the link offers. */
async function offered(link: string): Promise<string[]> {
	const auth = { username: APPROVER.user, password: APPROVER.password };
	const { data } = await axios.get<string>(link, { proxy: false, auth });
	return [...data.matchAll(/<option value='([^']+)'/g)].map(([, decision]) => decision);
}

it('an approval books what was shown, with its receipts, and says so', async () => {
	const { problems } = await runExample(rig.client, arrivals, example, example.expected!);
	expect(problems).toEqual([]);
});

/** A form that doesn't wait: formApproval.e2e.mts. */
it('an approval books with the receipt of a form that called it, and waits for the decision', async () => {
	const path = randomUUID();
	const caller = await rig.client.importWorkflow({
		name: path,
		nodes: [
			nodeOf(
				'Form',
				'n8n-nodes-base.formTrigger',
				{
					formTitle: 'Beleg',
					formFields: { values: [{ fieldLabel: 'Foto', fieldType: 'file', multipleFiles: false }] },
					options: { path },
				},
				{ typeVersion: 2.2, webhookId: path },
			),
			nodeOf(
				'Ask for approval',
				'n8n-nodes-base.executeWorkflow',
				{
					workflowId: { __rl: true, mode: 'list', value: example.workflowId },
					workflowInputs: { mappingMode: 'defineBelow', value: ENTRY },
				},
				{ typeVersion: 1.2 },
			),
		],
		connections: { Form: to('Ask for approval') },
	});
	await rig.publishWebhook(caller, `form/${path}`);
	const data = new FormData();
	data.append('field-0', new Blob(['%PDF-1.4 Bon'], { type: 'application/pdf' }), 'Bon.pdf');
	const before = await rig.client.executionIds(example.workflowId);
	await axios.post(`${rig.n8nUrl}/form/${path}`, data);
	const [id] = await rig.client.startedSince(example.workflowId, before, PATIENCE_MS);
	await answerForm(await linkedForm(rig.client, arrivals, id), BOOK);
	expect((await rig.client.execution(id)).status).toBe('success');
	await rig.client.deactivate(caller);
	expect(entries()).toMatchObject([{ belegbilder: [{ dateiname: 'Bon.pdf' }] }]);
});

describe('an AI agent that has it as its tool', () => {
	/** Has the agent call it. @returns the executions of the agent and of the approval */
	async function propose(said: IDataObject[]) {
		model.calls = said;
		const fields = ['kassenname', 'bewegung', 'betrag', 'steuersatz', 'transaktionsdatum', 'belegtext'];
		const workflowId = await rig.client.importWorkflow({
			name: 'Agent that proposes entries',
			nodes: [
				nodeOf('Manual', 'n8n-nodes-base.manualTrigger'),
				...model.agentNodes(),
				nodeOf(
					'Tool',
					'@n8n/n8n-nodes-langchain.toolWorkflow',
					{
						description: 'Proposes a cash-book entry to a person, who decides later whether it is booked.',
						workflowId: { __rl: true, mode: 'list', value: example.workflowId },
						workflowInputs: {
							mappingMode: 'defineBelow',
							value: Object.fromEntries(
								fields.map((field) => [
									field,
									`={{ $fromAI('${field}', '${field} of the entry', 'string') }}`,
								]),
							),
							matchingColumns: [],
							schema: fields.map((id) => ({
								id,
								displayName: id,
								type: 'string',
								display: true,
								required: false,
								defaultMatch: false,
							})),
							attemptToConvertTypes: false,
							convertFieldsToString: true,
						},
					},
					{ typeVersion: 2.2 },
				),
			],
			connections: model.connections('Manual'),
			settings: { executionOrder: 'v1' },
		});
		const before = await rig.client.executionIds(example.workflowId);
		const agent = await rig.client.start(workflowId);
		const started = await rig.client.startedSince(example.workflowId, before, PATIENCE_MS);
		expect(started).toHaveLength(1);
		return { agent, id: started[0] };
	}

	it('books nothing until a person has approved, however often it is asked to', async () => {
		const asked = mail.emails.length;
		const first = await propose([ENTRY]);
		const oldLink = await linkedForm(rig.client, arrivals, first.id);
		expect(mail.emails.slice(asked)).toMatchObject([
			{ subject: 'Bitte freigeben: Ausgabe 12,50 EUR: „Putzmittel“' },
		]);
		expect(mail.emails.at(-1)?.text).toContain(
			'Ausgabe 12,50 EUR: „Putzmittel“\n20.11.2026\nKasse „Hauptkasse“\n19 % Steuer\n',
		);
		expect(mail.emails.at(-1)?.text).toContain('OHNE BELEG');
		// Without a seller, there is no suggestion.
		expect(await offered(oldLink)).toEqual(['Buchen', 'Verwerfen']);
		// The same entry again takes the place of the first.
		const second = await propose([ENTRY]);
		const link = await linkedForm(rig.client, arrivals, second.id);
		expect(entries()).toEqual([]);

		await answerForm(oldLink, BOOK);
		await rig.client.execution(first.id);
		expect(entries()).toEqual([]);
		await answerForm(link, BOOK);
		await rig.client.execution(second.id);
		expect(entries().map(({ fields }) => fields.betrag)).toEqual([12.5]);
		// The agents wait for the decision, and are told it.
		for (const { agent } of [first, second])
			expect((await rig.client.execution(agent)).status).toBe('success');
		expect(model.heard).toHaveLength(1);
	});
});

it('an approval’s link alone approves nothing: without the password, or opened by a mail scanner; a second click adds nothing', async () => {
	const { id, link } = await ask();
	const withoutPassword = { proxy: false as const, validateStatus: () => true };
	expect((await axios.get(link, withoutPassword)).status).toBe(401);
	expect((await answerForm(link, BOOK, null)).status).toBe(401);
	expect((await answerForm(link, BOOK, { ...APPROVER, password: 'guess' })).status).toBe(401);
	const auth = { username: APPROVER.user, password: APPROVER.password };
	const { data: form } = await axios.get(`${link}&approved=true&approve`, { ...withoutPassword, auth });
	expect(form).toContain('Türdichtung');
	expect(await offered(link)).toEqual(['Buchen', 'Buchen mit vorgeschlagenem Konto', 'Verwerfen']);
	expect(entries()).toEqual([]);

	expect((await answerForm(link, BOOK)).status).toBe(200);
	const { status, data } = await rig.client.execution(id);
	expect(status, JSON.stringify(data.resultData.error)).toBe('success');
	expect(entries()).toHaveLength(1);
	await answerForm(link, BOOK);
	await answerForm(link, formOf({ 'field-0': 'Verwerfen' }));
	expect(entries()).toHaveLength(1);
	expect(mail.emails.at(-1)?.text).toMatch(/^gebucht: /);
});
