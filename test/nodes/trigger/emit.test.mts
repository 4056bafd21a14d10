import omit from 'lodash/omit.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE, type PaymentUpdate } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import type { PaymentInput } from '../../../sandbox/payments.mjs';
import { useGateway } from '../../support/gateway.mjs';
import type { RunOptions, RunResult } from '../../support/harness.mjs';
import { FakeDatabase, TriggerWorkflow } from '../../support/triggerHarness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBankingTrigger();
let nr = 0;

beforeEach(() => new FakeDatabase().install());

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
function pay(input: PaymentInput, ...statuses: string[]): PaymentUpdate {
	const { payments } = gateway.sandbox.world;
	const { id, payment_attributes } = payments.create({ status: 'authorizing', ...input });
	for (const status of statuses) payments.move(id, status);
	return {
		...EXAMPLE,
		data: {
			...EXAMPLE.data,
			payment_id: id,
			status: (statuses.at(-1) ?? 'authorizing') as PaymentUpdate['data']['status'],
			payment_attributes: omit(payment_attributes, 'creditor_bic'),
		},
	};
}

const reads = async () =>
	(await gateway.requests()).filter(({ operationId }) => operationId === 'getPayment');

describe('the output', () => {
	it('is the event as delivered, with the workflow as quelle', async () => {
		const event = { ...EXAMPLE, extra: [1] };
		const { main } = await emit(event);
		expect(main).toEqual([[{ json: { ...event, quelle: 'Zahlungen' }, pairedItem: { item: 0 } }]]);
	});

	it.each([
		['Bank', 'Bank'],
		['', ''],
		['={{ $workflow.name }}/{{ 1 + 1 }}', 'Zahlungen/2'],
	])('has the quelle that is written: %o', async (given, quelle) => {
		expect((await emit(EXAMPLE, { quelle: given })).json[0].quelle).toBe(quelle);
	});

	it('is empty when the workflow was started without an event', async () => {
		expect((await emit({})).json).toEqual([]);
	});

	it('reads nothing from the gateway by itself', async () => {
		await emit(EXAMPLE);
		expect(await gateway.requests()).toEqual([]);
	});
});

describe('Verify', () => {
	const verify = (options: IDataObject = {}) => ({ options: { verify: true, ...options } as never });

	it('goes on with what the gateway says, and marks both', async () => {
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
		['partner', 'acc-giro'],
		['openbanking', 'acc-wallet'],
	])('reads through the api %s', async (api, bank_account) => {
		const event = pay({ bank_account });
		expect((await emit(event, verify({ api }))).json).toHaveLength(1);
		expect((await reads()).map(({ query }) => query)).toEqual([{ api }]);
	});

	it('starts nothing when the payment has another status, and says so', async () => {
		const event = pay({}, 'processing', 'rejected');
		const { json, hints, error } = await emit(
			{ ...event, data: { ...event.data, status: 'settled' } },
			verify(),
		);
		expect([json, error]).toEqual([[], undefined]);
		expect(hints).toEqual([
			{
				type: 'warning',
				location: 'outputPane',
				message: `The event about payment ${event.data.payment_id} started nothing: the event says settled, but the payment is rejected.`,
			},
		]);
		expect(await reads()).toHaveLength(1);
	});

	it.each([
		['nobody knows', 'no-such-payment', {}],
		['the other api knows', 'pay-2', { api: 'partner' }],
	])('starts nothing when it is a payment that %s, and says so', async (_, payment_id, options) => {
		const { json, hints } = await emit(
			{ ...EXAMPLE, data: { ...EXAMPLE.data, payment_id } },
			verify(options),
		);
		expect(json).toEqual([]);
		expect(hints[0].message).toContain("doesn't know this payment (api partner)");
	});

	it('gives the gateway a moment to know what it has delivered', async () => {
		const event = pay({}, 'processing');
		setTimeout(() => gateway.sandbox.world.payments.move(event.data.payment_id, 'settled'), 500);
		const { json } = await emit({ ...event, data: { ...event.data, status: 'settled' } }, verify());
		expect(json).toMatchObject([{ verified: true, data: { status: 'settled' } }]);
		expect(await reads()).toHaveLength(2);
	});

	it('encodes the ID for the address', async () => {
		const event = pay({ id: 'pay/../ä 1?x' });
		expect((await emit(event, verify())).json).toHaveLength(1);
	});

	it('fails when the gateway does not answer, so that the execution can be retried', async () => {
		const event = pay({});
		await gateway.fault({ kind: 'status', status: 401, times: 1 });
		const failed = await emit(event, verify());
		expect(failed.error?.message).toContain('The gateway rejected the API key');
		const retried = await emit(event, verify(), { retryOf: failed.run, mode: 'retry' });
		expect(retried.json).toMatchObject([{ verified: true }]);
	});

	it('lets nothing pass unverified where the node is told to continue on an error', async () => {
		await gateway.fault({ kind: 'status', status: 401, times: null });
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			const { main, hints } = await emit(pay({}), verify(), { settings: { onError } });
			expect(main.flat()).toEqual([]);
			expect(hints[0].message).toContain('The gateway rejected the API key');
		}
	});

	it('survives a moment without gateway', async () => {
		const event = pay({});
		await gateway.fault({ kind: 'status', status: 503, times: 1 });
		expect((await emit(event, verify())).json).toHaveLength(1);
	});

	it('does not count what it did not let pass as run', async () => {
		const { credential } = gateway;
		const workflow = new TriggerWorkflow(node, { credential, workflowId: 'later', parameters: verify() });
		const event = pay({}, 'processing');
		const settled = { ...event, data: { ...event.data, status: 'settled' } };
		expect((await workflow.run([[{ json: settled }]])).json).toEqual([]);
		gateway.sandbox.world.payments.move(event.data.payment_id, 'settled');
		expect((await workflow.run([[{ json: settled }]])).json).toHaveLength(1);
		expect((await workflow.run([[{ json: settled }]])).json).toEqual([]);
	});

	it('marks other events as not verified', async () => {
		const { json } = await emit({ event: 'account_update' }, verify());
		expect(json).toEqual([{ event: 'account_update', verified: false, quelle: 'Zahlungen' }]);
	});

	it('leaves the example alone in a test, and only there', async () => {
		const tested = await emit(EXAMPLE, verify(), { mode: 'manual' });
		expect(tested.json).toHaveLength(1);
		expect(tested.hints[0].message).toContain('invented example');
		expect((await emit(EXAMPLE, verify())).json).toEqual([]);
	});
});

describe('the example event', () => {
	it('is sent to the test URL, with the token, once n8n listens', async () => {
		const parameters = { options: { exampleEvent: true } };
		const { credential } = gateway;
		const workflow = new TriggerWorkflow(node, { credential, workflowId: 'example', parameters });
		vi.useFakeTimers();
		try {
			await workflow.create('test');
			await vi.advanceTimersByTimeAsync(1000);
		} finally {
			vi.useRealTimers();
		}
		// n8n.example.com doesn't exist; on a real n8n it is tested in test/e2e/trigger-lifecycle.e2e.mts.
		await vi.waitFor(() => expect(workflow.logs.join()).toContain("didn't reach n8n's test URL"), 10_000);
		expect(await gateway.requests()).toEqual([]);
	});
});
