import type { IHttpRequestOptions } from 'n8n-workflow';

import {
	DEADLINE_EXCEEDED,
	FILE_UNREADABLE,
	errorCode,
	isBeforeSending,
	networkError,
} from './failures/networkError';
import type { Failure } from '../errors';
import type { Progress } from './failures/networkError';
import { jsonPayload } from './body';
import type { BinaryStore } from './body';
import type { Deadline } from './deadline';
import { isWrite } from './request';
import type { GatewayRequest } from './request';
import type { HttpResponse } from './response';

/** Sends one HTTP request with the API key and aborts it on the signal. Rejects if there is no answer. */
export type HttpSender = (options: IHttpRequestOptions, signal: AbortSignal) => Promise<HttpResponse>;

/** One HTTP exchange. Doesn't throw. @returns the response, whatever its status, or why there is none */
export async function exchange(
	request: GatewayRequest,
	url: string,
	http: HttpSender,
	deadline: Deadline,
	store?: BinaryStore,
): Promise<HttpResponse | { failure: Failure }> {
	const withoutAnswer = (code: string, progress: Progress) => ({
		failure: networkError(code, isWrite(request), progress),
	});
	let payload: Awaited<ReturnType<typeof jsonPayload>> | undefined;
	try {
		payload = request.body && (await jsonPayload(request.body, store as BinaryStore));
	} catch {
		return withoutAnswer(FILE_UNREADABLE, 'connecting');
	}
	const options = httpOptions(request, url, payload);
	// Without this timeout, n8n's own default would end a slow answer.
	options.timeout = Math.ceil(deadline.secondsLeft * 1000);
	try {
		// The HTTP client would refuse it by an error that could also mean a request in flight.
		if (deadline.isCanceled) return withoutAnswer('ERR_CANCELED', 'connecting');
		return await http(options, deadline.signal);
	} catch (error) {
		const code = deadline.isExceeded ? DEADLINE_EXCEEDED : errorCode(error);
		if (isBeforeSending(error)) return withoutAnswer(code, 'connecting');
		return withoutAnswer(code, payload?.isHandedOver() === false ? 'sending' : 'handedOver');
	} finally {
		payload?.close();
	}
}

function httpOptions(
	{ endpoint, query }: GatewayRequest,
	address: string,
	payload: Awaited<ReturnType<typeof jsonPayload>> | undefined,
): IHttpRequestOptions {
	const [method] = endpoint.split(' ') as ['GET' | 'POST' | 'PUT'];
	const url = new URL(address);
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined) url.searchParams.set(name, String(value));
	}
	return {
		method,
		url: url.href,
		headers: {
			accept: 'application/json',
			...(payload && { 'content-type': 'application/json', 'content-length': String(payload.length) }),
		},
		...(payload && { body: payload.body as IHttpRequestOptions['body'] }),
		// This package, not the HTTP client, limits the answer's size and handles numbers, broken JSON and web pages.
		encoding: 'stream',
		returnFullResponse: true,
		// Without this option, n8n sends a request again after a 401, bookings included.
		ignoreHttpStatusErrors: true,
		// A redirect would take the API key to another host.
		disableFollowRedirect: true,
	};
}
