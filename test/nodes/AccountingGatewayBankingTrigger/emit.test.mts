import omit from 'lodash/omit.js';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import fastify, { type FastifyRequest } from 'fastify';
import getPort from 'get-port';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE, type ContractEvent } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import type { PaymentInput } from '../../../sandbox/banking/payments.mjs';
import { useGateway } from '../../support/useSandbox.mjs';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import type { RunOptions, RunResult } from '../../support/harness.mjs';
import { TriggerWorkflow } from '../../support/triggerHarness.mjs';
import { shortenTimeouts, skipPauses } from '../../support/pauses.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBankingTrigger();
const UNVERIFIED: INodeParameters = { options: { verify: false } };
let nr = 0;

beforeEach(() => new FakeDatabase().install());
afterEach(() => void vi.restoreAllMocks());

/** Runs the trigger with events that its webhook has taken over. */
async function emit(
	events: object | object[],
	parameters: INodeParameters = {},
	options: Partial<RunOptions> = {},
): Promise<RunResult> {
	const { credential } = gateway;
	const workflow = new TriggerWorkflow(node, {
		credential,
		parameters,
		workflowId: `e${++nr}`,
		workflowName: 'Zahlungen',
	});
	return await workflow.run([[events].flat().map((json) => ({ json: json as IDataObject }))], options);
}

/** Makes a payment, moves it on, and gives the event that the gateway tells of it. */
function pay(input: PaymentInput, ...statuses: string[]): ContractEvent {
	const { payments } = gateway.sandbox.services;
	const { id, payment_attributes } = payments.create({ status: 'authorizing', ...input });
	for (const status of statuses) payments.move(id, status);
	return {
		...EXAMPLE,
		data: {
			...EXAMPLE.data,
			payment_id: id,
			status: (statuses.at(-1) ?? 'authorizing') as ContractEvent['data']['status'],
			payment_attributes: omit(payment_attributes, 'creditor_bic'),
		},
	};
}

const reads = async () =>
	(await gateway.requests()).filter(({ operationId }) => operationId === 'getPayment');

describe('The output of the payment trigger', () => {
	it('is the event as delivered, with the workflow as quelle', async () => {
		const event = { ...EXAMPLE, extra: [1] };
		// The sender doesn't decide what is verified, or an example.
		const claims = { verified: true, delivered: {}, example: true };
		const { main } = await emit({ ...event, ...claims }, UNVERIFIED);
		expect(main).toEqual([[{ json: { ...event, quelle: 'Zahlungen' }, pairedItem: { item: 0 } }]]);
		expect(await gateway.requests()).toEqual([]);
	});

	it.each([
		['', ''],
		['={{ $workflow.name }}/{{ 1 + 1 }}', 'Zahlungen/2'],
	])('has the quelle as entered: %o', async (given, quelle) => {
		expect((await emit(EXAMPLE, { ...UNVERIFIED, quelle: given })).json[0].quelle).toBe(quelle);
	});

	it('is an error that can be retried where a later version of the package has saved the node', async () => {
		const { json, error } = await emit(EXAMPLE, UNVERIFIED, { settings: { typeVersion: 2 } });
		expect(error?.message).toContain('This node has version 2');
		expect(json).toEqual([]);
	});

	it('is empty when the workflow was started without an event', async () => {
		expect((await emit({})).json).toEqual([]);
	});
});

describe('Verify of a payment, which is on unless it is turned off,', () => {
	const verify = (options: INodeParameters = {}) => ({ options });

	it('outputs what the gateway says as verified, next to what was delivered', async () => {
		const event = pay({ custom_fields: { auftrag: '4711' } }, 'processing', 'settled');
		const forged = {
			...event,
			data: {
				...event.data,
				payment_attributes: { ...event.data.payment_attributes, amount: '9999.00' },
				injected: 'x',
			},
		};
		const { json, hints } = await emit(forged, verify());
		expect(json).toEqual([
			{
				event: 'payment_update',
				data: {
					payment_id: event.data.payment_id,
					status: 'settled',
					raw_provider_status: 'ACSC',
					template_identifier: 'SEPA',
					payment_attributes: { ...event.data.payment_attributes, creditor_bic: 'CMCIDEDDXXX' },
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
		['openbanking', 'acc-wallet', ['openbanking']],
		['auto', 'acc-giro', ['partner']],
		['auto', 'acc-wallet', ['partner', 'openbanking']],
		[undefined, 'acc-wallet', ['partner', 'openbanking']],
	])('with the api %s finds a payment of %s', async (api, bank_account, asked) => {
		const event = pay({ bank_account });
		expect((await emit(event, verify(api === undefined ? {} : { api }))).json).toHaveLength(1);
		expect((await reads()).map(({ query }) => query)).toEqual(asked.map((one) => ({ api: one })));
	});

	it.each([
		['no other api is asked', 'partner', ['partner']],
		['both are asked', 'auto', ['partner', 'openbanking']],
	])('fails when the payment is unknown: %s', async (_, api, asked) => {
		const pauses = skipPauses();
		const event = { ...EXAMPLE, data: { ...EXAMPLE.data, payment_id: 'no-such-payment' } };
		const { json, error } = await emit(event, verify({ api }));
		expect(json).toEqual([]);
		expect(error?.message).toBe(
			`The event about payment no-such-payment could not be verified: the gateway doesn't know this payment (api ${asked.join(', ')})`,
		);
		expect(error?.description).toContain('Retry');
		expect(pauses()).toEqual([1, 2, 4, 8, 15]);
		expect(await reads()).toHaveLength(6 * asked.length);
	});

	describe('when the partner API refuses', () => {
		const refuse = async (status: number, times = 1) =>
			await gateway.fault({ kind: 'status', status, times, operationId: 'getPayment', contains: 'partner' });

		it.each([400, 403])('the payment is found in the other one: HTTP %i', async (status) => {
			await refuse(status);
			const { json, error } = await emit(pay({ bank_account: 'acc-wallet' }), verify());
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ verified: true }]);
			expect(await reads()).toHaveLength(2);
		});

		it.each([401, 402])(
			'the other one is not asked about what is the same there: HTTP %i',
			async (status) => {
				await refuse(status);
				const { error } = await emit(pay({ bank_account: 'acc-wallet' }), verify());
				expect(error?.message).toContain(`(HTTP ${status})`);
				expect(await reads()).toHaveLength(1);
			},
		);

		it('the error says so if the other one does not know the payment, either', async () => {
			await refuse(403, 6);
			skipPauses();
			const event = { ...EXAMPLE, data: { ...EXAMPLE.data, payment_id: 'no-such-payment' } };
			const { error } = await emit(event, verify());
			expect(error?.message).toContain(
				"the gateway doesn't know this payment (api partner: The gateway denied access (HTTP 403): “",
			);
			expect(await reads()).toHaveLength(12);
		});

		it('and the other one, too, it fails at once and names both reasons', async () => {
			await refuse(403);
			await gateway.fault({
				kind: 'status',
				status: 422,
				operationId: 'getPayment',
				contains: 'openbanking',
			});
			const { error } = await emit(pay({}), verify());
			expect(error?.message).toMatch(
				/^partner: The gateway denied access \(HTTP 403\).*; openbanking: The gateway refused a value \(HTTP 422\)/,
			);
			expect(await reads()).toHaveLength(2);
		});
	});

	it.each(['initiated_info_required', 'processing'])(
		'waits for a payment that is still %s',
		async (behind) => {
			const { payments } = gateway.sandbox.services;
			const { id } = payments.create({ status: 'initiated_info_required' });
			const order = ['initiated_info_required', 'authorizing', 'processing', 'settled'];
			const before = order.indexOf(behind);
			for (const status of order.slice(1, before + 1)) payments.move(id, status);
			const rest = order.slice(before + 1);
			skipPauses(() => payments.move(id, rest.shift()!));
			const event = { ...EXAMPLE, data: { ...EXAMPLE.data, payment_id: id } };
			const { json, error } = await emit(event, verify());
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ verified: true, data: { payment_id: id, status: 'settled' } }]);
			expect(rest).toEqual([]);
		},
	);

	it('finds a payment that reaches the api later than its event', async () => {
		await gateway.fault({ kind: 'status', status: 404, times: 2, operationId: 'getPayment' });
		const pauses = skipPauses();
		expect((await emit(pay({}), verify())).json).toHaveLength(1);
		expect(pauses()).toEqual([1]);
	});

	it('fails when the api does not catch up with the event', async () => {
		const event = pay({}, 'processing');
		skipPauses();
		const { json, error } = await emit({ ...event, data: { ...event.data, status: 'settled' } }, verify());
		expect(json).toEqual([]);
		expect(error?.message).toBe(
			`The event about payment ${event.data.payment_id} could not be verified: the event says settled, but the payment is processing`,
		);
	});

	it('fails at once when the payment has ended with another status', async () => {
		const event = pay({}, 'processing', 'rejected');
		const { json, error } = await emit({ ...event, data: { ...event.data, status: 'settled' } }, verify());
		expect(json).toEqual([]);
		expect(error?.message).toContain('the event says settled, but the payment is rejected');
		expect(await reads()).toHaveLength(1);
	});

	it.each([
		['processing', 'settled'],
		['processing', 'rejected'],
	])('ends quietly when the event says %s and the payment is %s by now', async (told, now) => {
		const event = pay({}, 'processing', ...(now === 'processing' ? [] : [now]));
		const { json, hints, error } = await emit({ ...event, data: { ...event.data, status: told } }, verify());
		expect([json, error]).toEqual([[], undefined]);
		expect(hints).toEqual([
			{
				type: 'info',
				location: 'outputPane',
				message: `The event started nothing: it says that payment ${event.data.payment_id} is ${told}, but the payment is already ${now}, and only the event about that counts.`,
			},
		]);
		expect(await reads()).toHaveLength(1);
	});

	describe('recognizes the payment however the gateway writes it', () => {
		const UUID = '6f1c2b1e-93d6-4a0e-8a59-0c1d1d9c1b11';
		const settled = (payment_id: string) => ({
			...EXAMPLE,
			data: { ...EXAMPLE.data, payment_id, status: 'settled' },
		});
		/** A gateway that answers all questions in the same way. */
		async function withAnswer(answer: object, run: () => Promise<void>): Promise<void> {
			const server = fastify();
			server.get('/*', () => answer);
			const { baseUrl } = gateway.credential;
			gateway.credential.baseUrl = await server.listen();
			try {
				await run();
			} finally {
				gateway.credential.baseUrl = baseUrl;
				await server.close();
			}
		}

		it.each([
			['as a number', '17', { data: { id: 17, status: 'settled' } }],
			['in another case', UUID, { data: { id: UUID.toUpperCase(), status: 'settled' } }],
			['without "data"', 'pay-1', { id: 'pay-1', status: 'settled' }],
		])('%s', async (_, id, answer) => {
			await withAnswer(answer, async () => {
				const { json, error } = await emit(settled(id), verify());
				expect(error).toBeUndefined();
				const payment_id = String('data' in answer ? answer.data?.id : answer.id);
				expect(json).toMatchObject([{ verified: true, data: { payment_id, status: 'settled' } }]);
			});
		});

		it('an event that is sent again with another spelling starts nothing', async () => {
			await withAnswer({ data: { id: UUID, status: 'settled' } }, async () => {
				const { credential } = gateway;
				const workflowId = `e${++nr}`;
				const workflow = new TriggerWorkflow(node, { credential, workflowId, parameters: verify() });
				const deliver = async (id: string) => (await workflow.run([[{ json: settled(id) }]])).json;
				expect(await deliver(UUID)).toHaveLength(1);
				expect(await deliver(UUID.toUpperCase())).toEqual([]);
			});
		});
	});

	it('encodes the ID for the address', async () => {
		const event = pay({ id: 'pay/../ä 1?x' });
		expect((await emit(event, verify())).json).toHaveLength(1);
	});

	it('strips what could forge a log line from the ID in its error', async () => {
		const id = `pay-1\nERROR\u2028${'x'.repeat(200)}`;
		skipPauses();
		const { error } = await emit({ ...EXAMPLE, data: { ...EXAMPLE.data, payment_id: id } }, verify());
		expect(error?.message).toMatch(/^The event about payment pay-1 ERROR x{52} could not be verified/);
	});

	it('fails when the gateway does not answer, so that the execution can be retried', async () => {
		const event = pay({});
		await gateway.fault({ kind: 'status', status: 401, times: 1 });
		const failed = await emit(event, verify());
		expect(failed.error?.message).toContain('The gateway rejected the API key');
		const retried = await emit(event, verify(), { retryOf: failed.run, mode: 'retry' });
		expect(retried.json).toMatchObject([{ verified: true }]);
	});

	it('fails when an answer takes longer than 30 seconds', async () => {
		await gateway.fault({ kind: 'hang', times: null });
		const timeouts = shortenTimeouts();
		expect((await emit(pay({}), verify())).error?.message).toContain("didn't answer in time");
		expect(timeouts()).toContain(30_000);
	});

	it.each([
		[117, [1, 2]],
		[118, [1]],
	])(
		'asks again as long as the next pause ends within two minutes: after %i seconds',
		async (seconds, made) => {
			const now = performance.now.bind(performance);
			let passed = 0;
			vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
			const pauses = skipPauses(() => (passed += seconds * 1000));
			const event = { ...EXAMPLE, data: { ...EXAMPLE.data, payment_id: 'no-such-payment' } };
			const { error } = await emit(event, verify({ api: 'partner' }));
			expect(error?.message).toContain("the gateway doesn't know this payment");
			expect(pauses()).toEqual(made);
		},
	);

	describe('when the node continues on an error', () => {
		const unverifiable: Array<[string, () => Promise<ContractEvent>, string]> = [
			[
				'the gateway rejects the key',
				async () => {
					await gateway.fault({ kind: 'status', status: 401, times: null });
					return pay({});
				},
				'The gateway rejected the API key',
			],
			[
				'nobody knows the payment',
				async () => await Promise.resolve({ ...EXAMPLE, data: { ...EXAMPLE.data, payment_id: 'unknown' } }),
				"the gateway doesn't know this payment",
			],
			[
				'the payment has ended with another status',
				async () => {
					const event = pay({}, 'processing', 'rejected');
					return await Promise.resolve({ ...event, data: { ...event.data, status: 'settled' as const } });
				},
				'the event says settled, but the payment is rejected',
			],
		];

		it.each(unverifiable)('outputs only the error when %s', async (_, make, message) => {
			skipPauses();
			const event = await make();
			const regular = await emit(event, verify(), { settings: { onError: 'continueRegularOutput' } });
			const separate = await emit(event, verify(), { settings: { onError: 'continueErrorOutput' } });
			// Another key would keep older versions of n8n from taking it for an error.
			const json = { error: expect.stringMatching(`${message}.*\\. \\S.+\\.$`) as string };
			const item = { json, pairedItem: { item: 0 } };
			expect(regular.main).toEqual([[item]]);
			expect(separate.main).toEqual([[], [item]]);
			for (const { hints } of [regular, separate]) {
				expect(hints).toEqual([expect.objectContaining({ type: 'warning' })]);
			}
		});

		it('outputs only the error when an expression fails', async () => {
			const parameters = { ...verify(), quelle: '={{ $("No such node").item.json.x }}' };
			const { main } = await emit(pay({}), parameters, { settings: { onError: 'continueRegularOutput' } });
			expect(main).toEqual([
				[
					{
						json: expect.objectContaining({ error: expect.any(String) as string }) as object,
						pairedItem: { item: 0 },
					},
				],
			]);
		});

		it('tries again with "Retry On Fail"', async () => {
			await gateway.fault({ kind: 'status', status: 401, times: 1 });
			const settings = { onError: 'continueErrorOutput', retryOnFail: true, waitBetweenTries: 1 } as const;
			const { main } = await emit(pay({}), verify(), { settings });
			expect(main).toMatchObject([[{ json: { verified: true } }], []]);
		});
	});

	describe('an event that is delivered again', () => {
		async function published() {
			const { credential } = gateway;
			const options = { credential, workflowId: `e${++nr}`, parameters: verify() };
			const workflow = new TriggerWorkflow(node, options);
			await workflow.create();
			const [{ url }] = await gateway.list<{ url: string }>('webhooks');
			const token = new URL(url).searchParams.get('token') as string;
			return async (body: object) => {
				const { started } = await workflow.deliver({ body, token });
				return await workflow.run(started as INodeExecutionData[][]);
			};
		}

		it('counts only if its verification failed', async () => {
			const deliver = await published();
			const event = pay({});
			await gateway.fault({ kind: 'status', status: 401, times: 1 });
			expect((await deliver(event)).error?.message).toContain('rejected the API key');
			expect((await deliver(event)).json).toMatchObject([{ verified: true }]);
			const { json, error, hints } = await deliver(event);
			expect([json, error]).toEqual([[], undefined]);
			expect(hints[0].message).toContain('delivered before');
		});

		it('does not count when a retry of its failed execution has succeeded', async () => {
			const deliver = await published();
			const event = pay({});
			await gateway.fault({ kind: 'status', status: 401, times: 1 });
			const failed = await deliver(event);
			const workflowId = `e${nr}`;
			const workflow = new TriggerWorkflow(node, {
				credential: gateway.credential,
				workflowId,
				parameters: verify(),
			});
			expect((await workflow.run([[]], { retryOf: failed.run, mode: 'retry' })).json).toHaveLength(1);
			expect((await deliver(event)).json).toEqual([]);
		});

		it('does not count, whatever time it gives', async () => {
			const deliver = await published();
			const event = pay({});
			expect((await deliver(event)).json).toHaveLength(1);
			for (const received_at of ['2026-03-02T10:15:01Z', undefined, 'now']) {
				expect((await deliver({ ...event, received_at })).json).toEqual([]);
			}
		});

		it('starts the workflow once when it arrives several times at the same instant', async () => {
			const deliver = await published();
			const event = pay({});
			const results = await Promise.all(
				[1, 2, 3].map(async () => await deliver(event).catch(() => undefined)),
			);
			expect(results.flatMap((result) => result?.json ?? [])).toHaveLength(1);
		});
	});

	it('marks other events as not verified', async () => {
		const { json } = await emit({ event: 'account_update', verified: true }, verify());
		expect(json).toEqual([{ event: 'account_update', verified: false, quelle: 'Zahlungen' }]);
	});

	it('skips the example in a test, and only there', async () => {
		const tested = await emit(EXAMPLE, verify(), { mode: 'manual' });
		expect(tested.json).toHaveLength(1);
		expect(tested.hints[0].message).toContain('invented example');
		skipPauses();
		expect((await emit(EXAMPLE, verify())).error?.message).toContain('example-payment');
	});
});

describe('The example event of a test', () => {
	/** Listens for a test event, as the editor does, and lets the second pass after which the example is sent. */
	async function listen(n8nUrl: string, parameters: INodeParameters = {}): Promise<TriggerWorkflow> {
		const options = { credential: gateway.credential, workflowId: 'example', parameters, n8nUrl };
		const workflow = new TriggerWorkflow(node, options);
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		try {
			await workflow.create('test');
			await vi.advanceTimersByTimeAsync(1000);
		} finally {
			vi.useRealTimers();
		}
		return workflow;
	}

	it('is sent to the test URL, with the token, once n8n listens', async () => {
		const n8n = fastify();
		const arrived = new Promise<FastifyRequest>((resolve) => {
			n8n.post('/*', (request) => {
				resolve(request);
				return {};
			});
		});
		try {
			await listen(await n8n.listen());
			const { url, body } = await arrived;
			expect(url).toMatch(/^\/webhook-test\/example-node\/payments\?token=[\w-]{72}$/);
			expect(body).toEqual(EXAMPLE);
		} finally {
			await n8n.close();
		}
		expect(await gateway.requests()).toEqual([]);
	});

	it('ends the test with advice if n8n cannot reach itself, so that nobody waits in vain', async () => {
		const n8nUrl = `http://127.0.0.1:${await getPort()}`;
		await expect(listen(n8nUrl)).rejects.toMatchObject({
			message: `The example event can't be delivered: n8n can't reach its own address (${n8nUrl})`,
			description: expect.stringContaining('check N8N_WEBHOOK_URL (WEBHOOK_URL in older') as string,
		});
	});

	it('is marked as an example, and never mistaken for an event that has run', async () => {
		const workflow = new TriggerWorkflow(node, { credential: gateway.credential, workflowId: 'example' });
		const database = new FakeDatabase();
		database.install();
		for (let i = 0; i < 2; i++) {
			const { json, hints } = await workflow.run([[{ json: EXAMPLE }]], { mode: 'manual' });
			expect(json).toMatchObject([{ data: { payment_id: 'example-payment' }, example: true }]);
			expect(hints[0].message).toContain('an invented example, not a payment');
		}
		expect(database.rows.size).toBe(0);
	});
});

describe('What identifies payer and payee of a payment', () => {
	it('is marked as sensitive, as delivered and as read back', () => {
		const attributes = Object.keys(EXAMPLE.data.payment_attributes);
		const sensitive = attributes.filter((name) => /iban|ip_address/.test(name));
		expect(sensitive).toHaveLength(3);
		expect([...node.description.sensitiveOutputFields!].sort()).toEqual(
			['data', 'delivered']
				.flatMap((place) => sensitive.map((name) => `${place}.payment_attributes.${name}`))
				.sort(),
		);
	});
});
