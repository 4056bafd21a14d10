/** The example "A list to the cash book" as a whole. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { expect, it } from 'vitest';

import { faultSchema } from '../../../sandbox/admin/faults.mjs';
import { WORKFLOWS } from '../../../tools/examples.mjs';
import { parametersOf } from '../../support/exampleNode.mjs';
import { useExamples, type Ran } from '../../support/exampleRun.mjs';

const rig = useExamples();
const entries = () => rig.sandbox.store.list('entries') as Array<{ fields: IDataObject }>;
const HEAD = 'Datum;Vorgang;Text;Betrag;Steuersatz;Konto;Belegnummer';
const row = (text: string, day = '20.11.2026') => `${day};Ausgabe;${text};12,50;19;;`;
/** A row that is proved, but can't be booked. */
const wrong = row('Falsch', '31.11.2026');

/** What is typed beside the list: enough cash before it, and after it what its rows make of that. */
const typed = (after: string, before = '10.000,00') => ({ Kassenbuch: 'Hauptkasse', 'Bestand davor': before, 'Bestand danach': after });
const send = async (content: string | Buffer, numbers = typed(''), fileName = 'Liste.csv') =>
	await rig.run('list-to-cash-book', {
		from: 'Form',
		items: [{ json: { Liste: { filename: fileName }, ...numbers }, files: { Liste: { fileName, content } } }],
	});
/** Sends rows of 12.50 each. */
const sendRows = async (...rows: string[]) => {
	const after = (10_000 - 12.5 * rows.length).toFixed(2).replace('.', ',');
	return await send([HEAD, ...rows].join('\r\n'), typed(after));
};
const sendSample = async (name: string) =>
	await send(await readFile(join(WORKFLOWS, 'list-to-cash-book', name)), typed('1.450,06', '214,10'), name);
/** What the form's last page says: the counts, and what was skipped. */
const counted = ({ items }: Ran) => {
	const [{ gebucht, schonGebucht, abgelehnt, unklar }] = items('Count');
	return { gebucht, schonGebucht, abgelehnt, unklar };
};

/** The text of the form's last page. */
const pageOf = async ({ items }: Ran) => {
	const outputs = { Count: items('Count'), Settings: items('Settings') };
	const [json] = items('Send the rows');
	return ((await parametersOf('list-to-cash-book', 'Page', { json, outputs })) as { completionMessage: string }).completionMessage;
};

it('a list as CSV is the same list as in Excel: nothing is booked twice, and the wrong row is told each time', async () => {
	const first = await sendSample('Kassenliste.xlsx');
	expect(first.error).toBeUndefined();
	expect(entries()).toHaveLength(5);
	expect(counted(first)).toEqual({ gebucht: 5, schonGebucht: 0, abgelehnt: 1, unklar: 0 });
	expect(first.items('Count')[0].hinweis).toMatch(/ Übersprungen.*: 10 \(Summe\)\.$/);
	const proved = '6 Zeilen, Einnahmen 1.275,40, Ausgaben 39,44, Bestand 214,10 → 1.450,06';
	expect(await pageOf(first)).toContain(`\n\n${proved}. Übersprungen`);
	expect(rig.emails[0].text).toMatch(/^„Kassenliste\.xlsx“, Kassenbuch „Hauptkasse“, Bäckerei Sonnenschein – duo\n\n6 Zeilen, [^\n]+ → 1\.450,06\.[^\n]*\n\n8: 15,44 · Putzmittel\nDer Tag „31\.11\.2026“ ist nicht verwendbar[^\n]+\.\nBerichtigen Sie/);
	const again = await sendSample('Kassenliste.csv');
	expect(again.error).toBeUndefined();
	expect(entries()).toHaveLength(5);
	expect(counted(again)).toEqual({ gebucht: 0, schonGebucht: 5, abgelehnt: 1, unklar: 0 });
	expect(rig.emails.map(({ subject }) => subject)).toEqual(['Kassenliste: 1 zu prüfen, 0 schon gebucht', 'Kassenliste: 1 zu prüfen, 5 schon gebucht']);
	expect(rig.emails[1].text).toMatch(/\n6: 15,44 · Putzmittel\n/);
	expect(rig.emails[1].html).toMatch(/<table.*<td valign="top">6<\/td><td><b>15,44 · Putzmittel<\/b><br>.*<br><i>Berichtigen Sie/s);
});

it('books one row, and sends no e-mail; the page says so', async () => {
	const ran = await sendRows(row('Blumen'));
	expect(entries()).toMatchObject([{ fields: { belegtext: 'Blumen', betrag: 12.5, bewegung: 'AUSGABE' } }]);
	expect(rig.emails).toEqual([]);
	expect(counted(ran)).toEqual({ gebucht: 1, schonGebucht: 0, abgelehnt: 0, unklar: 0 });
	expect(ran.ran('Page')).toBe(true);
});

it('names a row that was there already, on the page and by e-mail: it may be the purchase of another office', async () => {
	await sendRows(row('Blumen'));
	const ran = await sendRows(row('Vasen'), row('Blumen'));
	expect(counted(ran)).toMatchObject({ gebucht: 1, schonGebucht: 1 });
	const page = await pageOf(ran);
	expect(page).toMatch(/War etwas, das schon gebucht war, ein anderer Kauf\?.*<table><tr><td[^>]*>3<\/td><td><b>12,50 · Blumen · 20\.11\.2026<\/b><br>War schon gebucht/s);
	const [{ subject, text, html }] = rig.emails;
	expect(subject).toBe('Kassenliste: 0 zu prüfen, 1 schon gebucht');
	expect(text).toMatch(/\n3: 12,50 · Blumen · 20\.11\.2026\nWar schon gebucht/);
	const { belegnummer } = entries()[0].fields as { belegnummer: string };
	// The gateway's own sentence, which repeats the number, is no German.
	for (const one of [page, text, html]) expect(one.split(belegnummer)).toHaveLength(2);
	for (const one of [page, text, html]) expect(one).toMatch(/anderen Text oder eine andere Belegnummer.* Jedes Büro braucht ein eigenes Kassenbuch\./);
	expect(html).toMatch(/<table.*<td valign="top">3<\/td><td><b>12,50 · Blumen · 20\.11\.2026<\/b>/s);
	expect(`${text}${html}`).not.toContain('Vasen');
});

it('says of what it booked what was warned of, and of nothing else', async () => {
	const tomorrow = DateTime.now().setZone('Europe/Berlin').plus({ days: 1 }).toFormat('dd.MM.yyyy');
	const ran = await sendRows(row('Vasen', tomorrow), row('Blumen', tomorrow));
	expect(counted(ran)).toEqual({ gebucht: 2, schonGebucht: 0, abgelehnt: 0, unklar: 0 });
	const page = await pageOf(ran);
	expect(page).toContain(`>3</td><td><b>12,50 · Blumen · ${tomorrow}</b><br>Gebucht. Datum liegt in der Zukunft: ${tomorrow}.<br>`);
	expect(page).not.toMatch(/anderer Kauf/);
	const [{ subject, text }] = rig.emails;
	expect(subject).toBe('Kassenliste: 2 zu prüfen, 0 schon gebucht');
	expect(text).toMatch(/\n3: .*\nGebucht\. Datum liegt in der Zukunft: /);
});

it('books nothing of a list that isn’t proved, and says on the page and by e-mail why, in one sentence', async () => {
	const ran = await send([HEAD, row('Blumen'), row('Karte').replace('12,50', '99,00')].join('\n'), typed('9.987,50'));
	expect(entries()).toEqual([]);
	expect(counted(ran)).toEqual({ gebucht: 0, schonGebucht: 0, abgelehnt: 1, unklar: 0 });
	const why = 'Die Zeilen ergeben 9.888,50, gezählt sind 9.987,50: Differenz 99,00. Nur Zeile 3 (20.11.2026, Karte) hat diesen Betrag.';
	expect(await pageOf(ran)).toContain(why);
	expect(rig.emails[0].text).toContain(why);
	expect(await pageOf(ran)).not.toMatch(/Zeilen, Einnahmen/);
});

it('needs no balance after the list where the list has its own', async () => {
	const ran = await send('Datum;Text;Betrag;Steuersatz;Bestand\n20.11.2026;Blumen;-12,50;7;9.987,50');
	expect(counted(ran)).toMatchObject({ gebucht: 1, abgelehnt: 0 });
});

it('names the reader’s own finds: a row with two amounts isn’t booked, and its reason is German', async () => {
	const ran = await send('Datum;Text;Einnahme;Ausgabe;Steuersatz\n20.11.2026;Blumen <rot>;1,00;2,00;19', typed('9.999,00'));
	expect(entries()).toEqual([]);
	expect(counted(ran)).toMatchObject({ gebucht: 0, abgelehnt: 1 });
	expect(rig.emails[0].text).toMatch(/\n2: 1,00 · Blumen <rot> · 20\.11\.2026\nSie ist Einnahme und Ausgabe zugleich/);
	expect(rig.emails[0].html).toContain('Blumen &lt;rot>');
});

it('books 500 rows, each once, also when the list is sent again with one more', async () => {
	const rows = Array.from({ length: 500 }, (_, i) => row(`Verkauf ${i}`));
	await sendRows(...rows);
	expect(entries()).toHaveLength(500);
	expect(counted(await sendRows(...rows, row('Nachtrag')))).toMatchObject({ gebucht: 1, schonGebucht: 500 });
	expect(entries()).toHaveLength(501);
	expect(rig.emails).toHaveLength(1);
	expect(rig.emails[0].text.match(/^\d+: 12,50 · Verkauf \d+ · 20\.11\.2026$/gm)).toHaveLength(500);
}, 120_000);

it('says on the page and by e-mail why a list can’t be read', async () => {
	const none = await send('Datum;Text;Betrag;Steuersatz;Bestand');
	expect(none.items('Count')[0].hinweis).toMatch(/^Die Liste nennt keinen Bestand/);
	const broken = await send('PK\u0003\u0004 broken', typed(''), 'Liste.xlsx');
	expect(broken.error).toBeUndefined();
	expect(broken.items('Count')[0].hinweis).toMatch(/^Die Überschriften wurden in den ersten Zeilen nicht gefunden/);
	expect(rig.emails).toHaveLength(2);
	expect(entries()).toEqual([]);
});

it('never calls a row of unknown outcome refused', async () => {
	rig.sandbox.faults.add(faultSchema.parse({ kind: 'drop', point: 'after-handler', operationId: 'createCashBookEntry' }));
	const ran = await sendRows(row('Vasen'));
	expect(counted(ran)).toEqual({ gebucht: 0, schonGebucht: 0, abgelehnt: 0, unklar: 1 });
	expect(rig.emails[0].text).toMatch(/\n2: 12,50 · Vasen · 20\.11\.2026\nDie Verbindung zum Gateway brach ab[^\n]+\nSehen Sie zuerst nach, wo es stehen müsste/);
	expect(rig.emails[0].text).not.toMatch(/nicht gebucht:/);
});

it('without mail server, the page names what was not booked; sent again, nothing is booked twice, and it is told', async () => {
	rig.isMailDown = true;
	const ran = await sendRows(row('Vasen'), wrong);
	expect(ran.error).toBeUndefined();
	expect(entries()).toHaveLength(1);
	const page = await pageOf(ran);
	expect(page).toContain('Die E-Mail an Ihre Buchhaltung ging nicht hinaus.');
	expect(page).toMatch(/<table><tr><td valign="top">3<\/td><td><b>.*Falsch/);
	rig.isMailDown = false;
	const again = await sendRows(row('Vasen'), wrong);
	expect(await pageOf(again)).not.toMatch(/ging nicht hinaus|Falsch/);
	expect(entries()).toHaveLength(1);
	expect(rig.emails).toHaveLength(1);
});

it('names file, cash book and connection, on the page and by e-mail', async () => {
	const named = '„Liste.csv“, Kassenbuch „Hauptkasse“, Bäckerei Sonnenschein – duo';
	const ran = await sendRows(row('Vasen'), wrong);
	expect(await pageOf(ran)).toMatch(new RegExp(`^${named}\n\n`));
	const [{ text, html }] = rig.emails;
	expect(text).toMatch(new RegExp(`^${named}\n\n`));
	expect(html).toContain(`<p style="font: 16px sans-serif">${named}<br>`);
});

it('names the ID of a connection that wasn’t chosen from the list', async () => {
	const connectionId = rig.sandbox.store.accounts[0].connections.find(({ module }) => module === 'duo')!.id;
	await rig.run('list-to-cash-book', {
		from: 'Form',
		items: [{ json: { Liste: { filename: 'Liste.csv' }, ...typed('9.987,50') }, files: { Liste: { fileName: 'Liste.csv', content: [HEAD, wrong].join('\r\n') } } }],
		change: { 'Book each row': { connectionId: { __rl: true, mode: 'id', value: connectionId } } },
	});
	expect(rig.emails[0].text).toContain(`Kassenbuch „Hauptkasse“, Verbindung ${connectionId}\n`);
});

it('says of the row that it wasn’t sent, not of the list; and of other purchases only where a row was there already', async () => {
	const ran = await sendRows(row('Vasen'), wrong);
	expect(counted(ran)).toMatchObject({ gebucht: 1, abgelehnt: 1 });
	const [{ text, html }] = rig.emails;
	for (const one of [text, html]) {
		expect(one).toContain('senden Sie die Liste erneut: Diese Zeile wurde nicht gesendet.');
		expect(one).toContain('die ganze Liste noch einmal senden');
	}
	for (const one of [text, html, await pageOf(ran)]) expect(one).not.toMatch(/nichts gesendet|anderer Kauf/);
	await sendRows(row('Vasen'));
	expect(rig.emails.at(-1)!.text).toContain('ein anderer Kauf?');
	expect(rig.emails.at(-1)!.text).not.toContain('Was nicht gebucht wurde');
});
