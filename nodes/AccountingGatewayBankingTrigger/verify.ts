import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, NodeError } from 'n8n-workflow';

import type { components } from '../../api/gateway';
import { toNodeError } from '../shared/errors/failure';
import { maskIbans } from '../shared/errors/iban';
import type { Failure } from '../shared/errors/failure';
import { GatewayClient } from '../shared/transport/client';
import { Deadline } from '../shared/transport/deadline';
import { gatewayRequest } from '../shared/transport/request';
import type { PaymentUpdate } from './event';

type Payment = components['schemas']['Payment'];
type Api = 'partner' | 'openbanking';

/** The result of reading a payment back. */
export type Verification =
	/** The event's `data` from the gateway. */
	| { data: IDataObject }
	/** Why the event is outdated: the payment has moved on. */
	| { past: string }
	/** Why the event can't be trusted, or not yet. */
	| { error: NodeError };

/** The APIs to search for a payment, in order. */
const APIS: Record<'auto' | Api, Api[]> = {
	auto: ['partner', 'openbanking'],
	partner: ['partner'],
	openbanking: ['openbanking'],
};

/** Seconds between reads: an API may lag behind the events that the gateway sends. */
const PAUSES = [1, 2, 4, 8, 15];
/** Seconds until one API must have answered, and until the whole verification must be done. */
const TIMEOUT = 30;
const PATIENCE = 120;

/** A payment's progress. `undefined`: a status that is never delivered, e.g. `initiated_info_required`. */
const STAGES: Record<string, number | undefined> = {
	authorizing: 1,
	processing: 2,
	settled: 3,
	failed: 3,
	rejected: 3,
};
const stageOf = (status: unknown) => STAGES[String(status)] ?? 0;

/**
 * Reads the payment of an event back; waits while the gateway is behind the event. Doesn't throw.
 * @param api where the gateway has the payment; `auto` looks in both
 */
export async function verifyPayment(
	context: IExecuteFunctions,
	{ data }: PaymentUpdate,
	api: keyof typeof APIS,
): Promise<Verification> {
	const client = await GatewayClient.open(context);
	const deadline = new Deadline(PATIENCE, context.getExecutionCancelSignal());
	try {
		const { payment_id, status } = data;
		for (let attempt = 0; ; attempt++) {
			const read = await readPayment(client, payment_id, APIS[api]);
			if ('failure' in read) return { error: toNodeError(context.getNode(), read.failure) };
			const { payment } = read;
			if (payment?.status === status) return { data: dataOf(payment, status) };
			const ahead = stageOf(payment?.status) - stageOf(status);
			if (payment && ahead > 0) {
				const past = `it says that payment ${shown(payment_id)} is ${status}, but it is ${payment.status} by now, and the event about that counts.`;
				return { past };
			}
			const pause = PAUSES[attempt];
			if (ahead < 0 && pause < deadline.secondsLeft && (await deadline.pause(pause))) continue;
			const reason = payment
				? `the event says ${status}, but the payment is ${shown(payment.status)}`
				: `the gateway doesn't know this payment (api ${APIS[api].join(', ')})`;
			return { error: unverified(context, payment_id, reason) };
		}
	} finally {
		deadline.close();
	}
}

/**
 * Looks for a payment in one API after the other.
 * @returns no payment if none of them knows it
 */
async function readPayment(
	client: GatewayClient,
	id: string,
	apis: Api[],
): Promise<{ payment?: Payment } | { failure: Failure }> {
	for (const api of apis) {
		const request = gatewayRequest('GET /v2/banking/payments/{id}', { path: { id }, query: { api } });
		const result = await client.send(request, TIMEOUT);
		if (!result.ok && result.failure.status !== 404) return { failure: result.failure };
		const payment = result.ok ? (result.body as { data?: Payment } | null)?.data : undefined;
		if (payment?.id === id) return { payment };
	}
	return {};
}

/** Sanitises an external text for errors and n8n's log: short, and on one line. */
const shown = (text: unknown) =>
	maskIbans(
		String(text)
			.slice(0, 1000)
			.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ''),
	).slice(0, 64);

const unverified = (context: IExecuteFunctions, paymentId: string, reason: string) =>
	new NodeOperationError(
		context.getNode(),
		`The event about payment ${shown(paymentId)} could not be verified: ${reason}`,
		{
			description:
				'Nothing was started with it. If the gateway was late, use Retry in the list of executions. If the payment is real, look at the option "API for Verifying". Otherwise somebody else may know the webhook URL: change the API key, and publish the workflow again.',
		},
	);

/** A payment in the form of an event's `data`. */
function dataOf(payment: Payment, status: PaymentUpdate['data']['status']): IDataObject {
	const { id, raw_provider_status, template_identifier, payment_attributes, last_attempt } = payment;
	return {
		payment_id: id,
		status,
		raw_provider_status,
		template_identifier,
		payment_attributes: payment_attributes as unknown as IDataObject,
		custom_fields: last_attempt?.custom_fields as IDataObject,
	};
}
