import { sentences } from './errorText';
import type { Failure } from './failure';
import { CHECK_FIRST } from './outcomes';
import { cut } from './presentable';
import { gatewayMessage, quote } from './gatewayMessage';

/** Message and advice for one HTTP status. */
export interface Explanation {
	message: string;
	/** The message in German, for the data of an item. */
	german?: string;
	advice: string;
}

/** An answer by which the gateway refuses a request. */
export interface Refusal {
	status: number;
	/** Whether the gateway says that it has the record already. */
	exists?: boolean;
}

/**
 * What a refusal means for one request; what it leaves out is explained as usual. `partial`: what to do, as a part of what
 * was refused may have been carried out.
 */
export type Meaning = Partial<Explanation> & { partial?: string };

/** Whether a refusal of one write says that the gateway has the record already. */
export type SaysItExists = (status: number, body: unknown) => boolean;

/** Explains a refusal of one request; `undefined` if it means nothing special there. */
export type Explain = (refusal: Refusal) => Meaning | undefined;

const STATUS: Record<number, Explanation> = {
	400: {
		message: 'The gateway refused the request as invalid',
		german: 'Das Gateway hat die Anfrage als ungültig abgelehnt',
		advice: 'Correct the field that the gateway names.',
	},
	401: {
		message: 'The gateway rejected the API key',
		german: 'Das Gateway hat den API-Schlüssel abgelehnt',
		advice:
			'Check the key in the credential; it may have been revoked. Create a new one in the API keys section of the service.',
	},
	402: {
		message: 'The credit balance is used up',
		german: 'Das Guthaben ist aufgebraucht',
		advice: 'Top up the credits of the account, then try again.',
	},
	403: {
		message: 'The gateway denied access',
		german: 'Das Gateway hat den Zugang verweigert',
		advice:
			'The API key may be wrong or revoked, or its account may not include this connection or service: check the key in the credential, and what its account covers.',
	},
	404: {
		message: "The gateway couldn't find what was requested",
		german: 'Das Gateway hat das Angefragte nicht gefunden',
		advice: 'Check the IDs and names, and in the credential the base URL and the accounting provider.',
	},
	408: {
		message: 'The gateway stopped waiting for the request',
		german: 'Das Gateway hat nicht länger auf die Anfrage gewartet',
		advice: 'Try again later.',
	},
	409: {
		message: 'The gateway refused the request because of a conflict',
		german: 'Das Gateway hat die Anfrage wegen eines Konflikts abgelehnt',
		advice:
			'Correct what the gateway names: a period or a cash book may be closed. If it gives no reason, check whether the record already exists.',
	},
	413: {
		message: 'The request is too large for the gateway',
		german: 'Die Anfrage ist dem Gateway zu groß',
		advice: 'Send smaller or fewer files.',
	},
	422: {
		message: 'The gateway refused a value',
		german: 'Das Gateway hat einen Wert abgelehnt',
		advice: 'Correct the field that the gateway names.',
	},
	429: {
		message: 'The gateway received too many requests',
		german: 'Das Gateway hat zu viele Anfragen erhalten',
		advice: 'Wait a moment, then try again.',
	},
};

/** The number of characters of the gateway's message that the error's message repeats. */
const MAX_HEADLINE = 120;

/**
 * Explains that the gateway already has a record, which is a mistake only if that is a different one. Where it counts as
 * done, an operation's `outputIfExisted` says so instead.
 * @param what the name of the record for the person who has sent it
 * @param advice what to do about a different record, and about the rest of the run
 */
export const explainExisting =
	(what: string, advice: string) =>
	({ exists }: Refusal): Explanation | undefined =>
		exists
			? {
					message: `The gateway says it already has this ${what}`,
					german: 'Das Gateway sagt, dass es den Vorgang schon hat',
					advice: `If it's the same one, there is nothing to do. ${advice}`,
				}
			: undefined;

const explainRecord = explainExisting(
	'record',
	"If it's a different record, send it under a different number.",
);

const CLIENT_ERROR: Explanation = {
	message: 'The gateway refused the request',
	german: 'Das Gateway hat die Anfrage abgelehnt',
	advice: 'Check the parameters of the node.',
};
const SERVER_ERROR: Explanation = {
	message: 'The gateway failed to process the request',
	german: 'Das Gateway konnte die Anfrage nicht verarbeiten',
	advice: 'Try again later; if the problem persists, ask the provider of the gateway.',
};
const REDIRECT: Explanation = {
	message: 'The gateway answered with a redirect, which is not followed to keep the API key safe',
	german:
		'Das Gateway verweist auf eine andere Adresse; ihr wird nicht gefolgt, damit der API-Schlüssel geheim bleibt',
	advice: 'Enter the final address as the base URL in the credential (often https instead of http).',
};

function explanation(status: number): Explanation {
	if (status >= 300 && status < 400) return REDIRECT;
	return STATUS[status] ?? (status >= 500 ? SERVER_ERROR : CLIENT_ERROR);
}

interface RawAnswer {
	status: number;
	/** Seconds. */
	retryAfter?: number;
	/** The parsed JSON, or the text if it isn't JSON. */
	body: unknown;
}

/** @param writes whether the request changes something: after a 5xx nobody knows whether it did */
export function httpError(
	answer: RawAnswer,
	writes: boolean,
	{ explain, saysItExists }: { explain?: Explain; saysItExists?: SaysItExists } = {},
): Failure {
	const { status, retryAfter, body } = answer;
	const said = gatewayMessage(body);
	const exists = saysItExists?.(status, body) ?? false;
	const { message, german, advice, partial } = {
		...(explainRecord({ status, exists }) ?? explanation(status)),
		...explain?.({ status, exists }),
	};
	const isUnknown = writes && mayBeCarriedOut(status);
	const broken = status >= 500 || status === 408;
	const wait = retryAfter !== undefined && `It asks you to wait ${retryAfter} seconds.`;
	const outcome = isUnknown ? 'unknown' : broken ? 'failed' : 'refused';
	// n8n's editor first shows the message alone.
	const headline = outcome === 'refused' && said ? cut(said, MAX_HEADLINE) : undefined;
	const reason = headline && `: “${headline}${headline === said ? '' : '…'}”`;
	return {
		outcome,
		message: `${message} (HTTP ${status})${reason ?? ''}`,
		description: sentences(
			headline !== said && quote(said),
			isUnknown && CHECK_FIRST,
			!(isUnknown && broken) && advice,
			wait,
			outcome === 'refused' && partial,
		),
		status,
		retryAfter,
		transient: [429, 502, 503, 504].includes(status),
		...(german && { german: `${german} (HTTP ${status}).` }),
		...(said && { said }),
		...(exists && { exists }),
		...(outcome === 'refused' && partial && { partial: true }),
	};
}

/** Whether a write that is answered with this error status may have been carried out. */
function mayBeCarriedOut(status: number): boolean {
	// The gateway, or a proxy in front of it, failed: before or after carrying out the request.
	if (status >= 500) return true;
	// The gateway stopped waiting for the rest of the request, and may have processed the part that it had (RFC 9110,
	// 15.5.9).
	if (status === 408) return true;
	// The gateway understood the request and refused it.
	if (status >= 400) return false;
	// The same request should be sent to another address, so nothing was done here (15.4.8, 15.4.9).
	if (status === 307 || status === 308) return false;
	// A server may answer like this after carrying out the request: 303 by the standard, 301 and 302 for historical
	// reasons (15.4.2 to 15.4.4). Other statuses have no meaning for a write, so they prove nothing.
	return true;
}
