/** Finds the account of a business case or means of payment. */
import { maxBy, without } from 'lodash';

import { plainText, taxRatesOn } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { EXPORT_LIMITS } from './limits';

/** The account fields of a line in the cash book. */
export interface Account {
	gegenkonto: string;
	buSchluessel?: string;
	kostenstelle1?: string;
	kostenstelle2?: string;
}

/** An account for a business case or a group of them; a row with a name, tax key or rate applies only to that. */
interface AccountRow extends Account {
	vorgang: string;
	/** What the register calls the business case or means of payment (GV_NAME, ZAHLART_NAME). */
	name?: string;
	/** The register's tax key (UST_SCHLUESSEL). */
	ustSchluessel?: string;
	prozent?: number;
}

/** What an account is looked for. */
interface Sought {
	/** The official name of the business case or means of payment. */
	type: string;
	/** What the register calls it. */
	name: string;
	/** The register's tax key, without zeros before it. */
	vat: string;
	/** In percent; `undefined` if it isn't known. */
	rate: number | undefined;
	amount: number;
}

/** Groups of business cases and payments that mostly have the same account. */
export const SALES = 'Erloese';
export const NON_CASH = 'UnbareZahlungen';

/** Sales, by tax key: also what reduces them. What single-purpose vouchers redeem was taxed when they were sold. */
const SALES_CASES = [
	'Umsatz',
	'Pfand',
	'PfandRueckzahlung',
	'Rabatt',
	'Aufschlag',
	'ZuschussUnecht',
	'TrinkgeldAG',
	'EinzweckgutscheinKauf',
	'EinzweckgutscheinEinloesung',
];
const PREPAYMENTS = ['Anzahlungseinstellung', 'Anzahlungsaufloesung'];
/** Mostly without tax, but a register may tax a sale on account when it is paid (Ist-Versteuerung). */
const RECEIVABLES = ['Forderungsentstehung', 'Forderungsaufloesung'];
/** Business cases without tax. */
const OTHER_CASES = [
	'ZuschussEcht',
	'TrinkgeldAN',
	'MehrzweckgutscheinKauf',
	'MehrzweckgutscheinEinloesung',
	'Privatentnahme',
	'Privateinlage',
	'Geldtransit',
	'Lohnzahlung',
	'Einzahlung',
	'Auszahlung',
];
/** A difference is booked by its sign. */
export const DIFFERENCE = 'DifferenzSollIst';
export const SHORTAGE = 'Fehlbetrag';
export const SURPLUS = 'Ueberschuss';
export const OPENING = 'Anfangsbestand';
export const IN_CASH = 'Bar';

/** May be anything that isn't cash: an invoice, a voucher, a delivery service. */
const UNSPECIFIED = 'Unbar';
const NON_CASH_PAYMENTS = ['ECKarte', 'Kreditkarte', 'ElZahlungsdienstleister', UNSPECIFIED];
/** A means of payment whose account depends on who has issued it; and "none". */
const OTHER_PAYMENTS = ['Guthabenkarte', 'Keine'];

/** What a register may call a business case (DSFinV-K, Anhang C), and a means of payment (Anhang D): one isn't the other, and a group is neither. */
export const CASES = [...SALES_CASES, ...PREPAYMENTS, ...RECEIVABLES, ...OTHER_CASES, DIFFERENCE];
export const PAYMENTS = [...NON_CASH_PAYMENTS, ...OTHER_PAYMENTS];

/** What an account can be given for. */
export const ACCOUNTED = [
	SALES,
	NON_CASH,
	...[...without(CASES, DIFFERENCE), SHORTAGE, SURPLUS, ...PAYMENTS].sort(),
];

const KNOWN = new Map([...ACCOUNTED, DIFFERENCE, OPENING, IN_CASH].map((name) => [name.toLowerCase(), name]));

/** The official name of a business case or means of payment, whatever its case and umlauts; as given where there is none. */
export const officialName = (given: string): string =>
	KNOWN.get(plainText(given, EXPORT_LIMITS.caseName).replace(/[^a-z]/g, '')) ?? given;

const STANDARD_RATE = '1';
const REDUCED_RATE = '2';
const NOT_TAXABLE = '5';
const EXEMPT = '6';
/** "UmsatzsteuerNichtErmittelbar": the rate isn't 0, but unknown. */
export const UNKNOWN_TAX = '7';
const ZERO_RATE = '8';

/** Whether the amounts of a business case include tax. */
export const includesTax = ({ type, rate }: Pick<Sought, 'type' | 'rate'>): boolean =>
	[...SALES_CASES, ...PREPAYMENTS].includes(type) || (RECEIVABLES.includes(type) && rate !== 0);

/** Whether a business case or payment may have no tax key, or that of an unknown tax: there is none in it. */
export const needsNoKey = (type: string, vat: string): boolean =>
	!includesTax({ type, rate: 0 }) && ['', UNKNOWN_TAX].includes(vat);

/** The official tax keys of DSFinV-K (Anlage 2); a key from 1000 on has the meaning that the register's maker gives it. */
const MEANINGS = new Map<string, Bilingual>(
	Object.entries({
		[STANDARD_RATE]: { en: 'standard rate, § 12 (1) UStG', de: 'allgemeiner Steuersatz, § 12 Abs. 1 UStG' },
		[REDUCED_RATE]: { en: 'reduced rate, § 12 (2) UStG', de: 'ermäßigter Steuersatz, § 12 Abs. 2 UStG' },
		3: {
			en: 'average rate, § 24 (1) no. 3 UStG',
			de: 'Durchschnittssatz, § 24 Abs. 1 Nr. 3 UStG',
		},
		4: {
			en: 'average rate, § 24 (1) no. 1 UStG',
			de: 'Durchschnittssatz, § 24 Abs. 1 Nr. 1 UStG',
		},
		[NOT_TAXABLE]: { en: 'not taxable', de: 'nicht steuerbar' },
		[EXEMPT]: { en: 'exempt from VAT', de: 'umsatzsteuerfrei' },
		[UNKNOWN_TAX]: { en: "VAT can't be determined", de: 'Umsatzsteuer nicht ermittelbar' },
		[ZERO_RATE]: { en: 'zero rate, § 12 (3) UStG', de: 'Nullsteuersatz, § 12 Abs. 3 UStG' },
	}),
);

/** Keys of the past have two digits and end in that of today's: 11 and 21 are former standard rates, 12 and 22 former reduced ones. */
const todaysKey = (vat: string): string => (/^[1-9][1-4]$/.test(vat) ? vat[1] : vat);

/** What an official tax key means; `undefined` for a maker's own. */
export const meaningOf = (vat: string): Bilingual | undefined => MEANINGS.get(todaysKey(vat));

/** The rate of a key whose meaning says it, in case that the export doesn't. */
export const rateByMeaning = (vat: string): number | undefined =>
	[NOT_TAXABLE, EXEMPT, ZERO_RATE].includes(vat) ? 0 : undefined;

/** Whether the rate of a key is the tax in its amounts. Of a maker's own it may be anything: § 25a taxes the margin, § 13b the customer. */
export const isRateOfGross = (vat: string): boolean =>
	[STANDARD_RATE, REDUCED_RATE, '3', '4', NOT_TAXABLE, EXEMPT, ZERO_RATE].includes(todaysKey(vat));

/**
 * Whether a sale with this key needs an account of its own, as only a person knows where it belongs: § 4 no. 8 ff., § 19 and exports
 * are all exempt, and have three accounts.
 */
const needsOwnRow = (vat: string): boolean => [NOT_TAXABLE, EXEMPT].includes(vat) || !isRateOfGross(vat);

/**
 * The rate that the charts' accounts of a key have on a day, as DATEV's follow it; `undefined` where there is no such account.
 * @param day `YYYY-MM-DD`
 */
function rateOfChart(vat: string, day: string): number | undefined {
	const { standard, reduced } = taxRatesOn(day) ?? {};
	const rates: Partial<Record<string, number>> = {
		[STANDARD_RATE]: standard,
		[REDUCED_RATE]: reduced,
		[ZERO_RATE]: 0,
	};
	return rates[todaysKey(vat)];
}

/**
 * Business case, tax key if it matters, and the accounts of SKR03 and SKR04. Payouts and payments into the drawer have none,
 * nor do genuine subsidies, value cards and unspecified payments: only the receipt shows what they were for.
 */
const STANDARD: Array<[vorgang: string, ustSchluessel: string | undefined, skr03: string, skr04: string]> = [
	[SALES, STANDARD_RATE, '8400', '4400'],
	[SALES, REDUCED_RATE, '8300', '4300'],
	[SALES, ZERO_RATE, '8290', '4290'],
	['Anzahlungseinstellung', STANDARD_RATE, '1718', '3272'],
	['Anzahlungseinstellung', REDUCED_RATE, '1711', '3260'],
	['Anzahlungsaufloesung', STANDARD_RATE, '1718', '3272'],
	['Anzahlungsaufloesung', REDUCED_RATE, '1711', '3260'],
	[NON_CASH, undefined, '1361', '1461'],
	['Geldtransit', undefined, '1360', '1460'],
	['TrinkgeldAN', undefined, '1590', '1370'],
	['MehrzweckgutscheinKauf', undefined, '1796', '3786'],
	['MehrzweckgutscheinEinloesung', undefined, '1796', '3786'],
	['Forderungsentstehung', undefined, '1410', '1210'],
	['Forderungsaufloesung', undefined, '1410', '1210'],
	['Privatentnahme', undefined, '1800', '2100'],
	['Privateinlage', undefined, '1890', '2180'],
	['Lohnzahlung', undefined, '1740', '3720'],
	[SHORTAGE, undefined, '2309', '6969'],
	[SURPLUS, undefined, '2709', '4839'],
];

const ACCOUNTS_BY_CHART: Record<string, readonly AccountRow[]> = {
	SKR03: STANDARD.map(([vorgang, ustSchluessel, gegenkonto]) => ({ vorgang, ustSchluessel, gegenkonto })),
	SKR04: STANDARD.map(([vorgang, ustSchluessel, , gegenkonto]) => ({ vorgang, ustSchluessel, gegenkonto })),
};

/** Where accounts come from. */
export interface Accounts {
	/** Those that come before the chart's. */
	own: readonly AccountRow[];
	/** The name of the chart; without one, only the own accounts count. */
	chart?: string;
	/** Digits of the chart's accounts (Sachkontenlänge), which have four: 8400 is 84000 with five. */
	length?: number;
}

/**
 * The account of a business case or payment.
 * @param day of the closing, `YYYY-MM-DD`
 * @returns `namesKey`: whether it was given for this very tax key
 */
export function accountFor(
	{ own, chart, length = 0 }: Accounts,
	sought: Sought,
	day: string,
): (Account & { namesKey: boolean }) | undefined {
	const row = rowFor(own, sought, sought.vat, includesTax(sought) && needsOwnRow(sought.vat));
	if (row) {
		const { gegenkonto, buSchluessel, kostenstelle1, kostenstelle2 } = row;
		return { gegenkonto, buSchluessel, kostenstelle1, kostenstelle2, namesKey: Boolean(row.ustSchluessel) };
	}
	if (sought.type === UNSPECIFIED) return undefined;
	const isOfChart = includesTax(sought)
		? !RECEIVABLES.includes(sought.type) && sought.rate === rateOfChart(sought.vat, day)
		: sought.rate === 0;
	const standard =
		chart !== undefined && isOfChart
			? rowFor(ACCOUNTS_BY_CHART[chart], sought, todaysKey(sought.vat))
			: undefined;
	return standard && { gegenkonto: standard.gegenkonto.padEnd(length, '0'), namesKey: false };
}

/** The most specific row: its business case goes before the group, then name, tax key and rate count, in this order. */
function rowFor(
	rows: readonly AccountRow[],
	{ type, name, rate, amount }: Sought,
	vat: string,
	mustNameKey = false,
): AccountRow | undefined {
	const vorgang = type === DIFFERENCE ? (amount < 0 ? SHORTAGE : SURPLUS) : type;
	const group = SALES_CASES.includes(type) ? SALES : NON_CASH_PAYMENTS.includes(type) ? NON_CASH : vorgang;
	const fits = (row: AccountRow) =>
		[vorgang, group].includes(row.vorgang) &&
		(!row.name || plainText(row.name, EXPORT_LIMITS.caseName) === plainText(name, EXPORT_LIMITS.caseName)) &&
		(row.ustSchluessel ? wholeNumber(row.ustSchluessel) === vat : !mustNameKey) &&
		(row.prozent === undefined || row.prozent === rate);
	return maxBy(
		rows.filter(fits),
		(row) =>
			8 * Number(row.vorgang === vorgang) +
			4 * Number(Boolean(row.name)) +
			2 * Number(Boolean(row.ustSchluessel)) +
			Number(row.prozent !== undefined),
	);
}

/** Digits in groups of three, with the same sign between all of them. */
const THOUSANDS = /^\d{1,3}([.,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*$/;

/** A number or key without zeros before it and without a sign between thousands: some registers write 07 for 7, and 1.001 for 1001. */
export const wholeNumber = (text: string): string =>
	(THOUSANDS.test(text) ? text.replace(/\D/g, '') : text).replace(/^0+(?=\d)/, '');
