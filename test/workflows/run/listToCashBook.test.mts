/** The example "A list to the cash book" as a whole. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { beforeEach, describe, expect, it } from 'vitest';

import { faultSchema } from '../../../sandbox/admin/faults.mjs';
import { WORKFLOWS } from '../../../demo/examples.mjs';
import { MANY } from '../../../scripts/base/extent.mjs';
import { parametersOf } from '../../support/exampleNode.mjs';
import { useExamples, type Ran } from '../../support/exampleRun.mjs';

const rig = useExamples();
const [BAKERY, CAFE] = ['Bäckerei Sonnenschein GmbH', 'Café Morgenrot e. K.'];
const rowOf = (mandant: string) => rig.clients().find((row) => row.mandant === mandant)!;
/** The name of the connection that an entry went to. */
const connectionOf = ({ connectionId }: IDataObject) =>
	rig.sandbox.store.accounts[0].connections.find(({ id }) => id === connectionId)!.name;
beforeEach(async () => {
	await rig.fillTableOfClients();
});
const entries = () => rig.sandbox.store.list('entries') as Array<IDataObject & { fields: IDataObject }>;
const HEAD = 'Datum;Vorgang;Text;Betrag;Steuersatz;Konto;Belegnummer';
const row = (text: string, day = '20.11.2026') => `${day};Ausgabe;${text};12,50;19;;`;
/** A row that is proved, but can't be booked. */
const wrong = row('Falsch', '31.11.2026');

/** What is typed beside the list: enough cash before it, and after it what its rows make of that. */
const CHOICE = 'Mandant und Kassenbuch';
const typed = (after: string, before = '10.000,00', choice = `${BAKERY}, Hauptkasse`) => ({ [CHOICE]: choice, 'Bestand davor': before, 'Bestand danach': after });
/** Opens the form and passes its first page. */
const open = async () => {
	const opened = await rig.run('list-to-cash-book', { from: 'Form' });
	expect([opened.error, opened.ran('Client')]).toEqual([undefined, false]);
	return opened;
};
/** Sends the page with the list. */
const look = async (content: string | Buffer, numbers = typed(''), fileName = 'Liste.csv') =>
	await rig.answer(await open(), { Liste: { filename: fileName }, ...numbers }, { Liste: { fileName, content } });
/** Sends the list, and books what the next page shows. */
const send = async (...given: Parameters<typeof look>) => {
	const booked = entries().length;
	const seen = await look(...given);
	expect(seen.error).toBeUndefined();
	expect(entries()).toHaveLength(booked);
	return await rig.answer(seen, { entscheidung: 'Buchen' });
};
/** Sends rows of 12.50 each. */
const sendRows = async (...rows: string[]) => {
	const after = (10_000 - 12.5 * rows.length).toFixed(2).replace('.', ',');
	return await send([HEAD, ...rows].join('\r\n'), typed(after));
};
const sendSample = async (name: string) =>
	await send(await readFile(join(WORKFLOWS, 'list-to-cash-book', name)), typed('1.450,06', '214,10'), name);
/** What the form's last page counts. */
const counted = ({ items }: Ran) => items('Count')[0].titel;

/** The text of a page of the form. */
const pageOf = async (ran: Ran, node: 'Check' | 'Nothing booked' | 'Page') => {
	const outputs = { Count: ran.items('Count'), Settings: ran.items('Settings'), Shown: ran.items('Shown') };
	const [json] = ran.items(node === 'Page' ? 'Send the rows' : 'Shown');
	const { completionMessage, formFields } = (await parametersOf('list-to-cash-book', node, { json, outputs })) as {
		completionMessage?: string;
		formFields?: { values: Array<{ html?: string }> };
	};
	return completionMessage ?? formFields!.values[0].html!;
};
const lastPage = async (ran: Ran) => await pageOf(ran, 'Page');

/** The client is named first. */
const TARGET = (list = 'Liste.csv', client = BAKERY, book = 'Hauptkasse') => `<tr><td>Mandant</td><td>${client}</td></tr><tr><td>Liste</td><td>${list}</td></tr><tr><td>Kassenbuch</td><td>${book}</td></tr></table>`;

it('shows what would be booked, and books nothing before somebody says so', async () => {
	const sample = await readFile(join(WORKFLOWS, 'list-to-cash-book', 'Kassenliste.xlsx'));
	const seen = await look(sample, typed('1.450,06', '214,10'), 'Kassenliste.xlsx');
	expect(seen.error).toBeUndefined();
	expect(entries()).toEqual([]);
	const page = await pageOf(seen, 'Check');
	expect(page).toContain('6 Zeilen<br>Einnahmen 1.275,40<br>Ausgaben 39,44<br>Bestand 214,10 → 1.450,06<');
	expect(page.startsWith(`<table>${TARGET('Kassenliste.xlsx')}<h3>6 Zeilen<br>`)).toBe(true);
	expect(page).toMatch(/Übersprungen, .*: 10 \(Summe\)\./);
	// Every row; first those that need a look.
	const rows = page.match(/Zeile \d+: <.*?<\/td><\/tr>/g)!;
	expect(rows[0]).toMatch(/^Zeile 8: <b>15,44 · Putzmittel<\/b><br>Wird nicht gebucht\. Der Tag „31\.11\.2026“ ist nicht verwendbar/);
	expect(rows.slice(1).map((one) => one.replace(/<.*?>/g, ' ').trim())).toEqual([
		'Zeile 4:  1.250,40 · Backwaren außer Haus · 20.11.2026  Wird gebucht: EINNAHME, 7 %.',
		'Zeile 5:  19,00 · Briefmarken · 20.11.2026  Wird gebucht: AUSGABE, 0 %.',
		...[6, 7].map((n) => `Zeile ${n}:  2,50 · Parkgebühr Großmarkt · 21.11.2026  Wird gebucht: AUSGABE, 19 %.`),
		'Zeile 9:  25,00 · Gutschein verkauft · 23.11.2026  Wird gebucht: EINNAHME, 0 %.',
	]);
	expect(page).toContain('<a href="../form/kassenliste">Abbrechen</a>');
	// Nobody has pressed the button within the hour.
	const over = await rig.answer(seen);
	expect([over.error, over.ran('Book each row'), over.run.status]).toEqual([undefined, false, 'success']);
	expect(entries()).toEqual([]);
	await rig.answer(seen, { entscheidung: 'Buchen' });
	expect(entries()).toHaveLength(5);
});

it('names columns that aren’t read, and what will be booked with a warning', async () => {
	const tomorrow = DateTime.now().setZone('Europe/Berlin').plus({ days: 1 }).toFormat('dd.MM.yyyy');
	const list = [`${HEAD};Filiale`, `${row('Vasen', tomorrow)};Süd`].join('\n');
	const page = await pageOf(await look(list, typed('9.987,50')), 'Check');
	expect(page).toContain('Nicht gelesene Spalten: Filiale.');
	expect(page).toContain(`<b>12,50 · Vasen · ${tomorrow}</b><br>Wird gebucht: AUSGABE, 19 %. Datum liegt in der Zukunft: ${tomorrow}.<`);
});

it('a list as CSV is the same list as in Excel: nothing is booked twice, and the wrong row is told each time', async () => {
	const first = await sendSample('Kassenliste.xlsx');
	expect(first.error).toBeUndefined();
	expect(entries()).toHaveLength(5);
	expect(counted(first)).toBe('5 gebucht, 1 nicht gebucht');
	expect(await lastPage(first)).toMatch(/^<table cellpadding="8"><tr><td>Mandant<.*<p[^>]*>6 Zeilen<br>.* → 1\.450,06<\/p>.*Übersprungen.*: 10 \(Summe\)\./s);
	expect(rig.emails[0].text).toMatch(
		/^Mandant: Bäckerei Sonnenschein GmbH\n\nListe: Kassenliste\.xlsx\n\nKassenbuch: Hauptkasse\n\n6 Zeilen\nEinnahmen 1\.275,40\n.*\nBestand 214,10 → 1\.450,06\n+Übersprungen[^\n]+\n+Zeile 8: 15,44 · Putzmittel\nDer Tag „31\.11\.2026“ ist nicht verwendbar[^\n]+\.\nBerichtigen Sie/,
	);
	const again = await sendSample('Kassenliste.csv');
	expect(again.error).toBeUndefined();
	expect(entries()).toHaveLength(5);
	expect(counted(again)).toBe('5 schon gebucht, 1 nicht gebucht');
	expect(rig.emails.map(({ subject }) => subject)).toEqual(['Kassenliste: 5 gebucht, 1 nicht gebucht', 'Kassenliste: 5 schon gebucht, 1 nicht gebucht']);
	expect(rig.emails[1].text).toMatch(/\nZeile 6: 15,44 · Putzmittel\n/);
	expect(rig.emails[1].html).toMatch(/<table.*<td>Zeile 6: <b>15,44 · Putzmittel<\/b><br>.*<br><i>Berichtigen Sie/s);
});

it('books one row, and sends no e-mail; the page says so', async () => {
	const ran = await sendRows(row('Blumen'));
	expect(entries()).toMatchObject([{ fields: { belegtext: 'Blumen', betrag: 12.5, bewegung: 'AUSGABE' } }]);
	expect(rig.emails).toEqual([]);
	expect(counted(ran)).toBe('1 gebucht');
	expect(ran.ran('Page')).toBe(true);
});

it('names a row that was there already, on the page and by e-mail: it may be the purchase of another branch', async () => {
	await sendRows(row('Blumen'));
	const ran = await sendRows(row('Vasen'), row('Blumen'));
	expect(counted(ran)).toBe('1 gebucht, 1 schon gebucht');
	const page = await lastPage(ran);
	expect(page).toMatch(/<table><tr><td>Zeile 3: <b>12,50 · Blumen · 20\.11\.2026<\/b><br>War schon gebucht\..*War etwas, das schon gebucht war, ein anderer Kauf\?/s);
	const [{ subject, text, html }] = rig.emails;
	expect(subject).toBe('Kassenliste: 1 gebucht, 1 schon gebucht');
	expect(text).toMatch(/\nZeile 3: 12,50 · Blumen · 20\.11\.2026\nWar schon gebucht\.\n/);
	// The number was made of the row's content: nobody knows it, and it has 32 characters.
	const { belegnummer } = entries()[0].fields as { belegnummer: string };
	for (const one of [page, text, html]) expect(one).not.toContain(belegnummer);
	for (const one of [page, text, html]) expect(one).toMatch(/anderen Text oder eine andere Belegnummer.* Senden mehrere Filialen Listen, braucht jede ein eigenes Kassenbuch\./);
	expect(`${text}${html}`).not.toContain('Vasen');
});

it('says of what it booked what was warned of, and of nothing else', async () => {
	const tomorrow = DateTime.now().setZone('Europe/Berlin').plus({ days: 1 }).toFormat('dd.MM.yyyy');
	const ran = await sendRows(row('Vasen', tomorrow), row('Blumen'));
	expect(counted(ran)).toBe('1 gebucht mit Hinweis, 1 gebucht');
	const page = await lastPage(ran);
	expect(page).toContain(`>Zeile 2: <b>12,50 · Vasen · ${tomorrow}</b><br>Gebucht. Datum liegt in der Zukunft: ${tomorrow}.<br>`);
	expect(page).not.toMatch(/anderer Kauf|Blumen/);
	const [{ subject, text }] = rig.emails;
	expect(subject).toBe('Kassenliste: 1 gebucht mit Hinweis, 1 gebucht');
	expect(text).toMatch(/\nZeile 2: .*\nGebucht\. Datum liegt in der Zukunft: /);
	expect(text).not.toContain('Was nicht gebucht wurde');
});

it.each([
	[
		'isn’t proved',
		[HEAD, row('Blumen'), row('Karte').replace('12,50', '99,00')].join('\n'),
		/<p>Nicht bewiesen: Die Zeilen ergeben 9\.888,50, gezählt sind 9\.987,50: Differenz 99,00\. Nur Zeile 3 \(20\.11\.2026, Karte\) hat diesen Betrag\.<\/p><table>/,
	],
	[
		'names another cash book',
		[`${HEAD};Kasse`, `${row('Blumen')};Nebenkasse`].join('\n'),
		/<p>Nicht bewiesen: Zeile 2 \(20\.11\.2026, Blumen\) gehört zum Kassenbuch „Nebenkasse“, gewählt ist „Hauptkasse“\.<\/p><table>/,
	],
	['has no headings', 'Guten Tag', /<p>Nichts gelesen: Die Überschriften wurden in den ersten Zeilen nicht gefunden\./],
	['is broken', 'PK\u0003\u0004 broken', /<p>Nichts gelesen: /],
	['has no row that can be booked', [HEAD, wrong].join('\n'), /<\/table><p><\/p><table>.*Zeile 2: <b>12,50 · Falsch<\/b><br>Wird nicht gebucht\. Der Tag „31\.11\.2026“/],
])('books nothing of a list that %s, and says why on the page and in an e-mail', async (_, list, why) => {
	const ran = await look(list, typed('9.987,50'));
	expect(ran.error).toBeUndefined();
	expect([ran.ran('Check'), ran.ran('Nothing booked')]).toEqual([false, true]);
	const page = await pageOf(ran, 'Nothing booked');
	expect(page).toMatch(why);
	expect(page.startsWith(`<table>${TARGET()}`)).toBe(true);
	expect(page).not.toMatch(/Zeilen, Einnahmen|null|undefined/);
	expect(entries()).toEqual([]);
	const [{ subject, text, html }] = rig.emails;
	expect(subject).toBe('Kassenliste: nichts gebucht');
	expect(html).toContain(/<p>.*?<\/p>/.exec(page)![0]);
	expect(text).toMatch(/Nicht bewiesen: |Nichts gelesen: |Zeile 2: 12,50 · Falsch\nWird nicht gebucht\. Der Tag/);
	expect(text).toMatch(/Kassenbuch: Hauptkasse\n/);
	expect(text).not.toMatch(/[<>]|&lt;|undefined/);
});

it('needs no balance after the list where the list has its own', async () => {
	const ran = await send('Datum;Text;Betrag;Steuersatz;Bestand\n20.11.2026;Blumen;-12,50;7;9.987,50');
	expect(counted(ran)).toBe('1 gebucht');
});

it('names the reader’s own finds: a row with two amounts isn’t booked, and its reason is German', async () => {
	const list = 'Datum;Text;Einnahme;Ausgabe;Steuersatz\n20.11.2026;Blumen <rot>;1,00;2,00;19\n20.11.2026;Vasen;5;;19';
	const ran = await send(list, typed('10.004,00'));
	expect(counted(ran)).toBe('1 nicht gebucht, 1 gebucht');
	expect(rig.emails[0].text).toMatch(/\nZeile 2: 1,00 · Blumen <rot> · 20\.11\.2026\nSie ist Einnahme und Ausgabe zugleich/);
	expect(rig.emails[0].html).toContain('Blumen &lt;rot>');
});

it(`books ${MANY} rows, each once, also when the list is sent again with one more`, async () => {
	const rows = Array.from({ length: MANY }, (_, i) => row(`Verkauf ${i}`));
	await sendRows(...rows);
	expect(entries()).toHaveLength(MANY);
	expect(counted(await sendRows(...rows, row('Nachtrag')))).toBe(`${MANY} schon gebucht, 1 gebucht`);
	expect(entries()).toHaveLength(MANY + 1);
	expect(rig.emails).toHaveLength(1);
	expect(rig.emails[0].text.match(/^Zeile \d+: 12,50 · Verkauf \d+ · 20\.11\.2026$/gm)).toHaveLength(MANY);
}, 120_000);

it('never calls a row of unknown outcome refused', async () => {
	rig.sandbox.faults.add(faultSchema.parse({ kind: 'drop', point: 'after-handler', operationId: 'createCashBookEntry' }));
	const ran = await sendRows(row('Vasen'));
	expect(counted(ran)).toBe('1 unklar');
	expect(rig.emails[0].text).toMatch(/\nZeile 2: 12,50 · Vasen · 20\.11\.2026\nDie Verbindung zum Gateway brach ab[^\n]+\nSehen Sie zuerst nach, ob es schon da ist/);
	expect(rig.emails[0].text).not.toMatch(/nicht gebucht:/);
});

it('without mail server, the page names what was not booked; sent again, nothing is booked twice, and it is told', async () => {
	rig.isMailDown = true;
	const ran = await sendRows(row('Vasen'), wrong);
	expect(ran.error).toBeUndefined();
	expect(entries()).toHaveLength(1);
	const page = await lastPage(ran);
	expect(page).toContain('Die E-Mail an Ihre Buchhaltung ging nicht hinaus.');
	expect(page).toMatch(/<table><tr><td>Zeile 3: <b>.*Falsch/);
	rig.isMailDown = false;
	const again = await sendRows(row('Vasen'), wrong);
	expect(await lastPage(again)).not.toMatch(/ging nicht hinaus/);
	expect(entries()).toHaveLength(1);
	expect(rig.emails).toHaveLength(1);
});

it('names client, file and cash book, on the page and by e-mail', async () => {
	const ran = await sendRows(row('Vasen'), wrong);
	for (const one of [await lastPage(ran), rig.emails[0].html]) expect(one).toContain(`<table cellpadding="8">${TARGET()}`);
});

it('says of the row that it wasn’t sent, not of the list; and of other purchases only where a row was there already', async () => {
	const ran = await sendRows(row('Vasen'), wrong);
	expect(counted(ran)).toBe('1 gebucht, 1 nicht gebucht');
	const [{ text, html }] = rig.emails;
	for (const one of [text, html]) {
		expect(one).toContain('senden Sie die Liste erneut: Diese Zeile wurde nicht gesendet.');
		expect(one).toContain('die ganze Liste noch einmal senden');
	}
	for (const one of [text, html, await lastPage(ran)]) expect(one).not.toMatch(/nichts gesendet|anderer Kauf|null|undefined/);
	await sendRows(row('Vasen'));
	expect(rig.emails.at(-1)!.text).toContain('ein anderer Kauf?');
	expect(rig.emails.at(-1)!.text).not.toContain('Was nicht gebucht wurde');
});

describe('the client', () => {
	const list = [HEAD, row('Vasen')].join('\n');
	const page = async () => {
		const opened = await open();
		const { jsonOutput } = (await parametersOf('list-to-cash-book', 'List', { json: {}, outputs: { Clients: opened.items('Clients') } })) as { jsonOutput: string };
		return JSON.parse(jsonOutput) as Array<{ fieldLabel: string; fieldOptions?: { values: unknown[] } }>;
	};
	const offered = async () => (await page())[0].fieldOptions!.values;

	it('is offered with each cash book that the table names, sorted, whatever its name', async () => {
		expect(await offered()).toEqual([{ option: `${BAKERY}, Hauptkasse` }, { option: `${BAKERY}, Kasse Filiale Süd` }, { option: `${CAFE}, Tageskasse` }]);
		Object.assign(rowOf(BAKERY), { mandant: 'Müller, Meier "& Söhne"', kasse: ' Hauptkasse ,Neben kasse' });
		Object.assign(rowOf(CAFE), { kasse: '' });
		expect(await offered()).toEqual([{ option: 'Müller, Meier "& Söhne",  Hauptkasse' }, { option: 'Müller, Meier "& Söhne", Neben kasse' }]);
		expect((await page()).map(({ fieldLabel }) => fieldLabel)).toEqual([CHOICE, 'Liste', 'Bestand davor', 'Bestand danach']);
	});

	it('has its own connection and cash book', async () => {
		for (const [client, book] of [[CAFE, 'Tageskasse'], [BAKERY, 'Kasse Filiale Süd']]) {
			const ran = await send(list, typed('9.987,50', '10.000,00', `${client}, ${book}`));
			expect(counted(ran)).toBe('1 gebucht');
			expect(await lastPage(ran)).toContain(TARGET('Liste.csv', client, book));
		}
		expect(entries().map((one) => [connectionOf(one), one.fields.kassenname])).toEqual([
			['Café Morgenrot e. K. – duo', 'Tageskasse'],
			['Bäckerei Sonnenschein – duo', 'Kasse Filiale Süd'],
		]);
	});

	it('of one row alone, with one cash book, is the only choice', async () => {
		rig.clients().splice(0, 99, { ...rowOf(CAFE) });
		expect(await offered()).toEqual([{ option: `${CAFE}, Tageskasse` }]);
		await send(list, typed('9.987,50', '10.000,00', `${CAFE}, Tageskasse`));
		expect(entries()).toHaveLength(1);
	});

	it.each<[string, () => unknown, string, RegExp]>([
		['is in the table twice', () => rig.clients().push({ ...rowOf(BAKERY), duo: '' }), `${BAKERY}, Hauptkasse`, /hat 2 Zeilen für: Bäckerei Sonnenschein GmbH\./],
		['has gone from it', () => rig.clients().splice(0, 99), `${BAKERY}, Hauptkasse`, /hat keine Zeile für: Bäckerei Sonnenschein GmbH\./],
		['no longer has the cash book', () => Object.assign(rowOf(BAKERY), { kasse: 'Nebenkasse' }), `${BAKERY}, Hauptkasse`, /Welches Kassenbuch gilt, sagt die Tabelle/],
		['has the cash book of another client', () => Object.assign(rowOf(CAFE), { kasse: 'Kasse Café' }), `${BAKERY}, Kasse Café`, /Welches Kassenbuch gilt, sagt die Tabelle/],
		['has another client’s connection', () => [rowOf(BAKERY).duo, rowOf(CAFE).duo] = [rowOf(CAFE).duo, rowOf(BAKERY).duo], `${BAKERY}, Hauptkasse`, /Die Verbindung gehört laut Gateway zu Café Morgenrot/],
		['has no connection', () => Object.assign(rowOf(BAKERY), { duo: '' }), `${BAKERY}, Hauptkasse`, /ist die Spalte duo leer/],
		['wasn’t one of the choices', () => undefined, 'Hauptkasse', /hat keine Zeile für: /],
	])('who %s gets nothing booked, and page and e-mail say why', async (_, change, choice, why) => {
		const opened = await open();
		change();
		const ran = await rig.answer(opened, { Liste: { filename: 'Liste.csv' }, ...typed('9.987,50', '10.000,00', choice) }, { Liste: { fileName: 'Liste.csv', content: list } });
		expect(ran.error).toBeUndefined();
		expect([ran.ran('Check'), ran.ran('Nothing booked')]).toEqual([false, true]);
		const page = await pageOf(ran, 'Nothing booked');
		expect(page).toMatch(why);
		expect(page).toMatch(new RegExp(`^<table><tr><td>Mandant</td><td>${choice}<`));
		expect(page).not.toMatch(/Zeile 2|undefined|null/);
		expect(rig.emails).toMatchObject([{ subject: 'Kassenliste: nichts gebucht', text: expect.stringMatching(why) as string }]);
		expect(entries()).toEqual([]);
	});

	it('who isn’t chosen within the hour gets nothing, and nobody is told', async () => {
		const over = await rig.answer(await open());
		expect([over.error, over.ran('Read the list'), over.run.status]).toEqual([undefined, false, 'success']);
		expect(rig.emails).toEqual([]);
	});
});
