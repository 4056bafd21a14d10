/** The example "A list to the cash book" as a whole. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { faultSchema } from '../../../sandbox/admin/faults.mjs';
import { WORKFLOWS } from '../../../scripts/start/examples.mjs';
import { useExamples } from '../../support/exampleRun.mjs';

const rig = useExamples();
const entries = () => rig.sandbox.store.list('entries') as Array<{ fields: IDataObject }>;
const HEAD = 'Datum;Vorgang;Text;Betrag;Steuersatz;Konto;Belegnummer';
const row = (text: string, amount = '12,50') => `20.11.2026;Ausgabe;${text};${amount};19;;`;

const send = async (content: string | Buffer, fileName = 'Liste.csv', settings: IDataObject = {}) =>
	await rig.run('list-to-cash-book', {
		from: 'Form',
		items: [{ json: {}, files: { Liste: { fileName, content } } }],
		change: { Settings: settings },
	});
const sendRows = async (...rows: string[]) => await send([HEAD, ...rows].join('\r\n'));
const sendSample = async (name: string) => await send(await readFile(join(WORKFLOWS, 'list-to-cash-book', name)), name);

it('a list as CSV is the same list as in Excel: nothing is booked twice, and the wrong row is told each time', async () => {
	await sendSample('Kassenliste.xlsx');
	expect(entries()).toHaveLength(5);
	// In Excel, a date cell is a number of days.
	expect(rig.emails[0].text).toMatch(/^Zeile „21\.11\.2026 Putzmittel 15\.44“/);
	const { error } = await sendSample('Kassenliste.csv');
	expect(error).toBeUndefined();
	expect(entries()).toHaveLength(5);
	expect(rig.emails.map(({ subject }) => subject)).toEqual(Array(2).fill('Kassenliste: bitte prüfen (1)'));
	expect(rig.emails[1].text).toMatch(
		/^Zeile „21\.11\.2026 Putzmittel 15,44“: Berichtigen Sie die genannten Felder.*Tax Rate \(%\) \(steuersatz\) "0,19"/,
	);
});

it('books one row, and says nothing', async () => {
	await sendRows(row('Blumen'));
	expect(entries()).toMatchObject([{ fields: { belegtext: 'Blumen', betrag: 12.5, bewegung: 'AUSGABE' } }]);
	expect(rig.emails).toEqual([]);
});

it('takes CSV as German Excel saves it, if the encoding says so; read otherwise, nothing unreadable is booked', async () => {
	const content = Buffer.from([HEAD, row('Brötchen')].join('\r\n'), 'latin1');
	await send(content);
	expect(entries()).toEqual([]);
	await send(content, 'Liste.csv', { zeichensatz: 'latin1' });
	expect(entries()).toMatchObject([{ fields: { belegtext: 'Brötchen' } }]);
});

it('books 500 rows, each once, also when the list is sent again with one more', async () => {
	const rows = Array.from({ length: 500 }, (_, i) => row(`Verkauf ${i}`));
	await sendRows(...rows);
	expect(entries()).toHaveLength(500);
	await sendRows(...rows, row('Nachtrag'));
	expect(entries()).toHaveLength(501);
	expect(rig.emails).toEqual([]);
}, 120_000);

it('tells of a list without rows, and fails for a file that is none, so that the form says so', async () => {
	await sendRows();
	expect(rig.emails).toMatchObject([{ text: expect.stringMatching(/^Zeile „ “: /) as string }]);
	const { error } = await send('PK\u0003\u0004 broken', 'Liste.xlsx');
	expect(error).toContain('Rows of Excel');
	expect(entries()).toEqual([]);
});

it('never calls a row of unknown outcome refused', async () => {
	rig.sandbox.faults.add(faultSchema.parse({ kind: 'drop', point: 'after-handler', operationId: 'createCashBookEntry' }));
	await sendRows(row('Vasen'));
	expect(rig.emails).toMatchObject([
		{ text: expect.stringMatching(/^Zeile „20\.11\.2026 Vasen 12,50“: Sehen Sie zuerst im Buchhaltungssystem nach/) as string },
	]);
	expect(rig.emails[0].text).not.toMatch(/nicht gebucht:/);
});

it('without mail server, fails after booking; sent again, nothing is booked twice, and it is told', async () => {
	rig.isMailDown = true;
	const { error } = await sendRows(row('Vasen'), row('Falsch', 'x'));
	expect(error).toContain('Send for review');
	expect(entries()).toHaveLength(1);
	rig.isMailDown = false;
	await sendRows(row('Vasen'), row('Falsch', 'x'));
	expect(entries()).toHaveLength(1);
	expect(rig.emails).toHaveLength(1);
});
