/** Finds the account of a business case or means of payment. */
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

/** What an account can be given for. */
export const ACCOUNTED = [
	SALES,
	NON_CASH,
	...[
		...SALES_CASES,
		...PREPAYMENTS,
		...OTHER_CASES,
		SHORTAGE,
		SURPLUS,
		...NON_CASH_PAYMENTS,
		...OTHER_PAYMENTS,
	].sort(),
];

const KNOWN = new Map([...ACCOUNTED, DIFFERENCE, OPENING, IN_CASH].map((name) => [name.toLowerCase(), name]));

/** The official name of a business case or means of payment, whatever its case and umlauts; as given where there is none. */
export const officialName = (given: string): string =>
	KNOWN.get(plainText(given).replace(/[^a-z]/g, '')) ?? given;

/** Whether the amounts of a business case include tax. */
export const isTaxed = (vorgang: string): boolean => [...SALES_CASES, ...PREPAYMENTS].includes(vorgang);

const rows = (accounts: Record<string, string>, prozent?: number): AccountRow[] =>
	Object.entries(accounts).map(([vorgang, gegenkonto]) => ({ vorgang, gegenkonto, prozent }));

/**
 * The accounts by standard chart. Payouts and payments into the drawer have none, nor do genuine subsidies and value
 * cards: only the receipt shows what they were for.
 */
export const CHARTS: Record<string, readonly AccountRow[]> = {
	SKR03: [
		...rows({ [SALES]: '8400', Anzahlungseinstellung: '1718', Anzahlungsaufloesung: '1718' }, 19),
		...rows({ [SALES]: '8300', Anzahlungseinstellung: '1711', Anzahlungsaufloesung: '1711' }, 7),
		...rows({ [SALES]: '8100' }, 0),
		...rows({
			[NON_CASH]: '1361',
			Geldtransit: '1360',
			TrinkgeldAN: '1590',
			MehrzweckgutscheinKauf: '1700',
			MehrzweckgutscheinEinloesung: '1700',
			Forderungsentstehung: '1410',
			Forderungsaufloesung: '1410',
			Privatentnahme: '1800',
			Privateinlage: '1890',
			Lohnzahlung: '1740',
			[SHORTAGE]: '2309',
			[SURPLUS]: '2709',
		}),
	],
	SKR04: [
		...rows({ [SALES]: '4400', Anzahlungseinstellung: '3272', Anzahlungsaufloesung: '3272' }, 19),
		...rows({ [SALES]: '4300', Anzahlungseinstellung: '3260', Anzahlungsaufloesung: '3260' }, 7),
		...rows({ [SALES]: '4100' }, 0),
		...rows({
			[NON_CASH]: '1461',
			Geldtransit: '1460',
			TrinkgeldAN: '1370',
			MehrzweckgutscheinKauf: '3500',
			MehrzweckgutscheinEinloesung: '3500',
			Forderungsentstehung: '1210',
			Forderungsaufloesung: '1210',
			Privatentnahme: '2100',
			Privateinlage: '2180',
			Lohnzahlung: '3720',
			[SHORTAGE]: '6969',
			[SURPLUS]: '4839',
		}),
	],
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
