import { describe, expect, it } from 'vitest';

import { INVALID, Remarks } from '../../../../nodes/shared/parameters/place.js';

const WRONG = { en: 'is wrong', de: 'ist falsch' };

describe('An issue with a value', () => {
	const issueOf = (given?: unknown, title = 'Field') => {
		const remarks = new Remarks();
		expect(remarks.addIssue('field', title, WRONG, given)).toBe(INVALID);
		return remarks.issues[0];
	};

	it.each<[string, unknown, string]>([
		['nothing unless it is given', undefined, ''],
		['a text as it is', 'K 1', 'K 1'],
		['anything else as JSON', { a: [1] }, '{"a":[1]}'],
		['what JSON does not have', Symbol('x'), 'Symbol(x)'],
		['no more than 60 characters', 'x'.repeat(61), `${'x'.repeat(60)}…`],
		['no IBAN', 'DE02120300000000202051', 'DE…2051'],
		[
			'no IBAN at the end of what is shown',
			`${'x '.repeat(25)}DE02120300000000202051`,
			`${'x '.repeat(25)}DE…2051`,
		],
		[
			'no part of an IBAN, of however many',
			Array.from({ length: 6 }, () => 'DE02 1203 0000 0000 2020 51').join(),
			Array.from({ length: 6 }, () => 'DE…2051').join(),
		],
	])('shows %s', (_what, given, value) => {
		expect(issueOf(given)).toEqual({ field: 'field', title: 'Field', value, rule: WRONG });
	});

	it.each([
		['Transaction No. (Belegnummer)', 'Transaction No.'],
		['Account (BU-Schlüssel) No.', 'Account (BU-Schlüssel) No.'],
		['Tariff Settings (JSON)', 'Tariff Settings (JSON)'],
		['Tax Rate (%)', 'Tax Rate (%)'],
	])('names the field "%s" as %s', (title, shown) => {
		expect(issueOf('', title).title).toBe(shown);
	});
});
