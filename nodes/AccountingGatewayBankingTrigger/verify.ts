import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, NodeError } from 'n8n-workflow';
import { uniqBy } from 'lodash';

import type { components } from '../../api/gateway';
import { toNodeError } from '../shared/errors/failure';
import type { Failure } from '../shared/errors/failure';
import { GatewayClient } from '../shared/gateway/client';
import { Deadline } from '../shared/gateway/deadline';
import { recordOf } from '../shared/gateway/records';
import { gatewayRequest } from '../shared/gateway/request';
import { sameText } from '../shared/gateway/same';
import { excerpt } from '../shared/errors/presentable';
import { STATUSES } from './event';
import type { PaymentUpdate, Status } from './event';

type Payment = components['schemas']['Payment'];
type Api = 'partner' | 'openbanking';

/** The result of reading a payment back. */
type Verification =
	/** The event's `data` from the gateway. */
	| { data: IDataObject }
	/** Why the event is outdated: the payment has moved on. */
	| { past: string }
	/** Why the event can't be trusted, or not yet. */
	| { error: NodeError };

/** Seconds between reads: an API may lag behind the events that the gateway sends. */
const PAUSES = [1, 2, 4, 8, 15];
/** Seconds until one API must have answered, and in which the payment may be read again. */
const TIMEOUT = 30;
const PATIENCE = 120;

/**
 * How far a payment has come. `settled` and the statuses behind it are final; one that is never delivered, such as
 * `initiated_info_required`, comes before all others.
 */
const stageOf = (status: unknown) =>
	Math.min(STATUSES.indexOf(status as Status), STATUSES.indexOf('settled'));

/**
 * Reads back the payment of an event; waits while the gateway lags behind the event. Doesn't throw.
 * @param api where the gateway has the payment; `auto` is first the one, then the other
 */
export async function verifyPayment(
	context: IExecuteFunctions,
	{ data }: PaymentUpdate,
	api: 'auto' | Api,
): Promise<Verification> {
	const apis: Api[] = api === 'auto' ? ['partner', 'openbanking'] : [api];
	const client = await GatewayClient.open(context);
	const deadline = new Deadline(PATIENCE, context.getExecutionCancelSignal());
	try {
		const { status } = data;
		const payment_id = String(data.payment_id);
		for (let attempt = 0; ; attempt++) {
			const read = await readPayment(client, payment_id, apis);
			if ('failure' in read) return { error: toNodeError(context.getNode(), read.failure) };
			const { payment, asked } = read;
			if (payment?.status === status) return { data: dataOf(payment, status) };
			const ahead = stageOf(payment?.status) - stageOf(status);
			if (payment && ahead > 0) {
				const past = `it says that payment ${excerpt(payment_id)} is ${status}, but the payment is already ${payment.status}, and only the event about that counts.`;
				return { past };
			}
			const pause = PAUSES[attempt];
			if (ahead < 0 && pause < deadline.secondsLeft && (await deadline.pause(pause))) continue;
			const reason = payment
				? `the event says ${status}, but the payment is ${excerpt(payment.status)}`
				: `the gateway doesn't know this payment (api ${asked.join(', ')})`;
			return { error: unverified(context, payment_id, reason) };
		}
	} finally {
		deadline.close();
	}
}

/**
 * Looks for a payment in one API after the other.
 * @returns no payment if none has it, but one of them doesn't know it and may know it later; and each that was asked, with
 * the reason if it refused
 */
async function readPayment(
	client: GatewayClient,
	id: string,
	apis: Api[],
): Promise<{ payment?: Payment; asked: string[] } | { failure: Failure }> {
	const asked: string[] = [];
	const failures: Failure[] = [];
	for (const api of apis) {
		const request = gatewayRequest('GET /v2/banking/payments/{id}', { path: { id }, query: { api } });
		const result = await client.send(request, TIMEOUT);
		const payment = (result.ok ? recordOf(result.body) : {}) as Partial<Payment>;
		if (sameText(id, payment.id, payment)) {
			// The ID as the gateway writes it: an event that is sent again with another spelling is the same one.
			return { payment: { ...payment, id: String(payment.id) } as Payment, asked };
		}
		const isUnknown = result.ok || result.failure.status === 404;
		if (!isUnknown) failures.push(result.failure);
		asked.push(isUnknown ? api : `${api}: ${result.failure.message}`);
	}
	if (failures.length < apis.length) return { asked };
	const isSaidOnce = uniqBy(failures, 'message').length === 1;
	return { failure: isSaidOnce ? failures[0] : { ...failures[0], message: asked.join('; ') } };
}

const unverified = (context: IExecuteFunctions, paymentId: string, reason: string) =>
	new NodeOperationError(
		context.getNode(),
		`The event about payment ${excerpt(paymentId)} could not be verified: ${reason}`,
		{
			description:
				'It started nothing. If the gateway was just late, use Retry in the list of executions. If the payment is real, check the option "Verification API". Otherwise somebody else may know the webhook URL: unpublish the workflow, then publish it: that gives it a new token.',
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
		payment_attributes,
		custom_fields: last_attempt?.custom_fields as IDataObject,
	};
}
