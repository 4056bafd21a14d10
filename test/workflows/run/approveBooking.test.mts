/** The example "Approve before booking" as a whole. Who may open its form: test/e2e/shared/approve.e2e.mts. */
import { DateTime } from 'luxon';
import { expect, it } from 'vitest';

import { MANY } from '../../../scripts/base/extent.mjs';
import { parametersOf } from '../../support/exampleNode.mjs';
import { type Item, useExamples } from '../../support/exampleRun.mjs';

const rig = useExamples();
let count = 0;
const proposal = (changes = {}, files?: Item['files']): Item => ({
	json: {
		kassenname: 'Hauptkasse',
		bewegung: 'AUSGABE',
		betrag: '12,50',
		steuersatz: '19',
		transaktionsdatum: '2026-11-20',
		belegnummer: `A-${++count}`,
		belegtext: 'Ersatzteile',
		verkaeufer: 'Backtechnik Schreiber e. K.',
		antragsteller: 'Anna Schmidt',
		...changes,
	},
	files,
});
const ask = async (...items: Item[]) => await rig.run('approve-booking', { from: 'When called', items });
const rows = () => rig.tables.rows('Freigaben');
const BOOK = { Entscheidung: 'Buchen', Bemerkung: 'geprüft' };

const SUGGESTED =
	/\nVorschlag: Konto 4805, BU-Schlüssel 9\n\d+ von \d+ Buchungen zu „70006 Backtechnik Schreiber e\. K\.“ hatten Konto 4805 mit BU-Schlüssel 9\n/;

it('shows entry, receipt and suggested account, and books only what was approved, without the account', async () => {
	const asked = await ask(proposal({}, { data: { fileName: 'Bon.jpg', content: 'photo' } }));
	expect(asked.error).toBeUndefined();
	expect(rig.entries()).toEqual([]);
	expect(rig.emails).toMatchObject([{ attachments: [{ dateiname: 'Bon.jpg' }] }]);
	const { subject, text } = rig.emails[0];
	expect(subject).toBe('Bitte freigeben: Ausgabe 12,50 EUR: „Ersatzteile“');
	expect(text).toMatch(
		/^Ausgaben: 1, zusammen 12,50 EUR\n\nAusgabe 12,50 EUR: „Ersatzteile“\n20\.11\.2026\nKasse „Hauptkasse“\n19 % Steuer\nBelege: 1\nNummer im Kassenbuch A-\d+\nVorschlag/,
	);
	expect(text).toMatch(SUGGESTED);
	expect(text).toMatch(/\nAntrag von: Anna Schmidt\n\n/);
	expect(rows()).toMatchObject([{ antragsteller: 'Anna Schmidt' }]);
	const { error } = await rig.answer(asked, BOOK);
	expect(error).toBeUndefined();
	expect(rig.entries()).toMatchObject([{ fields: { betrag: 12.5 }, belegbilder: [{ dateiname: 'Bon.jpg' }] }]);
	expect(rig.entries()[0].fields).not.toHaveProperty('gegenkonto');
	expect(rows()).toMatchObject([{ status: 'gebucht', entschiedenVon: 'Petra Sonnenschein', bemerkung: 'geprüft' }]);
	expect(rig.emails.at(-1)?.subject).toBe('Ergebnis Ihrer Freigabe: Ausgabe 12,50 EUR: „Ersatzteile“');
	expect(rig.emails.at(-1)?.text).toMatch(
		/^gebucht: Ausgabe 12,50 EUR: „Ersatzteile“ .* Nummer im Kassenbuch A-\d+\nBemerkung: geprüft\s*$/,
	);
});

it('books with the suggested account where the form says so, and without one where there is none', async () => {
	const income = { bewegung: 'EINNAHME', belegtext: 'Bareinlage', verkaeufer: '' };
	const asked = await ask(proposal(), proposal({ ...income, betrag: '1.000,00' }));
	expect(rig.emails[0].text).toMatch(/^Ausgaben: 1, zusammen 12,50 EUR\nEinnahmen: 1, zusammen 1\.000,00 EUR\n/);
	const { error } = await rig.answer(asked, { ...BOOK, Entscheidung: 'Buchen mit vorgeschlagenem Konto' });
	expect(error).toBeUndefined();
	expect(rig.entries().map(({ fields }) => fields.gegenkonto)).toEqual(['4805', undefined]);
	expect(rows()[0]).toMatchObject({ status: 'gebucht', bemerkung: 'geprüft (mit vorgeschlagenem Konto, wo es eins gab)' });
});

it.each([
	['some have a suggestion', [{}, { verkaeufer: '' }], ['Buchen', 'Buchen mit vorgeschlagenem Konto', 'Verwerfen']],
	// n8n's list of a form has a fixed length: an empty line is no choice, as one is required.
	['none has', [{ verkaeufer: '' }], ['Buchen', 'Verwerfen', '']],
])('offers to book with the suggested account only where there is one: %s', async (_, changes, expected) => {
	const asked = await ask(...changes.map((one) => proposal(one)));
	const outputs = { Overview: asked.items('Overview') };
	const { formFields } = (await parametersOf('approve-booking', 'Wait', { outputs })) as {
		formFields: { values: Array<{ fieldOptions: { values: Array<{ option: string }> } }> };
	};
	expect(formFields.values[0].fieldOptions.values.map(({ option }) => option)).toEqual(expected);
});

it('shows before the approval what the booking will be warned of, and says it once', async () => {
	const tomorrow = DateTime.now().setZone('Europe/Berlin').plus({ days: 1 }).toFormat('dd.MM.yyyy');
	const warning = `Datum liegt in der Zukunft: ${tomorrow}.`;
	const asked = await ask(proposal({ transaktionsdatum: tomorrow }), proposal());
	expect(asked.error).toBeUndefined();
	expect(asked.items('Overview')[0].zeilen).toEqual([expect.stringContaining(`\n${warning}`), expect.not.stringContaining('Zukunft')]);
	expect(rig.emails[0].text.split(warning)).toHaveLength(2);
	await rig.answer(asked, { Entscheidung: 'Verwerfen' });
	expect(rows().map(({ ergebnis }) => ergebnis)).toEqual(['', '']);
});

it('an entry without a receipt stands out, and one that nobody asked for says so', async () => {
	await ask(proposal({ antragsteller: undefined, belegtext: 'Belege: 0' }));
	expect(rig.emails[0].text).toMatch(/^Ausgabe 12,50 EUR: „Belege: 0“\n(?:.*\n)+OHNE BELEG\n(?:.*\n)+Antrag von: nicht genannt\n/m);
	expect(rig.emails[0].html).toContain('<br><b style="color: #b3261e">OHNE BELEG</b><br>');
});

it('of an entry without a number shows the one that is made, and no word about expressions', async () => {
	const asked = await ask(proposal({ belegnummer: undefined }), proposal({ belegnummer: '' }));
	expect(asked.error).toBeUndefined();
	expect(rig.emails[0].text).toMatch(/Nummer im Kassenbuch (?:[\dA-Z]{6}-){4}/);
	expect(rig.emails[0].text).not.toMatch(/Ausdruck|\?\?/);
});

/** What the gateway's chart of accounts and its journal hold. */
const chart = (...data: Array<Record<string, unknown>>) =>
	rig.sandbox.faults.add({ operationId: 'listAccounts', kind: 'alter', set: { data }, times: null });
const NAMED = { kontonummer: '70006', kontobeschriftung: 'Backtechnik Schreiber e. K.' };

it('says which sellers fit where several do, and that no booking is of the seller', async () => {
	chart(NAMED, { kontonummer: '70004', kontobeschriftung: 'Verpackungen Schreiber GmbH' });
	const asked = await ask(proposal({ verkaeufer: 'Schreiber' }), proposal({ verkaeufer: 'Blumen Eder' }));
	expect(asked.error).toBeUndefined();
	expect(asked.items('Overview')[0].zeilen).toEqual([
		expect.stringMatching(/\nMehrere Lieferanten passen, daher kein Vorschlag: 70006 Backtechnik Schreiber e\. K\., 70004 Verpackungen Schreiber GmbH\n/),
		expect.stringMatching(/\nKeine Buchung trägt den Namen dieses Rechnungsausstellers\n/),
	]);
	expect(rig.emails[0].text).not.toContain('Vorschlag: Konto');
});

it('says that the suggestion is without a tax key', async () => {
	const line = { kontonummer: '4805', umsatz: 119, buSchluessel: '' };
	const booking = { buchungstext: 'Backtechnik Schreiber', waehrung: 'EUR', sollHabenKennzeichen: 'S', buchungszeilen: [line, { ...line, kontonummer: '70006' }] };
	rig.sandbox.faults.add({ operationId: 'listJournalBookings', kind: 'alter', set: { data: [1, 2, 3].map((id) => ({ ...booking, id: `${id}` })) }, times: null });
	const asked = await ask(proposal({ steuersatz: '0' }));
	expect(asked.error).toBeUndefined();
	expect(rig.emails[0].text).toMatch(/\nVorschlag: Konto 4805, ohne BU-Schlüssel\n\d von \d Buchungen zu „70006 Backtechnik Schreiber e\. K\.“ hatten Konto 4805\n/);
});

it('asks without a suggestion where the journal can’t be read or the seller isn’t known', async () => {
	rig.sandbox.faults.add({ operationId: 'listJournalBookings', kind: 'status', status: 403, times: null });
	const asked = await ask(proposal(), proposal({ verkaeufer: '' }));
	expect(asked.error).toBeUndefined();
	expect(rig.emails[0].text).toMatch(/^Ausgaben: 2, zusammen 25,00 EUR\n\nAusgabe/);
	expect(rig.emails[0].text).not.toContain('Vorschlag');
	// That the journal couldn't be read is no outcome of an entry.
	await rig.answer(asked, { Entscheidung: 'Verwerfen' });
	expect(rows().map(({ status }) => status)).toEqual(['verworfen', 'verworfen']);
});

it('after Retry of an e-mail that failed, the approval books', async () => {
	rig.isMailDown = true;
	const failed = await ask(proposal());
	expect(failed.error).toMatch(/^Ask: /);
	rig.isMailDown = false;
	const asked = await rig.retry(failed);
	expect(asked.error).toBeUndefined();
	await rig.answer(asked, BOOK);
	expect(rig.entries()).toHaveLength(1);
	expect(rows()).toMatchObject([{ status: 'gebucht' }]);
});

it.each([
	[{ Entscheidung: 'Verwerfen' }, 'verworfen', 'Petra Sonnenschein'],
	// What the form doesn't offer approves nothing.
	[{ Entscheidung: 'Freigeben' }, 'verworfen', 'Petra Sonnenschein'],
	[{}, 'abgelaufen', ''],
])('books nothing after %j', async (said, status, entschiedenVon) => {
	const { error } = await rig.answer(await ask(proposal()), said);
	expect(error).toBeUndefined();
	expect(rig.entries()).toEqual([]);
	expect(rows()).toMatchObject([{ status, entschiedenVon }]);
	expect(rig.emails.at(-1)?.text).toMatch(new RegExp(`^${status}: Ausgabe 12,50 EUR: „Ersatzteile“ `));
});

it('an e-mail from before a correction approves nothing; the corrected entry is booked once', async () => {
	const old = await ask(proposal({ belegnummer: 'KORR-1' }));
	const corrected = await ask(proposal({ belegnummer: 'KORR-1', betrag: '32,50' }));
	await rig.answer(old, BOOK);
	expect(rig.entries()).toEqual([]);
	expect(rig.emails.at(-1)?.text).toMatch(/^nicht gebucht: [^]*Nummer im Kassenbuch KORR-1\s[^]*Der Eintrag wurde inzwischen korrigiert/);
	await rig.answer(corrected, BOOK);
	await rig.answer(corrected, BOOK);
	expect(rig.entries().map(({ fields }) => fields.betrag)).toEqual([32.5]);
});

it('a row that was changed after it was shown isn’t booked', async () => {
	const asked = await ask(proposal());
	rows()[0].pruefsumme = 'another';
	await rig.answer(asked, BOOK);
	expect(rig.entries()).toEqual([]);
});

it('says of each entry what came of it', async () => {
	const asked = await ask(proposal({ belegtext: 'eins' }), proposal({ belegtext: 'zwei' }));
	rig.sandbox.faults.add({ operationId: 'createCashBookEntry', kind: 'status', status: 422, times: 1 });
	rig.sandbox.faults.add({ operationId: 'createCashBookEntry', kind: 'status', status: 503, times: 1 });
	await rig.answer(asked, BOOK);
	expect(rows().map(({ status }) => status)).toEqual(['nicht gebucht', 'unklar']);
	const { text } = rig.emails.at(-1)!;
	expect(text).toMatch(/^nicht gebucht: .*\s+Das Gateway hat einen Wert abgelehnt .* Berichtigen Sie/);
	expect(text).toMatch(/unklar: .*\s+.* Sehen Sie zuerst nach, ob es schon da ist/);
});

it('a mistake ends it before anybody is asked', async () => {
	const { error } = await ask(proposal({ betrag: '1.234' }));
	expect(error).toMatch(/^Look: .*ambiguous/);
	expect(rig.emails).toEqual([]);
});

it(`shows and books ${MANY} entries, and takes no time for a long text`, async () => {
	const asked = await ask(...Array.from({ length: MANY }, () => proposal()));
	await rig.answer(asked, BOOK);
	expect(rig.entries()).toHaveLength(MANY);
	expect(rig.emails).toHaveLength(2);
}, 120_000);

it('books what was approved, though the table was renamed meanwhile: it has the same ID', async () => {
	const waiting = await ask(proposal());
	rig.tables.rename('Freigaben', 'Freigaben 2026');
	expect((await rig.answer(waiting, BOOK)).error).toBeUndefined();
	expect(rig.entries()).toHaveLength(1);
	expect(rig.tables.rows('Freigaben 2026')).toMatchObject([{ status: 'gebucht' }]);
});

it('books nothing if the table was deleted meanwhile, and doesn’t end as if it had', async () => {
	const waiting = await ask(proposal());
	rig.tables.delete('Freigaben');
	expect((await rig.answer(waiting, BOOK)).error).toMatch(/^Decide: There is no table/);
	expect(rig.entries()).toEqual([]);
});
