import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { z } from 'zod';

import type { components } from '../shared/contract';

export type PaymentUpdate = components['schemas']['PaymentUpdate'];

/** An event of another kind: that it has a name is all that the specification says of it. */
export type OtherEvent = IDataObject & { event: string };

export type GatewayEvent = PaymentUpdate | OtherEvent;

export const PAYMENT_UPDATE = 'payment_update';
/** The statuses that are delivered, in the order in which a payment goes through them. */
export const STATUSES = ['authorizing', 'processing', 'settled', 'failed', 'rejected'] as const;
export const TEMPLATES = ['SEPA', 'SEPA_INSTANT'] as const;

/** Fields that an event may lack or leave `null`: nothing here depends on them, and an event that isn't taken is lost. */
const texts = (...names: string[]) =>
	z.object(Object.fromEntries(names.map((name) => [name, z.string().nullish()])));

const paymentUpdate = z.object({
	data: z.object({
		// "." and ".." would lead to another address when the payment is read back.
		payment_id: z.string().regex(/^(?!\.{1,2}$)[^]+$/, 'must be an ID'),
		status: z.enum(STATUSES),
		raw_provider_status: z.string().nullish(),
		template_identifier: z.enum(TEMPLATES),
		payment_attributes: texts(
			'amount',
			'debtor_iban',
			'description',
			'creditor_iban',
			'creditor_name',
			'creditor_bic',
			'currency_code',
			'end_to_end_id',
			'customer_ip_address',
		),
		custom_fields: z.record(z.unknown()).nullish(),
	}),
	received_at: z.string().datetime({ offset: true, message: 'must be a date and time with zone' }),
});
const anyEvent = z.object({ event: z.string().min(1) });

export const isPaymentUpdate = (event: GatewayEvent): event is PaymentUpdate =>
	event.event === PAYMENT_UPDATE;

/**
 * Checks the body of a delivery against the specification. Unknown fields are fine.
 * @returns the event as delivered, or what is wrong with it
 */
export function parseEvent(body: unknown): { event: GatewayEvent } | { problem: string } {
	const name = anyEvent.safeParse(body);
	const checked = name.data?.event === PAYMENT_UPDATE ? paymentUpdate.safeParse(body) : name;
	if (checked.success) return { event: body as GatewayEvent };
	const [{ path, message }] = checked.error.issues;
	return { problem: `${path.join('.') || 'The body'}: ${message}` };
}

/** What an event is known by when it is delivered again: payment, status and time, or else all of its content. */
export function identityOf(event: GatewayEvent): string {
	const identity = isPaymentUpdate(event)
		? [event.data.payment_id, event.data.status, event.received_at]
		: event;
	return createHash('sha256').update(JSON.stringify(identity)).digest('base64url');
}

/** An invented event, to map fields with before the first real one. */
export const EXAMPLE: PaymentUpdate = {
	event: PAYMENT_UPDATE,
	data: {
		payment_id: 'example-payment',
		status: 'settled',
		raw_provider_status: 'ACSC',
		template_identifier: 'SEPA',
		payment_attributes: {
			amount: '119.00',
			currency_code: 'EUR',
			description: 'Rechnung RE-1007',
			creditor_iban: 'DE02500105170137075030',
			creditor_name: 'Papier Schmidt OHG',
			debtor_iban: 'DE02120300000000202051',
			end_to_end_id: 'E2E-1007',
			customer_ip_address: '192.0.2.10',
		},
		custom_fields: { auftrag: '4711' },
	},
	received_at: '2026-03-02T10:15:00Z',
};

/** Whether it is the invented one; only to be asked in a test. */
export const isExample = (event: GatewayEvent) =>
	isPaymentUpdate(event) && event.data.payment_id === EXAMPLE.data.payment_id;
