/** Currencies' decimals by the standard, independent of the nodes' own list, to find mistakes in it. */

/** ISO 4217, "minor unit", of every currency without two decimals, and many with two. */
const CODES: ReadonlyArray<[decimals: number | undefined, codes: string]> = [
	[0, 'JPY KRW VND CLP ISK PYG UGX RWF BIF DJF GNF KMF VUV XAF XOF XPF UYI'],
	// In everyday use, Hungarian forints, Indonesian rupiahs and others have none, but the standard gives them two.
	[
		2,
		'EUR USD CHF GBP DKK SEK NOK PLN CZK HUF RON IDR TWD COP AFN ALL LBP PKR MGA MRU RSD AUD CAD CNY INR BRL',
	],
	[3, 'KWD BHD OMR JOD TND IQD LYD'],
	[4, 'CLF UYW'],
	[undefined, 'XAU XAG XPT XPD XDR XXX XTS'],
];

const DECIMALS = new Map(
	CODES.flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, decimals] as const)),
);

export const CURRENCY_CODES = [...DECIMALS.keys()];

/** The maximum number of decimals in an amount; `undefined`: unlimited. */
export const decimalsOf = (currency: unknown): number | undefined =>
	typeof currency === 'string' ? DECIMALS.get(currency.trim()) : undefined;
