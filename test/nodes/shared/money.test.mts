import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseNumber, sum } from '../../../nodes/shared/money.js';

describe('parseNumber', () => {
	it.each([
		[0, 0],
		[12.5, 12.5],
		[0.1 + 0.2, 0.3],
		[12.34 * 3, 37.02],
		[100_000_000.1 + 0.2, 100_000_000.3],
		[1.005, 1.005],
		[-0, 0],
		[-12.5, -12.5],
		['12.50', 12.5],
		['12,50', 12.5],
		['1.234,50', 1234.5],
		['1.234.567,89', 1234567.89],
		['1,234.50', 1234.5],
		['-1.234,50', -1234.5],
		['+7', 7],
		[' 12,50 ', 12.5],
		['0,125', 0.125],
		['0.125', 0.125],
		['1234,567', 1234.567],
		['12345', 12345],
		['0012,50', 12.5],
		['-0', 0],
	])('reads %o as %d', (given, value) => {
		expect(parseNumber(given)).toEqual({ value });
		expect(Object.is((parseNumber(given) as { value: number }).value, -0)).toBe(false);
	});

	it.each([
		['', 'empty'],
		['   ', 'empty'],
		['1.234', 'ambiguous'],
		['1,234', 'ambiguous'],
		['-12.345', 'ambiguous'],
		['12,50 €', 'must be a number'],
		['EUR 12', 'must be a number'],
		['1e3', 'must be a number'],
		['0x10', 'must be a number'],
		['12,5,0', 'must be a number'],
		['1.23,45', 'must be a number'],
		['12..5', 'must be a number'],
		['NaN', 'must be a number'],
		['Infinity', 'must be a number'],
		['--5', 'must be a number'],
		['5-', 'must be a number'],
		['1234567890123456', 'at most 15 digits'],
		[Number.NaN, 'must be a number'],
		[Number.POSITIVE_INFINITY, 'must be a number'],
		[1e15, 'at most 15 digits'],
		// Neither noise nor all of the digits: to round them would be a guess.
		[12345678901234.56, 'round it'],
		[1 / 3, 'round it'],
		[true, 'must be a number'],
		[null, 'must be a number'],
		[undefined, 'must be a number'],
		[[12], 'must be a number'],
		[{}, 'must be a number'],
		[10n, 'must be a number'],
		[new Date(0), 'must be a number'],
	])('refuses %o: %s', (given, rule) => {
		expect(parseNumber(given)).toEqual({ rule: expect.stringContaining(rule) });
	});

	it('reads every amount in cents in German, English and plain notation alike', () => {
		fc.assert(
			fc.property(fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }), (cents) => {
				const value = cents / 100;
				for (const notation of [
					value.toLocaleString('de-DE', { minimumFractionDigits: 2 }),
					value.toLocaleString('en-US', { minimumFractionDigits: 2 }),
					value.toFixed(2),
				]) {
					expect(parseNumber(notation)).toEqual({ value: value + 0 });
				}
				expect(parseNumber(value)).toEqual({ value: value + 0 });
			}),
		);
	});

	it('never guesses: what it reads is what the text says, or it is refused', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[-+]?[\d.,]{1,12}$/), (text) => {
				const parsed = parseNumber(text);
				if ('rule' in parsed) return;
				// The digits are kept in their order: nothing is rounded, dropped or shifted.
				const digits = (t: string) => t.replace(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '');
				expect(digits(String(parsed.value))).toBe(digits(text));
			}),
		);
	});
});

describe('sum', () => {
	it.each([
		[[0.1, 0.2], 0.3],
		[[1.005, 1.005], 2.01],
		[[0.7, 0.1], 0.8],
		[[100.1, -100.1], 0],
		[[], 0],
		[[-59.5, -40.5], -100],
		[[1e-7, 2e-7], 3e-7],
		[[123456789012.34, 0.01], 123456789012.35],
	])('of %o is %d', (amounts, total) => {
		expect(sum(amounts)).toBe(total);
	});

	it('is exact for any number of cents', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: -10_000_000, max: 10_000_000 }), { maxLength: 50 }), (cents) => {
				expect(sum(cents.map((c) => c / 100))).toBe(cents.reduce((a, b) => a + b, 0) / 100);
			}),
		);
	});
});
