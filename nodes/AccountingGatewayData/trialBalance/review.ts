/** What an accountant looks at first in a trial balance: a row for each finding. */
import type { IDataObject } from 'n8n-workflow';
import { compact, orderBy } from 'lodash';

import { sameAccountNumber } from '../../shared/answer';
import { choice, number, shownFor } from '../../shared/parameters';
import type { Parameter } from '../../shared/parameters';
import {
	amountIn,
	bilingual,
	both,
	centsOf,
	isObject,
	parseJson,
	parseNumber,
	sum,
} from '../../shared/values';
import type { Bilingual, Language } from '../../shared/values';

/** Accounts by their first four digits, from DATEV's standard charts of 2026. */
const RANGES_BY_CHART = {
	SKR03: {
		cash: [1000, 1099],
		bank: [1100, 1299],
		// Geldtransit, durchlaufende Posten
		clearing: [1360, 1590],
	},
	SKR04: {
		cash: [1600, 1699],
		bank: [1700, 1899],
		// Geldtransit, durchlaufende Posten
		clearing: [1460, 1370],
	},
} as const;
const CHART_DIGITS = 4;

/** The outputs with findings: a row for each, or all of them as one text. */
const REVIEWS = ['review', 'reviewText'] as const;
const ofReview = <T>(parameter: Parameter<T>) => shownFor('output', REVIEWS, parameter);

export const kontenrahmen = ofReview(
	choice({
		displayName: 'Standard Chart (SKR)',
		description: 'Where cash, bank and clearing accounts are (kontenrahmen, Kontenrahmen)',
		choices: [
			{ name: 'SKR03', value: 'SKR03' },
			{ name: 'SKR04', value: 'SKR04' },
		],
		default: 'SKR03',
	}),
);

export const kontonummernLaenge = ofReview(
	number({
		displayName: 'Account Number Length (Sachkontenlänge)',
		description: 'Digits of the accounts without persons (kontonummernLaenge, Sachkontenlänge)',
		default: CHART_DIGITS,
		min: CHART_DIGITS,
		max: 8,
		integer: true,
	}),
);

/** The bank's own balance of an account; `undefined` if it couldn't be read. */
interface BankBalance {
	kontonummer: string;
	eod?: number;
}

const BALANCES = both(
	'must be a list such as [{"kontonummer": "1200", "eod": 815.5}]',
	'muss eine Liste sein wie [{"kontonummer": "1200", "eod": 815.5}]',
);

export const bankBalances: Parameter<BankBalance[] | undefined> = {
	property: {
		displayName: 'Bank Balances',
		type: 'json',
		default: '[]',
		description:
			'For the findings: the balances that the bank has (eod of Balance: Get Many), by account, to be compared with the books (Kontoauszug)',
		placeholder: 'e.g. [{"kontonummer": "1200", "eod": 815.5}]',
	},
	read(given, place) {
		if (given === undefined) return undefined;
		const list = typeof given === 'string' ? parseJson(given || '[]')?.value : given;
		if (!Array.isArray(list)) return place.addIssue(BALANCES, given);
		const balances = list.map((entry: unknown): BankBalance | undefined => {
			const { kontonummer, eod } = isObject(entry) ? entry : {};
			if (typeof kontonummer !== 'string' && typeof kontonummer !== 'number') return undefined;
			const parsed = parseNumber(eod);
			return { kontonummer: String(kontonummer), eod: 'value' in parsed ? parsed.value : undefined };
		});
		const known = balances.filter((one) => one !== undefined);
		return known.length === balances.length ? known : place.addIssue(BALANCES, given);
	},
};

export const REVIEW_COLUMNS = [
	'kontonummer',
	'kontobeschriftung',
	'finding',
	'saldoSigned',
	'saldoBefore',
	'change',
	'eod',
] as const;

/** An account whose periods don't tell its balance, or whose amount has no side, isn't at 0. */
const UNKNOWN_BALANCE = both(
	"The books don't tell the balance",
	'Der Saldo der Buchhaltung ist nicht bekannt',
);

/** The most accounts whose change is named. */
const MOST_CHANGES = 5;

interface Options {
	kontenrahmen?: keyof typeof RANGES_BY_CHART;
	kontonummernLaenge?: number;
	bankBalances?: BankBalance[];
}

/** The findings about the rows of a trial balance, the most urgent first. */
export function reviewOf(
	rows: IDataObject[],
	{ kontenrahmen = 'SKR03', kontonummernLaenge = CHART_DIGITS, bankBalances = [] }: Options,
): IDataObject[] {
	const chart = chartOf(kontenrahmen, kontonummernLaenge);
	return [
		...belowZero(rows, chart),
		...unknownBalances(rows, chart),
		...notCleared(rows, chart),
		...compact(bankBalances.map((own) => unlikeBank(rows, chart, own))),
		...largestChanges(rows, chart),
	];
}

/** Which rows are of the chart's accounts; those of persons are none. */
function chartOf(name: keyof typeof RANGES_BY_CHART, digits: number) {
	const { cash, bank, clearing } = RANGES_BY_CHART[name];
	/** The number in the standard chart. */
	const numberOf = ({ kontonummer }: IDataObject) => {
		const number = String(kontonummer).padStart(digits, '0');
		return number.length === digits ? Number(number.slice(0, CHART_DIGITS)) : undefined;
	};
	const isIn = (row: IDataObject, [first, last]: readonly [number, number]) => {
		const number = numberOf(row);
		return number !== undefined && first <= number && number <= last;
	};
	return {
		has: (row: IDataObject) => numberOf(row) !== undefined,
		isCash: (row: IDataObject) => isIn(row, cash),
		isBank: (row: IDataObject) => isIn(row, bank),
		isClearing: (row: IDataObject) => clearing.some((number) => number === numberOf(row)),
	};
}
type Chart = ReturnType<typeof chartOf>;

/** @param say the sentence, which writes its amounts with `of` */
function finding(row: IDataObject, say: (of: (amount: unknown) => string) => Bilingual): IDataObject {
	const inLanguage = (language: Language) =>
		say((amount) => amountIn(language, Number(amount), 'EUR'))[language];
	return { ...row, finding: { ...bilingual(inLanguage) } };
}

const isKnown = ({ saldoSigned }: IDataObject) => typeof saldoSigned === 'number';
const saldo = ({ saldoSigned }: IDataObject) => (typeof saldoSigned === 'number' ? saldoSigned : 0);

const belowZero = (rows: IDataObject[], chart: Chart): IDataObject[] =>
	rows
		.filter((row) => centsOf(saldo(row)) < 0 && (chart.isCash(row) || chart.isBank(row)))
		.map((row) =>
			finding(row, (of) =>
				chart.isCash(row)
					? both(`Cash is below 0: ${of(saldo(row))}`, `Die Kasse ist im Minus: ${of(saldo(row))}`)
					: both(
							`The bank account is below 0: ${of(saldo(row))}`,
							`Das Bankkonto ist im Minus: ${of(saldo(row))}`,
						),
			),
		);

const unknownBalances = (rows: IDataObject[], chart: Chart): IDataObject[] =>
	rows
		.filter((row) => !isKnown(row) && (chart.isCash(row) || chart.isBank(row) || chart.isClearing(row)))
		.map((row) => finding(row, () => UNKNOWN_BALANCE));

const notCleared = (rows: IDataObject[], chart: Chart): IDataObject[] =>
	rows
		.filter((row) => chart.isClearing(row) && centsOf(saldo(row)) !== 0)
		.map((row) =>
			finding(row, (of) =>
				both(
					`The clearing account isn't 0: ${of(saldo(row))}`,
					`Das Verrechnungskonto ist nicht ausgeglichen: ${of(saldo(row))}`,
				),
			),
		);

/** What the books and the bank say of an account, if it isn't the same. */
function unlikeBank(
	rows: IDataObject[],
	chart: Chart,
	{ kontonummer, eod }: BankBalance,
): IDataObject | undefined {
	const own = rows.find((one) => sameAccountNumber(kontonummer, one.kontonummer, one));
	const row = { kontonummer, kontobeschriftung: null, saldoSigned: 0, ...own, eod: eod ?? null };
	if (eod === undefined)
		return finding(row, () =>
			both("The bank's own balance couldn't be read", 'Der Saldo der Bank konnte nicht abgerufen werden'),
		);
	// Of a bank account, it is a finding already.
	if (!isKnown(row)) return chart.isBank(row) ? undefined : finding(row, () => UNKNOWN_BALANCE);
	const difference = sum([saldo(row), 0 - eod]);
	if (centsOf(difference) === 0) return undefined;
	return finding(row, (of) =>
		both(
			`The books have ${of(saldo(row))}, the bank ${of(eod)}: difference ${of(difference)}`,
			`Buchhaltung ${of(saldo(row))}, Kontoauszug ${of(eod)}: Differenz ${of(difference)}`,
		),
	);
}

function largestChanges(rows: IDataObject[], chart: Chart): IDataObject[] {
	const changed = rows.filter((row) => chart.has(row) && centsOf(Number(row.change ?? 0)) !== 0);
	const largest = orderBy(changed, ({ change }) => Math.abs(change as number), 'desc').slice(0, MOST_CHANGES);
	return largest.map((row) =>
		finding(row, (of) =>
			both(
				`Changed by ${of(row.change)}, from ${of(row.saldoBefore)} to ${of(row.saldoSigned)}`,
				`Veränderung um ${of(row.change)}, von ${of(row.saldoBefore)} auf ${of(row.saldoSigned)}`,
			),
		),
	);
}

export const REVIEW_TEXT_COLUMNS = ['findings', 'text'] as const;

/** All findings in one record, a line for each. */
export const reviewText = (findings: IDataObject[]): IDataObject => ({
	findings: findings.length,
	text: {
		...bilingual((language) => {
			const lines = findings.map(({ kontonummer, kontobeschriftung, finding }) => {
				const name = [kontonummer, kontobeschriftung].filter(Boolean).join(' ');
				// A finding has both languages; n8n's type of an item's data doesn't say so.
				return `${name}: ${(finding as unknown as Bilingual)[language]}`;
			});
			if (lines.length > 0) return lines.join('\n');
			return language === 'en' ? 'Nothing stands out' : 'Keine Auffälligkeiten';
		}),
	},
});
