import { CURRENCIES, decimalsOf, isEuro } from './currencies';
import type { Rule } from './sentenceEnd';
import { both } from './bilingual';

/**
 * Numbers, amounts and rates as people and spreadsheets write them, and exact decimal arithmetic. Ambiguous values
 * are refused, and only floating-point noise is rounded.
 */

/** A decimal number as `digits` · 10^-`scale`. */
interface Decimal {
	digits: bigint;
	scale: number;
}

/** A double holds 15 decimal digits for certain; what comes after them is noise like the last digits of 0.1 + 0.2. */
const SIGNIFICANT_DIGITS = 15;
/** With more digits after rounding, the digits that were rounded off may have been meant. */
const DIGITS_WITHOUT_NOISE = 13;
/**
 * The noise of a long sum has fewer zeros or nines before it (0.1 added up 1000 times is 99.9999999999986). An amount
 * this close to a whole number of minor units, as a fraction of one, is that many units.
 */
const SUM_NOISE = 1e-5;

/** Hyphen and minus sign. */
const MINUS = ['-', '\u2212'];
/** One decimal separator at most. */
const PLAIN = /^\d+(?:[.,]\d+)?$/;
/** Groups of three, with the same separator between all of them and another one before the decimals. */
const GROUPED =
	/^[1-9]\d{0,2}(?<separator>[.,'’ \u00a0\u2009\u202f])\d{3}(?:\k<separator>\d{3})*(?:(?!\k<separator>)[.,](?<fraction>\d+))?$/;
/** `1.234` and `1,234`: thousands or a fraction? */
const AMBIGUOUS = /^0*[1-9]\d{0,2}[.,]\d{3}$/;

/** A currency's symbol or code before an amount, after its sign if that comes first: `€ 12`, `-€12`, `EUR 12`. */
const CURRENCY_BEFORE = /^(?<sign>[-+\u2212]?)\s*(?<name>\p{Sc}|[A-Za-z]{3}(?![A-Za-z]))/u;
const CURRENCY_BEHIND = /(?<name>\p{Sc}|(?<![A-Za-z])[A-Za-z]{3})$/u;

const TOO_MANY_DIGITS = both(
	`must be a number of at most ${SIGNIFICANT_DIGITS} digits: round it`,
	`darf höchstens ${SIGNIFICANT_DIGITS} Ziffern haben: Runden Sie`,
);
const EMPTY = { rule: both("is empty, which doesn't count as 0", 'ist leer, was nicht als 0 zählt') };
const NO_NUMBER = { rule: both('must be a number like 12.50 or 12,50', 'muss eine Zahl wie 12,50 sein') };

export type ParsedNumber = { value: number } | { rule: Rule };

/**
 * Reads a number given as number or text.
 *
 * - `12`, `12.50`, `12,50`, `0.125`, `1234,567`: digits with a decimal point or comma
 * - `1.234,50`, `1,234.50`, `1.234.567`, `1,234,567`: groups of three by point or comma
 * - `1'234.50`, `1’234,50`, `1 234,50`, `12 500`: groups by apostrophe or by one (no-break, thin) space
 * - `-12,50`, `- 12,50`, `12,50-`, `12.50 -`, `−12,50`, `+5`: one sign; a minus may follow, and may be U+2212
 * - `1.234`, `1,234`, `012.345`, `1'234.567`: refused, thousands or a fraction?
 * - `''`, `' '`: refused, empty is not 0
 * - `.5`, `5.`, `12,-`, `1e3`, `(5)`, `--5`, `-5-`, `5+`, `–5` (a dash), `0.123,45`, `1.23,45`, `٣`, `５`, `€ 5`, `5 %`: refused
 *
 * White space around a text is ignored. More than 15 digits are refused: JavaScript can't hold them.
 * @returns the number without floating-point noise, or the rule that the value breaks
 */
export function parseNumber(given: unknown): ParsedNumber {
	if (typeof given === 'number') return withoutNoise(given);
	if (typeof given !== 'string') return { rule: both('must be a number', 'muss eine Zahl sein') };
	const text = given.trim();
	if (text === '') return EMPTY;
	const isSignBefore = text.startsWith('+') || MINUS.includes(text[0]);
	const isMinusBehind = !isSignBefore && MINUS.includes(text[text.length - 1]);
	const unsigned = text.slice(isSignBefore ? 1 : 0, isMinusBehind ? -1 : undefined).trim();
	const isNegative = isMinusBehind || MINUS.includes(text[0]);
	const plain = plainNotation(unsigned);
	if (typeof plain !== 'string') return plain;
	if (digitCount(plain) > SIGNIFICANT_DIGITS) return { rule: TOO_MANY_DIGITS };
	// 0 - 0 is 0, where -0 would be sent as such.
	return { value: isNegative ? 0 - Number(plain) : Number(plain) };
}

const AMBIGUOUS_RULE = both(
	'is ambiguous: thousands or a fraction? Write it without a separator, like 1234, or with two decimals, like 1.23',
	'ist mehrdeutig: Tausender oder Nachkommastellen? Schreiben Sie die Zahl ohne Trennzeichen, etwa 1234, oder mit zwei Nachkommastellen, etwa 1,23',
);

/** Rewrites digits with separators in JavaScript's notation, or returns why that isn't possible. */
function plainNotation(text: string): string | { rule: Rule } {
	const { separator, fraction } = GROUPED.exec(text)?.groups ?? {};
	// `1'234.567` may be a number of millions, so its last separator is ambiguous.
	const isUnclear = fraction?.length === 3 && separator !== '.' && separator !== ',';
	if (isUnclear || AMBIGUOUS.test(text)) return { rule: AMBIGUOUS_RULE };
	if (PLAIN.test(text)) return text.replace(',', '.');
	if (separator === undefined) return NO_NUMBER;
	const end = fraction === undefined ? text.length : text.length - fraction.length - 1;
	return `${text.slice(0, end).replace(/\D/g, '')}.${fraction ?? ''}`;
}

function withoutNoise(given: number): ParsedNumber {
	const value = Number(given.toPrecision(SIGNIFICANT_DIGITS));
	const isExact = value === given || digitCount(value) <= DIGITS_WITHOUT_NOISE;
	return Number.isFinite(given) && Math.abs(given) < 10 ** SIGNIFICANT_DIGITS && isExact
		? { value }
		: { rule: TOO_MANY_DIGITS };
}

/**
 * Reads an amount of money: a number as `parseNumber` reads it, with at most as many decimals as its currency has.
 *
 * Amounts copied from a spreadsheet come as `12,50 €` or `EUR 12,50`. The currency's own code, and `€` for `EUR`, are
 * accepted before or after the number; another currency is refused, and so are symbols like `$`, which several
 * currencies share.
 *
 * A *number* with three decimals is usually a text `1.234` that an earlier step turned into a number. If it ended in
 * zero, that can't be detected: `1.200` arrives as 1.2.
 * @param currency code of ISO 4217; without one, or where it has no minor unit, any number of decimals is accepted
 * @returns the amount without floating-point noise, or the rule that the value breaks
 */
export function parseAmount(given: unknown, currency: string | undefined): ParsedNumber {
	const decimals = decimalsOf(currency);
	const parsed = typeof given === 'string' ? parseAmountText(given.trim(), currency) : parseNumber(given);
	if (decimals === undefined) return parsed;
	if ('value' in parsed && decimal(parsed.value).scale <= decimals) return parsed;
	if (typeof given === 'number' && Math.abs(given) < 10 ** SIGNIFICANT_DIGITS) {
		const rounded = Number(given.toFixed(decimals));
		const isNoise = Math.abs(given - rounded) < SUM_NOISE * 10 ** -decimals;
		if (isNoise && digitCount(rounded) <= DIGITS_WITHOUT_NOISE) return { value: rounded + 0 };
	}
	if ('rule' in parsed) return parsed;
	const { scale } = decimal(parsed.value);
	const rule = both(
		`has ${scale} decimal${scale === 1 ? '' : 's'}, but ${currency} has ${decimals || 'none'}: round it, or write thousands without a separator`,
		`hat ${scale} Nachkommastelle${scale === 1 ? '' : 'n'}, ${currency} aber ${decimals || 'keine'}: Runden Sie, oder schreiben Sie Tausender ohne Trennzeichen`,
	);
	return { rule };
}

/** Reads a number with or without the expected currency. */
function parseAmountText(text: string, currency: string | undefined): ParsedNumber {
	const before = CURRENCY_BEFORE.exec(text);
	const match = before ?? CURRENCY_BEHIND.exec(text);
	if (!match?.groups) return parseNumber(text);
	const { name, sign = '' } = match.groups;
	const code = isEuro(name) ? 'EUR' : name.toUpperCase();
	const number = before ? text.slice(before[0].length) : text.slice(0, match.index);
	if (number === '') return NO_NUMBER;
	if (code === currency) return parseNumber(sign + number);
	if (!CURRENCIES.has(code)) return NO_NUMBER;
	return {
		rule: both(
			`is in ${code}, but the currency is ${currency ?? 'not given'}`,
			`ist in ${code}, die Währung ist aber ${currency ?? 'nicht angegeben'}`,
		),
	};
}

/**
 * Reads a tax rate in percent, from 0 to 100: a number as `parseNumber` reads it, as text also with a percent sign
 * after it (`19 %`, `7,0%`).
 *
 * A rate above 0 and below 1 is refused, even with a percent sign: a percent cell of a spreadsheet that shows 19 %
 * holds 0.19, and an expression like `{{ $json.rate }} %` puts the sign behind that.
 * @returns the rate without floating-point noise, or the rule that the value breaks
 */
export function parseRate(given: unknown): ParsedNumber {
	const text = typeof given === 'string' ? given.trim() : '';
	if (text === '%') return NO_NUMBER;
	const parsed = parseNumber(text.endsWith('%') ? text.slice(0, -1) : given);
	if ('rule' in parsed) return parsed;
	const { value } = parsed;
	if (value < 0) return { rule: both('must not be negative', 'darf nicht negativ sein') };
	if (value > 100) return { rule: both('must be at most 100', 'darf höchstens 100 sein') };
	if (value === 0 || value >= 1) return parsed;
	return {
		rule: both(
			'is below 1: it may be a percent cell of a spreadsheet, where 0.19 means 19 %. Give percent, like 19',
			'ist kleiner als 1: vielleicht eine Prozentzelle, in der 0,19 für 19 % steht. Geben Sie Prozent an, etwa 19',
		),
	};
}

/** How many digits a number has, without leading zeros. */
function digitCount(number: number | string): number {
	const [mantissa] = String(number).split('e');
	return mantissa.replace(/\D/g, '').replace(/^0+/, '').length;
}

function decimal(amount: number): Decimal {
	const [mantissa, exponent = '0'] = String(amount).split('e');
	const [whole, fraction = ''] = mantissa.split('.');
	return { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
}

/** An amount as a whole number of cents, without floating-point noise. */
export const centsOf = (amount: number): number => Math.round(amount * 100);

/** The exact sum of decimal numbers: `sum([0.1, 0.2])` is `0.3`. */
export function sum(amounts: number[]): number {
	const decimals = amounts.map(decimal);
	const scale = decimals.reduce((most, d) => Math.max(most, d.scale), 0);
	const digits = decimals.reduce((acc, d) => acc + d.digits * 10n ** BigInt(scale - d.scale), 0n);
	return Number(`${digits}e-${scale}`);
}
