/** The examples about payments as a whole: what happens for none, one, several hundred, and while the mail server is down. */
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { beforeEach, describe, expect, it } from 'vitest';

import { readExamples } from '../../../demo/examples.mjs';
import { CUSTOMERS } from '../../../demo/tableOfClients.mjs';
import { MANY } from '../../../scripts/base/extent.mjs';
import { useExamples } from '../../support/exampleRun.mjs';
import { PATIENCE_MS } from '../../../scripts/base/waiting.mjs';

const rig = useExamples({ clients: 3 });
const texts = () => rig.emails.map(({ text }) => text);
/** The connections whose open items were read. */
const looked = () =>
	rig.sandbox.log.entries
		.slice(requests)
		.filter(({ operationId }) => operationId === 'getOpenItems')
		.map(({ query }) => (query as { connectionId: string }).connectionId);
const [BAKERY, THIRD] = ['29098-10001', '29098-10003'];
const GOOD = 'Bäckerei Sonnenschein GmbH';
const rowOf = (companyId: string) => rig.clients().find((one) => one.companyId === companyId)!;
let requests = 0;
beforeEach(async () => {
	await rig.fillTableOfClients();
	requests = rig.sandbox.log.entries.length;
});
/** The gateway's open items. */
const openItems = (konten: IDataObject[]) =>
	rig.sandbox.faults.add({ kind: 'alter', operationId: 'getOpenItems', times: null, set: { 'data.konten': konten } });

describe('payments', () => {
	const event = (payment_id: string, status: string, attributes: IDataObject = {}): IDataObject => ({
		event: 'payment_update',
		data: {
			payment_id,
			status,
			raw_provider_status: 'ACSC',
			payment_attributes: {
				amount: '1244.99',
				currency_code: 'EUR',
				description: 'Rechnung 70006/240066',
				creditor_name: 'Backtechnik Schreiber e. K.',
				debtor_iban: 'DE02120300000000202051',
				...attributes,
			},
		},
		received_at: '2026-11-20T10:15:00Z',
	});
	const run = async (...items: IDataObject[]) =>
		await rig.run('payments', { from: 'Payment update', pinned: { 'Payment update': items } });

	it('a settled one: the item that it settles, and its row', async () => {
		expect((await run(event('p', 'settled'))).error).toBeUndefined();
		expect(rig.emails).toMatchObject([
			{
				to: ['buchhaltung@kanzlei-demo.example'],
				subject: `${GOOD}: Zahlung ausgeführt`,
				text:
					'20.11.2026, 1.244,99 EUR, „Backtechnik Schreiber e. K.“, „Rechnung 70006/240066“. Gleicht aus: „70006/240066“, ' +
					'„Backtechnik Schreiber e. K.“, offen 1.244,99 EUR.\n\nStatus bei der Bank: ACSC',
			},
		]);
	});

	it.each(['failed', 'rejected'])('one that is %s settles nothing: the e-mail says what it was meant for', async (status) => {
		await run(event('p', status), event('q', status, { debtor_iban: 'DE00' }));
		const begin = 'Nicht ausgeführt: Es ist nichts beglichen. Vorgesehen war:\n20.11.2026, 1.244,99 EUR, ';
		expect(texts().sort()).toEqual([
			`${begin}nicht geprüft: bitte bei der Bank ansehen.\nDie Tabelle „Mandanten“ hat keine Zeile für: DE00.\n\nStatus bei der Bank: ACSC`,
			begin +
				'„Backtechnik Schreiber e. K.“, „Rechnung 70006/240066“. Gleicht aus: „70006/240066“, ' +
				'„Backtechnik Schreiber e. K.“, offen 1.244,99 EUR.\n\nStatus bei der Bank: ACSC',
		]);
		for (const { html } of rig.emails) expect(html).toMatch(/<tr><td>Nicht ausgeführt: Es ist nichts beglichen\. Vorgesehen war:<br>20\.11\.2026, /);
	});

	it.each([
		['a part', { amount: '1000' }, /Teilzahlung auf „70006\/240066“, .*, Differenz -244,99 EUR\.$/m],
		['the amount alone', { description: 'Wartung', creditor_name: 'x' }, /Kein passender offener Posten\.$/m],
	])('%s is called so', async (_, attributes, said) => {
		await run(event('p', 'settled', attributes));
		expect(texts()).toEqual([expect.stringMatching(said)]);
	});

	it('one that a supplier who has nothing open gets, and little is known of, is told as well', async () => {
		openItems([]);
		const nothing = { amount: undefined, currency_code: undefined, description: undefined, creditor_name: undefined };
		expect((await run(event('p', 'settled', nothing))).error).toBeUndefined();
		expect(texts()).toEqual([expect.stringMatching(/Kein passender offener Posten\.$/m)]);
	});

	it(`of ${MANY}, those that failed are told, and each has one row with its last status`, async () => {
		const others = Array.from({ length: MANY - 1 }, (_, i) => event(`p${i}`, 'processing'));
		expect((await run(...others, event('bad', 'rejected'))).error).toBeUndefined();
		await run(event('p0', 'failed'));
		expect(rig.emails.map(({ subject }) => subject)).toEqual([
			`${GOOD}: Zahlung abgelehnt: bitte neu veranlassen, falls sie noch fällig ist`,
			`${GOOD}: Zahlung gescheitert: bitte neu veranlassen, falls sie noch fällig ist`,
		]);
		const rows = rig.tables.rows('Zahlungen');
		expect(rows).toHaveLength(MANY);
		expect(rows.find(({ zahlung }) => zahlung === 'p0')).toMatchObject({ status: 'failed' });
	});

	it('each one looks into the connection of the client whose account was debited, and no other', async () => {
		Object.assign(rowOf(THIRD), { iban: 'DE44 5001 0517 5407 3249 31' });
		openItems([]);
		await run(event('a', 'settled', { debtor_iban: 'DE44500105175407324931' }));
		expect(looked()).toEqual([rowOf(THIRD).reweRead]);
		expect(rig.emails).toMatchObject([{ subject: `${rowOf(THIRD).mandant}: Zahlung ausgeführt` }]);
		rig.forgetEmails();
		await run(event('a', 'settled', { debtor_iban: 'DE44500105175407324931' }), event('b', 'settled'));
		expect(looked().slice(1).sort()).toEqual([rowOf(THIRD).reweRead, rowOf(BAKERY).reweRead].sort());
		expect(rig.emails.map(({ subject }) => subject).sort()).toEqual([GOOD, rowOf(THIRD).mandant].map((name) => `${name}: Zahlung ausgeführt`).sort());
	});

	it.each<[string, IDataObject, () => unknown, string]>([
		['no row', { debtor_iban: 'DE00' }, () => {}, 'Die Tabelle „Mandanten“ hat keine Zeile für: DE00.'],
		['no account', { debtor_iban: undefined, amount: undefined }, () => {}, 'Die Tabelle „Mandanten“ hat keine Zeile für: keine Angabe.'],
		['two rows', {}, () => Object.assign(rowOf(THIRD), { iban: 'DE02120300000000202051' }), 'Die Tabelle „Mandanten“ hat 2 Zeilen für: DE02120300000000202051.'],
	])('with %s, nothing is looked up, and the e-mail says so', async (_, attributes, change, reason) => {
		change();
		expect((await run(event('p', 'settled', attributes))).error).toBeUndefined();
		expect(looked()).toEqual([]);
		expect(rig.emails).toMatchObject([{ subject: 'Ohne Mandanten: Zahlung ausgeführt' }]);
		const said = 'amount' in attributes ? '  ' : ' 1.244,99 ';
		expect(texts()[0]).toBe(`20.11.2026,${said}EUR, nicht geprüft: bitte bei der Bank ansehen.\n${reason}\n\nStatus bei der Bank: ACSC`);
		expect(rig.tables.rows('Zahlungen')).toMatchObject([{ zahlung: 'p', status: 'settled' }]);
	});
});

describe('incoming payment', () => {
	const payment = (json: IDataObject): IDataObject => ({
		made_on: '2026-11-20',
		currency_code: 'EUR',
		payer: 'Hotel am Markt GmbH',
		description: '',
		...json,
	});
	/** Payments of an account, as its trigger gives them. */
	const paid = async (account_id: string, ...items: IDataObject[]) =>
		await rig.run('incoming-payment', { from: 'New payment', pinned: { 'New payment': items }, change: { 'New payment': { account_id } } });
	const run = async (...items: IDataObject[]) => await paid('acc-giro', ...items);

	it(`says what each is for in one e-mail, also of ${MANY}`, async () => {
		const others = Array.from({ length: MANY - 1 }, (_, i) => payment({ amount: 7, description: `Miete ${i}`, payer: 'x' }));
		expect((await run(payment({ amount: 1031.15, description: 're 2026 0038' }), ...others)).error).toBeUndefined();
		expect(rig.emails).toMatchObject([{ subject: `${GOOD}: Zahlungen und offene Posten: ${MANY}` }]);
		const [first, ...rest] = rig.emails[0].text.split('\n\n');
		expect(first).toBe(
			'20.11.2026, 1.031,15 EUR, „Hotel am Markt GmbH“, „re 2026 0038“. Gleicht aus: „RE-2026-0038“, „Hotel am Markt GmbH“, ' +
				'offen 1.031,15 EUR.',
		);
		expect(rest).toHaveLength(MANY - 1);
		for (const line of rest) expect(line).toMatch(/^20\.11\.2026, 7,00 EUR, „x“, „Miete \d+“\. Kein passender offener Posten\.$/);
	});

	it('what a payer writes is text, whatever it looks like', async () => {
		await run(payment({ amount: 17, payer: 'Unbekannt <i>GmbH</i>', description: '<img src=x onerror=alert(1)> RE-2026-00191' }));
		expect(rig.emails[0].html).toContain('Unbekannt &lt;i>GmbH');
		expect(rig.emails[0].html).toMatch(/<td[^>]*><b>17,00\u00a0EUR<\/b><br>20\.11\.2026<\/td><td>„Unbekannt/);
		expect(rig.emails[0].html).not.toMatch(/<(?:i|img)\b/);
	});

	it('an amount that nobody can read is told, and the others are judged', async () => {
		await run(payment({ amount: '12.5O' }), payment({ amount: 1, description: 'Trinkgeld' }));
		expect(texts()).toHaveLength(2);
		expect(texts()).toContainEqual(expect.stringMatching(/^20\.11\.2026, 12\.5O EUR, nicht geprüft: .*\nBetrag „12\.5O“ /));
	});

	it('a gateway that doesn’t answer leaves nothing unsaid', async () => {
		rig.sandbox.faults.add({ kind: 'status', operationId: 'getOpenItems', status: 401, times: null });
		await run(payment({ amount: 1031.15, description: 'RE-2026-0038' }));
		expect(texts()).toEqual([expect.stringMatching(/ EUR, nicht geprüft: /)]);
	});

	it('of an account looks into the connection of its client, and no other', async () => {
		Object.assign(rowOf(THIRD), { bankkonto: 'acc-3' });
		openItems([]);
		await paid('acc-3', payment({ amount: 1 }), payment({ amount: 2 }));
		expect(looked()).toEqual([rowOf(THIRD).reweRead]);
		expect(rig.emails).toMatchObject([{ subject: `${rowOf(THIRD).mandant}: Zahlungen und offene Posten: 2` }]);
	});

	it.each<[string, () => unknown, string]>([
		['no row', () => {}, 'Die Tabelle „Mandanten“ hat keine Zeile für: acc-3.'],
		['two rows', () => rig.clients().slice(1).map((row) => Object.assign(row, { bankkonto: 'acc-3' })), 'Die Tabelle „Mandanten“ hat 2 Zeilen für: acc-3.'],
		['a row with the connection of several', () => Object.assign(rowOf(THIRD), { bankkonto: 'acc-3', reweRead: SEVERAL }), 'gilt laut Gateway für 2 Mandanten'],
	])('of an account with %s are told, and nothing is looked up', async (_, change, reason) => {
		change();
		const { error } = await paid('acc-3', payment({ amount: 1031.15, description: 'RE-2026-0038' }), payment({ amount: 2 }));
		expect(error).toBeUndefined();
		expect(looked()).toEqual([]);
		expect(rig.emails).toMatchObject([{ subject: 'Ohne Mandanten: Zahlungen und offene Posten: 2' }]);
		const [first, second] = texts()[0].split('\n\n');
		expect(first).toMatch(/^20\.11\.2026, 1\.031,15 EUR, nicht geprüft: bitte bei der Bank ansehen\.\n/);
		expect(second).toMatch(/^20\.11\.2026, 2,00 EUR, nicht geprüft: /);
		for (const one of [first, second]) expect(one).toContain(reason);
	});
	/** The ID of a connection for two companies. */
	const SEVERAL = '2c5289e4-0ee4-42a2-a4f4-63e488265032';

	it('by hand, it takes the account’s transactions, and does nothing if there are none', async () => {
		expect((await rig.run('incoming-payment', { from: 'Start' })).error).toBeUndefined();
		expect(rig.emails[0].text).toContain('Vermutlich für „RE-2026-0056“, „Café Lindenhof OHG“');
		const none = await rig.run('incoming-payment', { from: 'Start', pinned: { 'Bank transactions': [] } });
		expect(none.error).toBeUndefined();
		expect(rig.emails).toHaveLength(1);
	});
});

describe('payment reminders', () => {
	const NOT_ALL = 'Dieses und alle weiteren nicht versenden';
	const answer = (Entscheidung?: string, Grund?: string) => ({ 'Wait for approval': [{ Entscheidung, 'Grund, wenn nicht': Grund }] });
	const EXAMPLES = readExamples();
	const nodeOf = async (name: string) =>
		(await EXAMPLES).find((example) => example.name === 'payment-reminders')!.workflow.nodes.find((node) => node.name === name)!.parameters;
	/** What the example sets. */
	const settings = async () => {
		const { assignments } = (await nodeOf('Settings')).assignments as { assignments: Array<{ name: string; type: string; value: string }> };
		return Object.fromEntries(
			assignments.map(({ name, type, value }) => [name, type === 'string' ? value : (JSON.parse(value) as unknown)]),
		) as IDataObject;
	};
	/** Makes the tables that the example makes. */
	const makeTable = async (node: string) => {
		const { tableName: name, columns } = (await nodeOf(node)) as { tableName: string; columns: { column: Array<{ name: string }> } };
		return rig.tables.add({ id: '', name, columns: columns.column, rows: [] });
	};
	let tables: Record<'reminders' | 'customers', string>;
	beforeEach(async () => {
		tables = { reminders: await makeTable('Table of reminders'), customers: await makeTable('Table of customers') };
		const empty = rig.tables.empty('Mahnkunden');
		for (const row of CUSTOMERS) rig.tables.rows('Mahnkunden').push({ ...empty, ...row });
	});
	/** What the table says about a client's customers; those of `open` have an address, so that their letters go to the office. */
	const known = (customers: Record<string, IDataObject>, companyId = BAKERY) => {
		const table = rig.tables.rows('Mahnkunden');
		const others = table.filter((row) => row.companyId !== companyId);
		const own = Object.entries(customers).map(([konto, row]) => ({ ...rig.tables.empty('Mahnkunden'), companyId, konto, ...row }));
		table.splice(0, table.length, ...others, ...own);
	};
	/** One client's reminders. */
	const run = async (pinned: Record<string, IDataObject[]> = answer('Versenden'), changed: IDataObject = {}, client: unknown = GOOD) => {
		const given = { client, settings: { ...(await settings()), holidays: [], ...changed }, ...tables } as IDataObject;
		return await rig.run('payment-reminders-client', { from: 'When called', items: [{ json: given }], pinned });
	};
	const open = (...konten: IDataObject[]) => {
		known(Object.fromEntries(konten.map(({ kontonummer }) => [kontonummer, { anschrift: 'Am Weg 1' }])));
		openItems(konten);
	};
	const account = (kontonummer: string, ...posten: IDataObject[]) => ({
		kontonummer,
		bezeichnung: `Kunde ${kontonummer}`,
		isDebitor: true,
		totalSaldo: 1,
		posten,
	});
	const item = (beleg: string, saldo: number, belegdatum = '2026-01-05') => ({ beleg, belegdatum, saldo });
	const LETTER = /^(.*?): ((?:Zahlungserinnerung|Mahnung|Letzte Mahnung): .*)$/;
	/** The letters; a subject names the client first. */
	const sent = (client: unknown = GOOD) =>
		rig.emails.flatMap((email) => {
			const [, name, subject] = LETTER.exec(email.subject) ?? [];
			return name === client ? [{ ...email, subject }] : [];
		});
	const questions = () => rig.emails.filter(({ subject }) => !LETTER.test(subject));
	const rows = () => rig.tables.rows('Mahnungen');

	const today = DateTime.now().setZone('Europe/Berlin').startOf('day');
	/** A day of a time limit that begins today: § 193 BGB moves it from a weekend to Monday. */
	const end = (days: number) => {
		const day = today.plus({ days });
		return day.weekday > 5 ? day.plus({ days: 8 - day.weekday }) : day;
	};
	const on = (days: number) => (days ? end(days) : today).toFormat('dd.MM.yyyy');
	/** What was sent before, and whose time is over. */
	const wasSent = (changes: IDataObject[]) =>
		changes.forEach((row) => {
			for (const one of rows().filter(({ konto }) => konto === row.konto)) Object.assign(one, row);
		});

	it.each([[NOT_ALL], [undefined]])('sends nothing after "%s"', async (said) => {
		expect((await run(answer(said))).error).toBeUndefined();
		expect(sent()).toEqual([]);
		expect(rows().filter(({ gesendetAm, nummer }) => gesendetAm || nummer)).toEqual([]);
		expect(rig.emails[0].text).toMatch(/Hotel am Markt GmbH[^]*Es ist noch nichts versendet/);
	});

	it('asks about each letter, sends those that were approved, and keeps why another wasn’t', async () => {
		open(account('1', item('A', 10)), account('2', item('B', 20)), account('3', item('C', 30)));
		let waiting = await run({});
		expect(sent()).toEqual([]);
		for (const [said, Grund] of [['Versenden'], ['Nicht versenden', 'Reklamation läuft'], ['Versenden']])
			waiting = await rig.answer(waiting, { Entscheidung: said, 'Grund, wenn nicht': Grund });
		expect(waiting.error).toBeUndefined();
		expect(sent().map(({ subject }) => subject)).toEqual(['Zahlungserinnerung: Kunde 1', 'Zahlungserinnerung: Kunde 3']);
		expect(rows().map(({ konto, gesendetAm, grund }) => [konto, Boolean(gesendetAm), grund])).toEqual([
			['1', true, ''],
			['2', false, 'Reklamation läuft'],
			['3', true, ''],
		]);
		// What was left out is asked again, at the same level.
		const again = await run({});
		expect(again.items('Letter')).toMatchObject([{ konto: '2', stufe: 1 }]);
	});

	it('one decision can be for all that follow', async () => {
		open(...['1', '2', '3', '4'].map((konto) => account(konto, item('A', 10))));
		let waiting = await rig.answer(await run({}), { Entscheidung: 'Nicht versenden' });
		waiting = await rig.answer(waiting, { Entscheidung: 'Dieses und alle weiteren versenden' });
		expect(waiting.error).toBeUndefined();
		expect(sent().map(({ subject }) => subject)).toEqual(['2', '3', '4'].map((konto) => `Zahlungserinnerung: Kunde ${konto}`));
		expect(rows()[0]).toMatchObject({ konto: '1', gesendetAm: '', grund: 'ohne Angabe' });
	});

	it('leaves out what a payment names, in part or in full, and reminds of the rest once', async () => {
		rig.sandbox.services.bank.transfer({ amount: 100, partner: 'Café Lindenhof OHG', text: 'RE-2026-0035' });
		expect((await run()).error).toBeUndefined();
		const cafe = sent().find(({ to }) => to[0] === 'rechnung@cafe-lindenhof.example')!;
		expect(cafe.subject).toBe('Zahlungserinnerung: Café Lindenhof OHG');
		// § 193 BGB: the thirtieth day, 17 January 2026, is a Saturday.
		expect(cafe.text).toContain('Rechnung RE-2025-0065 vom 18.12.2025, fällig am 19.01.2026: 1.169,36 EUR');
		expect(cafe.text).not.toContain('RE-2026-0035');
		const { length } = sent();
		expect(length).toBeGreaterThan(2);
		const again = await run();
		expect(again.ran('Wait for approval')).toBe(false);
		expect(sent()).toHaveLength(length);
	});

	/** The approver knows whose money it is; the node assigns nothing by a name alone. */
	it('names to the approver what a customer paid in the last 30 days and no item got', async () => {
		const same = ['A-1', 'A-2', 'A-3'].map((beleg) => item(beleg, 119));
		open({ ...account('1', ...same), bezeichnung: 'Gasthof Lamm GmbH' }, account('2', item('B', 20)));
		rig.sandbox.services.bank.transfer({ amount: 119, partner: 'GASTHOF LAMM', text: 'Rechnung' });
		await run(answer(NOT_ALL));
		const [{ text }] = questions();
		expect(text).toMatch(/^357,00 EUR: Gasthof Lamm GmbH\nStufe 1, .*\nIn den letzten 30 Tagen eingegangen: .*, 119,00 EUR, „GASTHOF LAMM“, „Rechnung“\. Kein passender offener Posten\.\n\n20,00 EUR: Kunde 2\nStufe 1, .*\n\n/);
	});

	/** Who pays another's invoice may have mistyped its number, and has paid all the same; the other one isn't asked for it. */
	it('names to the approver also a payment by a customer’s name that got an item of another one, and none that got one of his own', async () => {
		const names = { 1: 'Müller, Groß & Söhne GmbH', 3: 'Gasthof Lamm' } as const;
		open({ ...account('1', item('A', 119)), bezeichnung: names[1] }, account('2', item('RE-2026-0077', 300)), { ...account('3', item('RE-2026-0088', 50), item('D', 20)), bezeichnung: names[3] });
		rig.sandbox.services.bank.transfer({ amount: 300, partner: 'GROSS MUELLER SOEHNE', text: 'RE-2026-0077' });
		rig.sandbox.services.bank.transfer({ amount: 50, partner: names[3], text: 'RE-2026-0088' });
		await run(answer(NOT_ALL));
		const [asked] = questions()[0].text.split('\n\nEs ist noch nichts versendet');
		expect(asked.split('\n\n')).toEqual([
			expect.stringMatching(/^119,00 EUR: Müller, Groß .*\nStufe 1, .*\nIn den letzten 30 Tagen eingegangen: .*, 300,00 EUR, „GROSS MUELLER SOEHNE“, „RE-2026-0077“\. Gleicht aus: „RE-2026-0077“, „Kunde 2“, offen 300,00 EUR\.$/),
			expect.stringMatching(/^20,00 EUR: Gasthof Lamm\nStufe 1, .*$/),
		]);
	});

	it('says when a customer’s items are due by a payment term of the books, his own, or days of the table', async () => {
		const soon = today.minus({ days: 20 }).toISODate()!;
		const four = ['1', '2', '3', '4'].map((konto) => account(konto, item('A', 10, soon)));
		open(...four);
		const anschrift = 'Am Weg 1';
		known({ 1: { anschrift }, 2: { anschrift, zahlungsziel: '14 Tage netto' }, 3: { anschrift, tage: 10 }, 4: { anschrift, zahlungsziel: '40' } });
		await run();
		expect(sent().map(({ subject }) => subject.at(-1))).toEqual(['2', '3']);
	});

	it('takes the days of a payment term with periods that all have the same, and of none that says no days', async () => {
		// The example of the contract.
		const periods = { rechnungsbereich: '01-31', skontoFrist1: '14', skontoFrist2: null, nettoFrist: '30' };
		const term = { id: '10', bezeichnung: '14 Tage 2 %, 30 Tage netto', skontoFrist1: 14, skontoFrist2: 0, skontoSatz1: 2, skontoSatz2: 0, faelligkeitsart: 'NACH_TAGE', perioden: [periods] };
		const nettoFrist = 30;
		const others = [
			{ ...term, id: 'none', perioden: [] },
			{ ...term, id: 'null', nettoFrist: null, perioden: [] },
			{ ...term, id: 'other', nettoFrist, perioden: [periods, { ...periods, nettoFrist: '45' }] },
			{ ...term, id: 'unknown', nettoFrist, perioden: [{ ...periods, nettoFrist: null }] },
		];
		rig.sandbox.faults.add({ kind: 'alter', operationId: 'listPaymentTerms', times: null, set: { data: [{ ...term, nettoFrist }, ...others] } });
		const ids = [term.id, ...others.map(({ id }) => id)];
		open(...ids.map((konto) => account(konto, item('A', 10, '2026-03-10'))));
		known(Object.fromEntries(ids.map((zahlungsziel) => [zahlungsziel, { anschrift: 'x', zahlungsziel }])));
		await run();
		expect(sent().map(({ subject }) => subject)).toEqual([`Zahlungserinnerung: Kunde ${term.id}`]);
		expect(sent()[0].text).toContain('Rechnung A vom 10.03.2026, fällig am 09.04.2026: 10,00 EUR');
		for (const { id } of others) expect(questions()[0].text).toContain(`10,00 EUR: Kunde ${id}\nKein Schreiben. Fälligkeit unbekannt: `);
	});

	it.each([
		['a dunning block', { anschrift: 'x', mahnsperre: 'Reklamation' }, 'Mahnsperre: Reklamation.'],
		// Its period depends on the day of the month.
		['a payment term with periods', { anschrift: 'x', zahlungsziel: '60' }, 'Fälligkeit unbekannt: In Settings fehlt eine Zahlungsbedingung der Buchhaltung mit fester Zahl von Tagen, oder in der Tabelle „Mahnkunden“ eine Zahl in tage.'],
		['a payment term that the books don’t have', { anschrift: 'x', zahlungsziel: '7 Tage' }, 'Fälligkeit unbekannt: '],
		['neither e-mail nor address', {}, 'Anschrift unbekannt: In der Tabelle „Mahnkunden“ stehen weder email noch anschrift, und das Gateway nennt sie nicht.'],
	])('writes no letter to a customer with %s, and says so', async (_, customer, said) => {
		open(account('1', item('A', 10)), account('2', item('B', 20)));
		known({ 1: customer, 2: { anschrift: 'Am Weg 1' } });
		await run();
		expect(sent().map(({ subject }) => subject)).toEqual(['Zahlungserinnerung: Kunde 2']);
		expect(questions()[0].text).toContain(`10,00 EUR: Kunde 1\nKein Schreiben. ${said}`);
		expect(questions()[0].subject).toBe(`${GOOD}: Bitte freigeben: Mahnungen (1)`);
		expect(rows()[0]).toMatchObject({ konto: '1', gesendetAm: '', grund: expect.stringContaining(said.replace(/[.: ]+$/, '')) });
	});

	/**
	 * A reminder needs no form, but must ask clearly for payment (§ 286 (1) BGB): what is owed, by whom, to whom, until when, where to.
	 * Default interest and damages are those of § 288 BGB, after default: https://www.gesetze-im-internet.de/bgb/__286.html, __288.html
	 */
	it('says in the letter and to the approver who owes what to whom, until when, and where to', async () => {
		open(account('7', item('A-100', 1100), item('G-100', -30), item('EB-RESIDUAL', 50, '2026-01-01')));
		known({ 7: { email: 'sieben@kunden.example', anschrift: 'Siebenweg 7\n70007 Siebenstadt' } });
		await run();
		const [letter] = sent();
		expect(letter).toMatchObject({ subject: 'Zahlungserinnerung: Kunde 7', to: ['sieben@kunden.example'] });
		expect(letter.text.trim().split(/\n+/)).toEqual([
			'Bäckerei Sonnenschein GmbH, Marktplatz 4, 04177 Leipzig',
			'Kunde 7',
			'Siebenweg 7',
			'70007 Siebenstadt',
			on(0),
			'Zahlungserinnerung',
			'Kundennummer 7',
			'Guten Tag,',
			`sicher ist es Ihrer Aufmerksamkeit entgangen: Die folgenden Posten sind fällig. Bitte überweisen Sie den offenen Betrag bis zum ${on(10)}.`,
			'Saldovortrag: 20,00 EUR (von 50,00 EUR)',
			'Rechnung A-100 vom 05.01.2026, fällig am 04.02.2026: 1.100,00 EUR',
			'Offener Betrag: 1.120,00 EUR',
			'Von Ihrem Guthaben sind 30,00 EUR schon abgezogen: Es ist auf die ältesten fälligen Posten angerechnet.',
			'Bitte nennen Sie im Verwendungszweck Ihre Kundennummer 7. Konto: Bäckerei Sonnenschein GmbH, IBAN DE02 1203 0000 0000 2020 51, BIC BYLADEM1001, Deutsche Kreditbank Berlin',
			'Haben Sie inzwischen gezahlt, betrachten Sie dieses Schreiben bitte als gegenstandslos.',
			'Mit freundlichen Grüßen',
			'Bäckerei Sonnenschein GmbH',
			'Sitz: Leipzig. Amtsgericht Leipzig, HRB 12345. Geschäftsführerin: Erika Sonnenschein',
		]);
		const [{ text }] = questions();
		expect(text).toContain('1.120,00 EUR: Kunde 7\nStufe 1, Zahlungserinnerung an sieben@kunden.example');
		expect(text.replace(/\s+/g, ' ')).toContain(letter.text.trim().replace(/\s+/g, ' '));
	});

	/**
	 * Each letter as an accountant writes it by hand, 30 days after the invoice where nothing else is said. In the law's words,
	 * https://www.gesetze-im-internet.de/bgb/: a time limit doesn't count the day that begins it (§§ 187, 188) and doesn't end on a Saturday,
	 * Sunday or holiday (§ 193); a demand after the due date puts in default (§ 286 (1); 30 days alone do so for consumers only if the invoice says
	 * it, so no letter claims that); 5 or 9 points above the base rate and, among businesses, 40 EUR (§ 288) are reserved, so § 367 has nothing to
	 * set off first; a credit settles the older of two due debts (§§ 396 (1), 366 (2)). A company's letter names its seat, register and directors
	 * (§ 35a GmbHG).
	 */
	it('writes each letter as by hand', async () => {
		const monday = today.startOf('week').plus({ weeks: 2 });
		const daysTo = (day: DateTime) => Math.round(day.diff(today, 'days').days);
		const [saturday, holiday, wednesday] = [monday.minus({ days: 2 }), monday.plus({ weeks: 1 }), monday.plus({ days: 2 })];
		const written = (day: DateTime) => day.toFormat('dd.MM.yyyy');
		const first = `sicher ist es Ihrer Aufmerksamkeit entgangen: Die folgenden Posten sind fällig. Bitte überweisen Sie den offenen Betrag bis zum ${written(monday)}.`;
		const second = `trotz unserer Zahlungserinnerung sind die folgenden Posten noch offen. Wir fordern Sie auf, den offenen Betrag bis zum ${written(holiday.plus({ days: 1 }))} zu zahlen. Spätestens mit Zugang dieser Mahnung sind Sie in Verzug (§ 286 BGB); Verzugszinsen behalten wir uns vor (§ 288 BGB).`;
		const third = `trotz unserer Mahnung sind die folgenden Posten weiterhin offen. Wir setzen Ihnen eine letzte Frist bis zum ${written(wednesday)}. Geht der offene Betrag bis dahin nicht ein, leiten wir ohne weitere Ankündigung gerichtliche Schritte ein. Verzugszinsen und Verzugsschaden (§ 288 BGB) behalten wir uns vor.`;
		const credit = (amount: string) => `Von Ihrem Guthaben sind ${amount} EUR schon abgezogen: Es ist auf die ältesten fälligen Posten angerechnet.`;
		const soon = today.minus({ days: 3 }).toISODate()!;
		const [over, runs] = [today.minus({ days: 1 }).toISODate()!, today.toISODate()!];
		interface Case {
			what: string;
			posten: IDataObject[];
			customer?: IDataObject;
			before?: { stufe: number; frist: string };
			/** The subject, the text, then the items, the sum, and the credit: none for no letter. */
			letter?: string[];
		}
		const cases: Case[] = [
			{ what: 'one item', posten: [item('A', 1234567.5)], letter: ['Zahlungserinnerung', first, 'Rechnung A vom 05.01.2026, fällig am 04.02.2026: 1.234.567,50 EUR', 'Offener Betrag: 1.234.567,50 EUR'] },
			// 14 February 2026 is a Saturday.
			{ what: 'several, one of them not due', posten: [item('B', 0.05, '2026-01-15'), item('A', 100), item('C', 7, soon)], letter: ['Zahlungserinnerung', first, 'Rechnung A vom 05.01.2026, fällig am 04.02.2026: 100,00 EUR', 'Rechnung B vom 15.01.2026, fällig am 16.02.2026: 0,05 EUR', 'Offener Betrag: 100,05 EUR'] },
			// 1 May 2026 is a Friday.
			{ what: 'due on a holiday before a weekend', posten: [item('A', 10, '2026-04-01')], letter: ['Zahlungserinnerung', first, 'Rechnung A vom 01.04.2026, fällig am 04.05.2026: 10,00 EUR', 'Offener Betrag: 10,00 EUR'] },
			{ what: 'a payment term of his own', posten: [item('A', 10, '2026-03-10')], customer: { zahlungsziel: '14 Tage netto' }, letter: ['Zahlungserinnerung', first, 'Rechnung A vom 10.03.2026, fällig am 24.03.2026: 10,00 EUR', 'Offener Betrag: 10,00 EUR'] },
			{ what: 'an item without a number', posten: [item('', 10)], letter: ['Zahlungserinnerung', first, 'Rechnung vom 05.01.2026, fällig am 04.02.2026: 10,00 EUR', 'Offener Betrag: 10,00 EUR'] },
			{ what: 'a credit below the item', posten: [item('A', 500), item('G', -120.5, '2026-03-01')], letter: ['Zahlungserinnerung', first, 'Rechnung A vom 05.01.2026, fällig am 04.02.2026: 379,50 EUR (von 500,00 EUR)', 'Offener Betrag: 379,50 EUR', credit('120,50')] },
			// 100 of 150 EUR settle A, which the letter needn't name.
			{ what: 'a credit above the older item', posten: [item('A', 100), item('B', 100, '2026-02-05'), item('G', -150)], letter: ['Zahlungserinnerung', first, 'Rechnung B vom 05.02.2026, fällig am 09.03.2026: 50,00 EUR (von 100,00 EUR)', 'Offener Betrag: 50,00 EUR', credit('50,00')] },
			{ what: 'a credit above all items', posten: [item('A', 100), item('G', -100.01)] },
			{ what: 'nothing due', posten: [item('A', 100, soon)] },
			{ what: 'a dunning block', posten: [item('A', 100)], customer: { mahnsperre: 'Reklamation' } },
			{ what: 'no address', posten: [item('A', 100)], customer: { email: null, anschrift: '' } },
			{ what: 'the day of the first letter not over', posten: [item('A', 100)], before: { stufe: 1, frist: runs } },
			{ what: 'the rest after a part payment', posten: [item('A', 400)], before: { stufe: 1, frist: over }, letter: ['Mahnung', second, 'Rechnung A vom 05.01.2026, fällig am 04.02.2026: 400,00 EUR', 'Offener Betrag: 400,00 EUR'] },
			{ what: 'the last letter', posten: [item('A', 400)], before: { stufe: 2, frist: over }, letter: ['Letzte Mahnung', third, 'Rechnung A vom 05.01.2026, fällig am 04.02.2026: 400,00 EUR', 'Offener Betrag: 400,00 EUR'] },
			{ what: 'after the last letter', posten: [item('A', 400)], before: { stufe: 3, frist: over } },
		];
		const numbered = cases.map((one, i) => ({ ...one, konto: `${101 + i}` }));
		open(...numbered.map(({ konto, posten }) => account(konto, ...posten)));
		known(
			Object.fromEntries(
				numbered.map(({ konto, customer }) => [konto, { email: `${konto}@kunden.example`, anschrift: `Weg ${konto}\n04109 Leipzig`, ...customer }]),
			),
		);
		const earlier = numbered.flatMap(({ konto, before }) => (before ? [{ konto, nummer: before.stufe, posten: 'A', gesendetAm: '2026-03-02', ...before }] : []));
		const levels = ((await settings()).levels as IDataObject[]).map((level, i) => ({ ...level, days: daysTo([saturday, holiday, wednesday][i]) }));
		const { error } = await run(
			{ ...answer('Versenden'), 'Sent before': earlier },
			{ levels, holidays: ['2026-05-01', holiday.toISODate()] },
		);
		expect(error).toBeUndefined();
		for (const { what, konto, letter } of numbered) {
			const own = sent().filter(({ to }) => to[0] === `${konto}@kunden.example`);
			const [subject, text, ...rest] = letter ?? [];
			const byHand = letter && {
				subject: `${subject}: Kunde ${konto}`,
				lines: [
					'Bäckerei Sonnenschein GmbH, Marktplatz 4, 04177 Leipzig',
					`Kunde ${konto}`,
					`Weg ${konto}`,
					'04109 Leipzig',
					on(0),
					subject,
					`Kundennummer ${konto}`,
					'Guten Tag,',
					text,
					...rest,
					`Bitte nennen Sie im Verwendungszweck Ihre Kundennummer ${konto}. Konto: Bäckerei Sonnenschein GmbH, IBAN DE02 1203 0000 0000 2020 51, BIC BYLADEM1001, Deutsche Kreditbank Berlin`,
					'Haben Sie inzwischen gezahlt, betrachten Sie dieses Schreiben bitte als gegenstandslos.',
					'Mit freundlichen Grüßen',
					'Bäckerei Sonnenschein GmbH',
					'Sitz: Leipzig. Amtsgericht Leipzig, HRB 12345. Geschäftsführerin: Erika Sonnenschein',
				],
			};
			expect.soft(own.map((email) => ({ subject: email.subject, lines: email.text.trim().split(/\n+/) })), what).toEqual(byHand ? [byHand] : []);
		}
		// Whoever has no address gets none by way of the office either.
		expect(sent()).toHaveLength(numbered.filter(({ letter }) => letter).length);
		// The next letter waits for the day that the letter names.
		expect(new Set(rows().filter(({ gesendetAm }) => gesendetAm).map(({ frist }) => frist))).toEqual(
			new Set([monday, holiday.plus({ days: 1 }), wednesday].map((day) => day.toISODate())),
		);
	});

	it('says nothing of credits to whoever has none', async () => {
		open(account('1', item('A', 10)));
		await run();
		expect(sent()[0].text).not.toMatch(/Guthaben|\{/);
	});

	it('counts credit notes, not what is not due yet, and writes to whoever owes on balance', async () => {
		const soon = new Date().toISOString().slice(0, 10);
		open(
			account('1', item('A-100', 100), item('G-100', -30), item('A-101', 500, soon)),
			account('2', item('A-200', 100), item('G-200', -100)),
			account('3', item('A-300', 50, soon)),
		);
		await run();
		expect(sent()).toHaveLength(1);
		expect(sent()[0]).toMatchObject({ to: ['buchhaltung@kanzlei-demo.example'], subject: 'Zahlungserinnerung: Kunde 1' });
		expect(sent()[0].text).toContain('Offener Betrag: 70,00 EUR');
		expect(sent()[0].text).not.toContain('A-101');
	});

	it('takes the next level when the time of the last letter is over, and none after the last one', async () => {
		open(account('1', item('A', 10)), account('2', item('B', 20)));
		const subjects = async () => {
			const before = sent().length;
			expect((await run()).error).toBeUndefined();
			return sent()
				.slice(before)
				.map(({ subject }) => subject);
		};
		const frist = today.minus({ days: 1 }).toISODate()!;
		expect(await subjects()).toEqual(['Zahlungserinnerung: Kunde 1', 'Zahlungserinnerung: Kunde 2']);
		expect(rig.tables.rows('Mahnungen')[0]).toMatchObject({
			konto: '1',
			nummer: 1,
			stufe: 1,
			posten: 'A',
			betrag: '10,00 EUR',
			frist: end(10).toISODate(),
		});
		expect(await subjects()).toEqual([]);
		wasSent([{ konto: '1', frist }]);
		expect(await subjects()).toEqual(['Mahnung: Kunde 1']);
		expect(sent().at(-1)!.text).toMatch(/Spätestens mit Zugang dieser Mahnung sind Sie in Verzug \(§ 286 BGB\)/);
		wasSent([{ konto: '1', frist }]);
		expect(await subjects()).toEqual(['Letzte Mahnung: Kunde 1']);
		expect(sent().at(-1)!.text).toContain(`letzte Frist bis zum ${on(7)}`);
		wasSent([{ konto: '1', frist }]);
		expect(await subjects()).toEqual([]);
		// An invoice that no letter has named begins anew, though one before is not paid after its last letter.
		open(account('1', item('A', 10), item('C', 30)));
		expect(await subjects()).toEqual(['Zahlungserinnerung: Kunde 1']);
		expect(sent().at(-1)!.text).toContain('Offener Betrag: 30,00 EUR');
	});

	it('threatens nobody for an invoice that no letter has named: the highest level goes first, the others after it', async () => {
		open(account('1', item('A', 10)));
		const frist = today.minus({ days: 1 }).toISODate()!;
		for (let level = 1; level < 3; level++) {
			await run();
			wasSent([{ konto: '1', frist }]);
		}
		open(account('1', item('A', 10), item('B', 500), item('G', -5)));
		await run();
		expect(sent().at(-1)).toMatchObject({ subject: 'Letzte Mahnung: Kunde 1' });
		expect(sent().at(-1)!.text).toContain('Offener Betrag: 5,00 EUR');
		expect(sent().at(-1)!.text).not.toContain('Rechnung B ');
		wasSent([{ konto: '1', frist }]);
		await run();
		expect(sent().at(-1)).toMatchObject({ subject: 'Zahlungserinnerung: Kunde 1' });
		// The credit counts once: for the oldest item, in the letter before.
		expect(sent().at(-1)!.text).toContain('Offener Betrag: 500,00 EUR');
		expect(sent().at(-1)!.text).not.toContain('Rechnung A ');
	});

	/** §§ 396, 366 (2) BGB: of debts that are due, the older one first. */
	it('offsets a credit against the oldest overdue items, so that all letters together ask for what is owed', async () => {
		open(account('1', item('OLD', 100)));
		await run();
		wasSent([{ konto: '1', frist: today.minus({ days: 1 }).toISODate()! }]);
		// At neither level, the items exceed the credit; on balance, 50 EUR are owed.
		open(account('1', item('NEW', 100, '2026-02-05'), item('OLD', 100), item('G', -150, '2026-03-01')));
		await run();
		expect(sent().at(-1)).toMatchObject({ subject: 'Zahlungserinnerung: Kunde 1' });
		expect(sent().at(-1)!.text).toContain('Rechnung NEW vom 05.02.2026, fällig am 09.03.2026: 50,00 EUR (von 100,00 EUR)');
		expect(sent().at(-1)!.text).toContain('Offener Betrag: 50,00 EUR');
		expect(sent().at(-1)!.text).not.toContain('OLD');
		expect(rig.tables.rows('Mahnungen').at(-1)).toMatchObject({ stufe: 1, posten: 'NEW', betrag: '50,00 EUR' });
	});

	/** § 366 (1) BGB: who pays says which debt he pays: https://www.gesetze-im-internet.de/bgb/__366.html */
	it('counts a part payment for the invoice whose number it has, whatever is older', async () => {
		const soon = today.toISODate()!;
		open(
			account('1', item('OLD', 400), item('RE-2', 1000, '2026-02-05'), item('RE-2', -400, '2026-03-01')),
			account('2', item('RE-2', -400, soon), item('OLD', 400), item('RE-2', 1000, soon)),
			// What is left of a payment that exceeds its invoice is a credit.
			account('3', item('OLD', 400), item('RE-2', 100), item('RE-2', -150.5, '2026-03-01')),
			// Two invoices of one number keep their days; without a number, nothing says which one was paid.
			account('4', item('RE-4', 100), item('RE-4', 50, soon)),
			account('5', item('', 400), item('', 1000, '2026-02-05'), item('', -400, '2026-03-01')),
			account('6', item('RE-6', 400), item('RE-6', -400, '2026-03-01')),
			account('7', item('RE-7', 50, soon), item('RE-7', 100), item('RE-7', -120, soon)),
		);
		expect((await run()).error).toBeUndefined();
		const claims = sent().map(({ subject, text }) => [subject.at(-1), ...text.split('\n').filter((line) => /^(Rechnung|Offener Betrag)/.test(line))]);
		expect(claims).toEqual([
			['1', 'Rechnung OLD vom 05.01.2026, fällig am 04.02.2026: 400,00 EUR', 'Rechnung RE-2 vom 05.02.2026, fällig am 09.03.2026: 600,00 EUR', 'Offener Betrag: 1.000,00 EUR'],
			['2', 'Rechnung OLD vom 05.01.2026, fällig am 04.02.2026: 400,00 EUR', 'Offener Betrag: 400,00 EUR'],
			['3', 'Rechnung OLD vom 05.01.2026, fällig am 04.02.2026: 349,50 EUR (von 400,00 EUR)', 'Offener Betrag: 349,50 EUR'],
			['4', 'Rechnung RE-4 vom 05.01.2026, fällig am 04.02.2026: 100,00 EUR', 'Offener Betrag: 100,00 EUR'],
			['5', 'Rechnung vom 05.02.2026, fällig am 09.03.2026: 1.000,00 EUR', 'Offener Betrag: 1.000,00 EUR'],
		]);
	});

	it('sends nothing to whoever owes nothing on balance, and counts cents exactly', async () => {
		open(
			account('1', item('A', 0.1), item('B', 0.2, '2026-02-05'), item('G', -0.3)),
			account('2', item('C', 0.1), item('D', 0.2, '2026-02-05'), item('G', -0.29)),
		);
		await run();
		expect(sent().map(({ subject }) => subject)).toEqual(['Zahlungserinnerung: Kunde 2']);
		expect(sent()[0].text).toContain('Offener Betrag: 0,01 EUR');
	});

	it('an address that is refused is told, and the others get theirs once', async () => {
		open(...['1', '2', '3'].map((konto) => account(konto, item('A', 10))));
		known({ 1: { email: 'no address' }, 2: { email: 'zwei@kunden.example' }, 3: { email: 'drei@kunden.example' } });
		expect((await run()).error).toBe(`Not sent: ${GOOD}: Nicht versendet, der nächste Lauf fragt wieder: Konto 1`);
		expect(sent().map(({ to }) => to)).toEqual([['zwei@kunden.example'], ['drei@kunden.example']]);
	});

	it('of two questions about it, both answered, sends it once', async () => {
		const asked = [await run({}), await run({})];
		for (const one of asked) await rig.answer(one, { Entscheidung: 'Dieses und alle weiteren versenden' });
		expect(sent().length).toBeGreaterThan(2);
		expect(new Set(sent().map(({ subject }) => subject)).size).toBe(sent().length);
		expect(rows().filter(({ gesendetAm }) => gesendetAm)).toHaveLength(sent().length);
	});

	it('nothing is due: nobody is asked', async () => {
		openItems([]);
		expect((await run()).error).toBeUndefined();
		expect(rig.emails).toEqual([]);
	});

	it(`${MANY} customers are one question`, async () => {
		open(...Array.from({ length: MANY }, (_, i) => account(`${i}`, item(`RE-${1000 + i}`, 10))));
		const { error, items } = await run(answer(NOT_ALL));
		expect(error).toBeUndefined();
		expect(rig.emails).toMatchObject([{ subject: `${GOOD}: Bitte freigeben: Mahnungen (${MANY})` }]);
		expect(items('Letter')).toHaveLength(MANY);
		// For each, the sum first, and the level; the letters follow.
		expect(rig.emails[0].text).toMatch(
			/^10,00 EUR: Kunde \d+\nStufe 1, Zahlungserinnerung an \S+\n\n10,00 EUR: /,
		);
	}, PATIENCE_MS);

	it('what the mail server refuses isn’t remembered as sent, and ends in an error', async () => {
		rig.isMailDown = true;
		const { error } = await run({ ...answer('Versenden'), 'Ask for approval': [{}] });
		expect(error).toMatch(/^Not sent: Bäckerei Sonnenschein GmbH: Nicht versendet, der nächste Lauf fragt wieder: /);
		expect(rows().filter(({ gesendetAm }) => gesendetAm)).toEqual([]);
		expect(rows()).toContainEqual(expect.objectContaining({ konto: '10001', nummer: 0, grund: 'Versand gescheitert' }));
		rig.isMailDown = false;
		await run();
		expect(sent().length).toBeGreaterThan(2);
		expect(rows().filter(({ gesendetAm }) => gesendetAm)).toHaveLength(sent().length);
	});

	it('writes no letter to a customer with two rows, and says so; another client’s row with the account doesn’t count', async () => {
		open(account('1', item('A', 10)), account('2', item('B', 20)));
		known({ 1: { anschrift: 'Falschweg 1', mahnsperre: 'x' } }, THIRD);
		rig.tables.rows('Mahnkunden').push({ companyId: BAKERY, konto: '2', anschrift: 'Am Weg 2' });
		await run();
		expect(sent().map(({ subject }) => subject)).toEqual(['Zahlungserinnerung: Kunde 1']);
		expect(sent()[0].text).toContain('Am Weg 1');
		expect(questions()[0].text).toContain('20,00 EUR: Kunde 2\nKein Schreiben. Die Tabelle „Mahnkunden“ hat mehr als eine Zeile für dieses Konto.');
	});

	it('of a client leaves out a line of the letter for which its row says nothing', async () => {
		open(account('1', item('A', 10)));
		Object.assign(rowOf(BAKERY), { bic: null, pflichtangaben: null });
		await run();
		expect(sent()[0].text).not.toMatch(/\{|null|undefined/);
	});

	describe('of all clients', () => {
		const all = async () => {
			rig.children = [];
			return await rig.run('payment-reminders', { from: 'Start', change: { 'A moment': { amount: 0 }, Settings: { holidays: '[]' } } });
		};
		const name = () => String(rowOf(THIRD).mandant);
		beforeEach(() => {
			open(account('1', item('A', 10)));
			Object.assign(rowOf(THIRD), { iban: 'DE44 5001 0517 5407 3249 31', bankkonto: 'acc-wallet', zustaendig: 'anna@kanzlei.example', anschrift: 'Hauptstraße 3' });
			rig.tables.rows('Mahnkunden').push({ companyId: THIRD, konto: '1', email: 'eins@kunden.example' });
		});
		const decide = async () => {
			for (const child of rig.children.filter(({ run }) => run.waitTill)) expect((await rig.answer(child, { Entscheidung: 'Versenden' })).error).toBeUndefined();
		};

		it('each has its own question, letters, IBAN and levels, whatever accounts of customers they share', async () => {
			expect((await all()).error).toBeUndefined();
			expect(looked()).toEqual(expect.arrayContaining([rowOf(BAKERY).reweRead, rowOf(THIRD).reweRead]));
			expect(questions()).toMatchObject([
				{ subject: `${GOOD}: Bitte freigeben: Mahnungen (1)`, to: ['buchhaltung@kanzlei-demo.example'] },
				{ subject: `${name()}: Bitte freigeben: Mahnungen (1)`, to: ['anna@kanzlei.example'] },
			]);
			expect(sent().concat(sent(name()))).toEqual([]);
			await decide();
			expect(sent()).toMatchObject([{ to: ['buchhaltung@kanzlei-demo.example'], text: expect.stringMatching(/^Bäckerei Sonnenschein GmbH, Marktplatz 4[^]*IBAN DE02 1203/) as string }]);
			expect(sent(name())).toMatchObject([{ to: ['eins@kunden.example'], text: expect.stringMatching(/, Hauptstraße 3\n[^]*IBAN DE44 5001/) as string }]);
			expect(sent(name())[0].text).not.toMatch(/Sonnenschein|DE02/);
			expect(rows()).toMatchObject([BAKERY, THIRD].map((companyId) => ({ companyId, konto: '1', stufe: 1, nummer: 1 })));
			// The bakery's time is over, the other one's not.
			Object.assign(rows()[0], { frist: today.minus({ days: 1 }).toISODate() });
			await all();
			await decide();
			expect(sent().map(({ subject }) => subject)).toEqual(['Zahlungserinnerung: Kunde 1', 'Mahnung: Kunde 1']);
			expect(sent(name())).toHaveLength(1);
		});

		it('one that fails doesn’t stop the next, nor does one without an IBAN', async () => {
			Object.assign(rowOf(BAKERY), { bankkonto: 'acc-none' });
			expect((await all()).error).toBeUndefined();
			expect(rig.children.map(({ error }) => error?.split(':')[0])).toEqual(['Bank transactions', undefined]);
			expect(questions()).toMatchObject([{ subject: `${name()}: Bitte freigeben: Mahnungen (1)` }]);
		});

		it.each<[string, () => unknown, RegExp]>([
			['a row that is there twice', () => rig.clients().push({ ...rowOf(BAKERY) }), /hat 2 Zeilen für: Bäckerei/],
			['the IBAN of another one', () => Object.assign(rowOf('29098-10002'), { iban: rowOf(BAKERY).iban }), /mit demselben Eintrag in: iban\./],
			['a connection of several', () => Object.assign(rowOf(BAKERY), { reweRead: '2c5289e4-0ee4-42a2-a4f4-63e488265032' }), /gilt laut Gateway für 2 Mandanten/],
			['no bank account', () => Object.assign(rowOf(BAKERY), { bankkonto: '' }), /^Bäckerei Sonnenschein GmbH: In der Tabelle „Mandanten“ ist die Spalte bankkonto leer\.$/],
		])('one with %s gets none, and the office is told', async (_, change, said) => {
			change();
			expect((await all()).error).toBeUndefined();
			expect(rig.children).toHaveLength(1);
			expect(rig.emails).toHaveLength(2);
			expect(rig.emails).toContainEqual(expect.objectContaining({ subject: expect.stringMatching(/^Ohne Mahnungen: Mandanten, bitte ansehen \(\d\)$/), text: expect.stringMatching(said) }));
			expect(questions().map(({ subject }) => subject)).toContain(`${name()}: Bitte freigeben: Mahnungen (1)`);
		});
	});
});
