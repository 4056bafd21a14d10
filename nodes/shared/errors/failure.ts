import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode, NodeError } from 'n8n-workflow';
import { escape } from 'lodash';

import { maskIbans } from '../values/iban';

/**
 * What happened to a request that wasn't answered successfully:
 * `refused`: the gateway said no, nothing was booked; `notSent`: it never reached the gateway;
 * `unknown`: a write was sent, but nobody knows whether it was carried out; `failed`: a read got no usable answer;
 * `incomplete`: the first of two requests was carried out, the second wasn't or may not have been.
 */
export type Outcome = 'refused' | 'notSent' | 'unknown' | 'failed' | 'incomplete';

/** Why a request failed, in words for an accountant. No text of it contains the API key. */
export interface Failure {
	outcome: Outcome;
	/** What happened. It contains no system codes such as ENOENT: n8n would replace the message. */
	message: string;
	/** What to do about it. */
	description: string;
	/** HTTP status, where there was an answer. */
	status?: number;
	/** A retry may help, so reads are repeated. */
	transient: boolean;
	/** Seconds to wait that the gateway asked for (`Retry-After`). */
	retryAfter?: number;
	/** The gateway has refused the record because it has it already. */
	exists?: true;
	/** If `incomplete`: the fields that identify what exists by now. */
	created?: IDataObject;
}

/** Whether a request was certainly not carried out, so that it may be sent again. */
export const isCertainlyNotDone = ({ outcome }: Pick<Failure, 'outcome'>): boolean =>
	outcome === 'refused' || outcome === 'notSent';

/** Makes the error that n8n shows. */
export function toNodeError(node: INode, failure: Failure): NodeError {
	const { status } = failure;
	const message = maskIbans(failure.message);
	const text = maskIbans(failure.description);
	// n8n shows descriptions as HTML: text that looks like a tag would disappear.
	const description = /[<&]/.test(text) ? escape(text) : text;
	return status === undefined
		? new NodeOperationError(node, message, { description })
		: // The gateway's body isn't passed on: its message is in the description, without secrets.
			new NodeApiError(node, {}, { message, description, httpCode: String(status) });
}

/** Makes the error of a list in the form. n8n passes the description on to the editor with this class only, as plain text. */
export const toListError = (
	node: INode,
	{ message, description, status }: Pick<Failure, 'message' | 'description' | 'status'>,
): NodeError =>
	new NodeApiError(
		node,
		{},
		{
			message: maskIbans(message),
			description: maskIbans(description),
			httpCode: status?.toString(),
		},
	);

/** Joins the given parts of a description. */
export const sentences = (...parts: Array<string | undefined | false>) => parts.filter(Boolean).join(' ');

/** The outcome of a request whose answer was lost. */
export const outcomeOfLost = (writes: boolean): Outcome => (writes ? 'unknown' : 'failed');

/** What to do about a write of unknown outcome. */
export const CHECK_FIRST =
	'Whether it was carried out is unknown: check the accounting system before you send it again.';
