import type { IDataObject } from 'n8n-workflow';

import { PRESENT, oneOf, recordOf, recordsOf, sameText } from '../../shared/answer';
import type { ExpectedAnswer, RecordKind } from '../../shared/answer';
import { both } from '../../shared/values';
import type { Bilingual, SentenceEnd } from '../../shared/values';

/** The contract's states of a ticket; it leaves open the state before activation. */
const STATES: unknown[] = ['active', 'cancelled', 'expired'];

export const TICKET_COLUMNS = [
	'id',
	'status',
	'product_name',
	'valid_from',
	'valid_until',
	'price_in_cents',
	'customer_id',
	'ticket_id',
	'coupon_id',
	'activation_required',
];

export const ticketRecords = (answer: unknown): IDataObject[] =>
	recordsOf(answer).map((ticket) => ({ ...ticket, activation_required: activationRequired(ticket) }));

/** Whether a ticket awaits its activation: a partial answer has a coupon, but no status. */
const awaitsActivation = ({ coupon_id, status }: IDataObject): boolean =>
	typeof coupon_id === 'string' && coupon_id !== '' && !STATES.includes(status);

/** Whether a ticket awaits its activation; `null` if its status doesn't say. */
function activationRequired(ticket: IDataObject): boolean | null {
	if (awaitsActivation(ticket)) return true;
	return STATES.includes(ticket.status) ? false : null;
}

const NOT_ACTIVE = both(
	'bought, but not active yet: give the item to the operation "Activate"',
	'Gekauft, aber noch nicht aktiv: Geben Sie das Item an die Operation „Activate“.',
);
const PERHAPS_NOT_ACTIVE = both(
	"bought, but the gateway's answer doesn't say whether it is active: look it up where tickets are managed",
	'Gekauft, aber die Antwort des Gateways sagt nicht, ob es aktiv ist: Sehen Sie dort nach, wo Tickets verwaltet werden.',
);

/**
 * Warns that a ticket can't be used yet, or may not be, or has no customer.
 * @param customer that it was bought for
 */
export function creationWarnings(
	answer: unknown,
	customer: string | undefined,
): Array<Bilingual | false | undefined> {
	const ticket = recordOf(answer);
	const isAwaited = activationRequired(ticket);
	return [
		isAwaited === true && NOT_ACTIVE,
		isAwaited === null && PERHAPS_NOT_ACTIVE,
		customer !== undefined &&
			ticket.customer_id === null &&
			both(
				`the ticket isn't assigned to the customer ${customer}, or not yet`,
				`Das Ticket ist dem Kunden ${customer} nicht zugeordnet, oder noch nicht.`,
			),
	];
}

const TICKET: RecordKind = {
	name: both('a ticket', 'eines Tickets'),
	lacks: both('has no ticket ID', 'hat keine Ticket-ID'),
	fields: {
		id: sameText,
		organization_id: PRESENT,
		customer_id: sameText,
		product_id: sameText,
		product_name: PRESENT,
		ticket_type: PRESENT,
		is_subscription: PRESENT,
		coupon_id: PRESENT,
		ticket_id: PRESENT,
		subscription_id: PRESENT,
		order_id: PRESENT,
		status: PRESENT,
		renewal_status: PRESENT,
		current_cycle: PRESENT,
		tariff_settings: PRESENT,
		valid_from: PRESENT,
		valid_until: PRESENT,
		price_in_cents: PRESENT,
		metadata: PRESENT,
		invoice_id: PRESENT,
		created_at: PRESENT,
		updated_at: PRESENT,
	},
	shownBy: ['id'],
};

const NO_STATUS = both('has no known ticket status', 'hat keinen bekannten Status des Tickets');
const AWAITS = both(
	'shows a ticket that still awaits its activation',
	'zeigt ein Ticket, das noch auf seine Aktivierung wartet',
);

const ONE = oneOf(TICKET);

export const CREATED: ExpectedAnswer = {
	...ONE,
	problem: (answer, sent) => ONE.problem(answer, sent) ?? ended(recordOf(answer)),
};

export const ACTIVATED: ExpectedAnswer = {
	...ONE,
	problem(answer, sent) {
		const ticket = recordOf(answer);
		const problem = ONE.problem(answer, sent) ?? ended(ticket);
		if (problem !== undefined || STATES.includes(ticket.status)) return problem;
		return awaitsActivation(ticket) ? AWAITS : NO_STATUS;
	},
};

/** A ticket that is created or activated is active, and never one that has ended. */
const ended = ({ status }: IDataObject): SentenceEnd | undefined =>
	status !== 'active' && STATES.includes(status)
		? both(`shows a ticket that is ${String(status)}`, `zeigt ein Ticket mit dem Status ${String(status)}`)
		: undefined;
