import type { IDataObject } from 'n8n-workflow';

import { recordsOf } from '../../shared/operation';

/** The specification's states of a ticket; what a ticket's is before its activation is "not shown". */
const STATES: unknown[] = ['active', 'cancelled', 'expired'];

/** The ticket in an answer. */
export const ticketIn = (body: unknown): IDataObject => recordsOf(body)[0] ?? {};

/** Whether a ticket awaits its activation: a partial answer is known by its coupon alone, no status goes with it. */
export const isPartial = ({ coupon_id, status }: IDataObject): boolean =>
	typeof coupon_id === 'string' && coupon_id !== '' && !STATES.includes(status);

/** Tells that a ticket can't be used yet. */
export const partialWarning = (body: unknown): string | undefined =>
	isPartial(ticketIn(body))
		? 'created, but not active yet. Activate with the coupon_id in the output: by the operation "Activate" or, next time, by the option "Activate"'
		: undefined;
