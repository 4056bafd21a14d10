/** The example "Approve before booking", on a real n8n: what may and what may not bring about that something is booked. */
import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Mail, startMail } from '../../../host/mailbox.mjs';
import { type Imported, storeApprover } from '../../../scripts/start/demo.mjs';
import {
	answerForm,
	APPROVER,
	arrivalsOf,
	formOf,
	itemsOf,
	linkedForm,
	runExample,
} from '../../../scripts/start/examples.mjs';
import { importMailing, rowsOf } from '../../support/mailingExamples.mjs';
import { PATIENCE_MS } from '../../support/patience.mjs';
import { Rig } from '../../support/rig.mjs';
import { ScriptedModel } from '../../support/scriptedModel.mjs';
import { nodeOf } from '../../support/workflows.mjs';

let rig: Rig;
let mail: Mail;
let example: Imported;
let model: ScriptedModel;

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	const isExample = (name: string) => name === 'approve-booking';
	const approver = { httpBasicAuth: await storeApprover(rig.client) };
	[example] = await importMailing(rig, mail, 'approve', isExample, approver);
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

/** Runs the workflow until it waits. */
async function ask(workflowId = example.workflowId) {
	const id = await rig.client.start(workflowId);
	return { id, link: await linkedForm(rig.client, arrivals, id) };
}

/** The workflow with other numbers and another amount in its sample, as somebody who proposes and corrects an entry. */
async function proposing(belegnummer: string, betrag: string): Promise<string> {
	const { data } = await rig.client.api.get(`workflows/${example.workflowId}`);
	const nodes = (data as Imported['workflow']).nodes.map((node) => {
		if (node.name !== 'Sample') return node;
		const { assignments } = node.parameters.assignments as {
			assignments: Array<{ name: string; value: string }>;
		};
		const changed = assignments.map((one) => {
			if (one.name === 'belegnummer')
				return { ...one, value: one.value.replace('FG-{{ $execution.id }}', belegnummer) };
			return one.name === 'betrag' ? { ...one, value: betrag } : one;
		});
		return { ...node, parameters: { ...node.parameters, assignments: { assignments: changed } } };
	});
	return await rig.client.importWorkflow({ ...data, name: `Propose ${belegnummer} ${betrag}`, nodes });
}

it('books what was shown, with its receipts, and says so', async () => {
	const { problems } = await runExample(rig.client, arrivals, example, example.expected!);
	expect(problems).toEqual([]);
});

it('shows the account that the journal suggests, with its share, and books without it; the protocol says who approved', async () => {
	const { id, link } = await ask();
	const suggestion = /Kontenvorschlag, wird nicht gebucht: Konto 4805.*, 100 % \(.*backtechnik, schreiber\)/;
	expect(mail.emails.at(-1)?.text).toMatch(suggestion);
	// The other entry's seller isn't in the journal.
	expect(mail.emails.at(-1)?.text.match(/Kontenvorschlag/g)).toHaveLength(1);
	const auth = { username: APPROVER.user, password: APPROVER.password };
	expect((await axios.get(link, { proxy: false, auth })).data).toMatch(suggestion);

	await answerForm(link, BOOK);
	const execution = await rig.client.execution(id);
	expect(execution.status, JSON.stringify(execution.data.resultData.error)).toBe('success');
	expect(entries().map(({ fields }) => [fields.betrag, fields.gegenkonto])).toEqual([
		[23.5, undefined],
		[8.9, undefined],
	]);
	const shown = itemsOf(execution, 'What is shown') as Array<Record<string, string>>;
	const protocol = await rowsOf<IDataObject>(rig, 'Protokoll', { ausfuehrung: id });
	expect(protocol).toEqual(
		shown.map(({ belegnummer, satz, pruefsumme }) =>
			expect.objectContaining({
				workflow: 'Approve before booking',
				vorgang: `Kassenbuchung gebucht: ${belegnummer}, ${satz}`,
				pruefsumme,
				freigabe: expect.stringMatching(/^Petra Sonnenschein, 20/),
				siegel: expect.stringMatching(/^[0-9a-f]{64}$/),
			}),
		),
	);
});

it('asks without a suggestion when the journal can’t be read', async () => {
	rig.sandbox.faults.add({ operationId: 'listJournalBookings', kind: 'status', status: 403, times: null });
	const { id, link } = await ask();
	expect(mail.emails.at(-1)?.text).toContain('Blumen für den Laden');
	expect(mail.emails.at(-1)?.text).not.toContain('Kontenvorschlag');
	await answerForm(link, formOf({ 'field-0': 'Verwerfen' }));
	// What runs isn't in n8n's list, and would look like a new one afterwards.
	await rig.client.execution(id);
});

describe('an AI agent that has it as its tool', () => {
	const ENTRY = {
		kassenname: 'Hauptkasse',
		bewegung: 'AUSGABE',
		betrag: '12.50',
		steuersatz: '19',
		transaktionsdatum: '2026-11-20',
		belegtext: 'Putzmittel',
	};

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
		expect(mail.emails.slice(asked)).toMatchObject([{ subject: 'Bitte freigeben: 1 Buchung' }]);
		expect(mail.emails.at(-1)?.text).toContain('Ausgabe 12,50 EUR, Hauptkasse, 20.11.2026: Putzmittel');
		expect(mail.emails.at(-1)?.text).toContain('ohne Beleg');
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

	it('is told what is wrong with an entry, and nobody is asked', async () => {
		const asked = mail.emails.length;
		const { agent } = await propose([{ ...ENTRY, betrag: '1.234' }]);
		expect((await rig.client.execution(agent)).status).toBe('success');
		expect(model.heard[0]).toContain('is ambiguous');
		expect(mail.emails).toHaveLength(asked);
		expect(entries()).toEqual([]);
	});
});

it('the link alone approves nothing: without the password, or opened by a mail scanner; a second click adds nothing', async () => {
	const { id, link } = await ask();
	const withoutPassword = { proxy: false as const, validateStatus: () => true };
	expect((await axios.get(link, withoutPassword)).status).toBe(401);
	expect((await answerForm(link, BOOK, null)).status).toBe(401);
	expect((await answerForm(link, BOOK, { ...APPROVER, password: 'guess' })).status).toBe(401);
	const auth = { username: APPROVER.user, password: APPROVER.password };
	const { data: form } = await axios.get(`${link}&approved=true&approve`, { ...withoutPassword, auth });
	expect(form).toContain('Blumen für den Laden');
	expect(entries()).toEqual([]);

	expect((await answerForm(link, BOOK)).status).toBe(200);
	const { status, data } = await rig.client.execution(id);
	expect(status, JSON.stringify(data.resultData.error)).toBe('success');
	expect(entries()).toHaveLength(2);
	await answerForm(link, BOOK);
	await answerForm(link, formOf({ 'field-0': 'Verwerfen' }));
	expect(entries()).toHaveLength(2);
	expect(mail.emails.at(-1)).toMatchObject({ subject: 'Gebucht' });
});

it('what was dropped isn’t booked', async () => {
	const { id, link } = await ask();
	await answerForm(link, formOf({ 'field-0': 'Verwerfen', 'field-1': 'privat' }));
	const execution = await rig.client.execution(id);
	expect(entries()).toEqual([]);
	expect(itemsOf(execution, 'Drop')).toMatchObject([
		{ status: 'verworfen', entschiedenVon: 'Petra Sonnenschein', bemerkung: 'privat' },
		{ status: 'verworfen' },
	]);
	expect(mail.emails.at(-1)).toMatchObject({ subject: 'Nicht gebucht' });
});

it('an e-mail from before a correction approves nothing; the corrected entry is booked once', async () => {
	const old = await ask(await proposing('KORR-1', '23,50'));
	const corrected = await ask(await proposing('KORR-1', '32,50'));
	await answerForm(old.link, BOOK);
	await rig.client.execution(old.id);
	expect(entries()).toEqual([]);
	expect(mail.emails.at(-1)?.text).toContain('schon korrigiert, entschieden');

	await answerForm(corrected.link, BOOK);
	const execution = await rig.client.execution(corrected.id);
	expect(entries().map(({ fields }) => fields.betrag)).toEqual([32.5, 32.5]);
	expect(itemsOf(execution, 'Note it')).toMatchObject([{ status: 'gebucht' }, { status: 'gebucht' }]);
});

it('a row that was changed after it was shown isn’t booked', async () => {
	const { id, link } = await ask();
	const [table] = (await rig.client.api.get('data-tables', { params: { limit: 100 } })).data.data.filter(
		({ name }: { name: string }) => name === 'Freigaben',
	);
	await rig.client.api.patch(`data-tables/${table.id}/rows/update`, {
		filter: { type: 'and', filters: [{ columnName: 'anfrage', condition: 'eq', value: id }] },
		data: { pruefsumme: 'another' },
	});
	await answerForm(link, BOOK);
	await rig.client.execution(id);
	expect(entries()).toEqual([]);
	expect(mail.emails.at(-1)?.text).toContain('nicht mehr so, wie sie gezeigt wurden');
});

it('a refusal is told, with the reason', async () => {
	const { id, link } = await ask(await proposing('FEST-1', '1,00'));
	await answerForm(link, BOOK);
	await rig.client.execution(id);
	const again = await ask(await proposing('FEST-1', '2,00'));
	await answerForm(again.link, BOOK);
	const execution = await rig.client.execution(again.id);
	expect(entries()).toHaveLength(2);
	expect(itemsOf(execution, 'Note it')).toMatchObject([
		{ status: 'nicht gebucht' },
		{ status: 'nicht gebucht' },
	]);
	expect(mail.emails.at(-1)).toMatchObject({ subject: 'Nicht alles ist gebucht' });
	expect(mail.emails.at(-1)?.text).toContain('FEST-1-1');
});
