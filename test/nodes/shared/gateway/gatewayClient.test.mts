/** The client by itself, at a gateway whose answers the tests give. Through n8n: client.test.mts. */
import { Readable } from 'node:stream';
import { createHash } from 'node:crypto';
import { getEventListeners } from 'node:events';
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { FileContent } from '../../../../nodes/shared/gateway/body.js';
import { GatewayClient, type GatewayContext } from '../../../../nodes/shared/gateway/client.js';
import { gatewayRequest } from '../../../../nodes/shared/gateway/request.js';
import type { HttpResponse } from '../../../../nodes/shared/gateway/response.js';
import type { Throttle } from '../../../../nodes/shared/gateway/throttle.js';
import { skipPauses } from '../../../support/pauses.mjs';
import { partial } from '../../../../tools/partial.mjs';

const CREDENTIAL = {
	apiKey: ' key-0123456789\n',
	baseUrl: 'https://gateway.example.com/v2/',
	accountingProvider: '',
};
const READ = gatewayRequest('GET /v2/acct-duo/kassenbuecher', {
	query: { connectionId: 'AB-1' },
});
const WRITE = gatewayRequest('POST /v2/acct-duo/kassenbuch-einfach', partial({ body: { betrag: 1 } }));

/** A client whose gateway gives these answers, one after another, or breaks the connection. */
function clientOf(answers: Array<Partial<HttpResponse> | Error> = [], own: object = {}, secret = '') {
	const sent: IHttpRequestOptions[] = [];
	const client = new GatewayClient(
		{ ...CREDENTIAL, ...own },
		async (options) => {
			sent.push(options);
			const answer = answers.shift() ?? {};
			if (answer instanceof Error) throw answer;
			return await Promise.resolve({ status: 200, headers: {}, text: '{"ok":true}', ...answer });
		},
		secret,
	);
	return { client, sent };
}

describe('where a request goes', () => {
	it('is the gateway with the provider, and the connection in small letters if there is one', () => {
		const { client } = clientOf();
		const gateway = 'https://gateway.example.com/v2/acct';
		expect(client.destination(READ)).toBe(`${gateway}, connection ab-1`);
		expect(client.destination({ ...READ, query: {} })).toBe(gateway);
		expect(clientOf([], { accountingProvider: ' zahlwerk ' }).client.destination(WRITE)).toBe(
			'https://gateway.example.com/v2/zahlwerk',
		);
		expect(clientOf([], { baseUrl: '' }).client.destination(WRITE)).toBe('/v2/acct');
	});

	it('is an account of a gateway, which the key tells apart without being told', () => {
		const apiKey = createHash('sha256').update('key-0123456789').digest('base64url');
		expect(clientOf().client.account).toEqual({ baseUrl: 'https://gateway.example.com', apiKey });
		expect(clientOf([], { baseUrl: 'ftp://x' }).client.account).toEqual({ baseUrl: '', apiKey });
	});
});

describe('what is sent', () => {
	const own = { baseUrl: 'https://gateway.example.com/base/v2', accountingProvider: 'zahlwerk' };

	it('of a read is the address of base URL, provider and path, with the query that has a value', async () => {
		const { client, sent } = clientOf([], own);
		const query = { connectionId: 'ä b', page: 0, all: false, quelle: undefined };
		await client.send({ ...READ, query });
		expect(sent).toEqual([
			{
				method: 'GET',
				url: 'https://gateway.example.com/base/v2/zahlwerk-duo/kassenbuecher?connectionId=%C3%A4+b&page=0&all=false',
				headers: { accept: 'application/json' },
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: expect.any(Number) as number,
			},
		]);
	});
});

describe('a read that may succeed later', () => {
	it.each([
		['60', [60, 60, 60]],
		['61', []],
		// At once says nothing, nor does a time that is over by this machine's clock.
		['0', [0.5, 1, 2]],
		['Fri, 20 Nov 2020 09:01:30 GMT', [0.5, 1, 2]],
	])('is tried again after a 503 with Retry-After %s, in as many seconds: %j', async (seconds, expected) => {
		const pauses = skipPauses();
		const refusal = { status: 503, headers: { 'retry-after': seconds } };
		const { client, sent } = clientOf(Array.from({ length: 9 }, () => refusal));
		expect(await client.send(READ)).toMatchObject({ ok: false, failure: { status: 503 } });
		expect(pauses()).toEqual(expected);
		expect(sent).toHaveLength(expected.length + 1);
	});
});

describe('a client that a node opens', () => {
	/** @param content that n8n's helper gives with each answer */
	function contextOf(...content: string[]) {
		const httpRequestWithAuthentication = vi.fn<
			(this: GatewayContext, ...given: unknown[]) => Promise<IN8nHttpFullResponse>
		>(
			async () =>
				await Promise.resolve({
					statusCode: 200,
					headers: {},
					body: Readable.from(content.map((one) => Buffer.from(one))),
				}),
		);
		const getCredentials = vi.fn(async () => await Promise.resolve(CREDENTIAL));
		const context = partial<GatewayContext>({
			getCredentials,
			helpers: { httpRequestWithAuthentication },
		});
		return { context, getCredentials, helper: httpRequestWithAuthentication };
	}

	it('reads the credential once, and n8n gets it decrypted with each request', async () => {
		const { context, getCredentials, helper } = contextOf('{"a":"token-9876543210"}');
		const client = await GatewayClient.open(context, 'token-9876543210');
		expect(await client.send(READ)).toEqual({ ok: true, body: { a: '***' } });
		await client.send(WRITE);
		expect(getCredentials.mock.calls).toEqual([['accountingGatewayApi']]);
		const credentialsDecrypted = { id: '', name: '', type: 'accountingGatewayApi', data: CREDENTIAL };
		expect(helper.mock.calls).toEqual(
			['GET', 'POST'].map((method) => [
				'accountingGatewayApi',
				expect.objectContaining({ method }),
				{ credentialsDecrypted },
			]),
		);
	});

	it('takes an answer without content for an empty one', async () => {
		const client = await GatewayClient.open(contextOf().context);
		expect(await client.send(READ)).toEqual({ ok: true, body: null });
	});
});

describe('a request', () => {
	it('waits for its turn, and so does a retry', async () => {
		skipPauses();
		const leave = vi.fn();
		const enter = vi.fn(async () => await Promise.resolve(leave));
		const { client } = clientOf([{ status: 503 }]);
		await client.send(READ, 300, partial<Throttle>({ enter }));
		expect(enter.mock.calls).toEqual([[expect.any(AbortSignal)], [expect.any(AbortSignal)]]);
		expect(leave.mock.calls).toMatchObject([[{ ok: false }], [{ ok: true }]]);
	});

	it('has until its time is up, 300 seconds unless it is told otherwise', async () => {
		const { client, sent } = clientOf();
		await client.send(READ);
		await client.send(READ, 7);
		for (const [i, ms] of [300_000, 7000].entries()) {
			expect(sent[i].timeout).toBeLessThanOrEqual(ms);
			expect(sent[i].timeout).toBeGreaterThan(ms - 5000);
		}
	});

	it('whose file can’t be opened is not sent', async () => {
		const getBinaryStream = vi.fn().mockRejectedValue(new Error('gone'));
		const http = vi.fn();
		const context = partial<GatewayContext>({ helpers: { getBinaryStream } });
		const file = new FileContent({ id: 'a', mimeType: 'x', data: '' }, 3, '');
		const client = new GatewayClient(CREDENTIAL, http, '', context);
		const result = await client.send({ ...WRITE, body: { file } });
		expect(result).toMatchObject({ ok: false, failure: { outcome: 'notSent' } });
		expect(http).not.toHaveBeenCalled();
	});

	it('leaves nothing on the signal of the execution, which lives longer', async () => {
		const { signal } = new AbortController();
		const http = async () => await Promise.resolve({ status: 200, headers: {}, text: '' });
		const context = partial<GatewayContext>({ helpers: {}, getExecutionCancelSignal: () => signal });
		await new GatewayClient(CREDENTIAL, http, '', context).send(READ);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});
