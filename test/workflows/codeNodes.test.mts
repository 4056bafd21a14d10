/** The Code nodes of the examples. */
import type { INodeExecutionData } from 'n8n-workflow';
import sumBy from 'lodash/sumBy.js';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';

import { toCents } from '../../sandbox/accounting/books/booking.mjs';
import { openItems } from '../../sandbox/accounting/books/reports.mjs';
import { Ledger } from '../../sandbox/accounting/ledger.mjs';
import { Store } from '../../sandbox/store.mjs';
import { runCode, parametersOf } from '../support/exampleNode.mjs';

const items = (records: object[], item = 0): INodeExecutionData[] =>
	records.map((json) => ({ json: { ...json }, pairedItem: { item } }));

describe('close the month', () => {
	const MONTH_END = '2026-10-31';
	const company = (mandant: string, bankkonto = 'acc-giro') => ({
		companies: { mandant, verbindung: 'c', bankkonto, sachkonto: '1200' },
		monatsende: MONTH_END,
	});
	const books = [
		{ kontonummer: '1200', saldoSigned: 100.1 },
		{ kontonummer: '8400', saldoSigned: '-100.10' },
	];
	const bank = [
		{ date: '2026-11-01', eod: 1 },
		{ date: '2026-10-30', eod: 2 },
		{ date: '2026-10-31', eod: 100.1 },
	];
	const read = { Bank: [items(bank), []], 'Trial balance': [items(books), []], 'Open items': [[], []], Journal: [[], []] };

	/** The lines of the e-mail. */
	async function lines(companies: object[], outputs: Record<string, INodeExecutionData[][]>) {
		const [{ json, binary }] = await runCode('close-month', 'Lines', { Each: [items(companies)], ...outputs }, [
			{ json: {}, binary: { data: { mimeType: 'text/plain', data: '' } } },
		]);
		expect(binary).toHaveProperty('data');
		return json.lines as Array<{ mandant: string; gelesen: boolean; differenzen: string[]; text: string }>;
	}

	it('says that nothing differs', async () => {
		const [line] = await lines([company('A')], read);
		expect(line).toMatchObject({ mandant: 'A', gelesen: true, differenzen: [] });
		expect(line.text).toContain('A: keine Differenz');
	});

	it('names what differs: the bank, the sum of the balances', async () => {
		const [line] = await lines([company('A')], { ...read, Bank: [items(bank.slice(0, 2)), []] });
		expect(line.differenzen).toEqual(['Bank 2,00 EUR, Konto 1200: 100,10 EUR, Differenz -98,10 EUR']);
		const [other] = await lines([company('A', '')], { ...read, 'Trial balance': [items(books.slice(0, 1)), []] });
		expect(other.differenzen).toEqual(['Die Salden ergeben nicht 0,00 EUR, sondern 100,10 EUR']);
		const [none] = await lines([company('A')], { ...read, Bank: [[], []] });
		expect(none.differenzen).toEqual(['Der Kontostand der Bank oder der Saldo des Sachkontos fehlt']);
	});

	it('names a company that can’t be read, first, and goes on', async () => {
		const failed = items([{ error: 'no export subscription', details: { httpCode: 403 } }], 1);
		const result = await lines([company('A'), company('B')], {
			...read,
			'Trial balance': [items(books), failed],
			'Open items': [[], failed],
			Journal: [[], failed],
		});
		expect(result.map(({ mandant, gelesen }) => [mandant, gelesen])).toEqual([
			['B', false],
			['A', true],
		]);
		expect(result[0].text).toBe(
			'B: NICHT GELESEN (SuSa, OPOS, Journal)\n' +
				'Für diesen Mandanten ist der Abruf nicht erlaubt. Bitte prüfen Sie, ob er ein Abonnement für den Export hat und ob ' +
				'der Zugang ihn umfasst. Meldung des Nodes zu SuSa: „no export subscription“',
		);
	});

	it('sorts open items by their age at the end of the month', async () => {
		const ledger = new Ledger(new Store({ now: new Date('2026-11-20T12:00:00Z') }));
		const { konten } = openItems(ledger.books('29098-10001'), { stichtag: MONTH_END, filter: 'all', eb: 'reconcile' });
		const open = konten.flatMap(({ kontonummer, isDebitor, posten }) =>
			posten.map((one) => ({ kontonummer, isDebitor, ...one })),
		);
		const Each = [items([company('A')])];
		const rows = await runCode('close-month', 'OPOS by age', { Each, 'Open items': [items(open), []] });
		expect(rows).toHaveLength(open.length);
		const age = (belegdatum: string) => DateTime.fromISO(MONTH_END).diff(DateTime.fromISO(belegdatum), 'days').days;
		for (const { json } of rows) {
			expect(json['Alter (Tage)']).toBe(age(json.belegdatum as string));
			expect(json.Mandant).toBe('A');
		}
		const [line] = await lines([company('A')], { ...read, 'OPOS by age': [rows] });
		for (const [isDebitor, title] of [
			[true, 'Debitoren'],
			[false, 'Kreditoren'],
		] as const) {
			const sums = [0, 31, 61, 91].map((from, i) => {
				const within = open.filter((one) => one.isDebitor === isDebitor && age(one.belegdatum) >= from);
				const inAge = within.filter((one) => age(one.belegdatum) <= [30, 60, 90, Infinity][i]);
				return (sumBy(inAge, ({ saldo }) => toCents(saldo)) / 100).toLocaleString('de-DE', { minimumFractionDigits: 2 });
			});
			const [young, middle, older, old] = sums;
			expect(line.text).toContain(
				`${title}: 0–30 Tage ${young}, 31–60 Tage ${middle}, 61–90 Tage ${older}, über 90 Tage ${old}`,
			);
		}
		expect(line.differenzen).toContain('Posten sind seit über 90 Tagen offen');
	});

	it.each([
		[0, '0–30'],
		[30, '0–30'],
		[31, '31–60'],
		[60, '31–60'],
		[61, '61–90'],
		[90, '61–90'],
		[91, 'über 90'],
	])('%s days are %s', async (days, age) => {
		const belegdatum = DateTime.fromISO(MONTH_END).minus({ days }).toISODate();
		const outputs = { Each: [items([company('A')])], 'Open items': [items([{ belegdatum }])] };
		const [{ json }] = await runCode('close-month', 'OPOS by age', outputs);
		expect(json.Altersklasse).toBe(age);
	});
});

describe('chase what is missing', () => {
	const payment = {
		id: 'p1',
		made_on: '2026-11-10',
		amount: -611.56,
		payee: 'Mühle Kornblume OHG',
		description: 'Rechnung RE-261110 Mehl',
	};
	const upload = {
		id: 1,
		datei: 'a.pdf',
		betrag: 611.56,
		datum: '2026-11-08',
		verkaeufer: 'Mühle Kornblume',
		nummer: 'RE-261110',
		zahlung: '',
	};
	const match = async (payments: object[], uploads: object[]) =>
		(await runCode('chase-missing', 'Match', { Uploads: [items(uploads)], Outgoing: [items(payments)] })).map(
			({ json }) => json,
		);

	it.each([
		['by its link', { zahlung: 'p1', verkaeufer: 'x', nummer: '', datum: '2020-01-01' }, 'da'],
		['by amount, day and number', { verkaeufer: 'x' }, 'da'],
		['by amount, day and name', { nummer: '' }, 'da'],
		['by amount, day and a name written otherwise', { nummer: '', verkaeufer: 'KORNBLUME Mu\u0308hle' }, 'da'],
		['not by amount and day alone', { nummer: '', verkaeufer: 'Bäckerei' }, 'prüfen'],
		['not by the legal form', { nummer: '', verkaeufer: 'Andere GmbH OHG' }, 'prüfen'],
		['not by the link with another amount', { zahlung: 'p1', betrag: 61.56 }, 'prüfen'],
		['not by the number with another amount', { betrag: 61.56 }, 'prüfen'],
		['not by a part of the number', { nummer: 'RE-2611', verkaeufer: 'x', betrag: 1 }, 'fehlt'],
		['not by the name with another amount', { nummer: '', betrag: 1 }, 'fehlt'],
		['not by the amount of another year', { nummer: '', verkaeufer: 'x', datum: '2025-11-08' }, 'fehlt'],
		['not by an upload for another payment, with another number', { zahlung: 'p2', nummer: '1234', verkaeufer: 'x' }, 'prüfen'],
	])('%s', async (_, change, status) => {
		expect(await match([payment], [{ ...upload, ...change }])).toMatchObject([{ id: 'p1', status }]);
	});

	it('names what fits and what doesn’t', async () => {
		const [{ grund }] = await match([payment], [{ ...upload, betrag: 61.56 }]);
		expect(grund).toBe(
			'Es passen: die Rechnungsnummer, der Name, der Tag. Es passen nicht: der Link dieser Zahlung, der Betrag',
		);
	});

	it('names nothing that doesn’t fit where all that is known does', async () => {
		const known = { ...upload, betrag: null, datum: '', zahlung: 'p1' };
		const [{ grund }] = await match([payment], [known]);
		expect(grund).toBe(
			'Es passen: der Link dieser Zahlung, die Rechnungsnummer, der Name. Nicht bekannt: der Betrag, der Tag',
		);
	});

	it('a receipt is for one payment: the one with its link, then its number', async () => {
		const twice = [payment, { ...payment, id: 'p2', description: 'Rechnung' }];
		const statuses = async (uploads: object[]) => (await match(twice, uploads)).map(({ status }) => status);
		expect(await statuses([upload])).toEqual(['da', 'fehlt']);
		expect(await statuses([{ ...upload, zahlung: 'p2' }])).toEqual(['fehlt', 'da']);
		expect(await statuses([upload, { ...upload, id: 2, nummer: '' }])).toEqual(['da', 'da']);
	});

	it('a document that was uploaded and sent by a link is for one payment', async () => {
		const twice = [payment, { ...payment, id: 'p2' }];
		const rows = [
			{ ...upload, dokument: 'd1' },
			{ ...upload, dokument: 'd1', id: 2, zahlung: 'p2' },
		];
		expect((await match(twice, rows)).map(({ status }) => status)).toEqual(['fehlt', 'da']);
	});

	it.each([
		['a file with the whole name', { verkaeufer: '2026-11-12 Rechnung Mühle Kornblume' }, 'prüfen'],
		['an e-mail of that name and day', { verkaeufer: 'Mühle Kornblume <info@kornblume.example>', datum: '2026-11-09' }, 'prüfen'],
		['not by a name that is alike', { verkaeufer: 'Rechnung Mühle Korntal' }, 'fehlt'],
		['not by an e-mail of another year', { verkaeufer: 'Mühle Kornblume', datum: '2025-11-09' }, 'fehlt'],
	])('an upload whose amount isn’t known has to be looked at: %s', async (_, known, status) => {
		// As n8n's Data Table gives what was left empty.
		const unknown = { id: 1, dokument: 'd1', datei: 'a.pdf', betrag: null, datum: '', verkaeufer: '', nummer: '', zahlung: '' };
		const [found] = await match([payment], [{ ...unknown, ...known }]);
		expect(found).toMatchObject({ status });
		if (status === 'prüfen') expect(found.grund).toContain('Nicht bekannt: der Betrag');
	});

	it('without uploads, everything is missing', async () => {
		expect(await match([payment], [{}])).toMatchObject([{ status: 'fehlt', beleg: '', grund: '' }]);
	});

	it('hostile texts are text, and take no time', async () => {
		const start = performance.now();
		const evil = '(((a+)+)+)+$'.repeat(2000);
		await match([{ ...payment, description: evil }], [{ ...upload, nummer: `${'R1-'.repeat(11)}100`, verkaeufer: evil }]);
		await match([{ ...payment, description: 'R1-'.repeat(60_000) }], [{ ...upload, nummer: `${'R1-'.repeat(11)}100` }]);
		expect(performance.now() - start).toBeLessThan(5000);
		expect(await match([payment], [{ ...upload, nummer: '.*(\\d{6})', verkaeufer: 'x' }])).toMatchObject([{ status: 'prüfen' }]);
	});
});

describe('suggest accounts', () => {
	const booking = (buchungstext: string, konto: string, buSchluessel: string | null = null) => ({
		buchungstext,
		buchungszeilen: [
			{ kontonummer: '70001', umsatz: -119 },
			{ kontonummer: konto, umsatz: 100, buSchluessel },
			{ kontonummer: '1576', umsatz: 19 },
		],
	});
	const flour = booking('Mehl, Mühle Hagedorn GmbH', '3300', '8');
	async function suggest(invoice: object, journal: object[], lastYear: object[] = []) {
		const Journal = [[...items(lastYear, 0), ...items(journal, 1)]];
		const [{ json }] = await runCode('suggest-accounts', 'Suggest', { Invoice: [items([invoice])], Journal });
		return json as { vorschlaege: object[]; zeugnis: object[] };
	}
	const first = async (...given: Parameters<typeof suggest>) => (await suggest(...given)).vorschlaege[0];

	it('takes account and tax key that most bookings had, with the share', async () => {
		const other = booking('Mehl, Mühle Hagedorn GmbH', '3400');
		expect(await first({ verkaeufer: 'Muehle Hagedorn', text: 'Mehl' }, [flour, flour, other], [flour])).toEqual({
			verkaeufer: 'Muehle Hagedorn',
			text: 'Mehl',
			konto: '3300',
			buSchluessel: '8',
			anteil: 75,
			grund: '3 von 4 Buchungen mit: hagedorn, mehl',
		});
	});

	it('suggests nothing for another seller, whatever is bought, or an empty journal', async () => {
		const none = { grund: 'Keine Buchung passt' };
		const invoice = { verkaeufer: 'Papier Schmidt', text: 'Mehl' };
		expect(await first(invoice, [flour])).toEqual({ ...invoice, ...none });
		expect(await suggest(invoice, [])).toEqual({ zeugnis: [], vorschlaege: [{ ...invoice, ...none }] });
		// A journal that couldn't be read.
		expect(await first(invoice, [{ error: 'no subscription' }])).toEqual({ ...invoice, ...none });
	});

	it('counts invoices of suppliers only: no payments, takings or tax', async () => {
		const payment = { buchungstext: 'Zahlung Mühle Hagedorn GmbH', buchungszeilen: [
			{ kontonummer: '1200', umsatz: -119 },
			{ kontonummer: '70001', umsatz: 119 },
		] };
		expect(await first({ verkaeufer: 'Mühle Hagedorn', text: '' }, [payment])).toMatchObject({ grund: 'Keine Buchung passt' });
	});

	it('has a report card: the last quarter, from the three before it, by account', async () => {
		const power = booking('Strom, Stadtwerke Neuenfeld AG', '4240', '9');
		const journal = [flour, power, flour, flour, power, flour, booking('Strom, Stadtwerke Neuenfeld AG', '4250'), booking('Kaffee, Brandt', '4650')];
		const { zeugnis } = await suggest({ verkaeufer: 'x', text: '' }, journal, [booking('Kaffee, Brandt', '4650')]);
		expect(zeugnis).toEqual([
			{ konto: '4250', rechnungen: 1, vorgeschlagen: 1, treffer: 0 },
			{ konto: '4650', rechnungen: 1, vorgeschlagen: 0, treffer: 0 },
		]);
		const { zeugnis: right } = await suggest({ verkaeufer: 'x', text: '' }, [flour, flour, flour, flour]);
		expect(right).toEqual([{ konto: '3300', rechnungen: 1, vorgeschlagen: 1, treffer: 1 }]);
	});
});

describe('the Verfahrensdokumentation', () => {
	const node = (changes: object) => ({
		id: '1',
		name: 'Book',
		type: 'n8n-nodes-accounting-gateway.accountingGatewayDelivery',
		typeVersion: 1,
		position: [0, 0],
		parameters: { operation: 'create', connectionId: { __rl: true, value: 'id', cachedResultName: 'Bäckerei' } },
		credentials: { accountingGatewayApi: { id: 'secret-id', name: 'Gateway' } },
		...changes,
	});
	const workflow = (changes: object) => ({ id: 'w1', name: 'W', versionId: 'v1', nodes: [node({})], ...changes });
	const document = async (workflows: object[]) =>
		(await runCode('verfahrensdokumentation', 'Chapters', {}, items(workflows)))[0].json as {
			workflows: string[];
			chapters: string;
		};

	it('has a chapter for each workflow that uses the gateway, with its nodes, versions and settings', async () => {
		const note = node({ type: 'n8n-nodes-base.stickyNote', parameters: { content: 'Why' } });
		const other = workflow({ name: 'Other', nodes: [node({ type: 'n8n-nodes-base.set' })] });
		const { workflows, chapters } = await document([
			workflow({ name: 'Z' }),
			other,
			workflow({ name: 'A', nodes: [node({ onError: 'continueErrorOutput' }), note], settings: { timezone: 'Europe/Berlin' } }),
		]);
		expect(workflows).toEqual(['A', 'Z']);
		for (const text of ['2.1 A', '2.2 Z', 'Version v1', 'Bäckerei', 'Gateway', 'Europe/Berlin', 'Why', 'Weiter am Fehlerausgang']) {
			expect(chapters).toContain(text);
		}
	});

	it('shows a note as n8n does: in paragraphs, and without the signs of Markdown', async () => {
		const content = '### 1 · The **entries**\nSmall images (*.png*), `npm start`, 2 * 3 & <b>\n\nEnd';
		const note = node({ type: 'n8n-nodes-base.stickyNote', parameters: { content } });
		const { chapters } = await document([workflow({ nodes: [note, node({})] })]);
		expect(chapters).toContain(
			'<p>1 · The entries</p><p>Small images (.png), npm start, 2 * 3 &#38; &#60;b&#62;</p><p>End</p>',
		);
	});

	it('shows parameters of this package’s nodes only, and no credential’s ID', async () => {
		const http = node({ name: 'HTTP', type: 'n8n-nodes-base.httpRequest', parameters: { header: 'Bearer topsecret' } });
		const { chapters } = await document([workflow({ nodes: [node({}), http] })]);
		expect(chapters).toContain('n8n-nodes-base.httpRequest');
		expect(chapters).not.toContain('topsecret');
		expect(chapters).not.toContain('secret-id');
	});

	it('shows what people wrote as text', async () => {
		const evil = '<img src=x onerror="alert(1)">&\'';
		const note = node({ type: 'n8n-nodes-base.stickyNote', parameters: { content: evil } });
		const { chapters } = await document([
			workflow({ id: evil, name: evil, versionId: evil, updatedAt: evil, settings: { [evil]: evil }, nodes: [
				note,
				node({ name: evil, onError: evil, parameters: { [evil]: evil, other: { deep: evil } }, credentials: { a: { name: evil } } }),
			] }),
		]);
		expect(chapters).not.toMatch(/<img|onerror="/);
	});

	it('is made where no workflow is published', async () => {
		expect(await document([{}])).toEqual({ workflows: [], chapters: '' });
	});
});

describe('cash register day', () => {
	it('writes down number, lines, photos and their hashes of an entry', async () => {
		// As the gateway answers: of a line, the number is written otherwise than it was sent.
		const lines = [
			{ belegtext: 'Reiniger', belegnummer: '0019' },
			{ belegtext: 'Milch', belegnummer: '0019' },
		];
		const { workflowInputs } = (await parametersOf('cash-register-day', 'Write it down', {
			json: { betrag: -33.2, belegzeilen: lines, alreadyExisted: false },
			outputs: {
				'Sort by time': [
					{ belegnummer: '0018', beleg: 'other.jpg' },
					{ belegnummer: '0019', beleg: '' },
					{ belegnummer: '0019', beleg: 'Putzmittel.jpg' },
				],
				Fingerprint: [
					{ fileName: 'other.jpg', pruefsumme: 'f1' },
					{ fileName: 'Putzmittel.jpg', pruefsumme: 'f2' },
				],
			},
		})) as { workflowInputs: { value: object } };
		expect(workflowInputs.value).toMatchObject({
			vorgang: 'Kassenbuchung: 0019, -33,20 EUR, Reiniger; Milch',
			datei: 'Putzmittel.jpg',
			pruefsumme: 'f2',
			antwort: '0019',
		});
	});
});

describe('approve before booking', () => {
	const shown = [
		{ belegnummer: 'A-1', pruefsumme: 'f1' },
		{ belegnummer: 'A-2', pruefsumme: 'f2' },
	];
	it('books the entries whose rows were approved with the checksum that was shown, with their files', async () => {
		const binary = { data: { mimeType: 'image/jpeg', data: '' } };
		const outputs = { 'What is shown': [items(shown).map((item) => ({ ...item, binary }))] };
		const approved = async (...rows: object[]) =>
			await runCode('approve-booking', 'As shown', outputs, items(rows));
		expect(await approved(...shown)).toHaveLength(2);
		expect(await approved(shown[1])).toMatchObject([{ json: shown[1], binary }]);
		expect(await approved({ ...shown[0], pruefsumme: 'f2' })).toEqual([]);
		expect(await approved({})).toEqual([]);
	});
});
