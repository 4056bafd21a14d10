import omit from 'lodash/omit.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE, type PaymentUpdate } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { useGateway } from '../../support/gateway.mjs';
import { type Answered, FakeDatabase, type Sent, TriggerWorkflow } from '../../support/triggerHarness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBankingTrigger();

let nr = 0;
/** An event that hasn't been delivered yet. */
const event = (data: Partial<PaymentUpdate['data']> = {}, rest: object = {}): PaymentUpdate => ({
	...EXAMPLE,
	data: { ...EXAMPLE.data, payment_id: `pay-${++nr}`, ...data },
	...rest,
});

/** A published workflow, and the token in the URL that it gave to the gateway. */
async function publish(parameters: object = {}, workflowId = `w${++nr}`) {
	const { credential } = gateway;
	const workflow = new TriggerWorkflow(node, { credential, workflowId, parameters: parameters as never });
	await workflow.create();
	const [{ url }] = await gateway.list<{ url: string }>('webhooks');
	return { workflow, token: new URL(url).searchParams.get('token') as string };
}

const send = async (body: unknown, sent: Partial<Sent> = {}, parameters: object = {}): Promise<Answered> => {
	const { workflow, token } = await publish(parameters);
	return await workflow.deliver({ body, token, ...sent });
};

const refused = (status: number, message: string | RegExp): Answered => ({
	status,
	body: { error: { message: expect.stringMatching(message) as string } },
});
const ignored: Answered = { status: 200, body: '' };

beforeEach(() => new FakeDatabase().install());

describe('the token', () => {
	it('lets an event pass as it was delivered', async () => {
		const delivered = { ...event(), extra: { some: ['thing'] } };
		expect(await send(delivered)).toEqual({ status: 200, body: '', started: [[{ json: delivered }]] });
	});

	it.each<[string, Partial<Sent>]>([
		['none', { token: undefined }],
		['an empty one', { token: '' }],
		['a wrong one', { token: 'x'.repeat(43) }],
		['a list', { token: ['x'.repeat(43), 'y'] }],
		['a long one', { token: 'x'.repeat(100_000) }],
	])('%s gets 401 and starts nothing', async (_, sent) => {
		expect(await send(event(), sent)).toEqual(refused(401, 'token'));
	});

	it("another workflow's gets 401", async () => {
		const [one, other] = [await publish(), await publish()];
		const answer = await one.workflow.deliver({ body: event(), token: other.token });
		expect(answer).toEqual(refused(401, 'token'));
	});

	it("another API key's gets 401", async () => {
		const { workflow, token } = await publish();
		workflow.staticData = {};
		workflow.options = { ...workflow.options, credential: { ...gateway.credential, apiKey: 'new-key' } };
		expect(await workflow.deliver({ body: event(), token })).toEqual(refused(401, 'token'));
		expect(workflow.logs.join()).toContain('wrong token');
		expect(workflow.logs.join()).not.toContain(token);
	});

	it('of the registered URL stays good when the API key is changed', async () => {
		const { workflow, token } = await publish();
		workflow.options = { ...workflow.options, credential: { ...gateway.credential, apiKey: 'new-key' } };
		expect(await workflow.deliver({ body: event(), token })).toHaveProperty('started');
	});

	it('that can not be checked gets 503, so that the event is sent again', async () => {
		const { workflow, token } = await publish();
		const credential = {
			get apiKey(): string {
				throw new Error('Credential not found');
			},
		};
		workflow.options = { ...workflow.options, credential };
		expect(await workflow.deliver({ body: event(), token })).toEqual(refused(503, 'token'));
		expect(workflow.logs.join()).toContain('Credential not found');
	});
});

describe('a malformed delivery', () => {
	const { data } = EXAMPLE;
	it.each<[string, unknown, RegExp]>([
		['nothing', {}, /^event: Required/],
		['a text', 'payment_update', /^The body: Expected object/],
		['a list', [EXAMPLE], /^The body: Expected object/],
		['null', null, /^The body: Expected object/],
		['an event without name', { ...EXAMPLE, event: '' }, /^event: /],
		['a number as event', { ...EXAMPLE, event: 7 }, /^event: /],
		['no data', { ...EXAMPLE, data: undefined }, /^data: Required/],
		['data as text', { ...EXAMPLE, data: 'x' }, /^data: /],
		['no payment', { ...EXAMPLE, data: { ...data, payment_id: undefined } }, /^data.payment_id: Required/],
		[
			'an empty payment',
			{ ...EXAMPLE, data: { ...data, payment_id: '' } },
			/^data.payment_id: must be an ID/,
		],
		[
			'a path as payment',
			{ ...EXAMPLE, data: { ...data, payment_id: '..' } },
			/^data.payment_id: must be an ID/,
		],
		['a number as payment', { ...EXAMPLE, data: { ...data, payment_id: 7 } }, /^data.payment_id: /],
		['an unknown status', { ...EXAMPLE, data: { ...data, status: 'done' } }, /^data.status: /],
		[
			'the status that is never delivered',
			{ ...EXAMPLE, data: { ...data, status: 'initiated_info_required' } },
			/^data.status: /,
		],
		[
			'a number as raw status',
			{ ...EXAMPLE, data: { ...data, raw_provider_status: 7 } },
			/raw_provider_status: /,
		],
		[
			'another template',
			{ ...EXAMPLE, data: { ...data, template_identifier: 'SWIFT' } },
			/template_identifier: /,
		],
		[
			'no attributes',
			{ ...EXAMPLE, data: { ...data, payment_attributes: undefined } },
			/payment_attributes: /,
		],
		[
			'a number as amount',
			{ ...EXAMPLE, data: { ...data, payment_attributes: { amount: 119 } } },
			/^data.payment_attributes.amount: /,
		],
		['own fields as list', { ...EXAMPLE, data: { ...data, custom_fields: [] } }, /custom_fields: /],
		['no time', { ...EXAMPLE, received_at: undefined }, /^received_at: Required/],
		['a time without zone', { ...EXAMPLE, received_at: '2026-03-02T10:15:00' }, /^received_at: must be/],
		['a day that is none', { ...EXAMPLE, received_at: '2026-02-30T10:15:00Z' }, /^received_at: must be/],
	])('%s gets 400', async (_, body, problem) => {
		expect(await send(body)).toEqual(refused(400, problem));
	});

	it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', null])(
		'of content type %s gets 400',
		async (contentType) => {
			expect(await send(event(), { contentType })).toEqual(refused(400, 'application/json'));
		},
	);

	it('that is too large gets 413', async () => {
		expect(await send(event(), { size: 256 * 1024 + 1 })).toEqual(refused(413, '262144 bytes'));
		expect(await send(event(), { size: 256 * 1024 })).toHaveProperty('started');
	});
});

describe('an event that lacks what nothing depends on', () => {
	it('is taken: refused, it would be lost', async () => {
		const data = omit(
			event({ payment_attributes: {} as never }).data,
			'raw_provider_status',
			'custom_fields',
		);
		const body = { ...EXAMPLE, data };
		expect(await send(body)).toHaveProperty('started');
	});
});

describe('filters', () => {
	it.each([
		[{}, 'settled', 'SEPA', true],
		[{ status: [] }, 'settled', 'SEPA', true],
		[{ status: ['settled'] }, 'settled', 'SEPA', true],
		[{ status: ['settled', 'failed'] }, 'failed', 'SEPA', true],
		[{ status: ['settled'] }, 'processing', 'SEPA', false],
		[{ status: '={{ "settled" }}' }, 'settled', 'SEPA', true],
		[{ template_identifier: ['SEPA_INSTANT'] }, 'settled', 'SEPA', false],
		[{ template_identifier: ['SEPA_INSTANT'] }, 'settled', 'SEPA_INSTANT', true],
		[{ status: ['failed'], template_identifier: ['SEPA'] }, 'settled', 'SEPA', false],
	] as const)('%o on %s, %s: %o', async (parameters, status, template_identifier, starts) => {
		const answer = await send(event({ status, template_identifier }), {}, parameters);
		if (starts) expect(answer).toHaveProperty('started');
		else expect(answer).toEqual(ignored);
	});
});

describe('events of other kinds', () => {
	const other = () => ({ event: 'account_update', nr: ++nr, data: 'anything' });

	it('get 200 and start nothing', async () => {
		expect(await send(other())).toEqual(ignored);
	});

	it('start the workflow when they are wanted, whatever the filters say', async () => {
		const body = other();
		const answer = await send(body, {}, { status: ['failed'], options: { otherEvents: true } });
		expect(answer).toEqual({ status: 200, body: '', started: [[{ json: body }]] });
	});

	it('are the same when all of their content is the same', async () => {
		const { workflow, token } = await publish({ options: { otherEvents: true } });
		const body = other();
		expect(await workflow.deliver({ body, token })).toHaveProperty('started');
		expect(await workflow.deliver({ body: { ...body }, token })).toEqual(ignored);
		expect(await workflow.deliver({ body: other(), token })).toHaveProperty('started');
	});
});

describe('a test in the editor', () => {
	it('takes the same event any number of times', async () => {
		const { workflow, token } = await publish();
		const body = event();
		for (let i = 0; i < 2; i++) {
			expect(await workflow.deliver({ body, token, kind: 'test' })).toHaveProperty('started');
		}
		expect(await workflow.deliver({ body, token })).toHaveProperty('started');
	});

	it('asks for the token too', async () => {
		expect(await send(event(), { kind: 'test', token: undefined })).toEqual(refused(401, 'token'));
	});

	it('takes the example whatever the filters say; a published workflow does not', async () => {
		const filters = { status: ['failed'] };
		expect(await send(EXAMPLE, { kind: 'test' }, filters)).toHaveProperty('started');
		expect(await send(EXAMPLE, {}, filters)).toEqual(ignored);
	});
});
