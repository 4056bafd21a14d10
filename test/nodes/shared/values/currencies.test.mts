import countBy from 'lodash/countBy.js';
import { describe, expect, it } from 'vitest';

import { CURRENCIES, decimalsOf, isEuro } from '../../../../nodes/shared/values/currencies.js';
import { CURRENCIES as OF_SANDBOX } from '../../../../sandbox/delivery/currencies.mjs';

/** What Unicode's data (CLDR), which Node.js carries, says about a currency's decimals. */
const decimalsInUse = (currency: string) =>
	new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;

/** Withdrawn since 2021, the newest on 1 January 2026. */
const WITHDRAWN = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL'];

describe('CURRENCIES', () => {
	it('are those that the sandbox takes, which has a list of its own', () => {
		expect([...CURRENCIES].sort()).toEqual([...OF_SANDBOX].sort());
	});

	it('has as many codes for each number of decimals as List One of 17 September 2026', () => {
		const current = [...CURRENCIES].filter((code) => !WITHDRAWN.includes(code));
		expect(countBy(current, decimalsOf)).toEqual({ 0: 17, 2: 139, 3: 7, 4: 2, undefined: 13 });
		expect(CURRENCIES.size).toBe(178 + WITHDRAWN.length);
	});
});

describe('isEuro', () => {
	it.each(['€', 'EUR', 'eur', 'Euro', 'EURO'])('is so for %s', (name) => expect(isEuro(name)).toBe(true));

	it.each(['', 'Euros', 'EUR/kg', 'Neuro', 'T€', 'USD'])('isn’t so for “%s”', (name) => {
		expect(isEuro(name)).toBe(false);
	});
});

describe('decimalsOf', () => {
	it.each([
		['EUR', 2],
		['CLF', 4],
		// Here everyday use differs from the standard.
		['HUF', 2],
		['ISK', 0],
		['IQD', 3],
		['XAU', undefined],
		['BGN', 2],
		['constructor', undefined],
		[undefined, undefined],
	])('of %s is %s', (code, decimals) => {
		expect(decimalsOf(code)).toBe(decimals);
	});

	it('matches CLDR, except where CLDR leaves out decimals that are no longer in use', () => {
		const differing = [...CURRENCIES].filter((code) => {
			const decimals = decimalsOf(code);
			const inUse = decimalsInUse(code);
			return decimals !== undefined && inUse !== decimals && inUse !== 0;
		});
		expect(differing).toEqual([]);
	});

	it("is unlimited only for codes that are no country's money", () => {
		const without = [...CURRENCIES].filter((code) => decimalsOf(code) === undefined);
		expect(without.filter((code) => !code.startsWith('X'))).toEqual([]);
		expect(without.filter((code) => ['XAF', 'XCD', 'XOF', 'XPF', 'XCG', 'XAD'].includes(code))).toEqual([]);
	});
});
