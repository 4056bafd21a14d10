/** The length of each country's IBANs: the check digits alone would find one in every hundredth number. */
const LENGTHS = new Map(
	(
		'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 ' +
		'DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 ' +
		'IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 ' +
		'MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 ' +
		'SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
	)
		.split(' ')
		.map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** What people, banks and URLs group an IBAN with: spaces of any kind, even invisible ones, hyphens, periods, `_`, `/`, `%20`. */
const SEPARATOR = /%20|[\s\u00ad\u200b-\u200d\u2060._/+\-\u2010-\u2015\u2212]/y;
/** The most separators between two characters of an IBAN; after more, another word or number begins. */
const MAX_SEPARATORS = 3;

/** How much around an IBAN is looked at. */
const RUN = 21;

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

/** UUIDs are left as they are, because the end of one can look like a valid IBAN by chance: `be10-163000000003`. */
const UUID = /(?<![\da-z])([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\da-z])/i;

function maskAll(text: string): string {
	let masked = '';
	/** Index of the first character that isn't in `masked` yet. */
	let rest = 0;
	for (let at = 0; at < text.length; at++) {
		// Within a number, such as an article number or part of a file name, a match would be chance.
		if (at > rest && isDigit(text[at - 1])) continue;
		const found = ibanAt(text, at, rest);
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
	/** Index after the last character. */
	end: number;
}

/**
 * The IBAN that begins at an index of the text.
 * @param rest the index where the IBAN before it has ended
 */
function ibanAt(text: string, start: number, rest: number): Found | undefined {
	let iban = '';
	let length: number | undefined = 2;
	let end = start;
	for (let separators = 0; iban.length < length; ) {
		const character = text[end];
		// An IBAN begins with two letters and two digits; letters or digits follow.
		if (
			iban.length < 2 ? isLetter(character) : isDigit(character) || (iban.length > 3 && isLetter(character))
		) {
			iban += character.toUpperCase();
			end++;
			separators = 0;
			if (iban.length === 2) length = LENGTHS.get(iban);
			if (length === undefined) return undefined;
			continue;
		}
		SEPARATOR.lastIndex = end;
		const [separator] = SEPARATOR.exec(text) ?? [];
		if (iban === '' || separator === undefined || ++separators > MAX_SEPARATORS) return undefined;
		end += separator.length;
	}
	// In the middle of a longer number, or of a word, a match would be chance. Another IBAN may follow at once.
	const isCut =
		/\d[a-z]{0,20}$/i.test(text.slice(Math.max(rest, start - RUN), start)) ||
		/^(?![a-z]{2}\d\d)[a-z]{0,20}\d/i.test(text.slice(end, end + RUN));
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
