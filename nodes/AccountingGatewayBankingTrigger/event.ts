import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../api/gateway';
import { isObject, sha256 } from '../shared/values';

/** A `payment_update` by the contract. */
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

/** Judges whether an event starts the workflow. A filter without a value lets every payment pass. */
export function judge(event: GatewayEvent, { options, ...filters }: Wanted): Judgment {
	if (!isPaymentUpdate(event)) return options.otherEvents === true ? 'starts' : 'leftOut';
	const judgments = (['status', 'template_identifier'] as const).map((name): Judgment => {
		const chosen = filters[name] ?? [];
		const value = event.data[name] ?? '';
		if (chosen.length === 0 || chosen.includes(value)) return 'starts';
		return value === '' ? 'unclear' : 'leftOut';
	});
	return judgments.find((one) => one === 'leftOut') ?? judgments.find((one) => one === 'unclear') ?? 'starts';
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
 * Identifies an event when it is delivered again. For an unverified event the time counts too: a payment may reach
 * the same status twice.
 * @param verified whether the event is checked against the gateway, so that only payment and status matter
 */
export function eventIdentity({ data, received_at }: PaymentUpdate, verified: boolean): string {
	const identity = [String(data.payment_id), data.status, ...(verified ? [] : [received_at])];
	return sha256(JSON.stringify(identity));
}

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
