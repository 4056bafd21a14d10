import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseJson, quoteInexactNumbers } from '../../../../nodes/shared/values/json.js';
import { processorTime } from '../../../support/timing.mjs';

describe('JSON', () => {
	it.each<[string, { value: unknown } | undefined]>([
		['', { value: null }],
		[' \n', { value: null }],
		['{"a":1}', { value: { a: 1 } }],
		['{"a":1', undefined],
		['<html>', undefined],
	])('%o is read as %o', (text, json) => {
		expect(parseJson(text)).toEqual(json);
	});
});

const read = (json: string) => parseJson(json)?.value;

describe('a number that JavaScript would change', () => {
	it.each([
		...['-12345678901234567890', '9007199254740993', '36028797018963968', '1234567890123.567891'],
		...['1E+309', '1e-400'],
	])('becomes text: %s', (number) => {
		expect(read(number)).toBe(number);
		expect(read(`{"a":[${number}, ${number}],"b" : ${number}}`)).toEqual({ a: [number, number], b: number });
	});

	it.each([
		['1.50', 1.5],
		['1E+2', 100],
		['100e-2', 1],
		['-0.0', -0],
		['0.0000000000000000000000', 0],
		['1.00000000000000000000000000', 1],
		['0.30000000000000004', 0.30000000000000004],
		['-19.190000000000001', -19.19],
		['10.6999999999999992894572642399', 10.7],
		['9007199254740992', 9007199254740992],
		['5e-324', 5e-324],
		['1.7976931348623157e308', Number.MAX_VALUE],
		[`1${'0'.repeat(400)}e-400`, 1],
	])('is not one that is merely written differently: %s', (number, value) => {
		expect(read(number)).toBe(value);
	});

	it('is not one with all the digits of its double, up to the hundred that JavaScript writes', () => {
		const powerOfTwo = (power: number) => `0.${String(5n ** BigInt(power)).padStart(power, '0')}`;
		expect(read(powerOfTwo(142))).toBe(2 ** -142);
		expect(read(powerOfTwo(144))).toBe(powerOfTwo(144));
	});

	it('keeps its sign when it is zero', () => {
		expect(read('-0')).toBe(-0);
	});

	it('is left alone in texts and names', () => {
		const texts =
			'"12345678901234567890":"12345678901234567890","\\"1e400":"\\\\","a":"\\\\\\"1e400"," 1e400":", 1e400"';
		expect(quoteInexactNumbers(`{${texts},"b":1e400}`)).toBe(`{${texts},"b":"1e400"}`);
	});

	it.each(['\\', '\\\\', '"', '\\"', '"\\'])('becomes text behind the text %s', (text) => {
		expect(read(`[${JSON.stringify(text)},1e400,"x"]`)).toEqual([text, '1e400', 'x']);
	});

	it('is left alone in a text without an end', () => {
		expect(quoteInexactNumbers('["1e400')).toBe('["1e400');
	});

	it('is found in an answer of tens of megabytes, whatever its texts hold', () => {
		const texts = ['"\\', '\\', '"', 'x'].map((text) => JSON.stringify(text.repeat(5_000_000)));
		const taken = processorTime(() =>
			expect(quoteInexactNumbers(`[${texts.join()},1e400]`)).toBe(`[${texts.join()},"1e400"]`),
		);
		expect(taken).toBeLessThan(10_000);
	});

	it('does not turn invalid JSON into valid JSON', () => {
		const keys = ['{12345678901234567890:1}', '{"a":1e400'];
		const numbers = ['[01234567890123456789]', '[12345678901234567890.]', '[+1e400]', '1e400 1e400'];
		for (const json of [...keys, ...numbers]) {
			expect(parseJson(json)).toBeUndefined();
		}
	});

	it('is never changed, and everything else is read as by JSON.parse', () => {
		const number = fc
			.tuple(
				fc.constantFrom('', '-'),
				fc.bigInt({ min: 0n, max: 10n ** 25n }),
				fc.option(fc.stringMatching(/^\d{1,25}$/)),
				fc.option(fc.integer({ min: -330, max: 330 })),
			)
			.map(([sign, whole, fraction, power]) =>
				[sign, whole, fraction === null ? '' : `.${fraction}`, power === null ? '' : `e${power}`].join(''),
			);
		fc.assert(
			fc.property(number, (given) => {
				const value = read(given);
				if (typeof value === 'string') expect(value).toBe(given);
				else expect(sameNumber(given, String(value))).toBe(true);
				// A number stays one wherever it can.
				expect(typeof value === 'string').toBe(!sameNumber(given, String(Number(given))));
			}),
		);
		fc.assert(
			fc.property(fc.json({ noUnicodeString: false }), (json) => {
				expect(read(json)).toEqual(JSON.parse(json));
			}),
		);
	});
});

/** Compares decimal numbers exactly, as whole numbers of the same power of ten. */
function sameNumber(a: string, b: string): boolean {
	if (!Number.isFinite(Number(a)) || !Number.isFinite(Number(b))) return false;
	const [whole, other] = [a, b].map((text) => {
		const [mantissa, power = '0'] = text.split('e');
		const [before, after = ''] = mantissa.split('.');
		return BigInt(before + after + '0'.repeat(800 + Number(power) - after.length));
	});
	return whole === other;
}
