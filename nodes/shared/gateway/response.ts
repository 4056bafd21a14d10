import { isObjectLike } from 'lodash';
import { DateTime } from 'luxon';

import { httpError } from './failures/httpError';
import { invalidJson, notReady, unexpectedResponse } from './failures/unexpectedResponse';
import { MAX_NESTING, both } from '../values';
import type { AnswerBytes } from './answerBytes';
import { isWrite } from './request';
import type { GatewayRequest, SendResult } from './request';

export interface HttpResponse {
	status: number;
	headers: Record<string, unknown>;
	answer: AnswerBytes;
}

const ACCEPTED = 202;
const TOO_DEEP = both(
	`is nested more than ${MAX_NESTING} levels deep`,
	`ist mehr als ${MAX_NESTING} Ebenen tief verschachtelt`,
);

/** Success statuses that don't promise a complete answer: "Accepted", "Partial Content". */
const NOT_YET = [ACCEPTED, 206];

/** The header that names a next page (RFC 8288), as gateways with bare lists have it: `<…?page=2>; rel="next"`. */
const NEXT_LINK = /;\s*rel="?[^";]*\bnext\b/i;
/** Marks an answer that came with such a header, as a bare list has no field for it. */
const NEXT_PAGE = Symbol('next page');

/** Whether an answer came with a header that names a next page. */
export const hasNextLink = (body: unknown): boolean => isObjectLike(body) && NEXT_PAGE in (body as object);

/** @param secrets to mask in the result, in case the gateway repeats them */
export async function readResponse(
	{ status, headers, answer }: HttpResponse,
	request: Pick<GatewayRequest, 'endpoint' | 'textAnswer' | 'explain' | 'saysItExists'>,
	secrets: string[],
): Promise<SendResult> {
	const writes = isWrite(request);
	const { isTooDeep } = answer;
	// Everything after it would fail at such a depth, n8n's own storing included.
	const json = isTooDeep ? { value: {} } : await answer.json(secrets);
	const body = json ? json.value : answer.text(secrets);
	if (status < 200 || status > 299) {
		const refusal = { status, body, retryAfter: retryAfter(headers['retry-after']) };
		return { ok: false, failure: httpError(refusal, writes, request) };
	}
	if (isTooDeep) return { ok: false, failure: unexpectedResponse(writes, { problem: TOO_DEEP }) };
	if (isObjectLike(body) && NEXT_LINK.test(String(headers.link)))
		Object.defineProperty(body, NEXT_PAGE, { value: true });
	if (!writes && NOT_YET.includes(status)) return { ok: false, failure: notReady(status, body) };
	return json || request.textAnswer
		? { ok: true, body, ...(status === ACCEPTED && { isAccepted: true }) }
		: { ok: false, failure: invalidJson(status, body as string, writes) };
}

/**
 * Reads `Retry-After`, which is a number of seconds or an HTTP date. 0, or a time that is over, counts as none: clocks
 * differ, and all tries would be used up in a moment.
 */
export function retryAfter(header: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const isNumber = /^\d+$/.test(header.trim());
	const seconds = isNumber ? Number(header) : Math.ceil(DateTime.fromHTTP(header).diffNow('seconds').seconds);
	return seconds > 0 && Number.isSafeInteger(seconds) ? seconds : undefined;
}
