import omit from 'lodash/omit.js';
import { describe, expect, it } from 'vitest';
import type { VariantsInput } from '../../sandbox/admin/variants.mjs';
import type { Delivery } from '../../sandbox/banking/webhooks.mjs';
import type { Json } from '../../api/contract.mjs';
import { useSandbox } from './client.mjs';

const client = useSandbox();
const set = (variants: VariantsInput) => client.control.post('variants', variants);
const BOOKS = [{ bezeichnung: 'Hauptkasse' }, { bezeichnung: 'Kasse Filiale Süd' }];

it('the sandbox answers as without variants, even after they are deleted', async () => {
	await set({ lists: 'bare' });
	await client.control.delete('variants');
	expect((await client.post('listCashBooks')).data).toEqual({ data: BOOKS, svc: { neuesGuthaben: 1000 } });
});

it.each<[string, VariantsInput, unknown]>([
	['lists as bare arrays', { lists: 'bare' }, BOOKS],
	['another key than svc', { svcKey: 'plattform' }, { data: BOOKS, plattform: { neuesGuthaben: 1000 } }],
	[
		'unknown fields in every object',
		{ extraFields: true },
		{
			data: BOOKS.map((book) => ({ ...book, zusatzfeld: expect.anything() })),
			svc: { neuesGuthaben: 1000, zusatzfeld: expect.anything() },
			zusatzfeld: expect.anything(),
		},
	],
])('the sandbox can send %s', async (_, variants, answer) => {
	await set(variants);
	expect((await client.post('listCashBooks')).data).toEqual(answer);
});

it('the sandbox can name the fields of one list differently', async () => {
	const usual = (await client.post('listDuoConnections')).data.data[0] as { id: string; name: string };
	await set({ listFields: { listDuoConnections: { id: 'connectionId', name: 'bezeichnung' } } });
	const { data } = await client.post('listDuoConnections');
	expect(data.data[0]).toEqual({ connectionId: usual.id, bezeichnung: usual.name });
	expect((await client.post('listCashBooks')).data.data).toEqual(BOOKS);
});

describe('the sandbox’s answer to setting the webhook URL', () => {
	const url = 'https://n8n.example/webhook';
	it.each([
		['text', 200, 'OK', expect.stringContaining('text/plain')],
		['empty', 200, '', expect.anything()],
		['no-content', 204, '', undefined],
	] as const)('can be %s', async (webhookUrlAnswer, status, data, type) => {
		await set({ webhookUrlAnswer });
		const answer = await client.post('setWebhookUrl', { url });
		expect([answer.status, answer.data]).toEqual([status, data]);
		if (type) expect(answer.headers['content-type']).toEqual(type);
		expect(await client.list('webhooks')).toEqual([{ account: 'demo', url }]);
	});
});

describe('the sandbox’s accounting task', () => {
	it.each(['createCashBookEntry', 'createAdvancedCashBookEntry'])('of %s can fail', async (operationId) => {
		await set({ task: { status: 'FEHLGESCHLAGEN' } });
		const answer = await client.post(operationId);
		expect(answer).toMatchObject({ status: 200, data: { acctAntwort: { status: 'FEHLGESCHLAGEN' } } });
		expect(await client.list('entries')).toHaveLength(1);
	});

	it('can have a failure message, even without a file', async () => {
		await set({ task: { typ: 'FEHLER', nachricht: 'Das Konto 4711 ist gesperrt.' } });
		const body = omit(client.request('createCashBookEntry').body as Json, 'belegbilder');
		const { data } = await client.post('createCashBookEntry', body);
		expect(data.acctAntwort).toMatchObject({
			status: 'ERFOLGREICH',
			meldungen: [{ nachricht: 'Das Konto 4711 ist gesperrt.', typ: 'FEHLER' }],
		});
	});
});

const read = async () => (await client.http.get('/v2/banking/payments/pay-9')).data.data as Json;
const move = async (status: string) => (await client.control.post(`payments/pay-9/${status}`)).data as Json;

it('the sandbox’s payment API, when it lags, shows a payment as it was, until it has caught up, and delivers its events at once', async () => {
	await client.post('setWebhookUrl', { url: `${client.sandbox.url}/nowhere` });
	await client.control.post('delivery-settings', { retries: 0 });
	await client.control.post('payments', { id: 'pay-9' });
	await set({ paymentLagMs: 600_000 });
	for (const status of ['authorizing', 'processing']) expect(await move(status)).toMatchObject({ status });
	expect(await read()).toMatchObject({ status: 'initiated_info_required', raw_provider_status: null });
	const events = (await client.list<Delivery>('deliveries')).map(({ event }) => event);
	expect(events).toMatchObject([{ data: { status: 'authorizing' } }, { data: { status: 'processing' } }]);
	await set({ paymentLagMs: 0 });
	expect(await read()).toMatchObject({ status: 'processing' });
});

describe('the sandbox’s errors', () => {
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
	] as const)('can have the shape %s', async (errors, body, type) => {
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
