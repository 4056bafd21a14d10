const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/**
 * A text as banks, registers and people write it differently: in lowercase, without umlauts and accents.
 * @param units the most that are read, and that come out: one character may become eighteen
 */
export const plainText = (text: string, units: number): string =>
	text
		.slice(0, units)
		.toLowerCase()
		.normalize('NFC')
		.replace(/[äöüß]/g, (letter) => UMLAUTS[letter])
		.normalize('NFKD')
		// Before it is searched for accents, of which a letter rarely has more than one.
		.slice(0, 2 * units)
		.replace(/\p{M}/gu, '')
		.slice(0, units);

/** The same with each run of white space as a single space. */
export const plainLine = (text: string, units: number): string => plainText(text, units).replace(/\s+/g, ' ');
