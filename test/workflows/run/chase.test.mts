/** The example "Missing receipts" as a whole. The form behind its links: test/e2e/shared/chaseForm.e2e.mts. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { LINKS, readExample, sealOf } from '../../../demo/examples.mjs';
import { parametersOf } from '../../support/exampleNode.mjs';
import { useExamples } from '../../support/exampleRun.mjs';
import { processorTime } from '../../support/timing.mjs';

const rig = useExamples();
const CLIENT = ['29098-10001', 'Bäckerei Sonnenschein GmbH'];
const PAYMENT = { id: '3243edb3-c962-4b9d-889f-028f9badd3d6', amount: 611.56, name: 'Mühle Kornblume OHG', number: 'RE-261110' };
const inThreeWeeks = () => DateTime.now().setZone('Europe/Berlin').plus({ weeks: 3 }).toISODate()!;
const UPLOAD = { dokument: 'd1', datei: 'a.pdf', betrag: 611.56, datum: '2026-11-08', verkaeufer: 'Mühle Kornblume', nummer: 'RE-261110', zahlung: '' };
const rowOf = (companyId: string) => rig.clients().find((one) => one.companyId === companyId)!;
const [bakery, cafe] = [() => rowOf('29098-10001'), () => rowOf('29098-10002')];

beforeEach(async () => await rig.fillTableOfClients());

/** Goes through all clients; `items` also has what was put out for each. */
async function run(from = 'Start', pinned = {}) {
	rig.subRuns = [];
	const ran = await rig.run('chase-missing', { from, pinned, credentials: { crypto: LINKS } });
	const each = rig.subRuns.filter(({ example }) => example === 'chase-missing');
	return { ...ran, each, items: (node: string) => [ran, ...each].flatMap((one) => one.items(node)) };
}
/** What becomes of the payment with these uploads. */
async function statusOf(...uploads: object[]) {
	await run();
	const rows = rig.tables.rows('Hochgeladene Belege');
	rows.splice(0, rows.length, ...uploads.map((one, id) => ({ id: id + 1, ...UPLOAD, verbindung: bakery().duo, ...one })));
	const { error, items } = await run();
	expect(error).toBeUndefined();
	return items('Match').find(({ id }) => id === PAYMENT.id)?.status;
}
it('what came by e-mail to the office for many clients isn’t asked for', async () => {
	const { error } = await rig.run('receipts-email-clients', { from: 'Start' });
	expect(error).toBeUndefined();
	const payment = { ...PAYMENT, payee: 'Mühle Korntal', description: 'Rechnung 2026-1203', amount: -368.73, currency_code: 'EUR', made_on: '2026-11-22', duplicated: false };
	const { items } = await run('Start', { Payments: [payment] });
	expect(items('Match')).toMatchObject([{ id: PAYMENT.id, status: 'da' }]);
});
it('without uploads, asks for each payment with its sealed link, in one e-mail', async () => {
	const before = inThreeWeeks();
	const { error, items } = await run();
	expect(error).toBeUndefined();
	const payments = items('Match');
	expect(payments.length).toBeGreaterThan(3);
	expect(rig.emails).toHaveLength(1);
	const { subject, text, html, to } = rig.emails[0];
	expect(to).toEqual(['petra@baeckerei-sonnenschein.example']);
	expect(subject).toBe(`Bäckerei Sonnenschein GmbH: fehlende Belege (${payments.length})`);
	expect(text).toMatch(/^Bäckerei Sonnenschein GmbH\n/);
	const [link] = text.match(/\S+\/form\/beleg-nachreichen\?\S+zahlung=3243edb3\S+/)!;
	const fields = Object.fromEntries(new URL(link).searchParams);
	// The day may have changed in between.
	expect([before, inThreeWeeks()]).toContain(fields.bis);
	expect(fields).toEqual({
		companyId: CLIENT[0],
		Mandant: CLIENT[1],
		zahlung: PAYMENT.id,
		siegel: sealOf(LINKS.hmacSecret, [...CLIENT, PAYMENT.id, PAYMENT.name, fields.bis]),
		empfaenger: PAYMENT.name,
		bis: fields.bis,
		Zahlung: '611,56 EUR, 10.11.2026',
		Rechnungsaussteller: PAYMENT.name,
	});
	expect(text).toContain('611,56 EUR, 10.11.2026\nMühle Kornblume OHG · ');
	expect(html).toContain(`<p><a href="${link}" style=`);
	expect(html.match(/<tr>/g)).toHaveLength(payments.length);
});

it.each<[string, object, string]>([
	['by its link', { zahlung: PAYMENT.id, verkaeufer: 'x', nummer: '', datum: '2020-01-01' }, 'da'],
	['by amount, day and number', { verkaeufer: 'x' }, 'da'],
	['by a number with a space', { verkaeufer: 'x', nummer: 'RE 261110' }, 'da'],
	['by amount, day and name', { nummer: '' }, 'da'],
	['by a name written otherwise', { nummer: '', verkaeufer: 'KORNBLUME Mu\u0308hle' }, 'da'],
	['not by amount and day alone', { nummer: '', verkaeufer: 'Bäckerei' }, 'prüfen'],
	['by a part of the name', { nummer: '', verkaeufer: 'Kornblume' }, 'da'],
	['by a name with more words', { nummer: '', verkaeufer: 'Mühle Kornblume GmbH Nürnberg' }, 'da'],
	['not by a common word where both names have others', { nummer: '', verkaeufer: 'Mühle Adler' }, 'prüfen'],
	['not by the legal form', { nummer: '', verkaeufer: 'Andere GmbH OHG' }, 'prüfen'],
	['not by the link with another amount', { zahlung: PAYMENT.id, betrag: 61.56 }, 'prüfen'],
	['not by a credit note of its amount, whose number is another', { betrag: -611.56, nummer: 'GS-1' }, 'fehlt'],
	['not by the number with another amount', { betrag: 61.56 }, 'prüfen'],
	['not by a part of the number', { nummer: 'RE-2611', verkaeufer: 'x', betrag: 1 }, 'fehlt'],
	['not by the name with another amount', { nummer: '', betrag: 1 }, 'fehlt'],
	['not by the amount of another year', { nummer: '', verkaeufer: 'x', datum: '2025-11-08' }, 'fehlt'],
	['a file with the whole name, of unknown amount', { betrag: null, datum: '', nummer: '', verkaeufer: '2026-11-12 Rechnung Mühle Kornblume OHG' }, 'prüfen'],
	['not by a name that is alike', { betrag: null, datum: '', nummer: '', verkaeufer: 'Rechnung Mühle Korntal' }, 'fehlt'],
	['a hostile number', { nummer: '.*(\\d{6})', verkaeufer: 'x', betrag: 1 }, 'fehlt'],
])('%s', async (_, change, status) => {
	expect(await statusOf(change)).toBe(status);
});

it('a document is for one payment, and a person reads which file it may be', async () => {
	expect(await statusOf({ zahlung: 'another' }, { betrag: 1, dokument: 'd2', datei: 'anders.pdf' })).toBe('da');
	expect(await statusOf({ betrag: 1, dokument: 'd2', datei: 'anders.pdf' })).toBe('prüfen');
	expect(rig.emails.at(-1)?.text).toContain('Vielleicht schon da: „anders.pdf“');
});

it('what another client has uploaded counts for none, and nobody reads its name', async () => {
	expect(await statusOf({ verbindung: cafe().duo })).toBe('fehlt');
	expect(await statusOf({ verbindung: null })).toBe('fehlt');
	expect(await statusOf({ verbindung: bakery().rewe })).toBe('da');
	// Only of the connection for documents does the gateway prove whose it is.
	expect(await statusOf({ verbindung: bakery().rewe, betrag: 1 })).toBe('prüfen');
	expect(rig.emails.at(-1)?.text).toContain('Vielleicht schon da · ');
	expect(rig.emails.at(-1)?.text).not.toContain('a.pdf');
});

describe('many clients', () => {
	const ask = (row: object, bankkonto: string, contact: string) => Object.assign(row, { bankkonto, ansprechpartner: contact });
	it('each contact is asked about the payments of its own client’s account alone', async () => {
		ask(cafe(), 'acc-wallet', 'ole@cafe.example');
		const { error, each } = await run('Every Monday');
		expect(error).toBeUndefined();
		expect(each).toHaveLength(2);
		expect(rig.emails.map(({ to, subject }) => [...to, subject.split(':')[0]])).toEqual([
			['petra@baeckerei-sonnenschein.example', bakery().mandant],
			['ole@cafe.example', cafe().mandant],
		]);
		// Each e-mail has the links of payments from its own account.
		for (const [index, { text }] of rig.emails.entries()) {
			const asked = [...text.matchAll(/zahlung=([^&]*)/g)].map(([, id]) => id);
			expect(asked.length).toBeGreaterThan(0);
			const own = each[index].items('Payments').map(({ id }) => id);
			expect(asked.filter((id) => !own.includes(id))).toEqual([]);
		}
		expect(rig.emails.map(({ text }) => text.includes('Mühle Kornblume'))).toEqual([true, false]);
	});

	it.each<[string, () => unknown]>([
		['contact', () => (cafe().ansprechpartner = '')],
		['bank account', () => (cafe().bankkonto = null)],
	])('nobody is asked about a client without a %s', async (_, leave) => {
		ask(cafe(), 'acc-wallet', 'ole@cafe.example');
		leave();
		expect((await run()).each).toHaveLength(1);
		expect(rig.emails).toHaveLength(1);
	});

	it.each<[string, () => unknown, RegExp]>([
		['whose account the gateway doesn’t know', () => (cafe().bankkonto = 'acc-gone'), /^Café Morgenrot e\. K\.\n.*404/],
		['with the connection of another one', () => (cafe().duo = bakery().rewe), /^Café Morgenrot e\. K\.\nCafé Morgenrot e\. K\.: /],
		['whose row is there twice', () => rig.clients().push({ ...cafe(), id: 99 }), /^Café Morgenrot e\. K\.\nDie Tabelle „Mandanten“ hat 2 Zeilen für: Café Morgenrot e\. K\.\./],
	])('a client %s doesn’t stop the others, and the office reads why', async (_, spoil, reason) => {
		const row = cafe();
		rig.clients().splice(rig.clients().indexOf(row), 1);
		rig.clients().unshift(row);
		ask(row, 'acc-wallet', 'ole@cafe.example');
		spoil();
		expect((await run()).error).toBeUndefined();
		expect(rig.emails.map(({ to }) => to)).toEqual([['petra@baeckerei-sonnenschein.example'], ['buchhaltung@kanzlei-demo.example']]);
		expect(rig.emails[1].subject).toBe('Fehlende Belege: nicht alle Mandanten gefragt');
		expect(rig.emails[1].text).toMatch(reason);
	});

	it('two clients with the same account are both left out', async () => {
		ask(cafe(), 'acc-giro', 'ole@cafe.example');
		await run();
		expect(rig.emails.map(({ to }) => to)).toEqual([['buchhaltung@kanzlei-demo.example']]);
		expect(rig.emails[0].text.match(/mehr als eine Zeile mit demselben Eintrag in: bankkonto/g)).toHaveLength(2);
	});
});

it('an invoice in two files, as XML and as PDF, is for one payment', async () => {
	const Payments = ['p', 'q'].map((id) => ({ id, made_on: '2026-11-12', amount: -611.56, payee: PAYMENT.name }));
	const statuses = async (second: object) => {
		await statusOf({}, { dokument: 'd2', ...second });
		return (await run('Start', { Payments })).items('Match').map(({ status }) => status);
	};
	expect(await statuses({ verkaeufer: 'Mühle' })).toEqual(['da', 'fehlt']);
	expect(await statuses({ datum: '2026-10-12' })).toEqual(['da', 'da']);
	// The file of the first row, sent once more through the link of another payment.
	expect(await statuses({ dokument: 'd1', nummer: '', zahlung: 'q' })).toEqual(['fehlt', 'da']);
});

it('a receipt is for the payment to its own seller, though another’s name and amount are alike', async () => {
	const Payments = ['Hotel Bären', 'Hotel Adler'].map((payee) => ({ id: payee, made_on: '2026-11-12', amount: -119, payee }));
	await statusOf({ betrag: 119, nummer: '', verkaeufer: 'Hotel Adler GmbH' });
	expect((await run('Start', { Payments })).items('Match').map(({ status }) => status)).toEqual(['fehlt', 'da']);
});

it('two sellers’ invoices of the same number, amount and day are two', async () => {
	const Payments = ['Papier Schmidt', 'Blumen Meier'].map((payee) => ({ id: payee, made_on: '2026-11-12', amount: -50, payee }));
	const invoice = { betrag: 50, nummer: '100' };
	await statusOf({ ...invoice, verkaeufer: 'Papier Schmidt GmbH' }, { ...invoice, dokument: 'd2', verkaeufer: 'Blumen Meier GmbH' });
	expect((await run('Start', { Payments })).items('Match').map(({ status }) => status)).toEqual(['da', 'da']);
	// XML and PDF of a seller whose name has only short words.
	const twice = ['p', 'q'].map((id) => ({ ...Payments[0], id, payee: 'OBI', description: 'Nr. 100' }));
	await statusOf({ ...invoice, verkaeufer: 'OBI' }, { ...invoice, dokument: 'd2', verkaeufer: 'OBI' });
	expect((await run('Start', { Payments: twice })).items('Match').map(({ status }) => status)).toEqual(['da', 'fehlt']);
});

it('receipts that are alike stay known after years of them, and the payment without its own is asked for', async () => {
	const day = (week: number) => DateTime.fromISO('2022-11-01').plus({ weeks: week }).toISODate()!;
	const weeks = Array.from({ length: 210 }, (_, week) => week);
	const parking = { betrag: 12, nummer: '', verkaeufer: 'Parkhaus Nürnberg' };
	const rows = weeks.filter((week) => week !== 190).map((week) => ({ ...parking, dokument: `d${week}`, datum: day(week) }));
	const dear = weeks.map((week) => ({ ...parking, dokument: `n${week}`, datum: day(week), betrag: 15, nummer: `1${week}` }));
	await statusOf(...rows, ...dear);
	const Payments = weeks.slice(-52).flatMap((week) => [12, 15].map((amount) => ({ id: `${amount}, ${week}`, made_on: day(week), amount: -amount, payee: parking.verkaeufer })));
	const { items } = await run('Start', { Payments });
	expect(items('Match').filter(({ status }) => status !== 'da').map(({ id, status }) => [id, status])).toEqual([['12, 190', 'fehlt']]);
});

describe('the form', () => {
	const YES = {
		'Gibt es einen Beleg?': 'Ja, hier ist er',
		'Betrag (EUR)': '611,56',
		'Datum auf dem Beleg': '2026-11-08',
		Rechnungsaussteller: 'Mühle',
	};
	const NONE = { 'Gibt es einen Beleg?': 'Kein Beleg zu dieser Zahlung', 'Kein Beleg: warum?': 'Privatentnahme' };
	async function send(answer: IDataObject, link: { id?: string; payee?: string; until?: string; client?: string[] } = {}, changes: IDataObject = {}) {
		const { id = PAYMENT.id, payee = PAYMENT.name, until = inThreeWeeks(), client = CLIENT } = link;
		const siegel = sealOf(LINKS.hmacSecret, [...client, id, payee, until]);
		const json = { companyId: client[0], Mandant: client[1], zahlung: id, empfaenger: payee, bis: until, siegel, ...answer, ...changes };
		const files = answer === YES ? { Beleg: { fileName: 'a.pdf', content: '%PDF-1.4' } } : undefined;
		const pinned = { Received: [{}], Noted: [{}], Incomplete: [{}], 'No client': [{}] };
		const ran = await rig.run('chase-form', { from: 'Form', items: [{ json, ...(files && { files }) }], pinned, credentials: { crypto: LINKS } });
		expect(ran.error).toBeUndefined();
		return ran;
	}
	const answers = () => rig.tables.rows('Zahlungen ohne Beleg');

	it('takes a receipt that is sent through its link twice as one document', async () => {
		rig.sandbox.faults.add({ kind: 'alter', operationId: 'uploadDuoDocument', set: { id: 'DMS-991' } });
		// What isn't filled in is no warning about an expression.
		expect((await send(YES)).items('Upload')[0]).not.toHaveProperty('warnings');
		await send(YES);
		expect(rig.tables.rows('Hochgeladene Belege')).toMatchObject([
			{ zahlung: PAYMENT.id, dokument: rig.documents()[0].sha256, verbindung: bakery().duo },
		]);
	});

	it.each<[string, () => unknown]>([
		['gone', () => rig.clients().splice(rig.clients().indexOf(bakery()), 1)],
		['there twice', () => rig.clients().push({ ...bakery(), id: 99 })],
		['another client’s with the same name', () => (bakery().companyId = '29098-10002')],
		['without a connection', () => (bakery().duo = '')],
		['one with another client’s connection', () => ([bakery().duo, cafe().duo] = [cafe().duo, ''])],
	])('uploads nothing if the client’s row is %s, and says so without naming another one', async (_, spoil) => {
		spoil();
		const ran = await send(YES);
		expect([ran.ran('No client'), ran.ran('Upload')]).toEqual([true, false]);
		expect(rig.documents()).toEqual([]);
		const { workflow } = await readExample('chase-form');
		const { completionMessage } = workflow.nodes.find(({ name }) => name === 'No client')!.parameters;
		// What the reason says of others isn't for the client.
		expect(completionMessage).not.toMatch(/[={}]/);
	});

	it('a link of a client that has gone isn’t its successor’s of the same name', async () => {
		const [seal] = [['29098-99999', CLIENT[1]]];
		const ran = await send(YES, { client: seal });
		expect([ran.ran('No client'), ran.ran('Upload')]).toEqual([true, false]);
	});

	it('an answer of one client is none of another one', async () => {
		await send({ ...NONE, 'Gibt es einen Beleg?': 'Kein Beleg, auch künftig bei diesem Empfänger' }, { client: ['29098-10002', 'Café Morgenrot e. K.'] });
		const { items } = await run();
		expect(items('Match').filter(({ status }) => status === 'kein Beleg')).toEqual([]);
	});

	it.each([
		['after three weeks', { until: DateTime.now().setZone('Europe/Berlin').minus({ days: 1 }).toISODate()! }, {}],
		['with another day than its own', {}, { bis: '2099-12-31' }],
		['for another payee than its own', {}, { empfaenger: 'Alle' }],
		['for another payment than its own', {}, { zahlung: 'other' }],
		['for another client than its own', {}, { companyId: '29098-10002', Mandant: 'Café Morgenrot e. K.' }],
		['for another client’s name', {}, { Mandant: 'Café Morgenrot e. K.' }],
		['for another client’s number', {}, { companyId: '29098-10002' }],
	])('takes nothing through a link %s', async (_, link, changes) => {
		const ran = await send(NONE, link, changes);
		expect(ran.ran('Answer')).toBe(false);
		expect(answers()).toEqual([]);
	});

	it('an answer that there is no receipt is asked for once, and the e-mail says how many and why', async () => {
		await run();
		const before = Number(/\((\d+)\)$/.exec(rig.emails[0].subject)![1]);
		await send(NONE);
		expect(answers()).toMatchObject([{ zahlung: PAYMENT.id, companyId: CLIENT[0], auchKuenftig: '', grund: 'Privatentnahme' }]);
		const { items } = await run();
		expect(items('Match').find(({ id }) => id === PAYMENT.id)?.status).toBe('kein Beleg');
		expect(rig.emails[1].subject).toBe(`Bäckerei Sonnenschein GmbH: fehlende Belege (${before - 1})`);
		expect(rig.emails[1].text).toContain('\nOhne Beleg laut Ihrer Antwort: 1. Mühle Kornblume OHG: Privatentnahme');
	});

	it('an answer for the payee holds for all payments to exactly this one, and a person gave it', async () => {
		const Payments = ['Lohn & Partner Steuerberater', 'Lohn & Partner Steuerberater', 'Lohn'].map((payee, i) => ({ id: `p${i}`, made_on: '2026-11-06', amount: -5, payee }));
		// No word decides by itself.
		expect((await run('Start', { Payments })).items('Missing')).toHaveLength(3);
		await send({ ...NONE, 'Gibt es einen Beleg?': 'Kein Beleg, auch künftig bei diesem Empfänger', 'Kein Beleg: warum?': 'Dauer\u202Erechnung\nliegt vor' }, { id: 'p0', payee: 'Lohn & Partner Steuerberater' });
		const { items } = await run('Start', { Payments });
		expect(items('Match').map(({ status }) => status)).toEqual(['kein Beleg', 'kein Beleg', 'fehlt']);
		expect(rig.emails.at(-1)!.text).toContain('\nOhne Beleg laut Ihrer Antwort: 2. Lohn & Partner Steuerberater: Dauer rechnung liegt vor');
	});

	it('an answer for a payee without a name holds for this payment alone', async () => {
		await send({ ...NONE, 'Gibt es einen Beleg?': 'Kein Beleg, auch künftig bei diesem Empfänger' }, { payee: '' });
		expect(answers()).toMatchObject([{ auchKuenftig: '' }]);
	});

	it.each([
		['Kein Beleg, auch künftig bei diesem Empfänger', 'ja', 'Nach Belegen zu Zahlungen an diesen Empfänger wird nicht mehr gefragt.'],
		['Kein Beleg, auch künftig bei diesem Empfänger', '', 'Nach einem Beleg zu dieser Zahlung wird nicht mehr gefragt. Für künftige gilt das nicht: Die Bank nennt keinen Empfänger.'],
		['Kein Beleg zu dieser Zahlung', '', 'Nach einem Beleg zu dieser Zahlung wird nicht mehr gefragt.'],
	])('says what the answer "%s" has changed, noted as "%s"', async (said, auchKuenftig, message) => {
		const given = { json: { auchKuenftig }, outputs: { Form: [{ 'Gibt es einen Beleg?': said }] } };
		expect(await parametersOf('chase-form', 'Noted', given)).toMatchObject({ completionMessage: message });
	});

	it.each([
		['no reason', { ...NONE, 'Kein Beleg: warum?': '' }],
		['no file', { ...YES }],
		['an amount that nobody can read', { ...YES, 'Betrag (EUR)': '12.5' }],
	])('asks again for what is missing: %s', async (_, answer) => {
		const ran = await send(answer);
		expect([ran.ran('Incomplete'), ran.ran('Upload'), ran.ran('Note it')]).toEqual([true, false, false]);
	});
});

it('names a payment in its own currency', async () => {
	const Payments = [{ id: 'p', made_on: '2026-11-06', amount: -5, currency_code: 'CHF', payee: 'SBB' }];
	await run('Start', { Payments });
	expect(rig.emails[0].text).toContain('\n5,00 CHF, 06.11.2026\nSBB\n');
});

it('asks for a payment for a year, not for six weeks', async () => {
	const { error, items } = await run('Every Monday');
	expect(error).toBeUndefined();
	const [{ from, until }] = items('Settings') as Array<Record<string, string>>;
	expect((Date.parse(until) - Date.parse(from)) / 86_400_000).toBeGreaterThan(360);
});

it('fails when the mail server does, and asks again next time', async () => {
	rig.isMailDown = true;
	expect((await run()).error).toMatch(/^Tell the office: /);
	rig.isMailDown = false;
	await run();
	expect(rig.emails).toHaveLength(1);
});

it('compares 1,500 payments with 6,000 uploads, of which a sender has made 2,000 alike, in time', async () => {
	await run();
	const rows = rig.tables.rows('Hochgeladene Belege');
	const verbindung = bakery().duo;
	for (let id = 1; id <= 4000; id++) rows.push({ id, ...UPLOAD, verbindung, dokument: `d${id}`, nummer: `RE-${id}000`, betrag: id, verkaeufer: 'Andere' });
	for (let id = 4001; id <= 6000; id++) rows.push({ id, ...UPLOAD, verbindung, dokument: `d${id}`, nummer: `RE-${id}000`, betrag: 0.01, verkaeufer: 'Andere' });
	const Payments = Array.from({ length: 1500 }, (_, i) => {
		return { id: `p${i}`, made_on: '2026-11-12', amount: i % 2 ? -i : -0.01, payee: 'Mühle', description: i % 4 === 1 ? `RE-${i}000` : '' };
	});
	let ran!: Awaited<ReturnType<typeof run>>;
	const took = await processorTime(async () => (ran = await run('Every Monday', { Payments })));
	const { error, items } = ran;
	expect(error).toBeUndefined();
	expect(took).toBeLessThan(20_000);
	const count = (status: string) => items('Match').filter((one) => one.status === status).length;
	expect([count('da'), count('prüfen'), count('fehlt')]).toEqual([375, 1125, 0]);
});
