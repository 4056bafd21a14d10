/** The example "Receipt from a form, approved" as a whole. The old page, and a browser: test/e2e/shared/formApproval.e2e.mts. */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { parametersOf } from '../../support/exampleNode.mjs';
import { useExamples } from '../../support/exampleRun.mjs';

const rig = useExamples();
const EXAMPLE = 'submit-receipt';
const FORM = { 'Betrag (EUR)': '12,50', Datum: '2026-11-20', Kasse: 'Hauptkasse', Steuersatz: '19 %', Wofür: 'Putzmittel', 'Ihr Name': 'Anna Schmidt', nummer: '' };
const PHOTO = { Fotos_0: { fileName: 'bon.jpg', content: 'photo' } };
const rows = () => rig.tables.rows('Eingereichte Belege');

/** What an employee sends; the last page isn't waited for. */
async function submit(changes: IDataObject = {}, files: typeof PHOTO | null = PHOTO) {
	rig.called = [];
	const ran = await rig.run(EXAMPLE, { from: 'Form', items: [{ json: { ...FORM, ...changes }, ...(files && { files }) }], pinned: { Page: [{}] } });
	expect(ran.error).toBeUndefined();
	return ran;
}
/** The execution that asks the approver. */
async function ask(changes?: IDataObject, files?: null) {
	await submit(changes, files);
	const asked = await rig.run(EXAMPLE, { from: 'When called', given: rig.called, pinned: { 'Close the old page': [{}] } });
	expect(asked.error).toBeUndefined();
	return asked;
}
const page = async (outputs: Record<string, IDataObject[]>, json: IDataObject = {}) =>
	(await parametersOf(EXAMPLE, 'Page', { json, outputs })) as { completionTitle: string; completionMessage: string };

it('an employee’s receipt is booked with its photo once it is approved, and everybody reads who sent it', async () => {
	const asked = await ask();
	expect(rig.entries()).toEqual([]);
	expect(rig.emails).toMatchObject([{ subject: 'Bitte freigeben: Ausgabe 12,50 EUR: „Putzmittel“', attachments: [{ dateiname: 'bon.jpg' }] }]);
	expect(rig.emails[0].text).toMatch(/^Ausgabe 12,50 EUR: „Putzmittel“\n20\.11\.2026\nKasse „Hauptkasse“\n19 % Steuer\nBelege: 1\nNummer im Kassenbuch F-[0-9a-f]{32}\nEingereicht von: Anna Schmidt\n/);
	expect(rows()).toMatchObject([{ status: 'offen', antragsteller: 'Anna Schmidt' }]);
	const { error } = await rig.answer(asked, { Entscheidung: 'Buchen', Bemerkung: 'geprüft' });
	expect(error).toBeUndefined();
	expect(rig.entries()).toMatchObject([{ fields: { betrag: 12.5, steuersatz: 19, belegtext: 'Putzmittel' }, belegbilder: [{ dateiname: 'bon.jpg' }] }]);
	expect(rows()).toMatchObject([{ status: 'gebucht', entschiedenVon: 'Petra Sonnenschein', bemerkung: 'geprüft' }]);
	expect(rig.emails[1].subject).toBe('Ergebnis Ihrer Freigabe: gebucht, Ausgabe 12,50 EUR: „Putzmittel“');
	expect(rig.emails[1].text).toMatch(/^gebucht: [^]*Eingereicht von: Anna Schmidt\nBemerkung: geprüft\s*$/);
});

it('a photo that was empty stands out', async () => {
	await ask({}, null);
	expect(rig.emails[0].text).toContain('\nOHNE BELEG\n');
	expect(rig.emails[0].html).toContain('<b style="color: #b3261e">OHNE BELEG</b>');
});

it('a corrected receipt replaces the open request, says which, and the old one ends without a word', async () => {
	const old = await ask();
	const [{ belegnummer }] = rows();
	const corrected = await ask({ 'Betrag (EUR)': '21,50', nummer: String(belegnummer) });
	expect(corrected.ran('Close the old page')).toBe(true);
	expect(rig.emails[1].text).toMatch(/\nErsetzt den Antrag vom \d\d\.\d\d\.\d{4} \d\d:\d\d: Ausgabe 12,50 EUR: „Putzmittel“ · /);
	expect(rig.emails[0].text).not.toContain('Ersetzt');
	// What "Close the old page" sends.
	expect((await rig.answer(old, { Entscheidung: 'Ersetzt' })).ran('Tell')).toBe(false);
	await rig.answer(corrected, { Entscheidung: 'Buchen' });
	expect(rig.entries().map(({ fields }) => [fields.belegnummer, fields.betrag])).toEqual([[belegnummer, 21.5]]);
	expect(rows().map(({ status }) => status)).toEqual(['gebucht']);
});

it('if the old page couldn’t be closed, its approval books nothing', async () => {
	const old = await ask();
	await ask({ 'Betrag (EUR)': '21,50', nummer: String(rows()[0].belegnummer) });
	await rig.answer(old, { Entscheidung: 'Buchen' });
	expect(rig.entries()).toEqual([]);
	expect(rig.emails.at(-1)?.text).toMatch(/^nicht gebucht: Ausgabe 12,50 EUR[^]*Der Antrag wurde inzwischen ersetzt oder entschieden\.\n/);
});

it.each([
	[{ Entscheidung: 'Verwerfen', Bemerkung: 'privat' }, 'verworfen', 'Petra Sonnenschein'],
	// What the form doesn't offer approves nothing.
	[{ Entscheidung: 'Freigeben' }, 'abgelaufen', ''],
	[{}, 'abgelaufen', ''],
])('books nothing after %j', async (said, status, entschiedenVon) => {
	const asked = await ask();
	await rig.answer(asked, said);
	await rig.answer(asked, { Entscheidung: 'Buchen' });
	expect(rig.entries()).toEqual([]);
	expect(rows().at(-1)).toMatchObject({ status: expect.stringMatching(`^(?:${status}|nicht gebucht)$`) });
	expect(rig.emails[1].text).toMatch(new RegExp(`^${status}: Ausgabe 12,50 EUR`));
	expect(entschiedenVon).toBe(rows()[0].entschiedenVon ?? '');
});

it('of a request that the gateway refuses, says why and what to do', async () => {
	const asked = await ask();
	rig.sandbox.faults.add({ operationId: 'createCashBookEntry', kind: 'status', status: 422, times: 1 });
	await rig.answer(asked, { Entscheidung: 'Buchen' });
	expect(rows()).toMatchObject([{ status: 'nicht gebucht' }]);
	expect(rig.emails.at(-1)?.text).toMatch(/Das Gateway hat einen Wert abgelehnt .* ob ein Teil davon schon da ist/);
});

it('tells the employee at once what can’t be booked, and asks nobody', async () => {
	const ran = await submit({ 'Betrag (EUR)': '1.234' });
	expect(ran.ran('Propose')).toBe(false);
	const { completionTitle, completionMessage } = await page({ Form: [{ ...FORM, 'Betrag (EUR)': '1.234' }], Look: [{}] }, ran.items('Look', 1)[0]);
	expect(completionTitle).toBe('Nicht eingereicht');
	expect(completionMessage).toMatch(/^Betrag „1\.234“/);
});

it('the last page leads to the form with what was typed and its number, to be corrected', async () => {
	const ran = await submit({ Wofür: 'Blumen & <b>Vasen</b>' });
	const [look] = ran.items('Look');
	const { completionTitle, completionMessage } = await page({ Form: [{ ...FORM, Wofür: 'Blumen & <b>Vasen</b>', Fotos: 'x' }], Look: [look] }, {});
	expect(completionTitle).toBe('Eingereicht');
	expect(completionMessage).toMatch(/^Ausgabe 12,50 EUR: .*Gebucht wird nach der Freigabe\.\n/);
	expect(completionMessage).not.toContain('<b>');
	const [, href] = /<a href="([^"]+)">Angaben berichtigen/.exec(completionMessage)!;
	const { pathname, searchParams } = new URL(href, 'https://n8n.example/sub/form-waiting/66?signature=d268');
	expect(pathname).toBe('/sub/form/beleg-einreichen');
	expect(Object.fromEntries(searchParams)).toEqual({ ...FORM, Wofür: 'Blumen & <b>Vasen</b>', nummer: (look.body as IDataObject).belegnummer });
});
