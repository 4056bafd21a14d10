import { trim } from 'lodash';

/** The number of decimal digits that a double always holds exactly. */
const ALWAYS_EXACT = 15;
/** Characters of the shortest number that may change: `1e9`. */
const SHORTEST = 3;
const NUMBER = /-?\d[\d.eE+-]*/g;

/**
 * Matches a number that may have more digits, or an exponent. It also matches inside texts, as in "see 1e5", but hardly
 * ever in a usual answer, which then needn't be split into texts and numbers. Linear: no two alternatives begin at the
 * same place.
 */
const MAY_CHANGE = /(?:^|[\s:,[])-?(?:\d[\d.]{14,}|\d[\d.]*[eE])/;
/**
 * Turns numbers that JavaScript would change into texts: a double holds about 16 digits, so `12345678901234567890`
 * would become 12345678901234567000, and `1e400` infinity. A wrong ID would be sent or shown. A different notation
 * (`1.50`, `1e2`) stays a number.
 * @param json valid JSON
 */
export function quoteInexactNumbers(json: string): string {
	if (!MAY_CHANGE.test(json)) return json;
	const changed: string[] = [];
	let copied = 0;
	for (let at = 0; at < json.length; ) {
		const quote = json.indexOf('"', at);
		const end = quote === -1 ? json.length : quote;
		// Between two texts there is mostly just a comma.
		if (end - at >= SHORTEST) {
			const part = json.slice(at, end);
			const exact = part.replace(NUMBER, (number) => (isExact(number) ? number : `"${number}"`));
			if (exact !== part) {
				changed.push(json.slice(copied, at), exact);
				copied = end;
			}
		}
		at = endOfText(json, end + 1);
	}
	return changed.join('') + json.slice(copied);
}

/** The index after a text's closing quotation mark, the first one that no backslash escapes. */
function endOfText(json: string, start: number): number {
	for (let quote = json.indexOf('"', start); quote !== -1; quote = json.indexOf('"', quote + 1)) {
		let first = quote;
		while (json[first - 1] === '\\') first--;
		if ((quote - first) % 2 === 0) return quote + 1;
	}
	return json.length;
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
