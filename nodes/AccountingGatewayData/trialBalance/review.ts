/** What an accountant looks at first in a trial balance: a row for each finding. */
import type { IDataObject } from 'n8n-workflow';
import { compact, orderBy, reject } from 'lodash';

import { sameAccountNumber } from '../account/number';
import { clean, needing, ofSimplified, text } from '../../shared/parameters';
import type { Parameter } from '../../shared/parameters';
import {
	amountIn,
	bilingual,
	both,
	centsOf,
	isObject,
	listed,
	parseJson,
	parseNumber,
	sum,
} from '../../shared/values';
import type { Bilingual, Language } from '../../shared/values';
import { isDebtor } from '../openItem/report';
import type { Chart, FoundChart } from '../fiscalYear/chart';
import { withoutChange } from './compareWith';

/** The outputs with findings: a row for each, or all of them as one text. */
export const REVIEWS = ['review', 'reviewText'] as const;
/** A field that only the findings use. */
const ofReview = <T>(parameter: Parameter<T>) =>
	ofSimplified(needing({ '/output': { values: REVIEWS } }, parameter), true);
export const isReview = (output: string | undefined): boolean => REVIEWS.some((one) => one === output);

/** The bank's own balance of an account; `undefined` if it couldn't be read. */
interface BankBalance {
	kontonummer: string;
	eod?: number;
}

const BALANCES = both(
	'must be a list such as [{"kontonummer": "1200", "eod": 815.5}]',
	'muss eine Liste sein wie [{"kontonummer": "1200", "eod": 815.5}]',
);

export const bankBalances = ofReview<BankBalance[] | undefined>({
	property: {
		displayName: 'Bank Balances',
		type: 'json',
		default: '[]',
		description:
			'The balances that the bank has (eod of Balance: Get Many), by account, to be compared with the books (Kontoauszug)',
		placeholder: 'e.g. [{"kontonummer": "1200", "eod": 815.5}]',
	},
	read(given, place) {
		if (given === undefined) return undefined;
		const list = typeof given === 'string' ? parseJson(given || '[]')?.value : given;
		if (!Array.isArray(list)) return place.addIssue(BALANCES, given);
		const balances = list.map((row: unknown): BankBalance | undefined => {
			const { kontonummer, eod } = isObject(row) ? row : {};
			if (typeof kontonummer !== 'string' && typeof kontonummer !== 'number') return undefined;
			const parsed = parseNumber(eod);
			return { kontonummer: String(kontonummer), eod: 'value' in parsed ? parsed.value : undefined };
		});
		const known = balances.filter((one) => one !== undefined);
		return known.length === balances.length ? known : place.addIssue(BALANCES, given);
	},
});

const CLEARING = both(
	'must be account numbers, e.g. 1362, 1371',
	'müssen Kontonummern sein, etwa 1362, 1371',
);
const MOST_OWN = 50;

export const clearingAccounts = ofReview<string[] | undefined>({
	property: text({
		displayName: 'Own Clearing Accounts (Eigene Verrechnungskonten)',
		description:
			'Your own accounts that have to be 0 (clearingAccounts), besides those of the chart, separated by commas',
		placeholder: 'e.g. 1362, 1371',
	}).property,
	read(given, place) {
		const numbers = compact(String(clean(given) ?? '').split(/[,;\s]+/));
		if (numbers.length === 0) return undefined;
		return numbers.length <= MOST_OWN && numbers.every((one) => /^\d{1,9}$/.test(one))
			? numbers
			: place.addIssue(CLEARING, given);
	},
});

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
	chart: FoundChart;
	bankBalances?: BankBalance[];
	clearingAccounts?: string[];
}

/** The findings about the rows of a trial balance, the most urgent first. */
export function reviewOf(
	rows: IDataObject[],
	{ chart: found, bankBalances = [], clearingAccounts = [] }: Options,
): IDataObject[] {
	const chart = 'chart' in found ? found.chart : undefined;
	const isOwn = ({ kontonummer }: IDataObject) =>
		clearingAccounts.some((one) => sameAccountNumber(one, kontonummer, {}));
	return [
		...unchecked(rows, found),
		...(chart ? belowZero(rows, chart) : []),
		...(chart ? unknownBalances(rows, chart, isOwn) : []),
		...notCleared(rows, (row) => isOwn(row) || Boolean(chart?.isClearing(row))),
		...compact(bankBalances.map((own) => unlikeBank(rows, chart, own))),
		...(chart ? onTheOtherSide(rows, chart) : []),
		...(chart ? largestChanges(rows, chart) : []),
		...(chart ? unknownChanges(rows, chart) : []),
	];
}

const OF_NO_ACCOUNT = { kontonummer: null, kontobeschriftung: null };

/** That nobody looked at cash and bank: without accounts of the books' own chart, silence would say that all is well. */
function unchecked(rows: IDataObject[], found: FoundChart): IDataObject[] {
	if ('unknown' in found)
		return [
			finding(OF_NO_ACCOUNT, () =>
				both(
					`Cash, bank, clearing accounts, customers, suppliers and changes weren't checked: ${found.unknown.en}`,
					`Kasse, Bank, Verrechnungskonten, Personenkonten und Veränderungen wurden nicht geprüft: ${found.unknown.de}`,
				),
			),
		];
	const { name, isCash, isBank } = found.chart;
	if (rows.some((row) => isCash(row) || isBank(row))) return [];
	return [
		finding(OF_NO_ACCOUNT, () =>
			both(
				`No cash or bank account of the chart (${name.en}) is among the accounts: neither was checked`,
				`Kein Kassen- oder Bankkonto des Kontenrahmens (${name.de}) ist unter den Konten: Beides wurde nicht geprüft`,
			),
		),
	];
}

/** @param say the sentence, which writes its amounts with `of` */
function finding(row: IDataObject, say: (of: (amount: unknown) => string) => Bilingual): IDataObject {
	const inLanguage = (language: Language) =>
		say((amount) => amountIn(language, Number(amount), 'EUR'))[language];
	return { ...row, finding: { ...bilingual(inLanguage) } };
}

type IsOf = (row: IDataObject) => boolean;
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

const unknownBalances = (rows: IDataObject[], chart: Chart, isOwn: IsOf): IDataObject[] =>
	rows
		.filter(
			(row) =>
				!isKnown(row) && (chart.isCash(row) || chart.isBank(row) || chart.isClearing(row) || isOwn(row)),
		)
		.map((row) => finding(row, () => UNKNOWN_BALANCE));

const notCleared = (rows: IDataObject[], isClearing: IsOf): IDataObject[] =>
	rows
		.filter((row) => isClearing(row) && centsOf(saldo(row)) !== 0)
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
	chart: Chart | undefined,
	{ kontonummer, eod }: BankBalance,
): IDataObject | undefined {
	const own = rows.find((one) => sameAccountNumber(kontonummer, one.kontonummer, one));
	const row = { kontonummer, kontobeschriftung: null, saldoSigned: 0, ...own, eod: eod ?? null };
	if (eod === undefined)
		return finding(row, () =>
			both("The bank's own balance couldn't be read", 'Der Saldo der Bank konnte nicht abgerufen werden'),
		);
	// Of a bank account, it is a finding already.
	if (!isKnown(row)) return chart?.isBank(row) ? undefined : finding(row, () => UNKNOWN_BALANCE);
	const difference = sum([saldo(row), 0 - eod]);
	if (centsOf(difference) === 0) return undefined;
	return finding(row, (of) =>
		both(
			`The books have ${of(saldo(row))}, the bank ${of(eod)}: difference ${of(difference)}`,
			`Buchhaltung ${of(saldo(row))}, Kontoauszug ${of(eod)}: Differenz ${of(difference)}`,
		),
	);
}

const MOST_PERSONS = 10;

/** Customers in credit and suppliers in debit, the largest first: overpaid, credited, or booked on the wrong account. */
function onTheOtherSide(rows: IDataObject[], chart: Chart): IDataObject[] {
	const isOnTheOtherSide = (row: IDataObject) =>
		centsOf(saldo(row)) !== 0 && isDebtor({ kontonummer: row.kontonummer }) === saldo(row) < 0;
	const found = orderBy(
		rows.filter((row) => chart.isOfPerson(row) && isOnTheOtherSide(row)),
		(row) => Math.abs(saldo(row)),
		'desc',
	);
	const named = found
		.slice(0, MOST_PERSONS)
		.map((row) =>
			finding(row, (of) =>
				saldo(row) < 0
					? both(
							`The customer is in credit: ${of(saldo(row))}`,
							`Der Kunde hat ein Guthaben: ${of(saldo(row))}`,
						)
					: both(
							`The supplier is in debit: ${of(saldo(row))}`,
							`Der Lieferant steht im Soll: ${of(saldo(row))}`,
						),
			),
		);
	const others = found.slice(MOST_PERSONS);
	if (others.length === 0) return named;
	const total = sum(others.map((row) => Math.abs(saldo(row))));
	return [
		...named,
		finding(OF_NO_ACCOUNT, (of) =>
			both(
				`${others.length} more customers in credit or suppliers in debit, ${of(total)} in all`,
				`${others.length} weitere Kunden mit Guthaben oder Lieferanten im Soll, zusammen ${of(total)}`,
			),
		),
	];
}

/** Of income and expense accounts, the month against the month: their balances only add up. */
function largestChanges(rows: IDataObject[], chart: Chart): IDataObject[] {
	const changed = rows.filter((row) => !chart.isOfPerson(row) && centsOf(Number(row.change ?? 0)) !== 0);
	const largest = orderBy(changed, ({ change }) => Math.abs(change as number), 'desc').slice(0, MOST_CHANGES);
	return largest.map((row) =>
		finding(row, (of) =>
			chart.isOfResult(row) && row.movement !== undefined
				? both(
						`${of(row.movement)} in the month, ${of(row.movementBefore)} before: changed by ${of(row.change)}`,
						`Im Monat ${of(row.movement)}, davor ${of(row.movementBefore)}: Veränderung um ${of(row.change)}`,
					)
				: both(
						`Changed by ${of(row.change)}, from ${of(row.saldoBefore)} to ${of(row.saldoSigned)}`,
						`Veränderung um ${of(row.change)}, von ${of(row.saldoBefore)} auf ${of(row.saldoSigned)}`,
					),
		),
	);
}

/** That silence about a change isn't that there was none. */
function unknownChanges(rows: IDataObject[], chart: Chart): IDataObject[] {
	const accounts = withoutChange(reject(rows, (row) => chart.isOfPerson(row)));
	if (accounts.length === 0) return [];
	return [
		finding(OF_NO_ACCOUNT, () =>
			both(
				`How these accounts changed isn't known: ${listed(accounts, 'en')}`,
				`Wie sich diese Konten verändert haben, ist nicht bekannt: ${listed(accounts, 'de')}`,
			),
		),
	];
}

/** How its reader tells the sides apart. */
const SIGNS = both('Credit is negative.', 'Haben ist negativ.');

export const REVIEW_TEXT_COLUMNS = ['findings', 'text'] as const;

/** All findings in one record, a line for each. */
export const reviewText = (findings: IDataObject[]): IDataObject => ({
	findings: findings.length,
	text: {
		...bilingual((language) => {
			const lines = findings.map(({ kontonummer, kontobeschriftung, finding }) => {
				const name = [kontonummer, kontobeschriftung].filter(Boolean).join(' ');
				// A finding has both languages; n8n's type of an item's data doesn't say so.
				return compact([name, (finding as unknown as Bilingual)[language]]).join(': ');
			});
			if (lines.length > 0) return [...lines, SIGNS[language]].join('\n');
			return language === 'en' ? 'Nothing stands out' : 'Keine Auffälligkeiten';
		}),
	},
});
