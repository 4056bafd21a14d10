import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode, NodeError } from 'n8n-workflow';

import { asHtml, presentable } from './presentable';

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
	/** Part of what was refused may have been carried out: lines of an entry. */
	partial?: true;
	/** The node remembers the record, and doesn't send it again in another run either. */
	remembered?: true;
	/** The gateway's own text, where it refused something. */
	said?: string;
	/** What an earlier attempt has sent, where the node might name it otherwise now. */
	sentAs?: { label?: string; sent?: IDataObject };
	/** If `incomplete`: the fields that identify what the first request created. */
	created?: IDataObject;
	/** The IDs and numbers in an answer that doesn't confirm the record. */
	received?: IDataObject;
}

/** Whether a request was certainly not carried out, so that it may be sent again. */
export const isCertainlyNotDone = ({ outcome, partial }: Pick<Failure, 'outcome' | 'partial'>): boolean =>
	(outcome === 'refused' && !partial) || outcome === 'notSent';

export function toNodeError(node: INode, failure: Failure): NodeError {
	const { status } = failure;
	const message = presentable(failure.message);
	const description = asHtml(presentable(failure.description));
	const error =
		status === undefined
			? new NodeOperationError(node, message, { description })
			: // The gateway's body isn't passed on: its message is in the texts, without secrets.
				new NodeApiError(node, {}, { message, description, httpCode: String(status) });
	// n8n replaces a message that contains a system code such as ENOENT with its own.
	error.message = message;
	return error;
}

/** The error of a list in the form. Only with this class does n8n pass the description on to the editor, as plain text. */
export const toListError = (
	node: INode,
	{ message, description, status }: Pick<Failure, 'message' | 'description' | 'status'>,
): NodeError =>
	new NodeApiError(
		node,
		{},
		{
			message: presentable(message),
			description: presentable(description),
			httpCode: status?.toString(),
		},
	);

/** A request that was certainly not sent. */
export const unsent = (message: string, description = ''): Failure => ({
	outcome: 'notSent',
	message,
	description,
});

export const sentences = (...parts: Array<string | undefined | false>) => parts.filter(Boolean).join(' ');

/** A message and its description as one text. A quotation that ends the message may have a full stop of its own. */
export const inOneText = (message: string, description?: string | null): string =>
	description ? `${message.endsWith('.”') ? message : `${message}.`} ${description}` : message;

export const outcomeOfLost = (writes: boolean): FailureOutcome => (writes ? 'unknown' : 'failed');

/** Advice for a write whose outcome is unknown. */
export const CHECK_FIRST =
	'Whether it was carried out is unknown: check the accounting system (or wherever else it would be) before you send it again.';

/** Advice for a record that the node remembers as written although its outcome is unknown. */
export const NOT_AGAIN = "If it is missing, add it there by hand: this node won't send it again.";
