/** The example "Cash register export (DSFinV-K) to cash book" as a whole. */
import { writeFile } from 'node:fs/promises';
import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { faultSchema } from '../../../sandbox/admin/faults.mjs';
import { readExample } from '../../../demo/examples.mjs';
import { type ClosingSpec, zipOf } from '../../support/cashExport.mjs';
import { useExamples } from '../../support/exampleRun.mjs';
import { useFolder } from '../../support/useFolder.mjs';

const rig = useExamples();
const folder = useFolder('register');

const [BAKERY, CAFE] = ['29098-10001', '29098-10002'];
/** What the café's register says of its company. */
const OF_CAFE: ClosingSpec['company'] = ['Café Morgenrot e. K.', '231/456/78902', 'DE999999998'];
const rowOf = (companyId: string) => rig.clients().find((row) => row.companyId === companyId)!;
beforeEach(async () => {
	await rig.fillTableOfClients();
});

const entries = () => rig.sandbox.store.list('entries') as Array<IDataObject & { fields: IDataObject & { belegzeilen: Array<{ gegenkonto: string }> } }>;
/** To whom, to which cash book and account each entry went. */
const booked = () =>
	entries().map(({ connectionId, fields: { kassenname, belegzeilen } }) => [
		rig.sandbox.store.accounts[0].connections.find(({ id }) => id === connectionId)!.defaultCompanyId,
		kassenname,
		belegzeilen[0].gegenkonto,
	]);
const put = async (...closings: ClosingSpec[]) => await putAs('export', ...closings);
const putAs = async (name: string, ...closings: ClosingSpec[]) => {
	await writeFile(folder(`${name}.zip`), zipOf(closings));
};
const run = async () => await rig.run('cash-register-export', { from: 'Start', change: { Settings: { file: folder('*.zip') } } });
const OF = 'Bäckerei Sonnenschein GmbH, Kasse';

it('books a closing once, and says nothing', async () => {
	await put({});
	await run();
	const { error, items } = await run();
	expect(error).toBeUndefined();
	expect(items('Book closing')).toMatchObject([{ alreadyExisted: true }]);
	expect(entries()).toMatchObject([{ fields: { kassenname: 'Hauptkasse', betrag: 100 } }]);
	expect(rig.emails).toEqual([]);
});

it('names in its note the closing that the sample doesn’t book, and the number that is missing', async () => {
	await rig.run('cash-register-export', { from: 'Start' });
	const [{ text }] = rig.emails;
	const closing = /Kasse KASSE-1, Abschluss (\d+): Nicht gebucht/.exec(text)?.[1];
	const missing = /Davor fehlt die Nummer (\d+)/.exec(text)?.[1];
	const { workflow } = await readExample('cash-register-export');
	const note = workflow.nodes.find(({ name }) => name === 'About')!.parameters.content;
	expect(note).toContain(`Abschluss ${closing} eine Auszahlung ohne Konto, und Nummer ${missing} fehlt`);
});

it('fails without a file; says that a file is no export', async () => {
	expect((await run()).error).toBe('Read the export: No file(s) found');
	await writeFile(folder('export.zip'), 'no ZIP');
	expect((await run()).error).toBeUndefined();
	expect(rig.emails).toMatchObject([{ subject: 'Kassenexport: bitte ansehen (1)' }]);
	expect(rig.emails[0].text).toMatch(/^Unbekannter Mandant, Kasse unbekannt, Abschluss unbekannt: Nicht gebucht\.\nEs ist kein Kassenabschluss darin/);
});

/** A day without business: the drawer alone. */
const closed = (number: number, amount = 200): ClosingSpec => ({ number, cases: [['Anfangsbestand', '5', amount]], payments: [['Bar', amount]], cash: [] });

it('neither books nor mails a closed day', async () => {
	await put({}, closed(312), closed(313), { number: 314, cases: [['Anfangsbestand', '5', 200], ['Umsatz', '1', 10]], payments: [['Bar', 210]], cash: [] });
	const { error, items } = await run();
	expect(error).toBeUndefined();
	expect(items('Read closings')).toHaveLength(4);
	expect(entries()).toMatchObject([{ fields: { betrag: 100 } }, { fields: { betrag: 10 } }]);
	expect(rig.emails).toEqual([]);
});

it('neither mails a day of cards alone, nor a small difference of cash', async () => {
	const difference = (number: number, amount: number): ClosingSpec => ({
		number,
		time: `2026-11-${number - 295}T18:00:00`,
		cases: [
			['Umsatz', '1', 119],
			['DifferenzSollIst', '5', amount],
		],
		payments: [['Bar', 119 + amount]],
		cash: [],
	});
	await put(
		{ number: 310, time: '2026-11-15T18:00:00', cases: [['Umsatz', '1', 119]], payments: [['ECKarte', 119]], cash: [] },
		difference(311, -1),
		difference(312, -1.01),
	);
	await run();
	expect(entries().map(({ fields }) => fields.betrag)).toEqual([0, 118, 117.99]);
	expect(rig.emails.map(({ text }) => text.trim())).toEqual(['Bäckerei Sonnenschein GmbH, Kasse KASSE-1, Abschluss 312: Gebucht.\nKassendifferenz von -1,01 EUR.']);
});

it('tells of a closed day what is odd about it', async () => {
	await put({}, closed(313, 150));
	await run();
	expect(entries()).toHaveLength(1);
	expect(rig.emails.map(({ text }) => text.trim())).toEqual(['Bäckerei Sonnenschein GmbH, Kasse KASSE-1, Abschluss 313: Nichts zu buchen.\nDavor fehlt die Nummer 312.']);
});

it('a register that nobody has isn’t booked; a warning is told with its closing; all in one e-mail', async () => {
	await put({}, { number: 314 }, { register: 'KASSE-2' });
	await run();
	expect(rig.emails).toHaveLength(1);
	const texts = rig.emails[0].text.trim().split('\n\n');
	expect(texts.find((text) => text.includes(' KASSE-2,'))).toBe('Unbekannter Mandant, Kasse KASSE-2, Abschluss 311: Nicht gebucht.\nDie Tabelle „Mandanten“ hat keine Zeile für: KASSE-2.');
	expect(texts.find((text) => text.startsWith(`${OF} KASSE-1, Abschluss 314: Gebucht.\n`))).toMatch(/312.*313/);
});

it('tells what is odd about a closing once, where it is refused, too', async () => {
	await put({}, { number: 313 });
	Object.assign(rowOf(BAKERY), { registrierkassen: '' });
	await run();
	const { text } = rig.emails[0];
	expect(text).toMatch(/Abschluss 313: Nicht gebucht\.\nDie Tabelle „Mandanten“ hat keine Zeile/);
	expect(text.split('fehlt die Nummer 312')).toHaveLength(2);
	expect(entries()).toEqual([]);
});

describe('the client', () => {
	const both = async () => {
		Object.assign(rowOf(CAFE), { registrierkassen: 'K-2', kontenrahmen: 'SKR04', kontonummernLaenge: 5 });
		await putAs('a', {});
		await putAs('b', { register: 'K-2', company: OF_CAFE });
		await putAs('c', { number: 312 });
	};

	it('whose register it is gets its closings, with its own connection, cash book, chart and length of accounts', async () => {
		await both();
		expect((await run()).error).toBeUndefined();
		expect(booked().sort()).toEqual([
			[BAKERY, 'Hauptkasse', '8400'],
			[BAKERY, 'Hauptkasse', '8400'],
			[CAFE, 'Tageskasse', '44000'],
		]);
		expect(rig.emails).toEqual([]);
	});

	it('with several registers has each in its own cash book', async () => {
		Object.assign(rowOf(BAKERY), { registrierkassen: 'KASSE-1 = Hauptkasse, S = Kasse Filiale Süd' });
		await put({}, { register: 'S' });
		await run();
		expect(booked().map(([, book]) => book).sort()).toEqual(['Hauptkasse', 'Kasse Filiale Süd']);
	});

	it.each<[string, object, object, RegExp]>([
		['without cash book for it', {}, { registrierkassen: 'KASSE-1' }, /Bäckerei Sonnenschein GmbH: Welches Kassenbuch gilt, sagt die Tabelle/],
		['without chart', {}, { kontenrahmen: null }, /^Bäckerei Sonnenschein GmbH, Kasse KASSE-1.*\n.*fehlt kontenrahmen \(SKR03 oder SKR04\) oder kontonummernLaenge\./],
		['with another chart', {}, { kontenrahmen: 'SKR49' }, /fehlt kontenrahmen/],
		['without length of accounts', {}, { kontonummernLaenge: null }, /fehlt kontenrahmen .* oder kontonummernLaenge/],
		['with the connection of another one', { duo: '' }, { duo: 'café' }, /Die Verbindung gehört laut Gateway zu Café Morgenrot/],
	])('%s gets nothing booked, and the office is told', async (_, cafe, bakery, why) => {
		const { duo } = rowOf(CAFE);
		Object.assign(rowOf(CAFE), cafe);
		Object.assign(rowOf(BAKERY), bakery, 'duo' in bakery && { duo });
		await put({});
		expect((await run()).error).toBeUndefined();
		expect(entries()).toEqual([]);
		expect(rig.emails).toMatchObject([{ to: ['buchhaltung@kanzlei-demo.example'], text: expect.stringMatching(why) as string }]);
	});

	it('never gets a register of another one, also where both are in one file', async () => {
		Object.assign(rowOf(CAFE), { registrierkassen: 'K-2', kontenrahmen: 'SKR04', kontonummernLaenge: 5 });
		await put({}, { register: 'K-2', company: OF_CAFE });
		await run();
		expect(booked()).toEqual([[CAFE, 'Tageskasse', '44000']]);
		expect(rig.emails[0].text).toMatch(/^Bäckerei Sonnenschein GmbH, Kasse KASSE-1, Abschluss 311: Nicht gebucht\.\nDie Datei hat Kassen mehrerer Mandanten/);
		Object.assign(rowOf(BAKERY), { kontenrahmen: 'SKR04', kontonummernLaenge: 5 });
		await run();
		expect(booked()).toEqual([
			[CAFE, 'Tageskasse', '44000'],
			[BAKERY, 'Hauptkasse', '44000'],
		]);
	});
});

describe('the company that the export names', () => {
	const text = () => rig.emails.map((one) => one.text.trim()).join('\n\n');
	const ofCafe = (): void => void Object.assign(rowOf(CAFE), { registrierkassen: 'KASSE-1', kontenrahmen: 'SKR04', kontonummernLaenge: 5 });

	it('is asked about if it isn’t the client’s, whatever the register’s ID: nothing is booked', async () => {
		await putAs('a', {});
		await putAs('b', { number: 312, company: OF_CAFE });
		expect((await run()).error).toBeUndefined();
		expect(booked()).toEqual([[BAKERY, 'Hauptkasse', '8400']]);
		expect(text()).toBe(
			'Unbekannter Mandant, Kasse KASSE-1, Abschluss 312: Nicht gebucht.\nDer Export nennt als Unternehmen: Café Morgenrot e. K., 231/456/78902, DE999999998. In der Tabelle „Mandanten“ steht die Kasse KASSE-1 bei: Bäckerei Sonnenschein GmbH. Ist es dasselbe Unternehmen, tragen Sie dort in die Spalte unternehmen ein: DE999999998 (mehrere durch Semikolon getrennt). Sonst gehört die Kasse in die Zeile ihres Mandanten.',
		);
	});

	it('tells two clients’ registers with one ID apart, with one number, too', async () => {
		ofCafe();
		await putAs('a', {});
		await putAs('b', { company: OF_CAFE });
		expect((await run()).error).toBeUndefined();
		expect(booked().sort()).toEqual([
			[BAKERY, 'Hauptkasse', '8400'],
			[CAFE, 'Tageskasse', '44000'],
		]);
		expect(rig.emails).toEqual([]);
	});

	it.each<[string, ClosingSpec['company']]>([
		['nothing', ['']],
		['no letter, and no digit but 0', ['-', '000/000/00000', '0']],
	])('doesn’t count if it is %s: the register’s ID decides if one row has it', async (_, company) => {
		await put({ company });
		await run();
		expect(booked()).toEqual([[BAKERY, 'Hauptkasse', '8400']]);
		ofCafe();
		await put({ company, number: 312 });
		await run();
		expect(entries()).toHaveLength(1);
		expect(text()).toBe('Unbekannter Mandant, Kasse KASSE-1, Abschluss 312: Nicht gebucht.\nDie Tabelle „Mandanten“ hat 2 Zeilen für: KASSE-1.');
	});

	it.each<[string, string | null, ClosingSpec['company'], boolean]>([
		['the client’s name, in capitals, with other signs', null, ['BÄCKEREI SONNENSCHEIN, GMBH'], true],
		['the name, with letters that are made of two', ' ', ['Bäckerei Sonnenschein GmbH'.normalize('NFD')], true],
		['a part of the name', '', ['Bäckerei Sonnenschein'], false],
		['the name and more', '', ['Bäckerei Sonnenschein GmbH & Co. KG'], false],
		['the VAT ID that the row has', 'DE 999 999 997', ['Sonnenschein', '1', 'DE999999997'], true],
		['the tax number that the row has', 'DE999999997; 231/456/78901', ['', '23145678901'], true],
		['the name that the row has', 'Sonne & Schein', ['Sonne+Schein'], true],
		['the client’s name, where the row has another company', 'DE999999997', ['Bäckerei Sonnenschein GmbH', '', 'DE999999996'], false],
		['a part of what the row has', 'DE999999997', ['', '', '999999997'], false],
		['nothing of what the row has', ';', ['Bäckerei Sonnenschein GmbH'], false],
	])('is the client’s: %s', async (_, unternehmen, company, isBooked) => {
		Object.assign(rowOf(BAKERY), { unternehmen });
		await put({ company });
		expect((await run()).error).toBeUndefined();
		expect(entries()).toHaveLength(Number(isBooked));
		expect(rig.emails).toHaveLength(Number(!isBooked));
	});

	it('is taken from the e-mail into the row', async () => {
		await put({ company: ['Sonnenschein', '', 'DE999999997'] });
		await run();
		const [, unternehmen] = /in die Spalte unternehmen ein: (.*) \(mehrere/.exec(text())!;
		Object.assign(rowOf(BAKERY), { unternehmen });
		await run();
		expect(booked()).toEqual([[BAKERY, 'Hauptkasse', '8400']]);
	});

	it('is that of each closing, not of the file: a register that was sold', async () => {
		await put({ number: 310, company: OF_CAFE }, {});
		await run();
		expect(entries()).toHaveLength(1);
		expect(text()).toMatch(/^Unbekannter Mandant, Kasse KASSE-1, Abschluss 310: Nicht gebucht\.\nDer Export nennt als Unternehmen: Café/m);
		expect(text().split('Nicht gebucht')).toHaveLength(2);
	});
});

it('tells what the accounting system warned of, once', async () => {
	const meldungen = [{ nachricht: 'Konto gesperrt ab 2027', typ: 'WARNUNG' }];
	const body = { kassenname: 'Hauptkasse', betrag: 100, acctAntwort: { status: 'ERFOLGREICH', meldungen } };
	rig.sandbox.faults.add(faultSchema.parse({ kind: 'status', status: 201, body, operationId: 'createAdvancedCashBookEntry' }));
	await put({});
	await run();
	await run();
	expect(rig.emails.map(({ text }) => text.trim())).toEqual([
		'Bäckerei Sonnenschein GmbH, Kasse KASSE-1, Abschluss 311: Gebucht.\nDas Buchhaltungssystem antwortete „ERFOLGREICH: Konto gesperrt ab 2027“.',
	]);
});

it('without mail server, fails after booking; run again, nothing is booked twice, and it is told', async () => {
	await put({}, { register: 'KASSE-2' });
	rig.isMailDown = true;
	expect((await run()).error).toContain('Send for review');
	rig.isMailDown = false;
	await run();
	expect(entries()).toHaveLength(1);
	expect(rig.emails).toHaveLength(1);
});
