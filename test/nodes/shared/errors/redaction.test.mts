import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { maskSensitive, redactSecret, redactSecretIn } from '../../../../nodes/shared/errors/redaction.js';

describe('maskSensitive', () => {
	it.each([
		['de02 1203 0000 0000 2020 51', 'DE…2051'],
		['192.0.2.10', '[IP address]'],
		['(2001:db8:0:0:0:0:0:1)', '([IP address])'],
		['2001:db8::1, fe80::1ff:fe23:4567:890a', '[IP address], [IP address]'],
	])('hides %s', (text, masked) => {
		expect(maskSensitive(text)).toBe(masked);
	});

	it.each([
		'belegnummer K-2026/0042 at 10:15:00',
		'2026-03-02T10:15:00+01:00',
		'31.03.2026',
		'5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11',
		'must be a number like 12.50 or 1.234,50',
		'Es gibt kein Konto acc-giro.',
	])('leaves %s', (text) => {
		expect(maskSensitive(text)).toBe(text);
	});
});

it('A secret is removed from a text of JSON', () => {
	const secret = 'key/with"all <of> it&';
	expect(redactSecret(JSON.stringify(`my ${secret}!`), secret)).toBe('"my ***!"');
});

it('A secret that is short enough to occur by chance is left alone', () => {
	expect(redactSecret('a key', 'key')).toBe('a key');
});

// How a secret may be written, in texts and in the names of fields: resilience/secrets.test.mts.
describe('redactSecretIn', () => {
	const secret = 'sk-0123456789';
	const redact = (json: string, hidden = secret) => redactSecretIn(JSON.parse(json), hidden, json);

	it.each<[string, string, unknown]>([
		['a list', `[1,["${secret}"]]`, [1, ['***']]],
		['the name of a field', `{"${secret}":1,"b":2}`, { '***': 1, b: 2 }],
		['the whole answer', `"${secret}"`, '***'],
	])('removes a secret from %s', (_where, json, clean) => {
		expect(redact(json)).toEqual(clean);
	});

	it('looks at everything, also beside an empty field', () => {
		expect(redact(`{"a":{"b":"${secret}"},"c":null}`)).toEqual({ a: { b: '***' }, c: null });
	});

	it('leaves fields in their order, and open to change', () => {
		const clean = redact(`{"a":"${secret}","b":1}`) as { a?: string };
		expect(JSON.stringify(clean)).toBe('{"a":"***","b":1}');
		clean.a = 'other';
		delete clean.a;
		expect(clean).toEqual({ b: 1 });
	});

	it('removes a secret of digits from a number', () => {
		expect(redact('{"a":12345678,"b":[1.12345678]}', '12345678')).toEqual({ a: '***', b: ['1.***'] });
	});

	it('removes a secret from a field whose name is special in JavaScript', () => {
		const clean = redact(`{"__proto__":"${secret}"}`);
		expect(JSON.stringify(clean)).toBe('{"__proto__":"***"}');
	});

	it('leaves everything else as it is', () => {
		fc.assert(
			fc.property(fc.json(), (json) => {
				expect(redactSecretIn(JSON.parse(json), secret, `${json}\\`)).toEqual(JSON.parse(json));
			}),
		);
	});
});
