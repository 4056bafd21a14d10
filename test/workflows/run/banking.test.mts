/** The examples about payments as a whole: what happens for none, one, several hundred, and while the mail server is down. */
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';

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
		expect(rig.emails[0].html).not.toMatch(/<(?:i|img)\b/);
	});

	it('an amount that nobody can read is told, and the others are judged', async () => {
		await run(payment({ amount: '12.5O' }), payment({ amount: 1, description: 'Trinkgeld' }));
		expect(texts()).toHaveLength(2);
		expect(texts()).toContainEqual(expect.stringMatching(/^20\.11\.2026, 12\.5O EUR: nicht geprüft, .*\nBetrag „12\.5O“ /));
	});

	it('a gateway that doesn’t answer leaves nothing unsaid', async () => {
		rig.sandbox.faults.add({ kind: 'status', operationId: 'getOpenItems', status: 401, times: null });
		await run(payment({ amount: 1031.15, description: 'RE-2026-0038' }));
		expect(texts()).toEqual([expect.stringMatching(/: nicht geprüft, /)]);
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
	const answer = (Entscheidung?: string) => ({ 'Wait for approval': [{ Entscheidung }] });
	const run = async (pinned: Record<string, IDataObject[]> = answer('Versenden'), Settings = {}) =>
		await rig.run('payment-reminders', { from: 'Start', pinned, change: { Settings } });
	const account = (kontonummer: string, ...posten: IDataObject[]) => ({
		kontonummer,
		bezeichnung: `Kunde ${kontonummer}`,
		isDebitor: true,
		totalSaldo: 1,
		posten,
	});
	const item = (beleg: string, saldo: number, belegdatum = '2026-01-05') => ({ beleg, belegdatum, saldo });
	const sent = () => rig.emails.filter(({ subject }) => !subject.startsWith('Bitte freigeben'));

	const today = DateTime.now().setZone('Europe/Berlin').startOf('day');
	const on = (days: number) => today.plus({ days }).toFormat('dd.MM.yyyy');
	/** What was sent before, and whose time is over. */
	const wasSent = (rows: IDataObject[]) =>
		rows.forEach((row) => {
			for (const one of rig.tables.rows('Mahnungen').filter(({ konto }) => konto === row.konto)) Object.assign(one, row);
		});

	it.each([['Verwerfen'], [undefined]])('sends nothing after "%s"', async (said) => {
		expect((await run(answer(said))).error).toBeUndefined();
		expect(sent()).toEqual([]);
		expect(rig.tables.rows('Mahnungen')).toEqual([]);
		expect(rig.emails[0].text).toMatch(/Hotel am Markt GmbH[^]*Es ist noch nichts versendet/);
	});

	it('leaves out what a payment names, in part or in full, and reminds of the rest once', async () => {
		rig.sandbox.services.bank.transfer({ amount: 100, partner: 'Café Lindenhof OHG', text: 'RE-2026-0035' });
		expect((await run()).error).toBeUndefined();
		const cafe = sent().find(({ to }) => to[0] === 'rechnung@cafe-lindenhof.example')!;
		expect(cafe.subject).toBe('Zahlungserinnerung: Café Lindenhof OHG');
		expect(cafe.text).toContain('Rechnung RE-2025-0065 vom 18.12.2025, fällig am 17.01.2026: 1.169,36 EUR');
		expect(cafe.text).not.toContain('RE-2026-0035');
		const { length } = sent();
		expect(length).toBeGreaterThan(3);
		const again = await run();
		expect(again.ran('Ask for approval')).toBe(false);
		expect(sent()).toHaveLength(length);
	});

	/**
	 * A reminder needs no form, but must ask clearly for payment (§ 286 (1) BGB): what is owed, to whom, until when, where to. Default
	 * interest and damages are those of § 288 BGB, after default.
	 */
	it('says in the letter and to the approver who is owed what, until when, and where to', async () => {
		openItems([account('7', item('A-100', 1100), item('G-100', -30), item('EB-RESIDUAL', 50, '2026-01-01'))]);
		await run();
		const [letter] = sent();
		expect(letter.subject).toBe('Zahlungserinnerung: Kunde 7');
		expect(letter.text.trim().split(/\n+/)).toEqual([
			'Bäckerei Sonnenschein GmbH, Marktplatz 4, 04177 Leipzig',
			'An Kunde 7, Kundennummer 7',
			'Zahlungserinnerung',
			'Guten Tag,',
			`sicher ist es Ihrer Aufmerksamkeit entgangen: Die folgenden Posten sind fällig. Bitte überweisen Sie den offenen Betrag bis zum ${on(10)}.`,
			'Saldovortrag: 20,00 EUR (von 50,00 EUR)',
			'Rechnung A-100 vom 05.01.2026, fällig am 04.02.2026: 1.100,00 EUR',
			'Offener Betrag: 1.120,00 EUR',
			'Etwaige Guthaben haben wir auf Ihre ältesten fälligen Posten angerechnet.',
			'Bitte nennen Sie im Verwendungszweck Ihre Kundennummer 7. Konto: Bäckerei Sonnenschein GmbH, IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX, Commerzbank',
			'Haben Sie inzwischen gezahlt, betrachten Sie dieses Schreiben bitte als gegenstandslos.',
			'Mit freundlichen Grüßen',
			'Bäckerei Sonnenschein GmbH',
		]);
		const [{ text }] = rig.emails;
		expect(text).toContain('1.120,00 EUR: Kunde 7\nStufe 1, Zahlungserinnerung an buchhaltung@kanzlei-demo.example');
		expect(text.replace(/\s+/g, ' ')).toContain(letter.text.trim().replace(/\s+/g, ' '));
	});

	it('counts credit notes, not what is not due yet, and writes to whoever owes on balance', async () => {
		const soon = new Date().toISOString().slice(0, 10);
		openItems([
			account('1', item('A-100', 100), item('G-100', -30), item('A-101', 500, soon)),
			account('2', item('A-200', 100), item('G-200', -100)),
			account('3', item('A-300', 50, soon)),
		]);
		await run();
		expect(sent()).toHaveLength(1);
		expect(sent()[0]).toMatchObject({ to: ['buchhaltung@kanzlei-demo.example'], subject: 'Zahlungserinnerung: Kunde 1' });
		expect(sent()[0].text).toContain('Offener Betrag: 70,00 EUR');
		expect(sent()[0].text).not.toContain('A-101');
	});

	it('takes the next level when the time of the last letter is over, and none after the last one', async () => {
		openItems([account('1', item('A', 10)), account('2', item('B', 20))]);
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
		openItems([account('1', item('A', 10), item('C', 30))]);
		expect(await subjects()).toEqual(['Zahlungserinnerung: Kunde 1']);
		expect(sent().at(-1)!.text).toContain('Offener Betrag: 30,00 EUR');
	});

	it('threatens nobody for an invoice that no letter has named: the highest level goes first, the others after it', async () => {
		openItems([account('1', item('A', 10))]);
		const frist = today.minus({ days: 1 }).toISODate()!;
		for (let level = 1; level < 3; level++) {
			await run();
			wasSent([{ konto: '1', frist }]);
		}
		openItems([account('1', item('A', 10), item('B', 500), item('G', -5))]);
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
		openItems([account('1', item('OLD', 100))]);
		await run();
		wasSent([{ konto: '1', frist: today.minus({ days: 1 }).toISODate()! }]);
		// At neither level, the items exceed the credit; on balance, 50 EUR are owed.
		openItems([account('1', item('NEW', 100, '2026-02-05'), item('OLD', 100), item('G', -150, '2026-03-01'))]);
		await run();
		expect(sent().at(-1)).toMatchObject({ subject: 'Zahlungserinnerung: Kunde 1' });
		expect(sent().at(-1)!.text).toContain('Rechnung NEW vom 05.02.2026, fällig am 07.03.2026: 50,00 EUR (von 100,00 EUR)');
		expect(sent().at(-1)!.text).toContain('Offener Betrag: 50,00 EUR');
		expect(sent().at(-1)!.text).not.toContain('OLD');
		expect(rig.tables.rows('Mahnungen').at(-1)).toMatchObject({ stufe: 1, posten: 'NEW', betrag: '50,00 EUR' });
	});

	it('sends nothing to whoever owes nothing on balance, and counts cents exactly', async () => {
		openItems([
			account('1', item('A', 0.1), item('B', 0.2, '2026-02-05'), item('G', -0.3)),
			account('2', item('C', 0.1), item('D', 0.2, '2026-02-05'), item('G', -0.29)),
		]);
		await run();
		expect(sent().map(({ subject }) => subject)).toEqual(['Zahlungserinnerung: Kunde 2']);
		expect(sent()[0].text).toContain('Offener Betrag: 0,01 EUR');
	});

	it('an address that is refused is told, and the others get theirs once', async () => {
		openItems(['1', '2', '3'].map((konto) => account(konto, item('A', 10))));
		const addresses = '{ "1": "no address", "2": "zwei@kunden.example", "3": "drei@kunden.example" }';
		expect((await run(answer('Versenden'), { addresses })).error).toMatch(/^Not sent: .*Kunde 1$/);
		expect(sent().map(({ to }) => to)).toEqual([['zwei@kunden.example'], ['drei@kunden.example']]);
	});

	it('of two questions about it, both answered, sends it once', async () => {
		const asked = [await run({}), await run({})];
		for (const one of asked) await rig.answer(one, { Entscheidung: 'Versenden' });
		expect(sent().length).toBeGreaterThan(3);
		expect(new Set(sent().map(({ subject }) => subject)).size).toBe(sent().length);
		expect(rig.tables.rows('Mahnungen')).toHaveLength(sent().length);
	});

	it('nothing is due: nobody is asked', async () => {
		openItems([]);
		expect((await run()).error).toBeUndefined();
		expect(rig.emails).toEqual([]);
	});

	it('500 customers are one question', async () => {
		openItems(Array.from({ length: 500 }, (_, i) => account(`${i}`, item(`RE-${1000 + i}`, 10))));
		const { error, items } = await run(answer('Verwerfen'));
		expect(error).toBeUndefined();
		expect(rig.emails).toMatchObject([{ subject: 'Bitte freigeben: 500 Mahnungen' }]);
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
		expect(rig.tables.rows('Mahnungen')).toEqual([]);
		rig.isMailDown = false;
		await run();
		expect(sent().length).toBeGreaterThan(3);
		expect(rig.tables.rows('Mahnungen')).toHaveLength(sent().length);
	});
});
