import { describe, expect, it } from 'vitest';
import type { Json } from '../../api/contract.mjs';
import { useSandbox } from './client.mjs';

const client = useSandbox();

const UNKNOWN = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const JOB = 'deutschlandticket-job';
const to = (postal_code: unknown) => ({ tariff_settings: { postal_code } });
const POSTAL_CODE = to('90402');

const create = async (body: Json) => await client.post('createTicket', body);
const activate = async (id: string, body: Json, key?: string) => {
	const request = client.request('activateTicket', body);
	return await client.send({ ...request, path: `/v2/mobility/tickets/${id}/activate` }, key);
};

describe('the sandbox’s createTicket', () => {
	it('answers with the whole ticket, active', async () => {
		const { data: customer } = await client.post('createCustomer', { name: 'Anna Schmidt' });
		const answer = await create({
			product_id: 'deutschlandticket',
			customer_id: customer.id,
			...POSTAL_CODE,
		});
		expect(answer.data).toMatchObject({
			organization_id: customer.organization_id,
			customer_id: customer.id,
			product_id: 'deutschlandticket',
			product_name: 'Deutschland-Ticket',
			ticket_type: 'subscription',
			is_subscription: true,
			coupon_id: 'CPN-000001',
			ticket_id: 'T-000001',
			subscription_id: 'S-000001',
			order_id: 'O-000001',
			status: 'active',
			renewal_status: 'pending',
			current_cycle: 1,
			tariff_settings: { postal_code: '90402' },
			valid_from: '2026-03-02T00:00:00+01:00',
			// The clocks have been put forward by then.
			valid_until: '2026-03-31T23:59:59+02:00',
			price_in_cents: 6300,
			invoice_id: null,
		});
		expect(await client.list('tickets')).toEqual([{ ...answer.data, account: 'demo' }]);
	});

	it.each<[string, Json]>([
		['deutschlandticket-job', POSTAL_CODE],
		['regio-handyticket', { identification_medium: { phone_number: '+491701234567' } }],
	])('answers partially for %s', async (product_id, settings) => {
		const answer = await create({ product_id, ...settings });
		expect(answer.data).toEqual({ id: expect.any(String), coupon_id: 'CPN-000001' });
		expect((await client.list('tickets'))[0]).toMatchObject({
			id: answer.data.id,
			status: null,
			ticket_id: null,
		});
	});

	it.each<[string, Json, string]>([
		['an unknown product', { product_id: 'bahncard' }, 'product_id'],
		['an unknown customer', { product_id: 'tagesticket-plus', customer_id: UNKNOWN }, 'customer_id'],
		// The form says that nationwide tickets need it.
		['no postal code', { product_id: JOB }, 'tariff_settings/postal_code'],
		['a postal code without its zero', { product_id: JOB, ...to('1067') }, 'tariff_settings/postal_code'],
		['a postal code as number', { product_id: JOB, ...to(90402) }, 'tariff_settings/postal_code'],
		// The activation could not take it.
		['no phone number', { product_id: 'regio-handyticket' }, 'identification_medium/phone_number'],
	])('refuses %s', async (_name, body, field) => {
		await client.refuses(() => create(body), 422, field);
	});
});

it('the sandbox’s activateTicket takes only the ticket’s own coupon, and refuses what the product doesn’t take', async () => {
	const { data } = await create({ product_id: JOB, ...POSTAL_CODE });
	const { id, coupon_id } = data;
	await client.refuses(() => activate(id, { coupon_id, ...to('1067') }), 422, 'tariff_settings/postal_code');
	const otherCoupon = { coupon_id: 'CPN-9', ...POSTAL_CODE };
	await client.refuses(() => activate(id, otherCoupon), 422, 'coupon_id');
	const answer = await activate(id, { coupon_id, ...POSTAL_CODE });
	expect(answer.data).toMatchObject({ status: 'active', ...POSTAL_CODE });
});

it('the sandbox’s activateTicket doesn’t know another account’s ticket', async () => {
	const { data } = await create({ product_id: 'deutschlandticket-job', ...POSTAL_CODE });
	const { id, coupon_id } = data;
	await client.refuses(() => activate(id, { coupon_id }, 'sandbox-second-key'), 404, 'id');
});

describe('the sandbox’s control API', () => {
	const move = async (id: string, transition: string) =>
		await client.control.post(`tickets/${id}/${transition}`);

	it('renews a ticket’s subscription month by month', async () => {
		const { data } = await create({ product_id: 'deutschlandticket', ...POSTAL_CODE });
		expect((await move(data.id, 'renew')).data).toMatchObject({
			status: 'active',
			renewal_status: 'renewed',
			current_cycle: 2,
			valid_until: '2026-04-30T23:59:59+02:00',
		});
	});

	it.each([
		['cancel', 'cancelled'],
		['expire', 'expired'],
	])('has %s make a ticket %s, for good', async (transition, status) => {
		const { data } = await create({ product_id: 'tagesticket-plus' });
		expect((await move(data.id, transition)).data.status).toBe(status);
		for (const next of ['cancel', 'expire', 'renew']) expect((await move(data.id, next)).status).toBe(409);
		const answer = await activate(data.id, { coupon_id: data.coupon_id });
		expect([answer.status, answer.data.error.code]).toEqual([409, status]);
	});
});
