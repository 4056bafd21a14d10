/** What the payment trigger makes of an event that its webhook has accepted. */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import omit from 'lodash/omit.js';
import uniq from 'lodash/uniq.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE_EVENT, type ContractEvent } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import type { PaymentInput } from '../../../sandbox/banking/payments.mjs';
import { useGateway } from '../../support/useSandbox.mjs';
import { logger } from '../../../host/engine.mjs';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import type { RunOptions, RunResult } from '../../../host/harness.mjs';
import { listening } from '../../support/listening.mjs';
import { TriggerWorkflow } from '../../../host/triggerHarness.mjs';
import { endTimeouts, skipPauses } from '../../support/pauses.mjs';
import { freePort } from '../../../scripts/base/ports.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBankingTrigger();
const UNVERIFIED: INodeParameters = { options: { verify: false } };
let nr = 0;

beforeEach(() => new FakeDatabase().install());
afterEach(() => void vi.restoreAllMocks());

const newWorkflow = (parameters: INodeParameters = {}) =>
	new TriggerWorkflow(node, {
		credential: gateway.credential,
		parameters,
		workflowId: `e${++nr}`,
		workflowName: 'Zahlungen',
	});
const items = (event: object) => [[{ json: event as IDataObject }]];

/** Runs the trigger of a new workflow with an event. */
const emit = async (
	event: object,
	parameters: INodeParameters = {},
	options: Partial<RunOptions> = {},
): Promise<RunResult> => await newWorkflow(parameters).run(items(event), options);
const withApi = (api: string) => ({ options: { api } });

type Status = ContractEvent['data']['status'];
const eventAbout = (payment_id: string, status: Status = 'settled'): ContractEvent => ({
	...EXAMPLE_EVENT,
	data: { ...EXAMPLE_EVENT.data, payment_id, status },
});
const UNKNOWN = eventAbout('no-such-payment');

/** Makes a payment, moves it on, and gives the event that the gateway tells of it. */
function pay(input: PaymentInput, ...statuses: Status[]): ContractEvent {
	const { payments } = gateway.sandbox.services;
	const { id, payment_attributes } = payments.create({ status: 'authorizing', ...input });
	for (const status of statuses) payments.move(id, status);
	const event = eventAbout(id, statuses.at(-1) ?? 'authorizing');
	return { ...event, data: { ...event.data, payment_attributes: omit(payment_attributes, 'creditor_bic') } };
}
/** An event that tells of another status than its payment has. */
const saying = (status: Status, { data: { payment_id } }: ContractEvent) => eventAbout(payment_id, status);

const reads = async () =>
	(await gateway.requests()).filter(({ operationId }) => operationId === 'getPayment');
const refuseKey = async (times: number) =>
	await gateway.fault({ kind: 'status', status: 401, times, operationId: 'getPayment' });

describe('The payment trigger without Verify', () => {
	it('outputs the event as delivered, with the workflow’s name as quelle, and asks the gateway nothing', async () => {
		const event = { ...EXAMPLE_EVENT, extra: [1] };
		// The sender doesn't decide what is verified, or an example.
		const claims = { verified: true, delivered: {}, example: true };
		const { main } = await emit({ ...event, ...claims }, UNVERIFIED);
		expect(main).toEqual([[{ json: { ...event, quelle: 'Zahlungen' }, pairedItem: { item: 0 } }]]);
		expect(await gateway.requests()).toEqual([]);
	});

	it.each([
		['', ''],
		['={{ $workflow.name }}/{{ 1 + 1 }}', 'Zahlungen/2'],
	])('outputs the quelle that was entered: %o', async (given, quelle) => {
		expect((await emit(EXAMPLE_EVENT, { ...UNVERIFIED, quelle: given })).json[0].quelle).toBe(quelle);
	});

	it('fails in a way that can be retried where a later version of the package has saved the node', async () => {
		const { json, error } = await emit(EXAMPLE_EVENT, UNVERIFIED, { settings: { typeVersion: 2 } });
		expect(error?.message).toContain('This node has version 2');
		expect(json).toEqual([]);
	});

	it('outputs nothing for what is no event, as where the workflow was started without one', async () => {
		expect(
			(await newWorkflow(UNVERIFIED).run([[{ json: {} }, ...items(EXAMPLE_EVENT)[0]]])).main,
		).toMatchObject([[{ json: EXAMPLE_EVENT, pairedItem: { item: 1 } }]]);
	});
});

describe('The payment trigger reads the payment of an event back and', () => {
	it('outputs what the gateway says as verified, next to what was delivered', async () => {
		const event = pay({ custom_fields: { auftrag: '4711' } }, 'processing', 'settled');
		const { payment_attributes } = event.data;
		const forged = {
			...event,
			data: {
				...event.data,
				payment_attributes: { ...payment_attributes, amount: '9999.00' },
				injected: 'x',
			},
		};
		const { json, hints } = await emit(forged);
		expect(json).toEqual([
			{
				event: 'payment_update',
				data: {
					payment_id: event.data.payment_id,
					status: 'settled',
					raw_provider_status: 'ACSC',
					template_identifier: 'SEPA',
					payment_attributes: { ...payment_attributes, creditor_bic: 'CMCIDEDDXXX' },
					custom_fields: { auftrag: '4711' },
				},
				received_at: event.received_at,
				verified: true,
				delivered: forged.data,
				quelle: 'Zahlungen',
			},
		]);
		expect(hints).toEqual([]);
	});

	it.each([
		[withApi('openbanking'), 'acc-wallet', ['openbanking']],
		[withApi('auto'), 'acc-giro', ['partner']],
		[{}, 'acc-wallet', ['partner', 'openbanking']],
	])('with %o finds a payment of the account %s by asking %j', async (parameters, bank_account, asked) => {
		expect((await emit(pay({ bank_account }), parameters)).json).toHaveLength(1);
		expect((await reads()).map(({ query }) => query)).toEqual(asked.map((api) => ({ api })));
	});

	it.each([
		['partner', ['partner', 'partner'], [5]],
		['auto', ['partner', 'openbanking'], []],
	])('fails after two reads if the API %s doesn’t know it', async (api, asked, waits) => {
		const pauses = skipPauses();
		const { json, error } = await emit(UNKNOWN, withApi(api));
		expect(json).toEqual([]);
		expect(error?.message).toBe(
			`The event about payment no-such-payment could not be verified: the gateway doesn't know this payment (api ${uniq(asked).join(', ')})`,
		);
		expect(error?.description).toMatch(/use Retry .* URL: unpublish the workflow, then publish it/);
		expect(pauses()).toEqual(waits);
		expect((await reads()).map(({ query }) => query)).toEqual(asked.map((api) => ({ api })));
	});

	it('waits once for a payment that is still behind its event', async () => {
		const { payments } = gateway.sandbox.services;
		const { id } = payments.create({ status: 'authorizing' });
		const pauses = skipPauses(() =>
			['processing', 'settled'].forEach((to) => payments.move(id, to as Status)),
		);
		const { json, error } = await emit(eventAbout(id));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ verified: true, data: { payment_id: id, status: 'settled' } }]);
		expect(pauses()).toEqual([5]);
	});

	it('finds a payment that reaches its API later than its event', async () => {
		await gateway.fault({ kind: 'status', status: 404, times: 1, operationId: 'getPayment' });
		const pauses = skipPauses();
		expect((await emit(pay({}), withApi('partner'))).json).toHaveLength(1);
		expect(pauses()).toEqual([5]);
	});

	it('fails when the payment doesn’t catch up with the event, after two reads', async () => {
		skipPauses();
		const { json, error } = await emit(saying('settled', pay({}, 'processing')));
		expect(json).toEqual([]);
		expect(error?.message).toMatch(
			/^The event about payment \S+ could not be verified: the event says settled, but the payment is processing$/,
		);
		expect(await reads()).toHaveLength(2);
	});

	it('fails at once when the payment has ended with another status', async () => {
		const { json, error } = await emit(saying('settled', pay({}, 'processing', 'rejected')));
		expect(json).toEqual([]);
		expect(error?.message).toContain('the event says settled, but the payment is rejected');
		expect(await reads()).toHaveLength(1);
	});

	/** What starts the workflow: the payment's status as read, for each of several events in the order of their arrival. */
	async function startsOf(statuses: Status[], now: Status[], arrive: Status[]) {
		const workflow = newWorkflow({ status: statuses });
		const event = pay({}, ...now);
		const started: unknown[] = [];
		for (const status of arrive) {
			const { json, error } = await workflow.run(items(saying(status, event)));
			expect(error).toBeUndefined();
			started.push(
				...json.map(({ data, delivered }) =>
					[data, delivered].map((one) => (one as ContractEvent['data']).status),
				),
			);
		}
		return started;
	}

	it.each<[string, Status[], Status[], Status[], Array<[read: Status, told: Status]>]>([
		['', [], ['processing', 'settled'], ['processing', 'settled'], [['settled', 'processing']]],
		[
			'for its end alone',
			['settled'],
			['processing', 'settled'],
			['authorizing', 'processing', 'settled'],
			[['settled', 'authorizing']],
		],
		[
			'for what it has passed',
			['processing'],
			['processing', 'settled'],
			['authorizing', 'processing', 'settled'],
			[['settled', 'processing']],
		],
		[
			'in whatever order the events come',
			[],
			['processing', 'rejected'],
			['rejected', 'processing', 'authorizing'],
			[['rejected', 'rejected']],
		],
		['for another end', ['settled'], ['processing', 'failed'], ['authorizing', 'processing', 'failed'], []],
	])(
		'starts the workflow once with the status that it has by now, if the workflow waits %s',
		async (_, statuses, now, arrive, started) => {
			expect(await startsOf(statuses, now, arrive)).toEqual(started);
		},
	);

	it('starts the workflow for each status that it has when the event about it comes', async () => {
		const workflow = newWorkflow();
		const event = pay({});
		const { payments } = gateway.sandbox.services;
		for (const status of ['authorizing', 'processing', 'settled'] as const) {
			if (status !== 'authorizing') payments.move(event.data.payment_id, status);
			const { json } = await workflow.run(items(saying(status, event)));
			expect(json).toMatchObject([{ verified: true, data: { status }, delivered: { status } }]);
		}
	});

	it('asks for an ID with any characters, or a number', async () => {
		expect((await emit(pay({ id: 'pay/../ä 1?x' }))).json).toHaveLength(1);
		const event = pay({ id: '17' });
		const { json } = await emit({ ...event, data: { ...event.data, payment_id: 17 } });
		expect(json).toMatchObject([{ verified: true, data: { payment_id: '17' } }]);
	});

	it('leaves out of its error what could forge a line in the log', async () => {
		skipPauses();
		const { error } = await emit(eventAbout(`pay-1\nERROR\u2028${'x'.repeat(200)}`));
		expect(error?.message).toMatch(/^The event about payment pay-1 ERROR x{52} could not be verified/);
	});

	it('fails when the gateway rejects the key, and succeeds on a retry', async () => {
		const event = pay({});
		await refuseKey(2);
		const failed = await emit(event);
		expect(failed.error?.message).toMatch(/^The gateway rejected the API key/);
		const retried = await emit(event, {}, { retryOf: failed.run, mode: 'retry' });
		expect(retried.json).toMatchObject([{ verified: true }]);
	});

	it('asks the API that was chosen once where it rejects the key', async () => {
		const event = pay({});
		await refuseKey(1);
		expect((await emit(event, withApi('partner'))).error?.message).toMatch(
			/^The gateway rejected the API key/,
		);
		expect(await reads()).toHaveLength(1);
	});

	it('fails when an answer takes longer than 30 seconds', async () => {
		await gateway.fault({ kind: 'hang', times: null });
		const timeouts = endTimeouts(() => gateway.sandbox.log.entries.length > 0);
		expect((await emit(pay({}))).error?.message).toContain("didn't answer in time");
		expect(timeouts()).toContain(30_000);
	});

	it('marks events of other kinds as not verified', async () => {
		const { json } = await emit(
			{ event: 'account_update', verified: true },
			{ options: { otherEvents: true } },
		);
		expect(json).toEqual([{ event: 'account_update', verified: false, quelle: 'Zahlungen' }]);
	});

	it.each<[INodeParameters, object]>([
		[{}, { event: 'account_update' }],
		[{ status: ['failed'] }, {}],
		[{ template_identifier: ['SEPA_INSTANT'] }, {}],
	])(
		'outputs nothing, but a hint, where %o leaves it out, whatever it says of itself: %o',
		async (parameters, other) => {
			const event = pay({});
			const claim = { ...event, data: { ...event.data, template_identifier: 'SEPA_INSTANT' }, ...other };
			const workflow = newWorkflow(parameters);
			const { json, error, hints } = await workflow.run(items(claim));
			expect([json, error]).toEqual([[], undefined]);
			expect(hints).toMatchObject([
				{ type: 'info', message: expect.stringContaining('leave it out') as string },
			]);
			workflow.options.parameters = { options: { otherEvents: true } };
			expect((await workflow.run(items(claim))).json).toHaveLength(1);
		},
	);
});

describe('When the partner API refuses to say anything about a payment, the payment trigger', () => {
	const refuse = async (status: number, api: string, times = 1) =>
		await gateway.fault({ kind: 'status', status, times, operationId: 'getPayment', contains: api });

	it.each([400, 403])('finds it in the open banking API: HTTP %i', async (status) => {
		await refuse(status, 'partner');
		const { json, error } = await emit(pay({ bank_account: 'acc-wallet' }));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ verified: true }]);
		expect(await reads()).toHaveLength(2);
	});

	it('says so in the error where the open banking API doesn’t know it', async () => {
		await refuse(403, 'partner');
		skipPauses();
		expect((await emit(UNKNOWN)).error?.message).toContain(
			"the gateway doesn't know this payment (api partner: The gateway denied access (HTTP 403): “",
		);
		expect(await reads()).toHaveLength(2);
	});

	it('fails at once and names both reasons where the open banking API refuses, too', async () => {
		await refuse(403, 'partner');
		await refuse(422, 'openbanking');
		expect((await emit(pay({}))).error?.message).toMatch(
			/^partner: The gateway denied access \(HTTP 403\).*; openbanking: The gateway refused a value \(HTTP 422\)/,
		);
		expect(await reads()).toHaveLength(2);
	});
});

/** The trigger of a workflow in front of a gateway that answers all questions in the same way. */
async function workflowWhere(answer: object, parameters: INodeParameters = {}, status = 200) {
	const respond = (_: unknown, response: ServerResponse) =>
		void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
	const workflow = newWorkflow(parameters);
	const baseUrl = `http://${await listening(createServer(respond))}`;
	workflow.options = { ...workflow.options, credential: { ...gateway.credential, baseUrl } };
	return workflow;
}

describe('However little the gateway says of a payment,', () => {
	it.each<[string, unknown, unknown, boolean | undefined]>([
		['the event’s', undefined, 'SEPA', true],
		['the event’s', null, 'SEPA_INSTANT', false],
		['the payment’s', 'SEPA', undefined, true],
		['the payment’s', 'SEPA_INSTANT', 'SEPA', false],
		['no', null, undefined, undefined],
	])(
		'the filter judges by %s transfer type: %s in the payment, %s in the event',
		async (_, read, told, starts) => {
			const parameters: INodeParameters = { template_identifier: ['SEPA'] };
			const event = eventAbout('pay-1');
			const delivered = { ...event, data: { ...event.data, template_identifier: told } };
			const answer = { data: { id: 'pay-1', status: 'settled', template_identifier: read } };
			const { json, error } = await (await workflowWhere(answer, parameters)).run(items(delivered));
			expect(json).toHaveLength(starts ? 1 : 0);
			// Nobody knows: a person decides.
			if (starts === undefined)
				expect(error?.message).toMatch(/pay-1 starts the workflow is unclear: neither/);
			else expect(error).toBeUndefined();
		},
	);
});

describe('However the gateway writes the ID of a payment,', () => {
	const UUID = '6f1c2b1e-93d6-4a0e-8a59-0c1d1d9c1b11';

	it.each([
		['a number', '17', { data: { id: 17, status: 'settled' } }],
		['a UUID in capitals', UUID, { data: { id: UUID.toUpperCase(), status: 'settled' } }],
		['no "data" around it', 'pay-1', { id: 'pay-1', status: 'settled' }],
	])('an event is verified, and has it as the gateway writes it: %s', async (_, id, answer) => {
		const { json, error } = await (await workflowWhere(answer)).run(items(eventAbout(id)));
		expect(error).toBeUndefined();
		const payment_id = String('data' in answer ? answer.data?.id : answer.id);
		expect(json).toMatchObject([{ verified: true, data: { payment_id, status: 'settled' } }]);
	});

	it('an event that is sent again with another spelling starts nothing', async () => {
		const workflow = await workflowWhere({ data: { id: UUID, status: 'settled' } });
		expect((await workflow.run(items(eventAbout(UUID)))).json).toHaveLength(1);
		expect((await workflow.run(items(eventAbout(UUID.toUpperCase())))).json).toEqual([]);
	});
});

describe('Where the payment trigger continues on an error, it', () => {
	it('outputs nothing but the error, with its advice, when nobody knows the payment', async () => {
		skipPauses();
		const error = expect.stringMatching(/the gateway doesn't know this payment.*\. \S.+\.$/) as string;
		// Another key would keep older versions of n8n from taking it for an error.
		const item = { json: { error }, pairedItem: { item: 0 } };
		for (const [onError, main] of [
			['continueRegularOutput', [[item]]],
			['continueErrorOutput', [[], [item]]],
		] as const) {
			const warn = vi.spyOn(logger, 'warn').mockReturnValue();
			const result = await emit(UNKNOWN, {}, { settings: { onError } });
			expect(result.main).toEqual(main);
			expect(result.hints).toEqual([expect.objectContaining({ type: 'warning' })]);
			expect(warn).toHaveBeenCalled();
		}
	});

	it.each([
		['an expression fails', { quelle: '={{ $("No such node").item.json.x }}' }, {}],
		['a later version of the package has saved the node', {}, { typeVersion: 2 }],
	])('outputs nothing but the error when %s', async (_, parameters, settings) => {
		const onError = 'continueRegularOutput';
		const { main } = await emit(pay({}), parameters, { settings: { onError, ...settings } });
		expect(main).toEqual([[{ json: { error: expect.any(String) as string }, pairedItem: { item: 0 } }]]);
	});

	it('quotes the gateway as it said it, without HTML', async () => {
		const said = `Zahlung <gesperrt> & "abgelaufen" ${'seit gestern '.repeat(12)}`.trim();
		const workflow = await workflowWhere({ message: said }, {}, 400);
		const settings = { onError: 'continueRegularOutput' } as const;
		const { main } = await workflow.run(items(pay({})), { settings });
		expect(main[0]).toMatchObject([{ json: { error: expect.stringContaining(said) as string } }]);
	});

	it('tries again first, with "Retry On Fail"', async () => {
		await refuseKey(2);
		const settings = { onError: 'continueErrorOutput', retryOnFail: true, waitBetweenTries: 1 } as const;
		const { main } = await emit(pay({}), {}, { settings });
		expect(main).toMatchObject([[{ json: { verified: true } }], []]);
	});
});

describe('A payment event that was verified and is delivered again', () => {
	it('starts nothing, whatever time it gives, and a hint says so', async () => {
		const workflow = newWorkflow();
		const event = pay({});
		expect((await workflow.run(items(event))).json).toHaveLength(1);
		for (const received_at of [event.received_at, '2026-03-02T10:15:01Z', undefined, 'now']) {
			const log = vi.spyOn(logger, 'info').mockReturnValue();
			const { json, error, hints } = await workflow.run(items({ ...event, received_at }));
			expect([json, error]).toEqual([[], undefined]);
			const message = 'This event was delivered before and has already started the workflow.';
			expect(hints).toMatchObject([{ type: 'info', message }]);
			expect(log).toHaveBeenLastCalledWith(`${message} (workflow "Zahlungen")`);
		}
	});

	it('starts the workflow if it could not be verified before; then it, or a retry of the former, starts nothing', async () => {
		const workflow = newWorkflow();
		const [event, other] = [pay({}), pay({})];
		await refuseKey(4);
		const first = await workflow.run(items(event));
		const failed = await workflow.run(items(other));
		expect((await workflow.run(items(event))).json).toMatchObject([{ verified: true }]);
		const late = await workflow.run([[]], { retryOf: first.run, mode: 'retry' });
		expect([late.json, late.hints[0]?.message]).toEqual([[], expect.stringContaining('delivered before')]);
		expect((await workflow.run([[]], { retryOf: failed.run, mode: 'retry' })).json).toHaveLength(1);
		expect((await workflow.run(items(other))).json).toEqual([]);
	});
});

describe('The example event of a test in the editor', () => {
	/** Listens for a test event, as the editor does, and lets the second pass after which the example is sent. */
	async function listen(n8nUrl: string): Promise<void> {
		const options = { credential: gateway.credential, workflowId: 'example', n8nUrl };
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		try {
			await new TriggerWorkflow(node, options).create('test');
			await vi.advanceTimersByTimeAsync(1000);
		} finally {
			vi.useRealTimers();
		}
	}

	it('is sent to the test URL, with a token, once n8n listens; the gateway gets nothing', async () => {
		const arrived: Array<[url: string | undefined, body: unknown]> = [];
		const n8n = createServer((request, response) => {
			void text(request).then((body) => {
				// n8n looks first whether it can reach itself.
				if (body) arrived.push([request.url, JSON.parse(body)]);
				response.end('{}');
			});
		});
		await listen(`http://${await listening(n8n)}`);
		const TEST_URL = /^\/webhook-test\/example-node\/payments\?token=[\w-]{72}$/;
		await expect.poll(() => arrived).toEqual([[expect.stringMatching(TEST_URL), EXAMPLE_EVENT]]);
		expect(await gateway.requests()).toEqual([]);
	});

	it('ends the test with advice if n8n can’t reach itself, so that nobody waits in vain', async () => {
		const n8nUrl = `http://127.0.0.1:${await freePort()}`;
		await expect(listen(n8nUrl)).rejects.toMatchObject({
			message: `The example event can't be delivered: n8n can't reach its own address (${n8nUrl})`,
			description: expect.stringContaining('check N8N_WEBHOOK_URL (WEBHOOK_URL in older') as string,
		});
	});

	it('is marked as an example each time, and isn’t verified', async () => {
		const workflow = newWorkflow();
		for (let i = 0; i < 2; i++) {
			const { json, hints } = await workflow.run(items(EXAMPLE_EVENT), { mode: 'manual' });
			expect(json).toEqual([{ ...EXAMPLE_EVENT, quelle: 'Zahlungen', example: true }]);
			expect(hints).toMatchObject([{ type: 'info', message: 'This is an invented example, not a payment.' }]);
		}
	});

	it('fails like any event of an unknown payment where it isn’t a test', async () => {
		skipPauses();
		expect((await emit(EXAMPLE_EVENT)).error?.message).toContain('example-payment');
	});
});
