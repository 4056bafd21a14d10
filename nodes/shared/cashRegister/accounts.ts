/** Finds the account of a business case or means of payment. */
import { without } from 'lodash';

import { plainText } from '../values/plainText';

/** The account fields of a line in the cash book. */
export interface Account {
	gegenkonto: string;
	buSchluessel?: string;
	kostenstelle1?: string;
	kostenstelle2?: string;
}

/** An account for a business case or a group of them; a row with a rate applies only to that rate. */
export interface AccountRow extends Account {
	vorgang: string;
	prozent?: number;
}

/** Groups of business cases and payments that mostly have the same account. */
export const SALES = 'Erloese';
export const NON_CASH = 'UnbareZahlungen';

/** Sales, by rate: also what reduces them. What single-purpose vouchers redeem was taxed when they were sold. */
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
/** Business cases without tax. */
const OTHER_CASES = [
	'ZuschussEcht',
	'TrinkgeldAN',
	'MehrzweckgutscheinKauf',
	'MehrzweckgutscheinEinloesung',
	'Forderungsentstehung',
	'Forderungsaufloesung',
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

const NON_CASH_PAYMENTS = ['ECKarte', 'Kreditkarte', 'ElZahlungsdienstleister', 'Unbar'];
/** A means of payment whose account depends on who has issued it; and "none". */
const OTHER_PAYMENTS = ['Guthabenkarte', 'Keine'];

/** What a register may call a business case, and a means of payment: one isn't the other, and a group is neither. */
export const CASES = [...SALES_CASES, ...PREPAYMENTS, ...OTHER_CASES, DIFFERENCE];
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
	KNOWN.get(plainText(given).replace(/[^a-z]/g, '')) ?? given;

/** Whether the amounts of a business case include tax. */
export const isTaxed = (vorgang: string): boolean => [...SALES_CASES, ...PREPAYMENTS].includes(vorgang);

/**
 * Business case, rate if it matters, and the accounts of SKR03 and SKR04. Payouts and payments into the drawer have none,
 * nor do genuine subsidies and value cards: only the receipt shows what they were for.
 */
const STANDARD: Array<[vorgang: string, prozent: number | undefined, skr03: string, skr04: string]> = [
	[SALES, 19, '8400', '4400'],
	[SALES, 7, '8300', '4300'],
	[SALES, 0, '8100', '4100'],
	['Anzahlungseinstellung', 19, '1718', '3272'],
	['Anzahlungseinstellung', 7, '1711', '3260'],
	['Anzahlungsaufloesung', 19, '1718', '3272'],
	['Anzahlungsaufloesung', 7, '1711', '3260'],
	[NON_CASH, undefined, '1361', '1461'],
	['Geldtransit', undefined, '1360', '1460'],
	['TrinkgeldAN', undefined, '1590', '1370'],
	['MehrzweckgutscheinKauf', undefined, '1700', '3500'],
	['MehrzweckgutscheinEinloesung', undefined, '1700', '3500'],
	['Forderungsentstehung', undefined, '1410', '1210'],
	['Forderungsaufloesung', undefined, '1410', '1210'],
	['Privatentnahme', undefined, '1800', '2100'],
	['Privateinlage', undefined, '1890', '2180'],
	['Lohnzahlung', undefined, '1740', '3720'],
	[SHORTAGE, undefined, '2309', '6969'],
	[SURPLUS, undefined, '2709', '4839'],
];

export const CHARTS: Record<string, readonly AccountRow[]> = {
	SKR03: STANDARD.map(([vorgang, prozent, gegenkonto]) => ({ vorgang, prozent, gegenkonto })),
	SKR04: STANDARD.map(([vorgang, prozent, , gegenkonto]) => ({ vorgang, prozent, gegenkonto })),
};

/**
 * The account for a business case at a rate.
 * @param charts searched one after another: one's own accounts come before those of a chart
 * @param amount decides about a difference
 */
export function accountFor(
	charts: ReadonlyArray<readonly AccountRow[]>,
	given: string,
	rate: number,
	amount: number,
): Account | undefined {
	const vorgang = given === DIFFERENCE ? (amount < 0 ? SHORTAGE : SURPLUS) : given;
	const group = SALES_CASES.includes(vorgang)
		? SALES
		: NON_CASH_PAYMENTS.includes(vorgang)
			? NON_CASH
			: vorgang;
	for (const chart of charts) {
		for (const name of [vorgang, group]) {
			const named = chart.filter((row) => row.vorgang === name);
			const found =
				named.find(({ prozent }) => prozent === rate) ?? named.find(({ prozent }) => prozent === undefined);
			if (found) {
				const { gegenkonto, buSchluessel, kostenstelle1, kostenstelle2 } = found;
				return { gegenkonto, buSchluessel, kostenstelle1, kostenstelle2 };
			}
		}
	}
	return undefined;
}
