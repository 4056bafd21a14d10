import type { IDataObject } from 'n8n-workflow';
import { map, omit, pick, reject, uniq } from 'lodash';
import { DateTime } from 'luxon';

import { defineRead } from '../../shared/operation';
import { additionalFields, locator, needing, text } from '../../shared/parameters';
import { germanHeadings, output } from '../../shared/form';
import { PRESENT, isEmptyList, listOf, recordsOf, rowsOf, warningAbout } from '../../shared/answer';
import { sameAccountNumber } from '../account/number';
import { accountsOf } from '../account/list';
import { explainFixedCompany } from '../exportSubscription';
import { yearQuery } from '../parameters';
import { AMOUNTS, asText, signed, signedAmount } from '../signed';
import { askForChart } from '../fiscalYear/chart';
import {
	accountsBefore,
	compareWith,
	compared,
	comparisonGaps,
	isCompared,
	needsYearBefore,
} from './compareWith';
import { asOf, bisPeriode, connectionId, periodOf, yearAsOf } from './asOf';
import {
	REVIEW_COLUMNS,
	REVIEW_TEXT_COLUMNS,
	REVIEWS,
	bankBalances,
	clearingAccounts,
	isReview,
	reviewOf,
	reviewText,
} from './review';
import { isPeriod, notTold, upToPeriod } from './upToPeriod';
import { bilingual, both, dayIn } from '../../shared/values';
import type { Bilingual } from '../../shared/values';

/** The accounts of the fiscal year that the balances are of. */
const accounts = accountsOf('searchAccounts', { connectionId, geschaeftsjahrStartDatum: yearAsOf });

const ACCOUNT_BALANCES = listOf({
	name: both('accounts', 'der Konten'),
	fields: {
		kontonummer: sameAccountNumber,
		kontobeschriftung: PRESENT,
		saldo: PRESENT,
		ebWert: PRESENT,
		umsatzSoll: PRESENT,
		umsatzHaben: PRESENT,
	},
});

/** `listTrialBalance` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get trial balance (SuSa)',
	description:
		'Get the trial balance at the end of a fiscal year or month (SuSa, Summen- und Saldenliste, Monat), always of the default company of the connection',
	endpoint: 'GET /v2/acct-rewe-read/susa',
	parameters: {
		connectionId,
		asOf,
		geschaeftsjahrStartDatum: yearAsOf,
		bisPeriode,
		output: output([
			['accounts', 'Accounts', 'One item per account'],
			['periods', 'Periods', 'One item per account and period (Periode)'],
			[
				'review',
				'Findings',
				'One item per thing to look at first: cash or bank below 0, clearing accounts that are not 0, a bank that has another balance, and beside Compare With the largest changes (Durchsicht)',
			],
			['reviewText', 'Findings as Text', 'All of these in one item, a line each, e.g. for an e-mail'],
		]),
		compareWith,
		additionalFields: additionalFields({
			kontonummer: needing(
				{ '/output': { not: REVIEWS } },
				locator(
					text({
						displayName: 'Account',
						description: 'Only this account (kontonummer, Konto)',
						placeholder: 'e.g. 1000',
					}),
					{ list: accounts, by: 'By Number' },
				),
			),
			bankBalances,
			clearingAccounts,
		}),
	},
	options: { germanHeadings },
	singleOutputs: ['reviewText'],
	check({ geschaeftsjahrStartDatum, ...values }, addIssue) {
		const period = periodOf(values);
		if (values.compareWith === 'monthBefore' && period === undefined) {
			const rule = both(
				'needs a month: choose "End of Last Month" or "End of a Month (Period)" in As Of',
				'braucht einen Monat: Wählen Sie bei „As Of“ das Ende des letzten oder eines anderen Monats',
			);
			addIssue('compareWith', values.compareWith, rule);
		}
		const isCalendarYear = geschaeftsjahrStartDatum?.slice(5, 7) === '01';
		if (period === undefined || geschaeftsjahrStartDatum === undefined || isCalendarYear) return;
		const isLastMonth = typeof values.asOf === 'number';
		addIssue(
			isLastMonth ? 'asOf' : 'bisPeriode',
			isLastMonth ? 'lastMonth' : period,
			both(
				`is ambiguous in a fiscal year that begins on ${geschaeftsjahrStartDatum}: periods may be numbered like the months, or counted from the first one. Choose the end of the fiscal year, and the periods in the output "Periods"`,
				`ist in einem Geschäftsjahr, das am ${dayIn('de', geschaeftsjahrStartDatum)} beginnt, mehrdeutig: Die Perioden können wie die Monate oder ab der ersten gezählt sein. Wählen Sie das Ende des Geschäftsjahrs und die Ausgabe „Periods“`,
			),
		);
	},
	async lookUp(ask, values) {
		const isWanted = isCompared(values) || isReview(values.output);
		const isBeforeNeeded = needsYearBefore(values, periodOf(values));
		return {
			chart: isWanted ? await askForChart(ask, values) : undefined,
			accountsBefore: isBeforeNeeded ? await accountsBefore(ask, values) : undefined,
		};
	},
	request: (values) => ({
		query: { ...yearQuery(values), kontonummer: values.additionalFields.kontonummer },
	}),
	readFrom: ({ geschaeftsjahrStartDatum, output, ...values }) => ({
		time: timeOf(geschaeftsjahrStartDatum, periodOf(values), output),
	}),
	explain: explainFixedCompany,
	expects: ACCOUNT_BALANCES,
	mustAgree: ({ query: { kontonummer } }) => ({ kontonummer }),
	omissions(answer, { output, ...values }) {
		const accounts = recordsOf(answer);
		const period = periodOf(values);
		if (output === 'periods') {
			const { rows, unclear } = periodsOf(accounts, period);
			return [withoutPeriods(accounts), withoutSign(rows), withoutBalance(unclear)];
		}
		return [
			...(isCompared(values) ? comparisonGaps(values, period, rowsAt(accounts, period, values)) : []),
			withoutSign(accounts),
			withoutBalance(period ? upToPeriod(accounts, period).unclear : []),
		];
	},
	columns({ output, ...values }) {
		if (output === 'periods') return PERIOD_COLUMNS;
		if (output === 'review') return REVIEW_COLUMNS;
		if (output === 'reviewText') return REVIEW_TEXT_COLUMNS;
		const isOfYear = periodOf(values) === undefined;
		if (!isCompared(values)) return isOfYear ? ACCOUNT_COLUMNS : UP_TO_PERIOD_COLUMNS;
		return isOfYear ? [...ACCOUNT_COLUMNS, 'saldoBefore', 'change'] : COMPARED_COLUMNS;
	},
	records(answer, { output, ...values }) {
		const period = periodOf(values);
		const accounts = recordsOf(answer);
		if (output === 'periods') return periodsOf(accounts, period).rows.map(signed);
		const rows = rowsAt(accounts, period, values);
		if (!isReview(output)) return rows;
		const findings = reviewOf(rows, { ...values.additionalFields, chart: values.chart! });
		return output === 'review' ? findings : [reviewText(findings)];
	},
});

function timeOf(firstDay: string, period?: number, output?: string): Bilingual {
	const year = both(`the fiscal year from ${firstDay}`, `des Geschäftsjahres ab ${dayIn('de', firstDay)}`);
	if (output === 'periods')
		return both(
			`periods ${period === undefined ? '' : `up to ${period} `}of ${year.en}`,
			`Perioden ${period === undefined ? '' : `bis ${period} `}${year.de}`,
		);
	if (period === undefined)
		return both(`balances of all that is booked in ${year.en}`, `Salden aus allen Buchungen ${year.de}`);
	// A period is accepted only if the fiscal year begins in January, so that its number is the month's.
	const month = bilingual((locale) => {
		const { isValid, monthLong } = DateTime.fromObject({ month: period }, { locale });
		return isValid ? ` (${monthLong})` : '';
	});
	return both(
		`balances at the end of period ${period}${month.en} of ${year.en}, without debit and credit turnover (umsatzSoll, umsatzHaben) where a later period has a value`,
		`Salden am Ende der Periode ${period}${month.de} ${year.de}, ohne Umsatz in Soll und Haben (umsatzSoll, umsatzHaben), wo eine spätere Periode einen Wert hat`,
	);
}

const ACCOUNT_COLUMNS = [
	'kontonummer',
	'kontobeschriftung',
	'ebWertSigned',
	'umsatzSoll',
	'umsatzHaben',
	'saldoSigned',
];
const UP_TO_PERIOD_COLUMNS = [
	'kontonummer',
	'kontobeschriftung',
	'periode',
	'ebWertSigned',
	'umsatzSoll',
	'umsatzHaben',
	'umsatzSigned',
	'saldoSigned',
];
/** Both pairs: the balances, and the movements of the month. */
const COMPARED_COLUMNS = [
	'kontonummer',
	'kontobeschriftung',
	'periode',
	'ebWertSigned',
	'umsatzSigned',
	'saldoSigned',
	'saldoBefore',
	'movement',
	'movementBefore',
	'change',
];
const PERIOD_COLUMNS = ['kontonummer', 'kontobeschriftung', 'periode', 'saldoSigned'];

/** A row for each account, at the end of a period or of the year, compared with another time if that is wanted. */
function rowsAt(
	accounts: IDataObject[],
	period: number | undefined,
	values: Parameters<typeof compared>[3],
): IDataObject[] {
	const own =
		period === undefined
			? accounts.map((account) => signed(omit(account, 'periodenwerte')))
			: upToPeriod(accounts, period).rows;
	return isCompared(values) ? compared(own, accounts, period, values) : own;
}

/** A row for each period, up to the last one that counts. @returns also the accounts whose periods tell nothing */
function periodsOf(accounts: IDataObject[], last?: number): { rows: IDataObject[]; unclear: string[] } {
	// Balance and turnover of the whole year would look like those of the period.
	const keys = ['kontonummer', 'kontobeschriftung', 'periodenwerte'];
	const rows = rowsOf(
		accounts.map((account) => pick(account, keys)),
		'periodenwerte',
	);
	if (last === undefined) return { rows, unclear: [] };
	const unclear = uniq(
		map(
			reject(rows, ({ periode }) => isPeriod(periode)),
			'kontonummer',
		),
	).map(String);
	const known = rows.filter(({ kontonummer }) => !unclear.includes(String(kontonummer)));
	if (unclear.length > 0 && known.length === 0) throw notTold(unclear, last);
	return { rows: known.filter(({ periode }) => Number(periode) <= last), unclear };
}

const withoutBalance = (accounts: string[]) =>
	warningAbout(accounts, {
		en: 'accounts whose periods don’t tell the balance at that time, which is therefore missing (the output "Periods" at the end of the fiscal year shows them):',
		de: 'Konten, deren Perioden den Saldo zu dieser Zeit nicht verraten, sodass er fehlt (die Ausgabe „Periods“ zum Ende des Geschäftsjahrs zeigt sie):',
	});

/** Rows with amounts that are no number, or on an unknown side, like "H", whose sign isn't guessed. */
function withoutSign(rows: IDataObject[]): Bilingual | undefined {
	const strange = rows.flatMap((row) =>
		AMOUNTS.flatMap((name) => {
			const { [name]: amount, kontonummer, periode } = row;
			if (amount === null || amount === undefined || signedAmount(amount) !== undefined) return [];
			const where = name === 'saldo' && periode !== undefined ? `, periode ${String(periode)}` : '';
			return [`${String(kontonummer)} (${name}${where}, ${asText(amount)})`];
		}),
	);
	return warningAbout(strange, {
		en: 'amounts without a readable number or a side (SOLL or HABEN) have no sign; the row shows them as text:',
		de: 'Beträge ohne lesbare Zahl oder Seite (SOLL oder HABEN) haben kein Vorzeichen; die Zeile zeigt sie als Text:',
	});
}

/** Accounts with a balance or turnover that can't become rows. */
function withoutPeriods(accounts: IDataObject[]): Bilingual | undefined {
	const numbers = accounts.flatMap(({ kontonummer, periodenwerte, saldo, umsatzSoll, umsatzHaben }) => {
		const { betrag } = Object(saldo) as { betrag?: unknown };
		const isEmpty = ![betrag, umsatzSoll, umsatzHaben].some((amount) => Boolean(Number(amount)));
		return isEmptyList(periodenwerte) && !isEmpty ? [String(kontonummer)] : [];
	});
	return warningAbout(numbers, {
		en: 'accounts with a balance, but without periods, have no row (Output "Accounts" has them):',
		de: 'Konten mit Saldo, aber ohne Perioden, haben keine Zeile (die Ausgabe „Accounts“ hat sie):',
	});
}
