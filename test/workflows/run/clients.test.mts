/** The examples of an office of many clients: the table Mandanten, and what it must never let happen. */
import fc from 'fast-check';
import groupBy from 'lodash/groupBy.js';
import isEqual from 'lodash/isEqual.js';
import mapValues from 'lodash/mapValues.js';
import pick from 'lodash/pick.js';
import pickBy from 'lodash/pickBy.js';
import sumBy from 'lodash/sumBy.js';
import uniqWith from 'lodash/uniqWith.js';
import { DateTime } from 'luxon';
import PostalMime from 'postal-mime';
import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { readTable } from '../../../nodes/AccountingGatewayFiles/formats/table/read.js';
import { LINKS, readExamples, sealOf } from '../../../demo/examples.mjs';
import { isIn } from '../../../sandbox/accounting/books/books.mjs';
import { isPerson } from '../../../sandbox/accounting/books/chart.mjs';
import type { Module } from '../../../sandbox/seed.mjs';
import { shareOf } from '../../../scripts/base/extent.mjs';
import { useExamples } from '../../support/exampleRun.mjs';

type Row = Record<string, string | null>;

const rig = useExamples({ clients: 8 });
const rows = () => rig.tables.rows('Mandanten') as Row[];
const rowOf = (companyId: string) => rows().find((one) => one.companyId === companyId)!;
const fill = async () => await rig.run('clients', { from: 'Start' });
const companies = () => rig.sandbox.store.companies;
const connections = () => rig.sandbox.store.accounts[0].connections;
/** The connection that covers this company alone. */
const connectionOf = (companyId: string, module: Module) =>
	connections().find((one) => one.module === module && one.companyIds.join() === companyId)!.id;
/** Whose connection a document went to. */
const ownerOf = ({ connectionId }: IDataObject) =>
	connections().find(({ id }) => id === connectionId)!.defaultCompanyId;
const [BAKERY, CAFE, THIRD] = ['29098-10001', '29098-10002', '29098-10003'];
const addressOf = (companyId: string) => `belege+${companyId.slice(6)}@kanzlei-demo.example`;

describe('clients', () => {
	it('fills the table: connections of each client alone, chart and length, an address; and says who is new', async () => {
		const { error } = await fill();
		expect(error).toBeUndefined();
		// The connections of one client don't work: whose they are can't be known.
		const known = companies().filter(({ clientNumber }) => clientNumber !== 10004);
		expect(
			rows()
				.map(({ companyId }) => companyId)
				.sort(),
		).toEqual(known.map(({ id }) => id));
		for (const { id, name, chart, exportSubscription } of known)
			expect(rowOf(id)).toMatchObject({
				mandant: name,
				duo: connectionOf(id, 'duo'),
				rewe: connectionOf(id, 'rewe'),
				reweRead: connectionOf(id, 'rewe-read'),
				adresse: addressOf(id),
				...(exportSubscription && {
					kontenrahmen: chart.kontenrahmen,
					kontonummernLaenge: chart.digits,
				}),
			});
		const [{ subject, text }] = rig.emails;
		expect(subject).toBe('Mandanten: bitte ansehen');
		expect(text).toMatch(
			/^Café Morgenrot e\. K\. \(29098-10002\): neu\.\nBitte ausfüllen: kasse, zustaendig, kontenrahmen\.$/m,
		);
		expect(text).toMatch(/^Verbindung „Blumen Brandt e\. K\. – duo“: .*424/m);
	});

	it('never overwrites what a person has typed, fills in what is empty, and says what has gone and what is twice', async () => {
		await fill();
		const typed = { mandant: 'Sonnenschein', duo: 'von Hand', adresse: 'sonne@kanzlei.example', kontenrahmen: 'SKR99' };
		Object.assign(rowOf(BAKERY), typed);
		Object.assign(rowOf(CAFE), { rewe: null, adresse: '' });
		Object.assign(rowOf(THIRD), { companyId: '29098-99999', adresse: 'sonne@kanzlei.example' });
		expect((await fill()).error).toBeUndefined();
		expect(rowOf(BAKERY)).toMatchObject(typed);
		// An address that was emptied stays empty: the client may send none.
		expect(rowOf(CAFE)).toMatchObject({ rewe: connectionOf(CAFE, 'rewe'), adresse: '' });
		const { text } = rig.emails[1];
		expect(text).toMatch(/\(29098-99999\): Keine Verbindung nennt ihn mehr\. Nicht alle Verbindungen konnten gelesen werden\.$/m);
		expect(text).toMatch(/^Sonnenschein: Die Verbindung in der Spalte duo gibt es im Gateway nicht mehr\.$/m);
		expect(text).toMatch(/^Sonnenschein: „sonne@kanzlei\.example“ \(adresse\) steht in mehr als einer Zeile\. Es gilt für keine\./m);
		expect(text).toMatch(/\(29098-10003\): neu\./);
	});

	it.each(['29098-10002 ', ' 29098-10002', '29098-10002\u00a0'])('leaves a row alone whose number has a space (“%s”), and says so', async (companyId) => {
		await fill();
		Object.assign(rowOf(CAFE), { companyId, rewe: null });
		const before = structuredClone(rows());
		expect((await fill()).error).toBeUndefined();
		expect(rows()).toEqual(before);
		const { text } = rig.emails[1];
		expect(text).toContain(`Café Morgenrot e. K.: Vor oder nach der Nummer „${companyId}“ (companyId) steht ein Leerzeichen.`);
		expect(text).not.toContain('Keine Verbindung nennt ihn mehr');
		Object.assign(rowOf(companyId), { companyId: CAFE });
		await fill();
		expect(rowOf(CAFE)).toMatchObject({ rewe: connectionOf(CAFE, 'rewe') });
		expect(rows()).toHaveLength(before.length);
	});
});

describe('one client from the table', () => {
	const [GOOD, ADDRESS] = ['Bäckerei Sonnenschein GmbH', addressOf(BAKERY)];
	const find = async (...wanted: IDataObject[]) =>
		await rig.run('client', { from: 'When called', items: wanted.map((one) => ({ json: { module: 'duo', ...one } })) });
	/** What comes out: whose row it is, or why there is none. */
	const found = async (wanted: IDataObject) => {
		const ran = await find(wanted);
		expect(ran.error).toBeUndefined();
		const [{ companyId, connection, problem }] = ran.items('Result');
		return problem || [companyId, ownerOf({ connectionId: connection })];
	};
	beforeEach(async () => {
		await rig.fillTableOfClients();
		Object.assign(rowOf(BAKERY), { kasse: 'Hauptkasse', registrierkassen: 'KASSE-1, Filiale 2 ,,KASSE-1' });
		Object.assign(rowOf(THIRD), { kasse: 'Kasse', registrierkassen: 'kasse-9', bankkonto: 'acc-3', iban: 'DE44 5001 0517 5407 3249 31' });
	});

	it.each<[string, IDataObject, string]>([
		['name', { client: ` ${GOOD.toUpperCase()}` }, BAKERY],
		['address', { addresses: ['x@y.example', ADDRESS] }, BAKERY],
		['register', { register: 'KASSE-1' }, BAKERY],
		['second register of the list', { register: 'Filiale 2' }, BAKERY],
		['name, whatever the register', { client: GOOD, register: 'kasse-9' }, BAKERY],
		['bank account', { bankAccount: 'acc-giro' }, BAKERY],
		['bank account, typed with a space', { bankAccount: 'acc-3 ' }, THIRD],
		['bank account’s IBAN', { bankAccount: 'DE44500105175407324931' }, THIRD],
	])('is found by its %s', async (_, wanted, companyId) => {
		expect(await found(wanted)).toEqual([companyId, companyId]);
	});

	it.each<[string, IDataObject]>([
		['the register’s ID in other letters', { register: 'Kasse-1' }],
		['a part of it', { register: 'KASSE' }],
		['the whole list', { register: 'KASSE-1, Filiale 2' }],
		['a pattern', { register: '%' }],
		['an empty register', { register: '' }],
		['a space', { register: ' ' }],
		['a comma', { register: ',' }],
		['a register that is a client’s name', { register: GOOD }],
		['a name that is a register', { client: 'KASSE-1' }],
		['the bank account’s ID in other letters', { bankAccount: 'ACC-3' }],
		['a part of it', { bankAccount: 'acc' }],
		['a part of its IBAN', { bankAccount: 'DE4450010517' }],
		['an empty bank account', { bankAccount: '' }],
		['a bank account of space', { bankAccount: ' ' }],
		['a bank account that is a register', { bankAccount: 'kasse-9' }],
		['a register that is a bank account', { register: 'acc-3' }],
		['nothing', {}],
	])('is not found by %s', async (_, wanted) => {
		expect(await found(wanted)).toMatch(/hat keine Zeile für: /);
	});

	it('is nobody’s if a register’s ID is in two rows, but is found by its name', async () => {
		Object.assign(rowOf(THIRD), { registrierkassen: 'x,KASSE-1' });
		expect(await found({ register: 'KASSE-1' })).toBe('Die Tabelle „Mandanten“ hat 2 Zeilen für: KASSE-1.');
		expect(await found({ client: GOOD })).toEqual([BAKERY, BAKERY]);
	});

	it('is nobody’s if a bank account is in two rows, as its ID or its IBAN', async () => {
		Object.assign(rowOf(CAFE), { iban: 'DE44500105175407324931' });
		expect(await found({ bankAccount: 'DE44500105175407324931' })).toBe('Die Tabelle „Mandanten“ hat 2 Zeilen für: DE44500105175407324931.');
		Object.assign(rowOf(CAFE), { iban: '', bankkonto: 'acc-3' });
		expect(await found({ bankAccount: 'acc-3' })).toBe('Die Tabelle „Mandanten“ hat 2 Zeilen für: acc-3.');
	});

	it.each<[string, object, object, string]>([
		['its IBAN, with other spaces', { iban: 'DE02 1203 0000 0000 2020 51' }, { iban: 'de021203 00000000202051' }, 'iban'],
		['its IBAN, with spaces that don’t break', { iban: 'DE02\u00a01203\u202f0000 0000 2020 51' }, { iban: 'DE02120300000000202051' }, 'iban'],
		['its IBAN, as an account’s ID', { iban: 'DE02 1203 0000 0000 2020 51' }, { iban: '', bankkonto: 'DE02120300000000202051' }, 'iban'],
		['its account’s ID, as an IBAN', { iban: '', bankkonto: 'DE02120300000000202051' }, { iban: 'DE02 1203 0000 0000 2020 51' }, 'bankkonto'],
	])('is nobody’s if another row has %s, and the office is told', async (_, own, other, column) => {
		Object.assign(rowOf(BAKERY), own);
		Object.assign(rowOf(THIRD), { bankkonto: '', ...other });
		const said = `Die Tabelle „Mandanten“ hat mehr als eine Zeile mit demselben Eintrag in: ${column}.`;
		expect(await found({ client: GOOD })).toBe(said);
		const ofAccount = await found({ bankAccount: 'DE02120300000000202051' });
		expect(ofAccount).toMatch(/hat 2 Zeilen für|mehr als eine Zeile/);
		await fill();
		const cells = rig.emails.at(-1)!.text.match(/„.*(?=“ \((bankkonto|iban)\) steht in mehr als einer Zeile)/g);
		expect(cells).toHaveLength(2);
	});

	it('is its own if it has its IBAN as its account’s ID, too', async () => {
		Object.assign(rowOf(BAKERY), { bankkonto: 'DE02120300000000202051', iban: 'DE02 1203 0000 0000 2020 51' });
		expect(await found({ client: GOOD })).toEqual([BAKERY, BAKERY]);
	});

	describe('its cash book', () => {
		const UNCLEAR = /^Bäckerei Sonnenschein GmbH: Welches Kassenbuch gilt, sagt die Tabelle/;
		const kasse = async (cells: object, wanted: IDataObject) => {
			Object.assign(rowOf(BAKERY), cells);
			const ran = await find(wanted);
			expect(ran.error).toBeUndefined();
			const [item] = ran.items('Result');
			return item.problem || item.kasse;
		};
		const SEVERAL = { kasse: 'Hauptkasse, Nebenkasse', registrierkassen: 'KASSE-1 = Nebenkasse,KASSE-2=Hauptkasse, KASSE-3, a==, b== = Hauptkasse' };

		it.each<[string, object, IDataObject, string | RegExp]>([
			['is a register’s only one', {}, { register: 'KASSE-1' }, 'Hauptkasse'],
			['is the one behind the register', SEVERAL, { register: 'KASSE-1' }, 'Nebenkasse'],
			['needs no space there', SEVERAL, { register: 'KASSE-2' }, 'Hauptkasse'],
			['may follow an ID that ends like this', SEVERAL, { register: 'b==' }, 'Hauptkasse'],
			['is unclear if there are several and none is behind the register', SEVERAL, { register: 'KASSE-3' }, UNCLEAR],
			['is unclear behind an ID that ends like this, too', SEVERAL, { register: 'a==' }, UNCLEAR],
			['is unclear if two are behind it', { ...SEVERAL, registrierkassen: 'K = Hauptkasse, K = Nebenkasse' }, { register: 'K' }, UNCLEAR],
			['must be one of the client’s', { registrierkassen: 'K = hauptkasse' }, { register: 'K' }, UNCLEAR],
			['is unclear if there is none', { kasse: ' ,' }, { register: 'KASSE-1' }, UNCLEAR],
			['stands in the row of whoever is found by name', SEVERAL, { client: GOOD }, 'Hauptkasse, Nebenkasse'],
			['is the chosen one', SEVERAL, { client: GOOD, cashBook: 'Nebenkasse' }, 'Nebenkasse'],
			['can’t be chosen if the row doesn’t name it', SEVERAL, { client: GOOD, cashBook: 'Kasse Süd' }, UNCLEAR],
			['can’t be chosen as two', SEVERAL, { client: GOOD, cashBook: 'Hauptkasse, Nebenkasse' }, UNCLEAR],
			['can’t be chosen as nothing', SEVERAL, { client: GOOD, cashBook: '' }, UNCLEAR],
		])('%s', async (_, cells, wanted, expected) => {
			const found = await kasse(cells, wanted);
			if (typeof expected === 'string') expect(found).toBe(expected);
			else expect(found).toMatch(expected);
		});

		it('isn’t a register without an ID', async () => {
			expect(await kasse({ registrierkassen: ' = Hauptkasse' }, { register: ' ' })).toMatch(/hat keine Zeile für: /);
		});
	});

	it('is nobody’s if the row’s connection or IBAN is another one’s', async () => {
		Object.assign(rowOf(THIRD), { iban: rowOf(BAKERY).iban });
		expect(await found({ register: 'KASSE-1' })).toMatch(/mehr als eine Zeile mit demselben Eintrag in: iban/);
		Object.assign(rowOf(THIRD), { iban: '', duo: '' });
		Object.assign(rowOf(BAKERY), { duo: connections().find(({ name }) => name === 'Café Morgenrot e. K. – duo')!.id });
		Object.assign(rowOf(CAFE), { duo: '' });
		expect(await found({ register: 'KASSE-1' })).toMatch(/gehört laut Gateway zu Café Morgenrot e\. K\./);
	});

	it('stops who must have it, with the sentence that says why, and nobody else', async () => {
		const [good, bad] = [{ key: 'a', client: GOOD }, { key: 'b', client: 'Niemand' }];
		const reason = 'Die Tabelle „Mandanten“ hat keine Zeile für: Niemand.';
		for (const must of [undefined, false, null]) {
			const ran = await find(good, { ...bad, must });
			expect(ran.items('Result')).toMatchObject([{ key: 'a', problem: '' }, { key: 'b', problem: reason }]);
		}
		expect((await find({ ...good, must: true })).items('Result')).toMatchObject([{ companyId: BAKERY, kasse: 'Hauptkasse' }]);
		const stopped = await find({ ...good, must: true }, { ...bad, must: true });
		expect(stopped.error).toBe(`Not proved: ${reason}`);
		expect(stopped.ran('Result')).toBe(false);
	});
});

it('each workflow that creates the table gives it the same columns', async () => {
	const tables = (await readExamples()).flatMap(({ name, workflow }) =>
		workflow.nodes.filter(({ parameters }) => parameters.tableName === 'Mandanten').map(({ parameters: { columns } }) => ({ name, columns })),
	);
	expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['client', 'clients', 'list-to-cash-book']));
	for (const { name, columns } of tables) expect(columns, name).toEqual(tables[0].columns);
});

it('of clients whose cash books have the same name, each gets its own lists', async () => {
	await fill();
	const clients = [THIRD, '29098-10005'];
	for (const id of clients) Object.assign(rowOf(id), { kasse: 'Kasse' });
	for (const id of clients) {
		const content = `Datum;Vorgang;Text;Betrag;Steuersatz\n20.11.2026;Ausgabe;${id};12,50;19`;
		const form = await rig.run('list-to-cash-book', { from: 'Form' });
		const said = { 'Mandant und Kassenbuch': `${rowOf(id).mandant}, Kasse`, Liste: { filename: 'x.csv' }, 'Bestand davor': '100,00', 'Bestand danach': '87,50' };
		const shown = await rig.answer(form, said, { Liste: { fileName: 'x.csv', content } });
		expect((await rig.answer(shown, { entscheidung: 'Buchen' })).error).toBeUndefined();
	}
	expect(rig.entries().map((one) => [ownerOf(one), one.fields.belegtext])).toEqual(clients.map((id) => [id, id]));
});

interface Sent {
	to: unknown;
	headers?: Record<string, string>;
	subject?: string;
	from?: string;
	fileName?: string;
}
const email = ({ to, headers = {}, subject = 'Rechnung', from = 'rita@lieferant.example', fileName = 'R-1.pdf' }: Sent) => ({
	json: { subject, headers, to, date: '2026-11-20T08:00:00.000Z', from: { text: from } } as IDataObject,
	files: { attachment_0: { fileName, content: `%PDF-1.4 ${fileName}` } },
});
/** As n8n's trigger gives a field of an e-mail with addresses. */
const to = (...addresses: string[]) => ({ value: addresses.map((address) => ({ address, name: '' })) });
const receive = async (...emails: Sent[]) =>
	await rig.run('receipts-email-clients', { from: 'IMAP', items: emails.map(email) });
const documents = () => rig.documents().map((one) => [one.dateiname, ownerOf(one)]);

describe('receipts by e-mail for many clients', () => {
	beforeEach(async () => {
		await fill();
		rig.forgetEmails();
	});

	it('go to the client whose address they were sent to; item, table and execution say where and why', async () => {
		const ran = await receive(
			{ to: to(addressOf(CAFE)), fileName: 'cafe.pdf' },
			{ to: to('rita@x.example', addressOf(BAKERY).toUpperCase()), fileName: 'bakery.pdf' },
			{ to: to(), headers: { 'delivered-to': `Delivered-To: <${addressOf(THIRD)}>` }, fileName: 'third.pdf' },
		);
		expect(ran.error).toBeUndefined();
		expect(documents().sort()).toEqual([
			['bakery.pdf', BAKERY],
			['cafe.pdf', CAFE],
			['third.pdf', THIRD],
		]);
		expect(rig.emails).toEqual([]);
		expect(rig.tables.rows('Hochgeladene Belege')).toMatchObject(
			[CAFE, BAKERY, THIRD].map((companyId) => ({
				mandant: rig.clients().find((row) => row.companyId === companyId)!.mandant,
				adresse: addressOf(companyId),
				verbindung: connectionOf(companyId, 'duo'),
				verkaeufer: 'rita@lieferant.example',
				datum: '2026-11-20',
			})),
		);
		expect(ran.items('Where it went')[0]).toMatchObject({ dateiname: 'cafe.pdf', companyId: CAFE, adresse: addressOf(CAFE) });
		expect(ran.run.data.resultData.metadata).toMatchObject({
			Mandant_29098_10002: `Café Morgenrot e. K.: cafe.pdf, an ${addressOf(CAFE)}`,
		});
	});

	it('an e-invoice is listed with its data for the chase, once for each client that got it', async () => {
		await rig.run('receipts-email-clients', { from: 'Start' });
		await rig.run('receipts-email-clients', { from: 'Start' });
		const invoice = { datei: '2026-1203 Mühle Korntal.pdf', nummer: '2026-1203', betrag: 368.73, datum: '2026-11-19' };
		const row = { ...invoice, verkaeufer: 'Mühle Korntal GmbH', zahlung: '' };
		expect(rig.tables.rows('Hochgeladene Belege')).toMatchObject([row]);
		const file = { fileName: 'R.pdf', content: 'same' };
		const twice = [CAFE, THIRD].map((client) => ({ to: to(addressOf(client)), ...file }));
		await receive(...twice);
		const both = rig.tables.rows('Hochgeladene Belege').slice(1);
		expect(both.map(({ verbindung }) => verbindung)).toEqual([CAFE, THIRD].map((one) => connectionOf(one, 'duo')));
		expect(new Set(both.map(({ dokument }) => dokument)).size).toBe(1);
	});

	it('nothing is asked about the e-mail of the watchdog, but about a file in one like it', async () => {
		const watchdog = { to: to('belege@kanzlei-demo.example'), subject: 'Watchdog: Prüfung des Postfachs' };
		const { error } = await rig.run('receipts-email-clients', { from: 'IMAP', items: [{ ...email(watchdog), files: {} }] });
		expect(error).toBeUndefined();
		expect(rig.emails).toEqual([]);
		await receive({ ...watchdog, fileName: 'R-2.pdf' }, { ...watchdog, to: to(addressOf(CAFE)), fileName: 'leer.docx' });
		expect(rig.emails).toHaveLength(1);
		expect(rig.emails[0].text.split('\n\n')).toHaveLength(2);
	});

	it('the samples: one goes to its client, and the office is asked about the others', async () => {
		const { error } = await rig.run('receipts-email-clients', { from: 'Start' });
		expect(error).toBeUndefined();
		expect(documents()).toEqual([['2026-1203 Mühle Korntal.pdf', BAKERY]]);
		expect(rig.emails).toHaveLength(1);
		expect(rig.emails[0].text).toMatch(/„Rechnung für niemanden“.*\nDie Tabelle „Mandanten“ hat keine Zeile für: belege@kanzlei-demo\.example\./);
		expect(rig.emails[0].text).toMatch(/„Rechnung für zwei“.*\nDie Tabelle „Mandanten“ hat 2 Zeilen für: /);
	});

	it.each<[string, Sent, RegExp]>([
		['a name, a subject, a sender and a file that name another client', { to: { value: [{ address: 'belege@kanzlei-demo.example', name: addressOf(CAFE) }] }, subject: `an ${addressOf(CAFE)}`, from: addressOf(CAFE), fileName: `${addressOf(CAFE)}.pdf` }, /keine Zeile für: belege@/],
		['an address that only begins like one', { to: to(`${addressOf(CAFE)}.evil.example`) }, /keine Zeile/],
		['a pattern', { to: to('%', '_', 'belege+1000_@kanzlei-demo.example', '*') }, /keine Zeile/],
		['no address', { to: to() }, /keine Zeile für: keine Angabe/],
		['two clients', { to: to(addressOf(CAFE)), headers: { 'delivered-to': `Delivered-To: ${addressOf(BAKERY)}` } }, /2 Zeilen/],
	])('nothing is uploaded, and the office is asked: %s', async (_, sent, reason) => {
		expect((await receive(sent)).error).toBeUndefined();
		expect(documents()).toEqual([]);
		expect(rig.emails).toMatchObject([{ to: ['buchhaltung@kanzlei-demo.example'], text: expect.stringMatching(reason) as string }]);
	});

	it.each<[string, () => object, RegExp]>([
		['another client’s connection', () => ({ duo: connectionOf(BAKERY, 'duo') }), /mehr als eine Zeile mit demselben Eintrag in: duo/],
		['another client’s connection and number', () => ({ duo: connectionOf(BAKERY, 'duo'), companyId: BAKERY }), /mehr als eine Zeile mit demselben Eintrag in: companyId, duo/],
		['a connection of several clients', () => ({ duo: connections().find(({ companyIds }) => companyIds.length > 1)!.id }), /gilt laut Gateway für 2 Mandanten/],
		['another name', () => ({ mandant: 'Café Abendrot' }), /Laut Gateway heißt 29098-10002 „Café Morgenrot e\. K\.“/],
		['no connection', () => ({ duo: '' }), /ist die Spalte duo leer/],
		['no UUID', () => ({ duo: 'duo' }), /Café Morgenrot e\. K\.: /],
		['a connection that no longer works', () => ({ duo: connections().find(({ isBroken }) => isBroken)!.id }), /424/],
	])('nothing is uploaded if the row has %s', async (_, wrong, reason) => {
		Object.assign(rowOf(CAFE), wrong());
		expect((await receive({ to: to(addressOf(CAFE)) })).error).toBeUndefined();
		expect(documents()).toEqual([]);
		expect(rig.emails).toMatchObject([{ text: expect.stringMatching(reason) as string }]);
	});
});

it('what the gateway says of one client’s connection proves nothing about another one’s', async () => {
	await fill();
	rig.forgetEmails();
	// The bakery's covers the bakery and the café; the café's is the third one's, whose own row has none.
	const several = connections().find(({ companyIds }) => companyIds.join() === [BAKERY, CAFE].join())!.id;
	const ofThird = connectionOf(THIRD, 'duo');
	Object.assign(rowOf(BAKERY), { duo: several });
	Object.assign(rowOf(THIRD), { duo: '' });
	Object.assign(rowOf(CAFE), { duo: ofThird });
	expect((await receive({ to: to(addressOf(BAKERY)) }, { to: to(addressOf(CAFE)), fileName: 'cafe.pdf' })).error).toBeUndefined();
	expect(documents()).toEqual([]);
	expect(rig.emails[0].text).toMatch(/gilt laut Gateway für 2 Mandanten/);
	expect(rig.emails[0].text).toMatch(/Café Morgenrot e\. K\.: Die Verbindung gehört laut Gateway zu Autohaus Albers GmbH/);
});

describe('whatever the table says, twice, wrongly or not at all', () => {
	/** What a cell can hold: what another row has, something else, or nothing. */
	const cell = fc.oneof(
		{ weight: 3, arbitrary: fc.record({ of: fc.nat({ max: 7 }) }) },
		{ weight: 1, arbitrary: fc.constantFrom('', null, ' ', 'x', '29098-1') },
	);
	const COLUMNS = ['mandant', 'companyId', 'duo', 'rewe', 'reweRead', 'adresse', 'registrierkassen', 'unternehmen', 'bankkonto', 'iban', 'ansprechpartner'];
	const change = fc.record({ row: fc.nat({ max: 6 }), column: fc.constantFrom(...COLUMNS), value: cell });
	const faults = fc.record({
		changes: fc.array(change, { maxLength: 4 }),
		doubled: fc.array(fc.nat({ max: 6 }), { maxLength: 2 }),
		swapped: fc.option(fc.tuple(fc.constantFrom(...COLUMNS), fc.nat({ max: 6 }), fc.nat({ max: 6 }))),
		deleted: fc.option(fc.nat({ max: 6 })),
	});
	/** The table as it should be, which is always tried: of few tables made by chance, each may be one that lets nothing through. */
	const none = { changes: [], doubled: [], swapped: null, deleted: null };
	/** The rows without a fault, which the office has completed. */
	let good: Row[];
	beforeEach(async () => {
		await fill();
		for (const [index, row] of rows().entries())
			Object.assign(row, {
				registrierkassen: `KASSE-${index}`,
				unternehmen: `DE${index}`,
				// Two accounts have payments.
				bankkonto: ['acc-giro', 'acc-wallet'][index] ?? `acc-${index}`,
				iban: `DE${index}`,
				ansprechpartner: `${row.companyId}@mandant.example`,
			});
		good = rows().map((row) => ({ ...row }));
		rig.forgetEmails();
	});
	function spoil({ changes, doubled, swapped, deleted }: typeof faults extends fc.Arbitrary<infer One> ? One : never): void {
		rows().splice(0, rows().length, ...good.map((row) => ({ ...row })));
		for (const { row, column, value } of changes)
			rows()[row][column] = value !== null && typeof value === 'object' ? good[value.of % good.length][column] : value;
		if (swapped) {
			const [column, a, b] = swapped;
			[rows()[a][column], rows()[b][column]] = [rows()[b][column], rows()[a][column]];
		}
		for (const row of doubled) rows().push({ ...rows()[row], id: '99' });
		if (deleted !== null) rows().splice(deleted, 1);
	}
	/** What the gateway says of a connection: it is of this client alone, with this name. */
	const expectOwn = (connection: unknown, { companyId, mandant }: Record<string, unknown>) => {
		expect(connections().find(({ id }) => id === connection)!.companyIds).toEqual([companyId]);
		expect((mandant as string).trim().toLowerCase()).toBe(companies().find(({ id }) => id === companyId)!.name.toLowerCase());
	};

	// Lists, cash registers, payments, reminders and the month have no other connection: see house.test.mts.
	it('what finds a client, by name, address, register or account, gets a connection of the one row’s client alone', async () => {
		let found = 0;
		const modules = fc.constantFrom('duo', 'rewe', 'reweRead');
		await fc.assert(
			fc.asyncProperty(faults, modules, async (wrong, module) => {
				spoil(wrong);
				const wanted = good.flatMap(({ mandant, adresse, registrierkassen, unternehmen, bankkonto }) => [
					{ column: 'mandant', text: mandant, by: { client: mandant } },
					{ column: 'adresse', text: adresse, by: { addresses: [adresse] } },
					{ column: 'registrierkassen', text: registrierkassen, by: { register: registrierkassen } },
					// Of a register, the company may decide which of two rows it is.
					{ column: 'unternehmen', text: unternehmen, by: { register: registrierkassen, company: [mandant, '', unternehmen] } },
					{ column: 'bankkonto', text: bankkonto, by: { bankAccount: bankkonto } },
				]);
				const items = wanted.map(({ by }, key) => ({ json: { ...by, key: String(key), module } }));
				const ran = await rig.run('client', { from: 'When called', items });
				expect(ran.error).toBeUndefined();
				expect(ran.items('Result')).toHaveLength(wanted.length);
				for (const { key, problem, connection, ...row } of ran.items('Result')) {
					if (problem) continue;
					found++;
					expectOwn(connection, row);
					const { column, text } = wanted[Number(key)];
					if (column === 'unternehmen') {
						expect(row.registrierkassen).toBe(good.find((one) => one.unternehmen === text)!.registrierkassen);
						expect((row.unternehmen as string)?.trim() || row.mandant).toBeOneOf([text, good.find((one) => one.unternehmen === text)!.mandant]);
						continue;
					}
					expect(rows().filter((one) => one[column]?.trim() === text)).toHaveLength(1);
					expect(row[column]).toBe(text);
				}
			}),
			{ numRuns: shareOf(200), examples: [[none, 'duo']] },
		);
		expect(found).toBeGreaterThan(0);
	});

	it('no document reaches the connection of a client other than the one whose name and number its row has', async () => {
		let uploaded = 0;
		await fc.assert(
			fc.asyncProperty(faults, async (wrong) => {
				spoil(wrong);
				const before = rig.documents().length;
				// An e-mail to each address that the office gave out: the file's name says whose it is.
				const sent = good.map(({ companyId, adresse }) => ({ to: to(adresse!), fileName: `${companyId}.pdf` }));
				const { error } = await receive(...sent);
				expect(error).toBeUndefined();
				for (const { dateiname, ...one } of rig.documents().slice(before)) {
					uploaded++;
					const { adresse } = good.find(({ companyId }) => `${companyId}.pdf` === dateiname)!;
					// The one row with this address is about the client that the gateway has it for.
					const own = rows().filter((row) => row.adresse?.trim() === adresse);
					expect(own).toHaveLength(1);
					expectOwn(one.connectionId, own[0]);
				}
			}),
			{ numRuns: shareOf(100), examples: [[none]] },
		);
		expect(uploaded).toBeGreaterThan(0);
	});

	it('no contact is asked about payments of another row’s account, and no sealed link uploads to another client', async () => {
		let [asked, uploaded] = [0, 0];
		const picked = fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 }), fc.subarray(['companyId', 'Mandant', 'zahlung', 'empfaenger', 'bis'] as const));
		await fc.assert(
			fc.asyncProperty(faults, picked, async (wrong, [a, b, forged]) => {
				spoil(wrong);
				rig.subRuns = [];
				rig.forgetEmails();
				expect((await rig.run('chase-missing', { from: 'Start', credentials: { crypto: LINKS } })).error).toBeUndefined();
				for (const each of rig.subRuns.filter(({ example }) => example === 'chase-missing')) {
					const [client] = each.items('When called');
					expectOwn(client.connection, client);
					expect(rows().filter(({ bankkonto }) => bankkonto?.trim() === (client.bankkonto as string).trim())).toHaveLength(1);
				}
				for (const { to: contacts, subject, text } of rig.emails.filter(({ subject }) => subject.includes(': fehlende Belege'))) {
					asked++;
					const own = rows().filter(({ mandant }) => mandant?.trim() === subject.split(':')[0]);
					expect(own).toHaveLength(1);
					expect(contacts).toEqual([own[0].ansprechpartner?.trim()]);
					expect(new Set([...text.matchAll(/companyId=([^&]*)/g)].map(([, id]) => id))).toEqual(new Set([own[0].companyId]));
				}
				const link = ({ companyId, mandant }: Row, zahlung: string) => ({ companyId, Mandant: mandant, zahlung, empfaenger: 'Mühle', bis: '2099-12-31' });
				const [own, other] = [link(good[a], 'p1'), link(good[b], 'p2')];
				const siegel = sealOf(LINKS.hmacSecret, Object.values(own) as string[]);
				const answer = { 'Gibt es einen Beleg?': 'Ja, hier ist er', 'Betrag (EUR)': '1,00', 'Datum auf dem Beleg': '2026-11-08' };
				const before = rig.documents().length;
				for (const changes of [{}, pick(other, ['companyId', 'Mandant']), pick(other, forged)]) {
					const json = { ...own, siegel, ...answer, ...changes } as IDataObject;
					const files = { Beleg: { fileName: `${own.companyId}.pdf`, content: `%PDF-1.4 ${own.companyId}` } };
					const pinned = { Received: [{}], 'No client': [{}] };
					expect((await rig.run('chase-form', { from: 'Form', items: [{ json, files }], pinned, credentials: { crypto: LINKS } })).error).toBeUndefined();
				}
				for (const one of rig.documents().slice(before)) {
					uploaded++;
					expectOwn(one.connectionId, good[a]);
				}
			}),
			{ numRuns: shareOf(100), examples: [[none, [0, 1, []]]] },
		);
		expect(Math.min(asked, uploaded)).toBeGreaterThan(0);
	});
});

describe('the month of all clients', () => {
	const close = async () => await rig.run('close-month', { from: 'Start' });
	const month = () => rig.emails.filter(({ subject }) => /Mandanten/.test(subject));
	beforeEach(async () => {
		await fill();
		rows().forEach((row, index) => (row.zustaendig = index % 2 ? 'anna@kanzlei.example' : 'bert@kanzlei.example'));
		rig.forgetEmails();
	});

	it('says what it costs, goes on after a client that fails, and tells each person about their clients alone', async () => {
		const before = rig.sandbox.store.accounts[0].credits;
		const { error } = await close();
		expect(error).toBeUndefined();
		const [cost, ...people] = rig.emails;
		expect(cost.subject).toMatch(/^Monatsabschluss zum .* beginnt$/);
		expect(cost.text).toMatch(new RegExp(`^7 Mandanten, höchstens 84 Abrufe\\.\\n\\nGuthaben vorher: ${before - 1}\\n\\nGuthaben danach, .*: ${before - 85}\\n\\nGrenze: 100`));
		expect(before - 1 - rig.sandbox.store.accounts[0].credits).toBeLessThanOrEqual(84);
		expect(people.map((one) => one.to).sort()).toEqual([['anna@kanzlei.example'], ['bert@kanzlei.example']]);
		for (const { to: [person], text, attachments } of people) {
			const own = rows().filter(({ zustaendig }) => zustaendig === person);
			// Those first that couldn't be read.
			const named = text.split('\n\n').map((part) => part.split('\n')[0].replace(/, NICHT .*/, ''));
			expect(named.toSorted()).toEqual(own.map(({ mandant }) => mandant!).toSorted());
			const read = own.filter(({ companyId }) => companyId !== CAFE);
			expect(attachments.map(({ dateiname }) => dateiname.replace(/ \d\d\.\d\d\.\d{4}\.xlsx$/, '')).toSorted()).toEqual(
				read.flatMap(({ mandant }) => ['SuSa', 'OPOS', 'Journal'].map((kind) => `${kind} ${mandant}`)).toSorted(),
			);
		}
		expect(people.find(({ text }) => text.includes('Café'))).toMatchObject({
			subject: expect.stringMatching(/, 1 NICHT VOLLSTÄNDIG ABGERUFEN$/) as string,
			text: expect.stringMatching(/^Café Morgenrot e\. K\., NICHT VOLLSTÄNDIG ABGERUFEN\n.*403/) as string,
		});
	});

	it('gives each client’s files and lines the figures of its own books', async () => {
		const lastDay = DateTime.now().startOf('month').minus({ days: 1 }).toISODate();
		/** Sums in cents by account: of a list of accounts with amounts. */
		const sums = (lines: Array<readonly [account: string, cents: number]>) => mapValues(groupBy(lines, ([account]) => account), (some) => sumBy(some, ([, cents]) => cents));
		/** What a client's files must have, from its books. */
		const figuresOf = (companyId: string) => {
			const books = rig.sandbox.services.ledger.books(companyId);
			const year = books.years.find(({ start, end }) => start <= lastDay && lastDay <= end)!;
			const booked = books.bookings.filter(isIn(year));
			const lines = (some: typeof booked) => some.flatMap((one) => one.lines.map(({ account, cents }) => [account, cents] as const));
			const persons = lines(booked.filter(({ date }) => date <= lastDay)).filter(([account]) => isPerson(account, books.chart.digits));
			return {
				SuSa: sums(lines(booked.filter(({ date }) => date <= lastDay))),
				OPOS: pickBy(sums(persons)),
				Journal: sums(lines(booked).map(([account, cents]) => [account, Math.abs(cents)])),
			};
		};
		const before = rig.mail.messages.length;
		expect((await close()).error).toBeUndefined();
		const messages = rig.mail.messages.slice(before);
		const files = (await Promise.all(messages.map(async ({ raw }) => (await PostalMime.parse(raw)).attachments))).flat();
		const read = rows().filter(({ companyId }) => companyId !== CAFE);
		const found = await Promise.all(
			files.map(async ({ filename, content }) => {
				const table = await readTable(new Uint8Array(content as ArrayBuffer), filename!);
				const [{ cells: head }, ...records] = 'rows' in table ? table.rows : [];
				const [kind, mandant] = /^(\S+) (.*) \S+$/.exec(filename!)!.slice(1);
				const [konto, amount] = ['Konto', { SuSa: 'Saldo', OPOS: 'Gesamtsaldo', Journal: 'Umsatz' }[kind]!].map((one) => head.indexOf(one));
				return [`${kind} ${mandant}`, sums(records.map(({ cells }) => [cells[konto] as string, Math.round(100 * Number(cells[amount]))]))];
			}),
		);
		const figures = read.map(({ mandant, companyId }) => ({ mandant, ...figuresOf(companyId!) }));
		expect(Object.fromEntries(found)).toEqual(
			Object.fromEntries(figures.flatMap(({ mandant, ...own }) => Object.entries(own).map(([kind, one]) => [`${kind} ${mandant}`, one]))),
		);
		// No two clients have the same, so that files that changed places would be seen.
		for (const kind of ['SuSa', 'OPOS', 'Journal'] as const) expect(uniqWith(figures, (one, other) => isEqual(one[kind], other[kind]))).toHaveLength(6);

		// The lines of the e-mail that say to which balance an account went.
		const parts = messages.slice(1).flatMap(({ email }) => email.text.trim().split('\n\n'));
		for (const { mandant, SuSa } of figures) {
			const part = parts.find((one) => one.startsWith(`${mandant}\n`))!;
			const said = [...part.matchAll(/^(\d+) .*: Veränderung um .* auf (\S+) EUR$/gm)];
			expect(said.length).toBeGreaterThan(0);
			for (const [line, account, amount] of said) expect(SuSa[account], line).toBe(Number(amount.replace(/[.,]/g, '')));
		}
	});

	it('names a client whose row can’t be proved, and one whose connection breaks, and reads the others', async () => {
		Object.assign(rowOf(BAKERY), { reweRead: connectionOf(THIRD, 'rewe-read') });
		Object.assign(rowOf('29098-10005'), { reweRead: connections().find((one) => one.isBroken && one.module === 'rewe-read')!.id });
		expect((await close()).error).toBeUndefined();
		const texts = month().map(({ text }) => text).join('\n\n');
		// The bakery's row has the connection of another one: neither is read.
		for (const id of [BAKERY, THIRD])
			expect(texts).toContain(`${rowOf(id).mandant}, NICHT ABGERUFEN\nDie Tabelle „Mandanten“ hat mehr als eine Zeile mit demselben Eintrag in: reweRead.`);
		expect(texts).toMatch(new RegExp(`^${rowOf('29098-10005').mandant}, NICHT ABGERUFEN\\n.*424`, 'm'));
		expect(month().flatMap(({ attachments }) => attachments)).toHaveLength(9);
	});

	it('names in the subject the client of a person who has one', async () => {
		rowOf(BAKERY).zustaendig = 'sonja@kanzlei.example';
		rowOf(CAFE).zustaendig = 'carla@kanzlei.example';
		expect((await close()).error).toBeUndefined();
		const subjectTo = (person: string) => rig.emails.find(({ to }) => to[0] === person)!.subject.replace(/^Monatsabschluss zum [\d.]{10}: /, '');
		expect(subjectTo('sonja@kanzlei.example')).toBe('Bäckerei Sonnenschein GmbH');
		expect(subjectTo('carla@kanzlei.example')).toBe('Café Morgenrot e. K., NICHT VOLLSTÄNDIG ABGERUFEN');
		expect(subjectTo('anna@kanzlei.example')).toMatch(/^\d Mandanten$/);
	});

	it('doesn’t begin if the credits would fall below the limit, and stops by itself when they do', async () => {
		rig.sandbox.store.accounts[0].credits = 150;
		expect((await close()).error).toBeUndefined();
		expect(rig.emails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/NICHT BEGONNEN: Das Guthaben reicht nicht$/)]);
		rig.sandbox.store.accounts[0].credits = 1000;
		rig.sandbox.faults.add({ kind: 'alter', operationId: 'getOpenItems', times: 1, set: { 'svc.neuesGuthaben': 5 } });
		expect((await close()).error).toBeUndefined();
	});
});

describe('the month of one client', () => {
	const lastDay = DateTime.now().startOf('month').minus({ days: 1 }).toFormat('dd.MM.yyyy');
	const read = async (client = 'Bäckerei Sonnenschein GmbH') => {
		const ran = await rig.run('close-month-client', { from: 'When called', items: [{ json: { client, lastDay, limit: 0 } }] });
		expect(ran.error).toBeUndefined();
		const [item] = ran.run.data.resultData.runData['One result'][0].data!.main[0]!;
		return { ...(item.json as Record<'mandant' | 'incomplete' | 'findings', string>), files: Object.keys(item.binary ?? {}).sort() };
	};
	beforeEach(async () => {
		await fill();
		Object.assign(rowOf(BAKERY), { bankkonto: 'acc-giro', sachkontoBank: '1200' });
	});

	it('has three files and what to look at first', async () => {
		const { mandant, incomplete, findings, files } = await read();
		expect([mandant, incomplete, files]).toEqual(['Bäckerei Sonnenschein GmbH', null, ['journal', 'opos', 'susa']]);
		// The five largest changes: of balances from one to the other; of income and expenses, which add up over the year, month against month.
		const ofBalances = /^\d{4} .*: Veränderung um -?[\d.]+,\d\d EUR, von .* auf .* EUR$/gm;
		const ofMonths = /^\d{4} .*: Im Monat .* EUR, davor .* EUR: Veränderung um -?[\d.]+,\d\d EUR$/gm;
		const found = [ofBalances, ofMonths].map((one) => findings.match(one)?.length ?? 0);
		expect(found[0] + found[1]).toBe(5);
		expect(Math.min(...found)).toBeGreaterThan(0);
	});

	it('says in one sentence that a client has no subscription', async () => {
		const { incomplete, findings, files } = await read('Café Morgenrot e. K.');
		expect([incomplete, files]).toEqual([', NICHT VOLLSTÄNDIG ABGERUFEN', []]);
		expect(findings.match(/403/g)).toHaveLength(1);
	});

	it('has what could be read', async () => {
		rig.sandbox.faults.add({ kind: 'status', operationId: 'getOpenItems', status: 422, times: 1 });
		const { incomplete, findings, files } = await read();
		expect([incomplete, files]).toEqual([', NICHT VOLLSTÄNDIG ABGERUFEN', ['journal', 'susa']]);
		expect(findings).toMatch(/^OPOS: .*422.*$/m);
		expect(findings).not.toContain('SuSa:');
	});

	it('compares the bank with its account, and says if it couldn’t be read', async () => {
		const day = { date: '2026-10-31', sod: 0, eod: 12.34, cash_in: 0, cash_out: 0, delta: 0 };
		rig.sandbox.faults.add({ kind: 'alter', operationId: 'listBalances', times: 1, set: { data: [day] } });
		expect((await read()).findings).toMatch(/^1200 .*: Buchhaltung .* EUR, Kontoauszug 12,34 EUR: Differenz .* EUR$/m);
		rig.sandbox.faults.add({ kind: 'status', operationId: 'listBalances', status: 422, times: 1 });
		expect((await read()).findings).toMatch(/^1200 .*: Der Saldo der Bank konnte nicht abgerufen werden$/m);
		Object.assign(rowOf(BAKERY), { bankkonto: '', sachkontoBank: '' });
		expect((await read()).findings).not.toMatch(/Saldo der Bank|Kontoauszug/);
	});

	it('says of a client’s own clearing accounts that they aren’t 0, and that what is no account number can’t be used', async () => {
		const own = /^1000 .*: Das Verrechnungskonto ist nicht ausgeglichen: .* EUR$/m;
		expect((await read()).findings).not.toMatch(own);
		rowOf(BAKERY).verrechnungskonten = '1371, 1000';
		expect((await read()).findings).toMatch(own);
		rowOf(BAKERY).verrechnungskonten = 'Geldtransit';
		expect(await read()).toMatchObject({
			incomplete: ', NICHT VOLLSTÄNDIG ABGERUFEN',
			findings: expect.stringMatching(/Kontonummern/) as string,
			files: { length: 3 },
		});
		// A table that was made before has no such column.
		delete rowOf(BAKERY).verrechnungskonten;
		expect(await read()).toMatchObject({ incomplete: null, findings: expect.not.stringMatching(own) as string });
	});

	it('of a company without any booking has files, too', async () => {
		const empty = (operationId: 'getOpenItems' | 'listTrialBalance' | 'listJournalBookings', field = 'data') =>
			rig.sandbox.faults.add({ kind: 'alter', operationId, times: null, set: { [field]: [] } });
		empty('listTrialBalance');
		empty('getOpenItems', 'data.konten');
		empty('listJournalBookings');
		expect((await read()).files).toHaveLength(3);
	});
});
