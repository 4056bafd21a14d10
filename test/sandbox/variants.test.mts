import { describe, expect, it } from 'vitest';
import { useSandbox } from './client.mjs';

const client = useSandbox();
const set = (variants: object) => client.control.post('variants', variants);
const BOOKS = [{ bezeichnung: 'Hauptkasse' }, { bezeichnung: 'Kasse Filiale Süd' }];

it('answers as the sandbox does without variants, also after they are deleted', async () => {
	await set({ lists: 'bare' });
	await client.control.delete('variants');
	expect((await client.post('listCashBooks')).data).toEqual({ data: BOOKS, svc: { neuesGuthaben: 1000 } });
});

it('sends lists as bare arrays', async () => {
	await set({ lists: 'bare' });
	expect((await client.post('listCashBooks')).data).toEqual(BOOKS);
});

it('adds unknown fields to every object', async () => {
	await set({ extraFields: true });
	const { data } = await client.post('listCashBooks');
	expect(Object.keys(data)).toEqual(['data', 'svc', 'zusatzfeld']);
	expect(Object.keys(data.data[0])).toEqual(['bezeichnung', 'zusatzfeld']);
});

it.each([200, 201, 202])('answers a success with %i', async (success) => {
	await set({ success });
	expect((await client.post('createCashBookEntry')).status).toBe(success);
	expect((await client.send({ ...client.request('listCashBooks'), query: {} })).status).toBe(400);
});

it('calls `svc` something else', async () => {
	await set({ svcKey: 'plattform' });
	expect((await client.post('listCashBooks')).data).toMatchObject({ plattform: { neuesGuthaben: 1000 } });
});

describe('errors', () => {
	const message = '"connectionId" is missing.';
	it.each([
		['error.message', { error: { message, field: 'connectionId', code: 'required' } }, 'application/json'],
		['error', { error: message }, 'application/json'],
		['string', message, 'application/json'],
		['message', { message, field: 'connectionId' }, 'application/json'],
		['errors', { errors: [{ message, field: 'connectionId', code: 'required' }] }, 'application/json'],
		['detail', { detail: message }, 'application/json'],
		['fehler', { fehler: message, feld: 'connectionId' }, 'application/json'],
		['problem+json', expect.objectContaining({ status: 400, detail: message }), 'application/problem+json'],
		['html', expect.stringContaining('&quot;connectionId&quot; is missing.'), 'text/html'],
	])('in the shape %s', async (errors, body, type) => {
		await set({ errors });
		const answer = await client.send({ ...client.request('listCashBooks'), query: {} });
		expect([answer.status, answer.data]).toEqual([400, body]);
		expect(answer.headers['content-type']).toContain(type);
	});

	it('of the control API keep their shape', async () => {
		await set({ errors: 'fehler' });
		expect((await client.control.get('nothing')).data.error.message).toContain('nothing');
	});
});

it.each([{ lists: 'none' }, { success: 204 }, { errors: 'x' }, { unknown: true }])(
	'refuses %j',
	async (variants) => {
		expect((await set(variants)).status).toBe(400);
	},
);
