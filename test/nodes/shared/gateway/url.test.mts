import { describe, expect, it } from 'vitest';

import { accountingProvider, buildPath, parseBaseUrl } from '../../../../nodes/shared/gateway/url.js';
import { partial } from '../../../../host/partial.mjs';

describe('parseBaseUrl', () => {
	it.each([
		['https://gateway.example.com', 'https://gateway.example.com'],
		[' https://gateway.example.com/ ', 'https://gateway.example.com'],
		['https://gateway.example.com/v2', 'https://gateway.example.com'],
		['https://gateway.example.com/v2/', 'https://gateway.example.com'],
		['https://example.com/gateway//', 'https://example.com/gateway'],
		['gateway.example.com', 'https://gateway.example.com'],
		['localhost:4010', 'https://localhost:4010'],
		['http://127.0.0.1:4010/v2', 'http://127.0.0.1:4010'],
		['http://sandbox:4010', 'http://sandbox:4010'],
		['http://[fd00::1]', 'http://[fd00::1]'],
		['HTTPS://Gateway.Example.com', 'https://gateway.example.com'],
		['https://example.com/v2/gateway', 'https://example.com/v2/gateway'],
		['https://example.com/gateway/v2//', 'https://example.com/gateway'],
	])('reads %o as %s', (given, url) => {
		expect(parseBaseUrl({ baseUrl: given })).toEqual({ url });
	});

	it.each([
		['', 'empty'],
		[undefined, 'empty'],
		['   ', 'empty'],
		[17, 'empty'],
		['ftp://example.com', 'a web address alone'],
		['https://', 'a web address alone'],
		['https://user:s3cret@gateway example', 'a web address alone'],
		['https://user:pw@example.com', 'without user'],
		['https://user@example.com', 'without user'],
		['https://:pw@example.com', 'without user'],
		['https://example.com?x=1', 'a web address alone'],
		['example.com?next=https://x', 'a web address alone'],
		['http://gateway.example.com', 'starts with http://'],
		['http://8.8.8.8:4010', 'starts with http://'],
		['https://example.com/#a', 'a web address alone'],
	])('refuses %o: %s', (given, problem) => {
		const read = parseBaseUrl(partial({ baseUrl: given }));
		expect(read).toMatchObject({ problem: { en: expect.stringContaining(problem) } });
		expect(JSON.stringify(read)).not.toContain('s3cret');
	});
});

describe('buildPath', () => {
	it.each([
		['/v2/acct-duo/kassenbuecher', {}, 'acct', '/v2/acct-duo/kassenbuecher'],
		[
			'/v2/acct-rewe-read/geschaeftsjahre/{geschaeftsjahrId}',
			{ geschaeftsjahrId: '2026/1 ä' },
			'zahlwerk',
			'/v2/zahlwerk-rewe-read/geschaeftsjahre/2026%2F1%20%C3%A4',
		],
		['/v2/acct/companies', {}, 'zahlwerk', '/v2/zahlwerk/companies'],
		// The provider is one segment of the path, and stands only at its beginning.
		['/v2/acct/companies', {}, '../x?y$&', '/v2/..%2Fx%3Fy%24%26/companies'],
		['/v2/accounts/{a}/v2/acct/x', { a: 1 }, 'zahlwerk', '/v2/accounts/1/v2/acct/x'],
		['/v2/{first}/{second}', { first: 'a{second}', second: true }, 'acct', '/v2/a%7Bsecond%7D/true'],
		['/v2/banking/payments/{id}', { id: '../x?y#z' }, 'acct', '/v2/banking/payments/..%2Fx%3Fy%23z'],
		// Half a character, as a text that was cut off ends with.
		['/v2/banking/payments/{id}', { id: 'x\ud83d' }, 'acct', '/v2/banking/payments/x%EF%BF%BD'],
	])('%s', (template, values, provider, path) => {
		expect(buildPath(template, values as Record<string, string>, provider)).toBe(path);
	});
});

it.each([
	[undefined, 'acct'],
	['', 'acct'],
	['  ', 'acct'],
	[' zahlwerk ', 'zahlwerk'],
])('the provider %j of the credential is %j', (given, provider) => {
	expect(accountingProvider(partial({ accountingProvider: given }))).toBe(provider);
});
