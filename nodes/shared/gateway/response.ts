import { DateTime } from 'luxon';

import { httpError } from '../errors/httpError';
import { redactSecret, redactSecretIn } from '../errors/redaction';
import { invalidJson, notReady } from '../errors/unexpectedResponse';
import { parseJson } from '../values/json';
import { isWrite } from './request';
import type { GatewayRequest, SendResult } from './request';

/** An HTTP response with any status, its body not yet parsed. */
export interface HttpResponse {
	status: number;
	headers: Record<string, unknown>;
	text: string;
}

/** Success statuses that don't promise a complete answer: "Accepted", "Partial Content". */
const NOT_YET = [202, 206];

/** @param secrets to mask in the result, in case the gateway repeats them */
export function readResponse(
	{ status, headers, text }: HttpResponse,
	request: Pick<GatewayRequest, 'endpoint' | 'textAnswer' | 'explain' | 'identity'>,
	secrets: string[],
): SendResult {
	const writes = isWrite(request);
	const json = parseJson(text);
	const body = json
		? secrets.reduce((value, secret) => redactSecretIn(value, secret, text), json.value)
		: secrets.reduce(redactSecret, text);
	if (status < 200 || status > 299) {
		const answer = { status, body, retryAfter: retryAfter(headers['retry-after']) };
		return { ok: false, failure: httpError(answer, writes, request) };
	}
	if (!writes && NOT_YET.includes(status)) return { ok: false, failure: notReady(status, body) };
	return json || request.textAnswer
		? { ok: true, body }
		: { ok: false, failure: invalidJson(status, body as string, writes) };
}

/** Reads `Retry-After`, which is a number of seconds or an HTTP date. */
export function retryAfter(header: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const seconds = Number(header);
	if (/^\d+$/.test(header.trim())) return Number.isSafeInteger(seconds) ? seconds : undefined;
	const date = DateTime.fromHTTP(header);
	return date.isValid ? Math.max(0, Math.ceil(date.diffNow('seconds').seconds)) : undefined;
}
