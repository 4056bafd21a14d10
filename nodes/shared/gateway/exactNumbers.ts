const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_E = 0x65;
/** The bit that makes an ASCII letter lowercase. */
const LOWER_CASE = 0x20;

/** Every number of at most this many characters, without exponent, is read and written unchanged. */
const ALWAYS_EXACT = 15;

/**
 * Matches where a number may have more digits, or an exponent. Also within texts, as in "see 1e5"; but hardly ever in a
 * usual answer, which then isn't read character by character. Linear: no two alternatives begin at the same place.
 */
const MAY_CHANGE = /(?:^|[\s:,[])-?(?:\d[\d.]{14,}|\d[\d.]*[eE])/;

/**
 * Turns numbers that JavaScript would change into texts: a double holds about 16 digits, so
 * `12345678901234567890` would become 12345678901234567000, and `1e400` infinity. A different notation (`1.50`,
 * `1e2`) stays a number. One pass.
 * @param json valid JSON
 */
export function quoteInexactNumbers(json: string): string {
	if (!MAY_CHANGE.test(json)) return json;
	let quoted = '';
	let copied = 0;
	for (let at = 0; at < json.length; ) {
		const code = json.charCodeAt(at);
		if (code === QUOTE) {
			at = endOfString(json, at);
		} else if (code === MINUS || isDigit(code)) {
			const end = endOfNumber(json, at);
			if (!isExact(json, at, end)) {
				quoted += `${json.slice(copied, at)}"${json.slice(at, end)}"`;
				copied = end;
			}
			at = end;
		} else {
			at++;
		}
	}
	return copied === 0 ? json : quoted + json.slice(copied);
}

const isDigit = (code: number) => code >= ZERO && code <= NINE;

/** @param start of the opening quote @returns the index after the closing one */
function endOfString(json: string, start: number): number {
	for (let at = start + 1; ; at++) {
		at = json.indexOf('"', at);
		if (at === -1) return json.length;
		let before = at;
		while (json.charCodeAt(before - 1) === BACKSLASH) before--;
		// Two backslashes are an escaped one; an odd one escapes the quote.
		if ((at - before) % 2 === 0) return at + 1;
	}
}

function endOfNumber(json: string, start: number): number {
	let at = start + 1;
	for (let code = json.charCodeAt(at); isDigit(code) || IN_NUMBER.has(code); code = json.charCodeAt(at)) at++;
	return at;
}

const IN_NUMBER = new Set([...'.eE+-'].map((character) => character.charCodeAt(0)));

/** Whether a number survives reading and writing as a double. */
function isExact(json: string, start: number, end: number): boolean {
	if (end - start <= ALWAYS_EXACT && !hasExponent(json, start, end)) return true;
	const number = json.slice(start, end);
	const double = Number(number);
	// Numbers of the same digits but another power of ten are never read as the same double.
	return Number.isFinite(double) && digitsOf(number) === digitsOf(String(double));
}

function hasExponent(json: string, start: number, end: number): boolean {
	for (let at = start; at < end; at++) if ((json.charCodeAt(at) | LOWER_CASE) === LETTER_E) return true;
	return false;
}

/** A number's digits with neither leading nor trailing zeros, and without its power of ten. The sign is never lost. */
function digitsOf(number: string): string {
	const [mantissa] = number.slice(number.startsWith('-') ? 1 : 0).split(/[eE]/);
	const all = mantissa.replace('.', '');
	let first = 0;
	while (all.charCodeAt(first) === ZERO) first++;
	let last = all.length;
	while (all.charCodeAt(last - 1) === ZERO) last--;
	return all.slice(first, last);
}
