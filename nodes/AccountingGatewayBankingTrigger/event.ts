import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../api/gateway';
import { isObject, sha256 } from '../shared/values';

export type ContractEvent = components['schemas']['PaymentUpdate'];
export type Status = ContractEvent['data']['status'];

/** A delivered `payment_update`: only the fields that the trigger needs are certain. */
export type PaymentUpdate = IDataObject & {
	event: string;
	data: IDataObject & { payment_id: string | number; status: Status };
};

/** An event of another kind: the contract only says that it has a name. */
type OtherEvent = IDataObject & { event: string };

export type GatewayEvent = PaymentUpdate | OtherEvent;

export const PAYMENT_UPDATE = 'payment_update';
/** The statuses that are delivered, in the order of a payment's life. */
export const PAYMENT_STATUSES = ['authorizing', 'processing', 'settled', 'failed', 'rejected'] as const;
/** What else a payment may be by now when the event about a status arrives. */
export const LATER_STATUSES: Record<Status, readonly Status[]> = {
	authorizing: ['processing', 'settled', 'failed', 'rejected'],
	processing: ['settled', 'failed', 'rejected'],
	settled: [],
	failed: [],
	rejected: [],
};
export const TEMPLATES = ['SEPA', 'SEPA_INSTANT'] as const;

export const isPaymentUpdate = (event: GatewayEvent): event is PaymentUpdate =>
	event.event === PAYMENT_UPDATE;

interface Wanted {
	status?: unknown[];
	template_identifier?: unknown[];
	options: { otherEvents?: boolean };
}

/** What the filters say about an event; `unclear`: it lacks what a filter judges by. */
type Judgment = 'starts' | 'leftOut' | 'unclear';

/**
 * Judges whether an event starts the workflow. A filter without a value lets every payment pass.
 * @param statuses that the event and its payment have, or may have: one that is wanted is enough
 */
export function judge(
	event: GatewayEvent,
	{ options, status = [], template_identifier = [] }: Wanted,
	statuses: readonly unknown[],
): Judgment {
	if (!isPaymentUpdate(event)) return options.otherEvents === true ? 'starts' : 'leftOut';
	if (status.length > 0 && !statuses.some((one) => status.includes(one))) return 'leftOut';
	const type = event.data.template_identifier ?? '';
	if (template_identifier.length === 0 || template_identifier.includes(type)) return 'starts';
	return type === '' ? 'unclear' : 'leftOut';
}

/** A plausible status; others aren't repeated in messages, as these go into n8n's log. */
const LOOKS_LIKE_STATUS = /^[a-z_]{1,40}$/;

/**
 * Checks what was delivered. A refused event is lost, and the contract leaves the inner types open, so nothing is required
 * but what the trigger needs.
 * @returns what is wrong: repeats no content except a status, so it can be logged
 */
function problemIn(body: unknown): string | undefined {
	if (!isObject(body)) return 'The body must be an object';
	const { event, data } = body;
	if (typeof event !== 'string' || event === '') return 'event must be a text';
	if (event !== PAYMENT_UPDATE) return undefined;
	if (!isObject(data)) return 'data must be an object';
	const { payment_id, status } = data;
	// "." and ".." would lead to another address when the payment is read back.
	const isId =
		typeof payment_id === 'string' ? !['', '.', '..'].includes(payment_id) : Number.isSafeInteger(payment_id);
	if (!isId) return 'data.payment_id must be an ID';
	if (PAYMENT_STATUSES.some((known) => known === status)) return undefined;
	const said = typeof status === 'string' && LOOKS_LIKE_STATUS.test(status) ? `, not ${status}` : '';
	return `data.status must be one of ${PAYMENT_STATUSES.join(', ')}${said}`;
}

export function parseEvent(body: unknown): { event: GatewayEvent } | { problem: string } {
	const problem = problemIn(body);
	return problem === undefined ? { event: body as GatewayEvent } : { problem };
}

/**
 * Identifies an event when it is delivered again: by the payment and its status, as the gateway has them; one that isn't
 * checked against the gateway, by its whole body.
 */
export const eventIdentity = (event: GatewayEvent, confirmed?: IDataObject): string =>
	sha256(JSON.stringify(confirmed ? [String(confirmed.payment_id), confirmed.status] : event));

/** An invented event, to map fields with before the first real one. */
export const EXAMPLE_EVENT = {
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
	isPaymentUpdate(event) && event.data.payment_id === EXAMPLE_EVENT.data.payment_id;
