import { afterEach, describe, expect, it, vi } from 'vitest';

import { readResponse, retryAfter } from '../../../../nodes/shared/gateway/response.js';

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
	const read = (text: string, secret: string) =>
		readResponse({ status: 200, headers: {}, text }, { endpoint: 'GET /v2/acct/companies' }, [secret]);

	it('keeps numbers that JavaScript would change even where a secret is removed', () => {
		expect(read('{"a":12345678901234567890,"b":"\\u006bey-0123456789","c":1e400}', 'key-0123456789')).toEqual(
			{
				ok: true,
				body: { a: '12345678901234567890', b: '***', c: '1e400' },
			},
		);
	});
});
