/** The example "Approve before booking", on a real n8n: what may and what may not bring about that something is booked. */
import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

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
import { importMailing } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';

let rig: Rig;
let mail: Mail;
let example: Imported;

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	const isExample = (name: string) => name === 'approve-booking';
	const approver = { httpBasicAuth: await storeApprover(rig.client) };
	[example] = await importMailing(rig, mail, 'approve', isExample, approver);
});
beforeEach(() => rig.sandbox.store.reset());
afterAll(async () => {
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
	expect((await rig.client.execution(id)).status).toBe('success');
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
