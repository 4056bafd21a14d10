import { isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { recordOf } from '../../shared/transport/records';

/** The contract's states of a ticket; it leaves open the state before activation. */
const STATES: unknown[] = ['active', 'cancelled', 'expired'];

/** Whether a ticket awaits its activation: a partial answer has a coupon, but no status. */
export const isPartial = ({ coupon_id, status }: IDataObject): boolean =>
	typeof coupon_id === 'string' && coupon_id !== '' && !STATES.includes(status);

/** Whether a ticket awaits its activation; `null` if its status doesn't say. */
export function activationRequired(ticket: IDataObject): boolean | null {
	if (isPartial(ticket)) return true;
	return STATES.includes(ticket.status) ? false : null;
}

/** Warns that a ticket can't be used yet. */
export const partialWarning = (answer: unknown): string | undefined =>
	isPartial(recordOf(answer))
		? 'created, but not active yet. Activate with the coupon_id in the output: by the operation "Activate" or, next time, by the option "Activate"'
		: undefined;

/** @returns what shows that the ticket wasn't created, see `verifyResponse` of an operation */
export function verifyTicket(answer: unknown): string | undefined {
	const { id, coupon_id } = recordOf(answer);
	return isNil(id) && isNil(coupon_id) ? 'names no ID of a ticket' : undefined;
}

/** @returns what shows that the ticket wasn't activated, see `verifyResponse` of an operation */
export function verifyActivation(answer: unknown): string | undefined {
	const ticket = recordOf(answer);
	if (isPartial(ticket)) return 'shows a ticket that still awaits its activation';
	return STATES.includes(ticket.status) ? undefined : 'names no status of a ticket';
}
