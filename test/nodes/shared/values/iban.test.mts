import { faker } from '@faker-js/faker';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { maskIbans } from '../../../../nodes/shared/values/iban.js';

/** The countries whose IBANs faker makes up, but for Iran, which isn't in the registry. */
const COUNTRIES =
	'AD AE AL AT AZ BA BE BG BH BR CH CR CY CZ DE DK DO EE ES FI FO FR GB GE GI GL GR GT HR HU IE IL IS IT JO KW KZ LB LI LT LU LV MC MD ME MK MR MT MU NL NO PK PL PS PT QA RO RS SA SE SI SK SM TL TN TR VG XK'.split(
		' ',
	);

function ibanOf(countryCode: string, seed: number): string {
	faker.seed(seed);
	return faker.finance.iban({ countryCode });
}

const anyIban = fc
	.tuple(fc.constantFrom(...COUNTRIES), fc.nat())
	.map(([country, seed]) => ibanOf(country, seed));

const SEPARATORS = '| |\u00a0|\u202f|\u2009|-|\u2011|\u2013|.|_|/|%20|  | - |\n|\u200b'.split('|');

/** An IBAN as it may be written, and the account number in it. */
const written = fc
	.tuple(
		anyIban,
		fc.constantFrom(...SEPARATORS),
		fc.array(fc.boolean(), { minLength: 34, maxLength: 34 }),
		fc.boolean(),
	)
	.map(([iban, separator, splits, isSmall]) => {
		const grouped = [...iban]
			.map((character, i) => (splits[i] && i > 0 ? separator + character : character))
			.join('');
		return { iban, text: isSmall ? grouped.toLowerCase() : grouped };
	});

describe('An IBAN', () => {
	it.each([
		['DE02 1203 0000 0000 2020 51', 'DE…2051'],
		['DE 02 12030000 0000202051', 'DE…2051'],
		['iban=DE02%201203%200000%200000%202020%2051&x=1', 'iban=DE…2051&x=1'],
		['IBAN:DE02120300000000202051BIC:BYLADEM1001', 'IBAN:DE…2051BIC:BYLADEM1001'],
		['{"iban":"DE02120300000000202051"}', '{"iban":"DE…2051"}'],
		['DE02120300000000202051DE02120300000000202051', 'DE…2051DE…2051'],
		['DE02120300000000202051MA64011519000001205000534921', 'DE…2051MA…4921'],
		['from AT611904300234573201, to NO9386011117947', 'from AT…3201, to NO…7947'],
		[
			'from 5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11 to DE02120300000000202051',
			'from 5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11 to DE…2051',
		],
	])('is hidden in %j', (text, masked) => {
		expect(maskIbans(text)).toBe(masked);
	});

	it.each([
		['a Belgian one in a Moroccan one', 'MA54 BE68 5390 0754 7034 0000 0000', 'MA…0000'],
		['a Belgian one that begins in a Lithuanian one', 'LT73 1000 0111 BE68 5390 0754 7034', 'LT…7034'],
	])('is hidden with all that may belong to it: %s', (_, text, masked) => {
		expect(maskIbans(`from ${text}, to DE02120300000000202051`)).toBe(`from ${masked}, to DE…2051`);
	});

	it('of any country is hidden, however it is written and wherever it stands', () => {
		const before = fc.constantFrom('', 'IBAN ', 'Konto ', '"', 'iban: ', '(', '1. ', 'an: ');
		const behind = fc.constantFrom('', ' ', '.', '"', ', BIC', ' 12,50 EUR', '\n');
		fc.assert(
			fc.property(before, written, behind, (start, { iban, text }, end) => {
				// By chance, another one can be read from within it to what follows: then both are one place.
				fc.pre(maskIbans(text.slice(1) + end) === text.slice(1) + end);
				expect(maskIbans(start + text + end)).toBe(`${start}${iban.slice(0, 2)}…${iban.slice(-4)}${end}`);
			}),
			{ numRuns: 2000 },
		);
	});

	it('of any country is hidden directly behind another word', () => {
		fc.assert(
			fc.property(anyIban, fc.constantFrom('IBAN', 'Konto', 'a'), (iban, word) => {
				expect(maskIbans(word + iban)).toBe(`${word}${iban.slice(0, 2)}…${iban.slice(-4)}`);
			}),
		);
	});

	// The registry's own examples.
	it.each([
		...'BI4210000100010000332045181 BY13NBRB3600900000002Z00AB00 DJ2100010000000154000100186'.split(' '),
		...'EG380019000500000000263180002 FK88SC123456789012 IQ98NBIQ850123456789012'.split(' '),
		...'LC55HEMM000100010012001200023015 LY83002048000020100120361 NI45BAPR00000013000003558124'.split(' '),
		...'SC18SSCB11010000000000001497USD SD2129010501234001 ST23000100010051845310146'.split(' '),
		...'SV43ACAT00000000000000123123 UA213223130000026007233566001 VA59001123000012345678'.split(' '),
	])('of a country that has it since lately is hidden: %s', (iban) => {
		expect(maskIbans(iban)).toBe(`${iban.slice(0, 2)}…${iban.slice(-4)}`);
	});
});

/** The check digits that make an IBAN of a country and an account number. */
function withCheckDigits(country: string, account: string): string {
	const digits = [...`${account}${country}00`].map((character) => parseInt(character, 36)).join('');
	return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`;
}

describe('A number in the form of an IBAN, of a country outside the registry,', () => {
	// As banks publish them; the last one of those has letters in its account number.
	it.each([
		...'MA64011519000001205000534921 DZ580002100001113000000570 IR580540105180021273113007'.split(' '),
		...'AO44123412341234123412341 CM2110003001000500000605306 SN08SN0100152000048500003035'.split(' '),
	])('is hidden: %s', (iban) => {
		const shown = `${iban.slice(0, 2)}…${iban.slice(-4)}`;
		expect(maskIbans(iban)).toBe(shown);
		const grouped = iban.replace(/.{4}(?=.)/g, '$& ');
		expect(maskIbans(`IBAN ${grouped} 2026 12 EUR`)).toBe(`IBAN ${shown} 2026 12 EUR`);
		expect(maskIbans(`iban=${grouped.toLowerCase().replaceAll(' ', '%20')}&x=1`)).toBe(`iban=${shown}&x=1`);
	});

	it('is hidden, however it is written', () => {
		const country = fc.constantFrom('MA', 'SN', 'CI', 'BF', 'CM', 'GA', 'MG', 'MZ', 'CV', 'NE', 'TG', 'KM');
		const account = fc.stringMatching(/^(?:[A-Z]{2}\d{20,22}|\d{20,24})$/);
		const separators = fc.constantFrom('', ' ', '-', '\u00a0', '.', '%20');
		fc.assert(
			fc.property(country, account, separators, (code, number, separator) => {
				const iban = withCheckDigits(code, number);
				const text = iban.replace(/.{4}(?=.)/g, `$&${separator}`);
				expect(maskIbans(`an ${text}, BIC`)).toBe(`an ${code}…${iban.slice(-4)}, BIC`);
			}),
			{ numRuns: 1000 },
		);
	});

	it('is left with any other check digits, and where it is shorter or longer than any', () => {
		const [short, long] = ['0115190000012050005', 'AB011519000001205000534921'];
		for (const text of [
			'MA65011519000001205000534921',
			...[short, long].map((one) => withCheckDigits('MA', one)),
		])
			expect(maskIbans(text)).toBe(text);
	});
});

describe('In errors, what is no IBAN stays:', () => {
	it.each([
		'belegnummer K-2026/0042 at 10:15:00',
		'2026-03-02T10:15:00+01:00',
		'RE-1007, KB20260042, RE2026000001, RE2026031500017, KB20 2603 1500 0017',
		'5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11',
		// One digit off: so the check digits are wrong.
		'DE02120300000000202052',
		'DE03120300000000202051',
		// A number that is longer, or has one within it.
		'DE021203000000002020519',
		'9DE02120300000000202051',
		'DE0212030000000020205',
		'XX02120300000000202051',
		'DE02    120300000000202051',
		'DE02, 1203 0000 0000 2020 51',
		// What follows at once looks like another one, but isn't.
		'ba290ceeab1aaa3be72baa00aaa0a000',
		// Check digits are from 02 to 98.
		'DE01500105170000000080',
		'from 00000000-ddf9-57bd-905c-4a0000000000',
		// Their ends have valid check digits.
		'from 5f0c1d9e-5a53-4c4b-be10-163000000003',
		'ende 02120300000000202051',
	])('%s', (text) => {
		expect(maskIbans(text)).toBe(text);
	});

	it.each([
		['a UUID', fc.uuid()],
		['a time', fc.date({ noInvalidDate: true }).map((date) => date.toISOString())],
		['a number of an invoice', fc.stringMatching(/^(RE|KB|AR|SE|DE|BE|ST|LI|GT)-?20\d\d-?\d{4,6}$/)],
		['a number without a country', fc.stringMatching(/^\d{4,40}$/)],
		['a fingerprint', fc.stringMatching(/^[0-9a-f]{64}$/)],
	])('%s', (_what, arbitrary) => {
		fc.assert(
			fc.property(arbitrary, (text) => {
				expect(maskIbans(`from ${text} on`)).toBe(`from ${text} on`);
			}),
			{ numRuns: 3000 },
		);
	});

	it('an IBAN with any other check digits', () => {
		fc.assert(
			fc.property(anyIban, fc.integer({ min: 1, max: 96 }), (iban, off) => {
				const check = ((Number(iban.slice(2, 4)) + off - 2) % 97) + 2;
				const other = `${iban.slice(0, 2)}${String(check).padStart(2, '0')}${iban.slice(4)}`;
				expect(maskIbans(`${other}.`)).toBe(`${other}.`);
			}),
		);
	});
});
