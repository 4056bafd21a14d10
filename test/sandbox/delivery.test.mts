/** What is written: what comes back, what is kept, and what is refused beyond the contract (strictness.test.mts). */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/contract.mjs';
import { IS_THOROUGH } from '../support/extent.mjs';
import { judgeAnswer, useSandbox } from './client.mjs';

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
	const before = client.sandbox.store.snapshot();
	const answer = await client.post(id, body);
	expect([answer.status, answer.data.error.field]).toEqual([status, field]);
	expect(answer.data.error.message).toContain(field.split('/')[0]);
	expect(judgeAnswer(id, answer)).toEqual([]);
	expect(client.sandbox.store.snapshot()).toEqual(before);
}

describe('the sandbox’s createCashBookEntry', () => {
	const post = (body: Json) => client.post('createCashBookEntry', body);

	it('answers an expense with its amount negative, and the credit balance', async () => {
		const answer = await post(entry);
		expect(answer.status).toBe(200);
		expect(answer.data).toEqual({
			...entry,
			betrag: -23.8,
			belegbilder: [],
			acctAntwort: null,
			svc: { neuesGuthaben: 999 },
		});
		expect(judgeAnswer('createCashBookEntry', answer)).toEqual([]);
	});

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

	it('refuses a belegnummer that the cash book already has', async () => {
		await post(entry);
		await expectRefusal('createCashBookEntry', { ...entry, betrag: 1 }, 409, 'belegnummer');
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
		['a time without a zone', { transaktionsdatum: '2026-03-02T10:15:00' }, 400, 'transaktionsdatum'],
		['a day that does not exist', { transaktionsdatum: '2026-02-29T10:15:00Z' }, 400, 'transaktionsdatum'],
		['an empty image', { belegbilder: [attachment(Buffer.alloc(0), 'x')] }, 400, 'belegbilder/0/content'],
		[
			'an image that is not base64',
			{ belegbilder: [{ content: 'a?==', dateiname: 'x' }] },
			400,
			'belegbilder/0/content',
		],
		[
			'base64 without its padding',
			{ belegbilder: [{ content: 'AA', dateiname: 'x' }] },
			400,
			'belegbilder/0/content',
		],
		[
			'a data URL',
			{ belegbilder: [{ content: 'data:image/png;base64,AAAA', dateiname: 'x' }] },
			400,
			'belegbilder/0/content',
		],
	])('refuses %s', async (_, change, status, field) => {
		await expectRefusal('createCashBookEntry', { ...entry, ...change }, status, field);
	});
});

describe('the sandbox’s createAdvancedCashBookEntry', () => {
	const post = (body: Json) => client.post('createAdvancedCashBookEntry', body);

	it('answers one line for each line, and adds them up exactly', async () => {
		const answer = await post({ ...advanced, belegbilder: [attachment(PDF, 'r.pdf')] });
		const common = { erstellungsdatum: '2026-03-02T09:00:00.000Z', waehrung: 'EUR' };
		expect(answer.status).toBe(200);
		expect(answer.data).toEqual({
			...common,
			belegzeilen: [
				{
					...common,
					belegtext: 'Brot',
					belegnummer: 'R-1',
					betrag: 0.1,
					steuersatz: { prozent: 7, buSchluessel: '8' },
					kostenstellen: [],
				},
				{
					...common,
					belegtext: 'Milch',
					gegenkonto: '3300',
					betrag: 0.2,
					kostenstellen: [{ name: 'LADEN' }, { name: 'SÜD' }],
				},
			],
			belegbilder: [{ dateiname: 'r.pdf' }],
			kassenname: 'Hauptkasse',
			betrag: 0.3,
			transaktionsdatum: advanced.transaktionsdatum,
			acctAntwort: {
				status: 'ERFOLGREICH',
				meldungen: [expect.objectContaining({ dateiname: 'r.pdf' })],
			},
			svc: { neuesGuthaben: 999 },
		});
		expect(judgeAnswer('createAdvancedCashBookEntry', answer)).toEqual([]);
		expect(await client.list('entries')).toMatchObject([
			{ fields: advanced, bookings: [{ betrag: 0.1, belegNummer: 'R-1' }, { betrag: 0.2 }] },
		]);
	});

	it.each([
		['a sum that is too high by a cent', { betrag: 0.31 }, 422, 'betrag'],
		['a sum that only floating point makes', { betrag: 0.1 + 0.2 }, 422, 'betrag'],
		['a sum of the other sign', { betrag: -0.3 }, 422, 'betrag'],
		['an amount without lines', { belegzeilen: [] }, 422, 'belegzeilen'],
		['nothing at all', { belegzeilen: [], betrag: 0 }, 422, 'belegzeilen'],
		['an unknown cash book', { kassenname: '' }, 422, 'kassenname'],
		['an empty file', { belegbilder: [attachment(Buffer.alloc(0), 'x')] }, 400, 'belegbilder/0/content'],
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
		expect(judgeAnswer(operationId, answer)).toEqual([]);
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

	it.runIf(module === 'duo' || IS_THOROUGH)('accepts a file of 25 MB', async () => {
		const content = Buffer.alloc(25 * 2 ** 20, 7);
		expect((await post({ datei: attachment(content, 'gross.pdf') })).status).toBe(200);
		expect(await client.list('documents')).toMatchObject([{ size: content.length, sha256: sha256(content) }]);
	});

	it.each([
		['an unknown belegtyp', { belegtyp: 'Gibtsnicht' }, 422, 'belegtyp'],
		['an empty file', { datei: { content: '', dateiname: 'x' } }, 400, 'datei/content'],
		['content that is not base64', { datei: { content: '%PDF', dateiname: 'x' } }, 400, 'datei/content'],
	])('refuses %s', async (_, change: Json, status, field) => {
		await expectRefusal(operationId, { ...body, ...change }, status, field);
	});
});

describe('the sandbox’s lists:', () => {
	it.each([
		['listCashBooks', 'bezeichnung', ['Hauptkasse', 'Kasse Filiale Süd']],
		['listDuoDocumentTypes', 'belegtyp', expect.arrayContaining(['Rechnungseingang'])],
		['listReweDocumentTypes', 'belegtyp', expect.arrayContaining(['Kasse'])],
	])('%s has what the demo account has', async (operationId, field, expected) => {
		const answer = await client.post(operationId);
		expect(answer.data.data.map((item: Json) => item[field])).toEqual(expected);
		expect(answer.data.svc).toEqual({ neuesGuthaben: 1000 });
		expect(judgeAnswer(operationId, answer)).toEqual([]);
	});

	it.each([
		['listDuoConnections', 'duo', 1],
		['listReweConnections', 'rewe', 1],
		['listReweReadConnections', 'rewe-read', 2],
	] as const)('%s lists the connections of its module only', async (operationId, module, count) => {
		const answer = await client.post(operationId);
		expect(answer.data.data).toHaveLength(count);
		expect(answer.data.data[0].id).toBe(client.connectionId(module));
		expect(judgeAnswer(operationId, answer)).toEqual([]);
	});
});
