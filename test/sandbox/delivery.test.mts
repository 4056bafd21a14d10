/** What is written: what comes back, what is kept, and what is refused beyond the contract (strictness.test.mts). */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../api/contract.mjs';
import { useSandbox } from './client.mjs';

const client = useSandbox();

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n');
const attachment = (content: Buffer, dateiname: string) => ({
	content: content.toString('base64'),
	dateiname,
});
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

const entry = {
	waehrung: 'EUR',
	kassenname: 'Hauptkasse',
	belegtext: 'Büromaterial',
	betrag: 23.8,
	transaktionsdatum: '2026-03-02T10:15:00+01:00',
	belegnummer: 'KB-2026/0042',
	steuersatz: 19,
	bewegung: 'AUSGABE',
};
const advanced = {
	waehrung: 'EUR',
	kassenname: 'Hauptkasse',
	betrag: 0.3,
	transaktionsdatum: '2026-03-02T12:40:00+01:00',
	belegzeilen: [
		{ belegtext: 'Brot', betrag: 0.1, belegNummer: 'R-1', steuersatz: { prozent: 7, buSchluessel: '8' } },
		{ belegtext: 'Milch', betrag: 0.2, gegenkonto: '3300', kostenstelle1: 'LADEN', kostenstelle2: 'SÜD' },
	],
};
const duo = { datei: attachment(PDF, 'rechnung.pdf'), belegtyp: 'Rechnungseingang' };
const rewe = {
	datei: attachment(PDF, 'bon.pdf'),
	belegtyp: 'Kasse',
	belegdatum: '2026-03-02T00:00:00+01:00',
};
const ID = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';

/** Expects a refusal of this status and field that leaves the state untouched. */
async function expectRefusal(id: string, body: Json, status: number, field: string) {
	const message = await client.refuses(async () => await client.post(id, body), status, field);
	expect(message).toContain(field.split('/')[0]);
}

describe('the sandbox’s createCashBookEntry', () => {
	const post = (body: Json) => client.post('createCashBookEntry', body);

	it('keeps every field and the receipt images, and reports on the images', async () => {
		const { data } = await client.http.post(
			'/v2/acct-duo/kassenbuch-einfach',
			{ ...entry, belegbilder: [attachment(PDF, 'ä.pdf'), attachment(Buffer.from([0]), 'b.png')] },
			{ params: { connectionId: client.connectionId('duo'), quelle: 'Kasse' } },
		);
		expect(data.belegbilder).toEqual([{ dateiname: 'ä.pdf' }, { dateiname: 'b.png' }]);
		expect(data.acctAntwort.status).toBe('ERFOLGREICH');
		expect(data.acctAntwort.meldungen).toMatchObject([
			{ dateiname: 'ä.pdf', typ: 'INFO', zeitstempel: '2026-03-02T09:00:00.000Z' },
			{ dateiname: 'b.png' },
		]);
		const entries = await client.list('entries');
		expect(entries).toMatchObject([
			{
				operationId: 'createCashBookEntry',
				account: 'demo',
				connectionId: client.connectionId('duo'),
				quelle: 'Kasse',
				receivedAt: '2026-03-02T09:00:00.000Z',
				fields: entry,
				belegbilder: [
					{ dateiname: 'ä.pdf', size: PDF.length, sha256: sha256(PDF) },
					{ dateiname: 'b.png', size: 1, sha256: sha256(Buffer.from([0])) },
				],
				bookings: [{ belegnummer: entry.belegnummer, betrag: -23.8, steuersatz: { prozent: 19 } }],
			},
		]);
		const image = await client.control.get(`entries/${String(entries[0].id)}/belegbilder/0`, {
			responseType: 'arraybuffer',
		});
		expect(image.data).toEqual(PDF);
		expect(image.headers['content-type']).toBe('application/pdf');
	});

	it('accepts the same belegnummer in another cash book, and in the same one with different case', async () => {
		await post(entry);
		expect((await post({ ...entry, kassenname: 'Kasse Filiale Süd' })).status).toBe(200);
		expect((await post({ ...entry, belegnummer: entry.belegnummer.toLowerCase() })).status).toBe(200);
	});

	it('accepts empty belegnummern, which identify nothing, any number of times', async () => {
		expect((await post({ ...entry, belegnummer: '' })).status).toBe(200);
		expect((await post({ ...entry, belegnummer: '' })).status).toBe(200);
	});

	it.each([
		['another cash book', { kassenname: 'hauptkasse' }, 422, 'kassenname'],
		['a code that is not a currency', { waehrung: 'EUX' }, 422, 'waehrung'],
		['a day that does not exist', { transaktionsdatum: '2026-02-29T10:15:00Z' }, 400, 'transaktionsdatum'],
		['an empty image', { belegbilder: [attachment(Buffer.alloc(0), 'x')] }, 400, 'belegbilder/0/content'],
	])('refuses %s', async (_, change, status, field) => {
		await expectRefusal('createCashBookEntry', { ...entry, ...change }, status, field);
	});
});

describe('the sandbox’s createAdvancedCashBookEntry', () => {
	const post = (body: Json) => client.post('createAdvancedCashBookEntry', body);

	it('answers one line for each line, and adds them up exactly', async () => {
		const answer = await post({ ...advanced, belegbilder: [attachment(PDF, 'r.pdf')] });
		const { belegtext, belegNummer: belegnummer, betrag, steuersatz } = advanced.belegzeilen[0];
		expect(answer.data).toMatchObject({
			belegzeilen: [
				{ belegtext, belegnummer, betrag, steuersatz, kostenstellen: [] },
				{ gegenkonto: '3300', betrag: 0.2, kostenstellen: [{ name: 'LADEN' }, { name: 'SÜD' }] },
			],
			belegbilder: [{ dateiname: 'r.pdf' }],
			betrag: 0.3,
			acctAntwort: { status: 'ERFOLGREICH', meldungen: [{ dateiname: 'r.pdf' }] },
		});
		expect(await client.list('entries')).toMatchObject([
			{ fields: advanced, bookings: [{ betrag: 0.1, belegNummer: 'R-1' }, { betrag: 0.2 }] },
		]);
	});

	it.each([
		['a sum that only floating point makes', { betrag: 0.1 + 0.2 }, 422, 'betrag'],
		['nothing at all', { belegzeilen: [], betrag: 0 }, 422, 'belegzeilen'],
	])('refuses %s', async (_, change, status, field) => {
		await expectRefusal('createAdvancedCashBookEntry', { ...advanced, ...change }, status, field);
	});
});

describe.each([
	['uploadDuoDocument', duo, 'id', 'duo'],
	['uploadReweDocument', rewe, 'belegId', 'rewe'],
] as const)('the sandbox’s %s', (operationId, body, idField, module) => {
	const post = (change: Json = {}) => client.post(operationId, { ...body, ...change });

	it('keeps the document under the ID that was chosen', async () => {
		const answer = await post({ [idField]: ID, belegnotiz: 'x'.repeat(60) });
		expect(answer.status).toBe(200);
		expect(answer.data).toEqual({ id: ID, dateiname: body.datei.dateiname, svc: { neuesGuthaben: 999 } });
		const { datei, ...fields } = body;
		expect(await client.list('documents')).toMatchObject([
			{
				id: ID,
				operationId,
				connectionId: client.connectionId(module),
				dateiname: datei.dateiname,
				size: PDF.length,
				sha256: sha256(PDF),
				fields,
			},
		]);
	});

	it('assigns an ID when none was chosen, and returns the file under it', async () => {
		const { data } = await post();
		const file = await client.control.get(`documents/${data.id}/content`, { responseType: 'arraybuffer' });
		expect(file.data).toEqual(PDF);
	});

	it('refuses an ID that is taken, however it is written', async () => {
		await post({ [idField]: ID });
		await expectRefusal(operationId, { ...body, [idField]: ID.toUpperCase() }, 409, idField);
	});

	it.each([
		['an unknown belegtyp', { belegtyp: 'Gibtsnicht' }, 422, 'belegtyp'],
		['an empty file', { datei: { content: '', dateiname: 'x' } }, 400, 'datei/content'],
		['base64 without its padding', { datei: { content: 'AA', dateiname: 'x' } }, 400, 'datei/content'],
	])('refuses %s', async (_, change: Json, status, field) => {
		await expectRefusal(operationId, { ...body, ...change }, status, field);
	});
});

it('the sandbox lists the document types of each variant', async () => {
	const typesOf = async (id: string) =>
		(await client.post(id)).data.data.map(({ belegtyp }: { belegtyp: string }) => belegtyp);
	expect(await typesOf('listDuoDocumentTypes')).toContain('Sonstige');
	expect(await typesOf('listReweDocumentTypes')).toContain('Vertrag');
});
