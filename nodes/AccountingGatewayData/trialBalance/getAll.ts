import type { IDataObject } from 'n8n-workflow';
import { isPlainObject, omit, pick } from 'lodash';

import { defineRead } from '../../shared/operation';
import { additionalFields } from '../../shared/parameters/collection';
import { defineList } from '../../shared/parameters/list';
import { locator } from '../../shared/parameters/locator';
import { output } from '../../shared/form/options';
import { text } from '../../shared/parameters/text';
import { gatewayRequest } from '../../shared/gateway/request';
import { isEmptyList, recordsOf, rowsOf } from '../../shared/gateway/records';
import { sameAccountNumber } from '../../shared/gateway/same';
import { listed, SHOWN, strangeEntries, verifyList } from '../../shared/gateway/verify';
import type { RecordKind } from '../../shared/gateway/verify';
import { explainFixedCompany, yearParameters, yearQuery } from '../parameters';

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
		}),
	},
	request: (values) => ({
		query: { ...yearQuery(values), kontonummer: values.additionalFields.kontonummer },
	}),
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
	columns: ({ output }) => (output === 'periods' ? PERIOD_COLUMNS : ACCOUNT_COLUMNS),
	records(answer, { output }) {
		const accounts = recordsOf(answer);
		if (output !== 'periods') {
			return accounts.map((account) => signed(omit(account, 'periodenwerte')));
		}
		// Balance and turnover of the whole year would look like those of the period.
		const keys = ['kontonummer', 'kontobeschriftung', 'periodenwerte'];
		return rowsOf(
			accounts.map((account) => pick(account, keys)),
			'periodenwerte',
		).map(signed);
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
const PERIOD_COLUMNS = ['kontonummer', 'kontobeschriftung', 'periode', 'saldoSigned'];

/**
 * Turns an amount with a separate side into one signed amount: `saldoSigned`, and `ebWertSigned` for the opening
 * balance. Debit (SOLL) is positive, credit (HABEN) negative. An amount with an unknown side is a text that names both.
 */
function signed(row: IDataObject): IDataObject {
	const columns = Object.entries(row).flatMap(([name, value]): Array<[string, unknown]> => {
		if (!AMOUNTS.includes(name)) return [[name, value]];
		return [[`${name}Signed`, value === null ? null : (signedAmount(value) ?? asText(value))]];
	});
	return Object.fromEntries(columns) as IDataObject;
}

/** Shows what has no sign, so that nobody adds it up. */
const asText = (amount: unknown): string =>
	isPlainObject(amount) ? Object.values(amount as object).join(' ') : String(amount);

const AMOUNTS = ['saldo', 'ebWert'];

/** Rows whose amounts have a side that isn't known, like "H": nobody guesses its sign. */
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

/** Accounts with a balance or turnover of which there can be no row. */
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

/** A number that JavaScript can't hold is a text, and stays one. */
const NUMBER = /^-?\d+(\.\d+)?$/;

/** @returns `undefined` if it isn't an amount with its side */
function signedAmount(value: unknown): number | string | undefined {
	const { betrag, sollHabenKennzeichen: side } = Object(value) as {
		betrag?: unknown;
		sollHabenKennzeichen?: unknown;
	};
	// 0 has no sign, and needs no side.
	if (betrag === 0) return 0;
	if (side !== 'SOLL' && side !== 'HABEN') return undefined;
	if (typeof betrag === 'number') return side === 'SOLL' ? betrag : 0 - betrag;
	if (typeof betrag !== 'string' || !NUMBER.test(betrag)) return undefined;
	if (side === 'SOLL' || Number(betrag) === 0) return betrag;
	return betrag.startsWith('-') ? betrag.slice(1) : `-${betrag}`;
}
