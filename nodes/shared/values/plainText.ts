const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** A text as banks, registers and people write it differently: in lowercase, without umlauts and accents. */
export const plainText = (text: string): string =>
	text
		.toLowerCase()
		.normalize('NFC')
		.replace(/[äöüß]/g, (letter) => UMLAUTS[letter])
		.normalize('NFKD')
		.replace(/\p{M}/gu, '');
