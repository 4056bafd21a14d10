/** Codes of ISO 4217 that Node.js leaves out: funds, metals, codes for tests, and what is newer than its own list. */
const MORE =
	'BOV CHE CHW CLF COU MXV SLE USN UYI UYW VED XAD XAG XAU XBA XBB XBC XBD XCG XPD XPT XTS XUA XXX ZWG';

/** The currency codes of ISO 4217, old ones included. */
export const CURRENCIES = new Set([...Intl.supportedValuesOf('currency'), ...MORE.split(' ')]);
