/** What was written with a warning, such as a day after today: whoever reads the result of an example reads the warning, too. */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { type Given, fieldsOf, parametersOf } from '../support/exampleNode.mjs';

const WARNING = 'Datum liegt in der Zukunft: 31.12.2026.';
const warnings = [{ en: 'is after today', de: WARNING }];
const EMPLOYEE = { Personalnummer: '1001', Vorname: 'Anna', Nachname: 'Schmidt' };
const ofEmployee = { outputs: { 'Split into lines': [EMPLOYEE] }, from: 'Split into lines' };

it.each<[example: string, node: string, field: string, given: Given, said: string]>([
	[
		'receipt-form',
		'Booked',
		'text',
		{
			json: { betrag: -17.8, kassenname: 'Hauptkasse', belegnummer: 'K-1', warnings },
			outputs: { Settings: [{ Wofür: 'Blumen', photos: 2 }] },
		},
		`17,80 EUR aus „Hauptkasse“: „Blumen“. Nummer im Kassenbuch K-1, Fotos: 2. ${WARNING}`,
	],
	['employee-tickets', 'Result', 'line', { json: { id: 'x', warnings }, ...ofEmployee }, `1001 Anna Schmidt: ${WARNING}`],
	['employee-tickets', 'Result', 'line', { json: { id: 'x' }, ...ofEmployee }, '1001 Anna Schmidt'],
	['employee-tickets', 'Result', 'line', { json: { alreadyExisted: true, warnings }, ...ofEmployee }, '1001 Anna Schmidt'],
])('%s, %s says it', async (example, node, field, given, said) => {
	expect((await fieldsOf(example, node, given))[field]).toBe(said);
});

it('chase-form says it on its page', async () => {
	const of = async (json: IDataObject) =>
		((await parametersOf('chase-form', 'Received', { outputs: { Upload: [json] } })) as IDataObject).completionMessage;
	expect(await of({ warnings })).toBe(`Der Beleg ist angekommen. ${WARNING}`);
	expect(await of({ warnings: [{ de: 'Der Beleg <b>a.pdf war schon da.' }] })).not.toContain('<b>');
	expect(await of({})).toBe('Der Beleg ist angekommen. ');
});

it('approve-booking says it with the result', async () => {
	const outputs = { Table: [{ id: 't' }], 'As shown': [{ belegnummer: 'K-1' }] };
	const of = async (json: IDataObject) => {
		const { columns } = (await parametersOf('approve-booking', 'Note it', { json, outputs, from: 'As shown' })) as {
			columns: { value: IDataObject };
		};
		return columns.value.ergebnis;
	};
	expect(await of({ warnings })).toBe(WARNING);
	expect(await of({})).toBe('');
	const details = { outcome: 'refused', reason: { de: 'Warum.' }, advice: { de: 'Was zu tun ist.' } };
	expect(await of({ error: 'Why.', details })).toBe('Warum. Was zu tun ist.');
});
