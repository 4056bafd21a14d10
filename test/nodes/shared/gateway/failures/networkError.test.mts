import { describe, expect, it } from 'vitest';

import {
	errorCode,
	isBeforeSending,
	networkError as failureOf,
} from '../../../../../nodes/shared/gateway/failures/networkError.js';
import { english } from '../../../../support/english.mjs';

const networkError = (...args: Parameters<typeof failureOf>) => english(failureOf(...args));

describe('errorCode', () => {
	it('treats a lost route as one that never existed only while connecting', () => {
		const wrapped = (syscall?: string) => ({
			cause: { code: 'EHOSTUNREACH', cause: { code: 'EHOSTUNREACH', syscall } },
		});
		expect(errorCode(wrapped('connect'))).toBe('EHOSTUNREACH');
		// Of several addresses, none of which can be reached.
		expect(errorCode(wrapped())).toBe('EHOSTUNREACH');
		expect(errorCode(wrapped('read'))).toBe('');
	});

	it('reads the errors of older versions of n8n, which have the code in place of the HTTP status', () => {
		const error = (httpCode: string, said: string) => ({ httpCode, messages: [said] });
		expect(errorCode(error('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'))).toBe('ECONNREFUSED');
		expect(errorCode(error('EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443'))).toBe('EHOSTUNREACH');
		expect(errorCode(error('EHOSTUNREACH', 'read EHOSTUNREACH'))).toBe('');
	});

	it.each<[string, unknown, string]>([
		['of the error itself', { code: 'ECONNRESET' }, 'ECONNRESET'],
		['of what caused it', { code: 7, cause: { message: 'x', cause: { code: 'ENOTFOUND' } } }, 'ENOTFOUND'],
		['of a route that got lost on the way', { code: 'ENETDOWN', syscall: 'write' }, ''],
		['that only begins like that of a lost route', { code: 'EHOSTDOWNX', syscall: 'read' }, 'EHOSTDOWNX'],
		['that only ends like that of a lost route', { code: 'XENETDOWN', syscall: 'read' }, 'XENETDOWN'],
		["of n8n's protection of its own network", { message: 'Request to restricted IP blocked' }, 'SSRF'],
		['of the same in other words', { cause: { message: 'ssrf protection' } }, 'SSRF'],
		['of nothing', undefined, ''],
		['of a message that is no text', { message: 7 }, ''],
		['of an error that says nothing', new Error('socket hang up'), ''],
	])('is found: that %s', (_which, error, code) => {
		expect(errorCode(error)).toBe(code);
	});

	it('is looked for five levels deep, so that an error that causes itself ends too', () => {
		const error = (depth: number): object => (depth === 0 ? { code: 'EPIPE' } : { cause: error(depth - 1) });
		expect(errorCode(error(4))).toBe('EPIPE');
		expect(errorCode(error(5))).toBe('');
		const endless: { cause?: object } = {};
		endless.cause = endless;
		expect(errorCode(endless)).toBe('');
	});
});

it.each<[unknown, boolean]>([
	[{ request: { socket: null } }, true],
	[{ cause: { request: { socket: { secureConnecting: true, _bytesDispatched: 523 } } } }, true],
	[{ cause: { request: { socket: { _bytesDispatched: 0 } } } }, true],
	[{ request: { socket: { secureConnecting: false, _bytesDispatched: 1 } } }, false],
	[{ request: { socket: {} } }, false],
	[{ request: {} }, false],
	[{}, false],
	[undefined, false],
])('a socket shows whether anything was sent: %j', (error, isBefore) => {
	expect(isBeforeSending(error)).toBe(isBefore);
});

describe('networkError', () => {
	it.each([
		['ENOTFOUND', 'notSent', true, "address can't be found", 'typos'],
		['EAI_AGAIN', 'notSent', true, "address can't be found", 'typos'],
		['FILE_UNREADABLE', 'notSent', false, 'can no longer be read, or changed', 'node that provides the file'],
		['ECONNREFUSED', 'notSent', true, 'no connection came about', 'firewall'],
		['ENETUNREACH', 'notSent', true, 'no connection came about', 'firewall'],
		['CERT_HAS_EXPIRED', 'notSent', false, "isn't valid now", 'a new certificate'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'notSent', false, 'another host name', 'host name in the base URL'],
		['HOSTNAME_MISMATCH', 'notSent', false, 'another host name', 'host name in the base URL'],
		['EPROTO', 'unknown', false, '(TLS) to the gateway failed', 'including its port'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'unknown', false, '(TLS) to the gateway failed', 'including its port'],
		['ERR_INVALID_CHAR', 'notSent', false, "API key can't be sent", 'Enter the key'],
		['DEADLINE_EXCEEDED', 'unknown', true, "didn't answer in time", ''],
		['ETIMEDOUT', 'unknown', true, "didn't answer in time", ''],
		['UND_ERR_HEADERS_TIMEOUT', 'unknown', true, "didn't answer in time", ''],
		['ERR_CANCELED', 'unknown', false, 'canceled while a request was in flight', ''],
		['SSRF', 'notSent', false, "doesn't allow requests", 'N8N_SSRF_ALLOWED_HOSTNAMES'],
		['ERR_INVALID_URL', 'notSent', false, "doesn't allow requests", 'N8N_SSRF_ALLOWED_HOSTNAMES'],
		['ECONNRESET', 'unknown', true, 'broke before an answer came', ''],
		['', 'unknown', true, 'broke before an answer came', ''],
	])('of a write with %s: %s, worth another try: %o', (code, outcome, transient, message, advice) => {
		const failure = networkError(code, true, 'handedOver');
		expect(failure).toMatchObject({ outcome, transient, message: expect.stringContaining(message) });
		const check = 'Whether it was carried out is unknown: look it up before';
		if (outcome === 'unknown') expect(failure.description).toContain(check);
		expect(failure.description).toContain(advice);
		expect(failure.description).not.toMatch(/try again/i);
	});

	it.each<[string, 'connecting' | 'sending', string]>([
		['EPROTO', 'connecting', '(TLS) to the gateway failed'],
		['ECONNRESET', 'connecting', 'no connection came about'],
		['ETIMEDOUT', 'connecting', 'no connection came about'],
		['DEADLINE_EXCEEDED', 'connecting', 'no connection came about'],
		['ERR_CANCELED', 'connecting', 'canceled before this request was sent'],
		['ECONNRESET', 'sending', "wasn't sent completely"],
		['DEADLINE_EXCEEDED', 'sending', "wasn't sent completely"],
		['ERR_CANCELED', 'sending', 'canceled before this request was sent'],
	])('of a write with %s while %s: it was not sent', (code, progress, message) => {
		const failure = networkError(code, true, progress);
		expect(failure).toMatchObject({ outcome: 'notSent', message: expect.stringContaining(message) });
		expect(failure.description).not.toContain('unknown');
	});

	it.each([
		['EPROTO', 'secure connections (https)'],
		['ETIMEDOUT', 'option "Timeout"'],
		['ECONNRESET', 'Try again later.'],
		['ERR_CANCELED', ''],
	])('of a read with %s: it failed, and the advice is about the connection', (code, advice) => {
		const failure = networkError(code, false, 'handedOver');
		expect(failure.outcome).toBe('failed');
		expect(failure.description).toContain(advice);
		expect(failure.description).not.toContain('carried out');
	});

	it.each([
		'SELF_SIGNED_CERT_IN_CHAIN',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'CERT_UNTRUSTED',
		'CERT_REVOKED',
		'INVALID_CA',
	])("that isn't trusted (%s) is explained by its missing authority", (code) => {
		expect(networkError(code, true, 'handedOver').description).toContain('NODE_EXTRA_CA_CERTS');
	});
});
