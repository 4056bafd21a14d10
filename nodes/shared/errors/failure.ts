import type { IDataObject } from 'n8n-workflow';

/**
 * The outcome of a request that wasn't answered successfully: `refused`: the gateway said no, nothing was booked;
 * `notSent`: the gateway never had the whole request; `unknown`: a write was sent, but nobody knows whether it was
 * carried out; `failed`: a read got no usable answer; `incomplete`: the gateway has the record, but the accounting system
 * refused it, or the second of two requests wasn't carried out or may not have been.
 */
type FailureOutcome = 'refused' | 'notSent' | 'unknown' | 'failed' | 'incomplete';

/** Why a request failed, in words for an accountant. None of its texts contains the API key. */
export interface Failure {
	outcome: FailureOutcome;
	message: string;
	description: string;
	/** HTTP status, where there was an answer. */
	status?: number;
	/** Whether a retry may help; reads are then repeated. By default, it can't. */
	transient?: boolean;
	/** Seconds to wait that the gateway asked for (`Retry-After`). */
	retryAfter?: number;
	/** The gateway has refused the record because it has it already. */
	exists?: true;
	/** Part of what was refused may have been carried out: a line, or an entry without its receipt. */
	partial?: true;
	/** The node remembers the record, and doesn't send it again in another run either. */
	remembered?: true;
	/** What happened, as a German sentence for the data of an item; without it, the message is quoted there. */
	german?: string;
	/** The gateway's own text. */
	said?: string;
	/** What an earlier attempt has sent, where the node might name it otherwise now. */
	sentAs?: { label?: string; sent?: IDataObject };
	/** The IDs and numbers in an answer that doesn't confirm the record. */
	received?: IDataObject;
}

/** Whether a request was certainly not carried out, so that it may be sent again. */
export const isCertainlyNotDone = ({ outcome, partial }: Pick<Failure, 'outcome' | 'partial'>): boolean =>
	(outcome === 'refused' && !partial) || outcome === 'notSent';

/** A request that was certainly not sent. */
export const unsent = (message: string, description = ''): Failure => ({
	outcome: 'notSent',
	message,
	description,
});

/** The outcome of a request that no answer confirms. */
export const unconfirmedOutcome = (writes: boolean): FailureOutcome => (writes ? 'unknown' : 'failed');
