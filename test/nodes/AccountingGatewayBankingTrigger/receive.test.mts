import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE, type ContractEvent } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { useGateway } from '../../support/useSandbox.mjs';
import { type Answered, FakeDatabase, type Sent, TriggerWorkflow } from '../../support/triggerHarness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBankingTrigger();

let nr = 0;
/** An event that hasn't been delivered yet. */
const event = (data: Partial<ContractEvent['data']> = {}, rest: object = {}): ContractEvent => ({
	...EXAMPLE,
	data: { ...EXAMPLE.data, payment_id: `pay-${++nr}`, ...data },
	...rest,
});

/** A published workflow, and the token in the URL that it gave to the gateway. */
async function publish(parameters: INodeParameters = {}, workflowId = `w${++nr}`) {
	const { credential } = gateway;
	const workflow = new TriggerWorkflow(node, { credential, workflowId, parameters });
	await workflow.create();
	workflow.logs.length = 0;
	const [{ url }] = await gateway.list<{ url: string }>('webhooks');
	return { workflow, token: new URL(url).searchParams.get('token') as string };
}

const send = async (
	body: unknown,
	sent: Partial<Sent> = {},
	parameters: INodeParameters = {},
): Promise<Answered> => {
	const { workflow, token } = await publish(parameters);
	return await workflow.deliver({ body, token, ...sent });
};

const refused = (status: number, message: string | RegExp): Answered => ({
	status,
	body: { error: { message: expect.stringMatching(message) as string } },
});
/** What a status must be. */
const STATUS_RULE = 'data.status must be one of authorizing, processing, settled, failed, rejected';
const ignored: Answered = { status: 200, body: '' };

beforeEach(() => new FakeDatabase().install());

describe('the token', () => {
	it('lets an event pass as delivered', async () => {
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
		expect(workflow.logs.join()).toContain(
			'The token in the URL is missing or wrong. If the gateway sent it, publish',
		);
		expect(workflow.logs.join()).not.toContain(token);
	});

	it('of the registered URL stays valid when the API key is changed', async () => {
		const { workflow, token } = await publish();
		workflow.options = { ...workflow.options, credential: { ...gateway.credential, apiKey: 'new-key' } };
		expect(await workflow.deliver({ body: event(), token })).toHaveProperty('started');
	});

	const unreadable = {
		get apiKey(): string {
			throw new Error('Credential not found');
		},
	};

	it('of the registered URL is recognized without the credential', async () => {
		const { workflow, token } = await publish();
		workflow.options = { ...workflow.options, credential: unreadable };
		expect(await workflow.deliver({ body: event(), token })).toHaveProperty('started');
		expect(workflow.logs).toEqual([]);
	});

	it('that cannot be checked gets 503, so that the event is sent again', async () => {
		const { workflow, token } = await publish();
		workflow.staticData = {};
		workflow.options = { ...workflow.options, credential: unreadable };
		expect(await workflow.deliver({ body: event(), token })).toEqual(refused(503, 'token'));
		expect(workflow.logs.join()).toContain('Credential not found');
	});
});

describe('a delivery that is not an event', () => {
	const { data } = EXAMPLE;
	it.each<[string, unknown, string]>([
		['nothing', '', 'The body must be an object.'],
		['no fields', {}, 'event is missing.'],
		['a text', '"payment_update"', 'The body must be an object.'],
		['a list', [EXAMPLE], 'The body must be an object.'],
		['null', null, 'The body must be an object.'],
		['an event without name', { ...EXAMPLE, event: '' }, 'event must not be empty.'],
		['a number as event', { ...EXAMPLE, event: 7 }, 'event must be text.'],
		['no data', { ...EXAMPLE, data: undefined }, 'data is missing.'],
		['data as text', { ...EXAMPLE, data: 'x' }, 'data must be an object.'],
		['no payment', { ...EXAMPLE, data: { ...data, payment_id: undefined } }, 'data.payment_id is missing.'],
		['an empty payment', { ...EXAMPLE, data: { ...data, payment_id: '' } }, 'data.payment_id must be an ID.'],
		[
			'a path as payment',
			{ ...EXAMPLE, data: { ...data, payment_id: '..' } },
			'data.payment_id must be an ID.',
		],
		[
			'a number as payment',
			{ ...EXAMPLE, data: { ...data, payment_id: 7 } },
			'data.payment_id must be text.',
		],
		['no status', { ...EXAMPLE, data: { ...data, status: undefined } }, `${STATUS_RULE}.`],
		['an unknown status', { ...EXAMPLE, data: { ...data, status: 'done' } }, `${STATUS_RULE}, not done.`],
		[
			'the status that is never delivered',
			{ ...EXAMPLE, data: { ...data, status: 'initiated_info_required' } },
			`${STATUS_RULE}, not initiated_info_required.`,
		],
		['no JSON', '<event>payment_update</event>', 'The body is not JSON.'],
	])('%s gets 400, and a line in the log says why', async (_, body, problem) => {
		const { workflow, token } = await publish();
		const contentType = typeof body === 'string' ? 'text/plain' : 'application/json';
		const answer = await workflow.deliver({ body, token, contentType });
		expect(answer).toEqual({ status: 400, body: { error: { message: problem } } });
		expect(workflow.logs).toEqual([
			`A delivery to the payment trigger of workflow "Test workflow" was refused (400): ${problem} {"workflowId":"${workflow.options.workflowId}","node":"Node"}`,
		]);
	});

	it.each<[string, unknown]>([
		['an IBAN', 'DE02120300000000202051'],
		['a second line', 'x\nERROR: all payments were approved'],
		['a long text', 'x'.repeat(200_000)],
		['an object', { iban: 'DE02120300000000202051' }],
	])('leaves none of its content in the log: %s as status', async (_, status) => {
		const { workflow, token } = await publish();
		expect((await workflow.deliver({ body: { ...EXAMPLE, data: { ...data, status } }, token })).status).toBe(
			400,
		);
		expect(workflow.logs).toEqual([
			`A delivery to the payment trigger of workflow "Test workflow" was refused (400): ${STATUS_RULE}. {"workflowId":"${workflow.options.workflowId}","node":"Node"}`,
		]);
	});

	it('that is too large gets 413, and a line in the log says so', async () => {
		const { workflow, token } = await publish();
		const size = 256 * 1024;
		expect(await workflow.deliver({ body: event(), token, size: size + 1 })).toEqual(
			refused(413, '262144 bytes'),
		);
		expect(workflow.logs).toEqual([
			expect.stringContaining('refused (413): The body is larger than 262144 bytes.'),
		]);
		expect(await workflow.deliver({ body: event(), token, size })).toHaveProperty('started');
	});

	it.each(['1', 'x'.repeat(43)])(
		'with a wrong token leaves a line without the token in the log',
		async (token) => {
			const { workflow } = await publish();
			await workflow.deliver({ body: event(), token });
			expect(workflow.logs).toEqual([
				expect.stringContaining('refused (401): The token in the URL is missing or wrong.'),
			]);
			if (token.length > 1) expect(workflow.logs.join()).not.toContain(token);
		},
	);
});

describe('an event', () => {
	const { data } = EXAMPLE;
	const attributes = data.payment_attributes;
	it.each<[string, object]>([
		['a number as amount', { data: { ...data, payment_attributes: { ...attributes, amount: 119 } } }],
		['no attributes', { data: { ...data, payment_attributes: undefined } }],
		['null for the attributes', { data: { ...data, payment_attributes: null } }],
		['a list as own fields', { data: { ...data, custom_fields: [] } }],
		['a number as raw status', { data: { ...data, raw_provider_status: 7 } }],
		['an unknown kind of transfer', { data: { ...data, template_identifier: 'SEPA_URGENT' } }],
		['no kind of transfer', { data: { ...data, template_identifier: undefined } }],
		['no time', { received_at: undefined }],
		['a time without zone', { received_at: '2026-03-02T10:15:00' }],
		['a number as time', { received_at: 1772446500 }],
		[
			'nothing but payment and status',
			{ data: { payment_id: 'p', status: 'settled' }, received_at: undefined },
		],
	])('with %s is accepted: if refused, it would be lost', async (_, rest) => {
		const body = JSON.parse(JSON.stringify({ ...EXAMPLE, ...rest }));
		const { workflow, token } = await publish();
		expect(await workflow.deliver({ body, token })).toEqual({
			status: 200,
			body: '',
			started: [[{ json: body }]],
		});
		expect(workflow.logs).toEqual([]);
	});

	it.each([
		'application/json',
		'application/json; charset=utf-8',
		'application/cloudevents+json',
		'application/vnd.gateway.v2+json; charset=utf-8',
		'text/plain',
		'text/json',
		'application/x-www-form-urlencoded',
		null,
	])('is accepted with the content type %s', async (contentType) => {
		const body = event({ payment_attributes: { ...attributes, description: 'Büromöbel €' } });
		const answer = await send(body, { contentType });
		expect(answer).toEqual({ status: 200, body: '', started: [[{ json: body }]] });
	});

	it('keeps as text the numbers that JavaScript cannot represent', async () => {
		const body = JSON.stringify(event({ custom_fields: { auftrag: 'NR' } })).replace(
			'"NR"',
			'12345678901234567890',
		);
		const { started } = await send(body);
		expect(started?.[0][0].json).toMatchObject({
			data: { custom_fields: { auftrag: '12345678901234567890' } },
		});
	});

	it('is accepted with a leading byte order mark', async () => {
		const body = event();
		expect((await send(`\uFEFF${JSON.stringify(body)}`)).started).toEqual([[{ json: body }]]);
	});

	it('is refused as a form with files', async () => {
		expect(await send(event(), { contentType: 'multipart/form-data; boundary=x' })).toEqual(
			refused(400, 'event is missing'),
		);
	});
});

describe('filters', () => {
	it.each<[INodeParameters, 'settled' | 'failed' | 'processing', string | undefined, boolean]>([
		[{}, 'settled', 'SEPA', true],
		[{ status: [] }, 'settled', 'SEPA', true],
		[{ status: ['settled'] }, 'settled', 'SEPA', true],
		[{ status: ['settled', 'failed'] }, 'failed', 'SEPA', true],
		[{ status: ['settled'] }, 'processing', 'SEPA', false],
		[{ status: '={{ "settled" }}' }, 'settled', 'SEPA', true],
		[{ template_identifier: ['SEPA_INSTANT'] }, 'settled', 'SEPA', false],
		[{ template_identifier: ['SEPA_INSTANT'] }, 'settled', 'SEPA_INSTANT', true],
		[{ status: ['failed'], template_identifier: ['SEPA'] }, 'settled', 'SEPA', false],
		[{ template_identifier: ['SEPA'] }, 'settled', 'SEPA_URGENT', false],
		[{ template_identifier: ['SEPA'] }, 'settled', undefined, false],
	])('%o on %s, %s: %o', async (parameters, status, template_identifier, starts) => {
		const answer = await send(
			event({ status, template_identifier: template_identifier as 'SEPA' }),
			{},
			parameters,
		);
		if (starts) expect(answer).toHaveProperty('started');
		else expect(answer).toEqual(ignored);
	});
});

describe('an event for a workflow whose parameters break a rule', () => {
	it.each<[string, INodeParameters, string]>([
		['a filter', { status: '={{ ["setteld"] }}' }, 'Statuses (status) must be any of'],
		[
			'an option',
			{ options: { deduplicate: '={{ "no" }}' } },
			'Deduplicate (deduplicate) must be true or false',
		],
		['an expression', { status: '={{ $("Nowhere").first().json.status }}' }, "Referenced node doesn't exist"],
	])('is not lost: its execution fails, because of %s', async (_, parameters, message) => {
		const { workflow, token } = await publish();
		workflow.options = { ...workflow.options, parameters };
		const { started } = await workflow.deliver({ body: event(), token });
		const { json, error } = await workflow.run(started!);
		expect(json).toEqual([]);
		expect(error?.message).toContain(message);
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
	it('accepts the same event any number of times', async () => {
		const { workflow, token } = await publish();
		const body = event();
		for (let i = 0; i < 2; i++) {
			expect(await workflow.deliver({ body, token, kind: 'test' })).toHaveProperty('started');
		}
		expect(await workflow.deliver({ body, token })).toHaveProperty('started');
	});

	it('requires the token too', async () => {
		expect(await send(event(), { kind: 'test', token: undefined })).toEqual(refused(401, 'token'));
	});

	it('accepts the example whatever the filters say; a published workflow does not', async () => {
		const filters = { status: ['failed'] };
		expect(await send(EXAMPLE, { kind: 'test' }, filters)).toHaveProperty('started');
		expect(await send(EXAMPLE, {}, filters)).toEqual(ignored);
	});
});
