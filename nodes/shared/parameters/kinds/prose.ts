import { both } from '../../values';
import type { Rule } from '../../values';

/** Line breaks of any system, and tabs: white space that a cell of a spreadsheet can have, but a line of a cash book can't. */
const BREAKS = /[\t-\r\u2028\u2029]+/g;

/** What a file has instead of letters when it is read in another encoding than it was written in. */
const CONTROL = /\p{Cc}/u;
const LOST_LETTER = '\ufffd';
/** How Windows-1252 shows the bytes of UTF-8 that follow the first one of a character, without control characters. */
const FOLLOWING = '[\u00a0-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]';
/**
 * A character of UTF-8, as Windows-1252 shows it: `Ã¶` for ö, `Å‚` for ł, `â‚¬` for €, `ðŸ` for an emoji. Not with Ä and
 * other first bytes, because German has those before a quotation mark or a sign: „Spaß“, NESCAFÉ®.
 */
const MISREAD = new RegExp(`[ÂÃÅ]${FOLLOWING}|â[€‚„]${FOLLOWING}|ðŸ`);

/**
 * Reads a text of one line: each run of line breaks and tabs is a space, so that the same cell of a spreadsheet is the same
 * text in Excel (LF) and CSV (CRLF). A text from a file that was read in the wrong encoding is refused.
 */
export function parseProse(given: string): { value: string } | { rule: Rule } {
	const value = given.replace(BREAKS, ' ');
	const [control] = CONTROL.exec(value) ?? [];
	const [misread] = MISREAD.exec(value) ?? [];
	const code = control?.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
	const found = control
		? both(`a control character (U+${code})`, `ein Steuerzeichen (U+${code})`)
		: value.includes(LOST_LETTER)
			? both(`"${LOST_LETTER}" in place of a letter`, `„${LOST_LETTER}“ anstelle eines Buchstabens`)
			: misread && both(`"${misread}" in place of one character`, `„${misread}“ anstelle eines Zeichens`);
	if (!found) return { value };
	const rule = both(
		`contains ${found.en}: its file was read in the wrong encoding; most are UTF-8 or Windows-1252`,
		`enthält ${found.de}: Die Datei wurde in der falschen Zeichenkodierung gelesen; üblich sind UTF-8 und Windows-1252`,
	);
	return { rule };
}
