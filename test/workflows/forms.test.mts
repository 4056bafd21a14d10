/** The last pages of the examples' forms, which people see on a phone. */
import type { IDataObject, INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readExamples } from '../../demo/examples.mjs';
import { fieldsOf, parametersOf } from '../support/exampleNode.mjs';

const examples = await readExamples();
const isEnding = ({ type, parameters }: INode) =>
	type === 'n8n-nodes-base.form' && parameters.operation === 'completion';
const ENDINGS = examples.flatMap(({ name, workflow }) =>
	workflow.nodes.filter(isEnding).map((node): [string, string, INode] => [name, node.name, node]),
);

it.each(ENDINGS)('%s: the page %s fits a phone, waits for an hour at most, and doesn’t ask to go back', (_, _name, { parameters }) => {
	expect(parameters.options).toMatchObject({ customCss: expect.stringContaining('calc(100vw') as string });
	// Until the page is seen, n8n keeps the execution with its files, and never prunes it.
	expect(parameters).toMatchObject({ limitWaitTime: true, resumeAmount: 1, resumeUnit: 'hours' });
	// n8n replaces the form by its last page, so the browser's "Back" leads elsewhere, or nowhere.
	expect(parameters.completionMessage).not.toMatch(/zurück/i);
});

const ANSWERING = examples.flatMap(({ name, workflow }) =>
	workflow.nodes
		.filter(({ type, parameters }) => type === 'n8n-nodes-base.formTrigger' && (parameters.options as IDataObject).respondWithOptions)
		.map(({ parameters }): [string, INode['parameters']] => [name, parameters]),
);

it.each(ANSWERING)('%s: the form’s answer stands without n8n’s English heading, which would contradict it or mean nothing', (_, { options }) => {
	expect(options).toMatchObject({ customCss: expect.stringContaining('#submitted-header { display: none; }') as string });
});

/** What somebody typed, with what has a meaning in an address or in HTML. */
const RECEIPT = {
	'Betrag (EUR)': 'viel"><b>',
	Datum: '2026-11-20',
	Kasse: 'Kasse Filiale Süd',
	Steuersatz: '7 %',
	Wofür: 'Blumen & Töpfe=2?',
	'Nummer im Kassenbuch': '',
	submittedAt: '2026-11-23T09:00:00.000+01:00',
};

const formOf = async (typed: IDataObject) =>
	(await fieldsOf('receipt-form', 'Settings', { json: typed, outputs: { Form: [typed] } })).form as string;

describe('receipt-form: the link that fills in the form again', () => {
	const addressOf = async () =>
		new URL(await formOf(RECEIPT), 'https://n8n.example/sub/form-waiting/66?signature=d268');

	it('opens the form, wherever n8n is', async () => {
		const { origin, pathname } = await addressOf();
		expect(origin + pathname).toBe('https://n8n.example/sub/form/beleg');
	});

	it('fills in what was typed, and only fields that the form has', async () => {
		const filledIn = Object.fromEntries((await addressOf()).searchParams);
		expect(RECEIPT).toMatchObject(filledIn);
		const { nodes } = examples.find(({ name }) => name === 'receipt-form')!.workflow;
		const { formFields } = nodes.find(({ name }) => name === 'Form')!.parameters as {
			formFields: { values: Array<{ fieldType: string; fieldLabel?: string; fieldName?: string }> };
		};
		const fields = formFields.values
			.filter(({ fieldType }) => fieldType !== 'file')
			.map(({ fieldLabel, fieldName }) => fieldLabel ?? fieldName);
		// What was left empty stays empty.
		expect(Object.keys(filledIn)).toEqual(fields.filter((field) => (RECEIPT as IDataObject)[field!] !== ''));
	});
});

it('no form begins a workflow for anyone who finds its address', () => {
	for (const { name, workflow } of examples) {
		const form = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
		if (!form || form.parameters.authentication === 'basicAuth') continue;
		// A seal is checked first, and what has none ends there: a page would wait, with the file that was sent.
		const next = (node: string) =>
			workflow.nodes.find((one) => one.name === workflow.connections[node].main[0]?.[0].node)!;
		expect(workflow.connections[form.name].main[0], name).toHaveLength(1);
		const seal = next(next(form.name).name);
		expect(seal.parameters.action, name).toBe('hmac');
		expect(workflow.connections[next(seal.name).name].main, name).toHaveLength(1);
	}
});

describe('receipt-form: the number of a purchase', () => {
	const numberOf = async (changes: IDataObject = {}, files = { Fotos_0: 'a.jpg' } as Record<string, string>) => {
		const json = { ...RECEIPT, 'Betrag (EUR)': '1234,50', ...changes };
		return (await fieldsOf('receipt-form', 'Settings', { json, files, outputs: { Form: [json] } })).number;
	};

	it('is the same however it is typed, and whatever its photos are', async () => {
		const first = await numberOf();
		expect(first).toMatch(/^F-[0-9a-f]{32}$/);
		for (const amount of ['1234,5', '1.234,50', '1234.50', '1 234,50 €', "1'234.50", '01234,50'])
			expect(await numberOf({ 'Betrag (EUR)': amount }), amount).toBe(first);
		expect(await numberOf({ Wofür: ` ${RECEIPT.Wofür.toUpperCase()} ` })).toBe(first);
		expect(await numberOf({}, { Fotos_0: 'better.jpg', Fotos_1: 'second.jpg' })).toBe(first);
	});

	it('is another one for another amount, day, cash book, rate or text', async () => {
		const amounts = Array.from({ length: 200 }, (_, cents) => `${Math.floor(cents / 7)},${String(cents % 100).padStart(2, '0')}`);
		const numbers = [await numberOf()];
		for (const amount of new Set(amounts)) numbers.push(await numberOf({ 'Betrag (EUR)': amount }));
		for (const change of [{ Datum: '2026-11-19' }, { Kasse: 'Hauptkasse' }, { Steuersatz: '19 %' }, { Wofür: 'Vasen' }])
			numbers.push(await numberOf(change));
		expect(new Set(numbers).size).toBe(numbers.length);
	});

	it('is the one that was typed', async () => {
		expect(await numberOf({ 'Nummer im Kassenbuch': 'K-2026-0042' })).toBe('K-2026-0042');
		// The second tax rate of a receipt, typed with the same number, must not end as "already booked, nothing to do".
		const outputs = { Settings: [{ form: '../form/beleg', contact: 'Frau Sommer' }] };
		const { text, link } = await fieldsOf('receipt-form', 'Was there already', { json: { belegnummer: 'K-2026-0042' }, outputs });
		expect(text).toMatch(/K-2026-0042.* War es dieser, /);
		expect(link).toMatch(/ein anderer Steuersatz.*„Nummer im Kassenbuch“ leer/);
	});
});

it('receipt-form: the page of a booked receipt leads to an empty form for the next one', async () => {
	const outputs = { Settings: [RECEIPT], Form: [RECEIPT] };
	const { titel, text, link } = await fieldsOf('receipt-form', 'Booked', { json: { betrag: -17.8, kassenname: 'Hauptkasse' }, outputs });
	expect([titel, text]).toEqual(['Gebucht', expect.stringMatching(/^17,80 EUR aus „Hauptkasse“/)]);
	const [, href] = /<a href="([^"]+)">Nächster Beleg<\/a>/.exec(link as string)!;
	expect(new URL(href, 'https://n8n.example/sub/form-waiting/66?signature=d268').href).toBe('https://n8n.example/sub/form/beleg');
});

it('receipt-form: the page shows what was typed as text', async () => {
	const json = { titel: 'Gebucht', text: '<img src="x"> & <b>Co</b>', link: '\n\n<a href="../form/beleg">Noch einmal</a>' };
	const { completionMessage } = (await parametersOf('receipt-form', 'Page', { json })) as { completionMessage: string };
	expect(completionMessage).toBe(`&#60;img src="x"> & &#60;b>Co&#60;/b>${json.link}`);
});
