/**
 * What follows the check digits, by country: runs of digits (`n`), letters (`a`) or both (`c`), as in SWIFT's IBAN
 * registry, or slightly more lenient. They also give each country's length.
 */
const FORMATS =
	'AD n8c12 AE n19 AL n8c16 AT n16 AZ a4c20 BA n16 BE n12 BG a4n6c8 BH a4c14 BI n23 BR n23a1c1 BY c4n4c16 CH n5c12 ' +
	'CR n18 CY n8c16 CZ n20 DE n18 DJ n23 DK n14 DO c4n20 EE n16 EG n25 ES n20 FI n14 FK a2n12 FO n14 FR n10c11n2 ' +
	'GB a4n14 GE c2n16 GI a4c15 GL n14 GR n7c16 GT c24 HN a4n20 HR n17 HU n24 IE c4n14 IL n19 IQ a4n15 IS n22 ' +
	'IT a1n10c12 JO a4n4c18 KW a4c22 KZ n3c13 LB n4c20 LC a4c24 LI n5c12 LT n16 LU n3c13 LV a4c13 LY n21 MC n10c11n2 ' +
	'MD c20 ME n18 MK n3c10n2 MN n16 MR n23 MT a4n5c18 MU a4n19a3 NI a4n20 NL a4n10 NO n11 OM n3c16 PK c20 PL n24 ' +
	'PS c25 PT n21 QA a4c21 RO a4c16 RS n18 RU n14c15 SA n2c18 SC a4n20a3 SD n14 SE n20 SI n15 SK n20 SM a1n10c12 ' +
	'SO n19 ST n21 SV a4n20 TL n19 TN n20 TR n5c17 UA n6c19 VA n18 VG c4n16 XK n16 YE a4n4c18';

/** By country, the kind of each character of an IBAN: `aannnn…`. */
const KINDS: ReadonlyMap<string, string> = new Map(
	FORMATS.split(/ (?=[A-Z])/).map((entry) => {
		const [country, format] = entry.split(' ');
		return [
			country,
			format.replace(/([nac])(\d+)/g, (_run, kind: string, count: string) => kind.repeat(+count)),
		];
	}),
);

/** What people and banks group an IBAN with: spaces of any kind, even invisible ones, hyphens and periods. */
const SEPARATOR = /[\s\u00ad\u200b-\u200d\u2060.\-\u2010-\u2015\u2212]/;
/** At most this many between two characters; after more, another word or number begins. */
const MAX_SEPARATORS = 3;

const isDigit = (character = '') => character >= '0' && character <= '9';
const isLetter = (character = '') => /^[a-z]$/i.test(character);

/**
 * Hides IBANs in a text except for the country and the last four characters, as banks do, however they are written: in
 * lowercase, in groups of any size, after another word (`IBANDE02…`). Other numbers stay: an IBAN is recognized by its
 * country, length and check digits. Takes time in proportion to the length of the text.
 */
export function maskIbans(text: string): string {
	// The separators are at odd indexes.
	const pieces = text.split(UUID);
	return pieces.map((piece, i) => (i % 2 === 0 ? maskAll(piece) : piece)).join('');
}

/** By chance, an end of these can have valid check digits: `be10-163000000003`. */
const UUID = /(?<![\da-z])([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\da-z])/i;

function maskAll(text: string): string {
	let masked = '';
	/** Where what isn't yet in `masked` begins. */
	let rest = 0;
	for (let at = 0; at < text.length; at++) {
		// Within a number, such as an article number or part of a file name, a match would be chance.
		if (at > rest && isDigit(text[at - 1])) continue;
		const found = ibanAt(text, at);
		if (!found) continue;
		masked += `${text.slice(rest, at)}${found.country}…${found.last}`;
		rest = found.end;
		at = found.end - 1;
	}
	return masked + text.slice(rest);
}

interface Found {
	country: string;
	/** The last four characters. */
	last: string;
	/** Index after it. */
	end: number;
}

/** The IBAN that begins at an index of the text. */
function ibanAt(text: string, start: number): Found | undefined {
	let iban = '';
	let kinds = 'aann';
	let end = start;
	for (let separators = 0; iban.length < kinds.length; end++) {
		const character = text[end];
		if (character === undefined) return undefined;
		const kind = kinds[iban.length];
		const fits = (kind !== 'a' && isDigit(character)) || (kind !== 'n' && isLetter(character));
		if (fits) {
			iban += character.toUpperCase();
			separators = 0;
			if (iban.length === 2) {
				const format = KINDS.get(iban);
				if (format === undefined) return undefined;
				kinds += format;
			}
		} else if (iban === '' || ++separators > MAX_SEPARATORS || !SEPARATOR.test(character)) {
			return undefined;
		}
	}
	// In the middle of something longer, a match would be chance.
	const isCut = isDigit(text[end]) || (isLetter(text[end]) && kinds.endsWith('c'));
	const isEndOfWord = isLetter(text[start - 1]) && !isDigit(text[start + 2]);
	if (isCut || isEndOfWord || !hasValidCheckDigits(iban)) return undefined;
	return { country: iban.slice(0, 2), last: iban.slice(-4), end };
}

/**
 * ISO 13616: from 02 to 98; with the first four characters last and letters as numbers from 10, the IBAN leaves 1 when
 * divided by 97.
 */
function hasValidCheckDigits(iban: string): boolean {
	if (/^..(?:0[01]|99)/.test(iban)) return false;
	const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((character) => Number.parseInt(character, 36));
	return digits.reduce((left, value) => (left * (value > 9 ? 100 : 10) + value) % 97, 0) === 1;
}
