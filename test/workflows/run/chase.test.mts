/** The example "Missing receipts" as a whole. The form behind its links: test/e2e/shared/chaseForm.e2e.mts. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { LINKS, sealOf } from '../../../tools/examples.mjs';
import { useExamples } from '../../support/exampleRun.mjs';

const rig = useExamples();
const PAYMENT = { id: '3243edb3-c962-4b9d-889f-028f9badd3d6', amount: 611.56, name: 'Mühle Kornblume OHG', number: 'RE-261110' };
const UNTIL = DateTime.now().setZone('Europe/Berlin').plus({ weeks: 3 }).toISODate()!;
const SEAL = sealOf(LINKS.hmacSecret, [PAYMENT.id, PAYMENT.name, UNTIL]);
const UPLOAD = { dokument: 'd1', datei: 'a.pdf', betrag: 611.56, datum: '2026-11-08', verkaeufer: 'Mühle Kornblume', nummer: 'RE-261110', zahlung: '' };

const run = async (settings = {}, from = 'Start', pinned = {}) =>
	await rig.run('chase-missing', { from, pinned, change: { Settings: settings }, credentials: { crypto: LINKS } });
/** What becomes of the payment with these uploads. */
async function statusOf(...uploads: object[]) {
	await run();
	const rows = rig.tables.rows('Hochgeladene Belege');
	rows.splice(0, rows.length, ...uploads.map((one, id) => ({ id: id + 1, ...UPLOAD, ...one })));
	const { error, items } = await run();
	expect(error).toBeUndefined();
	return items('Match').find(({ id }) => id === PAYMENT.id)?.status;
}
it('without uploads, asks for each payment with its sealed link, in one e-mail', async () => {
	const { error, items } = await run();
	expect(error).toBeUndefined();
	const payments = items('Match');
	expect(payments.length).toBeGreaterThan(3);
	expect(rig.emails).toHaveLength(1);
	const { subject, text, html, to } = rig.emails[0];
	expect(to).toHaveLength(2);
	expect(subject).toBe(`Es fehlen Belege zu ${payments.length} Zahlungen`);
	const [link] = text.match(/\S+\/form\/beleg-nachreichen\?zahlung=3243edb3\S+/)!;
	expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
		zahlung: PAYMENT.id,
		siegel: SEAL,
		empfaenger: PAYMENT.name,
		bis: UNTIL,
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

it('an invoice in two files, as XML and as PDF, is for one payment', async () => {
	const Payments = ['p', 'q'].map((id) => ({ id, made_on: '2026-11-12', amount: -611.56, payee: PAYMENT.name }));
	const statuses = async (second: object) => {
		await statusOf({}, { dokument: 'd2', ...second });
		return (await run({}, 'Start', { Payments })).items('Match').map(({ status }) => status);
	};
	expect(await statuses({ verkaeufer: 'Mühle' })).toEqual(['da', 'fehlt']);
	expect(await statuses({ datum: '2026-10-12' })).toEqual(['da', 'da']);
	// The file of the first row, sent once more through the link of another payment.
	expect(await statuses({ dokument: 'd1', nummer: '', zahlung: 'q' })).toEqual(['fehlt', 'da']);
});

describe('the form', () => {
	const YES = {
		'Gibt es einen Beleg?': 'Ja, hier ist er',
		'Betrag (EUR)': '611,56',
		'Datum auf dem Beleg': '2026-11-08',
		Rechnungsaussteller: 'Mühle',
	};
	const NONE = { 'Gibt es einen Beleg?': 'Kein Beleg zu dieser Zahlung', 'Kein Beleg: warum?': 'Privatentnahme' };
	async function send(answer: IDataObject, link: { id?: string; payee?: string; until?: string } = {}, changes: IDataObject = {}) {
		const { id = PAYMENT.id, payee = PAYMENT.name, until = UNTIL } = link;
		const json = { zahlung: id, empfaenger: payee, bis: until, siegel: sealOf(LINKS.hmacSecret, [id, payee, until]), ...answer, ...changes };
		const files = answer === YES ? { Beleg: { fileName: 'a.pdf', content: '%PDF-1.4' } } : undefined;
		const pinned = { Received: [{}], Noted: [{}], Incomplete: [{}] };
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
		expect(rig.tables.rows('Hochgeladene Belege')).toMatchObject([{ zahlung: PAYMENT.id, dokument: rig.documents()[0].sha256 }]);
	});

	it.each([
		['after three weeks', { until: DateTime.now().setZone('Europe/Berlin').minus({ days: 1 }).toISODate()! }, {}],
		['with another day than its own', {}, { bis: '2099-12-31' }],
		['for another payee than its own', {}, { empfaenger: 'Alle' }],
		['for another payment than its own', {}, { zahlung: 'other' }],
	])('takes nothing through a link %s', async (_, link, changes) => {
		const ran = await send(NONE, link, changes);
		expect(ran.ran('Answer')).toBe(false);
		expect(answers()).toEqual([]);
	});

	it('an answer that there is no receipt is asked for once, and the e-mail says how many and why', async () => {
		await run();
		const before = Number(/zu (\d+) Zahlungen/.exec(rig.emails[0].subject)![1]);
		await send(NONE);
		expect(answers()).toMatchObject([{ zahlung: PAYMENT.id, auchKuenftig: '', grund: 'Privatentnahme' }]);
		const { items } = await run();
		expect(items('Match').find(({ id }) => id === PAYMENT.id)?.status).toBe('kein Beleg');
		expect(rig.emails[1].subject).toBe(`Es fehlen Belege zu ${before - 1} Zahlungen`);
		expect(rig.emails[1].text).toContain('\n1 weitere Zahlungen brauchen laut Ihrer Antwort keinen Beleg. Mühle Kornblume OHG: Privatentnahme');
	});

	it('an answer for the payee holds for all payments to exactly this one, and a person gave it', async () => {
		const Payments = ['Lohn & Partner Steuerberater', 'Lohn & Partner Steuerberater', 'Lohn'].map((payee, i) => ({ id: `p${i}`, made_on: '2026-11-06', amount: -5, payee }));
		// No word decides by itself.
		expect((await run({}, 'Start', { Payments })).items('Missing')).toHaveLength(3);
		await send({ ...NONE, 'Gibt es einen Beleg?': 'Kein Beleg, auch künftig bei diesem Empfänger', 'Kein Beleg: warum?': 'Dauer\u202Erechnung\nliegt vor' }, { id: 'p0', payee: 'Lohn & Partner Steuerberater' });
		const { items } = await run({}, 'Start', { Payments });
		expect(items('Match').map(({ status }) => status)).toEqual(['kein Beleg', 'kein Beleg', 'fehlt']);
		expect(rig.emails.at(-1)!.text).toContain('\n2 weitere Zahlungen brauchen laut Ihrer Antwort keinen Beleg. Lohn & Partner Steuerberater: Dauer rechnung liegt vor');
	});

	it('an answer for a payee without a name holds for this payment alone', async () => {
		await send({ ...NONE, 'Gibt es einen Beleg?': 'Kein Beleg, auch künftig bei diesem Empfänger' }, { payee: '' });
		expect(answers()).toMatchObject([{ auchKuenftig: '' }]);
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
	await run({}, 'Start', { Payments });
	expect(rig.emails[0].text).toContain('\n5,00 CHF, 06.11.2026\nSBB\n');
	expect(rig.emails[0].subject).toBe('Es fehlt der Beleg zu einer Zahlung');
});

it('asks for a payment for a year, not for six weeks', async () => {
	const { error, items } = await run({}, 'Every Monday');
	expect(error).toBeUndefined();
	const [{ from, until }] = items('Settings') as Array<Record<string, string>>;
	expect((Date.parse(until) - Date.parse(from)) / 86_400_000).toBeGreaterThan(360);
});

it('fails when the mail server does, and asks again next time', async () => {
	rig.isMailDown = true;
	expect((await run()).error).toMatch(/^Tell: /);
	rig.isMailDown = false;
	await run();
	expect(rig.emails).toHaveLength(1);
});

it('compares 1,500 payments with 6,000 uploads, of which a sender has made 2,000 alike, in time', async () => {
	await run();
	const rows = rig.tables.rows('Hochgeladene Belege');
	for (let id = 1; id <= 4000; id++) rows.push({ id, ...UPLOAD, dokument: `d${id}`, nummer: `RE-${id}000`, betrag: id, verkaeufer: 'Andere' });
	for (let id = 4001; id <= 6000; id++) rows.push({ id, ...UPLOAD, dokument: `d${id}`, nummer: `RE-${id}000`, betrag: 0.01, verkaeufer: 'Andere' });
	const Payments = Array.from({ length: 1500 }, (_, i) => {
		return { id: `p${i}`, made_on: '2026-11-12', amount: i % 2 ? -i : -0.01, payee: 'Mühle', description: i % 4 === 1 ? `RE-${i}000` : '' };
	});
	const start = performance.now();
	const { error, items } = await run({}, 'Every Monday', { Payments });
	expect(error).toBeUndefined();
	expect(performance.now() - start).toBeLessThan(20_000);
	const count = (status: string) => items('Match').filter((one) => one.status === status).length;
	expect([count('da'), count('prüfen'), count('fehlt')]).toEqual([375, 1125, 0]);
}, 60_000);
