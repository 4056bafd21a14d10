import type { IDataObject } from 'n8n-workflow';

import { both } from '../values';
import type { Bilingual } from '../values';

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
	message: Bilingual;
	description: Bilingual;
	/** The name of the record, in front of the description. */
	label?: Bilingual;
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
	/** The gateway's own text, which neither the message nor the description has yet. */
	said?: string;
	/** What an earlier attempt has sent, where the node might name it otherwise now. */
	sentAs?: { label?: Bilingual; sent?: IDataObject };
	/** The IDs and numbers in an answer that doesn't confirm the record. */
	received?: IDataObject;
}

/** A request that was certainly not sent. */
export const unsent = (message: Bilingual, description = both('', '')): Failure => ({
	outcome: 'notSent',
	message,
	description,
});

/** In an error, the advice for a write whose outcome is unknown. */
export const CHECK_FIRST = both(
	'Whether it was carried out is unknown: look it up before you send it again.',
	'Ob es ausgeführt wurde, ist unklar: Sehen Sie nach, bevor Sie es noch einmal senden.',
);
