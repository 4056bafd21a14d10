import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { components } from '../shared/contract';
import { nodeError } from '../shared/failures';
import { Gateway } from '../shared/gateway';
import { gatewayRequest } from '../shared/request';
import type { PaymentUpdate } from './event';
import type { Options } from './options';

type Payment = components['schemas']['Payment'];

/** A gateway may deliver a status a moment before it tells the same when it is asked. */
const TRIES = 3;
const PAUSE_MS = 1000;

const FINAL = ['settled', 'failed', 'rejected'];

/**
 * Reads the payment of an event back. Throws when the gateway doesn't answer or refuses to.
 * @returns the event's `data` as the gateway knows it, or in words why the event isn't to be trusted
 */
export async function readBack(
	context: IExecuteFunctions,
	{ data }: PaymentUpdate,
	api: NonNullable<Options['api']>,
): Promise<{ data: PaymentUpdate['data'] } | { doubt: string }> {
	const gateway = await Gateway.open(context);
	const request = gatewayRequest('GET /v2/banking/payments/{id}', {
		path: { id: data.payment_id },
		query: { api },
	});
	for (let tried = 1; ; tried++) {
		const outcome = await gateway.send(request);
		if (!outcome.ok && outcome.failure.status !== 404) {
			// Told to continue, n8n would take an error as leave to go on with what isn't verified.
			if (context.continueOnFail()) return { doubt: outcome.failure.message };
			throw nodeError(context.getNode(), outcome.failure);
		}
		const payment = outcome.ok ? (outcome.answer.body as { data?: Payment } | null)?.data : undefined;
		const isKnown = payment?.id === data.payment_id;
		if (isKnown && payment.status === data.status) return { data: dataOf(payment, data.status) };
		if (tried === TRIES || (isKnown && FINAL.includes(payment.status))) {
			return {
				doubt: isKnown
					? `the event says ${data.status}, but the payment is ${payment.status}`
					: `the gateway doesn't know this payment (api ${api})`,
			};
		}
		await sleep(PAUSE_MS);
	}
}

/** What an event would say of a payment. */
function dataOf(payment: Payment, status: PaymentUpdate['data']['status']): PaymentUpdate['data'] {
	const { id, raw_provider_status, template_identifier, payment_attributes, last_attempt } = payment;
	return {
		payment_id: id,
		status,
		raw_provider_status,
		template_identifier,
		payment_attributes,
		custom_fields: last_attempt?.custom_fields,
	};
}
