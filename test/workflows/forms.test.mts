/** The last pages of the examples' forms, which people see on a phone. */
import type { IDataObject, INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readExamples } from '../../scripts/start/examples.mjs';
import { parametersOf } from '../support/exampleNode.mjs';

const examples = await readExamples();
const isEnding = ({ type, parameters }: INode) =>
	type === 'n8n-nodes-base.form' && parameters.operation === 'completion';
const ENDINGS = examples.flatMap(({ name, workflow }) =>
	workflow.nodes.filter(isEnding).map((node): [string, string, INode] => [name, node.name, node]),
);

it.each(ENDINGS)('%s: the page %s fits a phone', (_, _name, { parameters }) => {
	expect(parameters.options).toMatchObject({ customCss: expect.stringContaining('calc(100vw') as string });
});

/** n8n replaces the form by its last page, so the browser's "Back" leads elsewhere, or nowhere. */
it.each(ENDINGS)('%s: the page %s doesn’t ask to go back', (_, _name, { parameters }) => {
	expect(parameters.completionMessage).not.toMatch(/zurück/i);
});

/** What somebody typed, with what has a meaning in an address or in HTML. */
const RECEIPT = {
	'Betrag (EUR)': 'viel"><b>',
	Datum: '2026-11-20',
	Kasse: 'Kasse Filiale Süd',
	Steuersatz: '7 %',
	Wofür: 'Blumen & Töpfe=2?',
	Belegnummer: '',
	submittedAt: '2026-11-23T09:00:00.000+01:00',
};
const CHASED = {
	zahlung: 'e9d0f4ac-9b71-4ec6-afa9-e904041131a6',
	'Betrag (EUR)': 'viel"><b>',
	'Datum auf dem Beleg': '2026-10-22',
	Verkäufer: 'Keller & Söhne',
	Rechnungsnummer: '70004/260057',
};
const BY_HAND = { Belegdatum: '2026-11-20', Belegtyp: 'Rechnungseingang', Notiz: '88-12 Mühle "Korntal" & Co' };

async function messageOf(example: string, node: string, typed: IDataObject, outcome = 'invalid') {
	const json = { ...typed, belegnummer: 'K-1', error: 'No.', details: { outcome, problems: [] } };
	const given = { json, outputs: { Form: [typed] } };
	const { completionMessage } = (await parametersOf(example, node, given)) as { completionMessage: string };
	return completionMessage;
}

describe.each([
	['receipt-form', 'Not booked', 'beleg', RECEIPT],
	['receipt-form', 'Was there already', 'beleg', RECEIPT],
	['chase-form', 'Not taken', 'beleg-nachreichen', CHASED],
	['e-invoices-rewe', 'Not uploaded', 'beleg-an-rewe', BY_HAND],
])('%s: the link of the page %s', (example, node, path, typed) => {
	async function addressOf(): Promise<URL> {
		const [, href] = /<a href="([^"]*)">/.exec(await messageOf(example, node, typed))!;
		return new URL(href, 'https://n8n.example/sub/form-waiting/66?signature=d268');
	}

	it('opens the form, wherever n8n is', async () => {
		const { origin, pathname } = await addressOf();
		expect(origin + pathname).toBe(`https://n8n.example/sub/form/${path}`);
	});

	it('fills in what was typed, and only fields that the form has', async () => {
		const filledIn = Object.fromEntries((await addressOf()).searchParams);
		expect(typed).toMatchObject(filledIn);
		const { nodes } = examples.find(({ name }) => name === example)!.workflow;
		const { formFields } = nodes.find(({ name }) => name === 'Form')!.parameters as {
			formFields: { values: Array<{ fieldType: string; fieldLabel?: string; fieldName?: string }> };
		};
		const fields = formFields.values
			.filter(({ fieldType }) => fieldType !== 'file')
			.map(({ fieldLabel, fieldName }) => fieldLabel ?? fieldName);
		expect(Object.keys(filledIn)).toEqual(fields);
	});
});

it('e-invoices by hand: no link where nothing should be sent again', async () => {
	expect(await messageOf('e-invoices-rewe', 'Not uploaded', BY_HAND, 'unknown')).not.toContain('<a ');
});
