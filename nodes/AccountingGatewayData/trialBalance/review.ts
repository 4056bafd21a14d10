/** What an accountant looks at first in a trial balance: a row for each finding. */
import type { IDataObject } from 'n8n-workflow';
import { orderBy } from 'lodash';

import { sameAccountNumber } from '../../shared/answer';
import { choice, number, shownFor } from '../../shared/parameters';
import type { Parameter } from '../../shared/parameters';
import { amountIn, bilingual, both, isObject, parseJson, parseNumber, sum } from '../../shared/values';
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
type Chart = (typeof RANGES_BY_CHART)[keyof typeof RANGES_BY_CHART];
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
	{ kontenrahmen = 'SKR03', kontonummernLaenge: digits = CHART_DIGITS, bankBalances = [] }: Options,
): IDataObject[] {
	const chart: Chart = RANGES_BY_CHART[kontenrahmen];
	/** The number in the standard chart; none of a person's account. */
	const inChart = ({ kontonummer }: IDataObject) => {
		const number = String(kontonummer).padStart(digits, '0');
		return number.length === digits ? Number(number.slice(0, CHART_DIGITS)) : undefined;
	};
	const isIn = (row: IDataObject, [first, last]: readonly [number, number]) => {
		const number = inChart(row);
		return number !== undefined && first <= number && number <= last;
	};
	const saldo = ({ saldoSigned }: IDataObject) => (typeof saldoSigned === 'number' ? saldoSigned : 0);
	const cents = (amount: number) => Math.round(amount * 100);

	const findings: IDataObject[] = [];
	/** @param say the sentence, which writes its amounts with `of` */
	const add = (row: IDataObject, say: (of: (amount: unknown) => string) => Bilingual) => {
		const inLanguage = (language: Language) =>
			say((amount) => amountIn(language, Number(amount), 'EUR'))[language];
		findings.push({ ...row, finding: { ...bilingual(inLanguage) } });
	};
	for (const row of rows.filter((one) => cents(saldo(one)) < 0)) {
		const below = saldo(row);
		if (isIn(row, chart.cash))
			add(row, (of) => both(`Cash is below 0: ${of(below)}`, `Die Kasse ist im Minus: ${of(below)}`));
		if (isIn(row, chart.bank))
			add(row, (of) =>
				both(`The bank account is below 0: ${of(below)}`, `Das Bankkonto ist im Minus: ${of(below)}`),
			);
	}
	const isClearing = (row: IDataObject) => chart.clearing.some((number) => number === inChart(row));
	const isKnown = ({ saldoSigned }: IDataObject) => typeof saldoSigned === 'number';
	for (const row of rows) {
		if (!isKnown(row) && (isIn(row, chart.cash) || isIn(row, chart.bank) || isClearing(row)))
			add(row, () => UNKNOWN_BALANCE);
	}
	for (const row of rows) {
		if (isClearing(row) && cents(saldo(row)) !== 0)
			add(row, (of) =>
				both(
					`The clearing account isn't 0: ${of(saldo(row))}`,
					`Das Verrechnungskonto ist nicht ausgeglichen: ${of(saldo(row))}`,
				),
			);
	}
	for (const { kontonummer, eod } of bankBalances) {
		const own = rows.find((one) => sameAccountNumber(kontonummer, one.kontonummer, one));
		const row = { kontonummer, kontobeschriftung: null, saldoSigned: 0, ...own, eod: eod ?? null };
		if (eod === undefined) {
			add(row, () =>
				both("The bank's own balance couldn't be read", 'Der Saldo der Bank konnte nicht abgerufen werden'),
			);
			continue;
		}
		if (!isKnown(row)) {
			if (!isIn(row, chart.bank)) add(row, () => UNKNOWN_BALANCE);
			continue;
		}
		const difference = sum([saldo(row), 0 - eod]);
		if (cents(difference) !== 0)
			add(row, (of) =>
				both(
					`The books have ${of(saldo(row))}, the bank ${of(eod)}: difference ${of(difference)}`,
					`Buchhaltung ${of(saldo(row))}, Kontoauszug ${of(eod)}: Differenz ${of(difference)}`,
				),
			);
	}
	const changed = rows.filter((row) => inChart(row) !== undefined && cents(Number(row.change ?? 0)) !== 0);
	const largest = orderBy(changed, ({ change }) => Math.abs(change as number), 'desc').slice(0, MOST_CHANGES);
	for (const row of largest)
		add(row, (of) =>
			both(
				`Changed by ${of(row.change)}, from ${of(row.saldoBefore)} to ${of(row.saldoSigned)}`,
				`Veränderung um ${of(row.change)}, von ${of(row.saldoBefore)} auf ${of(row.saldoSigned)}`,
			),
		);
	return findings;
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
