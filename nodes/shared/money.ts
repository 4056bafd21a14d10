/** Exact decimal arithmetic on amounts. Nothing is rounded here: an amount is sent as the user gave it, or refused. */

/** A decimal number as `digits` · 10^-`scale`. */
interface Decimal {
	digits: bigint;
	scale: number;
}

/** A double holds 15 decimal digits for certain; what comes after them is noise like the last digits of 0.1 + 0.2. */
const SIGNIFICANT_DIGITS = 15;
/** More digits after rounding, and what was rounded off may have been meant. */
const DIGITS_WITHOUT_NOISE = 13;

const PLAIN = /^[+-]?\d+(\.\d+)?$/;
/** German and English notation with thousands separators or a decimal comma. */
const GERMAN = /^[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/;
const ENGLISH = /^[+-]?\d{1,3}(,\d{3})+\.\d+$/;
/** `1.234` and `1,234`: thousands or a fraction? */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

export type ParsedNumber = { value: number } | { rule: string };

/**
 * Reads a number given as number or text: `12.5`, `"12.50"`, `"12,50"`, `"1.234,50"`, `"1,234.50"`.
 * @returns the number without floating-point noise, or the rule that the value breaks
 */
export function parseNumber(given: unknown): ParsedNumber {
	if (typeof given === 'number') {
		const value = Number(given.toPrecision(SIGNIFICANT_DIGITS));
		const isExact = value === given || digitsOf(value) <= DIGITS_WITHOUT_NOISE;
		return Number.isFinite(given) && Math.abs(given) < 10 ** SIGNIFICANT_DIGITS && isExact
			? { value: value + 0 }
			: { rule: `must be a number of at most ${SIGNIFICANT_DIGITS} digits: round it` };
	}
	if (typeof given !== 'string') return { rule: 'must be a number' };
	const text = given.trim();
	if (text === '') return { rule: 'is empty; an empty text is not taken for 0' };
	if (AMBIGUOUS.test(text)) {
		return { rule: 'is ambiguous: thousands or a fraction? Write e.g. 1234.00 or 1.234,00' };
	}
	const plain = PLAIN.test(text)
		? text
		: GERMAN.test(text)
			? text.replace(/\./g, '').replace(',', '.')
			: ENGLISH.test(text)
				? text.replace(/,/g, '')
				: undefined;
	if (plain === undefined) return { rule: 'must be a number like 12.50 or 12,50' };
	if (digitsOf(plain) > SIGNIFICANT_DIGITS) {
		return { rule: `must have at most ${SIGNIFICANT_DIGITS} digits` };
	}
	// + 0 turns -0 into 0.
	return { value: Number(plain) + 0 };
}

/** How many digits a number has, without leading zeros. */
function digitsOf(number: number | string): number {
	return String(number).replace(/e.*$/, '').replace(/\D/g, '').replace(/^0+/, '').length;
}

function decimal(amount: number): Decimal {
	const [mantissa, exponent = '0'] = String(amount).split('e');
	const [whole, fraction = ''] = mantissa.split('.');
	const scale = fraction.length - Number(exponent);
	const digits = BigInt(whole + fraction);
	return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

/** The exact sum of decimal numbers: `sum([0.1, 0.2])` is `0.3`. */
export function sum(amounts: number[]): number {
	const decimals = amounts.map(decimal);
	const scale = Math.max(0, ...decimals.map((d) => d.scale));
	const total = decimals.reduce((acc, d) => acc + d.digits * 10n ** BigInt(scale - d.scale), 0n);
	return Number(`${total}e-${scale}`);
}
