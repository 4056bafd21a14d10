import invert from 'lodash/invert.js';

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
	'4580': 'Sonstige Kfz-Kosten',
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

/** The numbers that the same accounts have in SKR04; those of class 9 are the same in both. */
const SKR04_NUMBERS: Readonly<Record<string, string>> = {
	'0027': '0135',
	'0210': '0440',
	'0320': '0520',
	'0400': '0630',
	'0410': '0635',
	'0420': '0650',
	'0430': '0640',
	'0480': '0670',
	'0640': '3160',
	'0800': '2900',
	'0860': '2970',
	'0880': '2010',
	'0970': '3070',
	'0980': '1900',
	'0990': '3900',
	'1000': '1600',
	'1010': '1610',
	'1200': '1800',
	'1360': '1460',
	'1400': '1200',
	'1500': '1300',
	'1570': '1400',
	'1571': '1401',
	'1576': '1406',
	'1590': '1370',
	'1600': '3300',
	'1700': '3500',
	'1740': '3720',
	'1741': '3730',
	'1742': '3740',
	'1770': '3800',
	'1771': '3801',
	'1776': '3806',
	'1780': '3820',
	'1790': '3841',
	'1800': '2100',
	'1890': '2180',
	'2100': '7300',
	'2120': '7320',
	'2400': '6930',
	'2650': '7100',
	'3300': '5300',
	'3400': '5400',
	'3731': '5731',
	'3736': '5736',
	'3980': '1140',
	'4110': '6010',
	'4120': '6020',
	'4130': '6110',
	'4190': '6030',
	'4210': '6310',
	'4240': '6325',
	'4250': '6330',
	'4360': '6400',
	'4380': '6420',
	'4510': '7685',
	'4520': '6520',
	'4530': '6530',
	'4540': '6540',
	'4580': '6570',
	'4600': '6600',
	'4650': '6640',
	'4660': '6650',
	'4710': '6710',
	'4805': '6470',
	'4806': '6495',
	'4830': '6220',
	'4832': '6222',
	'4900': '6300',
	'4910': '6800',
	'4920': '6805',
	'4930': '6815',
	'4940': '6820',
	'4950': '6825',
	'4955': '6830',
	'4970': '6855',
	'4980': '6850',
	'8200': '4200',
	'8300': '4300',
	'8400': '4400',
	'8731': '4731',
	'8736': '4736',
	'9000': '9000',
	'9008': '9008',
	'9009': '9009',
};
const SKR03_NUMBERS = invert(SKR04_NUMBERS);

/** Digits of a ledger account's number in the sandbox's own bookkeeping; a customer or supplier account has one more. */
const ACCOUNT_DIGITS = 4;

/** How a company numbers its accounts. The sandbox keeps all books in SKR03 with four digits, and shows them in this. */
export interface Chart {
	kontenrahmen: 'SKR03' | 'SKR04';
	/** Digits of a ledger account's number, from 4: further ones are zeros at its end. */
	digits: number;
}
export const OWN_CHART: Chart = { kontenrahmen: 'SKR03', digits: ACCOUNT_DIGITS };

/** The number that an account of the sandbox's own bookkeeping has in a company's chart. */
export function numberIn({ kontenrahmen, digits }: Chart, account: string): string {
	const number = kontenrahmen === 'SKR04' && !isPerson(account) ? SKR04_NUMBERS[account] : account;
	if (!number) throw new Error(`The account ${account} has no number in ${kontenrahmen}.`);
	return number + '0'.repeat(digits - ACCOUNT_DIGITS);
}

/** The sandbox's own number of an account; undefined if its chart has no such account. */
export function ownNumber(chart: Chart, account: string): string | undefined {
	const kind = kindOf(account, chart.digits);
	const zeros = '0'.repeat(chart.digits - ACCOUNT_DIGITS);
	if (!kind || !account.endsWith(zeros)) return undefined;
	const number = account.slice(0, account.length - zeros.length);
	return kind === 'ledger' && chart.kontenrahmen === 'SKR04' ? SKR03_NUMBERS[number] : number;
}

export type AccountKind = 'ledger' | 'debtor' | 'creditor';

/**
 * The kind of account that a number denotes; undefined if it isn't an account number.
 * @param digits of a ledger account's number
 */
export function kindOf(account: string, digits = ACCOUNT_DIGITS): AccountKind | undefined {
	if (!/^\d+$/.test(account)) return undefined;
	if (account.length === digits) return 'ledger';
	if (account.length !== digits + 1 || account.startsWith('0')) return undefined;
	return account < '7' ? 'debtor' : 'creditor';
}

/** @param digits of a ledger account's number */
export const isPerson = (account: string, digits = ACCOUNT_DIGITS): boolean => account.length > digits;

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
