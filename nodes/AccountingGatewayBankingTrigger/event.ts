import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { z } from 'zod';

import type { components } from '../../api/gateway';

/** A `payment_update` by the contract. */
export type ContractEvent = components['schemas']['PaymentUpdate'];
export type Status = ContractEvent['data']['status'];

/** A delivered `payment_update`: only the fields that the trigger needs are certain. */
export type PaymentUpdate = IDataObject & {
	event: string;
	data: IDataObject & { payment_id: string; status: Status };
};

/** An event of another kind: the contract only says that it has a name. */
type OtherEvent = IDataObject & { event: string };

export type GatewayEvent = PaymentUpdate | OtherEvent;

export const PAYMENT_UPDATE = 'payment_update';
/** The statuses that are delivered, in the order of a payment's life. */
export const STATUSES = ['authorizing', 'processing', 'settled', 'failed', 'rejected'] as const;
export const TEMPLATES = ['SEPA', 'SEPA_INSTANT'] as const;

/** A plausible status; other values aren't repeated in messages, as these go into n8n's log. */
const LOOKS_LIKE_STATUS = /^[a-z_]{1,40}$/;

const status = z.enum(STATUSES, {
	errorMap: (_, { data }) => ({
		message:
			`must be one of ${STATUSES.join(', ')}` +
			(typeof data === 'string' && LOOKS_LIKE_STATUS.test(data) ? `, not ${data}` : ''),
	}),
});

const OBJECT = { invalid_type_error: 'must be an object', required_error: 'is missing' };
const TEXT = { invalid_type_error: 'must be text', required_error: 'is missing' };

/** Nothing else is required: a refused event is lost, and the contract leaves the inner types open. */
const paymentUpdate = z.object({
	data: z.object(
		{
			// "." and ".." would lead to another address when the payment is read back.
			payment_id: z.string(TEXT).regex(/^(?!\.{1,2}$)[^]+$/, 'must be an ID'),
			status,
		},
		OBJECT,
	),
});
const anyEvent = z.object({ event: z.string(TEXT).min(1, 'must not be empty') }, OBJECT);

export const isPaymentUpdate = (event: GatewayEvent): event is PaymentUpdate =>
	event.event === PAYMENT_UPDATE;

/**
 * Checks what was delivered.
 * @returns the event as delivered, or what is wrong with it. That message repeats no content except a status, so it
 * can be logged
 */
export function parseEvent(body: unknown): { event: GatewayEvent } | { problem: string } {
	const name = anyEvent.safeParse(body);
	const checked = name.data?.event === PAYMENT_UPDATE ? paymentUpdate.safeParse(body) : name;
	if (checked.success) return { event: body as GatewayEvent };
	const [{ path, message }] = checked.error.issues;
	return { problem: `${path.join('.') || 'The body'} ${message}` };
}

/**
 * Identifies an event when it is delivered again. For an unverified event the time counts too: a payment may reach
 * the same status twice.
 * @param verified whether the event is checked against the gateway, so that only payment and status matter
 */
export function eventIdentity({ data, received_at }: PaymentUpdate, verified: boolean): string {
	const identity = [data.payment_id, data.status, ...(verified ? [] : [received_at])];
	return createHash('sha256').update(JSON.stringify(identity)).digest('base64url');
}

/** An invented event, to map fields with before the first real one. */
export const EXAMPLE = {
	event: PAYMENT_UPDATE,
	data: {
		payment_id: 'example-payment',
		status: 'settled',
		raw_provider_status: 'ACSC',
		template_identifier: 'SEPA',
		payment_attributes: {
			amount: '119.00',
			currency_code: 'EUR',
			description: 'Beispiel, keine echte Zahlung (RE-1007)',
			creditor_iban: 'DE02500105170137075030',
			creditor_name: 'Papier Schmidt OHG',
			debtor_iban: 'DE02120300000000202051',
			end_to_end_id: 'E2E-1007',
			customer_ip_address: '192.0.2.10',
		},
		custom_fields: { auftrag: '4711' },
	},
	received_at: '2026-03-02T10:15:00Z',
} satisfies ContractEvent;

/** Whether it is the example; use only in a test. */
export const isExample = (event: GatewayEvent) =>
	isPaymentUpdate(event) && event.data.payment_id === EXAMPLE.data.payment_id;
