import { Readable } from 'node:stream';
import { setInterval as every } from 'node:timers/promises';
import fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '../../sandbox/banking/webhooks.mjs';
import { startSandbox } from '../../sandbox/server.mjs';
import { type Json, validator } from '../../api/contract.mjs';
import { useSandbox } from './client.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';

const client = useSandbox();

/** What the receiver got, and how it answers: these statuses one after another, then 200; 0 breaks the connection, -1 never ends. */
const receiver = { url: '', bodies: [] as Json[], headers: [] as Json[], answers: [] as number[] };
const server = fastify({ forceCloseConnections: true });
beforeAll(async () => {
	server.post('/hook', async (request, reply) => {
		receiver.bodies.push(request.body as Json);
		receiver.headers.push(request.headers);
		const status = receiver.answers.shift() ?? 200;
		if (status === 0) return reply.hijack().raw.socket?.destroy();
		if (status < 0) return await reply.send(Readable.from(every(20, 'x')));
		return await reply.code(status).send();
	});
	receiver.url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/hook`;
});
afterAll(async () => await server.close());

beforeEach(async () => {
	Object.assign(receiver, { bodies: [], headers: [], answers: [] });
	await client.control.post('delivery-settings', { retries: 3, delayMs: 1, timeoutMs: 60_000 });
	await client.post('setWebhookUrl', { url: receiver.url });
});

const move = async (id: string, status: string) => await client.control.post(`payments/${id}/${status}`);
const deliveries = async () => await client.list<Delivery>('deliveries');
/** All deliveries, once none of them is in flight. */
const settled = async () => {
	await waitFor(async () => (await deliveries()).every(({ state }) => state !== 'pending'), { interval: 5 });
	return await deliveries();
};
const read = async (id: string, api = 'partner') =>
	(await client.http.get(`/v2/banking/payments/${id}`, { params: { api } })).data.data as Json;

describe('a payment in the sandbox', () => {
	it('moves from the confirmation to settled, with an event for each status but the first', async () => {
		const { data } = await client.control.post('payments', { custom_fields: { auftrag: '4711' } });
		expect(data).toMatchObject({
			status: 'initiated_info_required',
			raw_provider_status: null,
			api: 'partner',
		});
		expect(await deliveries()).toEqual([]);
		for (const status of ['authorizing', 'processing', 'settled']) {
			expect((await move(data.id, status)).data.status).toBe(status);
			await settled();
		}
		expect(receiver.bodies.map((event) => (event.data as Json).status)).toEqual([
			'authorizing',
			'processing',
			'settled',
		]);
		expect(receiver.bodies.at(-1)).toMatchObject({
			data: {
				payment_id: data.id,
				raw_provider_status: 'ACSC',
				payment_attributes: { amount: '119.00', end_to_end_id: 'E2E-1007' },
				custom_fields: { auftrag: '4711' },
			},
			received_at: '2026-03-02T09:00:00.000Z',
		});
		for (const body of receiver.bodies) expect(validator('paymentUpdate', 'body')(body)).toEqual([]);
		expect(receiver.headers[0]).toMatchObject({
			'content-type': 'application/json',
			'user-agent': 'accounting-gateway-sandbox',
		});
	});

	it("allows the contract's transitions and no others", async () => {
		const allowed: Record<string, string[]> = {
			initiated_info_required: ['authorizing', 'failed', 'rejected'],
			authorizing: ['processing', 'failed', 'rejected'],
			processing: ['settled', 'failed', 'rejected'],
			settled: [],
			failed: [],
			rejected: [],
		};
		const [, ...usual] = Object.keys(allowed);
		const pathTo = (status: string) =>
			['failed', 'rejected'].includes(status) ? [status] : usual.slice(0, usual.indexOf(status) + 1);
		for (const from of Object.keys(allowed)) {
			for (const to of [...Object.keys(allowed), 'paid']) {
				const { data } = await client.control.post('payments');
				for (const status of pathTo(from)) await move(data.id, status);
				const before = await read(data.id);
				const answer = await move(data.id, to);
				expect([from, to, answer.status]).toEqual([from, to, allowed[from].includes(to) ? 200 : 409]);
				if (answer.status === 409) expect(await read(data.id)).toEqual(before);
				else expect(answer.data.transitions).toEqual(allowed[to]);
			}
		}
	});
});

describe('a delivery of the sandbox', () => {
	it('is repeated unchanged after an error, a broken connection and a refusal', async () => {
		const answers = [500, 0, 404];
		receiver.answers = [...answers];
		await move('pay-1', 'settled');
		const [delivery] = await settled();
		expect(delivery).toMatchObject({ account: 'demo', url: receiver.url, state: 'delivered' });
		expect(delivery.attempts.map(({ status }) => status ?? 0)).toEqual([...answers, 200]);
		expect(
			delivery.attempts.filter(({ durationMs, at }) => !(durationMs >= 0 && Date.parse(at) > 0)),
		).toEqual([]);
		expect(new Set(receiver.bodies.map((body) => JSON.stringify(body))).size).toBe(1);
	});

	it('fails in the end', async () => {
		receiver.answers = [500, 500, 500, 500, 500];
		await move('pay-1', 'settled');
		const [delivery] = await settled();
		expect([delivery.state, delivery.attempts.length]).toEqual(['failed', 4]);
	});

	it.each([
		['ECONNREFUSED', 60_000, 'http://127.0.0.1:1/'],
		['ETIMEDOUT', 200, undefined],
	])('says why no answer came: %s', async (error, timeoutMs, url = receiver.url) => {
		receiver.answers = [-1];
		await client.post('setWebhookUrl', { url });
		await client.control.post('delivery-settings', { retries: 0, timeoutMs });
		await move('pay-1', 'settled');
		expect((await settled())[0].attempts).toEqual([
			{ at: expect.any(String), status: null, error, durationMs: expect.any(Number) },
		]);
	});

	it('does not happen without a URL', async () => {
		await client.control.post('reset');
		await move('pay-1', 'settled');
		expect((await client.control.post('payments/pay-1/repeat')).data).toEqual({ delivers: false });
		expect(await deliveries()).toEqual([]);
	});

	it('goes only to the account that the payment belongs to', async () => {
		const { data } = await client.control.post('payments', { bank_account: 'acc-cafe' });
		await move(data.id, 'authorizing');
		expect(await deliveries()).toEqual([]);
	});

	it('is repeated unchanged on request, even later', async () => {
		await move('pay-1', 'settled');
		await settled();
		client.sandbox.store.setNow(new Date('2026-03-02T10:00:00Z'));
		await Promise.all([1, 2].map(async () => await client.control.post('payments/pay-1/repeat')));
		await settled();
		expect(receiver.bodies).toHaveLength(3);
		expect(new Set(receiver.bodies.map((body) => JSON.stringify(body))).size).toBe(1);
		expect((await client.control.post('payments/pay-2/repeat')).status).toBe(409);
	});

	it('ends with a reset', async () => {
		await client.control.post('delivery-settings', { retries: 20, delayMs: 50 });
		receiver.answers = Array.from({ length: 20 }, () => 500);
		const delivery = client.sandbox.services.payments.move('pay-1', 'settled').delivery;
		await waitFor(() => receiver.bodies.length > 0, { interval: 5 });
		await client.control.post('reset');
		const { state, attempts } = (await delivery)!;
		expect(state).toBe('pending');
		expect(attempts.length).toBeLessThan(20);
		expect(receiver.bodies.length).toBeLessThan(20);
		expect(await deliveries()).toEqual([]);
	});

	it('goes on after a restart, with no attempt for the stop', async () => {
		await client.control.post('delivery-settings', { retries: 2, delayMs: 60_000 });
		receiver.answers = [500, 500];
		await move('pay-1', 'settled');
		await expect.poll(async () => (await deliveries())[0].attempts.length).toBe(1);
		let state = client.sandbox.store.snapshot();
		for (const statuses of [
			[500, 500],
			[500, 500, 200],
		]) {
			const { store, close } = await startSandbox({ state });
			const [delivery] = store.list('deliveries') as Delivery[];
			await expect.poll(() => delivery.attempts.map(({ status }) => status)).toEqual(statuses);
			await close();
			state = store.snapshot();
		}
	});
});

it('the sandbox’s load delivers the given number of events at the given rate, each a different one', async () => {
	const start = performance.now();
	const { data } = await client.control.post('load', { events: 40, perSecond: 100 });
	expect(performance.now() - start).toBeGreaterThan(380);
	expect(data).toEqual({ delivered: 40 });
	const keys = receiver.bodies.map(({ data }) => {
		const { payment_id, status } = data as Record<string, string>;
		return `${payment_id} ${status}`;
	});
	expect(new Set(keys).size).toBe(40);
	expect(new Set(receiver.bodies.map(({ data }) => (data as Json).payment_id)).size).toBe(14);
});
