/**
 * Which invoices are the same, in the example that takes them from e-mails: the examples' own expressions. What a sender writes,
 * honest or not, must not make another's invoice disappear.
 */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { fieldsOf, parametersOf } from '../support/exampleNode.mjs';

const EXAMPLE = 'receipts-email';
const FILES = 'One item per file';

const READ = {
	isEInvoice: true,
	number: 'RE-4711',
	issueDate: '2026-11-20',
	sellerName: 'Papier Schmidt OHG',
	seller: { name: 'Papier Schmidt OHG', vatId: 'DE123456788', taxNumber: null },
	grossAmount: 119,
	taxAmount: 19,
	currency: 'EUR',
	iban: 'DE02120300000000202051',
	warnings: [],
};
/** As n8n takes it out of the PDF. */
const PRINTED = `Papier Schmidt OHG
Gerberstraße 12 · 04105 Leipzig · USt-IdNr. DE123456788
Datum: 20.11.2026
Rechnung RE-4711
zzgl. 19 % Umsatzsteuer 19,00 €
Gesamtbetrag 119,00 €
Konto IBAN DE02 1203 0000 0000 2020 51.`;
const PDF = { isEInvoice: false, numpages: 1, text: PRINTED };

/** What "Invoice" makes of a file, which came with an e-mail. */
const invoice = async (read: IDataObject, fileName = 'RE-4711.xml', uid = 1) =>
	({
		...(await fieldsOf(EXAMPLE, 'Invoice', {
			json: read,
			files: { attachment_0: fileName },
			outputs: {
				[FILES]: [{ attributes: { uid }, from: { text: `sender ${uid}` }, subject: 'Ihre Rechnung' }],
			},
			from: FILES,
		})),
		isEInvoice: read.isEInvoice,
	}) as IDataObject;

interface Compared extends IDataObject {
	key: string;
	known: IDataObject | null;
	other: IDataObject | null;
}

/** What "Compare" says of a file, after others of the run, and with the table of earlier ones. */
async function compare(json: IDataObject, before: IDataObject[] = [], table: IDataObject[] = []): Promise<Compared> {
	const outputs = { 'Known invoices': table };
	return (await fieldsOf(EXAMPLE, 'Compare', { json, before, outputs })) as Compared;
}

/** As the table has it. */
async function row(read: IDataObject, uid = 1): Promise<IDataObject> {
	const json = await invoice(read, 'RE-4711.xml', uid);
	return { ...json, uid: undefined, page: undefined, key: (await compare(json)).key };
}

describe('receipts by e-mail: the same invoice', () => {
	it('is known from the table, in whatever file it comes', async () => {
		const table = [await row(READ)];
		expect((await compare(await invoice(READ, 'again.pdf', 2), [], table)).known).toMatchObject({ file: 'RE-4711.xml' });
		expect((await compare(await invoice(PDF, 'printed.pdf', 2), [], table)).known).toMatchObject({ sender: 'sender 1' });
	});

	it('is known from the same run: of XML and PDF, the XML counts, whichever comes first', async () => {
		const [xml, pdf, picture] = [await invoice(READ), await invoice(READ, 'zugferd.pdf'), await invoice(PDF, 'a.pdf')];
		expect((await compare(pdf, [xml])).known).toMatchObject({ file: 'RE-4711.xml', uid: 1 });
		expect((await compare(xml, [pdf])).known).toBeNull();
		expect((await compare(picture, [xml])).known).toMatchObject({ uid: 1 });
	});

	it('has the tax number or the name, if the seller gives no VAT ID', async () => {
		const small = { ...READ, seller: { name: 'Papier Schmidt OHG', vatId: null, taxNumber: '231/1' } };
		expect((await invoice(small)).sellerId).toBe('231/1');
		expect((await invoice({ ...small, seller: { ...small.seller, taxNumber: null } })).sellerId).toBe('papierschmidtohg');
	});
});

describe('receipts by e-mail: not the same invoice', () => {
	it.each<[string, IDataObject]>([
		['another IBAN', { iban: 'DE89370400440532013000' }],
		['another amount', { grossAmount: 219 }],
		['another day', { issueDate: '2026-11-21' }],
		['another currency', { currency: 'CHF' }],
	])('%s under the same number is uploaded, and to be looked at', async (_, changed) => {
		const { known, other } = await compare(await invoice({ ...READ, ...changed }), [], [await row(READ)]);
		expect(known).toBeNull();
		expect(other).toMatchObject({ number: 'RE-4711', file: 'RE-4711.xml' });
	});

	it('another seller’s number says nothing', async () => {
		const one = await invoice({ ...READ, seller: { ...READ.seller, vatId: 'DE999' } });
		expect(await compare(one, [], [await row(READ)])).toMatchObject({ known: null, other: null });
	});

	it.each([
		['no number', { number: null }],
		['no amount', { grossAmount: null }],
		['no day', { issueDate: null }],
		['no seller', { seller: { name: null, vatId: null, taxNumber: null } }],
	])('%s: such an invoice is never known, nor makes another known', async (_, changed) => {
		const poor = { ...READ, ...changed };
		const table = [{ ...(await row(poor)) }];
		expect(table[0].key).toBe('');
		expect((await compare(await invoice(poor, 'b.xml', 2), [await invoice(poor)], table)).known).toBeNull();
	});

	it.each([
		['the number', 'RE-4711', 'RE-4712'],
		['the number (a longer one)', 'RE-4711', 'RE-47110'],
		['the number (of another kind)', 'RE-4711', 'RE-4711/2'],
		['the amount', '119,00', '118,00'],
		['the tax', '19,00 €\nGesamt', '18,00 €\nGesamt'],
		['the day', '20.11.2026', '21.11.2026'],
		['the IBAN', '2020 51', '2020 52'],
	])('a PDF that says %s differently', async (_, from, to) => {
		const text = PRINTED.replace(from, to);
		expect(text).not.toBe(PRINTED);
		expect((await compare(await invoice({ ...PDF, text }, 'a.pdf'), [await invoice(READ)])).known).toBeNull();
	});

	it('a photo, even if the e-mail’s own text says everything', async () => {
		const photo = await invoice({ isEInvoice: false, text: PRINTED }, 'IMG_1.jpg');
		expect((await compare(photo, [await invoice(READ)])).known).toBeNull();
	});
});

describe('receipts by e-mail: where each file goes', () => {
	const routes = ['Same e-mail', 'Upload'];
	async function route(json: IDataObject): Promise<string> {
		const { rules } = (await parametersOf(EXAMPLE, 'New?', { json })) as {
			rules: { values: Array<{ conditions: { conditions: Array<{ leftValue: boolean }> } }> };
		};
		const found = rules.values.findIndex(({ conditions }) => conditions.conditions.every(({ leftValue }) => leftValue));
		return routes[found] ?? 'Not uploaded';
	}

	it('the PDF beside its XML isn’t uploaded; the same from another e-mail is told', async () => {
		expect(await route({ known: { uid: '1' }, uid: '1', isReceipt: true })).toBe('Same e-mail');
		expect(await route({ known: { uid: '1' }, uid: '2', isReceipt: true })).toBe('Not uploaded');
		expect(await route({ known: {}, isReceipt: true })).toBe('Not uploaded');
		expect(await route({ known: null, uid: '1', isReceipt: true })).toBe('Upload');
		expect(await route({ known: null, uid: '1', isReceipt: false })).toBe('Not uploaded');
	});

	it('the accountant reads both senders, and what to do', async () => {
		const known = await row(READ);
		const { reason, from } = await fieldsOf(EXAMPLE, 'Not uploaded', { json: { known, sender: 'einkauf@x.example' } });
		expect(reason).toContain('RE-4711 von Papier Schmidt OHG vom 20.11.2026, 119,00 EUR, als „RE-4711.xml“ von sender 1');
		expect(from).toBe('einkauf@x.example');
		const conflict = await fieldsOf(EXAMPLE, 'Not uploaded', { json: { known: null, other: known, sender: 'x' } });
		expect(conflict.reason).toMatch(/^Hochgeladen, aber bitte prüfen: .*RE-4711.*Telefonnummer/);
		const refused = await fieldsOf(EXAMPLE, 'Not uploaded', { json: { known: null, error: 'full', details: {} } });
		expect(refused.reason).toMatch(/Meldung des Nodes: „full“$/);
	});
});

describe('the note of an e-invoice', () => {
	const note = async (read: IDataObject) => (await invoice({ ...READ, ...read })).note;

	it('has number, seller and amount, at most 60 characters', async () => {
		expect(await note({})).toBe('RE-4711 Papier Schmidt OHG 119,00');
		expect(await note({ grossAmount: null })).toBe('RE-4711 Papier Schmidt OHG');
		const long = (await note({ sellerName: '🧾'.repeat(80) })) as string;
		expect([...long]).toHaveLength(60);
		expect(long).toMatch(/^RE-4711 🧾+ 119,00$/u);
		expect([...((await note({ number: 'N'.repeat(90) })) as string)]).toHaveLength(60);
		expect(await note({ sellerName: 'Papier\n\n Schmidt' })).toBe('RE-4711 Papier Schmidt 119,00');
	});
});

it('a long text takes no time', async () => {
	const json = await invoice({ ...PDF, text: `${' -'.repeat(500_000)}${PRINTED}` }, 'a.pdf');
	const table = Array.from({ length: 1000 }, (_, i) => ({ ...READ, key: `k${i}`, sellerId: `de${i}`, seller: 'S' }));
	const start = performance.now();
	await compare(json, [], table as IDataObject[]);
	expect(performance.now() - start).toBeLessThan(3000);
});
