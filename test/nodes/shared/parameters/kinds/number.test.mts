import { describe, expect, it } from 'vitest';

import { amount, INVALID, number } from '../../../../../nodes/shared/parameters/index.js';
import { readParameter } from '../../../../support/fakes.mjs';

const name = { displayName: 'Field' };

describe('A number with bounds', () => {
	const concurrency = number({ ...name, default: 16, min: 1, max: 32, integer: true });

	it.each([
		[1, 1],
		[32, 32],
		[' 8 ', 8],
	])('takes %o', async (given, value) => {
		expect(await readParameter(concurrency, given)).toMatchObject({ value, rules: [] });
	});

	it.each<[unknown, string]>([
		[0, 'must be at least 1'],
		[33, 'must be at most 32'],
		[1.5, 'must be a whole number'],
		['viele', 'must be a number like 12.50 or 12,50'],
	])('refuses %o', async (given, rule) => {
		expect(await readParameter(concurrency, given)).toMatchObject({
			value: INVALID,
			issues: [{ field: 'field', title: 'Field', value: String(given), rule }],
		});
	});

	it('has them in the form, too', () => {
		const property = (bounds: object) => number({ ...name, default: 5, ...bounds }).property;
		expect(property({ min: 0 }).typeOptions).toStrictEqual({ minValue: 0 });
		expect(property({ max: 0 }).typeOptions).toStrictEqual({ maxValue: 0 });
	});
});

describe('An amount in the form', () => {
	const betrag = amount({ ...name, currency: 'waehrung', min: 0 });

	it.each([
		['-5', undefined, -5],
		['-5', '', -5],
		['5', 'AUSGABE', 5],
		['-5', 'AUSGABE', INVALID],
		['-5', ' EINNAHME', INVALID],
	])('given as %o has no sign where another parameter, here %o, says it', async (given, bewegung, value) => {
		const signed = amount({
			...name,
			currency: 'waehrung',
			movement: 'bewegung',
			negative: { en: 'is negative', de: 'ist negativ' },
		});
		const read = await readParameter(signed, given, { parameters: { waehrung: 'EUR', bewegung } });
		expect(read).toMatchObject({ value, rules: value === INVALID ? ['is negative'] : [] });
	});

	it.each([
		['12,50', 'EUR', 12.5],
		['1,2345', ' CLF ', 1.2345],
		[0, 'EUR', 0],
		// The currency breaks a rule of its own: no second message because of it.
		['1,2345', 7, 1.2345],
		['1,2345', undefined, 1.2345],
	])('takes %o in %o', async (given, waehrung, value) => {
		expect(await readParameter(betrag, given, { parameters: { waehrung } })).toMatchObject({
			value,
			rules: [],
		});
	});

	it.each([
		['1,2345', 'EUR', expect.stringMatching(/^has 4 decimals, but EUR has 2: round it/)],
		['-1', 'EUR', 'must not be negative'],
		['1.234', 'EUR', expect.stringMatching(/^is ambiguous: thousands or a fraction\?/)],
		['1,234', 'KWD', expect.stringMatching(/^is ambiguous: thousands or a fraction\?/)],
	])('refuses %o in %s', async (given, waehrung, rule) => {
		expect(await readParameter(betrag, given, { parameters: { waehrung } })).toMatchObject({
			value: INVALID,
			issues: [{ value: given, rule }],
		});
	});

	it.each([7, new Error('no such node')])('is in no other currency where that is %o', async (waehrung) => {
		const parameters = { waehrung };
		expect((await readParameter(betrag, '12,50 €', { parameters })).rules).toEqual([
			'is in EUR, but the currency is not given',
		]);
	});

	it('of 0 is taken with a warning', async () => {
		const betrag = amount({ ...name, currency: 'waehrung' });
		expect(await readParameter(betrag, '0,00')).toMatchObject({
			value: 0,
			notes: ['Field (field) is 0, and is booked as 0'],
		});
		expect((await readParameter(betrag, '0,01')).notes).toEqual([]);
	});
});
