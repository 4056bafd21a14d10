/** What docs/de/kassenbuch.md and docs/examples.md tell a person to build: a form whose entries are approved before they are booked. */
import { readFile } from 'node:fs/promises';
import type { IDataObject } from 'n8n-workflow';
import mapValues from 'lodash/mapValues.js';
import omit from 'lodash/omit.js';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { WorkflowFile } from '../../../host/client.mjs';
import { type Mail, startMail } from '../../../host/mailbox.mjs';
import type { Imported } from '../../../tools/demo.mjs';
import { answerForm, arrivalsOf, formOf, linkedForm, submitForm } from '../../../tools/examples.mjs';
import { PATIENCE_MS } from '../../../tools/waiting.mjs';
import { nodeOf } from '../../../tools/workflows.mjs';
import { importMailing } from '../../support/mailingExamples.mjs';
import { Rig } from '../../support/rig.mjs';

/** What a page says: the values of the fields of *Approve before booking*, and what the form's last page says. */
async function recipeOf(page: string) {
	const text = await readFile(page, 'utf8');
	const rows = text.matchAll(/^\| `([a-z]+)` \| (?:`(.+?)`)?[^|]*\|$/gm);
	const said = /`titel`[^„"]*[„"](.+?)[“"][^`]*`text`[^„"]*[„"]([^“"]+)[“"]/.exec(text)!;
	return {
		fields: Object.fromEntries([...rows].map(([, field, value = '']) => [field, value])),
		// The lines of a page break anywhere.
		last: { titel: said[1], text: said[2].replace(/\s+/g, ' ') },
	};
}
type Recipe = Awaited<ReturnType<typeof recipeOf>>;

let rig: Rig;
let mail: Mail;
let approval: Imported;
let form: WorkflowFile;
let formId: string;
let recipe: Recipe;

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	const wanted = ['approve-booking', 'receipt-form'];
	const imported = await importMailing(rig, mail, 'form approval', (name) => wanted.includes(name), true);
	const idOf = (wanted: string) => imported.find(({ name }) => name === wanted)!;
	approval = idOf('approve-booking');
	await rig.client.publish(approval.workflowId);
	recipe = await recipeOf('docs/de/kassenbuch.md');
	form = withApproval(await rig.client.workflow(idOf('receipt-form').workflowId), recipe);
	formId = await rig.client.importWorkflow(form);
	await rig.client.publish(formId);
});
afterAll(async () => {
	if (formId) await rig.client.deactivate(formId);
	await rig?.stop();
	await mail?.stop();
});

/** The example *Receipt from a form* after a person has followed the recipe. */
function withApproval(example: WorkflowFile, { fields, last }: Recipe): WorkflowFile {
	const nodeNamed = (wanted: string) => example.nodes.find(({ name }) => name === wanted)!;
	const book = nodeNamed('Book the receipt');
	const propose = nodeOf(
		'Propose',
		'n8n-nodes-base.executeWorkflow',
		{
			workflowId: { __rl: true, mode: 'list', value: approval.workflowId },
			workflowInputs: {
				mappingMode: 'defineBelow',
				value: mapValues(fields, (value) => (value.startsWith('{{') ? `=${value}` : value)),
				matchingColumns: [],
				schema: Object.keys(fields).map((id) => ({ id, displayName: id, type: 'string', display: true })),
				attemptToConvertTypes: false,
				convertFieldsToString: true,
			},
			options: { waitForSubWorkflow: false },
		},
		{ typeVersion: 1.2, position: book.position },
	);
	const { assignments } = nodeNamed('Booked').parameters.assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	for (const one of assignments)
		if (one.name in last) Object.assign(one, { value: `=${last[one.name as keyof typeof last]}` });
	// Other tests use the example's own form in the same n8n.
	Object.assign(nodeNamed('Form').parameters.options as IDataObject, { path: 'submitted' });
	const [, isIncomplete] = example.connections['Photo and amount?'].main;
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	return {
		name: 'Receipt from a form, approved',
		nodes: [...example.nodes.filter((node) => node !== book), propose].map((node) => ({
			...node,
			...(node.webhookId && { webhookId: `submitted-${node.webhookId}` }),
		})),
		connections: {
			...omit(example.connections, book.name),
			'Photo and amount?': { main: [to(propose.name), isIncomplete] },
			[propose.name]: { main: [to('Booked')] },
		},
		settings: example.settings,
	};
}

const entries = () =>
	rig.sandbox.store.list('entries') as Array<{ fields: IDataObject; belegbilder: IDataObject[] }>;

it('says the same in both languages', async () => {
	expect(await recipeOf('docs/examples.md')).toEqual(recipe);
});

/** Submits a purchase. @returns the page, and the execution that asks for its approval */
async function submit(amount: string, number = '') {
	const before = await rig.client.executionIds(approval.workflowId);
	const typed = [amount, '2026-11-20', 'Hauptkasse', '7 %', 'Blumen', number];
	const data = formOf(Object.fromEntries(typed.map((value, i) => [`field-${i + 1}`, value])));
	data.append('field-0', new Blob(['a photo'], { type: 'image/jpeg' }), 'bon.jpg');
	const page = await submitForm(rig.client, form, data);
	const [id] = await rig.client.startedSince(approval.workflowId, before, PATIENCE_MS);
	return { page, id, link: await linkedForm(rig.client, arrivalsOf(rig.sandbox.store, mail), id) };
}
async function approve({ id, link }: { id: string; link: string }) {
	await answerForm(link, formOf({ 'field-0': 'Buchen', 'field-1': '' }));
	expect((await rig.client.execution(id)).status).toBe('success');
}
const NUMBER = /F-[0-9a-f]{32}/;

it('a form that corrects another one, with the number that the page gave, replaces it: one is booked', async () => {
	rig.sandbox.store.reset();
	const first = await submit('12,50');
	const [number] = NUMBER.exec(first.page)!;
	const corrected = await submit('21,50', number);
	await approve(first);
	expect(entries()).toEqual([]);
	await approve(corrected);
	expect(entries().map(({ fields }) => [fields.belegnummer, fields.betrag])).toEqual([[number, 21.5]]);
});

it('the employee’s page doesn’t wait; what is approved later is booked with its photo', async () => {
	rig.sandbox.store.reset();
	const { page, ...asked } = await submit('1.217,80');
	const [before, after] = recipe.last.text.split(/\{\{.*\}\}/);
	for (const part of [recipe.last.titel, before, after]) expect(page).toContain(part);
	expect(entries()).toEqual([]);
	await approve(asked);
	expect(entries()).toMatchObject([
		{
			fields: {
				kassenname: 'Hauptkasse',
				bewegung: 'AUSGABE',
				betrag: 1217.8,
				steuersatz: 7,
				belegtext: 'Blumen',
				belegnummer: expect.stringMatching(/^F-[0-9a-f]{32}$/) as string,
			},
			belegbilder: [{ dateiname: 'bon.jpg' }],
		},
	]);
});
