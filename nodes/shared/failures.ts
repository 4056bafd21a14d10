import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode, NodeError } from 'n8n-workflow';
import { escape, unescape } from 'lodash';

import { maskSensitive } from './sensitive';

/**
 * What became of a request that got no good answer:
 * `refused`: the gateway said no, nothing was booked; `notSent`: it never reached the gateway;
 * `unknown`: a write was under way, and whether it was carried out can't be told; `failed`: a read got no usable answer;
 * `incomplete`: the first of two requests was carried out, the second wasn't or may not have been.
 */
export type Fate = 'refused' | 'notSent' | 'unknown' | 'failed' | 'incomplete';

/** Why a request failed, in words for an accountant. No text of it contains the API key. */
export interface Failure {
	fate: Fate;
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
export function nodeError(node: INode, failure: Failure, itemIndex?: number): NodeError {
	const { message, status } = failure;
	// n8n shows descriptions as HTML: what looks like a tag would be missing.
	const description = /[<&]/.test(failure.description) ? escape(failure.description) : failure.description;
	return status === undefined
		? new NodeOperationError(node, message, { description, itemIndex })
		: // The gateway's body isn't handed over: what it says is in the description, without secrets.
			new NodeApiError(node, {}, { message, description, httpCode: String(status), itemIndex });
}

/** The parts of a description that there are, as sentences in a row. */
const sentences = (...parts: Array<string | undefined | false>) => parts.filter(Boolean).join(' ');

const quote = (text: string | undefined) => text && `The gateway says: “${text}”`;

/** Message and advice for one HTTP status. */
interface Explanation {
	message: string;
	advice: string;
}

const STATUS: Record<number, Explanation> = {
	400: {
		message: 'The gateway refused the request as invalid',
		advice: 'Correct the field that the gateway names.',
	},
	401: {
		message: 'The gateway rejected the API key',
		advice:
			'Check the key in the credential; it may have been revoked. Create a new one in the API keys section of the service.',
	},
	402: {
		message: 'The credit balance is used up',
		advice: 'Top up the credits of the account, then run the node again.',
	},
	403: {
		message: 'The API key is not allowed to do this',
		advice: "Check that the key's account includes this connection and service.",
	},
	404: {
		message: "The gateway doesn't know what was asked for",
		advice: 'Check the IDs and names, and in the credential the base URL and the accounting provider.',
	},
	409: {
		message: 'The gateway already has this record',
		advice: 'It was probably sent before: look it up before sending it under another number.',
	},
	413: { message: 'The request is too large for the gateway', advice: 'Send smaller or fewer files.' },
	422: {
		message: 'The gateway refused a value',
		advice: 'Correct the field that the gateway names.',
	},
	429: {
		message: 'The gateway received too many requests',
		advice: 'Wait a moment, then run the node again, or lower the concurrency in its options.',
	},
};

const CLIENT_ERROR: Explanation = {
	message: 'The gateway refused the request',
	advice: 'Check the parameters of the node.',
};
const SERVER_ERROR: Explanation = {
	message: 'The gateway failed to process the request',
	advice: 'Try again later; if it stays so, ask the provider of the gateway.',
};
const REDIRECT: Explanation = {
	message: 'The gateway answered with a redirect, which is not followed to keep the API key safe',
	advice: 'Enter the final address as base URL in the credential (often https instead of http).',
};

/**
 * Which company an export-reading request was for: one that it named, the default one although it could have named
 * another (`default`), or the default one because the operation takes no `companyId` (`fixed`). `undefined` for
 * requests that read no export.
 */
export type ExportCompany = 'named' | 'default' | 'fixed' | undefined;

const NO_EXPORT = 'The default company of this connection has no export subscription';
const EXPORT_SUBSCRIPTION: Record<NonNullable<ExportCompany>, Explanation> = {
	default: {
		message: NO_EXPORT,
		advice:
			'Choose a company with an export subscription in the field "Company" (companyId), or book the subscription for the default company.',
	},
	named: {
		message: 'The gateway gives no accounting data of this company',
		advice:
			'It may have no export subscription, or the connection may not cover it: choose another one in the field "Company" (companyId), or book the subscription for this one.',
	},
	fixed: {
		message: NO_EXPORT,
		advice:
			'This report takes no companyId, it is always that of the default company: choose a connection whose default company has the subscription, or book it for this one.',
	},
};

function explanation(status: number, company: ExportCompany): Explanation {
	if (status >= 300 && status < 400) return REDIRECT;
	const noExport = status === 403 && company ? EXPORT_SUBSCRIPTION[company] : undefined;
	return noExport ?? STATUS[status] ?? (status >= 500 ? SERVER_ERROR : CLIENT_ERROR);
}

/** An answer as it came, before anything is made of it. */
export interface RawAnswer {
	status: number;
	/** `Retry-After` in seconds, where given. */
	retryAfter?: number;
	/** The parsed JSON, or the text where it was none. */
	body: unknown;
}

/**
 * Explains an answer that is no success.
 * @param writes whether the request would have changed something: after a 5xx nobody knows whether it did
 * @param company see `ExportCompany`; a 403 for the default company is rule 2 of the specification
 */
export function refusal(answer: RawAnswer, writes: boolean, company: ExportCompany): Failure {
	const { status, retryAfter, body } = answer;
	const said = gatewayMessage(body);
	const { message, advice } = explanation(status, company);
	const lost = status >= 500 || status === 408 || status === SEE_OTHER;
	const uncertain = writes && lost;
	const wait = retryAfter !== undefined && `It asks to wait ${retryAfter} seconds.`;
	return {
		fate: lost ? fateOfLost(writes) : 'refused',
		message: `${message} (HTTP ${status})`,
		description: sentences(quote(said), uncertain && CHECK_FIRST, advice, wait),
		status,
		retryAfter,
		transient: [429, 502, 503, 504].includes(status),
	};
}

/** Says that the request was processed and its result stands elsewhere (RFC 9110), unlike other redirects. */
const SEE_OTHER = 303;

const fateOfLost = (writes: boolean): Fate => (writes ? 'unknown' : 'failed');

/** What to do about a write of unknown outcome. */
export const CHECK_FIRST =
	'Whether it was carried out is unknown: check that in the accounting system before you send it again.';

/** A success status with content that isn't the JSON it should be. */
export function unreadable(status: number, text: string, writes: boolean): Failure {
	const isPage = isHtml(text);
	return {
		fate: fateOfLost(writes),
		message: isPage
			? 'A web page (HTML) came instead of an answer of the gateway'
			: "The gateway's answer is broken: it is no valid JSON",
		description: isPage
			? sentences(
					quote(gatewayMessage(text)),
					writes && CHECK_FIRST,
					'Check the base URL in the credential; a login page or a proxy may be in between.',
				)
			: writes
				? sentences(PROBABLY_DONE, CHECK_FIRST)
				: 'Try again; if it stays so, ask the provider of the gateway.',
		status,
		transient: false,
	};
}

const PROBABLY_DONE = 'The gateway reported success, so it was probably carried out.';

/**
 * A good answer that doesn't say what it should.
 * @param error of making records of it, where that is what failed
 */
export function incomprehensible(writes: boolean, error?: Error): Failure {
	return {
		fate: fateOfLost(writes),
		message: "The gateway's answer isn't what was expected",
		description: sentences(
			writes && PROBABLY_DONE,
			writes && CHECK_FIRST,
			error && `Switch "Simplify" off to get it as it is. (${error.message})`,
		),
		transient: false,
	};
}

/** Stands for a file of the item that can't be read (any more) while a request is built or sent. */
export const FILE_UNREADABLE = 'FILE_UNREADABLE';

/** Stands for n8n's failure to put the API key into a request. */
export const CREDENTIAL_UNUSABLE = 'CREDENTIAL_UNUSABLE';

/** Why no answer came at all, by the code that Node.js gives for it. */
const NETWORK: Array<{
	codes: RegExp;
	fate: 'notSent' | 'lost';
	transient: boolean;
	message: string;
	advice: string;
}> = [
	{
		codes: /^(ENOTFOUND|EAI_\w+)$/,
		fate: 'notSent',
		transient: true,
		message: "The gateway's address can't be found",
		advice:
			'Check the base URL in the credential for typing mistakes, and the name service (DNS) of this machine.',
	},
	{
		codes: new RegExp(`^${FILE_UNREADABLE}$`),
		fate: 'notSent',
		transient: false,
		message: "A file of the item can't be read any more, or changed while it was being sent",
		advice: 'Run the workflow again from the node that provides the file.',
	},
	{
		codes: new RegExp(`^${CREDENTIAL_UNUSABLE}$`),
		fate: 'notSent',
		transient: false,
		message: "n8n couldn't put the API key into the request",
		advice:
			'With its default engine for expressions, n8n can\'t do that in workflows with the execution logic "v2": choose "v1" in the workflow\'s settings, or ask the administrator to set N8N_EXPRESSION_ENGINE=legacy.',
	},
	{
		codes: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/,
		fate: 'notSent',
		transient: true,
		message: "The gateway can't be reached: nothing answers at its address",
		advice: 'Check the base URL in the credential, and whether a firewall is in between.',
	},
	{
		codes: /CERT|SELF_SIGNED|UNABLE_TO_|^INVALID_CA$|^HOSTNAME_MISMATCH$/,
		fate: 'notSent',
		transient: false,
		message: "No secure connection to the gateway: its certificate (TLS) isn't trusted",
		advice: 'Check that the base URL starts with https only where the gateway has a valid certificate.',
	},
	{
		// Also when something breaks into a connection that a request has gone through.
		codes: /^(EPROTO$|ERR_SSL|ERR_TLS)|WRONG_VERSION/,
		fate: 'lost',
		transient: false,
		message: 'The secure connection (TLS) to the gateway failed',
		advice: 'Check that the base URL starts with https only where the gateway takes secure connections.',
	},
	{
		codes: /^ERR_INVALID_CHAR$/,
		fate: 'notSent',
		transient: false,
		message: "The API key can't be sent: it has line breaks or characters that no key has",
		advice: 'Enter the key in the credential again.',
	},
	{
		codes: /^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT|UND_ERR_\w*TIMEOUT)$/,
		fate: 'lost',
		transient: true,
		message: "The gateway didn't answer in time",
		advice: 'Try again later, or raise "Timeout" in the options of the node.',
	},
	{
		codes: /^(ERR_CANCELED|ABORT_ERR)$/,
		fate: 'lost',
		transient: false,
		message: 'The execution was canceled while a request was under way',
		advice: '',
	},
	{
		codes: /^(ERR_INVALID_URL|ERR_UNSUPPORTED_PROTOCOL|ERR_SSRF\w*)$|SSRF/,
		fate: 'notSent',
		transient: false,
		message: "This n8n doesn't allow requests to the gateway's address",
		advice:
			'The address is private or restricted. Ask the administrator of n8n to allow it (N8N_SSRF_ALLOWED_HOSTNAMES).',
	},
];

const BROKEN = {
	fate: 'lost' as const,
	transient: true,
	message: 'The connection to the gateway broke before an answer came',
	advice: 'Try again later.',
};

/** Explains a request without an answer. @param code Node.js's error code, `''` where there is none */
export function networkFailure(code: string, writes: boolean): Failure {
	const { fate, transient, message, advice } = NETWORK.find(({ codes }) => codes.test(code)) ?? BROKEN;
	return {
		fate: fate === 'lost' ? fateOfLost(writes) : fate,
		message,
		description: writes && fate === 'lost' ? CHECK_FIRST : advice,
		transient,
	};
}

const MESSAGE_KEYS = [
	'message',
	'nachricht',
	'detail',
	'error',
	'errors',
	'fehler',
	'meldung',
	'meldungen',
	'title',
];
/** What may go into details, beside a message that is as general as "Validation failed". */
const DETAIL_KEYS = ['errors', 'error_description', 'description', 'details', 'fehler', 'meldungen'];
const MAX_MESSAGE = 500;

const isHtml = (text: string) => /^\s*(<!doctype html|<html)/i.test(text);

/**
 * Finds what the gateway says in an error body, whose shape the specification leaves open: text, `message`,
 * `error.message`, `errors[]`, `detail`, `fehler`, problem+json, or the title of a web page, and the details beside it.
 * IBANs in it are hidden.
 */
export function gatewayMessage(body: unknown): string | undefined {
	const text = messageIn(body)?.trim();
	return text ? maskSensitive(text).slice(0, MAX_MESSAGE) : undefined;
}

function messageIn(body: unknown): string | undefined {
	if (typeof body === 'string') return isHtml(body) ? messageInHtml(body) : body;
	if (Array.isArray(body)) return body.map(messageIn).filter(Boolean).join('; ');
	if (typeof body !== 'object' || body === null) return undefined;
	const record = body as Record<string, unknown>;
	const message = MESSAGE_KEYS.map((key) => messageIn(record[key])).find(Boolean);
	if (!message) {
		// An unknown shape, like texts by field: all that it says.
		const texts = Object.entries(record).map(([key, value]) => [key, messageIn(value)]);
		return texts.flatMap(([key, text]) => (text ? `${key}: ${text}` : [])).join('; ');
	}
	const details = DETAIL_KEYS.flatMap((key) => messageIn(record[key]) ?? []);
	const text = [...new Set([message, ...details])].filter(Boolean).join('; ');
	const field = record.field ?? record.feld;
	return typeof field === 'string' && !text.includes(field) ? `${field}: ${text}` : text;
}

/** Title and heading of a web page, or all of its text. */
function messageInHtml(page: string): string {
	const textOf = (html: string) =>
		unescape(html.replace(/<[^>]*>/g, ' '))
			.replace(/\s+/g, ' ')
			.trim();
	const parts = ['title', 'h1'].map((tag) =>
		textOf(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 'is').exec(page)?.[1] ?? ''),
	);
	return [...new Set(parts)].filter(Boolean).join(': ') || textOf(page);
}
