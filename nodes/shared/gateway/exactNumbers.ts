import { trim } from 'lodash';

/** The number of decimal digits that a double always holds exactly. */
const ALWAYS_EXACT = 15;
const NUMBER = /-?\d[\d.eE+-]*/g;

/**
 * Matches a number that may have more digits, or an exponent. It also matches inside texts, as in "see 1e5", but hardly
 * ever in a usual answer, which then needn't be split into texts and numbers. Linear: no two alternatives begin at the
 * same place.
 */
const MAY_CHANGE = /(?:^|[\s:,[])-?(?:\d[\d.]{14,}|\d[\d.]*[eE])/;
/** The end of a text whose quotation mark doesn't end it. */
const ESCAPES = /(?:^|[^\\])\\(?:\\\\)*$/;

/**
 * Turns numbers that JavaScript would change into texts: a double holds about 16 digits, so `12345678901234567890`
 * would become 12345678901234567000, and `1e400` infinity. A wrong ID would be sent or shown. A different notation
 * (`1.50`, `1e2`) stays a number.
 * @param json valid JSON
 */
export function quoteInexactNumbers(json: string): string {
	if (!MAY_CHANGE.test(json)) return json;
	let isText = false;
	return json
		.split('"')
		.map((part) => {
			if (isText) {
				isText = ESCAPES.test(part);
				return part;
			}
			isText = true;
			return part.replace(NUMBER, (number) => (isExact(number) ? number : `"${number}"`));
		})
		.join('"');
}

/** Whether a number survives reading and writing as a double. */
function isExact(number: string): boolean {
	if (number.length <= ALWAYS_EXACT && !/e/i.test(number)) return true;
	const double = Number(number);
	// Numbers of the same digits but another power of ten are never read as the same double.
	return Number.isFinite(double) && digitsOf(number) === digitsOf(String(double));
}

/** A number's digits with neither leading nor trailing zeros, and without its power of ten. The sign is never lost. */
const digitsOf = (number: string) => trim(number.split(/e/i, 1)[0].replace(/[.-]/g, ''), '0');
