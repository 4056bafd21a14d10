import type { IDataObject } from 'n8n-workflow';
import { omit, pick } from 'lodash';

import { defineRead } from '../../shared/operation';
import { additionalFields } from '../../shared/parameters/collection';
import { defineList } from '../../shared/parameters/list';
import { locator } from '../../shared/parameters/locator';
import { output } from '../../shared/form/options';
import { number } from '../../shared/parameters/number';
import { text } from '../../shared/parameters/text';
import { gatewayRequest } from '../../shared/gateway/request';
import { isEmptyList, recordsOf, rowsOf } from '../../shared/gateway/records';
import { sameAccountNumber } from '../../shared/gateway/same';
import { listed, SHOWN, strangeEntries, verifyList } from '../../shared/gateway/verify';
import type { RecordKind } from '../../shared/gateway/verify';
import { explainFixedCompany, yearParameters, yearQuery } from '../parameters';
import { AMOUNTS, signed, signedAmount } from './signed';
import { LAST_PERIOD, upToPeriod } from './upToPeriod';

/** The accounts of the chosen fiscal year. */
const accounts = defineList({
	name: 'searchAccounts',
	of: yearParameters({ takesCompany: false }),
	request: (values) =>
		gatewayRequest('GET /v2/acct-rewe-read/kontenplan', { query: yearQuery(values) }, explainFixedCompany()),
	value: ['kontonummer'],
	reads: ({ kontobeschriftung }, number) => [number, kontobeschriftung].filter(Boolean).join(' '),
});

const ACCOUNTS: RecordKind = {
	name: 'accounts',
	fields: {
		kontonummer: sameAccountNumber,
		kontobeschriftung: SHOWN,
		saldo: SHOWN,
		ebWert: SHOWN,
		umsatzSoll: SHOWN,
		umsatzHaben: SHOWN,
	},
};

/** `listTrialBalance` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get trial balance (SuSa)',
	description:
		'Get the trial balance of a fiscal year (SuSa, Summen- und Saldenliste), always of the default company of the connection',
	endpoint: 'GET /v2/acct-rewe-read/susa',
	parameters: {
		...yearParameters({ takesCompany: false }),
		output: output([
			['accounts', 'Accounts', 'One item per account'],
			['periods', 'Periods', 'One item per account and period (Periode)'],
		]),
		additionalFields: additionalFields({
			kontonummer: locator(
				text({
					displayName: 'Account',
					description: 'Only this account (kontonummer, Konto)',
					placeholder: 'e.g. 1000',
				}),
				{ list: accounts, by: 'By Number' },
			),
			bisPeriode: number({
				displayName: 'Up to Period',
				description:
					'The balances at the end of this period (bisPeriode, Periode), e.g. 3 for the end of March: opening balance and the periods up to it',
				default: 12,
				min: 1,
				max: LAST_PERIOD,
				integer: true,
			}),
		}),
	},
	check({ geschaeftsjahrStartDatum, additionalFields }, addIssue) {
		const { bisPeriode } = additionalFields ?? {};
		const isCalendarYear = geschaeftsjahrStartDatum?.slice(5, 7) === '01';
		if (bisPeriode === undefined || geschaeftsjahrStartDatum === undefined || isCalendarYear) return;
		addIssue(
			'bisPeriode',
			bisPeriode,
			`is ambiguous in a fiscal year that begins on ${geschaeftsjahrStartDatum}: periods may be numbered like the months, or counted from the first one. Leave it out, and choose the periods in the output "Periods"`,
		);
	},
	request: (values) => ({
		query: { ...yearQuery(values), kontonummer: values.additionalFields.kontonummer },
	}),
	companyOf: () => undefined,
	explain: explainFixedCompany,
	verifyResponse: (answer, { query: { kontonummer } }) => verifyList(answer, ACCOUNTS, { kontonummer }),
	omissions(answer, { output }) {
		const accounts = recordsOf(answer);
		return [
			strangeEntries(answer, ACCOUNTS),
			...(output === 'periods'
				? [withoutPeriods(accounts), withoutSign(rowsOf(accounts, 'periodenwerte'))]
				: [withoutSign(accounts)]),
		];
	},
	columns: ({ output, additionalFields }) =>
		output === 'periods'
			? PERIOD_COLUMNS
			: additionalFields?.bisPeriode === undefined
				? ACCOUNT_COLUMNS
				: UP_TO_PERIOD_COLUMNS,
	records(answer, { output, additionalFields: { bisPeriode } }) {
		const accounts = recordsOf(answer);
		if (output !== 'periods') {
			return bisPeriode === undefined
				? accounts.map((account) => signed(omit(account, 'periodenwerte')))
				: upToPeriod(accounts, bisPeriode);
		}
		// Balance and turnover of the whole year would look like those of the period.
		const keys = ['kontonummer', 'kontobeschriftung', 'periodenwerte'];
		const rows = rowsOf(
			accounts.map((account) => pick(account, keys)),
			'periodenwerte',
		).map(signed);
		return rows.filter(({ periode }) => !(Number(periode) > (bisPeriode ?? Infinity)));
	},
});

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
	'umsatzSigned',
	'saldoSigned',
];
const PERIOD_COLUMNS = ['kontonummer', 'kontobeschriftung', 'periode', 'saldoSigned'];

/** Rows with amounts on an unknown side, like "H", whose sign isn't guessed. */
function withoutSign(rows: IDataObject[]): string | undefined {
	const strange = rows.flatMap((row) =>
		AMOUNTS.flatMap((name) => {
			const { [name]: amount, kontonummer, periode } = row;
			if (amount === null || amount === undefined || signedAmount(amount) !== undefined) return [];
			const { sollHabenKennzeichen: side } = Object(amount) as IDataObject;
			const where = name === 'saldo' && periode !== undefined ? ` of period ${String(periode)}` : '';
			return [`${String(kontonummer)} (${name}${where}, ${JSON.stringify(side ?? null)})`];
		}),
	);
	return strange.length > 0
		? `amounts whose side (sollHabenKennzeichen) isn't SOLL or HABEN have no sign; the row shows them as text: ${listed(strange)}`
		: undefined;
}

/** Accounts with a balance or turnover that can't become rows. */
function withoutPeriods(accounts: IDataObject[]): string | undefined {
	const numbers = accounts.flatMap(({ kontonummer, periodenwerte, saldo, umsatzSoll, umsatzHaben }) => {
		const { betrag } = Object(saldo) as { betrag?: unknown };
		const isEmpty = ![betrag, umsatzSoll, umsatzHaben].some((amount) => Boolean(Number(amount)));
		return isEmptyList(periodenwerte) && !isEmpty ? [String(kontonummer)] : [];
	});
	return numbers.length > 0
		? `accounts with a balance, but without periods, have no row (Output "Accounts" has them): ${listed(numbers)}`
		: undefined;
}
