/** Ledger accounts of DATEV's standard chart SKR03, by their real names. */
export const SKR03: Readonly<Record<string, string>> = {
	'0027': 'EDV-Software',
	'0210': 'Maschinen',
	'0320': 'Pkw',
	'0400': 'Betriebsausstattung',
	'0410': 'Geschäftsausstattung',
	'0420': 'Büroeinrichtung',
	'0430': 'Ladeneinrichtung',
	'0480': 'Geringwertige Wirtschaftsgüter',
	'0640': 'Verbindlichkeiten gegenüber Kreditinstituten - Restlaufzeit 1 bis 5 Jahre',
	'0800': 'Gezeichnetes Kapital',
	'0860': 'Gewinnvortrag vor Verwendung',
	'0880': 'Variables Kapital',
	'0970': 'Sonstige Rückstellungen',
	'0980': 'Aktive Rechnungsabgrenzung',
	'0990': 'Passive Rechnungsabgrenzung',
	'1000': 'Kasse',
	'1010': 'Nebenkasse 1',
	'1200': 'Bank',
	'1360': 'Geldtransit',
	'1400': 'Forderungen aus Lieferungen und Leistungen',
	'1500': 'Sonstige Vermögensgegenstände',
	'1570': 'Abziehbare Vorsteuer',
	'1571': 'Abziehbare Vorsteuer 7 %',
	'1576': 'Abziehbare Vorsteuer 19 %',
	'1590': 'Durchlaufende Posten',
	'1600': 'Verbindlichkeiten aus Lieferungen und Leistungen',
	'1700': 'Sonstige Verbindlichkeiten',
	'1740': 'Verbindlichkeiten aus Lohn und Gehalt',
	'1741': 'Verbindlichkeiten aus Lohn- und Kirchensteuer',
	'1742': 'Verbindlichkeiten im Rahmen der sozialen Sicherheit',
	'1770': 'Umsatzsteuer',
	'1771': 'Umsatzsteuer 7 %',
	'1776': 'Umsatzsteuer 19 %',
	'1780': 'Umsatzsteuer-Vorauszahlungen',
	'1790': 'Umsatzsteuerverbindlichkeiten Vorjahr',
	'1800': 'Privatentnahmen allgemein',
	'1890': 'Privateinlagen',
	'2100': 'Zinsen und ähnliche Aufwendungen',
	'2120': 'Zinsaufwendungen für langfristige Verbindlichkeiten',
	'2400': 'Forderungsverluste (übliche Höhe)',
	'2650': 'Sonstige Zinsen und ähnliche Erträge',
	'3300': 'Wareneingang 7 % Vorsteuer',
	'3400': 'Wareneingang 19 % Vorsteuer',
	'3731': 'Erhaltene Skonti 7 % Vorsteuer',
	'3736': 'Erhaltene Skonti 19 % Vorsteuer',
	'3980': 'Bestand Waren',
	'4110': 'Löhne',
	'4120': 'Gehälter',
	'4130': 'Gesetzliche soziale Aufwendungen',
	'4190': 'Aushilfslöhne',
	'4210': 'Miete (unbewegliche Wirtschaftsgüter)',
	'4240': 'Gas, Strom, Wasser',
	'4250': 'Reinigung',
	'4360': 'Versicherungen',
	'4380': 'Beiträge',
	'4510': 'Kfz-Steuer',
	'4520': 'Fahrzeug-Versicherungen',
	'4530': 'Laufende Fahrzeug-Betriebskosten',
	'4540': 'Fahrzeug-Reparaturen',
	'4600': 'Werbekosten',
	'4650': 'Bewirtungskosten',
	'4660': 'Reisekosten Arbeitnehmer',
	'4710': 'Verpackungsmaterial',
	'4805': 'Reparaturen und Instandhaltungen von anderen Anlagen und Betriebs- und Geschäftsausstattung',
	'4806': 'Wartungskosten für Hard- und Software',
	'4830': 'Abschreibungen auf Sachanlagen (ohne AfA auf Fahrzeuge und Gebäude)',
	'4832': 'Abschreibungen auf Fahrzeuge',
	'4900': 'Sonstige betriebliche Aufwendungen',
	'4910': 'Porto',
	'4920': 'Telefon',
	'4930': 'Bürobedarf',
	'4940': 'Zeitschriften, Bücher, digitale Medien (Fachliteratur)',
	'4950': 'Rechts- und Beratungskosten',
	'4955': 'Buchführungskosten',
	'4970': 'Nebenkosten des Geldverkehrs',
	'4980': 'Sonstiger Betriebsbedarf',
	'8200': 'Erlöse',
	'8300': 'Erlöse 7 % USt',
	'8400': 'Erlöse 19 % USt',
	'8731': 'Gewährte Skonti 7 % USt',
	'8736': 'Gewährte Skonti 19 % USt',
	'9000': 'Saldenvorträge, Sachkonten',
	'9008': 'Saldenvorträge, Debitoren',
	'9009': 'Saldenvorträge, Kreditoren',
};

/** Digits of a ledger account's number; a customer or supplier account has one more. */
export const ACCOUNT_DIGITS = 4;

export type AccountKind = 'ledger' | 'debtor' | 'creditor';

/** The kind of account that a number denotes; undefined if it isn't an account number. */
export function kindOf(account: string): AccountKind | undefined {
	if (/^\d{4}$/.test(account)) return 'ledger';
	if (/^[1-6]\d{4}$/.test(account)) return 'debtor';
	return /^[7-9]\d{4}$/.test(account) ? 'creditor' : undefined;
}

export const isPerson = (account: string): boolean => account.length > ACCOUNT_DIGITS;

/** The contra accounts of opening balances. */
export const OPENING_ACCOUNTS: Record<AccountKind, string> = {
	ledger: '9000',
	debtor: '9008',
	creditor: '9009',
};

/**
 * The account that carries an account's closing balance into the next year: the capital for profit and loss and
 * private accounts, `1790` for value added tax, none for class 9, and for all others the account itself.
 * @param capital the company's account for profit or loss
 */
export function successorOf(account: string, capital: string): string | undefined {
	if (isPerson(account)) return account;
	if (account.startsWith('9')) return undefined;
	if (/^(157|177|178)/.test(account)) return '1790';
	// The last accounts of class 3 are stock accounts, which keep their balance.
	return /^([248]|18|3[0-8])/.test(account) ? capital : account;
}
