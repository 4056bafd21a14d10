import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode, NodeError } from 'n8n-workflow';
import { escape } from 'lodash';

/**
 * What became of a request that got no good answer:
 * `refused`: the gateway said no, nothing was booked; `notSent`: it never reached the gateway;
 * `unknown`: a write was under way, and whether it was carried out can't be told; `failed`: a read got no usable answer;
 * `incomplete`: the first of two requests was carried out, the second wasn't or may not have been.
 */
export type Outcome = 'refused' | 'notSent' | 'unknown' | 'failed' | 'incomplete';

/** Why a request failed, in words for an accountant. No text of it contains the API key. */
export interface Failure {
	outcome: Outcome;
	/** What happened. Free of system codes like those that n8n would replace the message for. */
	message: string;
	/** What to do about it. */
	description: string;
	/** HTTP status, where there was an answer. */
	status?: number;
	/** Trying again later may help, so reads are repeated. */
	transient: boolean;
	/** Seconds to wait that the gateway asked for (`Retry-After`). */
	retryAfter?: number;
	/** Of an `incomplete` one: the fields that identify what exists by now. */
	created?: IDataObject;
}

/** Makes the error that n8n shows. `itemIndex` makes n8n append "[item …]" to the message. */
export function toNodeError(node: INode, failure: Failure, itemIndex?: number): NodeError {
	const { message, status } = failure;
	// n8n shows descriptions as HTML: what looks like a tag would be missing.
	const description = /[<&]/.test(failure.description) ? escape(failure.description) : failure.description;
	return status === undefined
		? new NodeOperationError(node, message, { description, itemIndex })
		: // The gateway's body isn't handed over: what it says is in the description, without secrets.
			new NodeApiError(node, {}, { message, description, httpCode: String(status), itemIndex });
}

/** The parts of a description that there are, as sentences in a row. */
export const sentences = (...parts: Array<string | undefined | false>) => parts.filter(Boolean).join(' ');

/** What became of a request that may or may not have been carried out. */
export const outcomeOfLost = (writes: boolean): Outcome => (writes ? 'unknown' : 'failed');

/** What to do about a write of unknown outcome. */
export const CHECK_FIRST =
	'Whether it was carried out is unknown: check that in the accounting system before you send it again.';
