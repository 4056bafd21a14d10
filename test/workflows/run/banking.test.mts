/** The examples about payments as a whole: what happens for none, one, several hundred, and while the mail server is down. */
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { beforeEach, describe, expect, it } from 'vitest';

import { useExamples } from '../../support/exampleRun.mjs';
import { PATIENCE_MS } from '../../../tools/waiting.mjs';

const rig = useExamples();
const texts = () => rig.emails.map(({ text }) => text);
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
				subject: 'Zahlung ausgeführt',
				text:
					'20.11.2026, 1.244,99 EUR, „Backtechnik Schreiber e. K.“, „Rechnung 70006/240066“. Gleicht aus: „70006/240066“, ' +
					'„Backtechnik Schreiber e. K.“, offen 1.244,99 EUR.\n\nStatus bei der Bank: ACSC',
			},
		]);
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

	it('of 500, those that failed are told, and each has one row with its last status', async () => {
		const others = Array.from({ length: 499 }, (_, i) => event(`p${i}`, 'processing'));
		expect((await run(...others, event('bad', 'rejected'))).error).toBeUndefined();
		await run(event('p0', 'failed'));
		expect(rig.emails.map(({ subject }) => subject)).toEqual([
			'Zahlung abgelehnt: bitte neu veranlassen, falls sie noch fällig ist',
			'Zahlung gescheitert: bitte neu veranlassen, falls sie noch fällig ist',
		]);
		const rows = rig.tables.rows('Zahlungen');
		expect(rows).toHaveLength(500);
		expect(rows.find(({ zahlung }) => zahlung === 'p0')).toMatchObject({ status: 'failed' });
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
	const run = async (...items: IDataObject[]) =>
		await rig.run('incoming-payment', { from: 'New payment', pinned: { 'New payment': items } });

	it('says what each is for in one e-mail, also of 500', async () => {
		const others = Array.from({ length: 499 }, (_, i) => payment({ amount: 7, description: `Miete ${i}`, payer: 'x' }));
		expect((await run(payment({ amount: 1031.15, description: 're 2026 0038' }), ...others)).error).toBeUndefined();
		expect(rig.emails).toMatchObject([{ subject: 'Zahlungen und offene Posten: 500' }]);
		const [first, ...rest] = rig.emails[0].text.split('\n\n');
		expect(first).toBe(
			'20.11.2026, 1.031,15 EUR, „Hotel am Markt GmbH“, „re 2026 0038“. Gleicht aus: „RE-2026-0038“, „Hotel am Markt GmbH“, ' +
				'offen 1.031,15 EUR.',
		);
		expect(rest).toHaveLength(499);
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
	/** What Settings say about customers; those of `openItems` have an address, so that their letters go to the office. */
	let customers: IDataObject | undefined;
	beforeEach(() => (customers = undefined));
	const run = async (pinned: Record<string, IDataObject[]> = answer('Versenden'), Settings: IDataObject = {}) => {
		const change = { Settings: { ...(customers && { customers: JSON.stringify(customers) }), ...Settings } };
		return await rig.run('payment-reminders', { from: 'Start', pinned, change });
	};
	const open = (...konten: IDataObject[]) => {
		customers = Object.fromEntries(konten.map(({ kontonummer }) => [kontonummer, { address: 'Am Weg 1' }]));
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
	const isLetter = ({ subject }: { subject: string }) => /^(Zahlungserinnerung|Mahnung|Letzte Mahnung): /.test(subject);
	const sent = () => rig.emails.filter(isLetter);
	const questions = () => rig.emails.filter((email) => !isLetter(email));
	const rows = () => rig.tables.rows('Mahnungen');

	const today = DateTime.now().setZone('Europe/Berlin').startOf('day');
	const on = (days: number) => today.plus({ days }).toFormat('dd.MM.yyyy');
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

	it('says when a customer’s items are due by a payment term of the books, his own, or days of the table', async () => {
		const soon = today.minus({ days: 20 }).toISODate()!;
		const four = ['1', '2', '3', '4'].map((konto) => account(konto, item('A', 10, soon)));
		open(...four);
		const address = 'Am Weg 1';
		customers = { 1: { address }, 2: { address, paymentTerm: '14 Tage netto' }, 3: { address, daysToPay: 10 }, 4: { address, paymentTerm: '40' } };
		await run();
		expect(sent().map(({ subject }) => subject.at(-1))).toEqual(['2', '3']);
	});

	it.each([
		['a dunning block', { address: 'x', dunningBlock: 'Reklamation' }, 'Mahnsperre: Reklamation.'],
		// Its period depends on the day of the month.
		['a payment term with periods', { address: 'x', paymentTerm: '60' }, 'Fälligkeit unbekannt: In Settings fehlt eine Zahlungsbedingung der Buchhaltung, die nach Tagen rechnet, oder daysToPay.'],
		['a payment term that the books don’t have', { address: 'x', paymentTerm: '7 Tage' }, 'Fälligkeit unbekannt: '],
		['neither e-mail nor address', {}, 'Anschrift unbekannt: In Settings stehen weder email noch address, und das Gateway nennt sie nicht.'],
	])('writes no letter to a customer with %s, and says so', async (_, customer, said) => {
		open(account('1', item('A', 10)), account('2', item('B', 20)));
		Object.assign(customers!, { 1: customer });
		await run();
		expect(sent().map(({ subject }) => subject)).toEqual(['Zahlungserinnerung: Kunde 2']);
		expect(questions()[0].text).toContain(`10,00 EUR: Kunde 1\nKein Schreiben. ${said}`);
		expect(questions()[0].subject).toBe('Bitte freigeben: Mahnungen (1)');
		expect(rows()[0]).toMatchObject({ konto: '1', gesendetAm: '', grund: expect.stringContaining(said.replace(/[.: ]+$/, '')) });
	});

	/**
	 * A reminder needs no form, but must ask clearly for payment (§ 286 (1) BGB): what is owed, by whom, to whom, until when, where to.
	 * Default interest and damages are those of § 288 BGB, after default: https://www.gesetze-im-internet.de/bgb/__286.html, __288.html
	 */
	it('says in the letter and to the approver who owes what to whom, until when, and where to', async () => {
		open(account('7', item('A-100', 1100), item('G-100', -30), item('EB-RESIDUAL', 50, '2026-01-01')));
		customers = { 7: { email: 'sieben@kunden.example', address: 'Siebenweg 7\n70007 Siebenstadt' } };
		await run();
		const [letter] = sent();
		expect(letter).toMatchObject({ subject: 'Zahlungserinnerung: Kunde 7', to: ['sieben@kunden.example'] });
		expect(letter.text.trim().split(/\n+/)).toEqual([
			'Bäckerei Sonnenschein GmbH, Marktplatz 4, 04177 Leipzig',
			'Kunde 7',
			'Siebenweg 7',
			'70007 Siebenstadt',
			`Leipzig, ${on(0)}`,
			'Zahlungserinnerung',
			'Kundennummer 7',
			'Guten Tag,',
			`sicher ist es Ihrer Aufmerksamkeit entgangen: Die folgenden Posten sind fällig. Bitte überweisen Sie den offenen Betrag bis zum ${on(10)}.`,
			'Saldovortrag: 20,00 EUR (von 50,00 EUR)',
			'Rechnung A-100 vom 05.01.2026, fällig am 04.02.2026: 1.100,00 EUR',
			'Offener Betrag: 1.120,00 EUR',
			'Ihr Guthaben von 30,00 EUR ist davon schon abgezogen: Es ist auf die ältesten fälligen Posten angerechnet.',
			'Bitte nennen Sie im Verwendungszweck Ihre Kundennummer 7. Konto: Bäckerei Sonnenschein GmbH, IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX, Commerzbank',
			'Haben Sie inzwischen gezahlt, betrachten Sie dieses Schreiben bitte als gegenstandslos.',
			'Mit freundlichen Grüßen',
			'Bäckerei Sonnenschein GmbH',
		]);
		const [{ text }] = questions();
		expect(text).toContain('1.120,00 EUR: Kunde 7\nStufe 1, Zahlungserinnerung an sieben@kunden.example');
		expect(text.replace(/\s+/g, ' ')).toContain(letter.text.trim().replace(/\s+/g, ' '));
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
			frist: today.plus({ days: 10 }).toISODate(),
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
		customers = { 1: { email: 'no address' }, 2: { email: 'zwei@kunden.example' }, 3: { email: 'drei@kunden.example' } };
		expect((await run()).error).toBe('Not sent: Nicht versendet, der nächste Lauf fragt wieder: Konto 1');
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

	it('500 customers are one question', async () => {
		open(...Array.from({ length: 500 }, (_, i) => account(`${i}`, item(`RE-${1000 + i}`, 10))));
		const { error, items } = await run(answer(NOT_ALL));
		expect(error).toBeUndefined();
		expect(rig.emails).toMatchObject([{ subject: 'Bitte freigeben: Mahnungen (500)' }]);
		expect(items('Letter')).toHaveLength(500);
		// For each, the sum first, and the level; the letters follow.
		expect(rig.emails[0].text).toMatch(
			/^10,00 EUR: Kunde \d+\nStufe 1, Zahlungserinnerung an \S+\n\n10,00 EUR: /,
		);
	}, PATIENCE_MS);

	it('what the mail server refuses isn’t remembered as sent, and ends in an error', async () => {
		rig.isMailDown = true;
		const { error } = await run({ ...answer('Versenden'), 'Ask for approval': [{}] });
		expect(error).toMatch(/^Not sent: Nicht versendet, der nächste Lauf fragt wieder: /);
		expect(rows().filter(({ gesendetAm }) => gesendetAm)).toEqual([]);
		expect(rows()).toContainEqual(expect.objectContaining({ konto: '10001', nummer: 0, grund: 'Versand gescheitert' }));
		rig.isMailDown = false;
		await run();
		expect(sent().length).toBeGreaterThan(2);
		expect(rows().filter(({ gesendetAm }) => gesendetAm)).toHaveLength(sent().length);
	});
});
