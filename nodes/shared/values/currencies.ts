/**
 * ISO 4217 as published on 17 September 2026 (List One), by the number of decimals ("minor unit"). The list is kept here
 * because `Intl` doesn't have it: it leaves out funds and metals, changes with the version of Node.js, and counts the
 * decimals in everyday use (CLDR): none for HUF, which has 2 by the standard.
 */
const CODES_BY_DECIMALS: ReadonlyArray<[decimals: number | undefined, codes: string]> = [
	[0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
	[
		2,
		'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW ' +
			'CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG ' +
			'HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR ' +
			'MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG ' +
			'SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES ' +
			'WST XAD XCD XCG YER ZAR ZMW ZWG',
	],
	[3, 'BHD IQD JOD KWD LYD OMR TND'],
	[4, 'CLF UYW'],
	// Metals, units of account, testing, no currency: the standard sets no number of decimals.
	[undefined, 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'],
	// Withdrawn since 2021, so books may still have them (List Three, with the decimals that they had).
	[2, 'ANG BGN CUC HRK SLL ZWL'],
];

const DECIMALS = new Map(
	CODES_BY_DECIMALS.flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, decimals] as const)),
);

/** The currency codes of ISO 4217, in capital letters, with those withdrawn since 2021. The sandbox has a list of its own. */
export const CURRENCIES: ReadonlySet<string> = new Set(DECIMALS.keys());

/** Whether a symbol, code or word means the euro, in any case: what cells, columns and headings call it. */
export const isEuro = (name: string): boolean => /^(?:€|eur|euro)$/i.test(name);

/**
 * How many decimals an amount in a currency has at most: 2 for `EUR`, 0 for `JPY`, 3 for `KWD`.
 * @returns `undefined` where there is no limit: for codes without a minor unit (`XAU`, `XDR`, `XXX`, …), a code that
 * isn't in ISO 4217, and no code at all
 */
export function decimalsOf(currency: string | undefined): number | undefined {
	return DECIMALS.get(currency ?? '');
}
