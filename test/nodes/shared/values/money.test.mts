import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CURRENCIES, decimalsOf } from '../../../../nodes/shared/values/currencies.js';
import { parseAmount, parseNumber, parseRate, sum } from '../../../../nodes/shared/values/money.js';
import { processorTime } from '../../../support/timing.mjs';
import { ruleThat } from '../../../support/fakes.mjs';

const NO_BREAK = '\u00a0';
const NARROW = '\u202f';
const THIN = '\u2009';
const MINUS = '\u2212';

/** A text as long as an e-mail of a megabyte, made of one part again and again. */
const long = (part: string, length: number) => part.repeat(Math.ceil(length / part.length));

/**
 * Shows that a parser's time grows with the text and not with its square: at the quadratic rate, the second text would
 * take 2500 times as long as the first, and the first alone more than its second.
 */
function expectLinear(parse: (text: string) => unknown, text: (length: number) => string) {
	for (const length of [20_000, 1_000_000]) {
		const took = processorTime(() => expect(parse(text(length))).toHaveProperty('rule'));
		expect(took).toBeLessThan(1000);
	}
}

const HOSTILE: Array<[string, (length: number) => string]> = [
	['digits', (n) => `${long('1', n)}x`],
	['zeros', (n) => `${long('0', n)}x`],
	['groups', (n) => `1${long('.234', n)}x`],
	['groups by space', (n) => `1${long(' 234', n)}x`],
	['a number of many groups', (n) => `1${long("'234", n)}`],
	['commas', (n) => long(',', n)],
	['minus signs', (n) => `${long('-', n)}1`],
	['a minus, space and no number', (n) => `-${long(' ', n)}x`],
	['space', (n) => `1${long(' ', n)}x`],
	['space after the sign', (n) => `-${long(NO_BREAK, n)}€`],
	['currencies', (n) => long('EUR', n)],
	['currency signs', (n) => `1${long('€', n)}`],
	['letters', (n) => `${long('a', n)}1`],
	['percent signs', (n) => `1${long('%', n)}`],
	['decimals', (n) => `1.${long('0', n)}1`],
];

describe('parseNumber', () => {
	it.each([
		[0.1 + 0.2, 0.3],
		[1.234, 1.234],
		[-0, 0],
		['1.234,567', 1234.567],
		['1,234.567', 1234.567],
		['1,234,567.5', 1234567.5],
		['+7', 7],
		[`${NO_BREAK}12,50${NARROW}`, 12.5],
		['12,50\n', 12.5],
		['0,125', 0.125],
		['00.125', 0.125],
		['1234,567', 1234.567],
		['0012,50', 12.5],
		['-0', 0],
		['0-', 0],
		['1’234’567,5', 1234567.5],
		[`1${THIN}234${THIN}567`, 1234567],
		[`12,50${NO_BREAK}-`, -12.5],
		[`-${NO_BREAK}12,50`, -12.5],
		['999.999.999.999.999', 999_999_999_999_999],
		['00000000000000012', 12],
		[999_999_999_999_999, 999_999_999_999_999],
		// Sums and products with noise behind 13 digits.
		[36_520_696_142.77 + 28.6, 36_520_696_171.37],
		[1.712270505004e-7 * 3, 5.136811515012e-7],
	])('reads %o as %d', (given, value) => {
		expect(parseNumber(given)).toEqual({ value });
		expect((parseNumber(given) as { value: number }).value, 'never -0').not.toBe(-0);
	});

	it.each([
		['', 'empty'],
		[NO_BREAK, 'empty'],
		['-12.345', 'ambiguous'],
		['0012,345', 'ambiguous'],
		['1’234,567', 'ambiguous'],
		[`1${NO_BREAK}234,567`, 'ambiguous'],
		// Not part of a number: an amount may have a currency, a rate a percent sign.
		['12,50 €', 'must be a number'],
		['19 %', 'must be a number'],
		['1e3', 'must be a number'],
		['0x10', 'must be a number'],
		['1_000', 'must be a number'],
		['.5', 'must be a number'],
		['5,', 'must be a number'],
		// A German price tag: twelve euros even, and no minus.
		['12,-', 'must be a number'],
		['12,–', 'must be a number'],
		['1234.567,89', 'must be a number'],
		['0.123,45', 'must be a number'],
		["1'234’567", 'must be a number'],
		['1  234', 'must be a number'],
		['1\t234', 'must be a number'],
		['Infinity', 'must be a number'],
		['5+', 'must be a number'],
		['(5)', 'must be a number'],
		['–5', 'must be a number'],
		['-', 'must be a number'],
		['31.12.2026', 'must be a number'],
		['１２', 'must be a number'],
		['5²', 'must be a number'],
		['1234567890123456', 'at most 15 digits'],
		['0.30000000000000004', 'at most 15 digits'],
		[Number.NaN, 'must be a number'],
		[1e15, 'at most 15 digits'],
		// Neither noise nor all of the digits: to round them would be a guess.
		[12345678901234.56, 'round it'],
		[1 / 3, 'round it'],
		[null, 'must be a number'],
		[[12], 'must be a number'],
		[{ rule: 'x', value: 1 }, 'must be a number'],
		[10n, 'must be a number'],
	])(
		'refuses %o: %s',
		(given, rule) => {
			expect(parseNumber(given)).toEqual(ruleThat(rule));
		},
		5000,
	);

	it('reads every amount in cents the same in every notation', () => {
		fc.assert(
			fc.property(fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }), (cents) => {
				const value = cents / 100;
				const format = (locale: string) => value.toLocaleString(locale, { minimumFractionDigits: 2 });
				const german = format('de-DE');
				const notations = [
					...['de-DE', 'en-US', 'de-CH', 'fr-FR', 'de-AT', 'pl-PL', 'sv-SE', 'it-CH'].map(format),
					german.replaceAll('.', ' '),
					german.replaceAll('.', "'"),
					value.toFixed(2),
					value < 0 ? `${german.slice(1)}-` : german,
					value < 0 ? `${german.slice(1)} ${MINUS}` : german,
				];
				for (const notation of notations)
					expect([notation, parseNumber(notation)]).toEqual([notation, { value }]);
				expect(parseNumber(value)).toEqual({ value: value + 0 });
			}),
		);
	});

	it('never guesses: what it reads is what the text says, or it is refused', () => {
		/** All clear ways to write digits with a number of decimals. */
		const notations = (digits: string, decimals: number) => {
			const whole = digits.slice(0, digits.length - decimals);
			const fraction = digits.slice(digits.length - decimals);
			const ways = new Set<string>();
			for (const group of ['', '.', ',', "'", '’', ' ']) {
				// One group alone looks like decimals, unless the decimals follow.
				const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
				if (group !== '' && (whole.startsWith('0') || whole.length < 4)) continue;
				if (decimals === 0 && ['.', ','].includes(group) && whole.length < 7) continue;
				for (const point of decimals === 0 ? [''] : ['.', ',']) {
					if (point !== '' && point === group) continue;
					if (group === '' && decimals === 3 && /^0*[1-9]\d{0,2}$/.test(whole)) continue;
					if (["'", '’', ' '].includes(group) && decimals === 3) continue;
					ways.add(grouped + point + fraction);
				}
			}
			return ways;
		};
		fc.assert(
			fc.property(fc.stringMatching(/^[-+\u2212]? ?\d([.,'’ ]?\d){0,13} ?[-\u2212]?$/), (text) => {
				const parsed = parseNumber(text);
				const digits = text.replace(/\D/g, '');
				const unsigned = text.replace(/[-+\u2212]/g, '').trim();
				const decimals = [...digits].findIndex((_, n) => notations(digits, n).has(unsigned));
				const isNegative = /[-\u2212]/.test(text);
				const isClear = decimals !== -1 && (text.match(/[-+\u2212]/g) ?? []).length <= 1;
				if (!isClear) expect(parsed).toHaveProperty('rule');
				else {
					const value = Number(`${digits}e-${decimals}`);
					expect(parsed).toEqual({ value: isNegative ? 0 - value : value });
				}
			}),
			{ numRuns: 3000 },
		);
	});
});

describe('parseAmount', () => {
	it.each<[unknown, string | undefined, number]>([
		['12.5000', 'EUR', 12.5],
		['12.00', 'JPY', 12],
		[12.34, 'HUF', 12.34],
		[12.34, 'BGN', 12.34],
		// Where the standard sets no limit, and where the currency isn't known.
		[1.2345, 'XAU', 1.2345],
		[1.2345, 'eur', 1.2345],
		[1.2345, undefined, 1.2345],
		// Noise.
		[0.30000000000000004, undefined, 0.3],
		[1.005 * 1000, 'JPY', 1005],
		[Array.from({ length: 1000 }, () => 0.1).reduce((a, b) => a + b, 0), 'EUR', 100],
		[0.1 + 0.2 - 0.3, 'EUR', 0],
		[0.3 - 0.1 - 0.2, 'EUR', 0],
		// The currency of the entry may stand with the number.
		[`1.234,50${NO_BREAK}€`, 'EUR', 1234.5],
		['€ 12,50', 'EUR', 12.5],
		[`-${NO_BREAK}  12,50 € `, 'EUR', -12.5],
		['-€12.50', 'EUR', -12.5],
		['€ -12,50', 'EUR', -12.5],
		['12,50- EUR', 'EUR', -12.5],
		['EUR 12,50-', 'EUR', -12.5],
		['EUR12,50', 'EUR', 12.5],
		['12,50EUR', 'EUR', 12.5],
		['12.50 eur', 'EUR', 12.5],
		["CHF 1'234.50", 'CHF', 1234.5],
		['XAU 1.2345', 'XAU', 1.2345],
	])('reads %o in %s as %d', (given, currency, value) => {
		expect(parseAmount(given, currency)).toEqual({ value });
		expect((parseAmount(given, currency) as { value: number }).value, 'never -0').not.toBe(-0);
	});

	it.each<[unknown, string | undefined, string]>([
		[1.234, 'EUR', 'has 3 decimals, but EUR has 2: round it, or write thousands without a separator'],
		[-1.234, 'JPY', 'but JPY has none: round it'],
		[0.004, 'EUR', 'has 3 decimals, but EUR has 2: round it'],
		[1234.567, 'EUR', 'has 3 decimals, but EUR has 2: round it'],
		[0.00001, 'JPY', 'has 5 decimals, but JPY has none: round it'],
		[1.5, 'JPY', 'has 1 decimal, but JPY has none: round it'],
		// Nobody writes thousands with four digits.
		['1,2340', 'EUR', 'has 3 decimals, but EUR has 2: round it'],
		['1234,567 €', 'EUR', 'has 3 decimals, but EUR has 2: round it'],
		// Near a cent, but not as near as noise is.
		[12.340001, 'EUR', 'has 6 decimals'],
		[12.3400002, 'EUR', 'has 7 decimals'],
		[1 / 3, 'EUR', 'round it'],
		[12345678901234.56, 'EUR', 'at most 15 digits'],
		[1e300, 'EUR', 'at most 15 digits'],
		[Number.NEGATIVE_INFINITY, 'EUR', 'must be a number'],
		['0.30000000000000004', 'EUR', 'at most 15 digits'],
		['1.234 €', 'EUR', 'ambiguous'],
		['1,234', 'KWD', 'ambiguous'],
		['', 'EUR', 'empty'],
		['€', 'EUR', 'must be a number'],
		['- €', 'EUR', 'must be a number'],
		['€ 12 €', 'EUR', 'must be a number'],
		['-€-12', 'EUR', 'must be a number'],
		['-€12-', 'EUR', 'must be a number'],
		['12,50 €-', 'EUR', 'must be a number'],
		['12 Euro', 'EUR', 'must be a number'],
		['EURO 12', 'EUR', 'must be a number'],
		['12 all', 'EUR', 'is in ALL, but the currency is EUR'],
		['12,50 €', 'CHF', 'is in EUR, but the currency is CHF'],
		['usd 12,50', 'EUR', 'is in USD, but the currency is EUR'],
		['12,50 €', undefined, 'is in EUR, but the currency is not given'],
		['$12.50', 'USD', 'must be a number'],
		['12.50 $', 'EUR', 'must be a number'],
		['12 abc', 'abc', 'must be a number'],
		['19 %', 'EUR', 'must be a number'],
		[{ rule: 'x', value: 1 }, 'EUR', 'must be a number'],
	])('refuses %o in %s: %s', (given, currency, rule) => {
		expect(parseAmount(given, currency)).toEqual(ruleThat(rule));
	});

	/** Whole minor units of a currency, as the amount that they are. */
	const amounts = fc
		.tuple(
			fc.constantFrom(...[...CURRENCIES].filter((code) => decimalsOf(code) !== undefined)),
			fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }),
		)
		.map(([currency, units]) => ({ currency, units, decimals: decimalsOf(currency)! }));

	it('accepts every whole number of minor units, as number and as text, in every currency', () => {
		fc.assert(
			fc.property(amounts, ({ currency, units, decimals }) => {
				const value = Number(`${units}e-${decimals}`) + 0;
				expect(parseAmount(value, currency)).toEqual({ value });
				// Three decimals behind up to three digits may be thousands.
				if (decimals === 3 && Math.abs(value) >= 1 && Math.abs(value) < 1000) return;
				const text = value.toFixed(decimals);
				for (const given of [text, text.replace('.', ','), `${text} ${currency}`, `${currency} ${text}`]) {
					expect(parseAmount(given, currency)).toEqual({ value });
				}
			}),
		);
	});

	it('refuses every part of a minor unit, as number and as text, in every currency', () => {
		fc.assert(
			fc.property(
				amounts,
				fc.integer({ min: 1, max: 3 }),
				fc.integer({ min: 1, max: 9 }),
				({ currency, units, decimals }, further, digit) => {
					const value = Number(`${units}${'0'.repeat(further - 1)}${digit}e-${decimals + further}`);
					expect(parseAmount(value, currency)).toHaveProperty('rule');
					expect(parseAmount(value.toFixed(decimals + further), currency)).toHaveProperty('rule');
				},
			),
		);
	});

	it('removes floating-point noise from sums', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: -100_000, max: 100_000 }), { maxLength: 500 }), (cents) => {
				const naive = cents.reduce((total, cent) => total + cent / 100, 0);
				const value = cents.reduce((total, cent) => total + cent, 0) / 100;
				expect(parseAmount(naive, 'EUR')).toEqual({ value: value + 0 });
			}),
		);
	});
});

describe('parseRate', () => {
	it.each([
		[0, 0],
		[1, 1],
		[100, 100],
		[10.7, 10.7],
		['1,05 %', 1.05],
		[1.99, 1.99],
		[0.07 * 100, 7],
		['0 %', 0],
		['19', 19],
		[`19${NO_BREAK}%`, 19],
		[' 7,0 % ', 7],
	])('reads %o as %d', (given, value) => {
		expect(parseRate(given)).toEqual({ value });
	});

	it.each([
		[0.19, 'percent cell of a spreadsheet, where 0.19 means 19 %'],
		['0.19 %', 'percent cell'],
		[0.999, 'percent cell'],
		[1e-7, 'percent cell'],
		['8,875', 'ambiguous'],
		[-0.19, 'negative'],
		['7-', 'negative'],
		[100.01, 'at most 100'],
		['', 'empty'],
		['%', 'must be a number'],
		['% 19', 'must be a number'],
		['19 %%', 'must be a number'],
		['19 % MwSt', 'must be a number'],
		['19 €', 'must be a number'],
		[null, 'must be a number'],
		[['19'], 'must be a number'],
	])('refuses %o: %s', (given, rule) => {
		expect(parseRate(given)).toEqual(ruleThat(rule));
	});
});

it.each(HOSTILE)(
	'A number, an amount or a rate takes time in proportion to the length of its text: %s',
	(_, text) => {
		for (const parse of [parseNumber, parseRate, (given: string) => parseAmount(given, 'EUR')])
			expectLinear(parse, text);
	},
);

describe('sum', () => {
	it.each([
		[[0.1, 0.2], 0.3],
		[[], 0],
		[[1e-7, 2e-7], 3e-7],
		[[1e21, 1], 1e21],
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

	it('accepts any number of amounts', () => {
		expect(sum(Array.from({ length: 200_000 }, () => 0.01))).toBe(2000);
	});
});

it.each(['12,345', '1,780', '0012,345', '1.000', "1'234.567", '-1.234'])(
	'%s may be thousands or a fraction, and how to write either is said in the language',
	(given) => {
		const parsed = parseNumber(given) as { rule: { en: string; de: string } };
		expect(parsed.rule.en).toMatch(/^is ambiguous: thousands or a fraction\?.*like 1234, .*like 1\.23$/);
		expect(parsed.rule.de).toMatch(/^ist mehrdeutig: .*etwa 1234, .*etwa 1,23$/);
	},
);

it.each([
	['1,5', 'JPY', 'hat 1 Nachkommastelle, JPY aber keine: '],
	['12,3456', 'EUR', 'hat 4 Nachkommastellen, EUR aber 2: '],
	['CHF 5', 'EUR', 'ist in CHF, die Währung ist aber EUR'],
	['CHF 5', undefined, 'ist in CHF, die Währung ist aber nicht angegeben'],
])('An amount %j in %s is refused in German: %s', (given, currency, sentence) => {
	const parsed = parseAmount(given, currency) as { rule: { de: string } };
	expect(parsed.rule.de).toContain(sentence);
});
