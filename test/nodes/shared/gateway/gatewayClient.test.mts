/** The pauses that a gateway asks for, of the client by itself: in n8n, the run would really wait. Through n8n: client.test.mts. */
import { afterEach, describe, expect, it, vi } from 'vitest';

import { GatewayClient, gatewayRequest, Throttle } from '../../../../nodes/shared/gateway/index.js';
import { readResponse, retryAfter } from '../../../../nodes/shared/gateway/response.js';
import { answerOf } from '../../../support/answers.mjs';
import { skipPauses } from '../../../support/pauses.mjs';

const READ = gatewayRequest('GET /v2/acct-duo/kassenbuecher', { query: { connectionId: 'AB-1' } });

describe('a read that may succeed later', () => {
	it.each([
		['60', [60, 60, 60]],
		['61', []],
		// At once says nothing, nor does a time that is over by this machine's clock.
		['0', [0.5, 1, 2]],
		['Fri, 20 Nov 2020 09:01:30 GMT', [0.5, 1, 2]],
	])('is tried again after a 503 with Retry-After %s, in as many seconds: %j', async (seconds, expected) => {
		const pauses = skipPauses();
		let sent = 0;
		const client = new GatewayClient({ apiKey: 'key', baseUrl: 'https://gateway.example.com' }, async () => {
			sent++;
			return { status: 503, headers: { 'retry-after': seconds }, answer: await answerOf('') };
		});
		expect(await client.send(READ)).toMatchObject({ ok: false, failure: { status: 503 } });
		expect(pauses(), 'pauses in seconds').toEqual(expected);
		expect(sent, 'requests').toBe(expected.length + 1);
	});
});

it('A read that is canceled before its turn says in English and in German that it was not sent', async () => {
	const controller = new AbortController();
	const throttle = new Throttle(1);
	await throttle.enter();
	// None of n8n's helpers is called: nothing is sent.
	const context = { getExecutionCancelSignal: () => controller.signal, helpers: {} as never };
	const send = async () => await Promise.reject(new Error('It must not be sent.'));
	const client = new GatewayClient(
		{ apiKey: 'key', baseUrl: 'https://gateway.example.com' },
		send,
		'',
		context,
	);
	const waiting = client.send(READ, undefined, throttle);
	controller.abort();
	expect(await waiting).toMatchObject({
		failure: {
			outcome: 'notSent',
			message: {
				en: 'The execution was canceled before this request was sent',
				de: 'Die Ausführung wurde abgebrochen, bevor diese Anfrage gesendet war',
			},
		},
	});
});

describe('retryAfter', () => {
	afterEach(() => void vi.useRealTimers());

	it.each<[unknown, number | undefined]>([
		['7', 7],
		[' 120 ', 120],
		['0', undefined],
		['Wed, 21 Oct 2015 07:28:00 GMT', undefined],
		['9'.repeat(400), undefined],
		['soon', undefined],
		['-1', undefined],
		['1.5', undefined],
		['7 s', undefined],
		['in 7', undefined],
		['1e3', undefined],
		['9007199254740991', 9007199254740991],
		['9007199254740993', undefined],
		[7, undefined],
		['', undefined],
		[undefined, undefined],
	])('reads %o as %o', (header, seconds) => {
		expect(retryAfter(header)).toBe(seconds);
	});

	it('reads a time in the future, to the next second', () => {
		vi.useFakeTimers({ now: new Date('2026-11-20T09:00:00.400Z') });
		expect(retryAfter('Fri, 20 Nov 2026 09:01:30 GMT')).toBe(90);
		// As C's asctime() writes it.
		expect(retryAfter('Fri Nov 20 09:01:30 2026')).toBe(90);
	});
});

describe('readResponse', () => {
	const read = async (text: string, secret: string) =>
		await readResponse(
			{ status: 200, headers: {}, answer: await answerOf(text) },
			{ endpoint: 'GET /v2/acct/companies' },
			[secret],
		);

	it('keeps numbers that JavaScript would change even where a secret is removed', async () => {
		expect(
			await read('{"a":12345678901234567890,"b":"\\u006bey-0123456789","c":1e400}', 'key-0123456789'),
		).toEqual({ ok: true, body: { a: '12345678901234567890', b: '***', c: '1e400' } });
	});
});
