/**
 * The length of each country's IBANs, by the registry. It stays: by check digits alone, up to one in twenty sentences with a number would
 * lose a part of it.
 */
const LENGTHS = new Map(
	(
		'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 ' +
		'DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 ' +
		'IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 ' +
		'MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 ' +
		'SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
	)
		.split(' ')
		.map((country) => [country.slice(0, 2), Number(country.slice(2))]),
);

/** What people, banks and URLs group an IBAN with: spaces of any kind, even invisible ones, hyphens, periods, `_`, `/`, `%20`. */
const IBAN_SEPARATOR = '(?:%20|[\\s\\u00ad\\u200b-\\u200d\\u2060._/+\\-\\u2010-\\u2015\\u2212])';
/** Up to three between two characters of an IBAN; after more, another word or number begins. */
const GAP = `${IBAN_SEPARATOR}{0,3}`;

/** Two letters of a country, two digits, and as many letters and digits as its IBANs have. */
const REGISTERED = [...LENGTHS]
	.map(([[c, d], length]) => `${c}${GAP}${d}(?:${GAP}\\d){2}(?:${GAP}[a-z\\d]){${length - 4}}`)
	.join('|');

/**
 * What some countries outside the registry use in the same form (Morocco, Senegal, Algeria, …): two letters, two digits, up
 * to two letters, and digits, together 24 to 28. So many digits make up for the length, which nobody has published.
 */
const UNREGISTERED = `(?!${[...LENGTHS.keys()].join('|')})[a-z]{2}(?:${GAP}\\d){2}(?:${GAP}[a-z]){0,2}(?:${GAP}\\d){18,24}`;
const FEWEST_UNREGISTERED = 24;
const MOST_UNREGISTERED = 28;
const LAST_CHARACTER = new RegExp(`${GAP}[a-z\\d]$`, 'i');

const IBAN = new RegExp(`${REGISTERED}|${UNREGISTERED}`, 'gi');
const FIRST_IBAN = new RegExp(`^(?:${IBAN.source})`, 'i');

/** How much before an IBAN is looked at, and how much behind it: another IBAN may stand there. */
const RUN = 21;
const LONGEST = 35;

/** UUIDs are left as they are, because the end of one can look like a valid IBAN by chance: `be10-163000000003`. */
const UUID_IN_TEXT = /(?<![\da-z])([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\da-z])/i;

/**
 * Hides IBANs in a text except for the country and the last four characters, as banks do, however they are written: in
 * lowercase, in groups of any size, after another word (`IBANDE02…`). Other numbers stay: an IBAN is recognized by its
 * country, length and check digits; outside the registry, by check digits and the number of digits. Takes time in proportion to the length of the text.
 */
export function maskIbans(text: string): string {
	// The separators are at odd indexes.
	const pieces = text.split(UUID_IN_TEXT);
	return pieces.map((piece, i) => (i % 2 === 0 ? maskAll(piece) : piece)).join('');
}

function maskAll(text: string): string {
	let done = '';
	let rest = 0;
	for (const { start, end } of ibansIn(text)) {
		const iban = compact(text.slice(start, end));
		done += `${text.slice(rest, start)}${iban.slice(0, 2)}…${iban.slice(-4)}`;
		rest = end;
	}
	return done + text.slice(rest);
}

/** Where IBANs stand. Where a text can be read as two that overlap, nobody knows which one is meant: they are one place. */
function ibansIn(text: string): Array<{ start: number; end: number }> {
	const places: Array<{ start: number; end: number }> = [];
	IBAN.lastIndex = 0;
	for (let found = IBAN.exec(text); found; found = IBAN.exec(text)) {
		const { index: start } = found;
		// Another one may begin within this one.
		IBAN.lastIndex = start + 1;
		const last = places.at(-1);
		const isWithin = last !== undefined && start < last.end;
		// What stands before an IBAN that follows another one at once is no part of its number.
		const before = text.slice(Math.max(isWithin ? 0 : (last?.end ?? 0), start - RUN), start);
		const written = readingsOf(found[0]).find((reading) => {
			const end = start + reading.length;
			return (
				!isChance(before, reading, text.slice(end, end + LONGEST)) && hasValidCheckDigits(compact(reading))
			);
		});
		if (written === undefined) continue;
		const end = start + written.length;
		if (isWithin) last.end = Math.max(last.end, end);
		else places.push({ start, end });
	}
	return places;
}

const compact = (written: string) => written.replace(new RegExp(IBAN_SEPARATOR, 'g'), '').toUpperCase();

/** What a match may be: outside the registry, each beginning of a possible length, the longest first: another number may follow it. */
function readingsOf(written: string): string[] {
	if (LENGTHS.has(compact(written).slice(0, 2))) return [written];
	const found: string[] = [];
	for (let rest = written, { length } = compact(rest); length >= FEWEST_UNREGISTERED; length--) {
		if (length <= MOST_UNREGISTERED) found.push(rest);
		rest = rest.replace(LAST_CHARACTER, '');
	}
	return found;
}

/**
 * Whether a match would be chance: within a longer number or a word, such as an article number or part of a file name.
 * Another IBAN may follow at once.
 */
const isChance = (before: string, match: string, behind: string): boolean =>
	/\d[a-z]{0,20}$/i.test(before) ||
	(/^[a-z]{0,20}\d/i.test(behind) && !beginsWithIban(behind)) ||
	(/[a-z]$/i.test(before) && !/^..\d/s.test(match));

const beginsWithIban = (text: string): boolean => {
	const [written] = FIRST_IBAN.exec(text) ?? [];
	return (
		written !== undefined && readingsOf(written).some((reading) => hasValidCheckDigits(compact(reading)))
	);
};

/** Whether a text is written like an IBAN, but can't be one: its length or its check digits are wrong. */
export function isWrongIban(text: string): boolean {
	const iban = compact(text.slice(0, 100));
	const length = LENGTHS.get(iban.slice(0, 2));
	if (length === undefined || !/^[A-Z]{2}\d{2}[A-Z\d]{8,30}$/.test(iban)) return false;
	return iban.length !== length || !hasValidCheckDigits(iban);
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
